"""The list on top of the Encoding dock: the encodings that one press chooses, in groups."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.presets import GROUPS, PRESETS, Group, Preset, presets_of
from pe_desktop.draw.typefaces import text_font
from pe_desktop.panels.controls.popups import ChoiceBox

# Of the open list, which ends with the dock.
_LIST_WIDTH = 238
_MOST_ENTRIES = 30
_HEADING_HEIGHT = 30


class KindChooser(ChoiceBox):
    """Shows what is chosen, also what stands in no list; announces the id of what a person chooses."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = -1
        self.setAccessibleName("Encoding")
        # Its longest entry must not widen the dock's content beyond the dock.
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaxVisibleItems(_MOST_ENTRIES)
        # Filled beforehand: an open list, which nobody sees, would be laid out anew after each entry.
        entries = QStandardItemModel(self)
        for group in GROUPS.values():
            _add_group(entries, group)
        self.setModel(entries)
        self.view().setMinimumWidth(_LIST_WIDTH)
        self.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.activated.connect(self._on_activated)

    @property
    def title(self) -> str:
        """What is chosen."""
        return self.currentText() or self.placeholderText()

    def accessible_value(self) -> str:
        return self.title

    def place_of(self, preset_id: str) -> int:
        """Where an entry stands in the list."""
        return self.findData(preset_id)

    def show_preset(self, encoding: Encoding, preset: Preset | None) -> None:
        """Show what is chosen now; an encoding that is no entry goes by the name of its kind."""
        self.setPlaceholderText(encoding.title if preset is None else preset.title)
        self._place = -1 if preset is None else self.place_of(preset.id)
        self.setCurrentIndex(self._place)
        self.setToolTip(_tooltip(encoding, preset))

    def _on_activated(self, place: int) -> None:
        # A sentence is an entry that leaves the encoding as it is.
        self.setCurrentIndex(self._place)
        self.chosen.emit(self.itemData(place))


def _add_group(entries: QStandardItemModel, group: Group) -> None:
    if group.id != "sinusoidal":
        heading = QStandardItem(group.title)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        heading.setFont(text_font("caption"))
        heading.setSizeHint(QSize(_LIST_WIDTH, _HEADING_HEIGHT))
        entries.appendRow(heading)
    for preset in PRESETS.values():
        if preset.group == group:
            entry = QStandardItem(preset.title)
            entry.setData(preset.id, Qt.ItemDataRole.UserRole)
            entry.setToolTip(preset.sentence)
            entries.appendRow(entry)


def _tooltip(encoding: Encoding, preset: Preset | None) -> str:
    others = [other.title for other in presets_of(encoding) if preset is not None and other.id != preset.id]
    return f"The same table: {', '.join(others)}" if others else "Choose another encoding"
