"""Menus, lists and cards that open over the window, with round corners."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QRegion
from PySide6.QtWidgets import QFrame, QMenu, QStyle, QStyleOption, QWidget

# Of menus and lists, and of cards, as in the style sheet.
_RADIUS, _CARD_RADIUS = 8.0, 10.0


def round_off(popup: QWidget, radius: float = _RADIUS) -> None:
    """Cut the corners of a popup whose style sheet draws round ones; to be called before it is shown.

    The ground is clear for smooth corners. Where nothing blends windows it would be black: the mask cuts that off.
    """
    popup.setWindowFlags(popup.windowFlags() | Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint)
    popup.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    popup.installEventFilter(_Corners(popup, radius))


class Menu(QMenu):
    """A menu with round corners."""

    def __init__(self, parent: QWidget, title: str = "") -> None:
        super().__init__(title, parent)
        round_off(self)


class Card(QFrame):
    """Controls or a plot on a card that a press elsewhere closes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "overlay")
        round_off(self, _CARD_RADIUS)

    def open_at(self, corner: QPoint) -> None:
        """Open with the right upper corner at a point of the screen, as far as there is room."""
        self.adjustSize()
        room = self.screen().availableGeometry()
        top = min(corner.y(), room.bottom() - self.height())
        self.move(max(corner.x() - self.width(), room.left()), max(top, room.top()))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        # On a clear ground Qt leaves out what the style sheet says.
        option = QStyleOption()
        option.initFrom(self)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)


class _Corners(QObject):
    """Masks its parent when it is shown and when its size changes."""

    def __init__(self, popup: QWidget, radius: float) -> None:
        super().__init__(popup)
        self._radius = radius

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show) and isinstance(watched, QWidget):
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(watched.rect()), self._radius, self._radius)
            watched.setMask(QRegion(shape.toFillPolygon().toPolygon()))
        return False
