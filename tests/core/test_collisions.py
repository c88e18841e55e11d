"""Near returns, nearest offsets, revivals, disagreeing hands, the law of distance: mpmath, loops, printed numbers."""

import math
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.measuring.collisions import _line_fit, alias, base_bound, close_offsets, comparison, distance_law
from pe_desktop.core.measuring.measurement import EVIDENCE_POINTS
from pe_desktop.core.measuring.periodic import near_returns, never_turned
from tests.core.schemes import COUNTER, LOGARITHM, SCHEMES


def closest_so_far(omega, most):
    """Every number of positions after which a hand is closer to its beginning than after any smaller one."""
    with mpmath.workdps(50):
        best, found = mpmath.inf, []
        for positions in range(1, most + 1):
            turns = positions * omega / (2 * mpmath.pi)
            missing = abs(turns - mpmath.nint(turns))
            if missing < best:
                best = missing
                found.append(positions)
    return found


def test_the_fastest_hand_nearly_returns_after_the_printed_positions():
    found = near_returns(SinusoidalEncoding(), 0, 400_000)
    printed = {
        6: (1, -0.283, 5e-4), 19: (3, 0.150, 5e-4), 25: (4, -0.133, 5e-4), 44: (7, 0.0177028, 5e-8),
        333: (53, -0.00882, 5e-6), 710: (113, 6.0289e-5, 5e-10), 103_993: (16_551, -1.9e-5, 5e-7),
        312_689: (49_766, 2.9e-6, 5e-8),
    }  # fmt: skip
    assert [one.positions for one in found] == list(printed)
    for one in found:
        turns, angle, precision = printed[one.positions]
        assert one.turns == turns
        assert one.residual_angle == pytest.approx(angle, abs=precision)


@pytest.mark.parametrize("scale", [5.0, 30.0, 1e6])
def test_a_hand_that_turns_more_than_once_a_position_returns_once_after_each(scale: float) -> None:
    encoding = SinusoidalEncoding(d_model=4, scale=scale)
    found = near_returns(encoding, 0, 1000)
    assert [one.positions for one in found] == closest_so_far(mpmath.mpf(scale), 1000)
    assert [one.turns for one in found] == [round(one.positions * scale / math.tau) for one in found]


@pytest.mark.parametrize(("d_model", "pair"), [(32, 0), (32, 4), (64, 1), (512, 100), (512, 255)])
def test_near_returns_of_any_hand_are_where_it_is_closer_than_ever_before(d_model, pair):
    omega = mpmath.mpf(10000) ** (-mpmath.mpf(2 * pair) / d_model)
    expected = closest_so_far(omega, 3000)
    found = [one.positions for one in near_returns(SinusoidalEncoding(10, d_model), pair, 3000)]
    # The first step of a hand is its closest so far without being near.
    assert found == [positions for positions in expected if positions >= found[0]] if found else expected == [1]


@pytest.mark.parametrize(("d_model", "pair"), [(64, 7), (512, 100), (6, 2)])
def test_residual_angles_are_exact_far_out(d_model, pair):
    for one in near_returns(SinusoidalEncoding(10, d_model), pair):
        with mpmath.workdps(50):
            omega = mpmath.mpf(10000) ** (-mpmath.mpf(2 * pair) / d_model)
            angle = one.positions * omega - 2 * mpmath.pi * one.turns
        assert one.residual_angle == pytest.approx(float(angle), abs=2e-15)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: near_returns(SinusoidalEncoding(10, 8), 4), "pair"),
        (lambda: near_returns(COUNTER, 0), "counter has no pairs that turn"),
        (lambda: close_offsets(LOGARITHM), "log is not shift-invariant"),
        (lambda: distance_law(LOGARITHM), "log is not shift-invariant"),
    ],
)
def test_what_has_no_returns_or_offsets_is_refused_with_a_sentence(ask, sentence):
    with pytest.raises(ValueError, match=sentence):
        ask()


