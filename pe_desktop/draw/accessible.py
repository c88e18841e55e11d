"""Interfaces for screen readers of widgets that draw themselves; the places of a canvas are its children."""

from functools import cache
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleObject, QAccessibleValueInterface
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QComboBox, QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Place
from pe_desktop.draw.spoken import Spoken, SpokenNumber
from pe_desktop.languages import told


@cache
def show_to_screen_readers() -> None:
    """Install the interfaces of Spoken widgets, and of each place of a canvas; needs the application object."""
    QAccessible.installFactory(_made_interface)


def _made_interface(_class_name: str, owner: QObject | None) -> QAccessibleInterface | None:
    if isinstance(owner, QWidget) and isinstance(owner, Spoken):
        kinds = {Canvas: _CanvasInterface, QComboBox: _ChoiceInterface}
        made: Any = next((kinds[kind] for kind in kinds if isinstance(owner, kind)), _SpokenInterface)
        owner.accessible = made(owner)
        return owner.accessible
    if isinstance(owner, _PlaceObject):
        owner.interface = _PlaceInterface(owner)
        return owner.interface
    return None


class _PlaceObject(QObject):
    """A QObject for the place with an index, whichever place that is at the moment.

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


class _NumberInterface(QAccessibleValueInterface):
    """The value of a slider as a number, with its ends."""

    def __init__(self, spoken: Spoken) -> None:
        super().__init__()
        self._spoken = spoken

    def currentValue(self) -> float:  # noqa: N802 - Qt's name
        return self._number().value

    def minimumValue(self) -> float:  # noqa: N802 - Qt's name
        return self._number().least

    def maximumValue(self) -> float:  # noqa: N802 - Qt's name
        return self._number().most

    def minimumStepSize(self) -> float:  # noqa: N802 - Qt's name
        """0, unknown: steps may be of several sizes."""
        return 0.0

    def setCurrentValue(self, value: Any) -> None:  # noqa: N802 - Qt's name
        self._number().take(float(value))

    def _number(self) -> SpokenNumber:
        number = self._spoken.accessible_number()
        assert number is not None
        return number


class _SpokenInterface(QAccessibleWidget):
    """Role, value, description and actions that a widget states itself."""

    def __init__(self, widget: QWidget) -> None:
        assert isinstance(widget, Spoken)
        super().__init__(widget, widget.accessible_role)
        self._spoken: Spoken = widget
        self._number: _NumberInterface | None = None

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        """The address of the part that has an interface, 0 for none; PySide ends the process where it is None."""
        if kind != QAccessible.InterfaceType.ValueInterface or self._spoken.accessible_number() is None:
            pointer: Any = super().interface_cast(kind)
            return shiboken6.VoidPtr(0) if pointer is None else pointer
        if self._number is None:
            self._number = _NumberInterface(self._spoken)
        return shiboken6.VoidPtr(shiboken6.getCppPointer(self._number)[0])

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Value:
            return self._spoken.accessible_value()
        if kind == QAccessible.Text.Description:
            value = self._spoken.accessible_value()
            words = self._spoken.accessible_description()
            return "; ".join(filter(None, (value, words or super().text(kind))))
        return super().text(kind)

    def childCount(self) -> int:
        return super().childCount() if self._spoken.has_accessible_children else 0

    def state(self) -> QAccessible.State:
        state = super().state()
        widget = self.widget()
        if isinstance(widget, QAbstractButton):
            state.checkable, state.checked = widget.isCheckable(), widget.isChecked()
        return state

    def actionNames(self) -> list[str]:  # noqa: N802 - Qt's name
        return [*self._spoken.accessible_actions(), *super().actionNames()]

    def doAction(self, name: str) -> None:  # noqa: N802 - Qt's name
        act = self._spoken.accessible_actions().get(name)
        if act is None:
            super().doAction(name)
        elif self.widget().isEnabled():
            act()


class _ChoiceInterface(_SpokenInterface):
    """A list that opens. Qt's own interface for one has the value as its name on Linux.

    Its child is the list of entries, where readers look for the chosen one.
    """

    def childCount(self) -> int:
        return 1

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override] # Qt takes none
        box = self.widget()
        if index != 0 or not isinstance(box, QComboBox):
            return None
        entries = box.view()
        if not entries.isVisible():
            # Qt marks the chosen entry only when the list opens.
            entries.setCurrentIndex(box.model().index(box.currentIndex(), box.modelColumn()))
        return QAccessible.queryAccessibleInterface(entries)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        box = self.widget()
        return 0 if isinstance(box, QComboBox) and child.object() is box.view() else -1


class _CanvasInterface(_SpokenInterface):
    """A canvas whose children are its places, then the widgets that stand on it."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._objects: list[_PlaceObject] = []

    def childCount(self) -> int:
        return len(self._canvas.places()) + len(self._widgets())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override] # Qt takes none
        n_places = len(self._canvas.places())
        widgets = self._widgets()
        if not 0 <= index < n_places + len(widgets):
            return None
        if index >= n_places:
            return QAccessible.queryAccessibleInterface(widgets[index - n_places])
        while len(self._objects) <= index:
            self._objects.append(_PlaceObject(self._canvas, len(self._objects)))
        return QAccessible.queryAccessibleInterface(self._objects[index])

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        owner = child.object()
        widgets = self._widgets()
        if isinstance(owner, _PlaceObject) and owner.canvas is self._canvas:
            return owner.number
        return len(self._canvas.places()) + widgets.index(owner) if owner in widgets else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        point = self._canvas.mapFromGlobal(QPoint(x, y))
        place = self._canvas.place_at(*self._canvas.point_at(point))
        widget = self._canvas.childAt(point)
        if widget in self._widgets():
            return QAccessible.queryAccessibleInterface(widget)
        return None if place is None else self.child(self._canvas.places().index(place))

    def _widgets(self) -> list[QWidget]:
        """The visible widgets on the canvas; a view that paints a heat map is none of them."""
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
        # AT-SPI has no values as text.
        value = QAccessible.Text.Value
        description = QAccessible.Text.Description
        return told({QAccessible.Text.Name: place.name, value: place.value, description: place.value}.get(kind, ""))

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def rect(self) -> QRect:
        place = self._owner.place
        if place is None:
            return QRect()
        where = self._owner.canvas.rect_of(place.area)
        return QRect(self._owner.canvas.mapToGlobal(where.topLeft()), where.size())

    def state(self) -> QAccessible.State:
        place = self._owner.place
        canvas = self._owner.canvas
        state = QAccessible.State()
        state.selectable = True
        state.focusable = state.focused = place is not None and canvas.hasFocus() and canvas.marked == place
        state.selected = place is not None and place.is_chosen
        state.invisible = place is None or not canvas.isVisible()
        return state
