"""A value as a formula that a click turns into a field, and a field for one number."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QColor, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from pe_desktop.draw import marks
from pe_desktop.draw.canvas import ENTER, Canvas
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.told import Told
from pe_desktop.draw.typefaces import badge_half_width, formula_runs, plain_formula, text_width
from pe_desktop.panels.controls.layouts import RefusalLabel, filled, moved_into

# The size of the value, and the one where room is short.
VALUE_PIXELS = 20, 15
_HEIGHT = 54
# Room at both sides for the ring of the focus.
_SIDE = 7
_CAPTION_Y, _VALUE_Y = 13.0, 35.0
_FIELD_TOP, _FIELD_HEIGHT, _LEAST_FIELD = 21, 28, 72
# The padding, the border and the caret of a field.
_FIELD_EXTRA = 24
BADGE_RADIUS = 9.5
_WIDEST_BUBBLE = 380
_BUBBLE_SIDE = 12
# How long a sentence about what was refused stands after its field has been left.
_BUBBLE_MILLISECONDS = 6000


class ValueEdit(Canvas):
    """Shows for instance "t = 37"; click or Enter to type another value in a field with all its digits.

    The field closes with Enter, Escape and when the focus goes elsewhere. Its parent is that of the edit, so that it
    has room over its neighbours.
    """

    accessible_role = QAccessible.Role.Button
    submitted = Signal(str)

    def __init__(self, caption: str, symbol: str, tooltip: str, parent: QWidget) -> None:
        super().__init__(self._scene_in, parent)
        self._caption = caption
        self._symbol = symbol
        self._text, self._digits = "", ""
        self._pixels = VALUE_PIXELS[0]
        self.badge: Callable[[], tuple[str, QColor] | None] = lambda: None
        self.field = NumberField(caption, parent)
        self.field.hide()
        self.field.submitted.connect(self.submitted)
        self.field.given_up.connect(self._close)
        self.field.left.connect(self.field.hide)
        self.field.textChanged.connect(self._on_text_changed)
        self._is_tabbed_to = False
        self.setToolTip(tooltip)
        self.setAccessibleName(caption)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedHeight(_HEIGHT)

    @cached_property
    def _bubble(self) -> "Bubble":
        """Made with the first sentence."""
        bubble = Bubble(self)
        bubble.label.show_theme(self.theme)
        return bubble

    def reserve(self, widest: str, pixels: int) -> None:
        """Be as wide as the widest value in a size of VALUE_PIXELS, so that nothing jumps while it changes."""
        self._pixels = pixels
        self.update()
        value = formula_runs(self._said(widest), pixels)[1]
        self.setFixedWidth(round(max(value, text_width("tick", self._caption))) + 2 * _SIDE)

    def show_caption(self, caption: str) -> None:
        """Call the value something else; `reserve` comes after."""
        self._caption = caption
        self.setAccessibleName(caption)
        self.update()

    def show_value(self, text: str, digits: str) -> None:
        """Show another value, and all its digits where it can be typed."""
        if digits != self._digits:
            self._digits = digits
            self.field.show_value(digits)
        if text != self._text:
            self._text = text
            self.update()

    def accessible_value(self) -> str:
        return plain_formula(self._said(self._text))

    def _said(self, text: str) -> str:
        """The value behind its letter, alone where it has none."""
        return f"{self._symbol} = {text}" if self._symbol else text

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return {"Press": self._open}

    def show_answer(self, refusal: str) -> None:
        """What was typed counts now, or was not taken, and why; for a while, where the field has been left since."""
        if not refusal:
            self.field.show_taken()
            self._close()
            return
        self._bubble.show_sentence(refusal)
        self.field.show_refused()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._open(is_tabbed_to=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._open()
        else:
            super().keyPressEvent(event)

    def follow_place(self) -> None:
        super().follow_place()
        self._place_field()

    def _scene_in(self, box: Box) -> Scene:
        badge, x = self.badge(), float(_SIDE)
        picture: marks.Marks = [marks.Text(x, _CAPTION_Y, self._caption, "tick", box.theme.text2)]
        if badge is not None:
            half = badge_half_width(BADGE_RADIUS, badge[0])
            picture.append(marks.Badge(x + half, _VALUE_Y + 1.0, BADGE_RADIUS, *badge))
            x += 2 * half + 8.0
        # Typed decimals that find no room are smaller.
        value = self._said(self._text)
        share = min((box.width - x - _SIDE) / formula_runs(value, self._pixels)[1], 1.0)
        return Scene((*picture, marks.FormulaText(x, _VALUE_Y, value, int(self._pixels * share), box.theme.text)))

    def _open(self, *, is_tabbed_to: bool = True) -> None:
        self._is_tabbed_to = is_tabbed_to
        self._close_bubble()
        self.field.show_taken()
        self._place_field()
        self.field.show()
        self.field.raise_()
        self.field.setFocus()
        # The press that opened it would put the caret into the middle of the text.
        QTimer.singleShot(0, self.field.selectAll)

    def _place_field(self) -> None:
        """As wide as the value, or as what stands in it needs."""
        wide = self.field.fontMetrics().horizontalAdvance(self.field.text()) + _FIELD_EXTRA
        self.field.setGeometry(self.x(), self.y() + _FIELD_TOP, max(self.width(), _LEAST_FIELD, wide), _FIELD_HEIGHT)

    def _on_text_changed(self) -> None:
        # Opening it places it.
        if self.field.isVisible():
            self._place_field()

    def _close(self) -> None:
        self._close_bubble()
        if self.field.hasFocus():
            # Hiding the field would hand the focus to the next button, which would take Space for itself.
            if self._is_tabbed_to:
                self.setFocus(Qt.FocusReason.TabFocusReason)
            else:
                self.field.clearFocus()
        self.field.hide()

    def _close_bubble(self) -> None:
        if bubble := vars(self).get("_bubble"):
            bubble.show_sentence("")


class Bubble(QFrame):
    """A sentence that floats above a small widget, inside the same window."""

    def __init__(self, anchor: QWidget) -> None:
        super().__init__(anchor)
        self._anchor = anchor
        self.label = RefusalLabel(self)
        self._row = filled(QHBoxLayout(self), self.label, margins=(_BUBBLE_SIDE, 8, _BUBBLE_SIDE, 8))
        self.setProperty("role", "bubble")
        self.hide()

    def show_sentence(self, sentence: str) -> None:
        """Say something above the anchor, or nothing."""
        if not sentence and self.isHidden():
            return
        self.label.show_sentence(sentence)
        if not sentence:
            self.hide()
            return
        window = self._anchor.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            holder: QWidget | None = self._anchor
            while holder is not None:
                holder.installEventFilter(self)
                holder = None if holder.isWindow() else holder.parentWidget()
        # The frame of the bubble takes a pixel on each side.
        width = min(self.label.widest + 2 * _BUBBLE_SIDE + 2, _WIDEST_BUBBLE)
        self.setFixedSize(width, self._row.heightForWidth(width - 2) + 2)
        self._place()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        window = self._anchor.window()
        place = QRect(self._anchor.mapTo(window, QPoint(0, -self.height() - 4)), self.size())
        self.move(moved_into(window.rect().adjusted(8, 8, -7, -7), place))
        # Docks that have been arranged anew lie over it.
        self.raise_()


# What Ctrl means in a field. All other keys with Ctrl are the window's, though on X11 Ctrl+E ends the line.
_Key: TypeAlias = QKeySequence.StandardKey
_EDITING = (_Key.Cut, _Key.Copy, _Key.Paste, _Key.Undo, _Key.Redo, _Key.SelectAll)


class NumberField(Told, QLineEdit):
    """Shows a value; typing and Enter (or leaving the field) submits the text, Escape brings the value back.

    So does leaving what was refused, a few seconds later where leaving submitted it.

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
        self._forgetting = QTimer(self, interval=_BUBBLE_MILLISECONDS, singleShot=True)
        self._forgetting.timeout.connect(self._forget)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(name)
        self.setMaxLength(40)
        self.returnPressed.connect(self._on_return)

    def setText(self, text: str | None) -> None:  # noqa: N802 - Qt's name
        """Numbers are typed as they are read, in every language."""
        QLineEdit.setText(self, text or "")

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
        self.show_refused(is_refused=False)
        self.setModified(False)
        self.setText(self._shown)

    def show_refused(self, *, is_refused: bool = True) -> None:
        """What was typed was not taken: it stays, marked."""
        if self.is_refused != is_refused:
            self.setProperty("refused", is_refused)
            self.style().unpolish(self)
            self.style().polish(self)

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
            if self.is_refused:
                # Nobody has read the sentence yet.
                self._forgetting.start()
        elif event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self._forget()
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
        if event.key() in ENTER:
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

    def _forget(self) -> None:
        """Show what counts again, where what was refused has been left."""
        if self.is_refused and not self.hasFocus():
            self._give_up()

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
