"""Draws marks with a QPainter: by plain shapes on any device, by shapes that Qt draws fast on pixels."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QPen, QPolygonF, QStaticText, QTransform

from pe_desktop.draw import marks
from pe_desktop.draw.theme import badge_text_color
from pe_desktop.draw.typefaces import ascent, badge_half_width, capital_height, draw_formula, text_font, text_width


def polygon(points: marks.Points) -> QPolygonF:
    """A Qt polygon of points, shape (n, 2), copied in one stroke instead of point by point."""
    shape = QPolygonF()
    shape.resize(len(points))
    if len(points):
        address: Any = shape.data()
        memory: Any = shiboken6.VoidPtr(address, len(points) * 16, True)  # type: ignore[call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return shape


def line_pen(color: QColor, width: float, dash: tuple[float, ...] = (), *, has_square_ends: bool = False) -> QPen:
    """The pen of a line: round joints, round ends, flat ones where it is dashed."""
    return _kept_pen(color.rgba(), width, dash, has_square_ends)


@lru_cache(maxsize=512)
def _kept_pen(rgba: int, width: float, dash: tuple[float, ...], has_square_ends: bool) -> QPen:
    pen = QPen(QColor.fromRgba(rgba), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        # Qt measures dashes in pen widths; a flat end keeps them as long as they are said to be.
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([length / width for length in dash])
    else:
        pen.setCapStyle(Qt.PenCapStyle.SquareCap if has_square_ends else Qt.PenCapStyle.RoundCap)
    return pen


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


# Points from which a line is drawn as thin ones, up to this pixel ratio.
LONG_LINE = 32
SCREEN_RATIO = 2.5
OPAQUE = 255
# Upright and level lines of at most this width are filled as boxes: Qt draws such a line pixel by pixel.
THIN_LINE = 1.5
MANY_LINES = 64
MOVES = (QTransform.TransformationType.TxNone, QTransform.TransformationType.TxTranslate)


def pixels_per_unit(painter: QPainter) -> float:
    """Pixels to a unit where marks may be drawn by other shapes; 0 where they must stay lines and letters."""
    if painter.paintEngine().type() != QPaintEngine.Type.Raster:
        return 0.0
    is_moved_at_most = painter.worldTransform().type() in MOVES
    return painter.device().devicePixelRatio() if is_moved_at_most else 0.0


def _quick_segments(painter: QPainter, mark: marks.Segments, pixel_ratio: float) -> bool:
    if mark.dash or mark.width > THIN_LINE:
        return False
    rows = row_image(mark, pixel_ratio) if len(mark.ends) >= MANY_LINES else None
    if rows is not None:
        painter.drawImage(*rows)
        return True
    lines: list[list[float]] = mark.ends.tolist()
    if not (all(line[1] == line[3] for line in lines) or all(line[0] == line[2] for line in lines)):
        # Thin ends look alike; Qt makes an outline of each line with round ones, three times as slowly.
        painter.setPen(line_pen(mark.color, mark.width, has_square_ends=True))
        painter.drawLines([QLineF(*line) for line in lines])
        return True
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark.color)
    painter.drawRects([_box(line, mark.width / 2) for line in lines])
    return True


def _box(line: Sequence[float], reach: float) -> QRectF:
    x0, y0, x1, y1 = line
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    top, bottom = (y0, y1) if y0 < y1 else (y1, y0)
    return QRectF(left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach)


def _quick_polyline(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> bool:
    # The raster engine strokes a wide line with many bends up to a hundred times as slowly as one of width 1: four thin
    # ones, one in the middle and three around it, look like a wide one. A dashed or translucent line is drawn once.
    if len(mark.points) <= LONG_LINE or pixel_ratio > SCREEN_RATIO:
        return False
    painter.setPen(line_pen(mark.color, min(mark.width, 1.0), mark.dash))
    line = polygon(mark.points)
    painter.drawPolyline(line)
    reach = (mark.width - 1.0) / 2
    if reach <= 0 or mark.dash or mark.color.alpha() < OPAQUE:
        return True
    for turn in (0.25, 0.58, 0.92):
        shift = QPointF(reach * math.cos(math.tau * turn), reach * math.sin(math.tau * turn))
        painter.translate(shift)
        painter.drawPolyline(line)
        painter.translate(-shift)
    return True


def _quick_band(painter: QPainter, mark: marks.Band, pixel_ratio: float) -> bool:
    if len(mark.x) > 1 and np.ptp(mark.upper) == 0 == np.ptp(mark.lower):
        top, bottom = sorted((float(mark.upper[0]), float(mark.lower[0])))
        painter.fillRect(QRectF(mark.x[0], top, mark.x[-1] - mark.x[0], bottom - top), mark.fill)
        return True
    columns = column_image(mark, pixel_ratio)
    if columns is None:
        return False
    painter.drawImage(*columns)
    return True


def _quick_rectangle(painter: QPainter, mark: marks.Rectangle, _pixel_ratio: float) -> bool:
    if mark.radius or mark.fill is not None or mark.outline is None:
        return False
    half = mark.outline_width / 2
    left, top, right, bottom = mark.x - half, mark.y - half, mark.x + mark.width + half, mark.y + mark.height + half
    wide = mark.outline_width
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark.outline)
    painter.drawRects(
        [
            QRectF(left, top, right - left, wide),
            QRectF(left, bottom - wide, right - left, wide),
            QRectF(left, top + wide, wide, bottom - top - 2 * wide),
            QRectF(right - wide, top + wide, wide, bottom - top - 2 * wide),
        ]
    )
    return True


def _quick_text(painter: QPainter, mark: marks.Text, _pixel_ratio: float) -> bool:
    painter.setFont(text_font(mark.role))
    painter.setPen(mark.color)
    left = mark.x - mark.across * text_width(mark.role, mark.text) if mark.across else mark.x
    _write(painter, left, mark.y + capital_height(mark.role) * (1 - mark.down), mark.role, mark.text)
    return True


def _quick_badge(painter: QPainter, mark: marks.Badge, _pixel_ratio: float) -> bool:
    half = badge_half_width(mark.radius, mark.label)
    if half > mark.radius:
        return False
    is_hollow = mark.ground is not None
    painter.setPen(line_pen(mark.color, 2.0) if is_hollow else Qt.PenStyle.NoPen)
    painter.setBrush(mark.color if mark.ground is None else mark.ground)
    radius = mark.radius - 1.0 if is_hollow else mark.radius
    painter.drawEllipse(QPointF(mark.x, mark.y), radius, radius)
    painter.setFont(text_font("badge"))
    painter.setPen(badge_text_color(mark.color) if mark.text is None else mark.text)
    left, middle = mark.x - text_width("badge", mark.label) / 2, capital_height("badge") / 2
    _write(painter, left, mark.y + middle, "badge", mark.label)
    return True


def _write(painter: QPainter, left: float, baseline: float, role: str, text: str) -> None:
    """Letters from the left end on; a text that comes again keeps its glyphs: to set them takes longer than to draw."""
    word = _word(role, text)
    if word.glyphs is None:
        word.n_drawn += 1
        painter.drawText(QPointF(left, baseline), text)
        if word.n_drawn > 1:
            word.glyphs = QStaticText(text)
            word.glyphs.setTextFormat(Qt.TextFormat.PlainText)
            word.glyphs.prepare(QTransform(), text_font(role))
    else:
        painter.drawStaticText(QPointF(left, baseline - ascent(role)), word.glyphs)


@dataclass(slots=True)
class _Word:
    n_drawn: int = 0
    glyphs: QStaticText | None = None


@lru_cache(maxsize=4096)
def _word(role: str, text: str) -> _Word:
    return _Word()


QUICK_PAINTERS = {
    marks.Segments: _quick_segments,
    marks.Polyline: _quick_polyline,
    marks.Band: _quick_band,
    marks.Rectangle: _quick_rectangle,
    marks.Text: _quick_text,
    marks.Badge: _quick_badge,
}


def paint_marks(painter: QPainter, picture: Iterable[marks.Mark], *, is_quick: bool = True) -> None:
    """Draw the marks in their order, antialiased; on pixels by the shapes that Qt draws fastest there.

    Not is_quick: by the same shapes on every device, whatever was drawn before.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pixel_ratio = pixels_per_unit(painter) if is_quick else 0.0
    for mark in picture:
        quick: Any = QUICK_PAINTERS.get(type(mark)) if pixel_ratio else None
        if quick is None or not quick(painter, mark, pixel_ratio):
            paint: Any = _PAINTERS[type(mark)]
            paint(painter, mark)


