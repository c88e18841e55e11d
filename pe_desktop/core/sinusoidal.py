"""The sinusoidal positional encoding of "Attention Is All You Need", in its spacings and layouts."""

from dataclasses import dataclass, fields

import numpy as np

from pe_desktop.core.encoding import Floats, Integers, Numbers
from pe_desktop.core.formulas import sinusoidal_formulas
from pe_desktop.core.frequencies import SPACINGS, Frequencies, frequencies
from pe_desktop.core.hands import fill_hands, hand_tiles
from pe_desktop.core.layouts import LAYOUTS, all_pair_columns, column_pairs, column_slices, pair_columns
from pe_desktop.core.phases import angles
from pe_desktop.core.rules import BASE, D_MODEL, N_POSITIONS, checked_word
from pe_desktop.core.windows import Rows, index_rows, position_rows, split


@dataclass(frozen=True, slots=True)
class SinusoidalPairs:
    """The d_model / 2 pairs of a sinusoidal encoding; each turns by omega_i radians a position, clockwise from 12."""

    d_model: int
    base: float
    spacing: str
    layout: str

    @property
    def count(self) -> int:
        """d_model / 2."""
        return self.d_model // 2

    @property
    def angular_frequencies(self) -> Floats:
        """omega_i, shape (count,), radians per position, correctly rounded, read-only."""
        return self.frequencies.angular

    @property
    def wavelengths(self) -> Floats:
        """2 pi / omega_i, shape (count,), positions per turn, read-only."""
        return self.frequencies.wavelengths

    @property
    def frequencies(self) -> Frequencies:
        """The frequencies as radians and as exact fractions of a turn."""
        return frequencies(self.d_model, self.base, self.spacing)

    @property
    def columns(self) -> Integers:
        """The columns of the sine and the cosine of every pair, shape (count, 2)."""
        return all_pair_columns(self.layout, self.count)

    def dimensions(self, pair: int) -> tuple[int, int]:
        """The columns of the sine and of the cosine of a pair; ValueError for a pair that does not exist."""
        return pair_columns(self.layout, self.count, index_rows(pair, self.count, "pair").item())

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles p omega_i, reduced to [-pi, pi], shape (len(positions), len(pairs)), radians."""
        part = split(position_rows(positions))
        result = angles(part.wholes, part.remainders, self._frequencies_of(pairs))
        if part.is_negative is not None:
            np.negative(result, out=result, where=part.is_negative[:, np.newaxis])
        return result

    def hands(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The tips of the hands, shape (len(positions), len(pairs), 2): x = sin, y = cos, the bits of the table."""
        rows = position_rows(positions)
        some = self._frequencies_of(pairs)
        result = np.empty((len(rows), len(some.angular)), dtype=np.complex128)
        fill_hands(rows, some, result)
        return result.view(np.float64).reshape(*result.shape, 2)

    def _frequencies_of(self, pairs: Numbers | None) -> Frequencies:
        return self.frequencies if pairs is None else self.frequencies.some(index_rows(pairs, self.count, "pairs"))


@dataclass(frozen=True, slots=True)
class SinusoidalEncoding:
    """PE(p, sine of pair i) = sin(p omega_i), PE(p, cosine of pair i) = cos(p omega_i).

    Source: Vaswani et al., "Attention Is All You Need", section 3.5. Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32
    base: float = 10000.0
    spacing: str = "geometric"
    layout: str = "interleaved"

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_positions", N_POSITIONS.checked(self.n_positions))
        object.__setattr__(self, "d_model", D_MODEL.checked(self.d_model))
        object.__setattr__(self, "base", float(BASE.checked(self.base)))
        checked_word("spacing", self.spacing, SPACINGS)
        checked_word("layout", self.layout, LAYOUTS)

    @property
    def kind(self) -> str:
        """The word on the command line."""
        return "sinusoidal"

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Sinusoidal"

    @property
    def parameters(self) -> dict[str, int | float | str]:
        """What chooses this encoding, by the names of the command line."""
        return {"kind": self.kind} | {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        return sinusoidal_formulas(self.d_model // 2, self.base, self.spacing, self.layout)

    @property
    def pairs(self) -> SinusoidalPairs:
        """The pairs that turn together."""
        return SinusoidalPairs(self.d_model, self.base, self.spacing, self.layout)

    @property
    def is_shift_invariant(self) -> bool:
        """True: p_t . p_(t+k) = sum of cos(k omega_i), whatever t."""
        return True

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), at a cost of that window alone.

        Error at most 1e-15 for positions up to 1e7 (docs/precision.md). ValueError for what is no position or column.
        """
        rows = position_rows(positions)
        if dimensions is not None:
            return self._columns(rows, index_rows(dimensions, self.d_model, "dimensions"))
        result = np.empty((len(rows), self.d_model))
        if self.layout == "interleaved":
            fill_hands(rows, self.pairs.frequencies, result.view(np.complex128))
            return result
        sines, cosines = (result[:, columns] for columns in column_slices(self.layout, self.d_model // 2))
        for stretch, pairs, hands in hand_tiles(rows, self.pairs.frequencies):
            sines[stretch, pairs] = hands.real
            cosines[stretch, pairs] = hands.imag
        return result

    def _columns(self, rows: Rows, columns: Integers) -> Floats:
        """Some columns in any order, each from its own pair."""
        column_pair, is_cosine = column_pairs(self.layout, self.d_model // 2, columns)
        pairs, which = np.unique(column_pair, return_inverse=True)
        result = np.empty((len(rows), len(columns)))
        # Columns in the order of their pairs, so that a piece of pairs fills a piece of columns.
        order = np.argsort(which, kind="stable")
        ends = np.searchsorted(which[order], np.arange(len(pairs) + 1))
        for stretch, some, hands in hand_tiles(rows, self.pairs.frequencies.some(pairs)):
            targets = order[ends[some.start] : ends[min(some.stop, len(pairs))]]
            result[stretch, targets] = hands.view(np.float64)[:, 2 * (which[targets] - some.start) + is_cosine[targets]]
        return result
