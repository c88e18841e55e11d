"""Means over blocks of functions of k = s - t alone: rows are positions t, columns positions s."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.fields.field import MOST_MEANS, Blocks, Field, Line, Means, Tile
from pe_desktop.core.fields.table import attenuation
from pe_desktop.core.lags import Progression, exact_turns, weighted_dots
from pe_desktop.core.record import record

# Pairs in one product of two ranges.
_PAIRS: Final = 2048

# Turns means into the shown measure: once for each offset, not for each block, where blocks share them.
Shown: TypeAlias = Callable[[Floats], Means]


class OffsetField(Field):
    """A field over positions x positions whose cells depend on k alone."""

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        for places, down, across in _pieces(rows, columns, self.shape[0]):
            yield *places, self.equal_means(down, across, line.of)

    @abstractmethod
    def equal_means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        """The means for blocks that all lie within the table, after shown."""


def _pieces(rows: Blocks, columns: Blocks, n_positions: int) -> Iterator[tuple[tuple[slice, slice], Blocks, Blocks]]:
    """Runs of whole blocks and where they stand among all: all rows at once where blocks share their offsets."""
    for run, at in rows.equal_runs(n_positions):
        for others, across in columns.equal_runs(n_positions):
            height = run.count if _shares_offsets(run, others) else max(MOST_MEANS // others.count, 1)
            for part, places in run.stretches(height):
                yield (slice(at.start + places.start, at.start + places.stop), across), part, others


def _shares_offsets(rows: Blocks, columns: Blocks) -> bool:
    """Whether the centres have fewer offsets than twice as many as there are blocks."""
    return offsets_between(rows, columns).count <= 2 * rows.count * columns.count


def offsets_between(rows: Blocks, columns: Blocks) -> Progression:
    """The offsets from the centre of a row's block to that of a column's, ascending, none left out."""
    sizes = [blocks.size for blocks in (rows, columns) if blocks.count > 1]
    step = math.gcd(*sizes) or 1
    first = _centre(columns) - _centre(rows) - _reach(rows)
    return Progression(first, step, (_reach(rows) + _reach(columns)) // step + 1)


def by_offset(rows: Blocks, columns: Blocks, values: Means) -> Means:
    """Values for offsets_between by row and column, shape (rows.count, columns.count): a read-only view."""
    step = round(offsets_between(rows, columns).step)
    windows = sliding_window_view(values, _reach(columns) // step + 1)
    return windows[:: max(rows.size // step, 1), :: max(columns.size // step, 1)][::-1]


@record(eq=False)
class Waves:
    """score(k) = sum of Re(weights_i e^(1j k omega_i)), k = s - t.

    weights, shape (n_pairs,): a e^(1j phi) stands for a cos(phi + k omega_i), whatever the lengths of the hands.
    """

    pairs: Pairs
    weights: NDArray[Any]

    def at(self, offsets: Progression) -> Floats:
        """The score at each offset, shape (count,), at the cost of these alone."""
        return weighted_dots(self.pairs, offsets, self.weights)

    def means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        """The mean over each block of n x m cells, after shown.

        It is the value at the offset of the centres, the weights times A_n A_m with A_n = sin(n omega / 2) / (n
        sin(omega / 2)).
        """
        lessened = math.prod(attenuation(self.pairs, size) for size in (rows.size, columns.size))
        waves = Waves(self.pairs, self.weights * lessened)
        if not _shares_offsets(rows, columns):
            return shown(_products(waves, rows, columns))
        return by_offset(rows, columns, shown(waves.at(offsets_between(rows, columns))))


def _products(waves: Waves, rows: Blocks, columns: Blocks) -> Floats:
    """The scores at the centres of few blocks with too many offsets: a product of two tables of hands."""
    result = np.zeros((rows.count, columns.count))
    for first in range(0, waves.pairs.count, _PAIRS):
        numbers = range(first, min(first + _PAIRS, waves.pairs.count))
        middles = (Progression(_centre(one), one.size, one.count).values for one in (rows, columns))
        left, right = (exact_turns(waves.pairs, of, numbers) for of in middles)
        right *= waves.weights[numbers.start : numbers.stop]
        result += left.real @ right.real.T + left.imag @ right.imag.T
    return result


def _centre(blocks: Blocks) -> float:
    """The middle of the first block."""
    return blocks.first + (blocks.size - 1) / 2


def _reach(blocks: Blocks) -> int:
    """From the first cell of the first block to that of the last."""
    return (blocks.count - 1) * blocks.size
