"""The encoding table as a field, upright or transposed."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Protocol, Self, TypeGuard

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
    Tile,
    block_lengths,
    check_blocks,
    equal_blocks,
    is_thinnable,
    mean_tiles,
)
from pe_desktop.core.fields.means import COSINE, SINE, HandSums, sampled_terms, sampled_tiles, turning_mean_tiles
from pe_desktop.core.record import record
from pe_desktop.core.rotation import has_rotation


class _Parted(Field, Protocol):
    """A field whose rows or columns fall into parts that no block may mix."""

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first row of every part, 0 first."""

    @property
    def column_parts(self) -> tuple[int, ...]:
        """The first column of every part, 0 first."""


def _is_parted(field: Field) -> TypeGuard[_Parted]:
    return hasattr(type(field), "row_parts")


def parts_of(field: Field) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first row and the first column of every part; a field without parts is one."""
    return (field.row_parts, field.column_parts) if _is_parted(field) else ((0,), (0,))


@record
class _TableField(ABC):
    """The table, shape (d_model, n_positions): a row is a dimension, column p is position p.

    With most_terms a block adds up an even selection of so many terms, instead of all; or so many samples.
    """

    encoding: Encoding
    most_terms: int | None = None

    def __post_init__(self) -> None:
        if self.most_terms is not None and self.most_terms < 1:
            raise ValueError(f"a block must add up a hand or a sample at least: {self.most_terms} is not one")

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.d_model, self.encoding.n_positions

    @property
    def limits(self) -> tuple[float, float]:
        return -self.encoding.value_limit, self.encoding.value_limit

    @property
    def averages(self) -> str:
        return "mean" if self.is_exact else f"mean of {CELLS_PER_BLOCK} samples"

    @property
    @abstractmethod
    def is_exact(self) -> bool:
        """Whether means are closed along positions, because hands turn evenly; else blocks are sampled."""

    @property
    @abstractmethod
    def dimensions(self) -> Integers:
        """The column of the encoding that each row shows, shape (d_model,)."""

    @abstractmethod
    def exact_tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        """The means tile by tile where hands turn evenly."""

    @abstractmethod
    def exact_terms(self, n_rows: int) -> Terms:
        """What a block of so many rows adds up where hands turn evenly."""

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        """The mean of every block, float32, shape (rows.count, columns.count), error below 1e-5 of the limits.

        Exact where hands turn evenly: closed along positions, summed cell by cell along dimensions; with most_terms of
        the terms that were selected. ValueError for blocks outside the table, and for one that would mix row_parts.
        """
        return _whole_means(self.tiles(rows, columns, Line()), rows, columns)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        """The same tile by tile, on a line; the limits are exceeded by the error at most."""
        check_blocks(rows, self.shape[0])
        if self.is_exact:
            return self.exact_tiles(rows, columns, line)
        return sampled_tiles(self.encoding, self.dimensions, rows, columns, line, self._most_samples)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        if self.is_exact:
            return self.exact_terms(rows.size)
        return sampled_terms(self.encoding, rows, columns, self._most_samples)

    def thinned(self, n_terms: int) -> Self:
        return replace(self, most_terms=n_terms)

    def value(self, row: int, column: int) -> float:
        return self.encoding.values([column], [int(self.dimensions[row])]).item()

    @property
    def _most_samples(self) -> int:
        return CELLS_PER_BLOCK if self.most_terms is None else min(self.most_terms, CELLS_PER_BLOCK)


@record
class EncodingField(_TableField):
    """The table in the layout of the encoding: row r is dimension r.

    A selection takes two neighbours at a time, which may be sine and cosine of one hand.
    """

    @property
    def is_exact(self) -> bool:
        return has_closed_means(self.encoding)

    @property
    def dimensions(self) -> Integers:
        return np.arange(self.encoding.d_model)

    def exact_tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        waves = _waves(self.encoding)
        assert waves is not None
        return _wave_tiles(self.encoding, waves, self._sums(waves, rows), columns, line)

    def exact_terms(self, n_rows: int) -> Terms:
        most = self.most_terms
        return Terms(n_rows if most is None or most >= n_rows else most - (most > 1) * (most % 2), "columns")

    def _sums(self, waves: ColumnWaves, rows: Blocks) -> HandSums:
        dimensions, shares = _neighbours(rows, self.shape[0], self.most_terms)
        pairs = waves.numbers[dimensions]
        weights = shares.astype(np.complex128) * np.where(waves.is_cosine[dimensions], COSINE, SINE)
        if pairs.shape[1] % 2 == 0 and np.array_equal(pairs[:, ::2], pairs[:, 1::2]):
            # Sine and cosine of one hand beside each other are one term: half the work.
            return HandSums(pairs[:, ::2], weights[:, ::2] + weights[:, 1::2])
        return HandSums(pairs, weights)


@record
class HalvesField(_TableField):
    """The table with all sines above all cosines, whatever the layout: row r < d/2 is the sine of pair r.

    No block may reach from the sines into the cosines: a caller ends one run of blocks at each of `row_parts` and
    begins another. A selection takes the same hands for sines and for cosines.
    """

    def __post_init__(self) -> None:
        _TableField.__post_init__(self)
        _pairs(self.encoding)

    @property
    def is_exact(self) -> bool:
        return has_rotation(self.encoding)

    @property
    def dimensions(self) -> Integers:
        return _pairs(self.encoding).columns.T.reshape(-1)

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first sine and the first cosine."""
        return 0, _pairs(self.encoding).count

    @property
    def column_parts(self) -> tuple[int, ...]:
        return (0,)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        count = _pairs(self.encoding).count
        if (count - rows.first) % max(rows.size, 1) and rows.first < count < rows.first + rows.size * rows.count:
            raise ValueError(f"a block of {rows.size} rows must not mix sines with cosines at row {count}")
        return _TableField.tiles(self, rows, columns, line)

    def exact_tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        pairs = _pairs(self.encoding)
        cells, shares = _cells(rows, self.shape[0], self.most_terms)
        is_cosine = cells >= pairs.count
        weights = np.where(is_cosine, shares * COSINE, shares * SINE)
        return _tiles(pairs, HandSums(cells - pairs.count * is_cosine, weights), columns, self.shape[1], line)

    def exact_terms(self, n_rows: int) -> Terms:
        return Terms(n_rows if self.most_terms is None else min(n_rows, self.most_terms))


