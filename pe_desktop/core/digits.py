"""The digits of a position in the numeral system whose places are the pairs of an encoding, and what scaling does."""

import bisect
import itertools
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Numbers, Pairs, position_rows, table_columns
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.phase import GIVEN, POWERS_ONE, powers
from pe_desktop.core.record import record

# Quotients so near below a whole number are that number, and rests of so small a share none: powers are off by less.
_TIE_BITS: Final = 136
# By how much the context of the examples grows.
STRETCH: Final = 2.0


@lru_cache(maxsize=8)
def _units(pairs: SinusoidalPairs) -> tuple[int, ...]:
    """The unit of each digit, and of one more, in units of 2^-192 positions: exactly, or to 2^-170 of it."""
    if pairs.spacing == GIVEN:
        ratios = map(float.as_integer_ratio, pairs.given)
        return (POWERS_ONE, *(above * POWERS_ONE // below for above, below in ratios))
    return tuple(powers(pairs.count + 1, -pairs.steps, 0.0, pairs.base))


def _floor(above: int, below: int) -> int:
    return ((above << _TIE_BITS) + below) // (below << _TIE_BITS)


def _digit(position: float, unit: int, following: int) -> float:
    """How many whole units of a position are no whole number of the following ones, by whole numbers."""
    above, below = position.as_integer_ratio()
    count = _floor(above * POWERS_ONE, below * unit) * unit
    rest = count - _floor(count, following) * following
    return rest / unit if rest << _TIE_BITS > abs(count) else 0.0


@record
class Digits(Encoding):
    """Column i is floor(t / beta^i) mod beta, beta = base^(2/d) the ratio of neighbouring wavelengths.

    Of given wavelengths a digit counts in the wavelength before its own, the first one in positions: seconds, minutes,
    hours. There are as many as step within N. Source: Su, kexue.fm/archives/9675.
    """

    n_positions: int
    hands: SinusoidalPairs

    kind: ClassVar[str] = "digits"
    title: ClassVar[str] = "Digits"
    formulas: ClassVar[tuple[str, ...]] = ("a_i = ⌊t/β^i⌋ mod β",)

    @property
    def d_model(self) -> int:
        last = (self.n_positions - 1) * POWERS_ONE
        return max(bisect.bisect(_units(self.hands), last, hi=self.hands.count), 1)

    @property
    def _places(self) -> list[tuple[int, int]]:
        """The unit of each digit, and that of the next one."""
        return [*itertools.pairwise(_units(self.hands)[: self.d_model + 1])]

    @property
    def sizes(self) -> Floats:
        """After how many positions each digit steps, and its radix: beta, or a ratio of wavelengths; (2, d_model)."""
        return np.array([(unit / POWERS_ONE, following / unit) for unit, following in self._places]).T

    @property
    def is_whole(self) -> bool:
        """Whether all digits are whole numbers."""
        return bool(np.all(self.sizes == np.rint(self.sizes)))

    @property
    def value_limit(self) -> float:
        return float(self.sizes[1].max())

    @property
    def widened(self) -> "Digits | None":
        """NTK scaling by STRETCH: beta so wide that the last wavelength grows by it; None without a beta to widen."""
        count = self.hands.count
        hands = self.hands
        if count == 1 or hands.spacing == GIVEN:
            return None
        return replace(self, hands=replace(hands, base=hands.base * STRETCH ** (hands.steps / (count - 1))))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """The digits, shape (len(positions), len(dimensions)): exact, but for the rounding of each to float64."""
        columns = table_columns(dimensions, self.d_model).tolist()
        places = self._places
        rows = np.asarray(position_rows(positions), dtype=np.float64).tolist()
        found = [[_digit(row, *places[column]) for column in columns] for row in rows]
        return np.array(found).reshape(len(rows), len(columns))


def digits_of(pairs: Pairs | None, n_positions: int) -> Digits | None:
    """The digits of the positions of a table with these pairs; None where neighbours have no ratio in common."""
    if not isinstance(pairs, SinusoidalPairs) or not pairs.turns_evenly:
        return None
    return Digits(n_positions, pairs) if pairs.spacing == GIVEN or pairs.exponent(0) else None
