"""What a heat map draws: a rectangle of cells whose values, and whose exact means over blocks, can be asked for."""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Integers

Means: TypeAlias = NDArray[np.floating[Any]]


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
