"""Rows and columns of widgets, and labels, each said in one call, and a label for what was refused."""

import re
from functools import cached_property
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLayout, QStyle, QWidget

from pe_desktop.core.number_text import MINUS, held_together
from pe_desktop.draw.theme import Theme, Themed, themed_icon
from pe_desktop.draw.told import Label
from pe_desktop.languages import told

_Layout = TypeVar("_Layout", bound=QBoxLayout)
# No room around a layout.
BARE = (0, 0, 0, 0)


def filled(
    layout: _Layout,
    *items: QWidget | QLayout | int | None,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
    wide: QWidget | QLayout | None = None,
) -> _Layout:
    """A row or column of these: a number is room of so many pixels, None takes what is left, or wide does."""
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item, int(item is wide))
        else:
            layout.addWidget(item, int(item is wide))
    return layout


def label(text: str, role: str, *, wraps: bool = False) -> QLabel:
    """Words in the look of a role of the style sheet."""
    words = Label(text, wordWrap=wraps)
    words.setProperty("role", role)
    return words


def moved_into(room: QRect, place: QRect) -> QPoint:
    """The left upper corner of a place that is moved into a room, as far as it finds room there."""
    x = min(place.x(), room.right() - place.width())
    y = min(place.y(), room.bottom() - place.height())
    return QPoint(max(x, room.left()), max(y, room.top()))


def paint_ground(widget: QWidget) -> None:
    """Draw what the style sheet says of a widget that paints itself."""
    from PySide6.QtWidgets import QStyleOption  # noqa: PLC0415 - the first frame needs none

    option = QStyleOption()
    option.initFrom(widget)
    with QPainter(widget) as painter:
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, widget)


_SIGN_GAP = 6
_BREAK = "\u200b"
_LONG_WORD = r"\S{19,}"
# The hyphen that a program writes before a number.
_NEGATIVE = r"(?<![\w.-])-(?=\d)"


class RefusalLabel(Themed, QWidget):
    """One sentence in the colour of errors with the sign of a warning; takes no room while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What it says now, or nothing.
        self.sentence = ""
        self.hide()

    @cached_property
    def _words(self) -> QLabel:
        """Made with the first sentence, and the sign with it: most never have one."""
        self._sign = QLabel(self)
        self._sign.setFixedSize(16, 18)
        sentence = Label("", self, wordWrap=True)
        sentence.setProperty("role", "refusal")
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = filled(QHBoxLayout(self), margins=(0, 0, 0, 2), spacing=_SIGN_GAP)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(sentence, 1, Qt.AlignmentFlag.AlignTop)
        self._draw_sign()
        return sentence

    @property
    def widest(self) -> int:
        """How wide it is with its sentence on one line, in pixels."""
        self._words.ensurePolished()
        words = self._words.fontMetrics().horizontalAdvance(self.sentence)
        return self._sign.width() + _SIGN_GAP + words + 2

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        if "_sign" in vars(self):
            self._draw_sign()

    def show_sentence(self, sentence: str) -> None:
        """Say something, or nothing."""
        if sentence == self.sentence == "":
            return
        self.sentence = re.sub(_NEGATIVE, MINUS, told(sentence))
        # A word without spaces would widen whatever holds it: it may break anywhere. A number stays on its line.
        broken = re.sub(_LONG_WORD, lambda word: _BREAK.join(re.findall(r".{1,12}", word[0])), self.sentence)
        self._words.setText(held_together(broken))
        self._words.setAccessibleName(self.sentence)
        self.setVisible(bool(sentence))

    def _draw_sign(self) -> None:
        self._sign.setPixmap(themed_icon("warn", self.theme, self.theme.bad).pixmap(16, 16))
