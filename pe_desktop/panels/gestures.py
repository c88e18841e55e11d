"""What mouse, wheel and keys do in every view: press, drag, pan, zoom, step, fit, hover, turning a hand."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from pe_desktop.core.cursor import Preview, pair_of_face_hand
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import turning_state
from pe_desktop.draw.canvas import Canvas, Pointer
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.scene import Place
from pe_desktop.model.encoding_model import EncodingModel

# A slower hand, radians per position, is not followed.
_SLOWEST = 1e-12


class _HandGrip:
    """Takes hold of one hand at a time, on the large dial and on the small ones."""

    def __init__(self, model: EncodingModel) -> None:
        self._model = model
        self._held: int | None = None
        self._moves_offset = False
        self._angle = 0.0
        self._value = 0.0
        self._has_turned = False

    def take(self, hand: int, angle: float, *, moves_offset: bool) -> None:
        """Choose the pair of a hand of the face and hold it, at t or at t + k, by the pointer's angle in radians."""
        self._held, self._angle, self._moves_offset, self._has_turned = hand, angle, moves_offset, False
        self._model.set_held(True)
        self._model.move_cursor(pair=pair_of_face_hand(self._encoding, hand))
        cursor = self._model.cursor
        self._value = cursor.offset if moves_offset else cursor.position

    def turn_to(self, angle: float) -> None:
        """Follow the pointer, the short way round."""
        hands = self._encoding.face_hands
        # A key may have brought an encoding of fewer hands, or none, while the button is down.
        if self._held is None or hands is None or self._held >= hands.count:
            return
        turn = math.remainder(angle - self._angle, 2 * math.pi)
        self._angle = angle
        self._has_turned = self._has_turned or turn != 0
        # The value runs on beyond the table's ends, so that a hand that was pulled too far meets the pointer again.
        self._value += turn / self._speed(hands)
        if not hands.turns_evenly:
            # Where a hand hardly turns, a small turn would lead far out.
            self._value = min(max(self._value, 0.0), float(self._model.encoding.n_positions - 1))
        if self._moves_offset:
            self._model.move_cursor(offset=self._value)
        else:
            self._model.move_cursor(position=self._value)

    @property
    def _encoding(self) -> Encoding:
        """What has hands: with RoPE what turns queries and keys."""
        return turning_state(self._model.state).encoding

    def _speed(self, hands: Turning) -> float:
        """How far the held hand turns from one position to the next, where it stands now."""
        now = self._model.cursor.position if not self._moves_offset else self._value + self._model.cursor.position
        speed = float(hands.turns([now], 1.0, [self._held or 0])[0, 0])
        return speed if abs(speed) > _SLOWEST else math.copysign(_SLOWEST, speed)

    def let_go(self) -> None:
        """Let go; t and k come to rest at whole positions where the hand was turned."""
        if self._held is None:
            return
        self._held = None
        if self._has_turned:
            cursor = self._model.cursor
            self._model.move_cursor(position=float(round(cursor.position)), offset=float(round(cursor.offset)))
        self._model.set_held(False)


_WHEEL_NOTCH: Final = 120.0
_ZOOM_PER_NOTCH: Final = 1.25
# What a key does: as much as two notches, and a drag of so many pixels.
_NOTCHES_PER_KEY: Final = 2.0
_PAN_PER_KEY: Final = 64.0
_CURSOR_NAMES: Final = ("position", "offset", "pair", "pinned_pairs")

# What the mouse does, for the sheet of keys.
GESTURES: Final[Mapping[str, str]] = {
    "Drag": "Move t, in maps also the pair or k; a hand of the clock takes t along",
    "Shift + drag": "Move k; so does dragging the hollow cursor or hand",
    "Drag with the middle button": "Move the plot that way",
    "Wheel": "Zoom about the pointer; on clock and transport: move t",
    "Shift + wheel": "Move t by whole positions",
    "Double click": "All of the plot; on a field all of its text",
    "Right button": "The menu of the panel",
}

# Names of the state and what they become.
Changes: TypeAlias = Mapping[str, Any]
Point: TypeAlias = tuple[float, float]


