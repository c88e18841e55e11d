"""The two faces of the clock as widgets: one dial with all hands, and one small dial for each pair."""

import math

import numpy as np
from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.columns import hand_columns, hand_of_column
from pe_desktop.core.cursor import Cursor, visible_pins
from pe_desktop.core.encoding import Pairs
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.hand_grip import HandGrip
from pe_desktop.panels.pointer import Hand
from pe_desktop.plotting import number_text
from pe_desktop.plotting.canvas import Canvas
from pe_desktop.plotting.clock_picture import (
    HandState,
    hand_state,
    hands_picture,
    length_shares,
    preview_hands_picture,
    whole_turns_picture,
)
from pe_desktop.plotting.column_dials import column_dials_picture, column_grid, column_sentence
from pe_desktop.plotting.dial import MOST_HANDS, Dial, dial_in, face_picture, nearest_tip
from pe_desktop.plotting.mark_painter import paint_marks
from pe_desktop.plotting.marks import Picture
from pe_desktop.plotting.small_dials import HAND_LENGTH, DialGrid, dial_grid, narrowest_cell, small_dials_picture


class DialCanvas(Canvas):
    """One dial with all hands. Dragging a hand moves t so that the hand follows; its ghost, or Shift, moves k."""

    preview_changed = Signal(object)

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._hand = Hand(model)
        self._grip = HandGrip(model, self._hand)
        self._ringed = (model.cursor.offset, model.cursor.pair, model.cursor.pinned_pairs)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_cursor(self, cursor: Cursor) -> None:
        """Turn the hands; another offset, pair or pin has other rings."""
        ringed = (cursor.offset, cursor.pair, cursor.pinned_pairs)
        if ringed != self._ringed:
            self._ringed = ringed
            self.redraw()
        else:
            self.update()

    def still_picture(self, width: float, height: float) -> Picture:
        """The face, and the rings that stay while t moves."""
        pairs, dial = self._model.encoding.pairs, dial_in(width, height)
        rings = whole_turns_picture(dial, self._model.encoding, self._model.cursor, self.theme)
        return (*face_picture(dial, pairs.count if pairs else 0, self.theme), *rings)

    def moving_picture(self, width: float, height: float) -> Picture:
        """The hands."""
        state = self._hands()
        if state is None:
            return ()
        dial, encoding, cursor = dial_in(width, height), self._model.encoding, self._model.cursor
        return (
            *preview_hands_picture(dial, encoding, self._model.preview, cursor, self.theme),
            *hands_picture(dial, encoding, state, cursor, self.theme),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a hand or a ghost."""
        state, dial = self._hands(), self._dial()
        if state is None or event.button() != Qt.MouseButton.LeftButton:
            return
        x, y = event.position().x(), event.position().y()
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        pair, is_ghost = self._grip_at(state, dial, x, y)
        self._grip.take(pair, dial.angle_at(x, y), moves_offset=is_ghost or is_shifted)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn what is held; without a button, name what is under the pointer."""
        x, y = event.position().x(), event.position().y()
        if self._grip.is_held:
            self._grip.turn_to(self._dial().angle_at(x, y))
        else:
            self._name_hand_at(x, y)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go; t and k come to rest at whole positions where that is near."""
        self._grip.let_go()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel turns t."""
        self._hand.step(event)
        event.accept()

    def _dial(self) -> Dial:
        return dial_in(float(self.width()), float(self.height()))

    def _hands(self) -> HandState | None:
        pairs = self._model.encoding.pairs
        return hand_state(pairs, self._model.cursor) if pairs is not None else None

    def _named_pairs(self) -> list[int]:
        cursor = self._model.cursor
        return [*visible_pins(cursor, self._model.encoding), cursor.pair]

    def _grip_at(self, state: HandState, dial: Dial, x: float, y: float) -> tuple[int, bool]:
        n_pairs = len(state.angles)
        grippable = np.arange(n_pairs) if n_pairs <= MOST_HANDS else np.array(self._named_pairs())
        radii = state.radii(dial)
        tip = nearest_tip(dial.tips(state.angles, radii)[grippable], x, y)
        if tip is not None:
            return int(grippable[tip]), False
        ghost = nearest_tip(dial.tips(state.later_angles, radii)[grippable], x, y)
        if ghost is not None:
            return int(grippable[ghost]), True
        return self._model.cursor.pair, False

    def _name_hand_at(self, x: float, y: float) -> None:
        state, pairs = self._hands(), self._model.encoding.pairs
        if state is None or pairs is None:
            return
        dial = self._dial()
        pair = nearest_tip(dial.tips(state.angles, state.radii(dial)), x, y)
        self.setCursor(Qt.CursorShape.PointingHandCursor if pair is not None else Qt.CursorShape.ArrowCursor)
        self.setToolTip(hand_sentence(pairs, pair, float(state.angles[pair])) if pair is not None else "")


class SmallDialsCanvas(Canvas):
    """One dial for each pair, or for each column where there are none; only those that are seen are drawn.

    A press chooses the pair; dragging moves t so that its hand follows; its ghost, or Shift, moves k.
    """

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._room = 100.0
        self._seen = QRect()
        self._grip = HandGrip(model, Hand(model))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def fit(self, width: int, height: int) -> None:
        """Take as many rows as the pairs need in a view of this size."""
        self._room = float(height)
        self.setFixedHeight(max(math.ceil(self._grid(float(width)).height), height))

    def moving_picture(self, width: float, height: float) -> Picture:
        """The dials within the part that is painted now."""
        encoding, grid = self._model.encoding, self._grid(width)
        shown = grid.pairs_between(self._seen.top(), self._seen.bottom(), self._n_dials())
        if encoding.pairs is None:
            return column_dials_picture(grid, encoding, shown, self._model.cursor, self.theme)
        return small_dials_picture(grid, encoding.pairs, shown, self._model.cursor, self.theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is seen: the whole canvas may be far taller than any bitmap."""
        self._seen = self.visibleRegion().boundingRect()
        painter = QPainter(self)
        painter.fillRect(event.rect(), self.ground())
        paint_marks(painter, self.moving_picture(float(self.width()), float(self.height())))
        self._paint_focus(painter)
        painter.end()
        self.n_frames += 1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the pair and take hold of its hand or its ghost."""
        pair, pairs = self._dial_at(event), self._model.encoding.pairs
        if pair is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if pairs is None:
            self._model.move_cursor(pair=int(hand_of_column(self._model.encoding)[pair]))
            return
        cursor, dial = self._model.cursor, self._grid(float(self.width())).dial(pair)
        x, y = event.position().x(), event.position().y()
        angles = pairs.angles([cursor.position, cursor.position + cursor.offset], [pair])[:, 0]
        reach = dial.radius * HAND_LENGTH * float(length_shares(pairs)[pair])
        is_ghost = nearest_tip(dial.tips(angles, np.full(2, reach)), x, y) == 1
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._grip.take(pair, dial.angle_at(x, y), moves_offset=is_ghost or is_shifted)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn what is held; without a button, name the pair under the pointer."""
        if self._grip.is_held:
            dial = self._grid(float(self.width())).dial(self._model.cursor.pair)
            self._grip.turn_to(dial.angle_at(event.position().x(), event.position().y()))
            return
        pair, pairs = self._dial_at(event), self._model.encoding.pairs
        if pair is None or pairs is None:
            self.setToolTip("" if pair is None else column_sentence(self._model.encoding, pair, self._model.cursor))
            return
        angle = float(pairs.angles([self._model.cursor.position], [pair])[0, 0])
        self.setToolTip(hand_sentence(pairs, pair, angle))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._grip.let_go()

    def cell_rectangle(self, pair: int) -> QRect:
        """Where the dial of a pair stands on the canvas, or the first of the columns that stand for one."""
        grid, encoding = self._grid(float(self.width())), self._model.encoding
        left, top = grid.cell(pair if encoding.pairs is not None else int(hand_columns(encoding)[pair, 0]))
        return QRect(int(left), int(top), math.ceil(grid.cell_width), math.ceil(grid.cell_height))

    def _grid(self, width: float) -> DialGrid:
        encoding = self._model.encoding
        if encoding.pairs is None:
            return column_grid(max(width, 1.0), self._room, encoding)
        return dial_grid(max(width, 1.0), self._room, encoding.pairs.count, narrowest_cell(encoding.pairs))

    def _n_dials(self) -> int:
        encoding = self._model.encoding
        return encoding.pairs.count if encoding.pairs is not None else encoding.d_model

    def _dial_at(self, event: QMouseEvent) -> int | None:
        position = event.position()
        return self._grid(float(self.width())).pair_at(position.x(), position.y(), self._n_dials())


def hand_sentence(pairs: Pairs, pair: int, angle: float) -> str:
    """Pair, angular frequency, wavelength and angle of a hand as one line."""
    omega = number_text.short(float(pairs.angular_frequencies[pair]))
    wavelength = number_text.short(float(pairs.wavelengths[pair]))
    degrees = number_text.fixed(math.degrees(angle) % 360, 1)
    unit = "position" if pairs.turns_evenly else "mapped position"
    return f"pair {pair}: {omega} radians per {unit}, wavelength {wavelength}, angle {degrees}°"
