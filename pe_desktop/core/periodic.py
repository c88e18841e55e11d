"""Whether hands repeat: each pair compared with itself one wavelength later, on values of the table."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Integers, Pairs
from pe_desktop.core.limits import MAX_ABSOLUTE_POSITION
from pe_desktop.core.samples import even_sample

# Hands that are looked at, and positions of each: a few milliseconds.
_HANDS: Final = 16
_POSITIONS: Final = 8


@dataclass(frozen=True, slots=True)
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
    within_reach = turning[wavelengths[turning] < MAX_ABSOLUTE_POSITION - _POSITIONS]
    compared = within_reach[np.asarray(even_sample(len(within_reach), _HANDS), dtype=np.int64)]
    return Periods(
        shortest=float(wavelengths[turning].min()),
        longest=float(wavelengths[turning].max()),
        n_turning=turning_within(encoding, pairs),
        n_hands=pairs.count,
        n_compared=len(compared),
        largest_difference=_largest_difference(encoding, pairs, compared),
    )


def _largest_difference(encoding: Encoding, pairs: Pairs, compared: Integers) -> float:
    positions = np.arange(min(encoding.n_positions, _POSITIONS), dtype=np.float64)
    largest, length = 0.0, 0.0
    for pair in compared.tolist():
        columns = pairs.columns[pair]
        before = encoding.values(positions, columns)
        after = encoding.values(positions + pairs.wavelengths[pair], columns)
        largest = max(largest, float(np.abs(after - before).max()))
        length = max(length, float(np.abs(before).max()))
    return largest / length if length > 0 else 0.0
