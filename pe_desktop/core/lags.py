"""Dot products and distances by offset: for a shift-invariant encoding one row of numbers is the whole matrix.

dot(k) = sum of a_i^2 cos(k omega_i), a_i the lengths of the hands, whatever the position. Many evenly spaced lags of
many hands come from a Fourier transform (lag_transform.py), those of few hands from two small tables and a matrix
product: with l = a B + b, cos(l omega) = cos(a B omega) cos(b omega) - sin(a B omega) sin(b omega).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs
from pe_desktop.core.phase import position_rows
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION, checked_word

# Points of the grid over which a wave is spread, and the steepness of the curve on a grid twice as fine as the lags
# need: at other frequencies less than 1e-14 of a wave is left.
_WIDTH: Final = 16
_STEEPNESS: Final = 2.3 * _WIDTH
# Points of the quadrature of half the curve.
_NODES: Final = 20


class WaveTransform:
    """The sum of Re(w_i e^(i l omega_i)) for `size` lags l, a power of two, evenly spaced by `step`.

    Off by less than 3e-14 of the sum of |w_i|. A wave costs as much as a few tens of lags, however many lags there are.
    """

    def __init__(self, pairs: Pairs, step: float, size: int) -> None:
        self._pairs, self._step, self._half = pairs, step, size // 2
        n_points = 2 * size
        # Where a wave stands on the grid: a whole number of points and an exact rest, at most half a point.
        once, all_around = pairs.offset_angles([step, step * n_points]) / math.tau
        points = np.rint(once * n_points - all_around)
        # Re(w e^(i x)) is that of the other turning: only half the grid is needed.
        self._is_backwards = points + all_around < 0
        signs = np.where(self._is_backwards, -1.0, 1.0)
        points, rests = points * signs, all_around * signs
        first = np.ceil(rests - _WIDTH / 2)
        # Some waves lie across the ends of the grid: it is longer by as much, on both sides.
        places = (points + first).astype(np.int64) + _WIDTH
        self._places = places[:, np.newaxis] + np.arange(_WIDTH)
        self._shares = _curve(((first - rests)[:, np.newaxis] + np.arange(_WIDTH)) * (2 / _WIDTH))
        self._rises = _rises(size)

    def sums(self, first: float, passed: int, weights: NDArray[Any] | None, some: range) -> Floats:
        """The lags first + step (passed + j), j = 0 to size - 1, shape (size,), of some adjacent pairs.

        weights, shape (n_pairs,), default to 1.
        """
        part = slice(some.start, some.stop)
        start, to_middle = self._pairs.offset_angles([first, self._step * (passed + self._half)], some)
        waves = np.exp(1j * (start + to_middle))
        if weights is not None:
            waves *= weights[part]
        np.conjugate(waves, out=waves, where=self._is_backwards[part])
        lags = np.fft.irfft(self._spread(waves, part), norm="forward")
        result = np.empty(2 * self._half)
        np.multiply(lags[: self._half], self._rises[: self._half], out=result[self._half :])
        np.multiply(lags[-self._half :], self._rises[:0:-1], out=result[: self._half])
        return result

    def _spread(self, waves: NDArray[np.complex128], part: slice) -> NDArray[np.complex128]:
        """The waves on half of the grid, shape (size + 1,)."""
        last = 2 * self._half
        places, shares = self._places[part].reshape(-1), self._shares[part]
        grid = np.empty(last + 1 + 2 * _WIDTH, dtype=np.complex128)
        for target, values in ((grid.real, waves.real), (grid.imag, waves.imag)):
            target[:] = np.bincount(places, (values[:, np.newaxis] * shares).reshape(-1), len(grid))
        half = grid[_WIDTH : _WIDTH + last + 1]
        # Points beyond an end turn the other way.
        half[1 : _WIDTH + 1] += grid[_WIDTH - 1 :: -1].conj()
        half[-_WIDTH - 1 : -1] += grid[: -_WIDTH - 1 : -1].conj()
        # The transform counts all points but both ends twice.
        half[0] *= 2
        half[-1] *= 2
        return half


@lru_cache(maxsize=2)
def wave_transform(pairs: Pairs, step: float, size: int) -> WaveTransform:
    """The same, kept: a view is panned more than zoomed. At most 9 MB each for 32,768 pairs."""
    return WaveTransform(pairs, step, size)


def _curve(x: Floats) -> Floats:
    """The curve over -1 to 1."""
    rests = 1 - x * x
    np.sqrt(np.maximum(rests, 0, out=rests), out=rests)
    rests -= 1
    rests *= _STEEPNESS
    return np.exp(rests, out=rests)


@lru_cache(maxsize=4)
def _rises(size: int) -> Floats:
    """1 / (2 C(l)) for l = 0 to size / 2, C the Fourier transform of the curve.

    With x = sin(v) the trapezoidal rule over v is right to the last digit: at both ends the curve is 1e-16.
    """
    step = math.pi / (2 * _NODES)
    angles = np.arange(size // 2 + 1) * (math.pi * _WIDTH / (2 * size))
    total = np.full(len(angles), 0.5)
    for node in range(1, _NODES):
        v = node * step
        weight = math.exp(_STEEPNESS * (math.cos(v) - 1)) * math.cos(v)
        total += weight * np.cos(angles * math.sin(v))
    result: Floats = 1 / (2 * _WIDTH * step * total)
    return result


MEASURES: Final = ("dot", "cosine", "distance")

Progress: TypeAlias = Callable[[int, int], None]
IsCancelled: TypeAlias = Callable[[], bool]
_Turns: TypeAlias = NDArray[np.complex128]

# From so many pairs on, and so many lags, the transform costs less than tables and product.
_MANY_PAIRS: Final = 384
_MANY_LAGS: Final = 64
# So few lags cost less one by one than by a ladder of turns.
_FEW_LAGS: Final = 8
# Fewer lags don't cost less, and the parts of a map share one transform.
_LEAST_SIZE: Final = 2**11
# Lags times pairs that tables take a few milliseconds for.
_SOON: Final = 2**23
# Lags of one transform: some milliseconds.
MOST_LAGS: Final = 2**17
# Pairs in one matrix product: a sum of so few terms loses little, and a product for a window of 2000 lags stays below
# the size at which OpenBLAS uses its threads, which cost more than they gain where another program works.
_PAIRS: Final = 240
# Cells of the two tables, unless so few pairs need more: 4 MiB, with the copies on the way below 60 MB at any size.
_TABLE_CELLS: Final = 2**18
# Multiplications between two checks for a cancellation: some 10 ms on one core.
_PRODUCTS: Final = 2**27
# Angles held at once where lags are evaluated one by one: 2 MiB.
_ANGLES: Final = 2**18
# Ladders of turns are kept in lengths that are multiples of this, so that windows of one step share one.
_RUNGS: Final = 12
# Squared distances below this share of d, twice the squared norm, are evaluated anew. Where they are larger, tables and
# product lose less than 5e-13 of the distance: at most 24 factors off by 2.3e-15 each, and a sum in 137 pieces of 240
# terms at 1.1e-16, are 1e-13 of d / 2 in the dot product, thus 1e-13 d in the square, and half of that, over d / 8, in
# its root.
_CANCELS_BELOW: Final = 1 / 8


@record
class Progression:
    """Evenly spaced lags: first + step j for j = 0 to count - 1, in positions, fractional and negative ones too."""

    first: float
    step: float
    count: int

    @property
    def values(self) -> Floats:
        return self.first + self.step * np.arange(self.count, dtype=np.float64)


def never() -> bool:
    """Never cancel."""
    return False


def profile(
    encoding: Encoding, measure: str, count: int, progress: Progress | None = None, is_cancelled: IsCancelled = never
) -> Floats | None:
    """The dot product, cosine or distance of p_t and p_(t+k) for k = 0 to count - 1, shape (count,).

    dot: sum of a_i^2 cos(k omega_i), off by at most 1e-9 at d_model = 1000 and a million lags; cosine: dot over the
    squared norm; distance: 2 sqrt(sum of a_i^2 sin^2(k omega_i / 2)), relative error at most 1e-12, also where squares
    cancel: there sines are summed. None when is_cancelled, asked every few milliseconds, says so; progress gets (work
    done, work in all). ValueError for another measure and for an encoding that is not shift-invariant.
    """
    checked_word("similarity", measure, MEASURES)
    return _evenly_spaced(invariant_pairs(encoding), measure, Progression(0, 1, count), progress, is_cancelled)


def profile_at(encoding: Encoding, measure: str, lags: Numbers) -> Floats:
    """The same for any lags, negative and fractional ones too, shape (len(lags),), at the cost of these alone."""
    checked_word("similarity", measure, MEASURES)
    pairs, progression = invariant_pairs(encoding), _progression(lags)
    if progression is None:
        return _one_by_one(pairs, measure, np.asarray(position_rows(lags)))
    result = _evenly_spaced(pairs, measure, progression)
    assert result is not None
    return result


def are_soon_known(d_model: int, count: int) -> bool:
    """Whether so many lags take some milliseconds at most: more pairs than a transform is worth cost nothing more."""
    return count * min(d_model // 2, _MANY_PAIRS) <= _SOON


@lru_cache(maxsize=8)
def squared_norm(pairs: Pairs) -> float:
    """|p_t|^2 = sum of a_i^2, at any position: half of d where hands have length 1."""
    return float(np.sum(pairs.lengths**2))


def squared_lengths(pairs: Pairs) -> Floats | None:
    """a_i^2 as weights of dot products, shape (count,); None where every hand has length 1."""
    return None if np.all(pairs.lengths == 1) else pairs.lengths**2


def weighted_dots(
    pairs: Pairs,
    lags: Progression,
    weights: NDArray[Any] | None = None,
    progress: Progress | None = None,
    is_cancelled: IsCancelled = never,
    some: range | None = None,
) -> Floats | None:
    """The sum of Re(w_i e^(i l omega_i)) for evenly spaced lags l, shape (count,).

    weights, shape (n_pairs,), default to 1; real ones give a sum of cosines, complex ones move their phases. some: the
    adjacent pairs that are summed, None for all. Off by less than 3e-14 of the sum of |w_i|. None when is_cancelled,
    asked every few milliseconds, says so.
    """
    summed = range(pairs.count) if some is None else some
    if lags.count <= _FEW_LAGS:
        waves = _exact_turns(pairs, lags.values.tolist(), summed)
        return np.asarray((waves if weights is None else waves * weights[summed.start : summed.stop]).real.sum(axis=1))
    way = _transformed if len(summed) >= _MANY_PAIRS and lags.count >= _MANY_LAGS else _tabulated
    return way(pairs, lags, weights, progress, is_cancelled, summed)


def _transformed(
    pairs: Pairs,
    lags: Progression,
    weights: NDArray[Any] | None,
    progress: Progress | None,
    is_cancelled: IsCancelled,
    summed: range,
) -> Floats | None:
    size = min(max(1 << (lags.count - 1).bit_length(), _LEAST_SIZE), MOST_LAGS)
    sums = np.empty(lags.count)
    transform = wave_transform(pairs, lags.step, size)
    for passed in range(0, lags.count, size):
        if is_cancelled():
            return None
        some = sums[passed : passed + size]
        some[:] = transform.sums(lags.first, passed, weights, summed)[: len(some)]
        if progress is not None:
            progress(passed + len(some), lags.count)
    return sums


def _tabulated(
    pairs: Pairs,
    lags: Progression,
    weights: NDArray[Any] | None,
    progress: Progress | None,
    is_cancelled: IsCancelled,
    summed: range,
) -> Floats | None:
    """The same from two tables.

    The fine table reaches to both sides of each coarse lag, for cos(x + y) and cos(x - y) have the same two products:
    half the fine lags serve for all. Needs a few sqrt(count) d_model cells.
    """
    fine_levels = (lags.count // 2).bit_length() // 2
    half = 2**fine_levels
    n_coarse = -(-(lags.count + half) // (2 * half))
    # Row a holds the lags from 2 half a - half on, half of them before and half of them after the coarse lag.
    sums = np.zeros((n_coarse, 2 * half))
    width = max(_TABLE_CELLS // (n_coarse + half + 1) // _PAIRS, 1) * _PAIRS
    for place in range(0, len(summed), width):
        piece = summed[place : place + width]
        coarse = turns(pairs, lags.first, lags.step, n_coarse, piece, 1 + fine_levels)
        if weights is not None:
            coarse *= weights[piece.start : piece.stop]
        fine = turns(pairs, 0, lags.step, half + 1, piece)
        for done in _add_products(_two_columns(coarse), _two_columns(fine), sums):
            if is_cancelled():
                return None
            if progress is not None:
                progress(place * n_coarse + done, len(summed) * n_coarse)
    return sums.reshape(-1)[half : half + lags.count]


def turns(pairs: Pairs, first: float, step: float, count: int, some: range, level: int = 0) -> _Turns:
    """e^(i p omega) for p = first + a 2^level step, a = 0 to count - 1, and some pairs, shape (count, len(some)).

    Composed by doubling from log2(count) exact turns: each number is a product of at most one more, and off by as many
    times 2.3e-15 at most.
    """
    n_doublings = max(count - 1, 0).bit_length()
    result = np.empty((count, len(some)), dtype=np.complex128)
    result[:1] = _exact_turns(pairs, [first], some) if first else 1
    if not n_doublings:
        return result
    ladder = _ladder(pairs, step, _n_rungs(level + n_doublings, step))
    for rung in range(n_doublings):
        known = 2**rung
        target = result[known : 2 * known]
        np.multiply(result[: len(target)], ladder[level + rung, some.start : some.stop], out=target)
    return result


def _n_rungs(least: int, step: float) -> int:
    """The length of a ladder that is kept: no rung beyond the least ones lies farther than positions do."""
    most = math.floor(math.log2(MAX_ABSOLUTE_POSITION / max(abs(step), 1.0)))
    return max(least, min(-(-least // _RUNGS) * _RUNGS, most))


@lru_cache(maxsize=2)
def _ladder(pairs: Pairs, step: float, count: int) -> _Turns:
    """The turns by step, 2 step, 4 step, ..., shape (count, n_pairs); kept, for a view is panned more than zoomed."""
    return _exact_turns(pairs, [step * 2.0**rung for rung in range(count)], None)


def _exact_turns(pairs: Pairs, positions: Sequence[float], some: range | None) -> _Turns:
    angles = pairs.offset_angles(positions, some)
    result = np.empty(angles.shape, dtype=np.complex128)
    np.cos(angles, out=result.real)
    np.sin(angles, out=result.imag)
    return result


def invariant_pairs(encoding: Encoding) -> Pairs:
    """The pairs of a shift-invariant encoding; ValueError with a sentence for any other."""
    if encoding.pairs is None or not encoding.is_shift_invariant or not encoding.pairs.turns_evenly:
        raise ValueError(f"{encoding.title} is not shift-invariant: its dot products depend on more than the offset")
    return encoding.pairs


def _add_products(coarse: Floats, fine: Floats, sums: Floats) -> Iterator[int]:
    """Add cos(x + y) to the right half of sums and cos(x - y) to the left, whose fine lags run backwards.

    A piece at a time; yields how many of the coarse turns, rows times pairs, have been used.
    """
    _, n_coarse, n_pairs = coarse.shape
    half = fine.shape[1] - 1
    height = max(_PRODUCTS // (2 * (half + 1) * _PAIRS), 1)
    for first_pair in range(0, n_pairs, _PAIRS):
        some = slice(first_pair, first_pair + _PAIRS)
        for first in range(0, n_coarse, height):
            rows = slice(first, first + height)
            cosines, sines = (coarse[part, rows, some] @ fine[part, :, some].T for part in (0, 1))
            sums[rows, half:] += cosines[:, :half] - sines[:, :half]
            sums[rows, half - 1 :: -1] += cosines[:, 1:] + sines[:, 1:]
            yield first_pair * n_coarse + (min(some.stop, n_pairs) - first_pair) * min(rows.stop, n_coarse)


def _two_columns(table: _Turns) -> Floats:
    """Cosines and sines apart, shape (2, *table.shape), as matrix products want them."""
    return np.stack([table.real, table.imag])


def _evenly_spaced(
    pairs: Pairs,
    measure: str,
    lags: Progression,
    progress: Progress | None = None,
    is_cancelled: IsCancelled = never,
) -> Floats | None:
    dots = weighted_dots(pairs, lags, squared_lengths(pairs), progress, is_cancelled)
    if dots is None or measure == "dot":
        return dots
    square = squared_norm(pairs)
    if measure == "cosine":
        return np.divide(dots, square, out=dots)
    squares = np.subtract(2 * square, 2 * dots, out=dots)
    cancelling = np.flatnonzero(squares < _CANCELS_BELOW * 2 * square)
    exact = _direct_distances(pairs, lags.first + lags.step * cancelling.astype(np.float64), is_cancelled)
    if exact is None:
        return None
    squares[cancelling] = 0
    distances = np.sqrt(squares, out=squares)
    distances[cancelling] = exact
    return distances


def _one_by_one(pairs: Pairs, measure: str, lags: Integers | Floats) -> Floats:
    if measure == "distance":
        distances = _direct_distances(pairs, lags)
        assert distances is not None
        return distances
    dots = np.empty(len(lags))
    for some in _pieces(len(lags), pairs.count):
        cosines = pairs.offset_hands(lags[some])[:, :, 1]
        cosines *= pairs.lengths**2
        cosines.sum(axis=1, out=dots[some])
    return dots if measure == "dot" else dots / squared_norm(pairs)


def _direct_distances(pairs: Pairs, lags: Integers | Floats, is_cancelled: IsCancelled = never) -> Floats | None:
    """2 sqrt(sum of a^2 sin^2(k omega / 2)), lag by lag.

    The angle k omega is reduced first and halved then: a lag after which all hands nearly return keeps its digits.
    """
    result = np.empty(len(lags))
    for some in _pieces(len(lags), pairs.count):
        if is_cancelled():
            return None
        halves = pairs.offset_angles(lags[some])
        halves *= 0.5
        np.sin(halves, out=halves)
        halves *= pairs.lengths
        result[some] = 2 * np.sqrt(np.einsum("lp,lp->l", halves, halves))
    return result


def _progression(lags: Numbers) -> Progression | None:
    """The same lags as a progression, or None where they are not evenly spaced, or too far for a ladder to them."""
    rows = position_rows(lags)
    if len(rows) < 2:
        return None
    first, step = float(rows[0]), float(rows[1]) - float(rows[0])
    # The last rung is twice as far as the last lag at most.
    if 4 * abs(step) * len(rows) > MAX_ABSOLUTE_POSITION:
        return None
    candidate = Progression(first, step, len(rows))
    return candidate if isinstance(rows, range) or np.array_equal(candidate.values, rows) else None


def _pieces(n_lags: int, n_pairs: int) -> Iterator[slice]:
    height = max(_ANGLES // n_pairs, 1)
    return (slice(first, first + height) for first in range(0, n_lags, height))
