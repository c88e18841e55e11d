"""The base of every positional encoding and of the hands that some of them have, and what they take as positions."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION, MAX_HELD_VALUES, check_fields, rules_of, shown

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Singles: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = float | Sequence[float] | Sequence[int] | range | Floats | Integers

# Positions after reading: a range stays one, so that ten million rows need no list of them.
Rows: TypeAlias = range | Integers | Floats
_Array = TypeVar("_Array", bound=NDArray[Any])


def read_only(array: _Array) -> _Array:
    """The same array, which is kept and which nobody may change."""
    array.flags.writeable = False
    return array


def position_rows(positions: Numbers) -> Rows:
    """Positions, one or many; ValueError with a sentence for numbers that are not finite or too large."""
    rows = positions if isinstance(positions, range) else _numbers(positions, "positions")
    if len(rows):
        ends = (rows[0], rows[-1]) if isinstance(rows, range) else (np.minimum.reduce(rows), np.maximum.reduce(rows))
        # The least of numbers among which one is NaN is NaN.
        if not all(map(math.isfinite, ends)):
            raise ValueError("positions must be finite: NaN and infinity have no row")
        furthest = max(ends, key=abs)
        if abs(furthest) > MAX_ABSOLUTE_POSITION:
            limit = grouped(MAX_ABSOLUTE_POSITION)
            raise ValueError(f"positions must lie from -{limit} to {limit}: {shown(furthest)} does not")
    return rows


def index_rows(numbers: Numbers, count: int, name: str) -> Integers:
    """Columns or pairs; ValueError with a sentence for numbers that are not whole or not from 0 to count - 1."""
    given = _numbers(numbers, name)
    if given.dtype == np.int64 and (not given.size or (given.min() >= 0 and given.max() < count)):
        return given.view(np.int64)
    is_wrong = ~((given >= 0) & (given < count) & (given == np.rint(given)))
    if np.any(is_wrong):
        raise ValueError(f"{name} must be whole numbers from 0 to {grouped(count - 1)}: {given[is_wrong][0]} is not")
    return given.astype(np.int64, copy=False)


def table_columns(dimensions: Numbers | None, d_model: int) -> Integers:
    """The columns of a window, shape (len(dimensions),): all of them, in order, for None; ValueError as index_rows."""
    return index_rows(range(d_model) if dimensions is None else dimensions, d_model, "dimensions")


def check_held(shape: Sequence[int], otherwise: str = "encoding[3:9] takes a window of a table") -> None:
    """ValueError with a sentence, and another way, for an array that is too large to be held at once."""
    size, most = (n_values * 8 / 2**30 for n_values in (math.prod(shape), MAX_HELD_VALUES))
    if size > most:
        sides = " x ".join(map(grouped, shape))
        limit = f"more than the {most:g} GiB that are held at once; {otherwise}"
        raise ValueError(f"{sides} values take {size:,.1f} GiB, {limit}")


def ends_of(values: NDArray[Any]) -> tuple[float, float]:
    """The least and the greatest of some numbers."""
    return float(values.min()), float(values.max())


def slices(count: int, most: int) -> Iterator[slice]:
    """So many things as slices of at most so many, and of one at least."""
    return (slice(first, first + max(most, 1)) for first in range(0, count, max(most, 1)))


def _indexed(count: int, index: Any, name: str) -> Any:
    """The one of so many that a whole number means, as Python counts, or the range of them that a slice means."""
    try:
        return range(count)[index]
    except IndexError:
        raise IndexError(f"{name} must be from {-count} to {count - 1}: {shown(index)} is not") from None
    except TypeError:
        raise TypeError(f"{name} must be a whole number or a slice: values(...) takes lists and fractions") from None


def _numbers(numbers: Numbers, name: str) -> Integers | Floats:
    """One flat array of int64 or float64."""
    try:
        if isinstance(numbers, range):  # which NumPy would go through one by one
            given = np.arange(numbers.start, numbers.stop, numbers.step)
        else:
            given = np.asarray(numbers)
            given = given if given.ndim else given.reshape(1)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be one number or one row of numbers") from error
    if given.ndim != 1:
        raise ValueError(f"{name} must be one number or one row of numbers: an array of shape {given.shape} is not")
    if given.size and given.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be plain numbers: {shown(given[0])} is not")
    if given.dtype.kind == "i":
        return given.astype(np.int64, copy=False)
    # Unsigned numbers too: those beyond int64 must be refused as too large, not wrap to negative ones.
    return given.astype(np.float64, copy=False)


# The line between rounding and failure, relative to what is measured: float64 loses 1e-14 at most here.
ROUNDING: Final = 1e-12


class Turning(ABC):
    """Hands on the face of a clock, their angles and turns; a frozen, hashable value."""

    # Whether the angle of every hand is (start + p) omega_i, whatever p: only then there is an M_k.
    turns_evenly: ClassVar[bool] = True
    # Whether every hand is as long at all positions as at 0: then M_k turns and does nothing else.
    keeps_length: ClassVar[bool] = True

    @property
    @abstractmethod
    def count(self) -> int:
        """How many there are."""

    @property
    @abstractmethod
    def angular_frequencies(self) -> Floats:
        """omega_i, shape (count,), radians per position, read-only."""

    @property
    @abstractmethod
    def wavelengths(self) -> Floats:
        """2 pi / omega_i, shape (count,), positions per turn, read-only."""

    @property
    def lengths(self) -> Floats:
        """The length of every hand, shape (count,), read-only: 1 in the paper, the amplitude otherwise."""
        return np.ones(self.count)

    @abstractmethod
    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles of the hands at positions of the table, reduced to [-pi, pi], shape (len(positions), len(pairs)).

        Radians, clockwise from 12 o'clock on the clock; (start + p) omega_i where hands turn evenly. Positions may be
        fractional, negative or beyond the table.
        """

    def lengths_at(self, positions: Numbers) -> Floats:
        """The lengths of all hands at positions of the table, shape (len(positions), count)."""
        return np.broadcast_to(self.lengths, (len(position_rows(positions)), self.count))

    def turns(self, positions: Numbers, offset: float, pairs: Numbers | None = None) -> Floats:
        """How far hands turn from t to t + k, whole turns counted too, shape (len(positions), len(pairs)), radians.

        Clockwise; k omega_i where hands turn evenly, whatever t.
        """
        turned = offset * self.angular_frequencies[self._numbers(pairs)]
        return np.broadcast_to(turned, (len(position_rows(positions)), len(turned)))

    def _numbers(self, pairs: Numbers | None) -> Integers:
        """The numbers of some hands, of all of them for None; ValueError for a hand that does not exist."""
        return np.arange(self.count) if pairs is None else index_rows(pairs, self.count, "pairs")


