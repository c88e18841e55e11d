"""The form of the Encoding dock: a row for each parameter, with a number, a slider over useful values, or words."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.rules import NumberRule, WordRule
from pe_desktop.draw import number_text
from pe_desktop.draw.spoken import Spoken, SpokenNumber
from pe_desktop.draw.theme import Theme, Themed, themed_icon
from pe_desktop.panels.controls.buttons import Segments, TextButton
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.panels.scene_panel import dress

_KNOB_RADIUS, _TRACK_WIDTH = 6.5, 3.0
_END = _KNOB_RADIUS + 1.5


class _StepSlider(Spoken, Themed, QWidget):
    """A knob that stops at each value of an ascending list; a value between two of them stands between two stops."""

    accessible_role = QAccessible.Role.Slider
    chosen = Signal(float)
    held = Signal(bool)

    def __init__(self, steps: tuple[float, ...], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self._place = 0.0
        self._value = 0.0
        self._is_held = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        self.setFixedHeight(28)
        self.setMinimumWidth(46)

    def take_steps(self, steps: tuple[float, ...]) -> None:
        """Stop at other values; the next value that is shown puts the knob where it belongs."""
        self._steps = steps

    def show_value(self, value: float) -> None:
        """Put the knob where a value belongs."""
        self._place = self._place_of(value)
        self.update()
        if value != self._value:
            self._value = value
            self.tell_change()

    def accessible_value(self) -> str:
        return number_text.plain(self._value)

    def accessible_number(self) -> SpokenNumber:
        return SpokenNumber(self._value, self._steps[0], self._steps[-1], self._choose_nearest)

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        names = QAccessibleActionInterface
        return {names.increaseAction(): self._increase, names.decreaseAction(): self._decrease}

    def sizeHint(self) -> QSize:
        return QSize(60, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle, knob = self.height() / 2, self._x(self._place)
            for start, stop, color in ((knob, self.width() - _END, self.theme.line), (_END, knob, self.theme.ink)):
                painter.setPen(QPen(color, _TRACK_WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawLine(int(start), int(middle), int(stop), int(middle))
            painter.setPen(QPen(self.theme.focus if self.hasFocus() else self.theme.ink, 1.8))
            painter.setBrush(self.theme.panel)
            painter.drawEllipse(QPointF(knob, middle), _KNOB_RADIUS, _KNOB_RADIUS)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._hold(True)
            self._choose_at(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._hold(False)

    def hideEvent(self, event: QHideEvent) -> None:
        """A knob that leaves under the pointer hears of no release."""
        self._hold(False)
        super().hideEvent(event)

    def _hold(self, is_held: bool) -> None:
        if is_held != self._is_held:
            self._is_held = is_held
            self.held.emit(is_held)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
        move = moves.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
            return
        self._move(move)

    def _increase(self) -> None:
        self._move(1)

    def _decrease(self) -> None:
        self._move(-1)

    def _move(self, move: int) -> None:
        """To the next stop above or below."""
        place = self._place + move
        self._choose(round(place) if self._place == int(self._place) else int(self._place) + (move > 0))

    def _choose_nearest(self, value: float) -> None:
        self._choose(round(self._place_of(value)))

    def _choose_at(self, x: float) -> None:
        share = (x - _END) / max(self.width() - 2 * _END, 1.0)
        self._choose(round(share * (len(self._steps) - 1)))

    def _choose(self, place: int) -> None:
        place = min(max(place, 0), len(self._steps) - 1)
        if place != self._place:
            self._place = float(place)
            self.update()
            self.chosen.emit(self._steps[place])

    def _x(self, place: float) -> float:
        return _END + place / max(len(self._steps) - 1, 1) * (self.width() - 2 * _END)

    def _place_of(self, value: float) -> float:
        above = bisect_left(self._steps, value)
        if above >= len(self._steps):
            return len(self._steps) - 1.0
        if self._steps[above] == value or above == 0:
            return float(above)
        low, high = self._steps[above - 1], self._steps[above]
        return above - 1 + (value - low) / (high - low)


_LABEL_WIDTH = 71
# A field is as wide as its value needs, within these.
_FIELD_WIDTH, _WIDEST_FIELD, _WIDEST_BESIDE_SLIDER = 68, 148, 95
# The padding and the border of a field, and what Qt leaves free at both sides of the text.
_FIELD_EXTRA = 24
# Up to so many words of so many letters in all stand side by side; others are a list that opens.
_MOST_SEGMENTS = 3
_MOST_LETTERS = 18


class _ParameterRow(QWidget):
    """Announces what was typed or chosen as text; shows what counts, and a sentence about what was refused."""

    submitted = Signal(str, str)
    held = Signal(bool)

    def __init__(self, name: str, word: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._label = QLabel(word)
        self._label.setToolTip(tooltip)
        self._label.setFixedWidth(_LABEL_WIDTH)
        self.line = filled(QHBoxLayout(), self._label, spacing=5)
        self._column = filled(QVBoxLayout(self), self.line, margins=(0, 0, 0, 0), spacing=2)

    def set_tooltip(self, tooltip: str) -> None:
        """Say what it takes."""
        self._label.setToolTip(tooltip)

    def show_value(self, value: float | str) -> None:
        """Show the value that counts."""

    def forget(self) -> None:
        """Give up what was typed and not taken."""


class _NumberRow(_ParameterRow):
    """A field and, where steps are given, a slider over them."""

    def __init__(
        self, name: str, word: str, tooltip: str, steps: tuple[float, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(name, word, tooltip, parent)
        self.field = NumberField(word)
        self.field.setToolTip(tooltip)
        self.field.setObjectName(name)
        self.field.setFixedWidth(_FIELD_WIDTH)
        self._widest = _WIDEST_BESIDE_SLIDER if steps else _WIDEST_FIELD
        self.slider = _StepSlider(steps, word) if steps else None
        if self.slider is None:
            self.line.addStretch(1)
        else:
            self.slider.setToolTip(tooltip)
            self.slider.setObjectName(name)
            self.slider.chosen.connect(self._on_slid)
            self.slider.held.connect(self.held)
            self.line.addWidget(self.slider, 1)
        self.line.addWidget(self.field)
        self.refusal = RefusalLabel()
        self._column.addWidget(self.refusal)
        self.field.submitted.connect(self._on_typed)
        self.field.given_up.connect(partial(self.refusal.show_sentence, ""))
        self._value = 0.0

    def show_value(self, value: float | str) -> None:
        """Show the number that counts; one that is being typed stays, unless another one has come to count."""
        if float(value) != self._value:
            self._value = float(value)
            self.forget()
        self.field.show_value(number_text.exact(self._value))
        self.field.ensurePolished()
        wide = self.field.fontMetrics().horizontalAdvance(self.field.text()) + _FIELD_EXTRA
        self.field.setFixedWidth(min(max(wide, _FIELD_WIDTH), self._widest))
        if self.slider is not None:
            self.slider.show_value(self._value)

    def set_tooltip(self, tooltip: str) -> None:
        """Say what it takes, at each of its controls."""
        super().set_tooltip(tooltip)
        self.field.setToolTip(tooltip)
        if self.slider is not None:
            self.slider.setToolTip(tooltip)

    def take_steps(self, steps: tuple[float, ...]) -> None:
        """Other stops of the slider, for a kind whose rule is another."""
        if self.slider is not None:
            self.slider.take_steps(steps)

    def show_taken(self) -> None:
        """What was typed or slid to counts now."""
        self.field.show_taken()
        self.refusal.show_sentence("")

    def show_refusal(self, sentence: str) -> None:
        """Say why it was not taken, and what still counts."""
        self.field.show_refused()
        if self.slider is not None:
            self.slider.show_value(self._value)
        if sentence.startswith(f"{self.name} "):
            # The name of the command line means nothing beside its row.
            sentence = self._label.text() + sentence.removeprefix(self.name)
        self.refusal.show_sentence(f"{sentence}. Still using {number_text.exact(self._value)}.")

    def forget(self) -> None:
        """Give up what was typed and not taken."""
        self.show_taken()

    def _on_typed(self, text: str) -> None:
        self.submitted.emit(self.name, text)

    def _on_slid(self, value: float) -> None:
        self.submitted.emit(self.name, repr(value) if value != int(value) else str(int(value)))


class _WordRow(_ParameterRow):
    """A few short words side by side, or a list that opens."""

    def __init__(
        self,
        name: str,
        word: str,
        tooltip: str,
        choices: Mapping[str, str],
        tooltips: Mapping[str, str],
        parent: QWidget | None = None,
    ) -> None:
        """Take what each choice means, the word it shows, and what is to be known of it."""
        super().__init__(name, word, tooltip, parent)
        self.choice: Segments | ChoiceBox
        if len(choices) <= _MOST_SEGMENTS and sum(map(len, choices.values())) <= _MOST_LETTERS:
            self.choice = Segments(dict(choices), word)
            self.choice.set_tooltips(dict(tooltips))
        else:
            self.choice = ChoiceBox()
            self.choice.offer(word, choices, tooltips)
            self.choice.setToolTip(tooltip)
        self.choice.chosen.connect(self._on_chosen)
        self.line.addWidget(self.choice, 1)

    def show_value(self, value: float | str) -> None:
        """Show which one is chosen."""
        self.choice.show_choice(str(value))

    def _on_chosen(self, choice: str) -> None:
        self.submitted.emit(self.name, choice)


class ParameterForm(Themed, QWidget):
    """Rows are made when a kind first needs them and stand or leave when the kind changes, never in between."""

    submitted = Signal(str, str)
    # A slider is taken, or let go.
    held = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, _ParameterRow] = {}
        self._kind = ""
        self._values: dict[str, float | str] = {}
        self._is_asked_for = False
        self._rare_values: tuple[float | str, ...] = ()
        self._acting: tuple[str, ...] = ()
        # Behind "More", which opens where one of them is not what it is by default.
        self._rare: tuple[str, ...] = ()
        self.more = TextButton()
        self.more.setText("More")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setProperty("role", "fold")
        self.more.clicked.connect(self._on_more)
        self._column = filled(QVBoxLayout(self), margins=(0, 0, 0, 0), spacing=8)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._show_arrow()

    def show_encoding(self, encoding: Encoding) -> None:
        held = None
        if encoding.kind != self._kind:
            self._kind = encoding.kind
            held = self._let_go()
            self._arrange()
        for name, value in encoding.parameters.items():
            if name in self.rows and self._values.get(name) != value:
                self._values[name] = value
                self.rows[name].show_value(value)
        self._fit_rare(encoding)
        if held is not None and held.isVisible():
            held.setFocus(Qt.FocusReason.OtherFocusReason)

    def number_row(self, name: str) -> _NumberRow | None:
        """The row of a number that the kind has, None for any other parameter."""
        row = self.rows.get(name)
        return row if isinstance(row, _NumberRow) and name in kind_rules(self._kind) else None

    def _let_go(self) -> QWidget | None:
        """Give up what was typed and not taken, and the focus, which a row that leaves would hand to some plot."""
        for row in self.rows.values():
            row.forget()
        # While a list is open the focus is the list's, and comes back to this one when it closes.
        held = self.window().focusWidget()
        if not self.isAncestorOf(held):
            return None
        held.clearFocus()
        return held

    def _arrange(self) -> None:
        rules = kind_rules(self._kind)
        self._values.clear()
        for row in self.rows.values():
            row.hide()
            self._column.removeWidget(row)
        self._column.removeWidget(self.more)
        self._rare = tuple(name for name, rule in rules.items() if rule.is_rare)
        # In the order of the pictures: first the width, then as on the command line.
        for name in dict.fromkeys(("d_model", *rules)):
            if name in self._rare[:1]:
                self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
            self._column.addWidget(self._row(name, rules[name]))
            self.rows[name].setVisible(name not in self._rare)
        self.more.setVisible(bool(self._rare))
        self._rare_values = ()

    def _row(self, name: str, rule: NumberRule | WordRule) -> _ParameterRow:
        row = self.rows.get(name)
        if row is None:
            if isinstance(rule, WordRule):
                row = _WordRow(name, rule.label, rule.tooltip, rule.word_titles, dict(rule.tooltips), self)
            else:
                row = _NumberRow(name, rule.label, rule.tooltip, rule.steps, self)
            row.submitted.connect(self.submitted)
            row.held.connect(self.held)
            dress(row, self.theme)
            self.rows[name] = row
        if isinstance(row, _NumberRow) and isinstance(rule, NumberRule) and name == "d_model":
            row.take_steps(rule.steps)
            row.set_tooltip(f"{rule.tooltip}, {rule.requirement}")
        return row

    def _fit_rare(self, encoding: Encoding) -> None:
        """Open where a rare parameter has been changed; a person's own opening stays."""
        parameters = encoding.parameters
        values = tuple(parameters[name] for name in self._rare if name in parameters)
        if not values:
            return
        self._act(tuple(name for name in self._rare if name != "shift" or parameters["spacing"] == "geometric"))
        if values != self._rare_values:
            usual = KINDS[encoding.kind]().parameters
            is_unusual = values != tuple(usual[name] for name in self._rare)
            self._rare_values = values
            self._open(is_open=is_unusual or self._is_asked_for)

    def _act(self, names: tuple[str, ...]) -> None:
        """Keep back what does nothing here: the shift of a spacing that takes none."""
        if names == self._acting:
            return
        self._acting = names
        for name in self._rare:
            if name not in names:
                self.rows[name].forget()
        *labels, last = (kind_rules(self._kind)[name].label.lower() for name in names)
        listed = f"{', '.join(labels)} and {last}"
        self.more.setToolTip(listed.capitalize())
        self.more.setAccessibleName(f"More: {listed}")
        self._open(is_open=not self.rows[self._rare[0]].isHidden())

    def _on_more(self) -> None:
        self._is_asked_for = self.rows[self._rare[0]].isHidden()
        self._open(is_open=self._is_asked_for)

    def _open(self, *, is_open: bool) -> None:
        for name in self._rare:
            self.rows[name].setVisible(is_open and name in self._acting)
        self.more.setAccessibleDescription("open" if is_open else "closed")
        self._show_arrow()

    def _show_arrow(self) -> None:
        is_open = bool(self._rare) and not self.rows[self._rare[0]].isHidden()
        self.more.setIcon(themed_icon("down" if is_open else "right", self.theme))
