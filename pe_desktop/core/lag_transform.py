"""Sums of many waves at evenly spaced lags, by one fast Fourier transform of frequencies that are not evenly spaced.

Each wave is spread over the points of an even grid of frequencies around its own, by a bell-shaped curve; the
grid is transformed, and the effect of the curve on each lag is divided out: Dutt and Rokhlin, "Fast Fourier Transforms
for Nonequispaced Data", 1993, with the curve exp(beta (sqrt(1 - x^2) - 1)) of Barnett, Magland and af Klinteberg, "A
Parallel Nonuniform Fast Fourier Transform Library", 2019.
"""

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Pairs

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
