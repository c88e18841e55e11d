"""Panels whose controls are data: the view says them, presses and tooltips are those of the scene's places."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from pe_desktop.core.state import State, value_of
from pe_desktop.draw import number_text
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import IconButton, PushButton, Segments
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.controls import Choice, Control, Declared, Number, Press

_FIELD_WIDTH: Final = 72
# The longest title of a text has room.
_WIDEST_LIST: Final = 380


class DeclaredPanel(ScrolledScenePanel):
    """Draws the view of its key with the controls that the view declares."""

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        self.declared: Declared = getattr(self.view, "panel", Declared())
        self.accessible_name = self.declared.accessible_name
        self.readout_title = self.declared.readout_title
        self.describes_cursor = self.declared.describes_cursor
        super().__init__(model, playback, parent)
        self.widgets: dict[str, QWidget] = {}
        self._marked_value: Any = None
        self.refusal = RefusalLabel()
        self.progress = ProgressRow(model.findings, self)
        self._row = QWidget()
        self._row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 4, 6, 4)
        row.setSpacing(6)
        for control in self.declared.controls:
            self._add(control, row)
        row.addStretch()
        if row.count() > 1:
            self.column.insertWidget(0, self._row)
        if any(isinstance(control, Number) for control in self.declared.controls):
            self.column.insertWidget(self.column.count() - 1, self.refusal)
            model.refused.connect(self._on_refused)
        self.column.addWidget(self.progress)
        # A page has its height only after it has been laid out.
        self._bringing = QTimer(self, interval=0, singleShot=True)
        self._bringing.timeout.connect(self._bring_into_view)
        self.setMinimumSize(*self.declared.smallest)

    def reactions(self) -> Reactions:
        return replace(super().reactions(), has_readout=self.declared.reads_pointer)

    def header_widgets(self) -> list[QWidget]:
        return [self.widgets[_key(control)] for control in self.declared.controls if control.is_in_title]

    def refresh(self) -> None:
        super().refresh()
        self.follow_progress()
        marked = self.declared.marked
        if marked and self._marked_value != value_of(self.model.state, marked):
            self._marked_value = value_of(self.model.state, marked)
            self.show_chosen()

    def follow_progress(self) -> None:
        """Have the row of progress tell of what takes long."""
        self.progress.follow([question for question in self.questions() if question.title][:1])

    def show_chosen(self) -> None:
        """Scroll the chosen place into view as soon as the page stands."""
        self._bringing.start()

    def show_choices(self) -> None:
        super().show_choices()
        state = self.model.state
        for control in self.declared.controls:
            widget = self.widgets[_key(control)]
            self._show(control, widget, state)
            holder = widget.parentWidget() if isinstance(control, Number) else widget
            assert holder is not None
            holder.setVisible(control.is_shown(state))
        shown = [control.is_shown(state) for control in self.declared.controls if not control.is_in_title]
        self._row.setVisible(any(shown))
        if self.declared.page:
            self.show_page(str(value_of(state, self.declared.page)))

    def _add(self, control: Control, row: QHBoxLayout) -> None:
        widget = self._made(control)
        self.widgets[_key(control)] = widget
        if isinstance(control, Number):
            holder = QWidget()
            inner = QHBoxLayout(holder)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.addWidget(QLabel(control.label))
            inner.addWidget(widget)
            row.addWidget(holder)
        elif not control.is_in_title:
            row.addWidget(widget, int(isinstance(widget, ChoiceBox)))

    def _made(self, control: Control) -> QWidget:
        if isinstance(control, Choice) and control.is_list:
            box = ChoiceBox(self)
            for value, words in control.words.items():
                box.addItem(words, value)
            box.setAccessibleName(control.label)
            box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMaximumWidth(_WIDEST_LIST)
            box.activated.connect(partial(self._on_listed, control))
            return box
        if isinstance(control, Choice):
            below = None if control.below is None else {**control.below}
            segments = Segments({**control.words}, control.label, self, below=below)
            segments.set_tooltips({**control.tooltips})
            segments.chosen.connect(partial(self._on_chosen, control))
            return segments
        if isinstance(control, Press):
            text = control.tooltip or control.text
            button = IconButton(control.icon, text, self) if control.icon else PushButton(control.text, self)
            button.setToolTip(text)
            button.clicked.connect(partial(self._on_pressed, control))
            return button
        assert isinstance(control, Number)
        field = NumberField(control.label)
        field.setFixedWidth(_FIELD_WIDTH)
        field.submitted.connect(partial(self._on_typed, control))
        field.given_up.connect(self._on_given_up)
        return field

    def _show(self, control: Control, widget: QWidget, state: State) -> None:
        if isinstance(control, Choice) and isinstance(widget, Segments):
            widget.show_choice(control.shown(state) if control.shown else str(value_of(state, control.name)))
            for word, refusal in control.refusals.items():
                widget.set_enabled(word, is_enabled=not refusal(state))
                widget.set_tooltips({word: refusal(state) or control.tooltips.get(word, "")})
        elif isinstance(control, Choice) and isinstance(widget, ChoiceBox):
            widget.setCurrentIndex(widget.findData(value_of(state, control.name)))
        elif isinstance(control, Number) and isinstance(widget, NumberField):
            widget.show_value(number_text.exact(value_of(state, control.name)))
        elif isinstance(control, Press) and control.changes is not None:
            widget.setEnabled(control.changes(state) is not None)

    def _on_chosen(self, control: Choice, value: str) -> None:
        self.model.set(**{control.name: value, **control.also})

    def _on_listed(self, control: Choice, place: int) -> None:
        self._on_chosen(control, [*control.words][place])

    def _on_pressed(self, control: Press) -> None:
        # What is copied is of the panel that has the focus, which a press on a button doesn't move everywhere.
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        changes = control.changes(self.model.state) if control.changes is not None else None
        if changes:
            self.model.set(**changes)
        if control.action:
            self.asked.emit(control.action)

    def _on_typed(self, control: Number, text: str) -> None:
        field = self.widgets[control.name]
        if isinstance(field, NumberField) and self.model.set_parameter(control.name, text):
            field.show_taken()
            self.refusal.show_sentence("")

    def _on_given_up(self) -> None:
        self.refusal.show_sentence("")

    def _on_refused(self, refusal: Refusal) -> None:
        field = self.widgets.get(refusal.parameter)
        if isinstance(field, NumberField):
            field.show_refused()
            self.refusal.show_sentence(refusal.sentence.replace(refusal.parameter, field.accessibleName(), 1))

    def _bring_into_view(self) -> None:
        place = next((place for place in self.canvas.places() if place.is_chosen), None)
        if place is not None:
            x, y = place.area.middle
            self.page_area.ensureVisible(round(x), round(y), 0, round(place.area.height / 2))


def _key(control: Control) -> str:
    """What a widget is kept by: the name of the state, or the text of a button."""
    return control.text if isinstance(control, Press) else str(getattr(control, "name", ""))
