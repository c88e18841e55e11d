"""The hands of a clock's face: those of the pairs, or of a code of bits, each turning once in the period of its bit."""

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns, hand_of_column
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.core.kinds.naive import BitsEncoding, least_bits


def face_hands(encoding: Encoding) -> Turning | None:
    """The hands on the face of the clock: pairs, or the hands of bits; None for columns of other kinds."""
    return encoding.bits if encoding.pairs is None else encoding.pairs


def face_hands_of(encoding: Encoding, pair: int) -> tuple[int, ...]:
    """The hands of the face that are chosen with a pair: its own, or those of its two columns."""
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
    if encoding.bits is not None:
        return encoding
    if encoding.pairs is None:
        return None
    return BitsEncoding(encoding.n_positions, least_bits(encoding.n_positions))


def n_flipping(code: Encoding) -> int:
    """How many bits are 1 somewhere in the table, at least one."""
    bits = code.bits
    if bits is None:
        return code.d_model
    return max(int(np.count_nonzero(bits.wavelengths * bits.first_one <= code.n_positions - 1)), 1)
