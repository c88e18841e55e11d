"""Where positions come too near: nearest offsets of the whole code, aliasing, hands that tell two positions apart."""

import math
from collections.abc import Generator
from typing import Final

import numpy as np

from pe_desktop.core.columns import hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.lags import (
    MOST_LAGS,
    IsCancelled,
    Progress,
    Progression,
    invariant_pairs,
    never,
    profile_at,
    squared_lengths,
    squared_norm,
    weighted_dots,
)
from pe_desktop.core.measure.measurement import EVIDENCE_POINTS, FAR, Basis
from pe_desktop.core.measure.periodic import even_step
from pe_desktop.core.measure.tables import CONFUSED_BELOW, SAME, ClosePair, Nearness
from pe_desktop.core.record import record

# Near offsets that are kept, more than the far ones need beside the first sixteen.
_KEPT: Final = 64
# Dot products are off by less than this share of the squared length of a vector.
_ROUNDING: Final = 1e-12


@record(eq=False)
class CloseOffsets:
    """The offsets at which the vectors of a shift-invariant encoding come nearest, looked for among all 1 to N - 1.

    offsets, distances: the nearest first, shape (at most 64,); relative error of a distance at most 1e-12.
    bucket_offsets, bucket_lowest: the smallest distance of each stretch of offsets, shape (at most 256,).
    confusion: the smallest offset above 1 with a distance below half of that of neighbours; far_confusion: the
    smallest above 16 with a distance below that of neighbours. Or None.
    """

    encoding: Encoding
    offsets: Integers
    distances: Floats
    bucket_offsets: Floats
    bucket_lowest: Floats
    confusion: int | None
    far_confusion: int | None

    @property
    def nearness(self) -> Nearness:
        """The same in the form for any encoding: of all positions at an offset the first is 0."""
        close = [ClosePair(0, int(k), float(d)) for k, d in zip(self.offsets, self.distances, strict=True)]
        neighbours = float(profile_at(self.encoding, "distance", [1])[0])
        return Nearness(
            closest=close[0],
            closest_far=next((pair for pair in close if pair.offset > FAR), None),
            nearest_neighbours=neighbours,
            farthest_neighbours=neighbours,
            confusion=self.confusion,
            far_confusion=self.far_confusion,
            offsets=self.bucket_offsets,
            lowest=self.bucket_lowest,
            basis=Basis("offsets", self.encoding.n_positions - 1, self.encoding.n_positions - 1),
        )


def close_offsets(
    encoding: Encoding, progress: Progress | None = None, is_cancelled: IsCancelled = never
) -> CloseOffsets | None:
    """Look at every offset of a shift-invariant encoding, up to ten million of them.

    None when is_cancelled, asked every few milliseconds, says so; progress gets (offsets done, all offsets). ValueError
    for an encoding that is not shift-invariant, and for one of a single position.
    """
    steps = offsets_in_steps(encoding, is_cancelled)
    while True:
        try:
            done = next(steps)
        except StopIteration as end:
            found: CloseOffsets | None = end.value
            return found
        if is_cancelled():
            return None
        if progress is not None:
            progress(done, encoding.n_positions - 1)


def offsets_in_steps(encoding: Encoding, is_cancelled: IsCancelled) -> Generator[int, None, CloseOffsets | None]:
    """The same as close_offsets; yields how many offsets are done."""
    pairs = invariant_pairs(encoding)
    n_offsets = encoding.n_positions - 1
    if n_offsets < 1:
        raise ValueError("a table of one position has no offsets to compare")
    scan = _Scan(encoding, n_offsets)
    weights, squared_length = squared_lengths(pairs), squared_norm(pairs)
    yield 0
    for first in range(1, n_offsets + 1, MOST_LAGS):
        lags = Progression(first, 1, min(MOST_LAGS, n_offsets + 1 - first))
        dots = weighted_dots(pairs, lags, weights, None, is_cancelled)
        if dots is None:
            return None
        scan.add(first, 2 * (squared_length - dots))
        yield first + len(dots) - 1
    return scan.found(n_offsets, _ROUNDING * squared_length)


