"""A canvas with a heat map between its still marks and its moving ones."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.typefaces import text_font
from pe_desktop.heat.heatmap import Coarseness
from pe_desktop.heat.raster import RasterPainter
from pe_desktop.heat.renderer import Renderer

if TYPE_CHECKING:
    from pe_desktop.heat.gl_painter import HeatView

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
        self.heat_painter: RasterPainter | HeatView = self.raster
        self._renderer: Renderer | None = None
        # The view that paints the frames once OpenGL has been chosen.
        self.view: HeatView | None = None
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
        if self.n_frames == 1:
            QTimer.singleShot(AFTER_FRAME_MS, self._show_map)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.view is not None:
            self.view.setGeometry(self.rect())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.raster.rest()

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
        from pe_desktop.heat.gl_painter import HeatView  # noqa: PLC0415 - only OpenGL needs it

        self.heat_painter = self.view = HeatView(self, self._renderer, self.raster)
        self.view.setGeometry(self.rect())
        self.view.lower()
        self.view.show()
