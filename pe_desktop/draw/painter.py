"""Draws marks with a QPainter: plainly, alike on every device, or quickly, by shapes that Qt draws fast on pixels."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QTransform,
)

from pe_desktop.draw import marks
from pe_desktop.draw.coverage import Placed, column_image, row_image
from pe_desktop.draw.glyphs import draw_line
from pe_desktop.draw.layers import drawn_layer, shift_of
from pe_desktop.draw.lines import line_pen, paint_polyline, polygon, quick_polyline
from pe_desktop.draw.svg_text import Piece, packed_line
from pe_desktop.draw.theme import badge_text_color
from pe_desktop.draw.typefaces import (
    FORMULA_MIDDLE,
    ascent,
    badge_half_width,
    capital_height,
    formula_ascent,
    formula_font,
    formula_runs,
    text_font,
    text_width,
)
from pe_desktop.draw.wave_rows import quick_waves


def paint_marks(
    painter: QPainter,
    picture: Iterable[marks.Mark],
    *,
    is_quick: bool = True,
    keeps_text: bool = False,
    pixel_ratio: float | None = None,
) -> None:
    """Draw the marks in their order, antialiased; on pixels by the shapes that Qt draws fastest there.

    pixel_ratio: pixels to a unit of a raster that is neither scaled nor turned; None to find out what the painter has.

    Not is_quick: by plain shapes, letters as outlines, or as text where it is to be kept, as in every PDF. The same
    marks then give the same bytes, whatever was drawn before.
    """
    painter.setRenderHint(_ANTIALIASING)
    if pixel_ratio is None:
        pixel_ratio = _pixels_per_unit(painter) if is_quick else 0.0
    write = _write_outlines if is_quick else _writer(painter, keeps_text=keeps_text)
    for mark in picture:
        paint, quick = _PAINTERS[type(mark)]
        if is_quick and quick is not None and quick(painter, mark, pixel_ratio):
            continue
        if isinstance(mark, _LETTERED):
            paint(painter, mark, write)
        else:
            paint(painter, mark)


def _pixels_per_unit(painter: QPainter) -> float:
    """Pixels to a unit where marks may be drawn by other shapes; 0 on other devices and where they are turned."""
    # Qt calls every transformation but a move "scaling".
    if painter.worldTransform().isScaling() or painter.paintEngine().type() != _RASTER:
        return 0.0
    return painter.device().devicePixelRatio()


_RASTER: Final = QPaintEngine.Type.Raster
_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
# PySide converts a member of an enumeration by a function of Python, so these are made once.
_NO_PEN: Final = QPen(Qt.PenStyle.NoPen)
_NO_BRUSH: Final = QBrush(Qt.BrushStyle.NoBrush)

# A part of a line: its left end from that of the line, how far it stands above the baseline, font and text.
_Part: TypeAlias = tuple[float, float, QFont, str]
# Writes a line of a file from the start of its baseline: its parts, colour, and the share of it that lies before the
# mark's point, which stays there in letters of another width.
_Write: TypeAlias = Callable[[QPainter, tuple[float, float], Sequence[_Part], QColor, float], None]


def _writer(painter: QPainter, *, keeps_text: bool) -> _Write:
    device = painter.paintEngine().type()
    if not keeps_text and device != QPaintEngine.Type.Pdf:
        return _write_outlines
    return _write_svg if device == QPaintEngine.Type.SVG else _write_text


# Segments: upright and level ones of at most this width are filled as boxes: Qt draws such a line pixel by pixel.
_THIN_LINE: Final = 1.5
_MANY_LINES: Final = 64


@lru_cache(maxsize=4)
def _kept_segments(mark: marks.Segments, pixel_ratio: float, shift: tuple[float, float]) -> Placed | None:
    ends = mark.ends.reshape(-1, 2)
    return drawn_layer(ends, mark.width, pixel_ratio, shift, lambda painter: _paint_segments(painter, mark))


def _paint_segments(painter: QPainter, mark: marks.Segments) -> None:
    painter.setPen(line_pen(mark.color, mark.width, mark.dash))
    _draw_lines(painter, mark.ends.tolist())


def _draw_lines(painter: QPainter, lines: list[list[float]]) -> None:
    if len(lines) == 1:
        painter.drawLine(QLineF(*lines[0]))
    else:
        painter.drawLines([QLineF(*line) for line in lines])


def _quick_segments(painter: QPainter, mark: marks.Segments, pixel_ratio: float) -> bool:
    if not pixel_ratio:
        return False
    if mark.stays:
        placed = _kept_segments(mark, pixel_ratio, shift_of(painter))
        if placed is not None:
            painter.drawImage(*placed)
        return placed is not None
    if mark.dash or mark.width > _THIN_LINE:
        return False
    rows = row_image(mark, pixel_ratio) if len(mark.ends) >= _MANY_LINES else None
    if rows is not None:
        painter.drawImage(*rows)
        return True
    lines: list[list[float]] = mark.ends.tolist()
    if _is_slanted(lines):
        # Thin ends look alike; Qt makes an outline of each line with round ones, three times as slowly.
        painter.setPen(line_pen(mark.color, mark.width, cap="square"))
        _draw_lines(painter, lines)
        return True
    painter.setPen(_NO_PEN)
    painter.setBrush(mark.color)
    painter.drawRects([_box(line, mark.width / 2) for line in lines])
    return True


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


def _paint_band(painter: QPainter, mark: marks.Band) -> None:
    forth = np.column_stack((mark.x, mark.upper))
    back = np.column_stack((mark.x, mark.lower))[::-1]
    painter.setPen(_NO_PEN)
    painter.setBrush(mark.fill)
    painter.drawPolygon(polygon(np.concatenate((forth, back))))


def _quick_band(painter: QPainter, mark: marks.Band, pixel_ratio: float) -> bool:
    if pixel_ratio and len(mark.x) > 1 and np.ptp(mark.upper) == 0 == np.ptp(mark.lower):
        top, bottom = sorted((float(mark.upper[0]), float(mark.lower[0])))
        painter.fillRect(QRectF(mark.x[0], top, mark.x[-1] - mark.x[0], bottom - top), mark.fill)
        return True
    columns = column_image(mark, pixel_ratio) if pixel_ratio else None
    if columns is None:
        return False
    painter.drawImage(*columns)
    return True


def _paint_waves(painter: QPainter, mark: marks.Waves) -> None:
    paint_marks(painter, mark.shapes(), is_quick=False)


def _paint_dots(painter: QPainter, mark: marks.Dots) -> None:
    painter.setPen(line_pen(mark.outline, mark.outline_width) if mark.outline is not None else _NO_PEN)
    painter.setBrush(mark.fill)
    for x, y in mark.centers.tolist():
        painter.drawEllipse(QPointF(x, y), mark.radius, mark.radius)


_MANY_DOTS: Final = 64


def _quick_dots(painter: QPainter, mark: marks.Dots, pixel_ratio: float) -> bool:
    """Draw few dots by kept shapes, many on a layer that is kept for the next time."""
    if not pixel_ratio:
        return False
    if mark.outline is not None or len(mark.centers) < _MANY_DOTS:
        for x, y in mark.centers.tolist():
            _fill_disc(painter, x, y, mark.radius, mark.fill, mark.outline, mark.outline_width, pixel_ratio)
        return True
    placed = _kept_dots(mark.centers.tobytes(), mark.radius, mark.fill.rgba(), pixel_ratio, shift_of(painter))
    if placed is not None:
        painter.drawImage(*placed)
    return placed is not None


def _fill_disc(
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
    return drawn_layer(mark.centers, radius, pixel_ratio, shift, lambda painter: _paint_dots(painter, mark))


def _paint_dot_cloud(painter: QPainter, mark: marks.DotCloud) -> None:
    # One stamp of whole pixels a dot, by indexing: 32,768 ellipses would take 50 times as long.
    if not len(mark.centers):
        return
    scale = painter.device().devicePixelRatio()
    side = max(round(mark.diameter * scale), 1)
    corners = np.floor(mark.centers * scale - side / 2 + 0.5).astype(np.intp)
    origin = corners.min(axis=0)
    width, height = (corners.max(axis=0) - origin + side).tolist()
    pixels = np.zeros(height * width, dtype=np.uint32)
    red, green, blue = mark.colors.T.astype(np.uint32)
    inks = np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue
    rows, columns = _stamp(side)
    # One number for each pixel is found in half the time of two.
    first = (corners - origin) @ np.array((1, width))
    pixels[first[:, np.newaxis] + (rows * width + columns)] = inks[:, np.newaxis]
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
    painter.setBrush(_NO_BRUSH)
    for radius in mark.radii.tolist():
        painter.drawEllipse(QPointF(mark.x, mark.y), radius, radius)


def _paint_arc(painter: QPainter, mark: marks.Arc) -> None:
    painter.setPen(line_pen(mark.color, mark.width, cap="flat"))
    frame = QRectF(mark.x - mark.radius, mark.y - mark.radius, 2 * mark.radius, 2 * mark.radius)
    # Qt counts sixteenths of a degree, anticlockwise from 3 o'clock.
    start = 90.0 - math.degrees(mark.start)
    painter.drawArc(frame, round(start * 16), round(-math.degrees(mark.turn) * 16))


def _paint_rectangle(painter: QPainter, mark: marks.Rectangle) -> None:
    painter.setPen(_frame_pen(mark.outline.rgba(), mark.outline_width) if mark.outline is not None else _NO_PEN)
    painter.setBrush(mark.fill if mark.fill is not None else _NO_BRUSH)
    frame = QRectF(mark.x, mark.y, mark.width, mark.height)
    if mark.radius:
        painter.drawRoundedRect(frame, mark.radius, mark.radius)
    else:
        painter.drawRect(frame)


@lru_cache(maxsize=64)
def _frame_pen(rgba: int, width: float) -> QPen:
    pen = QPen(line_pen(QColor.fromRgba(rgba), width))
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _quick_rectangle(painter: QPainter, mark: marks.Rectangle, pixel_ratio: float) -> bool:
    if not pixel_ratio or mark.radius or (mark.fill is None) == (mark.outline is None):
        return False
    if mark.outline is None:
        painter.fillRect(QRectF(mark.x, mark.y, mark.width, mark.height), mark.fill)
        return True
    half = mark.outline_width / 2
    left, top, right, bottom = mark.x - half, mark.y - half, mark.x + mark.width + half, mark.y + mark.height + half
    wide = mark.outline_width
    painter.setPen(_NO_PEN)
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


def _paint_text(painter: QPainter, mark: marks.Text, write: _Write) -> None:
    left = mark.x - mark.across * text_width(mark.role, mark.text) if mark.across else mark.x
    # The middle of a line is the middle of its capitals, where it looks centred.
    baseline = mark.y + capital_height(mark.role) * (1 - mark.down)
    write(painter, (left, baseline), ((0.0, 0.0, text_font(mark.role), mark.text),), mark.color, mark.across)


def _quick_text(painter: QPainter, mark: marks.Text, pixel_ratio: float) -> bool:
    left = mark.x - mark.across * text_width(mark.role, mark.text) if mark.across else mark.x
    top = mark.y + capital_height(mark.role) * (1 - mark.down) - ascent(mark.role)
    draw_line(painter, left, top, mark.role, mark.text, mark.color, pixel_ratio)
    return True


def _paint_formula(painter: QPainter, mark: marks.FormulaText, write: _Write) -> None:
    runs, width = formula_runs(mark.formula, mark.pixels)
    left, baseline = mark.x - mark.across * width, mark.y + FORMULA_MIDDLE * mark.pixels
    parts = [(run.x, run.rise, formula_font(run.pixels, italic=run.is_italic), run.text) for run in runs]
    write(painter, (left, baseline), parts, mark.color, mark.across)


def _quick_formula(painter: QPainter, mark: marks.FormulaText, pixel_ratio: float) -> bool:
    runs, width = formula_runs(mark.formula, mark.pixels)
    left, baseline = mark.x - mark.across * width, mark.y + FORMULA_MIDDLE * mark.pixels
    for run in runs:
        top = baseline + (-run.rise - formula_ascent(run.pixels, italic=run.is_italic))
        face = run.pixels, run.is_italic
        draw_line(painter, left + run.x, top, face, run.text, mark.color, pixel_ratio)
    return True


def _paint_badge(painter: QPainter, mark: marks.Badge, write: _Write) -> None:
    start = _draw_disc(painter, mark, 0.0)
    label = ((0.0, 0.0, text_font("badge"), mark.label),)
    write(painter, start, label, mark.text or badge_text_color(mark.color), 0.5)


def _quick_badge(painter: QPainter, mark: marks.Badge, pixel_ratio: float) -> bool:
    left, baseline = _draw_disc(painter, mark, pixel_ratio)
    ink = mark.text or badge_text_color(mark.color)
    draw_line(painter, left, baseline - ascent("badge"), "badge", mark.label, ink, pixel_ratio)
    return True


def _draw_disc(painter: QPainter, mark: marks.Badge, pixel_ratio: float) -> tuple[float, float]:
    """Draw the disc or pill of a badge, and give the left end of its label's baseline."""
    radius = mark.radius if mark.ground is None else mark.radius - 1.0
    half = badge_half_width(mark.radius, mark.label) - (mark.radius - radius)
    fill, outline = (mark.color, None) if mark.ground is None else (mark.ground, mark.color)
    if pixel_ratio and half <= radius:
        _fill_disc(painter, mark.x, mark.y, radius, fill, outline, 2.0, pixel_ratio)
    else:
        painter.setPen(_NO_PEN if outline is None else line_pen(outline, 2.0))
        painter.setBrush(fill)
        if half > radius:
            painter.drawRoundedRect(QRectF(mark.x - half, mark.y - radius, 2 * half, 2 * radius), radius, radius)
        else:
            painter.drawEllipse(QPointF(mark.x, mark.y), radius, radius)
    return mark.x - text_width("badge", mark.label) / 2, mark.y + capital_height("badge") / 2


