"""The bundled typefaces are really used, and figures are of equal width."""

import pytest
from PySide6.QtGui import QFontInfo, QFontMetricsF, QRawFont

from pe_desktop.draw.number_text import whole
from pe_desktop.draw.typefaces import (
    CODE,
    ROLES,
    _formula_font,
    _part_width,
    text_font,
    text_width,
    wrapped,
)

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("role", ROLES)
def test_every_figure_is_as_wide_as_every_other(role):
    metrics = QFontMetricsF(text_font(role))
    widths = {metrics.horizontalAdvance(figure * 3) for figure in "0123456789"}
    assert max(widths) - min(widths) < 1e-6
    assert max(widths) > 3 * 5.0


@pytest.mark.parametrize("text", ["t + k = 1\u2009309 ›", "\u22120.714", "359.6°", "ω_7 6k1 Tr4V9A", "1e-16"])
def test_a_text_with_figures_is_as_wide_as_the_typeface_sets_it(text):
    for role in ROLES:
        assert text_width(role, text) == QFontMetricsF(text_font(role)).horizontalAdvance(text)
    for pixels in (9, 12, 15, 20):
        metrics = QFontMetricsF(_formula_font(pixels, italic=False))
        assert _part_width(pixels, text, italic=False) == metrics.horizontalAdvance(text)


@pytest.mark.parametrize("role", ROLES)
def test_text_is_set_in_the_bundled_typeface_at_the_size_of_its_role(role):
    info = QFontInfo(text_font(role))
    pixels, weight = ROLES[role]
    family = "JetBrains Mono" if role == CODE else "Inter"
    assert (info.family(), info.pixelSize(), info.weight()) == (family, pixels, weight)
    assert pixels >= 11


@pytest.mark.parametrize("is_italic", [True, False])
def test_formulas_are_set_in_the_bundled_serif(is_italic):
    info = QFontInfo(_formula_font(15, italic=is_italic))
    assert (info.family(), info.pixelSize(), info.italic()) == ("STIX Two Text", 15, is_italic)


def test_the_typefaces_have_every_sign_that_is_written():
    for font, signs in (
        (text_font("label"), "0123456789+\u2212.,×∞°‹›=⁻⁰¹²³⁴⁵⁶⁷⁸⁹\u2009"),
        (_formula_font(15, italic=False), "0123456789+\u2212()=/,.\u2009"),
        (_formula_font(15, italic=True), "tikdNωπ"),
    ):
        face = QRawFont.fromFont(font)
        assert [sign for sign in signs if not face.supportsCharacter(ord(sign))] == []


def test_lines_end_at_blanks_and_never_inside_a_number():
    numbers = whole(10_000_000), "70.6\u2009%"
    for width in (90.0, 97.0, 104.0, 111.0, 150.0):
        lines = wrapped("label", "these keys are too many: {} of them in a row, {} of all".format(*numbers), width, 9)
        assert len(lines) > 2
        assert all(any(number in line for line in lines) for number in numbers)
    assert wrapped("label", "  two   words ", 1000.0, 1) == ["two words"]
    assert wrapped("label", "no room for a line", 1000.0, 0) == []
