"""The pyqtgraph view that paints the frames of a canvas where OpenGL draws: its viewport is an OpenGL widget."""

from collections.abc import Callable

import pyqtgraph
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from pe_desktop.draw.canvas import Canvas


class HeatView(pyqtgraph.GraphicsView):  # type: ignore[misc]
    """A view that covers its canvas, in pixels of the canvas, and takes no mouse and no focus."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, useOpenGL=False, background=None)
        self._canvas = canvas
        self._overlay = QImage()
        self.setFrameShape(self.Shape.NoFrame)
        # Each frame covers it, so no background is needed under it.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        # pyqtgraph keeps the background from frame to frame; here it changes with the encoding.
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._attempt(self._canvas.begin_frame)
        super().paintEvent(event)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        painter.resetTransform()
        self._attempt(self._canvas.paint_still, painter)
        self._attempt(self._canvas.paint_map, painter)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:  # noqa: N802 - Qt's name
        painter.resetTransform()
        self._attempt(self._paint_moving, painter)
        if self._canvas.has_failed:
            self._canvas.paint_failure(painter)
        self._canvas.end_frame()

    def _attempt(self, step: Callable[..., object], *arguments: object) -> None:
        """Run a step of a frame, unless an earlier one has failed.

        An exception that leaves a method which QGraphicsView calls while it paints ends the process (PySide6 6.11).
        """
        try:
            if not self._canvas.has_failed:
                step(*arguments)
        except Exception:  # noqa: BLE001 - any error; the canvas gives it to the hook
            self._canvas.note_failure()

    def _paint_moving(self, painter: QPainter) -> None:
        """The moving marks; on a clear image first where OpenGL draws, whose own lines and letters look different."""
        if not isinstance(self.viewport(), QOpenGLWidget):
            self._canvas.paint_moving(painter)
            return
        ratio = self.devicePixelRatioF()
        size_px = (self.size().toSizeF() * ratio).toSize()
        if self._overlay.size() != size_px:
            self._overlay = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
        self._overlay.setDevicePixelRatio(ratio)
        self._overlay.fill(Qt.GlobalColor.transparent)
        with QPainter(self._overlay) as over:
            self._canvas.paint_moving(over)
        painter.drawImage(0, 0, self._overlay)