class Pairs(Turning):
    """The pairs of an encoding: two dimensions turning at one angular frequency, a hand of the clock each."""

    @property
    @abstractmethod
    def columns(self) -> Integers:
        """The columns of the sine and the cosine of every pair in the current layout, shape (count, 2)."""

    def dimensions(self, pair: int) -> tuple[int, int]:
        """The columns of the sine and the cosine of one pair; ValueError for a pair that does not exist."""
        sine, cosine = self.columns[index_rows(pair, self.count, "pair").item()].tolist()
        return sine, cosine

    @abstractmethod
    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles k omega_i by which hands turn over an offset, in [-pi, pi], shape (len(offsets), len(pairs)).

        ValueError with a sentence where hands don't turn evenly: there the angle depends on the position too.
        """

    def offset_hands(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        """Sine and cosine of the offset_angles, as exact as the table, shape (len(offsets), len(pairs), 2)."""
        angles = self.offset_angles(offsets, pairs)
        return np.stack((np.sin(angles), np.cos(angles)), axis=-1)

    def hands(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The tips of the hands, shape (len(positions), len(pairs), 2): length times sine and cosine of the angle.

        x and y are the values of the table.
        """
        angles = self.angles(positions, pairs)
        return np.stack((np.sin(angles), np.cos(angles)), axis=-1) * self.lengths[self._numbers(pairs), None]

    def exponent(self, pair: int) -> tuple[int, float] | None:
        """The numbers x and y with omega_i = scale base^(-x/y), for pairs beyond the last one too.

        None where frequencies are no powers of a base.
        """
        return None

    @property
    def squared_norm(self) -> float:
        """|p_t|^2 = sum of a_i^2, at any position: half of d where hands have length 1."""
        return float(np.sum(self.lengths**2))


# Positions have fewer bits than this; a longer shift would not be defined.
LAST_BIT: Final = 62


@record
class Bits(Turning):
    """The smooth version of bits: hand b stands at 2 pi t / period_b, and bit b is 1 in one half of its dial.

    The table holds the bits, not these angles: there are no pairs and no M_k.
    """

    count: int
    code: str

    @property
    def wavelengths(self) -> Floats:
        """The period of each bit in positions, shape (count,): 2^(b + 1), for Gray code 2^(b + 2).

        Infinite for bits beyond those of any position, which never flip.
        """
        bits = np.arange(self.count, dtype=np.float64)
        lengths = np.exp2(np.minimum(bits, LAST_BIT) + (1 if self.code == "binary" else 2))
        return np.where(bits < LAST_BIT, lengths, np.inf)

    @property
    def angular_frequencies(self) -> Floats:
        return 2 * np.pi / self.wavelengths

    @property
    def first_one(self) -> float:
        """The share of a period after which a bit is 1, for half a period."""
        return 0.5 if self.code == "binary" else 0.25

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        """The angles of the hands, reduced to [-pi, pi], shape (len(positions), len(pairs)), exact up to the factor."""
        turns = np.asarray(position_rows(positions))[:, None] / self.wavelengths[self._numbers(pairs)]
        return 2 * np.pi * (turns - np.rint(turns))


@record(eq=False)
class ColumnWaves:
    """Some hands, and for every column of a table which of them it shows and whether its cosine, shape (d_model,).

    The columns of the hands themselves are not used.
    """

    hands: Pairs
    numbers: Integers
    is_cosine: Flags


