"""Wavelength against pair: a logarithmic axis, a line at N, the pair under a pixel, places, what paper adds."""

import math

import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.encoding import scene as view
from tests.pictures import covered_texts, of_kind


def box_of(theme, width=224.0, height=118.0, *, is_paper=False):
    return Box(width, height, 1.0, theme, is_paper=is_paper)


def scene(theme, **given):
    return view.scene(state_of({name: str(value) for name, value in given.items()}), Computed(), box_of(theme))


def texts(picture):
    return [mark.text for mark in of_kind(picture, marks.Text)]


def test_dots_stand_at_wavelengths_the_chosen_one_is_ringed_and_the_line_at_n_is_dashed(theme):
    shown = scene(theme, d_model=8, n_positions=10_000, pair=2)
    dots, (ring,) = of_kind(shown.still(), marks.Dots), of_kind(shown.moving, marks.Dots)
    assert [dot.fill for dot in dots] == [theme.pair_color(pair, 4) for pair in range(4)]
    heights = [dot.centers[0, 1] for dot in dots]
    # Each wavelength is ten times the one before.
    steps = np.diff(heights)
    np.testing.assert_allclose(steps, steps[0])
    np.testing.assert_allclose(ring.centers, dots[2].centers)
    assert (ring.fill, ring.outline) == (theme.pair_color(2, 4), theme.ink)
    [line] = [mark for mark in of_kind(shown.still(), marks.Segments) if mark.dash]
    assert (line.ends[0, 1] - heights[0]) / steps[0] == pytest.approx(math.log10(10_000 / math.tau))
    assert "N = 10\u2009000" in texts(shown.still())
    # That of a map is named by how far it goes.
    assert f"f over N: {math.sqrt(127):.1f}" in texts(scene(theme, kind="position-map", map="root").still())


@pytest.mark.parametrize(("d_model", "n_places"), [(2, 1), (4, 2), (32, 16), (128, 64), (65_536, 3)])
def test_places_are_pairs_with_their_wavelengths_of_many_the_pinned_and_the_chosen_one(light, d_model, n_places):
    whole, *places = scene(light, d_model=d_model, pair=0).places()
    encoding = SinusoidalEncoding(d_model=d_model)
    plot = view._spectrum_in(encoding, encoding.pairs, box_of(light))
    for pair in (0, min(d_model // 5, d_model // 2 - 1), d_model // 2 - 1):
        assert whole.changes(plot.x.place(float(pair)), 50.0) == {"pair": pair}
        assert [whole.changes(x, 50.0)["pair"] for x in (-50.0, 999.0)] == [0, d_model // 2 - 1]
    assert (whole.name, len(places)) == ("wavelengths", n_places)
    assert [place.is_chosen for place in places] == [True, *[False] * (n_places - 1)]
    assert places[0].value == "6.283"
    assert all(place.area.x >= 0 and place.area.right <= 224.0 for place in places)


def test_paper_names_the_values_in_room_of_its_own_and_the_figure_says_how_many_pairs_turn_once(light):
    screen, paper = (
        view.scene(State(), Computed(), box_of(light, 660.0, 220.0, is_paper=is_paper)).still()
        for is_paper in (False, True)
    )
    assert {*texts(paper)} - {*texts(screen)} >= {"wavelength, positions per turn"}
    assert covered_texts(paper) == []
    assert view.VIEW.sentence(State(), Computed()) == "Sinusoidal: 6 of 16 pairs turn once within 128 positions"
    lines = view.VIEW.readout(State(), Computed()).splitlines()
    assert float(lines[4].split("\t")[1]) == pytest.approx(math.tau * 10, rel=1e-14)
    empty = scene(light, kind="random")
    assert " ".join(texts(empty.moving)) == "Random vectors: no pair turns, so there are no wavelengths."
    assert (empty.still(), empty.places()) == ((), ())
