"""The dialog of the settings: a row for each of SETTING_ROWS, which acts at once, a search, and the way back."""

from itertools import groupby
from operator import attrgetter
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels.controls.buttons import DialogButton, Switch, TextButton
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.scene_panel import scrolled
from pe_desktop.window.live_settings import LiveSettings
from pe_desktop.window.log import log_path
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.settings import SETTING_ROWS, SettingRow, Settings

_SIZE = QSize(620, 640)
# What the window manager and a taskbar may take.
_FRAME = QSize(20, 60)
_LEAST_WIDTH = 130


class SettingsDialog(QDialog):
    """Shows the settings as they are, also while others change them; it stays open beside the window."""

    def __init__(self, live: LiveSettings, window: MainWindow, path: Path | None = None) -> None:
        super().__init__(window)
        self._live = live
        self._window = window
        self.setWindowTitle("Settings")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit(placeholderText="Search settings", clearButtonEnabled=True)
        self.search.setAccessibleName("Search settings")
        self.search.textChanged.connect(self._on_searched)
        self.rows: dict[str, _Row] = {}
        self._headings: dict[str, QLabel] = {}
        self.nothing = QLabel("No setting has these words.")
        self.nothing.setProperty("role", "note")
        self.nothing.hide()
        self.reset_all = DialogButton("Reset all", autoDefault=False)
        self.reset_all.clicked.connect(self._on_reset_all)
        self._lay_out(path)
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        live.changed.connect(self._refresh)
        self._refresh()
        self.search.setFocus()

    def _lay_out(self, path: Path | None) -> None:
        page = QWidget()
        page.setProperty("role", "panel")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(20, 4, 16, 16)
        rows.setSpacing(0)
        for section, members in groupby(SETTING_ROWS, key=attrgetter("section")):
            heading = self._headings[section] = QLabel(section)
            heading.setProperty("role", "heading")
            heading.setContentsMargins(0, 16, 0, 4)
            rows.addWidget(heading)
            for member in members:
                row = self.rows[member.name] = _Row(member)
                row.chosen.connect(self._on_chosen)
                row.reset_asked.connect(self._live.reset)
                rows.addWidget(row)
        rows.addWidget(self.nothing)
        rows.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 18, 0, 16)
        column.setSpacing(10)
        top, bottom = QHBoxLayout(), QHBoxLayout()
        top.setContentsMargins(20, 0, 20, 0)
        bottom.setContentsMargins(20, 0, 20, 0)
        top.addWidget(self.search)
        close = DialogButton("Close", default=True)
        close.clicked.connect(self.close)
        bottom.addWidget(self.reset_all)
        bottom.addStretch(1)
        bottom.addWidget(close)
        column.addLayout(top)
        column.addWidget(scrolled(page), 1)
        if path is not None:
            column.addWidget(_path_label(path))
        column.addLayout(bottom)

    def _refresh(self) -> None:
        now = self._live.now
        for name, row in self.rows.items():
            row.show_value(now, is_default=self._live.is_default(name), theme=self._window.theme)
        self.reset_all.setEnabled(not all(map(self._live.is_default, self.rows)))

    def _on_chosen(self, name: str, value: object) -> None:
        self._live.set(**{name: value})

    def _on_reset_all(self) -> None:
        self._live.reset()

    def _on_searched(self, text: str) -> None:
        words = text.casefold().split()
        for row in self.rows.values():
            row.setVisible(all(word in row.words for word in words))
        for section, heading in self._headings.items():
            heading.setVisible(any(row.section == section and not row.isHidden() for row in self.rows.values()))
        self.nothing.setVisible(all(row.isHidden() for row in self.rows.values()))


def open_settings(live: LiveSettings, window: MainWindow, path: Path | None) -> None:
    """Show the dialog; where it is open already, bring it to the front."""
    dialog = window.findChild(SettingsDialog) or SettingsDialog(live, window, path)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


class _Row(QWidget):
    """Title and note of a setting, its switch or list, and the button that brings its default back."""

    chosen = Signal(str, object)
    reset_asked = Signal(str)

    def __init__(self, row: SettingRow) -> None:
        super().__init__()
        self._row = row
        self.section = row.section
        self.words = " ".join((row.section, row.title, row.note, *row.choices.values())).casefold()
        title, note = QLabel(row.title), QLabel(row.note, wordWrap=True)
        note.setProperty("role", "caption")
        self.reset = TextButton()
        self.reset.setText("Reset")
        self.reset.setProperty("role", "chip")
        self.reset.setFixedHeight(24)
        self.reset.setAccessibleName(f"Reset: {row.title}")
        self.reset.clicked.connect(self._on_reset)
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.control: ChoiceBox | Switch = self._list() if row.choices else self._switch()
        self.control.setAccessibleName(row.title)
        self.control.setAccessibleDescription(row.note)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(title)
        texts.addWidget(note)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 6, 0, 6)
        line.setSpacing(12)
        line.addLayout(texts, 1)
        line.addWidget(self.reset)
        line.addWidget(self.control)

    def show_value(self, settings: Settings, *, is_default: bool, theme: Theme) -> None:
        value = getattr(settings, self._row.name)
        if isinstance(self.control, Switch):
            self.control.setChecked(value)
            self.control.show_theme(theme)
        else:
            self.control.setCurrentIndex(list(self._row.choices).index(value))
        self.reset.setVisible(not is_default)

    def _list(self) -> ChoiceBox:
        box = ChoiceBox()
        box.setMinimumWidth(_LEAST_WIDTH)
        box.addItems(list(self._row.choices.values()))
        box.activated.connect(self._on_activated)
        return box

    def _switch(self) -> Switch:
        switch = Switch("", self._row.note)
        switch.clicked.connect(self._on_switched)
        return switch

    def _on_activated(self, place: int) -> None:
        self.chosen.emit(self._row.name, list(self._row.choices)[place])

    def _on_switched(self, is_on: bool) -> None:
        self.chosen.emit(self._row.name, is_on)

    def _on_reset(self) -> None:
        self.reset_asked.emit(self._row.name)
        self.control.setFocus()


def _path_label(path: Path) -> QLabel:
    """Where the settings and the log lie."""
    log = log_path()
    label = QLabel(f"Stored in {path}." + (f" The log: {log}." if log else ""), wordWrap=True)
    label.setProperty("role", "caption")
    label.setContentsMargins(20, 0, 20, 0)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
