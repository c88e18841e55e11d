"""Similarity of positions, as dot product, cosine or distance: of two, of a row, of all as a field; angles of sums."""

import math
from functools import lru_cache, partial
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.cursor import hand_values, n_hands
from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, ends_of, read_only, slices
from pe_desktop.core.fields import field, products
from pe_desktop.core.fields.field import Blocks, Field, Limits, Means, Terms, even_neighbours, even_places, even_sample
from pe_desktop.core.fields.offsets import OffsetField, Shown, Waves, by_offset, offsets_between
from pe_desktop.core.fields.table import SAMPLE_COST
from pe_desktop.core.lags import Progression, compared, invariant_pairs, measured, profile, weighted_dots
from pe_desktop.core.record import kept, record
from pe_desktop.core.source import drawn

# Positions whose pairs are compared for the range of an axis.
_LIMIT_SAMPLES: Final = 129
# Values of the mean vectors of both ranges held at once: 32 MiB.
_RANGE_CELLS: Final = 2**22
# Table values among which the longest vector is searched: some 50 ms; in a frame, so many.
_LENGTH_CELLS, _QUICK_CELLS = 2**20, 2**13
# Positions of which every two are compared for the largest distance: some 20 ms; in a frame.
_COMPARED, _QUICKLY_COMPARED = 1024, 32
# The average that a pixel over many cells shows of each measure.
AVERAGES: Final = {"dot": "mean", "cosine": "mean", "distance": "root mean square"}


def similarity_pair(encoding: Encoding, measure: str, position: float, other: float) -> float:
    """The similarity of two positions, from their table values: any encoding, whole or fractional positions."""
    return float(compared(measure, *encoding.values([position, other])))


def dot_terms(encoding: Encoding, position: float, offset: float) -> Floats:
    """The term of each hand of `hand_columns` in p_t · p_(t+k), shape (n_hands,).

    a_i^2 cos(k omega_i) from the offset alone where hands turn evenly; else the products of table values.
    """
    if encoding.is_shift_invariant:
        pairs = invariant_pairs(encoding)
        return pairs.lengths**2 * pairs.offset_hands([offset])[0, :, 1]
    here, there = hand_values(encoding, [position, position + offset], range(n_hands(encoding)))
    return np.asarray(np.nan_to_num(here * there).sum(axis=1))


def row_similarity(encoding: Encoding, measure: str, vector: Floats, positions: range) -> Floats:
    """The similarity of one vector of the table, shape (d_model,), to those at some positions, shape (len(positions),).

    The vectors of the last few calls are kept: in a plot only the first one changes.
    """
    return compared(measure, vector[: encoding.n_filled], _kept_vectors(encoding, positions))


@lru_cache(maxsize=2)
def embedding(d_model: int) -> Floats:
    """A stand-in for a token: x from N(0, 1), always the same for a width, shape (d_model,), read-only.

    Learned embeddings of variance 1 / d_model are multiplied by sqrt(d_model) before the encoding is added ("Attention
    Is All You Need", section 3.4): that is this variance.
    """
    return read_only(drawn.embedding(d_model))


def turned_by(vector: Floats, *, is_scaled: bool = True) -> float:
    """The angle between x and x + p_t for one vector p_t of the table, in degrees, 0 to 180.

    is_scaled: x as in `embedding`, times sqrt(d_model); else as it is learned, of variance 1 / d_model.
    """
    x = embedding(len(vector)) * (1.0 if is_scaled else 1.0 / math.sqrt(len(vector)))
    return turned_from(x, x + vector)


def turned_from(vector: Floats, other: Floats) -> float:
    """The angle between two vectors (d_model,) in degrees, 0 to 180, and 0 where one of them has no length.

    Twice the angle whose tangent is |a - b| / |a + b|, a and b of length 1, which keeps its digits near 0 and 180.
    """
    lengths = float(np.linalg.norm(vector)), float(np.linalg.norm(other))
    if 0.0 in lengths:
        return 0.0
    one, other = vector / lengths[0], other / lengths[1]
    return math.degrees(2 * math.atan2(float(np.linalg.norm(one - other)), float(np.linalg.norm(one + other))))


