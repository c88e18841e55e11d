"""The encoding table as a field, upright or transposed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import ColumnWaves, Encoding, Floats, Integers, Pairs
from pe_desktop.core.fields.field import (
    CELLS_PER_BLOCK,
    Blocks,
    Field,
    Line,
    Means,
    Terms,
    Thinnable,
    Tile,
    block_lengths,
    equal_blocks,
    mean_tiles,
)
from pe_desktop.core.fields.means import COSINE, SINE, HandSums, sampled_terms, sampled_tiles, turning_mean_tiles
from pe_desktop.core.rotation import has_rotation


@runtime_checkable
class Parted(Protocol):
    """A field whose rows or columns fall into parts that no block may mix."""

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first row of every part, 0 first."""

    @property
    def column_parts(self) -> tuple[int, ...]:
        """The first column of every part, 0 first."""


@dataclass(frozen=True, slots=True)
class EncodingField:
    """The table, shape (d_model, n_positions): row r is dimension r in the encoding's layout, column p position p.

    With most_terms a block adds up an even selection of so many of its dimensions, two neighbours at a time, which may
    be sine and cosine of one hand; or so many samples where there would be more.
    """

    encoding: Encoding
    most_terms: int | None = None

    def __post_init__(self) -> None:
        _check_terms(self.most_terms)

    @property
    def shape(self) -> tuple[int, int]:
        """(d_model, n_positions)."""
        return self.encoding.d_model, self.encoding.n_positions

    @property
    def limits(self) -> tuple[float, float]:
        """As far as values reach to both sides of 0."""
        return -self.encoding.value_limit, self.encoding.value_limit

    @property
    def averages(self) -> str:
        """The plain mean, or that of a sample."""
        return _averages(is_exact=_waves(self.encoding) is not None)

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The mean of every block, float32, shape (rows.count, columns.count), error below 1e-5 of the limits.

        Exact where columns turn evenly: closed along positions, summed cell by cell along dimensions. ValueError for
        blocks outside the table.
        """
        return whole_means(self.tiles(rows, columns, Line()), rows, columns)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        """The same tile by tile, on a line; the limits are exceeded by the error at most."""
        check_blocks(rows, self.shape[0], "rows")
        waves = _waves(self.encoding)
        if waves is None:
            samples = _most_samples(self.most_terms)
            return sampled_tiles(self.encoding, np.arange(self.shape[0]), rows, columns, line, samples)
        sums = self._sums(waves, rows)
        tiles = _tiles(waves.hands, sums, columns, self.shape[1], line)
        empty_row = self.encoding.empty_row
        if empty_row is None or empty_row >= self.shape[1]:
            return tiles
        place = (empty_row - columns.first) // columns.size
        if not 0 <= place < columns.count:
            return tiles
        n_positions = block_lengths(columns, self.shape[1])[place]
        turns = np.exp(1j * waves.hands.angles([empty_row])[0])
        excess = (sums.weights * turns[sums.pairs]).real.sum(axis=1) * (line.factor / n_positions)
        return _lowered(tiles, place, excess)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """Columns of the table where they turn evenly, one for each of a block's rows; else samples."""
        if _waves(self.encoding) is None:
            return sampled_terms(self.encoding, rows, columns, _most_samples(self.most_terms))
        most = self.most_terms
        return Terms(rows.size if most is None or most >= rows.size else most - (most > 1) * (most % 2), "columns")

    def thinned(self, n_terms: int) -> "EncodingField":
        """The same with at most so many terms to a block."""
        return EncodingField(self.encoding, n_terms)

    def value(self, row: int, column: int) -> float:
        """One value of the table, float64."""
        return self.encoding.values([column], [row]).item()

    def _sums(self, waves: ColumnWaves, rows: Blocks) -> HandSums:
        dimensions, shares = _neighbours(rows, self.shape[0], self.most_terms)
        pairs = waves.numbers[dimensions]
        weights = shares.astype(np.complex128) * np.where(waves.is_cosine[dimensions], COSINE, SINE)
        if pairs.shape[1] % 2 == 0 and np.array_equal(pairs[:, ::2], pairs[:, 1::2]):
            # Sine and cosine of one hand side by side are one term: half the work.
            return HandSums(pairs[:, ::2], weights[:, ::2] + weights[:, 1::2])
        return HandSums(pairs, weights)


