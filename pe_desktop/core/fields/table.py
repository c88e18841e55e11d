"""The encoding table as a field, in its own order or with all sines above all cosines."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Self

import numpy as np

from pe_desktop.core.encoding import ColumnWaves, Encoding, Floats, Integers, Pairs
from pe_desktop.core.fields.field import (
    CELLS_PER_BLOCK,
    Blocks,
    Field,
    Line,
    Terms,
    Tile,
    equal_blocks,
    even_neighbours,
    even_places,
    on_line,
)
from pe_desktop.core.fields.means import COSINE, SINE, HandSums, sampled_terms, sampled_tiles, turning_mean_tiles
from pe_desktop.core.record import record


@record
class EncodingField(Field):
    """The table, shape (d_model, n_positions): row r is dimension r, column p is position p.

    Means are exact where hands turn evenly: closed along positions, summed cell by cell along dimensions; else they are
    sampled. Their error is below 1e-5 of the limits. With most_terms a block adds up an even selection of so many
    terms, or samples: two neighbours at a time, which may be sine and cosine of one hand.
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
        return "mean" if has_closed_means(self.encoding) else f"mean of {CELLS_PER_BLOCK} samples"

    @property
    def dimensions(self) -> Integers:
        """The column of the encoding that each row shows, shape (d_model,)."""
        return np.arange(self.encoding.d_model)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        """The means tile by tile, on a line; exact ones exceed the limits by their error at most."""
        waves, top = _waves(self.encoding), 0
        if waves is None:
            for tile in sampled_tiles(self.encoding, self.dimensions, rows, columns, self._most_samples):
                yield *tile[:2], on_line(tile[2], line, self.limits)
            return
        for some in equal_blocks(rows, self.shape[0]):
            cells = some.starts[:, np.newaxis] + self._places(some.size)
            sums = _hand_sums(waves, self.dimensions[cells])
            for places, across, means in _wave_tiles(self.encoding, waves, sums, columns, line):
                yield slice(top + places.start, top + places.stop), across, means
            top += some.count

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        if has_closed_means(self.encoding):
            return Terms(len(self._places(rows.size)), self._terms_name)
        return sampled_terms(self.encoding, rows, columns, self._most_samples)

    def thinned(self, n_terms: int) -> Self:
        return replace(self, most_terms=n_terms)

    def value(self, row: int, column: int) -> float:
        return self.encoding.values([column], [int(self.dimensions[row])]).item()

    @property
    def _terms_name(self) -> str:
        return "columns"

    @property
    def _most_samples(self) -> int:
        return CELLS_PER_BLOCK if self.most_terms is None else min(self.most_terms, CELLS_PER_BLOCK)

    def _places(self, size: int) -> Integers:
        """The rows of a block of this size that are added up, counted from its first."""
        return even_neighbours(size, self.most_terms or size)


@record
class HalvesField(EncodingField):
    """The table with all sines above all cosines, whatever the layout: row r < d/2 is the sine of pair r.

    No block may reach from the sines into the cosines: a caller ends one run of blocks at each of `row_parts` and
    begins another. A selection takes the same hands for sines and for cosines.
    """

    def __post_init__(self) -> None:
        EncodingField.__post_init__(self)
        _pairs(self.encoding)

    @property
    def dimensions(self) -> Integers:
        return _pairs(self.encoding).columns.T.reshape(-1)

    @property
    def row_parts(self) -> tuple[int, ...]:
        """The first sine and the first cosine."""
        return 0, _pairs(self.encoding).count

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        count = _pairs(self.encoding).count
        if (count - rows.first) % max(rows.size, 1) and rows.first < count < rows.first + rows.size * rows.count:
            raise ValueError(f"a block of {rows.size} rows must not mix sines with cosines at row {count}")
        return EncodingField.tiles(self, rows, columns, line)

    @property
    def _terms_name(self) -> str:
        return "hands"

    def _places(self, size: int) -> Integers:
        return even_places(size, self.most_terms or size)


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
    waves = _waves(encoding)
    if waves is None:
        return sampled_tiles(encoding, columns, Blocks(0, 1, len(columns)), positions, most_samples)
    return _wave_tiles(encoding, waves, _hand_sums(waves, columns[:, np.newaxis]), positions, Line())


def _hand_sums(waves: ColumnWaves, columns: Integers) -> HandSums:
    """The mean of some columns in each row, shape (n_rows, n_columns)."""
    pairs = waves.numbers[columns]
    weights = np.where(waves.is_cosine[columns], COSINE, SINE) / columns.shape[1]
    if pairs.shape[1] % 2 == 0 and np.array_equal(pairs[:, ::2], pairs[:, 1::2]):
        # Sine and cosine of one hand beside each other are one term: half the work.
        return HandSums(pairs[:, ::2], weights[:, ::2] + weights[:, 1::2])
    return HandSums(pairs, weights)


def _wave_tiles(
    encoding: Encoding, waves: ColumnWaves, sums: HandSums, positions: Blocks, line: Line
) -> Iterator[Tile]:
    """The means over blocks of positions of sums of waves, less what an empty row lacks."""
    first, empty_row = 0, encoding.empty_row
    for some in equal_blocks(positions, encoding.n_positions):
        place = -1 if empty_row is None or empty_row >= encoding.n_positions else (empty_row - some.first) // some.size
        is_lowered = 0 <= place < some.count
        excess = _values_at(waves, sums, empty_row or 0) * (line.factor / some.size) if is_lowered else np.empty(0)
        for rows, means in turning_mean_tiles(waves.hands, sums, some, line):
            if is_lowered:
                means[:, place] -= excess[rows]
            yield rows, slice(first, first + some.count), means
        first += some.count


def _values_at(waves: ColumnWaves, sums: HandSums, position: int) -> Floats:
    """The sums of the waves at one position, shape (n_rows,)."""
    turns = np.exp(1j * waves.hands.angles([position])[0])
    return np.asarray((sums.weights * turns[sums.pairs]).real.sum(axis=1))
