"""The tooltip of an entry of a list, which covers no entry below it."""

from typing import Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

_GAP: Final = 4
# Of an entry that is higher, what lies above the pointer is covered.
_HIGHEST: Final = 48


def show_above(entry: QRect, words: str, event: QHelpEvent, widget: QWidget) -> None:
    """Show words above an entry of a widget while the pointer is over it; at the pointer where there is no room."""
    QToolTip.showText(event.globalPos(), words, widget, entry)
    below = event.y() - entry.top()
    bottom = event.globalPos().y() - (below if below <= _HIGHEST else 0) - _GAP
    for tip in QApplication.topLevelWidgets():
        if tip.inherits("QTipLabel") and bottom - tip.height() >= widget.screen().availableGeometry().top():
            tip.move(tip.x(), bottom - tip.height())
