"""Lines with many bends: their pens, and quick ones that are drawn piece by piece."""

from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from pe_desktop.draw import marks
from pe_desktop.draw.coverage import line_image
from pe_desktop.draw.dashes import dash_image, dashes_of


def polygon(points: marks.Points) -> QPolygonF:
    """A Qt polygon of points, shape (n, 2), copied in one stroke instead of point by point."""
    shape = QPolygonF()
    shape.resize(len(points))
    if len(points):
        address: Any = shape.data()
        memory: Any = shiboken6.VoidPtr(address, len(points) * 16, True)  # type: ignore[call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return shape


def line_pen(
    color: QColor, width: float, dash: tuple[float, ...] = (), cap: Qt.PenCapStyle = Qt.PenCapStyle.RoundCap
) -> QPen:
    """The pen of a line: round joints, and round ends if no others are asked for; flat ones where it is dashed."""
    return _kept_pen(color.rgba(), width, dash, Qt.PenCapStyle.FlatCap if dash else cap)


@lru_cache(maxsize=512)
def _kept_pen(rgba: int, width: float, dash: tuple[float, ...], cap: Qt.PenCapStyle) -> QPen:
    pen = QPen(QColor.fromRgba(rgba), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    # A flat end keeps dashes as long as they are said to be; Qt measures them in pen widths.
    pen.setCapStyle(cap)
    if dash:
        pen.setDashPattern([length / width for length in dash])
    return pen


# The raster engine strokes a line with many bends up to a hundred times as slowly as pieces of it with round ends.
_LONG_LINE: Final = 32
_PIECE: Final = 16
_OPAQUE: Final = 255
# Pixels of a layer that a translucent line is drawn on.
_LARGEST_LAYER: Final = 1 << 24


def paint_polyline(painter: QPainter, mark: marks.Polyline) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    painter.drawPolyline(polygon(mark.points))


def quick_polyline(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> bool:
    # Lines of one pixel are fast.
    if not pixel_ratio or len(mark.points) <= _LONG_LINE or mark.width * pixel_ratio <= 1.0:
        return False
    image = None if mark.dash else line_image(mark, pixel_ratio)
    if image is not None:
        painter.drawImage(*image)
        return True
    if mark.color.alpha() != _OPAQUE:
        return _draw_translucent(painter, mark, pixel_ratio)
    _draw_long_line(painter, mark, mark.color, pixel_ratio)
    return True


def _draw_translucent(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> bool:
    """Pieces overlap: a translucent line is drawn in full ink on a layer of its own; False for too large a one."""
    shift = painter.worldTransform()
    moved = np.array([shift.dx(), shift.dy()])
    low = np.floor((mark.points.min(axis=0) + moved - mark.width) * pixel_ratio)
    high = np.ceil((mark.points.max(axis=0) + moved + mark.width) * pixel_ratio)
    width, height = (high - low).tolist()
    if not width * height <= _LARGEST_LAYER:
        return False
    layer = QImage(int(width), int(height), QImage.Format.Format_ARGB32_Premultiplied)
    layer.setDevicePixelRatio(pixel_ratio)
    layer.fill(0)
    corner = QPointF(*(low / pixel_ratio - moved).tolist())
    ink = QColor(mark.color)
    ink.setAlpha(_OPAQUE)
    with QPainter(layer) as inner:
        inner.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner.translate(-corner)
        _draw_long_line(inner, mark, ink, pixel_ratio)
    before = painter.opacity()
    painter.setOpacity(before * mark.color.alphaF())
    painter.drawImage(corner, layer)
    painter.setOpacity(before)
    return True


def _draw_long_line(painter: QPainter, mark: marks.Polyline, ink: QColor, pixel_ratio: float) -> None:
    if mark.dash:
        _draw_dashes(painter, mark, ink, pixel_ratio)
        return
    painter.setPen(line_pen(ink, mark.width))
    line = polygon(mark.points)
    for start in range(0, len(mark.points) - 1, _PIECE):
        painter.drawPolyline(line.mid(start, _PIECE + 1))


def _draw_dashes(painter: QPainter, mark: marks.Polyline, ink: QColor, pixel_ratio: float) -> None:
    """Short straight dashes as an image, long ones as lines with flat ends; bent ones as lines of their own."""
    dashes = dashes_of(mark.points, mark.dash)
    tails, heads = dashes.ends()
    is_bent = dashes.are_bent(tails, heads)
    painter.setPen(line_pen(ink, mark.width, cap=Qt.PenCapStyle.FlatCap))
    image = dash_image(tails[~is_bent], heads[~is_bent], mark.width, ink, pixel_ratio)
    if image is not None:
        painter.drawImage(*image)
    else:
        lines = np.column_stack((tails, heads))[~is_bent]
        painter.drawLines([QLineF(*line) for line in lines.tolist()])
    points, edges = dashes.bent_lines(np.flatnonzero(is_bent))
    line = polygon(points)
    for start, stop in pairwise(edges):
        painter.drawPolyline(line.mid(start, stop - start))
