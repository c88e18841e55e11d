"""A canvas with a heat map: what is under and around the map, when a coarse map is refined."""

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.table import HalvesField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.draw.marks import Picture
from pe_desktop.draw.scene import Area, Box, Part, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.heatmap import Coarseness, HeatMap, View, color_table
from pe_desktop.heat.raster import HeatLayer
from tests.matrix_field import MatrixField

THEME = themes()["light"]
TABLE = color_table(THEME.diverging)
WIDTH, HEIGHT = 300, 200
AREA = Area(40.0, 30.0, 200.0, 128.0)
WIDE = HalvesField(SinusoidalEncoding(1_000_000, 65_536))
WHOLE = View(0, 65_536, 0, 1_000_000)


def blue_ground(width: float, height: float) -> Picture:
    return (marks.Rectangle(0, 0, width, height, fill=THEME.focus),)


class Content:
    """A field in an area, a blue ground all over the canvas, a green bar across it that moves."""

    def __init__(self, field: Field, view: View, area: Area = AREA) -> None:
        self.field = field
        self.view = view
        self.area = area
        self.coarseness: list[Coarseness | None] = []

    def scene(self, box: Box) -> Scene:
        self.coarseness.append(box.coarseness)
        bar = marks.Rectangle(0, 80, box.width, 2, fill=THEME.ok)
        layer = HeatLayer(self.field, self.view, TABLE, THEME.panel, self.area)
        return Scene((bar,), Part(blue_ground, box.width, box.height), layer)


@pytest.fixture
def holder(qtbot: QtBot) -> Iterator[QWidget]:
    """A window that owns the views; what is left of them goes with it."""
    window = QWidget()
    window.resize(WIDTH, HEIGHT)
    yield window
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def made(content: Content, holder: QWidget) -> HeatCanvas:
    canvas = HeatCanvas(content.scene, holder)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show_theme(THEME)
    return canvas


def shown(content: Content, holder: QWidget) -> HeatCanvas:
    """A canvas whose map has been drawn once."""
    canvas = made(content, holder)
    holder.show()
    while not canvas.raster.heat_map.n_pictures:
        QTest.qWait(5)
    QApplication.processEvents()
    return canvas


def seen(canvas: HeatCanvas) -> QImage:
    image: QImage = canvas.grab().toImage()
    return image.convertToFormat(QImage.Format.Format_RGB32)


def part(image: QImage, area: Area = AREA) -> QImage:
    return image.copy(*(round(number) for number in area))


def exact(content: Content) -> QImage:
    size = round(content.area.width), round(content.area.height)
    return HeatMap().image(content.field, content.view, size, TABLE).convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize(
    "area", [AREA, Area(40.4, 29.6, 199.7, 128.2), Area(0.0, 0.0, 300.0, 200.0), Area(5.0, 5.0, 2.0, 2.0)]
)
def test_still_marks_stand_around_the_heat_map_and_moving_ones_over_it(holder: QWidget, area: Area) -> None:
    content = Content(MatrixField(np.full((3, 3), -1.0)), View(0, 3, 0, 3), area)
    image = seen(shown(content, holder))
    red, blue, green = "#b2182b", THEME.focus.name(), THEME.ok.name()
    left, top, width, height = area
    for y in range(HEIGHT):
        for x in range(WIDTH):
            inside = left + 1 <= x < left + width - 1 and top + 1 <= y < top + height - 1
            outside = not (left - 1 <= x < left + width + 1 and top - 1 <= y < top + height + 1)
            wanted = {green} if y in (80, 81) else {red} if inside else {blue} if outside else {red, blue}
            assert image.pixelColor(x, y).name() in wanted, (x, y)


def test_a_coarse_picture_is_shown_at_once_and_the_exact_one_when_the_view_rests(holder: QWidget, qtbot: QtBot) -> None:
    content = Content(WIDE, WHOLE, Area(40.0, 90.0, 200.0, 100.0))
    canvas = shown(content, holder)
    coarse = part(seen(canvas), content.area)
    assert (canvas.raster.coarseness is None, canvas.raster._timer.isActive()) == (False, True)
    n_frames = canvas.n_frames
    qtbot.waitUntil(lambda: canvas.raster.coarseness is None)
    qtbot.waitUntil(lambda: canvas.n_frames > n_frames)
    assert not canvas.raster._timer.isActive()
    assert part(seen(canvas), content.area) == exact(content) != coarse
    assert canvas.raster.heat_map.n_pictures == 2


@pytest.mark.parametrize("is_painted_next", [False, True])
def test_a_picture_in_a_hurry_is_refined_in_the_turns_that_follow(holder: QWidget, *, is_painted_next: bool) -> None:
    content = Content(WIDE, WHOLE, Area(40.0, 90.0, 200.0, 100.0))
    canvas = shown(content, holder)
    if is_painted_next:
        canvas.raster.rest()
        content.view = View(0, 65_536, 0, 500_000)
        canvas.raster.hurry()
        canvas.repaint()
    else:
        canvas.raster.hurry()
    assert canvas.raster.coarseness is not None
    while canvas.raster._timer.isActive():
        n_evaluated = canvas.raster.heat_map.n_values_evaluated
        QApplication.processEvents()
        assert canvas.raster.heat_map.n_values_evaluated > n_evaluated or not canvas.raster._timer.isActive()
    assert part(seen(canvas), content.area) == exact(content)


def test_a_frame_without_a_change_lets_the_refinement_go_on_and_a_hidden_view_refines_nothing_until_it_is_seen_again(
    holder: QWidget, qtbot: QtBot
) -> None:
    canvas = shown(Content(WIDE, WHOLE), holder)
    n_evaluated = canvas.raster.heat_map.n_values_evaluated
    for _ in range(3):
        canvas.repaint()
    assert (canvas.raster.heat_map.n_pictures, canvas.raster.heat_map.n_values_evaluated) == (1, n_evaluated)
    assert canvas.raster._timer.isActive()
    canvas.hide()
    assert (canvas.raster.coarseness is None, canvas.raster._timer.isActive()) == (False, False)
    canvas.show()
    qtbot.waitUntil(lambda: canvas.raster.coarseness is None)


def test_closing_a_view_during_refinement_leaves_nothing(holder: QWidget, qtbot: QtBot) -> None:
    canvas = shown(Content(WIDE, WHOLE), holder)
    raster, heat_map = canvas.raster, weakref.ref(canvas.raster.heat_map)
    assert raster._timer.isActive()
    assert not raster.heat_map.refine()
    canvas.close()
    canvas.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(raster)
    qtbot.wait(120)
    del canvas, raster
    gc.collect()
    assert heat_map() is None


def test_the_first_frame_has_no_map_and_says_that_it_is_being_drawn(holder: QWidget, qtbot: QtBot) -> None:
    canvas = made(Content(MatrixField(np.full((3, 3), -1.0)), View(0, 3, 0, 3)), holder)
    first = canvas.grab().toImage()
    assert len({first.pixel(x, y) for x in range(42, 238) for y in range(85, 156)}) > 2, "letters on the ground"
    colors = [first.pixelColor(100, y).name() for y in (50, 80)]
    assert colors == [THEME.focus.name(), THEME.ok.name()]
    assert (canvas.raster.heat_map.n_pictures, canvas.is_exact) == (0, False)
    holder.show()
    qtbot.waitUntil(lambda: canvas.is_exact)
    assert canvas.grab().toImage().pixelColor(100, 50).name() == "#b2182b"
