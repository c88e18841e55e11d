"""Scores and weights of a head that looks n positions back, as fields over query t and key s."""

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, slices
from pe_desktop.core.fields import products
from pe_desktop.core.fields.field import Blocks, Field, Limits, Means, Terms, even_places
from pe_desktop.core.fields.offsets import OffsetField, Shown, Waves
from pe_desktop.core.fields.table import value_cost
from pe_desktop.core.lags import Progression, invariant_pairs
from pe_desktop.core.number_text import rounded_up
from pe_desktop.core.record import kept, record
from pe_desktop.core.rotation import rotation_angles
from pe_desktop.core.scores.look_back import Drops, Shift
from pe_desktop.core.scores.look_back_rows import Rows

# Rows that stand for all of a block of weights, and columns where every weight is a product.
_PER_BLOCK = 4
# Weights held at once.
_WEIGHTS = 2**18
# What a weight costs besides its score where a hand costs 1.
_EXPONENTIAL_COST = 4.0


@record
class _TurnedScoreField(OffsetField):
    """Scores of every two positions that depend on k alone; limits are the values at the ends of the colour map."""

    shape: tuple[int, int]
    limits: Limits
    scores: Waves

    def equal_means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        return self.scores.means(rows, columns, shown)

    def value(self, row: int, column: int) -> float:
        return float(self.scores.at(Progression(column - row, 1, 1))[0])


@lru_cache(maxsize=2)
def turned_score_field(encoding: Encoding, places: int) -> Field:
    """The scores of a shift-invariant encoding, whose queries M_-n turns: the sum of a_i^2 cos((k + n) omega_i)."""
    pairs = invariant_pairs(encoding)
    waves = Waves(pairs, pairs.lengths**2 * np.exp(1j * rotation_angles(encoding, places)))
    highest = pairs.squared_norm
    return _TurnedScoreField((encoding.n_positions,) * 2, (-highest, highest), waves)


def fitted_score_field(shift: Shift) -> products.ProductScoreField:
    """(A p_t) . p_s for every t and s."""
    highest = max(map(abs, shift.limits))
    query = _ShiftedVectors(shift.encoding, shift)
    return products.ProductScoreField((-highest, highest), query, products.PositionVectors(shift.encoding))


@record
class _ShiftedVectors(products.PositionVectors):
    """A p_t."""

    shift: Shift

    def mean_steps(self, blocks: Blocks, hands: Integers, most_samples: int) -> products.Steps:
        means = yield from products.PositionVectors.mean_steps(self, blocks, hands, most_samples)
        return self._shifted(means, hands)

    def at(self, positions: Integers, hands: Integers) -> Floats:
        return self._shifted(products.PositionVectors.at(self, positions, hands), hands)

    def _shifted(self, vectors: Floats, hands: Integers) -> Floats:
        x, y = vectors[:, ::2], vectors[:, 1::2]
        blocks = self.shift.blocks[hands]
        shifted = np.empty_like(vectors)
        for place in range(2):
            np.multiply(x, blocks[:, place, 0], out=shifted[:, place::2])
            shifted[:, place::2] += y * blocks[:, place, 1]
        return shifted


@kept
def _log_tails(drops: Drops) -> Floats:
    """The logarithms of sums of exp(-drop / sqrt(d)), shape (2 N,).

    At j < N the sum from j to N - 1, at N none, at j > N that from N to j - 1. The keys of a row whose t - n is before
    the table are j = m to m + N - 1: sums from N outwards lose nothing, as differences of sums from 0 would where later
    exponentials are far below the first.
    """
    n_positions = drops.encoding.n_positions
    logs = -drops.drops / math.sqrt(drops.encoding.d_model)
    before = np.logaddexp.accumulate(logs[n_positions - 1 :: -1])[::-1]
    after = np.logaddexp.accumulate(logs[n_positions : 2 * n_positions - 1])
    return np.concatenate([before, [-np.inf], after])


@kept
def _log_normalisers(drops: Drops, places: int) -> Floats:
    """The logarithm of the sum of exp(-drop / sqrt(d)) over all keys of every row, shape (n_positions,).

    `drops` must hold its sums.
    """
    assert drops.sums is not None
    n_positions, sums, tails = drops.encoding.n_positions, drops.sums[0], _log_tails(drops)
    missed = np.arange(places, 0, -1)
    before = np.arange(n_positions - places)
    whole = np.log(sums[before] + sums[n_positions - 1 - before] - 1)
    return np.concatenate([np.logaddexp(tails[missed], tails[missed + n_positions]), whole])


@kept
def _highest_weight(drops: Drops, places: int) -> float:
    """The largest weight of all rows at the usual gain: on t - n, or, where that is before the table, on any key."""
    n_positions = drops.encoding.n_positions
    logs = -drops.drops / math.sqrt(drops.encoding.d_model)
    missed = np.arange(places, 0, -1)
    before = np.maximum.accumulate(logs[n_positions - 1 :: -1])[::-1][missed]
    after = np.maximum.accumulate(logs[n_positions:])[missed - 1]
    peaks = np.concatenate([np.maximum(before, after), np.zeros(n_positions - places)])
    return float(np.exp(peaks - _log_normalisers(drops, places)).max())


