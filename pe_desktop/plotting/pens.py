"""The pens of lines, and polygons out of arrays."""

from functools import lru_cache
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen, QPolygonF

from pe_desktop.plotting import marks


def polygon(points: marks.Points) -> QPolygonF:
    """A Qt polygon of points, shape (n, 2), copied in one stroke instead of point by point."""
    shape = QPolygonF()
    shape.resize(len(points))
    if len(points):
        address: Any = shape.data()
        memory: Any = shiboken6.VoidPtr(address, len(points) * 16, True)  # type: ignore[call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return shape


def line_pen(color: QColor, width: float, dash: tuple[float, ...] = (), *, has_square_ends: bool = False) -> QPen:
    """The pen of a line: round joints, round ends, flat ones where it is dashed."""
    return _kept_pen(color.rgba(), width, dash, has_square_ends)


@lru_cache(maxsize=512)
def _kept_pen(rgba: int, width: float, dash: tuple[float, ...], has_square_ends: bool) -> QPen:
    pen = QPen(QColor.fromRgba(rgba), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        # Qt measures dashes in pen widths; a flat end keeps them as long as they are said to be.
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([length / width for length in dash])
    else:
        pen.setCapStyle(Qt.PenCapStyle.SquareCap if has_square_ends else Qt.PenCapStyle.RoundCap)
    return pen
