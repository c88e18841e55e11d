"""The main window: docks around one model, and the commands of the table of actions."""

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget

from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels import PANELS, ClockPanel, MatrixPanel, Panel, ParametersPanel, TransportPanel, WavesPanel
from pe_desktop.plotting.theme import Theme
from pe_desktop.window.actions import ACTIONS
from pe_desktop.window.commands import Commands
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.folding import Overlay, Rail
from pe_desktop.window.header import Header
from pe_desktop.window.panel_menu import PanelMenu

SMALLEST = (1100, 680)
COMPACT_BELOW = 1400
MARGIN = 8
DOCK_WIDTH = 256
# Of the room beside the Encoding dock.
CLOCK_SHARE = 0.335


class MainWindow(QMainWindow):
    """Owns model, playback and docks; nothing below it knows it."""

    def __init__(self, model: EncodingModel, playback: Playback, theme: Theme) -> None:
        super().__init__()
        self.model = model
        self.playback = playback
        self.theme = theme
        model.setParent(self)
        self.setWindowTitle("pe_desktop")
        self.setMinimumSize(*SMALLEST)
        self.setContentsMargins(MARGIN, 0, MARGIN, MARGIN)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.commands = Commands(self)
        self.header = Header(self.commands)
        self.setMenuWidget(self.header)
        self.docks = {panel.key: self._make_dock(panel) for panel in PANELS}
        self._make_folding()
        self._arrange()
        self._add_panel_entries()
        self._connect_header()
        self.statusBar().hide()
        self.statusBar().messageChanged.connect(self._on_message_changed)
        self.show_theme(theme)
        self.clock.dial.setFocus()

    def panel(self, key: str) -> Panel:
        """The panel of a key."""
        return self.docks[key].panel

    @property
    def parameters(self) -> ParametersPanel:
        """The Encoding dock's panel."""
        panel = self.panel("parameters")
        assert isinstance(panel, ParametersPanel)
        return panel

    @property
    def clock(self) -> ClockPanel:
        """The clock."""
        panel = self.panel("clock")
        assert isinstance(panel, ClockPanel)
        return panel

    @property
    def waves(self) -> WavesPanel:
        """The waves."""
        panel = self.panel("waves")
        assert isinstance(panel, WavesPanel)
        return panel

    @property
    def matrix(self) -> MatrixPanel:
        """The encoding matrix."""
        panel = self.panel("matrix")
        assert isinstance(panel, MatrixPanel)
        return panel

    @property
    def transport(self) -> TransportPanel:
        """The transport."""
        panel = self.panel("transport")
        assert isinstance(panel, TransportPanel)
        return panel

    def show_theme(self, theme: Theme) -> None:
        """Draw everything in another theme; the style sheet is the application's matter."""
        self.theme = theme
        self.header.show_theme(theme)
        self.rail.show_theme(theme)
        self.overlay.show_theme(theme)
        for dock in self.docks.values():
            dock.show_theme(theme)
        self.update()

    def show_message(self, sentence: str) -> None:
        """Say one sentence at the lower edge until it is dismissed by the next or after a while."""
        self.statusBar().showMessage(sentence, 8000)

    @property
    def is_folded(self) -> bool:
        """Whether the person has folded the Encoding dock."""
        return self._is_folded

    def set_folded(self, is_folded: bool) -> None:
        """Fold the Encoding dock to its rail, or open it."""
        self._is_folded = is_folded
        self._show_rail_or_dock()

    def toggle_overlay(self) -> None:
        """Open the folded panel over the others, or close it."""
        if self.overlay.isVisible():
            self.overlay.fold()
        else:
            self.overlay.open_beside(self.rail)

    @property
    def is_compact(self) -> bool:
        """Whether there is room for the rail only."""
        return self.width() < COMPACT_BELOW

    @property
    def is_railed(self) -> bool:
        """Whether the Encoding dock is folded now, by choice or for want of room."""
        return self._is_folded or self.is_compact

    def reset_layout(self) -> None:
        """All docks back to where they were at the first start."""
        for dock in self.docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        self.removeDockWidget(self.rail)
        self._is_folded = False
        self._arrange()

    def align_track(self) -> None:
        """Put the scrubber's track under the waves, when they stand in this window; a tab needs no second title."""
        for other in self.docks.values():
            if other.title_row is not None:
                other.title_row.title.setVisible(not self.tabifiedDockWidgets(other) or other.isFloating())
        dock = self.docks["waves"]
        if dock.isFloating() or not self.waves.isVisible():
            self.transport.scrubber.align(None)
            return
        layout, scrubber = self.waves.canvas.layout_now(), self.transport.scrubber
        shift = self.waves.canvas.mapTo(self, QPoint(0, 0)).x() - scrubber.mapTo(self, QPoint(0, 0)).x()
        scrubber.align((layout.left + shift, layout.right + shift))

    def focused_panel(self) -> Panel:
        """The panel that has the focus; the clock where none has."""
        widget = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, Panel):
            widget = widget.parentWidget()
        return widget if widget is not None else self.clock

    def close_down(self) -> None:
        """Stop the timer and the thread."""
        self.playback.pause()
        for dock in self.docks.values():
            dock.panel.close_down()
        self.model.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plain keys that no field has taken."""
        if event.key() == Qt.Key.Key_Escape and self.overlay.isVisible():
            self.overlay.fold()
            return
        pressed = QKeySequence(event.keyCombination())
        for row in ACTIONS:
            if row.is_plain_key and QKeySequence(row.key) == pressed:
                self.header.actions_by_command[row.command].trigger()
                return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow windows fold the Encoding dock."""
        super().resizeEvent(event)
        self._show_rail_or_dock()
        self._align_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing runs on after the window."""
        self.close_down()
        super().closeEvent(event)

    def _make_dock(self, panel: type[Panel]) -> PanelDock:
        dock = PanelDock(panel(self.model, self.playback), self)
        dock.panel.asked.connect(self.commands.do)
        if dock.title_row is not None:
            dock.title_row.menu_asked.connect(self._on_panel_menu)
            dock.title_row.fold_asked.connect(self.commands.fold_encoding)
        dock.topLevelChanged.connect(self._align_soon)
        dock.visibilityChanged.connect(self._align_soon)
        return dock

    def _make_folding(self) -> None:
        self._is_folded = False
        self._was_railed: bool | None = None
        self.docks["parameters"].setFixedWidth(DOCK_WIDTH)
        self.rail = Rail(self.panel("parameters"), self)
        self.overlay = Overlay(self.docks["parameters"], self)
        self.rail.opened.connect(self.commands.fold_encoding)
        self.overlay.closed.connect(self.clock.dial.setFocus)
        self.waves.canvas.plot_moved.connect(self._align_soon)
        self._alignment = QTimer(self, interval=0, singleShot=True)
        self._alignment.timeout.connect(self.align_track)
        self.transport.scrubber.placed.connect(self._align_soon)

    def _arrange(self) -> None:
        left, bottom = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        docks = self.docks
        self.addDockWidget(left, self.rail)
        self.splitDockWidget(self.rail, docks["parameters"], across)
        self.splitDockWidget(docks["parameters"], docks["clock"], across)
        self.splitDockWidget(docks["clock"], docks["waves"], across)
        self.splitDockWidget(docks["clock"], docks["similarity"], down)
        self.tabifyDockWidget(docks["similarity"], docks["rotation"])
        self.splitDockWidget(docks["waves"], docks["matrix"], down)
        self.addDockWidget(bottom, docks["transport"])
        for dock in docks.values():
            dock.show()
        docks["similarity"].raise_()
        self._was_railed = None
        self._show_rail_or_dock()
        self.share_room()

    def share_room(self) -> None:
        """Give clock and waves their shares of the width."""
        room = self.width() - 2 * MARGIN - (52 if self.is_railed else DOCK_WIDTH + 8)
        docks = [self.docks["clock"], self.docks["waves"]]
        clock = int(room * CLOCK_SHARE)
        widths = [clock, room - clock]
        if not self.is_railed:
            docks.insert(0, self.docks["parameters"])
            widths.insert(0, DOCK_WIDTH)
        self.resizeDocks(docks, widths, Qt.Orientation.Horizontal)
        for upper, lower in (("clock", "similarity"), ("waves", "matrix")):
            self.resizeDocks([self.docks[upper], self.docks[lower]], [520, 480], Qt.Orientation.Vertical)

    def _show_rail_or_dock(self) -> None:
        dock = self.docks["parameters"]
        if dock.isFloating():
            return
        is_railed = self.is_railed
        if is_railed != self._was_railed:
            self._was_railed = is_railed
            self.overlay.fold()
            self.rail.setVisible(is_railed)
            dock.setVisible(not is_railed)
            self.share_room()
        elif self.overlay.isVisible():
            self.overlay.open_beside(self.rail)

    def _on_message_changed(self, sentence: str) -> None:
        self.statusBar().setVisible(bool(sentence))

    def _align_soon(self) -> None:
        self._alignment.start()

    def _add_panel_entries(self) -> None:
        menu = self.header.menus["View"]
        first = menu.actions()[0]
        for key in ("clock", "waves", "similarity", "rotation", "matrix"):
            action = self.docks[key].toggleViewAction()
            menu.insertAction(first, action)
        menu.insertSeparator(first)

    def _connect_header(self) -> None:
        self.header.export.clicked.connect(self.commands.export)
        self.header.theme.clicked.connect(self.commands.toggle_theme)

    def _on_panel_menu(self, place: QPoint) -> None:
        row = self.sender()
        dock = next(dock for dock in self.docks.values() if dock.title_row is row)
        PanelMenu(dock, self.commands, self).popup(place)
