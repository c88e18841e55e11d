"""Where Tab and F6 go: row by row as things are seen, in the window header, Encoding, plots, transport."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QFrame, QMainWindow, QScrollArea, QTabBar, QWidget

if TYPE_CHECKING:  # A dock has stops.
    from pe_desktop.window.dock import PanelDock

# How far apart the upper edges of docks in one row may be.
_ROW_OF_DOCKS = 40


def panels_in_order(docks: Sequence["PanelDock"], window: QMainWindow) -> list["PanelDock"]:
    """What F6 comes to: as Tab, and after a dock those that share its place, whichever of them is in front."""
    groups = ({dock, *window.tabifiedDockWidgets(dock)} for dock in _in_order(docks, window))
    opened = [dock for dock in docks if not dock.isHidden() or dock.shows_panel]
    return [dock for group in groups for dock in opened if dock in group]


def stops_of(docks: Sequence["PanelDock"], window: QMainWindow) -> list[QWidget]:
    """What Tab comes to: the header, what lies over the plots, Encoding or its rail, the plots, the transport."""
    overlays = [frame for frame in window.findChildren(QFrame) if frame.property("role") == "overlay"]
    roots = [window.menuWidget(), *overlays, window.findChild(QDockWidget, "rail")]
    stops = [stop for root in roots if root is not None and root.isVisible() for stop in stops_in(root)]
    for dock in _in_order(docks, window):
        if dock.isAncestorOf(dock.panel) and not dock.isFloating():
            bar = tab_bar(dock, window)
            stops += dock.stops() if bar is None else [bar, *dock.stops()]
    return stops


def _in_order(docks: Sequence["PanelDock"], window: QMainWindow) -> list["PanelDock"]:
    """The docks that are seen: Encoding, the plots row by row, those that float, the transport."""
    seen = [dock for dock in docks if dock.shows_panel]
    encoding = [dock for dock in seen if not dock.kind.is_movable and dock.kind.has_title]
    plots = [dock for dock in seen if dock.kind.is_movable and not dock.isFloating()]
    floating = [dock for dock in seen if dock.isFloating()]
    transport = [dock for dock in seen if not dock.kind.has_title]
    return [*encoding, *in_rows(plots, lambda dock: _top(dock, window), _ROW_OF_DOCKS), *floating, *transport]


def _top(dock: "PanelDock", window: QMainWindow) -> QPoint:
    bar = tab_bar(dock, window)
    return dock.pos() if bar is None else dock.geometry().united(bar.geometry()).topLeft()


def tab_bar(dock: "PanelDock", window: QMainWindow) -> QTabBar | None:
    """The row of tabs above a dock."""
    if not window.tabifiedDockWidgets(dock):
        return None
    ground = dock.geometry().adjusted(0, -4, 0, 0)
    bars = (bar for bar in window.findChildren(QTabBar) if bar.isVisible())
    return next((bar for bar in bars if ground.intersects(bar.geometry())), None)


def tell_tab(bar: QTabBar) -> None:
    """Tell readers which tab is chosen: Qt tells of the row, by the name of the tab that was chosen first."""
    if not QAccessible.isActive():
        return
    QAccessible.updateAccessibility(QAccessibleEvent(bar, QAccessible.Event.NameChanged))
    if bar.hasFocus():
        focus = QAccessibleEvent(bar, QAccessible.Event.Focus)
        focus.setChild(bar.currentIndex())
        QAccessible.updateAccessibility(focus)


# How far apart the centres of what stands side by side may be.
_ROW = 8
_Placed = TypeVar("_Placed", bound=QWidget)


def stops_in(root: QWidget) -> list[QWidget]:
    """What Tab comes to within a widget."""
    stops = (child for child in root.findChildren(QWidget) if child.isVisible() and _takes_tab(child))
    return in_rows(stops, lambda stop: stop.mapTo(root, stop.rect().center()), _ROW)


def _takes_tab(widget: QWidget) -> bool:
    has_policy = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return has_policy and widget.isEnabled() and widget.focusProxy() is None


def in_rows(widgets: Iterable[_Placed], place: Callable[[_Placed], QPoint], same: int) -> list[_Placed]:
    """Row by row, each from left to right; within a row the places differ in height by `same` pixels at most."""
    rows: list[list[_Placed]] = []
    highest = 0
    for widget in sorted(widgets, key=lambda widget: place(widget).y()):
        if not rows or place(widget).y() > highest + same:
            rows.append([])
            highest = place(widget).y()
        rows[-1].append(widget)
    return [widget for row in rows for widget in sorted(row, key=lambda widget: place(widget).x())]


def move_focus(stops: Sequence[QWidget], *, is_back: bool) -> bool:
    """Give the focus to the stop after the one that has it, or the one before; whether there is one.

    From a widget that is no stop it goes to the first one within, or before it.
    """
    if not stops:
        return False
    here = QApplication.focusWidget()
    is_stop = here in stops
    within = [place for place, stop in enumerate(stops) if here is not None and here.isAncestorOf(stop)]
    # A canvas is a stop, and may have controls that are stops, too.
    place = stops.index(here) if here is not None and is_stop else within[0] if within else 0
    stop = stops[(place + (-1 if is_back else 1 if is_stop else 0)) % len(stops)]
    stop.setFocus(Qt.FocusReason.BacktabFocusReason if is_back else Qt.FocusReason.TabFocusReason)
    holder = stop.parentWidget()
    while holder is not None:
        # A page that fills its area stays where it is.
        if isinstance(holder, QScrollArea) and stop.height() <= holder.viewport().height():
            holder.ensureWidgetVisible(stop)
        holder = holder.parentWidget()
    return True
