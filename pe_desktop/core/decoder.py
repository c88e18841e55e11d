"""Reading hands: which positions of a table are nearest to a vector, by dot product and by distance, hand by hand.

All N positions are compared, in slices, so that memory does not grow with N. Where hands turn evenly the dot products
of a slice are sums of cosines at even lags (core/lags.py); the best of them are evaluated anew, from angles, where a
loss of 2 a |v| sin^2(half the angle between two hands) keeps its digits however near a hand returns.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import MISSING, hand_columns, n_hands
from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs, read_only
from pe_desktop.core.fields.similarity import embedding
from pe_desktop.core.lags import IsCancelled, Progress, Progression, never, stop_if, untold, weighted_dots
from pe_desktop.core.record import kept, record
from pe_desktop.core.source.drawn import layer_matrices
from pe_desktop.core.source.panels import after_layers
from pe_desktop.core.state import State

# How many positions are given, and among how many candidates they are searched.
N_NEAREST: Final = 5
_CANDIDATES: Final = 32
# Positions whose dot product is lower than the best by a share of it no larger than this are about as good.
NEAR_SHARE: Final = 0.01
# Positions of a slice where hands turn evenly, values of a slice of any other table: 2 MiB for each row of results.
_SLICE: Final = 2**18
# Layers that x + p_t may go through; sums that are read after each of them, as many as make so many products in all.
LAYERS: Final = 6
_FEWEST_SUMS: Final = 16
_MOST_SUMS: Final = 512
_MOST_PRODUCTS: Final = 2**29
# Losses that differ by a smaller share of the largest score are equal: the lower position comes first.
_TIE_DIGITS: Final = 14


@record
class Hands:
    """The vector to be read: d_model numbers, or, where it is (), the row of a position, fractional ones too.

    order: which hands are read one after another, ascending; () for all, the first ones first.
    """

    encoding: Encoding
    position: float = 0.0
    vector: tuple[float, ...] = ()
    order: tuple[int, ...] = ()

    @property
    def values(self) -> Floats:
        """The vector, shape (d_model,)."""
        return np.array(self.vector) if self.vector else self.encoding.values(self.position)[0]

    @property
    def total(self) -> int:
        """How many hands can be read."""
        return len(self.order) or n_hands(self.encoding)

    def numbers(self, count: int, after: int = 0) -> Integers:
        """The first `count` hands in the order of reading, without the first `after` of them."""
        return np.array(self.order[after:count] if self.order else range(after, count), dtype=np.int64)

    @property
    def are_even(self) -> bool:
        """Whether the table is one of hands that turn evenly: then a position is read from angles."""
        return self.encoding.is_shift_invariant

    @property
    def even_pairs(self) -> Pairs | None:
        """The hands themselves where they turn evenly."""
        return self.encoding.pairs if self.are_even else None

    @kept
    def read_angles(self) -> tuple[Floats, Floats]:
        """Angles, radians, clockwise from 12 o'clock, and lengths of the hands that are read, shape (n_pairs,) each."""
        pairs = self.encoding.pairs
        assert pairs is not None
        if not self.vector:
            return pairs.angles([self.position])[0], np.asarray(pairs.lengths)
        sines, cosines = self.values[pairs.columns].T
        return np.arctan2(sines, cosines), np.asarray(np.hypot(sines, cosines))

    def largest_score(self, count: int) -> float:
        """The dot product of hands at the angles of those of v: the sum of a_i |v_i|; nan without even hands."""
        pairs = self.even_pairs
        if pairs is None:
            return math.nan
        read = self.numbers(count)
        return float(np.sum(pairs.lengths[read] * self.read_angles()[1][read]))

    def with_hand(self, pair: int, angle: float) -> tuple[float, ...]:
        """The vector with one of its hands at another angle, radians, clockwise from 12 o'clock, as long as before.

        A hand without length gets that of the table.
        """
        lengths = self.read_angles()[1]
        pairs = self.encoding.pairs
        assert pairs is not None
        length = float(lengths[pair]) or float(pairs.lengths[pair])
        vector = self.values
        vector[pairs.columns[pair]] = length * math.sin(angle), length * math.cos(angle)
        return tuple(vector.tolist())


