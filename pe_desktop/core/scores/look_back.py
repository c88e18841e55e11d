"""A head that looks n positions back: score(t, s) = (M_-n p_t) . p_s, where its rows peak, and how sharply.

M_-n turns every hand back by n positions, so that the score is largest at s = t - n; p_t^T M_-n p_s would be largest at
s = t + n. Where no such turn exists, the best 2 x 2 of every pair of columns stands for it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers
from pe_desktop.core.fields.field import even_sample, shift_positions
from pe_desktop.core.kinds.ablations import OneWaveEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding, least_bits
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import IsCancelled, invariant_pairs, never, profile, profile_at, squared_norm
from pe_desktop.core.rotation import has_rotation, rotation_blocks
from pe_desktop.core.shift import fitted_blocks

# What scores are multiplied by before the softmax, over sqrt(d): 1 is usual.
GAINS: Final = (1, 8, 32)
# Scores that differ by a smaller share of the largest are equal; so are drops.
_ROUNDING: Final = 1e-12
_SAME: Final = 1e-9

# Values among which a 2 x 2 is fitted, unless so few positions need more.
_FITTED_CELLS: Final = 2**17
_FEWEST_FITTED: Final = 64
# Positions, and values of a table, that tell between which scores a colour map reaches.
_LIMIT_SAMPLES: Final = 257
_LIMIT_CELLS: Final = 2**21
# Multiplications of a whole table of scores, each of which costs as much as _SCORE_COST dimensions besides.
_TABLE_COST: Final = 2**34
_SCORE_COST: Final = 128
# A sample of a larger table: multiplications, with what a score costs besides, in dimensions; its rows; values of its
# keys, and keys beside t - n.
_SAMPLE_COST: Final = 2**30
_PRODUCT_COST: Final = 32
_FEWEST_ROWS, _MOST_ROWS = 8, 256
_KEY_CELLS: Final = 2**24
_NEIGHBOURS: Final = 32
# Values of queries, and scores, held at once.
_QUERY_CELLS: Final = 2**21
_SCORES: Final = 2**18
# Lags that are held, in lags and in lags times pairs; and lags that are searched.
_MOST_LAGS: Final = 2**20
_LAG_COST: Final = 2**31
# Values of the keys of one row whose order is told.
_ORDER_CELLS: Final = 2**17
# A wider unrestricted matrix takes longer than anybody waits for.
_WIDEST: Final = 512


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """What takes p_t to p_(t-n), or nearest to it: a block for each hand of `hand_columns`, shape (n_hands, 2, 2).

    limits: the least and the greatest score, of a long table of an even sample.
    """

    encoding: Encoding
    places: int
    blocks: Floats
    limits: tuple[float, float]

    def queries(self, positions: Numbers) -> Floats:
        """The shifted vectors, shape (len(positions), d_model)."""
        return self.turned(self.encoding.values(positions))

    def turned(self, vectors: Floats) -> Floats:
        """The blocks times vectors (n, d_model), in the same shape."""
        return _turned(self.blocks, self.encoding, vectors)


@lru_cache(maxsize=4)
def look_back_shift(encoding: Encoding, places: int) -> Shift:
    """M_-n where hands turn evenly, else the best 2 x 2 of every hand over all t with t and t - n in the table.

    Of a long table over an even sample of them.
    """
    if has_rotation(encoding):
        blocks = rotation_blocks(encoding, -places)
    else:
        most = max(_FITTED_CELLS // encoding.d_model, _FEWEST_FITTED)
        positions = np.asarray(shift_positions(encoding, -places, most), dtype=np.int64)
        first, second = hand_columns(encoding).T
        vectors = (encoding.values(some) for some in (positions, positions - places))
        hands = [np.stack([v[:, first], np.where(second == MISSING, 0.0, v[:, second])], axis=2) for v in vectors]
        blocks = fitted_blocks(*hands)
    return Shift(encoding, places, blocks, _score_limits(encoding, places, blocks))


def _score_limits(encoding: Encoding, places: int, blocks: Floats) -> tuple[float, float]:
    most = max(min(_LIMIT_CELLS // encoding.d_model, _LIMIT_SAMPLES), 2)
    rows = np.asarray(even_sample(encoding.n_positions - places, most)) + places
    keys = np.union1d(np.asarray(even_sample(encoding.n_positions, most)), rows - places)
    scores = _turned(blocks, encoding, encoding.values(rows)) @ encoding.values(keys).T
    least, greatest = float(scores.min()), float(scores.max())
    return (least, greatest) if least or greatest else (0.0, 1.0)


def _turned(blocks: Floats, encoding: Encoding, vectors: Floats) -> Floats:
    """Blocks (n_hands, 2, 2) times vectors (n, d_model) of an encoding, in the same shape."""
    first, second = hand_columns(encoding).T
    has_second = second != MISSING
    x, y = vectors[:, first], np.where(has_second, vectors[:, second], 0.0)
    result = np.empty_like(vectors)
    result[:, first] = x * blocks[:, 0, 0] + y * blocks[:, 0, 1]
    result[:, second[has_second]] = (x * blocks[:, 1, 0] + y * blocks[:, 1, 1])[:, has_second]
    return result


@dataclass(frozen=True, slots=True)
class RowFacts:
    """Row t of a head: the score at s = t - n, the largest of all other keys, the weight on t - n at each of GAINS.

    score and weights are nan where t - n lies before the table, second where there is no other key; weights are None
    where they weren't computed; n_compared: how many keys were compared where these are not all.
    """

    score: float
    second: float
    weights: tuple[float, ...] | None
    n_compared: int | None = None

    @property
    def margin(self) -> float:
        return self.score - self.second


@dataclass(frozen=True, slots=True)
class Peaks:
    """In how many rows t >= n the score at s = t - n exceeds that of every other key, by more than rounding.

    n_rows: the rows that were looked at; is_sample: whether rows or keys are a sample.
    """

    n_peaking: int
    n_rows: int
    is_sample: bool = False

    @property
    def is_everywhere(self) -> bool:
        return self.n_peaking == self.n_rows > 0


@dataclass(frozen=True, slots=True, eq=False)
class Drops:
    """The scores of a shift-invariant encoding by distance from the peak: it is score(t, t - n + j) = peak - drop(j).

    drops: by j = 0, 1, ..., the same for -j, as far as they are held; log_sums, shape (len(GAINS), n), is None where
    not all of them are: the running sums of exp(-gain drop / sqrt(d)) from 0 to j. records: the j whose drop is less
    than that of all before it from 1 on, and their drops, among the first n_searched distances.
    """

    encoding: Encoding
    peak: float
    drops: Floats
    sums: Floats | None
    records: tuple[Integers, Floats]
    n_searched: int

    @property
    def nbytes(self) -> int:
        return self.drops.nbytes + (0 if self.sums is None else self.sums.nbytes)

    @property
    def is_whole(self) -> bool:
        """Whether every distance in the table was searched."""
        return self.n_searched >= self.encoding.n_positions

    @property
    def has_one_margin(self) -> bool:
        """Whether neighbours of the peak come second, so that every row has the same margin."""
        lags, _ = self.records
        return self.is_whole and len(lags) == 1

    def row(self, places: int, t: int) -> RowFacts:
        """One row; n is `places`."""
        before, after = t - places, self.encoding.n_positions - 1 - t + places
        lags, drops = self.records
        if before < 0:
            # Its largest score is that of the first key, or of one further on.
            return RowFacts(math.nan, math.nan, None if self.sums is None else (math.nan,) * len(GAINS))
        reach = max(before, after)
        known = int(np.searchsorted(lags, reach, side="right"))
        second = self.peak - float(drops[known - 1]) if known else math.nan
        weights = None
        if self.sums is not None:
            weights = tuple(float(1 / (sums[before] + sums[after] - 1)) for sums in self.sums)
        return RowFacts(
            self.peak,
            second,
            weights,
            None if reach < self.n_searched else min(before, self.n_searched - 1) + min(after, self.n_searched - 1),
        )

    def highest_weight(self, places: int) -> float:
        """The largest weight of all rows at the usual gain: on the nearest key to t - n, wherever that is."""
        missed = np.maximum(places - np.arange(self.encoding.n_positions), 0)
        peaks = np.exp(-self.drops[missed] / math.sqrt(self.encoding.d_model))
        return float((peaks / normalisers(self, places)).max())

    def peaks(self, places: int) -> Peaks:
        """In how many rows the peak is alone: another j as high, to rounding, is in reach of the others."""
        n_positions = self.encoding.n_positions
        lags, drops = self.records
        equal = lags[drops <= _ROUNDING * self.peak]
        first = int(equal[0]) if len(equal) else n_positions
        low, high = max(0, n_positions - first), min(n_positions - 1 - places, first - 1)
        return Peaks(max(high - low + 1, 0), n_positions - places, not self.is_whole)


def find_drops(encoding: Encoding, is_cancelled: IsCancelled = never) -> Drops | None:
    """Compute the drops of a shift-invariant encoding, all 2 N of them where they are few; None when cancelled."""
    pairs, n_positions = invariant_pairs(encoding), encoding.n_positions
    most = _LAG_COST // pairs.count
    n_held = min(2 * n_positions, _MOST_LAGS, most)
    distances = profile(encoding, "distance", n_held, None, is_cancelled)
    if distances is None:
        return None
    drops = np.multiply(distances, distances, out=distances)
    drops *= 0.5
    n_searched = min(n_positions, most)
    records = _records(encoding, drops[:n_searched], n_searched, is_cancelled)
    if records is None:
        return None
    sums = None
    if n_held == 2 * n_positions:
        sums = np.stack([np.exp(drops * (-gain / math.sqrt(encoding.d_model))).cumsum() for gain in GAINS])
    return Drops(encoding, squared_norm(pairs), drops, sums, records, n_searched)


def _records(
    encoding: Encoding, held: Floats, n_searched: int, is_cancelled: IsCancelled
) -> tuple[Integers, Floats] | None:
    """The distances from 1 on whose drop is less than all before it by more than rounding, and these drops."""
    lags: list[int] = []
    drops: list[float] = []
    least = math.inf
    for first in range(1, n_searched, _MOST_LAGS):
        if is_cancelled():
            return None
        stop = min(first + _MOST_LAGS, n_searched)
        some = held[first:stop]
        if stop > len(held):
            some = profile_at(encoding, "distance", range(first, stop)) ** 2 / 2
        lowest = np.minimum.accumulate(np.concatenate([[least], some]))
        for place in np.flatnonzero(lowest[1:] < lowest[:-1]).tolist():
            if some[place] < least * (1 - _SAME):
                least = float(some[place])
                lags.append(first + place)
                drops.append(least)
    return np.array(lags, dtype=np.int64), np.array(drops)


@lru_cache(maxsize=4)
def normalisers(drops: Drops, places: int) -> Floats:
    """The sum of exp(-drop / sqrt(d)) over all keys of every row, shape (n_positions,); `drops` must hold its sums."""
    assert drops.sums is not None
    n_positions, sums = drops.encoding.n_positions, drops.sums[0]
    before = np.arange(-places, n_positions - places)
    after = n_positions - 1 - before
    result: Floats = np.where(before >= 0, sums[np.abs(before)] - 1, -sums[np.maximum(-before - 1, 0)]) + sums[after]
    return result


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of a head that is measured key by key: what RowFacts says of each, shape (n_rows,).

    log_sums: the logarithm of the sum of exp(gain score / sqrt(d)) over all keys, shape (len(GAINS), n_rows).
    n_keys: how many keys were compared, all of the table or an even sample.
    """

    shift: Shift
    positions: Integers
    scores: Floats
    seconds: Floats
    log_sums: Floats
    n_keys: int

    @property
    def is_whole(self) -> bool:
        """Whether these are all rows of the table against all keys."""
        n_positions = self.shift.encoding.n_positions
        return len(self.positions) == self.n_keys == n_positions

    @property
    def highest_weight(self) -> float:
        """The largest weight of all rows at the usual gain."""
        heights = np.fmax(self.scores, self.seconds) / math.sqrt(self.shift.encoding.d_model)
        return float(np.exp(heights - self.log_sums[0]).max())

    def row(self, t: int) -> RowFacts | None:
        """One row; None where it is not among these."""
        place = int(np.searchsorted(self.positions, t))
        if place == len(self.positions) or self.positions[place] != t:
            return None
        score, scale = float(self.scores[place]), math.sqrt(self.shift.encoding.d_model)
        weights = tuple(
            math.exp(gain / scale * score - sums[place]) for gain, sums in zip(GAINS, self.log_sums, strict=True)
        )
        is_whole = self.n_keys == self.shift.encoding.n_positions
        return RowFacts(
            score, float(self.seconds[place]), weights if is_whole else None, None if is_whole else self.n_keys
        )

    def peaks(self) -> Peaks:
        """In how many of these rows the score at s = t - n exceeds all others."""
        is_asked = ~np.isnan(self.scores)
        scores, seconds = self.scores[is_asked], self.seconds[is_asked]
        size = np.fmax(np.abs(scores), np.abs(seconds))
        # One position alone has no other key.
        is_peak = np.isnan(seconds) | (scores - seconds > _ROUNDING * size)
        n_asked, n_keys = self.shift.encoding.n_positions - self.shift.places, self.shift.encoding.n_positions
        is_sample = len(scores) < n_asked or self.n_keys < n_keys
        return Peaks(int(np.count_nonzero(is_peak)), len(scores), is_sample)


