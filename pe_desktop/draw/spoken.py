"""Name, value and actions of self-drawn widgets for screen readers; `accessible` puts them into Qt's tree."""

from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple

from PySide6 import QtGui
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QWidget


class SpokenNumber(NamedTuple):
    """The value of a slider, its ends, and the function that sets a value from a screen reader."""

    value: float
    least: float
    most: float
    take: Callable[[float], object]


class Spoken:
    """A mix-in for a QWidget: its role, its value as text, its actions by Qt's names ("Press", "Increase", ...).

    As AT-SPI has no values as text, the description begins with the value.
    """

    accessible_role: ClassVar[QAccessible.Role]
    # Qt's tree holds no reference to it.
    accessible: QAccessibleInterface | None = None

    @property
    def has_accessible_children(self) -> bool:
        return True

    def accessible_value(self) -> str:
        return ""

    def accessible_number(self) -> SpokenNumber | None:
        return None

    def accessible_description(self) -> str:
        """The description of the value; "" for the description or the tooltip of the widget."""
        return ""

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return {}

    def tell_change(self) -> None:
        """Announce a new value or description to screen readers, with words where the widget has the focus."""
        if not QAccessible.isActive() or not isinstance(self, QWidget):
            return
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        number = self.accessible_number()
        if number is not None:
            QAccessible.updateAccessibility(QtGui.QAccessibleValueChangeEvent(self, number.value))
        words = self.accessible_description() or self.accessible_value()
        if self.hasFocus() and words:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
