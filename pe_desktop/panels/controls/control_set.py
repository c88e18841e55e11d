"""The widgets of declared controls: they show the state and set it, a card of them, and a sentence about a refusal."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QLabel, QWidget

from pe_desktop.core.cursor import Span
from pe_desktop.core.state import State, value_of
from pe_desktop.draw import number_text
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.panels.controls.buttons import IconButton, PushButton, Segments, TextButton
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.popups import Card, ChoiceBox
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.views.controls import Choice, Control, Flag, Number, Press, Range

_FIELD_WIDTH = 96


class _RangeField(QWidget):
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


# The longest title of a text has room.
_WIDEST_LIST: Final = 380
_LEAST_CARD: Final = 240


class ControlSet(QObject):
    """Makes the widgets, shows in them what a state has, and sets what is chosen, pressed or typed.

    pressed: a button, with its `Press`; refused: a sentence about what was typed stands in `refusal`.
    """

    pressed = Signal(object)
    refused = Signal()

    def __init__(self, model: EncodingModel, controls: Sequence[Control], parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.controls = controls
        self.refusal = RefusalLabel()
        self.labels: dict[str, QLabel] = {}
        self.widgets: dict[str, QWidget] = {}
        for control in controls:
            widget = self.widgets[control.key] = self._made(control, parent)
            if control.has_label:
                label = self.labels[control.key] = QLabel(control.label, parent)
                label.setBuddy(widget)
                label.setToolTip(widget.toolTip())
        if any(isinstance(control, Number) for control in controls):
            model.refused.connect(self._on_refused)

    def row(self, *, is_in_title: bool) -> list[QWidget]:
        """The labels and widgets of the title or of the row below it, from left to right."""
        keys = [control.key for control in self.controls if control.is_in_title == is_in_title]
        return [some[key] for key in keys for some in (self.labels, self.widgets) if key in some]

    def show_state(self, state: State) -> None:
        """Show what counts now, and the controls that belong to it."""
        for control in self.controls:
            self._show(control, self.widgets[control.key], state)
            for some in (self.labels, self.widgets):
                if control.key in some:
                    some[control.key].setVisible(control.is_shown(state))

    def _made(self, control: Control, parent: QWidget) -> QWidget:
        if isinstance(control, Choice) and control.is_list:
            box = ChoiceBox(parent)
            box.offer(control.label, control.words, control.tooltips)
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMaximumWidth(_WIDEST_LIST)
            box.chosen.connect(partial(self._on_chosen, control))
            return box
        if isinstance(control, Choice):
            below = None if control.below is None else {**control.below}
            segments = Segments({**control.words}, control.label, parent, below=below)
            segments.set_tooltips({**control.tooltips})
            segments.setToolTip(control.tooltip)
            segments.chosen.connect(partial(self._on_chosen, control))
            return segments
        if isinstance(control, Press):
            text = control.tooltip or control.text
            button = IconButton(control.icon, text, parent) if control.icon else PushButton(control.text, parent)
            button.setToolTip(text)
            button.clicked.connect(partial(self.pressed.emit, control))
            return button
        if isinstance(control, Flag):
            switch = IconButton(control.icon, control.tooltip, parent) if control.icon else TextButton(parent)
            switch.setText(control.text)
            switch.setToolTip(control.tooltip)
            switch.setCheckable(True)
            switch.clicked.connect(partial(self._on_switched, control))
            return switch
        assert isinstance(control, Number)
        field: NumberField | _RangeField = NumberField(control.label)
        if isinstance(control, Range):
            field = _RangeField(control.label, {**control.words})
        field.setToolTip(control.tooltip)
        field.submitted.connect(partial(self._on_typed, control))
        if isinstance(field, NumberField):
            field.setFixedWidth(control.width)
            field.given_up.connect(partial(self.refusal.show_sentence, ""))
        return field

    def _show(self, control: Control, widget: QWidget, state: State) -> None:
        if isinstance(control, Press):
            widget.setEnabled(control.changes is None or control.changes(state) is not None)
            return
        if isinstance(control, Flag) and isinstance(widget, QAbstractButton):
            widget.setChecked(value_of(state, control.name))
            return
        assert isinstance(control, Choice | Number)
        value: Any = control.shown(state) if control.shown else value_of(state, control.name)
        if isinstance(widget, _RangeField):
            widget.show_value(value)
        elif isinstance(widget, NumberField):
            widget.show_value(number_text.exact(value))
        elif isinstance(widget, ChoiceBox):
            widget.show_choice(str(value))
        elif isinstance(control, Choice) and isinstance(widget, Segments):
            widget.show_choice(str(value))
            for word, refusal in control.refusals.items():
                widget.set_enabled(word, is_enabled=not refusal(state))
                widget.set_tooltips({word: refusal(state) or control.tooltips.get(word, "")})

    def _on_chosen(self, control: Choice, value: str) -> None:
        self._model.set(**{control.name: value, **control.also})

    def _on_switched(self, control: Flag) -> None:
        is_on = not value_of(self._model.state, control.name)
        self._model.set(**{**control.also, control.name: is_on})

    def _on_typed(self, control: Number, text: str) -> None:
        field = self.widgets[control.name]
        if isinstance(field, NumberField | _RangeField) and self._model.set_parameter(control.name, text):
            if control.then is not None:
                self._model.set(**control.then(self._model.state))
            field.show_taken()
            self.refusal.show_sentence("")

    def _on_refused(self, refusal: Refusal) -> None:
        field = self.widgets.get(refusal.parameter)
        if isinstance(field, NumberField | _RangeField) and field.isVisible():
            field.show_refused()
            # The name of the command line means nothing beside its row.
            words = refusal.sentence.replace(refusal.parameter, self.labels[refusal.parameter].text(), 1)
            self.refusal.show_sentence(words)
            if self.refusal.parent() is None:
                field.setToolTip(words)
            self.refused.emit()


class ControlCard(Card):
    """A row for each control, opened by a menu and closed by a press elsewhere."""

    def __init__(self, model: EncodingModel, controls: Sequence[Control], parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._set = ControlSet(model, controls, self)
        self.widgets, self.refusal = self._set.widgets, self._set.refusal
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 12, 14, 12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        for row, (key, widget) in enumerate(self.widgets.items()):
            grid.addWidget(self._set.labels[key], row, 0)
            grid.addWidget(widget, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.refusal, len(controls), 0, 1, 2)
        self.setMinimumWidth(_LEAST_CARD)
        self._set.refused.connect(self.adjustSize)
        self.show_choices()

    def show_choices(self) -> None:
        """Show what counts now."""
        self._set.show_state(self._model.state)

    def open_at(self, corner: QPoint) -> None:
        self.refusal.show_sentence("")
        super().open_at(corner)
