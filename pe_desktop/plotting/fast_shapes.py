"""Shapes that Qt's raster engine draws slowly, as outlines and images that it draws quickly."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage

from pe_desktop.plotting import marks

# Fewer columns are drawn as a polygon, whose sides may slant.
FEWEST_COLUMNS = 64
MOST_PIXELS_PER_COLUMN = 4
# How far from a whole pixel counts as on it.
ALIGNED = 1e-3

Placed: TypeAlias = tuple[QPointF, QImage]


def row_image(lines: marks.Segments, pixel_ratio: float) -> Placed | None:
    """Level lines that each fill whole rows of pixels as an image and where its corner lies; None for other lines."""
    reach = lines.width / 2
    left, top, right, bottom = (lines.ends * pixel_ratio).T
    rows, tall = np.rint(top - reach * pixel_ratio), round(lines.width * pixel_ratio)
    is_level = not np.any(top != bottom)
    if not is_level or not tall or np.abs(top - reach * pixel_ratio - rows).max() > ALIGNED:
        return None
    if abs(tall - lines.width * pixel_ratio) > ALIGNED:
        return None
    starts = np.minimum(left, right) - reach * pixel_ratio
    stops = np.maximum(left, right) + reach * pixel_ratio
    first_row, first_column = float(rows.min()), float(np.floor(starts.min()))
    ends = np.zeros((2, int(rows.max() - first_row) + tall), dtype=np.float32)
    for place in range(tall):
        ends[:, (rows - first_row).astype(np.intp) + place] = starts - first_column, stops - first_column
    covered = np.ascontiguousarray(_coverage(ends[0], ends[1], int(np.ceil(ends[1].max()))).T)
    return _placed(_inks(lines.color.rgba()).take(covered, mode="clip"), first_column, first_row, pixel_ratio)


def column_image(band: marks.Band, pixel_ratio: float) -> Placed | None:
    """A band over every pixel column as an image and where its corner lies; None where x runs otherwise.

    Each pixel is covered as much as the band covers it, from the column's least to its greatest height.
    """
    n_columns = len(band.x)
    if n_columns < FEWEST_COLUMNS:
        return None
    step = (band.x[-1] - band.x[0]) / (n_columns - 1) * pixel_ratio
    pixels = round(step)
    if not 1 <= pixels <= MOST_PIXELS_PER_COLUMN or np.abs(np.diff(band.x) * pixel_ratio - pixels).max() > ALIGNED:
        return None
    top = (np.minimum(band.upper, band.lower) * pixel_ratio).astype(np.float32)
    bottom = (np.maximum(band.upper, band.lower) * pixel_ratio).astype(np.float32)
    first = float(np.floor(top.min()))
    height = max(int(np.ceil(bottom.max()) - first), 1)
    shades = _inks(band.fill.rgba()).take(_coverage(top - first, bottom - first, height), mode="clip")
    if pixels > 1:
        shades = np.repeat(shades, pixels, axis=1)
    return _placed(shades, float(np.floor(band.x[0] * pixel_ratio - pixels / 2 + 0.5)), first, pixel_ratio)


def _placed(shades: NDArray[np.uint32], column: float, row: float, pixel_ratio: float) -> Placed:
    height, width = shades.shape
    # The copy owns its pixels: an image around the array's would outlive them.
    image = QImage(shades.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied).copy()
    image.setDevicePixelRatio(pixel_ratio)
    return QPointF(column / pixel_ratio, row / pixel_ratio), image


def _coverage(top: NDArray[np.float32], bottom: NDArray[np.float32], height: int) -> NDArray[np.uint8]:
    """How much of every pixel lies between top and bottom, shape (height, n_columns), 0 to 255."""
    rows = np.arange(height, dtype=np.float32)[:, np.newaxis]
    covered = np.minimum(bottom, rows + 1)
    covered -= np.maximum(top, rows)
    np.clip(covered, 0.0, 1.0, out=covered)
    covered *= 255.0
    covered += 0.5
    return covered.astype(np.uint8)


@lru_cache(maxsize=512)
def _inks(rgba: int) -> NDArray[np.uint32]:
    """The colour's 256 premultiplied shades, from nothing to itself."""
    color = QColor.fromRgba(rgba)
    alpha = np.arange(256) * color.alpha() / 255
    channels = [
        np.rint(alpha * part / 255).astype(np.uint32) for part in (255, color.red(), color.green(), color.blue())
    ]
    return np.asarray((channels[0] << 24) | (channels[1] << 16) | (channels[2] << 8) | channels[3])
