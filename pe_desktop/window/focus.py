"""Where Tab and F6 go in the window: header, Encoding, the plots row by row, the transport."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QMainWindow, QTabBar, QWidget

from pe_desktop.window.dock import PanelDock, tab_bar
from pe_desktop.window.folding import Overlay
from pe_desktop.window.tab_order import in_rows, stops_in

# How far apart the upper edges of docks in one row may be.
_ROW = 40


def stops_of(docks: Sequence[PanelDock], window: QMainWindow) -> list[QWidget]:
    """What Tab comes to: the header, what lies over the plots, Encoding, the plots, the transport."""
    roots = [window.menuWidget(), *window.findChildren(Overlay)]
    stops = [stop for root in roots if root is not None and root.isVisible() for stop in stops_in(root)]
    for dock in panels_in_order(docks):
        if dock.isAncestorOf(dock.panel) and not dock.isFloating():
            bar = tab_bar(dock)
            stops += dock.stops() if bar is None else [bar, *dock.stops()]
    return stops


def panels_in_order(docks: Sequence[PanelDock]) -> list[PanelDock]:
    """What F6 comes to, the docks that are seen: Encoding, the plots row by row, those that float, the transport."""
    visible = [dock for dock in docks if dock.shows_panel]
    encoding = [dock for dock in visible if not dock.kind.is_movable and dock.kind.has_title]
    plots = [dock for dock in visible if dock.kind.is_movable and not dock.isFloating()]
    floating = [dock for dock in visible if dock.isFloating()]
    transport = [dock for dock in visible if not dock.kind.has_title]
    return [*encoding, *in_rows(plots, _top, _ROW), *floating, *transport]


def _top(dock: PanelDock) -> QPoint:
    bar = tab_bar(dock)
    return dock.pos() if bar is None else dock.geometry().united(bar.geometry()).topLeft()


def tell_tab(bar: QTabBar) -> None:
    """Tell readers which tab is chosen: Qt tells of the row, by the name of the tab that was chosen first."""
    if not QAccessible.isActive():
        return
    QAccessible.updateAccessibility(QAccessibleEvent(bar, QAccessible.Event.NameChanged))
    if bar.hasFocus():
        focus = QAccessibleEvent(bar, QAccessible.Event.Focus)
        focus.setChild(bar.currentIndex())
        QAccessible.updateAccessibility(focus)
