"""Distances by offset: where positions come too near, hands that tell two apart, and what distances follow."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core import lags
from pe_desktop.core.cursor import MISSING, hand_columns
from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Integers
from pe_desktop.core.lags import IsCancelled, Progress, Progression, invariant_pairs, never, profile, weighted_dots
from pe_desktop.core.measuring.measurement import EVIDENCE_POINTS, FAR, Basis
from pe_desktop.core.measuring.periodic import even_step
from pe_desktop.core.measuring.tables import SAME, ClosePair, Nearness
from pe_desktop.core.record import record
from pe_desktop.core.rotation import rotating_pairs
from pe_desktop.core.rules import MAX_POSITIONS

# Near offsets that are kept, more than the far ones need beside the first sixteen.
_KEPT: Final = 64
# Sums of cosines are off by less than this, for each pair.
_SUM_ROUNDING: Final = 1e-12


def close_offsets(encoding: Encoding, progress: Progress = lags.untold, is_cancelled: IsCancelled = never) -> Nearness:
    """Look at every offset of a shift-invariant encoding of two positions or more, up to ten million of them.

    Of all positions at an offset the first is 0; relative error of a distance of the nearest at most 1e-12.
    progress gets (offsets done, all offsets). CancelledError as `stop_if`. ValueError for an encoding that is not
    shift-invariant.
    """
    pairs, n_offsets = invariant_pairs(encoding), encoding.n_positions - 1
    weights, squared_length = pairs.lengths**2, pairs.squared_norm
    neighbours = float(profile(encoding, "distance", [1])[0])
    bucket = -(-n_offsets // EVIDENCE_POINTS)
    lowest = np.full(-(-n_offsets // bucket), np.inf)
    kept = np.empty(0, dtype=np.int64)
    kept_squares = np.empty(0)
    far_confusion = None
    for first in range(1, n_offsets + 1, lags.MOST_LAGS):
        some = Progression(first, 1, min(lags.MOST_LAGS, n_offsets + 1 - first))
        squares = 2 * (squared_length - weighted_dots(pairs, some, weights, is_cancelled=is_cancelled))
        offsets = np.arange(first, first + some.count)
        np.minimum.at(lowest, (offsets - 1) // bucket, squares)
        near = offsets[squares < neighbours**2 * (1 + SAME)]
        far_confusion = far_confusion or next(iter(near[near > FAR].tolist()), None)
        kept, kept_squares = np.append(kept, offsets), np.append(kept_squares, squares)
        places = np.argpartition(kept_squares, _KEPT)[:_KEPT] if len(kept) > _KEPT else slice(None)
        kept, kept_squares = kept[places], kept_squares[places]
        progress(first + some.count - 1, n_offsets)
    # Small squares lose digits: the nearest distances are computed anew, from sines.
    kept = np.sort(kept)
    distances = profile(encoding, "distance", kept)
    lowest = np.sqrt(np.maximum(lowest, ROUNDING * squared_length))
    np.minimum.at(lowest, (kept - 1) // bucket, distances)
    order = np.argsort(distances, kind="stable")
    close = [ClosePair(0, int(kept[place]), float(distances[place])) for place in order]
    return Nearness(
        nearest=tuple(close),
        closest_far=next((pair for pair in close if pair.offset > FAR), None),
        farthest_neighbours=neighbours,
        far_confusion=far_confusion,
        offsets=np.arange(1, n_offsets + 1, bucket, dtype=np.float64),
        lowest=lowest,
        basis=Basis("offsets", n_offsets, n_offsets),
    )


def base_bound(encoding: Encoding, is_cancelled: IsCancelled = never) -> int:
    """The first whole offset k from 1 on, in positions, where the sum of cos(k omega_i) over all pairs is below 0.

    0 where there is none up to MAX_POSITIONS, or no pairs that turn evenly. Sums that may lie below 0 are computed
    anew from exact angles. CancelledError as `stop_if`. Source: "Base of RoPE Bounds Context Length" (arXiv
    2405.14591), theorem 1: a query then prefers a key like it to a random one no longer.
    """
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return 0
    for first in range(1, MAX_POSITIONS + 1, lags.MOST_LAGS):
        some = Progression(first, 1, min(lags.MOST_LAGS, MAX_POSITIONS + 1 - first))
        sums = weighted_dots(pairs, some, np.ones(pairs.count), is_cancelled=is_cancelled)
        for place in np.flatnonzero(sums < _SUM_ROUNDING * pairs.count).tolist():
            if np.cos(pairs.offset_angles([first + place])).sum() < 0:
                return int(first + place)
    return 0


def alias(encoding: Encoding) -> tuple[float, int, float, float] | None:
    """The revival of an encoding whose frequencies are evenly spaced, or None for any other.

    After 2 pi / delta omega positions every hand stands as far from its beginning as the slowest one: that number, the
    whole one next to it, the distance of two vectors so far apart, and that of neighbours. ValueError for an encoding
    that is not shift-invariant.
    """
    step = even_step(invariant_pairs(encoding).angular_frequencies)
    if step is None:
        return None
    predicted = math.tau / step
    offset = round(predicted)
    distance, neighbours = (float(profile(encoding, "distance", [lag])[0]) for lag in (offset, 1))
    return predicted, offset, distance, neighbours


# Distances of more offsets than this are not held: 8 MiB for each of four rows.
_MAX_OFFSETS: Final = 2**20
_EULER_GAMMA: Final = 0.5772156649015329


@record
class _LineFit:
    """The least-squares line y = intercept + slope x, and R^2, the share of the variance of y that it explains."""

    slope: float
    intercept: float
    r_squared: float

    def at(self, x: Floats) -> Floats:
        return self.intercept + self.slope * x


@record(eq=False)
class DistanceLaw:
    """Distance by offset, beside the law D^2 = c (ln k + gamma) and two fits.

    distances: at offsets k = 0 to n - 1, shape (n,). law_slope: c = d / ln base for geometric spacing, None for any
    other; law_r_squared: R^2 of D about the law itself, below 0 where the mean of D tells it better. line: D against k,
    as seed 000 claims; logarithm: D^2 against ln k, its R^2 that of D about the root of it; both over k >= 1, None
    below three offsets, and so the law's R^2; line_from_zero: the line with k = 0 counted. steps_down: the k from which
    the distance to k + 1 is smaller; farthest: the offset of the largest.
    """

    distances: Floats
    law_slope: float | None
    law_r_squared: float | None
    line: _LineFit | None
    line_from_zero: _LineFit | None
    logarithm: _LineFit | None
    steps_down: Integers
    farthest: int

    def law(self, offsets: Floats) -> Floats:
        """The distances that the law says where there is one, for offsets from 1 on."""
        assert self.law_slope is not None
        return np.sqrt(self.law_slope * (np.log(offsets) + _EULER_GAMMA))


def listed_offsets(encoding: Encoding) -> tuple[int, ...]:
    """The offsets for a short table: 1, 10, 100 and so on, and the last of the law."""
    last = min(encoding.n_positions, _MAX_OFFSETS) - 1
    powers = [10**exponent for exponent in range(len(str(_MAX_OFFSETS))) if 10**exponent < last]
    return (*powers, last) if last > 0 else ()


def distance_law(
    encoding: Encoding, progress: Progress = lags.untold, is_cancelled: IsCancelled = never
) -> DistanceLaw:
    """Distances at offsets 0 to N - 1, but at most 2^20 of them, and what they follow.

    Relative error of a distance 1e-12. The law comes from replacing the sum of cos(k omega_i) by its integral over ln
    omega: off by a few percent while k is well below the longest wavelength. CancelledError as `stop_if`; ValueError
    for an encoding that is not shift-invariant.
    """
    pairs = invariant_pairs(encoding)
    count = min(encoding.n_positions, _MAX_OFFSETS)
    distances = profile(encoding, "distance", range(count), progress, is_cancelled)
    offsets = np.arange(float(count))
    has_fits = count > 3
    step = even_step(np.log(pairs.angular_frequencies))
    # 2 a^2 / (ln omega_i - ln omega_(i+1)), a the length of a hand: d / ln base for the spacing of the paper.
    slope = None if step is None else 2 * pairs.squared_norm / pairs.count / step
    logarithms = np.log(offsets[1:])
    law = None if slope is None else np.sqrt(slope * (logarithms + _EULER_GAMMA))
    return DistanceLaw(
        distances=distances,
        law_slope=slope,
        law_r_squared=_r_squared(distances[1:], law) if law is not None and has_fits else None,
        line=_line_fit(offsets[1:], distances[1:]) if has_fits else None,
        line_from_zero=_line_fit(offsets, distances) if has_fits else None,
        logarithm=_root_fit(logarithms, distances[1:]) if has_fits else None,
        steps_down=np.flatnonzero(np.diff(distances) < 0),
        farthest=int(distances.argmax()),
    )


def _line_fit(x: Floats, y: Floats) -> _LineFit:
    """The straight line nearest to some points, by least squares; R^2 is nan where y is constant."""
    centred_x = x - x.mean()
    centred_y = y - y.mean()
    slope = float(centred_x @ centred_y / (centred_x @ centred_x))
    return _LineFit(slope, float(y.mean() - slope * x.mean()), _r_squared(centred_y, slope * centred_x))


def _root_fit(x: Floats, y: Floats) -> _LineFit:
    """The straight line nearest to y^2, by least squares, and R^2 of y about its root."""
    fit = _line_fit(x, y**2)
    return replace(fit, r_squared=_r_squared(y, np.sqrt(np.maximum(fit.at(x), 0.0))))


def _r_squared(y: Floats, fitted: Floats) -> float:
    """The share of the variance of y that fitted values explain: 1 - sum (y - fitted)^2 / sum (y - mean)^2, or nan."""
    rest = y - fitted
    centred = y - y.mean()
    variance = float(centred @ centred)
    return 1 - float(rest @ rest) / variance if variance > 0 else math.nan


@record(eq=False)
class Comparison:
    """How the rows t and t + k of a table differ, and how that difference differs from the one of rows 0 and k.

    chords: how far the tip of each hand moves, shape (n_hands,); columns count two by two where an encoding has no
    pairs. length, other_length: of the difference p_(t+k) - p_t, and of p_k - p_0; they are equal where hands are
    whole. turned: the length of the difference of both, which is not zero.
    """

    encoding: Encoding
    position: float
    offset: float
    chords: Floats
    length: float
    other_length: float
    turned: float


def comparison(encoding: Encoding, position: float, offset: float) -> Comparison:
    """Compare the rows at position t and at t + offset, measured on table values."""
    at = [position, 0.0]
    columns = hand_columns(encoding)
    here, there = encoding.values_after(at, offset) - encoding.values(at)
    squares = np.where(columns == MISSING, 0, here[columns] ** 2).sum(axis=1)
    lengths = [float(np.linalg.norm(vector)) for vector in (here, there, here - there)]
    return Comparison(encoding, position, offset, np.sqrt(squares), *lengths)
