"""The spectrum as a scene: its places, what paper adds, and an encoding that has none."""

import math

import pytest

from pe_desktop.core.state import State, state_of
from pe_desktop.draw.marks import Text
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.encoding.scene import readout, scene, sentence
from tests.pictures import covered_texts, of_kind


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
