"""Compare in place of the plots, which stand as they stood before when it is closed."""

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer

from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow


class Comparing(QObject):
    """Shows `compare.is_open` of the state; keeps how the docks stood before. Popped-out panels stay where they are."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: QByteArray | None = None
        self._popped_out: list[PanelDock] = []
        self._made: PanelDock | None = None
        self._closing = QTimer(self, interval=0, singleShot=True)
        self._closing.timeout.connect(self.close)
        # Before the window has been laid out it can't be said how the docks stand.
        self._opening = QTimer(self, interval=0, singleShot=True)
        self._opening.timeout.connect(self._show_views)
        window.shown.connect(self._opening.start)
        window.escaped.connect(self.close)
        window.model.views_changed.connect(self._show_views)
        for dock in window.docks.values():
            dock.topLevelChanged.connect(self._on_floated)

    @property
    def is_open(self) -> bool:
        """Whether encodings stand side by side."""
        return self._before is not None

    @property
    def docks_without(self) -> QByteArray:
        """How the docks stand without Compare, in Qt's own bytes."""
        return self._window.saveState() if self._before is None else self._before

    def close(self) -> None:
        """Bring the plots back; nothing happens where they are there."""
        self._window.model.set(**{"compare.is_open": False})

    def _show_views(self) -> None:
        is_wanted = self._window.model.state.views.compare.is_open
        if is_wanted != self.is_open and self._window.isVisible():
            if is_wanted:
                self._take_place()
            else:
                self._give_place_back()
            self._window.focus_plot()

    def _take_place(self) -> None:
        window = self._window
        self._before = window.saveState()
        self._popped_out = [dock for dock in window.docks.values() if dock.isFloating()]
        for dock in window.docks.values():
            if dock.panel.is_movable and dock not in self._popped_out:
                dock.hide()
        # It is in the layout only while it is open: what is remembered never names it.
        window.splitDockWidget(window.docks["parameters"], self._dock(), Qt.Orientation.Horizontal)
        self._dock().show()

    def _give_place_back(self) -> None:
        before, self._before = self._before, None
        assert before is not None
        # Popped out, they may have been moved, closed or docked meanwhile.
        since = [(dock, dock.isFloating(), dock.isHidden(), dock.geometry()) for dock in self._popped_out]
        self._window.removeDockWidget(self._dock())
        self._window.restore_docks(before)
        for dock, is_floating, is_hidden, place in since:
            dock.setFloating(is_floating)
            if is_floating:
                dock.setGeometry(place)
            dock.setHidden(is_hidden)

    def _on_floated(self, is_floating: bool) -> None:
        """Where Compare stands there is no place for a panel that is docked again: it wants its old one."""
        if self.is_open and not is_floating:
            # Not while Qt is still moving it.
            self._closing.start()

    def _dock(self) -> PanelDock:
        """Compare's dock, made when it is first wanted: the first frame of the window has no use for it."""
        if self._made is None:
            from pe_desktop.panels.compare_panel import ComparePanel  # noqa: PLC0415 - loaded when it is first opened

            window = self._window
            self._made = dock = window.make_dock(ComparePanel)
            window.docks[ComparePanel.key] = dock
            dock.show_theme(window.theme)
            dock.closed.connect(self.close)
        return self._made
