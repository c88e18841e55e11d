"""A label that sets formulas, one for a sentence about what was refused, and the line of a check."""

import re
from functools import cached_property

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_desktop.core.number_text import MINUS
from pe_desktop.draw.marks import FormulaText
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.spoken import Spoken
from pe_desktop.draw.theme import Theme, Themed, themed_icon
from pe_desktop.draw.typefaces import formula_runs, plain_formula
from pe_desktop.panels.controls.buttons import TextButton
from pe_desktop.panels.controls.layouts import filled, label

HEIGHT = 20
_SIGN_SIDE = 16


class CheckLine(TextButton):
    """A button as wide as the list, of which screen readers read name, verdict and number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "check")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._sign, self._name, self._number = QLabel(), QLabel(), label("", "number")
        parts = (self._sign, self._name, self._number)
        self._row = filled(QHBoxLayout(self), *parts, margins=(0, 0, 0, 0), spacing=8, wide=self._name)
        for part in parts:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(HEIGHT)

    @property
    def texts(self) -> tuple[str, str]:
        """The name and the number that it shows."""
        return self._name.text(), self._number.text()

    def show_check(self, name: str, verdict: str, number: str, explanation: str) -> None:
        """Show what was found."""
        self._name.setText(name)
        self._number.setText(number)
        self.setToolTip(explanation)
        self.setAccessibleName(f"{name}: {verdict}, {number}")
        self.setAccessibleDescription(explanation)

    def show_sign(self, icon: str, theme: Theme, color: QColor) -> None:
        """Show the sign of a verdict."""
        self._sign.setPixmap(themed_icon(icon, theme, color).pixmap(_SIGN_SIDE, _SIGN_SIDE))

    def sizeHint(self) -> QSize:
        return QSize(self._row.sizeHint().width(), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)


_LINE_SPACING = 1.55
_SIGN_GAP = 6
_BREAK = "\u200b"
_NO_BREAK = "\u00a0"
_LONG_WORD = re.compile(r"\S{19,}")
_THOUSANDS = re.compile(r"(?<=\d) (?=\d{3})")
# The hyphen that a program writes before a number.
_NEGATIVE = re.compile(r"(?<![\w.-])-(?=\d)")


class FormulaLabel(Spoken, Themed, QWidget):
    """One or more formulas, each on its line; lines that don't fit are set smaller, never cut."""

    accessible_role = QAccessible.Role.StaticText

    def __init__(self, pixels: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self._pixels = pixels

    def show_formulas(self, *lines: str) -> None:
        """Show these lines."""
        if lines != self._lines:
            has_other_height = len(lines) != len(self._lines)
            self._lines = lines
            self.setAccessibleName("; ".join(plain_formula(line) for line in lines))
            if has_other_height:
                # It takes whatever width there is; a slider changes the numbers at each step.
                self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        width = max((formula_runs(line, self._pixels)[1] for line in self._lines), default=0.0)
        return QSize(round(width) + 2, round(len(self._lines) * self._pixels * _LINE_SPACING))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._lines:
            return
        with QPainter(self) as painter:
            room = self.height() / len(self._lines)
            for number, line in enumerate(self._lines):
                width = formula_runs(line, self._pixels)[1]
                pixels = self._pixels if width <= self.width() else max(int(self._pixels * self.width() / width), 8)
                paint_marks(painter, [FormulaText(0.0, (number + 0.5) * room, line, pixels, self.theme.text)])


class RefusalLabel(Themed, QWidget):
    """One sentence in the colour of errors with the sign of a warning; takes no room while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What it says now, or nothing.
        self.sentence = ""
        self.hide()

    @cached_property
    def _sign(self) -> QLabel:
        sign = QLabel(self)
        sign.setFixedSize(16, 18)
        return sign

    @cached_property
    def _words(self) -> QLabel:
        """Made with the first sentence, and the sign with it: most never have one."""
        sentence = QLabel(self, wordWrap=True)
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
        self.sentence = _NEGATIVE.sub(MINUS, sentence)
        # A word without spaces would widen whatever holds it: it may break anywhere. A number stays on its line.
        self._words.setText(_THOUSANDS.sub(_NO_BREAK, _LONG_WORD.sub(_with_breaks, self.sentence)))
        self._words.setAccessibleName(self.sentence)
        self.setVisible(bool(sentence))

    def _draw_sign(self) -> None:
        self._sign.setPixmap(themed_icon("warn", self.theme, self.theme.bad).pixmap(16, 16))


def in_words(sentence: str, name: str, words: str) -> str:
    """A refusal with words instead of a name of the state, beginning with a capital."""
    text = sentence.replace(name, words)
    return text[:1].upper() + text[1:]


def _with_breaks(word: re.Match[str]) -> str:
    return _BREAK.join(re.findall(r".{1,12}", word[0]))
