"""The places of a canvas as children in the tree that a screen reader walks."""

from functools import cache

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleObject
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Place


@cache
def show_places_to_screen_readers() -> None:
    """Give every canvas, now and later, a child for each of its places; needs the application object."""
    QAccessible.installFactory(_made_interface)


def _made_interface(_class_name: str, owner: QObject | None) -> QAccessibleInterface | None:
    if isinstance(owner, Canvas):
        owner.accessible = _CanvasInterface(owner)
        return owner.accessible
    if isinstance(owner, _PlaceObject):
        owner.interface = _PlaceInterface(owner)
        return owner.interface
    return None


class _PlaceObject(QObject):
    """Stands for the place of a number, whichever that is when it is asked for.

    Qt deletes an interface with its QObject, here with the canvas; the Python object must live as long.
    """

    def __init__(self, canvas: Canvas, number: int) -> None:
        super().__init__(canvas)
        self.canvas, self.number = canvas, number
        self.interface: QAccessibleInterface | None = None

    @property
    def place(self) -> Place | None:
        places = self.canvas.places()
        return places[self.number] if self.number < len(places) else None


class _CanvasInterface(QAccessibleWidget):
    """A canvas whose children are its places, then the widgets that stand on it."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas, QAccessible.Role.Canvas)
        self._canvas = canvas
        self._objects: list[_PlaceObject] = []

    def childCount(self) -> int:
        return len(self._canvas.places()) + len(self._widgets())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override] # Qt takes none
        n_places, widgets = len(self._canvas.places()), self._widgets()
        if not 0 <= index < n_places + len(widgets):
            return None
        if index >= n_places:
            return QAccessible.queryAccessibleInterface(widgets[index - n_places])
        while len(self._objects) <= index:
            self._objects.append(_PlaceObject(self._canvas, len(self._objects)))
        return QAccessible.queryAccessibleInterface(self._objects[index])

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        owner, widgets = child.object(), self._widgets()
        if isinstance(owner, _PlaceObject) and owner.canvas is self._canvas:
            return owner.number
        return len(self._canvas.places()) + widgets.index(owner) if owner in widgets else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        point = self._canvas.mapFromGlobal(QPoint(x, y))
        place = self._canvas.place_at(float(point.x()), float(point.y()))
        widget = self._canvas.childAt(point)
        if widget in self._widgets():
            return QAccessible.queryAccessibleInterface(widget)
        return None if place is None else self.child(self._canvas.places().index(place))

    def _widgets(self) -> list[QWidget]:
        """Those on show; what paints a heat map takes no mouse and is no child."""
        children = self._canvas.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        is_clear = Qt.WidgetAttribute.WA_TransparentForMouseEvents
        return [
            child for child in children if not (child.isHidden() or child.isWindow() or child.testAttribute(is_clear))
        ]


class _PlaceInterface(QAccessibleObject):
    """Name, value, state and rectangle of a place."""

    def __init__(self, owner: _PlaceObject) -> None:
        super().__init__(owner)
        self._owner = owner

    def isValid(self) -> bool:
        return super().isValid() and self._owner.place is not None

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._owner.canvas)

    def child(self, _index: int) -> QAccessibleInterface | None:  # type: ignore[override] # Qt takes none
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        return -1

    def text(self, kind: QAccessible.Text) -> str:
        place = self._owner.place
        if place is None:
            return ""
        return {QAccessible.Text.Name: place.name, QAccessible.Text.Value: place.value}.get(kind, "")

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def rect(self) -> QRect:
        place = self._owner.place
        if place is None:
            return QRect()
        x, y, width, height = place.area
        corner = self._owner.canvas.mapToGlobal(QPoint(round(x), round(y)))
        return QRect(corner.x(), corner.y(), round(width), round(height))

    def state(self) -> QAccessible.State:
        place, state = self._owner.place, QAccessible.State()
        state.selectable = True
        state.selected = place is not None and place.is_chosen
        state.invisible = place is None or not self._owner.canvas.isVisible()
        return state
