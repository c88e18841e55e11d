"""Fields: tables that give the values of a rectangle of cells, or their exact means, and the range of colours."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Span
from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.core.record import record

Means: TypeAlias = NDArray[np.floating[Any]]

_T = TypeVar("_T")
# The values at the two ends of the colours.
Limits: TypeAlias = tuple[float, float]
# Rows and columns of the requested blocks, and their means.
Tile: TypeAlias = tuple[slice, slice, Means]

# Means in a tile: their floats, 2 MiB, stay in the cache.
MOST_MEANS: Final = 2**19


@record
class Blocks:
    """Adjacent runs of cells along one axis: block j holds the cells first + j size to first + (j + 1) size - 1."""

    first: int
    size: int
    count: int

    @property
    def starts(self) -> Integers:
        """The first cell of every block, shape (count,)."""
        return self.first + self.size * np.arange(self.count, dtype=np.int64)

    def stretches(self, most: int) -> Iterator[tuple["Blocks", slice]]:
        """The same blocks, at most so many at a time, and where they stand among all."""
        for first in range(0, self.count, most):
            run = Blocks(self.first + self.size * first, self.size, min(most, self.count - first))
            yield run, slice(first, first + run.count)

    def equal_runs(self, n_cells: int) -> "list[tuple[Blocks, slice]]":
        """The same blocks of a table of n_cells cells, in one or two runs of whole ones, and where these stand.

        A last block that reaches over the edge becomes a run of its own, as long as its cells.
        """
        before = self.count - 1
        last = self.first + before * self.size
        if last + self.size <= n_cells:
            return [(self, slice(0, self.count))]
        whole = [(replace(self, count=before), slice(0, before))] if before else []
        return [*whole, (Blocks(last, n_cells - last, 1), slice(before, self.count))]

    def lengths(self, n_cells: int) -> Integers:
        """How many cells of the table each block holds, shape (count,)."""
        return np.minimum(self.size, n_cells - self.starts)


@record
class Line:
    """A line that is applied to means: factor times a mean plus summand. limits: the means are cut off there before."""

    factor: float = 1.0
    summand: float = 0.0
    limits: Limits | None = None

    def of(self, means: Means) -> Means:
        """Means on the line, float32; where it changes nothing the same ones."""
        if self == _AS_THEY_ARE:
            return means
        cut = means if self.limits is None else np.clip(means, *self.limits)
        return (cut * self.factor + self.summand).astype(np.float32, copy=False)


_AS_THEY_ARE: Final = Line()


@record
class Terms:
    """The terms that a block adds up: how many, of what, and the cost of each where an evenly turning hand costs 1.

    The cost is below 1 where blocks share terms. A block of fewer than `fewest` terms shows mostly noise.
    """

    count: int
    name: str = "hands"
    cost: float = 1
    fewest: int = 1

    @property
    def is_sampled(self) -> bool:
        """Whether they are values of the table, whose means have no closed form."""
        return self.name in ("samples", "values")


class Field(ABC):
    """A table of values that is never held as a whole; it answers for any window at the cost of that window.

    A record. One of `means` and `tiles` follows from the other.
    """

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    @abstractmethod
    def limits(self) -> Limits:
        """The values at the two ends of the colour map."""

    @property
    def averages(self) -> str:
        """The average that a pixel over many cells shows: "mean" or "root mean square"."""
        return "mean"

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first row and the first column of every part, 0 first: no block may mix cells of two parts."""
        return (0,), (0,)

    @property
    def is_symmetric(self) -> bool:
        """Whether a block has the mean of the same cells with row and column exchanged."""
        return False

    @property
    def transposed(self) -> "Field":
        """The field on its side: its rows are the columns of this one."""
        return ShownField(self, self.limits, is_transposed=True)

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The exact average over each block, shape (rows.count, columns.count); single cells where both sizes are 1.

        A block that reaches over the edge of the table averages the cells that exist. At least float32: an error is
        far below one of 256 colours. Each block holds a cell. Read-only where many blocks share a mean.
        """
        shape = rows.count, columns.count
        result: Means | None = None
        for tile in filter(None, self.tiles(rows, columns, _AS_THEY_ARE)):
            if tile[2].shape == shape:
                return tile[2]
            result = np.empty(shape, dtype=tile[2].dtype) if result is None else result
            result[tile[0], tile[1]] = tile[2]
        assert result is not None  # there are blocks
        return result

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The means of all blocks on the line; a tile is valid until the next one.

        None in between where a tile takes long, so that the caller can handle events.
        """
        for run, places in rows.stretches(max(MOST_MEANS // columns.count, 1)):
            yield places, slice(0, columns.count), line.of(self.means(run, columns))

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """The terms that a block adds up; one where nothing can be left out."""
        return Terms(1)

    def thinned(self, n_terms: int) -> "Field":
        """The same field, with at most so many terms to a block, an even selection of whole ones, for a first picture.

        The field itself where nothing can be left out.
        """
        return self

    def value(self, row: int, column: int) -> float:
        """One cell in float64, for the read-out."""
        return float(self.means(Blocks(row, 1, 1), Blocks(column, 1, 1))[0, 0])

    @property
    def has_slow_limits(self) -> bool:
        """Whether it has to search for its limits, unless they are given."""
        return False

    def quick_limits(self) -> Limits:
        """About the limits, within a millisecond."""
        return self.limits

    def reaching(self, limits: Limits) -> "Field":
        """The field with other values at the ends of its colours."""
        return self if not self.has_slow_limits and limits == self.limits else ShownField(self, limits)


@record
class ShownField(Field):
    """A field as it is shown: with other values at the two ends of the colours, or on its side, rows as columns."""

    field: Field
    limits: Limits
    is_transposed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return self._turned(*self.field.shape)

    @property
    def averages(self) -> str:
        return self.field.averages

    @property
    def is_symmetric(self) -> bool:
        return self.field.is_symmetric

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self._turned(*self.field.parts)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        for tile in self.field.tiles(*self._turned(rows, columns), line):
            if tile is None or not self.is_transposed:
                yield tile
            else:
                yield tile[1], tile[0], tile[2].T

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        return self.field.terms(*self._turned(rows, columns))

    def thinned(self, n_terms: int) -> Field:
        return replace(self, field=self.field.thinned(n_terms))

    def value(self, row: int, column: int) -> float:
        return self.field.value(*self._turned(row, column))

    def reaching(self, limits: Limits) -> Field:
        return replace(self, limits=limits)

    def _turned(self, of_rows: _T, of_columns: _T) -> tuple[_T, _T]:
        return (of_columns, of_rows) if self.is_transposed else (of_rows, of_columns)


# A longer block of positions is averaged over an even sample of so many of its vectors, of wide ones of so many as have
# _VALUES_PER_BLOCK together: a frame with 250 blocks on each side costs 2 million values at any d_model up to that.
_SAMPLES_PER_BLOCK: Final = 64
_VALUES_PER_BLOCK: Final = 2**12
# A larger block of a table whose hands don't turn evenly is averaged over so many of its cells, which keeps a window of
# half a million blocks below a second.
CELLS_PER_BLOCK: Final = 16


def samples_per_block(d_model: int) -> int:
    """How many vectors of so many values stand for a long block of positions: 64 up to 64, 8 at 512, 1 from 4096 on."""
    return max(min(_SAMPLES_PER_BLOCK, _VALUES_PER_BLOCK // d_model), 1)


def even_sample(n_positions: int, most: int) -> Integers:
    """All positions of a table where they are at most so many, else an even sample that holds the first and the last.

    most is at least 2 where it is less than n_positions.
    """
    count = min(n_positions, most)
    return np.arange(count, dtype=np.int64) * (n_positions - 1) // max(count - 1, 1)


def shift_positions(encoding: Encoding, offset: float, most: int) -> Integers:
    """The t with t and t + k in the table, all where they are at most so many, else an even sample of them.

    Where the table has an empty row, the t that stands there or reaches it is always among them.
    """
    every = encoding.shift_range(offset)
    sample = even_sample(len(every), most) + every.start
    if len(sample) == len(every) or encoding.empty_row is None:
        return sample
    touching = (encoding.empty_row, encoding.empty_row - offset)
    there = [t for t in touching if every.start <= t < every.stop and t == int(t)]
    return np.union1d(sample, there).astype(np.int64)


def even_places(size: int, most: int) -> Integers:
    """Where a block of so many cells is sampled: everywhere, or in the middles of as many equal parts as allowed."""
    n_samples = min(size, most)
    return (2 * np.arange(n_samples, dtype=np.int64) + 1) * size // (2 * n_samples)


def even_neighbours(size: int, most: int) -> Integers:
    """All dimensions, or about so many: neighbours from even places, which may be the sine and cosine of one hand."""
    if most >= size:
        return np.arange(size)
    if most < 2:
        return even_places(size, 1)
    firsts = 2 * even_places(size // 2, most // 2)
    return np.sort(np.concatenate([firsts, firsts + 1]))


# Up to so many values of a table all are measured; of more an even sample of about so many.
MEASURED_CELLS: Final = 2**22


@record
class _Effort:
    """How many values are evaluated for a range of colours.

    n_blocks: so many cells of a side are evaluated one by one; of more, the means over so many blocks. most_hands: the
    cost of all terms; above it an even selection of terms is taken that costs fewer_hands.
    """

    n_blocks: int
    most_hands: int
    fewer_hands: int


_FULL: Final = _Effort(1024, 2**28, 2**25)
# A millisecond or two: for the range that a frame shows first; what costs at most _AT_ONCE is exact at once.
_QUICK: Final = _Effort(64, 2**19, 2**19)
_AT_ONCE: Final = 2**20
# The shares of the visible values that are cut off below and above, among the means over so many blocks of a side.
_FEW, _SHARED_BLOCKS = 0.05, 512
# A range of the same value would have no colours.
_NARROWEST_SHARE: Final = 1e-3


class ColorScale(NamedTuple):
    """The values at the two ends of the colours; is_seen: those of the visible part; is_cut: whether others lie beyond.

    is_quick: an estimate that better ones may replace.
    """

    limits: Limits
    is_seen: bool = False
    is_cut: tuple[bool, bool] = (False, False)
    is_quick: bool = False

    def of(self, field: Field) -> Field:
        """The field with these values at the ends of its colours."""
        return field.reaching(self.limits)


def scale_takes_long(field: Field, color_range: Span | str, rows: Span, columns: Span) -> bool:
    """Whether color_scale takes longer than a frame should."""
    if field.has_slow_limits:
        return True
    if color_range not in ("seen", "most"):
        return False
    runs = [(down, across, field.terms(down, across)) for down, across in _windows(field, rows, columns, _FULL)]
    costs = (down.count * across.count * terms.count * terms.cost for down, across, terms in runs if terms.count > 1)
    return sum(costs) > _AT_ONCE


def quick_scale(field: Field, color_range: Span | str, rows: Span, columns: Span) -> ColorScale:
    """About the same as color_scale, from few means of few terms."""
    field = field.reaching(field.quick_limits())
    return color_scale(field, color_range, rows, columns, _QUICK)._replace(is_quick=True)


def color_scale(
    field: Field, color_range: Span | str, rows: Span, columns: Span, effort: _Effort = _FULL
) -> ColorScale:
    """The ends of the colours for a window of a field, whose cell i reaches from i to i + 1.

    color_range is one of COLOR_RANGES or typed. Where the field has values below 0 and 0 was included, it
    stays in the middle: the colours reach as far to both sides as to the farther one.
    """
    if color_range == "whole":
        return ColorScale(field.limits)
    if color_range == "seen":
        return ColorScale(_seen_limits(field, rows, columns, effort), is_seen=True)
    if isinstance(color_range, str):
        low, high = _most_limits(field, rows, columns, effort)
    else:
        low = color_range.first
        high = color_range.last
    lowest, highest = field.limits
    if lowest < 0:
        reach = max(-low, high)
        low, high = (-reach, reach) if low < 0 < high else (low, high)
    elif high > 0:
        low = max(low, 0.0)
    return ColorScale((low, high), is_cut=(low > lowest, high < highest))


@lru_cache(maxsize=8)
def _seen_limits(field: Field, rows: Span, columns: Span, effort: _Effort = _FULL) -> Limits:
    """The least and the greatest value in a window, whose cell i reaches from i to i + 1.

    As far to both sides of 0 where both are seen; those of the field where one value alone is.
    Exact in a window of up to 1024 x 1024 cells; in a larger one of the means over as many blocks, as a picture shows,
    and for very wide encodings of some of their dimensions, as a coarse picture shows.
    """
    means = _means(field, rows, columns, effort)
    least = min(float(part.min()) for part in means)
    greatest = max(float(part.max()) for part in means)
    if least < 0 < greatest:
        greatest = max(-least, greatest)
        least = -greatest
    return (least, greatest) if greatest > least else field.limits


@lru_cache(maxsize=8)
def _most_limits(field: Field, rows: Span, columns: Span, effort: _Effort = _FULL) -> Limits:
    """The values between which all but a twentieth on either side of a window lies; those of the field where it is one.

    The diagonal of a similarity map lies beyond: what surrounds it gets all the colours.
    """
    effort = replace(effort, n_blocks=min(effort.n_blocks, _SHARED_BLOCKS))
    values = np.concatenate(_means(field, rows, columns, effort), axis=None)
    low, high = quantiles(values, _FEW, 1.0 - _FEW)
    return (low, high) if high - low > _NARROWEST_SHARE * max(abs(low), abs(high)) else field.limits


def quantiles(values: Means, *shares: float) -> list[float]:
    """As np.quantile, whose first call loads numpy.ma, at ascending shares; puts the values in another order.

    One selection after another, in place: a copy of a million values takes longer than to select among them.
    """
    found = []
    last = len(values) - 1
    n_left_out = 0
    for share in shares:
        place = share * last - n_left_out
        before = int(place)
        values.partition(before)
        low = float(values[before])
        after = float(values[before + 1 :].min(initial=np.inf))
        found.append(low + (place - before) * (after - low) if place > before else low)
        values, n_left_out = values[before:], n_left_out + before
    return found


def _means(field: Field, rows: Span, columns: Span, effort: _Effort) -> list[Means]:
    """The means in a window, part by part; of a thinned field where they would cost more than the effort has."""
    found = []
    for down, across in _windows(field, rows, columns, effort):
        terms = field.terms(down, across)
        cost = down.count * across.count * terms.cost
        is_affordable = terms.count * cost <= effort.most_hands
        shown = field if is_affordable else field.thinned(max(int(effort.fewer_hands / cost), 1))
        found.append(shown.means(down, across))
    return found


def _windows(field: Field, rows: Span, columns: Span, effort: _Effort) -> Iterator[tuple[Blocks, Blocks]]:
    """The blocks of a window whose means are evaluated, part by part."""
    axes = zip((rows, columns), field.shape, field.parts, strict=True)
    down, across = (_blocks(*axis, effort.n_blocks) for axis in axes)
    return product(down, across)


def _blocks(span: Span, n_cells: int, parts: tuple[int, ...], most: int) -> Iterator[Blocks]:
    """The cells of a window in blocks of one size, part by part."""
    first = max(math.floor(span.first), 0)
    last = min(math.ceil(span.last), n_cells)
    size = max(math.ceil((last - first) / most), 1)
    for start, stop in pairwise((*parts, n_cells)):
        left = max(start, first)
        right = min(stop, last)
        n_whole, rest = divmod(right - left, size)
        if n_whole > 0:
            yield Blocks(left, size, n_whole)
        if rest > 0:
            yield Blocks(right - rest, rest, 1)
