"""Angular frequencies of the spacings, against mpmath."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import SPACINGS, SinusoidalEncoding
from pe_desktop.core.frequencies import frequencies


def exact_frequency(d_model, base, spacing, pair):
    """omega_i to 50 digits, straight from its definition."""
    n_pairs, exact_base = d_model // 2, mpmath.mpf(base)
    if spacing == "geometric":
        return exact_base ** (-mpmath.mpf(2 * pair) / d_model)
    if spacing == "single":
        return mpmath.mpf(1)
    share = mpmath.mpf(pair) / max(n_pairs - 1, 1)
    return exact_base**-share if spacing == "inclusive" else 1 - share * (1 - 1 / exact_base)


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


@pytest.mark.parametrize("spacing", SPACINGS)
def test_units_and_rests_give_the_turns_of_a_position_to_115_bits(spacing):
    n_pairs = 32768
    some = frequencies(2 * n_pairs, 1e9, spacing)
    with mpmath.workdps(60):
        for pair in (0, 1, 777, n_pairs // 2, n_pairs - 1):
            kept = (int(some.units[pair]) + mpmath.mpf(float(some.rests[pair]))) / mpmath.mpf(2) ** 64
            exact = exact_frequency(2 * n_pairs, 1e9, spacing, pair) / (2 * mpmath.pi)
            assert abs(kept - exact) < mpmath.mpf(2) ** -115


@pytest.mark.parametrize("spacing", SPACINGS)
def test_a_single_pair_turns_one_radian_a_position(spacing):
    assert SinusoidalEncoding(10, 2, 12345.0, spacing).pairs.angular_frequencies.tolist() == [1.0]


@pytest.mark.parametrize("spacing", ["inclusive", "linear"])
def test_last_frequency_is_one_over_base(spacing):
    assert SinusoidalEncoding(10, 512, 10000, spacing).pairs.angular_frequencies[-1] == 1e-4


def test_eight_dimensions_give_the_odometer_of_tenths():
    assert SinusoidalEncoding(10, 8).pairs.angular_frequencies.tolist() == [1.0, 0.1, 0.01, 0.001]


def test_wavelength_times_frequency_is_one_turn():
    pairs = SinusoidalEncoding(10, 512).pairs
    np.testing.assert_allclose(pairs.wavelengths * pairs.angular_frequencies, 2 * np.pi, rtol=3e-16)
    assert pairs.count == 256


@pytest.mark.parametrize("name", ["angular_frequencies", "wavelengths"])
def test_frequencies_cannot_be_changed_by_a_reader(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(SinusoidalEncoding().pairs, name)[0] = 2.0