def _paint_segments(painter: QPainter, mark: marks.Segments) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    painter.drawLines([QLineF(*ends) for ends in mark.ends.tolist()])


def _paint_polyline(painter: QPainter, mark: marks.Polyline) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    painter.drawPolyline(polygon(mark.points))


def _paint_band(painter: QPainter, mark: marks.Band) -> None:
    forth = np.column_stack((mark.x, mark.upper))
    back = np.column_stack((mark.x, mark.lower))[::-1]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark.fill)
    painter.drawPolygon(polygon(np.concatenate((forth, back))))


def _paint_dots(painter: QPainter, mark: marks.Dots) -> None:
    painter.setPen(line_pen(mark.outline, mark.outline_width) if mark.outline is not None else Qt.PenStyle.NoPen)
    painter.setBrush(mark.fill)
    for x, y in mark.centers.tolist():
        painter.drawEllipse(QPointF(x, y), mark.radius, mark.radius)


def _paint_dot_cloud(painter: QPainter, mark: marks.DotCloud) -> None:
    # One stamp of whole pixels a dot, by indexing: 32,768 ellipses would take 50 times as long.
    if not len(mark.centers):
        return
    scale = painter.device().devicePixelRatio()
    side = max(round(mark.diameter * scale), 1)
    corners = np.floor(mark.centers * scale - side / 2 + 0.5).astype(np.intp)
    origin = corners.min(axis=0)
    width, height = (corners.max(axis=0) - origin + side).tolist()
    pixels = np.zeros((height, width), dtype=np.uint32)
    red, green, blue = mark.colors.T.astype(np.uint32)
    inks = np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue
    x, y = (corners - origin).T
    rows, columns = _stamp(side)
    pixels[y[:, np.newaxis] + rows, x[:, np.newaxis] + columns] = inks[:, np.newaxis]
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    painter.drawImage(QPointF(*(origin / scale).tolist()), image)


