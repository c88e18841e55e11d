"""The pyqtgraph view with a heat map under marks."""

import contextlib
import math
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Protocol

import pyqtgraph
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QHideEvent, QImage, QMouseEvent, QPainter, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from pe_desktop.draw.canvas import KEYBOARD_REASONS, paint_focus_ring
from pe_desktop.draw.marks import Picture
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.theme import Theme
from pe_desktop.heat.gl_painter import GLHeatPainter
from pe_desktop.heat.heatmap import Coarseness
from pe_desktop.heat.raster import HeatPainter, HeatScene, RasterPainter, Rectangle
from pe_desktop.heat.renderer import Renderer


class Overlay:
    """A clear image of a view's size that is painted anew for every frame, and made anew when the size changes."""

    def __init__(self) -> None:
        self._image = QImage()

    def image(self, size: QSize, ratio: float, paint: Callable[[QPainter], None]) -> QImage:
        """What is painted, in logical pixels, on a clear ground of ratio device pixels each."""
        size_px = (size.toSizeF() * ratio).toSize()
        if self._image.size() != size_px:
            self._image = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
        self._image.setDevicePixelRatio(ratio)
        self._image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._image)
        paint(painter)
        painter.end()
        return self._image


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """Give an error to the program's hook and go on.

    An exception that leaves a method which QGraphicsView calls while it paints ends the process (PySide6 6.11).
    """
    try:
        yield
    except Exception:  # noqa: BLE001 - whatever it is, the hook is told
        sys.excepthook(*sys.exc_info())


class HeatMapItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """The heat map in a rectangle of the view, drawn by a back end."""

    def __init__(self, scene: Callable[[float], HeatScene | None], heat_painter: HeatPainter) -> None:
        super().__init__()
        self._scene = scene
        self._heat_painter = heat_painter
        self._frame: Rectangle = (0.0, 0.0, 1.0, 1.0)

    @property
    def frame(self) -> Rectangle:
        """Left, top, width, height in pixels of the view."""
        return self._frame

    @property
    def heat_painter(self) -> HeatPainter:
        """The back end."""
        return self._heat_painter

    def draw_with(self, heat_painter: HeatPainter) -> None:
        """Take another back end."""
        self._heat_painter = heat_painter
        self.update()

    def set_frame(self, frame: Rectangle) -> None:
        """Stand elsewhere in the view."""
        if frame != self._frame:
            self.prepareGeometryChange()
            self._frame = frame

    def paint_exact(self, painter: QPainter) -> None:
        """The exact picture, for an image of the view."""
        ratio = painter.device().devicePixelRatio()
        scene = self._scene(ratio)
        if scene is not None:
            self._heat_painter.paint_exact(painter, scene, self._frame, ratio)

    def boundingRect(self) -> QRectF:
        """Its rectangle."""
        return QRectF(*self._frame)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Show what the back end has, or can have within a frame."""
        ratio = painter.device().devicePixelRatio()
        with reported():
            scene = self._scene(ratio)
            if scene is not None:
                self._heat_painter.paint(painter, scene, self._frame, ratio)


class FieldContent(Protocol):
    """What a view shows, and what pointer and wheel do to it; the view itself pans and zooms nothing."""

    def still(self, width: float, height: float) -> Picture:
        """The marks that stay while the cursor moves."""

    def moving(self, width: float, height: float) -> Picture:
        """The marks that move with it."""

    def frame(self, width: float, height: float) -> Rectangle:
        """Left, top, width and height of the heat map."""

    def heat_scene(self, ratio: float) -> HeatScene | None:
        """What the heat map shows, with ratio device pixels to a logical one; None before there is a theme."""

    def press(self, event: QMouseEvent) -> None:
        """A button went down."""

    def move(self, event: QMouseEvent) -> None:
        """The pointer moved, with or without a button."""

    def release(self, event: QMouseEvent) -> None:
        """A button came up."""

    def double_click(self, event: QMouseEvent) -> None:
        """Two presses in a row."""

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel turned."""

    def leave(self) -> None:
        """The pointer is elsewhere."""