def hands_of(state: State) -> Hands:
    """What a state reads: the vector that was given, else the row of t, or what layers make of its sum with a word."""
    encoding = state.encoding
    view = state.views.decoder
    vector = view.vector
    n_layers = view.n_layers(encoding.d_model)
    if n_layers is not None:
        vector = tuple(summed(encoding, [state.cursor.position], n_layers)[0].tolist())
    order = state.cursor.visible_pins(encoding) if view.reads == "pinned" else ()
    return Hands(encoding, 0.0 if vector else state.cursor.position, vector, order)


def asked_of(state: State) -> tuple[Hands, tuple[int, ...], int]:
    """What is read, how many hands each row of the table reads, and how many are chosen: no more than there are."""
    hands = hands_of(state)
    wanted = state.views.decoder.n_hands
    return hands, table_counts(hands.total, wanted), min(wanted, hands.total)


class Nearest(NamedTuple):
    """Up to N_NEAREST positions, the best first, with their dot products, or distances, and the lead of the best."""

    positions: tuple[int, ...]
    values: tuple[float, ...]
    margin: float


@record
class Reading:
    """The positions that the first n hands read.

    n_near: how many positions, the best among them, have a dot product within NEAR_SHARE of the best; None while they
    are not counted. best_length, nearest_length: the lengths of the rows that win by dot product and by distance.
    """

    n_hands: int
    by_dot: Nearest
    by_distance: Nearest
    best_length: float
    nearest_length: float
    n_near: int | None = None

    @property
    def is_decided(self) -> bool:
        """Whether the best position leads by more than rounding."""
        return self.by_dot.margin > 10.0**-_TIE_DIGITS * max(abs(self.by_dot.values[0]), 1e-300)


def read_hands(
    hands: Hands, counts: Sequence[int], progress: Progress = untold, is_cancelled: IsCancelled = never
) -> tuple[Reading, ...]:
    """The positions that the first n hands read, for each n of counts, ascending; CancelledError as `stop_if`.

    Two passes over all positions: one for the best, one that counts how many are about as good.
    """
    n_positions = hands.encoding.n_positions
    chosen = [_Best() for _ in counts]
    nearest = [_Best() for _ in counts]
    for first, dots, squares in _slices(hands, counts, is_cancelled):
        for row, (best, close) in enumerate(zip(chosen, nearest, strict=True)):
            best.take(first, dots[row])
            if squares is not None:
                close.take(first, -squares[row])
        progress(first + dots.shape[1], 2 * n_positions)
    rows = [
        _row(hands, count, best.positions, close.positions if len(close.positions) else best.positions)
        for count, best, close in zip(counts, chosen, nearest, strict=True)
    ]
    floors = np.array([row.by_dot.values[0] - NEAR_SHARE * abs(row.by_dot.values[0]) for row in rows])
    n_near = np.zeros(len(rows), dtype=np.int64)
    for first, dots, _ in _slices(hands, counts, is_cancelled):
        n_near += np.count_nonzero(dots >= floors[:, None], axis=1)
        progress(n_positions + first + dots.shape[1], 2 * n_positions)
    return tuple(replace(row, n_near=max(count, 1)) for row, count in zip(rows, n_near.tolist(), strict=True))


@record(eq=False)
class ScoreCurve:
    """Dot products of neighbouring positions: those from first + j size on have lows[j] to highs[j], shape (n,).

    size is 1 where each position stands for itself.
    """

    first: int
    size: int
    lows: Floats
    highs: Floats

    @property
    def positions(self) -> Floats:
        """The middles of the runs, shape (n,)."""
        return self.first + self.size * np.arange(len(self.lows), dtype=np.float64) + (self.size - 1) / 2


