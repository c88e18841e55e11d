"""Blocks of cells at the edge of a table, where the last one may be cut short."""

import numpy as np

from pe_desktop.core.encoding import Integers
from pe_desktop.core.fields import Blocks


def equal_blocks(blocks: Blocks, n_cells: int) -> list[Blocks]:
    """The same blocks of a table of n_cells cells, in one or two runs of blocks that are whole.

    A last block that reaches over the edge becomes a run of its own, as long as its cells. ValueError for no block, and
    for a block without a cell of the table.
    """
    if blocks.count < 1 or blocks.size < 1:
        raise ValueError(f"a window must hold a block of a cell at least: {blocks.count} of {blocks.size} do not")
    last = blocks.first + (blocks.count - 1) * blocks.size
    if blocks.first < 0 or last >= n_cells:
        raise ValueError(
            f"blocks must lie in the table, cells 0 to {n_cells - 1}: from {blocks.first} to {last} do not"
        )
    if last + blocks.size <= n_cells:
        return [blocks]
    whole = [Blocks(blocks.first, blocks.size, blocks.count - 1)] if blocks.count > 1 else []
    return [*whole, Blocks(last, n_cells - last, 1)]


def block_lengths(blocks: Blocks, n_cells: int) -> Integers:
    """How many cells of the table each block holds, shape (count,); ValueError as equal_blocks."""
    return np.concatenate([np.full(some.count, some.size, dtype=np.int64) for some in equal_blocks(blocks, n_cells)])
