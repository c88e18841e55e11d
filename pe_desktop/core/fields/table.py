"""The encoding table as a field, in its own order or with all sines above all cosines: exact and sampled means."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import ClassVar, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import ColumnWaves, Encoding, Floats, Integers, Pairs, Singles, read_only, slices
from pe_desktop.core.fields import field
from pe_desktop.core.fields.field import CELLS_PER_BLOCK, Blocks, Field, Limits, Line, Means, Terms, Tile
from pe_desktop.core.record import kept, record

_Turns: TypeAlias = NDArray[np.complex64]
_Weights: TypeAlias = NDArray[np.complex128]

# Factors of a hand's turn e^(1j angle) that make the real part its sine or its cosine.
_SINE: Final = -1j
_COSINE: Final = 1 + 0j

# Table entries and means worked on at once, 1 MiB and 512 KiB: they stay in the cache, and a table of any width needs
# no more memory.
_MOST_TURNS: Final = 2**17
_MOST_MEANS: Final = 2**17
# Products of so few terms a row are faster with a copy of one factor, whose numbers stand side by side.
_FEW_TERMS: Final = 16


@record(eq=False)
class _HandSums:
    """For each row which hands it adds up, and how: row r is the sum of Re(weight e^(1j p omega)) over its terms.

    pairs and weights have the shape (n_rows, n_terms); a term of weight 0 adds nothing.
    """

    pairs: Integers
    weights: _Weights


@record
class EncodingField(Field):
    """The table, shape (d_model, n_positions): row r is dimension r, column p is position p.

    Means are exact where hands turn evenly: closed along positions, summed cell by cell along dimensions; else they are
    sampled. Their error is below 1e-5 of the limits. With most_terms a block adds up an even selection of so many
    terms, or samples: two neighbours at a time, which may be sine and cosine of one hand.
    """

    encoding: Encoding
    most_terms: int | None = None
    # What the terms of a block are called where its mean is closed.
    terms_name: ClassVar[str] = "columns"

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.d_model, self.encoding.n_positions

    @property
    def limits(self) -> Limits:
        return -self.encoding.value_limit, self.encoding.value_limit

    @property
    def averages(self) -> str:
        return "mean" if self.encoding.column_waves else f"mean of {CELLS_PER_BLOCK} samples"

    @property
    def dimensions(self) -> Integers:
        """The column of the encoding that each row shows, shape (d_model,)."""
        return np.arange(self.encoding.d_model)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        waves = self.encoding.column_waves
        if waves is None:
            for tile in _sampled_tiles(self.encoding, self.dimensions, rows, columns, self._most_samples):
                yield *tile[:2], line.of(tile[2])
            return
        # Exact means exceed the limits of the table by their error at most.
        ends = None if line.limits in (None, self.limits) else line.of(np.array(line.limits))
        for run, at in rows.equal_runs(self.shape[0]):
            cells = run.starts[:, None] + self._places(run.size)
            sums = _hand_sums(waves, self.dimensions[cells])
            for places, across, means in _wave_tiles(self.encoding, waves, sums, columns, line):
                cut = means if ends is None else np.clip(means, *ends)
                yield slice(at.start + places.start, at.start + places.stop), across, cut

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        if self.encoding.column_waves:
            return Terms(len(self._places(rows.size)), self.terms_name)
        return _sampled_terms(self.encoding, rows, columns, self._most_samples)

    def thinned(self, n_terms: int) -> Self:
        return replace(self, most_terms=n_terms)

    def value(self, row: int, column: int) -> float:
        return self.encoding.values([column], [int(self.dimensions[row])]).item()

    @property
    def _most_samples(self) -> int:
        return min(self.most_terms or CELLS_PER_BLOCK, CELLS_PER_BLOCK)

    def _places(self, size: int) -> Integers:
        """The rows of a block of this size that are added up, counted from its first."""
        return field.even_neighbours(size, self.most_terms or size)


@record
class HalvesField(EncodingField):
    """The table with all sines above all cosines, whatever the layout: row r < d/2 is the sine of pair r.

    No block may reach from the sines into the cosines: a caller ends one run of blocks at each of the `parts` and
    begins another. A selection takes the same hands for sines and for cosines.
    """

    terms_name: ClassVar[str] = "hands"

    @property
    def dimensions(self) -> Integers:
        assert self.encoding.pairs is not None
        return self.encoding.pairs.columns.T.reshape(-1)

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Sines and cosines."""
        return (0, self.encoding.d_model // 2), (0,)

    def _places(self, size: int) -> Integers:
        return field.even_places(size, self.most_terms or size)


def column_tiles(encoding: Encoding, columns: Integers, positions: Blocks, most_samples: int) -> Iterator[Tile]:
    """The mean of some columns of a table over every block of positions, tile by tile: a row is one of the columns.

    Where it isn't closed it is one of so many samples at most.
    """
    waves = encoding.column_waves
    if waves is None:
        return _sampled_tiles(encoding, columns, Blocks(0, 1, len(columns)), positions, most_samples)
    return _wave_tiles(encoding, waves, _hand_sums(waves, columns[:, None]), positions, Line())


def _hand_sums(waves: ColumnWaves, columns: Integers) -> _HandSums:
    """The mean of some columns in each row, shape (n_rows, n_columns)."""
    pairs = waves.numbers.take(columns)
    weights = np.where(waves.is_cosine.take(columns), _COSINE, _SINE) / columns.shape[1]
    if pairs.shape[1] % 2 == 0 and np.array_equal(pairs[:, ::2], pairs[:, 1::2]):
        # Sine and cosine of one hand beside each other are one term: half the work.
        return _HandSums(pairs[:, ::2], weights[:, ::2] + weights[:, 1::2])
    return _HandSums(pairs, weights)


def _wave_tiles(
    encoding: Encoding, waves: ColumnWaves, sums: _HandSums, positions: Blocks, line: Line
) -> Iterator[Tile]:
    """The means over blocks of positions of sums of waves, less what an empty row lacks."""
    empty_row = encoding.empty_row
    for run, across in positions.equal_runs(encoding.n_positions):
        place = -1 if empty_row is None or empty_row >= encoding.n_positions else (empty_row - run.first) // run.size
        is_lowered = 0 <= place < run.count
        excess = _values_at(waves, sums, empty_row or 0) * (line.factor / run.size) if is_lowered else np.empty(0)
        for rows, means in _turning_tiles(waves.hands, sums, run, line):
            if is_lowered:
                means[:, place] -= excess[rows]
            yield rows, across, means


def _values_at(waves: ColumnWaves, sums: _HandSums, position: int) -> Floats:
    """The sums of the waves at one position, shape (n_rows,)."""
    turns = np.exp(1j * waves.hands.angles([position])[0])
    return np.asarray((sums.weights * turns[sums.pairs]).real.sum(axis=1))


# Below this angle the sine of a product keeps more digits than the sine of the product less whole turns.
_SMALL_ANGLE = 0.5


@lru_cache(maxsize=8)
def attenuation(pairs: Pairs, n: int) -> Floats:
    """A_n = sin(n omega / 2) / (n sin(omega / 2)), shape (n_pairs,), read-only: the closed sum of a geometric series.

    The mean of a hand over n adjacent positions is A_n times the hand at their centre. A hand that turns by a whole
    number of turns from position to position, as with full turns, loses nothing: there the quotient is 0 / 0.
    """
    result = np.ones(pairs.count)
    if n > 1:
        turn, sign, sine = _half_turns(pairs)
        above = np.sin(pairs.offset_angles([n / 2])[0])
        is_small = np.abs(n * turn / 2) < _SMALL_ANGLE
        above[is_small] = sign[is_small] ** n * np.sin(n * turn[is_small] / 2)
        if n % 2 == 0:
            result = sign.copy()
        np.divide(above, n * sine, out=result, where=sine != 0)
    return read_only(result)


@lru_cache(maxsize=2)
def _half_turns(pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """For all pairs omega reduced, the sign of half of it against omega / 2, sin(omega / 2): shape (n_pairs,) each."""
    turn, half = pairs.offset_angles([1.0, 0.5])
    # Half a position may differ from half the turn by half a turn: the sign of both sines.
    sign = np.where(np.cos(half - turn / 2) < 0, -1.0, 1.0)
    return turn, sign, sign * np.sin(turn / 2)


def _turning_tiles(pairs: Pairs, sums: _HandSums, positions: Blocks, line: Line) -> Iterator[tuple[slice, Singles]]:
    """Some rows at a time: which ones, and the mean of each over every block of positions, error below 2e-6 a weight.

    A tile, shape (n_rows, positions.count), is valid until the next one, and stands on the line. The mean of n adjacent
    positions is the value at their centre times sin(n omega / 2) / (n sin(omega / 2)): the closed sum of a geometric
    series. Angles come from the pairs, exact at any position; tables are float32.
    """
    n_rows, n_terms = sums.pairs.shape
    n_fine = 1 << math.ceil(math.log2(positions.count) / 2)
    n_coarse = -(-positions.count // n_fine)
    which = sums.pairs.ravel()
    centre, lengths, turn = _first_and_step(pairs, positions.first, positions.size)
    step = turn.take(which)
    first = centre.take(which)
    first *= sums.weights.ravel() * lengths.take(which)
    first *= line.factor
    height = min(max(_MOST_TURNS // (n_terms * (n_coarse + n_fine)), 1), n_rows)
    tile_height = min(max(_MOST_MEANS // (n_coarse * n_fine), 1), height)
    means = np.empty((tile_height, n_coarse, n_fine), dtype=np.float32)
    coarse = np.empty((n_coarse, height * n_terms), dtype=np.complex64)
    fine = np.empty((n_fine, height * n_terms), dtype=np.complex64)
    for row in range(0, n_rows, height):
        n_filled = min(height, n_rows - row)
        terms = slice(row * n_terms, (row + n_filled) * n_terms)
        width = n_filled * n_terms
        # The real part of z times w is the product of the rows (re z, im z) and (re w, -im w).
        step_on = _fill_powers(fine[:, :width], np.ones(width), step[terms].conj())
        _fill_powers(coarse[:, :width], first[terms], step_on.conj())
        left = _parts(coarse[:, :width], n_terms).transpose(1, 0, 2)
        right = _parts(fine[:, :width], n_terms).transpose(1, 2, 0)
        if n_terms <= _FEW_TERMS:
            right = np.ascontiguousarray(right)
        for start in range(0, n_filled, tile_height):
            tile = means[: min(tile_height, n_filled - start)]
            part = slice(start, start + len(tile))
            np.matmul(left[part], right[part], out=tile)
            if line.summand:
                tile += np.float32(line.summand)
            yield slice(row + start, row + part.stop), tile.reshape(len(tile), -1)[:, : positions.count]


@kept
def _first_and_step(pairs: Pairs, first: int, size: int) -> tuple[_Turns, Floats, _Weights]:
    """For all pairs the turn to the first centre, how long the mean hand is there, and the turn to the next centre.

    Sines and cosines ask for the same ones. The last is float64, because it is squared often.
    """
    angles, half = pairs.angles(first + (size - 1) / 2)[0].astype(np.float32), pairs.offset_angles(size / 2)[0]
    half_turn = np.cos(half) + 1j * np.sin(half)
    return np.cos(angles) + 1j * np.sin(angles), pairs.lengths * attenuation(pairs, size), half_turn * half_turn


def _fill_powers(rows: _Turns, first: _Turns | Floats, step: _Weights) -> _Weights:
    """Fill the rows with first times step^0, step^1, ...; returns the step to the next power of two.

    Each doubling turns all rows so far by one step that was squared in float64: no error adds up along the rows.
    """
    rows[0] = first
    n_done = 1
    while n_done < len(rows):
        n_more = min(n_done, len(rows) - n_done)
        np.multiply(rows[:n_more], step.astype(np.complex64), out=rows[n_done : n_done + n_more])
        step = step * step
        n_done += n_more
    return step


def _parts(turns: _Turns, n_terms: int) -> Singles:
    """Real and imaginary parts side by side, shape (n_positions, n_rows, 2 n_terms)."""
    return turns.view(np.float32).reshape(len(turns), -1, 2 * n_terms)


# Table values held at once: half a MiB, a few ms.
_CELLS: Final = 2**16
# The cost of a table value where a hand of a mean that is closed along positions costs 1: 40 to 60 ns to 2.4.
SAMPLE_COST: Final = 20


def _sampled_tiles(
    encoding: Encoding, dimensions: Integers, rows: Blocks, columns: Blocks, most: int
) -> Iterator[Tile]:
    """The mean of every block, float32, some rows at a time; a row is a dimension, a column a position.

    dimensions, shape (d_model,), says which dimension stands in each row. Exact for blocks of at most `most` cells,
    else over an even grid of about so many.
    """
    column_runs = columns.equal_runs(encoding.n_positions)
    # A refinement can't be interrupted within a tile, so its cost matters.
    terms = _sampled_terms(encoding, rows, columns, most)
    height = max(_CELLS * SAMPLE_COST // (columns.count * terms.count * value_cost(encoding)), 1)
    means = partial(_equal_means, encoding, dimensions, most)
    for part, places in rows.stretches(height):
        row_runs = part.equal_runs(encoding.d_model)
        parts = [[means(down, across) for across, _ in column_runs] for down, _ in row_runs]
        yield places, slice(0, columns.count), np.block(parts)


def _sampled_terms(encoding: Encoding, rows: Blocks, columns: Blocks, most: int) -> Terms:
    """How many samples a block has, and what each costs: little where most columns hold nothing but zeros."""
    count = math.prod(_grid(rows.size, columns.size, most))
    return Terms(count, "samples", value_cost(encoding))


def value_cost(encoding: Encoding) -> int:
    """The average cost of a value where a hand costs 1."""
    return max(SAMPLE_COST * encoding.n_filled // encoding.d_model, 1)


def _equal_means(encoding: Encoding, dimensions: Integers, most: int, rows: Blocks, columns: Blocks) -> Means:
    n_rows, n_columns = _grid(rows.size, columns.size, most)
    wanted = dimensions[rows.starts[:, None] + field.even_places(rows.size, n_rows)].reshape(-1)
    places = field.even_places(columns.size, n_columns)
    result = np.empty((rows.count, columns.count), dtype=np.float32)
    for part in slices(columns.count, _CELLS // (len(wanted) * n_columns)):
        starts = columns.starts[part]
        values = encoding.values((starts[:, None] + places).reshape(-1), wanted)
        sums = values.reshape(len(starts), n_columns, -1).sum(axis=1)
        if n_rows > 1:
            # NumPy's own sums along so short an axis take ten times as long.
            sums = sums.reshape(-1, n_rows) @ np.ones(n_rows)
        result[:, part] = sums.reshape(len(starts), -1).T / (n_rows * n_columns)
    return result


def _grid(height: int, width: int, most: int) -> tuple[int, int]:
    """How many rows and columns of a block are evaluated: all of them, or about a square of so many cells at most."""
    n_rows = min(height, max(math.isqrt(most), most // width))
    return n_rows, min(width, most // n_rows)
