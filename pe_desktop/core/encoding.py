"""The interface of every positional encoding, whatever its kind."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.record import record

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = float | Sequence[float] | Sequence[int] | range | Floats | Integers


class Turning(Protocol):
    """Hands on the face of a clock, their angles and turns; a frozen, hashable value."""

    def __hash__(self) -> int: ...

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def angular_frequencies(self) -> Floats:
        """omega_i, shape (count,), radians per position, read-only."""

    @property
    def wavelengths(self) -> Floats:
        """2 pi / omega_i, shape (count,), positions per turn, read-only."""

    @property
    def lengths(self) -> Floats:
        """The length of every hand, shape (count,), read-only: 1 in the paper, the amplitude otherwise."""

    @property
    def turns_evenly(self) -> bool:
        """Whether the angle of every hand is (start + p) omega_i, whatever p: only then there is an M_k."""

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles of the hands at positions of the table, reduced to [-pi, pi], shape (len(positions), len(pairs)).

        Radians, clockwise from 12 o'clock on the clock; (start + p) omega_i where hands turn evenly. Positions may be
        fractional, negative or beyond the table.
        """

    def turns(self, positions: Numbers, offset: float, pairs: Numbers | None = None) -> Floats:
        """How far hands turn from t to t + k, whole turns counted too, shape (len(positions), len(pairs)), radians.

        Clockwise; k omega_i where hands turn evenly, whatever t.
        """


class Pairs(Turning, Protocol):
    """The pairs of an encoding: two dimensions turning at one angular frequency, a hand of the clock each."""

    @property
    def columns(self) -> Integers:
        """The columns of the sine and the cosine of every pair in the current layout, shape (count, 2)."""

    def dimensions(self, pair: int) -> tuple[int, int]:
        """The columns of the sine and the cosine of one pair; ValueError for a pair that does not exist."""

    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles k omega_i by which hands turn over an offset, in [-pi, pi], shape (len(offsets), len(pairs)).

        ValueError with a sentence where hands don't turn evenly: there the angle depends on the position too.
        """

    def offset_hands(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        """Sine and cosine of the offset_angles, as exact as the table, shape (len(offsets), len(pairs), 2)."""

    def hands(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The tips of the hands, shape (len(positions), len(pairs), 2): length times sine and cosine of the angle.

        x and y are the values of the table.
        """


class Bits(Turning, Protocol):
    """The hands of columns that are bits, one for each column: each turns once in the period of its bit."""

    @property
    def first_one(self) -> float:
        """The share of a period after which a bit is 1, for half a period."""


@record(eq=False)
class ColumnWaves:
    """Some hands, and for every column of a table which of them it shows and whether its cosine, shape (d_model,).

    The columns of the hands themselves are not used.
    """

    hands: Pairs
    numbers: Integers
    is_cosine: NDArray[np.bool_]


class Encoding(Protocol):
    """A frozen, hashable value that turns positions into vectors; core.kinds.kind.Kind answers most of it."""

    def __hash__(self) -> int: ...

    @property
    def kind(self) -> str:
        """The id of this kind of encoding on the command line, for instance "sinusoidal"."""

    @property
    def title(self) -> str:
        """The name of this kind of encoding on the screen, for instance "Sinusoidal"."""

    @property
    def n_positions(self) -> int:
        """N: the number of rows of the table."""

    @property
    def d_model(self) -> int:
        """d: the number of dimensions of a vector."""

    @property
    def parameters(self) -> Mapping[str, int | float | str]:
        """The parameters of this encoding, by the names of the command line."""

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers, a line each; _ and ^ mark sub- and superscripts, {} groups them."""

    @property
    def pairs(self) -> Pairs | None:
        """The pairs that turn together, or None for an encoding without angular frequencies."""

    @property
    def column_waves(self) -> ColumnWaves | None:
        """The evenly turning hands whose sines and cosines the columns are, in all rows but an empty one, or None."""

    @property
    def bits(self) -> Bits | None:
        """The hands of the columns where they are bits."""

    @property
    def empty_row(self) -> int | None:
        """The row of zeros among the rows of its waves, perhaps beyond the table, or None."""

    @property
    def n_filled(self) -> int:
        """How many columns, the first ones, are anything but zero throughout; at least one."""

    @property
    def is_shift_invariant(self) -> bool:
        """Whether the dot product of two positions depends on their offset alone."""

    @property
    def value_limit(self) -> float:
        """A bound of |value| in the table, for colour maps; random vectors exceed it now and then."""

    @property
    def canonical(self) -> "Encoding":
        """The encoding that stands for all with the same table and other parameters, for comparisons."""

    @property
    def redrawn(self) -> "Encoding | None":
        """The same with other values where they are drawn from a seed; None where the formula alone gives them."""

    def least_width(self, n_positions: int) -> int | None:
        """How many columns so many positions need; None where any width will do."""

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), float64, at a cost of that window alone.

        dimensions None means all of them, in order. Positions may be fractional, negative or beyond the table.
        """

    def values_after(self, positions: Numbers, offset: float, dimensions: Numbers | None = None) -> Floats:
        """PE at t + k for positions t, shape as of `values`; the sinusoidal encoding doesn't round the sum t + k."""
