"""The dialog of the settings: a row for each of SETTING_ROWS, which acts at once, a search, and the way back."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels.controls.buttons import DialogButton, Switch, TextButton
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.panel import dress
from pe_desktop.window.log import log_path
from pe_desktop.window.page_dialog import PageDialog, side_by_side
from pe_desktop.window.settings import SETTING_ROWS, LiveSettings, SettingRow, Settings

_SIZE = QSize(620, 640)
_LEAST_WIDTH = 130


class SettingsDialog(PageDialog):
    """Shows the settings as they are, also while others change them; it stays open beside the window."""

    def __init__(self, live: LiveSettings, window: QWidget, theme: Theme, path: Path | None = None) -> None:
        super().__init__(window, "Settings", _SIZE)
        self._live = live
        self.rows.setSpacing(0)
        self.settings: dict[str, _Row] = {}
        for setting in SETTING_ROWS:
            row = self.settings[setting.name] = _Row(setting)
            row.chosen.connect(self._on_chosen)
            row.reset_asked.connect(live.reset)
            self.add(setting.section, row, " ".join((setting.title, setting.note, *setting.choices.values())))
        self.add_search("settings", "No setting has these words.")
        if path is not None:
            self.column.addWidget(_path_label(path))
        self.reset_all = DialogButton("Reset all", autoDefault=False)
        self.reset_all.clicked.connect(self._on_reset_all)
        close = DialogButton("Close", default=True)
        close.clicked.connect(self.close)
        self.column.addLayout(side_by_side(self.reset_all, None, close))
        live.changed.connect(self._refresh)
        self._refresh()
        dress(self, theme)

    def _refresh(self) -> None:
        now = self._live.now
        for name, row in self.settings.items():
            row.show_value(now, is_default=self._live.is_default(name))
        self.reset_all.setEnabled(not all(map(self._live.is_default, self.settings)))

    def _on_chosen(self, name: str, value: object) -> None:
        self._live.set(**{name: value})

    def _on_reset_all(self) -> None:
        self._live.reset()


class _Row(QWidget):
    """Title and note of a setting, its switch or list, and the button that brings its default back."""

    chosen = Signal(str, object)
    reset_asked = Signal(str)

    def __init__(self, row: SettingRow) -> None:
        super().__init__()
        self._row = row
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

    def show_value(self, settings: Settings, *, is_default: bool) -> None:
        value = getattr(settings, self._row.name)
        if isinstance(self.control, Switch):
            self.control.setChecked(value)
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
