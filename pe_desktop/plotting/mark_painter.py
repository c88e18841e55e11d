"""Draws marks with a QPainter, on whatever device it paints."""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QPen, QPolygonF, QStaticText, QTransform

from pe_desktop.plotting import marks
from pe_desktop.plotting.fast_shapes import are_level, are_upright, column_image, row_image
from pe_desktop.plotting.formula import draw_formula
from pe_desktop.plotting.theme import badge_text_color
from pe_desktop.plotting.typefaces import ascent, badge_half_width, capital_height, text_font, text_width

# Points from which a line is drawn as thin ones on the screen, whose pixel ratio is at most this.
LONG_LINE = 32
SCREEN_RATIO = 2.5
OPAQUE = 255
# Upright and level lines of at most this width are filled as boxes: Qt draws such a line pixel by pixel.
THIN_LINE = 1.5
MANY_LINES = 64
RASTER_ENGINES = (QPaintEngine.Type.Raster,)


def paint_marks(painter: QPainter, picture: Iterable[marks.Mark]) -> None:
    """Draw the marks in their order, antialiased."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for mark in picture:
        paint: Any = _PAINTERS[type(mark)]
        paint(painter, mark)


def polygon(points: marks.Points) -> QPolygonF:
    """A Qt polygon of points, shape (n, 2), copied in one stroke instead of point by point."""
    shape = QPolygonF()
    shape.resize(len(points))
    if len(points):
        address: Any = shape.data()
        memory: Any = shiboken6.VoidPtr(address, len(points) * 16, True)  # type: ignore[call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return shape


def _is_raster(painter: QPainter) -> bool:
    return painter.paintEngine().type() in RASTER_ENGINES


def _pen(color: QColor, width: float, dash: tuple[float, ...] = ()) -> QPen:
    return _kept_pen(color.rgba(), width, dash)


@lru_cache(maxsize=512)
def _kept_pen(rgba: int, width: float, dash: tuple[float, ...]) -> QPen:
    pen = QPen(QColor.fromRgba(rgba), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        # Qt measures dashes in pen widths; a flat end keeps them as long as they are said to be.
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([length / width for length in dash])
    else:
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def _paint_segments(painter: QPainter, mark: marks.Segments) -> None:
    if not mark.dash and mark.width <= THIN_LINE and _is_raster(painter):
        rows = row_image(mark, painter.device().devicePixelRatio()) if len(mark.ends) >= MANY_LINES else None
        if rows is not None:
            painter.drawImage(*rows)
            return
        lines = mark.ends.tolist()
        if are_upright(lines) or are_level(lines):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mark.color)
            painter.drawRects([_box(*line, mark.width / 2) for line in lines])
            return
    painter.setPen(_pen(mark.color, mark.width, mark.dash))
    painter.drawLines([QLineF(*ends) for ends in mark.ends.tolist()])


def _box(x0: float, y0: float, x1: float, y1: float, reach: float) -> QRectF:
    left, right = (x0, x1) if x0 < x1 else (x1, x0)
    top, bottom = (y0, y1) if y0 < y1 else (y1, y0)
    return QRectF(left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach)


def _paint_polyline(painter: QPainter, mark: marks.Polyline) -> None:
    is_screen = _is_raster(painter) and painter.device().devicePixelRatio() <= SCREEN_RATIO
    if len(mark.points) <= LONG_LINE or not is_screen:
        painter.setPen(_pen(mark.color, mark.width, mark.dash))
        painter.drawPolyline(polygon(mark.points))
        return
    # The raster engine strokes a wide line with many bends up to a hundred times as slowly as one of width 1: four thin
    # ones, one in the middle and three around it, look like a wide one. A dashed or translucent line is drawn once.
    painter.setPen(_pen(mark.color, min(mark.width, 1.0), mark.dash))
    line = polygon(mark.points)
    painter.drawPolyline(line)
    reach = (mark.width - 1.0) / 2
    if reach <= 0 or mark.dash or mark.color.alpha() < OPAQUE:
        return
    for turn in (0.25, 0.58, 0.92):
        shift = QPointF(reach * math.cos(math.tau * turn), reach * math.sin(math.tau * turn))
        painter.translate(shift)
        painter.drawPolyline(line)
        painter.translate(-shift)


def _paint_band(painter: QPainter, mark: marks.Band) -> None:
    if len(mark.x) > 1 and np.ptp(mark.upper) == 0 == np.ptp(mark.lower):
        top, bottom = sorted((float(mark.upper[0]), float(mark.lower[0])))
        painter.fillRect(QRectF(mark.x[0], top, mark.x[-1] - mark.x[0], bottom - top), mark.fill)
        return
    columns = column_image(mark, painter.device().devicePixelRatio()) if _is_raster(painter) else None
    if columns is not None:
        painter.drawImage(*columns)
        return
    forth = np.column_stack((mark.x, mark.upper))
    back = np.column_stack((mark.x, mark.lower))[::-1]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark.fill)
    painter.drawPolygon(polygon(np.concatenate((forth, back))))


def _paint_dots(painter: QPainter, mark: marks.Dots) -> None:
    painter.setPen(_pen(mark.outline, mark.outline_width) if mark.outline is not None else Qt.PenStyle.NoPen)
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
    for row, column in _stamp(side):
        pixels[y + row, x + column] = inks
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    painter.drawImage(QPointF(*(origin / scale).tolist()), image)


def _stamp(side: int) -> list[tuple[int, int]]:
    # A disc of whole pixels.
    middle = (side - 1) / 2
    reach = (side / 2) ** 2 + 0.25
    return [(r, c) for r in range(side) for c in range(side) if (r - middle) ** 2 + (c - middle) ** 2 <= reach]


def _paint_rings(painter: QPainter, mark: marks.Rings) -> None:
    painter.setPen(_pen(mark.color, mark.width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for radius in mark.radii.tolist():
        painter.drawEllipse(QPointF(mark.x, mark.y), radius, radius)


def _paint_arc(painter: QPainter, mark: marks.Arc) -> None:
    pen = QPen(_pen(mark.color, mark.width))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = QRectF(mark.x - mark.radius, mark.y - mark.radius, 2 * mark.radius, 2 * mark.radius)
    # Qt counts sixteenths of a degree, anticlockwise from 3 o'clock.
    start = 90.0 - math.degrees(mark.start)
    painter.drawArc(frame, round(start * 16), round(-math.degrees(mark.turn) * 16))


def _paint_box(painter: QPainter, mark: marks.Box) -> None:
    pen = QPen(_pen(mark.outline, mark.outline_width)) if mark.outline is not None else QPen(Qt.PenStyle.NoPen)
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
    _draw_text(painter, left, baseline, mark.role, mark.text)


def _draw_text(painter: QPainter, left: float, baseline: float, role: str, text: str) -> None:
    if _is_raster(painter):
        painter.drawStaticText(QPointF(left, baseline - ascent(role)), _kept_text(role, text))
    else:
        painter.drawText(QPointF(left, baseline), text)


@lru_cache(maxsize=4096)
def _kept_text(role: str, text: str) -> QStaticText:
    # Setting a line of text takes three times as long as drawing it.
    kept = QStaticText(text)
    kept.setTextFormat(Qt.TextFormat.PlainText)
    kept.prepare(QTransform(), text_font(role))
    return kept


def _paint_formula(painter: QPainter, mark: marks.FormulaText) -> None:
    draw_formula(painter, mark.x, mark.y, mark.formula, mark.pixels, mark.color, mark.across)


def _paint_badge(painter: QPainter, mark: marks.Badge) -> None:
    is_hollow = mark.ground is not None
    painter.setPen(_pen(mark.color, 2.0) if is_hollow else QPen(Qt.PenStyle.NoPen))
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
    marks.Box: _paint_box,
    marks.Text: _paint_text,
    marks.FormulaText: _paint_formula,
    marks.Badge: _paint_badge,
    marks.Raster: _paint_raster,
}
