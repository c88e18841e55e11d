"""A canvas with a heat map between its still marks and its moving ones."""

from collections.abc import Callable
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.record import kept
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.typefaces import text_font
from pe_desktop.heat.heatmap import Coarseness
from pe_desktop.heat.raster import RasterPainter
from pe_desktop.heat.renderer import Renderer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsView

    from pe_desktop.heat.gl_painter import OpenGLPainter

# Long enough for a frame to reach the screen, too short to be noticed.
AFTER_FRAME_MS: Final = 10
_WAITING: Final = "drawing…"


class HeatCanvas(Canvas):
    """Shows the heat layer of its scene after the first frame, which has none.

    Where OpenGL draws, a HeatView of pyqtgraph covers the canvas and paints its frames; mouse, focus and screen readers
    see the canvas.
    """

    def __init__(self, compose: Callable[[Box], Scene], parent: QWidget | None = None) -> None:
        super().__init__(compose, parent)
        self.raster = RasterPainter(self)
        self.raster.refined.connect(self.update)
        # The back end.
        self.heat_painter: RasterPainter | OpenGLPainter = self.raster
        self._renderer: Renderer | None = None
        # The view that paints the frames once OpenGL has been chosen.
        self.view: QGraphicsView | None = None
        self._is_waiting = False
        # Whether frames have the map, which the first one does not wait for.
        self._has_map = False
        self._shows_map = False

    @property
    def coarseness(self) -> Coarseness | None:
        return self.heat_painter.coarseness

    @property
    def is_exact(self) -> bool:
        """Whether the map on show, if the scene has one, is the exact one."""
        return self._shows_map and self.coarseness is None

    def use_renderer(self, renderer: Renderer) -> None:
        """Draw with the back end that it chooses; it is asked when the map is first shown."""
        self._renderer = renderer
        # Queued, as a viewport is exchanged: not while it is painted on.
        renderer.changed.connect(self._follow_renderer, Qt.ConnectionType.QueuedConnection)

    @property
    def painted(self) -> QWidget:
        return self if self.view is None else self.view.viewport()

    def paint_still(self, painter: QPainter) -> None:
        # Around the map alone.
        scene = self._scene
        still = self._still_bitmap(scene)
        area = Area(0.0, 0.0, 0.0, 0.0) if scene.heat is None or not self._has_map else scene.heat.area
        size = (ceil(side / self.zoom) for side in (self.width(), self.height()))
        for strip, source in _around(area, *size, self.devicePixelRatioF() * self.zoom):
            if still is None:
                painter.setBackground(self.theme.panel)
                painter.eraseRect(strip)
            else:
                painter.drawPixmap(strip, still, source)

    def paint_map(self, painter: QPainter) -> None:
        # Exact or coarse, as the back end has it or can make it within a frame.
        layer = self._scene.heat
        if layer is not None and self._has_map:
            self.heat_painter.paint(painter, layer, self.devicePixelRatioF() * self.zoom)
        elif layer is not None:
            painter.setFont(text_font("caption"))
            painter.setPen(self.theme.text3)
            painter.drawText(QRectF(*layer.area), Qt.AlignmentFlag.AlignCenter, _WAITING)
        self._shows_map = self._has_map

    def paint_moving(self, painter: QPainter) -> None:
        # Composed again if the map is not as coarse as it was when the frame began.
        if self._scene_box is not None and self._scene_box.coarseness != self.coarseness:
            self.begin_frame()
        super().paint_moving(painter)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.view is not None:
            return
        super().paintEvent(event)
        if not self._is_waiting and self.n_frames:
            self._is_waiting = True
            QTimer.singleShot(AFTER_FRAME_MS, self._show_map)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.view is not None:
            self.view.setGeometry(self.rect())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.heat_painter.rest()

    def _show_map(self) -> None:
        self._has_map = True
        if self._renderer is not None:
            self._renderer.decide()
            self._follow_renderer()
        self.update()

    def _follow_renderer(self) -> None:
        """Make the view for OpenGL where it is chosen; the view stays when another choice follows."""
        if self._renderer is None or not self._renderer.is_opengl or not self._has_map or self.view is not None:
            return
        # With pyqtgraph, which takes as long as all the rest.
        from pe_desktop.heat.gl_painter import HeatView, OpenGLPainter  # noqa: PLC0415 - only OpenGL needs it

        view = HeatView(self)
        view.setGeometry(self.rect())
        view.lower()
        self.heat_painter = OpenGLPainter(view, self._renderer, self.raster)
        self.view = view
        view.show()


@kept
def _around(area: Area, width: int, height: int, ratio: float) -> list[tuple[QRect, QRect]]:
    """The parts of a canvas around an area, as strips in logical pixels and in pixels of its bitmap."""
    # An edge inside a pixel may be drawn on either side of it.
    left, top = (edge if edge == int(edge) else ceil(edge) + 1 for edge in (area.x, area.y))
    right, bottom = (edge if edge == int(edge) else floor(edge) - 1 for edge in (area.right, area.bottom))
    if ratio != int(ratio) or left >= right or top >= bottom:
        # Strips would begin inside a pixel of the device.
        left = top = right = bottom = 0
    sides = ((0, 0, width, top), (0, top, left, bottom), (right, top, width, bottom), (0, bottom, width, height))
    strips = [QRect(int(x0), int(y0), int(x1 - x0), int(y1 - y0)) for x0, y0, x1, y1 in sides if x0 < x1 and y0 < y1]
    return [(strip, QRect(strip.topLeft() * ratio, strip.size() * ratio)) for strip in strips]
