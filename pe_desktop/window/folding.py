"""How the docks share the room: their shares, and panels over the others."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QRect, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.window.dock import PanelDock

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
        docks, area = (self._docks[key] for key in keys if key in self._docks), self._window.dockWidgetArea
        placed = (dock for dock in docks if area(dock) != Qt.DockWidgetArea.NoDockWidgetArea)
        return [dock for dock in placed if dock.is_in_front and not dock.isFloating()]

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
