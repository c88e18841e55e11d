"""Which blocks of cells the pixels of a heat map show, and which of them an earlier picture has shown already."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Integers
from pe_desktop.core.fields import Blocks

Levels: TypeAlias = NDArray[np.uint8]

# A view that was panned has the same scale up to rounding; blocks must not grow by one for that.
_SCALE_SLACK: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Adjacent pixels along one axis, the blocks they show and which of them each pixel shows."""

    pixels: slice
    blocks: Blocks
    block_of_pixel: Integers


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A rectangle of pixels, the levels of its blocks, and which of these are still to be evaluated."""

    rows: Stretch
    columns: Stretch
    levels: Levels
    missing: tuple[tuple[slice, slice], ...]

    def pixel_levels(self) -> Levels:
        """A level for every pixel."""
        levels = self.levels
        if len(self.columns.block_of_pixel) != levels.shape[1]:
            levels = levels.take(self.columns.block_of_pixel, axis=1)
        same_height = len(self.rows.block_of_pixel) == levels.shape[0]
        return levels if same_height else levels.take(self.rows.block_of_pixel, axis=0)


def stretches(first: float, last: float, n_pixels: int, edges: tuple[int, ...]) -> list[Stretch]:
    """The pixels inside the table, part by part; what is left of a part after whole blocks is a block by itself."""
    cells_per_pixel = (last - first) / n_pixels
    size = max(math.ceil(cells_per_pixel * (1 - _SCALE_SLACK)), 1)
    cells = np.floor(first + (np.arange(n_pixels) + 0.5) * cells_per_pixel)
    result = []
    for start, stop in pairwise(edges):
        rest = stop - (stop - start) % size
        for begin, end, step in ((start, rest, size), (rest, stop, stop - rest)):
            left, right = np.searchsorted(cells, (begin, end)).tolist()
            if left < right:
                numbers = (cells[left:right].astype(np.int64) - begin) // step
                count = int(numbers[-1] - numbers[0]) + 1
                blocks = Blocks(begin + step * int(numbers[0]), step, count)
                result.append(Stretch(slice(left, right), blocks, numbers - numbers[0]))
    return result


def patch(rows: Stretch, columns: Stretch, known: Sequence[Patch]) -> Patch:
    """The blocks under some pixels, with the levels of those that are known; the others are missing."""
    levels = np.empty((rows.blocks.count, columns.blocks.count), dtype=np.uint8)
    every_row, every_column = slice(0, rows.blocks.count), slice(0, columns.blocks.count)
    missing: list[tuple[slice, slice]] = [(every_row, every_column)]
    for other in known:
        down, across = _overlap(rows.blocks, other.rows.blocks), _overlap(columns.blocks, other.columns.blocks)
        if down is not None and across is not None:
            levels[down.wanted, across.wanted] = other.levels[down.known, across.known]
            missing = [(part, every_column) for part in down.others]
            missing += [(down.wanted, part) for part in across.others]
            break
    return Patch(rows, columns, levels, tuple(part for part in missing if levels[part].size))


def some_blocks(blocks: Blocks, part: slice) -> Blocks:
    """Some of the blocks."""
    return Blocks(blocks.first + blocks.size * part.start, blocks.size, part.stop - part.start)


@dataclass(frozen=True, slots=True)
class _Overlap:
    """Which of the wanted blocks are known, as which of the known ones, and the wanted ones before and after them."""

    wanted: slice
    known: slice
    others: tuple[slice, slice]


def _overlap(wanted: Blocks, known: Blocks) -> _Overlap | None:
    """The blocks that are the same ones along an axis; None where there are none."""
    # Within a part, blocks of one size stand on one grid; the grids of two parts don't overlap.
    distance = (known.first - wanted.first) // wanted.size
    start, stop = max(distance, 0), min(distance + known.count, wanted.count)
    if known.size != wanted.size or start >= stop:
        return None
    others = slice(0, start), slice(stop, wanted.count)
    return _Overlap(slice(start, stop), slice(start - distance, stop - distance), others)
