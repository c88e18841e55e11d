"""The layer of a heat map, and the back end that draws it without a graphics card."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QPainter

from pe_desktop.core.fields.field import Field
from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area
from pe_desktop.heat.heatmap import Coarseness, Colors, HeatMap, View


@record(eq=False)
class HeatLayer:
    """The heat map of a scene: a field, its visible part, the colours of its levels, and its area.

    ground is the colour of what lies outside the field, area a rectangle in logical pixels of the scene.
    """

    field: Field
    view: View
    colors: Colors
    ground: QColor
    area: Area

    def size_px(self, ratio: float) -> tuple[int, int]:
        """Width and height with ratio device pixels to a logical one."""
        return round(self.area.width * ratio), round(self.area.height * ratio)


# A view rests this long after its last change: longer than from one turn of the wheel to the next.
_REST_MS: Final = 80


class RasterPainter(QObject):
    """Draws the images of a HeatMap pixel by pixel, and refines a coarse one slice by slice on the window's own thread.

    Between two slices events are handled, and a change drops the refinement. Without a thread no result can arrive
    late: the refinement belongs to the picture that is shown.
    """

    refined = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.heat_map = HeatMap()
        # Whether something else is more urgent than a better picture.
        self.must_wait: Callable[[], bool] = lambda: False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        self._wait_ms = _REST_MS

    @property
    def coarseness(self) -> Coarseness | None:
        """What is left out of what is shown, while that is coarse; None when it's exact."""
        return self.heat_map.coarseness

    def paint(self, painter: QPainter, layer: HeatLayer, ratio: float) -> None:
        """Fill the layer's area, ratio device pixels to a logical one: at once, if need be with a coarse picture."""
        n_pictures = self.heat_map.n_pictures
        image = self.heat_map.first_image(layer.field, layer.view, layer.size_px(ratio), layer.colors)
        if self.heat_map.coarseness is None:
            self._timer.stop()
        elif self.heat_map.n_pictures != n_pictures or not self._timer.isActive():
            self._timer.start(self._wait_ms)
        self._wait_ms = _REST_MS
        if image.hasAlphaChannel():
            painter.setBackground(layer.ground)
            painter.eraseRect(QRectF(*layer.area))
        image.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(layer.area.x, layer.area.y), image)

    def rest(self) -> None:
        """Refine nothing, as the canvas is hidden, until something is painted again."""
        self._timer.stop()

    def hurry(self) -> None:
        """Refine the shown picture, or the next one, in the next turns of the loop, before the view rests."""
        if self._timer.isActive():
            self._timer.start(0)
        else:
            self._wait_ms = 0

    def _on_timeout(self) -> None:
        if self.must_wait() or not self.heat_map.refine():
            self._timer.start(0)
        else:
            self.refined.emit()
