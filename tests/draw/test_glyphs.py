"""Numbers that take the places of others have the glyphs that Qt gives them."""

import random

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QStaticText, QTextLayout

from pe_desktop.draw.glyphs import Face, draw_line, glyphs
from pe_desktop.draw.typefaces import ROLES, formula_font, text_font

FACES: list[Face] = [*ROLES, *((pixels, False) for pixels in range(9, 22))]


def _font(face: Face) -> QFont:
    return text_font(face) if isinstance(face, str) else formula_font(face[0], italic=face[1])


def _lines(seed: int) -> list[str]:
    some = random.Random(seed)
    return [
        f"−0.{some.randrange(10000):04d}",
        f"{some.randrange(10**7):,}".replace(",", "\u2009"),
        f"= {some.randrange(10**6)}",
        f"{9 * some.random():.1f}×10⁻¹²",
        f"{360 * some.random():.1f}°",
        f"{some.randrange(100)}, {some.randrange(100)} → {some.random():.3f}",
        f"{some.randrange(99)}:{some.randrange(99)}-{some.randrange(99)}/{some.randrange(9)} (8x64, 0x64)",
    ]


@pytest.mark.parametrize("face", FACES, ids=str)
def test_numbers_have_the_glyphs_and_places_that_qt_gives_them(qapp: object, face: Face) -> None:
    for seed in range(40):
        for line in _lines(seed):
            layout = QTextLayout(line, _font(face))
            layout.beginLayout()
            layout.createLine()
            layout.endLayout()
            ours = [(run.glyphIndexes(), run.positions()) for run in glyphs(face, line)]
            assert ours == [(run.glyphIndexes(), run.positions()) for run in layout.glyphRuns()], line


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_a_line_has_the_pixels_of_a_static_text(qapp: object, ratio: float) -> None:
    places = random.Random(5)
    for face in FACES:
        for line in _lines(7):
            letters = QStaticText(line)
            letters.setTextFormat(Qt.TextFormat.PlainText)
            x, y = places.uniform(0, 20), places.uniform(0, 8)
            images = [QImage(300, 60, QImage.Format.Format_ARGB32_Premultiplied) for _ in range(2)]
            for image, is_ours in zip(images, (True, False), strict=True):
                image.setDevicePixelRatio(ratio)
                image.fill(Qt.GlobalColor.white)
                with QPainter(image) as painter:
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    if is_ours:
                        draw_line(painter, x, y, face, line, QColor(10, 20, 30), ratio)
                    else:
                        painter.setFont(_font(face))
                        painter.setPen(QColor(10, 20, 30))
                        painter.drawStaticText(QPointF(x, y), letters)
            assert images[0] == images[1], (face, line)
