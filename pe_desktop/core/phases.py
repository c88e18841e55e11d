"""Exact range reduction: the phase of a hand as a whole number of tiny fractions of a turn.

A phase is p omega / 2 pi modulo one turn, in units of 2^-64 turn. Unsigned overflow drops the whole turns for free, so
a position of ten million is as exact as position one.
"""

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.frequencies import Frequencies

Phases: TypeAlias = NDArray[np.uint64]
Hands: TypeAlias = NDArray[np.complex128]

_UNITS_PER_TURN: Final = 2.0**64
_ANGLE_OF_UNIT: Final = math.tau / _UNITS_PER_TURN
_UPPER_DIGITS: Final = 2.0**26
_EIGHTH_TURN: Final = np.uint64(2**61)
_QUARTER_BITS: Final = np.uint64(62)
# e^(-i q pi / 2): q quarter turns clockwise.
_QUARTER_TURNS: Final = np.array([1, -1j, -1, 1j])


def phases(positions: Integers | Phases, frequencies: Frequencies) -> Phases:
    """The phases of whole positions, shape (n, n_pairs), modulo one turn, in units of 2^-64 turn.

    One integer multiplication each, made for colour tables: off by at most |p| / 2 units, 1.7e-12 radians at p = 1e7.
    Negative positions turn backwards.
    """
    return positions.astype(np.uint64)[:, np.newaxis] * frequencies.units


def angles(wholes: Phases, remainders: Floats | None, frequencies: Frequencies) -> Floats:
    """The angles of positions wholes + remainders, reduced to [-pi, pi], shape (n, n_pairs), radians.

    wholes are whole positions up to 2^31; remainders lie in [-1/2, 1/2].
    """
    signed = phases(wholes, frequencies).view(np.int64)
    turns = (signed + wholes[:, np.newaxis] * frequencies.rests) / _UNITS_PER_TURN
    if remainders is not None:
        turns += _remainder_turns(remainders, frequencies)
    turns -= np.rint(turns)
    return turns * math.tau


def _remainder_turns(remainders: Floats, frequencies: Frequencies) -> Floats:
    """The turns of remainders of a position, less whole ones, shape (n, n_pairs).

    The upper half of a remainder's digits times whole turns is exact, so whole turns leave no rounding behind.
    """
    result: Floats = remainders[:, np.newaxis] * (frequencies.folded / math.tau)
    if frequencies.has_whole_turns:
        upper = np.rint(remainders * _UPPER_DIGITS) / _UPPER_DIGITS
        coarse = upper[:, np.newaxis] * frequencies.whole_turns
        result += coarse - np.rint(coarse)
        result += (remainders - upper)[:, np.newaxis] * frequencies.whole_turns
    return result


class HandTurner:
    """Turns hands to the angles of their positions, a piece of up to so many hands at a time.

    It keeps the arrays that it works in: fetching fresh memory for each piece would cost more than the sines.
    """

    def __init__(self, n_hands: int) -> None:
        self._phases = np.empty(n_hands, dtype=np.uint64)
        self._quarters = np.empty(n_hands, dtype=np.uint64)
        self._angles = np.empty(n_hands)
        self._turns = np.empty(n_hands, dtype=np.complex128)

    def turn(self, wholes: Phases, remainders: Floats | None, frequencies: Frequencies, out: Hands) -> None:
        """Fill out, shape (n, n_pairs), with the hands sin + i cos of positions wholes + remainders.

        The phase is folded to an eighth of a turn around the nearest quarter, where float64 angles are finest; then the
        hand is turned on by whole quarters, which is exact.
        """
        phase, quarters, angle, turns = self._views(out)
        np.multiply(wholes[:, np.newaxis], frequencies.units, out=phase)
        np.add(phase, _EIGHTH_TURN, out=quarters)
        quarters >>= _QUARTER_BITS
        np.take(_QUARTER_TURNS, quarters.view(np.int64), out=turns, mode="clip")
        quarters <<= _QUARTER_BITS
        phase -= quarters
        np.multiply(wholes[:, np.newaxis], frequencies.rests, out=angle)
        angle += phase.view(np.int64)
        angle *= _ANGLE_OF_UNIT
        if remainders is not None:
            if frequencies.has_whole_turns:
                angle += math.tau * _remainder_turns(remainders, frequencies)
            else:
                angle += np.multiply(remainders[:, np.newaxis], frequencies.angular, out=phase.view(np.float64))
        np.sin(angle, out=out.real)
        np.cos(angle, out=out.imag)
        out *= turns

    def _views(self, out: Hands) -> tuple[Phases, Phases, Floats, Hands]:
        size, shape = out.size, out.shape
        return (
            self._phases[:size].reshape(shape),
            self._quarters[:size].reshape(shape),
            self._angles[:size].reshape(shape),
            self._turns[:size].reshape(shape),
        )
