"""Marks as images of how much of each pixel they cover, where Qt's raster engine is slow with their shapes."""

import math
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage

from pe_desktop.draw import marks

# Fewer columns are drawn as a polygon, whose sides may slant.
_FEWEST_COLUMNS = 64
_MOST_PIXELS_PER_COLUMN = 4
# How far from a whole pixel counts as on it.
_ALIGNED = 1e-3

_OPAQUE: Final = 255
# So many pixels times 255 are numbers of 16 bits.
_MOST_NARROW: Final = 128

# The upper left corner of an image, and the image.
Placed: TypeAlias = tuple[QPointF, QImage]


@lru_cache(maxsize=2)
def row_image(lines: marks.Segments, pixel_ratio: float) -> Placed | None:
    """Level lines that each fill whole rows of pixels as an image and where its corner lies; None for other lines.

    Kept for marks that are drawn again.
    """
    reach, tall = lines.width / 2 * pixel_ratio, round(lines.width * pixel_ratio)
    left, top, right, bottom = np.ascontiguousarray((lines.ends * pixel_ratio).T)
    upper = top - reach
    rows = np.rint(upper)
    if not tall or (top != bottom).any() or np.abs(upper - rows).max() > _ALIGNED:
        return None
    if abs(tall - lines.width * pixel_ratio) > _ALIGNED:
        return None
    starts = np.minimum(left, right) - reach
    stops = np.maximum(left, right) + reach
    first_row, first_column = float(rows.min()), math.floor(starts.min())
    ends = np.zeros((2, int(rows.max() - first_row) + tall), dtype=np.float32)
    places = (rows - first_row).astype(np.intp)
    for place in range(tall):
        ends[0, places + place], ends[1, places + place] = starts - first_column, stops - first_column
    pixels = np.arange(int(np.ceil(ends[1].max())))
    covered = _coverage(ends[0, :, np.newaxis], ends[1, :, np.newaxis], pixels)
    return _placed(lines.color, covered, first_column, first_row, pixel_ratio)


def column_image(band: marks.Band, pixel_ratio: float) -> Placed | None:
    """A band over every pixel column as an image and where its corner lies; None where x runs otherwise.

    Each pixel is covered as much as the band covers it, from the column's least to its greatest height.
    """
    n_columns = len(band.x)
    if n_columns < _FEWEST_COLUMNS:
        return None
    step = (band.x[-1] - band.x[0]) / (n_columns - 1) * pixel_ratio
    pixels = round(step)
    if not 1 <= pixels <= _MOST_PIXELS_PER_COLUMN or np.abs(np.diff(band.x) * pixel_ratio - pixels).max() > _ALIGNED:
        return None
    top = (np.minimum(band.upper, band.lower) * pixel_ratio).astype(np.float32)
    bottom = (np.maximum(band.upper, band.lower) * pixel_ratio).astype(np.float32)
    first = float(np.floor(top.min()))
    height = max(int(np.ceil(bottom.max()) - first), 1)
    covered = _coverage(top - first, bottom - first, np.arange(height)[:, np.newaxis])
    if pixels > 1:
        covered = np.repeat(covered, pixels, axis=1)
    left = float(np.floor(band.x[0] * pixel_ratio - pixels / 2 + 0.5))
    return _placed(band.fill, covered, left, first, pixel_ratio)


def _placed(color: QColor, covered: NDArray[np.uint8], column: float, row: float, pixel_ratio: float) -> Placed:
    height, width = covered.shape
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    shades = np.frombuffer(image.bits(), np.uint32).reshape(height, width)
    # Quicker than "clip".
    inks(color.rgba()).take(covered, mode="wrap", out=shades)
    image.setDevicePixelRatio(pixel_ratio)
    return QPointF(column / pixel_ratio, row / pixel_ratio), image


def _coverage(low: NDArray[np.float32], high: NDArray[np.float32], pixels: NDArray[np.intp]) -> NDArray[np.uint8]:
    """How much of every pixel lies between two edges, 0 to 255, as broadcast; pixels count from 0."""
    # The processor takes more of narrower numbers at once.
    whole = np.dtype(np.int16 if pixels.size <= _MOST_NARROW else np.int32)
    sides = (pixels * _OPAQUE).astype(whole)
    covered = np.minimum(np.rint(high * _OPAQUE).astype(whole), sides + whole.type(_OPAQUE))
    covered -= np.maximum(np.rint(low * _OPAQUE).astype(whole), sides)
    # Quicker than beside a single 0, for which NumPy takes one number at a time.
    np.maximum(covered, np.zeros_like(covered), out=covered)
    return np.asarray(covered, dtype=np.uint8)


@lru_cache(maxsize=512)
def inks(rgba: int) -> NDArray[np.uint32]:
    """The colour's 256 premultiplied shades, from nothing to itself."""
    color = QColor.fromRgba(rgba)
    alpha = np.arange(256) * color.alpha() / 255
    channels = [
        np.rint(alpha * part / 255).astype(np.uint32) for part in (255, color.red(), color.green(), color.blue())
    ]
    return np.asarray((channels[0] << 24) | (channels[1] << 16) | (channels[2] << 8) | channels[3])


