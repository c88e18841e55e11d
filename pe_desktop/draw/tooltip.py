"""The tooltip of an entry of a list, which covers no entry below it."""

from textwrap import fill
from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

_GAP: Final = 4
# Of an entry that is higher, what lies above the pointer is covered.
_HIGHEST: Final = 48
# Of a line of words beside a list.
_LETTERS: Final = 44


def show_above(entry: QRect, words: str, event: QHelpEvent, widget: QWidget, *, beside: int | None = None) -> None:
    """Show words above an entry of a widget while the pointer is over it; at the pointer where there is no room.

    beside: from this place across the screen on, in lines, where they have room there.
    """
    QToolTip.showText(event.globalPos(), words if beside is None else fill(words, _LETTERS), widget, entry)
    below, room = event.y() - entry.top(), widget.screen().availableGeometry()
    bottom = event.globalPos().y() - (below if below <= _HIGHEST else 0) - _GAP
    for tip in QApplication.topLevelWidgets():
        if tip.inherits("QTipLabel") and beside is not None and beside + _GAP + tip.width() <= room.right():
            tip.move(beside + _GAP, widget.mapToGlobal(entry.topLeft()).y())
        elif tip.inherits("QTipLabel") and bottom - tip.height() >= room.top():
            tip.move(tip.x(), bottom - tip.height())
