"""How the docks stand: what the state and the room of the window ask for, and one place that puts them there."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtWidgets import QApplication

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.record import record
from pe_desktop.lessons.shown import pointed_at, step_of, veiled
from pe_desktop.panels import panel_class
from pe_desktop.panels.scene_panel import ScenePanel, dress
from pe_desktop.window.dock import PanelDock, dock_around, end_drag, focus_plot, soon
from pe_desktop.window.folding import IN_WORKSPACES, SIDES, Overlay
from pe_desktop.window.main_window import PLOTS, MainWindow

if TYPE_CHECKING:
    from pe_desktop.window.presenter import Presenter


@record
class _Arrangement:
    """The docks that stand in place of others, the others; which of SIDES is open, if any, and if over the plots.

    is_tiled: they stand beside each other, else as tabs.
    """

    shown: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    side: str = ""
    is_over: bool = False
    is_tiled: bool = False


class Arranger(QObject):
    """Puts the docks where the state asks for them, and notes in the state which are closed and which stand in front.

    What is replaced comes back as it stood; panels that have popped out stay where they are. The docks of a workspace,
    Compare, Facts and Lessons are in the layout only while they are open: what is remembered never
    names them.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._now = _Arrangement()
        self._before: QByteArray | None = None
        self._popped_out: list[PanelDock] = []
        self._overlays: dict[str, Overlay] = {}
        self._presenter: Presenter | None = None
        self._front: tuple[str, ...] | None = None
        self._workspace = ""
        # Before the window has been laid out it can't be said how the docks stand.
        self._arranging = soon(self, self._arrange)
        # Qt tells of a dock that is closed or docked while it still moves it, of a tab before its dock has its place.
        self._closing = soon(self, self._note_closed)
        self._leaving = soon(self, self._leave)
        self._noting = soon(self, self._note_front)
        window.shown.connect(self._on_shown)
        window.resized.connect(self._on_resized)
        window.was_reset.connect(self._on_reset)
        window.escaped.connect(self._on_escaped)
        window.present_asked.connect(self._present)
        window.presented.connect(self._arrange)
        window.model.views_changed.connect(self._arrange)
        window.model.views_changed.connect(self._cover)
        window.dock_made.connect(self._follow)
        for dock in window.docks.values():
            self._follow(dock)

    @property
    def docks_without(self) -> QByteArray:
        """How the docks stand without Compare and the workspaces, in Qt's own bytes."""
        return self._window.saved_docks() if self._before is None else self._before

    @property
    def _wanted(self) -> _Arrangement:
        """What the state asks for: Compare takes the place of all plots, a workspace that of those that give theirs.

        In a small window the plots themselves stand in one place, as tabs.
        """
        window, state = self._window, self._window.model.state
        views, step = state.views, step_of(state)
        side = "facts" if views.facts.is_open else "lessons" if views.lessons.is_open else ""
        window.has_side = bool(side)
        is_over = bool(side) and not window.gives_way
        if views.compare.is_open:
            return _Arrangement(("compare",), PLOTS, side, is_over)
        if step is not None and step.views:
            return _Arrangement(step.views, PLOTS, side, is_over, not window.is_small)
        shown = WORKSPACES[views.workspace] if views.workspace else PLOTS if window.is_small else ()
        return _Arrangement(shown, window.gives_place if shown else (), side, is_over)

    def _arrange(self) -> None:
        """Put the docks where they are wanted; those that stand there stay."""
        window, wanted, before = self._window, self._wanted, self._now
        if not window.isVisible() or window.is_presented:
            return
        # What stands beside the plots keeps the keyboard while these change.
        kept = QApplication.focusWidget() if window.focused_panel().key in self._overlays else None
        if (wanted.shown, wanted.replaced, wanted.is_tiled) != (before.shown, before.replaced, before.is_tiled):
            self._replace(wanted)
        self._now = wanted
        self._cover()
        if wanted != before or wanted.is_over:
            self._show_side()
        views = window.model.state.views
        opened = views.workspace not in ("", self._workspace)
        self._workspace = views.workspace
        if opened and not {*views.front} & {*wanted.shown}:
            # A panel that was named behind Compare waits no longer: it would close what has been opened since.
            self._front = views.front
        if views.front != self._front:
            self._raise()
        if kept is not None and kept.isVisible():
            # For this reason it also keeps the place with the ring.
            kept.setFocus(Qt.FocusReason.PopupFocusReason)

    def _present(self) -> None:
        if self._presenter is None:
            from pe_desktop.window.presenter import Presenter  # noqa: PLC0415 - the first frame has no lecture

            self._presenter = Presenter(self._window, self._made)
        self._presenter.toggle()

    def _cover(self) -> None:
        """Cover the panels that a lesson asks to predict, until its question is answered."""
        covered = veiled(self._window.model.state)
        for key, dock in self._window.docks.items():
            dock.set_veiled(key in covered)

    def _replace(self, wanted: _Arrangement) -> None:
        """Put the docks that are wanted in place of those that stand there."""
        window, before = self._window, self._now
        end_drag(window)
        for key in self._overlays:
            # It stands beside the others, not among them.
            window.removeDockWidget(window.docks[key])
        stood = self._before
        if before.shown and wanted.shown and before.replaced == wanted.replaced:
            self._take_away()
        else:
            self._give_place_back()
        self._now = wanted
        self._take_place(window.roomy_docks if stood is None and window.is_small else stood)
        window.focus_plot()
        window.action_set.refresh()

    def _take_place(self, stood: QByteArray | None) -> None:
        """Put docks in place of others; stood: how those stand, None where they do so now."""
        window = self._window
        if not self._now.shown:
            return
        if self._before is None:
            # At a start the shares are known by what was restored alone, which is hidden now.
            window.columns.settle()
            self._before = window.saved_docks() if stood is None else stood
            self._popped_out = [dock for dock in window.docks.values() if dock.isFloating()]
            for key in self._now.replaced:
                if window.docks[key] not in self._popped_out:
                    window.docks[key].hide()
        docks = {key: dock for key in self._now.shown if not (dock := self._made(key)).isFloating()}
        if not docks:
            return
        first, *others = docks.values()
        # The others make theirs when they are seen: it is shown first. Of plots it is the one with the keyboard.
        is_by_focus = self._now.shown == PLOTS
        fronts = reversed(window.focused_plots) if is_by_focus else window.model.state.views.front
        front = next((docks[key] for key in fronts if key in docks), first)
        front.fill()
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, first, Qt.Orientation.Horizontal)
        ways = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        for place, dock in enumerate(others):
            # As tabs, or the second at the right of the first, the third below it.
            if self._now.is_tiled:
                window.splitDockWidget(first, dock, ways[min(place, 1)])
            else:
                window.tabifyDockWidget((first, *others)[place], dock)
        for dock in (front, *docks.values()):
            dock.show()
        front.raise_()
        if "compare" not in self._now.shown:
            window.columns.spread()

    def _give_place_back(self) -> None:
        before, self._before = self._before, None
        if before is None:
            return
        # Popped out, they may have been moved, closed or docked meanwhile.
        afloat = [dock for dock in self._window.docks.values() if dock.isFloating() or dock in self._popped_out]
        since = [(dock, dock.isFloating(), dock.isHidden(), dock.geometry()) for dock in afloat]
        self._take_away()
        if before.isEmpty():
            self._window.arrange()
        self._window.restore_docks(before)
        for dock, is_floating, is_hidden, place in since:
            dock.setFloating(is_floating)
            if is_floating:
                dock.setGeometry(place)
            dock.setHidden(is_hidden)

    def _take_away(self) -> None:
        """Take the docks that stand in place of others out of the layout."""
        docks, layout = self._window.docks, self._window.layout()
        own, self._now = [docks[key] for key in self._now.shown if not docks[key].isFloating()], _Arrangement()
        for name, keys in WORKSPACES.items():
            left = [dock.kind.key for dock in own if dock.kind.key in keys and dock.is_in_front]
            if left:
                self._window.left_in_front[name] = left[0]
        # The one in front last: no other comes to the front, which would make or draw it. Nor is it laid out once more.
        for dock in sorted(own, key=lambda dock: dock.is_in_front):
            if dock.is_filled:
                dock.panel.set_behind(True)
            # Not laid out before, Qt leaves its row of tabs where it stood.
            if layout is not None:
                layout.activate()
            # Qt remembers its place, and whether it is seen there.
            dock.hide()
            self._window.removeDockWidget(dock)

    def _made(self, key: str) -> PanelDock:
        """A dock that is made when it is first wanted."""
        window = self._window
        if key not in window.docks:
            dock = window.make_late_dock(panel_class(key, is_seen=key not in IN_WORKSPACES))
            dock.closed.connect(self._closing.start)
            if key in SIDES:
                self._overlays[key] = Overlay(dock, window)
                dress(self._overlays[key], window.theme)
                self._overlays[key].closed.connect(self._on_folded)
        return window.docks[key]

    def _show_side(self) -> None:
        """Show one of SIDES beside the plots or over them, and the other one nowhere."""
        window, now = self._window, self._now
        if now.side:
            self._made(now.side)
        for key, overlay in self._overlays.items():
            dock, is_open = window.docks[key], key == now.side
            dock.setFixedWidth(window.side_width)
            is_beside, is_over = is_open and not now.is_over, is_open and now.is_over
            had_focus = window.focused_panel() is dock.panel
            if not is_over:
                overlay.fold()
            if is_beside == dock.isHidden():
                end_drag(window)
                if is_beside:
                    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock, Qt.Orientation.Horizontal)
                dock.setVisible(is_beside)
            at = window.place_at_right(window.side_width)
            if is_over and (not overlay.isVisible() or overlay.place != at):
                overlay.open_at(at)
            if had_focus and not dock.panel.isVisible():
                window.focus_plot()
        window.show_strip_or_dock()
        window.columns.spread()

    def _raise(self) -> None:
        """Bring what the state names to the front; behind Compare it waits, and a workspace in its place makes way."""
        window, now = self._window, self._now
        if "compare" in now.shown or self._wanted != now:
            return
        front = window.model.state.views.front
        if {*front} & {*now.replaced} and not {*front} & {*now.shown}:
            self._leave()
            return
        self._front = front
        for dock in (window.docks[key] for key in front if key in window.docks):
            # Docks of a workspace that is closed have no place: shown, they would lie over the others.
            has_place = dock.isFloating() or window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
            is_replaced = dock.kind.key in {*now.replaced} - {*now.shown}
            if dock.kind.is_movable and has_place and not is_replaced and not dock.is_in_front:
                dock.bring_forward()
        # A state may name fewer panels than share places.
        self._noting.start()

    def _note_front(self) -> None:
        window = self._window
        if window.isVisible() and "compare" not in self._now.shown and self._wanted == self._now:
            docks = {key: dock for key, dock in window.docks.items() if dock.is_in_front and not dock.isFloating()}
            # Of tiles, which hide each other no longer, all.
            self._front = tuple(
                key for key, dock in docks.items() if self._now.is_tiled or window.tabifiedDockWidgets(dock)
            )
            window.model.note(front=self._front)
            self._take_focus_along()

    def _take_focus_along(self) -> None:
        """Where the panel with the keyboard went behind another, that one gets it: keys act on what is seen."""
        dock = dock_around(QApplication.focusWidget())
        if dock is not None and dock.is_behind:
            beside = self._window.tabifiedDockWidgets(dock)
            focus_plot([other for other in beside if isinstance(other, PanelDock)], self._window)

    def _follow(self, dock: PanelDock) -> None:
        dock.visibilityChanged.connect(self._noting.start)
        dock.topLevelChanged.connect(partial(self._on_floated, dock))
        self._point(dock)

    def _point(self, dock: PanelDock) -> None:
        """Let a panel ring what the step of a lesson points at, once it is made."""
        if not dock.is_filled:
            dock.panel_made.connect(self._point)
        elif isinstance(dock.panel, ScenePanel):
            dock.panel.canvas.pointed_at = lambda: pointed_at(self._window.model.state)

    def _on_shown(self) -> None:
        self._raise()
        self._arranging.start()

    def _on_resized(self) -> None:
        if self._now.side or self._wanted != self._now:
            self._arranging.start()

    def _on_reset(self) -> None:
        """In a small window the docks of a first start have no room."""
        self._window.roomy_docks = QByteArray()
        if self._now.shown:
            self._now, self._before = _Arrangement(), None
            self._arranging.start()

    def _on_floated(self, dock: PanelDock, is_floating: bool) -> None:
        """What stands in place of others makes way for a panel that is docked again there."""
        if not is_floating and dock.kind.key in {*self._now.replaced} - {*self._now.shown}:
            self._leaving.start()

    def _on_folded(self) -> None:
        """By its own button, where neither the state nor Compare nor a wider window has closed it."""
        if self._wanted.is_over:
            self._close_side()

    def _on_escaped(self) -> None:
        is_in_side = self._window.focused_panel().key == self._now.side
        # A lesson stays beside what it shows.
        if self._now.is_over or (is_in_side and self._now.side == "facts"):
            self._close_side()
        elif self._now.shown not in ((), PLOTS):
            self._leave()
        elif is_in_side:
            self._close_side()

    def _note_closed(self) -> None:
        """What a person has closed is closed in the state; a workspace with its last panel."""
        now, docks = self._now, self._window.docks
        if now.shown != PLOTS and now.shown and all(docks[key].isHidden() for key in now.shown):
            self._leave()
        if now.side and not now.is_over and docks[now.side].isHidden():
            self._close_side()

    def _close_side(self) -> None:
        if self._now.side:
            self._close(self._now.side)

    def _leave(self) -> None:
        state = self._window.model.state
        in_place = "lessons" if step_of(state) is not None else state.views.workspace
        # The state may have left it already.
        if self._now.shown and (name := "compare" if "compare" in self._now.shown else in_place):
            self._close(name)

    def _close(self, name: str) -> None:
        self._window.model.set(**{f"{name}.is_open": False})
