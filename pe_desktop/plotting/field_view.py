"""A pyqtgraph view that shows one heat map with marks around and over it."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Protocol

import pyqtgraph
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from pe_desktop.plotting.mark_painter import paint_marks
from pe_desktop.plotting.marks import Picture
from pe_desktop.plotting.theme import Theme

Rectangle = tuple[float, float, float, float]


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
    """The heat map's pixels, drawn one to one into a rectangle of the view."""

    def __init__(self, draw: Callable[[Rectangle, float], QImage | None]) -> None:
        super().__init__()
        self._draw = draw
        self._frame: Rectangle = (0.0, 0.0, 1.0, 1.0)

    def set_frame(self, frame: Rectangle) -> None:
        """Left, top, width, height in pixels of the view."""
        if frame != self._frame:
            self.prepareGeometryChange()
            self._frame = frame

    def boundingRect(self) -> QRectF:
        """Its rectangle."""
        return QRectF(*self._frame)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Blit what the back end has drawn, which it keeps until something changes."""
        ratio = painter.device().devicePixelRatio()
        with reported():
            image = self._draw(self._frame, ratio)
            if image is not None:
                image.setDevicePixelRatio(ratio)
                painter.drawImage(QPointF(self._frame[0], self._frame[1]), image)


class FieldContent(Protocol):
    """What a view shows, and what pointer and wheel do to it; the view itself pans and zooms nothing."""

    def still(self, width: float, height: float) -> Picture:
        """The marks that stay while the cursor moves."""

    def moving(self, width: float, height: float) -> Picture:
        """The marks that move with it."""

    def frame(self, width: float, height: float) -> Rectangle:
        """Left, top, width and height of the heat map."""

    def heat_image(self, frame: Rectangle, ratio: float) -> QImage | None:
        """The heat map's pixels, `ratio` of them to a logical pixel."""

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
    """Still marks as a bitmap, the heat map over it, moving marks over both; in pixels of the view."""

    def __init__(self, content: FieldContent, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self._content = content
        self._bitmap: QPixmap | None = None
        self._theme: Theme | None = None
        self.n_frames = 0
        self.n_still_pictures = 0
        self.heat_map = HeatMapItem(content.heat_image)
        self.addItem(self.heat_map)
        self.setMouseTracking(True)
        self.setFrameShape(self.Shape.NoFrame)
        # pyqtgraph keeps the background from frame to frame; here it changes with the encoding.
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

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
        self.heat_map.paint(painter, QStyleOptionGraphicsItem())
        paint_marks(painter, self._content.moving(width, height))
        painter.end()
        return image

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        """The still marks."""
        if self._theme is None:
            return
        painter.resetTransform()
        with reported():
            painter.drawPixmap(0, 0, self._still_bitmap())

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        """The moving marks."""
        if self._theme is None:
            return
        painter.resetTransform()
        with reported():
            paint_marks(painter, self._content.moving(float(self.width()), float(self.height())))
        self.n_frames += 1

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Scene coordinates are pixels of the view."""
        super().resizeEvent(event)
        if event is not None:
            self.redraw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pass it on."""
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

    def _paint_ground(self, painter: QPainter) -> None:
        if self._theme is not None:
            painter.fillRect(QRectF(0, 0, self.width(), self.height()), self._theme.panel)

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
