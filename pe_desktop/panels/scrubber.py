"""The scrubber and the pair strip of the transport."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Preview
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.draw.spoken import SpokenNumber
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.gestures import Changes, Drag, Gestures, Reactions
from pe_desktop.views.transport.scene import KNOB_RADIUS, Track, later_knob_x, strip_scene, track_of, track_scene


class Scrubber(Canvas):
    """Drag the solid knob for t, the hollow one (or Shift) for k; a press beside them moves t there."""

    accessible_role = QAccessible.Role.Slider
    # Its track may have to stand elsewhere in it.
    placed = Signal()

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(self._scene_in, parent)
        self._model = model
        self._edges: tuple[float, float] | None = None
        self.gestures = Gestures(
            self,
            model,
            Reactions(
                choose=self._choose, takes_offset=self._takes_offset, preview_at=self._preview_at, wheel_steps=True
            ),
        )
        self.tooltip = self._words_at
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # So little that ten million positions and the widest pair leave it in the smallest window.
        self.setMinimumWidth(96)
        self.setAccessibleName("Position")

    def accessible_value(self) -> str:
        cursor = self._model.cursor
        return f"t {number_text.position(cursor.position)}, k {number_text.position(cursor.offset)}"

    def accessible_number(self) -> SpokenNumber:
        model = self._model
        return SpokenNumber(model.cursor.position, 0.0, model.encoding.n_positions - 1.0, self._move_to)

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return _steps(self._model, "position", self._model.cursor.position)

    def _move_to(self, position: float) -> None:
        self._model.move_cursor(position=float(round(position)))

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.placed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.placed.emit()

    def align(self, edges: tuple[float, float] | None) -> None:
        """Put the ends of the track at these pixels, so that it stands under the waves; None for its own ends."""
        self._edges = edges
        self.update()

    def track(self) -> Track:
        """Where the track lies."""
        return track_of(self._model.span, self._edges, float(self.width()))

    def _scene_in(self, box: Box) -> Scene:
        return track_scene(self._model.state, self._edges, box)

    def _choose(self, drag: Drag) -> Changes:
        position = self._position_at(*drag.now)
        return {"offset": position - self._model.cursor.position} if drag.moves_offset else {"position": position}

    def _takes_offset(self, x: float, y: float) -> bool:
        track, cursor = self.track(), self._model.cursor
        to_later = abs(later_knob_x(track, cursor) - x)
        return to_later <= KNOB_RADIUS + 2.0 and to_later < abs(track.x(cursor.position) - x)

    def _preview_at(self, x: float, y: float) -> Preview:
        return Preview(self._position_at(x, y))

    def _position_at(self, x: float, y: float) -> float:
        return float(round(self.track().position(x)))

    def _words_at(self, place: Place | None, x: float, y: float) -> str:
        return f"position {number_text.whole(self._position_at(x, y))}"


class PairStrip(Canvas):
    """All pairs from fast to slow in their colours; press or drag chooses one."""

    accessible_role = QAccessible.Role.Slider

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(self._scene_in, parent)
        self._model = model
        self.gestures = Gestures(self, model, Reactions(choose=self._choose))
        self.setFixedSize(184, 30)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Frequency pair")

    def accessible_value(self) -> str:
        return f"{self._model.cursor.pair}, of 0 to {n_hands(self._model.encoding) - 1}"

    def accessible_number(self) -> SpokenNumber:
        model = self._model
        return SpokenNumber(model.cursor.pair, 0.0, n_hands(model.encoding) - 1.0, self._move_to)

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return _steps(self._model, "pair", self._model.cursor.pair)

    def _move_to(self, pair: float) -> None:
        self._model.move_cursor(pair=round(pair))

    def _scene_in(self, box: Box) -> Scene:
        return strip_scene(self._model.state, box)

    def _choose(self, drag: Drag) -> Changes:
        return {"pair": int(drag.now[0] / max(self.width(), 1) * n_hands(self._model.encoding))}


def _steps(model: EncodingModel, name: str, value: float) -> Mapping[str, Callable[[], object]]:
    """One up and one down, for readers that move a slider."""
    names = QAccessibleActionInterface
    return {
        names.increaseAction(): partial(model.move_cursor, **{name: value + 1}),
        names.decreaseAction(): partial(model.move_cursor, **{name: value - 1}),
    }
