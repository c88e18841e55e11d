"""The main window: docks around one model."""

from functools import partial
from typing import cast

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMessageBox, QTabBar, QTabWidget, QWidget

from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.languages import told
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels import PANELS, panel_class
from pe_desktop.panels.clock_panel import ClockPanel
from pe_desktop.panels.matrix_panel import MatrixPanel
from pe_desktop.panels.parameters_panel import ParametersPanel
from pe_desktop.panels.scene_panel import Panel, dress
from pe_desktop.panels.transport_panel import TransportPanel
from pe_desktop.panels.waves_panel import WavesPanel
from pe_desktop.window.actions import ActionSet
from pe_desktop.window.dock import PanelDock, TitleRow, dock_around, end_drag, focus_plot, soon, tab_bar
from pe_desktop.window.folding import AT_THE_RIGHT, GAP, IN_WORKSPACES, Columns, Overlay
from pe_desktop.window.header import HEIGHT, Header
from pe_desktop.window.stage import Foot, FullScreen
from pe_desktop.window.tab_order import in_rows, move_focus, stops_in

SMALLEST = (600, 340)
# What the system puts around a window.
FRAME = QSize(2, 40)
_COMPACT_BELOW = 1400
# A smaller window has one place for all plots, and none for plots beside a workspace.
_SMALL_BELOW = (1100, 640)
MARGIN = 8
# In a low window the header leaves the plots what it can.
_LOW_BELOW, _LOW_HEADER = 480, 36
# What stands beside the plots, from which width of the window on, and below which they have one place there; beside
# Compare from where its words are whole.
_SIDE_WIDTH, _SMALL_SIDE, _SIDE_FROM, _SMALL_BESIDE, _COMPARE_FROM = 376, 320, 860, 1250, 1060
_OVERLAY_WIDTH = 264
# Behind other tabs at a first start.
_BEHIND = ("rotation", "properties")
# So much of a plot is seen to have the focus.
_SEEN = 40
# How far apart the upper edges of docks in one row may be.
_ROW = 40
# In the order of the menu; of who is given the focus, too.
PLOTS = tuple(panel.key for panel in PANELS if panel.is_movable)