class Drag(NamedTuple):
    """A pointer with a button down, in pixels of the canvas: where it went down, where it was before, where it is.

    moves_offset: Shift was down, or the cursor at t + k was taken: k is meant instead of t.
    """

    start: Point
    before: Point
    now: Point
    moves_offset: bool = False

    @property
    def is_press(self) -> bool:
        """Whether the button has just gone down."""
        return self.start == self.before == self.now


@record(kw_only=True)
class Reactions:
    """What a view does about gestures; what is left out does nothing. Points are pixels of the canvas.

    choose: what a press and each step of a drag with the left button change. takes_offset: whether a press takes the
    cursor at t + k. hand_at: the hand of the clock that a press takes, its dial, and whether it is that at t + k. pan:
    what a drag with the middle button changes. zoom: what the wheel changes, by a factor about a point. fit: what a
    double click shows. preview_at: what to show lightly everywhere. is_button_at: whether a press there leads
    somewhere; such places are stops of Tab, too, unless has_stops is False. key_points: about which points keys zoom
    and from where they pan, of the plot and, with Alt, of a second one or one axis alone. takes_key: does what a key of
    this view alone does, and says whether it does something.
    """

    choose: Callable[[Drag], Changes] | None = None
    takes_offset: Callable[[float, float], bool] | None = None
    hand_at: Callable[[float, float], tuple[int, Dial, bool] | None] | None = None
    pan: Callable[[Drag], Changes] | None = None
    zoom: Callable[[float, float, float], Changes] | None = None
    fit: Callable[[], Changes] | None = None
    preview_at: Callable[[float, float], Preview | None] | None = None
    is_button_at: Callable[[float, float], bool] | None = None
    has_stops: bool = True
    key_points: Callable[[], tuple[Point, ...]] | None = None
    takes_key: Callable[[QKeyEvent], bool] | None = None
    # The wheel moves t by whole positions; with Shift only, where it zooms.
    wheel_steps: bool = False
    # The moving marks read out what is under the mouse, `Box.pointer`.
    has_readout: bool = False


