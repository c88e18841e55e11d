"""What distance knows: the numbers that the field guide prints for seed 000, and plain formulas."""

import math

import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.measure.collisions import comparison, distance_law, line_fit
from tests.core.schemes import LOGARITHM, SCHEMES


@pytest.fixture(scope="module")
def seed():
    """Seed 000's figure 3: a thousand positions in a thousand dimensions."""
    return distance_law(SinusoidalEncoding(1000, 1000))


def test_a_straight_line_explains_less_than_the_logarithm(seed):
    assert seed.line.r_squared == pytest.approx(0.661, abs=5e-4)
    assert seed.logarithm.r_squared == pytest.approx(0.992, abs=5e-4)
    assert seed.line_from_zero.r_squared == pytest.approx(0.610, abs=5e-4)


def test_fits_are_those_of_a_polynomial_of_degree_one(seed):
    offsets = np.arange(1, 1000)
    for fit, x, y in (
        (seed.line, offsets, seed.distances[1:]),
        (seed.line_from_zero, np.arange(1000), seed.distances),
        (seed.logarithm, np.log(offsets), seed.distances[1:] ** 2),
    ):
        slope, intercept = np.polyfit(x, y, 1)
        assert fit.slope == pytest.approx(slope, rel=1e-9)
        assert fit.intercept == pytest.approx(intercept, rel=1e-9)
        assert fit.r_squared == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2, rel=1e-9)
        np.testing.assert_allclose(fit.at(x), slope * x + intercept, rtol=1e-9)


def test_distance_grows_and_is_not_monotone(seed):
    assert seed.distances[1] == pytest.approx(5.147767463913743, rel=1e-13)
    assert seed.distances[999] == pytest.approx(28.34277827361551, rel=1e-13)
    assert (len(seed.steps_down), seed.steps_down[0]) == (425, 68)
    assert seed.farthest == 994
    assert seed.distances[994] == pytest.approx(28.954165372308196, rel=1e-13)
    assert seed.distances[10] / seed.distances[994] == pytest.approx(0.617, abs=5e-4)


def test_the_law_is_within_two_percent_of_the_square(seed):
    assert seed.law_slope == pytest.approx(1000 / math.log(10000), rel=1e-9)
    laws = seed.law(np.array([100.0, 999.0])) ** 2
    np.testing.assert_allclose(laws, [562.670, 812.56], atol=5e-3)
    np.testing.assert_allclose(seed.distances[[100, 999]] ** 2, [563.199, 803.31], atol=5e-3)


@pytest.mark.parametrize(("n_positions", "d_model"), [(1000, 1000), (128, 32), (100, 8)])
def test_the_law_is_judged_by_its_own_curve_not_by_the_best_logarithm(n_positions, d_model):
    found = distance_law(SinusoidalEncoding(n_positions, d_model))
    assert found.logarithm is not None
    assert found.law_r_squared is not None
    offsets = np.arange(1, n_positions)
    angles = np.outer(offsets, 10000.0 ** (-np.arange(d_model // 2) * 2 / d_model))
    squares = d_model - 2 * np.cos(angles).sum(axis=1)
    law = d_model / math.log(10000) * (np.log(offsets) + 0.5772156649015329)
    wanted = 1 - ((squares - law) ** 2).sum() / ((squares - squares.mean()) ** 2).sum()
    assert found.law_r_squared == pytest.approx(wanted, abs=1e-9)
    # 0.992, 0.518 and -0.068: fewer hands follow it less.
    assert round(wanted, 3) == {1000: 0.992, 32: 0.518, 8: -0.068}[d_model]
    assert found.law_r_squared < found.logarithm.r_squared


def test_squared_distance_and_dot_product_add_up_to_d(seed):
    np.testing.assert_allclose(seed.distances**2 + 2 * seed.dots, 1000, rtol=1e-12)


def test_only_geometric_spacing_has_the_law():
    found = distance_law(SinusoidalEncoding(100, 64, spacing="linear"))
    assert found.law_slope is None
    with pytest.raises(ValueError, match="geometric spacing only"):
        found.law(np.array([1.0]))
    # The inclusive spacing is geometric too, of d / 2 - 1 steps.
    inclusive = distance_law(SinusoidalEncoding(100, 64, spacing="inclusive"))
    assert inclusive.law_slope == pytest.approx(62 / math.log(10000), rel=1e-9)
    one_hand = distance_law(SinusoidalEncoding(100, 2))
    assert one_hand.law_slope is None


def test_two_positions_are_too_few_for_a_fit():
    found = distance_law(SinusoidalEncoding(2, 8))
    assert (found.line, found.logarithm, len(found.steps_down)) == (None, None, 0)


def test_a_constant_is_explained_by_nothing():
    assert math.isnan(line_fit(np.arange(5.0), np.ones(5)).r_squared)


def test_the_law_can_be_cancelled_and_needs_shift_invariance():
    with pytest.raises(CancelledError):
        distance_law(SinusoidalEncoding(100_000, 512), is_cancelled=lambda: True)
    with pytest.raises(ValueError, match="log is not shift-invariant"):
        distance_law(LOGARITHM)


@pytest.mark.parametrize(
    ("other", "printed"), [(1, (98.9518, 1.0377, 0.0105)), (99, (41.93, 52.92, 5.15))], ids=["(0, 1)", "(0, 99)"]
)
def test_bands_share_the_squared_distance_as_printed(other, printed):
    bands = comparison(SinusoidalEncoding(100, 128), 0, other).bands
    assert [(band.first, band.last) for band in bands] == [(0, 15), (16, 31), (32, 63)]
    for band, percent in zip(bands, printed, strict=True):
        digits = len(str(percent).partition(".")[2])
        assert round(100 * band.share, digits) == percent


def test_bands_of_few_hands_leave_out_those_without_one():
    for d_model, ends in ((2, [(0, 0)]), (4, [(0, 0), (1, 1)])):
        bands = comparison(SinusoidalEncoding(9, d_model), 0, 1).bands
        assert [(band.first, band.last) for band in bands] == ends
    assert sum(band.share for band in comparison(SCHEMES["binary"], 3, 1).bands) == pytest.approx(1)


def test_difference_vectors_are_equally_long_and_not_equal():
    found = comparison(SinusoidalEncoding(1000, 1000), 100, 5)
    assert found.length == pytest.approx(16.0856060513685, rel=1e-13)
    assert found.other_length == pytest.approx(16.0856060513685, rel=1e-13)
    assert found.turned == pytest.approx(22.742291573905657, rel=1e-13)