@pytest.mark.parametrize(("d_model", "spacing"), [(4, "geometric"), (8, "geometric"), (16, "linear"), (6, "inclusive")])
def test_nearest_offsets_are_those_of_a_loop_over_all(d_model, spacing):
    encoding = SinusoidalEncoding(5000, d_model, spacing=spacing)
    found = close_offsets(encoding)
    omegas = encoding.pairs.angular_frequencies.tolist()
    expected = 2 * np.sqrt([sum(math.sin(k * w / 2) ** 2 for w in omegas) for k in range(1, 5000)])
    nearest = np.argsort(expected, kind="stable")[: len(found.nearest)]
    assert [pair.offset for pair in found.nearest] == (nearest + 1).tolist()
    np.testing.assert_allclose([pair.distance for pair in found.nearest], expected[nearest], rtol=1e-10)
    far = np.flatnonzero(expected[16:] < expected[0])
    assert found.far_confusion == (far[0] + 17 if len(far) else None)
    assert len(found.offsets) <= EVIDENCE_POINTS
    for first, lowest in zip(found.offsets.astype(int), found.lowest, strict=True):
        assert lowest == pytest.approx(expected[first - 1 : first + 19].min(), rel=1e-9, abs=2e-6)


def test_ten_million_offsets_of_one_hand_are_nearest_at_a_convergent():
    found = close_offsets(SinusoidalEncoding(10_000_000, 2))
    last = near_returns(SinusoidalEncoding(), 0, 9_999_999)[-1]
    assert found.nearest[0].offset == last.positions == 4_272_943
    with mpmath.workdps(40):
        chord = 2 * abs(mpmath.sin(mpmath.mpf(4_272_943) / 2))
    assert found.nearest[0].distance == pytest.approx(float(chord), rel=1e-9)


def test_linear_spacing_alone_revives_at_two_pi_over_the_step():
    found: Any = alias(SinusoidalEncoding(1000, 128, spacing="linear"))
    predicted, offset, distance, _ = found
    assert predicted == pytest.approx(2 * math.pi / ((1 - 1e-4) / 63), rel=1e-12)
    assert predicted == pytest.approx(395.88, abs=5e-3)
    assert offset == 396
    assert distance == pytest.approx(0.8432631098205129, rel=1e-12)
    nearest = close_offsets(SinusoidalEncoding(1000, 128, spacing="linear"))
    assert nearest.nearest[0].offset == 396
    wide: Any = alias(SinusoidalEncoding(1000, 512, spacing="linear"))
    assert wide[1] == 1602
    for other in (SinusoidalEncoding(1000, 128), SinusoidalEncoding(10, 2, spacing="linear")):
        assert alias(other) is None


def test_positions_zero_and_forty_one_are_told_apart_by_every_hand_but_the_slowest():
    found = comparison(SinusoidalEncoding(50, 8), 0, 41)
    assert found.length == pytest.approx(2.700326937060417, rel=1e-14)
    # The fastest hand is nearly opposite. Printed for dimensions 4 to 7: 0.3986, -0.0829, 0.0410, -0.00084.
    assert (np.diff(found.chords) < 0).all()
    assert found.chords[0] == pytest.approx(2 * math.sin((2 * math.pi * 7 - 41) / 2), rel=1e-12)
    assert found.chords[2] == pytest.approx(math.hypot(0.3986, 0.0829), abs=1e-4)
    assert found.chords[3] == pytest.approx(math.hypot(0.0410, 0.00084), abs=1e-4)
    assert not comparison(SinusoidalEncoding(50, 8), 7, 0).chords.any()


def test_fits_are_those_of_a_polynomial_of_degree_one_and_the_law_is_within_two_percent_of_the_square():
    # Seed 000's figure 3: a thousand positions in a thousand dimensions.
    seed: Any = distance_law(SinusoidalEncoding(1000, 1000))
    offsets = np.arange(1, 1000)
    for fit, x, y in (
        (seed.line, offsets, seed.distances[1:]),
        (seed.line_from_zero, np.arange(1000), seed.distances),
    ):
        slope, intercept = np.polyfit(x, y, 1)
        assert fit.slope == pytest.approx(slope, rel=1e-9)
        assert fit.intercept == pytest.approx(intercept, rel=1e-9)
        assert fit.r_squared == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2, rel=1e-9)
        np.testing.assert_allclose(fit.at(x), slope * x + intercept, rtol=1e-9)
    slope, intercept = np.polyfit(np.log(offsets), seed.distances[1:] ** 2, 1)
    assert (seed.logarithm.slope, seed.logarithm.intercept) == pytest.approx((slope, intercept), rel=1e-9)
    rest = seed.distances[1:] - np.sqrt(slope * np.log(offsets) + intercept)
    # As of the line beside it, of distances, not of their squares.
    assert seed.logarithm.r_squared == pytest.approx(1 - (rest**2).mean() / seed.distances[1:].var(), rel=1e-9)
    assert seed.law_slope == pytest.approx(1000 / math.log(10000), rel=1e-9)
    laws = seed.law(np.array([100.0, 999.0])) ** 2
    np.testing.assert_allclose(laws, [562.670, 812.56], atol=5e-3)
    np.testing.assert_allclose(seed.distances[[100, 999]] ** 2, [563.199, 803.31], atol=5e-3)


