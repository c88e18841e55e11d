"""Low rows of even waves as images of how much of each pixel they cover, put together of ready columns of bytes."""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby, product
from typing import Final, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from pe_desktop.draw import marks
from pe_desktop.draw.coverage import inks

_Floats: TypeAlias = NDArray[np.float32]
_Bytes: TypeAlias = NDArray[np.uint8]

_TURN: Final = np.float32(2 * math.pi)
# A turn of fewer pixels is a band from the least to the greatest value of each column.
NARROWEST_TURN: Final = 2.0
# Where a wave's direction changes by less than this in a pixel, its edges are straight within a column.
_GENTLE: Final = 0.4
# Ready edges and lines: heights to a pixel, and steps of their rise within a column to a pixel.
_HEIGHTS, _RISES = 32, 8
# Ready columns of a tight wave: phases to a pixel, and samples to a column.
_PHASES, _FEWEST_SAMPLES, _MOST_SAMPLES = 10, 4, 16
# Directions in which a round pen reaches up from a wave.
_PEN: Final = np.linspace(-math.pi / 2, math.pi / 2, 9)
# Ready dashes: places along a period, directions to each side of level.
_PLACES, _DIRECTIONS = 96, 24
_OPAQUE: Final = 255


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
    # The image is the same for all, so that its pixels stay in the processor's cache.
    for row, top, covered in zip(rows.order.tolist(), (rows.tops / pixel_ratio).tolist(), rows.covered(), strict=True):
        inks(mark.colors[row].rgba()).take(covered, mode="clip", out=shades)
        painter.drawImage(QPointF(left, top), image)
    return True


