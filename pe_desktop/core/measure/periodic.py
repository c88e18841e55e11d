"""Wavelengths and near returns of a hand."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION, MAX_POSITIONS

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


# 2 pi.
_TURN: Final = Fraction(Decimal("6.28318530717958647692528676655900576839433879875021164194988918461563281257"))


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
    pairs = _pairs_of(encoding)
    pairs.dimensions(pair)
    wavelength = _TURN / Fraction(float(pairs.angular_frequencies[pair]))
    # Of two that are as many positions the later has the count of turns that is nearest.
    convergents = {positions: turns for positions, turns in _convergents(wavelength, most) if positions > 0}
    if not convergents:
        return ()
    angles = pairs.offset_angles([*convergents], [pair])[:, 0]
    return tuple(
        NearReturn(pair, positions, turns, float(angle))
        for (positions, turns), angle in zip(convergents.items(), angles, strict=True)
    )


def _pairs_of(encoding: Encoding) -> Pairs:
    """The pairs of an encoding that has some; ValueError with a sentence otherwise."""
    if encoding.pairs is None:
        raise ValueError(f"{encoding.title} has no pairs that turn")
    return encoding.pairs


def even_step(falling: Floats) -> float | None:
    """The step of evenly spaced numbers that fall, to a share of 1e-9; None for any other, and for a single one."""
    steps = -np.diff(falling)
    is_even = len(steps) > 0 and steps[0] > 0 and np.ptp(steps) <= 1e-9 * steps[0]
    return float(steps.mean()) if is_even else None


def _convergents(value: Fraction, most: int) -> list[tuple[int, int]]:
    """The convergents p / q of the continued fraction of a value, with p up to `most`."""
    numerators, denominators = (0, 1), (1, 0)
    found: list[tuple[int, int]] = []
    while True:
        whole = value.numerator // value.denominator
        numerators = (numerators[1], whole * numerators[1] + numerators[0])
        denominators = (denominators[1], whole * denominators[1] + denominators[0])
        if numerators[1] > most:
            return found
        found.append((numerators[1], denominators[1]))
        if value == whole:
            return found
        value = 1 / (value - whole)
