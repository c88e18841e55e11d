"""The ring around what has the focus, where a widget draws to its edges and has no room for one."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFocusFrame, QScrollArea, QWidget

WIDTH: Final = 2.0
# Between the ring and what it surrounds.
_GAP: Final = 2.0
_REACH: Final = int(WIDTH + _GAP)
_RADIUS: Final = 4.0


class FocusRing(QFocusFrame):
    """The ring in the window around a widget, or around the area that it scrolls in; it covers nothing of it.

    By the mask a repaint of the widget doesn't repaint the ring. Screen readers leave out a QFocusFrame.
    """

    def __init__(self, surrounded: QWidget) -> None:
        self._window = surrounded.window()
        super().__init__(self._window)
        self._surrounded = surrounded
        self._watched: list[QWidget] = []
        self._color = QColor()
        # A dock that is raised comes before other tabs only if it is the uppermost of all while it is told so.
        self._stacking = QTimer(self, interval=0, singleShot=True)
        self._stacking.timeout.connect(self._lie_above)

    def surround(self, color: QColor) -> None:
        """Show the ring in a colour."""
        self._color = color
        self._attach()
        self.show()
        self.update()

    def follow(self) -> None:
        """Move to the visible part of the widget."""
        window = self._window
        area = _page_area(self._surrounded)
        target = self._surrounded if area is None else area
        place = _place_in(window, target)
        for holder in self._watched:
            if isinstance(holder, QScrollArea) and holder is not area:
                place &= _place_in(window, holder.viewport())
        if place.isEmpty():
            self.setGeometry(QRect())
            return
        self.setGeometry(place.adjusted(-_REACH, -_REACH, _REACH, _REACH))
        within = QRect(QPoint(_REACH, _REACH), place.size())
        self.setMask(QRegion(self.rect()) - QRegion(within))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self.follow()
        elif event.type() in (QEvent.Type.ParentChange, QEvent.Type.Show):
            self._attach()
        elif event.type() == QEvent.Type.ZOrderChange:
            self._stacking.start()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_ring(painter, QRectF(self.rect()), self._color)

    def _attach(self) -> None:
        """Watch whatever moves the widget within its window."""
        for watched in self._watched:
            watched.removeEventFilter(self)
        self._watched = []
        window = self._surrounded.window()
        holder: QWidget | None = self._surrounded.parentWidget()
        while holder is not None and holder is not window:
            holder.installEventFilter(self)
            self._watched.append(holder)
            holder = holder.parentWidget()
        if window is not self._window:
            self._window, is_shown = window, not self.isHidden()
            self.setParent(window)
            self.setVisible(is_shown)
        self.follow()
        self._stacking.start()

    def _lie_above(self) -> None:
        """Lie over what holds the widget in its window, and under what lies over that."""
        holder = self._watched[-1] if self._watched else self._surrounded
        layers = [child for child in self._window.children() if isinstance(child, QWidget) and child is not self]
        over = layers[layers.index(holder) + 1 :] if holder in layers else []
        if over:
            self.stackUnder(over[0])
        else:
            self.raise_()


def paint_ring(painter: QPainter, frame: QRectF, color: QColor, width: float = WIDTH, radius: float = _RADIUS) -> None:
    """Draw a ring along the inner edge of a frame."""
    edge = width / 2
    painter.setPen(QPen(color, width))
    painter.drawRoundedRect(frame.adjusted(edge, edge, -edge, -edge), radius, radius)


def _page_area(widget: QWidget) -> QScrollArea | None:
    """The area whose page a widget is."""
    viewport = widget.parentWidget()
    area = None if viewport is None else viewport.parentWidget()
    return area if isinstance(area, QScrollArea) and area.widget() is widget else None


def _place_in(window: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
