"""A canvas keeps the still part of its scene as a bitmap and draws the moving part anew, a frame at a time."""

import gc
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QToolTip, QVBoxLayout, QWidget

from pe_desktop.draw import marks
from pe_desktop.draw.accessible import show_to_screen_readers
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import themes

STILL, MOVING = "#00aa00", "#ff0000"
THEME = themes()["light"]


def left_half(width: float, height: float, color: str) -> marks.Picture:
    return (marks.Rectangle(0.0, 0.0, width / 2, height, QColor(color)),)


def two_places(x: float) -> tuple[Place, ...]:
    return Place("half", Area(0, 0, 100, 100), "1/2"), Place("dot", Area(x - 10, 40, 20, 20), f"{x:g}", is_chosen=True)


class Probe(Canvas):
    """A green left half that stands still, and a red dot."""

    def __init__(self) -> None:
        super().__init__(self.scene_in)
        self.place = 20.0
        self.color = STILL
        self.ratio: float | None = None
        self.boxes: list[Box] = []

    def scene_in(self, box: Box) -> Scene:
        self.boxes.append(box)
        dot = marks.Dots(np.array([[self.place, box.height / 2]]), 6.0, QColor(MOVING))
        return Scene((dot,), Part(left_half, box.width, box.height, self.color), places=Part(two_places, self.place))

    def devicePixelRatioF(self):  # noqa: N802 - Qt's name
        return self.ratio or super().devicePixelRatioF()

    def colors(self, *places: int) -> list[str]:
        """What is seen in the middle row, after a change."""
        self.update()
        image = self.grab().toImage()
        return [image.pixelColor(x, self.height() // 2).name() for x in places]


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 200)
    return window


@pytest.fixture
def canvas(window, qtbot):
    canvas = Probe()
    canvas.setParent(window)
    canvas.resize(200, 100)
    canvas.show_theme(THEME)
    window.show()
    qtbot.waitExposed(window)
    QApplication.processEvents()
    return canvas


def test_a_moving_cursor_draws_frames_but_no_still_picture_and_what_moved_leaves_no_trace(canvas):
    n_frames, n_stills = canvas.n_frames, canvas.n_painted["still"]
    for step in range(10):
        canvas.place = 20.0 + 15 * step
        canvas.repaint()
    assert (canvas.n_frames - n_frames, canvas.n_painted["still"] - n_stills) == (10, 0)
    canvas.place = 20.0
    assert canvas.colors(20, 60, 140, 180) == [MOVING, STILL, "#ffffff", "#ffffff"]
    canvas.place = 140.0
    assert canvas.colors(20, 60, 140, 180) == [STILL, STILL, MOVING, "#ffffff"]


def test_any_number_of_changes_between_two_frames_cost_one_scene_and_no_change_none(canvas):
    canvas.boxes.clear()
    for _ in range(50):
        canvas.place += 1.0
        canvas.update()
    assert canvas.boxes == []
    QApplication.processEvents()
    assert len(canvas.boxes) == 1
    n_frames = []
    for shown in ("pair 3", "pair 3", "pair 4"):
        canvas.show_what(shown)
        QApplication.processEvents()
        n_frames.append(canvas.n_frames)
    assert np.diff(n_frames).tolist() == [0, 1]


def test_where_what_lay_over_a_canvas_goes_the_last_scene_is_shown_again(canvas, window, qtbot):
    cover = QLabel("covers it", window)
    cover.setGeometry(canvas.geometry())
    cover.setAutoFillBackground(True)
    cover.show()
    QApplication.processEvents()
    before = canvas.grab().toImage()
    canvas.boxes.clear()
    n_frames, canvas.place = canvas.n_frames, 140.0
    cover.hide()
    qtbot.waitUntil(lambda: canvas.n_frames > n_frames)
    assert canvas.boxes == []
    assert canvas.grab().toImage() == before
    canvas.update()
    qtbot.waitUntil(lambda: len(canvas.boxes) == 1)
    assert canvas.grab().toImage() != before


def test_a_canvas_that_was_hidden_shows_what_has_changed_meanwhile(canvas, qtbot):
    canvas.hide()
    canvas.boxes.clear()
    n_frames, canvas.place = canvas.n_frames, 140.0
    canvas.show()
    qtbot.waitUntil(lambda: canvas.n_frames > n_frames)
    assert len(canvas.boxes) == 1
    assert canvas.grab().toImage().pixelColor(140, 50).name() == MOVING


def right_edge(width: float, height: float, color: str) -> marks.Picture:
    return (marks.Rectangle(width - 10.0, 0.0, 10.0, height, QColor(color)),)


def test_what_stands_under_a_still_part_is_drawn_once_while_the_part_over_it_changes(window):
    def composed(box: Box) -> Scene:
        return Scene(still=Part(right_edge, box.width, box.height, edge, under=Part(left_half, 200.0, 100.0, ground)))

    edge, ground, found = MOVING, STILL, []
    canvas = Canvas(composed, window)
    canvas.resize(200, 100)
    canvas.show_theme(THEME)
    for edge, ground in ((MOVING, STILL), ("#0000ff", STILL), ("#0000ff", "#123456")):  # noqa: B007 - composed reads them
        image = canvas.grab().toImage()
        colors = [image.pixelColor(x, 50).name() for x in (60, 140, 195)]
        found.append((colors, canvas.n_painted["still"], canvas.n_painted["under"]))
    assert found == [
        ([STILL, "#ffffff", MOVING], 1, 1),
        ([STILL, "#ffffff", "#0000ff"], 2, 1),
        (["#123456", "#ffffff", "#0000ff"], 3, 2),
    ]


def test_another_device_pixel_ratio_draws_the_still_picture_anew(canvas):
    for ratio in (2.0, 1.5, 1.0):
        n_stills, canvas.ratio = canvas.n_painted["still"], ratio
        canvas.repaint()
        canvas.repaint()
        assert canvas.n_painted["still"] - n_stills == 1
        assert canvas.boxes[-1].pixel_ratio == ratio
        assert canvas.colors(20, 60, 140) == [MOVING, STILL, "#ffffff"]


def test_a_canvas_in_a_scroll_area_is_told_which_part_is_seen(qtbot):
    canvas, area = Probe(), QScrollArea()
    qtbot.addWidget(area)
    canvas.is_scrolled = True
    canvas.resize(200, 5_000)
    canvas.show_theme(THEME)
    area.setWidget(canvas)
    area.resize(300, 150)
    area.show()
    QApplication.processEvents()
    area.verticalScrollBar().setValue(1_000)
    QApplication.processEvents()
    shown = area.viewport().height()
    assert canvas.boxes[-1].visible == Area(0, 1_000, 200, shown)
    # The still part has the box as an argument: it must not change while a canvas is scrolled.
    assert canvas.boxes[-1] == canvas.boxes[0]


def test_the_place_under_a_point_is_the_uppermost_and_a_tooltip_tells_of_it(canvas, qtbot):
    assert [canvas.place_at(*point) for point in ((20, 50), (50, 50), (150, 50))] == [
        Place("dot", Area(10, 40, 20, 20), "20", is_chosen=True),
        Place("half", Area(0, 0, 100, 100), "1/2"),
        None,
    ]
    canvas.place = 150.0
    canvas.repaint()
    assert canvas.place_at(150, 50).name == "dot"
    canvas.tooltip = lambda place, x, y: f"{place.name if place else 'nothing'} at {x:g}, {y:g}"
    where = QPoint(150, 50)
    QApplication.sendEvent(canvas, QHelpEvent(QHelpEvent.Type.ToolTip, where, canvas.mapToGlobal(where)))
    assert QToolTip.text() == "dot at 150, 50"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_screen_reader_finds_each_place_and_widget_as_a_child_which_tells_what_is_shown_now(canvas):
    show_to_screen_readers()
    tree = QAccessible.queryAccessibleInterface(canvas)
    canvas.setAccessibleName("probe")
    assert (tree.text(QAccessible.Text.Name), tree.childCount()) == ("probe", 2)
    told = []
    for number in range(2):
        child = tree.child(number)
        assert child.isValid()
        assert child.parent().object() is canvas
        assert tree.indexOfChild(child) == number
        told.append((child.text(QAccessible.Text.Name), child.text(QAccessible.Text.Value), child.state().selected))
    assert told == [("half", "1/2", False), ("dot", "20", True)]
    corner = canvas.mapToGlobal(QPoint(10, 40))
    assert tree.child(1).rect().getRect() == (corner.x(), corner.y(), 20, 20)
    assert tree.childAt(corner.x() + 1, corner.y() + 1).text(QAccessible.Text.Name) == "dot"
    assert tree.child(2) is None
    canvas.place = 77.0
    canvas.repaint()
    assert child.text(QAccessible.Text.Value) == "77"
    field = QLineEdit(canvas)
    assert tree.childCount() == 2
    field.setGeometry(120, 10, 60, 20)
    field.show()
    child = tree.child(2)
    assert (tree.childCount(), child.object(), tree.indexOfChild(child)) == (3, field, 2)
    corner = field.mapToGlobal(QPoint(0, 0))
    assert tree.childAt(corner.x() + 5, corner.y() + 5).object() is field


def test_a_screen_reader_walks_from_the_window_to_the_places_and_survives_their_end(qtbot):
    show_to_screen_readers()
    for _ in range(20):
        window = QWidget()
        column = QVBoxLayout(window)
        canvas = Probe()
        canvas.show_theme(THEME)
        column.addWidget(canvas)
        child = QAccessible.queryAccessibleInterface(window).child(0).child(1)
        assert child.text(QAccessible.Text.Name) == "dot"
        number = QAccessible.uniqueId(child)
        with qtbot.waitSignal(window.destroyed):
            window.deleteLater()
        assert QAccessible.accessibleInterface(number) is None


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="they are never freed there, whatever their counts")
def test_painting_keeps_the_counts_of_none_and_true(canvas):
    size = canvas.size()
    canvas.repaint()
    canvas.boxes.clear()
    gc.collect()
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(1000):
        QApplication.sendEvent(canvas, QResizeEvent(size, size))
    for _ in range(200):
        canvas.repaint()
    # Each box holds None.
    canvas.boxes.clear()
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert max(abs(late - early) for late, early in zip(after, before, strict=True)) < 50
