"""The sheet of keys: those of the actions, of single panels and of fields, and what the mouse does, with a search."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from pe_desktop.panels import PANELS, Panel
from pe_desktop.panels.facts_panel import FactsPanel
from pe_desktop.panels.gestures import GESTURES
from pe_desktop.window.actions import ActionSet
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.page_dialog import PageDialog

_SIZE = QSize(560, 700)
_KEYS_WIDTH = 170
_EVERYWHERE = (
    ("Tab, Shift+Tab", "Next or previous control, in the order in which they are seen, also within plots"),
    ("Alt", "The menus"),
    ("Enter", "In a field: take what was typed and go back to the plot; on t, k or i: type another value; else press"),
    ("Esc", "In a field: bring the value back; else close what lies over the plots"),
)


class KeysDialog(PageDialog):
    """Stays open beside the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "Keys", _SIZE)
        self.rows.setSpacing(5)
        for section, keys, words in _key_rows(window.action_set):
            self.add(section, _line(keys, words), f"{keys} {words}")
        self.add_search("keys", "No key has these words.")
        # The arrows scroll: nothing else in the dialog needs them.
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # The style sheet draws a frame, in colour while it has the focus.
        self.area.setFrameShape(QFrame.Shape.StyledPanel)
        self.area.setProperty("role", "page")
        self.area.setAccessibleName("Keys and what they do")


def _line(keys: str, words: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 4, 0)
    row.setSpacing(16)
    for text, stretch in ((keys, 0), (words, 1)):
        label = QLabel(text, wordWrap=True)
        row.addWidget(label, stretch, Qt.AlignmentFlag.AlignTop)
        if not stretch:
            label.setFixedWidth(_KEYS_WIDTH)
    return line


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


def _shown(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
