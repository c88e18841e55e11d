"""Gestures on a canvas with one axis: 10 pixels a position, 100 positions, the span as wide as the canvas."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Preview, Span, full_span
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.plot import Axis as PlotAxis
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.gestures import Changes, Drag, Gestures, Reactions, Zoomed
from tests.panels import conftest
from tests.panels.conftest import LEFT, NO_KEY, SHIFT


class Axis:
    """A view of the span of a model."""

    def __init__(self, model: EncodingModel) -> None:
        self.model = model
        self.boxes: list[Box] = []
        self.canvas = Canvas(self.scene)
        self.canvas.resize(1_000, 50)
        self.canvas.show_theme(themes()["light"])
        self.reactions = Reactions(
            choose=self.choose,
            takes_offset=self.takes_offset,
            plots=self.plots,
            preview_at=self.preview,
            wheel_steps=True,
        )

    def scene(self, box: Box) -> Scene:
        self.boxes.append(box)
        return Scene()

    def position(self, x: float, _y: float = 0.0) -> float:
        return float(round(self.model.span.first + x / 1_000 * self.model.span.width))

    def preview(self, x: float, y: float) -> Preview:
        return Preview(self.position(x, y))

    def choose(self, drag: Drag) -> Changes:
        position = self.position(*drag.now)
        if drag.moves_offset:
            return {"offset": position - self.model.cursor.position}
        return {"position": position}

    def takes_offset(self, x: float, _y: float) -> bool:
        return self.position(x) == self.model.cursor.position + self.model.cursor.offset

    def plots(self) -> tuple[Zoomed]:
        area = self.canvas.box().area
        return (Zoomed(area, {"span": PlotAxis(area, self.model.span.first, self.model.span.last)}, area.middle),)


@pytest.fixture
def axis(model, qtbot):
    axis = Axis(model)
    model.set(span=Span(0.0, 100.0))
    model.move_cursor(position=10.0, offset=20.0)
    qtbot.addWidget(axis.canvas)
    axis.canvas.show()
    qtbot.waitExposed(axis.canvas)
    return axis


def at(position: float) -> QPoint:
    return QPoint(round(position * 10), 25)


def drag(canvas: Canvas, *positions: float, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    conftest.drag(canvas, *map(at, positions), button=button, keys=keys)


def wheel(canvas: Canvas, position: float, notches: float, keys: Qt.KeyboardModifier = NO_KEY) -> QWheelEvent:
    return conftest.wheel(canvas, QPointF(at(position)), notches, keys)


def test_a_press_and_a_drag_move_t(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    drag(axis.canvas, 40)
    assert (model.cursor.position, model.cursor.offset) == (40.0, 20.0)
    drag(axis.canvas, 50, 60, 75)
    assert (model.cursor.position, model.cursor.offset) == (75.0, 20.0)


def test_shift_and_the_cursor_at_t_plus_k_move_k(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    drag(axis.canvas, 50, 55, keys=SHIFT)
    assert (model.cursor.position, model.cursor.offset) == (10.0, 45.0)
    drag(axis.canvas, 55, 30, 20)
    assert (model.cursor.position, model.cursor.offset) == (10.0, 10.0)


def test_playing_waits_and_nothing_is_previewed_while_a_button_is_down(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    QTest.mouseMove(axis.canvas, at(30))
    axis.canvas.repaint()
    assert (model.preview, axis.boxes[-1].preview) == (Preview(30.0), Preview(30.0))
    QTest.mousePress(axis.canvas, LEFT, NO_KEY, at(40))
    QTest.mouseMove(axis.canvas, at(41))
    assert (model.is_held, model.preview) == (True, None)
    QTest.mouseRelease(axis.canvas, LEFT, NO_KEY, at(41))
    QTest.mouseMove(axis.canvas, at(42))
    assert (model.is_held, model.preview) == (False, Preview(42.0))
    QApplication.sendEvent(axis.canvas, QEvent(QEvent.Type.Leave))
    assert model.preview is None


def test_the_middle_button_pans(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    model.set(span=Span(20.0, 60.0))
    drag(axis.canvas, 50, 40, 25, button=Qt.MouseButton.MiddleButton)
    assert model.span == Span(30.0, 70.0)
    assert (model.cursor.position, model.is_held) == (10.0, False)


def test_the_wheel_zooms_about_the_pointer_and_steps_with_shift(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    assert wheel(axis.canvas, 50, 1).isAccepted()
    assert (model.span.first, model.span.last) == pytest.approx((10.0, 90.0))
    span = model.span
    for _ in range(4):
        wheel(axis.canvas, 50, 0.5, SHIFT)
    assert (model.cursor.position, model.span) == (12.0, span)


def test_a_wheel_that_neither_zooms_nor_steps_is_for_the_scroll_bar(axis, model):
    Gestures(axis.canvas, model, Reactions(choose=axis.choose))
    assert not wheel(axis.canvas, 50, 1).isAccepted()
    assert model.cursor.position == 10.0


def test_a_double_click_fits_and_gives_back_what_its_first_press_chose(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    model.set(span=Span(5.0, 50.0))
    before = model.cursor
    QTest.mouseClick(axis.canvas, LEFT, NO_KEY, at(40))
    assert model.cursor != before
    QTest.mouseDClick(axis.canvas, LEFT, NO_KEY, at(40))
    assert (model.cursor, model.span, model.is_held) == (before, full_span(model.encoding.n_positions), False)


def test_a_double_click_where_nothing_fits_is_a_second_press(axis, model):
    Gestures(axis.canvas, model, replace(axis.reactions, plots=None))
    drag(axis.canvas, 40)
    QTest.mouseDClick(axis.canvas, LEFT, NO_KEY, at(70))
    QTest.mouseRelease(axis.canvas, LEFT, NO_KEY, at(70))
    assert (model.cursor.position, model.is_held) == (70.0, False)


def test_a_drag_is_one_step_of_undo_and_a_double_click_another(axis, model):
    Gestures(axis.canvas, model, axis.reactions)
    model.set(span=Span(0.0, 80.0))
    states = [model.state]
    drag(axis.canvas, 40, 50, 60)
    states.append(model.state)
    QTest.mouseDClick(axis.canvas, LEFT, NO_KEY, at(40))
    assert model.state not in states
    for state in reversed(states):
        model.undo()
        assert model.state == state


def test_other_names_of_the_state_are_changed_with_the_cursor(axis, model):
    changes = {"pair": 3, "matrix.rows": Span(2.0, 8.0)}
    Gestures(axis.canvas, model, Reactions(choose=lambda _drag: changes))
    drag(axis.canvas, 40)
    assert (model.cursor.pair, model.state.shown_rows) == (3, Span(2.0, 8.0))


def test_the_pointer_is_a_hand_where_a_press_leads_somewhere(axis, model):
    Gestures(axis.canvas, model, Reactions(is_button_at=lambda x, _y: x > 500))
    shapes = []
    for position in (60, 40):
        QTest.mouseMove(axis.canvas, at(position))
        shapes.append(axis.canvas.cursor().shape())
    assert shapes == [Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor]


def test_a_readout_follows_the_pointer_with_a_frame_for_each_move(axis, model):
    Gestures(axis.canvas, model, Reactions(has_readout=True))
    for position in (30, 31):
        n_frames = axis.canvas.n_frames
        QTest.mouseMove(axis.canvas, at(position))
        QApplication.processEvents()
        assert (axis.boxes[-1].pointer, axis.canvas.n_frames) == ((position * 10.0, 25.0), n_frames + 1)
    QApplication.sendEvent(axis.canvas, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()
    assert axis.boxes[-1].pointer is None
