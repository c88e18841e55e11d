"""Columns that are sines or cosines of evenly turning hands, whether or not each hand has both."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Integers, Pairs
from pe_desktop.core.rotation import rotating_pairs


@dataclass(frozen=True, slots=True, eq=False)
class ColumnWaves:
    """Some hands, and for every column of a table which of them it shows and whether its cosine, shape (d_model,).

    The columns of the hands themselves mean nothing here.
    """

    hands: Pairs
    numbers: Integers
    is_cosine: NDArray[np.bool_]


@runtime_checkable
class MadeOfWaves(Protocol):
    """An encoding without pairs whose columns are nevertheless sines and cosines of evenly turning hands.

    Where it has an empty row, they are so in all other rows.
    """

    @property
    def column_waves(self) -> ColumnWaves:
        """Which hands, and which column shows what."""


def column_waves(encoding: Encoding) -> ColumnWaves | None:
    """The waves that the columns of an encoding are; None where they don't turn evenly, or nothing turns."""
    if isinstance(encoding, MadeOfWaves):
        return encoding.column_waves
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return None
    columns = pairs.columns
    numbers = np.empty(encoding.d_model, dtype=np.int64)
    numbers[columns] = np.arange(len(columns))[:, np.newaxis]
    is_cosine = np.ones(encoding.d_model, dtype=np.bool_)
    is_cosine[columns[:, 0]] = False
    return ColumnWaves(pairs, numbers, is_cosine)
