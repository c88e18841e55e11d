"""The form of the Encoding dock, a row for each parameter: a number with a slider, or words; a strip of the first."""

import contextlib
import io
import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.phase import GIVEN
from pe_desktop.core.presets import title_of
from pe_desktop.core.rules import TRAINED_LENGTH, ListRule, NumberRule, Rule, WordRule
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.draw.focus_ring import paint_ring
from pe_desktop.draw.spoken import Spoken, SpokenNumber
from pe_desktop.draw.theme import Theme, Themed, themed_icon
from pe_desktop.draw.told import Label, Told
from pe_desktop.files import UnreadableError, file_content
from pe_desktop.languages import keep, told
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.controls.buttons import Segments, TextButton, acting
from pe_desktop.panels.controls.layouts import BARE, RefusalLabel, filled
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.value_edit import Bubble, NumberField
from pe_desktop.panels.scene_panel import dress
from pe_desktop.views.properties import words

_KNOB_RADIUS, _TRACK_WIDTH = 6.5, 3.0
_END = _KNOB_RADIUS + 1.5
_LEFT, _SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
_PAGE, _ALL = 3, 1_000
_MOVES = {
    Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageDown: -_PAGE, Qt.Key.Key_Home: -_ALL,
    Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_PageUp: _PAGE, Qt.Key.Key_End: _ALL,
}  # fmt: skip


# A drag of the label goes through all values in so many pixels; Shift makes a drag finer. So near a stop, it is taken.
_SCRUB_PIXELS, _FINE, _MAGNET_PIXELS = 300.0, 0.1, 2.0


