"""Which positions are measured where a table is too long to measure them all."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, HasEmptyRow, Integers
from pe_desktop.core.windows import Rows

# A longer block of positions is averaged over an even sample of so many of its vectors, of wide ones of so many as have
# VALUES_PER_BLOCK together: a frame with 250 blocks on each side costs 2 million values at any d_model up to that.
SAMPLES_PER_BLOCK: Final = 64
VALUES_PER_BLOCK: Final = 2**12
# A larger block of a table whose hands don't turn evenly is averaged over so many of its cells, which keeps a window of
# half a million blocks below a second.
CELLS_PER_BLOCK: Final = 16


def samples_per_block(d_model: int) -> int:
    """How many vectors of so many values stand for a long block of positions: 64 up to 64, 8 at 512, 1 from 4096 on."""
    return max(min(SAMPLES_PER_BLOCK, VALUES_PER_BLOCK // d_model), 1)


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
    if not isinstance(encoding, HasEmptyRow):
        return sample + first
    touching = (encoding.empty_row, encoding.empty_row - offset)
    there = [t for t in touching if first <= t < first + n_positions and t == int(t)]
    return np.union1d(sample + first, there).astype(np.int64)


def even_places(size: int, most: int) -> Integers:
    """Where a block of so many cells is sampled: everywhere, or in the middles of as many equal parts as allowed."""
    n_samples = min(size, most)
    return (2 * np.arange(n_samples, dtype=np.int64) + 1) * size // (2 * n_samples)


# Up to here every value of a table is looked at; beyond it an even sample of about so many.
MEASURED_CELLS: Final = 2**22


def measured_positions(encoding: Encoding) -> Rows:
    """All positions of a small table, else an evenly spread sample that holds the first and the last."""
    return even_sample(encoding.n_positions, max(MEASURED_CELLS // encoding.d_model, 2))
