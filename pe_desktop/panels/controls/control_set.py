"""The widgets of declared controls: they show the state and set it, a card of them, and a sentence about a refusal."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from pe_desktop.core.cursor import Span
from pe_desktop.core.state import State, value_of
from pe_desktop.draw import number_text
from pe_desktop.draw.told import Label
from pe_desktop.languages import told
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.controls.buttons import IconButton, PushButton, Segments, TextButton, acting
from pe_desktop.panels.controls.layouts import BARE, RefusalLabel, filled
from pe_desktop.panels.controls.popups import Card, ChoiceBox
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.views.controls import Choice, Control, Flag, Number, Press, Range

_RANGE_WIDTH = 96
# The longest title of a text has room.
_WIDEST_LIST = 380
_LEAST_CARD = 240
# A widget, and what shows a state in it.
_Made: TypeAlias = tuple[QWidget, Callable[[State], object]]


class ControlSet(QObject):
    """Makes the widgets, shows in them what a state has, and sets what is chosen, pressed or typed.

    pressed: a button, with its `Press`; typed: a number was typed, and `refusal` says why it was not taken, or nothing.
    """

    pressed = Signal(object)
    typed = Signal()

    def __init__(self, model: EncodingModel, controls: Sequence[Control], parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._parent = parent
        self.controls = controls
        self.refusal = RefusalLabel()
        self.labels: dict[str, QLabel] = {}
        self.widgets: dict[str, QWidget] = {}
        # The fields in which a number is typed, by the name that it sets, and what each widget shows of a state.
        self.fields: dict[str, NumberField] = {}
        self._shows: dict[str, Callable[[State], object]] = {}
        for control in controls:
            widget, self._shows[control.key] = self._made(control)
            self.widgets[control.key] = widget
            if control.has_label:
                label = self.labels[control.key] = Label(control.label, parent)
                label.setBuddy(widget)
                label.setToolTip(widget.toolTip())

    def row(self, *, is_in_title: bool) -> list[QWidget]:
        """The labels and widgets of the title or of the row below it, from left to right."""
        controls = [control for control in self.controls if control.is_in_title == is_in_title]
        return [part for control in controls for part in self._parts(control)]

    def show_state(self, state: State) -> None:
        """Show what counts now, and the controls that belong to it."""
        for control in self.controls:
            self._shows[control.key](state)
            is_shown = control.is_shown(state)
            if control.key in self.fields and self.fields[control.key].is_refused and not is_shown:
                self.fields[control.key].show_taken()
                self.refusal.show_sentence("")
            for part in self._parts(control):
                part.setVisible(is_shown)

    def _parts(self, control: Control) -> list[QWidget]:
        """Its label, where it has one, and its widget."""
        return [parts[control.key] for parts in (self.labels, self.widgets) if control.key in parts]

    def _made(self, control: Control) -> _Made:
        if isinstance(control, Press):
            return self._button(control)
        if isinstance(control, Flag):
            return self._switch(control)
        if isinstance(control, Choice):
            if len(control.words) > control.n_buttons:
                return self._both(control)
            return self._list(control) if control.is_list else self._segments(control)
        assert isinstance(control, Number)
        return self._range(control) if isinstance(control, Range) else self._number(control)

    def _button(self, control: Press) -> _Made:
        text = control.tooltip or control.text
        button = (
            IconButton(control.icon, text, self._parent) if control.icon else PushButton(control.text, self._parent)
        )
        acting(button, partial(self.pressed.emit, control), text)
        changes = control.changes
        return button, lambda state: button.setEnabled(changes is None or changes(state) is not None)

    def _switch(self, control: Flag) -> _Made:
        switch = TextButton(self._parent)
        switch.setText(control.text)
        switch.setCheckable(True)
        acting(switch, partial(self._on_switched, control), control.tooltip)
        return switch, lambda state: switch.setChecked(value_of(state, control.name))

    def _list(self, control: Choice) -> _Made:
        box = ChoiceBox(self._parent)
        box.offer(control.label, control.words, control.tooltips)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMaximumWidth(_WIDEST_LIST)
        box.chosen.connect(partial(self._on_chosen, control))
        return box, lambda state: box.show_choice(str(_value(control, state)))

    def _both(self, control: Choice) -> _Made:
        """The first words as buttons, the others in a list that says what it holds while none of them is chosen."""
        words = [*control.words.items()]
        first = dict(words[: control.n_buttons])
        others = dict(words[control.n_buttons :])
        tooltips = {value: control.tooltips.get(value, "") for value in first}
        segments, show_first = self._segments(replace(control, words=first, tooltips=tooltips))
        box, show_other = self._list(replace(control, words=others, label=f"{control.label}, {control.more.lower()}"))
        assert isinstance(box, ChoiceBox)
        box.setPlaceholderText(control.more)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        row = QWidget(self._parent)
        filled(QHBoxLayout(row), segments, box, margins=BARE, spacing=6)
        return row, lambda state: (show_first(state), show_other(state))

    def _segments(self, control: Choice) -> _Made:
        segments = Segments(control.words, control.label, self._parent)
        segments.set_tooltips(control.tooltips)
        segments.setToolTip(control.tooltip)
        segments.chosen.connect(partial(self._on_chosen, control))

        def show(state: State) -> None:
            segments.show_choice(str(_value(control, state)))
            for word, refusal in control.refusals.items():
                segments.set_enabled(word, is_enabled=not refusal(state))
                segments.set_tooltips({word: refusal(state) or control.tooltips.get(word, "")})

        return segments, show

    def _number(self, control: Number) -> tuple[NumberField, Callable[[State], object]]:
        # A letter alone says nothing to who doesn't see what it stands beside.
        label = control.label.removesuffix(" =")
        name = f"{label}: {control.tooltip}" if len(label) == 1 and control.tooltip else label
        field = self.fields[control.name] = NumberField(name)
        field.setToolTip(control.tooltip)
        field.setFixedWidth(control.width)
        field.setMaxLength(control.letters)
        field.submitted.connect(partial(self._on_typed, control))
        field.given_up.connect(partial(self.refusal.show_sentence, ""))

        def show(state: State) -> None:
            value = _value(control, state)
            field.show_value(value if isinstance(value, str) else number_text.exact(value))

        return field, show

    def _range(self, control: Range) -> _Made:
        """Words beside a field, which is empty while a word is chosen."""
        row = QWidget()
        segments = Segments(control.words, control.label)
        field = self._number(control)[0]
        row.setToolTip(told(control.tooltip))
        field.setAccessibleName(f"{control.label}: from and to")
        field.setPlaceholderText("4..12 or 8")
        field.setFixedWidth(_RANGE_WIDTH)
        filled(QHBoxLayout(row), segments, field, margins=BARE, spacing=8)
        segments.chosen.connect(partial(self._on_typed, control))

        def show(state: State) -> None:
            value = _value(control, state)
            ends = (value.first, value.last) if isinstance(value, Span) else ()
            segments.show_choice("" if ends else str(value))
            field.show_value("..".join(map(number_text.exact, ends)))

        return row, show

    def _on_chosen(self, control: Choice, value: str) -> None:
        self._model.set(**{control.name: value, **control.also})

    def _on_switched(self, control: Flag) -> None:
        is_on = not value_of(self._model.state, control.name)
        self._model.set(**{**control.also, control.name: is_on})

    def _on_typed(self, control: Number, text: str) -> None:
        field = self.fields[control.name]
        read = str if control.read is None else partial(control.read, self._model.state)
        refusal = self._model.set_parameter(control.name, text, read)
        # The name of the command line means nothing beside its row.
        refusal = refusal.replace(control.name, control.label.removesuffix(" ="), 1)
        if refusal:
            field.show_refused()
        else:
            if control.then is not None:
                self._model.set(**control.then(self._model.state))
            field.show_taken()
        self.refusal.show_sentence(refusal)
        self.typed.emit()


def _value(control: Choice | Number, state: State) -> Any:
    """What counts of a state for a control."""
    return control.shown(state) if control.shown else value_of(state, control.name)


class ControlCard(Card):
    """A row for each control, opened by a menu and closed by a press elsewhere."""

    def __init__(self, model: EncodingModel, controls: Sequence[Control], parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._set = ControlSet(model, controls, self)
        self.widgets, self.fields, self.refusal = self._set.widgets, self._set.fields, self._set.refusal
        self.pressed = self._set.pressed
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 12, 14, 12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        for row, (key, widget) in enumerate(self.widgets.items()):
            grid.addWidget(self._set.labels[key], row, 0)
            grid.addWidget(widget, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(self.refusal, len(controls), 0, 1, 2)
        self.setMinimumWidth(_LEAST_CARD)
        self._set.typed.connect(self.adjustSize)
        model.state_changed.connect(self._on_state_changed)

    def open_at(self, corner: QPoint) -> None:
        self._set.show_state(self._model.state)
        self.refusal.show_sentence("")
        super().open_at(corner)

    def _on_state_changed(self, state: State) -> None:
        if self.isVisible():
            self._set.show_state(state)