class _StepSlider(Told, Spoken, Themed, QWidget):
    """A knob over the values between the stops of an ascending list, which it takes where it comes near them.

    With Shift it moves a tenth as far as the pointer. The arrows go from stop to stop, the Page keys over three, Home
    and End to the first and last.
    """

    accessible_role = QAccessible.Role.Slider
    chosen = Signal(float)
    held = Signal(bool)

    def __init__(self, rule: NumberRule) -> None:
        super().__init__()
        self.rule = rule
        self._value = 0.0
        # Where a drag began: the place among the stops, and the pointer.
        self._begun = 0.0, 0.0
        self._is_held = False
        # As it was when the drag began: a wider number beside it takes some of the track.
        self._held_pitch = 1.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(rule.row["label"])
        self.setFixedHeight(28)
        self.setMinimumWidth(46)

    def show_value(self, value: float) -> None:
        """Put the knob where a value belongs."""
        self.update()
        if value != self._value:
            self._value = value
            self.tell_change()

    def accessible_value(self) -> str:
        return number_text.plain(self._value)

    def accessible_number(self) -> SpokenNumber:
        steps = self.rule.steps
        return SpokenNumber(self._value, steps[0], steps[-1], lambda value: self._choose(round(self._place_of(value))))

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return {"Increase": partial(self._move, 1), "Decrease": partial(self._move, -1)}

    def sizeHint(self) -> QSize:
        return QSize(60, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = self.height() / 2
            knob = _END + self._place_of(self._value) * self._pitch
            for start, stop, color in ((knob, self.width() - _END, self.theme.line), (_END, knob, self.theme.ink)):
                painter.setPen(QPen(color, _TRACK_WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawLine(int(start), int(middle), int(stop), int(middle))
            painter.setPen(QPen(self.theme.ink, 1.8))
            painter.setBrush(self.theme.panel)
            painter.drawEllipse(QPointF(knob, middle), _KNOB_RADIUS, _KNOB_RADIUS)
            if self.hasFocus() and self.window().property(USED_BY_KEYS):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                paint_ring(painter, QRectF(self.rect()), self.theme.focus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == _LEFT:
            x = event.position().x()
            self.hold(True)
            if not event.modifiers() & _SHIFT:
                self._choose((x - _END) / self._pitch, _magnet(self._pitch))
            self._begun = self._place_of(self._value), x

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == _LEFT:
            self.hold(False)

    def hideEvent(self, event: QHideEvent) -> None:
        """A knob that leaves under the pointer hears of no release."""
        self.hold(False)
        super().hideEvent(event)

    def hold(self, is_held: bool) -> None:
        """Begin a drag, here or of the label, or end it."""
        self._begun, self._held_pitch = (self._place_of(self._value), 0.0), self._pitch
        if is_held != self._is_held:
            self._is_held = is_held
            self.held.emit(is_held)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & _LEFT:
            self._drag(event, self._held_pitch)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow a drag of the label to either side."""
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() != QEvent.Type.MouseMove and event.button() == _LEFT:
            self.hold(event.type() != QEvent.Type.MouseButtonRelease)
            self._begun = self._begun[0], event.position().x()
        elif event.buttons() & _LEFT:
            self._drag(event, _SCRUB_PIXELS / (len(self.rule.steps) - 1))
        return True

    def _drag(self, event: QMouseEvent, pitch: float) -> None:
        """Move on from where the drag began, a step for so many pixels."""
        is_fine = bool(event.modifiers() & _SHIFT)
        way = (event.position().x() - self._begun[1]) / pitch
        self._choose(self._begun[0] + way * (_FINE if is_fine else 1.0), 0.0 if is_fine else _magnet(pitch))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = _MOVES.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
        else:
            self._move(move)

    def _move(self, move: int) -> None:
        """So many stops up or down."""
        place = self._place_of(self._value)
        self._choose((math.floor(place) if move > 0 else math.ceil(place)) + move)

    def _choose(self, place: float, magnet: float = 0.0) -> None:
        """The value at a place among the stops, of three digits; that of a stop which is so near."""
        steps, stop = self.rule.steps, round(place)
        place = min(max(stop if abs(place - stop) <= magnet else place, 0), len(steps) - 1)
        value = steps[int(place)]
        if place != int(place):
            logarithm = np.interp(place, range(len(steps)), np.log(steps))
            value = self.rule.nearest(float(f"{math.exp(logarithm):.3g}"))
        if value != self._value:
            self.chosen.emit(value)

    @property
    def _pitch(self) -> float:
        """Pixels from stop to stop."""
        return max(self.width() - 2 * _END, 1.0) / max(len(self.rule.steps) - 1, 1)

    def _place_of(self, value: float) -> float:
        """Between two stops by the logarithm."""
        steps = self.rule.steps
        return round(float(np.interp(np.log(max(value, steps[0])), np.log(steps), range(len(steps)))), 9)


def _magnet(pitch: float) -> float:
    """How near a stop is taken, in steps between stops that are so many pixels apart; some room stays in between."""
    return min(_MAGNET_PIXELS / pitch, 0.25)


_LABEL_WIDTH = 71
# A field is as wide as its value needs, within these.
_FIELD_WIDTH, _WIDEST_FIELD, _WIDEST_BESIDE_SLIDER = 68, 148, 95
# The padding and the border of a field, and what Qt leaves free at both sides of the text.
_FIELD_EXTRA = 24
# Up to so many words of so many letters in all stand side by side; others are a list that opens.
_MOST_SEGMENTS = 3
_MOST_LETTERS = 18
# Of a typed list of numbers.
_LETTERS = 2**20


class _ParameterRow(QWidget):
    """Announces what was typed or chosen as text; shows what counts."""

    submitted = Signal(str, str)
    held = Signal(bool)

    def __init__(self, name: str, rule: Rule, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self.slider = _StepSlider(rule) if isinstance(rule, NumberRule) and rule.steps else None
        self.label = Label(rule.row["label"])
        if self.slider is not None:
            self.label.setCursor(Qt.CursorShape.SizeHorCursor)
            self.label.installEventFilter(self.slider)
        self.label.setToolTip(rule.row["tooltip"])
        self.label.setFixedWidth(_LABEL_WIDTH)
        self.line = filled(QHBoxLayout(), self.label, spacing=5)
        self._column = filled(QVBoxLayout(self), self.line, margins=BARE, spacing=2)

    def show_value(self, value: Any) -> None:
        """Show the value that counts."""

    def show_taken(self) -> None:
        """What counts is what is shown: what was typed and not taken is given up."""

    def show_refusal(self, sentence: str) -> None:
        """Say why what was typed was not taken."""


class _FieldRow(_ParameterRow):
    """A field, and a sentence about what was refused."""

    def __init__(self, name: str, rule: Rule, parent: QWidget) -> None:
        super().__init__(name, rule, parent)
        self.field = NumberField(rule.row["label"])
        self.refusal: RefusalLabel | Bubble = RefusalLabel()
        self.field.submitted.connect(partial(self.submitted.emit, name))
        self.field.given_up.connect(self.show_taken)

    def show_taken(self) -> None:
        self.field.show_taken()
        self.refusal.show_sentence("")

    def show_refusal(self, sentence: str) -> None:
        self.field.show_refused()
        self.refusal.show_sentence(f"{sentence.replace('each number of', 'Each of the', 1)}.")


class _NumberRow(_FieldRow):
    """A field and, where the rule has steps, a slider over them; a sentence about what was refused."""

    def __init__(self, name: str, rule: NumberRule, parent: QWidget) -> None:
        super().__init__(name, rule, parent)
        self._value = 0.0
        self.field.setFixedWidth(_FIELD_WIDTH)
        self._widest = _WIDEST_BESIDE_SLIDER if rule.steps else _WIDEST_FIELD
        if self.slider is not None:
            self.slider.chosen.connect(self._on_slid)
            self.slider.held.connect(self.held)
        filled(self.line, self.slider, self.field, wide=self.slider)
        self._column.addWidget(self.refusal)
        self.take_rule(rule)

    def take_rule(self, rule: NumberRule) -> None:
        """Say what it takes, and stop at other values: another kind may have another rule."""
        tooltip = f"{rule.row['tooltip']}, {rule.requirement}" if self.name == "d_model" else rule.row["tooltip"]
        if self.slider is not None:
            tooltip += "\nDrag the name or the knob; with Shift ten times as fine"
        for part in filter(None, (self.label, self.field, self.slider)):
            part.setToolTip(tooltip)
        if self.slider is not None:
            self.slider.rule = rule

    def show_value(self, value: Any) -> None:
        """Show the number that counts; one that is being typed stays, unless another one has come to count."""
        if value != self._value:
            self._value = float(value)
            self.show_taken()
        self.field.show_value(number_text.exact(self._value))
        self.field.ensurePolished()
        wide = self.field.fontMetrics().horizontalAdvance(self.field.text()) + _FIELD_EXTRA
        self.field.setFixedWidth(min(max(wide, _FIELD_WIDTH), self._widest))
        if self.slider is not None:
            self.slider.show_value(self._value)

    def show_refusal(self, sentence: str) -> None:
        """Say why it was not taken, and what still counts."""
        if sentence.startswith(f"{self.name} "):
            # The name of the command line means nothing beside its row.
            sentence = self.label.text() + sentence.removeprefix(self.name)
        super().show_refusal(f"{sentence}. Still using {number_text.exact(self._value)}")

    def _on_slid(self, value: float) -> None:
        self.submitted.emit(self.name, repr(value) if value != int(value) else str(int(value)))


class _ListRow(_FieldRow):
    """A field for numbers with blanks between them, below its name and a button that reads them from a file."""

    def __init__(self, name: str, rule: ListRule, parent: QWidget) -> None:
        super().__init__(name, rule, parent)
        self.field.setMaxLength(_LETTERS)
        self.field.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.field.setToolTip(rule.row["tooltip"])
        self.label.setFixedWidth(2 * _LABEL_WIDTH)
        self.file = acting(TextButton(), self._choose_file, "From a text file, or a .npy file of one row of numbers")
        self.file.setText("File…")
        filled(self.line, None, self.file)
        filled(self._column, self.field, self.refusal)

    def show_value(self, value: Any) -> None:
        # Without groups of digits, whose blanks would part numbers.
        self.field.show_value(" ".join(repr(number).removesuffix(".0") for number in value))
        self.show_taken()
        self.field.setCursorPosition(0)

    def take_file(self, path: Path) -> None:
        """Submit the numbers of a file, or say why it holds none."""
        try:
            self.submitted.emit(self.name, " ".join(map(repr, _numbers_in(path))))
        except UnreadableError as error:
            self.refusal.show_sentence(f"{path.name} can't be read: {error}.")

    def _choose_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.label.text(), "", "Numbers (*.txt *.csv *.npy)")
        if chosen:
            self.take_file(Path(chosen))


_MOST_BYTES = 2**24


def _numbers_in(path: Path) -> list[float]:
    """The numbers of a .npy file of one row, or of a text with blanks, commas or lines between them.

    UnreadableError for any other file.
    """
    content = file_content(path, _MOST_BYTES)
    with contextlib.suppress(ValueError, EOFError, MemoryError):
        if path.suffix == ".npy":
            row = np.asarray(np.load(io.BytesIO(content), allow_pickle=False))
        else:
            row = np.array(content.decode("utf-8-sig").replace(",", " ").split(), dtype=np.float64)
        if row.ndim == 1 and row.dtype.kind in "iuf":
            return [*map(float, row)]
    raise UnreadableError("it is no row of numbers")


class _WordRow(_ParameterRow):
    """A few short words side by side, or a list that opens."""

    def __init__(self, name: str, rule: WordRule, parent: QWidget) -> None:
        super().__init__(name, rule, parent)
        self.choice: Segments | ChoiceBox
        choices = rule.word_titles
        if len(choices) <= _MOST_SEGMENTS and sum(map(len, choices.values())) <= _MOST_LETTERS:
            self.choice = Segments(choices, rule.row["label"])
            self.choice.set_tooltips(rule.row.get("tooltips", {}))
        else:
            self.choice = ChoiceBox()
            self.choice.offer(rule.row["label"], choices, rule.row.get("tooltips", {}))
            self.choice.setToolTip(rule.row["tooltip"])
        self.choice.chosen.connect(partial(self.submitted.emit, name))
        self.line.addWidget(self.choice, 1)

    def show_value(self, value: Any) -> None:
        self.choice.show_choice(value)


class ParameterForm(Themed, QWidget):
    """Rows are made when a kind first needs them and stand or leave when the kind changes, never in between."""

    _direction: ClassVar[QBoxLayout.Direction] = QBoxLayout.Direction.TopToBottom

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.rows: dict[str, _ParameterRow] = {}
        self._kind = ""
        self._values: dict[str, Any] = {}
        self._spacing: str | None = None
        # Behind "More", which opens where one of them is not what it is by default.
        self._rare: tuple[str, ...] = ()
        self._rare_values: tuple[Any, ...] = ()
        self._is_asked_for = self._is_open = False
        self.more = acting(TextButton(), self._on_more)
        self.more.setText("More")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setProperty("role", "fold")
        self._column = filled(QBoxLayout(self._direction, self), margins=BARE, spacing=8)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._show_arrow()

    def show_encoding(self, encoding: Encoding, trained_length: int = 0) -> None:
        held = None
        if encoding.kind != self._kind:
            self._kind = encoding.kind
            held = self._let_go()
            self._arrange()
        parameters = {**encoding.parameters, "trained_length": trained_length}
        self._spacing = parameters.get("spacing")
        for name, value in parameters.items():
            if name in self.rows and self._values.get(name) != value:
                self._values[name] = value
                self.rows[name].show_value(value)
        values = tuple(parameters[name] for name in self._rare)
        if values != self._rare_values:
            # A person's own opening stays.
            usual = {**KINDS[encoding.kind]().parameters, "trained_length": 0}
            self._is_open = self._is_asked_for or values != tuple(usual[name] for name in self._rare)
            self._rare_values = values
        self._show_rows()
        if held is not None and held.isVisible():
            held.setFocus()

    def _let_go(self) -> QWidget | None:
        """Give up what was typed and not taken, and the focus, which a row that leaves would hand to some plot."""
        for row in self.rows.values():
            row.show_taken()
        # While a list is open the focus is the list's, and comes back to this one when it closes.
        held = self.window().focusWidget()
        if not self.isAncestorOf(held):
            return None
        held.clearFocus()
        return held

    def _arrange(self) -> None:
        rules = self._rules()
        self._values.clear()
        for row in self.rows.values():
            row.hide()
            self._column.removeWidget(row)
        self._column.removeWidget(self.more)
        self._rare = tuple(name for name, rule in rules.items() if "is_rare" in rule.row)
        # In the order of the pictures: first the width, given wavelengths in place of the base, then as on the command
        # line.
        first = [name for name in ("d_model", "n_positions", "wavelengths") if name in rules]
        for name in dict.fromkeys((*first, *rules)):
            if name in self._rare[:1]:
                self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
            self._column.addWidget(self._row(name, rules[name]))
        self.more.setVisible(bool(self._rare))
        self._rare_values = ()

    def _rules(self) -> Mapping[str, NumberRule | WordRule | ListRule]:
        """Those of the parameters that have a row here, and of what training has seen of any kind."""
        return {**kind_rules(self._kind), "trained_length": TRAINED_LENGTH}

    def _row(self, name: str, rule: NumberRule | WordRule | ListRule) -> _ParameterRow:
        row = self.rows.get(name)
        if isinstance(row, _NumberRow) and isinstance(rule, NumberRule):
            row.take_rule(rule)
        if row is None:
            if isinstance(rule, NumberRule):
                row = _NumberRow(name, rule, self)
            else:
                row = _WordRow(name, rule, self) if isinstance(rule, WordRule) else _ListRow(name, rule, self)
            row.submitted.connect(self._on_submitted)
            row.held.connect(self._on_held)
            dress(row, self.theme)
            self.rows[name] = row
        return row

    def _on_submitted(self, name: str, text: str) -> None:
        row, refusal = self.rows[name], self._model.set_parameter(name, text)
        if refusal:
            row.show_refusal(refusal)
        else:
            row.show_taken()

    def _on_held(self, is_held: bool) -> None:
        """A drag of a slider is one step of undo."""
        (self._model.begin_step if is_held else self._model.end_step)()

    def _acts(self, name: str) -> bool:
        """Whether a parameter does anything at the present spacing."""
        if name in ("d_model", "base"):
            return self._spacing != GIVEN
        needed = {"shift": "geometric", "wavelengths": GIVEN}.get(name)
        return needed in (None, self._spacing)

    def _has_room(self, _name: str) -> bool:
        return True

    def _on_more(self) -> None:
        self._is_asked_for = self._is_open = not self._is_open
        self._show_rows()

    def _show_rows(self) -> None:
        """Show the rows that do something, no shift of a spacing that takes none; rare ones where these are open."""
        acting = [name for name in self._values if self._acts(name)]
        for name in self._values:
            if name not in acting:
                self.rows[name].show_taken()
            has_room = self._is_open if name in self._rare else self._has_room(name)
            self.rows[name].setVisible(name in acting and has_room)
        rare = [self._rules()[name].row["label"].lower() for name in acting if name in self._rare]
        if not rare:
            return
        *labels, last = rare
        listed = f"{', '.join(labels)} and {last}" if labels else last
        self.more.setToolTip(listed.capitalize())
        self.more.setAccessibleName(f"More: {listed}")
        self.more.setAccessibleDescription("open" if self._is_open else "closed")
        self._show_arrow()

    def _show_arrow(self) -> None:
        self.more.setIcon(themed_icon("down" if self._is_open else "right", self.theme))


# Parameters side by side, and how wide a strip must be for that.
_MOST_IN_STRIP, _WIDE_STRIP = 3, 860
_TITLE_ROOM = 150
_SHORT_LABELS = {"d_model": "d", "n_positions": "N"}


class ParameterStrip(ParameterForm):
    """The first numbers in a line, where there is no room for the form: in a narrow one that which was moved last.

    Before them stands what is chosen, after them how many checks hold; a press asks for the form, or for the checks.
    """

    _direction = QBoxLayout.Direction.LeftToRight
    # The action that shows it.
    asked = Signal(str)

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._moved = ""
        self._column.setContentsMargins(14, 4, 14, 0)
        self._column.setSpacing(14)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.more.setToolTip("Open Encoding (Ctrl+B)")
        self.checks = acting(TextButton(), partial(self.asked.emit, "show_properties"))
        self.checks.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for button in (self.more, self.checks):
            button.setProperty("role", "chip")
            button.setFixedHeight(28)

    def show_choices(self) -> None:
        """Show encoding and preset as they are now."""
        encoding, preset = self._model.encoding, self._model.preset
        before = dict(self._values)
        self.show_encoding(encoding)
        moved = [name for name, value in self._values.items() if before.get(name, value) != value]
        there = [name for name in self._values if self._acts(name)]
        self._moved = next((name for name in (*moved, self._moved) if name in there), there[-1])
        title = told(title_of(encoding, preset))
        self.more.setText(keep(self.more.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, _TITLE_ROOM)))
        self.more.setAccessibleName(f"Encoding: {title}")
        self._show_arrow()
        self._show_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_rows()

    def _has_room(self, name: str) -> bool:
        return self.width() >= _WIDE_STRIP or name == self._moved

    def _rules(self) -> Mapping[str, NumberRule | WordRule | ListRule]:
        rules = kind_rules(self._kind)
        numbers = (name for name in dict.fromkeys(("d_model", *rules)) if isinstance(rules[name], NumberRule))
        return {name: rules[name] for name in islice(numbers, _MOST_IN_STRIP)}

    def _arrange(self) -> None:
        super()._arrange()
        self._column.insertWidget(0, self.more)
        self._column.addWidget(self.checks)
        self.more.show()

    def _row(self, name: str, rule: NumberRule | WordRule | ListRule) -> _ParameterRow:
        is_new, row = name not in self.rows, super()._row(name, rule)
        if is_new and isinstance(row, _NumberRow):
            # A line has no room below it, and none to spare.
            row.label.setText(_SHORT_LABELS.get(name, rule.row["label"]))
            row.refusal = Bubble(row.field)
            row.label.setMinimumWidth(0)
            dress(row.refusal, self.theme)
        return row

    def _on_more(self) -> None:
        self.asked.emit("fold_encoding")

    def _show_arrow(self) -> None:
        self.more.setIcon(themed_icon("sliders", self.theme))
        counts = words.count_forms(self._model)
        self.checks.setText(f"Checks {counts[-2]}")
        self.checks.setToolTip(f"{counts[0].capitalize()}: open the checks")
        n_hold, _, n_all = counts[-1].partition("/")
        icon, color = ("check", self.theme.ok) if n_hold == n_all else ("list", None)
        self.checks.setIcon(themed_icon(icon, self.theme, color))