@record
class TurnedWeightField(Field):
    """The softmax of the scores of a shift-invariant encoding over all keys, from running sums of its exponentials.

    Means over the columns of a block are exact; of many rows some stand for all.
    """

    drops: Drops
    places: int
    averages: ClassVar[str] = f"mean of {_PER_BLOCK} rows"

    @property
    def shape(self) -> tuple[int, int]:
        return self.drops.encoding.n_positions, self.drops.encoding.n_positions

    @property
    def limits(self) -> Limits:
        return 0.0, rounded_up(_highest_weight(self.drops, self.places))

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        n_positions = self.shape[0]
        lengths = columns.lengths(n_positions)
        edges = np.append(columns.starts, columns.starts[-1] + lengths[-1])
        result = np.empty((rows.count, columns.count))
        for number, (start, length) in enumerate(zip(rows.starts, rows.lengths(n_positions), strict=True)):
            part = start + even_places(int(length), _PER_BLOCK)
            shares = np.diff(self._sums_before(edges - part[:, None] + self.places, part), axis=1)
            result[number] = shares.mean(axis=0) / lengths
        return result

    def value(self, row: int, column: int) -> float:
        drop = self.drops.drops[abs(column - row + self.places)]
        log_normaliser = _log_normalisers(self.drops, self.places)[row]
        return float(np.exp(-drop / math.sqrt(self.drops.encoding.d_model) - log_normaliser))

    def _sums_before(self, offsets: Integers, rows: Integers) -> Floats:
        """The weights of some rows up to offsets from t - n, without these, shape (len(rows), n), but for a constant.

        Counted from the offset 0, or from N where t - n is before the table.
        """
        assert self.drops.sums is not None
        sums, n_positions = self.drops.sums[0], self.shape[0]
        logs = _log_normalisers(self.drops, self.places)[rows, None]
        is_missed = rows < self.places
        result = np.empty(offsets.shape)
        far = offsets[is_missed]
        near = offsets[~is_missed]
        counted = np.where(near > 0, sums[np.maximum(near - 1, 0)], 1 - sums[np.maximum(-near, 0)])
        result[~is_missed] = counted / np.exp(logs[~is_missed])
        tails = np.exp(_log_tails(self.drops)[far] - logs[is_missed])
        result[is_missed] = np.where(far > n_positions, tails, -tails)
        return result


@record
class FittedWeightField(products.SteppedField):
    """The softmax of the scores of any head over all keys, from the sums of all its rows; blocks are sampled.

    With most_terms a block has fewer samples, and in the end scores of some hands.
    """

    rows: Rows
    most_terms: int | None = None
    averages: ClassVar[str] = f"mean of {_PER_BLOCK**2} samples"

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows.positions), len(self.rows.positions)

    @property
    def limits(self) -> Limits:
        return 0.0, rounded_up(self.rows.highest_weight)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """The values behind the samples of a block, which all blocks of its row or its column share."""
        encoding, n_values = self.rows.shift.encoding, 2 * len(self._scores.hands)
        down, across = (min(blocks.size, self._side) for blocks in (rows, columns))
        share = (rows.count * down + columns.count * across) / (rows.count * columns.count * down * across)
        cost = value_cost(encoding) * share + products.PRODUCT_COST + _EXPONENTIAL_COST / n_values
        return Terms(down * across * n_values, "values", cost, products.FEWEST_VALUES)

    def value(self, row: int, column: int) -> float:
        scores = products.result_of(self._scores.cell_steps(np.array([row]), np.array([column])))
        return float(self._weights(scores, np.array([row]))[0, 0])

    @property
    def _scores(self) -> products.ProductScoreField:
        return fitted_score_field(self.rows.shift).thinned(self.most_terms)

    @property
    def _side(self) -> int:
        """Rows and columns of a block whose weights are computed."""
        if self.most_terms is None:
            return _PER_BLOCK
        n_samples = self.most_terms // self.rows.shift.encoding.d_model
        return min(max(math.isqrt(n_samples), 1), _PER_BLOCK)

    def mean_steps(self, rows: Blocks, columns: Blocks) -> products.Steps:
        (positions, row_ends), (keys, column_ends) = self._samples(rows), self._samples(columns)
        scores = yield from self._scores.cell_steps(positions, keys)
        across = np.empty((len(positions), columns.count))
        for part in slices(len(positions), _WEIGHTS // len(keys)):
            across[part] = np.add.reduceat(self._weights(scores[part], positions[part]), column_ends, axis=1)
            yield None
        sums = np.add.reduceat(across, row_ends, axis=0)
        counts = (np.diff(ends, append=len(all_)) for ends, all_ in ((row_ends, positions), (column_ends, keys)))
        return sums / np.multiply.outer(*counts)

    def _weights(self, scores: Floats, positions: Integers) -> Floats:
        """The weights of some rows from their scores, shape (len(positions), n)."""
        weights = scores / math.sqrt(self.rows.shift.encoding.d_model)
        weights -= self.rows.log_sums[0, positions, None]
        # Scores of some hands may be larger than those of all.
        return np.exp(np.minimum(weights, 0.0, out=weights), out=weights)

    def _samples(self, blocks: Blocks) -> tuple[Integers, Integers]:
        """The positions that stand for blocks, one block after the other, and where each block begins among them."""
        lengths = blocks.lengths(self.shape[0])
        parts = [start + even_places(int(n), self._side) for start, n in zip(blocks.starts, lengths, strict=True)]
        return np.concatenate(parts), np.cumsum([0, *map(len, parts[:-1])])
