"""The clock without a window: hands that are dragged, faces that take turns, bits, and ends of vectors."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.scores.rotary import turned_vectors, vectors_of
from pe_desktop.draw.dial import dial_in
from pe_desktop.panels.clock_panel import ClockPanel
from tests.panels.conftest import LEFT, NO_KEY, SHIFT, area_of, drag, middle

# The clock wears the scheme while the workspace of the sentence is open.
ROPE = {"attention__is_open": "true", "scheme": "rope"}


@pytest.fixture
def clock(open_panel):
    return open_panel(ClockPanel, 720, 420)


def around(x: float, y: float, reach: float, first: float, last: float) -> list[QPoint]:
    """Points on a circle from one angle to another, clockwise from 12 o'clock."""
    angles = np.linspace(first, last, 12)
    return [QPointF(x + reach * math.sin(a), y - reach * math.cos(a)).toPoint() for a in angles]


def test_a_pinned_hand_dragged_by_a_quarter_turn_moves_t_by_a_quarter_wavelength_and_its_ghost_k(clock):
    model = clock.model
    # The ghost of pair 4 at t + k = 45 is at 4.5 radians: 0.4 radians more are 4 positions.
    ghost = dial_in(clock.canvas.width(), clock.canvas.height())
    drag(clock.canvas, *around(ghost.x, ghost.y, ghost.ring_radii(16)[4], 4.5, 4.9))
    assert (model.cursor.position, model.cursor.offset) == (37.0, 12.0)
    model.move_cursor(position=0.0, pair=0)
    # At t = 0 the hand of pair 4 points up; a quarter turn of its wavelength 62.83 is 15.7 positions.
    clock.canvas.repaint()
    drag(clock.canvas, *hand(clock, 4, math.pi / 2))
    assert (model.cursor.pair, model.cursor.position, model.is_held) == (4, 16.0, False)


def hand(clock: ClockPanel, number: int, angle: float) -> list[QPoint]:
    """Points on the way of a hand of the face from where it stands, turned by an angle."""
    dial = clock.layout_now().face
    assert dial is not None
    x, y = area_of(clock, f"hand {number}").middle
    start = dial.angle_at(x, y)
    return around(dial.x, dial.y, math.hypot(x - dial.x, y - dial.y), start, start + angle)


@pytest.mark.parametrize("fewer", [{"d_model": 4}, {"kind": "bits", "d_model": 8}, {"kind": "counter", "d_model": 4}])
def test_a_hand_that_another_encoding_lacks_is_let_go_where_it_stood(clock, fewer):
    model = clock.model
    model.set(pinned_pairs=(15,), position=12.25)
    first, *_, last = hand(clock, 15, 1.0)
    QTest.mousePress(clock.canvas, LEFT, pos=first)
    assert (model.cursor.pair, model.is_held) == (15, True)
    model.set(**fewer)
    QTest.mouseMove(clock.canvas, last)
    QTest.mouseRelease(clock.canvas, LEFT, pos=last)
    assert (model.cursor.position, model.is_held) == (12.25, False)


def test_a_mapped_hand_and_the_hand_of_a_bit_follow_the_pointer(open_panel):
    clock = open_panel(ClockPanel, 720, 420, kind="position-map", position=20, pair=8)
    drag(clock.canvas, *hand(clock, 8, 0.4))
    # 0.4 radians are 40 / (2 * 20) positions and a little less, for it turns faster and faster.
    assert clock.model.cursor.position == 21.0
    # Bit 6 turns by a quarter in 32 positions.
    bits = open_panel(ClockPanel, 720, 420, kind="bits", d_model=8, position=0, pair=3)
    drag(bits.canvas, *hand(bits, 6, math.pi / 2))
    assert (bits.model.cursor.pair, bits.model.cursor.position) == (3, 32.0)


