"""Sliders of the cursor: the scrubber, by which t and k are moved, and the strip of all pairs."""

import math
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.core.cursor import n_hands
from pe_desktop.draw import number_text
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.draw.spoken import SpokenNumber
from pe_desktop.lessons.shown import veiled
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.gestures import Changes, Drag, Gestures, ReactingCanvas, pressed
from pe_desktop.views.transport.scene import film_scene, shown_track, strip_scene, track_scene

# So little that ten million positions and the widest pair leave it in the smallest window.
LEAST_SCRUBBER = 60
# How near to the middle of a knob a press takes it, in pixels.
_REACH = 10.0


def film_seen(model: EncodingModel) -> tuple[int, int, tuple[tuple[str, str], ...]]:
    """The step of the film that is seen, how many are done, and what is read there; nothing while Learn is covered."""
    from pe_desktop.views.films import film_now  # noqa: PLC0415 - the first frame has no film

    now, n_done, facts = film_now(model.state, model.findings)
    return now, n_done, () if "learn" in veiled(model.state) else facts


class _Slider(ReactingCanvas):
    """Moves what the transport moves, or the pair, under the pointer and for screen readers."""

    accessible_role = QAccessible.Role.Slider

    def __init__(self, model: EncodingModel, scene: Callable[[Box], Scene], parent: QWidget) -> None:
        super().__init__(scene, parent)
        self.model = model
        Gestures(model, self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def accessible_number(self) -> SpokenNumber:
        value, last = self.moved()
        return SpokenNumber(value, 0.0, last, self._move_to)

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        value, _ = self.moved()
        return {name: partial(self._move_to, value + by) for name, by in {"Increase": 1, "Decrease": -1}.items()}

    def moved(self) -> tuple[float, float]:
        """The value of what it moves, and the last one."""
        track = self.model.state.track
        return track.value, track.last

    def _move_to(self, value: float) -> None:
        self.model.move_along(float(round(value)))


class Scrubber(_Slider):
    """Drag the solid knob for t, the hollow one (or Shift) for k; a press beside them moves t there."""

    # Its track may have to stand elsewhere in it.
    placed = Signal()
    wheel_steps = follows_track = True

    def __init__(self, model: EncodingModel, parent: QWidget) -> None:
        super().__init__(model, self._scene_in, parent)
        self._edges: tuple[float, float] | None = None
        self.tooltip = self._words_at
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(LEAST_SCRUBBER)
        self.setAccessibleName("Position")

    def accessible_value(self) -> str:
        cursor = self.model.cursor
        if self.model.state.plays_film:
            return f"step {film_seen(self.model)[0]}"
        return f"t {number_text.position(cursor.position)}, k {number_text.position(cursor.offset)}"

    def follow_place(self) -> None:
        super().follow_place()
        self.placed.emit()

    def align(self, edges: tuple[float, float] | None) -> None:
        """Put the ends of the track at these pixels, so that it stands under the waves; None for its own ends."""
        self._edges = edges
        self.update()

    def track(self) -> Axis:
        """Where the track lies."""
        return shown_track(self.model.state, self._edges, self.box().width)

    def _scene_in(self, box: Box) -> Scene:
        state = self.model.state
        if state.plays_film:
            return film_scene(state, *film_seen(self.model)[:2], box)
        return track_scene(self.model.state, self._edges, box)

    def changes_of(self, drag: Drag) -> Changes:
        position = self._position_at(*drag.now)
        if self.model.state.plays_film:
            return {"learn.step": round(position)}
        return {"offset": position - self.model.cursor.position} if drag.moves_offset else {"position": position}

    def named_at(self, x: float, y: float) -> Changes:
        return pressed(self.changes_of, x, y)

    def takes_offset(self, x: float, y: float) -> bool:
        if self.model.state.plays_film:
            return False
        away = {knob.name: abs(knob.area.middle[0] - x) for knob in self._scene_in(self.box()).places()}
        later = away.get("knob t + k", math.inf)
        return bool(later <= _REACH and later < away["knob t"])

    def _position_at(self, x: float, y: float) -> float:
        track = self.track()
        return float(round(track.value(min(max(x, track.area.x), track.area.right))))

    def _words_at(self, place: Place | None, x: float, y: float) -> str:
        position = round(self._position_at(x, y))
        state, words = self.model.state, self.model.state.attention.words
        if state.plays_film:
            return f"step {number_text.whole(position)}"
        return f"{position} {words[position]}" if state.leads and words else f"position {number_text.whole(position)}"


class PairStrip(_Slider):
    """All pairs from fast to slow in their colours; press or drag chooses one."""

    def __init__(self, model: EncodingModel, parent: QWidget) -> None:
        super().__init__(model, lambda box: strip_scene(model.state, box), parent)
        self.setFixedSize(184, 30)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Frequency pair")

    def moved(self) -> tuple[float, float]:
        return float(self.model.cursor.pair), float(self.model.state.cursor_rules["pair"].highest)

    def _move_to(self, value: float) -> None:
        self.model.move_cursor(pair=round(value))

    def accessible_value(self) -> str:
        return f"{self.model.cursor.pair}, of 0 to {n_hands(self.model.encoding) - 1}"
