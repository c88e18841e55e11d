"""Means over blocks of what depends on the offset alone: rows are positions t, columns positions s, k = s - t."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.fields.field import Blocks, equal_blocks
from pe_desktop.core.fields.means import attenuation
from pe_desktop.core.lags import Progression, turns, weighted_dots

# Pairs in one product of two ranges.
_PAIRS: Final = 2048


class OffsetField(ABC):
    """A field over positions x positions whose cells depend on k alone."""

    __slots__ = ()

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """The number of positions, twice."""

    @property
    @abstractmethod
    def limits(self) -> tuple[float, float]:
        """The values at the two ends of the colour map."""

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The average over each block, shape (rows.count, columns.count), read-only where it is a view of the offsets.

        ValueError for a block without a cell of the table.
        """
        row_runs, column_runs = (equal_blocks(blocks, self.shape[0]) for blocks in (rows, columns))
        parts = [[self.equal_means(some, others) for others in column_runs] for some in row_runs]
        return parts[0][0] if len(row_runs) == len(column_runs) == 1 else np.block(parts)

    @abstractmethod
    def equal_means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The same for blocks that all lie within the table."""


def offsets_between(rows: Blocks, columns: Blocks) -> Progression:
    """The offsets from the centre of a row's block to that of a column's, ascending, none left out."""
    step = math.gcd(*(blocks.size for blocks in (rows, columns) if blocks.count > 1)) or 1
    first = _centre(columns) - _centre(rows) - _reach(rows)
    return Progression(first, step, (_reach(rows) + _reach(columns)) // step + 1)


def by_offset(rows: Blocks, columns: Blocks, values: Floats) -> Floats:
    """Values for offsets_between by row and column, shape (rows.count, columns.count): a read-only view."""
    step = round(offsets_between(rows, columns).step)
    windows = sliding_window_view(values, _reach(columns) // step + 1)[::-1]
    return windows[:: max(rows.size // step, 1), :: max(columns.size // step, 1)]


def wave_means(
    pairs: Pairs,
    weights: NDArray[Any],
    rows: Blocks,
    columns: Blocks,
    shown: Callable[[Floats], Floats] = lambda means: means,
) -> Floats:
    """The mean over each block of n x m cells of the sum of Re(weights_i e^(i k omega_i)), weights shape (n_pairs,).

    It is the value at the offset of the centres, the weights times A_n A_m with A_n = sin(n omega / 2) / (n sin(omega /
    2)). shown: what turns means, in place, into what is seen.
    """
    lags = offsets_between(rows, columns)
    lessened = weights * (attenuation(pairs, rows.size) * attenuation(pairs, columns.size))
    if lags.count > 2 * rows.count * columns.count:
        return shown(_products(pairs, lessened, rows, columns))
    sums = weighted_dots(pairs, lags, lessened)
    assert sums is not None
    return by_offset(rows, columns, shown(sums))


def _products(pairs: Pairs, weights: NDArray[Any], rows: Blocks, columns: Blocks) -> Floats:
    """The same where few blocks have too many offsets: as a product of two tables of hands."""
    result = np.zeros((rows.count, columns.count))
    for first in range(0, pairs.count, _PAIRS):
        some = range(first, min(first + _PAIRS, pairs.count))
        left, right = (turns(pairs, _centre(blocks), blocks.size, blocks.count, some) for blocks in (rows, columns))
        right *= weights[some.start : some.stop]
        result += left.real @ right.real.T + left.imag @ right.imag.T
    return result


def _centre(blocks: Blocks) -> float:
    """The middle of the first block."""
    return blocks.first + (blocks.size - 1) / 2


def _reach(blocks: Blocks) -> int:
    """From the first cell of the first block to that of the last."""
    return (blocks.count - 1) * blocks.size
