"""How the docks share the room: their shares, and panels over the others or the screen."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.window.dock import PanelDock, focus_plot, soon

if TYPE_CHECKING:
    from pe_desktop.window.stage import Foot

_DOCK_WIDTH = 256
GAP = 8
# The clock's column of the width beside the Encoding dock, and of the height of a column its upper panel.
_SHARES = {"columns": 0.335, "clock": 0.52, "waves": 0.52}
# The clock and what stands under it.
_CLOCK_COLUMN = ("clock", "similarity", "rotation", "properties")
# The plots at the right, and the panels that stand there in their place while a workspace is open.
AT_THE_RIGHT = ("waves", "matrix")
IN_WORKSPACES = tuple(key for keys in WORKSPACES.values() for key in keys)
# What stands beside the plots, or over them, one at a time.
SIDES = ("lessons", "facts")
_MOST_LAYOUTS = 20
# How far what is folded away stands below the titles of what it lay over.
_BELOW_TITLE = 44
_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
# Lower than any panel: the edge between two of them, and tabs.
_MOST_BETWEEN = 60


class Overlay(QFrame):
    """Holds the panel over the others while the dock is folded."""

    closed = Signal()

    def __init__(self, dock: PanelDock, window: QWidget) -> None:
        super().__init__(window)
        self._dock = dock
        self.setProperty("role", "overlay")
        self._title = label(dock.panel.title, "title")
        self._close = acting(IconButton("close", "Close", self, key="Esc"), self.fold)
        # Where it lies over what it speaks of it can be made as small as this button.
        self._shrink = acting(IconButton("right", "Fold or unfold", self), self._put)
        self._shrink.setCheckable(True)
        self._shrink.setVisible(dock.panel.is_movable)
        self.place = QRect()
        # As in its dock.
        side = 15 if dock.panel.is_movable else 0
        parts = self._title, self._shrink, self._close
        row = filled(QHBoxLayout(), *parts, margins=(16 - side, 4, max(8 - side, 0), 0), wide=self._title)
        self._column = filled(QVBoxLayout(self), row, margins=(1 + side, 4, 1 + side, 8), spacing=4)
        self.hide()

    def open_at(self, place: QRect) -> None:
        """Take the panel from its dock and show it at a place of the window."""
        self._column.addWidget(self._dock.panel, 1)
        self.place = place
        self._put()
        self.show()
        self.raise_()

    def _put(self) -> None:
        """Be where it is wanted, or as small as its button at the right upper corner there."""
        is_small = self._shrink.isChecked()
        self._shrink.set_icon("left" if is_small else "right")
        for part in (self._title, self._close, self._dock.panel):
            part.setVisible(not is_small)
        self.setGeometry(self.place)
        if is_small:
            self._column.activate()
            self.resize(self._column.minimumSize())
            self.move(self.place.right() + 1 - self.width(), self.place.y() + _BELOW_TITLE)

    def fold(self) -> None:
        """Give the panel back to its dock."""
        if self.isVisible():
            self.hide()
            self._dock.take_back_panel()
            self.closed.emit()


class Columns:
    """The columns and the upper panel of each keep their shares of the room, which in Qt drift by rounding."""

    def __init__(self, window: QMainWindow, docks: dict[str, PanelDock]) -> None:
        self._window, self._docks = window, docks
        # As in _SHARES; of one that isn't there it takes what Qt gives, when it is looked at.
        self.shares: dict[str, float] = {}
        # Whether the pointer has dragged an edge between docks since the shares were last looked at.
        self.is_dragged = False

    def reset(self) -> None:
        """Share the room as at a first start: the upper panels get a little more of the height than the lower ones."""
        self.shares = dict(_SHARES)
        self.spread()
        for keys in (_CLOCK_COLUMN, AT_THE_RIGHT):
            pair = [self._docks[key] for key in keys[:2]]
            # Of one that is not in the layout Qt warns; before it is laid out shares alone count.
            if not any(dock.isHidden() or dock.isFloating() for dock in pair):
                self._divide(keys[0], pair, 1000, _DOWN)

    def place(self, keys: Iterable[str]) -> None:
        """Put docks where a first start shows them: the plots at the right, the only area they may be dragged to."""
        window, docks = self._window, self._docks
        docks["parameters"].setFixedWidth(_DOCK_WIDTH)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["parameters"])
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, docks["clock"])
        window.splitDockWidget(docks["clock"], docks["waves"], _ACROSS)
        window.splitDockWidget(docks["clock"], docks["similarity"], _DOWN)
        window.tabifyDockWidget(docks["similarity"], docks["rotation"])
        window.tabifyDockWidget(docks["rotation"], docks["properties"])
        window.splitDockWidget(docks["waves"], docks["matrix"], _DOWN)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks["transport"])
        for key in keys:
            docks[key].show()
        docks["similarity"].raise_()

    def spread(self) -> None:
        """Give the columns their shares of the width beside the Encoding dock."""
        left = _DOCK_WIDTH + GAP if self._docks["parameters"].isVisibleTo(self._window) else 0
        room = self._window.contentsRect().width() - left - GAP
        sides = [dock for key, dock in self._docks.items() if key in SIDES and not dock.isHidden()]
        room -= sum(dock.width() + GAP for dock in sides)
        columns = self._columns()
        if columns and "columns" in self.shares:
            self._divide("columns", columns, room, _ACROSS)

    def settle(self) -> None:
        """Take the shares that a pointer has given, or give them again where Qt has given others."""
        columns = self._columns()
        if columns and columns[0].geometry().right() < columns[1].x():
            width = columns[0].width()
            self._keep("columns", columns, width, width + columns[1].width(), _ACROSS)
        for keys in (_CLOCK_COLUMN, AT_THE_RIGHT):
            stood = self._seen(keys)
            if len(stood) == 2 and 0 < stood[1].y() - stood[0].geometry().bottom() < _MOST_BETWEEN:
                room = stood[1].geometry().bottom() + 1 - stood[0].y() - GAP
                self._keep(keys[0], stood, stood[0].height(), room, _DOWN)
        self.is_dragged = False

    def _keep(self, name: str, docks: list[PanelDock], now: int, room: int, way: Qt.Orientation) -> None:
        """Of two docks the first has so many pixels now; room is what both have."""
        wanted = self.shares.setdefault(name, now / room) * room
        if self.is_dragged and abs(now - wanted) > 1.0:
            self.shares[name] = now / room
        elif not self.is_dragged and now != round(wanted):
            self._divide(name, docks, room, way)

    def _divide(self, name: str, docks: list[PanelDock], room: int, way: Qt.Orientation) -> None:
        first = round(self.shares[name] * room)
        self._window.resizeDocks(docks, [first, room - first], way)

    def _columns(self) -> list[PanelDock]:
        """A dock of each column, as far as they stand there."""
        clock = self._seen(_CLOCK_COLUMN)
        right = self._seen((*AT_THE_RIGHT, *IN_WORKSPACES))
        return [clock[0], right[0]] if clock and right else []

    def _seen(self, keys: Iterable[str]) -> list[PanelDock]:
        """The docks of some keys that stand in the window, in front of others."""
        docks = (self._docks[key] for key in keys if key in self._docks)
        return [dock for dock in docks if dock.is_in_front and not dock.isFloating()]

    def close_gap(self) -> None:
        """Bring the transport down to the edge.

        Of what a taller window has gained, Qt gives the docks a part only with each layout, and the last pixels only
        when the docks of a column, here the last one, ask for more than there is.
        """
        lowest, room = self._docks["transport"], self._window.contentsRect()
        if lowest.width() > room.width():
            # Qt leaves it as wide as docks needed that are gone.
            lowest.resize(room.width(), lowest.height())
        stood = {*self._seen(self._docks)} - {lowest}
        for dock in stood:
            # So it leaves one that could not be as small when it was added, over what stands beside it.
            right = min((other.x() - GAP for other in stood if other.x() > dock.x()), default=room.right() + 1)
            if dock.geometry().right() >= max(right, room.right() + 1):
                dock.resize(right - dock.x(), dock.height())
        edge = max((dock.geometry().right() for dock in stood), default=0)
        column = [dock for dock in stood if dock.geometry().right() == edge]
        for _ in range(_MOST_LAYOUTS):
            before = lowest.y()
            if room.bottom() > lowest.geometry().bottom():
                self._window.resizeDocks(column, [2 * dock.height() for dock in column], _DOWN)
            # By an event: to know the layout that Qt made takes PySide long, the first time.
            QCoreApplication.sendEvent(self._window, QEvent(QEvent.Type.LayoutRequest))
            if lowest.y() == before:
                return


class FullScreen(QFrame):
    """Covers the window with the content of a dock while the window covers the screen.

    The docks stay where they are: restore puts them back there once the window has its size again. A dock that floats
    is a window: it covers the screen by itself.
    """

    def __init__(
        self, window: QMainWindow, restore: Callable[[QByteArray], None], make_foot: Callable[[QWidget], "Foot"]
    ) -> None:
        super().__init__(window)
        self._window, self._restore, self._make_foot = window, restore, make_foot
        # Qt paints nothing that lies behind it then.
        self.setAutoFillBackground(True)
        self.dock: PanelDock | None = None
        self._state_before = Qt.WindowState.WindowNoState
        self.size_before = QSize()
        # Where the window stood, and how its docks did; None where another panel has been asked for since.
        self.geometry_before = QByteArray()
        self.docks_before: QByteArray | None = None
        self._column = filled(QVBoxLayout(self), margins=(8, 8, 8, 8), spacing=0)
        self._foot: Foot | None = None
        self._fitting = soon(self, self._fit)
        # Not while the docks are being arranged.
        self._leaving = soon(self, self.leave)
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
        if isinstance(dock.panel, ScenePanel):
            dock.panel.set_zoom(1.0)
        dock.take_back_content()
        self.hide()
        self._window.setWindowState(self._state_before)
        if self._window.size() == self.size_before:
            # Where no window system has given it another size, no event says that it has its own again.
            self.docks_before = None
        focus_plot([dock], self._window)

    def _fit(self) -> None:
        """Draw the panel as large as it can be without being cut, and what stands below it as large."""
        from pe_desktop.window.stage import show_to_room, words_zoom  # noqa: PLC0415 - no first frame covers the screen

        if self.dock is not None and self._foot is not None:
            self._foot.set_zoom(words_zoom(self.size()))
            show_to_room(self.dock.panel)

    def _open(self, dock: PanelDock, docks: QByteArray) -> None:
        window = self._window
        if self._foot is None:
            self._foot = self._make_foot(self)
            self._column.addWidget(self._foot)
        self.dock = dock
        self._state_before, self.size_before = window.windowState(), window.size()
        self.geometry_before, self.docks_before = window.saveGeometry(), docks
        for place, part in enumerate(dock.give_content()):
            self._column.insertWidget(place, part, place)
            part.show()
        self.setGeometry(window.rect())
        self._fitting.start()
        self.show()
        self.raise_()
        dock.visibilityChanged.connect(self._on_visibility_changed)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        # The screen may be shown to others: the ring comes with the first key that moves the focus.
        window.setProperty(USED_BY_KEYS, False)
        focus_plot([dock], window)

    def _on_visibility_changed(self, is_seen: bool) -> None:
        """Another panel has been asked for, or its dock was closed."""
        if not is_seen:
            self.docks_before = None
            self._leaving.start()

    def follow_window(self) -> None:
        """Cover the window, which has another size; the docks are as before if it gets the size from before back."""
        window = self._window
        if self.dock is not None:
            self.setGeometry(window.rect())
            self._fitting.start()
            return
        docks, self.docks_before = self.docks_before, None
        if docks is not None and window.size() == self.size_before:
            focus, nowhere = window.focusWidget(), Qt.DockWidgetArea.NoDockWidgetArea
            away = [dock for dock in window.findChildren(PanelDock) if window.dockWidgetArea(dock) == nowhere]
            self._restore(docks)
            for dock in away:
                # Qt remembers a place of what was taken out, too.
                window.removeDockWidget(dock)
            if focus is not None:
                focus.setFocus()
