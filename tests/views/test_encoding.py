"""Wavelength against pair: a logarithmic axis, a line at N, the pair under a pixel, places, what paper adds."""

import math

import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.marks import Text
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.encoding.scene import Spectrum, chosen_picture, readout, scene, sentence, spectrum_picture
from tests.pictures import covered_texts, of_kind

WIDTH, HEIGHT = 224.0, 118.0
EXTREMES = [(2, 1, 10000.0), (2, 10_000_000, 10000.0), (32, 128, 10000.0), (128, 1, 1e9), (65_536, 10_000_000, 1.5)]


def spectrum(d_model=32, n_positions=128, base=10000.0):
    wavelengths = SinusoidalEncoding(n_positions, d_model, base).pairs.wavelengths
    return Spectrum(WIDTH, HEIGHT, wavelengths, n_positions)


@pytest.mark.parametrize("d_model", [2, 4, 32, 514, 65_536])
def test_the_pair_at_the_pixel_of_a_pair_is_that_pair(d_model):
    shown, pairs = spectrum(d_model), np.arange(d_model // 2)
    places = shown.pairs.place(pairs.astype(float))
    some = set(range(0, d_model // 2, max(d_model // 500, 1))) | {d_model // 2 - 1}
    assert all(shown.pair_at(places[pair]) == pair for pair in some)


def test_equal_ratios_of_wavelengths_are_equal_distances():
    shown = spectrum()
    heights = [shown.lengths.place(value) for value in (10.0, 100.0, 1000.0, 10000.0)]
    steps = np.diff(heights)
    assert (steps < 0).all()
    np.testing.assert_allclose(steps, steps[0])


def test_the_line_of_a_map_is_named_by_how_far_it_goes(light):
    mapped = Spectrum(WIDTH, HEIGHT, spectrum().wavelengths, math.sqrt(128), is_mapped=True)
    names = [mark.text for mark in of_kind(spectrum_picture(mapped, light), marks.Text)]
    assert "f over N: 11.3" in names


@pytest.mark.parametrize(("d_model", "n_positions", "base"), EXTREMES)
def test_the_picture_stays_inside_and_has_few_marks_at_any_size(painted, light, d_model, n_positions, base):
    picture = spectrum_picture(spectrum(d_model, n_positions, base), light)
    assert len(picture) < 200
    left, top, right, bottom = painted(picture, width=round(WIDTH) + 40, height=round(HEIGHT) + 40).extent()
    assert right <= WIDTH
    assert bottom <= HEIGHT
    assert min(left, top) >= 0


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


def texts(picture):
    return [mark.text for mark in of_kind(picture, Text)]


@pytest.mark.parametrize(("d_model", "n_places"), [(2, 1), (32, 16), (128, 64), (65_536, 3)])
def test_places_are_pairs_with_their_wavelengths_of_many_the_pinned_and_the_chosen_one(light, d_model, n_places):
    box, state = Box(222.0, 118.0, 1.0, light), state_of({"d_model": str(d_model), "pair": "0"})
    places = scene(state, Computed(), box).places()
    assert len(places) == n_places
    assert [place.is_chosen for place in places] == [True, *[False] * (n_places - 1)]
    assert places[0].value == "6.283"
    assert all(place.area.x >= 0 and place.area.right <= box.width for place in places)


def test_paper_names_the_values_in_room_of_its_own(light):
    screen, paper = (
        scene(State(), Computed(), Box(660.0, 220.0, 1.0, light, is_paper=is_paper)).still()
        for is_paper in (False, True)
    )
    assert "wavelength, positions per turn" in texts(paper)
    assert "wavelength, positions per turn" not in texts(screen)
    assert covered_texts(paper) == []


def test_the_figure_says_how_many_pairs_turn_once():
    assert sentence(State(), Computed()) == "Sinusoidal: 6 of 16 pairs turn once within 128 positions"
    lines = readout(State(), Computed()).splitlines()
    assert float(lines[4].split("\t")[1]) == pytest.approx(math.tau * 10, rel=1e-14)


def test_an_encoding_that_turns_nothing_says_so(light):
    state = state_of({"kind": "random"})
    empty = scene(state, Computed(), Box(300.0, 118.0, 1.0, light))
    assert " ".join(texts(empty.still())) == "Random vectors: no pair turns, so there are no wavelengths."
    assert (empty.moving, empty.places()) == ((), ())
