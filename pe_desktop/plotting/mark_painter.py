"""Draws marks with a QPainter, on whatever device it paints."""

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen

from pe_desktop.plotting import marks
from pe_desktop.plotting.formula import draw_formula
from pe_desktop.plotting.pens import line_pen, polygon
from pe_desktop.plotting.quick_painter import QUICK_PAINTERS, pixels_per_unit
from pe_desktop.plotting.theme import badge_text_color
from pe_desktop.plotting.typefaces import badge_half_width, capital_height, text_font, text_width


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


def _paint_box(painter: QPainter, mark: marks.Box) -> None:
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
    marks.Box: _paint_box,
    marks.Text: _paint_text,
    marks.FormulaText: _paint_formula,
    marks.Badge: _paint_badge,
    marks.Raster: _paint_raster,
}
