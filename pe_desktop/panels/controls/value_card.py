"""A card with fields for names of the state, opened by a menu and closed by a press elsewhere."""

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from pe_desktop.core.state import value_of
from pe_desktop.draw import number_text
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.panels.controls.number_field import NumberField, RangeField
from pe_desktop.panels.controls.popups import Card

_FIELD_WIDTH = 96
_LEAST_WIDTH = 240


class ValueCard(Card):
    """A row for each name: its words and a field, segments where the name has a few words to choose from, or both."""

    def __init__(
        self,
        model: EncodingModel,
        rows: Mapping[str, tuple[str, str]],
        choices: Mapping[str, dict[str, str]],
        parent: QWidget,
    ) -> None:
        """Take label and tooltip of each name, and the words of those that are chosen; "" among them: or typed."""
        super().__init__(parent)
        self._model = model
        self.fields: dict[str, NumberField | Segments | RangeField] = {}
        self._labels: dict[str, QLabel] = {}
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(14, 12, 14, 12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        for name, (words, tooltip) in rows.items():
            label = self._labels[name] = QLabel(words)
            field = self._field(words, choices.get(name, {}))
            field.setObjectName(name)
            for widget in (label, field):
                widget.setToolTip(tooltip)
            grid.addWidget(label, len(self.fields), 0)
            grid.addWidget(field, len(self.fields), 1, Qt.AlignmentFlag.AlignRight)
            self.fields[name] = field
        self.refusal = RefusalLabel()
        grid.addWidget(self.refusal, len(rows), 0, 1, 2)
        self.setMinimumWidth(_LEAST_WIDTH)
        model.refused.connect(self._on_refused)

    def show_names(self, names: tuple[str, ...]) -> None:
        """Show the rows of these names alone, with what counts now."""
        for name, field in self.fields.items():
            self._labels[name].setVisible(name in names)
            field.setVisible(name in names)
            value = value_of(self._model.state, name)
            if isinstance(field, NumberField):
                field.show_value(number_text.exact(float(value)))
            elif isinstance(field, RangeField):
                field.show_value(value)
            else:
                field.show_choice(str(value))

    def open_at(self, corner: QPoint) -> None:
        self.refusal.show_sentence("")
        super().open_at(corner)

    def _field(self, words: str, choices: dict[str, str]) -> NumberField | Segments | RangeField:
        if not choices:
            field = NumberField(words)
            field.setFixedWidth(_FIELD_WIDTH)
            field.submitted.connect(self._on_typed)
            field.given_up.connect(self._on_given_up)
            return field
        if "" in choices:
            ranged = RangeField(words, {choice: word for choice, word in choices.items() if choice})
            ranged.submitted.connect(self._on_typed)
            return ranged
        segments = Segments(choices, words)
        segments.chosen.connect(self._on_typed)
        return segments

    def _on_typed(self, text: str) -> None:
        field = self.sender()
        assert isinstance(field, QWidget)
        if self._model.set_parameter(field.objectName(), text):
            if isinstance(field, NumberField | RangeField):
                field.show_taken()
            self.refusal.show_sentence("")

    def _on_given_up(self) -> None:
        self.refusal.show_sentence("")

    def _on_refused(self, refusal: Refusal) -> None:
        field = self.fields.get(refusal.parameter)
        if isinstance(field, NumberField | RangeField) and self.isVisible():
            field.show_refused()
            # The name of the command line means nothing beside its row.
            words = self._labels[refusal.parameter].text()
            self.refusal.show_sentence(refusal.sentence.replace(refusal.parameter, words, 1))
            self.adjustSize()
