"""A field for one number, which keeps what is typed until it is taken or given up, and one for a range of values."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from pe_desktop.core.cursor import Span
from pe_desktop.draw import number_text
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.layouts import filled

_FIELD_WIDTH = 96


class RangeField(QWidget):
    """Announces a word or what was typed; the field is empty while a word is chosen."""

    submitted = Signal(str)

    def __init__(self, name: str, choices: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.segments = Segments(choices, name)
        self.segments.chosen.connect(self._on_chosen)
        self.field = NumberField(f"{name}: from and to")
        self.field.setPlaceholderText("4..12 or 8")
        self.field.setFixedWidth(_FIELD_WIDTH)
        self.field.submitted.connect(self.submitted)
        filled(QHBoxLayout(self), self.segments, self.field, margins=(0, 0, 0, 0), spacing=8)

    def show_value(self, value: Span | str) -> None:
        """Show the word that is chosen, or the numbers that were typed."""
        is_typed = isinstance(value, Span)
        self.segments.show_choice("" if is_typed else str(value))
        ends = (value.first, value.last) if isinstance(value, Span) else ()
        self.field.show_value("..".join(map(number_text.exact, ends)))

    def show_taken(self) -> None:
        """What was typed or chosen counts now."""
        self.field.show_taken()

    def show_refused(self) -> None:
        """What was typed was not taken: it stays, marked."""
        self.field.show_refused()

    def _on_chosen(self, choice: str) -> None:
        # What was typed and not taken makes way.
        self.field.show_taken()
        self.submitted.emit(choice)


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
    """Shows a value; typing and Enter (or leaving the field) submits the text, Escape brings the value back.

    The press that brings the focus selects all, as a double click does; a press after that puts the caret. What is
    taken, and Escape, clear the focus, which the window then gives to a plot; in dialogs and popups it stays.
    """

    submitted = Signal(str)
    given_up = Signal()
    # The focus went elsewhere, not only to a menu or another window.
    left = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self._is_entered = False
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(name)
        self.setMaxLength(40)
        self.returnPressed.connect(self._on_return)

    @property
    def is_refused(self) -> bool:
        """Whether what stands in the field was not taken."""
        return self.property("refused") is True

    def show_value(self, text: str) -> None:
        """Show the value that counts, unless somebody is typing another one; what was refused goes with the old one."""
        is_other, self._shown = text != self._shown, text
        if self.is_refused:
            if is_other:
                self._give_up()
        elif not (self.hasFocus() and self.isModified()):
            self.setText(text)
            if not self.hasFocus():
                # Of more digits than there is room for the first are seen.
                self.setCursorPosition(0)

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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_entered = event.reason() == Qt.FocusReason.MouseFocusReason

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() == Qt.FocusReason.PopupFocusReason:
            return
        if self.isModified():
            self._submit()
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.left.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._is_entered and not self.hasSelectedText():
            self.selectAll()
        self._is_entered = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # Qt's would take the digits between two thin spaces for a word.
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.is_refused or self._gives_focus_back):
            self._give_up()
            self._give_focus_back()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # It has been dealt with: whatever the field stands in must not take it for its own.
            event.accept()

    def _on_return(self) -> None:
        self._submit()
        if self.is_refused:
            self.selectAll()
        else:
            self._give_focus_back()

    def _submit(self) -> None:
        self.setModified(False)
        if self.text() == self._shown:
            self._give_up()
        else:
            self.submitted.emit(self.text())

    def _give_up(self) -> None:
        self.show_taken()
        self.given_up.emit()

    @property
    def _gives_focus_back(self) -> bool:
        """Whether the field stands among plots: in the main window or a dock that floats."""
        return self.window().windowType() in (Qt.WindowType.Window, Qt.WindowType.Tool)

    def _give_focus_back(self) -> None:
        if self._gives_focus_back:
            self.clearFocus()
        else:
            self.selectAll()

    def _mark(self, *, is_refused: bool) -> None:
        if self.is_refused != is_refused:
            self.setProperty("refused", is_refused)
            self.style().unpolish(self)
            self.style().polish(self)