@dataclass(frozen=True, slots=True)
class HalvesField:
    """The table with all sines above all cosines, shape (d_model, n_positions), whatever the encoding's layout.

    Row r < d/2 is the sine of pair r, row d/2 + r its cosine. No block may reach from the sines into the cosines: a
    caller ends one run of blocks at each of `row_parts` and begins another. With most_terms a block adds up an even
    selection of so many of its hands, the same ones for sines and for cosines, instead of all; or so many samples.
    """

    encoding: Encoding
    most_terms: int | None = None

    def __post_init__(self) -> None:
        field_pairs(self.encoding)
        _check_terms(self.most_terms)

    @property
    def shape(self) -> tuple[int, int]:
        """(d_model, n_positions)."""
        return self.encoding.d_model, self.encoding.n_positions

    @property
    def limits(self) -> tuple[float, float]:
        """As far as values reach to both sides of 0."""
        return -self.encoding.value_limit, self.encoding.value_limit

    @property
    def averages(self) -> str:
        """The plain mean, or that of a sample."""
        return _averages(is_exact=has_rotation(self.encoding))

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first sine and the first cosine."""
        return 0, field_pairs(self.encoding).count

    @property
    def column_parts(self) -> tuple[int, ...]:
        """Positions are one part."""
        return (0,)

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The mean of every block, float32, shape (rows.count, columns.count), error below 1e-5 of the limits.

        Exact where hands turn evenly; with most_terms it is the exact mean of the hands that were selected. ValueError
        for blocks outside the table and for one that would mix sines with cosines.
        """
        return whole_means(self.tiles(rows, columns, Line()), rows, columns)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        """The same tile by tile, on a line; the limits are exceeded by the error at most."""
        check_blocks(rows, self.shape[0], "rows")
        pairs = field_pairs(self.encoding)
        if (pairs.count - rows.first) % rows.size and rows.first < pairs.count < rows.first + rows.size * rows.count:
            raise ValueError(f"a block of {rows.size} rows must not mix sines with cosines at row {pairs.count}")
        if not pairs.turns_evenly:
            samples = _most_samples(self.most_terms)
            return sampled_tiles(self.encoding, pairs.columns.T.reshape(-1), rows, columns, line, samples)
        cells, shares = _cells(rows, self.shape[0], self.most_terms)
        is_cosine = cells >= pairs.count
        weights = np.where(is_cosine, shares * COSINE, shares * SINE)
        return _tiles(pairs, HandSums(cells - pairs.count * is_cosine, weights), columns, self.shape[1], line)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """Hands where they turn evenly, one for each of a block's rows; else samples."""
        if not field_pairs(self.encoding).turns_evenly:
            return sampled_terms(self.encoding, rows, columns, _most_samples(self.most_terms))
        return Terms(rows.size if self.most_terms is None else min(rows.size, self.most_terms))

    def thinned(self, n_terms: int) -> "HalvesField":
        """The same with at most so many terms to a block."""
        return HalvesField(self.encoding, n_terms)

    def value(self, row: int, column: int) -> float:
        """One value of the table, float64."""
        return self.encoding.values([column], [self.dimension_of_row(row)]).item()

    def pair_of_row(self, row: int) -> int:
        """The pair whose sine or cosine stands in a row."""
        return row % field_pairs(self.encoding).count

    def is_cosine_row(self, row: int) -> bool:
        """Whether a row holds cosines."""
        return row >= field_pairs(self.encoding).count

    def dimension_of_row(self, row: int) -> int:
        """The column of the table that a row shows, in the encoding's layout."""
        sine, cosine = field_pairs(self.encoding).dimensions(self.pair_of_row(row))
        return cosine if self.is_cosine_row(row) else sine


def field_pairs(encoding: Encoding) -> Pairs:
    """The pairs of an encoding; ValueError where it has none, and so no sines to set above cosines."""
    if encoding.pairs is None:
        raise ValueError(f"{encoding.title} has no pairs, so its sines can't stand above its cosines")
    return encoding.pairs


def _averages(*, is_exact: bool) -> str:
    return "mean" if is_exact else f"mean of {CELLS_PER_BLOCK} samples"


def _check_terms(most: int | None) -> None:
    if most is not None and most < 1:
        raise ValueError(f"a block must add up a hand or a sample at least: {most} is not one")


def _most_samples(most: int | None) -> int:
    return CELLS_PER_BLOCK if most is None else min(most, CELLS_PER_BLOCK)


@lru_cache(maxsize=2)
def _waves(encoding: Encoding) -> ColumnWaves | None:
    """The waves of an encoding, kept while it is shown."""
    return encoding.column_waves


def check_blocks(blocks: Blocks, n_cells: int, name: str) -> None:
    """ValueError unless there are blocks and each holds at least one cell of the table."""
    last = blocks.first + blocks.size * (blocks.count - 1)
    if blocks.count < 1 or blocks.size < 1 or blocks.first < 0 or last >= n_cells:
        raise ValueError(f"blocks of {name} must each hold a cell from 0 to {n_cells - 1}: {blocks} do not")


def whole_means(tiles: Iterator[Tile], rows: Blocks, columns: Blocks) -> Means:
    """The means of all blocks from their tiles, float32, shape (rows.count, columns.count)."""
    result = np.empty((rows.count, columns.count), dtype=np.float32)
    for some_rows, some_columns, means in tiles:
        result[some_rows, some_columns] = means
    return result


