"""In which order Tab comes to widgets: row by row as they are seen, whatever the order in which they were made."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

# How far apart the centres of what stands side by side may be.
_ROW = 8
_Placed = TypeVar("_Placed", bound=QWidget)


def stops_in(root: QWidget) -> list[QWidget]:
    """What Tab comes to within a widget."""
    enabled = (child for child in root.findChildren(QWidget) if child.isVisible() and child.isEnabled())
    stops = (child for child in enabled if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.focusProxy() is None)
    return in_rows(stops, lambda stop: stop.mapTo(root, stop.rect().center()), _ROW)


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
    bring_into_view(stop)
    return True


def bring_into_view(stop: QWidget) -> None:
    """Scroll the areas that hold a widget to where it is seen."""
    holder = stop.parentWidget()
    while holder is not None:
        # A page that fills its area stays where it is.
        if isinstance(holder, QScrollArea) and stop.height() <= holder.viewport().height():
            holder.ensureWidgetVisible(stop)
        holder = holder.parentWidget()
