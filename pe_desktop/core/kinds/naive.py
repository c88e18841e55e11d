"""Naive encodings: counters, bits, random vectors."""

from dataclasses import replace
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.encoding import LAST_BIT, Bits, Encoding, Floats, Numbers, position_rows, slices, table_columns
from pe_desktop.core.number_text import grouped, in_formula
from pe_desktop.core.record import record
from pe_desktop.core.rules import N_POSITIONS, SEED, WIDTH, check_fields, choice, ruled
from pe_desktop.core.source.drawn import random_blocks


@record
class CounterEncoding(Encoding):
    """PE(p, 0) = p; the other columns are zero: one number for a position needs one column, however wide the table."""

    n_positions: int = ruled(128, N_POSITIONS)
    d_model: int = ruled(32, WIDTH)

    kind: ClassVar[str] = "counter"
    title: ClassVar[str] = "Counter"
    n_filled: ClassVar[int] = 1

    @property
    def formulas(self) -> tuple[str, ...]:
        quotient = "t" if self.divisor == 1 else f"t/{in_formula(self.divisor)}"
        return (f"PE(t, 0) = {quotient}", *(("PE(t, c) = 0 for c > 0",) if self.d_model > 1 else ()))

    @property
    def value_limit(self) -> float:
        return float(max(self.n_positions - 1, 1))

    @property
    def divisor(self) -> int:
        """What positions are divided by."""
        return 1

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        rows = position_rows(positions)
        columns = table_columns(dimensions, self.d_model)
        result = np.zeros((len(rows), len(columns)))
        result[:, columns == 0] = (np.asarray(rows, dtype=np.float64) / self.divisor)[:, None]
        return result


@record
class NormalisedCounterEncoding(CounterEncoding):
    """PE(p, 0) = p / N, N the length of the table; the other columns are zero.

    Bounded, but the same step is another difference in a text of another length.
    """

    kind: ClassVar[str] = "normalised-counter"
    title: ClassVar[str] = "Normalised counter"
    value_limit: ClassVar[float] = 1.0

    @property
    def divisor(self) -> int:
        return self.n_positions


@record
class BitsEncoding(Encoding):
    """PE(p, c) = bit c of p, the fastest first, or of p xor p/2, of which neighbours differ in one bit alone (Gray).

    A fractional position has the bits of the whole one below; below 0 bits are those of two's complement. ValueError
    where d_model bits are too few for n_positions.
    """

    n_positions: int = ruled(128, N_POSITIONS)
    d_model: int = ruled(32, WIDTH)
    code: str = choice("binary", "gray")

    kind: ClassVar[str] = "bits"

    def __post_init__(self) -> None:
        check_fields(self)
        least = self.least_width(self.n_positions)
        most = grouped(self.n_positions)
        if self.d_model < least:
            raise ValueError(f"d_model must be at least {least} to tell {most} positions apart: {self.d_model} is not")

    @property
    def title(self) -> str:
        return f"{self.code.capitalize()} code"

    @property
    def formulas(self) -> tuple[str, ...]:
        return (f"PE(t, c) = bit c of {'t' if self.code == 'binary' else 't xor t/2'}", "bit 0 is the fastest")

    @property
    def n_filled(self) -> int:
        return self.least_width(self.n_positions)

    @property
    def bits(self) -> Bits:
        return Bits(self.d_model, self.code)

    @classmethod
    def least_width(cls, n_positions: int) -> int:
        return max((n_positions - 1).bit_length(), 1)

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        shifts = np.minimum(table_columns(dimensions, self.d_model), LAST_BIT)
        numbers = np.floor(np.asarray(position_rows(positions), dtype=np.float64)).astype(np.int64)
        if self.code == "gray":
            numbers = numbers ^ (numbers >> 1)
        return ((numbers[:, None] >> shifts) & 1).astype(np.float64)


# Values of one counter: four words give four numbers, two and two from a radius and an angle.
_PER_COUNTER: Final = 4
# Counters at once: each array on the way holds 128 KiB.
_TILE: Final = 2**14


@record
class RandomEncoding(Encoding):
    """PE(p, c) drawn from N(0, 1), independent, the same for the same seed in whatever window it is asked for.

    The words of Philox 4x32-10, keyed by the seed and counted by position and column, made normal by Box and Muller's
    formula. A fractional position has the values of the whole one below.
    """

    n_positions: int = ruled(128, N_POSITIONS)
    d_model: int = ruled(32, WIDTH)
    seed: int = ruled(0, SEED)

    kind: ClassVar[str] = "random"
    title: ClassVar[str] = "Random vectors"
    value_limit: ClassVar[float] = 4.0

    @property
    def formulas(self) -> tuple[str, ...]:
        return ("PE(t, c) drawn from N(0, 1)", f"seed {self.seed}")

    @property
    def redrawn(self) -> Encoding:
        return replace(self, seed=self.seed - 1 if self.seed else 1)

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        columns = table_columns(dimensions, self.d_model)
        rows = np.floor(np.asarray(position_rows(positions), dtype=np.float64)).astype(np.int64)
        blocks, which = np.unique(columns // _PER_COUNTER, return_inverse=True)
        places = _PER_COUNTER * which + columns % _PER_COUNTER
        result = np.empty((len(rows), len(columns)))
        for part in slices(len(rows), _TILE // max(len(blocks), 1)):
            result[part] = random_blocks(rows[part], blocks, self.seed).take(places, axis=1)
        return result
