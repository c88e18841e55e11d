"""Which of the panels that share a place stands in front: the tab that is pressed, and what the state says."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from pe_desktop.window.dock import PanelDock, focus_plot
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.workspaces import Workspaces


class FrontPanels(QObject):
    """Raises the panels that `front` of the state names when it changes, and notes in it which tabs are pressed."""

    def __init__(self, window: MainWindow, workspaces: Workspaces) -> None:
        super().__init__(window)
        self._window = window
        self._workspaces = workspaces
        self._shown: tuple[str, ...] | None = None
        # Qt tells of a tab that is pressed before its dock has its place.
        self._noting = QTimer(self, interval=0, singleShot=True)
        self._noting.timeout.connect(self._note)
        window.shown.connect(self._raise)
        window.model.views_changed.connect(self._on_views_changed)
        workspaces.changed.connect(self._on_views_changed)
        window.dock_made.connect(self._follow)
        for dock in window.docks.values():
            self._follow(dock)

    def _follow(self, dock: PanelDock) -> None:
        dock.visibilityChanged.connect(self._noting.start)

    def _on_views_changed(self) -> None:
        if self._window.model.state.views.front != self._shown:
            self._raise()

    def _raise(self) -> None:
        if not self._workspaces.is_arranged:
            return
        self._shown = front = self._window.model.state.views.front
        docks = self._window.docks
        for dock in (docks[key] for key in front if key in docks and docks[key].kind.is_movable):
            # Docks of a workspace that is closed have no place: shown, they would lie over the others.
            has_place = dock.isFloating() or self._window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
            if has_place and (dock.isHidden() or dock.is_behind):
                dock.bring_forward()
        # A state may name fewer panels than share places.
        self._noting.start()

    def _note(self) -> None:
        window = self._window
        if window.isVisible() and self._workspaces.is_arranged:
            self._shown = tuple(key for key, dock in window.docks.items() if self._is_front(dock))
            window.model.raise_panels(self._shown)
            self._take_focus_along()

    def _take_focus_along(self) -> None:
        """Where the panel with the keyboard went behind another, that one gets it: keys act on what is seen."""
        widget = QApplication.focusWidget()
        for dock in self._window.docks.values():
            if widget is not None and dock.is_behind and dock.isAncestorOf(widget):
                beside = self._window.tabifiedDockWidgets(dock)
                focus_plot([some for some in beside if isinstance(some, PanelDock)], self._window)
                return

    def _is_front(self, dock: PanelDock) -> bool:
        is_seen = not (dock.isHidden() or dock.isFloating() or dock.is_behind)
        return is_seen and bool(self._window.tabifiedDockWidgets(dock))
