"""A field that finds rows by words, and such rows."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem

from pe_desktop.languages import told


class SearchField(QLineEdit):
    """Says what it searches, and calls `search` when something else is typed."""

    def __init__(self, words: str, search: Callable[[str], object]) -> None:
        super().__init__(placeholderText=told(words), clearButtonEnabled=True)
        self.setAccessibleName(told(words))
        self.textChanged.connect(search)

    def finds(self, *texts: str) -> bool:
        """Whether all words that are typed stand in some texts, in any order."""
        searched = " ".join(texts).casefold()
        return all(word in searched for word in self.text().casefold().split())


class Rows(QTreeWidget):
    """Rows of texts: the first at the left, the others at the right, as wide as they need."""

    def __init__(self, n_columns: int) -> None:
        super().__init__()
        self.setColumnCount(n_columns)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def show_rows(self, rows: Iterable[Sequence[str]], color: QColor | None = None) -> None:
        """Have these, all but their first texts in a colour, if any, and the first of them chosen."""
        items = [QTreeWidgetItem([*texts]) for texts in rows]
        for item in items:
            for column in range(1, self.columnCount()):
                if color is not None:
                    item.setForeground(column, color)
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.clear()
        self.addTopLevelItems(items)
        self.choose(0)

    def choose(self, row: int) -> None:
        """Choose one, if there are any."""
        if item := self.topLevelItem(row):
            self.setCurrentItem(item)
