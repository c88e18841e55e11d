"""Where positions come too near: nearest offsets of the whole code, aliasing, hands that tell two positions apart."""

import math
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

    offsets, distances: the nearest first, shape (at most 64,); relative error of a distance at most 1e-12. nearness:
    the same in the form for any encoding, where of all positions at an offset the first is 0.
    """

    offsets: Integers
    distances: Floats
    nearness: Nearness


def close_offsets(
    encoding: Encoding, progress: Progress | None = None, is_cancelled: IsCancelled = never
) -> CloseOffsets:
    """Look at every offset of a shift-invariant encoding, up to ten million of them.

    progress gets (offsets done, all offsets). CancelledError as `stop_if`. ValueError for an encoding that is not
    shift-invariant, and for one of a single position.
    """
    pairs = invariant_pairs(encoding)
    n_offsets = encoding.n_positions - 1
    if n_offsets < 1:
        raise ValueError("a table of one position has no offsets to compare")
    weights, squared_length = squared_lengths(pairs), squared_norm(pairs)
    neighbours = float(profile_at(encoding, "distance", [1])[0])
    bucket = -(-n_offsets // EVIDENCE_POINTS)
    lowest = np.full(-(-n_offsets // bucket), np.inf)
    kept, kept_squares = np.empty(0, dtype=np.int64), np.empty(0)
    confusion = far_confusion = None
    for first in range(1, n_offsets + 1, MOST_LAGS):
        lags = Progression(first, 1, min(MOST_LAGS, n_offsets + 1 - first))
        squares = 2 * (squared_length - weighted_dots(pairs, lags, weights, None, is_cancelled))
        offsets = np.arange(first, first + lags.count)
        np.minimum.at(lowest, (offsets - 1) // bucket, squares)
        confusion = confusion or _first_below(CONFUSED_BELOW**2 * neighbours**2, squares, offsets, 2)
        far_confusion = far_confusion or _first_below(neighbours**2 * (1 + SAME), squares, offsets, FAR + 1)
        kept, kept_squares = _nearest(np.append(kept, offsets), np.append(kept_squares, squares))
        if progress is not None:
            progress(first + lags.count - 1, n_offsets)
    # Small squares lose digits: the nearest distances are computed anew, from sines.
    kept = np.sort(kept)
    distances = profile_at(encoding, "distance", kept)
    lowest = np.sqrt(np.maximum(lowest, _ROUNDING * squared_length))
    np.minimum.at(lowest, (kept - 1) // bucket, distances)
    order = np.argsort(distances, kind="stable")
    close = [ClosePair(0, int(kept[place]), float(distances[place])) for place in order]
    nearness = Nearness(
        closest=close[0],
        closest_far=next((pair for pair in close if pair.offset > FAR), None),
        nearest_neighbours=neighbours,
        farthest_neighbours=neighbours,
        confusion=confusion,
        far_confusion=far_confusion,
        offsets=np.arange(1, n_offsets + 1, bucket, dtype=np.float64),
        lowest=lowest,
        basis=Basis("offsets", n_offsets, n_offsets),
    )
    return CloseOffsets(kept[order], distances[order], nearness)


def _nearest(offsets: Integers, squares: Floats) -> tuple[Integers, Floats]:
    """The offsets with the smallest squares, _KEPT at most, and these."""
    some = np.argpartition(squares, _KEPT)[:_KEPT] if len(squares) > _KEPT else slice(None)
    return offsets[some], squares[some]


def _first_below(limit: float, squares: Floats, offsets: Integers, least: int) -> int | None:
    """The first offset, `least` or more, with a square below a limit."""
    found = offsets[(squares < limit) & (offsets >= least)]
    return int(found[0]) if len(found) else None


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
