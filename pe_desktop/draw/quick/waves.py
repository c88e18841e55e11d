"""Low rows of waves as images of ready columns: 105 of 147 ms of a change with 256 pins, 2 of 38 with 64."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, product
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from pe_desktop.draw import marks
from pe_desktop.draw.quick.shapes import inks

_Floats: TypeAlias = NDArray[np.float32]
_Bytes: TypeAlias = NDArray[np.uint8]
_Words: TypeAlias = NDArray[np.uint16]
_Places: TypeAlias = NDArray[np.intp]

_TURN: Final = np.float32(2 * math.pi)
# A turn of fewer pixels is a band from the least to the greatest value of each column.
NARROWEST_TURN: Final = 2.0
# Where a wave's direction changes by less than this in a pixel, its edges are straight within a column.
_GENTLE: Final = 0.4
# Ready edges and lines: heights to a pixel, and steps of their rise within a column to a pixel.
_HEIGHTS, _RISES = 32, 8
# Ready columns of a bent wave to a pixel of its turn, each the mean of as many samples, and of a band to a turn.
_SAMPLES, _BAND_STEPS = 16, 512
# Directions in which a round pen reaches up from a wave.
_PEN: Final = np.linspace(-math.pi / 2, math.pi / 2, 9, dtype=np.float32)[:, np.newaxis]
# Ready dashes: places along a period, directions to each side of level.
_PLACES, _DIRECTIONS = 128, 24
_OPAQUE: Final = 255
# So many rows are put together before they are coloured: their columns stay in the processor's cache.
_TOGETHER: Final = 4


def quick_waves(painter: QPainter, mark: marks.Waves, pixel_ratio: float) -> bool:
    """Draw each row as an image; False on a device that has no pixels of its own, and where they are scaled."""
    if not pixel_ratio:
        return False
    if not len(mark.middles):
        return True
    rows = _Rows(mark, pixel_ratio)
    shades = np.empty((rows.height, rows.n_columns), np.uint32)
    height, width = shades.shape
    image = QImage(shades.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(pixel_ratio)
    left = rows.first / pixel_ratio
    # The image is the same for all, so that its pixels stay in the processor's cache. Single values are taken faster by
    # "wrap" than by "clip", whole columns the other way round.
    for row, top, drawn in zip(rows.order.tolist(), (rows.tops / pixel_ratio).tolist(), rows.drawn(), strict=True):
        ready = inks(mark.colors[row].rgba())
        if drawn.places is None:
            ready.take(drawn.columns.T, mode="wrap", out=shades)
        else:
            ready.take(drawn.columns.T).take(drawn.places, axis=1, mode="wrap", out=shades)
        for column, share in rows.cut:
            whole = drawn.columns[column if drawn.places is None else drawn.places[column]]
            shades[:, column] = ready.take((whole * share).astype(np.intp))
        painter.drawImage(QPointF(left, top), image)
    return True


class _Drawn(NamedTuple):
    """How much of each pixel of a row is inked, 0 to 255: columns, shape (n, height), and the place of each.

    places is None where they stand side by side.
    """

    columns: _Bytes
    places: _Places | None = None


class _Turns(NamedTuple):
    """Columns for even steps of a row's own phase, those of all rows in one array."""

    columns: _Bytes
    # Of each row: its first column, and how many make a turn.
    firsts: _Places
    steps: marks.Points