def _cells(rows: Blocks, n_cells: int, most: int | None = None) -> tuple[Integers, NDArray[np.float64]]:
    """The cells of every block and their weights in its mean, shape (count, size); 0 for cells beyond the edge.

    With most, an even selection of so many cells of every longer block.
    """
    if most is not None and most < rows.size:
        lengths = block_lengths(rows, n_cells)[:, np.newaxis]
        places = (2 * np.arange(most, dtype=np.int64) + 1) * lengths // (2 * most)
        return rows.starts[:, np.newaxis] + places, np.full(places.shape, 1 / most)
    cells = rows.starts[:, np.newaxis] + np.arange(rows.size)
    is_there = cells < n_cells
    return np.minimum(cells, n_cells - 1), is_there / is_there.sum(axis=1, keepdims=True)


def _neighbours(rows: Blocks, n_cells: int, most: int | None) -> tuple[Integers, NDArray[np.float64]]:
    """The same as _cells, but a selection takes neighbours, which may be the sine and the cosine of one hand."""
    if most is None or most < 2 or most >= rows.size:
        return _cells(rows, n_cells, most)
    lengths = block_lengths(rows, n_cells)[:, np.newaxis]
    n_twos = most // 2
    twos = (2 * np.arange(n_twos, dtype=np.int64) + 1) * (lengths // 2) // (2 * n_twos)
    places = np.minimum(np.repeat(2 * twos, 2, axis=1) + np.tile([0, 1], n_twos), lengths - 1)
    return rows.starts[:, np.newaxis] + places, np.full(places.shape, 1 / places.shape[1])


def _lowered(tiles: Iterator[Tile], place: int, excess: Floats) -> Iterator[Tile]:
    """The same tiles, less what each row has too much in the block of positions at one place."""
    for rows, columns, means in tiles:
        if columns.start <= place < columns.stop:
            means[:, place - columns.start] -= excess[rows]
        yield rows, columns, means


def _tiles(pairs: Pairs, sums: HandSums, columns: Blocks, n_positions: int, line: Line) -> Iterator[Tile]:
    """The means over blocks of positions; a last block that reaches over the edge is averaged by itself."""
    check_blocks(columns, n_positions, "columns")
    first = 0
    for some in equal_blocks(columns, n_positions):
        for rows, means in turning_mean_tiles(pairs, sums, some, line):
            yield rows, slice(first, first + some.count), means
        first += some.count


@dataclass(frozen=True, slots=True, eq=False)
class MatrixField:
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
        """The exact mean of every block, summed cell by cell; ValueError for blocks outside the matrix."""
        check_blocks(rows, self.shape[0], "rows")
        check_blocks(columns, self.shape[1], "columns")
        return _axis_means(_axis_means(self.array, rows, axis=0), columns, axis=1)

    def value(self, row: int, column: int) -> float:
        """One cell."""
        return float(self.array[row, column])


@dataclass(frozen=True, slots=True)
class TransposedField:
    """A field on its side: its rows are the other's columns."""

    field: Field

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n_columns, n_rows = self.field.shape
        return n_rows, n_columns

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the two ends of the colour map."""
        return self.field.limits

    @property
    def averages(self) -> str:
        """What a pixel that covers many cells shows."""
        return self.field.averages

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first row of every part that no block may mix."""
        return self.field.column_parts if isinstance(self.field, Parted) else (0,)

    @property
    def column_parts(self) -> tuple[int, ...]:
        """The first column of every part that no block may mix."""
        return self.field.row_parts if isinstance(self.field, Parted) else (0,)

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The average over each block."""
        return self.field.means(columns, rows).T

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The same tile by tile, on a line."""
        for tile in mean_tiles(self.field, columns, rows, line):
            yield None if tile is None else (tile[1], tile[0], tile[2].T)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """What a block adds up; one where the field can leave nothing out."""
        return self.field.terms(columns, rows) if isinstance(self.field, Thinnable) else Terms(1)

    def thinned(self, n_terms: int) -> "TransposedField":
        """The same with at most so many terms to a block."""
        return TransposedField(self.field.thinned(n_terms)) if isinstance(self.field, Thinnable) else self

    def value(self, row: int, column: int) -> float:
        """One cell in float64."""
        return self.field.value(column, row)


def _axis_means(array: NDArray[np.floating[Any]], blocks: Blocks, axis: int) -> Means:
    """The means over the blocks of one axis; the last block may be shorter."""
    stop = min(blocks.first + blocks.size * blocks.count, array.shape[axis])
    window = array[blocks.first : stop] if axis == 0 else array[:, blocks.first : stop]
    if blocks.size == 1:
        return window
    starts = blocks.starts - blocks.first
    sums = np.add.reduceat(window, starts, axis=axis, dtype=np.float64)
    counts = np.diff(np.append(starts, window.shape[axis]))
    return np.asarray(sums / (counts[:, np.newaxis] if axis == 0 else counts))
