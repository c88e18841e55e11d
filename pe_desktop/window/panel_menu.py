"""The menu of a panel: its own entries, then what can be done with any panel."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from pe_desktop.panels.controls.popups import Menu
from pe_desktop.window.copying import copy_code, copy_picture, copy_readout, figure_of, open_export
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.help import PlainWords, plain_words
from pe_desktop.window.main_window import MainWindow


class PanelMenu(Menu):
    """Made for one opening; deletes itself when closed."""

    def __init__(self, dock: PanelDock, window: MainWindow) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dock = dock
        self._window = window
        if dock.panel.choices_title:
            self._add(dock.panel.choices_title, self._on_choices)
            self.addSeparator()
        has_figure = figure_of(window, dock.panel) is not None
        if has_figure:
            self._add("Copy picture", self._on_copy_picture)
        if dock.panel.readout():
            self._add(dock.panel.readout_title, self._on_copy_readout)
        self._add("Copy as code", self._on_copy_code)
        self._add("Export picture…" if has_figure else "Export…", self._on_export)
        self.addSeparator()
        if not dock.panel.is_workspace:
            self._add("Dock" if dock.isFloating() else "Pop out", self._on_pop_out)
        self._add("Leave full screen" if dock.is_full_screen else "Full screen", dock.full_screen_asked.emit)
        self._add("Close", self._on_close)
        if plain_words(dock.panel.key):
            self.addSeparator()
            self._add("What is this?", self._on_plain_words)

    def _add(self, words: str, command: Callable[[], None]) -> None:
        action = QAction(words, self)
        action.triggered.connect(command)
        self.addAction(action)

    def _on_choices(self) -> None:
        self._dock.panel.open_choices(self.geometry().topRight())

    def _on_plain_words(self) -> None:
        panel = self._dock.panel
        PlainWords(panel.title, plain_words(panel.key), self._window).open_at(self.geometry().topRight())

    def _on_copy_picture(self) -> None:
        copy_picture(self._window, self._dock.panel)

    def _on_copy_readout(self) -> None:
        copy_readout(self._window, self._dock.panel)

    def _on_copy_code(self) -> None:
        copy_code(self._window, self._dock.panel)

    def _on_export(self) -> None:
        open_export(self._window, self._dock.panel)

    def _on_pop_out(self) -> None:
        self._dock.pop_out_or_in()

    def _on_close(self) -> None:
        self._dock.close()
