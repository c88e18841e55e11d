"""The sheet of keys: those of the actions, of single panels and of fields, and what the mouse does, with a search."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from pe_desktop.panels import PANELS, Panel
from pe_desktop.panels.facts_panel import FactsPanel
from pe_desktop.panels.gestures import GESTURES
from pe_desktop.panels.scene_panel import scrolled
from pe_desktop.window.actions import ActionSet
from pe_desktop.window.main_window import MainWindow

_SIZE = QSize(560, 700)
# What the window manager puts around it, about.
_FRAME = QSize(20, 60)
_KEYS_WIDTH = 170
_EVERYWHERE = (
    ("Tab, Shift+Tab", "Next or previous control, in the order in which they are seen, also within plots"),
    ("Alt", "The menus"),
    ("Enter", "In a field: take what was typed and go back to the plot; on t, k or i: type another value; else press"),
    ("Esc", "In a field: bring the value back; else close what lies over the plots"),
)


class KeysDialog(QDialog):
    """Stays open beside the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit(placeholderText="Search keys", clearButtonEnabled=True)
        self.search.setAccessibleName("Search keys")
        self.search.textChanged.connect(self._on_searched)
        self._lines: list[tuple[str, QLabel, QLabel]] = []
        self._headings: dict[str, QLabel] = {}
        page = QWidget()
        page.setProperty("role", "panel")
        self._grid = QGridLayout(page)
        self._grid.setContentsMargins(20, 4, 20, 16)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnMinimumWidth(0, _KEYS_WIDTH)
        self._grid.setColumnStretch(1, 1)
        for section, keys, words in _key_rows(window.action_set):
            self._add(section, keys, words)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 18, 0, 12)
        column.setSpacing(10)
        top = QVBoxLayout()
        top.setContentsMargins(20, 0, 20, 0)
        top.addWidget(self.search)
        column.addLayout(top)
        area = scrolled(page)
        # The arrows scroll: nothing else in the dialog needs them.
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # The style sheet draws a frame, in colour while it has the focus.
        area.setFrameShape(QFrame.Shape.StyledPanel)
        area.setProperty("role", "page")
        area.setAccessibleName("Keys and what they do")
        column.addWidget(area, 1)
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.search.setFocus()

    def _add(self, section: str, keys: str, words: str) -> None:
        if section not in self._headings:
            heading = self._headings[section] = QLabel(section)
            heading.setProperty("role", "heading")
            heading.setContentsMargins(0, 12, 0, 2)
            self._grid.addWidget(heading, self._grid.rowCount(), 0, 1, 2)
        place, labels = self._grid.rowCount(), (QLabel(keys, wordWrap=True), QLabel(words, wordWrap=True))
        for column, label in enumerate(labels):
            self._grid.addWidget(label, place, column, Qt.AlignmentFlag.AlignTop)
        self._lines.append((section, *labels))

    def _on_searched(self, text: str) -> None:
        typed = text.casefold().split()
        seen = set()
        for section, keys, words in self._lines:
            said = f"{section} {keys.text()} {words.text()}".casefold()
            is_meant = all(word in said for word in typed)
            keys.setVisible(is_meant)
            words.setVisible(is_meant)
            seen |= {section} if is_meant else set()
        for section, heading in self._headings.items():
            heading.setVisible(section in seen)


def _key_rows(actions: ActionSet) -> Iterator[tuple[str, str, str]]:
    """Section, keys, words: what the action table, the panels and the gestures declare, and what holds everywhere."""
    for keys, words in _EVERYWHERE:
        yield "Everywhere", keys, words
    for row in sorted(actions.rows.values(), key=lambda row: row.menu.split(" > ")[0] != "Go"):
        if row.key and row.title_now:
            keys = ", ".join(_shown(key) for key in (row.key, row.other_key) if key)
            yield row.menu.split(" > ")[-1] or "Window", keys, row.title_now
    panels: tuple[type[Panel], ...] = (*PANELS, FactsPanel)
    for panel in panels:
        for keys, words in panel.keys.items():
            yield f"With the keyboard in {panel.title}", keys, words
    for gesture, words in GESTURES.items():
        yield "Mouse", gesture, words


def open_keys(window: MainWindow) -> None:
    """Show the sheet; where it is open already, bring it to the front."""
    dialog = window.findChild(KeysDialog) or KeysDialog(window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def _shown(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
