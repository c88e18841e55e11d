"""Marks as an image, for a view whose own painter would draw them in another way."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter


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
