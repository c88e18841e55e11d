"""The tooltip of an entry of a list, which covers no entry below it."""

from textwrap import fill
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

_GAP: Final = 4
# Of an entry that is higher, what lies above the pointer is covered.
_HIGHEST: Final = 48
# Of a line of words beside a list.
_LETTERS: Final = 44


def show_above(entry: QRect, words: str, event: QHelpEvent, widget: QWidget) -> None:
    """Show words above an entry of a widget while the pointer is over it; at the pointer where there is no room."""
    QToolTip.showText(event.globalPos(), words, widget, entry)
    below = event.y() - entry.top()
    bottom = event.globalPos().y() - (below if below <= _HIGHEST else 0) - _GAP
    for tip in QApplication.topLevelWidgets():
        if tip.inherits("QTipLabel") and bottom - tip.height() >= widget.screen().availableGeometry().top():
            tip.move(tip.x(), bottom - tip.height())


def show_beside(entry: QRect, words: str, event: QHelpEvent, view: QWidget) -> None:
    """Show words at the right of the window of a list while the pointer is over an entry; above it without room."""
    corner = QPoint(view.window().geometry().right() + _GAP, view.mapToGlobal(entry.topLeft()).y())
    broken = fill(words, _LETTERS)
    show_above(entry, broken, event, view)
    for tip in QApplication.topLevelWidgets():
        if tip.inherits("QTipLabel") and corner.x() + tip.width() <= view.screen().availableGeometry().right():
            tip.move(corner)
