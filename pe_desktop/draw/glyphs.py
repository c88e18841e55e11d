"""Lines of text as glyphs: a number takes the positions of one of equal form, with the glyphs of its own digits."""

from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QGlyphRun, QPainter, QStaticText, QTextLayout, QTransform

from pe_desktop.draw.typefaces import ALIKE, formula_font, text_font

# A role of typefaces.ROLES, or the pixels of a formula's font and whether it is italic.
Face: TypeAlias = str | tuple[int, bool]

_FIGURES: Final = "0123456789"
# Between figures Inter sets it as the sign of products, but not in 0x.
_CONTEXTUAL: Final = "x"
_PARTS: Final = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
)


def draw_line(
    painter: QPainter, left: float, top: float, face: Face, text: str, color: QColor, pixel_ratio: float
) -> None:
    """Draw a line of text, pixel_ratio pixels of a raster to a unit, 0 on other devices."""
    painter.setPen(color)
    at = _place(left, top)
    if pixel_ratio and pixel_ratio == int(pixel_ratio):
        for run in glyphs(face, text):
            painter.drawGlyphRun(at, run)
    else:
        # Qt rounds the places of glyphs otherwise where it scales them.
        painter.setFont(_font(face))
        painter.drawStaticText(at, _static_text(face, text))


@lru_cache(maxsize=512)
def _place(left: float, top: float) -> QPointF:
    # Points are kept for numbers that change: making one takes longer than finding it.
    return QPointF(left, top)


@lru_cache(maxsize=4096)
def glyphs(face: Face, text: str) -> tuple[QGlyphRun, ...]:
    """The text in one line, from its left end and its top: shaped by Qt once for all numbers of equal form."""
    alike = text.translate(ALIKE)
    form = None if alike == text or _CONTEXTUAL in text else _form(face, alike)
    if form is None:
        return tuple(_shaped(_font(face), text))
    figures, indexes = _figures(face), form.indexes.copy()
    for place, letter in form.figures:
        indexes[place] = figures[text[letter]]
    run = QGlyphRun(form.run)
    run.setGlyphIndexes(indexes)
    return (run,)


class _Form(NamedTuple):
    """A number with zeros for all digits, its glyphs, and the letter of each."""

    run: QGlyphRun
    indexes: list[int]
    figures: list[tuple[int, int]]


@lru_cache(maxsize=1024)
def _form(face: Face, alike: str) -> _Form | None:
    """The form of a number; None where glyphs come from several fonts, or a zero has another glyph than alone."""
    runs = _shaped(_font(face), alike)
    if len(runs) != 1:
        return None
    indexes, letters, zero = runs[0].glyphIndexes(), runs[0].stringIndexes(), _figures(face)["0"]
    figures = [(place, letter) for place, letter in enumerate(letters) if alike[letter] == "0"]
    is_plain = len(figures) == alike.count("0") and all(indexes[place] == zero for place, _ in figures)
    return _Form(runs[0], indexes, figures) if is_plain else None


@cache
def _figures(face: Face) -> dict[str, int]:
    """The glyph of each figure."""
    return dict(zip(_FIGURES, _shaped(_font(face), _FIGURES)[0].glyphIndexes(), strict=True))


def _shaped(font: QFont, text: str) -> list[QGlyphRun]:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return layout.glyphRuns(-1, -1, _PARTS)


@lru_cache(maxsize=4096)
def _static_text(face: Face, text: str) -> QStaticText:
    letters = QStaticText(text)
    letters.setTextFormat(Qt.TextFormat.PlainText)
    letters.prepare(QTransform(), _font(face))
    return letters


def _font(face: Face) -> QFont:
    return text_font(face) if isinstance(face, str) else formula_font(face[0], italic=face[1])
