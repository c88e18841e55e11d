"""A canvas keeps what stands still as a bitmap and draws what moves anew, a frame at a time."""

import sys

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QApplication

from pe_desktop.draw import marks
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.theme import themes

STILL, MOVING = "#00aa00", "#ff0000"


class Probe(Canvas):
    """A green left half that stands still, and a red dot."""

    def __init__(self) -> None:
        super().__init__()
        self.place = 20.0
        self.ratio: float | None = None
        self.asked_for: list[tuple[str, float, float]] = []

    def still_picture(self, width, height):
        self.asked_for.append(("still", width, height))
        return (marks.Rectangle(0.0, 0.0, width / 2, height, QColor(STILL)),)

    def moving_picture(self, width, height):
        self.asked_for.append(("moving", width, height))
        return (marks.Dots(np.array([[self.place, height / 2]]), 6.0, QColor(MOVING)),)

    def devicePixelRatioF(self):  # noqa: N802 - Qt's name
        return self.ratio or super().devicePixelRatioF()

    def colors(self, *places: int) -> list[str]:
        """What is seen in the middle row."""
        image = self.grab().toImage()
        return [image.pixelColor(x, self.height() // 2).name() for x in places]


@pytest.fixture
def canvas(qtbot):
    canvas = Probe()
    qtbot.addWidget(canvas)
    canvas.resize(200, 100)
    canvas.show_theme(themes()["light"])
    canvas.show()
    qtbot.waitExposed(canvas)
    QApplication.processEvents()
    return canvas


def test_a_moving_cursor_draws_frames_but_no_still_picture(canvas):
    n_frames, n_stills = canvas.n_frames, canvas.n_still_pictures
    for step in range(10):
        canvas.place = 20.0 + 15 * step
        canvas.repaint()
    assert (canvas.n_frames - n_frames, canvas.n_still_pictures - n_stills) == (10, 0)


def test_what_moved_leaves_no_trace(canvas):
    assert canvas.colors(20, 60, 140, 180) == [MOVING, STILL, "#ffffff", "#ffffff"]
    canvas.place = 140.0
    assert canvas.colors(20, 60, 140, 180) == [STILL, STILL, MOVING, "#ffffff"]


def test_many_redraws_between_two_frames_cost_one_still_picture(canvas):
    canvas.asked_for.clear()
    n_stills = canvas.n_still_pictures
    for _ in range(50):
        canvas.redraw()
    assert canvas.asked_for == []
    canvas.repaint()
    canvas.repaint()
    assert [kind for kind, _, _ in canvas.asked_for] == ["still", "moving", "moving"]
    assert canvas.n_still_pictures - n_stills == 1


def test_another_device_pixel_ratio_draws_the_still_picture_anew(canvas):
    for ratio in (2.0, 1.5, 1.0):
        n_stills, canvas.ratio = canvas.n_still_pictures, ratio
        canvas.repaint()
        canvas.repaint()
        assert canvas.n_still_pictures - n_stills == 1
        assert canvas._bitmap.size() == QSize(round(200 * ratio), round(100 * ratio))
        assert canvas.colors(20, 60, 140) == [MOVING, STILL, "#ffffff"]


def test_another_size_draws_the_still_picture_anew_at_that_size(canvas):
    canvas.repaint()
    canvas.asked_for.clear()
    canvas.resize(300, 80)
    canvas.repaint()
    assert canvas.asked_for[:2] == [("still", 300.0, 80.0), ("moving", 300.0, 80.0)]
    assert canvas.colors(60, 140, 160) == [STILL, STILL, "#ffffff"]


def test_another_theme_is_another_ground(canvas):
    assert canvas.colors(180) == ["#ffffff"]
    canvas.show_theme(themes()["dark"])
    assert canvas.colors(180, 60) == ["#16191f", STILL]


def test_a_copied_picture_holds_both_parts_at_twice_the_size(canvas):
    image = canvas.picture_image(2.0)
    assert (image.size(), image.devicePixelRatio()) == (QSize(400, 200), 2.0)
    assert [image.pixelColor(x, 100).name() for x in (40, 120, 280)] == [MOVING, STILL, "#ffffff"]


def test_the_focus_is_shown_only_where_it_is_asked_for(canvas, qtbot):
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    ring = themes()["light"].focus.name()
    assert ring not in {canvas.grab().toImage().pixelColor(150, y).name() for y in range(3)}
    canvas.setProperty("shows_focus", True)
    seen = canvas.grab().toImage()
    assert [seen.pixelColor(150, y).name() == ring for y in range(4)] == [True, True, False, False]


def test_a_canvas_without_a_theme_says_so_and_draws_nothing(qtbot):
    canvas = Probe()
    qtbot.addWidget(canvas)
    canvas.resize(50, 50)
    canvas.grab()
    assert (canvas.n_frames, canvas.asked_for) == (0, [])
    with pytest.raises(RuntimeError, match=r"^A canvas needs a theme before it is drawn$"):
        _ = canvas.theme


def test_painting_keeps_the_counts_of_none_and_true(canvas):
    size = canvas.size()
    canvas.repaint()
    before = sys.getrefcount(None), sys.getrefcount(True)
    for _ in range(1000):
        QApplication.sendEvent(canvas, QResizeEvent(size, size))
    for _ in range(200):
        canvas.repaint()
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert max(abs(late - early) for late, early in zip(after, before, strict=True)) < 50
