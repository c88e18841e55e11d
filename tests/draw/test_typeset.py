"""Formulas with fractions, roots and matrices: no part covers another, none is cut, and all can be read as text."""

import pytest
from PySide6.QtGui import QColor

from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.draw.typeset import formula_block, plain_block
from tests.pictures import covered_texts, of_kind, text_frames

FORMULAS = {
    r"ω_i = \frac{1}{B^x} = \frac{1}{10 000^{8/32}} = 0.1": "ω_i = (1)/(B^x) = (1)/(10 000^(8/32)) = 0.1",
    r"D = 2 \sqrt{Σ_i sin^2(kω_i/2)}": "D = 2 √(Σ_i sin^2(kω_i/2))",
    r"\matrix{a & −b \\ b & a} \matrix{x \\ y} = \matrix{u \\ v}": "[a −b; b a] [x; y] = [u; v]",
    "p_t + p_k ≠ p_{t+k}": "p_t + p_k ≠ p_(t+k)",
    r"\sqrt{\frac{a + b}{c}} + \frac{\sqrt{a}}{b}": "√((a + b)/(c)) + (√(a))/(b)",
}
INK = QColor("black")


@pytest.mark.parametrize(("formula", "text"), FORMULAS.items())
def test_a_formula_is_told_as_plain_text(formula: str, text: str) -> None:
    assert plain_block(formula) == text


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("width", [90.0, 140.0, 300.0, 900.0])
@pytest.mark.parametrize("formula", FORMULAS)
def test_letters_stand_apart_inside_the_width_and_the_height_that_is_told(formula: str, width: float) -> None:
    picture, height = formula_block(10.0, 20.0, formula, 16, width, INK)
    assert covered_texts(picture) == []
    for left, top, right, bottom, _ in text_frames(picture):
        assert 9.5 <= left < right <= 10.5 + width
        assert 20.0 <= top < bottom <= 20.0 + height
    for line in of_kind(picture, marks.Polyline):
        assert 9.5 <= line.points[:, 0].min() <= line.points[:, 0].max() <= 10.5 + width
        assert 19.5 <= line.points[:, 1].min() <= line.points[:, 1].max() <= 20.5 + height


@pytest.mark.usefixtures("qapp")
def test_a_long_line_is_broken_before_a_sign_and_keeps_its_size() -> None:
    formula = " + ".join(["cos(8 · 0.1)"] * 9)
    picture, height = formula_block(0.0, 0.0, formula, 16, 200.0, INK)
    written = of_kind(picture, marks.FormulaText)
    assert {mark.pixels for mark in written} == {16}
    tops = sorted({mark.y for mark in written})
    assert len(tops) > 3
    assert height > tops[-1]
    firsts = [min((mark for mark in written if mark.y == top), key=lambda mark: mark.x) for top in tops]
    assert all(mark.formula.startswith("+ ") for mark in firsts[1:])


@pytest.mark.usefixtures("qapp")
def test_a_root_covers_what_stands_in_it() -> None:
    picture, _ = formula_block(0.0, 0.0, r"\sqrt{a + b}", 16, 300.0, INK)
    (inside,), (line,) = of_kind(picture, marks.FormulaText), of_kind(picture, marks.Polyline)
    assert line.points[-1, 0] >= inside.x + (1.0 - inside.across) * formula_runs("a + b", 16)[1]


def test_an_open_brace_is_refused() -> None:
    with pytest.raises(ValueError, match="not closed"):
        plain_block(r"\frac{a}{b")
