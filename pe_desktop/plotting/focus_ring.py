"""The ring that shows where the keyboard is."""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from pe_desktop.plotting.theme import Theme

# Coming by these, the focus is shown; a press of the mouse shows by itself where it is.
KEYBOARD_REASONS: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)

RING_WIDTH: Final = 2.0
_RADIUS: Final = 4.0


def paint_focus_ring(painter: QPainter, width: float, height: float, theme: Theme) -> None:
    """A ring along the edge of a plot of width x height pixels, beside the first letters of its labels, not on them.

    It stands inside, because a widget can't paint around itself.
    """
    edge = RING_WIDTH / 2
    painter.setPen(QPen(theme.focus, RING_WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(0.0, 0.0, width, height).adjusted(edge, edge, -edge, -edge), _RADIUS, _RADIUS)
