"""How the docks share the room: their shares, Encoding folded to a rail, and panels over the others or the screen."""

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.panels.panel import Panel
from pe_desktop.window.card import CardPart
from pe_desktop.window.dock import PanelDock, focus_plot

_RAIL_WIDTH = 44
_OVERLAY_WIDTH = 264
DOCK_WIDTH = 256
GAP = 8
# Of the room beside the Encoding dock.
CLOCK_SHARE = 0.335
# Of the upper and the lower panels, to each other.
_HEIGHTS = (520, 480)
# The clock and what stands under it.
_CLOCK_COLUMN = ("clock", "similarity", "rotation", "properties")
# The plots at the right, and the panels that stand there in their place while a workspace is open.
AT_THE_RIGHT = ("waves", "matrix")
# Behind other tabs at a first start.
BEHIND = ("rotation", "properties")
IN_WORKSPACES = tuple(key for keys in WORKSPACES.values() for key in keys)
_MOST_LAYOUTS = 20


class Rail(QDockWidget):
    """A narrow strip with a button that opens the folded panel."""

    opened = Signal()

    def __init__(self, panel: Panel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setTitleBarWidget(QWidget(self))
        self._card = CardPart(is_top=True, is_bottom=True)
        self.button = IconButton("sliders", f"{panel.title}", self._card, key="Ctrl+B")
        self.button.clicked.connect(self.opened)
        column = QVBoxLayout(self._card)
        column.setContentsMargins(8, 10, 8, 8)
        column.addWidget(self.button)
        column.addStretch(1)
        self.setWidget(self._card)
        self.setFixedWidth(_RAIL_WIDTH)


class Overlay(QFrame):
    """Holds the panel over the others while the dock is folded."""

    closed = Signal()

    def __init__(self, dock: PanelDock, window: QWidget) -> None:
        super().__init__(window)
        self._dock = dock
        self._window = window
        self.setProperty("role", "overlay")
        title = QLabel(dock.panel.title)
        title.setProperty("role", "title")
        self._close = IconButton("close", "Close", self, key="Esc")
        self._close.clicked.connect(self.fold)
        # As in its dock.
        side = 15 if dock.panel.is_movable else 0
        row = QHBoxLayout()
        row.setContentsMargins(16 - side, 4, max(8 - side, 0), 0)
        row.addWidget(title, 1)
        row.addWidget(self._close)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1 + side, 4, 1 + side, 8)
        self._column.setSpacing(4)
        self._column.addLayout(row)
        self.hide()

    def open_beside(self, rail: QWidget) -> None:
        """Take the panel from its dock and show it beside the rail."""
        place = rail.mapTo(self._window, QPoint(rail.width() + 8, 0))
        self.open_at(QRect(place.x(), place.y(), _OVERLAY_WIDTH, rail.height()))

    def open_at(self, place: QRect, *, takes_focus: bool = True) -> None:
        """Take the panel from its dock and show it at a place of the window."""
        self._column.addWidget(self._dock.panel, 1)
        self.setGeometry(place)
        self._dock.panel.show()
        self.show()
        self.raise_()
        if takes_focus:
            self._dock.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def fold(self) -> None:
        """Give the panel back to its dock."""
        if self.isVisible():
            self.hide()
            self._dock.take_back_panel()
            self.closed.emit()


def clock_share_of(docks: dict[str, PanelDock], before: float | None) -> float | None:
    """What the column of the clock has of the width of both columns; None where they don't stand side by side.

    It is what it was before while one of them isn't there, and where that gives the pixels that are seen.
    """
    columns = _columns(docks)
    if columns is None:
        return before
    clock, right = columns
    if clock.geometry().right() >= right.x():
        return None
    width = clock.width() + right.width()
    if before is not None and abs(clock.width() - before * width) <= 1.0:
        return before
    return clock.width() / width


def keep_share(window: QMainWindow, docks: dict[str, PanelDock], clock_share: float) -> None:
    """Give both columns their shares of the width again, where Qt has given them others."""
    columns = _columns(docks)
    if columns is None or clock_share_of(docks, clock_share) in (None, clock_share):
        return
    width = sum(dock.width() for dock in columns)
    clock = round(width * clock_share)
    window.resizeDocks([*columns], [clock, width - clock], Qt.Orientation.Horizontal)


def _columns(docks: dict[str, PanelDock]) -> tuple[PanelDock, PanelDock] | None:
    """A dock of the column of the clock and one of the column beside it, as far as they stand there."""
    columns = (_CLOCK_COLUMN, (*AT_THE_RIGHT, *IN_WORKSPACES))
    seen = [[docks[key] for key in keys if key in docks and _is_docked(docks[key])] for keys in columns]
    return (seen[0][0], seen[1][0]) if all(seen) else None


def _is_docked(dock: PanelDock) -> bool:
    return not (dock.isHidden() or dock.isFloating() or dock.is_behind)


