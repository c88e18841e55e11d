"""What rounding does to tables and to the digits that texts print, against plain loops and the field's numbers."""

import math
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import BitsEncoding, Precision, SinusoidalEncoding, framework_values
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.precision import measured
from pe_desktop.core.precision.formats import single_frequencies
from pe_desktop.core.precision.measured import frequency_error, printed_numbers, sixty_four_sums, two_distances
from pe_desktop.core.source.formats import one_sum

# What is asked for is among the compared ones.
roundings: Any = measured.roundings
shared_rows: Any = measured._shared_rows


@pytest.mark.parametrize("d_model", [300, 512, 4096])
def test_the_exp_form_has_the_less_accurate_frequencies_even_if_every_function_rounds_correctly(d_model):
    encoding = SinusoidalEncoding(10, d_model)
    exp, power = (frequency_error(encoding, form, is_correctly_rounded=True) or 0.0 for form in ("exp", "power"))
    assert exp > 1.5 * power
    assert (frequency_error(encoding, "rounded") or 1.0) < power


@pytest.mark.parametrize("form", ["exp", "power", "rounded"])
def test_a_frequency_error_is_the_largest_against_exact_arithmetic(form):
    encoding = SinusoidalEncoding(10, 64)
    singles = single_frequencies(encoding.pairs, form).tolist()
    with mpmath.workdps(40):
        errors = [
            abs(single * mpmath.mpf(10_000) ** (mpmath.mpf(pair) / 32) - 1) for pair, single in enumerate(singles)
        ]
    assert frequency_error(encoding, form) == pytest.approx(float(max(errors)), rel=1e-6)


def test_the_error_up_to_a_position_is_the_largest_of_all_rows_against_exact_sines():
    encoding, worst, by_position = SinusoidalEncoding(700, 8), 0.0, []
    with mpmath.workdps(40):
        omega = [mpmath.mpf(10_000) ** (-mpmath.mpf(pair) / 4) for pair in range(4)]
        for position, values in enumerate(framework_values(encoding, Precision("float32"), range(700))):
            exact = [value for one in omega for value in reversed(mpmath.cos_sin(position * one))]
            by_position.append(worst := max(worst, *map(abs, values - exact)))
    found = roundings(encoding, Precision())
    assert len(found.positions) < found.rows[0].n_measured == 700
    errors = found.of(Precision("float32")).errors
    assert errors == pytest.approx([float(by_position[position]) for position in found.positions], abs=1e-15)


@pytest.mark.parametrize(("n_positions", "d_model", "is_all"), [(8192, 128, True), (100_000, 64, False)])
def test_the_largest_error_is_that_of_the_whole_table_where_it_is_small_and_nearly_so_in_a_long_one(
    n_positions, d_model, is_all
):
    encoding, positions = SinusoidalEncoding(n_positions, d_model), range(n_positions)
    row = roundings(encoding, Precision()).of(Precision("float32"))
    largest = np.abs(framework_values(encoding, Precision("float32"), positions) - encoding.values(positions)).max()
    assert row.largest_error == (largest if is_all else pytest.approx(largest, rel=0.1))
    assert (row.n_measured == n_positions) == is_all


@pytest.mark.parametrize(
    ("encoding", "precision"),
    [
        (SinusoidalEncoding(3000, 2), Precision("bfloat16")),
        (SinusoidalEncoding(3000, 2), Precision("float16")),
        (SinusoidalEncoding(600, 4), Precision("bfloat16", "power", "bfloat16")),
        (SinusoidalEncoding(70_000, 2), Precision("float64", "exp", "float16")),
        (BitsEncoding(40, 6), Precision("float16")),
    ],
    ids=str,
)
def test_rows_are_counted_and_grouped_as_a_dictionary_does(encoding, precision):
    groups: dict[bytes, list[int]] = {}
    for position, row in enumerate(framework_values(encoding, precision, range(encoding.n_positions))):
        groups.setdefault((row + 0.0).tobytes(), []).append(position)
    shared = [tuple(group[:3]) for group in groups.values() if len(group) > 1]
    assert shared_rows(encoding, precision) == (len(groups), encoding.n_positions, tuple(shared[:3]))


