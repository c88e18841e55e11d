"""What a heat map draws: a rectangle of cells whose values, and whose exact means over blocks, can be asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Integers

Means: TypeAlias = NDArray[np.floating[Any]]
Singles: TypeAlias = NDArray[np.float32]
# Which rows and which columns of the blocks that were asked for, and their means.
Tile: TypeAlias = tuple[slice, slice, Singles]

# Means in a tile: their floats, 1 MiB, stay in the cache.
_MOST_MEANS: Final = 2**18


@dataclass(frozen=True, slots=True)
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

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the two ends of the colour map."""

    @property
    def averages(self) -> str:
        """What a pixel that covers many cells shows: "mean" or "root mean square"."""

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The exact average over each block, shape (rows.count, columns.count); single cells where both sizes are 1.

        A block that reaches over the edge of the table averages the cells that exist. At least float32: an error is
        far below one of 256 colours.
        """

    def value(self, row: int, column: int) -> float:
        """One cell in float64, for the read-out."""


@dataclass(frozen=True, slots=True)
class Line:
    """What means are turned into on their way: factor times a mean plus summand."""

    factor: float = 1.0
    summand: float = 0.0


@runtime_checkable
class Tiled(Protocol):
    """A field that gives its means tile by tile at no more cost than all at once."""

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The means of all blocks on the line, cut off at the limits; a tile is valid until the next one.

        None where a tile takes long and whoever waits for it may do something else.
        """


@dataclass(frozen=True, slots=True)
class Terms:
    """What a block adds up: how many, of what, and what each costs where one evenly turning hand costs 1.

    Below 1 where blocks share terms.
    """

    count: int
    name: str = "hands"
    cost: float = 1


@runtime_checkable
class Thinnable(Protocol):
    """A field that sums its means term by term, and may leave some out for a first picture."""

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """What a block adds up."""

    def thinned(self, n_terms: int) -> Field:
        """The same field, with at most so many terms to a block: an even selection of whole ones."""


def mean_tiles(field: Field, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
    """The means of all blocks of any field, as Tiled says."""
    if isinstance(field, Tiled):
        yield from field.tiles(rows, columns, line)
        return
    height = max(_MOST_MEANS // columns.count, 1)
    for first in range(0, rows.count, height):
        some = Blocks(rows.first + rows.size * first, rows.size, min(height, rows.count - first))
        means = np.clip(field.means(some, columns), *field.limits)
        scaled = np.multiply(means, np.float32(line.factor), dtype=np.float32, casting="same_kind")
        scaled += np.float32(line.summand)
        yield slice(first, first + some.count), slice(0, columns.count), scaled