class _Rows:
    """Rows of one height in device pixels, those of the shortest turns first.

    Curves are bytes for each pixel of each column, shape (2, rows, columns, height): sines, then cosines.
    """

    def __init__(self, mark: marks.Waves, ratio: float) -> None:
        left, right = mark.left * ratio, mark.right * ratio
        self.first = math.floor(left + 1e-6)
        self.n_columns = math.ceil(right - 1e-6) - self.first
        # How much of the first and the last column lies within.
        self.ends = min(self.first + 1 - left, 1.0), min(right - self.first - self.n_columns + 1, 1.0)
        self.tall = max(mark.amplitude, 0.0) * ratio
        per_pixel = mark.turns / (right - left)
        self.order = np.argsort(-np.abs(per_pixel), kind="stable")
        # A pixel that holds a whole turn holds a crest and a trough.
        per_pixel = np.clip(per_pixel[self.order], -1.0, 1.0)[:, np.newaxis]
        self.turn = 1.0 / np.maximum(np.abs(per_pixel[:, 0]), 1e-9)
        self.reach = mark.widths[self.order] * (ratio / 2)
        self.alphas = mark.alphas[:, self.order]
        middles = mark.middles[self.order] * ratio
        most = self.tall + float(self.reach.max())
        self.tops = np.floor(middles - most)
        self.height = math.ceil(2 * most) + 1
        # Columns of 16 and 32 bytes are copied fastest.
        self.size = next((size for size in (16, 32) if self.height <= size), -8 * (-self.height // 8))
        self.middles = (middles - self.tops).astype(np.float32)[:, np.newaxis]
        self.steepest = _TURN * (self.tall * per_pixel).astype(np.float32)
        # Turns at the left edge of every column.
        x = np.arange(self.n_columns + 1) + (self.first - left)
        self.phases = (mark.starts[self.order, np.newaxis] % 1.0 + per_pixel * x).astype(np.float32)
        self.dash = tuple(length * ratio for length in mark.dash)
        self.dotted_turn = mark.dotted_turn * ratio

    def covered(self) -> _Bytes:
        """How much of each pixel is inked, shape (rows, height, columns), 0 to 255."""
        sine, cosine = self._curves()
        shares = np.minimum(np.rint(self.alphas * 256), _OPAQUE).astype(np.uint8)[..., np.newaxis, np.newaxis]
        n_rows = len(self.turn)
        n_plain = int(np.count_nonzero(self.turn < self.dotted_turn))
        _weaken(cosine[:n_plain], shares[1, :n_plain])
        if n_plain < n_rows:
            _weaken(cosine[n_plain:], self._dashes(slice(n_plain, None)))
        for rows in _alike(0, n_rows, (self.alphas[0] < 1).__getitem__):
            if self.alphas[0, rows.start] < 1:
                _weaken(sine[rows], shares[0, rows])
        _lay_over(sine, cosine)
        covered: _Bytes = sine[:, :, : self.height]
        for column, share in zip((0, -1), self.ends, strict=True):
            covered[:, column] = covered[:, column] * share
        return covered.transpose(0, 2, 1)

    def _curves(self) -> _Bytes:
        """All of them, solid and opaque."""
        curves = np.empty((2, *self.phases[:, 1:].shape, self.size), np.uint8)
        n_bands = int(np.count_nonzero(self.turn < NARROWEST_TURN))
        n_bent = int(np.count_nonzero(self.tall * (_TURN / self.turn) ** 2 > _GENTLE))
        start = max(n_bands, n_bent)
        if n_bands:
            curves[:, :n_bands] = self._bands(slice(n_bands))
        for rows in _alike(n_bands, start, self._n_samples):
            curves[:, rows] = self._tight(rows)
        for rows in _alike(start, len(self.turn), self.reach.__getitem__):
            self._gentle(rows, curves[:, rows])
        return curves

    def _bands(self, rows: slice) -> _Bytes:
        edges = self.phases[rows]
        ends = np.stack((np.sin(_TURN * edges), np.cos(_TURN * edges)))
        quarters = np.stack((edges - np.float32(0.25), edges))
        high = np.where(_holds_turn(quarters), 1, np.maximum(ends[..., :-1], ends[..., 1:]))
        low = np.where(_holds_turn(quarters + np.float32(0.5)), -1, np.minimum(ends[..., :-1], ends[..., 1:]))
        tall = np.float32(self.tall)
        upper, lower = ((self.middles[rows] - tall * end).astype(np.float32) for end in (high, low))
        return self._between(_heights(upper), _heights(lower))

    def _gentle(self, rows: slice, curves: _Bytes) -> None:
        """Fill in lines that are straight between the sides of each column."""
        angles = _TURN * self.phases[rows]
        ready = _ready_lines(float(self.reach[rows.start]), self.size)
        for turned, columns in zip((np.sin, np.cos), curves, strict=True):
            wave = turned(angles)
            wave *= np.float32(-self.tall)
            before, after = wave[:, :-1], wave[:, 1:]
            rises = np.abs(after - before)
            rises *= _RISES
            rises += np.float32(0.5)
            places = np.minimum(rises.astype(np.int32), len(ready) - 1)
            places *= ready.shape[1]
            middles = before + after
            middles *= np.float32(0.5)
            middles += self.middles[rows]
            places = places + _heights(middles)
            ready.ravel().take(places, mode="clip", out=columns.view(ready.dtype)[..., 0])

    def _between(self, upper: NDArray[np.intp], lower: NDArray[np.intp]) -> _Bytes:
        ready = _ready_edges(self.size)
        covered = self._taken(ready, lower)
        covered -= self._taken(ready, upper)
        return covered

    def _taken(self, ready: NDArray[np.void], places: NDArray[np.intp]) -> _Bytes:
        columns: _Bytes = ready.take(places, mode="clip").view(np.uint8)
        return columns.reshape(*places.shape, self.size)

    def _n_samples(self, row: int) -> int:
        return min(max(_power(float(_TURN) * self.tall / self.turn[row]), _FEWEST_SAMPLES), _MOST_SAMPLES)

    def _tight(self, rows: slice) -> _Bytes:
        """Columns for even steps of phase, from samples of the edges within each, and which of them stands where."""
        n_samples, n_phases = self._n_samples(rows.start), _power(_PHASES * self.turn[rows.stop - 1])
        upper, lower = self._edges(rows, n_phases * n_samples)
        n_waves, n_steps = upper.shape
        within = ((np.arange(n_samples) + 0.5) / n_samples - 0.5)[:, np.newaxis] * (n_steps / self.turn[rows])
        at = np.rint(within).astype(np.intp)[..., np.newaxis] + np.arange(0, n_steps, n_samples)
        at &= n_steps - 1
        at += n_steps * np.arange(n_waves)[:, np.newaxis]
        samples = self._between(upper.take(at), lower.take(at))
        shares = np.add.reduce(samples, axis=0, dtype=np.uint16)
        shares += n_samples // 2
        shares //= n_samples
        table = _ready(shares).ravel()
        phases = self.phases[rows]
        places = np.rint((phases[:, 1:] + phases[:, :-1]) * np.float32(n_phases / 2)).astype(np.intp)
        places = np.stack((places, places + n_phases // 4))
        places &= n_phases - 1
        places += n_phases * np.arange(n_waves)[:, np.newaxis]
        return self._taken(table, places)

    def _edges(self, rows: slice, n_steps: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The ready edges next to the upper and the lower one of a turn: what a disc moved along the wave covers."""
        ahead, above = (np.outer(side, self.reach[rows]).astype(np.float32) for side in (np.sin(_PEN), np.cos(_PEN)))
        angles = np.arange(n_steps, dtype=np.float32) * (_TURN / np.float32(n_steps))
        ahead *= _TURN / self.turn[rows].astype(np.float32)
        wave = np.sin(ahead[..., np.newaxis] + angles)
        wave *= np.float32(self.tall)
        wave += above[..., np.newaxis]
        edge = wave.max(axis=0)
        # Half a turn on, the wave is upside down.
        upper, lower = _heights(self.middles[rows] - edge), _heights(self.middles[rows] + edge)
        half = n_steps // 2
        return upper, np.concatenate((lower[:, half:], lower[:, :half]), axis=1)

    def _dashes(self, rows: slice) -> _Bytes:
        phases = self.phases[rows]
        angles = (phases[:, 1:] + phases[:, :-1]) * (_TURN / 2)
        slopes = np.sin(angles) * self.steepest[rows]
        heights = self.middles[rows] - np.float32(self.tall) * np.cos(angles)
        lengths = np.sqrt(slopes * slopes + 1)
        directions = np.rint(slopes / lengths * _DIRECTIONS)
        along = np.cumsum(lengths, axis=1)
        along -= lengths * np.float32(0.5) + lengths[:, :1] * np.float32(1 - self.ends[0])
        along -= (heights - np.float32(0.5)) * (directions * np.float32(1 / _DIRECTIONS))
        along *= np.float32(1 / sum(self.dash))
        along -= np.floor(along)
        along *= _PLACES
        places = along.astype(np.int32) + _PLACES * (directions.astype(np.int32) + _DIRECTIONS)
        ready = _ready_dashes(self.dash, float(self.alphas[1, rows].max()), self.size)
        return self._taken(ready, places)


def _alike(start: int, stop: int, key: Callable[[int], float]) -> list[slice]:
    """Slices of the rows from one to another that have a number in common."""
    groups = [list(rows) for _, rows in groupby(range(start, stop), key)]
    return [slice(rows[0], rows[-1] + 1) for rows in groups]


def _power(least: float) -> int:
    """The power of two from a number on."""
    return 1 << math.ceil(math.log2(max(least, 1.0)))


def _lay_over(curves: _Bytes, others: _Bytes) -> None:
    """Add what the others cover of the rest of each pixel."""
    both = np.multiply(curves, others, dtype=np.uint16)
    both += _OPAQUE
    both >>= 8
    curves += others
    curves -= both.astype(np.uint8)


def _weaken(curves: _Bytes, shares: _Bytes) -> None:
    weaker = np.multiply(curves, shares, dtype=np.uint16)
    weaker >>= 8
    curves[:] = weaker


def _holds_turn(turns: _Floats) -> NDArray[np.bool_]:
    whole = np.floor(turns)
    return np.asarray(whole[..., 1:] != whole[..., :-1])


def _heights(edge: _Floats) -> NDArray[np.intp]:
    places = edge * np.float32(_HEIGHTS)
    places += np.float32(0.5)
    return places.astype(np.intp)


@lru_cache(maxsize=4)
def _ready_edges(size: int) -> NDArray[np.void]:
    """Columns covered above a level edge, for each height of it."""
    shares = np.clip(np.arange(size * _HEIGHTS + 1)[:, np.newaxis] / _HEIGHTS - np.arange(size), 0.0, 1.0)
    return _ready(shares * _OPAQUE).ravel()


@lru_cache(maxsize=8)
def _ready_lines(reach: float, size: int) -> NDArray[np.void]:
    """Columns that a straight line covers, shape (rises, heights of its middle)."""
    steepest = math.sqrt(_GENTLE * size / 2)
    rises = np.maximum(np.arange(math.ceil(steepest * _RISES) + 1) / _RISES, 1e-3)[:, np.newaxis, np.newaxis]
    middles = np.arange(_HEIGHTS)[:, np.newaxis] / _HEIGHTS - np.arange(-size, size)
    beside = reach * np.sqrt(1 + rises**2)
    above, below = (_area(middles + side + rises / 2) - _area(middles + side - rises / 2) for side in (-beside, beside))
    # A line that is a pixel lower is the same column, moved by a byte.
    lower = sliding_window_view((below - above) / rises * _OPAQUE, size, axis=-1)[:, :, ::-1]
    return _ready(lower.swapaxes(1, 2)).reshape(len(rises), -1)


def _area(edge: marks.Points) -> marks.Points:
    """How much of a pixel lies above an edge, added up over all heights of the edge from far above to this one."""
    return np.where(edge < 1, np.maximum(edge, 0) ** 2 / 2, edge - 0.5)


@lru_cache(maxsize=8)
def _ready_dashes(dash: tuple[float, ...], alpha: float, size: int) -> NDArray[np.void]:
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
    return _ready(np.minimum(shares * (alpha * 256), _OPAQUE)).ravel()


def _ready(shares: marks.Points) -> NDArray[np.void]:
    """Columns of bytes, each as one value to be taken."""
    columns = np.ascontiguousarray(np.rint(shares).astype(np.uint8))
    return columns.view(f"V{columns.shape[-1]}")[..., 0]
