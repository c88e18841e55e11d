"""A page that may be taller than its panel."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from pe_desktop.draw.spoken import Spoken
from pe_desktop.panels.controls.buttons import ARROWS


def scrolled(page: QWidget) -> QScrollArea:
    """A frameless area that scrolls a page up and down; the focus is for what the page holds."""
    scroll = _PageArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(page)
    return scroll


class _PageArea(Spoken, QScrollArea):
    """Leaves the arrows, which move t and the pair, to the window; wheel and Page keys scroll."""

    accessible_role = QAccessible.Role.Pane

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # In a dialog it takes the focus itself, and scrolls.
        if event.key() in ARROWS and self.focusPolicy() == Qt.FocusPolicy.NoFocus:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        """Qt would bring what the focus has left into the middle."""
        before, place = self.focusWidget(), self.verticalScrollBar().value()
        has_moved = super().focusNextPrevChild(next)
        if self.focusWidget() is before:
            self.verticalScrollBar().setValue(place)
        return has_moved
