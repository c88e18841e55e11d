"""Formulas in one line: variables italic, words and numbers upright, scripts small and out of line."""

import pytest

from pe_desktop.core.hands import LAYOUTS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.phase import SPACINGS
from pe_desktop.draw.typefaces import formula_runs, plain_formula

pytestmark = pytest.mark.usefixtures("qapp")

FORMULAS = sorted(
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
    runs, _ = formula_runs(formula, 20)
    places = {-1: "_", 0: "", 1: "^"}
    return " ".join(
        f"{places[(run.rise > 0) - (run.rise < 0)]}{'i' if run.is_italic else 'u'}{sign}"
        for run in runs
        for sign in run.text
        if sign.strip()
    )


def test_single_letters_are_italic_words_numbers_and_signs_upright():
    assert styled("PE(t, 2i) = sin(t ω_i)") == "uP uE u( it u, u2 ii u) u= us ui un u( it iω _ii u)"


def test_scripts_of_several_signs_stand_in_braces():
    assert styled("ω_{12} = b^{−2i/d}") == "iω _u1 _u2 u= ib ^u− ^u2 ^ii ^u/ ^id"


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_sign_of_the_shown_formulas_is_lost(formula):
    runs, _ = formula_runs(formula, 15)
    assert "".join(run.text for run in runs) == formula.replace("_", "").replace("^", "").replace("{", "").replace(
        "}", ""
    )


@pytest.mark.parametrize("formula", FORMULAS)
def test_runs_stand_one_after_the_other_and_end_at_the_width(formula):
    runs, width = formula_runs(formula, 15)
    places = [run.x for run in runs]
    assert places[0] == 0.0
    assert places == sorted(places)
    assert width > places[-1]
    assert formula_runs(f"{formula} = 1", 15)[1] > width
    assert formula_runs(formula, 30)[1] == pytest.approx(2 * width, rel=0.1)


def test_plain_text_keeps_the_marks_of_scripts_without_braces():
    assert plain_formula("ω_{12} = 10\u2009000^{−2i/32}") == "ω_12 = 10\u2009000^(−2i/32)"
