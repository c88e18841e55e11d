"""The scene of the clock: what the panel, the clipboard and the figure show of a state."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from pe_desktop.core.cursor import Cursor, fitted_cursor
from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.model.findings import Computed
from pe_desktop.views.clock import scene as view
from pe_desktop.views.clock.layout import ClockLayout
from pe_desktop.views.table import FIGURES, figure_of
from tests.pictures import covered_texts, of_kind, text_frames

SIZES = [(280.0, 118.0), (408.0, 356.0), (1600.0, 1000.0)]
CHOICES = [{}, {"clock.mode": "each"}, {"clock.shows_bits": "true"}, {"clock.mode": "each", "clock.shows_bits": "true"}]


def box(width: float = 660.0, height: float = 400.0, theme: str = "light", *, is_paper: bool = False) -> Box:
    return Box(width, height, 1.0, themes()[theme], is_paper=is_paper)


def composed(state: State, room: Box) -> Scene:
    return view.scene(state, Computed(), room)


def marks_of(state: State, room: Box) -> tuple[marks.Mark, ...]:
    scene = composed(state, room)
    return (*scene.still(), *scene.moving)


def pixels(state: State, room: Box) -> np.ndarray:
    image = QImage(round(room.width), round(room.height), QImage.Format.Format_RGB32)
    image.fill(room.theme.panel)
    painter = QPainter(image)
    paint_marks(painter, marks_of(state, room))
    painter.end()
    return np.frombuffer(image.constBits(), dtype=np.uint32).copy()


@pytest.mark.parametrize("is_paper", [False, True])
@pytest.mark.parametrize(("name", "value"), [("clock.mode", "each"), ("clock.shows_bits", True)])
def test_every_name_of_the_view_changes_what_panel_and_figure_show(qapp, name, value, is_paper):
    state = State()
    room = box(is_paper=is_paper)
    assert (pixels(state, room) != pixels(with_name(state, name, value), room)).any()


@pytest.mark.parametrize("choices", CHOICES)
def test_the_figure_of_a_state_shows_its_mode_and_its_bits(qapp, choices):
    state = state_of(choices)
    figure = FIGURES[figure_of("clock", state) or ""]
    assert figure.state(state) == state


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_paper", [False, True])
def test_every_kind_is_composed_without_texts_on_others(qapp, kind, size, is_paper):
    for choices in CHOICES:
        for n_positions, d_model in ((128, 32), (1, 2), (10_000_000, 4_096)):
            encoding = switched(SinusoidalEncoding(n_positions, d_model), kind)
            state = replace(state_of(choices), encoding=encoding, cursor=fitted_cursor(Cursor(), encoding))
            if is_paper and size[1] < 150:
                continue
            shown = marks_of(state, box(*size, is_paper=is_paper))
            words = [text[4] for text in text_frames(shown)]
            assert not covered_texts([mark for mark in shown if isinstance(mark, marks.Text)]), (choices, d_model)
            assert bool([text for text in words if text.startswith("t + k = ")]) == is_paper


def test_hands_are_places_with_their_angles_and_the_chosen_one_at_t_plus_k_as_well(qapp):
    state = State(cursor=Cursor(37.0, 8.0, pair=5, pinned_pairs=(0,)))
    places = {place.name: place for place in composed(state, box()).places()}
    assert {*places} == {*(f"hand {pair}" for pair in range(16)), "hand 5 at t + k"}
    for pair in range(16):
        turned = math.degrees(37 * 10000 ** (-pair / 16)) % 360
        assert places[f"hand {pair}"].value == f"{turned:.1f}°"
        assert places[f"hand {pair}"].is_chosen == (pair == 5)
    later = places["hand 5 at t + k"]
    assert later.value == f"{math.degrees(45 * 10000 ** (-5 / 16)) % 360:.1f}°"
    badges = {(round(badge.x), round(badge.y)) for badge in of_kind(composed(state, box()).moving, marks.Badge)}
    for name in ("hand 0", "hand 5", "hand 5 at t + k"):
        x, y = places[name].area.middle
        assert (round(x), round(y)) in badges


def test_of_many_hands_those_with_badges_are_places(qapp):
    names = {place.name for place in composed(state_of({"d_model": "4096"}), box()).places()}
    assert names == {"hand 0", "hand 4", "hand 8", "hand 4 at t + k"}


def test_small_dials_and_bits_are_places(qapp):
    places = composed(state_of({"clock.mode": "each", "clock.shows_bits": "true"}), box(900.0, 600.0)).places()
    assert [place.name for place in places] == [
        *(f"dial {pair}" for pair in range(16)), *(f"bit {bit}" for bit in range(7))
    ]  # fmt: skip
    assert [place.value for place in places[16:]] == [str(37 >> bit & 1) for bit in range(7)]
    assert [place.name for place in places if place.is_chosen] == ["dial 4"]
    gauges = composed(state_of({"kind": "counter"}), box()).places()
    assert (gauges[0].name, gauges[0].value) == ("dial 0", "37")


def test_what_a_press_takes(qapp):
    state, room = State(), box(900.0, 600.0)
    layout = view.layout_of(state, room)
    for place in composed(state, room).places():
        taken = view.hand_at(state, layout, *place.area.middle)
        assert taken is not None
        if place.name == "hand 4 at t + k":
            assert taken == (4, layout.face, True)
        elif place.name in ("hand 0", "hand 4", "hand 15"):
            assert taken == (int(place.name[5:]), layout.face, False)
    # Far from all hands it is the chosen one.
    assert view.hand_at(state, layout, 2.0, 2.0) == (4, layout.face, False)


def test_gauges_are_chosen_bits_of_a_table_turned_and_bits_beside_hands_neither(qapp):
    room = box(900.0, 600.0)
    for name, turns, chosen in (("counter", False, 1), ("bits", True, 1), ("sinusoidal", False, None)):
        state = state_of({"kind": name, "clock.shows_bits": "true"})
        layout = view.layout_of(state, room)
        grid = layout.dials[-1].grid
        dial = grid.dial(2)
        taken = view.hand_at(state, layout, dial.x, dial.y)
        assert (taken is not None) == turns
        assert view.pair_at(state, layout, dial.x, dial.y) == chosen


def test_a_layout_without_dials_of_an_encoding_without_hands_is_an_empty_face(qapp):
    state = state_of({"kind": "counter"})
    assert view.hand_at(state, ClockLayout(), 10.0, 10.0) is None
    assert view.tooltip(state, ClockLayout(), 10.0, 10.0) == ""


def test_what_finds_no_room_on_paper_is_told(qapp):
    state = state_of({"d_model": "4096", "clock.mode": "each", "clock.shows_bits": "true"})
    texts = [mark.text for mark in of_kind(marks_of(state, box(is_paper=True)), marks.Text)]
    (note,) = [text for text in texts if text.endswith("have no room")]
    hidden = int(
        note.split(" more pairs")[0]
        .replace("\N{THIN SPACE}", "")
        .replace(" ", "")
        .replace("\N{NO-BREAK SPACE}", "")
        .replace("\N{NARROW NO-BREAK SPACE}", "")
    )
    dials = [place for place in composed(state, box(is_paper=True)).places() if place.name.startswith("dial")]
    assert hidden + len(dials) == 2_048


def test_the_still_part_stays_while_t_moves_and_changes_with_k(qapp):
    state, room = State(), box()
    still = composed(state, room).still
    for cursor, is_same in ((Cursor(99.0), True), (Cursor(offset=9.0), False), (Cursor(pair=3), False)):
        assert (composed(replace(state, cursor=cursor), room).still == still) == is_same


def test_a_preview_shows_the_named_hands_faintly_on_the_face_only(qapp):
    room = replace(box(), preview=50.0)
    for choices, n_more in (({}, 2), ({"clock.mode": "each"}, 0)):
        state = state_of(choices)
        assert len(composed(state, room).moving) - len(composed(state, box()).moving) == n_more


def test_numbers_are_left_out_whole_where_they_find_no_room(qapp):
    texts = [
        [mark.text for mark in of_kind(view.numbers_scene(State(), box(width, 32.0)).moving, marks.Text)]
        for width in (500.0, 180.0)
    ]
    assert texts[0] == ["angle", "212.0°", "sin", "−0.530", "cos", "−0.848", "turn by k", "45.8°"]
    assert texts[1] == texts[0][: len(texts[1])]
    assert 2 <= len(texts[1]) < 8
    assert len(texts[1]) % 2 == 0


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({}, "16 hands show position 37"),
        ({"d_model": "2", "clock.shows_bits": "true"}, "1 hand and 7 bits show position 37"),
        ({"clock.mode": "each"}, "16 pairs turn once in 6.28 to 35 333 positions"),
        ({"kind": "counter", "clock.mode": "each"}, "Counter: 32 columns show position 37"),
    ],
)
def test_the_title_says_what_is_seen(choices, words):
    said = view.sentence(state_of(choices), Computed())
    assert said.replace("\N{THIN SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ") == words


def test_bits_beside_the_clock_are_read_out_as_a_number_is_written():
    code = view.readout(state_of({"clock.shows_bits": "true"}), Computed()).rsplit(" ", 1)[1]
    assert code == f"{37:07b}"
    assert BitsEncoding(128, 7).title in view.readout(state_of({"clock.shows_bits": "true"}), Computed())
