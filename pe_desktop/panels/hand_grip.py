"""A hand of the clock that the pointer holds: t, or k, moves so that the hand follows it around its dial."""

import math

from pe_desktop.core.bit_hands import face_hands, pair_of_face_hand
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.core.scores.rotary import turning_state
from pe_desktop.model.encoding_model import EncodingModel

# A slower hand, radians per position, is not followed.
_SLOWEST = 1e-12


class HandGrip:
    """Takes hold of one hand at a time, on the large dial and on the small ones."""

    def __init__(self, model: EncodingModel) -> None:
        self._model = model
        self._held: int | None = None
        self._moves_offset = False
        self._angle = 0.0
        self._value = 0.0
        self._has_turned = False

    @property
    def is_held(self) -> bool:
        """Whether there is a hand to turn."""
        return self._held is not None

    @property
    def held(self) -> int | None:
        """The hand of the face that is held."""
        return self._held

    def take(self, hand: int, angle: float, *, moves_offset: bool) -> None:
        """Choose the pair of a hand of the face and hold it, at t or at t + k, by the pointer's angle in radians."""
        self._held, self._angle, self._moves_offset, self._has_turned = hand, angle, moves_offset, False
        self._model.set_held(True)
        self._model.move_cursor(pair=pair_of_face_hand(self._encoding, hand))
        cursor = self._model.cursor
        self._value = cursor.offset if moves_offset else cursor.position

    def turn_to(self, angle: float) -> None:
        """Follow the pointer, the short way round."""
        hands = face_hands(self._encoding)
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
