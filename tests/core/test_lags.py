"""Dot products, cosines and distances by offset, against mpmath, plain sums and numbers that the documents print."""

from functools import cache

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import SPACINGS, SinusoidalEncoding
from pe_desktop.core.lags import MEASURES, CancelledError, Progression, profile, weighted_dots
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION
from tests.core.exact import frequency_of, peak_of

LAGS = [0, 1, 2, 3, 44, 710, 1000, 1885, 9_999, 77_777, 99_999]


@cache
def frequencies_of(encoding):
    """omega_i to 50 digits, for within workdps(50)."""
    return [frequency_of(encoding, pair) for pair in range(encoding.d_model // 2)]


def exact_dot(encoding, lag):
    """Sum of cos(k omega)."""
    with mpmath.workdps(50):
        return mpmath.fsum(mpmath.cos(mpmath.mpf(lag) * omega) for omega in frequencies_of(encoding))


def exact_distance(encoding, lag):
    """2 sqrt(sum of sin^2(k omega / 2))."""
    with mpmath.workdps(50):
        halves = [mpmath.mpf(lag) * omega / 2 for omega in frequencies_of(encoding)]
        return 2 * mpmath.sqrt(mpmath.fsum(mpmath.sin(half) ** 2 for half in halves))


def relative_error(found, exact):
    """|found / exact - 1|; both zero is no error."""
    return float(abs(found - exact) / exact) if exact else abs(found)


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize(("d_model", "base"), [(2, 1e4), (6, 1.5), (64, 1e4), (64, 1e9), (1000, 1e4)])
def test_dot_products_of_all_lags_are_sums_of_cosines(d_model, base, spacing):
    encoding = SinusoidalEncoding(100_000, d_model, base, spacing)
    dots = profile(encoding, "dot", range(100_000))
    assert dots.shape == (100_000,)
    assert max(abs(dots[lag] - exact_dot(encoding, lag)) for lag in LAGS) <= 1e-13 * d_model


def test_a_million_lags_are_off_by_less_than_a_billionth_however_far():
    encoding = SinusoidalEncoding(1_000_000, 1000)
    dots = profile(encoding, "dot", range(1_000_000))
    lags = [0, 1, 511, 512, 513, 3284, 65_535, 65_536, 131_071, 131_072, 499_999, 734_523, 999_999]
    assert max(abs(dots[lag] - exact_dot(encoding, lag)) for lag in lags) <= 3e-14 * 500
    far = profile(encoding, "dot", range(9_600_000, 10_000_000))
    for place in (0, 65_535, 65_536, 131_071, 131_072, 399_999):
        assert abs(far[place] - exact_dot(encoding, 9_600_000 + place)) <= 3e-14 * 500


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize(("d_model", "base"), [(2, 1e4), (4, 1e4), (6, 1.0000001), (8, 1e4), (64, 1e9), (1000, 1e4)])
def test_distances_keep_twelve_digits_at_every_lag(d_model, base, spacing):
    encoding = SinusoidalEncoding(100_000, d_model, base, spacing)
    distances = profile(encoding, "distance", range(100_000))
    # For one pair d / 8, from where on sines are summed, is crossed near 0.36 radians from each full turn.
    many = range(1000 if d_model == 2 else 0)
    lags = {*LAGS, *distances[1:].argsort()[:5].tolist(), int(distances.argmax()), *many}
    assert max(relative_error(distances[lag], exact_distance(encoding, lag)) for lag in lags) <= 1e-12


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 127, 500])
def test_any_number_of_lags_is_filled_to_its_end(count):
    encoding = SinusoidalEncoding(1000, 6)
    omega = 10000.0 ** (-np.arange(3) / 3)
    expected = np.cos(np.outer(np.arange(count), omega)).sum(axis=1)
    np.testing.assert_allclose(profile(encoding, "dot", range(count)), expected, rtol=0, atol=1e-12)
    assert profile(encoding, "distance", range(count)).shape == (count,)


