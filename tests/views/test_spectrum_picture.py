"""Wavelength against pair: a logarithmic axis, a line at N, and the pair under a pixel."""

import math

import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.views.encoding.picture import Spectrum, chosen_picture, spectrum_picture
from tests.pictures import covered_texts, of_kind

WIDTH, HEIGHT = 224.0, 118.0
EXTREMES = [(2, 1, 10000.0), (2, 10_000_000, 10000.0), (32, 128, 10000.0), (128, 1, 1e9), (65_536, 10_000_000, 1.5)]


def spectrum(d_model=32, n_positions=128, base=10000.0):
    wavelengths = SinusoidalEncoding(n_positions, d_model, base).pairs.wavelengths
    return Spectrum(WIDTH, HEIGHT, wavelengths, n_positions)


def is_n(mark):
    return isinstance(mark, marks.Text) and mark.text.startswith("N = ")


@pytest.mark.parametrize("d_model", [2, 4, 32, 514, 65_536])
def test_the_pair_at_the_pixel_of_a_pair_is_that_pair(d_model):
    shown, pairs = spectrum(d_model), np.arange(d_model // 2)
    places = shown.pairs.place(pairs.astype(float))
    some = set(range(0, d_model // 2, max(d_model // 500, 1))) | {d_model // 2 - 1}
    assert all(shown.pair_at(places[pair]) == pair for pair in some)


def test_beside_the_axis_the_outermost_pairs_are_taken():
    assert [spectrum().pair_at(x) for x in (-1e6, 0.0, WIDTH, 1e6)] == [0, 0, 15, 15]


def test_equal_ratios_of_wavelengths_are_equal_distances():
    shown = spectrum()
    heights = [shown.lengths.place(value) for value in (10.0, 100.0, 1000.0, 10000.0)]
    steps = np.diff(heights)
    assert (steps < 0).all()
    np.testing.assert_allclose(steps, steps[0])


def test_the_dots_of_a_geometric_spacing_lie_on_a_straight_line():
    shown = spectrum()
    heights = shown.lengths.place(shown.wavelengths)
    np.testing.assert_allclose(np.diff(heights), (heights[-1] - heights[0]) / 15)


def test_the_line_of_a_map_is_named_by_how_far_it_goes(light):
    mapped = Spectrum(WIDTH, HEIGHT, spectrum().wavelengths, math.sqrt(128), is_mapped=True)
    names = [mark.text for mark in of_kind(spectrum_picture(mapped, light), marks.Text)]
    assert "f over N: 11.3" in names


@pytest.mark.parametrize(("d_model", "n_positions", "base"), EXTREMES)
def test_every_dot_and_the_line_at_n_lie_in_the_plot(d_model, n_positions, base):
    shown = spectrum(d_model, n_positions, base)
    heights = np.append(shown.lengths.place(shown.wavelengths), shown.lengths.place(n_positions))
    places = shown.pairs.place(np.arange(d_model // 2, dtype=float))
    assert 8 <= heights.min() <= heights.max() <= HEIGHT - 22
    assert 44 <= places.min() <= places.max() <= WIDTH - 8


@pytest.mark.parametrize(("d_model", "n_positions", "base"), EXTREMES)
def test_the_picture_stays_inside_and_has_few_marks_at_any_size(painted, light, d_model, n_positions, base):
    picture = spectrum_picture(spectrum(d_model, n_positions, base), light)
    assert len(picture) < 200
    left, top, right, bottom = painted(picture, width=round(WIDTH) + 40, height=round(HEIGHT) + 40).extent()
    assert right <= WIDTH
    assert bottom <= HEIGHT
    assert min(left, top) >= 0


@pytest.mark.parametrize(("d_model", "n_positions", "base"), EXTREMES)
def test_no_text_of_the_axes_covers_another(light, d_model, n_positions, base):
    axes = [text for text in spectrum_picture(spectrum(d_model, n_positions, base), light) if not is_n(text)]
    assert covered_texts(axes) == []


def test_each_pair_has_a_dot_of_its_colour_at_its_wavelength(theme):
    shown = spectrum(8)
    dots = of_kind(spectrum_picture(shown, theme), marks.Dots)
    assert len(dots) == 4
    for pair, dot in enumerate(dots):
        wavelength = math.tau * 10000 ** (2 * pair / 8)
        np.testing.assert_allclose(dot.centers, [[shown.pairs.place(pair), shown.lengths.place(wavelength)]])
        assert dot.fill == theme.pair_color(pair, 4)


def test_the_line_at_n_is_dashed_and_named(theme):
    shown = spectrum(32, 10_000)
    picture = spectrum_picture(shown, theme)
    dashed = [mark for mark in of_kind(picture, marks.Segments) if mark.dash]
    assert [mark.ends[:, [1, 3]].tolist() for mark in dashed] == [[[shown.lengths.place(10_000.0)] * 2]]
    assert "N = 10\u2009000" in {mark.text for mark in of_kind(picture, marks.Text)}


def test_the_chosen_pair_is_ringed_where_its_dot_is(theme):
    shown, pairs = spectrum(), SinusoidalEncoding().pairs
    (ring,) = of_kind(chosen_picture(shown, 5, pairs, theme), marks.Dots)
    np.testing.assert_allclose(
        ring.centers, [[shown.pairs.place(5), shown.lengths.place(math.tau * 10000 ** (10 / 32))]]
    )
    assert (ring.fill, ring.outline) == (theme.pair_color(5, 16), theme.ink)
