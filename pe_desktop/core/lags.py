"""Dot products and distances by offset: for a shift-invariant encoding one row of numbers is the whole matrix.

dot(k) = sum of a_i^2 cos(k omega_i), a_i the lengths of the hands, whatever the position. Many evenly spaced lags of
hands come from a Fourier transform, others are evaluated one by one.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs, index_rows, position_rows, slices
from pe_desktop.core.record import kept, record
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION, checked_word

# Points of the grid over which a wave is spread, and the steepness of the curve on a grid twice as fine as the lags
# need: at other frequencies less than 1e-14 of a wave is left.
_WIDTH: Final = 16
_STEEPNESS: Final = 2.3 * _WIDTH
# Points of the quadrature of half the curve.
_NODES: Final = 20


class _WaveTransform:
    """The sum of Re(w_i e^(1j l omega_i)) for `size` lags l, a power of two, evenly spaced by `step`.

    Off by less than 3e-14 of the sum of |w_i|. A wave costs as much as a few tens of lags, however many lags there are.
    """

    def __init__(self, pairs: Pairs, step: float, size: int) -> None:
        self._pairs, self._step, self._half = pairs, step, size // 2
        n_points = 2 * size
        # Where a wave stands on the grid: a whole number of points and an exact rest, at most half a point.
        once, rests = pairs.offset_angles([step, step * n_points]) / math.tau
        first = np.ceil(rests - _WIDTH / 2)
        places = (np.rint(once * n_points - rests) + first).astype(np.int64)
        self._places = (places[:, None] + np.arange(_WIDTH)) % n_points
        self._shares = _curve(((first - rests)[:, None] + np.arange(_WIDTH)) * (2 / _WIDTH))
        self._rises = _rises(size)

    def sums(self, first: float, passed: int, weights: NDArray[Any], numbers: Integers | None) -> Floats:
        """The lags first + step (passed + j), j = 0 to size - 1, of some pairs or all, shape (size,)."""
        part = slice(None) if numbers is None else numbers
        start, to_middle = self._pairs.offset_angles([first, self._step * (passed + self._half)], numbers)
        waves = np.exp(1j * (start + to_middle)) * weights[part]
        lags = np.fft.irfft(self._spread(waves, part), norm="forward")
        result = np.empty(2 * self._half)
        np.multiply(lags[: self._half], self._rises[: self._half], out=result[self._half :])
        np.multiply(lags[-self._half :], self._rises[:0:-1], out=result[: self._half])
        return result

    def _spread(self, waves: NDArray[np.complex128], part: slice | Integers) -> NDArray[np.complex128]:
        """The waves on half of the grid, shape (size + 1,): the other half makes their sum a real one."""
        places, shares = self._places[part].reshape(-1), self._shares[part]
        grid = np.empty(4 * self._half, dtype=np.complex128)
        for target, values in ((grid.real, waves.real), (grid.imag, waves.imag)):
            target[:] = np.bincount(places, (values[:, None] * shares).reshape(-1), len(grid))
        half = grid[: len(grid) // 2 + 1]
        half += np.append(grid[0], grid[: len(half) - 2 : -1]).conj()
        return half


# A view is panned more than zoomed. At most 9 MB each for 32,768 pairs.
_wave_transform: Final = lru_cache(maxsize=2)(_WaveTransform)


def _curve(x: Floats) -> Floats:
    """The curve over -1 to 1."""
    rests = 1 - x * x
    np.sqrt(np.maximum(rests, 0, out=rests), out=rests)
    rests -= 1
    rests *= _STEEPNESS
    return np.exp(rests, out=rests)


@kept
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
    return 1 / (2 * _WIDTH * step * total)


MEASURES: Final = ("dot", "cosine", "distance")

Progress: TypeAlias = Callable[[int, int], None]
IsCancelled: TypeAlias = Callable[[], bool]

# So few lags, or angles, cost less one by one than by a transform, and lose nothing.
_FEW_LAGS: Final = 8
_FEW_ANGLES: Final = 2**13
# Fewer lags don't cost less, and the parts of a map share one transform.
_LEAST_SIZE: Final = 2**11
# Lags of one transform, a few milliseconds: so many are soon known.
MOST_LAGS: Final = 2**17
# Angles held at once where lags are evaluated one by one: 2 MiB.
_ANGLES: Final = 2**18
# Squared distances below this share of d, twice the squared norm, are evaluated anew. Where they are larger, the
# transform loses less than 2e-13 of the distance: it is off by 3e-14 of d / 2 in the dot product, thus by 3e-14 d in
# the square, and by half of that, over d / 8, in its root.
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


class CancelledError(Exception):
    """A computation that nobody waits for any more."""


def never() -> bool:
    """Never cancel."""
    return False


def untold(done: int, total: int) -> None:
    """Tell nobody of the progress."""


def stop_if(is_cancelled: IsCancelled) -> None:
    """CancelledError once is_cancelled says so; computations ask every few milliseconds."""
    if is_cancelled():
        raise CancelledError


def profile(
    encoding: Encoding, measure: str, lags: Numbers, progress: Progress = untold, is_cancelled: IsCancelled = never
) -> Floats:
    """The dot product, cosine or distance of p_t and p_(t+k) for some lags k, shape (len(lags),), at their cost alone.

    dot: sum of a_i^2 cos(k omega_i), off by at most 1e-9 at d_model = 1000 and a million lags; cosine: dot over the
    squared norm; distance: 2 sqrt(sum of a_i^2 sin^2(k omega_i / 2)), relative error at most 1e-12, also where squares
    cancel: there sines are summed. Lags may be negative and fractional. CancelledError as `stop_if`; progress gets
    (work done, work in all). ValueError for another measure and for an encoding that is not shift-invariant.
    """
    checked_word("similarity", measure, MEASURES)
    pairs = invariant_pairs(encoding)
    rows = position_rows(lags)
    weights = pairs.lengths**2
    if isinstance(rows, range):
        even = Progression(rows.start, rows.step, len(rows))
        dots = weighted_dots(pairs, even, weights, progress, is_cancelled)
        values = even.values
    else:
        values = np.asarray(rows, dtype=np.float64)
        dots = _exact_dots(pairs, values, weights)
    square = pairs.squared_norm
    # Equal vectors have this product to the last digit.
    dots[values == 0] = square
    found = measured(measure, dots, square)
    if measure == "distance":
        cancelling = np.flatnonzero(found**2 < _CANCELS_BELOW * 2 * square)
        found[cancelling] = _direct_distances(pairs, values[cancelling], is_cancelled)
    return found


def weighted_dots(
    pairs: Pairs,
    lags: Progression,
    weights: NDArray[Any],
    progress: Progress = untold,
    is_cancelled: IsCancelled = never,
    numbers: Numbers | None = None,
) -> Floats:
    """The sum of Re(w_i e^(1j l omega_i)) for evenly spaced lags l, shape (count,).

    weights, shape (n_pairs,): real ones give a sum of cosines, complex ones move their phases. numbers:
    those of the pairs that are summed, None for all. Off by less than 3e-14 of the sum of |w_i|.
    CancelledError as `stop_if`.
    """
    summed = None if numbers is None else index_rows(numbers, pairs.count, "pairs")
    n_summed = pairs.count if summed is None else len(summed)
    are_few = lags.count <= _FEW_LAGS or lags.count * n_summed <= _FEW_ANGLES
    size = min(max(1 << (lags.count - 1).bit_length(), _LEAST_SIZE), MOST_LAGS)
    if are_few or abs(lags.step) * 2 * max(size, lags.count) > MAX_ABSOLUTE_POSITION:
        return _exact_dots(pairs, lags.values, weights, summed)
    sums = np.empty(lags.count)
    transform = _wave_transform(pairs, lags.step, size)
    for passed in range(0, lags.count, size):
        stop_if(is_cancelled)
        part = sums[passed : passed + size]
        part[:] = transform.sums(lags.first, passed, weights, summed)[: len(part)]
        progress(passed + len(part), lags.count)
    return sums


def exact_turns(pairs: Pairs, offsets: Numbers, numbers: Numbers | None) -> NDArray[np.complex128]:
    """e^(1j k omega) for some offsets k and some pairs or all, shape (len(offsets), len(numbers))."""
    angles = pairs.offset_angles(offsets, numbers)
    result = np.empty(angles.shape, dtype=np.complex128)
    np.cos(angles, out=result.real)
    np.sin(angles, out=result.imag)
    return result


def invariant_pairs(encoding: Encoding) -> Pairs:
    """The pairs of a shift-invariant encoding; ValueError with a sentence for any other."""
    if encoding.pairs is None or not encoding.is_shift_invariant:
        raise ValueError(f"{encoding.title} is not shift-invariant: its dot products depend on more than the offset")
    return encoding.pairs


def measured(measure: str, dots: Floats, square: float) -> Floats:
    """Dot products of vectors of one squared length, or their means, as a measure; distances lose digits near 0."""
    if measure == "dot":
        return dots
    if measure == "cosine":
        return dots / square
    squares = 2 * square - 2 * dots
    return np.sqrt(np.maximum(squares, 0, out=squares), out=squares)


def _exact_dots(pairs: Pairs, lags: Floats, weights: NDArray[Any], summed: Integers | None = None) -> Floats:
    """The sums of weighted_dots lag by lag."""
    dots = np.empty(len(lags))
    factors = weights if summed is None else weights[summed]
    for piece in slices(len(lags), _ANGLES // pairs.count):
        dots[piece] = (exact_turns(pairs, lags[piece], summed) * factors).real.sum(axis=1)
    return dots


def _direct_distances(pairs: Pairs, lags: Floats, is_cancelled: IsCancelled) -> Floats:
    """2 sqrt(sum of a^2 sin^2(k omega / 2)), lag by lag.

    The angle k omega is reduced first and halved then: a lag after which all hands nearly return keeps its digits.
    """
    result = np.empty(len(lags))
    for piece in slices(len(lags), _ANGLES // pairs.count):
        stop_if(is_cancelled)
        halves = pairs.offset_angles(lags[piece])
        halves *= 0.5
        np.sin(halves, out=halves)
        halves *= pairs.lengths
        result[piece] = 2 * np.sqrt(np.einsum("lp,lp->l", halves, halves))
    return result


def compared(measure: str, values: Floats, others: Floats) -> Floats:
    """The similarity of every row of values with the same row of others, or of one vector with each row, shape (n,).

    The cosine with a vector that is zero is undefined, nan.
    """
    if checked_word("similarity", measure, MEASURES) == "distance":
        return np.asarray(np.linalg.norm(others - values, axis=-1))
    dots: Floats = np.einsum("...d,...d->...", values, others)
    if measure == "cosine":
        lengths = np.linalg.norm(values, axis=-1) * np.linalg.norm(others, axis=-1)
        dots = np.divide(dots, lengths, out=np.full_like(dots, np.nan), where=lengths > 0)
    return dots
