"""The Look back panel without a window: what mouse, field and buttons change."""

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from pe_desktop.draw.marks import Text
from pe_desktop.panels.look_back_panel import LookBackPanel
from tests.panels.conftest import LEFT, drag, wheel


@pytest.fixture
def panel(open_panel, qtbot):
    panel = open_panel(LookBackPanel, 800, 700)
    qtbot.waitUntil(lambda: not panel.model.findings.is_busy(panel.key))
    return panel


def map_point(panel: LookBackPanel, row: float, column: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.column_axis.place(column), layout.row_axis.place(row)).toPoint()


def profile_point(panel: LookBackPanel, offset: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.offset_axis.place(offset), layout.profile.y + 10).toPoint()


def test_a_press_in_the_map_chooses_query_and_key(panel: LookBackPanel) -> None:
    QTest.mouseClick(panel.canvas, LEFT, pos=map_point(panel, 40, 100))
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (40.0, 60.0)
    assert panel.model.state.looks_back == 3


def test_dragging_the_knob_moves_n_and_k_together_and_is_one_step_of_undo(panel: LookBackPanel) -> None:
    drag(panel.canvas, profile_point(panel, -3.0), profile_point(panel, -20.0))
    places = panel.model.state.looks_back
    assert places == pytest.approx(20, abs=1)
    assert panel.model.cursor.offset == -places
    drag(panel.canvas, profile_point(panel, -20.0), profile_point(panel, 30.0))
    assert panel.model.state.looks_back == 0
    panel.model.undo()
    assert (panel.model.state.looks_back, panel.model.cursor.offset) == (places, -places)


@pytest.mark.parametrize("typed", ["3", "100"])
def test_the_axis_stays_while_the_knob_is_dragged_and_shows_a_typed_n_again(panel: LookBackPanel, typed: str) -> None:
    panel.places.submitted.emit(typed)
    seen = panel.layout_now().offset_axis
    drag(panel.canvas, profile_point(panel, -float(typed)), profile_point(panel, -60.0))
    assert panel.layout_now().offset_axis == seen
    assert panel.model.state.looks_back == pytest.approx(60, abs=1)
    panel.places.submitted.emit("120")
    assert panel.layout_now().offsets.first < -120.0


def test_the_field_takes_n_with_k_and_refuses_what_is_none(panel: LookBackPanel, qtbot) -> None:
    panel.places.setText("12")
    panel.places.submitted.emit("12")
    assert (panel.model.state.looks_back, panel.model.cursor.offset) == (12, -12.0)
    panel.places.submitted.emit("-2")
    assert panel.places.is_refused
    assert panel.model.state.looks_back == 12


def test_the_buttons_choose_scores_or_weights(panel: LookBackPanel) -> None:
    button = next(one for one in panel.findChildren(QToolButton) if one.text() == "Weights")
    QTest.mouseClick(button, LEFT)
    assert panel.model.state.views.look_back.shows == "weights"
    assert panel.compose(panel.canvas.box()).heat.field.limits == (0.0, 0.05)


def test_the_wheel_zooms_map_and_profile_and_a_double_click_shows_all(panel: LookBackPanel) -> None:
    wheel(panel.canvas, QPointF(map_point(panel, 40, 80)))
    rows, columns = panel.layout_now().rows, panel.layout_now().columns
    assert (rows.width, columns.width) == pytest.approx((128 / 1.25,) * 2)
    wheel(panel.canvas, QPointF(profile_point(panel, 8.0)), 2)
    assert panel.layout_now().offsets.width == pytest.approx(128 / 1.25**2)
    QTest.mouseDClick(panel.canvas, LEFT, pos=map_point(panel, 45, 85))
    seen = panel.model.state.views.look_back
    assert (seen.rows, seen.columns, seen.offsets) == (None, None, None)


def test_the_menu_opens_the_list_where_the_panel_has_no_room_for_it(open_panel, qtbot) -> None:
    panel = open_panel(LookBackPanel, 700, 400)
    qtbot.waitUntil(lambda: not panel.model.findings.is_busy(panel.key))
    assert not panel.layout_now().others.height
    panel.open_choices(QPoint(600, 100))
    assert panel.others.isVisible()
    texts = [mark.text for mark in panel.list_canvas.scene().still() if isinstance(mark, Text)]
    assert "26 of 125 rows peak at −3" in texts
    panel.others.hide()