@pytest.mark.parametrize(
    "lags",
    [
        range(700, 1900),
        range(-300, 300),
        range(9_000_000, 9_000_900, 3),
        range(50, -50, -1),
        np.arange(-8.5, 30.0),
        [0.25],
        [-3, 17.75, 2, 1_000_000, 2],
        [],
        [MAX_ABSOLUTE_POSITION],
        range(0, MAX_ABSOLUTE_POSITION + 1, MAX_ABSOLUTE_POSITION // 4),
    ],
    ids=["window", "both sides", "far", "backwards", "halves", "one", "any", "none", "last", "all"],
)
def test_any_window_of_lags_is_a_plain_sum(lags):
    encoding = SinusoidalEncoding(10_000_000, 12)
    dots, distances = profile(encoding, "dot", lags), profile(encoding, "distance", lags)
    assert dots.shape == distances.shape == (len(lags),)
    for lag, dot, distance in zip(lags, dots, distances, strict=True):
        assert dot == pytest.approx(float(exact_dot(encoding, float(lag))), abs=1e-12)
        assert relative_error(distance, exact_distance(encoding, float(lag))) <= 1e-12


@pytest.mark.parametrize(
    "given",
    [{}, {"base": 1e9}, {"base": 1.0000001}, {"spacing": "linear"}, {"spacing": "single"}, {"scale": 1000.0}],
    ids=str,
)
@pytest.mark.parametrize(
    ("first", "step", "count"),
    [(1, 1, 512), (-800.5, 1, 1601), (9_000_000.25, -0.125, 5000), (-5e6, 7777, 1280), (1, 1, 300_000)],
)
def test_many_lags_of_many_weighted_pairs_are_plain_sums(given, first, step, count):
    pairs = SinusoidalEncoding(10_000_000, 1024, **given).pairs
    weights = np.array([1, 1j]) @ np.random.default_rng(5).normal(size=(2, 512))
    sums = weighted_dots(pairs, Progression(first, step, count), weights, numbers=range(50, 500))
    assert sums.shape == (count,)
    most = np.abs(weights[50:500]).sum()
    for place in {0, 1, count // 2, count - 2, count - 1, min(2**17, count) - 1, min(2**17, count - 1)}:
        angles = pairs.offset_angles([first + step * place])[0]
        expected = (weights * np.exp(1j * angles)).real[50:500].sum()
        assert sums[place] == pytest.approx(expected, abs=1e-13 * most)


@pytest.mark.parametrize("measure", MEASURES)
def test_lags_end_at_the_question_that_cancels_them(measure):
    answers = iter([False, False, True])
    with pytest.raises(CancelledError):
        profile(SinusoidalEncoding(1_000_000, 4096), measure, range(1_000_000), is_cancelled=answers.__next__)
    assert list(answers) == []
    # Hands that turn as one: every lag near a full turn is summed by itself.
    answers = iter([*[False] * 39, True])
    encoding = SinusoidalEncoding(200_000, 2048, base=1.0000001)
    with pytest.raises(CancelledError):
        profile(encoding, "distance", range(200_000), is_cancelled=answers.__next__)


def test_question_is_asked_every_hundred_thousand_lags():
    questions: list[None] = []
    reports: list[tuple[int, int]] = []

    def is_cancelled():
        questions.append(None)
        return False

    encoding = SinusoidalEncoding(1_000_000, 512)
    profile(encoding, "dot", range(1_000_000), lambda done, total: reports.append((done, total)), is_cancelled)
    assert len(questions) >= 1_000_000 / 2**17
    done = [report[0] for report in reports]
    assert done == sorted(set(done))
    assert reports[-1][0] == reports[-1][1]
    assert len({report[1] for report in reports}) == 1


def test_a_transform_stays_under_64_megabytes_at_the_largest_size():
    encoding = SinusoidalEncoding(10_000_000, 65_536)
    encoding.pairs.angles(1)  # frequencies are kept; they are not the transform's
    answers = iter([False, False, True])

    def cancelled():
        with pytest.raises(CancelledError):
            profile(encoding, "dot", range(10_000_000), is_cancelled=answers.__next__)

    assert peak_of(cancelled) < 80e6 + 64e6 + 8e6
