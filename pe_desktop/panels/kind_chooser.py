"""The list on top of the Encoding dock: the encodings that one press chooses, in groups."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.presets import GROUPS, PRESETS, Group, Preset, presets_of
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_font
from pe_desktop.panels.controls.popups import ChoiceBox

# Of the open list, which ends with the dock.
_LIST_WIDTH = 238
_MOST_ENTRIES = 30
_ENTRY_HEIGHT = 25
_HEADING_HEIGHT = 30
_INDENT = 6
RADIUS = 5.0

_Index = QModelIndex | QPersistentModelIndex


class _EntryPainter(QStyledItemDelegate):
    """Draws headings as captions under a hairline, and entries like those of a menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme: Theme | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(_LIST_WIDTH, _ENTRY_HEIGHT if index.flags() else _HEADING_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        if self.theme is None:
            return
        place: QRect = option.rect
        text = place.adjusted(_INDENT, 0, -_INDENT, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not index.flags():
            painter.fillRect(QRect(text.left(), place.top() + 4, text.width(), 1), self.theme.axis)
            painter.setFont(text_font("caption"))
            painter.setPen(self.theme.text3)
            text.setTop(place.top() + 8)
        else:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.theme.highlight)
                painter.drawRoundedRect(place, RADIUS, RADIUS)
            painter.setFont(text_font("label"))
            painter.setPen(self.theme.text)
        words = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, words)
        painter.restore()


class KindChooser(ChoiceBox):
    """Shows what is chosen, also what stands in no list; announces the id of what a person chooses."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ""
        self.setAccessibleName("Encoding")
        # Its longest entry must not widen the dock's content beyond the dock.
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaxVisibleItems(_MOST_ENTRIES)
        self._painter = _EntryPainter(self)
        self.setItemDelegate(self._painter)
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
        return self._title

    def accessible_value(self) -> str:
        return self._title

    def place_of(self, preset_id: str) -> int:
        """Where an entry stands in the list."""
        return self.findData(preset_id)

    def show_theme(self, theme: Theme) -> None:
        self._painter.theme = theme

    def show_preset(self, encoding: Encoding, preset: Preset | None) -> None:
        """Show what is chosen now; an encoding that is no entry goes by the name of its kind."""
        title = encoding.title if preset is None else preset.title
        self.setCurrentIndex(-1 if preset is None else self.place_of(preset.id))
        self.setToolTip(_tooltip(encoding, preset))
        if title != self._title:
            self._title = title
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._cut_title()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def _cut_title(self) -> str:
        """As much of the title as the box has room for, with an ellipsis where that isn't all of it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        # The style draws a pixel further in at both sides.
        return self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room - 2)

    def _on_activated(self, place: int) -> None:
        self.chosen.emit(self.itemData(place))


def _add_group(entries: QStandardItemModel, group: Group) -> None:
    if group.id != "sinusoidal":
        heading = QStandardItem(group.title)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
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