@cache
def _stamp(side: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pixels of a disc."""
    middle = (side - 1) / 2
    reach = (side / 2) ** 2 + 0.25
    rows, columns = np.indices((side, side))
    return np.nonzero((rows - middle) ** 2 + (columns - middle) ** 2 <= reach)  # type: ignore[return-value]


def _paint_rings(painter: QPainter, mark: marks.Rings) -> None:
    painter.setPen(line_pen(mark.color, mark.width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for radius in mark.radii.tolist():
        painter.drawEllipse(QPointF(mark.x, mark.y), radius, radius)


def _paint_arc(painter: QPainter, mark: marks.Arc) -> None:
    pen = QPen(line_pen(mark.color, mark.width))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = QRectF(mark.x - mark.radius, mark.y - mark.radius, 2 * mark.radius, 2 * mark.radius)
    # Qt counts sixteenths of a degree, anticlockwise from 3 o'clock.
    start = 90.0 - math.degrees(mark.start)
    painter.drawArc(frame, round(start * 16), round(-math.degrees(mark.turn) * 16))


def _paint_rectangle(painter: QPainter, mark: marks.Rectangle) -> None:
    pen = QPen(line_pen(mark.outline, mark.outline_width)) if mark.outline is not None else QPen(Qt.PenStyle.NoPen)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(mark.fill if mark.fill is not None else QBrush(Qt.BrushStyle.NoBrush))
    frame = QRectF(mark.x, mark.y, mark.width, mark.height)
    if mark.radius:
        painter.drawRoundedRect(frame, mark.radius, mark.radius)
    else:
        painter.drawRect(frame)


def _paint_text(painter: QPainter, mark: marks.Text) -> None:
    painter.setFont(text_font(mark.role))
    painter.setPen(mark.color)
    left = mark.x - mark.across * text_width(mark.role, mark.text) if mark.across else mark.x
    # The middle of a line is the middle of its capitals: that is where the eye puts it.
    baseline = mark.y + capital_height(mark.role) * (1 - mark.down)
    painter.drawText(QPointF(left, baseline), mark.text)


def _paint_formula(painter: QPainter, mark: marks.FormulaText) -> None:
    draw_formula(painter, mark.x, mark.y, mark.formula, mark.pixels, mark.color, mark.across)


def _paint_badge(painter: QPainter, mark: marks.Badge) -> None:
    is_hollow = mark.ground is not None
    painter.setPen(line_pen(mark.color, 2.0) if is_hollow else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(mark.ground if mark.ground is not None else mark.color)
    radius = mark.radius - 1.0 if is_hollow else mark.radius
    half = max(badge_half_width(mark.radius, mark.label) - (mark.radius - radius), radius)
    painter.drawRoundedRect(QRectF(mark.x - half, mark.y - radius, 2 * half, 2 * radius), radius, radius)
    ink = mark.text or badge_text_color(mark.color)
    _paint_text(painter, marks.Text(mark.x, mark.y, mark.label, "badge", ink, across=0.5))


def _paint_raster(painter: QPainter, mark: marks.Raster) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    painter.drawImage(QRectF(mark.x, mark.y, mark.width, mark.height), mark.image)
    painter.restore()


_PAINTERS = {
    marks.Segments: _paint_segments,
    marks.Polyline: _paint_polyline,
    marks.Band: _paint_band,
    marks.Dots: _paint_dots,
    marks.DotCloud: _paint_dot_cloud,
    marks.Rings: _paint_rings,
    marks.Arc: _paint_arc,
    marks.Rectangle: _paint_rectangle,
    marks.Text: _paint_text,
    marks.FormulaText: _paint_formula,
    marks.Badge: _paint_badge,
    marks.Raster: _paint_raster,
}
