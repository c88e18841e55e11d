"""Compare: encodings of the same sizes side by side, measured, or less the chosen one."""

import math
from typing import Any, Final

from pe_desktop.core.measuring import differences
from pe_desktop.core.measuring.differences import Difference
from pe_desktop.core.presets import common_sizes
from pe_desktop.core.state import State, stepped
from pe_desktop.draw import flow
from pe_desktop.draw.flow import GROW, Block, Fits, Grid, Space, Words, paragraph
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.resources import resource_json
from pe_desktop.views.compare import measured
from pe_desktop.views.compare.measured import COMPACT_BELOW, Line, copied_rows, in_middle, known_of, lines_of
from pe_desktop.views.controls import WORDS, Choice
from pe_desktop.views.paged import Page, PagedView, ScenePage

_WORDS: Final = resource_json("help.json")["views"]["compare"]
_CONTROLS: Final = WORDS["compare"]
_STEPS: Final = {"Up": -1, "Down": 1, "Left": -1, "Right": 1}
_WIDE, _NARROW = (4.0, 0.26, 0.13, 0.12, 0.12, GROW), (4.0, 0.28, GROW, GROW, GROW)
_ROW: Final = 48.0


def _page(state: State, answers: Answers) -> Block:
    """How far each row is from the chosen one, and what makes the difference."""
    known = known_of(state, answers, _questions(state))
    heads = [Words(name, "strong", shorter=(brief,)) for name, brief in _WORDS["heads"].items()]
    rows = [(Space(_ROW), line.name, *_cells(line, one)) for line, one in known]
    few = [(Space(_ROW), line.title, *row[2:5]) for (line, _), row in zip(known, rows, strict=True)]
    values = ["" if one is None else _relation(line, one) for line, one in known]
    told = zip(values, known, strict=True)
    places = None, *(line.place(value, line.sets, _tooltip(line, one)) for value, (line, one) in told)
    wide = Grid(_WIDE, ((Space(0.0), *heads), *rows), places, between=1.0)
    narrow = Grid(_NARROW, ((Space(0.0), *heads[:4]), *few), places, between=1.0)
    return Fits((wide, narrow), (COMPACT_BELOW, 0.0))


def _cells(line: Line, one: Difference | None) -> tuple[Block, ...]:
    """The cells of a row; what is not known yet shows three dots."""
    if one is None:
        return (in_middle(Words("…", "caption", "text3")),) * (len(_WORDS["heads"]) - 1)
    cells = list[Block]()
    for amount, lacking in ((one.largest, "other size"), (one.paired, "–"), (one.products, "")):
        forms = (lacking,) if amount is None else (short(amount, 4), short(amount, 2))
        cells.append(Words(forms[0], "segment", shorter=forms[1:]))
    return tuple(map(in_middle, (*cells, paragraph(_relation(line, one)))))


def _tooltip(line: Line, one: Difference | None) -> str:
    if one is None:
        return f"{line.row.title}: not compared yet"
    compared = f"{whole(one.n_positions)} of {whole(one.n_all)} positions, dot products at {whole(one.n_products)}"
    found = (*zip(_WORDS["copied"], _copied_row(line, one), strict=True), ("compared", compared))
    return "\n".join((f"{line.row.title} − {line.reference}", *(f"{name}: {text}" for name, text in found if text)))


def _relation(line: Line, one: Difference) -> str:
    """What makes the difference, where one sentence says it."""
    if line.is_chosen:
        return "The chosen encoding, with which the others are compared."
    off = f", but for rounding: {short(one.off, 2)}" if one.off else ""
    changes = [f"{name} {short(value, 9) if isinstance(value, float) else value}" for name, value in one.changes]
    form: str = _WORDS["relations"][one.relation]
    return form.format(reference=line.reference, changes=", ".join(changes), off=off)


def _copied_row(line: Line, one: Difference) -> list[str]:
    """Its numbers, under their titles."""
    place_of = (None, None) if one.largest is None else (one.position, one.dimension)
    base = dict(one.changes).get("base")
    return [*map(copied, (one.largest, *place_of, one.paired, one.products, base)), _relation(line, one)]


def _questions(state: State) -> Questions:
    asked, how = [(line.row.encoding, state.encoding) for line in lines_of(state)], differences.difference
    return tuple(Question("difference", how, of, measured.RANK, "Comparing", takes="nothing") for of in asked)


def _text(state: State, answers: Answers) -> str:
    return copied_rows(known_of(state, answers, _questions(state)), _WORDS["copied"], _copied_row)


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
    has_room = width >= measured.NARROWEST or measured.COMPACT <= width < COMPACT_BELOW
    return _needed(state, answers, Box(width, 0.0, 1.0, theme, is_paper=True)) if has_room else math.inf


def _needed(state: State, answers: Answers, box: Box) -> float:
    is_measured = state.views.compare.shows == "measurements"
    block = measured.page_in(state, answers, box) if is_measured else _page(state, answers)
    return flow.page_height(block, box.width, is_wide=True)


def _sentence(state: State, answers: Answers) -> str:
    return f"{_CONTROLS['list']['tooltips'][state.views.compare.list]}, {_forms(state, answers)[0]}"


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
            _scene, _sentence, _WORDS["measurements"], measured.readout, measured.questions, _height
        ),
        "difference": Page(_page, _sentence, _WORDS["difference"], _questions, _text, is_wide=True),
    },
    _forms,
    needed=_needed,
    box_questions=measured.tables,
    beside=_by_key,
    controls=(
        Choice(**_CONTROLS["shows"]),
        Choice(also={"compare.row": 0}, **_CONTROLS["list"]),
    ),
)
