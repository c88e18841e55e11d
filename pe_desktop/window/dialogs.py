"""Pages that stay open beside the window: the sheet of keys, where problems go, and the settings."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QMessageBox, QScrollArea, QVBoxLayout, QWidget

from pe_desktop import __version__
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.told import Label
from pe_desktop.languages import told
from pe_desktop.panels import PANELS, panel_class
from pe_desktop.panels.controls.buttons import DialogButton, Switch, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.search_field import SearchField
from pe_desktop.panels.scene_panel import PageArea, dress
from pe_desktop.resources import project_page, resource_json, resource_path
from pe_desktop.window.actions import ActionSet
from pe_desktop.window.error_reports import ReportDialog, log_path
from pe_desktop.window.main_window import FRAME, MainWindow
from pe_desktop.window.settings import SETTING_ROWS, LiveSettings, SettingRow
from pe_desktop.window.tab_order import move_focus, stops_in

_SIDE = 20


class _PageDialog(QDialog):
    """A search above a page of rows leaves those with all words that are typed, and their headings."""

    def __init__(self, window: QWidget, title: str, size: QSize) -> None:
        super().__init__(window)
        self.setWindowTitle(told(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page = self._page = QWidget()
        page.setProperty("role", "panel")
        self.rows = QVBoxLayout()
        self.nothing = label("Nothing here has these words.", "note")
        self.nothing.hide()
        filled(QVBoxLayout(page), self.rows, self.nothing, None, margins=(_SIDE, 4, 16, 16))
        self.area = PageArea(page)
        self.search = SearchField(f"Search {title.lower()}", self._on_searched)
        parts = _side_by_side(self.search), self.area
        self.column = filled(QVBoxLayout(self), *parts, margins=(0, 18, 0, 14), spacing=10, wide=self.area)
        self._searched: list[tuple[str, QWidget, str]] = []
        self._headings: dict[str, QLabel] = {}
        self.resize(size.boundedTo(self.screen().availableSize() - FRAME))
        self.search.setFocus()

    def add(self, section: str, row: QWidget, words: str) -> None:
        """Add a row with the words that a search finds, under the heading of its section."""
        if section not in self._headings:
            heading = self._headings[section] = label(section, "heading")
            heading.setContentsMargins(0, 14, 0, 3)
            self.rows.addWidget(heading)
        self.rows.addWidget(row)
        self._searched.append((section, row, f"{section} {words}"))

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

    def _on_searched(self, _typed: str) -> None:
        for _section, row, words in self._searched:
            row.setVisible(self.search.finds(words))
        left = {section for section, row, _words in self._searched if not row.isHidden()}
        for section, heading in self._headings.items():
            heading.setVisible(section in left)
        self.nothing.setVisible(not left)


def _side_by_side(*widgets: QWidget | None) -> QHBoxLayout:
    """A line as wide as the page; None is the room that is left."""
    return filled(QHBoxLayout(), *widgets, margins=(_SIDE, 0, _SIDE, 0))


def bring_up(dialog: QDialog) -> None:
    """Show a dialog in front of others, with the keyboard."""
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def _open_page(name: str) -> None:
    QDesktopServices.openUrl(QUrl(f"{project_page()}/{name}"))


def show_help(window: MainWindow, key: str, system_info: str) -> None:
    """Show the sheet of keys, the report of a problem, the releases, or what the program is."""
    if key == "keys":
        bring_up(window.findChild(_KeysDialog) or _KeysDialog(window))
    elif key == "report":
        words = resource_json("help.json")["report"]
        dialog = ReportDialog(window, "Report a problem", "Report a problem", words, system_info)
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
    text: str = resource_json("help.json")["about"]
    return text.format(version=__version__, address=licences.as_uri(), folder=escape(str(licences)))


_SIZE = QSize(560, 700)
_KEYS_WIDTH = 170


class _KeysDialog(_PageDialog):
    """Stays open beside the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, "Keys", _SIZE)
        self.rows.setSpacing(5)
        for section, keys, words in _key_rows(window.action_set):
            self.add(section, _line(keys, words), f"{keys} {words}")
        self.area.setAccessibleName(told("Keys and what they do"))


