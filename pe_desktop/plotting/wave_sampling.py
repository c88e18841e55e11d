"""The fewest points that draw a wave exactly: its extremes where turns are wide, a min-max band where they are not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Pairs

TURN = 2 * np.pi
# Below this many pixels a turn is no line any more.
NARROWEST_TURN = 2.0
# A chord of 1/192 turn leaves a wave of 500 pixels by less than a tenth of a pixel. Every count here is a multiple of
# four, so that crests, troughs and zeros are always among the points.
POINTS_PER_TURN = (192, 96, 48, 24, 16, 12, 8, 4)
MOST_POINTS_PER_PIXEL = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """Sine and cosine of one pair as lines over the same positions, shape (n,)."""

    positions: NDArray[np.float64]
    sine: NDArray[np.float64]
    cosine: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class WaveBand:
    """Least and greatest value of sine and cosine within each pixel column, shape (n_pixels,)."""

    sine: tuple[NDArray[np.float64], NDArray[np.float64]]
    cosine: tuple[NDArray[np.float64], NDArray[np.float64]]


def sampled_wave(pairs: Pairs, pair: int, first: float, last: float, n_pixels: int) -> Wave | WaveBand:
    """The wave of a pair over [first, last] for a plot `n_pixels` wide; at most 2 points a pixel whatever the width.

    Where hands don't turn evenly nothing is known between the points, of which there are just so many.
    """
    if not pairs.turns_evenly:
        positions = np.linspace(first, last, round(MOST_POINTS_PER_PIXEL * n_pixels) + 1)
        sine, cosine = pairs.hands(positions, [pair])[:, 0].T
        return Wave(positions, sine, cosine)
    omega = float(pairs.angular_frequencies[pair])
    start = float(pairs.angles([first], [pair])[0, 0])
    turns = (last - first) * omega / TURN
    if turns * NARROWEST_TURN > n_pixels:
        return _band(start, (last - first) * omega, n_pixels)
    return _line(start, omega, first, last, n_pixels)


def _line(start: float, omega: float, first: float, last: float, n_pixels: int) -> Wave:
    turns = (last - first) * omega / TURN
    fits = (count for count in POINTS_PER_TURN if turns * count <= MOST_POINTS_PER_PIXEL * n_pixels)
    step = TURN / next(fits, POINTS_PER_TURN[-1])
    stop = start + (last - first) * omega
    inner = np.arange(np.floor(start / step) + 1, np.ceil(stop / step)) * step
    phases = np.concatenate(([start], inner, [stop]))
    positions = first + (phases - start) / omega
    return Wave(positions, np.sin(phases), np.cos(phases))


def _band(start: float, extent: float, n_pixels: int) -> WaveBand:
    edges = start + extent * np.arange(n_pixels + 1) / n_pixels
    return WaveBand(_extremes(edges), _extremes(edges + TURN / 4))


def _extremes(edges: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # The sine reaches 1 in [a, b] exactly if a quarter turn plus a whole number of turns lies in it.
    ends = np.sin(edges)
    has_crest = _holds_turn(edges - TURN / 4)
    has_trough = _holds_turn(edges + TURN / 4)
    low = np.where(has_trough, -1.0, np.minimum(ends[:-1], ends[1:]))
    high = np.where(has_crest, 1.0, np.maximum(ends[:-1], ends[1:]))
    return low, high


def _holds_turn(edges: NDArray[np.float64]) -> NDArray[np.bool_]:
    turns = edges / TURN
    return np.asarray(np.floor(turns[1:]) >= np.ceil(turns[:-1]))