def test_a_press_on_a_small_dial_chooses_its_pair_and_a_drag_turns_its_hand(clock):
    model = clock.model
    model.set(**{"clock.mode": "each"})
    QApplication.processEvents()
    model.move_cursor(position=37.5)
    QTest.mouseClick(clock.canvas, LEFT, pos=middle(clock, "dial 7"))
    assert (model.cursor.pair, model.cursor.position) == (7, 37.5)
    # Pair 5 of d = 32 turns by 10000^(-5/16) radians a position: 0.9 radians are 16 positions.
    cell = area_of(clock, "dial 5")
    for keys, expected in ((NO_KEY, (56, 8)), (SHIFT, (40, 24))):
        model.move_cursor(position=40.0, offset=8.0, pair=0)
        turn = around(cell.middle[0], cell.y + (cell.height - 24) / 2, 20.0, 1.0, 1.9)
        drag(clock.canvas, *turn, keys=keys)
        assert (model.cursor.pair, model.is_held) == (5, False)
        assert (model.cursor.position, model.cursor.offset) == pytest.approx(expected, abs=1.5)


def test_faces_have_their_words_and_those_of_a_very_wide_table_scroll(clock, qtbot):
    model = clock.model
    assert clock.canvas.accessibleName() == "Clock, 16 hands"
    model.set(**{"clock.mode": "each"})
    assert clock.canvas.accessibleName() == "Clock, 16 dials"
    model.set(d_model=65_536)
    qtbot.waitUntil(lambda: not model.turns.is_busy)
    assert clock.canvas.height() > 100_000
    assert len(clock.canvas.places()) < 100


def assert_in_view(clock: ClockPanel) -> None:
    """The dial of the chosen pair is seen, over the numbers, and the upper edge cuts no row."""
    (chosen,) = (place.area for place in clock.canvas.places() if place.is_chosen)
    assert -clock.canvas.y() - 1.0 <= chosen.y
    assert chosen.bottom <= clock.layout_now().numbers.y + 1.5
    assert abs(math.remainder(clock.canvas.y(), clock.layout_now().dials[0].cell_height)) <= 1.0


def test_dials_that_come_again_start_with_their_first_row_and_the_chosen_one_stays_in_view(open_panel):
    clock = open_panel(ClockPanel, 436, 420, clock__mode="each", d_model=128, pair=12)
    clock.model.set(**{"clock.mode": "one"})
    clock.model.set(**{"clock.mode": "each"})
    QApplication.processEvents()
    assert clock.canvas.y() == 0
    for pair in (60, 12, 33):
        clock.model.move_cursor(pair=pair)
        QApplication.processEvents()
        assert_in_view(clock)


def test_the_binary_code_of_t_stands_beside_the_clock_when_asked_for(clock):
    model = clock.model
    model.set(**{"clock.shows_bits": True})
    assert clock.readout().endswith("Binary code 0100101")
    x, y = area_of(clock, "bit 3").middle
    assert clock.canvas.tooltip(None, x, y) == "bit 3 of the position: 0 at t, 1 at t + k, flips every 8 positions"
    # A bit of the position is no pair, a bit of the binary code is one of two columns of a pair.
    QTest.mouseClick(clock.canvas, LEFT, pos=middle(clock, "bit 3"))
    assert model.cursor.pair == 4
    model.set(kind="bits", **{"clock.shows_bits": False})
    QTest.mouseClick(clock.canvas, LEFT, pos=middle(clock, "bit 2"))
    assert model.cursor.pair == 1


def test_the_arc_of_an_uneven_hand_is_the_turn_from_this_t(open_panel):
    clock = open_panel(ClockPanel, kind="position-map", position=3, offset=2, pair=4)
    turn = math.degrees((5**2 - 3**2) * 0.1)
    titles, row = (clock.readout().splitlines()[place].split("\t") for place in (0, 2))
    assert titles[-1] == "turn here in °"
    assert float(row[-1]) == pytest.approx(turn, rel=1e-12)
    assert f"turn here {turn:.1f}°" in clock.canvas.accessible_description()
    assert clock.readout().endswith("how far they turn over k depends on t")