class MainWindow(QMainWindow):
    """Owns the docks with their panels; what can be done is put into its action set by whoever composes it."""

    escaped = Signal()
    shown = Signal()
    # A lecture has ended.
    presented = Signal()
    # A lecture is to begin, or to end.
    present_asked = Signal()
    resized = Signal()
    # All docks stand as at a first start.
    was_reset = Signal()
    # A dock that the window did not have from its start.
    dock_made = Signal(PanelDock)
    # A dock, where its menu was asked for, in the screen's coordinates, and whether its right edge belongs there.
    panel_menu_asked = Signal(object, QPoint, bool)

    def __init__(self, model: EncodingModel, playback: Playback, theme: Theme) -> None:
        super().__init__()
        self.model = model
        self.playback = playback
        self.theme = theme
        model.setParent(self)
        self.setMinimumSize(*SMALLEST)
        self.setContentsMargins(MARGIN, 0, MARGIN, MARGIN)
        # Qt's own menu would offer to close the Encoding dock.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setDockNestingEnabled(True)
        # WORKAROUND: a row of tabs that Qt deletes while it moves by itself ends the program.
        self.setAnimated(False)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.action_set = ActionSet(self)
        self._focusing = soon(self, self.focus_plot)
        self._settling = soon(self, self._on_docks_settled)
        self.header = Header()
        self.setMenuWidget(self.header)
        self.docks = {panel.key: self.make_dock(panel) for panel in PANELS}
        self.parameters = cast("ParametersPanel", self.panel("parameters"))
        self.clock = cast("ClockPanel", self.panel("clock"))
        self.waves = cast("WavesPanel", self.panel("waves"))
        self.matrix = cast("MatrixPanel", self.panel("matrix"))
        self.transport = cast("TransportPanel", self.panel("transport"))
        # Who had the focus, the last one last.
        self.focused_plots = ["clock"]
        # Whether the person has folded the Encoding dock.
        self.is_folded = False
        # Whether a lecture covers the window.
        self.is_presented = False
        # Whether something is open that stands beside the plots.
        self.has_side = False
        self._had_strip: bool | None = None
        self._has_shares = False
        # How the docks stood when there was last room for them side by side; nothing before that.
        self.roomy_docks = QByteArray()
        # By workspace the panel that stood in front when it was left.
        self.left_in_front: dict[str, str] = {}
        self._no_docks = self.saveState()
        self.columns = Columns(self, self.docks)
        self.full_screen = FullScreen(self, self.made_foot, self.restore_docks)
        self.overlay = Overlay(self.docks["parameters"], self)
        self.overlay.closed.connect(self.focus_plot)
        self.overlay.closed.connect(self._settling.start)
        self.docks["waves"].resized.connect(self._settling.start)
        for one in (self.transport.scrubber.placed, self.presented):
            one.connect(self._settling.start)
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._on_focus_changed)
        self.arrange()
        self.dress(theme)

    def panel(self, key: str) -> Panel:
        """The panel of a key."""
        return self.docks[key].panel

    def dress(self, theme: Theme) -> None:
        """Draw everything in another theme; the style sheet is the application's matter."""
        self.theme = theme
        dress(self, theme)
        self.update()

    def made_foot(self, parent: QWidget) -> Foot:
        """What stands below panels that cover the screen."""
        foot = Foot(self.model, self.playback, parent)
        dress(foot, self.theme)
        return foot

    def show_refusal(self, title: str, sentence: str) -> None:
        """Say what can't be done in a box that stays until it has been read."""
        box = self._box(title, sentence, QMessageBox.StandardButton.Ok)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.isVisible():
            box.open()
        else:
            # A clicked file is read before the window is there.
            QTimer.singleShot(0, box.open)

    def ask(self, title: str, sentence: str, buttons: QMessageBox.StandardButton) -> int:
        """Wait for the button that a person presses in a box; Escape is Cancel, where there is one."""
        box = self._box(title, sentence, buttons)
        answer = box.exec()
        box.deleteLater()
        return answer

    def _box(self, title: str, sentence: str, buttons: QMessageBox.StandardButton) -> QMessageBox:
        box = QMessageBox(QMessageBox.Icon.Warning, told(title), told(sentence), buttons, self)
        box.setIconPixmap(themed_icon("warn", self.theme, self.theme.warn).pixmap(16, 16))
        return box

    def set_folded(self, is_folded: bool) -> None:
        """Fold the Encoding dock to its first parameters above the transport, or open it."""
        self.is_folded = is_folded
        self.show_strip_or_dock()

    def toggle_encoding(self) -> None:
        """Fold the Encoding dock or unfold it; where there is no room for it, open it as an overlay."""
        if self.has_room:
            self.set_folded(not self.is_folded)
        elif self.overlay.isVisible():
            self.overlay.fold()
        else:
            self.overlay.open_at(self.place_at_right(_OVERLAY_WIDTH))
            self.parameters.take_focus()

    @property
    def has_room(self) -> bool:
        """Whether there is room for the Encoding dock."""
        return self.width() >= _COMPACT_BELOW and not self.gives_way

    def place_at_right(self, width: int) -> QRect:
        """Where something so wide lies over the plots: as high as they are, left of what stands beside them."""
        right = self.width() - MARGIN - (self.side_width + GAP) * self.gives_way
        top, bottom = self.header.height(), self.docks["transport"].y() - GAP
        if self.height() < _LOW_BELOW:
            # What can be folded away may cover the transport where it would have no room else.
            bottom = self.height() - MARGIN
        return QRect(right - width, top, width, bottom - top)

    @property
    def is_small(self) -> bool:
        """Whether there is one place for all plots; while one covers the screen, what holds before and after."""
        whole = self.full_screen
        size = self.size() if whole.docks_before is None else whole.size_before
        is_narrow = size.width() < _SMALL_BELOW[0] or (self.gives_way and size.width() < _SMALL_BESIDE)
        return is_narrow or size.height() < _SMALL_BELOW[1]

    @property
    def side_width(self) -> int:
        """How wide is what stands beside the plots."""
        return _SIDE_WIDTH if self.width() >= _SMALL_BELOW[0] else _SMALL_SIDE

    @property
    def gives_way(self) -> bool:
        """Whether the plots give what stands beside them its room, and so does the Encoding dock."""
        is_comparing = self.model.state.views.compare.is_open
        return self.has_side and self.width() >= (_COMPARE_FROM if is_comparing else _SIDE_FROM)

    @property
    def gives_place(self) -> tuple[str, ...]:
        """The panels in whose place a workspace stands: those at the right, all plots in a small window."""
        has_room = not self.is_small and self.width() - self.side_width * self.gives_way >= _SMALL_BELOW[0]
        return AT_THE_RIGHT if has_room else PLOTS

    def saved_geometry(self) -> QByteArray:
        """Where the window stands in Qt's own bytes; while a panel covers the screen, where it stood before."""
        whole = self.full_screen
        return self.saveGeometry() if whole.dock is None else whole.geometry_before

    def saved_docks(self) -> QByteArray:
        """Where the docks stand, in Qt's own bytes; while one of them covers the screen, where they stood before."""
        whole = self.full_screen
        if whole.dock is not None and whole.docks_before is not None:
            return whole.docks_before
        return self.saveState()

    def restore_docks(self, state: QByteArray) -> None:
        """Bring the docks to where a person left them; a state that Qt can't read changes nothing."""
        end_drag(self)
        if self.restoreState(state):
            self._has_shares = True
            if self.isVisible():
                # Qt's bytes have widths of the size that the window had; the columns keep their shares.
                self._settling.start()
            else:
                self.roomy_docks = state
                self.columns.shares.clear()
            self._had_strip = None
            self.show_strip_or_dock()

    def reset_layout(self) -> None:
        """All docks back to where they were at the first start."""
        end_drag(self)
        self.full_screen.leave()
        for dock in self.docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        # Qt remembers the places of docks that are taken out; these are those of no dock.
        self.restoreState(self._no_docks)
        self.is_folded = False
        self.arrange()
        self.was_reset.emit()
        self.focus_plot()

    def focus_plot(self) -> None:
        """Bring the keyboard to where plain keys act: Compare, a workspace, or the plot in here that had it last."""
        keys = ("compare", *IN_WORKSPACES, *reversed(self.focused_plots), *PLOTS)
        focus_plot([self.docks[key] for key in keys if key in self.docks], self)

    def focused_panel(self) -> Panel:
        """The panel that has the focus; the plot that had it last where none has."""
        widget = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, Panel):
            # In its title row the panel has it, too.
            widget = widget.panel if isinstance(widget, PanelDock | TitleRow) else widget.parentWidget()
        return widget if widget is not None else self.focused_plot()

    def focused_plot(self) -> Panel:
        """The plot that has the focus, or had it last of those that are in front; the clock where none is."""
        seen = (self.docks[key].panel for key in reversed(self.focused_plots) if self.docks[key].is_in_front)
        return next(seen, self.clock)

    def focus_next_panel(self, step: int = 1) -> None:
        """Bring the focus to the next panel in front, or by -1 to the one before."""
        whole = self.full_screen.dock
        docks = self._panels_in_order() if whole is None else [whole]
        if docks:
            keys, here = [dock.kind.key for dock in docks], self.focused_panel().key
            dock = docks[(keys.index(here) + step) % len(docks) if here in keys else 0]
            dock.panel.window().activateWindow()
            dock.panel.take_focus()

    def toggle_full_screen(self) -> None:
        """Show the panel with the focus over the whole screen, or leave it."""
        dock = self.full_screen.dock or self.docks[self.focused_panel().key]
        self._toggle_full_screen(dock if dock.kind.is_movable else self.docks[self.focused_plot().key])

    def close_down(self) -> None:
        """Stop the timer and the thread."""
        self.playback.pause()
        self.model.close()

    def make_dock(self, panel: type[Panel]) -> PanelDock:
        """A dock with a panel of this model, or with room for one that few see, placed nowhere yet."""
        model, playback = self.model, self.playback
        dock = PanelDock(panel, lambda: panel_class(panel.key)(model, playback), self)
        if panel.key in (*_BEHIND, *IN_WORKSPACES):
            dock.keep_room()
        else:
            dock.panel.asked.connect(self.action_set.trigger)
        dock.panel_made.connect(self._on_panel_made)
        dock.menu_asked.connect(self.panel_menu_asked)
        dock.full_screen_asked.connect(self._toggle_full_screen)
        dock.closed.connect(self._focusing.start)
        dock.resized.connect(self._on_resized)
        dock.topLevelChanged.connect(self._settling.start)
        dock.topLevelChanged.connect(self._focusing.start)
        dock.visibilityChanged.connect(self._settling.start)
        return dock

    def make_late_dock(self, panel: type[Panel]) -> PanelDock:
        """A dock of the window that is wanted only later: the first frame has no use for it."""
        dock = self.docks[panel.key] = self.make_dock(panel)
        dress(dock, self.theme)
        self.dock_made.emit(dock)
        return dock

    def _on_panel_made(self, dock: PanelDock) -> None:
        dock.panel.asked.connect(self.action_set.trigger)
        dress(dock, self.theme)

    def arrange(self) -> None:
        """Put all docks of a first start where it shows them in a window with room."""
        self.columns.place(panel.key for panel in PANELS)
        self._had_strip = None
        self.show_strip_or_dock()
        self._share_room()

    def _share_room(self) -> None:
        # Before the first showing it is not known how much room there is.
        self._has_shares = self.isVisible()
        self.columns.reset()

    def show_strip_or_dock(self) -> None:
        """Show the Encoding dock, or its first parameters where it has no room or is folded."""
        has_strip = self.is_folded or not self.has_room
        if has_strip != self._had_strip:
            fixtures = self.parameters, self.transport
            loses_focus = QApplication.focusWidget() is None or self.focused_panel() in fixtures
            self._had_strip = has_strip
            end_drag(self)
            self.overlay.fold()
            self.docks["parameters"].setVisible(not has_strip)
            self.transport.show_parameters(is_shown=has_strip)
            self.docks["transport"].fit_height()
            self.columns.spread()
            self.action_set.refresh()
            if loses_focus:
                self.focus_plot()
        elif self.overlay.isVisible():
            self.overlay.open_at(self.place_at_right(_OVERLAY_WIDTH))

    def _on_docks_settled(self) -> None:
        self.action_set.refresh()
        for dock in self.docks.values():
            dock.shares_tabs = self.is_small
            dock.show_as_tab()
        for overlay in () if self.is_presented else self.findChildren(Overlay):
            # A tab that came to the front lies over all else.
            overlay.raise_()
        self.columns.settle()
        self.columns.close_gap()
        self.header.place_message()
        if not self.is_small:
            self.roomy_docks = self.saved_docks()
        self._align_track()

    def _align_track(self) -> None:
        """Put the track of the transport under the plot of the waves, where they stand in this window."""
        scrubber, canvas = self.transport.scrubber, self.waves.canvas
        if self.docks["waves"].isFloating() or self.is_presented or not self.waves.isVisible():
            scrubber.align(None)
        else:
            area = self.waves.layout_now().area
            shift = scrubber.mapFromGlobal(canvas.mapToGlobal(QPoint())).x()
            scrubber.align((area.x + shift, area.right + shift))

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """What loses the focus gives it to the plot beside it, or to the one that had it last."""
        if isinstance(now, QTabBar):
            # Qt tells of the row afterwards.
            QTimer.singleShot(0, now, partial(_tell_tab, now))
        if now is not None:
            # What is hidden gives the focus to whatever Qt finds.
            if before is None or before.isVisible():
                held = dock_around(now)
                plots = [held.kind.key] if held and held.kind.is_movable and held.kind.key != "lessons" else []
                self.focused_plots = [*(key for key in self.focused_plots if key not in plots), *plots]
            return
        row = before.parentWidget() if before is not None and before.isVisible() else None
        if row is not None and self.overlay.isAncestorOf(row):
            # Most plots lie under it. Tab goes on from the row.
            row.setFocus()
            return
        window = QApplication.activeWindow()
        dock = self.docks.get(self.focused_plots[-1], self.docks["clock"])
        if QApplication.activePopupWidget() is None and window in (self, dock):
            if dock.is_in_front and dock.window() is window:
                focus_plot([dock], window)
            else:
                self.focus_plot()

    def _raise_floating(self) -> None:
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()

    def _on_resized(self) -> None:
        splits = Qt.CursorShape.SplitHCursor, Qt.CursorShape.SplitVCursor
        if QApplication.mouseButtons() and self.cursor().shape() in splits:
            self.columns.is_dragged = True
            self._settling.start()

    def _focus_under(self, bar: QTabBar) -> None:
        """A press on a tab is one on its panel: keys act there."""
        if docks := self._docks_under(bar):
            focus_plot(docks, self)

    def _docks_under(self, bar: QTabBar) -> list[PanelDock]:
        """The dock in front under a row of tabs; none where the row is of other docks."""
        return [dock for dock in self.docks.values() if not dock.is_behind and tab_bar(dock) is bar]

    def _toggle_full_screen(self, dock: PanelDock) -> None:
        end_drag(self)
        self.full_screen.toggle(dock, self.saved_docks())
        self._settling.start()

    def stops(self) -> list[QWidget]:
        """What Tab comes to: the header, what lies over the plots, Encoding, the plots, the transport.

        What is covered is left out: nobody would see that it has the focus.
        """
        overlays = [overlay for overlay in self.findChildren(Overlay) if overlay.isVisible()]
        above = [stop for root in (self.header, *overlays) for stop in stops_in(root)]
        stops: list[QWidget] = []
        for dock in self._panels_in_order():
            if dock.isAncestorOf(dock.panel) and not dock.isFloating():
                bar = tab_bar(dock)
                stops += dock.stops() if bar is None else [bar, *dock.stops()]
        # A point at the left of a widget that is seen where most of it is, or enough of a wide one.
        beginnings = ((one, one.mapTo(self, QPoint(min(one.width() // 2, _SEEN), one.height() // 2))) for one in stops)
        covered = [overlay.geometry() for overlay in overlays]
        return [*above, *(stop for stop, point in beginnings if not any(place.contains(point) for place in covered))]

    def _panels_in_order(self) -> list[PanelDock]:
        """What F6 comes to, docks that are seen: Encoding, the plots row by row, those that float, the transport."""
        visible = [dock for dock in self.docks.values() if dock.shows_panel]
        encoding = [dock for dock in visible if not dock.kind.is_movable and dock.kind.has_title]
        plots = [dock for dock in visible if dock.kind.is_movable and not dock.isFloating()]
        floating = [dock for dock in visible if dock.isFloating()]
        transport = [dock for dock in visible if not dock.kind.has_title]
        return [*encoding, *in_rows(plots, _top, _ROW), *floating, *transport]

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        whole = self.full_screen.dock
        stops = self.stops() if whole is None else whole.stops()
        return move_focus(stops, is_back=not next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.full_screen.dock is not None:
                self.toggle_full_screen()
            elif self.overlay.isVisible():
                self.overlay.fold()
            else:
                self.escaped.emit()
        elif not self.action_set.trigger_key(event.keyCombination()):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._has_shares:
            self._share_room()
        if not event.spontaneous():
            # Those of a restored layout are there before the window, which would lie over them.
            QTimer.singleShot(0, self, self._raise_floating)
            self.windowHandle().installEventFilter(self)
            self.focus_plot()
            self.shown.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (is_key := event.type() == QEvent.Type.ShortcutOverride) or event.type() == QEvent.Type.MouseButtonPress:
            self.setProperty(USED_BY_KEYS, is_key)
        return super().eventFilter(watched, event)

    def childEvent(self, event: QChildEvent) -> None:
        # To know a child that Qt made takes PySide long, the first time: only a tab bar's matters.
        if event.polished() and isinstance(bar := event.child(), QTabBar):
            bar.currentChanged.connect(lambda: _tell_tab(bar))
            # Qt brings the tab to the front afterwards.
            bar.tabBarClicked.connect(lambda: self._focus_under(bar), Qt.ConnectionType.QueuedConnection)
            bar.tabBarDoubleClicked.connect(lambda: [*map(self._toggle_full_screen, self._docks_under(bar))])
        super().childEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header.bar.setFixedHeight(HEIGHT if self.height() >= _LOW_BELOW else _LOW_HEADER)
        self.show_strip_or_dock()
        self._settling.start()
        if self.isVisible():
            # Before the docks are painted, which else would be painted twice.
            self.columns.settle()
            self.columns.close_gap()
        self.full_screen.follow_window()
        self.resized.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.close_down()
        super().closeEvent(event)


def _top(dock: PanelDock) -> QPoint:
    bar = tab_bar(dock)
    return dock.pos() if bar is None else dock.geometry().united(bar.geometry()).topLeft()


def _tell_tab(bar: QTabBar) -> None:
    """Tell readers which tab is chosen: Qt tells of the row, by the name of the tab that was chosen first."""
    if not QAccessible.isActive():
        return
    QAccessible.updateAccessibility(QAccessibleEvent(bar, QAccessible.Event.NameChanged))
    if bar.hasFocus():
        focus = QAccessibleEvent(bar, QAccessible.Event.Focus)
        focus.setChild(bar.currentIndex())
        QAccessible.updateAccessibility(focus)
