"""The dialog of the settings: a row for each of SETTING_ROWS, which acts at once, a search, and the way back."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels.controls.buttons import DialogButton, Switch, TextButton, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.scene_panel import dress
from pe_desktop.window.error_reports import log_path
from pe_desktop.window.help import PageDialog, side_by_side
from pe_desktop.window.settings import SETTING_ROWS, LiveSettings, SettingRow

_SIZE = QSize(620, 640)
_LEAST_WIDTH = 130


class SettingsDialog(PageDialog):
    """Shows the settings as they are, also while others change them; it stays open beside the window."""

    def __init__(self, live: LiveSettings, window: QWidget, theme: Theme, path: Path | None) -> None:
        super().__init__(window, "Settings", _SIZE)
        self._live = live
        self.rows.setSpacing(0)
        self.settings: dict[str, _Row] = {}
        for setting in SETTING_ROWS:
            row = self.settings[setting.name] = _Row(setting, live)
            self.add(setting.section, row, " ".join((setting.title, setting.note, *setting.choices.values())))
        self.add_search("settings", "No setting has these words.")
        if path is not None:
            self.column.addWidget(_path_label(path))
        self.reset_all = acting(DialogButton("Reset all", autoDefault=False), self._on_reset_all)
        close = acting(DialogButton("Close", default=True), self.close)
        self.column.addLayout(side_by_side(self.reset_all, None, close))
        live.changed.connect(self._refresh)
        self._refresh()
        dress(self, theme)

    def _refresh(self) -> None:
        now = self._live.now
        for name, row in self.settings.items():
            row.show_value(getattr(now, name), is_default=self._live.is_default(name))
        self.reset_all.setEnabled(not all(map(self._live.is_default, self.settings)))

    def _on_reset_all(self) -> None:
        self._live.reset()


class _Row(QWidget):
    """Title and note of a setting, its switch or list, and the button that brings its default back."""

    def __init__(self, row: SettingRow, live: LiveSettings) -> None:
        super().__init__()
        self._row, self._live = row, live
        self.reset = acting(TextButton(), self._on_reset)
        self.reset.setText("Reset")
        self.reset.setProperty("role", "chip")
        self.reset.setFixedHeight(24)
        self.reset.setAccessibleName(f"Reset: {row.title}")
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
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
        texts = filled(QVBoxLayout(), QLabel(row.title), label(row.note, "caption", wraps=True), spacing=1)
        filled(QHBoxLayout(self), texts, self.reset, self.control, margins=(0, 6, 0, 6), spacing=12, wide=texts)

    def show_value(self, value: Any, *, is_default: bool) -> None:
        if isinstance(self.control, Switch):
            self.control.setChecked(value)
        else:
            self.control.show_choice(value)
        self.reset.setVisible(not is_default)

    def _set(self, value: object) -> None:
        self._live.set(**{self._row.name: value})

    def _on_reset(self) -> None:
        if self.reset.hasFocus():
            self.control.setFocus()
        self._live.reset(self._row.name)


def _path_label(path: Path) -> QLabel:
    """Where the settings and the log lie."""
    log = log_path()
    words = label(f"Stored in {path}." + (f" The log: {log}." if log else ""), "caption", wraps=True)
    words.setContentsMargins(20, 0, 20, 0)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return words
