"""A head that looks n positions back: score(t, s) = (M_-n p_t) . p_s, what is said of its rows, and all rows by offset.

M_-n turns every hand back by n positions, so that the score is largest at s = t - n; p_t^T M_-n p_s would be largest at
s = t + n. Where no such turn exists, the best 2 x 2 of every pair of columns stands for it.
"""

import math
from functools import cached_property
from typing import Final

import numpy as np

from pe_desktop.core.cursor import hand_columns, hand_values, n_hands
from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Integers, Numbers, ends_of
from pe_desktop.core.fields.field import Limits, even_sample, shift_positions
from pe_desktop.core.lags import IsCancelled, invariant_pairs, never, profile, stop_if
from pe_desktop.core.record import kept, record
from pe_desktop.core.rotation import fitted_blocks, rotating_pairs, rotation_blocks

# What scores are multiplied by before the softmax, over sqrt(d): 1 is usual.
GAINS: Final = (1, 8, 32)

# Values among which a 2 x 2 is fitted, unless so few positions need more.
_FITTED_CELLS: Final = 2**17
_FEWEST_FITTED: Final = 64
# Positions, and values of a table, that tell between which scores a colour map reaches.
_LIMIT_SAMPLES: Final = 257
_LIMIT_CELLS: Final = 2**21
# Values of the keys of one row whose order is listed.
_ORDER_CELLS: Final = 2**17