class _Rows:
    """Rows of one height in device pixels, those of the shortest turns first.

    Columns are `size` bytes, of which `height` are shown.
    """

    def __init__(self, mark: marks.Waves, ratio: float) -> None:
        left, right = mark.left * ratio, mark.right * ratio
        self.first = math.floor(left + 1e-6)
        self.n_columns = math.ceil(right - 1e-6) - self.first
        ends = (0, self.first + 1 - left), (-1, right - self.first - self.n_columns + 1)
        # The first and the last column where a share of them lies within.
        self.cut = [(column, share) for column, share in ends if share < 0.999]
        self._before = max(left - self.first, 0.0)
        self._tall = max(mark.amplitude, 0.0) * ratio
        per_pixel = mark.turns / (right - left)
        self.order = np.argsort(-np.abs(per_pixel), kind="stable")
        # A pixel that holds a whole turn holds a crest and a trough.
        self._per_pixel = np.clip(per_pixel[self.order], -1.0, 1.0)
        self._turn = 1.0 / np.maximum(np.abs(self._per_pixel), 1e-9)
        self._reach = mark.widths[self.order] * (ratio / 2)
        self._alphas = mark.alphas[:, self.order]
        middles = mark.middles[self.order] * ratio
        most = self._tall + float(self._reach.max())
        self.tops = np.floor(middles - most)
        self.height = math.ceil(2 * most) + 1
        # Columns of 16 and 32 bytes are copied fastest.
        self._size = next((size for size in (16, 32) if self.height <= size), -8 * (-self.height // 8))
        self._middles = (middles - self.tops).astype(np.float32)
        # Turns at the middle of every column.
        x = np.arange(self.n_columns, dtype=np.float32) + np.float32(self.first + 0.5 - left)
        self._phases = _down(self._per_pixel) * x
        self._phases += _down(mark.starts[self.order] % 1.0)
        self._dash = tuple(length * ratio for length in mark.dash)
        self._dotted_turn = mark.dotted_turn * ratio

    def drawn(self) -> Iterator[_Drawn]:
        n_bands = int(np.count_nonzero(self._turn < NARROWEST_TURN))
        n_plain = max(n_bands, int(np.count_nonzero(self._turn < self._dotted_turn)))
        n_bent = max(n_plain, int(np.count_nonzero(self._tall * (_TURN / self._turn) ** 2 > _GENTLE)))
        turns = self._turns(n_bands, n_bent)
        if n_plain:
            yield from self._plain(n_plain, turns)
        if n_plain < len(self._turn):
            yield from self._dotted(n_plain, n_bent, turns)

    def _turns(self, n_bands: int, n_bent: int) -> _Turns:
        """Sines of bands and of bent waves, for a turn and a quarter."""
        turn = self._turn[:n_bent]
        steps = _SAMPLES * turn
        steps[:n_bands] = np.where(turn[:n_bands] > 1, _BAND_STEPS, 1)
        counts = np.ceil(1.25 * steps).astype(np.intp) + 1 + _SAMPLES
        row, step, firsts = _ragged(counts)
        turns = step.astype(np.float32)
        turns /= steps.astype(np.float32)[row]
        per_pixel = (1 / turn).astype(np.float32)[row]
        stop = int(counts[:n_bands].sum())
        bands = self._bands(self._middles[row[:stop]], turns[:stop], per_pixel[:stop])
        bent = self._bent(row[stop:], turns[stop:], per_pixel[stop:])
        return _Turns(np.concatenate((bands, bent)), firsts, steps)

    def _bands(self, middles: _Floats, turns: _Floats, per_pixel: _Floats) -> _Bytes:
        # A sine's crest is a quarter of a turn on.
        edges = turns - np.float32(0.25) + np.array([[-0.5], [0.5]], np.float32) * per_pixel
        ends = np.cos(_TURN * edges)
        crests, troughs = np.floor(edges), np.floor(edges + np.float32(0.5))
        high = np.where(crests[0] != crests[1], 1, np.maximum(*ends)) * np.float32(self._tall)
        low = np.where(troughs[0] != troughs[1], -1, np.minimum(*ends)) * np.float32(self._tall)
        return self._between(middles - high, middles - low)

    def _bent(self, row: _Places, turns: _Floats, per_pixel: _Floats) -> _Bytes:
        reach, middles = self._reach.astype(np.float32)[row], self._middles[row]
        # A disc moved along the wave reaches up from it, and down from it, to these heights.
        wave = np.sin(_PEN) * reach
        wave -= np.float32((_SAMPLES - 1) / (2 * _SAMPLES))
        wave *= per_pixel
        wave += turns
        wave *= _TURN
        np.sin(wave, out=wave)
        wave *= np.float32(self._tall)
        above = np.cos(_PEN) * reach
        covered = self._between(middles - (above + wave).max(axis=0), middles + (above - wave).max(axis=0))
        sums = covered.astype(np.uint16)
        moved = 1
        while moved < _SAMPLES:
            sums = sums[:-moved] + sums[moved:]
            moved *= 2
        sums += _SAMPLES // 2
        sums //= _SAMPLES
        return sums.astype(np.uint8)

    def _plain(self, n_rows: int, turns: _Turns) -> Iterator[_Drawn]:
        """Columns of sine and cosine together, for a turn."""
        steps = turns.steps[:n_rows]
        row, step, firsts = _ragged(np.ceil(steps).astype(np.intp) + 1)
        # Of 256.
        shares = np.rint(self._alphas[:, :n_rows] * 256).astype(np.uint16)
        sines = turns.firsts[row] + step
        sine = turns.columns.take(sines, axis=0) * shares[0, row, np.newaxis]
        sine >>= 8
        cosine = turns.columns.take(sines + _quarters(steps)[row], axis=0) * shares[1, row, np.newaxis]
        columns = _laid_over(sine.astype(np.uint8), cosine)[:, : self.height]
        stops = (*firsts[1:].tolist(), len(columns))
        for first, stop, places in zip(firsts.tolist(), stops, self._places(slice(n_rows), steps), strict=True):
            some = columns[first:stop]
            yield _Drawn(some, places) if len(some) <= self.n_columns else _Drawn(some[places])

    def _places(self, rows: slice, steps: marks.Points) -> _Places:
        """The steps nearest to the phases of each column."""
        phases = self._phases[rows]
        places = phases - np.floor(phases)
        places *= _down(steps)
        places += np.float32(0.5)
        return places.astype(np.intp)

    def _dotted(self, start: int, n_bent: int, turns: _Turns) -> Iterator[_Drawn]:
        """Sines solid, cosines as dots."""
        angles = _TURN * self._phases[start:]
        sines, cosines = np.sin(angles), np.cos(angles, out=angles)
        dots = self._dashes(slice(start, None), sines, cosines)
        ready_dots = _ready_dashes(self._dash, float(self._alphas[1, start:].max()), self._size)
        curves = []
        if start < n_bent:
            rows = slice(start, n_bent)
            places = self._places(rows, turns.steps[rows]) + turns.firsts[rows, np.newaxis]
            curves.append((turns.columns, places, places + _quarters(turns.steps[rows])[:, np.newaxis]))
        for reach, group in groupby(range(n_bent, len(self._turn)), self._reach.__getitem__):
            alike = list(group)
            rows, within = slice(alike[0], alike[-1] + 1), slice(alike[0] - start, alike[-1] + 1 - start)
            gentle = (
                self._gentle(rows, sines[within], cosines[within]),
                self._gentle(rows, cosines[within], sines[within]),
            )
            curves.append((_ready_lines(float(reach), self._size), *gentle))
        n_done = 0
        for ready, sine_places, cosine_places in curves:
            for at in range(0, len(sine_places), _TOGETHER):
                some = slice(at, at + _TOGETHER)
                sine, cosine = (
                    ready.take(places[some], axis=0, mode="clip") for places in (sine_places, cosine_places)
                )
                dotted = np.multiply(
                    cosine, ready_dots.take(dots[n_done : n_done + len(sine)], axis=0), dtype=np.uint16
                )
                yield from map(_Drawn, _laid_over(sine, dotted)[..., : self.height])
                n_done += len(sine)

    def _gentle(self, rows: slice, wave: _Floats, slope: _Floats) -> _Places:
        """The straight lines in the columns of a wave, by its derivative."""
        half, tall = math.pi * np.abs(self._per_pixel[rows]), self._tall
        # The mean of a wave at both sides and its rise between them are shares of its sine and cosine in the middle.
        places = np.abs(slope)
        places *= _down(2 * tall * _RISES * np.sin(half))
        np.rint(places, out=places)
        places *= (self._size + 1) * _HEIGHTS
        heights = wave * _down(-tall * _HEIGHTS * np.cos(half))
        heights += _down(self._middles[rows] * _HEIGHTS + 0.5)
        places += heights
        return places.astype(np.intp)

    def _dashes(self, rows: slice, sines: _Floats, cosines: _Floats) -> _Places:
        """Which stripes stand across the cosines."""
        # Lengths in steps from one ready dash to the next.
        rate = _PLACES / sum(self._dash)
        steepest = float(_TURN) * self._tall * rate * self._per_pixel[rows]
        lengths = sines * sines
        lengths *= _down(steepest**2)
        lengths += np.float32(rate**2)
        np.sqrt(lengths, out=lengths)
        directions = sines * _down(steepest * _DIRECTIONS)
        directions /= lengths
        np.rint(directions, out=directions)
        along = np.cumsum(lengths, axis=1)
        # To the middle of each column, from where the wave begins in the first.
        along -= lengths * np.float32(0.5) + lengths[:, :1] * np.float32(self._before)
        heights = cosines * np.float32(-self._tall * rate / _DIRECTIONS)
        heights += _down((self._middles[rows] - 0.5) * (rate / _DIRECTIONS))
        heights *= directions
        along -= heights
        places = np.floor(along, out=along).astype(np.int32)
        places &= _PLACES - 1
        directions += _DIRECTIONS
        directions *= _PLACES
        places += directions.astype(np.int32)
        return places.astype(np.intp)

    def _between(self, upper: _Floats, lower: _Floats) -> _Bytes:
        ready = _ready_edges(self._size)
        covered = ready.take(_heights(lower), axis=0, mode="clip")
        covered -= ready.take(_heights(upper), axis=0, mode="clip")
        return covered


def _ragged(counts: _Places) -> tuple[_Places, _Places, _Places]:
    """Rows of so many columns in one array: row and place in it of each column, and the first column of each row."""
    firsts = np.cumsum(counts) - counts
    row = np.repeat(np.arange(len(counts)), counts)
    return row, np.arange(len(row)) - firsts[row], firsts


def _quarters(steps: marks.Points) -> _Places:
    """How many columns a cosine is before a sine."""
    return np.rint(steps / 4).astype(np.intp)


def _down(numbers: NDArray[np.floating]) -> _Floats:
    return numbers.astype(np.float32)[:, np.newaxis]


def _laid_over(curves: _Bytes, others: _Words) -> _Bytes:
    """Curves with others under them, those as 256 times as much; both are used up."""
    others >>= 8
    np.subtract(256, others, out=others)
    others *= np.invert(curves)
    others >>= 8
    curves[:] = others
    return np.invert(curves, out=curves)


def _heights(edge: _Floats) -> _Places:
    places = edge * np.float32(_HEIGHTS)
    places += np.float32(0.5)
    return places.astype(np.intp)


@lru_cache(maxsize=4)
def _ready_edges(size: int) -> _Bytes:
    """Columns covered above a level edge, for each height of it."""
    shares = np.clip(np.arange(size * _HEIGHTS + 1)[:, np.newaxis] / _HEIGHTS - np.arange(size), 0.0, 1.0)
    return _ready(shares * _OPAQUE, size)


@lru_cache(maxsize=8)
def _ready_lines(reach: float, size: int) -> _Bytes:
    """Columns that a straight line covers, for each rise of it and each height of its middle."""
    steepest = math.sqrt(_GENTLE * size / 2)
    rises = np.maximum(np.arange(math.ceil(steepest * _RISES) + 1) / _RISES, 1e-3)[:, np.newaxis, np.newaxis]
    middles = np.arange(_HEIGHTS)[:, np.newaxis] / _HEIGHTS - np.arange(-size, size)
    beside = reach * np.sqrt(1 + rises**2)
    above, below = (_area(middles + side + rises / 2) - _area(middles + side - rises / 2) for side in (-beside, beside))
    # A line that is a pixel lower is the same column, moved by a byte.
    lower = sliding_window_view((below - above) / rises * _OPAQUE, size, axis=-1)[:, :, ::-1]
    return _ready(lower.swapaxes(1, 2), size)


def _area(edge: marks.Points) -> marks.Points:
    """How much of a pixel lies above an edge, added up over all heights of the edge from far above to this one."""
    return np.where(edge < 1, np.maximum(edge, 0) ** 2 / 2, edge - 0.5)


@lru_cache(maxsize=8)
def _ready_dashes(dash: tuple[float, ...], alpha: float, size: int) -> _Bytes:
    """Columns of stripes across a line, for each direction of it and each place along it in the first pixel."""
    inked, period = dash[0], sum(dash)
    sines = (np.arange(2 * _DIRECTIONS + 1) / _DIRECTIONS - 1)[:, np.newaxis]
    # Seen along the line, a pixel is two boxes one after the other.
    boxes = np.maximum(np.abs(sines), 1e-2), np.maximum(np.sqrt(1 - sines**2), 1e-2)
    along = np.arange(2 * _PLACES) / (2 * _PLACES) * period

    shares = np.zeros((len(sines), 2 * _PLACES))
    for turn, edge, a, b in product((-1, 0, 1), (0, 1), (-1, 1), (-1, 1)):
        passed = along - (turn * period + edge * inked) + (a * boxes[0] + b * boxes[1]) / 2
        shares += (1 - 2 * edge) * a * b * np.maximum(passed, 0) ** 2 / (2 * boxes[0] * boxes[1])
    steps = (np.arange(_PLACES) + 0.5)[:, np.newaxis] + np.arange(size) * sines[:, np.newaxis] * (_PLACES / period)
    places = np.floor(2 * steps).astype(np.intp) % (2 * _PLACES)
    shares = np.take_along_axis(shares[:, np.newaxis], places, axis=-1)
    return _ready(np.minimum(shares * (alpha * 256), _OPAQUE), size)


def _ready(shares: marks.Points, size: int) -> _Bytes:
    return np.ascontiguousarray(np.rint(shares).astype(np.uint8)).reshape(-1, size)