def _pairs(encoding: Encoding) -> Pairs:
    """The pairs of an encoding; ValueError where it has none, and so no sines to set above cosines."""
    if encoding.pairs is None:
        raise ValueError(f"{encoding.title} has no pairs, so its sines can't stand above its cosines")
    return encoding.pairs


@lru_cache(maxsize=2)
def _waves(encoding: Encoding) -> ColumnWaves | None:
    """The waves of an encoding, kept while it is shown."""
    return encoding.column_waves


def has_closed_means(encoding: Encoding) -> bool:
    """Whether means over positions are closed, because all columns turn evenly."""
    return _waves(encoding) is not None


def column_tiles(encoding: Encoding, columns: Integers, positions: Blocks, most_samples: int) -> Iterator[Tile]:
    """The mean of some columns of a table over every block of positions, tile by tile: a row is one of the columns.

    Where it isn't closed it is one of so many samples at most.
    """
    rows, waves = Blocks(0, 1, len(columns)), _waves(encoding)
    if waves is None:
        return sampled_tiles(encoding, columns, rows, positions, Line(), most_samples)
    weights = np.where(waves.is_cosine[columns], COSINE, SINE)[:, np.newaxis]
    sums = HandSums(waves.numbers[columns][:, np.newaxis], weights)
    return _wave_tiles(encoding, waves, sums, positions, Line())


def _wave_tiles(
    encoding: Encoding, waves: ColumnWaves, sums: HandSums, positions: Blocks, line: Line
) -> Iterator[Tile]:
    """The means over blocks of positions of sums of waves, less what an empty row lacks."""
    tiles = _tiles(waves.hands, sums, positions, encoding.n_positions, line)
    empty_row = encoding.empty_row
    if empty_row is None or empty_row >= encoding.n_positions:
        return tiles
    place = (empty_row - positions.first) // positions.size
    if not 0 <= place < positions.count:
        return tiles
    length = block_lengths(positions, encoding.n_positions)[place]
    turns = np.exp(1j * waves.hands.angles([empty_row])[0])
    excess = (sums.weights * turns[sums.pairs]).real.sum(axis=1) * (line.factor / length)
    return _lowered(tiles, place, excess)


def _whole_means(tiles: Iterator[Tile], rows: Blocks, columns: Blocks) -> Means:
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
    """The same tiles, less an excess of each row in the block of positions at one place."""
    for rows, columns, means in tiles:
        if columns.start <= place < columns.stop:
            means[:, place - columns.start] -= excess[rows]
        yield rows, columns, means


def _tiles(pairs: Pairs, sums: HandSums, columns: Blocks, n_positions: int, line: Line) -> Iterator[Tile]:
    """The means over blocks of positions; a last block that reaches over the edge is averaged by itself."""
    check_blocks(columns, n_positions)
    first = 0
    for some in equal_blocks(columns, n_positions):
        for rows, means in turning_mean_tiles(pairs, sums, some, line):
            yield rows, slice(first, first + some.count), means
        first += some.count


@record
class TransposedField:
    """A transposed field: its rows are the columns of the other."""

    field: Field

    @property
    def shape(self) -> tuple[int, int]:
        n_columns, n_rows = self.field.shape
        return n_rows, n_columns

    @property
    def limits(self) -> tuple[float, float]:
        return self.field.limits

    @property
    def averages(self) -> str:
        return self.field.averages

    @property
    def row_parts(self) -> tuple[int, ...]:
        return parts_of(self.field)[1]

    @property
    def column_parts(self) -> tuple[int, ...]:
        return parts_of(self.field)[0]

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        return self.field.means(columns, rows).T

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        for tile in mean_tiles(self.field, columns, rows, line):
            yield None if tile is None else (tile[1], tile[0], tile[2].T)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """What a block adds up; one where the field can leave nothing out."""
        return self.field.terms(columns, rows) if is_thinnable(self.field) else Terms(1)

    def thinned(self, n_terms: int) -> "TransposedField":
        return TransposedField(self.field.thinned(n_terms)) if is_thinnable(self.field) else self

    def value(self, row: int, column: int) -> float:
        return self.field.value(column, row)
