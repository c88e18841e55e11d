"""What mouse, wheel and keys do in every view: press, drag, pan, zoom, step, fit, hover."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.cursor import Cursor, Preview, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw.canvas import Canvas, Pointer
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area, Box, Place, Scene
from pe_desktop.model.encoding_model import EncodingModel

_WHEEL_NOTCH = 120.0
_ZOOM_PER_NOTCH = 1.25
# What a key does: as much as two notches, and a drag of so many pixels.
_NOTCHES_PER_KEY = 2.0
_PAN_PER_KEY = 64.0
# A slower hand, radians per position, is not followed.
_SLOWEST = 1e-12
_CURSOR_NAMES = ("position", "offset", "pair", "pinned_pairs")

# Names of the state and what they become.
Changes: TypeAlias = Mapping[str, Any]
Point: TypeAlias = tuple[float, float]
_Found = TypeVar("_Found")


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


class Zoomed(NamedTuple):
    """A part of a canvas that the wheel zooms and a drag with the middle button pans.

    axes: by the name of the state that has its visible range; key_point: about which point keys zoom.
    """

    area: Area
    axes: Mapping[str, Axis]
    key_point: Point

    def moved(self, before: Point, now: Point) -> Changes:
        """What a step of a drag changes: the values under the pointer stay under it."""
        axes = self.axes.items()
        return {name: Span(axis.first, axis.last).moved(_at(axis, before) - _at(axis, now)) for name, axis in axes}

    def zoomed(self, factor: float, point: Point) -> Changes:
        """What a factor about a point changes."""
        axes = self.axes.items()
        return {name: Span(axis.first, axis.last).zoomed(factor, _at(axis, point)) for name, axis in axes}


def pressed(choose: Callable[[Drag], _Found], x: float, y: float) -> _Found:
    """What a press at a point changes, or takes hold of."""
    return choose(Drag((x, y), (x, y), (x, y)))


def _at(axis: Axis, point: Point) -> float:
    return axis.value(point[0] if axis.side == "below" else point[1])


class Grip(NamedTuple):
    """A hand that is held on a dial; value: t, or with moves_offset k, which runs on beyond the ends of the table.

    So a hand that was pulled too far meets the pointer again.
    """

    hand: int
    dial: Dial
    encoding: Encoding
    moves_offset: bool
    value: float
    has_turned: bool = False

    def turned(self, drag: Drag, cursor: Cursor) -> "Grip":
        """After a step of a drag, which the hand follows the short way round."""
        hands = self.encoding.face_hands
        assert hands is not None
        turn = math.remainder(self.dial.angle_at(*drag.now) - self.dial.angle_at(*drag.before), math.tau)
        now = cursor.position + (self.value if self.moves_offset else 0.0)
        speed = float(hands.turns([now], 1.0, [self.hand])[0, 0])
        value = self.value + turn / (speed if abs(speed) > _SLOWEST else math.copysign(_SLOWEST, speed))
        if not hands.turns_evenly:
            # Where a hand hardly turns, a small turn would lead far out.
            value = min(max(value, 0.0), float(self.encoding.n_positions - 1))
        return self._replace(value=value, has_turned=self.has_turned or turn != 0)

    @property
    def changes(self) -> Changes:
        return {"offset" if self.moves_offset else "position": self.value}

    def at_rest(self, cursor: Cursor) -> Changes:
        """Where a hand was turned t and k come to rest at whole positions."""
        if not self.has_turned:
            return {}
        return {"position": float(round(cursor.position)), "offset": float(round(cursor.offset))}


class Reactions:
    """A mix-in for what holds a canvas: what its view does about gestures. Points are pixels of the canvas."""

    canvas: Canvas
    # Whether the pointer shows, and Tab comes to, where a press leads somewhere.
    has_buttons = True
    # The wheel moves t by whole positions; with Shift only, where it zooms.
    wheel_steps = False
    # It moves what the transport moves, which need not be t.
    follows_track = False
    # The moving marks read out what is under the mouse, `Box.pointer`.
    has_readout = False

    def changes_of(self, drag: Drag) -> Changes:
        """What a press in a place sets, and each step of a drag that began in one that is dragged."""
        place = self.canvas.place_at(*drag.start)
        return {} if place is None or not (drag.is_press or place.is_dragged) else place.changes(*drag.now)

    def grip_at(self, drag: Drag) -> Grip | None:
        """The hand that a press takes and a drag turns."""
        return None

    def takes_offset(self, x: float, y: float) -> bool:
        """Whether a press takes the cursor at t + k."""
        return False

    def let_go(self) -> Changes:
        """What changes when the button comes up."""
        return {}

    def plots(self) -> Sequence[Zoomed]:
        """What is zoomed and panned; keys zoom and pan the first, with Alt the second one."""
        return ()

    def fitted(self, point: Point) -> Changes:
        """What a double click shows: all of the plots."""
        return {name: None for plot in self.plots() for name in plot.axes}

    def named_at(self, x: float, y: float) -> Changes:
        """The t, k and i that a press there would set, which every view shows lightly."""
        return pressed(partial(Reactions.changes_of, self), x, y)

    def is_button_at(self, x: float, y: float) -> bool:
        """Whether a press there takes a hand, or sets something at once."""
        place = self.canvas.place_at(x, y)
        sets_something = place is not None and not place.is_dragged and bool(place.changes(x, y))
        return sets_something or pressed(self.grip_at, x, y) is not None

    def is_stop(self, place: Place) -> bool:
        """Whether Tab comes to a place where a press leads somewhere."""
        return True

    def moves_at(self, x: float, y: float) -> bool:
        """Whether a drag there carries away what is under the pointer, as an open hand tells."""
        return False


class ReactingCanvas(Reactions, Canvas):
    """A canvas that no panel draws on; a press sets what the place under it says."""

    has_buttons = False

    def __init__(self, scene: Callable[[Box], Scene], parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self.canvas = self


class Gestures(Pointer):
    """The pointer of a canvas: while a button is down playing waits, and what changes is one step of undo."""

    def __init__(self, model: EncodingModel, reactions: Reactions) -> None:
        self._canvas = canvas = reactions.canvas
        self._model = model
        self._reactions = reactions
        self._drag: Drag | None = None
        self._pan: Drag | None = None
        self._grip: Grip | None = None
        self._held = model.encoding
        self._cursor_before = model.cursor
        self._notches = 0.0
        canvas.pointer = self
        canvas.setMouseTracking(True)

    @property
    def preview(self) -> Preview | None:
        return self._model.preview

    def press(self, event: QMouseEvent) -> None:
        point = self._canvas.point_at(event.position())
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = Drag(point, point, point)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._cursor_before = self._model.cursor
            self._model.set_held(True)
            self._model.set_preview(None)
            moves_offset = is_shifted or self._reactions.takes_offset(*point)
            self._drag = Drag(point, point, point, moves_offset)
            self._grip, self._held = self._reactions.grip_at(self._drag), self._model.encoding
            self.change(self._reactions.changes_of(self._drag))

    def move(self, event: QMouseEvent) -> None:
        self.at = self._canvas.point_at(event.position())
        if self._drag is not None:
            self._drag = self._drag._replace(before=self._drag.now, now=self.at)
            if self._grip is None:
                self.change(self._reactions.changes_of(self._drag))
            # A key may have brought another encoding while the button is down.
            elif self._held is self._model.encoding:
                self._grip = self._grip.turned(self._drag, self._model.cursor)
                self.change(self._grip.changes)
        elif self._pan is not None:
            self._pan = self._pan._replace(before=self._pan.now, now=self.at)
            plot = self._plot_at(self._pan.start)
            self.change({} if plot is None else plot.moved(self._pan.before, self._pan.now))
        else:
            self._hover(*self.at)
        if self._reactions.has_readout:
            self._canvas.update()

    def release(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = None
        elif event.button() == Qt.MouseButton.LeftButton and self._drag is not None:
            grip, self._grip, self._drag = self._grip, None, None
            self.change(self._reactions.let_go() if grip is None else grip.at_rest(self._model.cursor))
            self._model.set_held(False)

    def double_click(self, event: QMouseEvent) -> None:
        """Fit. The first press was none: what it chose is given back."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if not self._reactions.plots():
            self.press(event)
            return
        self._model.set_held(True)
        before = self._cursor_before
        self._model.move_cursor(position=before.position, offset=before.offset, pair=before.pair)
        self.change(self._reactions.fitted(self._canvas.point_at(event.position())))
        self._model.set_held(False)

    def wheel(self, event: QWheelEvent) -> bool:
        """Zoom about the pointer or step t; trackpads send small parts of a notch."""
        area, canvas = self._canvas.parentWidget(), self._canvas
        has_more = canvas.is_scrolled and area is not None and area.height() < canvas.height()
        if has_more and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        notches = (event.angleDelta().y() or event.angleDelta().x()) / _WHEEL_NOTCH
        if self._reactions.plots() and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            plot = self._plot_at(self._canvas.point_at(event.position()))
            if plot is not None:
                self.change(plot.zoomed(_ZOOM_PER_NOTCH**notches, self._canvas.point_at(event.position())))
            return plot is not None
        if self._reactions.wheel_steps:
            self._notches += notches
            whole = int(self._notches)
            if whole:
                self._notches -= whole
                track = self._model.state.track
                now = self._model.cursor.position
                if self._reactions.follows_track and track.name != "position":
                    self._model.move_along(track.value + whole)
                else:
                    self.change({"position": round(now) + float(whole)})
        return self._reactions.wheel_steps

    def zoom_by_key(self, notches: int, *, is_second: bool = False) -> bool:
        """Zoom about where the keys act; whether there is anything to zoom."""
        factor = _ZOOM_PER_NOTCH ** (_NOTCHES_PER_KEY * notches)
        return self._change_by_key(lambda plot: plot.zoomed(factor, plot.key_point), is_second=is_second)

    def pan_by_key(self, right: int, down: int, *, is_second: bool = False) -> bool:
        """Look further to the right or down; whether there is anything to pan."""
        step = right * _PAN_PER_KEY, down * _PAN_PER_KEY
        return self._change_by_key(lambda plot: plot.moved(step, (0.0, 0.0)), is_second=is_second)

    def fit_by_key(self) -> bool:
        """Show all of a plot that can be zoomed; whether it is one."""
        return self._change_by_key(lambda plot: self._reactions.fitted(plot.key_point))

    def _change_by_key(self, changes: Callable[[Zoomed], Changes], *, is_second: bool = False) -> bool:
        plots = self._reactions.plots()[is_second:]
        if plots:
            self.change(changes(plots[0]))
        return bool(plots)

    def leave(self) -> None:
        self.at = None
        self._model.set_preview(None)
        if self._reactions.has_readout:
            self._canvas.update()

    def buttons(self, places: Sequence[Place]) -> list[Place]:
        is_button_at, is_stop = self._reactions.is_button_at, self._reactions.is_stop
        stops = filter(is_stop, places) if self._reactions.has_buttons else ()
        return [place for place in stops if place.is_button or is_button_at(*place.area.middle)]

    def press_button(self, button: Place) -> None:
        point = button.area.middle
        is_hidden = button.is_button and self._canvas.place_at(*point) != button
        self.change(button.changes(*point) if is_hidden else pressed(self._reactions.changes_of, *point))

    def change(self, changes: Changes) -> None:
        """Take changes by their names; a cursor that leaves the table stops at its edge."""
        cursor = {name: value for name, value in changes.items() if name in _CURSOR_NAMES}
        # What is open before the t and k that it shows.
        if len(cursor) < len(changes):
            self._model.set(**{name: value for name, value in changes.items() if name not in cursor})
        if cursor:
            self._model.move_cursor(**cursor)

    def _plot_at(self, point: Point) -> Zoomed | None:
        return next((plot for plot in self._reactions.plots() if plot.area.holds(*point)), None)

    def _hover(self, x: float, y: float) -> None:
        self._model.set_preview(Preview.of(self._reactions.named_at(x, y), self._model.state.cursor_rules))
        if self._reactions.has_buttons:
            leads = self._reactions.is_button_at(x, y)
            shape = Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor
            self._canvas.setCursor(Qt.CursorShape.OpenHandCursor if self._reactions.moves_at(x, y) else shape)