_OUTLINE_PIXELS: Final = 1000
_TABULAR: Final = QFont.Tag("tnum")
_BESIDE_FIGURES: Final = QFont.Tag("calt")


def _write_outlines(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, _across: float
) -> None:
    """Fill the outlines of a line, which are right in every program, whichever typefaces it has."""
    for x, rise, font, text in parts:
        # FreeType's outlines of small letters change by a few hundredths of a pixel with what was drawn before.
        scale = font.pixelSize() / _OUTLINE_PIXELS
        large = _unhinted(font)
        large.setPixelSize(_OUTLINE_PIXELS)
        path = QPainterPath()
        # Strokes of a letter may overlap: where they do, they are no holes.
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addText(QPointF(), large, text)
        painter.fillPath(QTransform(scale, 0.0, 0.0, scale, start[0] + x, start[1] - rise).map(path), color)


def _write_text(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, across: float
) -> None:
    """Write a line as text, which can be searched and copied.

    Figures of equal width, and signs raised beside them, are glyphs that Qt's PDF can't name: narrower, plain ones take
    their places.
    """
    painter.setPen(color)
    for x, rise, font, text in parts:
        unhinted = _unhinted(font)
        plain = QFont(unhinted)
        plain.unsetFeature(_TABULAR)
        plain.setFeature(_BESIDE_FIGURES, 0)
        room = QFontMetricsF(unhinted).horizontalAdvance(text) - QFontMetricsF(plain).horizontalAdvance(text)
        painter.setFont(plain)
        painter.drawText(QPointF(start[0] + x + across * room, start[1] - rise), text)


