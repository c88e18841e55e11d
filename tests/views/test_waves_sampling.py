"""Sampled waves against the plain sine: exact at every point, crests included, never more points than pixels need."""

import itertools
import math

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.views.waves.layout import Wave, WaveBand, sampled_waves

PAIRS = SinusoidalEncoding(d_model=32).pairs
SPANS = [(0.0, 127.0), (0.0, 1.0), (37.25, 39.25), (1000.5, 4711.0), (0.0, 9_999_999.0), (9_999_000.0, 9_999_999.0)]
PIXELS = [1, 40, 640, 3840]


def omega(pair):
    return 10000 ** (-2 * pair / 32)


def lines(pair, first, last):
    """The waves that are lines, of all widths."""
    waves = (sampled_waves(PAIRS, [pair], first, last, n_pixels)[0] for n_pixels in PIXELS)
    return [wave for wave in waves if isinstance(wave, Wave)]


def turns(first, last, pair):
    return (last - first) * omega(pair) / math.tau


@pytest.mark.parametrize("pair", [0, 3, 4, 8, 15])
@pytest.mark.parametrize(("first", "last"), SPANS)
def test_a_wave_is_a_band_exactly_where_turns_are_under_two_pixels(first, last, pair):
    for n_pixels in PIXELS:
        wave = sampled_waves(PAIRS, [pair], first, last, n_pixels)[0]
        assert isinstance(wave, WaveBand if turns(first, last, pair) * 2 > n_pixels else Wave)


@pytest.mark.parametrize("pair", [0, 4, 15])
@pytest.mark.parametrize(("first", "last"), SPANS)
def test_every_point_of_a_line_lies_on_the_wave(first, last, pair):
    # A position of ten million is itself rounded to 1e-9.
    allowed = 1e-9 + omega(pair) * np.spacing(last)
    with mpmath.workdps(40):
        exact_omega = mpmath.mpf(10000) ** (mpmath.mpf(-pair) / 16)
        for wave in lines(pair, first, last):
            assert (wave.positions[0], wave.positions[-1]) == pytest.approx((first, last), rel=1e-15)
            assert (np.diff(wave.positions) > 0).all()
            some = slice(None, None, max(len(wave.positions) // 100, 1))
            angles = [exact_omega * position for position in wave.positions[some].tolist()]
            for drawn, exact in ((wave.sine, mpmath.sin), (wave.cosine, mpmath.cos)):
                np.testing.assert_allclose(drawn[some], [float(exact(a)) for a in angles], rtol=0, atol=allowed)


@pytest.mark.parametrize("n_turns", [1.3, 7.0, 63.9, 250.0, 319.9])
@pytest.mark.parametrize("first", [0.0, 0.4, 100.0, 54_321.5])
def test_crests_troughs_and_zeros_are_points_of_the_line(first, n_turns):
    last = first + n_turns * math.tau
    wave = sampled_waves(PAIRS, [0], first, last, 640)[0]
    assert isinstance(wave, Wave)
    quarters = range(math.ceil(first / (math.pi / 2)), math.floor(last / (math.pi / 2)) + 1)
    places = np.array([quarter * math.pi / 2 for quarter in quarters])
    nearest = wave.positions[np.searchsorted(wave.positions, places - 1e-6).clip(max=len(wave.positions) - 1)]
    np.testing.assert_allclose(nearest, places, rtol=0, atol=1e-6)
    for line in (wave.sine, wave.cosine):
        assert (line.max(), line.min()) == pytest.approx((1.0, -1.0), rel=0, abs=1e-12)


@pytest.mark.parametrize("pair", [0, 2, 6, 15])
@pytest.mark.parametrize(("first", "last"), SPANS)
def test_at_most_two_points_a_pixel_are_drawn_however_many_positions(first, last, pair):
    for n_pixels in PIXELS:
        wave = sampled_waves(PAIRS, [pair], first, last, n_pixels)[0]
        if isinstance(wave, WaveBand):
            assert {len(line) for line in (*wave.sine, *wave.cosine)} == {n_pixels}
        else:
            # Two more for the ends.
            assert len(wave.positions) <= 2 * n_pixels + 2


@pytest.mark.parametrize("n_turns", [0.01, 0.5, 2.0, 20.0])
def test_the_line_leaves_a_high_wave_by_less_than_a_third_of_a_pixel(n_turns):
    n_pixels, amplitude = 1600, 500.0
    wave = sampled_waves(PAIRS, [0], 0.0, n_turns * math.tau, n_pixels)[0]
    assert isinstance(wave, Wave)
    x = np.linspace(0.0, n_turns * math.tau, 20_001)
    drawn = np.interp(x, wave.positions, wave.sine)
    assert np.abs(drawn - np.sin(x)).max() * amplitude < 1 / 3


@pytest.mark.parametrize("turns_per_pixel", [0.501, 0.66, 0.9, 1.3, 40.7])
@pytest.mark.parametrize("first", [0.0, 12.5, 3_000_000.0])
def test_a_band_is_the_least_and_the_greatest_value_in_each_pixel(first, turns_per_pixel):
    n_pixels, n_samples = 50, 4001
    last = first + turns_per_pixel * math.tau * n_pixels
    band = sampled_waves(PAIRS, [0], first, last, n_pixels)[0]
    assert isinstance(band, WaveBand)
    # Between two samples a sine rises by no more than their distance squared over eight above the higher one.
    missed = (turns_per_pixel * math.tau / (n_samples - 1)) ** 2 / 8 + 1e-9
    edges = np.linspace(first, last, n_pixels + 1)
    for pixel, (start, stop) in enumerate(itertools.pairwise(edges)):
        x = np.linspace(start, stop, n_samples)
        for (low, high), wave in ((band.sine, np.sin(x)), (band.cosine, np.cos(x))):
            assert wave.max() - 2e-9 <= high[pixel] <= wave.max() + missed
            assert wave.min() - missed <= low[pixel] <= wave.min() + 2e-9