def share_width(window: QMainWindow, docks: dict[str, PanelDock], clock_share: float | None) -> None:
    """Give both columns their shares of the width beside the Encoding dock or its rail; None leaves all to Qt."""
    columns = _columns(docks)
    if clock_share is None or columns is None:
        return
    left = DOCK_WIDTH if docks["parameters"].isVisibleTo(window) else _RAIL_WIDTH
    room = window.contentsRect().width() - left - 2 * GAP
    if "facts" in docks and not docks["facts"].isHidden():
        room -= docks["facts"].width() + GAP
    clock = round(room * clock_share)
    window.resizeDocks([*columns], [clock, room - clock], Qt.Orientation.Horizontal)


def share_height(window: QMainWindow, docks: dict[str, PanelDock]) -> None:
    """Give the upper panels a little more than the lower ones."""
    for upper, lower in (("clock", "similarity"), ("waves", "matrix")):
        pair = [docks[upper], docks[lower]]
        # Of one that is not in the layout Qt warns.
        if not any(dock.isHidden() or dock.isFloating() for dock in pair):
            window.resizeDocks(pair, list(_HEIGHTS), Qt.Orientation.Vertical)


def place_docks(window: QMainWindow, docks: dict[str, PanelDock], rail: Rail) -> None:
    """Put all docks where a first start shows them: the plots at the right, the only area they may be dragged to."""
    left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    window.addDockWidget(left, rail)
    window.splitDockWidget(rail, docks["parameters"], across)
    window.addDockWidget(right, docks["clock"])
    window.splitDockWidget(docks["clock"], docks["waves"], across)
    window.splitDockWidget(docks["clock"], docks["similarity"], down)
    window.tabifyDockWidget(docks["similarity"], docks["rotation"])
    window.tabifyDockWidget(docks["rotation"], docks["properties"])
    window.splitDockWidget(docks["waves"], docks["matrix"], down)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks["transport"])
    for dock in docks.values():
        dock.show()
    docks["similarity"].raise_()


def close_gap(window: QMainWindow, column: QDockWidget, lowest: QDockWidget) -> None:
    """Bring the lowest dock down to the edge.

    Of what a taller window has gained, Qt gives the docks a part only with each layout, and the last pixels only when a
    dock of the window's whole height, column, asks for them.
    """
    layout = window.layout()
    assert layout is not None
    for _ in range(_MOST_LAYOUTS):
        before = lowest.y()
        layout.invalidate()
        window.resizeDocks([column], [window.height()], Qt.Orientation.Vertical)
        layout.activate()
        if lowest.y() == before:
            return


class FullScreen(QFrame):
    """Covers the window with the content of a dock while the window covers the screen.

    The docks stay where they are. A dock that floats is a window: it covers the screen by itself.
    """

    # Where the docks stood, once the window has its size again.
    left = Signal(QByteArray)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("role", "ground")
        self.dock: PanelDock | None = None
        self._state_before = Qt.WindowState.WindowNoState
        self._size_before = QSize()
        # Where the window stood, and how its docks did; None where another panel has been asked for since.
        self.geometry_before = QByteArray()
        self.docks_before: QByteArray | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(0)
        self._column = column
        # Not while the docks are being arranged.
        self._leaving = QTimer(self, interval=0, singleShot=True)
        self._leaving.timeout.connect(self.leave)
        self.hide()

    def toggle(self, dock: PanelDock, docks: QByteArray) -> None:
        """Show a dock over the whole screen, or put it back; docks is where all of them stand."""
        if dock.isFloating() and dock.is_full_screen:
            dock.uncover_screen()
        elif dock.isFloating():
            dock.cover_screen()
        elif self.dock is not None:
            self.leave()
        else:
            self._open(dock, docks)

    def leave(self) -> None:
        """Put the panel back; nothing happens where there is none."""
        dock, self.dock = self.dock, None
        if dock is None:
            return
        dock.visibilityChanged.disconnect(self._on_visibility_changed)
        dock.take_back_content()
        self.hide()
        self._window.setWindowState(self._state_before)
        focus_plot([dock], self._window)

    def _open(self, dock: PanelDock, docks: QByteArray) -> None:
        window = self._window
        self.dock = dock
        self._state_before, self._size_before = window.windowState(), window.size()
        self.geometry_before, self.docks_before = window.saveGeometry(), docks
        for part in dock.give_content():
            self._column.addWidget(part)
            part.show()
        self.setGeometry(window.rect())
        self.show()
        self.raise_()
        dock.visibilityChanged.connect(self._on_visibility_changed)
        window.installEventFilter(self)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        focus_plot([dock], window)

    def _on_visibility_changed(self, is_seen: bool) -> None:
        """Another panel has been asked for, or its dock was closed."""
        if not is_seen:
            self.docks_before = None
            self._leaving.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            window = self._window
            if self.dock is not None:
                self.setGeometry(window.rect())
            elif window.size() == self._size_before:
                window.removeEventFilter(self)
                if self.docks_before is not None:
                    focus = window.focusWidget()
                    self.left.emit(self.docks_before)
                    if focus is not None:
                        focus.setFocus(Qt.FocusReason.OtherFocusReason)
        return super().eventFilter(watched, event)
