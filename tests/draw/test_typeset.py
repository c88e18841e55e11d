"""Typefaces and formulas: figures of equal width, letters apart, scripts small, none cut, all told as plain text."""

import pytest
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QRawFont, QTextLayout

from pe_desktop.core import LAYOUTS, SPACINGS, SinusoidalEncoding
from pe_desktop.draw import marks, typefaces
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.typeset import formula_block, formula_height, plain_block
from tests.pictures import covered_texts, of_kind, text_frames
from tests.tables import table

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("text", ["t + k = 1\u2009309 ›", "\u22120.714", "359.6°", "ω_7 6k1 Tr4V9A", "1e-16"])
def test_a_text_with_figures_is_as_wide_as_the_typeface_sets_it(text):
    for role in typefaces.ROLES:
        assert typefaces.text_width(role, text) == QFontMetricsF(typefaces.text_font(role)).horizontalAdvance(text)
    for pixels in (9, 12, 15, 20):
        metrics = QFontMetricsF(typefaces.face_font((pixels, False)))
        assert typefaces._width((pixels, False), text.translate(typefaces._ALIKE)) == metrics.horizontalAdvance(text)


@pytest.mark.parametrize("role", typefaces.ROLES)
def test_text_is_set_in_the_bundled_typeface_at_the_size_of_its_role_with_figures_of_one_width(role):
    info, metrics = QFontInfo(typefaces.text_font(role)), QFontMetricsF(typefaces.text_font(role))
    widths = {metrics.horizontalAdvance(figure * 3) for figure in "0123456789"}
    assert max(widths) - min(widths) < 1e-6
    assert max(widths) > 3 * 5.0
    pixels, weight = typefaces.ROLES[role]
    family = "JetBrains Mono" if role == typefaces.CODE else "Inter"
    assert (info.family(), info.pixelSize(), info.weight()) == (family, pixels, weight)
    assert pixels >= 11


def test_formulas_are_set_in_the_bundled_serif_and_the_typefaces_have_every_sign_that_is_written():
    for is_italic in (True, False):
        info = QFontInfo(typefaces.face_font((15, is_italic)))
        assert (info.family(), info.pixelSize(), info.italic()) == ("STIX Two Text", 15, is_italic)
    for font, signs in (
        (typefaces.text_font("label"), "0123456789+\u2212.,×∞°‹›=⁻⁰¹²³⁴⁵⁶⁷⁸⁹\u2009"),
        (typefaces.face_font((15, False)), "0123456789+\u2212()=/,.\u2009"),
        (typefaces.face_font((15, True)), "tikdNωπ"),
    ):
        face = QRawFont.fromFont(font)
        assert [sign for sign in signs if not face.supportsCharacter(ord(sign))] == []
    layout = QTextLayout("√≤≥→≠≈∞∑−x", typefaces.face_font((15, False)))
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    assert {run.rawFont().familyName() for run in layout.glyphRuns()} == {"STIX Two Text", "STIX Two Math"}


def test_lines_end_at_blanks_and_never_inside_a_number_or_an_equation():
    numbers = whole(10_000_000), "70.6\u2009%", "PE(46, 9)", "t = 25"
    for width in (90.0, 97.0, 104.0, 111.0, 150.0):
        lines = typefaces.wrapped(
            "label", "these keys are too many: {} in a row, {} of all, {} of them, for {}".format(*numbers), width, 9
        )
        assert len(lines) > 2
        assert all(any(number in line for line in lines) for number in numbers)
    assert typefaces.wrapped("label", "  two   words ", 1000.0, 1) == ["two words"]
    assert typefaces.wrapped("label", "no room for a line", 1000.0, 0) == []


SHOWN = sorted(
    {
        formula
        for spacing in SPACINGS
        for layout in LAYOUTS
        for d_model in (2, 32, 65_536)
        for formula in SinusoidalEncoding(128, d_model, 12_345.5, spacing, layout).formulas
    }
)


def styled(formula: str) -> str:
    """The signs of a formula, each after i for italic or u for upright, ^ where it stands up and _ where it hangs."""
    runs, _ = typefaces.formula_runs(formula, 20)
    places = {-1: "_", 0: "", 1: "^"}
    return " ".join(
        f"{places[(run.rise > 0) - (run.rise < 0)]}{'i' if run.is_italic else 'u'}{sign}"
        for run in runs
        for sign in run.text
        if sign.strip()
    )


