"""Pens and plain lines: alike on every device."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from pe_desktop.draw import marks

# PySide converts a member of an enumeration by a function of Python, so these are made once.
NO_PEN: Final = QPen(Qt.PenStyle.NoPen)
NO_BRUSH: Final = QBrush(Qt.BrushStyle.NoBrush)


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


def paint_polyline(painter: QPainter, mark: marks.Polyline) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    painter.drawPolyline(polygon(mark.points))


def paint_segments(painter: QPainter, mark: marks.Segments) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    draw_lines(painter, mark.ends.tolist())


def draw_lines(painter: QPainter, lines: list[list[float]]) -> None:
    if len(lines) == 1:
        painter.drawLine(QLineF(*lines[0]))
    else:
        painter.drawLines([QLineF(*line) for line in lines])


def paint_dots(painter: QPainter, mark: marks.Dots) -> None:
    painter.setPen(line_pen(mark.outline, mark.outline_width) if mark.outline is not None else NO_PEN)
    painter.setBrush(mark.fill)
    for x, y in mark.centers.tolist():
        painter.drawEllipse(QPointF(x, y), mark.radius, mark.radius)
