"""The error of table values, hands and angles, against mpmath; docs/precision.md states these bounds."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import SPACINGS, SinusoidalEncoding
from pe_desktop.core.hands import phases
from pe_desktop.core.phase import frequencies
from tests.core.exact import frequency_of

# Two to three times what was measured, because sines of other processors may differ in their last bit.
VALUE_ERROR = 1e-15
ANGLE_ERROR = 2e-15
RELATIVE_ERROR = 1e-15

WHOLE = [0, 1, 37, 63, 64, 1000, 9_999, 10_000, 123_456, 1_000_000, 9_999_999, 10_000_000]
FRACTIONAL = [0.25, 36.5, 1234.5, 77_777.125, 9_999_999.25]
NEGATIVE = [-1, -64, -37, -10_000_000, -1234.5]
BEYOND = [2**31, -(2**31)]


def some_pairs(d_model):
    """At most a dozen pairs, the first and the last among them."""
    n_pairs = d_model // 2
    return sorted({round(share * (n_pairs - 1) / 11) for share in range(12)})


def encodings(*sizes):
    """Every base and spacing for these numbers of dimensions."""
    return [
        pytest.param(SinusoidalEncoding(10_000_000, d_model, base, spacing), id=f"{d_model}-{base:g}-{spacing}")
        for d_model in sizes
        for base in (1.5, 100, 1e4, 1e9)
        for spacing in SPACINGS
    ]


@pytest.mark.parametrize("encoding", encodings(2, 4, 64, 512, 65536))
@pytest.mark.parametrize(
    "positions", [WHOLE, FRACTIONAL, NEGATIVE, BEYOND], ids=["whole", "fractional", "negative", "beyond"]
)
def test_values_differ_from_exact_ones_by_at_most_a_few_last_bits(encoding, positions):
    pairs = some_pairs(encoding.d_model)
    values = encoding.values(positions, [column for pair in pairs for column in (2 * pair, 2 * pair + 1)])
    with mpmath.workdps(60):
        for column, omega in enumerate([frequency_of(encoding, pair) for pair in pairs]):
            for row, position in enumerate(positions):
                exact_cosine, exact_sine = mpmath.cos_sin(mpmath.mpf(position) * omega)
                assert abs(values[row, 2 * column] - exact_sine) <= VALUE_ERROR
                assert abs(values[row, 2 * column + 1] - exact_cosine) <= VALUE_ERROR


@pytest.mark.parametrize("positions", [range(400), range(9_999_700, 10_000_000)], ids=["start", "end"])
def test_every_value_of_a_contiguous_window_is_exact_to_a_few_last_bits(positions):
    encoding = SinusoidalEncoding(10_000_000, 16)
    values = encoding.values(positions)
    with mpmath.workdps(60):
        omegas = [frequency_of(encoding, pair) for pair in range(8)]
        for position, row in zip(positions, values, strict=True):
            for pair, omega in enumerate(omegas):
                exact_cosine, exact_sine = mpmath.cos_sin(position * omega)
                assert abs(row[2 * pair] - exact_sine) <= VALUE_ERROR
                assert abs(row[2 * pair + 1] - exact_cosine) <= VALUE_ERROR


@pytest.mark.parametrize("encoding", encodings(64, 512))
def test_small_sines_of_slow_hands_keep_their_relative_precision(encoding):
    pairs = some_pairs(encoding.d_model)
    positions = [1, 2, 37, 63, 64, 65, 1000, 65_537, 0.25, 36.5, 999.75, -1, -37, -100, -0.125]
    sines = encoding.pairs.hands(positions, pairs)[:, :, 0]
    with mpmath.workdps(60):
        for column, omega in enumerate([frequency_of(encoding, pair) for pair in pairs]):
            for row, position in enumerate(positions):
                if abs(position * omega) < 1:
                    exact = mpmath.sin(mpmath.mpf(position) * omega)
                    assert abs(sines[row, column] - exact) <= RELATIVE_ERROR * abs(exact)


@pytest.mark.parametrize("encoding", encodings(2, 64, 65536))
def test_angles_are_the_exact_ones_reduced_to_half_a_turn_either_way(encoding):
    pairs = some_pairs(encoding.d_model)
    positions = WHOLE + FRACTIONAL + NEGATIVE + BEYOND
    angles = encoding.pairs.angles(positions, pairs)
    assert np.abs(angles).max() <= np.pi
    with mpmath.workdps(60):
        for column, omega in enumerate([frequency_of(encoding, pair) for pair in pairs]):
            for row, position in enumerate(positions):
                turns = (angles[row, column] - mpmath.mpf(position) * omega) / (2 * mpmath.pi)
                assert abs(turns - mpmath.nint(turns)) * 2 * mpmath.pi <= ANGLE_ERROR


def test_plain_float64_products_would_miss_the_bound_by_a_factor_of_a_million():
    # What the fixed-point phases are for: the same positions by the formula as it is usually written.
    encoding = SinusoidalEncoding(10_000_000, 512)
    positions = np.arange(9_999_000.0, 10_000_000.0)
    plain = np.sin(positions[:, np.newaxis] * encoding.pairs.angular_frequencies)
    assert np.abs(plain - encoding.values(positions)[:, 0::2]).max() > 1e-10


def test_integer_phases_for_colours_err_by_half_a_unit_for_each_position():
    some = frequencies(64, 1e4, "geometric")
    positions = np.array([0, 1, 1000, 10_000_000, -1, -10_000_000])
    units = phases(positions, some)
    assert units.dtype == np.uint64
    assert units.shape == (6, 32)
    with mpmath.workdps(60):
        omegas = [frequency_of(SinusoidalEncoding(1, 64), pair) for pair in range(32)]
        for row, position in enumerate(positions.tolist()):
            for pair, omega in enumerate(omegas):
                off = (int(units[row, pair]) - position * omega / (2 * mpmath.pi) * 2**64) % 2**64
                assert min(off, 2**64 - off) <= abs(position) / 2
