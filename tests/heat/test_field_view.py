"""A view with a heat map: what is under and around its frame, when a coarse picture is refined, where the focus is."""

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.table import HalvesField, MatrixField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.draw.marks import Picture
from pe_desktop.draw.theme import themes
from pe_desktop.heat.field_view import FieldView
from pe_desktop.heat.heatmap import Coarseness, HeatMap, View, color_table
from pe_desktop.heat.raster import HeatScene, Rectangle

THEME = themes()["light"]
TABLE = color_table(THEME.diverging)
WIDTH, HEIGHT = 300, 200
FRAME = (40.0, 30.0, 200.0, 128.0)
WIDE = HalvesField(SinusoidalEncoding(1_000_000, 65_536))
WHOLE = View(0, 65_536, 0, 1_000_000)


class Content:
    """A field in a frame, a blue ground all over the view, a green bar across it that moves."""

    def __init__(self, field: Field, view: View, frame: Rectangle = FRAME) -> None:
        self.field = field
        self.view = view
        self.rectangle = frame
        self.presses: list[QPointF] = []

    def still(self, width: float, height: float) -> Picture:
        return (marks.Rectangle(0, 0, width, height, fill=THEME.focus),)

    def moving(self, width: float, height: float) -> Picture:
        return (marks.Rectangle(0, 80, width, 2, fill=THEME.ok),)

    def frame(self, width: float, height: float) -> Rectangle:
        return self.rectangle

    def heat_scene(self, ratio: float) -> HeatScene:
        return HeatScene(self.field, self.view, TABLE, THEME.panel)

    def press(self, event: QMouseEvent) -> None:
        self.presses.append(event.position())

    def move(self, event: QMouseEvent) -> None: ...

    def release(self, event: QMouseEvent) -> None: ...

    def double_click(self, event: QMouseEvent) -> None: ...

    def wheel(self, event: QWheelEvent) -> None: ...

    def leave(self) -> None: ...


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


def shown(content: Content, holder: QWidget) -> FieldView:
    view = FieldView(content, holder)
    view.resize(WIDTH, HEIGHT)
    view.show_theme(THEME)
    holder.show()
    QApplication.processEvents()
    return view


def seen(view: FieldView) -> QImage:
    image: QImage = view.grab().toImage()
    return image.convertToFormat(QImage.Format.Format_RGB32)


def part(image: QImage, frame: Rectangle = FRAME) -> QImage:
    return image.copy(*(round(number) for number in frame))


def exact(content: Content) -> QImage:
    size = round(content.rectangle[2]), round(content.rectangle[3])
    return HeatMap().image(content.field, content.view, size, TABLE).convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize("frame", [FRAME, (40.4, 29.6, 199.7, 128.2), (0.0, 0.0, 300.0, 200.0), (5.0, 5.0, 2.0, 2.0)])
def test_still_marks_stand_around_the_heat_map_and_moving_ones_over_it(holder: QWidget, frame: Rectangle) -> None:
    content = Content(MatrixField(np.full((3, 3), -1.0)), View(0, 3, 0, 3), frame)
    image = seen(shown(content, holder))
    red, blue, green = "#b2182b", THEME.focus.name(), THEME.ok.name()
    left, top, width, height = frame
    for y in range(HEIGHT):
        for x in range(WIDTH):
            inside = left + 1 <= x < left + width - 1 and top + 1 <= y < top + height - 1
            outside = not (left - 1 <= x < left + width + 1 and top - 1 <= y < top + height + 1)
            wanted = {green} if y in (80, 81) else {red} if inside else {blue} if outside else {red, blue}
            assert image.pixelColor(x, y).name() in wanted, (x, y)


def test_what_lies_outside_the_table_is_the_panels_ground(holder: QWidget) -> None:
    image = seen(shown(Content(MatrixField(np.full((3, 3), 1.0)), View(0, 3, -3, 3)), holder))
    assert image.pixelColor(60, 40).name() == THEME.panel.name()
    assert image.pixelColor(220, 40).name() == "#2166ac"