@pytest.mark.parametrize(("n_positions", "d_model"), [(1000, 1000), (128, 32), (100, 8)])
def test_the_law_is_judged_by_its_own_curve_not_by_the_best_logarithm(n_positions, d_model):
    found: Any = distance_law(SinusoidalEncoding(n_positions, d_model))
    offsets = np.arange(1, n_positions)
    angles = np.outer(offsets, 10000.0 ** (-np.arange(d_model // 2) * 2 / d_model))
    squares = d_model - 2 * np.cos(angles).sum(axis=1)
    law = d_model / math.log(10000) * (np.log(offsets) + 0.5772156649015329)
    wanted = 1 - ((np.sqrt(squares) - np.sqrt(law)) ** 2).mean() / np.sqrt(squares).var()
    assert found.law_r_squared == pytest.approx(wanted, abs=1e-9)
    # Fewer hands follow it less.
    assert round(wanted, 3) == {1000: 0.992, 32: 0.625, 8: 0.002}[d_model]
    assert found.law_r_squared < found.logarithm.r_squared


def test_only_geometric_spacing_has_the_law():
    found = distance_law(SinusoidalEncoding(100, 64, spacing="linear"))
    assert found.law_slope is None
    # The inclusive spacing is geometric too, of d / 2 - 1 steps.
    inclusive = distance_law(SinusoidalEncoding(100, 64, spacing="inclusive"))
    assert inclusive.law_slope == pytest.approx(62 / math.log(10000), rel=1e-9)
    one_hand = distance_law(SinusoidalEncoding(100, 2))
    assert one_hand.law_slope is None


def test_two_positions_are_too_few_for_a_fit_a_constant_is_explained_by_nothing_and_one_can_be_cancelled():
    found = distance_law(SinusoidalEncoding(2, 8))
    assert (found.line, found.logarithm, len(found.steps_down)) == (None, None, 0)
    assert math.isnan(_line_fit(np.arange(5.0), np.ones(5)).r_squared)
    with pytest.raises(CancelledError):
        distance_law(SinusoidalEncoding(100_000, 512), is_cancelled=lambda: True)


def test_bits_disagree_two_by_two():
    # 011 and 100.
    assert comparison(SCHEMES["binary"], 3, 1).chords.tolist() == [math.sqrt(2), 1, 0, 0, 0]


def plain_base_bound(d_model: int, base: float, most: int) -> int:
    """The first offset with a negative sum of cosines, one after the other."""
    omegas = [base ** (-2 * i / d_model) for i in range(d_model // 2)]
    return next((k for k in range(1, most) if math.fsum(math.cos(k * omega) for omega in omegas) < 0), 0)


PRINTED = {(128, 1e4): 1707, (128, 5e5): 18_438, (128, 1e6): 27_115}


@pytest.mark.parametrize(("d_model", "base"), [*PRINTED, (2, 1e4), (4, 1e9), (8, 100.0), (32, 3.0), (62, 5e3)])
def test_the_base_bound_is_the_number_of_a_loop_and_the_printed_one(d_model: int, base: float) -> None:
    plain = plain_base_bound(d_model, base, 30_000)
    assert base_bound(SinusoidalEncoding(1, d_model, base)) == plain == PRINTED.get((d_model, base), plain)


def test_there_is_no_base_bound_where_no_sum_is_negative_or_nothing_turns_evenly() -> None:
    assert base_bound(SinusoidalEncoding(1, 4096, 1e9)) == 0
    assert base_bound(COUNTER) == 0


@pytest.mark.parametrize("length", [1, 6, 7, 48, 10**6])
def test_hands_that_never_turned_once_are_those_with_a_longer_wavelength(length: int) -> None:
    encoding = SinusoidalEncoding(10, 32)
    longer = [math.tau * 10_000 ** (2 * i / 32) > length for i in range(16)]
    assert never_turned(encoding.pairs, length).tolist() == longer
