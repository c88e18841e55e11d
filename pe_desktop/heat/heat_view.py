"""The pyqtgraph view that paints the frames of a HeatCanvas; its viewport may be an OpenGL widget."""

import contextlib
import sys
from collections.abc import Iterator

import pyqtgraph
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from pe_desktop.heat.heat_canvas import HeatCanvas


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    """Give an error to the program's hook and go on.

    An exception that leaves a method which QGraphicsView calls while it paints ends the process (PySide6 6.11).
    """
    try:
        yield
    except Exception:  # noqa: BLE001 - whatever it is, the hook is told
        sys.excepthook(*sys.exc_info())


class _HeatItem(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """The heat map, wherever in the view the scene has it."""

    def __init__(self, canvas: HeatCanvas) -> None:
        super().__init__()
        self._canvas = canvas

    def boundingRect(self) -> QRectF:
        return QRectF(self._canvas.rect())

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        with _reported():
            self._canvas.paint_map(painter)


class HeatView(pyqtgraph.GraphicsView):  # type: ignore[misc]
    """Covers its canvas; in pixels of the canvas, without a mouse or a focus of its own."""

    def __init__(self, canvas: HeatCanvas) -> None:
        super().__init__(canvas, useOpenGL=False, background=None)
        self._canvas = canvas
        self._overlay = QImage()
        self._coarseness = canvas.coarseness
        self._item = _HeatItem(canvas)
        self.addItem(self._item)
        self.setFrameShape(self.Shape.NoFrame)
        # Each frame covers it: nothing need be drawn under it.
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
            self._item.prepareGeometryChange()

    def paintEvent(self, event: QPaintEvent) -> None:
        with _reported():
            self._coarseness = self._canvas.coarseness
            self._canvas.begin_frame()
            super().paintEvent(event)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        painter.resetTransform()
        with _reported():
            self._canvas.paint_still(painter)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        painter.resetTransform()
        with _reported():
            if isinstance(self.viewport(), QOpenGLWidget):
                # OpenGL's own lines and letters would look otherwise.
                painter.drawImage(0, 0, self._painted_overlay())
            else:
                self._canvas.paint_moving(painter, self._coarseness)
        self._canvas.n_frames += 1

    def _painted_overlay(self) -> QImage:
        """The moving marks on a clear image of the view's size, which is kept as long as the size is."""
        ratio = self.devicePixelRatioF()
        size_px = (self.size().toSizeF() * ratio).toSize()
        if self._overlay.size() != size_px:
            self._overlay = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
        self._overlay.setDevicePixelRatio(ratio)
        self._overlay.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._overlay)
        try:
            self._canvas.paint_moving(painter, self._coarseness)
        finally:
            painter.end()
        return self._overlay
