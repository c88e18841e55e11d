"""Fields of scores: row t, column s, of one query and one key at every two positions, or of a sum of cosines."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.fields.field import Blocks, Field, Line, Means, Tile
from pe_desktop.core.fields.offsets import (
    OffsetField,
    Shown,
    Waves,
    by_offset,
    offsets_between,
    pieces,
    shares_offsets,
)
from pe_desktop.core.fields.products import AddedVector, ProductScoreField
from pe_desktop.core.lags import Progression, invariant_pairs
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import Additive, Rotary, Scheme

# Offsets times knots worked on at once: 4 MiB for each of a few arrays.
_CELLS: Final = 2**19


@record
class Lines:
    """score(k) = level + slope k + sum of steps_j (k >= knots_j) + sum of bends_j max(k - knots_j, 0), k = s - t.

    knots are whole offsets, ascending; knots, steps and bends are of one length.
    """

    level: float
    slope: float = 0.0
    knots: tuple[int, ...] = ()
    steps: tuple[float, ...] = ()
    bends: tuple[float, ...] = ()

    def at(self, offsets: Progression) -> Floats:
        """The score at each whole offset, shape (count,)."""
        return self._means(offsets.values, 1, 1)

    def means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        """The mean over each block, after shown."""
        if not shares_offsets(rows, columns):
            centres = [blocks.starts + (blocks.size - 1) / 2 for blocks in (rows, columns)]
            offsets = (centres[1] - centres[0][:, np.newaxis]).reshape(-1)
            return shown(self._means(offsets, rows.size, columns.size)).reshape(rows.count, columns.count)
        offsets = offsets_between(rows, columns).values
        return by_offset(rows, columns, shown(self._means(offsets, rows.size, columns.size)))

    def _means(self, offsets: Floats, n: int, m: int) -> Floats:
        """The means over blocks of n rows and m columns by the offset of their centres, shape as the offsets.

        How many of the n m cells lie at a knot or beyond it, and how far together, are sums of triangular and of
        tetrahedral numbers; a knot outside a block is moved to its edge, so that no large numbers cancel.
        """
        result = self.level + self.slope * offsets
        if not self.knots:
            return result
        knots, steps, bends = (np.array(row) for row in (self.knots, self.steps, self.bends))
        reached = offsets - (m - n) / 2
        is_past = reached - knots[-1] >= n - 1
        result[is_past] += steps.sum() + offsets[is_past] * bends.sum() - knots @ bends
        # Blocks before the first knot or past the last one are many at large N; the others are computed knot by knot.
        among = np.flatnonzero(~is_past & (reached - knots[0] > -m))
        height = max(_CELLS // len(knots), 1)
        for first in range(0, len(among), height):
            piece = among[first : first + height]
            beyond = reached[piece, np.newaxis] - knots
            near = np.clip(beyond, -m, n - 1)
            if any(self.steps):
                result[piece] += _summed(_triangular, near, n, m) @ steps
            if any(self.bends):
                result[piece] += (_summed(_tetrahedral, near, n, m) + np.maximum(beyond - (n - 1), 0)) @ bends
        return result


def _summed(numbers: Callable[[Floats], Floats], first: Floats, n: int, m: int) -> Floats:
    """The mean over i < n and j < m of the second difference of numbers at first + j - i + 1."""
    above = numbers(first + (m + 1)) - numbers(first + (m - n + 1))
    return (above - numbers(first + 1) + numbers(first - (n - 1))) / (float(n) * m)


def _triangular(x: Floats) -> Floats:
    """0 + 1 + ... + (x - 1)."""
    x = np.maximum(x, 0)
    return x * (x - 1) / 2


def _tetrahedral(x: Floats) -> Floats:
    """The triangular numbers of 0 to x - 1 together."""
    x = np.maximum(x, 0)
    return x * (x - 1) * (x - 2) / 6


@record
class _ScoreField(Field):
    """Scores of every two positions; limits are the values at the ends of the colour map."""

    n_positions: int
    limits: tuple[float, float]

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_positions, self.n_positions


@record
class OffsetScoreField(_ScoreField, OffsetField):
    """Scores that depend on k = s - t alone."""

    scores: Waves | Lines

    def equal_means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        return self.scores.means(rows, columns, shown)

    def value(self, row: int, column: int) -> float:
        return _at(self.scores, column - row)


@record
class _WaveScoreField(_ScoreField):
    """Scores that are sums of cosines: some of k = s - t, some of s + t, some of t and some of s alone.

    A block takes four numbers, each of which many blocks share, whatever d_model is.
    """

    by_offset: Waves
    by_sum: Waves | None = None
    by_row: Waves | None = None
    by_column: Waves | None = None

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile]:
        for places, down, across in pieces(rows, columns, self.n_positions):
            means = self.by_offset.means(down, across, Line().of)
            if self.by_sum is not None:
                means = means + self.by_sum.means(down, across, Line().of, is_sum=True)
            if self.by_row is not None:
                means = means + self.by_row.line_means(down)[:, np.newaxis]
            if self.by_column is not None:
                means = means + self.by_column.line_means(across)
            yield *places, line.of(means)

    def value(self, row: int, column: int) -> float:
        places = (column - row, column + row, row, column)
        waves = (self.by_offset, self.by_sum, self.by_row, self.by_column)
        return sum(_at(scores, place) for scores, place in zip(waves, places, strict=True) if scores is not None)


def scores_by_offset(scheme: Scheme, query: Floats, key: Floats) -> Waves | Lines | None:
    """The score of one query (d,) and one key (d,) by k = s - t; None where it depends on more than k."""
    if isinstance(scheme, Rotary):
        return _rotary_scores(scheme, query, key) if scheme.is_shift_invariant else None
    if isinstance(scheme, Additive):
        return None
    if scheme.slope:
        # - slope |k| is a line that turns at 0.
        return Lines(float(query @ key / np.sqrt(len(query))), scheme.slope, (0,), (0.0,), (-2.0 * scheme.slope,))
    offsets = np.arange(-scheme.reach, scheme.reach + 1)
    scores = scheme.by_offset(query, key, offsets.astype(np.float64))
    steps = np.diff(scores)
    changes = np.flatnonzero(steps)
    knots = tuple(offsets[1:][changes].tolist())
    return Lines(float(scores[0]), 0.0, knots, tuple(steps[changes].tolist()), (0.0,) * len(knots))


def _at(scores: Waves | Lines, place: int) -> float:
    return float(scores.at(Progression(place, 1, 1))[0])


def score_field(scheme: Scheme, query: Floats, key: Floats, n_positions: int, limits: tuple[float, float]) -> Field:
    """The scores of one query (d,) at every t and one key (d,) at every s; positions are added to both as they are."""
    scores = scores_by_offset(scheme, query, key)
    if scores is not None:
        return OffsetScoreField(n_positions, limits, scores)
    if isinstance(scheme, Rotary) and scheme.pairs is not None:
        return _WaveScoreField(n_positions, limits, *_mixed_waves(scheme, scheme.pairs, query, key))
    assert isinstance(scheme, Additive)
    added = scheme.encoding
    if added.is_shift_invariant:
        together, by_row, by_column = _added_waves(invariant_pairs(added), query, key)
        return _WaveScoreField(n_positions, limits, together, None, by_row, by_column)
    query_vector, key_vector = (AddedVector(added, tuple(vector.tolist())) for vector in (query, key))
    return ProductScoreField(limits, query_vector, key_vector)


def _rotary_scores(rotary: Rotary, query: Floats, key: Floats) -> Waves | Lines:
    """Every turning pair gives conj(q_i) k_i e^(i k omega_i), as complex numbers; still ones add a constant."""
    if rotary.pairs is None:
        return Lines(_still_score(rotary, query, key))
    firsts, seconds = rotary.partners.T
    weights = (query[firsts] - 1j * query[seconds]) * (key[firsts] + 1j * key[seconds])
    return Waves(rotary.pairs, weights / np.sqrt(len(query)), _still_score(rotary, query, key))


def _still_score(rotary: Rotary, query: Floats, key: Floats) -> float:
    still = slice(2 * rotary.n_turning, None)
    return float(query[still] @ key[still] / np.sqrt(len(query)))


def _mixed_waves(rotary: Rotary, pairs: Pairs, query: Floats, key: Floats) -> tuple[Waves, Waves]:
    """By s - t and by s + t, where dimensions 2 i and 2 i + 1 have the angle of i and other partners.

    Dimension j holds Re(z_j e^(i t omega)) of the query and Re(w_j e^(i s omega)) of the key. Their product is half of
    Re(conj(z_j) w_j e^(i (s - t) omega)) and half of Re(z_j w_j e^(i (s + t) omega)).
    """
    z, w = (np.empty(2 * rotary.n_turning, dtype=np.complex128) for _ in range(2))
    firsts, seconds = rotary.partners.T
    for numbers, vector in ((z, query), (w, key)):
        numbers[firsts] = vector[firsts] + 1j * vector[seconds]
        numbers[seconds] = -1j * numbers[firsts]
    halves = 0.5 / np.sqrt(len(query))
    differences, sums = ((halves * one * w).reshape(-1, 2).sum(axis=1) for one in (z.conj(), z))
    still = _still_score(rotary, query, key)
    return Waves(pairs, differences, still), Waves(pairs, sums)


def _added_waves(pairs: Pairs, query: Floats, key: Floats) -> tuple[Waves, Waves, Waves]:
    """By s - t, by t and by s, of (q + p_t) . (k + p_s) = q . k + p_t . p_s + p_t . k + p_s . q."""
    root = np.sqrt(len(query))
    together = Waves(pairs, (pairs.lengths**2 / root).astype(np.complex128), float(query @ key / root))
    starts = pairs.lengths / root * np.exp(1j * pairs.angles(0.0)[0])
    sines, cosines = pairs.columns.T
    by_row, by_column = (Waves(pairs, starts * (one[cosines] - 1j * one[sines])) for one in (key, query))
    return together, by_row, by_column
