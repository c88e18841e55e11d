"""A dialog that stays open beside the window: rows under headings on a page that scrolls, with a search."""

from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.scene_panel import scrolled

# What the window manager and a taskbar may take.
FRAME = QSize(20, 60)
_SIDE = 20


class PageDialog(QDialog):
    """Its search leaves the rows with all words that are typed, and their headings."""

    def __init__(self, window: QWidget, title: str, size: QSize) -> None:
        super().__init__(window)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page = QWidget()
        page.setProperty("role", "panel")
        self.rows = filled(QVBoxLayout(page), margins=(_SIDE, 4, 16, 16))
        self.area = scrolled(page)
        self.column = filled(QVBoxLayout(self), self.area, margins=(0, 18, 0, 14), spacing=10, wide=self.area)
        self._searched: list[tuple[str, QWidget, str]] = []
        self._headings: dict[str, QLabel] = {}
        self.nothing = label("", "note")
        self.resize(size.boundedTo(self.screen().availableSize() - FRAME))

    def add(self, section: str, row: QWidget, words: str) -> None:
        """Add a row with the words that a search finds, under the heading of its section."""
        if section not in self._headings:
            heading = self._headings[section] = label(section, "heading")
            heading.setContentsMargins(0, 14, 0, 3)
            self.rows.addWidget(heading)
        self.rows.addWidget(row)
        self._searched.append((section, row, f"{section} {words}".casefold()))

    def add_search(self, what: str, nothing: str) -> None:
        """Put the search above the page, after its rows; nothing is said where no row is left."""
        self.search = QLineEdit(placeholderText=f"Search {what}", clearButtonEnabled=True)
        self.search.setAccessibleName(f"Search {what}")
        self.search.textChanged.connect(self._on_searched)
        self.nothing.setText(nothing)
        self.nothing.hide()
        filled(self.rows, self.nothing, None)
        self.column.insertLayout(0, side_by_side(self.search))
        self.search.setFocus()

    def _on_searched(self, text: str) -> None:
        typed = text.casefold().split()
        for _section, row, words in self._searched:
            row.setVisible(all(word in words for word in typed))
        left = {section for section, row, _words in self._searched if not row.isHidden()}
        for section, heading in self._headings.items():
            heading.setVisible(section in left)
        self.nothing.setVisible(not left)


def side_by_side(*widgets: QWidget | None) -> QHBoxLayout:
    """A line as wide as the page; None is the room that is left."""
    return filled(QHBoxLayout(), *widgets, margins=(_SIDE, 0, _SIDE, 0))


_Dialog = TypeVar("_Dialog", bound=QDialog)


def bring_up(dialog: _Dialog) -> _Dialog:
    """Show a dialog in front of others, with the keyboard."""
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
