"""Long lines as images or in pieces: 64 of 82 ms of the still pictures at d = 512, 8 of 26 at d = 32."""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF
from PySide6.QtGui import QColor, QPainter

from pe_desktop.draw import marks
from pe_desktop.draw.lines import line_pen, polygon
from pe_desktop.draw.quick.shapes import Placed, drawn_layer, placed_image, shift_of

# The raster engine strokes a line with many bends up to a hundred times as slowly as pieces of it with round ends.
_LONG_LINE: Final = 32
_PIECE: Final = 16
# Pixels that the middle of a dash may lie beside a straight line.
_STRAIGHT_DASH: Final = 0.1
_OPAQUE: Final = 255
_FULL_INK: Final = _OPAQUE << 24


def quick_polyline(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> bool:
    # Lines of one pixel are fast.
    if not pixel_ratio or len(mark.points) <= _LONG_LINE or mark.width * pixel_ratio <= 1.0:
        return False
    made_of = mark.points.tobytes(), mark.color.rgba(), mark.width, mark.dash
    image = _kept_image(*made_of, pixel_ratio)
    if image is not None:
        painter.drawImage(*image)
        return True
    if mark.color.alpha() == _OPAQUE:
        _draw_long_line(painter, mark, mark.color)
        return True
    placed = _kept_layer(*made_of, pixel_ratio, shift_of(painter))
    if placed is None:
        return False
    before = painter.opacity()
    painter.setOpacity(before * mark.color.alphaF())
    painter.drawImage(*placed)
    painter.setOpacity(before)
    return True


# A line that is drawn again, by whatever mark, has its image at once: some waves of a changed encoding stay as they
# are, and so does row t of a long table.
@lru_cache(maxsize=8)
def _kept_image(points: bytes, rgba: int, width: float, dash: tuple[float, ...], pixel_ratio: float) -> Placed | None:
    return _line_image(_line_of(points, rgba, width, dash), pixel_ratio)


@lru_cache(maxsize=4)
def _kept_layer(
    points: bytes,
    rgba: int,
    width: float,
    dash: tuple[float, ...],
    pixel_ratio: float,
    shift: tuple[float, float],
) -> Placed | None:
    """Pieces overlap: a translucent line is drawn in full ink on a layer of its own; None for too large a one."""
    mark = _line_of(points, rgba | _FULL_INK, width, dash)
    return drawn_layer(
        mark.points, width, pixel_ratio, shift, lambda painter: _draw_long_line(painter, mark, mark.color)
    )


def _line_of(points: bytes, rgba: int, width: float, dash: tuple[float, ...]) -> marks.Polyline:
    return marks.Polyline(np.frombuffer(points).reshape(-1, 2), QColor.fromRgba(rgba), width, dash)


def _draw_long_line(painter: QPainter, mark: marks.Polyline, ink: QColor) -> None:
    if mark.dash:
        _draw_dashes(painter, mark, ink)
        return
    painter.setPen(line_pen(ink, mark.width))
    line = polygon(mark.points)
    for start in range(0, len(mark.points) - 1, _PIECE):
        painter.drawPolyline(line.mid(start, _PIECE + 1))


def _draw_dashes(painter: QPainter, mark: marks.Polyline, ink: QColor) -> None:
    """Straight dashes as lines with flat ends, which Qt fills fast; bent ones as lines of their own."""
    points, steps = mark.points, np.diff(mark.points, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    ends = np.concatenate(([0.0], np.cumsum(lengths)))
    edges = np.concatenate(([0.0], np.cumsum(mark.dash)))
    begins = np.arange(0.0, ends[-1], edges[-1])
    starts = np.concatenate([begins + edge for edge in edges[:-1:2]])
    stops = np.minimum(np.concatenate([begins + edge for edge in edges[1::2]]), ends[-1])
    x0, x1 = (np.interp(places, ends, points[:, 0]) for places in (starts, stops))
    y0, y1 = (np.interp(places, ends, points[:, 1]) for places in (starts, stops))
    # A bend by h in the middle of a dash of length l makes it longer by 8 h^2 / 3 l.
    longer = stops - starts - np.hypot(x1 - x0, y1 - y0)
    is_straight = longer * (stops - starts) * 3 / 8 < _STRAIGHT_DASH**2
    painter.setPen(line_pen(ink, mark.width, cap="flat"))
    lines = np.column_stack((x0, y0, x1, y1))
    painter.drawLines([QLineF(*line) for line in lines[is_straight & (starts < stops)].tolist()])
    first, last = np.searchsorted(ends, starts, side="right"), np.searchsorted(ends, stops, side="left")
    for dash in np.flatnonzero(~is_straight).tolist():
        inner = points[first[dash] : last[dash]]
        painter.drawPolyline(polygon(np.concatenate((lines[dash, np.newaxis, :2], inner, lines[dash, np.newaxis, 2:]))))


# Heights of an edge in a pixel column, and a line's radius in steps of its own: more of them for a wide line.
_PER_COLUMN: Final = 3
_LEAST_REACH: Final = 5
_PIXEL_REACH: Final = 2.0
# Pixels of an image to a pixel of the line; in a larger one most work would be done beside the line.
_MOST_PIXELS: Final = 64
_FAR: Final = 1e6


def _line_image(line: marks.Polyline, pixel_ratio: float) -> Placed | None:
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
    return placed_image(line.color, covered, first_column, first_row, pixel_ratio)


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
