"""The clock with RoPE without a window: the ends of queries and keys are dragged."""

import math

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.scores.rotary import turned_vectors, vectors_of
from pe_desktop.panels.clock_panel import ClockPanel
from tests.panels.conftest import LEFT, SHIFT, drag


@pytest.fixture
def clock(open_panel):
    panel = open_panel(ClockPanel, 720, 520, scheme="rope", clock__mode="each", position=3, offset=2)
    QApplication.processEvents()
    return panel


def knob(clock, name, pair):
    """Where the end of a query or key is drawn."""
    dial = clock.layout_on(clock.dials).dials[0].grid.dial(pair)
    vectors = turned_vectors(clock.model.state)
    up, right = {"query": vectors.turned_query, "key": vectors.turned_key}[name][pair] * dial.radius / vectors.reach
    return dial, QPointF(dial.x + right, dial.y - up).toPoint()


@pytest.mark.parametrize("name", ["query", "key"])
def test_a_dragged_knob_changes_its_vector_and_undo_brings_it_back(clock, name):
    model = clock.model
    before, reach = model.state, turned_vectors(model.state).reach
    old = dict(zip(("query", "key"), vectors_of(before).both, strict=True))
    dial, start = knob(clock, name, 9)
    target = QPointF(dial.x + dial.radius / 4, dial.y - dial.radius / 2).toPoint()
    middle = QPointF(dial.x, dial.y - dial.radius / 3).toPoint()
    drag(clock.dials, start, middle, target)
    assert (model.cursor.pair, model.cursor.position, model.cursor.offset) == (9, 3.0, 2.0)
    vectors = turned_vectors(model.state)
    turned = {"query": vectors.turned_query, "key": vectors.turned_key}[name][9]
    assert turned.tolist() == pytest.approx([reach / 2, reach / 4], abs=2 * reach / dial.radius)
    new = dict(zip(("query", "key"), vectors_of(model.state).both, strict=True))
    assert ((new[name] != old[name]).nonzero()[0] // 2 == 9).all()
    other = "key" if name == "query" else "query"
    assert new[other].tolist() == old[other].tolist()
    model.undo()
    assert model.state.views.rotary == before.views.rotary


def test_0_brings_the_seeded_vectors_back_from_dials_that_show_them(clock):
    model, before = clock.model, clock.model.state
    dial, start = knob(clock, "key", 9)
    drag(clock.dials, start, QPointF(dial.x, dial.y).toPoint())
    assert model.state.views.rotary != before.views.rotary
    QTest.keyClick(clock.dials, Qt.Key.Key_0)
    assert model.state.views.rotary == before.views.rotary


def test_with_shift_a_knob_keeps_its_length(clock):
    dial, start = knob(clock, "query", 5)
    length = math.hypot(*vectors_of(clock.model.state).both[0][10:12])
    drag(clock.dials, start, QPointF(dial.x + dial.radius, dial.y).toPoint(), keys=SHIFT)
    up, right = turned_vectors(clock.model.state).turned_query[5].tolist()
    assert (up, right) == (pytest.approx(0, abs=0.05), pytest.approx(length, abs=1e-3))
    assert math.hypot(*vectors_of(clock.model.state).both[0][10:12]) == pytest.approx(length)


def test_a_press_beside_the_knobs_chooses_the_pair_alone(clock):
    model, before = clock.model, clock.model.state.views.rotary
    (dials,) = clock.layout_on(clock.dials).dials
    left, top = dials.grid.cell(6)
    drag(clock.dials, QPointF(left + 4, top + 4).toPoint(), QPointF(left + 30, top + 40).toPoint())
    assert (model.cursor.pair, model.cursor.position) == (6, 3.0)
    assert model.state.views.rotary == before


def test_a_knob_is_let_go_when_another_encoding_comes(clock):
    model = clock.model
    dial, start = knob(clock, "query", 9)
    QTest.mousePress(clock.dials, LEFT, pos=start)
    model.set(d_model=8)
    QTest.mouseMove(clock.dials, QPointF(dial.x, dial.y).toPoint())
    QTest.mouseRelease(clock.dials, LEFT, pos=start)
    assert model.state.views.rotary.query == ()


def test_a_kind_whose_columns_do_not_turn_has_a_dial_with_rope_and_gauges_without(open_panel):
    panel = open_panel(ClockPanel, 720, 420, kind="counter", scheme="rope", d_model=16)
    assert (panel.canvas.isVisible(), panel.subtitle) == (True, "q and k turned")
    model = panel.model
    # Pair 1 of 8 turns by 10000^(-1/8) radians a position: a quarter turn is 5 positions.
    model.move_cursor(position=0.0, offset=0.0, pair=1)
    QApplication.processEvents()
    hands = {place.name: place.area for place in panel.canvas.places()}
    x, y = hands["hand 1"].middle
    center = panel.canvas.width() / 2, panel.canvas.height() / 2
    reach = math.hypot(x - center[0], y - center[1])
    angles = [math.pi / 2 * step / 8 for step in range(9)]
    points = [QPointF(center[0] + reach * math.sin(a), center[1] - reach * math.cos(a)).toPoint() for a in angles]
    drag(panel.canvas, *points)
    assert model.cursor.position == round(math.pi / 2 * 10_000 ** (1 / 8))
    model.set(scheme="additive")
    assert (panel.canvas.isVisible(), panel.dials.isVisible()) == (False, True)
