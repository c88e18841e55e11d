"""Where the rows of waves stand, and their curves: by phase where hands turn evenly, else from the table."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Span, hand_values
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.fields.field import Limits
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.record import record
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area

_LABELS_WIDTH, _NUMBERS_WIDTH, _NO_NUMBERS_WIDTH = 120.0, 128.0, 14.0
TOP, BOTTOM = 30.0, 34.0
# The value 1 as a share of the height of its row: low rows leave more room between -1 of one and +1 of the next, for
# the labels; one axis needs no room between rows.
_AMPLITUDE, _LOW_AMPLITUDE, _OVERLAY_AMPLITUDE = 0.40, 0.36, 0.455
_LOW_ROW, SHORTEST_ROW, _LOWEST_ROW = 80.0, 26.0, 8.0
# In a low panel: as high as the badge of a pair.
LEAST_ROW: Final = 17.0


@record
class WavesLayout:
    """The plot of one row for each of the hands, inside a picture of width x height pixels.

    is_overlay: all hands share one axis, as high as the plot. has_numbers: the values at t and t + k, or the legend of
    one axis, stand beside it.
    """

    width: float
    height: float
    encoding: Encoding
    hands: tuple[int, ...]
    span: Span
    is_overlay: bool = False
    has_numbers: bool = True

    @property
    def n_axes(self) -> int:
        """How many axes stand under each other."""
        return 1 if self.is_overlay else len(self.hands)

    @cached_property
    def row_height(self) -> float:
        """The height of a row; in a panel that is lower than its rows, the first of them are seen."""
        return max((self.height - TOP - BOTTOM) / max(self.n_axes, 1), _LOWEST_ROW)

    @cached_property
    def area(self) -> Area:
        """The plot of all rows."""
        beside = _NUMBERS_WIDTH if self.has_numbers else _NO_NUMBERS_WIDTH
        wide = max(self.width - beside - _LABELS_WIDTH, 10.0)
        return Area(_LABELS_WIDTH, TOP, wide, self.n_axes * self.row_height)

    @cached_property
    def positions(self) -> Axis:
        """The axis of positions below all rows."""
        return Axis(self.area, self.span.first, self.span.last)

    @cached_property
    def amplitude(self) -> float:
        """How many pixels the value 1 is high."""
        if self.is_overlay:
            return self.row_height * _OVERLAY_AMPLITUDE
        share = _AMPLITUDE if self.row_height >= _LOW_ROW else _LOW_AMPLITUDE
        return min(self.row_height * share, self.row_height / 2 - 2.0)

    @cached_property
    def levels(self) -> tuple[Axis, ...]:
        """The axis of each row from -1 to 1, shares of the limit of all values."""
        down = 0.0 if self.is_overlay else self.row_height
        tall = self.amplitude
        middles = (TOP + self.row_height / 2 + row * down for row in range(max(len(self.hands), self.n_axes)))
        return tuple(Axis(self.area._replace(y=y - tall, height=2 * tall), -1.0, 1.0, "left") for y in middles)

    def n_pixels(self, pixel_ratio: float) -> int:
        """How many device pixels the plot is wide."""
        return max(int(self.area.width * pixel_ratio), 1)


_TURN: Final = 2 * np.pi
# A turn of fewer pixels is a band from the least to the greatest value of each column.
_NARROWEST_TURN: Final = 2.0
# A chord of 1/192 turn leaves a wave of 500 pixels by less than a tenth of a pixel, one of 1/24 turn a wave of ten.
# Every count is a multiple of four, so that crests, troughs and zeros are always among the points.
_POINTS_PER_TURN: Final = (192, 96, 48, 24, 16, 12, 8, 4)
_MOST_POINTS_PER_PIXEL, _CHORD_ERROR = 2.0, 0.1
# Up to so many whole positions a pixel all are looked at, beyond it an even sample of so many.
_MOST_PER_PIXEL, _MOST_PER_POSITION = 64, 16
# Table values for the curves of a frame, and held at once.
_QUICK_VALUES, _MOST_VALUES = 2**16, 2**18


@record(eq=False)
class WaveCurve:
    """Both columns of a hand over positions, shape (n,), from -1 to 1, shares of the limit of all values.

    low, high: the least and the greatest value in a pixel where it is a band, else the same, shape (2, n); nan where
    nothing can be drawn. wavelength: in positions, of a hand that turns evenly. hidden: stretches from position to
    position in which it turns too fast to be followed; notes: what it hides, in lines of few words.
    """

    positions: Floats
    low: Floats
    high: Floats
    wavelength: float = math.inf
    hidden: tuple[Limits, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_band(self) -> bool:
        return self.low is not self.high


def turning_curves(
    pairs: Pairs, hands: Sequence[int], first: float, last: float, n_pixels: int, amplitude: float = 500.0
) -> list[WaveCurve]:
    """Sine and cosine of some pairs over [first, last] for a plot `n_pixels` wide and amplitudes of so many pixels.

    At most 2 points a pixel, whatever the width; no chord leaves the wave by more than a tenth of a pixel before that.
    For hands that turn evenly.
    """
    needed = np.pi * np.sqrt(amplitude / (2 * _CHORD_ERROR))
    enough = min([count for count in _POINTS_PER_TURN if count >= needed], default=_POINTS_PER_TURN[0])
    curves = []
    for pair, start in zip(hands, pairs.angles([first], hands)[0].tolist(), strict=True):
        omega = float(pairs.angular_frequencies[pair])
        wavelength = float(pairs.wavelengths[pair])
        turns = (last - first) * omega / _TURN
        if turns * _NARROWEST_TURN > n_pixels:
            edges = start + turns * _TURN * np.arange(n_pixels + 1) / n_pixels
            low, high = np.stack((_extremes(edges), _extremes(edges + _TURN / 4)), axis=1)
            curves.append(WaveCurve(_pixel_middles(first, last, n_pixels), low, high, wavelength))
            continue
        most = _MOST_POINTS_PER_PIXEL * n_pixels
        counts = (count for count in _POINTS_PER_TURN if count <= enough and turns * count <= most)
        step = _TURN / next(counts, _POINTS_PER_TURN[-1])
        inner = np.arange(np.floor(start / step) + 1, np.ceil((start + turns * _TURN) / step)) * step
        positions = np.concatenate(([first], first + (inner - start) / (omega or 1.0), [last]))
        phases = np.concatenate(([start], inner, [start + turns * _TURN]))
        values = np.stack((np.sin(phases), np.cos(phases)))
        curves.append(WaveCurve(positions, values, values, wavelength))
    return curves


def _pixel_middles(first: float, last: float, n_pixels: int) -> Floats:
    return first + (last - first) * (np.arange(n_pixels) + 0.5) / n_pixels


def _extremes(edges: Floats) -> Floats:
    """The least and the greatest sine between phases that follow each other, shape (2, n - 1)."""
    starts, stops = edges[:-1], edges[1:]
    # They lie at the trough and the crest nearest to the middle, or at the end that is nearest to it.
    nearest = (at + _TURN * np.rint(((starts + stops) / 2 - at) / _TURN) for at in (-_TURN / 4, _TURN / 4))
    return np.sin(np.stack([np.clip(phases, starts, stops) for phases in nearest]))


def table_curves(
    encoding: Encoding,
    hands: Sequence[int],
    first: float,
    last: float,
    n_pixels: int,
    task: IsCancelled = never,
    most: int = _MOST_PER_PIXEL,
) -> tuple[WaveCurve, ...]:
    """The curves of some hands over [first, last], in positions, for a plot `n_pixels` wide.

    most: of a pixel so many positions are looked at; those of `quick_sample` take less than a frame.
    """
    first, last = _within(encoding, first, last)
    if last - first > n_pixels:
        return tuple(_bands(encoding, hands, (first, last), n_pixels, most, task))
    n_parts = int(min(max(_MOST_POINTS_PER_PIXEL * n_pixels / max(last - first, 1.0), 1), _MOST_PER_POSITION))
    grid = np.arange(math.floor(first) * n_parts, math.ceil(last) * n_parts + 1) / n_parts
    positions = np.unique(np.concatenate(([first], grid[(grid > first) & (grid < last)], [last])))
    values = hand_values(encoding, positions, hands) / encoding.value_limit
    curves = []
    for place, hand in enumerate(hands):
        hidden = _hidden(encoding, hand, first, last)
        for start, stop in hidden:
            values[(positions > start) & (positions < stop), place] = np.nan
        both = values[:, place].T
        notes = _hidden_words(hidden, first, last)
        curves.append(WaveCurve(positions, both, both, hidden=hidden, notes=notes))
    return tuple(curves)


def takes_long(encoding: Encoding, hands: Sequence[int], first: float, last: float, n_pixels: int) -> bool:
    """Whether the curves take longer than a frame, so that quick ones are others."""
    first, last = _within(encoding, first, last)
    n_needed = min(math.ceil((last - first) / n_pixels), _MOST_PER_PIXEL)
    return last - first > n_pixels and n_needed > quick_sample(hands, n_pixels)


def _within(encoding: Encoding, first: float, last: float) -> Limits:
    """Positions of the table: rounded numbers before 0 mean nothing to bits and to random vectors."""
    return max(first, 0.0), max(min(last, encoding.n_positions - 1.0), 0.0)


def quick_sample(hands: Sequence[int], n_pixels: int) -> int:
    """How many positions of a pixel are looked at in a frame."""
    return min(max(_QUICK_VALUES // (2 * n_pixels * max(len(hands), 1)), 2), _MOST_PER_PIXEL)


def _hidden(encoding: Encoding, hand: int, first: float, last: float) -> tuple[Limits, ...]:
    """The stretches in which a hand turns by more than half a turn from one whole position to the next."""
    if encoding.pairs is None:
        return ()
    starts = np.arange(math.floor(first), math.ceil(last))
    is_fast = np.abs(encoding.pairs.turns(starts, 1.0, [hand])[:, 0]) > np.pi
    edges = np.flatnonzero(np.diff(is_fast, prepend=False, append=False))
    return tuple((float(starts[0] + a), float(starts[0] + b)) for a, b in edges.reshape(-1, 2).tolist())


def _hidden_words(hidden: tuple[Limits, ...], first: float, last: float) -> tuple[str, ...]:
    if not hidden:
        return ()
    start, stop = hidden[0][0], hidden[-1][1]
    if start <= first and stop >= last:
        where = "dots only"
    else:
        where = f"dots past t = {whole(start)}" if stop >= last else f"dots up to t = {whole(stop)}"
    return where, "over ½ turn a step"


def _bands(
    encoding: Encoding, hands: Sequence[int], ends: Limits, n_pixels: int, most: int, task: IsCancelled
) -> Iterator[WaveCurve]:
    """The curves, from so many positions of each pixel at most."""
    first, last = ends
    edges = np.ceil(first + (last - first) * np.arange(n_pixels + 1) / n_pixels).astype(np.int64)
    edges = np.minimum(edges, encoding.n_positions - 1)
    edges[-1] += 1
    counts = np.maximum(np.diff(edges), 1)
    n_needed = int(counts.max())
    n_taken = min(n_needed, most)
    # All of a pixel, some maybe twice, or so many spread evenly.
    taken = edges[:-1, None] + (2 * np.arange(n_taken) + 1) * counts[:, None] // (2 * n_taken)
    starts = np.arange(0, taken.size, n_taken)
    where = "in each pixel" if most == _MOST_PER_PIXEL else "a pixel, refining"
    notes = (f"{most} of {whole(n_needed)} t", where) if n_needed > most else ()
    middles = _pixel_middles(first, last, n_pixels)
    height = max(_MOST_VALUES // (2 * taken.size), 1)
    for start in range(0, len(hands), height):
        stop_if(task)
        part = hands[start : start + height]
        values = hand_values(encoding, taken.ravel(), part) / encoding.value_limit
        low, high = (extreme.reduceat(values, starts, axis=0).T for extreme in (np.minimum, np.maximum))
        yield from (WaveCurve(middles, low[:, place], high[:, place], notes=notes) for place in range(len(part)))
