"""The error of position maps, starts and scales, against mpmath; docs/precision.md states these bounds."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import OddWidthEncoding, OneWaveEncoding, PositionMapEncoding, SinusoidalEncoding

VALUE_ERROR = 1e-15
ANGLE_ERROR = 2e-15

WHOLE = [0, 1, 2, 37, 64, 9_999, 123_456, 9_999_999, 10_000_000, 94_906_267, 2**31 - 1, 2**31]
FRACTIONAL = [0.25, 0.1, 1e-9, 36.5, 1234.5678, 77_777.125, 9_999_999.1, 2**30 + 1 / 3]
NEGATIVE = [-1, -37, -10_000_000, -0.1, -1234.5678, -(2**31)]


def mapped(word, position):
    """f(p) to 60 digits, mirrored before 0."""
    size = abs(mpmath.mpf(position))
    sign = -1 if position < 0 else 1
    if word == "square":
        return size**2
    if word == "reciprocal":
        return 1 / (1 + size)
    return sign * (mpmath.sqrt(size) if word == "root" else mpmath.log(1 + size))


def error_of(found, exact):
    """The largest difference of sines and cosines, shape (positions, pairs, 2), from those of exact angles."""
    worst = 0.0
    for row, angles in zip(found, exact, strict=True):
        for (sine, cosine), angle in zip(row, angles, strict=True):
            exact_cosine, exact_sine = mpmath.cos_sin(angle)
            worst = max(worst, abs(float(sine - exact_sine)), abs(float(cosine - exact_cosine)))
    return worst


@pytest.mark.parametrize("word", ["square", "root", "log", "reciprocal"])
@pytest.mark.parametrize("base", [1.5, 1e4, 1e9])
@pytest.mark.parametrize("positions", [WHOLE, FRACTIONAL, NEGATIVE], ids=["whole", "fractional", "negative"])
def test_values_of_a_position_map_are_exact_as_far_as_positions_reach(word, base, positions):
    encoding = PositionMapEncoding(10_000_000, 24, base, map=word)
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(base) ** (-mpmath.mpf(pair) / 12) for pair in range(12)]
        angles = [[mapped(word, position) * omega for omega in omegas] for position in positions]
        values = encoding.values(positions).reshape(len(positions), 12, 2)
        assert error_of(values, angles) <= VALUE_ERROR
        np.testing.assert_array_equal(encoding.pairs.hands(positions), values)
        found = encoding.pairs.angles(positions)
        assert np.abs(found).max() <= np.pi
        for row, exact in zip(found, angles, strict=True):
            for angle, wanted in zip(row, exact, strict=True):
                turns = (angle - wanted) / (2 * mpmath.pi)
                assert abs(turns - mpmath.nint(turns)) * 2 * mpmath.pi <= ANGLE_ERROR


def test_a_plain_square_root_would_miss_the_bound_by_a_factor_of_a_hundred():
    positions = np.arange(9_900_000, 10_000_000, 10)
    plain = np.sin(np.sqrt(positions))
    exact = PositionMapEncoding(10_000_000, 2, map="root").values(positions)[:, 0]
    assert np.abs(plain - exact).max() > 1e-13


@pytest.mark.parametrize(("start", "scale"), [(2.0, 1.0), (0.1, 1.0), (-1234.7, 0.37), (10_000_000.0, 1e6), (0.3, 1e6)])
@pytest.mark.parametrize("positions", [WHOLE, FRACTIONAL, NEGATIVE], ids=["whole", "fractional", "negative"])
def test_start_and_scale_cost_no_digit(start, scale, positions):
    encoding = SinusoidalEncoding(10_000_000, 24, 1e4, start=start, scale=scale)
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(scale) * mpmath.mpf(1e4) ** (-mpmath.mpf(pair) / 12) for pair in range(12)]
        sums = [mpmath.mpf(start) + mpmath.mpf(position) for position in positions]
        angles = [[total * omega for omega in omegas] for total in sums]
        assert error_of(encoding.values(positions).reshape(len(positions), 12, 2), angles) <= VALUE_ERROR
        offsets = [[mpmath.mpf(position) * omega for omega in omegas] for position in positions]
        assert error_of(encoding.pairs.offset_hands(positions), offsets) <= VALUE_ERROR
        found = encoding.pairs.offset_angles(positions)
        for row, exact in zip(found, offsets, strict=True):
            for angle, wanted in zip(row, exact, strict=True):
                turns = (angle - wanted) / (2 * mpmath.pi)
                assert abs(turns - mpmath.nint(turns)) * 2 * mpmath.pi <= ANGLE_ERROR


@pytest.mark.parametrize(("start", "scale"), [(0.5, 1000.0), (0.1, 4.0), (-110.6, 3.5), (0.25, 1e6)])
def test_a_fractional_start_costs_no_digit_where_hands_turn_by_half_a_turn_and_more(start, scale):
    encoding = SinusoidalEncoding(200, 128, spacing="linear", start=start, scale=scale)
    values = encoding.values(range(64, 84)).reshape(20, 64, 2)
    with mpmath.workdps(60):
        span = 1 - 1 / mpmath.mpf(10_000)
        omegas = [mpmath.mpf(scale) * (1 - mpmath.mpf(pair) / 63 * span) for pair in range(64)]
        angles = [[(mpmath.mpf(start) + row) * omega for omega in omegas] for row in range(64, 84)]
        assert error_of(values, angles) <= VALUE_ERROR / 2


def test_a_fractional_shift_costs_no_digit_of_a_large_scale():
    encoding = SinusoidalEncoding(1, 2000, shift=-160.93731234488416, scale=1e6)
    position = 2_147_482_955
    with mpmath.workdps(60):
        steps = 1000 - mpmath.mpf(-160.93731234488416)
        angles = [[position * mpmath.mpf(10**6) * mpmath.mpf(10_000) ** (-pair / steps) for pair in range(100, 130)]]
        assert error_of(encoding.pairs.hands([position], range(100, 130)), angles) <= VALUE_ERROR


@pytest.mark.parametrize("encoding", [OneWaveEncoding(10_000_000, 9), OddWidthEncoding(10_000_000, 9)])
def test_tables_without_pairs_are_exact_far_out(encoding):
    positions = [9_999_999, 9_999_999.1, -10_000_000]
    halves = 1 if isinstance(encoding, OneWaveEncoding) else 2
    with mpmath.workdps(60):
        for position, row in zip(positions, encoding.values(positions), strict=True):
            for column, value in enumerate(row):
                exponent = mpmath.mpf(halves * (column // halves)) / 9
                angle = mpmath.mpf(position) / mpmath.mpf(1e4) ** exponent
                is_cosine = halves == 2 and column % 2 == 1
                assert abs(value - (mpmath.cos(angle) if is_cosine else mpmath.sin(angle))) <= VALUE_ERROR
