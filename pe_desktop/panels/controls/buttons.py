"""Buttons that carry an icon of the product, a switch, and the row of segments of which one is chosen."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from pe_desktop.draw.canvas import ENTER
from pe_desktop.draw.spoken import Spoken
from pe_desktop.draw.theme import ICON_SIZE, Theme, Themed, mixed, themed_icon
from pe_desktop.draw.told import Told
from pe_desktop.draw.typefaces import text_font, text_width
from pe_desktop.languages import briefly, told
from pe_desktop.panels.controls.layouts import filled

_TRACK_WIDTH, _TRACK_HEIGHT = 28, 16
_GAP, _HEIGHT, _EDGE = 8, 28, 3
# The letters of controls as the style sheet has them.
_LETTERS = 13
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
ARROWS = tuple(_STEPS)
# So many words stand closer to each other: they would make a narrow panel wider.
_MANY = 4


class _PressedByEnter(Told):
    """A button that Enter presses as Space does; left to Qt, a dialog would press its default one."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in ENTER:
            super().keyPressEvent(event)  # type: ignore[misc] # the button's
        elif not event.isAutoRepeat():
            self.click()  # type: ignore[attr-defined] # the button's


class _LeavesArrows(_PressedByEnter):
    """A button that leaves the arrows, with which Qt would move the focus, to the window: they move t and the pair."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS:
            event.ignore()
        else:
            super().keyPressEvent(event)


_Button = TypeVar("_Button", bound=QAbstractButton)


def acting(button: _Button, act: Callable[..., object], tooltip: str = "") -> _Button:
    """A button with what a press does, which leaves the focus where it was, and its words for the pointer."""
    button.clicked.connect(act)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if tooltip:
        button.setToolTip(tooltip)
    return button


class TextButton(_LeavesArrows, QToolButton):
    """A flat button with words."""


class PushButton(_LeavesArrows, QPushButton):
    """A raised button with words."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(told(text), parent)


class DialogButton(_PressedByEnter, QPushButton):
    """A raised button of a dialog; the arrows move the focus among them."""

    def __init__(self, text: str = "", parent: QWidget | None = None, **given: bool) -> None:
        super().__init__(told(text), parent, **given)