@record(eq=False)
class Shift:
    """What takes p_t to p_(t-n), or nearest to it: a block for each hand of `hand_columns`, shape (n_hands, 2, 2)."""

    encoding: Encoding
    places: int
    blocks: Floats

    @cached_property
    def limits(self) -> Limits:
        """The least and the greatest score, of a long table of an even sample."""
        most = max(min(_LIMIT_CELLS // self.encoding.d_model, _LIMIT_SAMPLES), 2)
        rows = even_sample(self.encoding.n_positions - self.places, most) + self.places
        keys = np.array(sorted({*even_sample(self.encoding.n_positions, most), *(rows - self.places)}))
        limits = ends_of(self.queries(rows) @ self.encoding.values(keys).T)
        return limits if any(limits) else (0.0, 1.0)

    def queries(self, positions: Numbers) -> Floats:
        """The shifted vectors, shape (len(positions), d_model)."""
        return self.turned(self.encoding.values(positions))

    def turned(self, vectors: Floats) -> Floats:
        """The blocks times vectors (n, d_model), in the same shape."""
        columns = hand_columns(self.encoding)
        # The column that a hand lacks, MISSING, is the last one here.
        padded = np.pad(vectors, ((0, 0), (0, 1)))
        result = np.empty_like(padded)
        result[:, columns] = np.einsum("hij,thj->thi", self.blocks, padded[:, columns])
        return result[:, :-1]


@kept
def look_back_shift(encoding: Encoding, places: int) -> Shift:
    """M_-n where hands turn evenly, else the best 2 x 2 of every hand over all t with t and t - n in the table.

    Of a long table over an even sample of them.
    """
    if rotating_pairs(encoding) is not None:
        blocks = rotation_blocks(encoding, -places)
    else:
        most = max(_FITTED_CELLS // encoding.d_model, _FEWEST_FITTED)
        positions = shift_positions(encoding, -places, most)
        every = range(n_hands(encoding))
        moved = (hand_values(encoding, rows, every) for rows in (positions, positions - places))
        blocks = fitted_blocks(*map(np.nan_to_num, moved))
    shift = Shift(encoding, places, blocks)
    if not encoding.is_shift_invariant:
        shift.limits  # noqa: B018 - kept: its map needs them, and this is asked for in the background
    return shift


@record
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


@record
class Peaks:
    """In how many rows t >= n the score at s = t - n exceeds that of every other key, by more than rounding.

    n_rows: the rows that were looked at; is_sample: whether rows or keys are a sample. reach: how far to each side of
    t - n keys were compared, None for all.
    """

    n_peaking: int
    n_rows: int
    is_sample: bool = False
    reach: int | None = None

    @property
    def is_everywhere(self) -> bool:
        return self.n_peaking == self.n_rows > 0


@kept
def other_order(encoding: Encoding, places: int) -> tuple[int, float]:
    """Where a row of p_t^T M_-n p_s peaks, with the matrix on the key's side: at which k = s - t, and how high.

    Measured at one row, that of t = n where t + n lies in the table, else of 0; among all keys or a sample.
    """
    n_positions = encoding.n_positions
    t = places if 2 * places < encoding.n_positions else 0
    wanted = [key for key in (t - places, t, t + places) if 0 <= key < n_positions]
    most = max(_ORDER_CELLS // encoding.d_model, 2)
    keys = np.array(sorted({*even_sample(n_positions, most), *wanted}))
    scores = look_back_shift(encoding, places).queries(keys) @ encoding.values(t)[0]
    best = int(scores.argmax())
    return int(keys[best]) - t, float(scores[best])


# Drops that differ by a smaller share are equal.
_SAME: Final = 1e-9
# Lags that are held, in lags and in lags times pairs; and lags that are searched.
_MOST_LAGS: Final = 2**20
_LAG_COST: Final = 2**31


@record(eq=False)
class Drops:
    """The scores of a shift-invariant encoding by distance from the peak: it is score(t, t - n + j) = peak - drop(j).

    drops: by j = 0, 1, ..., the same for -j, as far as they are held; least: the score at the largest of them. sums,
    shape (len(GAINS), n): the running sums of exp(-gain drop / sqrt(d)) from 0 to j, None where not all 2 N drops are
    held. records: the j whose drop is less than that of all before it from 1 on, and their drops, among the first
    n_searched distances.
    """

    encoding: Encoding
    peak: float
    least: float
    drops: Floats
    sums: Floats | None
    records: tuple[Integers, Floats]
    n_searched: int

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
        n_records = int(np.searchsorted(lags, reach, side="right"))
        second = self.peak - float(drops[n_records - 1]) if n_records else math.nan
        weights = n_compared = None
        if self.sums is not None:
            weights = tuple(float(1 / (sums[before] + sums[after] - 1)) for sums in self.sums)
        if reach >= self.n_searched:
            n_compared = min(before, self.n_searched - 1) + min(after, self.n_searched - 1)
        return RowFacts(self.peak, second, weights, n_compared)

    def peaks(self, places: int) -> Peaks:
        """In how many rows the peak is alone: another j as high, to rounding, is in reach of the others."""
        n_positions = self.encoding.n_positions
        lags, drops = self.records
        equal = lags[drops <= ROUNDING * self.peak]
        first = int(equal[0]) if len(equal) else n_positions
        low, high = max(0, n_positions - first), min(n_positions - 1 - places, first - 1)
        reach = None if self.is_whole else self.n_searched - 1
        return Peaks(max(high - low + 1, 0), n_positions - places, reach=reach)


def find_drops(encoding: Encoding, is_cancelled: IsCancelled = never) -> Drops:
    """Compute the drops of a shift-invariant encoding, all 2 N of them where they are few."""
    pairs, n_positions = invariant_pairs(encoding), encoding.n_positions
    most = _LAG_COST // pairs.count
    n_held = min(2 * n_positions, _MOST_LAGS, most)
    distances = profile(encoding, "distance", range(n_held), is_cancelled=is_cancelled)
    drops = np.multiply(distances, distances, out=distances)
    drops *= 0.5
    n_searched = min(n_positions, most)
    records = _records(encoding, drops[:n_searched], n_searched, is_cancelled)
    sums = None
    if holds_sums(encoding):
        sums = np.stack([np.exp(drops * (-gain / math.sqrt(encoding.d_model))).cumsum() for gain in GAINS])
    peak = pairs.squared_norm
    return Drops(encoding, peak, peak - float(drops.max()), drops, sums, records, n_searched)


def _records(encoding: Encoding, held: Floats, n_searched: int, is_cancelled: IsCancelled) -> tuple[Integers, Floats]:
    """The distances from 1 on whose drop is less than all before it by more than rounding, and these drops."""
    lags = []
    drops = []
    least = math.inf
    for first in range(1, n_searched, _MOST_LAGS):
        stop_if(is_cancelled)
        stop = min(first + _MOST_LAGS, n_searched)
        piece = held[first:stop]
        if stop > len(held):
            piece = profile(encoding, "distance", range(first, stop)) ** 2 / 2
        lowest = np.minimum.accumulate(np.concatenate([[least], piece]))
        for place in np.flatnonzero(lowest[1:] < lowest[:-1]).tolist():
            if piece[place] < least * (1 - _SAME):
                least = float(piece[place])
                lags.append(first + place)
                drops.append(least)
    return np.array(lags, dtype=np.int64), np.array(drops)


def holds_sums(encoding: Encoding) -> bool:
    """Whether the weights of every row are known: they add up all keys."""
    return 2 * encoding.n_positions <= min(_MOST_LAGS, _LAG_COST // invariant_pairs(encoding).count)
