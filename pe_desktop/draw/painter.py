"""Draws marks with a QPainter: plainly, alike on every device, or quickly, by shapes that Qt draws fast on pixels."""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPaintEngine, QPainter, QPainterPath, QPen, QStaticText

from pe_desktop.caches import told_cache
from pe_desktop.draw import marks
from pe_desktop.draw.lines import NO_BRUSH, NO_PEN, line_pen, paint_band, paint_discs, paint_polyline, paint_segments
from pe_desktop.draw.theme import badge_text_color, inks
from pe_desktop.draw.typefaces import CODE, FORMULA_MIDDLE, Face, badge_half_width, face_font, formula_runs, text_width
from pe_desktop.languages import told
from pe_desktop.resources import resource_json


def paint_marks(
    painter: QPainter, picture: Iterable[marks.Mark], *, pixel_ratio: float = 0.0, keeps_text: bool = False
) -> None:
    """Draw the marks in their order, antialiased; on pixels by the shapes that Qt draws fastest there.

    pixel_ratio: pixels to a unit of a raster that is neither moved, scaled nor turned.

    Where it is 0, by plain shapes, letters as outlines, or as text where it is to be kept, as in every PDF. The same
    marks then give the same bytes, whatever was drawn before.
    """
    painter.setRenderHint(_ANTIALIASING)
    write = _write_letters if pixel_ratio else _writer(painter, keeps_text=keeps_text)
    for mark in picture:
        _PAINTERS[type(mark)](painter, mark, write if isinstance(mark, _LETTERED) else pixel_ratio)


_ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
# A part of a line: its left end from that of the line, how far it stands above the baseline, typeface and text.
_Part: TypeAlias = tuple[float, float, Face, str]
# Writes a line from the start of its baseline: its parts, colour, and the share of it that lies before the
# mark's point, which stays there in letters of another width.
_Write: TypeAlias = Callable[[QPainter, tuple[float, float], Sequence[_Part], QColor, float], None]


def _writer(painter: QPainter, *, keeps_text: bool) -> _Write:
    device = painter.paintEngine().type()
    if not keeps_text and device != QPaintEngine.Type.Pdf:
        return _write_outlines
    return _write_svg if device == QPaintEngine.Type.SVG else _write_text


def _paint_dot_cloud(painter: QPainter, mark: marks.DotCloud, _pixel_ratio: float) -> None:
    # One stamp of whole pixels a dot, by indexing: 32,768 ellipses would take 50 times as long.
    if not len(mark.centers):
        return
    scale = painter.device().devicePixelRatio()
    side = max(round(mark.diameter * scale), 1)
    # In two rows: the least number of a column takes NumPy twenty times as long.
    x, y = np.floor(mark.centers.T * scale - side / 2 + 0.5).astype(np.intp, order="C")
    left = x.min().item()
    top = y.min().item()
    width = x.max().item() - left + side
    height = y.max().item() - top + side
    pixels = np.zeros(height * width, dtype=np.uint32)
    rows, columns = _stamp(side)
    # One number for each pixel is found in half the time of two, and in one row again.
    first = (y - top) * width + (x - left)
    pixels[(first[:, None] + (rows * width + columns)).ravel()] = inks(mark.colors).repeat(len(rows))
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    painter.drawImage(QPointF(left / scale, top / scale), image)


