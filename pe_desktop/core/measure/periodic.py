"""Wavelengths and near returns of a hand."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_POSITIONS
from pe_desktop.core.source import panels

# Near returns that are told, the first ones.
N_RETURNS: Final = 9
# Hands that are compared with themselves one wavelength on, and positions of each: a few milliseconds.
MOST_HANDS: Final = 16
MOST_STARTS: Final = 8


def reach(encoding: Encoding, pairs: Pairs) -> float:
    """How far N positions take the hands, in the unit of wavelengths: N, or |f(N) - f(0)| where they stand at f(p)."""
    if pairs.turns_evenly:
        return float(encoding.n_positions)
    turned = pairs.turns([0.0], float(encoding.n_positions), [0])
    return abs(float(turned[0, 0])) / float(pairs.angular_frequencies[0])


def turning_within(encoding: Encoding, pairs: Pairs) -> int:
    """How many hands turn once or more within N."""
    return int(np.count_nonzero(pairs.wavelengths <= reach(encoding, pairs)))


@record
class NearReturn:
    """A hand after so many positions: nearly so many whole turns.

    residual_angle: what is missing or too much, in [-pi, pi], radians, clockwise; chord: how far its tip is from where
    it began, in lengths of the hand.
    """

    pair: int
    positions: int
    turns: int
    residual_angle: float

    @property
    def chord(self) -> float:
        """2 |sin(angle / 2)|."""
        return 2 * abs(math.sin(self.residual_angle / 2))

    @property
    def fraction(self) -> str:
        """The fraction that the wavelength is near to, for instance 44/7 for 2 pi, because 22/7 is near pi."""
        return f"{self.positions}/{self.turns}"


def near_returns(encoding: Encoding, pair: int, most: int = MAX_POSITIONS) -> tuple[NearReturn, ...]:
    """The offsets after which a hand is closer to its beginning than after any smaller one, ascending, up to `most`.

    They are the convergents of the continued fraction of the wavelength 2 pi / omega, in exact arithmetic for the
    float64 omega with 70 digits of pi; the float64 can matter only where the residual angle is below 1.2e-16 k omega.
    The angles themselves are as exact as those of the encoding. ValueError for a pair that does not exist and for an
    encoding without angular frequencies.
    """
    pairs = encoding.pairs
    if pairs is None:
        raise ValueError(f"{encoding.title} has no pairs that turn")
    pairs.dimensions(pair)
    found = panels.near_returns(pairs.angular_frequencies, pair, most, most)
    if not len(found):
        return ()
    offsets, turns = found[:, :2].astype(np.int64).T.tolist()
    angles = pairs.offset_angles(offsets, [pair])[:, 0].tolist()
    return tuple(NearReturn(pair, *one) for one in zip(offsets, turns, angles, strict=True))


def even_step(falling: Floats) -> float | None:
    """The step of evenly spaced numbers that fall, to a share of 1e-9; None for any other, and for a single one."""
    steps = -np.diff(falling)
    is_even = len(steps) > 0 and steps[0] > 0 and np.ptp(steps) <= 1e-9 * steps[0]
    return float(steps.mean()) if is_even else None