def sampled_limits(encoding: Encoding, measure: str) -> Limits:
    """The least and the greatest similarity among all pairs of an even sample of positions.

    So many as hold MEASURED_CELLS values, _LIMIT_SAMPLES at most. Both are 0 where none is defined: the cosine of rows
    of zeros.
    """
    positions = even_sample(encoding.n_positions, min(max(field.MEASURED_CELLS // encoding.d_model, 2), _LIMIT_SAMPLES))
    vectors = encoding.values(positions)
    found = np.stack([compared(measure, vector, vectors) for vector in vectors])
    defined = found[~np.isnan(found)]
    return ends_of(defined) if len(defined) else (0.0, 0.0)


def filled_values(encoding: Encoding, positions: Numbers) -> Floats:
    """The columns of the table that hold values, shape (len(positions), n_filled)."""
    return encoding.values(positions, range(encoding.n_filled))


_kept_vectors: Final = lru_cache(maxsize=2)(filled_values)


@record
class _PositionsField(Field):
    """A measure of similarity of every two positions, shape (n_positions, n_positions)."""

    encoding: Encoding
    measure: str
    is_symmetric: ClassVar[bool] = True

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.n_positions, self.encoding.n_positions

    @property
    def averages(self) -> str:
        return AVERAGES[self.measure]


@record
class _TwoRangeSimilarityField(_PositionsField, products.SteppedField):
    """Dot products, cosines or distances of any encoding, rows and columns being positions.

    The dot product is linear in both vectors: its mean over a block of n x m positions is the dot product of two mean
    vectors, n + m rows of the table instead of n m products. So is the cosine's, of vectors of length 1; it counts as 0
    where a vector is zero and it is undefined. For distances |a - b|^2 = |a|^2 + |b|^2 - 2 a . b gives the root mean
    square. Blocks of more positions than `samples_per_block` are averaged over an even sample of so many. With
    most_terms a mean vector is made of so many values at most: of fewer samples, and in the end of evenly selected
    neighbouring dimensions that stand for all.
    """

    most_terms: int | None = None

    @property
    def averages(self) -> str:
        is_exact = self.encoding.n_positions <= field.samples_per_block(self.encoding.d_model)
        return AVERAGES[self.measure] if is_exact else f"{AVERAGES[self.measure]} of samples"

    @property
    def limits(self) -> Limits:
        """The range of the values, in a long table of an even sample; values beyond it get the last colour.

        Products keep 0 in the middle; the largest of them is that of the longest vector with itself.
        """
        return _limits(self.encoding, self.measure, is_quick=False)

    @property
    def has_slow_limits(self) -> bool:
        return self.measure != "cosine"

    def quick_limits(self) -> Limits:
        """About the same from few positions and evenly selected dimensions."""
        return _limits(self.encoding, self.measure, is_quick=True)

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """The values of a mean vector, which all blocks of its row or its column share."""
        n_samples = min(max(rows.size, columns.size), self._most_samples)
        n_times = 1 if self.measure == "dot" else 2
        share = n_times * (rows.count + columns.count) / (rows.count * columns.count)
        cost = SAMPLE_COST * share + products.PRODUCT_COST / n_samples
        return Terms(n_samples * self._n_dimensions, "values", cost, products.FEWEST_VALUES)

    def value(self, row: int, column: int) -> float:
        return similarity_pair(self.encoding, self.measure, row, column)

    @property
    def _most_samples(self) -> int:
        most = field.samples_per_block(self.encoding.d_model)
        return most if self.most_terms is None else min(max(self.most_terms // self.encoding.n_filled, 1), most)

    @property
    def _n_dimensions(self) -> int:
        """How many dimensions of the vectors are multiplied."""
        n_filled = self.encoding.n_filled
        most = self.most_terms
        return n_filled if most is None or most >= n_filled else max(most - most % 2, 1)

    def mean_steps(self, rows: Blocks, columns: Blocks) -> products.Steps:
        dimensions = even_neighbours(self.encoding.n_filled, self._n_dimensions)
        pieces = slices(len(dimensions), _RANGE_CELLS // (rows.count + columns.count))
        parts = [dimensions[piece] for piece in pieces]
        samples = [self._samples(blocks) for blocks in (rows, columns)]
        squares = [[np.zeros(positions.shape) for positions in runs] for runs in samples]
        if self.measure == "cosine" and len(parts) > 1:
            for runs, found in zip(samples, squares, strict=True):
                for part in parts:
                    yield from self._mean_vectors(runs, found, part)
        # Cosines of vectors that are multiplied in one part take lengths that are found on the way.
        vectors = partial(self._mean_vectors, has_lengths=len(parts) > 1)
        left, right = (partial(vectors, *found) for found in zip(samples, squares, strict=True))
        dots = yield from products.product_steps((rows.count, columns.count), parts, left, right)
        if self.measure == "cosine":
            return dots
        # Selected dimensions stand for all.
        share = self.encoding.n_filled / len(dimensions)
        dots *= share
        if self.measure == "dot":
            return dots
        means = [np.concatenate([run.mean(axis=1) for run in found]) for found in squares]
        return np.asarray(np.sqrt(np.maximum(share * (means[0][:, None] + means[1]) - 2 * dots, 0)))

    def _mean_vectors(
        self, runs: list[Integers], squares: list[Floats], dimensions: Integers, *, has_lengths: bool = False
    ) -> products.Steps:
        """Some dimensions of the mean vector of every block, shape (count, len(dimensions)).

        What these add to |p_t|^2 is added to squares, unless cosines find it there already.
        """
        # Filled piece by piece: memory costs most when it is first written.
        found = np.empty((sum(map(len, runs)), len(dimensions)))
        n_found = 0
        is_cosine = self.measure == "cosine"
        for number, positions in enumerate(runs):
            for piece in slices(len(positions), products.SAMPLE_CELLS // (positions.shape[1] * len(dimensions))):
                values = self.encoding.values(positions[piece].reshape(-1), dimensions)
                values = values.reshape(*positions[piece].shape, -1)
                if self.measure != "dot" and not (is_cosine and has_lengths):
                    squares[number][piece] += np.einsum("nsd,nsd->ns", values, values)
                if is_cosine:
                    lengths = np.sqrt(squares[number][piece])[:, :, None]
                    values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
                np.mean(values, axis=1, out=found[n_found : n_found + len(values)])
                n_found += len(values)
                yield None
        return found

    def _samples(self, blocks: Blocks) -> list[Integers]:
        """The positions of whole blocks and of one cut short, a row for each block: all of them, or an even sample."""
        runs = blocks.equal_runs(self.shape[0])
        return [run.starts[:, None] + even_places(run.size, self._most_samples) for run, _ in runs]


@lru_cache(maxsize=8)
def _limits(encoding: Encoding, measure: str, *, is_quick: bool) -> Limits:
    """The ends of the colours of a measure: the longest vector, or the largest distance, of a sample of positions."""
    if measure == "cosine":
        return -1.0, 1.0
    n_cells, most = (_QUICK_CELLS, _QUICKLY_COMPARED) if is_quick else (_LENGTH_CELLS, _COMPARED)
    dimensions = even_neighbours(encoding.n_filled, n_cells // most if is_quick else encoding.n_filled)
    # Selected dimensions stand for all.
    share = encoding.n_filled / len(dimensions)
    n_rows = n_cells // (len(dimensions) if is_quick else encoding.d_model)
    if measure == "distance":
        vectors = encoding.values(even_sample(encoding.n_positions, max(min(n_rows, most), 2)), dimensions)
        lengths = np.einsum("nd,nd->n", vectors, vectors)
        squares = lengths[:, None] + lengths - 2 * (vectors @ vectors.T)
        return 0.0, math.sqrt(max(share * float(squares.max()), 0.0)) or 1.0
    rows = even_sample(encoding.n_positions, max(n_rows, 2))
    pieces = slices(len(rows), products.SAMPLE_CELLS // len(dimensions))
    stretches = (encoding.values(rows[piece], dimensions) for piece in pieces)
    square = share * max(float(np.einsum("nd,nd->n", stretch, stretch).max()) for stretch in stretches) or 1.0
    return -square, square


# The search for the largest distance, in lags times pairs: some 20 ms; a lag costs as much as so many pairs more.
_SEARCHED: Final = 2**27
_LAG_COST: Final = 64


@record
class _SimilarityField(_PositionsField, OffsetField):
    """Dot products, cosines or distances of a shift-invariant encoding, rows and columns being positions.

    Over a block of n x m positions the mean of cos(l omega) is cos(c omega) A_n A_m, with c the difference of the
    centres and A_n = sin(n omega / 2) / (n sin(omega / 2)): again a function of one difference. Distances have no such
    mean: a block shows sqrt(2 |p_t|^2 - 2 mean dot), their root mean square; a single cell shows its distance.
    """

    @property
    def limits(self) -> Limits:
        """The values at the two ends of the colour map; distances beyond `_farthest` get the last colour."""
        if self.measure == "distance":
            return 0.0, _farthest(self.encoding)
        highest = invariant_pairs(self.encoding).squared_norm if self.measure == "dot" else 1.0
        return -highest, highest

    def value(self, row: int, column: int) -> float:
        return float(profile(self.encoding, self.measure, float(column - row))[0])

    def equal_means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        pairs = invariant_pairs(self.encoding)
        if rows.size == columns.size == 1:
            lags = offsets_between(rows, columns)
            single = range(int(lags.first), int(lags.first) + lags.count)
            return by_offset(rows, columns, shown(profile(self.encoding, self.measure, single)))
        waves = Waves(pairs, pairs.lengths**2)
        return waves.means(rows, columns, lambda dots: shown(measured(self.measure, dots, pairs.squared_norm)))


@lru_cache(maxsize=8)
def _farthest(encoding: Encoding) -> float:
    """The largest distance of a shift-invariant encoding, over all its offsets where N d is at most some 2e8.

    Of a longer table as many offsets are searched, half of them the first, half spread evenly over all: a distance
    between them can exceed the result, by little, since by then the hands point anywhere.
    """
    pairs = invariant_pairs(encoding)
    n_positions = encoding.n_positions
    n_lags = min(n_positions, _SEARCHED // (pairs.count + _LAG_COST))
    half = n_lags // 2
    searched = [Progression(0, 1, n_lags)]
    if n_lags < n_positions:
        searched = [Progression(0, 1, half), Progression(0, (n_positions - 1) // half, half)]
    lowest = min(float(weighted_dots(pairs, lags, pairs.lengths**2).min()) for lags in searched)
    # One position alone has no distance but 0: any colour map does.
    return math.sqrt(2 * pairs.squared_norm - 2 * lowest) if n_positions > 1 else 1.0


@kept
def similarity_field(encoding: Encoding, measure: str) -> Field:
    """The field of dot products, cosines or distances of any encoding."""
    if encoding.is_shift_invariant:
        return _SimilarityField(encoding, measure)
    return _TwoRangeSimilarityField(encoding, measure)
