"""The dashes of a line with many bends: where they lie, and straight ones as an image of how much they cover."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.coverage import Placed, inks, placed

# Pixels along a side of what a dash may reach: longer and wider ones are drawn faster by Qt.
_LONGEST_REACH: Final = 24
# How far the middle of a dash may lie beside a straight line.
_STRAIGHT: Final = 0.1
_TINY: Final = 1e-9


@record(eq=False)
class Dashes:
    """The dashes of a line: where each begins and stops along it.

    `along` says how far along the line its points lie.
    """

    points: marks.Points
    along: Floats
    starts: Floats
    stops: Floats

    def ends(self) -> tuple[marks.Points, marks.Points]:
        return self.at(self.starts), self.at(self.stops)

    def at(self, places: Floats) -> marks.Points:
        """The points so far along the line."""
        return np.column_stack([np.interp(places, self.along, values) for values in self.points.T])

    def are_bent(self, tails: marks.Points, heads: marks.Points) -> NDArray[np.bool_]:
        # A bend by h in the middle of a dash of length l makes it longer by 8 h^2 / 3 l.
        lengths = self.stops - self.starts
        longer = lengths - np.hypot(*(heads - tails).T)
        return np.asarray(longer * lengths * 3 / 8 >= _STRAIGHT**2)

    def bent_lines(self, bent: NDArray[np.intp]) -> tuple[marks.Points, list[int]]:
        """The points of some dashes one after the other, with those of the line inside them, and where each begins."""
        first = np.searchsorted(self.along, self.starts[bent], side="right")
        n_points = np.searchsorted(self.along, self.stops[bent], side="left") - first + 2
        edges = np.concatenate(([0], np.cumsum(n_points)))
        owner = np.repeat(np.arange(len(bent)), n_points)
        along = self.along.take(np.arange(len(owner)) + (first - 1 - edges[:-1])[owner], mode="clip")
        along[edges[:-1]], along[edges[1:] - 1] = self.starts[bent], self.stops[bent]
        return self.at(along), edges.tolist()


def dashes_of(points: marks.Points, dash: tuple[float, ...]) -> Dashes:
    """The dashes of a line; dash is the length of a dash, of a gap, of a dash, ..."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    edges = np.concatenate(([0.0], np.cumsum(dash)))
    begins = np.arange(0.0, along[-1], edges[-1])
    starts = np.concatenate([begins + edge for edge in edges[:-1:2]])
    stops = np.minimum(np.concatenate([begins + edge for edge in edges[1::2]]), along[-1])
    return Dashes(points, along, starts[starts < stops], stops[starts < stops])


def dash_image(
    tails: marks.Points, heads: marks.Points, width: float, color: QColor, pixel_ratio: float
) -> Placed | None:
    """Straight dashes from tails to heads, shape (n, 2), as an image and where its corner lies; None for long ones."""
    sides, half_width = (heads - tails) * pixel_ratio, width * pixel_ratio / 2
    # From the middle of a dash to the middles of the pixels that it covers some of.
    reach = math.hypot(float(np.hypot(*sides.T).max(initial=0.0)) / 2, half_width) + 0.5
    n_pixels = math.floor(2 * reach) + 1
    if not len(tails) or n_pixels > _LONGEST_REACH:
        return None
    middles = (tails + heads) / 2 * pixel_ratio
    corners = np.ceil(middles - reach - 0.5)
    covered = _boxes(middles - corners - 0.5, sides, half_width, n_pixels)
    origin = corners.min(axis=0)
    columns, rows = (corners - origin).astype(np.intp).T
    n_columns, n_rows = int(columns.max()) + n_pixels, int(rows.max()) + n_pixels
    inside = (np.arange(n_pixels)[:, np.newaxis] * n_columns + np.arange(n_pixels)).ravel()
    places = (rows * n_columns + columns)[:, np.newaxis] + inside
    # Most pixels of the image lie beside the dashes.
    sums = np.bincount(places.ravel(), covered.ravel()).take(places)
    shares = (np.minimum(sums, 1.0) * 255.0 + 0.5).astype(np.uint8)
    shades = np.zeros((n_rows, n_columns), dtype=np.uint32)
    shades.ravel()[places] = inks(color.rgba()).take(shares)
    return placed(shades, float(origin[0]), float(origin[1]), pixel_ratio)


def _boxes(middles: marks.Points, along: marks.Points, half_width: float, n_pixels: int) -> marks.Points:
    """How much boxes cover of n_pixels x n_pixels pixels around each, shape (n_boxes, n_pixels**2), 0 to 1.

    middles, from the middle of the first pixel, and along, from one end to the other, have the shape (n_boxes, 2).
    Across an edge coverage falls over one pixel.
    """
    lengths = np.hypot(along[:, 0], along[:, 1])
    toward = (along / np.maximum(lengths, _TINY)[:, np.newaxis]).astype(np.float32)
    steps = np.arange(n_pixels, dtype=np.float32) - middles.astype(np.float32)[:, :, np.newaxis]
    right, down = steps[:, 0, np.newaxis, :], steps[:, 1, :, np.newaxis]
    x, y = toward[:, 0, np.newaxis, np.newaxis], toward[:, 1, np.newaxis, np.newaxis]
    half = (lengths / 2).astype(np.float32)[:, np.newaxis, np.newaxis]
    covered = np.clip(half + np.float32(0.5) - np.abs(right * x + down * y), 0.0, np.minimum(2 * half, 1.0))
    covered *= np.clip(np.float32(half_width + 0.5) - np.abs(down * x - right * y), 0.0, min(2 * half_width, 1.0))
    return np.asarray(covered.reshape(len(covered), -1))
