"""The heat map's back end without a graphics card: a first picture at once, the exact one when the view rests."""

from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal
from PySide6.QtGui import QImage, QPainter

from pe_desktop.plotting.heat_scene import HeatScene, Rectangle
from pe_desktop.plotting.heatmap import Coarseness, HeatMap

# So long after the last change a view counts as resting: longer than from one turn of the wheel to the next.
REST_MS: Final = 80


class RasterPainter(QObject):
    """Draws the images of a HeatMap pixel by pixel, and refines a coarse one slice by slice on the window's own thread.

    Between two slices events are handled, so that a change drops what was begun. Without a thread no result can arrive
    late: the refinement belongs to the picture that is shown.
    """

    refined = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.heat_map = HeatMap()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def coarseness(self) -> Coarseness | None:
        """What is left out of what is shown, while that is coarse; None when it's exact."""
        return self.heat_map.coarseness

    @property
    def is_refining(self) -> bool:
        """Whether a better picture is on its way."""
        return self._timer.isActive()

    def paint(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
        """Fill the frame at once; a picture that is coarse is refined when there has been no other for REST_MS."""
        n_pictures = self.heat_map.n_pictures
        image = self.heat_map.first_image(scene.field, scene.view, _size_px(frame, ratio), scene.colors)
        if self.heat_map.coarseness is None:
            self._timer.stop()
        elif self.heat_map.n_pictures != n_pictures or not self._timer.isActive():
            self._timer.start(REST_MS)
        _blit(painter, image, scene, frame, ratio)

    def paint_exact(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
        """Fill the frame with the exact picture, however long it takes."""
        image = self.heat_map.image(scene.field, scene.view, _size_px(frame, ratio), scene.colors)
        _blit(painter, image, scene, frame, ratio)

    def rest(self) -> None:
        """Refine nothing until something is painted again."""
        self._timer.stop()

    def _on_timeout(self) -> None:
        if self.heat_map.refine():
            self.refined.emit()
        else:
            self._timer.start(0)


def _size_px(frame: Rectangle, ratio: float) -> tuple[int, int]:
    return round(frame[2] * ratio), round(frame[3] * ratio)


def _blit(painter: QPainter, image: QImage, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
    if image.hasAlphaChannel():
        painter.fillRect(QRectF(*frame), scene.ground)
    image.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF(frame[0], frame[1]), image)