@cache
def _stamp(side: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pixels of a disc."""
    middle = (side - 1) / 2
    reach = (side / 2) ** 2 + 0.25
    rows, columns = np.indices((side, side))
    return np.nonzero((rows - middle) ** 2 + (columns - middle) ** 2 <= reach)  # type: ignore[return-value]


def _paint_arc(painter: QPainter, mark: marks.Arc, _pixel_ratio: float) -> None:
    painter.setPen(line_pen(mark.color.rgba(), mark.width, cap="flat"))
    frame = QRectF(mark.x - mark.radius, mark.y - mark.radius, 2 * mark.radius, 2 * mark.radius)
    # Qt counts sixteenths of a degree, anticlockwise from 3 o'clock.
    start = 90.0 - math.degrees(mark.start)
    painter.drawArc(frame, round(start * 16), round(-math.degrees(mark.turn) * 16))


def _paint_rectangle(painter: QPainter, mark: marks.Rectangle, _pixel_ratio: float) -> None:
    painter.setPen(_frame_pen(mark.outline.rgba(), mark.outline_width) if mark.outline is not None else NO_PEN)
    painter.setBrush(mark.fill if mark.fill is not None else NO_BRUSH)
    frame = QRectF(mark.x, mark.y, mark.width, mark.height)
    if mark.radius:
        painter.drawRoundedRect(frame, mark.radius, mark.radius)
    else:
        painter.drawRect(frame)


@lru_cache(maxsize=64)
def _frame_pen(rgba: int, width: float) -> QPen:
    pen = QPen(line_pen(rgba, width))
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _paint_text(painter: QPainter, mark: marks.Text, write: _Write) -> None:
    left = mark.x - mark.across * text_width(mark.role, mark.text) if mark.across else mark.x
    # The middle of a line is the middle of its capitals, where it looks centred.
    baseline = mark.y + _heights(mark.role)[0] / 2
    words = mark.text if mark.role == CODE else told(mark.text)
    if mark.turned:
        painter.save()
        painter.translate(mark.x, mark.y)
        painter.rotate(mark.turned)
        left, baseline = left - mark.x, baseline - mark.y
    write(painter, (left, baseline), ((0.0, 0.0, mark.role, words),), mark.color, mark.across)
    if mark.turned:
        painter.restore()


@told_cache()
def _heights(face: Face) -> tuple[float, float]:
    """How tall a capital letter is, and how far the top of a line lies above its baseline."""
    metrics = QFontMetricsF(face_font(face))
    return metrics.capHeight(), metrics.ascent()


def _paint_formula(painter: QPainter, mark: marks.FormulaText, write: _Write) -> None:
    runs, width = formula_runs(mark.formula, mark.pixels)
    left = mark.x - mark.across * width
    baseline = mark.y + FORMULA_MIDDLE * mark.pixels
    parts = [(run.x, run.rise, (run.pixels, run.is_italic), run.text) for run in runs]
    write(painter, (left, baseline), parts, mark.color, mark.across)


def _paint_badge(painter: QPainter, mark: marks.Badge, write: _Write) -> None:
    radius = mark.radius if mark.ground is None else mark.radius - 1.0
    half = badge_half_width(mark.radius, mark.label) - (mark.radius - radius)
    painter.setPen(NO_PEN if mark.ground is None else line_pen(mark.color.rgba(), 2.0))
    painter.setBrush(mark.color if mark.ground is None else mark.ground)
    if half > radius:
        painter.drawRoundedRect(QRectF(mark.x - half, mark.y - radius, 2 * half, 2 * radius), radius, radius)
    else:
        painter.drawEllipse(QPointF(mark.x, mark.y), radius, radius)
    start = mark.x - text_width("badge", mark.label) / 2, mark.y + _heights("badge")[0] / 2
    write(painter, start, ((0.0, 0.0, "badge", mark.label),), mark.text or badge_text_color(mark.color), 0.5)


def _write_letters(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, _across: float
) -> None:
    """Write a line on a screen, hinted to its pixels."""
    painter.setPen(color)
    for x, rise, face, text in parts:
        painter.setFont(face_font(face))
        place = QPointF(start[0] + x, start[1] + (-rise - _heights(face)[1]))
        painter.drawStaticText(place, _static_text(face, text))


# Qt keeps the glyphs of a text with it, as long as its font stays the same.
@told_cache(4096)
def _static_text(_face: Face, text: str) -> QStaticText:
    letters = QStaticText(text)
    letters.setTextFormat(Qt.TextFormat.PlainText)
    return letters


_OUTLINE_PIXELS: Final = 1000


def _write_outlines(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, _across: float
) -> None:
    """Fill the outlines of a line, which are right in every program, whichever typefaces it has."""
    for x, rise, face, text in parts:
        # FreeType's outlines of small letters change by a few hundredths of a pixel with what was drawn before.
        large = _unhinted(face)
        scale = large.pixelSize() / _OUTLINE_PIXELS
        large.setPixelSize(_OUTLINE_PIXELS)
        path = QPainterPath()
        # Strokes of a letter may overlap: where they do, they are no holes.
        path.setFillRule(Qt.FillRule.WindingFill)
        path.addText(QPointF(), large, text)
        painter.fillPath(QtGui.QTransform(scale, 0.0, 0.0, scale, start[0] + x, start[1] - rise).map(path), color)


def _write_text(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, across: float
) -> None:
    """Write a line as text, which can be searched and copied.

    Figures of equal width, and signs raised beside them, are glyphs that Qt's PDF can't name: narrower, plain ones take
    their places.
    """
    painter.setPen(color)
    for x, rise, face, text in parts:
        unhinted = _unhinted(face)
        plain = QFont(unhinted)
        plain.unsetFeature(QFont.Tag("tnum"))
        plain.setFeature(QFont.Tag("calt"), 0)
        room = QFontMetricsF(unhinted).horizontalAdvance(text) - QFontMetricsF(plain).horizontalAdvance(text)
        painter.setFont(plain)
        painter.drawText(QPointF(start[0] + x + across * room, start[1] - rise), text)


def _write_svg(
    painter: QPainter, start: tuple[float, float], parts: Sequence[_Part], color: QColor, across: float
) -> None:
    """Write a line as text that can be edited, packed for `with_lines`."""
    if not parts:
        return
    x, _, face, text = parts[-1]
    # 0 at its start, 1 in its middle, 2 at its end.
    anchor = round(2 * across)
    place = start[0] + anchor / 2 * (x + QFontMetricsF(_unhinted(face)).horizontalAdvance(text))
    fonts = [face_font(face) for _, _, face, _ in parts]
    pieces = [
        _Piece(text, font.italic(), font.pixelSize(), rise)
        for font, (_, rise, _, text) in zip(fonts, parts, strict=True)
    ]
    painter.setFont(fonts[0])
    painter.setPen(color)
    painter.drawText(QPointF(place, start[1]), _PACKED + json.dumps([anchor, *pieces]).encode().hex())


# Qt's generator breaks a line of an .svg where the script of its letters changes and gives each part a place of its
# own, where letters of another width overlap. So lines are packed, and each becomes one <text> whose parts follow each
# other, which hold together and stand at their anchor in any typeface.

# What stands in for the bundled typefaces where they are not installed: first the widths of which differ least, then
# those that a system calls its own; the same for that of Chinese signs, which Qt names last.
_FAMILIES, _SIGNS = (resource_json("tokens.json")[name] for name in ("stand_ins", "sign_stand_ins"))
_FAMILY: Final = rb'font-family="([^"]*)"'
# One script throughout, and no text of a figure.
_PACKED: Final = "packedline"
_LINE: Final = rb'font-size="\d+" (font-weight="\d+") font-style="[a-z]+"\s*>' + _PACKED.encode() + rb"([0-9a-f]+)<"
_ANCHORS: Final = ("start", "middle", "end")


class _Piece(NamedTuple):
    """Letters of one style, rise above the baseline of their line."""

    text: str
    is_italic: bool
    pixels: int
    rise: float = 0.0


def with_lines(drawing: bytes) -> bytes:
    """A drawing of Qt's generator with its lines unpacked and its typefaces named with what may stand in for them."""
    return re.sub(_LINE, _unpacked, re.sub(_FAMILY, _with_stand_ins, drawing))


def _with_stand_ins(found: re.Match[bytes]) -> bytes:
    family = found[1].decode()
    signs = next((signs for signs in _SIGNS if family.endswith(signs)), "")
    first, generic = _FAMILIES[family.removesuffix(signs)].rsplit(", ", 1)
    return f'font-family="{first}{_SIGNS.get(signs, "")}, {generic}"'.encode()


def _unpacked(found: re.Match[bytes]) -> bytes:
    anchor, *listed = json.loads(bytes.fromhex(found[2].decode()))
    pieces = [_Piece(*piece) for piece in listed]
    first = pieces[0]
    parts = []
    rise = 0.0
    for (is_italic, pixels, above), alike in groupby(pieces, key=lambda piece: piece[1:]):
        # Not by the module html, which loads the names of all its characters.
        text = "".join(piece.text for piece in alike).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        style = ""
        if is_italic != first.is_italic:
            style += f' font-style="{_style(is_italic)}"'
        if pixels != first.pixels:
            style += f' font-size="{pixels}"'
        if above != rise:
            style += f' dy="{rise - above:.4g}"'
        parts.append(f"<tspan{style}>{text}</tspan>" if style else text)
        rise = above
    style = f'font-size="{first.pixels}" {found[1].decode()} font-style="{_style(first.is_italic)}"'
    return f'{style} text-anchor="{_ANCHORS[anchor]}">{"".join(parts)}<'.encode()


def _style(is_italic: bool) -> str:
    return "italic" if is_italic else "normal"


def _unhinted(face: Face) -> QFont:
    # Hinting moves outlines to the pixels of a screen.
    unhinted = QFont(face_font(face))
    unhinted.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return unhinted


def _paint_raster(painter: QPainter, mark: marks.Raster, _pixel_ratio: float) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    painter.drawImage(QRectF(mark.x, mark.y, mark.width, mark.height), mark.image)
    painter.restore()


_LETTERED: Final = (marks.Text, marks.FormulaText, marks.Badge)
# The functions that draw each mark; what they get of the device is how letters are written, or pixels to a unit.
_PAINTERS: Final[dict[type, Any]] = {
    marks.Segments: paint_segments,
    marks.Polyline: paint_polyline,
    marks.Band: paint_band,
    marks.Dots: paint_discs,
    marks.DotCloud: _paint_dot_cloud,
    marks.Arc: _paint_arc,
    marks.Rectangle: _paint_rectangle,
    marks.Raster: _paint_raster,
    marks.Text: _paint_text,
    marks.FormulaText: _paint_formula,
    marks.Badge: _paint_badge,
}
