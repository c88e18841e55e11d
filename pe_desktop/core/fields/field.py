"""Fields: tables that give the values of a rectangle of cells, or their exact means."""

import math
from collections.abc import Iterator
from typing import Any, Final, Protocol, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.core.phase import Rows
from pe_desktop.core.record import record

Means: TypeAlias = NDArray[np.floating[Any]]
Singles: TypeAlias = NDArray[np.float32]
# Rows and columns of the requested blocks, and their means.
Tile: TypeAlias = tuple[slice, slice, Singles]

# Means in a tile: their floats, 1 MiB, stay in the cache.
MOST_MEANS: Final = 2**18


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


class Field(Protocol):
    """A table of values that is never held as a whole; it answers for any window at the cost of that window."""

    def __hash__(self) -> int: ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the two ends of the colour map."""

    @property
    def averages(self) -> str:
        """The average that a pixel over many cells shows: "mean" or "root mean square"."""

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The exact average over each block, shape (rows.count, columns.count); single cells where both sizes are 1.

        A block that reaches over the edge of the table averages the cells that exist. At least float32: an error is
        far below one of 256 colours.
        """

    def value(self, row: int, column: int) -> float:
        """One cell in float64, for the read-out."""


@record
class Line:
    """A line that is applied to means: factor times a mean plus summand."""

    factor: float = 1.0
    summand: float = 0.0


class _Tiled(Field, Protocol):
    """A field that gives its means tile by tile at no more cost than all at once."""

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The means of all blocks on the line, cut off at the limits; a tile is valid until the next one.

        None in between where a tile takes long, so that the caller can handle events.
        """


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


class Thinnable(Field, Protocol):
    """A field that sums its means term by term, and may leave some out for a first picture."""

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """The terms that a block adds up."""

    def thinned(self, n_terms: int) -> Field:
        """The same field, with at most so many terms to a block: an even selection of whole ones."""


def is_thinnable(field: Field) -> TypeGuard[Thinnable]:
    """Whether a field is Thinnable; isinstance would take ten microseconds, some times in every frame."""
    return hasattr(type(field), "thinned")


def _is_tiled(field: Field) -> TypeGuard[_Tiled]:
    return hasattr(type(field), "tiles")


def mean_tiles(field: Field, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
    """The means of all blocks of any field, as _Tiled says."""
    if _is_tiled(field):
        yield from field.tiles(rows, columns, line)
        return
    height = max(MOST_MEANS // columns.count, 1)
    for first in range(0, rows.count, height):
        some = Blocks(rows.first + rows.size * first, rows.size, min(height, rows.count - first))
        means = np.clip(field.means(some, columns), *field.limits)
        scaled = np.multiply(means, np.float32(line.factor), dtype=np.float32, casting="same_kind")
        scaled += np.float32(line.summand)
        yield slice(first, first + some.count), slice(0, columns.count), scaled


def check_blocks(blocks: Blocks, n_cells: int) -> None:
    """ValueError unless there are blocks and each holds at least one cell of the table."""
    last = blocks.first + blocks.size * (blocks.count - 1)
    if blocks.count < 1 or blocks.size < 1 or blocks.first < 0 or last >= n_cells:
        raise ValueError(f"blocks must each hold a cell from 0 to {n_cells - 1}: {blocks} do not")


def equal_blocks(blocks: Blocks, n_cells: int) -> list[Blocks]:
    """The same blocks of a table of n_cells cells, in one or two runs of blocks that are whole.

    A last block that reaches over the edge becomes a run of its own, as long as its cells. ValueError as check_blocks.
    """
    check_blocks(blocks, n_cells)
    last = blocks.first + (blocks.count - 1) * blocks.size
    if last + blocks.size <= n_cells:
        return [blocks]
    whole = [Blocks(blocks.first, blocks.size, blocks.count - 1)] if blocks.count > 1 else []
    return [*whole, Blocks(last, n_cells - last, 1)]


def block_lengths(blocks: Blocks, n_cells: int) -> Integers:
    """How many cells of the table each block holds, shape (count,); ValueError as check_blocks."""
    return np.concatenate([np.full(some.count, some.size, dtype=np.int64) for some in equal_blocks(blocks, n_cells)])


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


def even_sample(n_positions: int, most: int) -> Rows:
    """All positions of a table where they are at most so many, else an even sample that holds the first and the last.

    most is at least 2 where it is less than n_positions.
    """
    if n_positions <= most:
        return range(n_positions)
    return np.arange(most, dtype=np.int64) * (n_positions - 1) // (most - 1)


def shift_count(encoding: Encoding, offset: float) -> int:
    """How many t there are with t and t + k in the table."""
    return max(encoding.n_positions - math.ceil(abs(offset)), 0)


def shift_positions(encoding: Encoding, offset: float, most: int) -> Rows:
    """The t with t and t + k in the table, all where they are at most so many, else an even sample of them.

    Where the table has an empty row, the t that stands there or reaches it is always among them.
    """
    first, n_positions = math.ceil(max(-offset, 0)), shift_count(encoding, offset)
    sample = even_sample(n_positions, most)
    if isinstance(sample, range):
        return range(first, first + n_positions)
    if encoding.empty_row is None:
        return sample + first
    touching = (encoding.empty_row, encoding.empty_row - offset)
    there = [t for t in touching if first <= t < first + n_positions and t == int(t)]
    return np.union1d(sample + first, there).astype(np.int64)


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
