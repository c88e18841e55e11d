"""A field of values that are held as a whole, for tests of what draws fields."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.fields.field import Blocks, Field, Means
from tests.core.exact import block_means


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
        return np.asarray(block_means(self.array, rows, columns))

    def value(self, row: int, column: int) -> float:
        """One cell."""
        return float(self.array[row, column])