@pytest.fixture
def turned(open_panel):
    panel = open_panel(ClockPanel, 720, 520, **ROPE, clock__mode="each", position=3, offset=-2)
    QApplication.processEvents()
    return panel


def knob(turned, name, pair):
    """Where the end of a query or key is drawn."""
    dial = turned.layout_now().dials[0].dial(pair)
    vectors = turned_vectors(turned.model.state)
    up, right = getattr(vectors, f"turned_{name}")[pair] * dial.radius / vectors.reach
    return dial, QPointF(dial.x + right, dial.y - up).toPoint()


@pytest.mark.parametrize(("which", "name"), [(0, "query"), (1, "key")])
def test_a_dragged_knob_changes_its_vector_and_undo_or_0_brings_it_back(turned, which, name):
    model = turned.model
    before, reach = model.state, turned_vectors(model.state).reach
    dial, start = knob(turned, name, 9)
    drag(turned.canvas, start, QPointF(dial.x + dial.radius / 4, dial.y - dial.radius / 2).toPoint())
    assert (model.cursor.pair, model.cursor.position, model.cursor.offset) == (9, 3.0, -2.0)
    number = getattr(turned_vectors(model.state), f"turned_{name}")[9]
    assert number.tolist() == pytest.approx([reach / 2, reach / 4], abs=2 * reach / dial.radius)
    old, new = vectors_of(before).both, vectors_of(model.state).both
    assert ((new[which] != old[which]).nonzero()[0] // 2 == 9).all()
    assert new[1 - which].tolist() == old[1 - which].tolist()
    model.undo()
    assert model.state.views.rotary == before.views.rotary
    model.redo()
    QTest.keyClick(turned.canvas, Qt.Key.Key_0)
    assert model.state.views.rotary == before.views.rotary


def test_with_shift_a_knob_keeps_its_length(turned):
    dial, start = knob(turned, "query", 5)
    length = math.hypot(*vectors_of(turned.model.state).both[0][10:12])
    drag(turned.canvas, start, QPointF(dial.x + dial.radius, dial.y).toPoint(), keys=SHIFT)
    up, right = turned_vectors(turned.model.state).turned_query[5].tolist()
    assert (up, right) == (pytest.approx(0, abs=0.05), pytest.approx(length, abs=1e-3))
    assert math.hypot(*vectors_of(turned.model.state).both[0][10:12]) == pytest.approx(length)


def test_a_press_beside_the_knobs_chooses_the_pair_alone_and_a_knob_is_let_go_when_another_encoding_comes(turned):
    model, before = turned.model, turned.model.state.views.rotary
    (dials,) = turned.layout_now().dials
    left, top = dials.cell(6)
    drag(turned.canvas, QPointF(left + 4, top + 4).toPoint(), QPointF(left + 30, top + 40).toPoint())
    assert (model.cursor.pair, model.cursor.position) == (6, 3.0)
    assert model.state.views.rotary == before
    dial, start = knob(turned, "query", 9)
    QTest.mousePress(turned.canvas, LEFT, pos=start)
    model.set(d_model=8)
    QTest.mouseMove(turned.canvas, QPointF(dial.x, dial.y).toPoint())
    QTest.mouseRelease(turned.canvas, LEFT, pos=start)
    assert model.state.views.rotary.query == ()


def test_a_kind_whose_columns_do_not_turn_has_a_dial_with_rope_and_gauges_without(open_panel):
    panel = open_panel(ClockPanel, 720, 420, kind="counter", **ROPE, sentence="a b c d e f g h", d_model=16)
    assert (panel.layout_now().face is None, panel.subtitle) == (False, "q and k turned")
    model = panel.model
    # Pair 1 of 8 turns by 10000^(-1/8) radians a position: a quarter turn is 5 positions.
    model.move_cursor(position=0.0, offset=0.0, pair=1)
    QApplication.processEvents()
    drag(panel.canvas, *hand(panel, 1, math.pi / 2))
    assert model.cursor.position == round(math.pi / 2 * 10_000 ** (1 / 8))
    model.set(scheme="additive")
    assert panel.layout_now().face is None
