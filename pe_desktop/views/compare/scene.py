"""Compare: encodings of the same sizes side by side, measured, or less the chosen one."""

import math
from typing import Any, Final

from pe_desktop.core.presets import COMPARISONS, common_sizes
from pe_desktop.core.state import State, stepped
from pe_desktop.draw import flow
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.compare import difference, measured
from pe_desktop.views.compare.measured import COMPACT, NARROWEST
from pe_desktop.views.compare.rows import COMPACT_BELOW, lines_of
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import Page, PagedView, ScenePage

_TITLES: Final = {
    "overview": "One of each idea",
    "conventions": "What libraries compute",
    "ablations": "What breaks the encoding",
    "naive": "What people try first",
    "lengths": "The same step in two lengths",
}
_STEPS: Final = {"Up": -1, "Down": 1, "Left": -1, "Right": 1}


def _by_key(state: State, answers: Answers, key: str) -> dict[str, Any] | None:
    """What a key sets: the next row or column is read, Enter uses a row; of differences the next row is used."""
    lines, by = lines_of(state), _STEPS.get(key, 0)
    if state.views.compare.shows == "difference":
        chosen = next(line for line in lines if line.is_chosen)
        return stepped(lines, chosen, by).sets if key in ("Up", "Down") else None
    look, known = measured.look_and_rows(state, answers)
    sets = {line.number: line.sets for line, _ in known}
    if key in ("Return", "Enter"):
        return sets[look.row]
    if key in ("Up", "Down"):
        return {"compare.row": stepped([*sets], look.row, by)}
    return {"compare.check": stepped(look.keys, look.check, by)} if by else None


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    block = measured.page_in(state, answers, box)
    # Rows share no height that is left over.
    return flow.page_scene(block, box, area=Area(0.0, 0.0, box.width, flow.page_height(block, box.width, is_wide=True)))


def _height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    has_room = width >= NARROWEST or COMPACT <= width < COMPACT_BELOW
    return _needed(state, answers, Box(width, 0.0, 1.0, theme, is_paper=True)) if has_room else math.inf


def _needed(state: State, answers: Answers, box: Box) -> float:
    is_measured = state.views.compare.shows == "measurements"
    block = measured.page_in(state, answers, box) if is_measured else difference.page(state, answers)
    return flow.page_height(block, box.width, is_wide=True)


def _sentence(state: State, answers: Answers) -> str:
    return f"{_TITLES[state.views.compare.list]}, {_forms(state, answers)[0]}"


def _tables(state: State, box: Box) -> Questions:
    """The pictures of the tables; none where there is no room for them."""
    return measured.tables(state, box) if state.views.compare.shows == "measurements" else ()


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    lines, what = lines_of(state), "the same ten measurements for each"
    if state.views.compare.shows == "difference":
        what = f"each minus {lines[0].reference}"
    shapes = common_sizes([line.row for line in lines]), lines[0].row.encoding.shape
    of, own = ("N = {}, d_model = {}".format(*map(whole, shape)) for shape in shapes)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    of += "" if own == of else f"; in the first row {own}"
    of = "two lengths" if state.views.compare.list == "lengths" else of
    return f"{what}, {of}", what, state.views.compare.shows


VIEW = PagedView(
    "compare.shows",
    {
        "measurements": ScenePage(
            _scene, _sentence, measured.EXPLANATION, measured.readout, measured.questions, _height
        ),
        "difference": Page(
            difference.page, _sentence, difference.EXPLANATION, difference.questions, difference.text, is_wide=True
        ),
    },
    _forms,
    needed=_needed,
    box_questions=_tables,
    panel=Declared(
        page="compare.list",
        marked="compare.row",
        beside=_by_key,
        accessible_name="Comparison of encodings",
        controls=(
            Choice(
                name="compare.shows",
                label="Compare tells",
                words={"measurements": "Measured", "difference": "Difference"},
                tooltips={
                    "measurements": "Ten measurements of each encoding",
                    "difference": "Each encoding minus the chosen one: values, dot products, what makes the difference",
                },
            ),
            Choice(
                name="compare.list",
                label="Compare shows",
                also={"compare.row": 0},
                words={name: name.capitalize() for name in COMPARISONS},
                tooltips=_TITLES | {"lengths": "The same step at two numbers of positions: t/N and sinusoids"},
            ),
        ),
    ),
)
