"""The face of the clock as a widget: one dial with all hands."""

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.bit_hands import face_hands, face_hands_of
from pe_desktop.core.cursor import Cursor
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.hand_text import hand_sentence
from pe_desktop.draw.marks import Picture
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.hand_grip import HandGrip
from pe_desktop.panels.pointer import Hand
from pe_desktop.views.clock.picture import (
    MOST_HANDS,
    Dial,
    HandState,
    dial_in,
    face_picture,
    half_picture,
    hand_state,
    hands_picture,
    named_hands,
    nearest_tip,
    preview_hands_picture,
    whole_turns_picture,
)
from pe_desktop.views.clock.small import column_sentence


class DialCanvas(PictureCanvas):
    """One dial with all hands. Dragging a hand moves t so that the hand follows; its ghost, or Shift, moves k."""

    preview_changed = Signal(object)

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._hand = Hand(model)
        self._grip = HandGrip(model)
        self._ringed = (model.cursor.offset, model.cursor.pair, model.cursor.pinned_pairs)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_cursor(self, cursor: Cursor) -> None:
        ringed = (cursor.offset, cursor.pair, cursor.pinned_pairs)
        if ringed != self._ringed:
            self._ringed = ringed
            self.redraw()
        else:
            self.update()

    def still_picture(self, width: float, height: float) -> Picture:
        encoding, dial = self._model.encoding, dial_in(width, height)
        hands = face_hands(encoding)
        ones = half_picture(dial, encoding.bits.first_one, self.theme) if encoding.bits is not None else ()
        rings = whole_turns_picture(dial, encoding, self._model.cursor, self.theme)
        return (*ones, *face_picture(dial, hands.count if hands else 0, self.theme), *rings)

    def moving_picture(self, width: float, height: float) -> Picture:
        state = self._hands()
        if state is None:
            return ()
        dial, encoding, cursor = dial_in(width, height), self._model.encoding, self._model.cursor
        return (
            *preview_hands_picture(dial, encoding, self._model.preview, cursor, self.theme),
            *hands_picture(dial, encoding, state, cursor, self.theme),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        state, dial = self._hands(), self._dial()
        if state is None or event.button() != Qt.MouseButton.LeftButton:
            return
        x, y = event.position().x(), event.position().y()
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        hand, is_ghost = self._grip_at(state, dial, x, y)
        self._grip.take(hand, dial.angle_at(x, y), moves_offset=is_ghost or is_shifted)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x, y = event.position().x(), event.position().y()
        if self._grip.is_held:
            self._grip.turn_to(self._dial().angle_at(x, y))
        else:
            self._name_hand_at(x, y)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip.let_go()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._hand.step(event)
        event.accept()

    def _dial(self) -> Dial:
        return dial_in(float(self.width()), float(self.height()))

    def _hands(self) -> HandState | None:
        hands = face_hands(self._model.encoding)
        return hand_state(hands, self._model.cursor) if hands is not None else None

    def _grip_at(self, state: HandState, dial: Dial, x: float, y: float) -> tuple[int, bool]:
        n_hands, encoding, cursor = len(state.angles), self._model.encoding, self._model.cursor
        grippable = np.arange(n_hands) if n_hands <= MOST_HANDS else np.array([*named_hands(encoding, cursor)])
        radii = state.radii(dial)
        tip = nearest_tip(dial.tips(state.angles, radii)[grippable], x, y)
        if tip is not None:
            return int(grippable[tip]), False
        ghost = nearest_tip(dial.tips(state.later_angles, radii)[grippable], x, y)
        if ghost is not None:
            return int(grippable[ghost]), True
        return face_hands_of(encoding, cursor.pair)[0], False

    def _name_hand_at(self, x: float, y: float) -> None:
        state, encoding = self._hands(), self._model.encoding
        if state is None:
            return
        dial = self._dial()
        hand = nearest_tip(dial.tips(state.angles, state.radii(dial)), x, y)
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand is not None else Qt.CursorShape.ArrowCursor)
        if hand is None:
            self.setToolTip("")
        elif encoding.pairs is None:
            self.setToolTip(column_sentence(encoding, hand, self._model.cursor))
        else:
            self.setToolTip(hand_sentence(encoding.pairs, hand, float(state.angles[hand])))
