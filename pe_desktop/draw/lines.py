"""Lines with many bends: their pens, and quick ones that are drawn piece by piece."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from pe_desktop.draw import marks
from pe_desktop.draw.coverage import Placed, line_image
from pe_desktop.draw.layers import drawn_layer, shift_of


def polygon(points: marks.Points) -> QPolygonF:
    """A Qt polygon of points, shape (n, 2), copied at once instead of point by point."""
    shape = QPolygonF()
    shape.resize(len(points))
    if len(points):
        address: Any = shape.data()
        memory: Any = shiboken6.VoidPtr(address, len(points) * 16, True)  # type: ignore[call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return shape


# By words: members of Qt's enumerations are hashed by a function of Python.
_CAPS: Final = {"round": Qt.PenCapStyle.RoundCap, "flat": Qt.PenCapStyle.FlatCap, "square": Qt.PenCapStyle.SquareCap}


def line_pen(color: QColor, width: float, dash: tuple[float, ...] = (), cap: str = "round") -> QPen:
    """The pen of a line: round joints, and ends as asked for; flat ones where it is dashed."""
    return _kept_pen(color.rgba(), width, dash, cap)


@lru_cache(maxsize=512)
def _kept_pen(rgba: int, width: float, dash: tuple[float, ...], cap: str) -> QPen:
    pen = QPen(QColor.fromRgba(rgba), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    # A flat end adds nothing to a dash; Qt measures dashes in pen widths.
    pen.setCapStyle(_CAPS["flat" if dash else cap])
    if dash:
        pen.setDashPattern([length / width for length in dash])
    return pen


# The raster engine strokes a line with many bends up to a hundred times as slowly as pieces of it with round ends.
_LONG_LINE: Final = 32
_PIECE: Final = 16
# Pixels that the middle of a dash may lie beside a straight line.
_STRAIGHT_DASH: Final = 0.1
_OPAQUE: Final = 255
_FULL_INK: Final = _OPAQUE << 24


def paint_polyline(painter: QPainter, mark: marks.Polyline) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    painter.drawPolyline(polygon(mark.points))


def quick_polyline(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> bool:
    # Lines of one pixel are fast.
    if not pixel_ratio or len(mark.points) <= _LONG_LINE or mark.width * pixel_ratio <= 1.0:
        return False
    made_of = mark.points.tobytes(), mark.color.rgba(), mark.width, mark.dash
    image = _kept_image(*made_of, pixel_ratio)
    if image is not None:
        painter.drawImage(*image)
        return True
    if mark.color.alpha() == _OPAQUE:
        _draw_long_line(painter, mark, mark.color)
        return True
    placed = _kept_layer(*made_of, pixel_ratio, shift_of(painter))
    if placed is None:
        return False
    before = painter.opacity()
    painter.setOpacity(before * mark.color.alphaF())
    painter.drawImage(*placed)
    painter.setOpacity(before)
    return True


# A line that is drawn again, by whatever mark, has its image at once: some waves of a changed encoding stay as they
# are, and so does row t of a long table.
@lru_cache(maxsize=8)
def _kept_image(points: bytes, rgba: int, width: float, dash: tuple[float, ...], pixel_ratio: float) -> Placed | None:
    return line_image(_line_of(points, rgba, width, dash), pixel_ratio)


@lru_cache(maxsize=4)
def _kept_layer(
    points: bytes,
    rgba: int,
    width: float,
    dash: tuple[float, ...],
    pixel_ratio: float,
    shift: tuple[float, float],
) -> Placed | None:
    """Pieces overlap: a translucent line is drawn in full ink on a layer of its own; None for too large a one."""
    mark = _line_of(points, rgba | _FULL_INK, width, dash)
    return drawn_layer(
        mark.points, width, pixel_ratio, shift, lambda painter: _draw_long_line(painter, mark, mark.color)
    )


def _line_of(points: bytes, rgba: int, width: float, dash: tuple[float, ...]) -> marks.Polyline:
    return marks.Polyline(np.frombuffer(points).reshape(-1, 2), QColor.fromRgba(rgba), width, dash)


def _draw_long_line(painter: QPainter, mark: marks.Polyline, ink: QColor) -> None:
    if mark.dash:
        _draw_dashes(painter, mark, ink)
        return
    painter.setPen(line_pen(ink, mark.width))
    line = polygon(mark.points)
    for start in range(0, len(mark.points) - 1, _PIECE):
        painter.drawPolyline(line.mid(start, _PIECE + 1))


def _draw_dashes(painter: QPainter, mark: marks.Polyline, ink: QColor) -> None:
    """Straight dashes as lines with flat ends, which Qt fills fast; bent ones as lines of their own."""
    points, steps = mark.points, np.diff(mark.points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    ends = np.concatenate(([0.0], np.cumsum(lengths)))
    edges = np.concatenate(([0.0], np.cumsum(mark.dash)))
    begins = np.arange(0.0, ends[-1], edges[-1])
    starts = np.concatenate([begins + edge for edge in edges[:-1:2]])
    stops = np.minimum(np.concatenate([begins + edge for edge in edges[1::2]]), ends[-1])
    x0, x1 = (np.interp(places, ends, points[:, 0]) for places in (starts, stops))
    y0, y1 = (np.interp(places, ends, points[:, 1]) for places in (starts, stops))
    # A bend by h in the middle of a dash of length l makes it longer by 8 h^2 / 3 l.
    longer = stops - starts - np.hypot(x1 - x0, y1 - y0)
    is_straight = longer * (stops - starts) * 3 / 8 < _STRAIGHT_DASH**2
    painter.setPen(line_pen(ink, mark.width, cap="flat"))
    lines = np.column_stack((x0, y0, x1, y1))
    painter.drawLines([QLineF(*line) for line in lines[is_straight & (starts < stops)].tolist()])
    first, last = np.searchsorted(ends, starts, side="right"), np.searchsorted(ends, stops, side="left")
    for dash in np.flatnonzero(~is_straight).tolist():
        inner = points[first[dash] : last[dash]]
        painter.drawPolyline(polygon(np.concatenate((lines[dash, np.newaxis, :2], inner, lines[dash, np.newaxis, 2:]))))
