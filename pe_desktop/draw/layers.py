"""Transparent layers for marks: slow ones are drawn once, overlapping ones are blended once."""

from collections.abc import Callable
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from pe_desktop.draw.coverage import Placed
from pe_desktop.draw.marks import Points

# Pixels of a layer.
_LARGEST: Final = 1 << 24


def shift_of(painter: QPainter) -> tuple[float, float]:
    """How far a painter that doesn't scale moves what it draws."""
    moves = painter.worldTransform()
    return moves.dx(), moves.dy()


def drawn_layer(
    points: Points, reach: float, pixel_ratio: float, shift: tuple[float, float], draw: Callable[[QPainter], None]
) -> Placed | None:
    """What `draw` draws within a reach of points, on whole pixels of a moved device; None for too large a layer."""
    low = np.floor((points.min(axis=0) + shift - reach) * pixel_ratio)
    high = np.ceil((points.max(axis=0) + shift + reach) * pixel_ratio)
    width, height = (high - low).tolist()
    if not width * height <= _LARGEST:
        return None
    layer = QImage(int(width), int(height), QImage.Format.Format_ARGB32_Premultiplied)
    layer.setDevicePixelRatio(pixel_ratio)
    layer.fill(0)
    corner = QPointF(*(low / pixel_ratio - shift).tolist())
    with QPainter(layer) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-corner)
        draw(painter)
    return corner, layer
