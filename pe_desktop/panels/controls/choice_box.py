"""A box of choices that neither the passing wheel nor a plain key of the window changes."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleEvent, QKeyEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QWidget

from pe_desktop.draw.spoken import Spoken
from pe_desktop.panels.controls.popups import round_off


class ChoiceBox(Spoken, QComboBox):
    """Opens with a press, Alt+Down or F4; the arrows choose. A press leaves the focus where it was."""

    accessible_role = QAccessible.Role.ComboBox

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_rounded = False
        # The usual delegate knows no style sheet.
        self.setItemDelegate(QStyledItemDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.currentIndexChanged.connect(self.tell_change)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Qt has told of its name when the first entry came, before it had one.
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        if not self._is_rounded:
            self._is_rounded = True
            round_off(self.view().window())
        super().showPopup()

    def accessible_value(self) -> str:
        return self.currentText()

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return {QAccessibleActionInterface.showMenuAction(): self.showPopup}

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
