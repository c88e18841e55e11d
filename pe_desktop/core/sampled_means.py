"""Means over blocks of a table of which nothing is assumed, from its values."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.blocks import equal_blocks
from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.core.fields import Blocks, Line, Means, Tile
from pe_desktop.core.samples import CELLS_PER_BLOCK, even_places

# Table values held at once: 2 MiB.
_CELLS: Final = 2**18


def sampled_means(encoding: Encoding, dimensions: Integers, rows: Blocks, columns: Blocks) -> Means:
    """The mean of every block, float32, shape (rows.count, columns.count); a row is a dimension, a column a position.

    dimensions, shape (d_model,), says which dimension stands in each row. Exact for blocks of at most CELLS_PER_BLOCK
    cells, else over an even grid of about so many. ValueError for blocks outside the table.
    """
    row_runs = equal_blocks(rows, encoding.d_model)
    column_runs = equal_blocks(columns, encoding.n_positions)
    return np.block([[_equal_means(encoding, dimensions, some, others) for others in column_runs] for some in row_runs])


def sampled_tiles(
    encoding: Encoding, dimensions: Integers, rows: Blocks, columns: Blocks, line: Line
) -> Iterator[Tile]:
    """The same some rows at a time, on a line and cut off at the largest value."""
    limit = encoding.value_limit
    height = max(_CELLS // columns.count, 1)
    for first in range(0, rows.count, height):
        some = Blocks(rows.first + rows.size * first, rows.size, min(height, rows.count - first))
        means = sampled_means(encoding, dimensions, some, columns)
        scaled = np.multiply(np.clip(means, -limit, limit), np.float32(line.factor), dtype=np.float32)
        scaled += np.float32(line.summand)
        yield slice(first, first + some.count), slice(0, columns.count), scaled


def _equal_means(encoding: Encoding, dimensions: Integers, rows: Blocks, columns: Blocks) -> Means:
    n_rows, n_columns = _grid(rows.size, columns.size)
    wanted = dimensions[rows.starts[:, np.newaxis] + even_places(rows.size, n_rows)].reshape(-1)
    places = even_places(columns.size, n_columns)
    result = np.empty((rows.count, columns.count), dtype=np.float32)
    width = max(_CELLS // (len(wanted) * n_columns), 1)
    for first in range(0, columns.count, width):
        starts = columns.starts[first : first + width]
        values = encoding.values((starts[:, np.newaxis] + places).reshape(-1), wanted)
        cells = values.reshape(len(starts), n_columns, rows.count, n_rows)
        result[:, first : first + width] = cells.mean(axis=(1, 3)).T
    return result


def _grid(height: int, width: int) -> tuple[int, int]:
    """How many rows and columns of a block are looked at: all of them, or about a square of CELLS_PER_BLOCK."""
    n_rows = min(height, max(math.isqrt(CELLS_PER_BLOCK), CELLS_PER_BLOCK // width))
    return n_rows, min(width, CELLS_PER_BLOCK // n_rows)
