"""The digits that texts print, by plain loops of float32 numbers."""

import math

import numpy as np
import pytest

from pe_desktop.core.precision.measured import neighbours, printed_numbers, sixty_four_sums, two_distances
from pe_desktop.core.source.formats import one_sum


def test_the_five_printed_products_come_out_bit_for_bit_in_sixty_four_sums():
    dots = printed_numbers()[:5]
    assert [repr(dot.sixty_four_sums) for dot in dots] == [
        "249.10211181640625", "249.10211181640625", "249.1020965576172", "117.52901458740234", "117.52900695800781",
    ]  # fmt: skip
    assert [dot.printed for dot in dots] == [repr(dot.sixty_four_sums) for dot in dots]


def test_the_exact_products_are_sums_of_cosines_of_the_offset():
    for dot, offset in zip(printed_numbers()[:5], (1, 1, 1, 79, 79), strict=True):
        exact = math.fsum(math.cos(offset * 10_000 ** (-i / 256)) for i in range(256))
        assert dot.exact == pytest.approx(exact, abs=1e-12)
    # Field guide S1-10, to the last digit.
    assert [dot.exact for dot in printed_numbers()[:5]] == [249.10209782736297] * 3 + [117.52900007202076] * 2


def test_a_float32_cosine_is_printed_as_0_9999_and_the_exact_one_as_1():
    cosine = printed_numbers()[5]
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
    assert neighbours(249.10209782736297) == (249.1020965576172, 249.10211181640625)
    assert neighbours(117.52900007202076) == (117.52899932861328, 117.52900695800781)
    assert neighbours(117.5290107) == (117.52900695800781, 117.52901458740234)
    assert neighbours(0.5) == (0.5, float(np.nextafter(np.float32(0.5), np.float32(1))))


def test_a_distance_from_dot_products_loses_the_digits_of_near_vectors():
    a = np.random.default_rng(3).normal(size=500).astype(np.float32)
    b = a + np.float32(1e-4)
    exact = math.sqrt(math.fsum((float(x) - float(y)) ** 2 for x, y in zip(a, b, strict=True)))
    by_differences, by_dots = two_distances(a, b)
    assert by_differences == pytest.approx(exact, rel=1e-6)
    assert abs(by_dots - exact) > 1e-5 * exact
    assert two_distances(a, a) == (0.0, 0.0)