def _write_svg(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, across: float
) -> None:
    """Write a line as text that can be edited, packed for `svg_text.with_lines`."""
    if not parts:
        return
    x, _, font, text = parts[-1]
    anchor = round(2 * across)
    place = start[0] + anchor / 2 * (x + QFontMetricsF(_unhinted(font)).horizontalAdvance(text))
    pieces = [Piece(text, font.italic(), font.pixelSize(), rise) for _, rise, font, text in parts]
    painter.setFont(parts[0][2])
    painter.setPen(color)
    painter.drawText(QPointF(place, start[1]), packed_line(pieces, anchor))


def _unhinted(font: QFont) -> QFont:
    # Hinting moves outlines to the pixels of a screen.
    unhinted = QFont(font)
    unhinted.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return unhinted


def _paint_raster(painter: QPainter, mark: marks.Raster) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    painter.drawImage(QRectF(mark.x, mark.y, mark.width, mark.height), mark.image)
    painter.restore()


_LETTERED: Final = (marks.Text, marks.FormulaText, marks.Badge)
# The functions that draw each mark: the plain one, and a quick one, which returns False where it can't.
_PAINTERS: Final[dict[type, tuple[Any, Any]]] = {
    marks.Segments: (_paint_segments, _quick_segments),
    marks.Polyline: (paint_polyline, quick_polyline),
    marks.Band: (_paint_band, _quick_band),
    marks.Waves: (_paint_waves, quick_waves),
    marks.Dots: (_paint_dots, _quick_dots),
    marks.DotCloud: (_paint_dot_cloud, None),
    marks.Rings: (_paint_rings, None),
    marks.Arc: (_paint_arc, None),
    marks.Rectangle: (_paint_rectangle, _quick_rectangle),
    marks.Text: (_paint_text, _quick_text),
    marks.FormulaText: (_paint_formula, _quick_formula),
    marks.Badge: (_paint_badge, _quick_badge),
    marks.Raster: (_paint_raster, None),
}