def score_curve(
    hands: Hands,
    count: int,
    positions: range,
    most: int,
    progress: Progress = untold,
    is_cancelled: IsCancelled = never,
) -> ScoreCurve:
    """The dot products of the first `count` hands over adjacent positions, in at most so many runs, each exact.

    CancelledError as `stop_if`.
    """
    size = -(-len(positions) // most)
    lows = np.full(-(-len(positions) // size), np.inf)
    highs = np.full(len(lows), -np.inf)
    for first, dots, _ in _slices(hands, [count], is_cancelled, positions):
        runs = (np.arange(first, first + dots.shape[1]) - positions.start) // size
        starts = np.flatnonzero(np.diff(runs, prepend=-1))
        met = runs[starts]
        lows[met] = np.minimum(lows[met], np.minimum.reduceat(dots[0], starts))
        highs[met] = np.maximum(highs[met], np.maximum.reduceat(dots[0], starts))
        progress(first + dots.shape[1] - positions.start, len(positions))
    return ScoreCurve(positions.start, size, lows, highs)


def summed(encoding: Encoding, positions: Numbers, n_layers: int) -> Floats:
    """A seeded x + p_t after so many seeded layers, shape (n, d_model); LAYERS at most."""
    sums = embedding(encoding.d_model) + encoding.values(positions)
    return after_layers(sums, _layers(encoding.d_model)[:n_layers])


_layers: Final = lru_cache(maxsize=1)(lambda d_model: read_only(layer_matrices(d_model, LAYERS)))


def read_right(encoding: Encoding, progress: Progress = untold, is_cancelled: IsCancelled = never) -> tuple[int, ...]:
    """How many positions are read as they are, by dot product with all N rows, in x + p_t and after each layer.

    The counts of 0 to LAYERS layers, then that of the positions that were read: all, or of a longer table some that are
    spread over it evenly. CancelledError as `stop_if`.
    """
    n_positions, d_model = encoding.shape
    n_read = min(n_positions, _MOST_SUMS, max(_MOST_PRODUCTS // (n_positions * d_model), _FEWEST_SUMS))
    positions = np.linspace(0, n_positions - 1, n_read).round().astype(np.int64)
    sums = np.concatenate([summed(encoding, positions, n) for n in range(LAYERS + 1)])
    best = np.full(len(sums), -np.inf)
    found = np.zeros(len(sums), dtype=np.int64)
    height = max(_SLICE // max(d_model, len(sums)), 1)
    for first in range(0, n_positions, height):
        stop_if(is_cancelled)
        last = min(first + height, n_positions)
        scores = sums @ encoding.values(range(first, last)).T
        highest = scores.max(axis=1)
        found = np.where(highest > best, first + scores.argmax(axis=1), found)
        best = np.maximum(highest, best)
        progress(last, n_positions)
    is_right = found.reshape(LAYERS + 1, n_read) == positions
    return *np.count_nonzero(is_right, axis=1).tolist(), n_read


def table_counts(total: int, wanted: int) -> tuple[int, ...]:
    """1, 2, 4, ... and all hands, in steps of four, eight, ... where there would be more than 8; wanted, too."""
    n_powers = (total - 1).bit_length()
    counts = (2**power for power in range(0, n_powers, max(-(-n_powers // 7), 1)))
    return (*sorted({*counts, min(wanted, total), total}),)


def _slices(
    hands: Hands, counts: Sequence[int], is_cancelled: IsCancelled, positions: range | None = None
) -> Iterator[tuple[int, Floats, Floats | None]]:
    """Adjacent positions in slices: the first one, then dot products and squared distances, shape (len(counts), n).

    The first n hands count, for each n of counts. Distances are None where all rows are equally long.
    """
    positions = range(hands.encoding.n_positions) if positions is None else positions
    pairs = hands.even_pairs
    added = [hands.numbers(last, first) for first, last in pairwise((0, *counts))]
    if pairs is None:
        return _table_slices(hands, added, positions, is_cancelled)
    return _even_slices(hands, pairs, added, positions, is_cancelled)


def _even_slices(
    hands: Hands, pairs: Pairs, added: list[Integers], positions: range, is_cancelled: IsCancelled
) -> Iterator[tuple[int, Floats, None]]:
    angles, lengths = hands.read_angles()
    for first in range(positions.start, positions.stop, _SLICE):
        lags = Progression(0, 1, min(_SLICE, positions.stop - first))
        weights = pairs.lengths * lengths * np.exp(1j * (pairs.angles([first])[0] - angles))
        dots = [weighted_dots(pairs, lags, weights, untold, is_cancelled, numbers) for numbers in added]
        yield first, np.cumsum(dots, axis=0), None


def _table_slices(
    hands: Hands, added: list[Integers], positions: range, is_cancelled: IsCancelled
) -> Iterator[tuple[int, Floats, Floats]]:
    encoding = hands.encoding
    vector = hands.values
    groups = [_filled(hand_columns(encoding)[numbers]) for numbers in added]
    height = max(_SLICE // encoding.d_model, 1)
    for first in range(positions.start, positions.stop, height):
        stop_if(is_cancelled)
        values = encoding.values(range(first, min(first + height, positions.stop)))
        dots, squares = np.zeros((2, len(groups), len(values)))
        for row, columns in enumerate(groups):
            part = values[:, columns]
            dots[row] = part @ vector[columns]
            squares[row] = np.square(part - vector[columns]).sum(axis=1)
        yield first, np.cumsum(dots, axis=0), np.cumsum(squares, axis=0)


def _filled(columns: Integers) -> Integers:
    return np.asarray(columns[columns != MISSING])


class _Best:
    """The positions with the largest values so far."""

    def __init__(self) -> None:
        self.positions: Integers = np.empty(0, dtype=np.int64)
        self._values = np.empty(0)

    def take(self, first: int, values: Floats) -> None:
        """Compare the values of adjacent positions with the best so far."""
        least = self._values.min() if len(self._values) == _CANDIDATES else -np.inf
        better = np.flatnonzero(values > least)
        if len(better) > _CANDIDATES:
            better = better[np.sort(np.argpartition(-values[better], _CANDIDATES - 1)[:_CANDIDATES])]
        positions = np.concatenate([self.positions, first + better])
        all_values = np.concatenate([self._values, values[better]])
        kept = np.sort(np.argsort(-all_values, kind="stable")[:_CANDIDATES])
        self.positions, self._values = positions[kept], all_values[kept]


def _compared(hands: Hands, count: int, positions: Integers) -> tuple[Floats, Floats, Floats, Floats]:
    """Dot products, by how much they stay below the largest, distances, and lengths of rows of some positions.

    Shape (n,) each, position by position; where hands turn evenly from angles, else from the values of the table.
    """
    encoding = hands.encoding
    pairs = hands.even_pairs
    if pairs is None:
        columns = _filled(hand_columns(encoding)[hands.numbers(count)])
        values = encoding.values(positions, columns)
        vector = hands.values[columns]
        scores = np.einsum("nd,d->n", values, vector)
        lengths = np.linalg.norm(values, axis=1)
        return scores, -scores, np.linalg.norm(values - vector, axis=1), lengths
    read = hands.numbers(count)
    angles, read_lengths = (part[read] for part in hands.read_angles())
    lengths = pairs.lengths[read]
    apart = pairs.angles(positions, read) - angles
    products = lengths * read_lengths
    losses = 2 * products * np.sin(apart / 2) ** 2
    total = losses.sum(axis=1)
    squares = np.square(lengths - read_lengths) + 2 * losses
    rows = np.full(len(positions), np.linalg.norm(lengths))
    return products.sum() - total, total, np.sqrt(squares.sum(axis=1)), rows


def _row(hands: Hands, count: int, best: Integers, close: Integers) -> Reading:
    scores, losses, distances, lengths = _compared(hands, count, best)
    scale = float(np.abs(scores).max()) or 1.0
    order = np.argsort(np.round(losses / scale, _TIE_DIGITS), kind="stable")[:N_NEAREST]
    by_dot = _nearest(best[order], scores[order], losses[order])
    best_length = float(lengths[order[0]])
    if best is not close:
        _, _, distances, lengths = _compared(hands, count, close)
        order = np.argsort(distances, kind="stable")[:N_NEAREST]
    by_distance = _nearest(close[order], distances[order], distances[order])
    return Reading(count, by_dot, by_distance, best_length, float(lengths[order[0]]))


def _nearest(positions: Integers, values: Floats, losses: Floats) -> Nearest:
    """Positions in their order; the lead is how much more the second loses than the first, nan without a second."""
    lead = float(losses[1] - losses[0]) if len(losses) > 1 else math.nan
    return Nearest(tuple(positions.tolist()), tuple(values.tolist()), lead)
