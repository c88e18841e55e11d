"""Wavelength against pair: a logarithmic axis, a line at N, the pair under a pixel, places, what the figure says."""

import math

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding, State
from pe_desktop.draw import marks
from pe_desktop.model.findings import Computed
from pe_desktop.views.encoding import scene as view
from tests.pictures import of_kind
from tests.views.seen import places_of, rows_of, scene_of, texts_in, texts_of


def test_dots_stand_at_wavelengths_the_chosen_one_is_marked_and_the_line_at_n_is_dashed(light):
    shown = scene_of("encoding", {"d_model": "8", "n_positions": "10000", "pair": "2"}, 224.0, 150.0)
    dots, (chosen,) = of_kind(shown.still(), marks.Dots), of_kind(shown.moving, marks.Dots)
    assert [dot.fill for dot in dots] == [light.pair_color(pair, 4) for pair in range(4)]
    heights = [dot.centers[0, 1] for dot in dots]
    # Each wavelength is ten times the one before.
    steps = np.diff(heights)
    np.testing.assert_allclose(steps, steps[0])
    np.testing.assert_allclose(chosen.centers, dots[2].centers)
    [line] = [mark for mark in of_kind(shown.still(), marks.Polyline) if mark.dash]
    assert (line.points[0, 1] - heights[0]) / steps[0] == pytest.approx(math.log10(10_000 / math.tau))
    assert "Positions per turn, dashed N = 10 000" in texts_of("encoding", {"n_positions": "10000"})
    # That of a map is named by how far it goes.
    root = texts_of("encoding", {"kind": "position-map", "map": "root"})
    assert any(text.endswith(f"f over N: {math.sqrt(127):.1f}") for text in root)


@pytest.mark.parametrize(("d_model", "n_places"), [(2, 1), (4, 2), (32, 16), (128, 64), (65_536, 3)])
def test_places_are_pairs_with_their_wavelengths_of_many_the_pinned_and_the_chosen_one(d_model, n_places):
    whole, *places = places_of("encoding", {"d_model": str(d_model), "pair": "0"}, 224.0).values()
    encoding = SinusoidalEncoding(d_model=d_model)
    count = d_model // 2
    for pair in (0, min(d_model // 5, count - 1), count - 1):
        x = whole.area.x + (pair + 0.49) / (count - 0.02) * whole.area.width
        assert whole.changes(x, 50.0) == {"pair": pair}
    assert [whole.changes(x, 50.0)["pair"] for x in (-50.0, 999.0)] == [0, encoding.pairs.count - 1]
    assert (whole.name, len(places)) == ("wavelengths", n_places)
    assert [place.is_chosen for place in places] == [True, *[False] * (n_places - 1)]
    assert places[0].value == "6.283"
    assert all(place.area.x >= 0 and place.area.right <= 224.0 for place in places)


def test_the_figure_says_how_many_pairs_turn_once_and_what_has_no_pairs_says_so():
    assert view.VIEW.sentence(State(), Computed()) == "Sinusoidal: 6 of 16 pairs turn once within 128 positions"
    assert float(rows_of("encoding", {})[4][1]) == pytest.approx(math.tau * 10, rel=1e-14)
    empty = scene_of("encoding", {"kind": "random"})
    assert " ".join(texts_in(empty)) == "Random vectors: no pair turns, so there are no wavelengths."
    assert empty.places() == ()