def holds_weights(encoding: Encoding) -> bool:
    """Whether the weights of every row are computed: they add up all keys."""
    n_positions = encoding.n_positions
    if encoding.is_shift_invariant:
        return 2 * n_positions <= min(_MOST_LAGS, _LAG_COST // invariant_pairs(encoding).count)
    return n_positions**2 * (encoding.d_model + _SCORE_COST) <= _TABLE_COST


def find_rows(encoding: Encoding, places: int, is_cancelled: IsCancelled = never) -> Rows | None:
    """All rows of a head against all keys, or a sample of both where they are too many; None when cancelled."""
    shift = look_back_shift(encoding, places)
    if not holds_weights(encoding):
        return _sampled_rows(shift, is_cancelled)
    every = np.arange(encoding.n_positions)
    return measured_rows(shift, every, every, is_cancelled)


def find_row(encoding: Encoding, places: int, t: int, is_cancelled: IsCancelled = never) -> RowFacts | None:
    """One row of a long table against all keys, or a sample of them; None when cancelled."""
    shift, rows = look_back_shift(encoding, places), np.array([t])
    keys = _compared_keys(shift, rows, _KEY_CELLS // encoding.d_model)
    found = measured_rows(shift, rows, keys, is_cancelled)
    return None if found is None else found.row(t)


def find_shift(encoding: Encoding, places: int, is_cancelled: IsCancelled = never) -> Shift:
    """The shift, as a question asks for it: too short to be cancelled."""
    return look_back_shift(encoding, places)


def _sampled_rows(shift: Shift, is_cancelled: IsCancelled) -> Rows | None:
    encoding, places = shift.encoding, shift.places
    n_keys = min(encoding.n_positions, _KEY_CELLS // encoding.d_model)
    n_rows = min(max(_SAMPLE_COST // (n_keys * (encoding.d_model + _PRODUCT_COST)), _FEWEST_ROWS), _MOST_ROWS)
    rows = np.asarray(even_sample(encoding.n_positions - places, n_rows), dtype=np.int64) + places
    return measured_rows(shift, rows, _compared_keys(shift, rows, n_keys), is_cancelled, gains=())


def _compared_keys(shift: Shift, rows: Integers, most: int) -> Integers:
    """All keys where they are at most so many, else an even sample and the neighbours of t - n, ascending."""
    n_positions = shift.encoding.n_positions
    keys = np.asarray(even_sample(n_positions, most), dtype=np.int64)
    if len(keys) == n_positions:
        return keys
    near = (rows[:, np.newaxis] - shift.places + np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1)).reshape(-1)
    return np.union1d(keys, near[(near >= 0) & (near < n_positions)])


def measured_rows(
    shift: Shift,
    positions: Integers,
    keys: Integers,
    is_cancelled: IsCancelled = never,
    *,
    gains: tuple[int, ...] = GAINS,
) -> Rows | None:
    """Rows at some positions, ascending, from products of vectors with some keys and the key at t - n."""
    height = max(_QUERY_CELLS // shift.encoding.d_model, 1)
    parts = []
    for first in range(0, len(positions), height):
        part = _Part.of(shift, positions[first : first + height], gains)
        if not part.add(shift.encoding, keys, is_cancelled):
            return None
        parts.append(part)
    scores, seconds = (
        np.concatenate(both) for both in zip(*((part.scores, part.seconds) for part in parts), strict=True)
    )
    log_sums = np.concatenate([part.log_sums for part in parts], axis=1)
    return Rows(shift, positions, scores, seconds, log_sums, len(keys))


@dataclass(slots=True)
class _Part:
    """Some rows while keys are added to them: what Rows holds, and the vectors of the rows."""

    queries: Floats
    wanted: Integers
    factors: Floats
    scores: Floats
    seconds: Floats
    log_sums: Floats

    @classmethod
    def of(cls, shift: Shift, positions: Integers, gains: tuple[int, ...]) -> "_Part":
        """Rows that know the key at t - n alone."""
        wanted, factors = positions - shift.places, np.array(gains) / math.sqrt(shift.encoding.d_model)
        queries = shift.queries(positions)
        own = np.einsum("nd,nd->n", queries, shift.encoding.values(np.maximum(wanted, 0)))
        log_sums = np.where(wanted >= 0, np.multiply.outer(factors, own), -np.inf)
        scores = np.where(wanted >= 0, own, np.nan)
        return cls(queries, wanted, factors, scores, np.full(len(positions), np.nan), log_sums)

    def add(self, encoding: Encoding, keys: Integers, is_cancelled: IsCancelled) -> bool:
        """Compare all keys but that at t - n; whether that was done to the end."""
        width = max(_SCORES // encoding.d_model, 1)
        for start in range(0, len(keys), width):
            others = keys[start : start + width]
            vectors = encoding.values(others).T
            height = max(_SCORES // len(others), 1)
            for first in range(0, len(self.wanted), height):
                if is_cancelled():
                    return False
                self._add(slice(first, first + height), others, vectors)
        return True

    def _add(self, some: slice, others: Integers, vectors: Floats) -> None:
        products = self.queries[some] @ vectors
        places = np.searchsorted(others, self.wanted[some])
        is_own = others[np.minimum(places, len(others) - 1)] == self.wanted[some]
        # The key at t - n counts once, by itself.
        products[np.flatnonzero(is_own), places[is_own]] = -np.inf
        largest = products.max(axis=1)
        self.seconds[some] = np.fmax(self.seconds[some], np.where(np.isfinite(largest), largest, np.nan))
        for log_sums, factor in zip(self.log_sums, self.factors, strict=True):
            log_sums[some] = np.logaddexp(log_sums[some], _log_sum(products * factor, largest * factor))


def _log_sum(products: Floats, largest: Floats) -> Floats:
    """The logarithm of the sum of exponentials of every row; -inf where all are -inf."""
    is_there = np.isfinite(largest)
    result = np.full(len(products), -np.inf)
    top = largest[is_there]
    result[is_there] = top + np.log(np.exp(products[is_there] - top[:, np.newaxis]).sum(axis=1))
    return result


def find_peaks(encoding: Encoding, places: int, is_cancelled: IsCancelled = never) -> Peaks | None:
    """Where the rows of any encoding peak; None when cancelled."""
    if encoding.is_shift_invariant:
        drops = find_drops(encoding, is_cancelled)
        return None if drops is None else drops.peaks(places)
    shift, n_positions = look_back_shift(encoding, places), encoding.n_positions
    if n_positions**2 * (encoding.d_model + _PRODUCT_COST) > _SAMPLE_COST:
        rows = _sampled_rows(shift, is_cancelled)
    else:
        asked, keys = np.arange(places, n_positions), np.arange(n_positions)
        rows = measured_rows(shift, asked, keys, is_cancelled, gains=())
    return None if rows is None else rows.peaks()


def other_positions(n_positions: int, d_model: int) -> Mapping[str, Encoding]:
    """Six encodings by their names, of so many positions and about so many dimensions."""
    even = max(d_model - d_model % 2, 2)
    return {
        "Sinusoidal (paper)": SinusoidalEncoding(n_positions, even),
        "Linear spacing": SinusoidalEncoding(n_positions, even, spacing="linear"),
        "Sine only": OneWaveEncoding(n_positions, d_model),
        "Binary code": BitsEncoding(n_positions, max(d_model, least_bits(n_positions))),
        "Counter t": CounterEncoding(n_positions, d_model),
        "Random vectors": RandomEncoding(n_positions, d_model),
    }


@dataclass(frozen=True, slots=True)
class OtherOrder:
    """Where a row of p_t^T M_-n p_s peaks, with the matrix on the key's side: at which k = s - t, and how high.

    mirrored: the score of the same row at k = -n, nan where t - n lies before the table.
    """

    position: int
    offset: int
    score: float
    mirrored: float


@lru_cache(maxsize=4)
def other_order(encoding: Encoding, places: int) -> OtherOrder:
    """Measured at one row, that of t = n where t + n lies in the table, else of 0; among all keys or a sample.

    ValueError for an encoding without M_n.
    """
    n_positions, t = encoding.n_positions, places if 2 * places < encoding.n_positions else 0
    known = [key for key in (t - places, t, t + places) if 0 <= key < n_positions]
    most = max(_ORDER_CELLS // encoding.d_model, 2)
    keys = np.union1d(np.asarray(even_sample(n_positions, most)), known)
    blocks = rotation_blocks(encoding, -places)
    scores = _turned(blocks, encoding, encoding.values(keys)) @ encoding.values(t)[0]
    best = int(scores.argmax())
    mirrored = float(scores[keys == t - places][0]) if t >= places else math.nan
    return OtherOrder(t, int(keys[best]) - t, float(scores[best]), mirrored)


@dataclass(frozen=True, slots=True)
class Memorised:
    """An unrestricted matrix fitted to random vectors of d_model dimensions: where rows peak that it was fitted to.

    fitted: d_model rows that it takes to those n before them; new: as many rows after these.
    """

    d_model: int
    fitted: Peaks
    new: Peaks


def memorised(d_model: int, places: int) -> Memorised:
    """Fit at t = n, ..., n + d - 1, without a residual, and try the d positions after them; at most _WIDEST dimensions.

    Keys are the positions of all these rows and those n before them.
    """
    width = min(d_model, _WIDEST)
    encoding = RandomEncoding(2 * width + places, width)
    wanted = np.arange(2 * width)
    rows, keys = wanted + places, np.union1d(wanted, wanted + places)
    queries, targets = encoding.values(rows), encoding.values(wanted)
    matrix = np.linalg.solve(queries[:width], targets[:width])
    is_peak = keys[(queries @ matrix @ encoding.values(keys).T).argmax(axis=1)] == wanted
    fitted, new = (Peaks(int(np.count_nonzero(part)), width) for part in (is_peak[:width], is_peak[width:]))
    return Memorised(width, fitted, new)


def find_others(
    n_positions: int, d_model: int, places: int, is_cancelled: IsCancelled = never
) -> tuple[Mapping[str, Peaks], Memorised] | None:
    """The peaks of the six encodings, and of the unrestricted matrix; None when cancelled."""
    found: dict[str, Peaks] = {}
    for name, encoding in other_positions(n_positions, d_model).items():
        peaks = find_peaks(encoding, places, is_cancelled)
        if peaks is None:
            return None
        found[name] = peaks
    return found, memorised(d_model, places)