def test_a_coarse_picture_is_shown_at_once_and_the_exact_one_when_the_view_rests(holder: QWidget, qtbot: QtBot) -> None:
    content = Content(WIDE, WHOLE, (40.0, 90.0, 200.0, 100.0))
    view = shown(content, holder)
    coarse = part(seen(view), content.rectangle)
    assert (view.raster.coarseness is None, view.raster.is_refining) == (False, True)
    n_frames = view.n_frames
    qtbot.waitUntil(lambda: view.raster.coarseness is None)
    qtbot.waitUntil(lambda: view.n_frames > n_frames)
    assert not view.raster.is_refining
    assert part(seen(view), content.rectangle) == exact(content) != coarse
    assert view.raster.heat_map.n_pictures == 2


def test_a_frame_in_which_nothing_changed_makes_no_picture_and_lets_the_refinement_go_on(holder: QWidget) -> None:
    view = shown(Content(WIDE, WHOLE), holder)
    n_evaluated = view.raster.heat_map.n_values_evaluated
    for _ in range(3):
        view.viewport().repaint()
    assert (view.raster.heat_map.n_pictures, view.raster.heat_map.n_values_evaluated) == (1, n_evaluated)
    assert view.raster.is_refining


def test_the_exact_picture_of_an_earlier_view_is_never_shown(holder: QWidget, qtbot: QtBot) -> None:
    content = Content(WIDE, WHOLE, (40.0, 90.0, 200.0, 100.0))
    view = shown(content, holder)
    pictures: list[Coarseness | None] = []
    view.raster.refined.connect(lambda: pictures.append(view.raster.coarseness))
    assert not view.raster.heat_map.refine()
    content.view = View(0, 65_536, 0, 500_000)
    view.refresh()
    QApplication.processEvents()
    assert view.raster.coarseness is not None
    qtbot.waitUntil(lambda: len(pictures) > 0)
    assert pictures == [None]
    assert part(seen(view), content.rectangle) == exact(content)


def test_a_change_to_what_is_cheap_ends_the_refinement(holder: QWidget) -> None:
    content = Content(WIDE, WHOLE)
    view = shown(content, holder)
    content.field, content.view = MatrixField(np.eye(3)), View(0, 3, 0, 3)
    view.refresh()
    QApplication.processEvents()
    assert (view.raster.coarseness, view.raster.is_refining) == (None, False)


def test_a_hidden_view_refines_nothing_until_it_is_seen_again(holder: QWidget, qtbot: QtBot) -> None:
    view = shown(Content(WIDE, WHOLE), holder)
    view.hide()
    assert view.raster.coarseness is not None
    assert not view.raster.is_refining
    view.show()
    qtbot.waitUntil(lambda: view.raster.coarseness is None)


def test_closing_a_view_during_refinement_leaves_nothing(holder: QWidget, qtbot: QtBot) -> None:
    view = shown(Content(WIDE, WHOLE), holder)
    raster, heat_map = view.raster, weakref.ref(view.raster.heat_map)
    assert raster.is_refining
    assert not raster.heat_map.refine()
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(raster)
    qtbot.wait(120)
    del view, raster
    gc.collect()
    assert heat_map() is None


def test_an_image_of_the_view_is_exact_while_the_view_is_coarse(holder: QWidget) -> None:
    content = Content(WIDE, WHOLE, (40.0, 90.0, 200.0, 100.0))
    view = shown(content, holder)
    assert view.raster.coarseness is not None
    image = view.picture_image(1.0).convertToFormat(QImage.Format.Format_RGB32)
    assert part(image, content.rectangle) == exact(content)


def test_the_ring_of_the_focus_is_two_pixels_wide_at_the_edge_and_for_the_keyboard_only(
    holder: QWidget, qtbot: QtBot
) -> None:
    content = Content(MatrixField(np.eye(3)), View(0, 3, 0, 3), (0.0, 0.0, 300.0, 200.0))
    view = shown(content, holder)
    holder.activateWindow()
    qtbot.waitUntil(holder.isActiveWindow)
    view.clearFocus()
    ring = THEME.focus.name()

    def ringed() -> list[bool]:
        image = seen(view)
        return [image.pixelColor(150, y).name() == ring for y in range(6)]

    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert ringed() == [True, True, False, False, False, False]
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 15))
    assert content.presses == [QPointF(30, 15)]
    assert not any(ringed())
    view.clearFocus()
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    qtbot.waitUntil(view.hasFocus)
    assert ringed()[1]
    view.clearFocus()
    assert not any(ringed())