# Heights of an edge in a pixel column, and a line's radius in steps of its own: more of them for a wide line.
_PER_COLUMN: Final = 3
_LEAST_REACH: Final = 5
_PIXEL_REACH: Final = 2.0
# Pixels of an image to a pixel of the line; in a larger one most work would be done beside the line.
_MOST_PIXELS: Final = 64
_FAR: Final = 1e6


def line_image(line: marks.Polyline, pixel_ratio: float) -> Placed | None:
    """A line that never turns back in x, undashed, as an image and where its corner lies; None for other lines.

    Pen and joints are round: a disc moved along such a line covers one interval of each column.
    """
    x, y = np.ascontiguousarray((line.points * pixel_ratio).T)
    radius = line.width * pixel_ratio / 2
    steps = y[1:] - y[:-1]
    if line.dash or (x[1:] < x[:-1]).any():
        return None
    first_column, first_row = math.floor(x[0] - radius), math.floor(float(y.min()) - radius)
    n_columns, height = math.ceil(x[-1] + radius) - first_column, math.ceil(float(y.max()) + radius) - first_row
    if not n_columns * height <= _MOST_PIXELS * (x[-1] - x[0] + np.abs(steps).sum()):
        return None
    reach = max(_LEAST_REACH, math.ceil(_PIXEL_REACH * radius))
    is_corner = np.ones(len(y), dtype=np.bool_)
    is_corner[1:-1] = steps[1:] * steps[:-1] <= 0
    edges = _swept((x - x[0]) * (reach / radius), y - first_row, is_corner, radius, reach)
    columns = (np.arange(_PER_COLUMN * n_columns) + 0.5) / _PER_COLUMN + first_column - x[0]
    places, steps = columns * (reach / radius) + reach, np.arange(edges.shape[1])
    in_columns = [np.interp(places, steps, edge, _FAR, _FAR) for edge in edges]
    covered = _between(np.array(in_columns, np.float32), height)
    return _placed(line.color, covered, first_column, first_row, pixel_ratio)


def _swept(
    at: marks.Points, heights: marks.Points, is_corner: NDArray[np.bool_], radius: float, reach: int
) -> NDArray[np.float32]:
    """The least y that a disc moved along a line covers, and minus the greatest, from a radius before to one after it.

    A radius has so many steps as reach says; `at` counts them.
    """
    n_steps = math.ceil(at[-1]) + 1
    passed = np.full((2, n_steps + 4 * reach), _FAR, np.float32)
    inner = passed[:, 2 * reach : 2 * reach + n_steps]
    inner[0] = np.interp(np.arange(n_steps), at, heights)
    inner[1] = -inner[0]
    # Between two steps a line is straight, but for its corners.
    corners = np.rint(at[is_corner]).astype(np.intp) + 2 * reach
    least = heights[is_corner].astype(np.float32)
    np.minimum.at(passed[0], corners, least)
    np.minimum.at(passed[1], corners, -least)
    # What a disc covers at each step, one place further in each row.
    discs = np.ndarray((2 * reach + 1, 2, n_steps + 2 * reach), np.float32, passed, 0, (4, *passed.strides))
    rises = radius * np.sqrt(1.0 - (np.arange(-reach, reach + 1) / reach) ** 2)
    return np.asarray(np.minimum.reduce(discs - rises.astype(np.float32)[:, np.newaxis, np.newaxis], axis=0))


def _between(edges: NDArray[np.float32], height: int) -> NDArray[np.uint8]:
    """How much of every pixel lies between an upper edge and a lower one, shape (height, n_columns), 0 to 255.

    edges, shape (2, heights), counts downwards in the first row, upwards in the second.
    """
    # From above an edge to below it is one pixel where the edge is level, more where it rises; a jump is no rise.
    steps = np.abs(edges[:, 1:] - edges[:, :-1])
    rises = np.zeros_like(edges)
    rises[:, 1:-1] = np.minimum((steps[:, 1:] + steps[:, :-1]) / 2, 2 * np.minimum(steps[:, 1:], steps[:, :-1]))
    slopes = 1.0 / np.sqrt(1.0 + rises * rises)
    offsets = 0.5 - edges * slopes
    slopes[1] *= -1
    covered = np.zeros((height, edges.shape[1] // _PER_COLUMN), dtype=np.float32)
    # NumPy takes one number at a time where one of both sides is a single one.
    middles = np.repeat(np.arange(height, dtype=np.float32) + np.float32(0.5), covered.shape[1]).reshape(covered.shape)
    shares, ones = np.empty((2, *covered.shape), dtype=np.float32), np.ones((2, *covered.shape), dtype=np.float32)
    places = np.array((slopes, offsets)).reshape(2, 2, 1, -1, _PER_COLUMN).transpose(4, 0, 1, 2, 3)
    for slope, offset in np.ascontiguousarray(places):
        np.multiply(middles, slope, out=shares)
        shares += offset
        np.minimum(shares, ones, out=shares)
        shares[0] += shares[1]
        covered += np.maximum(shares[0], ones[0], out=shares[0])
    covered -= _PER_COLUMN
    covered *= 255.0 / _PER_COLUMN
    covered += 0.5
    return np.asarray(covered, dtype=np.uint8)