def _line(keys: str, words: str) -> QWidget:
    line = QWidget()
    left, right = Label(keys, wordWrap=True), Label(words, wordWrap=True)
    left.setFixedWidth(_KEYS_WIDTH)
    row = filled(QHBoxLayout(line), left, right, margins=(0, 0, 4, 0), spacing=16, wide=right)
    for text in (left, right):
        row.setAlignment(text, Qt.AlignmentFlag.AlignTop)
    return line


def _key_rows(actions: ActionSet) -> Iterator[tuple[str, str, str]]:
    """Section, keys, words: what the action table, the panels and the gestures declare, and what holds everywhere."""
    native = QKeySequence.SequenceFormat.NativeText
    for section, rows in resource_json("help.json")["keys"].items():
        for keys, words in rows.items():
            yield section, keys, words
    for row in sorted(actions.rows.values(), key=lambda row: row.menu.split(" > ")[0] != "Go"):
        if row.key and row.title_now:
            keys = ", ".join(QKeySequence(key).toString(native) for key in (row.key, row.other_key) if key)
            yield row.menu.split(" > ")[-1] or "Window", keys, row.title_now
    for panel in (
        *PANELS,
        *map(panel_class, ("compare", "attention", "rotary", "decoder", "derivations", "facts", "lessons")),
    ):
        for keys, words in panel.keys.items():
            yield f"With the keyboard in {panel.title}", keys, words


_SETTINGS_SIZE = QSize(620, 640)
_LEAST_WIDTH = 130
_NOT_KEPT = "Off: it acts by another start, and a lab or a safe start keeps nothing for that."


class SettingsDialog(_PageDialog):
    """Shows the settings as they are, also while others change them; it stays open beside the window."""

    def __init__(self, live: LiveSettings, window: QWidget, theme: Theme, path: Path | None) -> None:
        super().__init__(window, "Settings", _SETTINGS_SIZE)
        self._live = live
        self.rows.setSpacing(0)
        self.settings: dict[str, _Row] = {}
        for setting in SETTING_ROWS.values():
            is_off = path is None and setting.name in ("scale", "language")
            row = self.settings[setting.name] = _Row(replace(setting, note=_NOT_KEPT) if is_off else setting, live)
            row.setEnabled(not is_off)
            self.add(setting.section, row, " ".join((setting.title, setting.note, *setting.choices.values())))
        if path is not None:
            self.column.addWidget(_path_label(path))
        self.reset_all = acting(DialogButton("Reset all", autoDefault=False), live.reset)
        close = acting(DialogButton("Close", default=True), self.close)
        self.column.addLayout(_side_by_side(self.reset_all, None, close))
        live.changed.connect(self._refresh)
        self._refresh()
        dress(self, theme)

    def _refresh(self) -> None:
        now = self._live.now
        for name, row in self.settings.items():
            row.show_value(getattr(now, name))
        self.reset_all.setEnabled(bool(now.changed))


class _Row(QWidget):
    """Title and note of a setting, and its switch or list."""

    def __init__(self, row: SettingRow, live: LiveSettings) -> None:
        super().__init__()
        self._row, self._live = row, live
        self.control: ChoiceBox | Switch
        if row.choices:
            self.control = ChoiceBox()
            self.control.setMinimumWidth(_LEAST_WIDTH)
            self.control.offer(row.title, row.choices, {})
            self.control.chosen.connect(self._set)
        else:
            self.control = acting(Switch("", row.note), self._set)
            self.control.setAccessibleName(row.title)
        self.control.setAccessibleDescription(row.note)
        texts = filled(QVBoxLayout(), Label(row.title), label(row.note, "caption", wraps=True), spacing=1)
        filled(QHBoxLayout(self), texts, self.control, margins=(0, 6, 0, 6), spacing=12, wide=texts)

    def show_value(self, value: Any) -> None:
        if isinstance(self.control, Switch):
            self.control.setChecked(value)
        else:
            self.control.show_choice(value)

    def _set(self, value: object) -> None:
        self._live.set(**{self._row.name: value})


def _path_label(path: Path) -> QLabel:
    """Where the settings and the log lie."""
    log = log_path()
    words = label(f"Stored in {path}." + (f" The log: {log}." if log else ""), "caption", wraps=True)
    words.setContentsMargins(20, 0, 20, 0)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return words
