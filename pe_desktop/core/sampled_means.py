"""Means over blocks of a table of which nothing is assumed, from its values."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from pe_desktop.core.blocks import equal_blocks
from pe_desktop.core.columns import n_filled
from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.core.fields import Blocks, Line, Means, Terms, Tile
from pe_desktop.core.samples import CELLS_PER_BLOCK, even_places

# Table values held at once: 2 MiB.
_CELLS: Final = 2**18
# What a table value costs where a hand of a mean that is closed along positions costs 1: 40 to 60 ns to 2.4.
SAMPLE_COST: Final = 20


def sampled_means(
    encoding: Encoding, dimensions: Integers, rows: Blocks, columns: Blocks, most: int = CELLS_PER_BLOCK
) -> Means:
    """The mean of every block, float32, shape (rows.count, columns.count); a row is a dimension, a column a position.

    dimensions, shape (d_model,), says which dimension stands in each row. Exact for blocks of at most `most` cells,
    else over an even grid of about so many. ValueError for blocks outside the table.
    """
    row_runs = equal_blocks(rows, encoding.d_model)
    column_runs = equal_blocks(columns, encoding.n_positions)
    means = partial(_equal_means, encoding, dimensions, most)
    return np.block([[means(some, others) for others in column_runs] for some in row_runs])


def sampled_tiles(
    encoding: Encoding, dimensions: Integers, rows: Blocks, columns: Blocks, line: Line, most: int = CELLS_PER_BLOCK
) -> Iterator[Tile]:
    """The same some rows at a time, on a line and cut off at the largest value."""
    limit = encoding.value_limit
    # A tile is what a refinement can't be interrupted in: what counts is its cost.
    terms = sampled_terms(encoding, rows, columns, most)
    height = max(_CELLS * SAMPLE_COST // (columns.count * terms.count * value_cost(encoding)), 1)
    for first in range(0, rows.count, height):
        some = Blocks(rows.first + rows.size * first, rows.size, min(height, rows.count - first))
        means = sampled_means(encoding, dimensions, some, columns, most)
        scaled = np.multiply(np.clip(means, -limit, limit), np.float32(line.factor), dtype=np.float32)
        scaled += np.float32(line.summand)
        yield slice(first, first + some.count), slice(0, columns.count), scaled


def sampled_terms(encoding: Encoding, rows: Blocks, columns: Blocks, most: int = CELLS_PER_BLOCK) -> Terms:
    """How many samples a block has, and what each costs: little where most columns hold nothing but zeros."""
    count = math.prod(_grid(rows.size, columns.size, most))
    return Terms(count, "samples", value_cost(encoding))


def value_cost(encoding: Encoding) -> int:
    """What a value costs on an average where a hand costs 1."""
    return max(SAMPLE_COST * n_filled(encoding) // encoding.d_model, 1)


def _equal_means(encoding: Encoding, dimensions: Integers, most: int, rows: Blocks, columns: Blocks) -> Means:
    n_rows, n_columns = _grid(rows.size, columns.size, most)
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


def _grid(height: int, width: int, most: int) -> tuple[int, int]:
    """How many rows and columns of a block are looked at: all of them, or about a square of so many cells at most."""
    n_rows = min(height, max(math.isqrt(most), most // width))
    return n_rows, min(width, most // n_rows)
