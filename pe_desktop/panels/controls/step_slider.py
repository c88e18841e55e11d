"""A slider over a short list of useful values."""

from bisect import bisect_left
from collections.abc import Callable, Mapping

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from pe_desktop.draw import number_text
from pe_desktop.draw.spoken import Spoken, SpokenNumber
from pe_desktop.draw.theme import Themed

KNOB_RADIUS = 6.5
_END = KNOB_RADIUS + 1.5
TRACK_WIDTH = 3.0


class StepSlider(Spoken, Themed, QWidget):
    """A knob that stops at each value of an ascending list; a value between two of them stands between two stops."""

    accessible_role = QAccessible.Role.Slider
    chosen = Signal(float)
    held = Signal(bool)

    def __init__(self, steps: tuple[float, ...], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self._place = 0.0
        self._value = 0.0
        self._is_held = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        self.setFixedHeight(28)
        self.setMinimumWidth(46)

    def take_steps(self, steps: tuple[float, ...]) -> None:
        """Stop at other values; the next value that is shown puts the knob where it belongs."""
        self._steps = steps

    def show_value(self, value: float) -> None:
        """Put the knob where a value belongs."""
        self._place = self._place_of(value)
        self.update()
        if value != self._value:
            self._value = value
            self.tell_change()

    def accessible_value(self) -> str:
        return number_text.plain(self._value)

    def accessible_number(self) -> SpokenNumber:
        return SpokenNumber(self._value, self._steps[0], self._steps[-1], self._choose_nearest)

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        names = QAccessibleActionInterface
        return {names.increaseAction(): self._increase, names.decreaseAction(): self._decrease}

    def sizeHint(self) -> QSize:
        return QSize(60, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle, knob = self.height() / 2, self._x(self._place)
            for start, stop, color in ((knob, self.width() - _END, self.theme.line), (_END, knob, self.theme.ink)):
                painter.setPen(QPen(color, TRACK_WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawLine(int(start), int(middle), int(stop), int(middle))
            painter.setPen(QPen(self.theme.focus if self.hasFocus() else self.theme.ink, 1.8))
            painter.setBrush(self.theme.panel)
            painter.drawEllipse(QPointF(knob, middle), KNOB_RADIUS, KNOB_RADIUS)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._hold(True)
            self._choose_at(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._hold(False)

    def hideEvent(self, event: QHideEvent) -> None:
        """A knob that leaves under the pointer hears of no release."""
        self._hold(False)
        super().hideEvent(event)

    def _hold(self, is_held: bool) -> None:
        if is_held != self._is_held:
            self._is_held = is_held
            self.held.emit(is_held)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
        move = moves.get(Qt.Key(event.key()))
        if move is None:
            super().keyPressEvent(event)
            return
        self._move(move)

    def _increase(self) -> None:
        self._move(1)

    def _decrease(self) -> None:
        self._move(-1)

    def _move(self, move: int) -> None:
        """To the next stop above or below."""
        place = self._place + move
        self._choose(round(place) if self._place == int(self._place) else int(self._place) + (move > 0))

    def _choose_nearest(self, value: float) -> None:
        self._choose(round(self._place_of(value)))

    def _choose_at(self, x: float) -> None:
        share = (x - _END) / max(self.width() - 2 * _END, 1.0)
        self._choose(round(share * (len(self._steps) - 1)))

    def _choose(self, place: int) -> None:
        place = min(max(place, 0), len(self._steps) - 1)
        if place != self._place:
            self._place = float(place)
            self.update()
            self.chosen.emit(self._steps[place])

    def _x(self, place: float) -> float:
        return _END + place / max(len(self._steps) - 1, 1) * (self.width() - 2 * _END)

    def _place_of(self, value: float) -> float:
        above = bisect_left(self._steps, value)
        if above >= len(self._steps):
            return len(self._steps) - 1.0
        if self._steps[above] == value or above == 0:
            return float(above)
        low, high = self._steps[above - 1], self._steps[above]
        return above - 1 + (value - low) / (high - low)
