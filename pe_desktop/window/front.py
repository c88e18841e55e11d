"""Which of the panels that share a place stands in front: the tab that is pressed, and what the state says."""

from PySide6.QtCore import QObject, QTimer

from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow


class FrontPanels(QObject):
    """Raises the panels that `front` of the state names when it changes, and notes in it which tabs are pressed."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shown = window.model.state.views.front
        # Qt tells of a tab that is pressed before its dock has its place.
        self._noting = QTimer(self, interval=0, singleShot=True)
        self._noting.timeout.connect(self._note)
        window.shown.connect(self._raise)
        window.model.views_changed.connect(self._on_views_changed)
        self._keys = [key for key, dock in window.docks.items() if dock.panel.is_movable]
        for key in self._keys:
            window.docks[key].visibilityChanged.connect(self._noting.start)

    def _on_views_changed(self) -> None:
        if self._window.model.state.views.front != self._shown:
            self._raise()

    def _raise(self) -> None:
        views = self._window.model.state.views
        if views.compare.is_open:
            return
        self._shown = views.front
        for key in filter(self._keys.__contains__, self._shown):
            dock = self._window.docks[key]
            if dock.isHidden() or dock.is_behind:
                dock.bring_forward()
        # A state may name fewer panels than share places.
        self._noting.start()

    def _note(self) -> None:
        window = self._window
        if window.isVisible() and not window.model.state.views.compare.is_open:
            self._shown = tuple(key for key in self._keys if self._is_front(window.docks[key]))
            window.model.raise_panels(self._shown)

    def _is_front(self, dock: PanelDock) -> bool:
        is_seen = not (dock.isHidden() or dock.isFloating() or dock.is_behind)
        return is_seen and bool(self._window.tabifiedDockWidgets(dock))
