"""A row of a form for one parameter: a number with or without a slider, or one of some words."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.draw import number_text
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.step_slider import StepSlider

_LABEL_WIDTH = 71
# A field is as wide as its value needs, within these.
_FIELD_WIDTH, _WIDEST_FIELD, _WIDEST_BESIDE_SLIDER = 68, 148, 95
# The padding and the border of a field, and what Qt leaves free at both sides of the text.
_FIELD_EXTRA = 24
# Up to so many words of so many letters in all stand side by side; others are a list that opens.
_MOST_SEGMENTS = 3
_MOST_LETTERS = 18


class ParameterRow(QWidget):
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


class NumberRow(ParameterRow):
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
        self.slider = StepSlider(steps, word) if steps else None
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
        self.field.given_up.connect(self._on_given_up)
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

    def _on_given_up(self) -> None:
        self.refusal.show_sentence("")


class WordRow(ParameterRow):
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
        self._choices = tuple(choices)
        self.segments: Segments | None = None
        self.box: ChoiceBox | None = None
        if len(choices) <= _MOST_SEGMENTS and sum(map(len, choices.values())) <= _MOST_LETTERS:
            self.segments = Segments(dict(choices), word)
            self.segments.set_tooltips(dict(tooltips))
            self.segments.chosen.connect(self._on_chosen)
            self.line.addWidget(self.segments, 1)
        else:
            self.box = _box(word, tooltip, choices, tooltips)
            self.box.activated.connect(self._on_activated)
            self.line.addWidget(self.box, 1)

    def show_value(self, value: float | str) -> None:
        """Show which one is chosen."""
        if self.segments is not None:
            self.segments.show_choice(str(value))
        if self.box is not None:
            self.box.setCurrentIndex(self._choices.index(str(value)))

    def _on_chosen(self, choice: str) -> None:
        self.submitted.emit(self.name, choice)

    def _on_activated(self, place: int) -> None:
        self.submitted.emit(self.name, self._choices[place])


def _box(word: str, tooltip: str, choices: Mapping[str, str], tooltips: Mapping[str, str]) -> ChoiceBox:
    box = ChoiceBox()
    box.addItems(list(choices.values()))
    box.setAccessibleName(word)
    box.setToolTip(tooltip)
    for place, choice in enumerate(choices):
        box.set_entry_tooltip(place, tooltips.get(choice, ""))
    return box
