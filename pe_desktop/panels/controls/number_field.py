"""A field for one number: what is typed stays until it is taken or given up."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

# What Ctrl means in a field. All other keys with Ctrl are the window's, though on X11 Ctrl+E ends the line.
_EDITING = (
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.Undo,
    QKeySequence.StandardKey.Redo,
    QKeySequence.StandardKey.SelectAll,
)


class NumberField(QLineEdit):
    """Shows a value; typing and Enter (or leaving the field) submits the text, Escape brings the value back."""

    submitted = Signal(str)
    given_up = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(name)
        self.setMaxLength(40)
        self.returnPressed.connect(self._on_return)

    @property
    def is_refused(self) -> bool:
        """Whether what stands in the field was not taken."""
        return self.property("refused") is True

    def show_value(self, text: str) -> None:
        """Show the value that counts, unless somebody is typing another one."""
        self._shown = text
        if not (self.hasFocus() and self.isModified()) and not self.is_refused:
            self.setText(text)

    def show_taken(self) -> None:
        """What was typed is the value now."""
        self._mark(is_refused=False)
        self.setModified(False)
        self.setText(self._shown)

    def show_refused(self) -> None:
        """What was typed was not taken: it stays, marked."""
        self._mark(is_refused=True)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if has_control and not any(event.matches(key) for key in _EDITING):
                event.ignore()
                return False
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.isModified() and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._submit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.is_refused):
            self.show_taken()
            self.given_up.emit()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # It has been dealt with: whatever the field stands in must not take it for its own.
            event.accept()

    def _on_return(self) -> None:
        self._submit()
        self.selectAll()

    def _submit(self) -> None:
        self.setModified(False)
        if self.text() == self._shown:
            self.show_taken()
            self.given_up.emit()
        else:
            self.submitted.emit(self.text())

    def _mark(self, *, is_refused: bool) -> None:
        if self.is_refused != is_refused:
            self.setProperty("refused", is_refused)
            self.style().unpolish(self)
            self.style().polish(self)
