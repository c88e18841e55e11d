"""The fewest points that draw a wave exactly: its extremes where turns are wide, a min-max band where they are not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Pairs

TURN = 2 * np.pi
# Below this many pixels a turn is no line any more.
NARROWEST_TURN = 2.0
# A chord of 1/192 turn leaves a wave of 500 pixels by less than a tenth of a pixel, one of 1/24 turn a wave of ten.
# Every count is a multiple of four, so that crests, troughs and zeros are always among the points.
POINTS_PER_TURN = (192, 96, 48, 24, 16, 12, 8, 4)
MOST_POINTS_PER_PIXEL = 2.0
CHORD_ERROR = 0.1


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


def sampled_waves(
    pairs: Pairs, shown: Sequence[int], first: float, last: float, n_pixels: int, amplitude: float = 500.0
) -> list[Wave | WaveBand]:
    """The waves of some pairs over [first, last] for a plot `n_pixels` wide and amplitudes of so many pixels.

    At most 2 points a pixel, whatever the width; no chord leaves the wave by more than a tenth of a pixel before that.
    For hands that turn evenly.
    """
    starts = pairs.angles([first], shown)[0].tolist()
    needed = np.pi * np.sqrt(amplitude / (2 * CHORD_ERROR))
    enough = min((count for count in POINTS_PER_TURN if count >= needed), default=POINTS_PER_TURN[0])
    waves: list[Wave | WaveBand] = []
    for pair, start in zip(shown, starts, strict=True):
        omega = float(pairs.angular_frequencies[pair])
        turns = (last - first) * omega / TURN
        if turns > n_pixels:
            waves.append(_full_band(n_pixels))
        elif turns * NARROWEST_TURN > n_pixels:
            waves.append(_band(start, (last - first) * omega, n_pixels))
        else:
            waves.append(_line(start, omega, first, last, n_pixels, enough))
    return waves


def _line(start: float, omega: float, first: float, last: float, n_pixels: int, enough: int) -> Wave:
    turns = (last - first) * omega / TURN
    fits = (count for count in POINTS_PER_TURN if count <= enough and turns * count <= MOST_POINTS_PER_PIXEL * n_pixels)
    step = TURN / next(fits, POINTS_PER_TURN[-1])
    stop = start + (last - first) * omega
    inner = np.arange(np.floor(start / step) + 1, np.ceil(stop / step)) * step
    phases = np.concatenate(([start], inner, [stop]))
    positions = first + (phases - start) / omega
    return Wave(positions, np.sin(phases), np.cos(phases))


def _full_band(n_pixels: int) -> WaveBand:
    # A pixel that holds a whole turn holds a crest and a trough.
    ends = np.full(n_pixels, -1.0), np.full(n_pixels, 1.0)
    return WaveBand(ends, ends)


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
