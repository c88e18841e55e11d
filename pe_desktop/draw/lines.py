"""Pens, polygons and separate lines of a QPainter."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, Qt
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


def draw_lines(painter: QPainter, lines: list[list[float]]) -> None:
    """Draw separate lines, x1, y1, x2, y2 of each."""
    if len(lines) == 1:
        painter.drawLine(QLineF(*lines[0]))
    else:
        painter.drawLines([QLineF(*line) for line in lines])
