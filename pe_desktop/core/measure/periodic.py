"""Wavelengths and near returns of a hand."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION, MAX_POSITIONS
from pe_desktop.core.source import panels

# Near returns that are told, the first ones.
N_RETURNS: Final = 9
# Hands that are looked at, and positions of each: a few milliseconds.
MOST_HANDS: Final = 16
MOST_STARTS: Final = 8


@record
class Periods:
    """How well the hands repeat, and how many do within the table.

    shortest, longest: wavelengths, positions; n_turning: the hands that turn once or more within N; n_hands: all.
    n_compared: the hands that were compared with themselves; largest_difference: of a value at p and at p + wavelength,
    in lengths of the longest hand.
    """

    shortest: float
    longest: float
    n_turning: int
    n_hands: int
    n_compared: int
    largest_difference: float


def reach(encoding: Encoding, pairs: Pairs) -> float:
    """How far N positions take the hands, in the unit of wavelengths: N, or |f(N) - f(0)| where they stand at f(p)."""
    if pairs.turns_evenly:
        return float(encoding.n_positions)
    turned = pairs.turns([0.0], float(encoding.n_positions), [0])
    return abs(float(turned[0, 0])) / float(pairs.angular_frequencies[0])


def turning_within(encoding: Encoding, pairs: Pairs) -> int:
    """How many hands turn once or more within N."""
    return int(np.count_nonzero(pairs.wavelengths <= reach(encoding, pairs)))


def measured_periods(encoding: Encoding, pairs: Pairs) -> Periods | None:
    """Compare up to 16 hands at up to 8 positions p, from 0 on, with themselves at p + 2 pi / omega.

    None where no hand turns. Hands whose wavelength reaches beyond 2^31 are not compared. A hand that turns evenly is
    off by less than 1e-14.
    """
    wavelengths = pairs.wavelengths
    turning = np.flatnonzero(np.isfinite(wavelengths))
    if not len(turning):
        return None
    within_reach = turning[wavelengths[turning] < MAX_ABSOLUTE_POSITION - MOST_STARTS]
    compared = within_reach[np.asarray(even_sample(len(within_reach), MOST_HANDS), dtype=np.int64)]
    return Periods(
        shortest=float(wavelengths[turning].min()),
        longest=float(wavelengths[turning].max()),
        n_turning=turning_within(encoding, pairs),
        n_hands=pairs.count,
        n_compared=len(compared),
        largest_difference=_largest_difference(encoding, pairs, compared),
    )


def _largest_difference(encoding: Encoding, pairs: Pairs, compared: Integers) -> float:
    positions = np.arange(min(encoding.n_positions, MOST_STARTS), dtype=np.float64)
    largest, length = 0.0, 0.0
    for pair in compared.tolist():
        columns = pairs.columns[pair]
        before = encoding.values(positions, columns)
        after = encoding.values(positions + pairs.wavelengths[pair], columns)
        largest = max(largest, float(np.abs(after - before).max()))
        length = max(length, float(np.abs(before).max()))
    return largest / length if length > 0 else 0.0


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