class Gestures(Pointer):
    """The pointer of a canvas: while a button is down playing waits, and what changes is one step of undo."""

    def __init__(self, canvas: Canvas, model: EncodingModel, reactions: Reactions) -> None:
        self._canvas = canvas
        self._model = model
        self._reactions = reactions
        self._grip = _HandGrip(model)
        self._dial: Dial | None = None
        self._drag: Drag | None = None
        self._pan: Drag | None = None
        self._cursor_before = model.cursor
        self._notches = 0.0
        canvas.pointer = self
        canvas.setMouseTracking(True)

    @property
    def preview(self) -> Preview | None:
        return self._model.preview

    def press_key(self, event: QKeyEvent) -> bool:
        return self._reactions.takes_key is not None and self._reactions.takes_key(event)

    def press(self, event: QMouseEvent) -> None:
        point, is_shifted = _point(event), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = Drag(point, point, point)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._cursor_before = self._model.cursor
            if not self._take_hand(point, is_shifted) and self._reactions.choose is not None:
                self._model.set_held(True)
                self._show_preview(None)
                takes_offset = self._reactions.takes_offset
                moves_offset = is_shifted or (takes_offset is not None and takes_offset(*point))
                self._drag = Drag(point, point, point, moves_offset)
                self._change(self._reactions.choose(self._drag))

    def move(self, event: QMouseEvent) -> None:
        self.at = _point(event)
        if self._dial is not None:
            self._grip.turn_to(self._dial.angle_at(*self.at))
        elif self._drag is not None and self._reactions.choose is not None:
            self._drag = self._drag._replace(before=self._drag.now, now=self.at)
            self._change(self._reactions.choose(self._drag))
        elif self._pan is not None and self._reactions.pan is not None:
            self._pan = self._pan._replace(before=self._pan.now, now=self.at)
            self._change(self._reactions.pan(self._pan))
        else:
            self._hover(*self.at)
        if self._reactions.has_readout:
            self._canvas.update()

    def release(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = None
        elif event.button() == Qt.MouseButton.LeftButton:
            if self._dial is not None:
                self._dial = None
                self._grip.let_go()
            elif self._drag is not None:
                self._drag = None
                self._model.set_held(False)

    def double_click(self, event: QMouseEvent) -> None:
        """Fit. The first press was none: what it chose is given back."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._reactions.fit is None:
            self.press(event)
            return
        self._model.set_held(True)
        self._model.set_cursor(self._cursor_before)
        self._change(self._reactions.fit())
        self._model.set_held(False)

    def wheel(self, event: QWheelEvent) -> bool:
        """Zoom about the pointer or step t; trackpads send small parts of a notch."""
        notches = (event.angleDelta().y() or event.angleDelta().x()) / _WHEEL_NOTCH
        zoom, is_shifted = self._reactions.zoom, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if zoom is not None and not is_shifted:
            self._change(zoom(_ZOOM_PER_NOTCH**notches, event.position().x(), event.position().y()))
            return True
        if self._reactions.wheel_steps:
            self._notches += notches
            whole = int(self._notches)
            if whole:
                self._notches -= whole
                self._change({"position": round(self._model.cursor.position) + float(whole)})
        return self._reactions.wheel_steps

    def zoom_by_key(self, notches: int, *, is_second: bool = False) -> bool:
        """Zoom about where the keys act; whether there is anything to zoom."""
        point, zoom = self._key_point(is_second=is_second), self._reactions.zoom
        if point is None or zoom is None:
            return False
        self._change(zoom(_ZOOM_PER_NOTCH ** (_NOTCHES_PER_KEY * notches), *point))
        return True

    def pan_by_key(self, right: int, down: int, *, is_second: bool = False) -> bool:
        """Look further to the right or down; whether there is anything to pan."""
        point, pan = self._key_point(is_second=is_second), self._reactions.pan
        if point is None or pan is None:
            return False
        to = point[0] - right * _PAN_PER_KEY, point[1] - down * _PAN_PER_KEY
        self._change(pan(Drag(point, point, to)))
        return True

    def fit_by_key(self) -> bool:
        """Show all of a plot that can be zoomed; whether it is one."""
        fit, point, pointer = self._reactions.fit, self._key_point(is_second=False), self.at
        if fit is None or point is None:
            return False
        # Whatever the mouse is over.
        self.at = point
        self._change(fit())
        self.at = pointer
        return True

    def leave(self) -> None:
        self.at = None
        self._show_preview(None)
        if self._reactions.has_readout:
            self._canvas.update()

    def buttons(self, places: Sequence[Place]) -> list[Place]:
        is_button_at = self._reactions.is_button_at
        if is_button_at is None or not self._reactions.has_stops:
            return []
        return [place for place in places if is_button_at(*place.area.middle)]

    def press_button(self, button: Place) -> None:
        choose, point = self._reactions.choose, button.area.middle
        if choose is not None:
            self._change(choose(Drag(point, point, point)))

    def _key_point(self, *, is_second: bool) -> Point | None:
        points = () if self._reactions.key_points is None else self._reactions.key_points()
        return points[is_second] if is_second < len(points) else None

    def _take_hand(self, point: Point, is_shifted: bool) -> bool:
        hand_at = self._reactions.hand_at
        gripped = None if hand_at is None else hand_at(*point)
        if gripped is None:
            return False
        hand, self._dial, is_later = gripped
        self._grip.take(hand, self._dial.angle_at(*point), moves_offset=is_later or is_shifted)
        return True

    def _hover(self, x: float, y: float) -> None:
        if self._reactions.preview_at is not None:
            self._show_preview(self._reactions.preview_at(x, y))
        if self._reactions.is_button_at is not None:
            leads = self._reactions.is_button_at(x, y)
            self._canvas.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)

    def _show_preview(self, preview: Preview | None) -> None:
        if self._reactions.preview_at is not None:
            self._model.set_preview(preview)

    def _change(self, changes: Changes) -> None:
        """Take changes by their names; a cursor that leaves the table stops at its edge."""
        cursor = {name: value for name, value in changes.items() if name in _CURSOR_NAMES}
        if cursor:
            self._model.move_cursor(**cursor)
        if len(cursor) < len(changes):
            self._model.set(**{name: value for name, value in changes.items() if name not in cursor})


def _point(event: QMouseEvent) -> Point:
    return event.position().x(), event.position().y()
