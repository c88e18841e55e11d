"""Lines that stay, thin lines and discs by ready shapes: 0.5 of 5 ms of a step of t at d = 32, 0.7 of 6 at d = 512."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPainterPathStroker, QTransform

from pe_desktop.draw import marks
from pe_desktop.draw.lines import NO_PEN, draw_lines, line_pen, paint_dots, paint_segments

# Where an image's corner lies, and the image.
Placed: TypeAlias = tuple[QPointF, QImage]

# Pixels of a layer.
_LARGEST: Final = 1 << 24


def shift_of(painter: QPainter) -> tuple[float, float]:
    """How far a painter that doesn't scale moves what it draws."""
    moves = painter.worldTransform()
    return moves.dx(), moves.dy()


def drawn_layer(
    points: marks.Points, reach: float, pixel_ratio: float, shift: tuple[float, float], draw: Callable[[QPainter], None]
) -> Placed | None:
    """What `draw` draws within a reach of points, on whole pixels of a moved device; None for too large a layer."""
    low = np.floor((points.min(axis=0) + shift - reach) * pixel_ratio)
    high = np.ceil((points.max(axis=0) + shift + reach) * pixel_ratio)
    width, height = (high - low).tolist()
    if not width * height <= _LARGEST:
        return None
    layer = QImage(int(width), int(height), QImage.Format.Format_ARGB32_Premultiplied)
    layer.setDevicePixelRatio(pixel_ratio)
    layer.fill(0)
    corner = QPointF(*(low / pixel_ratio - shift).tolist())
    with QPainter(layer) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-corner)
        draw(painter)
    return corner, layer


# Upright and level lines of at most this width are filled as boxes: Qt draws such a line pixel by pixel.
_THIN_LINE: Final = 1.5
_MANY_LINES: Final = 64
# How far from a whole pixel counts as on it.
_ALIGNED: Final = 1e-3
_OPAQUE: Final = 255
# So many pixels times 255 are numbers of 16 bits.
_MOST_NARROW: Final = 128


def placed_image(color: QColor, covered: NDArray[np.uint8], column: float, row: float, pixel_ratio: float) -> Placed:
    """The image of how much of each pixel a colour covers, 0 to 255, shape (height, width), and its corner."""
    height, width = covered.shape
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    shades = np.frombuffer(image.bits(), np.uint32).reshape(height, width)
    # Quicker than "clip".
    inks(color.rgba()).take(covered, mode="wrap", out=shades)
    image.setDevicePixelRatio(pixel_ratio)
    return QPointF(column / pixel_ratio, row / pixel_ratio), image


@lru_cache(maxsize=512)
def inks(rgba: int) -> NDArray[np.uint32]:
    """The colour's 256 premultiplied shades, from nothing to itself."""
    color = QColor.fromRgba(rgba)
    alpha = np.arange(256) * color.alpha() / 255
    channels = [
        np.rint(alpha * part / 255).astype(np.uint32) for part in (255, color.red(), color.green(), color.blue())
    ]
    return np.asarray((channels[0] << 24) | (channels[1] << 16) | (channels[2] << 8) | channels[3])


@lru_cache(maxsize=4)
def _kept_segments(mark: marks.Segments, pixel_ratio: float, shift: tuple[float, float]) -> Placed | None:
    ends = mark.ends.reshape(-1, 2)
    return drawn_layer(ends, mark.width, pixel_ratio, shift, lambda painter: paint_segments(painter, mark))


def quick_segments(painter: QPainter, mark: marks.Segments, pixel_ratio: float) -> bool:
    if not pixel_ratio:
        return False
    if mark.stays:
        placed = _kept_segments(mark, pixel_ratio, shift_of(painter))
        if placed is not None:
            painter.drawImage(*placed)
        return placed is not None
    if mark.dash or mark.width > _THIN_LINE:
        return False
    image = _level_image(mark, pixel_ratio) if len(mark.ends) >= _MANY_LINES else None
    if image is not None:
        painter.drawImage(*image)
        return True
    lines: list[list[float]] = mark.ends.tolist()
    if _is_slanted(lines):
        # Thin ends look alike; Qt makes an outline of each line with round ones, three times as slowly.
        painter.setPen(line_pen(mark.color, mark.width, cap="square"))
        draw_lines(painter, lines)
        return True
    painter.setPen(NO_PEN)
    painter.setBrush(mark.color)
    painter.drawRects([_box(line, mark.width / 2) for line in lines])
    return True