def test_single_letters_are_italic_words_numbers_and_signs_upright_and_long_scripts_stand_in_braces():
    assert styled("PE(t, 2i) = sin(t ω_i)") == "uP uE u( it u, u2 ii u) u= us ui un u( it iω _ii u)"
    assert styled("ω_{12} = b^{−2i/d}") == "iω _u1 _u2 u= ib ^u− ^u2 ^ii ^u/ ^id"


@pytest.mark.parametrize("formula", SHOWN)
def test_no_sign_of_the_shown_formulas_is_lost_and_runs_stand_one_after_the_other(formula):
    runs, width = typefaces.formula_runs(formula, 15)
    assert "".join(run.text for run in runs) == formula.translate(dict.fromkeys(map(ord, "_^{}")))
    places = [run.x for run in runs]
    assert places[0] == 0.0
    assert places == sorted(places)
    assert width > places[-1]
    assert typefaces.formula_runs(f"{formula} = 1", 15)[1] > width
    assert typefaces.formula_runs(formula, 30)[1] == pytest.approx(2 * width, rel=0.1)


FORMULAS = table("draw/formulas")
INK = QColor("black")


@pytest.mark.parametrize(("formula", "text"), FORMULAS.items())
def test_a_formula_is_told_as_plain_text_and_an_open_brace_refused(formula: str, text: str) -> None:
    assert plain_block(formula) == text
    with pytest.raises(ValueError, match="not closed"):
        plain_block(rf"{formula} + \frac{{a}}{{b")


@pytest.mark.parametrize("width", [90.0, 140.0, 300.0, 900.0])
@pytest.mark.parametrize("formula", FORMULAS)
def test_letters_stand_apart_inside_the_width_and_the_height_that_is_told(formula: str, width: float) -> None:
    picture, height = formula_block(10.0, 20.0, formula, 16, width, INK), formula_height(formula, 16, width)
    assert covered_texts(picture) == []
    for left, top, right, bottom, _ in text_frames(picture):
        assert 9.5 <= left < right <= 10.5 + width
        assert 20.0 <= top < bottom <= 20.0 + height
    for line in of_kind(picture, marks.Polyline):
        assert 9.5 <= line.points[:, 0].min() <= line.points[:, 0].max() <= 10.5 + width
        assert 19.5 <= line.points[:, 1].min() <= line.points[:, 1].max() <= 20.5 + height


def test_a_long_line_is_broken_before_a_sign_outside_brackets_where_there_is_one_and_keeps_its_size() -> None:
    formula = " + ".join(["cos((8 − 3) · 0.1, 9)"] * 9)
    picture = formula_block(0.0, 0.0, formula, 16, 200.0, INK)
    written = of_kind(picture, marks.FormulaText)
    assert {mark.pixels for mark in written} == {16}
    tops = sorted({mark.y for mark in written})
    assert len(tops) > 3
    assert formula_height(formula, 16, 200.0) > tops[-1]
    firsts = [min((mark for mark in written if mark.y == top), key=lambda mark: mark.x) for top in tops]
    assert all(mark.formula.startswith("+ ") for mark in firsts[1:])
    inside = formula_block(0.0, 0.0, f"sin({formula})", 16, 200.0, INK)
    assert len({mark.y for mark in of_kind(inside, marks.FormulaText)}) == len(tops)


def test_what_a_sum_is_over_stands_below_and_above_its_sign() -> None:
    picture = formula_block(0.0, 0.0, "Σ_{n=0}^{15} x_n", 16, 300.0, INK)
    sign, below, above, term = of_kind(picture, marks.FormulaText)
    assert (sign.formula, below.formula, above.formula, term.formula) == ("∑", "n=0", "15", " x_n")
    assert below.x == sign.x == above.x
    assert (sign.across, below.across, above.across) == (0.5, 0.5, 0.5)
    assert above.y + 12.0 < sign.y < below.y - 12.0
    assert term.y == sign.y


def test_brackets_stand_apart_from_what_they_hold_and_a_root_covers_it() -> None:
    picture = formula_block(0.0, 0.0, r"\matrix{−b \\ a}", 16, 300.0, INK)
    left, right = of_kind(picture, marks.Polyline)
    frames = text_frames(picture)
    assert left.points[:, 0].max() + 1.5 < min(frame[0] for frame in frames)
    assert max(frame[2] for frame in frames) + 1.5 < right.points[:, 0].min()
    picture = formula_block(0.0, 0.0, r"\sqrt{a + b}", 16, 300.0, INK)
    (inside,), (line,) = of_kind(picture, marks.FormulaText), of_kind(picture, marks.Polyline)
    assert line.points[-1, 0] >= inside.x + (1.0 - inside.across) * typefaces.formula_runs("a + b", 16)[1]
