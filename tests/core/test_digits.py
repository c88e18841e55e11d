"""The digits of positions: mpmath's floor and remainder, whole numbers of base ten, and the hours of a day."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import FadingEncoding, SinusoidalEncoding, state_of
from pe_desktop.core.digits import Digits, digits_of
from tests.views.seen import texts_of


def digits(encoding) -> Digits:
    found = digits_of(encoding.pairs, encoding.n_positions)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "encoding",
    [SinusoidalEncoding(10**6, 32), SinusoidalEncoding(10**6, 8, 3.5, "inclusive"), FadingEncoding(10**6, 512)],
)
def test_digit_i_is_the_floor_over_a_power_of_beta_modulo_beta(encoding):
    table, n_pairs = digits(encoding), encoding.d_model // 2
    with mpmath.workdps(80):
        steps = n_pairs if encoding.spacing == "geometric" else n_pairs - 1
        beta = mpmath.mpf(encoding.base) ** (mpmath.mpf(1) / steps)
        assert table.d_model == min(n_pairs, 1 + int(mpmath.log(10**6 - 1, beta)))
        for t in (0, 1, 37, 999_999, 123_456.75, 2**31, -3.5):
            for i, digit in enumerate(table.values([t])[0].tolist()):
                whole = mpmath.floor(t / beta**i)
                assert digit == pytest.approx(float(whole - beta * mpmath.floor(whole / beta)), abs=1e-15)


def test_digits_of_base_ten_are_those_of_the_number_powers_themselves_too():
    table = digits(SinusoidalEncoding(10**6, 12, 1e6))
    for number in (0, 9, 10, 1_000, 99_999, 100_000, 987_654):
        assert "".join(f"{digit:.0f}" for digit in table.values([number])[0][::-1]) == f"{number:06d}"
    # A power of a beta that is no power of 2 leaves no rest of rounding.
    thirds = digits(SinusoidalEncoding(10**6, 2, 1.5)).values([3, -3, 2**31])
    np.testing.assert_array_equal(thirds, [[0], [0], [0.5]])


def test_digits_of_a_wall_clock_are_seconds_minutes_and_hours():
    state = state_of({"preset": "clock", "clock.shows_digits": "true"})
    table = digits(state.encoding)
    assert state.encoding.formulas[-1].replace("\u2009", " ") == "λ_i = 60, 3 600, 43 200"
    found = table.values([3_723.9, 43_199, 59.5])
    np.testing.assert_array_equal(found, [[3, 2, 1], [59, 59, 11], [59, 0, 0]])
    assert table.widened is None
    assert {"digit 0 = 3", "digit 1 = 2", "digit 2 = 1"} <= {*texts_of("clock", state)}


def test_ntk_widens_beta_until_the_last_wavelength_has_doubled_and_even_steps_have_no_digits():
    encoding = SinusoidalEncoding(128, 32)
    pairs, wider = encoding.pairs, digits(encoding).widened
    assert wider is not None
    np.testing.assert_allclose(wider.hands.wavelengths[[0, -1]], pairs.wavelengths[[0, -1]] * [1, 2], rtol=1e-13)
    for spacing in ("linear", "single"):
        assert digits_of(SinusoidalEncoding(spacing=spacing).pairs, 128) is None


def test_bits_and_digits_stand_in_one_place():
    state = state_of({"clock.shows_bits": "true", "clock.shows_digits": "true"})
    assert (state.views.clock.shows_bits, state.views.clock.shows_digits) == (False, True)