@pytest.mark.parametrize(("n_positions", "overflow"), [(65_520, None), (65_521, 65_520), (100_000, 65_520)])
def test_a_float16_id_overflows_and_leaves_no_largest_error(n_positions, overflow):
    found = roundings(SinusoidalEncoding(n_positions, 8), Precision())
    row = found.of(Precision("float32", position_ids="float16"))
    assert row.overflow == overflow
    assert np.isinf(row.largest_error) == (overflow is not None)
    assert np.array_equal(np.isinf(row.errors), found.positions >= 65_520)


@pytest.mark.parametrize("encoding", [SinusoidalEncoding(1, 2), SinusoidalEncoding(10_000_000, 65_536)], ids=str)
def test_the_smallest_and_the_widest_table_are_measured_at_few_positions_while_someone_wants_it(encoding):
    assert len(roundings(encoding, Precision()).positions) <= 241
    with pytest.raises(CancelledError):
        roundings(encoding, Precision(), lambda: True)


def test_the_five_printed_products_come_out_bit_for_bit_in_sixty_four_sums_and_the_cosine_in_one():
    *dots, cosine = printed_numbers()
    assert [repr(dot.sixty_four_sums) for dot in dots] == [
        "249.10211181640625", "249.10211181640625", "249.1020965576172", "117.52901458740234", "117.52900695800781",
    ]  # fmt: skip
    assert [dot.printed for dot in dots] == [repr(dot.sixty_four_sums) for dot in dots]
    for dot, offset in zip(dots, (1, 1, 1, 79, 79), strict=True):
        exact = math.fsum(math.cos(offset * 10_000 ** (-i / 256)) for i in range(256))
        assert dot.exact == pytest.approx(exact, abs=1e-12)
    # Field guide S1-10, to the last digit.
    assert [dot.exact for dot in dots] == [249.10209782736297] * 3 + [117.52900007202076] * 2
    assert cosine.one_sum == 0.9999499917030334
    assert f"{cosine.one_sum:.4f}" == cosine.printed == "0.9999"
    assert f"{cosine.exact:.4f}" == "1.0000"


def looped(a, b, n_sums):
    """Products in float32, each added to one of so many sums."""
    sums = [np.float32(0)] * n_sums
    for number, (x, y) in enumerate(zip(a, b, strict=True)):
        sums[number % n_sums] = sums[number % n_sums] + x * y
    return sums


@pytest.mark.parametrize("length", [2, 64, 100, 512])
def test_sums_are_those_of_plain_loops_of_float32(length):
    a, b = np.random.default_rng(length).normal(size=(2, length)).astype(np.float32)
    assert one_sum(a, b) == looped(a, b, 1)[0]
    sums = looped(a, b, 64)
    sixteen = [(sums[n] + sums[n + 16]) + (sums[n + 32] + sums[n + 48]) for n in range(16)]
    while len(sixteen) > 1:
        half = len(sixteen) // 2
        sixteen = [sixteen[n] + sixteen[n + half] for n in range(half)]
    assert sixty_four_sums(a, b) == sixteen[0]
    # Of many vectors each as if it were alone.
    assert sixty_four_sums(np.stack((b, a)), np.stack((b, b))).tolist() == [sixty_four_sums(b, b), sixteen[0]]
    assert one_sum(np.stack((b, a)), np.stack((b, b)))[1] == one_sum(a, b)


def test_the_printed_numbers_are_neighbours_in_float32_around_the_exact_ones():
    assert measured.neighbours(249.10209782736297) == (249.1020965576172, 249.10211181640625)
    assert measured.neighbours(117.52900007202076) == (117.52899932861328, 117.52900695800781)
    assert measured.neighbours(117.5290107) == (117.52900695800781, 117.52901458740234)
    assert measured.neighbours(0.5) == (0.5, float(np.nextafter(np.float32(0.5), np.float32(1))))


def test_a_distance_from_dot_products_loses_the_digits_of_near_vectors():
    a = np.random.default_rng(3).normal(size=500).astype(np.float32)
    b = a + np.float32(1e-4)
    exact = math.sqrt(math.fsum((float(x) - float(y)) ** 2 for x, y in zip(a, b, strict=True)))
    by_differences, by_dots = two_distances(a, b)
    assert by_differences == pytest.approx(exact, rel=1e-6)
    assert abs(by_dots - exact) > 1e-5 * exact
    assert two_distances(a, a) == (0.0, 0.0)