class IconButton(_LeavesArrows, Themed, QToolButton):
    """A square button with one icon; the tooltip says what it does, and the key that does it too."""

    def __init__(
        self, icon: str, words: str, parent: QWidget | None = None, *, key: str = "", side: int = _HEIGHT
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setFixedSize(side, side)
        self.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.setAutoRaise(True)
        self._key = key
        self.set_words(words)

    def set_words(self, words: str) -> None:
        """Say what it does, to the pointer and to screen readers."""
        self.setToolTip(f"{words} ({self._key})" if self._key else words)
        self.setAccessibleName(words)

    def set_icon(self, icon: str) -> None:
        """Show another icon."""
        self._icon = icon
        self.show_theme(self.theme)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        is_primary = self.property("primary")
        self.setIcon(themed_icon(self._icon, theme, theme.ink_on if is_primary else None))


class _Segment(Spoken, _PressedByEnter, QToolButton):
    """One of the words; an arrow asks for the one before or after it."""

    accessible_role = QAccessible.Role.RadioButton
    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        elif event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        else:
            self.stepped.emit(step)

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return {"Press": self.click}


class Segments(Told, Spoken, QWidget):
    """A few words in a row of which exactly one is chosen. Tab comes to it, or to the first where none is."""

    accessible_role = QAccessible.Role.Grouping
    chosen = Signal(str)

    def __init__(
        self, choices: Mapping[str, str], name: str, parent: QWidget | None = None, *, waits: bool = False
    ) -> None:
        """Take what each choice means and the word it shows; waits: an arrow chooses nothing before a press does."""
        super().__init__(parent)
        self._waits = waits
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, _Segment] = {}
        self.setProperty("role", "segments")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        row = filled(QHBoxLayout(self), margins=(2, 2, 2, 2), spacing=0)
        for choice, word in choices.items():
            button = _Segment(self)
            button.setText(briefly(word))
            button.setCheckable(True)
            button.setProperty("role", "segment")
            button.setProperty("is_close", len(choices) >= _MANY)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
            button.setAccessibleName(f"{name}: {word}")
            button.stepped.connect(partial(self._on_stepped, button))
            button.clicked.connect(partial(self.chosen.emit, choice))
            self._group.addButton(button)
            self.buttons[choice] = button
            row.addWidget(button)
        self._group.buttonToggled.connect(self._keep_one_stop)
        self._keep_one_stop()

    def accessible_value(self) -> str:
        chosen = self._group.checkedButton()
        return "" if chosen is None else chosen.text()

    def set_tooltips(self, tooltips: Mapping[str, str]) -> None:
        """Say what each choice does."""
        for choice, tooltip in tooltips.items():
            self.buttons[choice].setToolTip(tooltip)

    def set_enabled(self, choice: str, *, is_enabled: bool) -> None:
        """Offer a choice, or show it as one that can't be taken now."""
        self.buttons[choice].setEnabled(is_enabled)
        self._keep_one_stop()

    def show_choice(self, choice: str) -> None:
        """Show which one is chosen, without announcing it; none for what stands on no button."""
        if choice in self.buttons:
            self.buttons[choice].setChecked(True)
            return
        chosen = self._group.checkedButton()
        if chosen is not None:
            self._group.setExclusive(False)
            chosen.setChecked(False)
            self._group.setExclusive(True)

    def _keep_one_stop(self) -> None:
        """Qt would let Tab come to any of them until one has had the focus; the focus follows the choice."""
        offered = [button for button in self._group.buttons() if button.isEnabled()]
        chosen, focused = self._group.checkedButton(), self.focusWidget()
        first: list[QWidget | None] = [focused, chosen] if self._waits else [chosen, focused]
        stop = next((button for button in (*first, *offered) if button in offered), None)
        for button in self._group.buttons():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if button is stop else Qt.FocusPolicy.NoFocus)
        if stop is not None and stop == chosen and any(button.hasFocus() for button in offered):
            stop.setFocus()

    def _on_stepped(self, segment: _Segment, step: int) -> None:
        offered = [button for button in self._group.buttons() if button.isEnabled()]
        place = offered.index(segment) + step
        if 0 <= place < len(offered):
            offered[place].setFocus(Qt.FocusReason.TabFocusReason)
            self._keep_one_stop() if self._waits else offered[place].click()


class Switch(_LeavesArrows, Themed, QAbstractButton):
    """On or off; Space, Enter and a press turn it."""

    def __init__(self, words: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setToolTip(tooltip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_words(words)

    def show_words(self, words: str) -> None:
        """Call it something else."""
        self.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    @property
    def _zoom(self) -> float:
        """How many times larger it is where controls are, as their letters say."""
        return max(self.font().pixelSize() / _LETTERS, 1.0)

    def sizeHint(self) -> QSize:
        wide = _GAP + round(text_width("segment", self.text())) + 2 if self.text() else 0
        return QSize(_TRACK_WIDTH + wide + 2 * _EDGE, _HEIGHT) * self._zoom

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        ink = theme.text2 if self.isEnabled() else theme.axis
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(self._zoom, self._zoom)
            room = QRectF(0.0, 0.0, self.width() / self._zoom, _HEIGHT)
            track = QRectF(_EDGE + 0.5, (_HEIGHT - _TRACK_HEIGHT) / 2 + 0.5, _TRACK_WIDTH - 1, _TRACK_HEIGHT - 1)
            radius = track.height() / 2
            is_on = self.isChecked()
            is_lit = is_on and self.isEnabled()
            painter.setPen(QPen(theme.ink if is_on else ink, 1.3))
            painter.setBrush(theme.ink if is_lit else theme.panel)
            painter.drawRoundedRect(track, radius, radius)
            knob = track.right() - radius if is_on else track.left() + radius
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.ink_on if is_lit else mixed(ink, theme.panel, 0.8))
            painter.drawEllipse(QPointF(knob, track.center().y()), 5.0, 5.0)
            painter.setFont(text_font("segment"))
            painter.setPen(theme.text if is_lit else ink)
            words = room.adjusted(_EDGE + _TRACK_WIDTH + _GAP, 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
            if self.hasFocus():
                painter.setPen(QPen(theme.focus, 2.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(room.adjusted(1.0, 1.0, -1.0, -1.0), 5.0, 5.0)
