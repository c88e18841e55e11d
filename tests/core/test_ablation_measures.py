"""The field's ablation table, d = 64 and n = 512, as `measure` finds it for the kinds that a person can choose."""

import math

import numpy as np
import pytest

from pe_desktop.core import (
    BitsEncoding,
    CounterEncoding,
    DoubledExponentEncoding,
    NormalisedCounterEncoding,
    OneWaveEncoding,
    PaddedEncoding,
    PositionMapEncoding,
    SinusoidalEncoding,
)
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Measurement
from pe_desktop.core.measure.measurements import measure
from pe_desktop.views.properties import words

N, D = 512, 64

# Largest |x|, smallest distance and its offset, deviation of the Gram matrix from equal diagonals, residual of the best
# 2 x 2 of each hand. "<" stands where only rounding is printed; the deviation of counters is printed as 0.627, and is
# 0.62650. The doubled exponent has no distance there.
PRINTED: tuple[tuple[Encoding, str, str, int, str, str], ...] = (
    (SinusoidalEncoding(N, D), "1", "1.4718", 1, "< 2e-15", "< 5e-15"),
    (SinusoidalEncoding(N, D, spacing="inclusive"), "1", "1.4545", 1, "< 2e-15", "< 5e-15"),
    (SinusoidalEncoding(N, D, 8192.0), "1", "1.484", 1, "< 2e-15", "< 6e-15"),
    (SinusoidalEncoding(N, D, 100.0), "1", "1.9525", 1, "< 6e-15", "< 6e-15"),
    (SinusoidalEncoding(N, D, 1e6), "1", "1.277", 1, "< 2e-15", "< 6e-15"),
    (OneWaveEncoding(N, D), "1", "0.7564", 1, "0.372", "0.269"),
    (OneWaveEncoding(N, D // 2), "1", "0.4311", 1, "0.445", "0.283"),
    (SinusoidalEncoding(N, D, spacing="linear"), "1", "0.7601", 501 - 306, "< 2e-14", "< 2e-14"),
    (SinusoidalEncoding(N, D, spacing="single"), "1", "0.0499", 347 - 14, "< 1e-15", "< 1e-15"),
    (PositionMapEncoding(N, D), "1", "1.4718", 1, "0.919", "0.816"),
    (PositionMapEncoding(N, D, map="log"), "1", "0.00296", 1, "0.0465", "0.0108"),
    (PositionMapEncoding(N, D, map="root"), "1", "0.0335", 1, "0.0455", "0.0145"),
    (PositionMapEncoding(N, D, map="reciprocal"), "1", "0.0000058", 1, "0.0021", "0.0025"),
    (CounterEncoding(N, D), "511", "1", 1, "0.62650", "0.0017"),
    (NormalisedCounterEncoding(N, D), "0.998", "0.00195", 1, "0.62650", "0.0017"),
    (BitsEncoding(N, 9), "1", "1", 1, "0.458", "0.493"),
    (DoubledExponentEncoding(N, D), "1", "", 1, "0.0647", "0.169"),
)


def measured(encoding: Encoding) -> dict[str, Measurement]:
    found = measure(encoding)
    assert found is not None
    return {one.key: one for one in found}


def prints_as(value: float | None, printed: str) -> bool:
    assert value is not None
    if printed.startswith("< "):
        return 0 <= value < float(printed[2:])
    return f"{value:.{len(printed.partition('.')[2])}f}" == printed


def name_of(row: tuple[Encoding, str, str, int, str, str]) -> str:
    words = {"n_positions", "layout", "start", "amplitude", "scale"}
    return " ".join(str(value) for name, value in row[0].parameters.items() if name not in words)


@pytest.mark.parametrize("row", PRINTED, ids=name_of)
def test_every_kind_measures_what_the_table_prints(row):
    encoding, largest, distance, offset, deviation, residual = row
    found = measured(encoding)
    assert prints_as(found["bounded"].number, largest)
    assert not distance or prints_as(found["unique"].number, distance)
    assert found["unique"].numbers["offset"] == offset
    assert prints_as(found["shift_invariant"].number, deviation)
    assert prints_as(found["linear_shift"].number, residual)


@pytest.mark.parametrize(("spacing", "printed"), [("single", (14, 347)), ("linear", (306, 501))])
def test_the_printed_pair_is_as_near_as_the_first_pair_of_its_offset(spacing, printed):
    step = (1 - 1e-4) / (D // 2 - 1)
    omega = [1.0 if spacing == "single" else 1 - step * pair for pair in range(D // 2)]
    expected = 2 * math.sqrt(math.fsum(math.sin((printed[1] - printed[0]) * each / 2) ** 2 for each in omega))
    encoding = SinusoidalEncoding(N, D, spacing=spacing)
    found = measured(encoding)["unique"]
    assert (found.numbers["position"], found.numbers["other"]) == (0, printed[1] - printed[0])
    assert found.number == pytest.approx(expected, rel=1e-12)
    one, other = encoding.values(list(printed))
    assert math.dist(one, other) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("padding_idx", [1, 300])
def test_one_row_of_zeros_breaks_the_shift_and_the_length_and_leaves_all_positions_apart(padding_idx):
    rates = [10000 ** (-i / 31) for i in range(32)]
    table = np.array([[math.sin(t * w) for w in rates] + [math.cos(t * w) for w in rates] for t in range(N)])
    table[padding_idx] = 0
    missed = 0.0
    for hand in (table[:, [i, 32 + i]] for i in range(32)):
        fit = np.linalg.lstsq(hand[:-1], hand[1:], rcond=None)[0]
        missed += float(((hand[:-1] @ fit - hand[1:]) ** 2).sum())
    gram = table @ table.T
    means = {k: np.diagonal(gram, k).mean() for k in range(-N + 1, N)}
    toeplitz = np.array([[means[q - p] for q in range(N)] for p in range(N)])
    found = measured(PaddedEncoding(N, D, padding_idx=padding_idx))
    linear, invariant, norm = found["linear_shift"], found["shift_invariant"], found["norm"]
    assert linear.number == pytest.approx(math.sqrt(missed / float((table[1:] ** 2).sum())), rel=1e-9)
    assert invariant.number == pytest.approx(np.linalg.norm(gram - toeplitz) / np.linalg.norm(gram), rel=1e-9)
    assert [one.verdict for one in (linear, invariant, norm)] == ["fails"] * 3
    assert words.sentence(norm) == "Lengths run from 0 to 5.657."
    assert norm.numbers["shortest"] == 0
    assert norm.numbers["longest"] == pytest.approx(math.sqrt(D / 2))
    # Neighbours as of inclusive spacing, 1.4545 apart; the row of zeros is the root of 32 from all others.
    assert (found["unique"].verdict, f"{found['unique'].number:.4f}") == ("holds", "1.4545")


def test_a_sample_looks_at_the_row_of_zeros_too():
    found = measured(PaddedEncoding(1_000_000, 8, padding_idx=700_001))
    assert found["norm"].numbers["shortest"] == 0
    assert found["shift_invariant"].verdict == "fails"
