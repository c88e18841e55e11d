"""The similarity of all positions to all others as a field: any window, at any N, from a few lags."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pe_desktop.core.attenuation import attenuation
from pe_desktop.core.blocks import equal_blocks
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.fields import Blocks, Field
from pe_desktop.core.lags import (
    Progression,
    invariant_pairs,
    squared_lengths,
    squared_norm,
    turns,
    weighted_dots,
)
from pe_desktop.core.rules import checked_word
from pe_desktop.core.similarity import SIMILARITY_KINDS, profile_at
from pe_desktop.core.two_range_field import TwoRangeSimilarityField

# What is searched for the largest distance, in lags times pairs: some 20 ms; a lag costs as much as so many pairs more.
_SEARCHED: Final = 2**27
_LAG_COST: Final = 64
# Lags held at once on the way: 8 MiB.
_STRETCH: Final = 2**20
# Pairs in one product of two ranges.
_PAIRS: Final = 2048


@dataclass(frozen=True, slots=True)
class Farthest:
    """The largest distance that was found, among how many offsets; is_exact: whether these are all of the table's."""

    distance: float
    n_lags: int
    is_exact: bool


@dataclass(frozen=True, slots=True)
class SimilarityField:
    """Dot products, cosines or distances of a shift-invariant encoding, rows and columns being positions.

    Over a block of n x m positions the mean of cos(l omega) is cos(c omega) A_n A_m, with c the difference of the
    centres and A_n = sin(n omega / 2) / (n sin(omega / 2)): again a function of one difference. Distances have no such
    mean: a block shows sqrt(2 |p_t|^2 - 2 mean dot), their root mean square; a single cell shows its distance.
    """

    encoding: Encoding
    kind: str

    def __post_init__(self) -> None:
        checked_word("similarity", self.kind, SIMILARITY_KINDS)
        invariant_pairs(self.encoding)

    @property
    def shape(self) -> tuple[int, int]:
        """N x N."""
        return self.encoding.n_positions, self.encoding.n_positions

    @property
    def limits(self) -> tuple[float, float]:
        """What the two ends of the colour map mean; distances beyond `farthest` get the last colour."""
        if self.kind == "distance":
            return 0.0, farthest(self.encoding).distance
        highest = squared_norm(invariant_pairs(self.encoding)) if self.kind == "dot" else 1.0
        return -highest, highest

    @property
    def averages(self) -> str:
        """What a pixel that covers many cells shows."""
        return "root mean square" if self.kind == "distance" else "mean"

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The average over each block, shape (rows.count, columns.count), read-only where it is a view of the lags.

        ValueError for a block without a cell of the table.
        """
        row_runs, column_runs = (equal_blocks(blocks, self.shape[0]) for blocks in (rows, columns))
        parts = [[self._equal_means(some, others) for others in column_runs] for some in row_runs]
        return parts[0][0] if len(row_runs) == len(column_runs) == 1 else np.block(parts)

    def value(self, row: int, column: int) -> float:
        """The similarity of two positions, from their offset."""
        return float(profile_at(self.encoding, self.kind, float(column - row))[0])

    def _equal_means(self, rows: Blocks, columns: Blocks) -> Floats:
        step = math.gcd(*(blocks.size for blocks in (rows, columns) if blocks.count > 1)) or 1
        # From the last column and the first row to the first column and the last row.
        first = _centre(rows) - _centre(columns) - _reach(columns)
        lags = Progression(first, step, (_reach(rows) + _reach(columns)) // step + 1)
        if rows.size == columns.size == 1:
            by_lag = profile_at(self.encoding, self.kind, range(int(first), int(first) + lags.count))
        elif lags.count <= 2 * rows.count * columns.count:
            by_lag = self._shown(_lag_means(invariant_pairs(self.encoding), lags, rows.size, columns.size))
        else:
            return self._shown(_range_means(invariant_pairs(self.encoding), rows, columns))
        backwards = sliding_window_view(by_lag, _reach(columns) // step + 1)[:, ::-1]
        return backwards[:: max(rows.size // step, 1), :: max(columns.size // step, 1)]

    def _shown(self, mean_dots: Floats) -> Floats:
        """Means of dot products as this kind of similarity, in place."""
        if self.kind == "dot":
            return mean_dots
        square = squared_norm(invariant_pairs(self.encoding))
        if self.kind == "cosine":
            return np.divide(mean_dots, square, out=mean_dots)
        squares = np.subtract(2 * square, 2 * mean_dots, out=mean_dots)
        return np.sqrt(np.maximum(squares, 0, out=squares), out=squares)


def farthest(encoding: Encoding) -> Farthest:
    """The largest distance of a shift-invariant encoding, over all its offsets where N d is at most some 2e8.

    Of a longer table as many offsets are searched, half of them the first, half spread evenly over all: a distance
    between them can exceed the result, by little, since by then the hands point anywhere.
    """
    return _searched(cast("Hashable", encoding))


@lru_cache(maxsize=8)
def _searched(encoding: Encoding) -> Farthest:
    pairs, n_positions = invariant_pairs(encoding), encoding.n_positions
    n_lags = min(n_positions, _SEARCHED // (pairs.count + _LAG_COST))
    if n_lags == n_positions:
        searched = [Progression(0, 1, n_lags)]
    else:
        half = n_lags // 2
        searched = [Progression(0, 1, half), Progression(0, (n_positions - 1) // half, half)]
    lowest = min(_lowest_dot(pairs, lags) for lags in searched)
    # One position alone has no distance but 0: any colour map does.
    distance = math.sqrt(2 * squared_norm(pairs) - 2 * lowest) if n_positions > 1 else 1.0
    return Farthest(distance, n_lags, n_lags == n_positions)


def _lowest_dot(pairs: Pairs, lags: Progression) -> float:
    lowest = math.inf
    for place in range(0, lags.count, _STRETCH):
        some = Progression(lags.first + lags.step * place, lags.step, min(_STRETCH, lags.count - place))
        dots = weighted_dots(pairs, some, squared_lengths(pairs))
        assert dots is not None
        lowest = min(lowest, float(dots.min()))
    return lowest


def similarity_field(encoding: Encoding, kind: str) -> Field:
    """The field of dot products, cosines or distances of any encoding; ValueError for another kind."""
    if encoding.is_shift_invariant and encoding.pairs is not None:
        return SimilarityField(encoding, kind)
    return TwoRangeSimilarityField(encoding, kind)


def _lag_means(pairs: Pairs, lags: Progression, n: int, m: int) -> Floats:
    """Means of dot products over blocks of n x m cells, by the difference of their centres, shape (lags.count,)."""
    dots = weighted_dots(pairs, lags, pairs.lengths**2 * attenuation(pairs, n) * attenuation(pairs, m))
    assert dots is not None
    return dots


def _range_means(pairs: Pairs, rows: Blocks, columns: Blocks) -> Floats:
    """The same where few blocks have too many differences: as a product of two tables of hands."""
    weights = pairs.lengths**2 * attenuation(pairs, rows.size) * attenuation(pairs, columns.size)
    result = np.zeros((rows.count, columns.count))
    for first in range(0, pairs.count, _PAIRS):
        some = range(first, min(first + _PAIRS, pairs.count))
        left, right = (turns(pairs, _centre(blocks), blocks.size, blocks.count, some) for blocks in (rows, columns))
        left *= weights[some.start : some.stop]
        result += left.real @ right.real.T + left.imag @ right.imag.T
    return result


def _centre(blocks: Blocks) -> float:
    """The middle of the first block."""
    return blocks.first + (blocks.size - 1) / 2


def _reach(blocks: Blocks) -> int:
    """From the first cell of the first block to that of the last."""
    return (blocks.count - 1) * blocks.size
