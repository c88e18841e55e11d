"""A box of choices that neither the passing wheel nor a plain key of the window changes."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget


class ChoiceBox(QComboBox):
    """Opens with a press, Alt+Down or F4; the arrows choose. A press leaves the focus where it was."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_entry_tooltip(self, place: int, tooltip: str) -> None:
        """Say what an entry of the open list means."""
        self.setItemData(place, tooltip, Qt.ItemDataRole.ToolTipRole)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)
