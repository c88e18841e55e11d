"""The pyqtgraph view that paints the frames of a canvas where OpenGL draws: its viewport is an OpenGL widget."""

from collections.abc import Callable

import pyqtgraph
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from pe_desktop.draw.canvas import Canvas


def _attempt(canvas: Canvas, step: Callable[..., object], *arguments: object) -> None:
    """Run a step of a frame, unless an earlier one has failed.

    An exception that leaves a method which QGraphicsView calls while it paints ends the process (PySide6 6.11).
    """
    try:
        if not canvas.has_failed:
            step(*arguments)
    except Exception:  # noqa: BLE001 - any error; the canvas gives it to the hook
        canvas.note_failure()


class _HeatItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """The heat map, at the area that the scene gives."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._frame = QRectF(canvas.rect())

    def follow_canvas(self) -> None:
        """Be as large as the canvas, which Qt asks for several times a frame."""
        self.prepareGeometryChange()
        self._frame = QRectF(self._canvas.rect())

    def boundingRect(self) -> QRectF:
        return self._frame

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        _attempt(self._canvas, self._canvas.paint_map, painter)


class HeatView(pyqtgraph.GraphicsView):  # type: ignore[misc]
    """A view that covers its canvas, in pixels of the canvas, and takes no mouse and no focus."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, useOpenGL=False, background=None)
        self._canvas = canvas
        self._overlay = QImage()
        self._item = _HeatItem(canvas)
        self.addItem(self._item)
        self.setFrameShape(self.Shape.NoFrame)
        # Each frame covers it, so no background is needed under it.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        # pyqtgraph keeps the background from frame to frame; here it changes with the encoding.
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this with None while the view is being made.
        if event is not None:
            self._item.follow_canvas()

    def paintEvent(self, event: QPaintEvent) -> None:
        _attempt(self._canvas, self._canvas.begin_frame)
        super().paintEvent(event)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        painter.resetTransform()
        _attempt(self._canvas, self._canvas.paint_still, painter)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        painter.resetTransform()
        _attempt(self._canvas, self._paint_moving, painter)
        if self._canvas.has_failed:
            self._canvas.paint_failure(painter)
        self._canvas.end_frame()

    def _paint_moving(self, painter: QPainter) -> None:
        if isinstance(self.viewport(), QOpenGLWidget):
            # OpenGL's own lines and letters look different.
            painter.drawImage(0, 0, self._painted_overlay())
        else:
            self._canvas.paint_moving(painter)

    def _painted_overlay(self) -> QImage:
        """The moving marks on a clear image of the view's size, which is kept as long as the size is."""
        ratio = self.devicePixelRatioF()
        size_px = (self.size().toSizeF() * ratio).toSize()
        if self._overlay.size() != size_px:
            self._overlay = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
        self._overlay.setDevicePixelRatio(ratio)
        self._overlay.fill(Qt.GlobalColor.transparent)
        with QPainter(self._overlay) as painter:
            self._canvas.paint_moving(painter)
        return self._overlay
