"""Scores and weights of a head that looks n positions back, as fields over query t and key s."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.fields.field import Blocks, Field, Terms, block_lengths, check_blocks, even_places
from pe_desktop.core.fields.scores import AddedVector, OffsetScoreField, ProductScoreField, Waves
from pe_desktop.core.lags import invariant_pairs, squared_norm
from pe_desktop.core.record import record
from pe_desktop.core.scores.look_back import Drops, Shift, highest_weight, log_normalisers, log_tails
from pe_desktop.core.scores.look_back_rows import Rows

# Rows that stand for all of a block of weights; rows and columns of a block where every weight is a product.
_ROWS_PER_BLOCK = 4
_SIDE_PER_BLOCK = 4
# Weights held at once.
_WEIGHTS = 2**19


@lru_cache(maxsize=2)
def turned_score_field(encoding: Encoding, places: int) -> Field:
    """The scores of a shift-invariant encoding, whose queries M_-n turns: the sum of a_i^2 cos((k + n) omega_i)."""
    pairs = invariant_pairs(encoding)
    waves = Waves(pairs, pairs.lengths**2 * np.exp(1j * pairs.offset_angles(places)[0]))
    highest = squared_norm(pairs)
    return OffsetScoreField(encoding.n_positions, (-highest, highest), waves)


def fitted_score_field(shift: Shift) -> Field:
    """(A p_t) . p_s for every t and s."""
    encoding = shift.encoding
    highest = max(map(abs, shift.limits))
    keys = AddedVector(encoding, (0.0,) * encoding.d_model)
    return ProductScoreField(encoding.n_positions, (-highest, highest), _ShiftedVector(shift, keys), keys)


@record
class _ShiftedVector:
    """A p_t sqrt(d): ProductScoreField divides by the root."""

    shift: Shift
    unshifted: AddedVector

    @property
    def averages(self) -> str:
        return self.unshifted.averages

    @property
    def terms(self) -> Terms:
        return self.unshifted.terms

    def means(self, blocks: Blocks) -> Floats:
        return self._shifted(self.unshifted.means(blocks))

    def at(self, position: float) -> Floats:
        vector: Floats = self._shifted(self.unshifted.at(position)[np.newaxis])[0]
        return vector

    def thinned(self, n_terms: int) -> "_ShiftedVector":
        return replace(self, unshifted=self.unshifted.thinned(n_terms))

    def _shifted(self, vectors: Floats) -> Floats:
        return self.shift.turned(vectors) * math.sqrt(self.shift.encoding.d_model)


@record
class TurnedWeightField:
    """The softmax of the scores of a shift-invariant encoding over all keys, from running sums of its exponentials.

    Means over the columns of a block are exact; of many rows some stand for all.
    """

    drops: Drops
    places: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.drops.encoding.n_positions, self.drops.encoding.n_positions

    @property
    def limits(self) -> tuple[float, float]:
        return 0.0, rounded_up(highest_weight(self.drops, self.places))

    @property
    def averages(self) -> str:
        return f"mean of {_ROWS_PER_BLOCK} rows"

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The average over each block, shape (rows.count, columns.count); ValueError for a block without a cell."""
        n_positions = self.shape[0]
        check_blocks(rows, n_positions)
        lengths = block_lengths(columns, n_positions)
        edges = np.append(columns.starts, columns.starts[-1] + lengths[-1])
        result = np.empty((rows.count, columns.count))
        for number, (start, length) in enumerate(zip(rows.starts, block_lengths(rows, n_positions), strict=True)):
            some = start + even_places(int(length), _ROWS_PER_BLOCK)
            shares = np.diff(self._sums_before(edges - some[:, np.newaxis] + self.places, some), axis=1)
            result[number] = shares.mean(axis=0) / lengths
        return result

    def value(self, row: int, column: int) -> float:
        drop = self.drops.drops[abs(column - row + self.places)]
        return float(np.exp(-drop / math.sqrt(self.drops.encoding.d_model) - self._log_normalisers[row]))

    @property
    def _log_normalisers(self) -> Floats:
        return log_normalisers(self.drops, self.places)

    def _sums_before(self, offsets: Integers, rows: Integers) -> Floats:
        """The weights of some rows up to offsets from t - n, without these, shape (len(rows), n), but for a constant.

        Counted from the offset 0, or from N where t - n is before the table.
        """
        assert self.drops.sums is not None
        sums, n_positions = self.drops.sums[0], self.shape[0]
        logs, is_missed = self._log_normalisers[rows, np.newaxis], rows < self.places
        result, far, near = np.empty(offsets.shape), offsets[is_missed], offsets[~is_missed]
        counted = np.where(near > 0, sums[np.maximum(near - 1, 0)], 1 - sums[np.maximum(-near, 0)])
        result[~is_missed] = counted / np.exp(logs[~is_missed])
        result[is_missed] = np.where(far > n_positions, 1.0, -1.0) * np.exp(
            log_tails(self.drops)[far] - logs[is_missed]
        )
        return result


@record
class FittedWeightField:
    """The softmax of the scores of any head over all keys, from the sums of all its rows; blocks are sampled."""

    rows: Rows

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows.positions), len(self.rows.positions)

    @property
    def limits(self) -> tuple[float, float]:
        return 0.0, rounded_up(self.rows.highest_weight)

    @property
    def averages(self) -> str:
        return f"mean of {_SIDE_PER_BLOCK**2} samples"

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The average over each block, shape (rows.count, columns.count); ValueError for a block without a cell."""
        samples, column_ends = self._samples(columns)
        positions, row_ends = self._samples(rows)
        keys = self.rows.shift.encoding.values(samples).T
        across = np.empty((len(positions), columns.count))
        height = max(_WEIGHTS // len(samples), 1)
        for first in range(0, len(positions), height):
            some = slice(first, first + height)
            across[some] = np.add.reduceat(self._weights(positions[some], keys), column_ends, axis=1)
        sums = np.add.reduceat(across, row_ends, axis=0)
        counts = (np.diff(ends, append=len(all_)) for ends, all_ in ((row_ends, positions), (column_ends, samples)))
        means: Floats = sums / np.multiply.outer(*counts)
        return means

    def value(self, row: int, column: int) -> float:
        return float(self._weights(np.array([row]), self.rows.shift.encoding.values([column]).T)[0, 0])

    def _weights(self, positions: Integers, keys: Floats) -> Floats:
        """The weights of some rows on keys (d_model, n), shape (len(positions), n)."""
        weights = self.rows.shift.queries(positions) @ keys
        weights /= math.sqrt(self.rows.shift.encoding.d_model)
        weights -= self.rows.log_sums[0, positions, np.newaxis]
        return np.exp(weights, out=weights)

    def _samples(self, blocks: Blocks) -> tuple[Integers, Integers]:
        """The positions that stand for blocks, one block after the other, and where each block begins among them."""
        lengths = block_lengths(blocks, self.shape[0])
        parts = [start + even_places(int(n), _SIDE_PER_BLOCK) for start, n in zip(blocks.starts, lengths, strict=True)]
        return np.concatenate(parts), np.cumsum([0, *map(len, parts[:-1])])


def rounded_up(value: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is no less than a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= value)
