"""Angular frequencies of the spacings, against mpmath."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import SPACINGS, SinusoidalEncoding
from pe_desktop.core.phase import frequencies
from tests.core.exact import exact_frequency


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("base", [1.0000000000000002, 1.5, 100, 10000, 8192, 1e9])
@pytest.mark.parametrize("d_model", [2, 4, 6, 64, 512, 65536])
def test_frequencies_are_the_nearest_float64(d_model, base, spacing):
    omega = SinusoidalEncoding(1, d_model, base, spacing).pairs.angular_frequencies
    pairs = sorted({0, d_model // 2 - 1, *range(0, d_model // 2, max(d_model // 60, 1))})
    with mpmath.workdps(50):
        assert [omega[pair] for pair in pairs] == [
            float(exact_frequency(d_model, base, spacing, pair)) for pair in pairs
        ]


@pytest.mark.parametrize(
    ("d_model", "base", "shift"),
    [
        *(
            (d_model, base, shift)
            for d_model, base in ((64, 10000.0), (512, 8192.0))
            for shift in (1.0, 0.1, -3.25, 24.0)
        ),
        (64, 1e9, -32768.0),
        (64, 3.0, 30.9),  # The last frequency is 4e-14.
        (2, 10000.0, 0.9999),
    ],
)
def test_a_shift_is_taken_from_the_number_of_pairs_in_the_exponent(d_model, base, shift):
    omega = SinusoidalEncoding(1, d_model, base, shift=shift).pairs.angular_frequencies
    with mpmath.workdps(50):
        steps = mpmath.mpf(d_model) / 2 - mpmath.mpf(shift)
        exact = [float(mpmath.mpf(base) ** (-pair / steps)) for pair in range(d_model // 2)]
    assert omega.tolist() == exact


def test_a_shift_of_one_is_inclusive_spacing_to_the_last_bit():
    shifted, inclusive = SinusoidalEncoding(9, 64, shift=1.0), SinusoidalEncoding(9, 64, spacing="inclusive")
    np.testing.assert_array_equal(shifted.pairs.angular_frequencies, inclusive.pairs.angular_frequencies)
    np.testing.assert_array_equal(shifted.values([0, 1, 9999999]), inclusive.values([0, 1, 9999999]))


@pytest.mark.parametrize("spacing", SPACINGS)
def test_units_and_rests_give_the_turns_of_a_position_to_115_bits(spacing):
    n_pairs = 32768
    some = frequencies(2 * n_pairs, 1e9, spacing)
    with mpmath.workdps(60):
        for pair in (0, 1, 777, n_pairs // 2, n_pairs - 1):
            kept = (int(some.units[pair]) + mpmath.mpf(float(some.rests[pair]))) / mpmath.mpf(2) ** 64
            exact = exact_frequency(2 * n_pairs, 1e9, spacing, pair) / (2 * mpmath.pi)
            assert abs(kept - exact) < mpmath.mpf(2) ** -115


@pytest.mark.parametrize("name", ["angular_frequencies", "wavelengths"])
def test_frequencies_cannot_be_changed_by_a_reader(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(SinusoidalEncoding().pairs, name)[0] = 2.0


@pytest.mark.parametrize(("d_model", "base", "scale"), [(4_098, 10_000.0, 1.0), (1_026, 1.5, 1e6), (514, 1e9, 1e-6)])
def test_many_frequencies_are_those_of_products_one_after_the_other(d_model, base, scale):
    with mpmath.workdps(80):
        found = frequencies(d_model, base, "geometric", scale)
        ratio, frequency = mpmath.power(mpmath.mpf(base), mpmath.mpf(-2) / d_model), mpmath.mpf(scale)
        for pair in range(d_model // 2):
            turn = frequency / (2 * mpmath.pi)
            units = int(mpmath.nint(turn * 2**64))
            assert found.angular[pair] == float(frequency)
            assert int(found.units[pair]) == units % 2**64
            assert abs(found.rests[pair] - (turn * 2**64 - units)) < 1e-15
            assert found.whole_turns[pair] == int(mpmath.nint(turn))
            frequency *= ratio
