"""Fields of a dense matrix, M_k for instance, and of any field turned on its side."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding_field import Parted, check_blocks
from pe_desktop.core.fields import Blocks, Field, Line, Means, Terms, Thinnable, Tile, mean_tiles


@dataclass(frozen=True, slots=True, eq=False)
class MatrixField:
    """A matrix that is held as a whole, shape (n_rows, n_columns), with the values at the ends of the colour map."""

    array: NDArray[np.floating[Any]]
    limits: tuple[float, float] = (-1.0, 1.0)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n_rows, n_columns = self.array.shape
        return n_rows, n_columns

    @property
    def averages(self) -> str:
        """The plain mean."""
        return "mean"

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The exact mean of every block, summed cell by cell; ValueError for blocks outside the matrix."""
        check_blocks(rows, self.shape[0], "rows")
        check_blocks(columns, self.shape[1], "columns")
        return _axis_means(_axis_means(self.array, rows, axis=0), columns, axis=1)

    def value(self, row: int, column: int) -> float:
        """One cell."""
        return float(self.array[row, column])


@dataclass(frozen=True, slots=True)
class TransposedField:
    """A field on its side: its rows are the other's columns."""

    field: Field

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n_columns, n_rows = self.field.shape
        return n_rows, n_columns

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the two ends of the colour map."""
        return self.field.limits

    @property
    def averages(self) -> str:
        """What a pixel that covers many cells shows."""
        return self.field.averages

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first row of every part that no block may mix."""
        return self.field.column_parts if isinstance(self.field, Parted) else (0,)

    @property
    def column_parts(self) -> tuple[int, ...]:
        """The first column of every part that no block may mix."""
        return self.field.row_parts if isinstance(self.field, Parted) else (0,)

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The average over each block."""
        return self.field.means(columns, rows).T

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The same tile by tile, on a line."""
        for tile in mean_tiles(self.field, columns, rows, line):
            yield None if tile is None else (tile[1], tile[0], tile[2].T)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """What a block adds up; one where the field can leave nothing out."""
        return self.field.terms(columns, rows) if isinstance(self.field, Thinnable) else Terms(1)

    def thinned(self, n_terms: int) -> "TransposedField":
        """The same with at most so many terms to a block."""
        return TransposedField(self.field.thinned(n_terms)) if isinstance(self.field, Thinnable) else self

    def value(self, row: int, column: int) -> float:
        """One cell in float64."""
        return self.field.value(column, row)


def _axis_means(array: NDArray[np.floating[Any]], blocks: Blocks, axis: int) -> Means:
    """The means over the blocks of one axis; the last block may be shorter."""
    stop = min(blocks.first + blocks.size * blocks.count, array.shape[axis])
    window = array[blocks.first : stop] if axis == 0 else array[:, blocks.first : stop]
    if blocks.size == 1:
        return window
    starts = blocks.starts - blocks.first
    sums = np.add.reduceat(window, starts, axis=axis, dtype=np.float64)
    counts = np.diff(np.append(starts, window.shape[axis]))
    return np.asarray(sums / (counts[:, np.newaxis] if axis == 0 else counts))