class _Scan:
    """What is kept of the squared distances at all offsets while they pass by."""

    def __init__(self, encoding: Encoding, n_offsets: int) -> None:
        self._encoding = encoding
        self.bucket = -(-n_offsets // EVIDENCE_POINTS)
        self._offsets, self._squares = np.empty(0, dtype=np.int64), np.empty(0)
        self._lowest = np.full(-(-n_offsets // self.bucket), np.inf)
        self._neighbours = float(profile_at(encoding, "distance", [1])[0]) ** 2
        self._confusion: int | None = None
        self._far_confusion: int | None = None

    def add(self, first: int, squares: Floats) -> None:
        """Take the squared distances at offsets first, first + 1, ..."""
        last = first + len(squares) - 1
        buckets = np.arange((first - 1) // self.bucket, (last - 1) // self.bucket + 1)
        starts = np.maximum(buckets * self.bucket + 1 - first, 0)
        self._lowest[buckets] = np.minimum(self._lowest[buckets], np.minimum.reduceat(squares, starts))
        if self._confusion is None:
            self._confusion = _first_below(squares, CONFUSED_BELOW**2 * self._neighbours, first, 2)
        if self._far_confusion is None:
            self._far_confusion = _first_below(squares, self._neighbours * (1 + SAME), first, FAR + 1)
        some = np.flatnonzero(squares < self._squares[-1]) if len(self._squares) == _KEPT else np.arange(len(squares))
        if len(some) > _KEPT:
            some = some[np.sort(np.argpartition(squares[some], _KEPT)[:_KEPT])]
        offsets = np.concatenate([self._offsets, first + some])
        squares = np.concatenate([self._squares, squares[some]])
        nearest = np.argsort(squares, kind="stable")[:_KEPT]
        self._offsets, self._squares = offsets[nearest], squares[nearest]

    def found(self, n_offsets: int, rounding: float) -> CloseOffsets:
        """The result, with the nearest distances computed anew from sines, because small squares lose digits."""
        distances = profile_at(self._encoding, "distance", np.sort(self._offsets))
        order = np.argsort(distances, kind="stable")
        lowest = np.sqrt(np.maximum(self._lowest, rounding))
        # A stretch that holds one of the nearest offsets has its distance at most.
        np.minimum.at(lowest, (np.sort(self._offsets) - 1) // self.bucket, distances)
        return CloseOffsets(
            encoding=self._encoding,
            offsets=np.sort(self._offsets)[order],
            distances=distances[order],
            bucket_offsets=np.arange(1, n_offsets + 1, self.bucket, dtype=np.float64),
            bucket_lowest=lowest,
            confusion=self._confusion,
            far_confusion=self._far_confusion,
        )


def _first_below(squares: Floats, limit: float, first: int, least: int) -> int | None:
    """The first offset, `least` or more, with a square below a limit."""
    skipped = max(least - first, 0)
    places = np.flatnonzero(squares[skipped:] < limit)
    return first + skipped + int(places[0]) if len(places) else None


@record
class Alias:
    """The offset at which hands of evenly spaced frequencies nearly return: after 2 pi / (their step) positions.

    predicted: that number; offset: the whole one next to it; distance: of two vectors so far apart, and neighbours: of
    two neighbours.
    """

    predicted: float
    offset: int
    distance: float
    neighbours: float


def alias(encoding: Encoding) -> Alias | None:
    """The revival of an encoding whose frequencies are evenly spaced, or None for any other.

    After 2 pi / delta omega every hand stands as far from its beginning as the slowest one. ValueError for an encoding
    that is not shift-invariant.
    """
    step = even_step(invariant_pairs(encoding).angular_frequencies)
    if step is None:
        return None
    predicted = math.tau / step
    offset = round(predicted)
    distance, neighbours = profile_at(encoding, "distance", [offset]), profile_at(encoding, "distance", [1])
    return Alias(predicted, offset, float(distance[0]), float(neighbours[0]))


@record(eq=False)
class Disagreement:
    """How far each hand moves between two positions, measured on table values.

    columns: of each hand, shape (n_hands, 2), -1 for one it lacks; chords: distances of its tips, shape (n_hands,);
    order: the hands, those that tell the positions apart most first.
    """

    columns: Integers
    chords: Floats
    order: Integers

    @property
    def distance(self) -> float:
        return float(np.linalg.norm(self.chords))

    @property
    def shares(self) -> Floats:
        """The share of each hand in the squared distance, shape (n_hands,); zeros for equal vectors."""
        squares = self.chords**2
        total = squares.sum()
        return squares / total if total > 0 else squares


def disagreement_of_rows(encoding: Encoding, difference: Floats) -> Disagreement:
    """Which hands tell two positions apart, by the difference of their rows, shape (d_model,).

    Columns count two by two where an encoding has no pairs.
    """
    columns = hand_columns(encoding)
    squares = np.where(columns < 0, 0, difference[columns] ** 2).sum(axis=1)
    return Disagreement(columns, np.sqrt(squares), np.argsort(-squares, kind="stable"))
