"""A few words to choose from, and a field for two numbers in their place: 4..12."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.core.cursor import Span
from pe_desktop.draw import number_text
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.number_field import NumberField

_FIELD_WIDTH = 96


class RangeField(QWidget):
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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.segments)
        row.addWidget(self.field)

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
