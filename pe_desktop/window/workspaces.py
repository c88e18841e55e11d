"""Docks in place of others: Compare of all plots, WORKSPACES of those at the right. What they replace comes back."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.panels import workspace_panels
from pe_desktop.window.dock import PanelDock, end_drag
from pe_desktop.window.main_window import MainWindow


class _Replacement:
    """Docks that stand in place of others for a while; how all docks stood before. Popped-out ones stay where they are.

    The own docks are in the layout only while they are open: what is remembered never names them.
    """

    def __init__(self, window: MainWindow, make: Callable[[], Sequence[PanelDock]]) -> None:
        self._window = window
        self._make = make
        self._own: Sequence[PanelDock] = ()
        self._popped_out: list[PanelDock] = []
        self.before: QByteArray | None = None

    @property
    def is_open(self) -> bool:
        return self.before is not None

    @property
    def is_left(self) -> bool:
        """Whether all its docks have been closed by hand."""
        return self.is_open and all(dock.isHidden() for dock in self._own)

    def take_place(self, replaced: Sequence[PanelDock]) -> Sequence[PanelDock]:
        """Hide others and give the own docks, made when they are first wanted; nobody has placed them yet."""
        window = self._window
        self.before = window.saved_docks()
        self._popped_out = [dock for dock in window.docks.values() if dock.isFloating()]
        for dock in replaced:
            if dock.kind.is_movable and dock not in self._popped_out:
                dock.hide()
        self._own = self._own or self._make()
        return self._own

    def give_place_back(self) -> None:
        before, self.before = self.before, None
        assert before is not None
        # Popped out, they may have been moved, closed or docked meanwhile.
        since = [(dock, dock.isFloating(), dock.isHidden(), dock.geometry()) for dock in self._popped_out]
        for dock in self._own:
            dock.setFloating(False)
            self._window.removeDockWidget(dock)
        self._window.restore_docks(before)
        for dock, is_floating, is_hidden, place in since:
            dock.setFloating(is_floating)
            if is_floating:
                dock.setGeometry(place)
            dock.setHidden(is_hidden)


class Workspaces(QObject):
    """Shows `compare.is_open` and the workspace of the state; Compare stands before it."""

    # The docks have been arranged anew.
    changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._compare = _Replacement(window, self._made_compare)
        self._at_the_right = {name: _Replacement(window, partial(self._made, name)) for name in WORKSPACES}
        self._closing = QTimer(self, interval=0, singleShot=True)
        self._closing.timeout.connect(self._make_way)
        self._leaving = QTimer(self, interval=0, singleShot=True)
        self._leaving.timeout.connect(self._leave)
        # Before the window has been laid out it can't be said how the docks stand.
        self._opening = QTimer(self, interval=0, singleShot=True)
        self._opening.timeout.connect(self._show_views)
        self._given: tuple[str, ...] = ()
        window.installEventFilter(self)
        window.shown.connect(self._opening.start)
        window.escaped.connect(self.close_compare)
        window.model.views_changed.connect(self._show_views)
        window.dock_made.connect(self._follow)
        for dock in window.docks.values():
            self._follow(dock)

    @property
    def is_comparing(self) -> bool:
        """Whether encodings stand side by side."""
        return self._compare.is_open

    @property
    def is_arranged(self) -> bool:
        """Whether the docks stand as the state says, with the plots in view."""
        views = self._window.model.state.views
        return not (views.compare.is_open or self.is_comparing) and views.workspace == self._open_one

    @property
    def docks_without(self) -> QByteArray:
        """How the docks stand without Compare and the workspaces, in Qt's own bytes."""
        before = self._at_the_right.get(self._open_one, self._compare).before
        return self._window.saved_docks() if before is None else before

    def close_compare(self) -> None:
        """Bring the plots back; nothing happens where they are there."""
        self._window.model.set(**{"compare.is_open": False})

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and self._open_one and self._given != self._window.gives_place:
            self._opening.start()
        return super().eventFilter(watched, event)

    def _show_views(self) -> None:
        views, window, opened = self._window.model.state.views, self._window, self._open_one
        is_same = views.workspace == opened and (not opened or self._given == window.gives_place)
        if (is_same and views.compare.is_open == self.is_comparing) or not window.isVisible():
            return
        end_drag(window)
        if self.is_comparing:
            self._compare.give_place_back()
        if opened and not is_same:
            self._at_the_right[opened].give_place_back()
        if views.workspace and not is_same:
            self._open(self._at_the_right[views.workspace])
        if views.compare.is_open:
            self._open_compare()
        window.focus_plot()
        self.changed.emit()

    def _open_compare(self) -> None:
        window = self._window
        (dock,) = self._compare.take_place([*window.docks.values()])
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock, Qt.Orientation.Horizontal)
        dock.show()

    @property
    def _open_one(self) -> str:
        """The workspace whose docks stand at the right, "" for the plots."""
        return next((name for name, some in self._at_the_right.items() if some.is_open), "")

    def _open(self, workspace: _Replacement) -> None:
        window = self._window
        first, *others = workspace.take_place([window.docks[key] for key in window.gives_place])
        self._given = window.gives_place
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, first, Qt.Orientation.Horizontal)
        first.show()
        before = first
        for dock in others:
            window.tabifyDockWidget(before, dock)
            dock.show()
            before = dock
        first.raise_()
        window.share_width()

    def _leave(self) -> None:
        """Where the last panel of a workspace has been closed, the plots come back."""
        opened = self._open_one
        if opened and self._at_the_right[opened].is_left and not self.is_comparing:
            self._window.model.set(**{f"{opened}.is_open": False})

    def _follow(self, dock: PanelDock) -> None:
        dock.topLevelChanged.connect(partial(self._on_floated, dock))

    def _on_floated(self, dock: PanelDock, is_floating: bool) -> None:
        """In place of others stands Compare or a workspace: it makes way for a panel that is docked again there."""
        key = dock.kind.key
        wants_place = key != "compare" if self.is_comparing else bool(self._open_one) and key in self._given
        if wants_place and not is_floating:
            # Not while Qt is still moving it.
            self._closing.start()

    def _make_way(self) -> None:
        opened = "compare" if self.is_comparing else self._open_one
        if opened:
            self._window.model.set(**{f"{opened}.is_open": False})

    def _made_compare(self) -> Sequence[PanelDock]:
        from pe_desktop.panels.compare_panel import ComparePanel  # noqa: PLC0415 - loaded when it is first opened

        dock = self._window.make_late_dock(ComparePanel)
        dock.closed.connect(self.close_compare)
        return (dock,)

    def _made(self, workspace: str) -> Sequence[PanelDock]:
        docks = [self._window.make_late_dock(panel) for panel in workspace_panels(workspace)]
        for dock in docks:
            dock.closed.connect(self._leaving.start)
        return docks
