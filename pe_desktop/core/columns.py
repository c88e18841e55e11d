"""Hands and columns of an encoding: which columns form a hand, which of them are filled."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers
from pe_desktop.core.kinds.naive import BitsEncoding, least_bits


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


# The second column of a hand that has one column only.
MISSING: Final = -1


@lru_cache(maxsize=4)
def n_hands(encoding: Encoding) -> int:
    """The number of hands of `hand_columns`."""
    n_pairs = encoding.pairs.count if encoding.pairs is not None else 0
    return n_pairs + (encoding.d_model - 2 * n_pairs + 1) // 2


@lru_cache(maxsize=4)
def hand_columns(encoding: Encoding) -> Integers:
    """The columns that form a hand, shape (n_hands, 2), read-only: those of the pairs, then what is left two by two.

    Where there are no pairs, columns that are the sine and the cosine of one wave stand for one. The last hand may lack
    a second column: MISSING.
    """
    known = _turning_columns(encoding)
    is_left = np.ones(encoding.d_model, dtype=bool)
    is_left[known] = False
    left = np.flatnonzero(is_left)
    if len(left) % 2:
        left = np.append(left, MISSING)
    columns = np.concatenate([known, left.reshape(-1, 2)])
    columns.flags.writeable = False
    return columns


@lru_cache(maxsize=4)
def hand_places(encoding: Encoding) -> tuple[str, str]:
    """Where the two columns of hand i stand, for instance 2i and 2i + 1."""
    columns = hand_columns(encoding)
    if len(columns) == 1:
        return "2i", "2i + 1"
    factor = "i" if columns[1, 0] - columns[0, 0] == 1 else "2i"
    first, second = (f"{factor} + {column}" if column else factor for column in columns[0].tolist())
    return first, second


def has_values(encoding: Encoding, hand: int) -> bool:
    """Whether a column of a hand is ever anything but zero."""
    return int(hand_columns(encoding)[hand, 0]) < encoding.n_filled


@lru_cache(maxsize=4)
def hand_of_column(encoding: Encoding) -> Integers:
    """The hand of every column, shape (d_model,), read-only."""
    columns = hand_columns(encoding)
    owners = np.empty(encoding.d_model, dtype=np.int64)
    is_there = columns != MISSING
    owners[columns[is_there]] = np.repeat(np.arange(len(columns)), 2)[is_there.ravel()]
    owners.flags.writeable = False
    return owners


def hand_values(encoding: Encoding, positions: Numbers, hands: Sequence[int], ahead: float = 0.0) -> Floats:
    """The values in both columns of some hands, shape (len(positions), len(hands), 2); nan for a column it lacks.

    At positions so far ahead of those given.
    """
    pairs = encoding.pairs
    if not ahead and pairs is not None and max(hands, default=0) < pairs.count:
        return pairs.hands(positions, hands)
    columns = hand_columns(encoding)[np.asarray(hands, dtype=np.int64)]
    values = encoding.values_after(positions, ahead, np.maximum(columns, 0).reshape(-1))
    return np.where(columns == MISSING, np.nan, values.reshape(-1, *columns.shape))


def _turning_columns(encoding: Encoding) -> Integers:
    """The columns of the sine and the cosine of one wave, where both are there, shape (n, 2)."""
    if encoding.pairs is not None:
        return np.asarray(encoding.pairs.columns, dtype=np.int64)
    waves = encoding.column_waves
    if waves is None:
        return np.empty((0, 2), dtype=np.int64)
    columns = np.full((waves.hands.count, 2), MISSING)
    columns[waves.numbers, waves.is_cosine.astype(np.int64)] = np.arange(encoding.d_model)
    is_whole = (columns != MISSING).all(axis=1)
    return np.asarray(columns[is_whole], dtype=np.int64)
