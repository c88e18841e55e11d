"""The Help menu: ten minutes inside the window, the sheet of keys, and where problems go; pages that stay open."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QMessageBox, QScrollArea, QVBoxLayout, QWidget

from pe_desktop import __version__
from pe_desktop.panels import PANELS, panel_class
from pe_desktop.panels.controls.buttons import DialogButton, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.gestures import GESTURES
from pe_desktop.panels.scene_panel import PageArea
from pe_desktop.resources import project_page, resource_path
from pe_desktop.window.actions import ActionSet
from pe_desktop.window.error_reports import ReportDialog
from pe_desktop.window.main_window import FRAME, MainWindow
from pe_desktop.window.tab_order import move_focus, stops_in

_SIDE = 20


class PageDialog(QDialog):
    """Its search leaves the rows with all words that are typed, and their headings."""

    def __init__(self, window: QWidget, title: str, size: QSize) -> None:
        super().__init__(window)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page = self._page = QWidget()
        page.setProperty("role", "panel")
        self.rows = filled(QVBoxLayout(page), margins=(_SIDE, 4, 16, 16))
        self.area = PageArea(page)
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

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        """In the order in which all is seen: the search, the page, also where it is scrolled, what stands below it."""
        around = [stop for stop in stops_in(self) if not self._page.isAncestorOf(stop)]
        n_above = sum(stop.y() < self.area.y() for stop in around)
        return move_focus([*around[:n_above], *stops_in(self._page), *around[n_above:]], is_back=not next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # What the search leaves scrolls the page, and what that leaves is the dialog's own.
        QScrollArea.keyPressEvent(self.area, event)
        if not event.isAccepted():
            super().keyPressEvent(event)

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


def bring_up(dialog: QDialog) -> None:
    """Show a dialog in front of others, with the keyboard."""
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


_REPORT = (
    "Say what you did, what you saw and what you expected instead, and add the lines below. They are copied here and "
    "nowhere else: nothing is sent."
)


def _open_page(name: str) -> None:
    QDesktopServices.openUrl(QUrl(f"{project_page()}/{name}"))


def show_help(window: MainWindow, key: str, system_info: str) -> None:
    """Show the sheet of keys, the report of a problem, the releases, or what the program is."""
    if key == "keys":
        bring_up(window.findChild(_KeysDialog) or _KeysDialog(window))
    elif key == "report":
        dialog = ReportDialog(window, "Report a problem", "Report a problem", _REPORT, system_info)
        if project_page():
            button = DialogButton("Open the page", autoDefault=False)
            dialog.buttons.insertWidget(1, acting(button, partial(_open_page, "issues")))
        dialog.show()
    elif key == "releases":
        _open_page(key)
    else:
        QMessageBox.about(window, "About PE Desktop", _about_text())


def _about_text() -> str:
    """Version, licence, where Qt's licence and source are, and the licences of everything else."""
    from html import escape  # noqa: PLC0415 - the first frame needs none

    licences = resource_path("licences")
    return (
        f"<span style='font-size: 17px; font-weight: 600'>PE Desktop {__version__}</span><br>"
        "Positional encodings, visible and exact.<br><br>"
        "MIT licence. Drawn with Qt (PySide6), used under the LGPL 3; its source is at "
        "<a href='https://code.qt.io'>code.qt.io</a>, and its files may be replaced by your own. "
        "Numbers by NumPy (BSD licence). "
        "Typefaces Inter, STIX Two and JetBrains Mono (SIL Open Font License 1.1).<br><br>"
        f"The licences of all parts: <a href='{licences.as_uri()}'>{escape(str(licences))}</a>"
    )


_SIZE = QSize(560, 700)
_KEYS_WIDTH = 170
_EVERYWHERE = (
    ("Tab, Shift+Tab", "Next or previous control, in the order in which they are seen, also within plots"),
    ("Alt", "The menus"),
    ("Enter", "In a field: take what was typed and go back to the plot; on t, k or i: type another value; else press"),
    ("Enter, Space", "On a list: open it; Up and Down choose there, also while it is closed"),
    ("Home, End, PgUp, PgDown", "On a slider: its first or last value, three stops up or down"),
    ("PgUp, PgDown", "Scroll what is higher than its panel: Properties, Attention, Compare, Facts, the dials of Clock"),
    ("Esc", "In a field: bring the value back; else close what lies over the plots, or go back to them"),
)


class _KeysDialog(PageDialog):
    """Stays open beside the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "Keys", _SIZE)
        self.rows.setSpacing(5)
        for section, keys, words in _key_rows(window.action_set):
            self.add(section, _line(keys, words), f"{keys} {words}")
        self.add_search("keys", "No key has these words.")
        self.area.setAccessibleName("Keys and what they do")


def _line(keys: str, words: str) -> QWidget:
    line = QWidget()
    left, right = QLabel(keys, wordWrap=True), QLabel(words, wordWrap=True)
    left.setFixedWidth(_KEYS_WIDTH)
    row = filled(QHBoxLayout(line), left, right, margins=(0, 0, 4, 0), spacing=16, wide=right)
    for text in (left, right):
        row.setAlignment(text, Qt.AlignmentFlag.AlignTop)
    return line


def _key_rows(actions: ActionSet) -> Iterator[tuple[str, str, str]]:
    """Section, keys, words: what the action table, the panels and the gestures declare, and what holds everywhere."""
    native = QKeySequence.SequenceFormat.NativeText
    for keys, words in _EVERYWHERE:
        yield "Everywhere", keys, words
    for row in sorted(actions.rows.values(), key=lambda row: row.menu.split(" > ")[0] != "Go"):
        if row.key and row.title_now:
            keys = ", ".join(QKeySequence(key).toString(native) for key in (row.key, row.other_key) if key)
            yield row.menu.split(" > ")[-1] or "Window", keys, row.title_now
    for panel in (*PANELS, *map(panel_class, ("compare", "attention", "rotary", "decoder", "derivations", "facts"))):
        for keys, words in panel.keys.items():
            yield f"With the keyboard in {panel.title}", keys, words
    for gesture, words in GESTURES.items():
        yield "Mouse", gesture, words
