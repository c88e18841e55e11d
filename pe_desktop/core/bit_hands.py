"""The hands of a clock's face: those of the pairs, or of a code of bits, each turning once in the period of its bit."""

from dataclasses import dataclass

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns, hand_of_column
from pe_desktop.core.encoding import Encoding, Floats, Numbers, Turning
from pe_desktop.core.kinds.naive import BitDials, BitsEncoding, least_bits


@dataclass(frozen=True, slots=True)
class BitHands:
    """The smooth version of bits: hand b stands at 2 pi t / period_b, and bit b is 1 in one half of its dial.

    The table holds the bits, not these angles: there are no pairs and no M_k.
    """

    dials: BitDials

    @property
    def count(self) -> int:
        """As many as bits."""
        return len(self.dials.periods)

    @property
    def wavelengths(self) -> Floats:
        """The periods, shape (count,), positions per turn; infinite for bits beyond those of any position."""
        return self.dials.periods

    @property
    def angular_frequencies(self) -> Floats:
        """2 pi / period, shape (count,), radians per position."""
        return np.asarray(2 * np.pi / self.dials.periods)

    @property
    def lengths(self) -> Floats:
        """All hands are as long as each other, shape (count,)."""
        return np.ones(self.count)

    @property
    def turns_evenly(self) -> bool:
        """The angle is position times angular frequency, whatever the position."""
        return True

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles of the hands, reduced to [-pi, pi], shape (len(positions), len(pairs)), exact up to the factor."""
        turns = np.asarray(positions, dtype=np.float64)[:, np.newaxis] / self._periods(pairs)
        return np.asarray(2 * np.pi * (turns - np.rint(turns)))

    def turns(self, positions: Numbers, offset: float, pairs: Numbers | None = None) -> Floats:
        """How far hands turn from t to t + k, whole turns counted too, shape (len(positions), len(pairs)), radians."""
        turn = 2 * np.pi * offset / self._periods(pairs)
        return np.tile(turn, (len(np.atleast_1d(np.asarray(positions))), 1))

    def _periods(self, hands: Numbers | None) -> Floats:
        periods = self.dials.periods
        return periods if hands is None else periods[np.asarray(hands, dtype=np.int64)]


def face_hands(encoding: Encoding) -> Turning | None:
    """What turns on the face of the clock: pairs, or the hands of bits; None for columns of other kinds."""
    if encoding.pairs is not None:
        return encoding.pairs
    return BitHands(encoding) if isinstance(encoding, BitDials) else None


def face_hands_of(encoding: Encoding, pair: int) -> tuple[int, ...]:
    """Which hands of the face are chosen with a pair: its own, or those of its two columns."""
    if encoding.pairs is not None:
        return (pair,)
    return tuple(column for column in hand_columns(encoding)[pair].tolist() if column != MISSING)


def pair_of_face_hand(encoding: Encoding, hand: int) -> int:
    """Which pair is chosen with a hand of the face."""
    return hand if encoding.pairs is not None else int(hand_of_column(encoding)[hand])


def code_beside(encoding: Encoding) -> Encoding | None:
    """The bits that can stand beside a face: the encoding where it is one of bits, else the binary code of t.

    None where there is no face with hands.
    """
    if isinstance(encoding, BitDials):
        return encoding
    if encoding.pairs is None:
        return None
    return BitsEncoding(encoding.n_positions, least_bits(encoding.n_positions))


def n_flipping(code: Encoding) -> int:
    """How many bits are 1 somewhere in the table, at least one."""
    if not isinstance(code, BitDials):
        return code.d_model
    return max(int(np.count_nonzero(code.periods * code.first_one <= code.n_positions - 1)), 1)
