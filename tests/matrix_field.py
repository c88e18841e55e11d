"""A field of values that are held as a whole, for tests of what draws fields."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.fields.field import Blocks, Field, Means


@dataclass(frozen=True, eq=False)
class MatrixField(Field):
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
        """The exact mean of every block, summed cell by cell."""
        return _axis_means(_axis_means(self.array, rows, axis=0), columns, axis=1)

    def value(self, row: int, column: int) -> float:
        """One cell."""
        return float(self.array[row, column])


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
