"""The sinusoidal encoding, and its table with a padding row."""

import math
from abc import abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core import encoding, rules
from pe_desktop.core.encoding import ColumnWaves, Encoding, Floats, Integers, Numbers, Pairs, Rows, position_rows
from pe_desktop.core.hands import (
    LAYOUTS,
    all_pair_columns,
    column_pairs,
    column_values,
    frequency_formula,
    given_formulas,
    pair_formulas,
    signed_angles,
    sines_and_cosines,
    table_values,
)
from pe_desktop.core.number_text import grouped, in_formula, signed
from pe_desktop.core.phase import GIVEN, SPACINGS, Frequencies, Split, frequencies, split
from pe_desktop.core.record import kept, record
from pe_desktop.core.rules import check_fields, ruled

SPACING: Final = rules.WordRule("spacing", SPACINGS)
# Of the sinusoidal kind alone.
_ANY_SPACING: Final = rules.WordRule("spacing", (*SPACINGS, GIVEN))
LAYOUT: Final = rules.WordRule("layout", LAYOUTS)


@record
class SinusoidalPairs(Pairs):
    """The d_model / 2 pairs of a sinusoidal encoding; each turns by omega_i radians a position, clockwise from 12."""

    d_model: int
    base: float
    spacing: str
    layout: str
    start: float = 0.0
    amplitude: float = 1.0
    scale: float = 1.0
    shift: float = 0.0
    # Added to all positions, beside the start.
    ahead: float = 0.0
    # The wavelengths of given spacing.
    given: tuple[float, ...] = ()

    @cached_property
    def count(self) -> int:
        """d_model / 2; the hand without a cosine of an odd width counts."""
        return (self.d_model + 1) // 2

    @cached_property
    def angular_frequencies(self) -> Floats:
        return self.frequencies.angular

    @cached_property
    def wavelengths(self) -> Floats:
        return self.frequencies.wavelengths

    @cached_property
    def frequencies(self) -> Frequencies:
        return frequencies(self.d_model, self.base, self.spacing, self.scale, self.shift, self.given)

    @property
    def steps(self) -> float:
        """How many pairs it takes to divide a frequency by the base, where frequencies are its powers."""
        return self.d_model / 2 - self.shift if self.spacing == "geometric" else max(self.count - 1, 1)

    @cached_property
    def lengths(self) -> Floats:
        return np.broadcast_to(self.amplitude, (self.count,))

    @property
    def columns(self) -> Integers:
        return all_pair_columns(self.layout, self.count)

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        return signed_angles(self.reading(position_rows(positions)), self._frequencies_of(pairs))

    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        return signed_angles(split(position_rows(offsets)), self._frequencies_of(pairs))

    def hands(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        hands = sines_and_cosines(position_rows(positions), self._frequencies_of(pairs), self.reading)
        return hands if self.amplitude == 1 else np.multiply(hands, self.amplitude, out=hands)

    def offset_hands(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        return sines_and_cosines(position_rows(offsets), self._frequencies_of(pairs))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        rows = position_rows(positions)
        columns = None if dimensions is None else encoding.index_rows(dimensions, self.d_model, "dimensions")
        if columns is None or np.array_equal(columns, np.arange(self.d_model)):
            result = table_values(rows, self.frequencies, self.layout, self.reading)
        else:
            column_pair, is_cosine = column_pairs(self.layout, self.count, columns)
            result = column_values(rows, self.frequencies, column_pair, is_cosine, self.reading)
        return result if self.amplitude == 1 else np.multiply(result, self.amplitude, out=result)

    def exponent(self, pair: int) -> tuple[int, float] | None:
        if self.spacing == "geometric":
            return 2 * pair, 2 * self.steps
        return (pair, self.steps) if self.spacing == "inclusive" else None

    def reading(self, rows: Rows) -> Split:
        """Positions of the table as positions of the hands, with `start` and `ahead` added."""
        return split(rows, self.start, self.ahead)

    def _frequencies_of(self, pairs: Numbers | None) -> Frequencies:
        if pairs is None or (isinstance(pairs, range) and pairs == range(self.count)):
            return self.frequencies
        return self.frequencies.selected(encoding.index_rows(pairs, self.count, "pairs"))


@record
class PairKind(Encoding):
    """Base of kinds whose columns are pairs, with frequencies of a base in a spacing, and a layout."""

    n_positions: int = ruled(128, rules.N_POSITIONS)
    d_model: int = ruled(32, rules.D_MODEL)
    base: float = ruled(10000.0, rules.BASE)
    spacing: str = ruled("geometric", SPACING)
    layout: str = ruled("interleaved", LAYOUT)

    @property
    @abstractmethod
    def pairs(self) -> SinusoidalPairs:
        """The pairs, which make the columns."""

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        return self.pairs.values(positions, dimensions)


@record
class SinusoidalEncoding(PairKind):
    """PE(p, sine of pair i) = a sin((start + p) omega_i), PE(p, cosine of pair i) = a cos((start + p) omega_i).

    start is the position of row 0, a the amplitude; the scale multiplies every omega_i = base^(-i/(d/2 - shift)), and
    only geometric spacing has a shift. In given spacing omega_i = scale 2 pi / wavelengths_i, the base does nothing,
    and d_model is twice as many as there are wavelengths. Values: error at most 1e-15 for positions up to 1e7
    (docs/precision.md). Source: Vaswani et al., "Attention Is All You Need", section 3.5, where they are 0, 1, 1 and 0.
    """

    spacing: str = ruled("geometric", _ANY_SPACING)
    start: float = ruled(0.0, rules.START)
    amplitude: float = ruled(1.0, rules.AMPLITUDE)
    scale: float = ruled(1.0, rules.SCALE)
    shift: float = ruled(0.0, rules.SHIFT)
    wavelengths: tuple[float, ...] = ruled((), rules.WAVELENGTHS)

    kind: ClassVar[str] = "sinusoidal"
    title: ClassVar[str] = "Sinusoidal"
    is_shift_invariant: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_fields(self)
        if self.wavelengths and self.spacing != GIVEN:
            raise ValueError(f"wavelengths need spacing given: {self.spacing} has its own")
        if self.spacing == GIVEN and self.d_model != 2 * len(self.wavelengths):
            count = grouped(len(self.wavelengths))
            raise ValueError(f"d_model must be twice as many as the {count} given wavelengths: {self.d_model} is not")
        if self.shift == 0:
            return
        n_pairs = self.d_model // 2
        shift = f"{self.shift:.12g}"
        if self.spacing != "geometric":
            raise ValueError(f"shift must be 0 in {self.spacing} spacing: {shift} is not")
        if self.shift >= n_pairs:
            raise ValueError(f"shift must be below d_model / 2 = {grouped(n_pairs)}: {shift} is not")
        # Slower hands stand still.
        if (n_pairs - 1) / (n_pairs - self.shift) * math.log(self.base) > -math.log(rules.MIN_FREQUENCY):
            sizes = f"d_model {grouped(self.d_model)} and base {grouped(self.base)}"
            raise ValueError(f"shift must leave no frequency below {rules.MIN_FREQUENCY}: {shift} does with {sizes}")

    @property
    def formulas(self) -> tuple[str, ...]:
        n_pairs = self.d_model // 2
        factor = "" if self.amplitude == 1 else f"{in_formula(self.amplitude)} "
        angle = "t ω_i" if self.start == 0 else f"(t {signed(self.start)}) ω_i"
        share = f"i/({in_formula(n_pairs)} {signed(-self.shift)})" if self.shift else ""
        omega: tuple[str, ...] = (frequency_formula(n_pairs, self.base, self.spacing, self.scale, share),)
        if self.spacing == GIVEN:
            omega = given_formulas(self.wavelengths, self.scale)
        return (*pair_formulas(self.layout, n_pairs, angle, factor), *omega)

    @cached_property
    def pairs(self) -> SinusoidalPairs:
        factors = self.start, self.amplitude, self.scale, self.shift
        return SinusoidalPairs(self.d_model, self.base, self.spacing, self.layout, *factors, given=self.wavelengths)

    @cached_property
    def value_limit(self) -> float:
        return self.amplitude

    def values_after(self, positions: Numbers, offset: float, dimensions: Numbers | None = None) -> Floats:
        return replace(self.pairs, ahead=offset).values(positions, dimensions)


@record
class WaveKind(Encoding):
    """Base of kinds whose columns are sines and cosines of evenly turning hands without being pairs of the encoding."""

    n_positions: int = ruled(128, rules.N_POSITIONS)
    d_model: int = ruled(32, rules.D_MODEL)
    base: float = ruled(10000.0, rules.BASE)

    @property
    @kept
    def column_waves(self) -> ColumnWaves:
        return self.waves()

    @abstractmethod
    def waves(self) -> ColumnWaves:
        """The `column_waves`, which are kept."""

    @property
    def hands(self) -> SinusoidalPairs:
        """The hands; their own columns are not used."""
        hands = self.column_waves.hands
        assert isinstance(hands, SinusoidalPairs)
        return hands

    @property
    def turning_pairs(self) -> Pairs | None:
        return self.hands if self.d_model > self.hands.count else None

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        waves = self.column_waves
        columns = encoding.table_columns(dimensions, self.d_model)
        shown = waves.numbers[columns], waves.is_cosine[columns]
        return column_values(position_rows(positions), self.hands.frequencies, *shown)


# Those of tensor2tensor, which fairseq follows.
_SPACING: Final = "inclusive"
_LAYOUT: Final = "half-split"


@record
class PaddedEncoding(WaveKind):
    """PE(padding_idx, c) = 0; elsewhere PE(p, i) = sin(p omega_i), PE(p, d/2 + i) = cos(p omega_i), inclusive spacing.

    The first token reads row padding_idx + 1. Between whole positions, however near to padding_idx, the sinusoids are
    not zero; a padding_idx beyond the table leaves all its rows as they are. Source: fairseq,
    sinusoidal_positional_embedding.py.
    """

    padding_idx: int = ruled(1, rules.PADDING_INDEX)

    kind: ClassVar[str] = "padded"
    title: ClassVar[str] = "Sinusoidal, padding row"

    @property
    def formulas(self) -> tuple[str, ...]:
        n_pairs = self.d_model // 2
        row = in_formula(self.padding_idx)
        empty = f"PE({row}, c) = 0, and for t ≠ {row}"
        omega = frequency_formula(n_pairs, self.base, _SPACING)
        return (empty, *pair_formulas(_LAYOUT, n_pairs, "t ω_i"), omega)

    @property
    def empty_row(self) -> int:
        return self.padding_idx

    def waves(self) -> ColumnWaves:
        hands = SinusoidalPairs(self.d_model, self.base, _SPACING, _LAYOUT)
        return ColumnWaves(hands, *column_pairs(_LAYOUT, hands.count, np.arange(self.d_model)))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        rows = position_rows(positions)
        result = self.hands.values(rows, dimensions)
        result[np.asarray(rows) == self.padding_idx] = 0.0
        return result
