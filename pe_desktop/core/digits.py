"""The digits of a position in the numeral system whose places are the pairs of an encoding, and what scaling does."""

import itertools
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Final, TypeAlias

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Numbers, Pairs, position_rows, table_columns
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.phase import GIVEN, POWERS_ONE, powers
from pe_desktop.core.record import record

# Numerator and denominator of a positive number.
_Ratio: TypeAlias = tuple[int, int]
# Quotients so near below a whole number are that number: powers of the base are off by less.
_TIE_BITS: Final = 136
# By how much the context of the examples grows.
STRETCH: Final = 2.0


@lru_cache(maxsize=8)
def _places(pairs: SinusoidalPairs, count: int) -> tuple[tuple[_Ratio, _Ratio], ...]:
    """The unit of each of the first digits, and how many of it the next one has, exactly or to 2^-170."""
    if pairs.spacing == GIVEN:
        lengths = [(1, 1), *(length.as_integer_ratio() for length in pairs.given[:count])]
        return tuple((unit, (one[0] * unit[1], one[1] * unit[0])) for unit, one in itertools.pairwise(lengths))
    found = powers(max(count, 2), pairs.steps, 0.0, pairs.base)
    return tuple(((POWERS_ONE, power), (POWERS_ONE, found[1])) for power in found[:count])


@lru_cache(maxsize=8)
def _sizes(pairs: SinusoidalPairs, count: int) -> Floats:
    """The same as numbers: units in positions and radices, shape (2, count)."""
    return np.array([[above / below for above, below in place] for place in _places(pairs, count)]).T


def _floor(above: int, below: int) -> int:
    return ((above << _TIE_BITS) + below) // (below << _TIE_BITS)


def _digit(position: float, unit: _Ratio, radix: _Ratio) -> float:
    """floor(position / unit) mod radix, by whole numbers."""
    above, below = position.as_integer_ratio()
    whole = _floor(above * unit[1], below * unit[0])
    rounds = _floor(whole * radix[1], radix[0])
    return max(whole * radix[1] - rounds * radix[0], 0) / radix[1]


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
        units = self.hands.wavelengths / self.hands.wavelengths[0]
        if self.hands.spacing == GIVEN:
            units = np.array([1.0, *self.hands.given[:-1]])
        return max(int(np.count_nonzero(units <= self.n_positions - 1)), 1)

    @property
    def sizes(self) -> Floats:
        """After how many positions each digit steps, and its radix: beta, or a ratio of wavelengths; (2, d_model)."""
        return _sizes(self.hands, self.d_model)

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
        count, hands = self.hands.count, self.hands
        if count == 1 or hands.spacing == GIVEN:
            return None
        return replace(self, hands=replace(hands, base=hands.base * STRETCH ** (hands.steps / (count - 1))))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """The digits, shape (len(positions), len(dimensions)): exact, but for the rounding of each to float64."""
        columns = table_columns(dimensions, self.d_model).tolist()
        places = _places(self.hands, self.d_model)
        rows = np.asarray(position_rows(positions), dtype=np.float64).tolist()
        found = [[_digit(row, *places[column]) for column in columns] for row in rows]
        return np.array(found).reshape(len(rows), len(columns))


def digits_of(pairs: Pairs | None, n_positions: int) -> Digits | None:
    """The digits of the positions of a table with these pairs; None where neighbours have no ratio in common."""
    if not isinstance(pairs, SinusoidalPairs) or not pairs.turns_evenly:
        return None
    return Digits(n_positions, pairs) if pairs.spacing == GIVEN or pairs.exponent(0) else None
