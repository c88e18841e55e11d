"""Where the rows of waves stand, and which positions are sampled."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.columns import hand_values
from pe_desktop.core.cursor import Span
from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs
from pe_desktop.core.lags import IsCancelled
from pe_desktop.core.record import record
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area

_LABELS_WIDTH = 120.0
_NUMBERS_WIDTH, _NO_NUMBERS_WIDTH = 128.0, 14.0
TOP = 30.0
_BOTTOM = 34.0
AMPLITUDE = 0.40
# Low rows leave more room between -1 of one and +1 of the next, for the labels.
_LOW_ROW = 80.0
LOW_AMPLITUDE = 0.36
# One axis needs no room between rows.
_OVERLAY_AMPLITUDE = 0.455
_SHORTEST_ROW = 26.0
_LOWEST_ROW = 8.0
# A turn of fewer pixels is a band from the least to the greatest value of each column.
_NARROWEST_TURN = 2.0


@record
class WavesLayout:
    """The plot of one row for each shown pair, inside a picture of width x height pixels.

    is_overlay: all pairs share one axis, as high as the plot. has_numbers: the values at t and t + k, or the legend of
    one axis, stand beside it.
    """

    width: float
    height: float
    n_rows: int
    span: Span
    is_overlay: bool = False
    has_numbers: bool = True

    @cached_property
    def left(self) -> float:
        """The pixel of span.first."""
        return _LABELS_WIDTH

    @cached_property
    def right(self) -> float:
        """The pixel of span.last."""
        beside = _NUMBERS_WIDTH if self.has_numbers else _NO_NUMBERS_WIDTH
        return max(self.width - beside, _LABELS_WIDTH + 10.0)

    @cached_property
    def bottom(self) -> float:
        """The lower edge of the last row."""
        return TOP + self.n_axes * self.row_height

    @property
    def n_axes(self) -> int:
        """How many axes stand under each other."""
        return 1 if self.is_overlay else self.n_rows

    @cached_property
    def row_height(self) -> float:
        """The height of a row; in a panel that is lower than its rows, the first of them are seen."""
        return max((self.height - TOP - _BOTTOM) / max(self.n_axes, 1), _LOWEST_ROW)

    @cached_property
    def amplitude(self) -> float:
        """How many pixels the value 1 is high."""
        if self.is_overlay:
            return self.row_height * _OVERLAY_AMPLITUDE
        share = AMPLITUDE if self.row_height >= _LOW_ROW else LOW_AMPLITUDE
        return min(self.row_height * share, self.row_height / 2 - 2.0)

    def row_middle(self, row: int) -> float:
        """The pixel of the value 0 in a row."""
        return TOP + ((0 if self.is_overlay else row) + 0.5) * self.row_height

    @cached_property
    def positions(self) -> Axis:
        """The axis of positions below all rows."""
        return Axis(Area(self.left, TOP, self.right - self.left, self.bottom - TOP), self.span.first, self.span.last)

    def levels(self, row: int) -> Axis:
        """The axis of a row from -1 to 1, shares of the limit of all values."""
        tall = self.amplitude
        return Axis(Area(self.left, self.row_middle(row) - tall, self.right - self.left, 2 * tall), -1.0, 1.0, "left")

    def x(self, position: float) -> float:
        """The pixel of a position."""
        return self.positions.place(position)

    def row_at(self, y: float) -> int | None:
        """The row that a pixel lies in; none where all share one axis."""
        if self.is_overlay:
            return None
        row = math.floor((y - TOP) / self.row_height)
        return row if 0 <= row < self.n_rows else None

    def whole_position(self, x: float) -> float:
        """The whole position nearest to a pixel, at the edge of the plot where the pixel lies beyond it."""
        return float(round(self.position(min(max(x, self.left), self.right))))

    def position(self, x: float) -> float:
        """The position of a pixel."""
        return self.span.first + (x - self.left) / (self.right - self.left) * self.span.width


def most_rows(height: float) -> int:
    """How many rows a picture can hold."""
    return max(int((height - TOP - _BOTTOM) // _SHORTEST_ROW), 1)


TURN = 2 * np.pi
# A chord of 1/192 turn leaves a wave of 500 pixels by less than a tenth of a pixel, one of 1/24 turn a wave of ten.
# Every count is a multiple of four, so that crests, troughs and zeros are always among the points.
_POINTS_PER_TURN = (192, 96, 48, 24, 16, 12, 8, 4)
_MOST_POINTS_PER_PIXEL = 2.0
_CHORD_ERROR = 0.1


@record(eq=False)
class Wave:
    """Sine and cosine of one pair as lines over the same positions, shape (n,)."""

    positions: NDArray[np.float64]
    sine: NDArray[np.float64]
    cosine: NDArray[np.float64]


@record(eq=False)
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
    needed = np.pi * np.sqrt(amplitude / (2 * _CHORD_ERROR))
    enough = min((count for count in _POINTS_PER_TURN if count >= needed), default=_POINTS_PER_TURN[0])
    waves: list[Wave | WaveBand] = []
    for pair, start in zip(shown, starts, strict=True):
        omega = float(pairs.angular_frequencies[pair])
        turns = (last - first) * omega / TURN
        if turns > n_pixels:
            waves.append(_full_band(n_pixels))
        elif turns * _NARROWEST_TURN > n_pixels:
            waves.append(_band(start, (last - first) * omega, n_pixels))
        else:
            waves.append(_line(start, omega, first, last, n_pixels, enough))
    return waves


def _line(start: float, omega: float, first: float, last: float, n_pixels: int, enough: int) -> Wave:
    if not omega:
        ends = np.full(2, start)
        return Wave(np.array([first, last]), np.sin(ends), np.cos(ends))
    turns = (last - first) * omega / TURN
    fits = (
        count for count in _POINTS_PER_TURN if count <= enough and turns * count <= _MOST_POINTS_PER_PIXEL * n_pixels
    )
    step = TURN / next(fits, _POINTS_PER_TURN[-1])
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


# Up to so many whole positions a pixel all are looked at, beyond it an even sample of so many.
_MOST_PER_PIXEL: Final = 64
_MOST_PER_POSITION: Final = 16
# Table values for the curves of a frame, and held at once.
_QUICK_VALUES, _MOST_VALUES = 2**16, 2**18


@record(eq=False)
class TableWave:
    """One hand: its curve as shares of the value limit, and what it hides, in lines of few words.

    curve: nan where nothing can be drawn between whole positions. hidden: these stretches, from position to position.
    """

    curve: Wave | WaveBand
    hidden: tuple[tuple[float, float], ...]
    notes: tuple[str, ...]


def table_waves(
    encoding: Encoding, shown: Sequence[int], first: float, last: float, n_pixels: int, *, is_quick: bool = False
) -> list[TableWave]:
    """The curves of some hands over [first, last], in positions, for a plot `n_pixels` wide.

    is_quick: of fewer positions in each pixel where all of them take too long for a frame.
    """
    first, last = _within(encoding, first, last)
    if last - first > n_pixels:
        most = _quick_sample(shown, n_pixels) if is_quick else _MOST_PER_PIXEL
        return [wave for some in _bands(encoding, shown, (first, last), n_pixels, most) for wave in some]
    n_parts = int(min(max(_MOST_POINTS_PER_PIXEL * n_pixels / max(last - first, 1.0), 1), _MOST_PER_POSITION))
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


def takes_long(encoding: Encoding, shown: Sequence[int], first: float, last: float, n_pixels: int) -> bool:
    """Whether the curves take longer than a frame, so that quick ones are others."""
    first, last = _within(encoding, first, last)
    n_seen = min(math.ceil((last - first) / n_pixels), _MOST_PER_PIXEL)
    return last - first > n_pixels and n_seen > _quick_sample(shown, n_pixels)


def find_waves(
    encoding: Encoding, shown: Sequence[int], first: float, last: float, n_pixels: int, task: IsCancelled
) -> tuple[TableWave, ...] | None:
    """The curves where they take long; None when the task is cancelled."""
    waves: list[TableWave] = []
    for some in _bands(encoding, shown, _within(encoding, first, last), n_pixels, _MOST_PER_PIXEL):
        waves += some
        if task():
            return None
    return tuple(waves)


def _within(encoding: Encoding, first: float, last: float) -> tuple[float, float]:
    """Positions of the table: rounded numbers before 0 mean nothing to bits and to random vectors."""
    return max(first, 0.0), max(min(last, encoding.n_positions - 1.0), 0.0)


def _quick_sample(shown: Sequence[int], n_pixels: int) -> int:
    """How many positions of a pixel are looked at in a frame."""
    return min(max(_QUICK_VALUES // (2 * n_pixels * max(len(shown), 1)), 2), _MOST_PER_PIXEL)


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


def _bands(
    encoding: Encoding, shown: Sequence[int], ends: tuple[float, float], n_pixels: int, most: int
) -> Iterator[list[TableWave]]:
    """The curves, those of some hands at a time, from so many positions of each pixel at most."""
    first, last = ends
    edges = np.ceil(first + (last - first) * np.arange(n_pixels + 1) / n_pixels).astype(np.int64)
    edges = np.minimum(edges, encoding.n_positions - 1)
    edges[-1] += 1
    counts = np.maximum(np.diff(edges), 1)
    positions, starts = _looked_at(edges[:-1], counts, most)
    notes = _sample_words(int(counts.max()), most)
    height = max(_MOST_VALUES // (2 * len(positions)), 1)
    for start in range(0, len(shown), height):
        some = shown[start : start + height]
        values = hand_values(encoding, positions, some) / encoding.value_limit
        low, high = (extreme.reduceat(values, starts, axis=0) for extreme in (np.minimum, np.maximum))
        yield [
            TableWave(WaveBand((low[:, place, 0], high[:, place, 0]), (low[:, place, 1], high[:, place, 1])), (), notes)
            for place in range(len(some))
        ]


def _sample_words(n_positions: int, most: int) -> tuple[str, ...]:
    if n_positions <= most:
        return ()
    return f"{most} of {whole(n_positions)} t", "in each pixel" if most == _MOST_PER_PIXEL else "a pixel, refining"


def _looked_at(firsts: Integers, counts: Integers, most: int) -> tuple[Integers, Integers]:
    """All positions of every pixel, or so many spread evenly, and where each pixel's begin."""
    n_seen = np.minimum(counts, most)
    starts = np.cumsum(n_seen) - n_seen
    places = np.arange(int(n_seen.sum())) - np.repeat(starts, n_seen)
    size, seen = np.repeat(counts, n_seen), np.repeat(n_seen, n_seen)
    return np.repeat(firsts, n_seen) + (2 * places + 1) * size // (2 * seen), starts


def whole_positions(encoding: Encoding, hand: int, first: float, last: float) -> tuple[Floats, Floats]:
    """The whole positions in [first, last], and both values at each as shares of the limit, shapes (n,) and (n, 2)."""
    positions = np.arange(max(math.ceil(first), 0), min(math.floor(last), encoding.n_positions - 1) + 1)
    values = hand_values(encoding, positions, [hand])[:, 0] / encoding.value_limit
    return positions.astype(np.float64), values