class FieldView(pyqtgraph.GraphicsView):  # type: ignore[misc]
    """Still marks as a bitmap, the heat map in its frame, moving marks over both; in pixels of the view."""

    def __init__(self, content: FieldContent, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self._content = content
        self._bitmap: QPixmap | None = None
        self._overlay = Overlay()
        self._theme: Theme | None = None
        self.n_frames = 0
        self.n_still_pictures = 0
        self.raster = RasterPainter(self)
        self.raster.refined.connect(self.refresh)
        self.heat_map = HeatMapItem(content.heat_scene, self.raster)
        self.addItem(self.heat_map)
        self.setMouseTracking(True)
        self.setFrameShape(self.Shape.NoFrame)
        # pyqtgraph keeps the background from frame to frame; here it changes with the encoding.
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # A scene takes whatever is dragged over it; a file is for the window.
        self.setAcceptDrops(False)
        self.viewport().setAcceptDrops(False)

    @property
    def coarseness(self) -> Coarseness | None:
        """That of the picture on show."""
        return self.heat_map.heat_painter.coarseness

    def use_renderer(self, renderer: Renderer) -> None:
        """Draw with whatever it chooses, now and later."""
        self.heat_map.draw_with(GLHeatPainter(self, renderer, self.raster))

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.redraw()

    def redraw(self) -> None:
        """Everything is out of date."""
        self._bitmap = None
        self.heat_map.set_frame(self._content.frame(float(self.width()), float(self.height())))
        self.refresh()

    def refresh(self) -> None:
        """The moving marks are out of date."""
        self.viewport().update()

    def picture_image(self, scale: float = 2.0) -> QImage:
        """The whole picture as an image; drawn, not grabbed."""
        image = QImage(self.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        painter = QPainter(image)
        self._paint_ground(painter)
        width, height = float(self.width()), float(self.height())
        paint_marks(painter, self._content.still(width, height))
        self.heat_map.paint_exact(painter)
        paint_marks(painter, self._content.moving(width, height))
        painter.end()
        return image

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        """The still marks."""
        if self._theme is None:
            return
        painter.resetTransform()
        with reported():
            bitmap = self._still_bitmap()
            for strip, source in _around(self.heat_map.frame, self.width(), self.height(), bitmap.devicePixelRatio()):
                painter.drawPixmap(strip, bitmap, source)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        """The moving marks."""
        if self._theme is None:
            return
        painter.resetTransform()
        with reported():
            if isinstance(self.viewport(), QOpenGLWidget):
                # OpenGL's own lines and letters would look otherwise.
                painter.drawImage(0, 0, self._overlay.image(self.size(), self.devicePixelRatioF(), self._paint_moving))
            else:
                self._paint_moving(painter)
        self.n_frames += 1

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Scene coordinates are pixels of the view."""
        super().resizeEvent(event)
        if event is not None:
            self.redraw()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self.heat_map.heat_painter.rest()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus if the keyboard has brought it."""
        super().focusInEvent(event)
        # Coming back from a menu or another window changes nothing.
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._show_focus(event.reason() in KEYBOARD_REASONS)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No ring."""
        super().focusOutEvent(event)
        self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The pointer shows where one is; pass the press on."""
        self._show_focus(False)
        self._content.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pass it on."""
        self._content.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Pass it on."""
        self._content.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Pass it on."""
        self._content.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Pass it on."""
        self._content.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is elsewhere."""
        super().leaveEvent(event)
        self._content.leave()

    def _show_focus(self, is_shown: bool) -> None:
        self.setProperty("shows_focus", is_shown)
        self.refresh()

    def _paint_ground(self, painter: QPainter) -> None:
        if self._theme is not None:
            painter.fillRect(QRectF(0, 0, self.width(), self.height()), self._theme.panel)

    def _paint_moving(self, painter: QPainter) -> None:
        width, height = float(self.width()), float(self.height())
        paint_marks(painter, self._content.moving(width, height))
        if self._theme is not None and self.hasFocus() and self.property("shows_focus"):
            paint_focus_ring(painter, width, height, self._theme)

    def _still_bitmap(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._bitmap is None or self._bitmap.devicePixelRatio() != ratio:
            bitmap = QPixmap((self.size().toSizeF() * ratio).toSize())
            bitmap.setDevicePixelRatio(ratio)
            painter = QPainter(bitmap)
            self._paint_ground(painter)
            paint_marks(painter, self._content.still(float(self.width()), float(self.height())))
            painter.end()
            self._bitmap = bitmap
            self.n_still_pictures += 1
        return self._bitmap


@lru_cache(maxsize=4)
def _around(frame: Rectangle, width: int, height: int, ratio: float) -> list[tuple[QRect, QRect]]:
    """What of a view isn't under the frame: strips in logical pixels, and in those of its bitmap."""
    edges = (frame[0], frame[1], frame[0] + frame[2], frame[1] + frame[3])
    # An edge inside a pixel may be drawn on either side of it.
    left, top = (edge if edge == int(edge) else math.ceil(edge) + 1 for edge in edges[:2])
    right, bottom = (edge if edge == int(edge) else math.floor(edge) - 1 for edge in edges[2:])
    if ratio != int(ratio) or left >= right or top >= bottom:
        # Strips would begin inside a pixel of the device.
        left = top = right = bottom = 0
    sides = ((0, 0, width, top), (0, top, left, bottom), (right, top, width, bottom), (0, bottom, width, height))
    strips = [QRect(int(x0), int(y0), int(x1 - x0), int(y1 - y0)) for x0, y0, x1, y1 in sides if x0 < x1 and y0 < y1]
    return [(strip, QRect(strip.topLeft() * ratio, strip.size() * ratio)) for strip in strips]
