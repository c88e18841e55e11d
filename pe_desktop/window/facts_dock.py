"""Facts beside the plots: a dock at the right with Encoding folded, or an overlay where the window has no room."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QResizeEvent

from pe_desktop.window.dock import PanelDock, end_drag
from pe_desktop.window.folding import Overlay
from pe_desktop.window.main_window import MARGIN, MainWindow
from pe_desktop.window.workspaces import Workspaces

_WIDTH = 376


class FactsDock(QObject):
    """Shows `facts.is_open` of the state; Compare takes the whole room while it is open."""

    def __init__(self, window: MainWindow, workspaces: Workspaces) -> None:
        super().__init__(window)
        self._window = window
        self._dock: PanelDock | None = None
        self._overlay: Overlay | None = None
        # After the workspaces have arranged their docks.
        self._showing = QTimer(self, interval=0, singleShot=True)
        self._showing.timeout.connect(self._show)
        window.shown.connect(self._showing.start)
        window.model.views_changed.connect(self._on_views_changed)
        workspaces.changed.connect(self._on_arranged)
        window.escaped.connect(self._on_escaped)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and self._dock is not None and self._is_wanted:
            self._showing.start()
        return super().eventFilter(watched, event)

    @property
    def _is_wanted(self) -> bool:
        views = self._window.model.state.views
        return views.facts.is_open and not views.compare.is_open

    def _on_views_changed(self) -> None:
        if self._is_wanted != (self._dock is not None and self._dock.panel.isVisible()):
            self._show()

    def _on_arranged(self) -> None:
        """Other docks have been placed or restored: this one stands beside them, not among them."""
        if self._dock is not None and not self._window.is_compact:
            end_drag(self._window)
            self._window.removeDockWidget(self._dock)
        self._show()

    def _show(self) -> None:
        window = self._window
        if not window.isVisible() or (self._dock is None and not self._is_wanted):
            return
        dock, overlay = self._made()
        had_focus, was_docked = window.focused_panel() is dock.panel, not dock.isHidden()
        is_docked = self._is_wanted and not window.is_compact
        if not (self._is_wanted and window.is_compact):
            overlay.fold()
        window.set_giving_way(is_docked)
        if is_docked != was_docked:
            end_drag(window)
        if is_docked and not was_docked:
            window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock, Qt.Orientation.Horizontal)
            dock.show()
        elif not is_docked:
            dock.hide()
        if self._is_wanted and window.is_compact:
            overlay.open_at(self._place(), takes_focus=False)
        if had_focus and not dock.panel.isVisible():
            window.focus_plot()
        if is_docked != was_docked:
            window.share_width()

    def _place(self) -> QRect:
        """One card wide, at the right, as high as the plots."""
        rail = self._window.rail
        top = rail.mapTo(self._window, QPoint(0, 0)).y()
        return QRect(self._window.width() - MARGIN - _WIDTH, top, _WIDTH, rail.height())

    def _made(self) -> tuple[PanelDock, Overlay]:
        from pe_desktop.panels.facts_panel import FactsPanel  # noqa: PLC0415 - loaded when it is first opened

        if self._dock is None or self._overlay is None:
            self._dock = self._window.make_late_dock(FactsPanel)
            self._dock.setFixedWidth(_WIDTH)
            self._dock.closed.connect(self._close)
            self._overlay = Overlay(self._dock, self._window)
            self._overlay.show_theme(self._window.theme)
            self._overlay.closed.connect(self._on_folded)
        return self._dock, self._overlay

    def _on_folded(self) -> None:
        """By its own button, where neither the state nor Compare nor a wider window has closed it."""
        if self._is_wanted and self._window.is_compact:
            self._close()

    def _on_escaped(self) -> None:
        if self._overlay is not None and self._overlay.isVisible():
            self._close()

    def _close(self) -> None:
        self._window.model.set(**{"facts.is_open": False})
