"""Curves of a table whose hands don't turn evenly, or that has none: from its values, and honest about what they hide.

Nothing is known in closed form. Where a pixel holds several whole positions, their least and greatest value are drawn;
else the values between whole positions too, but not where the hand turns by more than half a turn from one to the next:
there only whole positions say something.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.columns import hand_values
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.plotting.number_text import whole
from pe_desktop.plotting.wave_sampling import MOST_POINTS_PER_PIXEL, Wave, WaveBand

# Up to so many whole positions a pixel all are looked at, beyond it an even sample of so many.
MOST_PER_PIXEL: Final = 64
MOST_PER_POSITION: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class TableWave:
    """One hand: its curve as shares of the value limit, and what it hides, in lines of few words.

    curve: nan where nothing can be drawn between whole positions. hidden: these stretches, from position to position.
    """

    curve: Wave | WaveBand
    hidden: tuple[tuple[float, float], ...]
    notes: tuple[str, ...]


def table_waves(encoding: Encoding, shown: Sequence[int], first: float, last: float, n_pixels: int) -> list[TableWave]:
    """The curves of some hands over [first, last], in positions, for a plot `n_pixels` wide."""
    # Rounded numbers before 0 mean nothing to bits and to random vectors.
    first, last = max(first, 0.0), max(min(last, encoding.n_positions - 1.0), 0.0)
    if last - first > n_pixels:
        return _bands(encoding, shown, first, last, n_pixels)
    n_parts = int(min(max(MOST_POINTS_PER_PIXEL * n_pixels / max(last - first, 1.0), 1), MOST_PER_POSITION))
    grid = np.arange(math.floor(first) * n_parts, math.ceil(last) * n_parts + 1) / n_parts
    positions = np.unique(np.concatenate(([first], grid[(grid > first) & (grid < last)], [last])))
    values = hand_values(encoding, positions, shown) / encoding.value_limit
    waves = []
    for place, hand in enumerate(shown):
        hidden = _hidden(encoding, hand, first, last)
        for start, stop in hidden:
            values[(positions > start) & (positions < stop), place] = np.nan
        curve = Wave(positions, values[:, place, 0], values[:, place, 1])
        waves.append(TableWave(curve, hidden, _hidden_words(hidden, first, last)))
    return waves


def _hidden(encoding: Encoding, hand: int, first: float, last: float) -> tuple[tuple[float, float], ...]:
    """The stretches in which a hand turns by more than half a turn from one whole position to the next."""
    if encoding.pairs is None:
        return ()
    starts = np.arange(math.floor(first), math.ceil(last))
    is_fast = np.abs(encoding.pairs.turns(starts, 1.0, [hand])[:, 0]) > np.pi
    edges = np.flatnonzero(np.diff(is_fast, prepend=False, append=False))
    return tuple((float(starts[0] + a), float(starts[0] + b)) for a, b in edges.reshape(-1, 2).tolist())


def _hidden_words(hidden: tuple[tuple[float, float], ...], first: float, last: float) -> tuple[str, ...]:
    if not hidden:
        return ()
    start, stop = hidden[0][0], hidden[-1][1]
    if start <= first and stop >= last:
        where = "dots only"
    else:
        where = f"dots past t = {whole(start)}" if stop >= last else f"dots up to t = {whole(stop)}"
    return where, "over ½ turn a step"


def _bands(encoding: Encoding, shown: Sequence[int], first: float, last: float, n_pixels: int) -> list[TableWave]:
    edges = np.ceil(first + (last - first) * np.arange(n_pixels + 1) / n_pixels).astype(np.int64)
    edges = np.minimum(edges, encoding.n_positions - 1)
    edges[-1] += 1
    counts = np.maximum(np.diff(edges), 1)
    most = int(counts.max())
    positions, starts = _looked_at(edges[:-1], counts)
    values = hand_values(encoding, positions, shown) / encoding.value_limit
    low, high = (extreme.reduceat(values, starts, axis=0) for extreme in (np.minimum, np.maximum))
    notes = (f"{MOST_PER_PIXEL} of {whole(most)} t", "in each pixel") if most > MOST_PER_PIXEL else ()
    return [
        TableWave(WaveBand((low[:, place, 0], high[:, place, 0]), (low[:, place, 1], high[:, place, 1])), (), notes)
        for place in range(len(shown))
    ]


def _looked_at(firsts: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """All positions of every pixel, or MOST_PER_PIXEL spread evenly, and where each pixel's begin."""
    n_seen = np.minimum(counts, MOST_PER_PIXEL)
    starts = np.cumsum(n_seen) - n_seen
    places = np.arange(int(n_seen.sum())) - np.repeat(starts, n_seen)
    size, seen = np.repeat(counts, n_seen), np.repeat(n_seen, n_seen)
    return np.repeat(firsts, n_seen) + (2 * places + 1) * size // (2 * seen), starts


def whole_positions(encoding: Encoding, hand: int, first: float, last: float) -> tuple[Floats, Floats]:
    """The whole positions in [first, last], and both values at each as shares of the limit, shapes (n,) and (n, 2)."""
    positions = np.arange(max(math.ceil(first), 0), min(math.floor(last), encoding.n_positions - 1) + 1)
    values = hand_values(encoding, positions, [hand])[:, 0] / encoding.value_limit
    return positions.astype(np.float64), values