@lru_cache(maxsize=2)
def _level_image(lines: marks.Segments, pixel_ratio: float) -> Placed | None:
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
    return placed_image(lines.color, covered, first_column, first_row, pixel_ratio)


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


def _is_slanted(lines: list[list[float]]) -> bool:
    """Whether lines are neither all level nor all upright."""
    is_level = is_upright = True
    for x0, y0, x1, y1 in lines:
        is_level = is_level and y0 == y1
        is_upright = is_upright and x0 == x1
    return not (is_level or is_upright)


def _box(line: Sequence[float], reach: float) -> QRectF:
    x0, y0, x1, y1 = line
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    top, bottom = (y0, y1) if y0 < y1 else (y1, y0)
    return QRectF(left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach)


_MANY_DOTS: Final = 64


def quick_dots(painter: QPainter, mark: marks.Dots, pixel_ratio: float) -> bool:
    """Draw few dots by kept shapes, many on a layer that is kept for the next time."""
    if not pixel_ratio:
        return False
    if mark.outline is not None or len(mark.centers) < _MANY_DOTS:
        for x, y in mark.centers.tolist():
            fill_disc(painter, x, y, mark.radius, mark.fill, mark.outline, mark.outline_width, pixel_ratio)
        return True
    placed = _kept_dots(mark.centers.tobytes(), mark.radius, mark.fill.rgba(), pixel_ratio, shift_of(painter))
    if placed is not None:
        painter.drawImage(*placed)
    return placed is not None


def fill_disc(
    painter: QPainter,
    x: float,
    y: float,
    radius: float,
    fill: QColor,
    outline: QColor | None,
    width: float,
    pixel_ratio: float,
) -> None:
    disc, ring = _disc_shapes(radius, width, pixel_ratio)
    if outline is None:
        painter.fillPath(disc.translated(x, y), fill)
        return
    # Quicker than two moved paths.
    painter.save()
    painter.translate(x, y)
    painter.fillPath(disc, fill)
    painter.fillPath(ring, outline)
    painter.restore()


# Discs this large have no side shorter than half a unit, where Qt finds the corners of a path by another rule.
_LEAST_CORNERED: Final = 2.0


@lru_cache(maxsize=64)
def _disc_shapes(radius: float, width: float, pixel_ratio: float) -> tuple[QPainterPath, QPainterPath]:
    """A disc and its outline as paths, the same pixels wherever they are; kept, as Qt takes a third to make them."""
    circle, stroker = QPainterPath(), QPainterPathStroker()
    circle.addEllipse(QPointF(), radius, radius)
    stroker.setWidth(width)
    ring = stroker.createStroke(circle)
    is_cornered = pixel_ratio == 1.0 and radius >= _LEAST_CORNERED
    return (_cornered(circle), _cornered(ring)) if is_cornered else (circle, ring)


def _cornered(path: QPainterPath) -> QPainterPath:
    """The path with the corners that Qt's raster engine gives its curves, at one pixel to a unit, to fill them."""
    corners = QPainterPath()
    corners.setFillRule(path.fillRule())
    # Polygons of paths are half as fine.
    for curve in path.toSubpathPolygons(QTransform.fromScale(2.0, 2.0)):
        corners.addPolygon(QTransform.fromScale(0.5, 0.5).map(curve))
    return corners


@lru_cache(maxsize=4)
def _kept_dots(
    centers: bytes, radius: float, rgba: int, pixel_ratio: float, shift: tuple[float, float]
) -> Placed | None:
    mark = marks.Dots(np.frombuffer(centers).reshape(-1, 2), radius, QColor.fromRgba(rgba))
    return drawn_layer(mark.centers, radius, pixel_ratio, shift, lambda painter: paint_dots(painter, mark))