class Encoding(ABC):
    """A frozen, hashable value that turns positions into vectors: a record whose fields with rules are its parameters.

    Raises ValueError with a sentence where a value breaks a rule. Unless a kind says otherwise its values lie within 1,
    it has no hands, and any width will do.
    """

    # A frame looks up kept values of an encoding some fifty times.
    keeps_hash: ClassVar[bool] = True

    # The id of this kind of encoding on the command line, for instance "sinusoidal".
    kind: ClassVar[str]
    # Whether the dot product of two positions depends on their offset alone: pairs add a_i^2 cos(k omega_i).
    is_shift_invariant: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    @abstractmethod
    def title(self) -> str:
        """The name of this kind of encoding on the screen, for instance "Sinusoidal"."""

    @property
    @abstractmethod
    def n_positions(self) -> int:
        """N: the number of rows of the table."""

    @property
    @abstractmethod
    def d_model(self) -> int:
        """d: the number of dimensions of a vector."""

    @property
    def shape(self) -> tuple[int, int]:
        """(N, d) of the table, which `encoding[37]`, `encoding[3:9, 0]` and `np.asarray(encoding)` compute."""
        return self.n_positions, self.d_model

    def __len__(self) -> int:
        return self.n_positions

    def __getitem__(self, index: Any) -> Any:
        """Rows of the table, or rows and columns, by whole numbers and slices: IndexError for one that isn't there."""
        rows, columns, *others = (*index, slice(None)) if isinstance(index, tuple) else (index, slice(None))
        if len(others) > 1:
            raise IndexError(f"a table has rows and columns: {len(others) + 1} indices are too many")
        axes = _indexed(self.n_positions, rows, "position"), _indexed(self.d_model, columns, "dimension")
        window = [axis if isinstance(axis, range) else range(axis, axis + 1) for axis in axes]
        check_held([len(axis) for axis in window])
        return self.values(*window)[tuple(slice(None) if isinstance(axis, range) else 0 for axis in axes)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """The whole table, for NumPy; ValueError with a sentence for one that is too large, and without a copy."""
        if copy is False:
            raise ValueError("an encoding holds no table: its array is always made anew")
        check_held(self.shape)
        return self.values(range(self.n_positions)).astype(dtype or np.float64, copy=False)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of this encoding, by the names of the command line."""
        return {"kind": self.kind} | {name: getattr(self, name) for name in rules_of(type(self))}

    @property
    def told(self) -> dict[str, str]:
        """The same as texts; lists of nothing are left out, those of numbers have blanks between them."""
        given = self.parameters.items()
        return {
            name: " ".join(map(repr, one)) if isinstance(one, tuple) else str(one) for name, one in given if one != ()
        }

    @property
    @abstractmethod
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers, a line each; _ and ^ mark sub- and superscripts, {} groups them."""

    @property
    def pairs(self) -> Pairs | None:
        """The pairs that turn together, or None for an encoding without angular frequencies."""
        return None

    @property
    @lru_cache(maxsize=2)  # noqa: B019 - not in the encoding, which may stay in the history
    def column_waves(self) -> ColumnWaves | None:
        """The evenly turning hands whose sines and cosines the columns are, in all rows but an empty one, or None."""
        pairs = self.pairs
        if pairs is None or not pairs.turns_evenly:
            return None
        places = np.argsort(pairs.columns, axis=None)
        return ColumnWaves(pairs, places // 2, places % 2 == 1)

    @property
    def bits(self) -> Bits | None:
        """The hands of the columns where they are bits."""
        return None

    def shift_range(self, offset: float) -> range:
        """The t with t and t + k in the table."""
        first = math.ceil(max(-offset, 0.0))
        return range(first, first + max(self.n_positions - math.ceil(abs(offset)), 0))

    @property
    def face_hands(self) -> Turning | None:
        """The hands on the face of the clock: pairs, or the hands of bits; None for columns of other kinds."""
        return self.bits if self.turning_pairs is None else self.turning_pairs

    @property
    def turning_pairs(self) -> Pairs | None:
        """The pairs, or the hands of columns most of which are the sine and the cosine of one."""
        return self.pairs

    @property
    def empty_row(self) -> int | None:
        """The row of zeros among the rows of its waves, perhaps beyond the table, or None."""
        return None

    @property
    def n_filled(self) -> int:
        """How many columns, the first ones, are anything but zero throughout; at least one."""
        return self.d_model

    @property
    def value_limit(self) -> float:
        """A bound of |value| in the table, for colour maps; random vectors exceed it now and then."""
        return 1.0

    @property
    def redrawn(self) -> "Encoding | None":
        """The same with other values where they are drawn from a seed; None where the formula alone gives them."""
        return None

    @classmethod
    def least_width(cls, n_positions: int) -> int | None:
        """How many columns so many positions need; None where any width will do."""
        return None

    @abstractmethod
    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), float64, at a cost of that window alone.

        dimensions None means all of them, in order. Positions may be fractional, negative or beyond the table.
        """

    def values_after(self, positions: Numbers, offset: float, dimensions: Numbers | None = None) -> Floats:
        """PE at t + k for positions t, shape as of `values`; the sinusoidal encoding doesn't round the sum t + k."""
        return self.values(np.asarray(positions) + offset, dimensions)
