"""Draws some marks on pixels by shapes that Qt's raster engine is quick with; they look as mark_painter draws them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPaintEngine, QPainter, QStaticText, QTransform

from pe_desktop.plotting import marks
from pe_desktop.plotting.fast_shapes import column_image, row_image
from pe_desktop.plotting.pens import line_pen, polygon
from pe_desktop.plotting.theme import badge_text_color
from pe_desktop.plotting.typefaces import ascent, badge_half_width, capital_height, text_font, text_width

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


def _paint_segments(painter: QPainter, mark: marks.Segments, pixel_ratio: float) -> bool:
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


def _paint_polyline(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> bool:
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


def _paint_band(painter: QPainter, mark: marks.Band, pixel_ratio: float) -> bool:
    if len(mark.x) > 1 and np.ptp(mark.upper) == 0 == np.ptp(mark.lower):
        top, bottom = sorted((float(mark.upper[0]), float(mark.lower[0])))
        painter.fillRect(QRectF(mark.x[0], top, mark.x[-1] - mark.x[0], bottom - top), mark.fill)
        return True
    columns = column_image(mark, pixel_ratio)
    if columns is None:
        return False
    painter.drawImage(*columns)
    return True


def _paint_box(painter: QPainter, mark: marks.Box, _pixel_ratio: float) -> bool:
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


def _paint_text(painter: QPainter, mark: marks.Text, _pixel_ratio: float) -> bool:
    painter.setFont(text_font(mark.role))
    painter.setPen(mark.color)
    left = mark.x - mark.across * text_width(mark.role, mark.text) if mark.across else mark.x
    _write(painter, left, mark.y + capital_height(mark.role) * (1 - mark.down), mark.role, mark.text)
    return True


def _paint_badge(painter: QPainter, mark: marks.Badge, _pixel_ratio: float) -> bool:
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
    marks.Segments: _paint_segments,
    marks.Polyline: _paint_polyline,
    marks.Band: _paint_band,
    marks.Box: _paint_box,
    marks.Text: _paint_text,
    marks.Badge: _paint_badge,
}
