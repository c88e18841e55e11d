"""The derivations of the texts: formula, the numbers of t, k and i put in, and a second way to the same number."""

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.measurement import FAILS, HOLDS
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import State
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import (
    GROW,
    Block,
    Column,
    Fits,
    Formula,
    Ground,
    Layers,
    Live,
    Named,
    OnPaper,
    Rule,
    Space,
    Words,
    in_row,
)
from pe_desktop.draw.number_text import position
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.controls import Declared
from pe_desktop.views.derivations import distances, shift, turns, unique
from pe_desktop.views.derivations.step import Moment, Step
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties.verdicts import verdict_sign

_ROWS: Final = shift.CHAPTERS | distances.CHAPTERS | unique.CHAPTERS | turns.CHAPTERS
# In the order of the choice: the shift, then what positions say of each other.
CHAPTERS: Final = {key: _ROWS[key] for key in rules_of(type(State().views.derivations))["page"].word_titles}


def failure(encoding: Encoding, chapter: str) -> str:
    """Where a derivation fails, as a sentence; empty where it holds."""
    spacing, pairs, row = encoding.parameters.get("spacing"), encoding.pairs, CHAPTERS[chapter]
    if encoding.empty_row is not None:
        return row.padded.format(row=in_formula(encoding.empty_row))
    if row.powers and spacing in ("linear", "single"):
        return row.powers
    if pairs is not None and pairs.turns_evenly:
        return row.alike if spacing == "single" and pairs.count > 1 else ""
    if pairs is not None:
        names = rules_of(type(encoding))["map"].word_titles
        uneven = row.uneven.format(step=row.fails)
        return f"{uneven} Here f(t) is {names[str(encoding.parameters['map'])]}." if uneven else ""
    if encoding.column_waves is None:
        return row.plain.format(step=row.fails, title=encoding.title)
    lacking = np.flatnonzero(np.bincount(encoding.column_waves.numbers) < 2)
    which = f"hand {in_formula(float(lacking[0]))}" if len(lacking) == 1 else "every hand"
    return row.unpaired.format(step=row.fails, title=encoding.title, which=which)


def _failed(state: State) -> str:
    return failure(state.encoding, state.views.derivations.page)


_EXPLANATION: Final = (
    "Each step in letters, with the numbers of t, k and i put in, and checked: the same number found in a second "
    "way, and by how much the two differ. What the texts leave out or misprint is said where it stands."
)
_GUTTER = 18.0
_FORMULA, _NUMBERS = 16, 15
# From this width on the chapters stand at the left and the picture at the right, else above and below the steps.
_WIDE: Final = 700.0
_LIST, _PICTURE = 150.0, 0.31
_moment: Final = lru_cache(maxsize=4)(Moment)


def _questions(state: State) -> Questions:
    return CHAPTERS[state.views.derivations.page].questions(_moment(state.encoding, state.cursor))


def _asked(state: State, answers: Answers) -> tuple[str, Moment, tuple[Any, ...]]:
    """The chapter that is seen, its numbers, and what is known of what it asks."""
    moment = _moment(state.encoding, state.cursor)
    return state.views.derivations.page, moment, tuple(map(answers.answer, _questions(state)))


def steps_of(state: State, answers: Answers) -> tuple[Step, ...]:
    """The steps of the chapter that is seen."""
    return _steps(*_asked(state, answers))


@lru_cache(maxsize=4)
def _steps(chapter: str, moment: Moment, answered: tuple[Any, ...]) -> tuple[Step, ...]:
    return tuple(CHAPTERS[chapter].steps(moment, *answered))


def _block(state: State, answers: Answers) -> Block:
    """The chapters, the steps below each other, where it fails above them, and the picture."""
    return _page(*_asked(state, answers))


@lru_cache(maxsize=4)
def _page(chapter: str, moment: Moment, answered: tuple[Any, ...]) -> Block:
    steps, failed = _steps(chapter, moment, answered), failure(moment.encoding, chapter)
    blocks: list[Block] = [Space(6.0)]
    if failed:
        formulas = () if steps else tuple(Formula(formula, _FORMULA) for formula in moment.encoding.formulas)
        words = Column((Words(failed, "segment", is_paragraph=True), *formulas), gap=5.0)
        sign = in_row((_GUTTER, GROW), verdict_sign(FAILS, 16.0), words, gap=6.0)
        blocks += [Named("where it fails", sign, failed), Space(6.0)]
    for place, step in enumerate(steps, start=1):
        blocks += [_step(place, step), Rule()]
    column = Column((*blocks[: -1 if steps else None], Space(4.0)), gap=2.0)
    picture = Column((Space(6.0), CHAPTERS[chapter].picture(moment, *(answered[:1] or (None,))) or Space(0.0)))
    beside = in_row((_LIST, GROW, _PICTURE), _chapters(chapter, moment.encoding), column, picture, gap=18.0)
    below = Column((_neighbours(chapter), column, in_row((_GUTTER, GROW), Space(0.0), picture)), gap=6.0)
    return Live(Fits((beside, below), (_WIDE, 0.0)))


@lru_cache(maxsize=16)
def _chapters(chosen: str, encoding: Encoding) -> Block:
    """All chapters, whether each holds, and what it proves; a press opens one."""
    rows = list[Block]()
    for key, chapter in CHAPTERS.items():
        fails, is_chosen = failure(encoding, key), key == chosen
        sign = verdict_sign(FAILS if fails else HOLDS, 16.0)
        title = Words(chapter.title, "strong" if is_chosen else "label")
        text = Column((in_row((GROW, 16.0), title, sign), Words(chapter.proves, "tick", "text2")), gap=1.0)
        inner = Column((Space(3.0), in_row((6.0, GROW, 0.0), Space(0.0), text, Space(0.0), gap=0.0), Space(3.0)))
        row: Block = Layers((Ground(), inner)) if is_chosen else inner
        rows.append(Named(chapter.title, row, fails or chapter.proves, {"derivations.page": key}, fails, is_chosen))
    return Column((Space(4.0), *rows), is_for_screen=True)


def _neighbours(chosen: str) -> Block:
    """Where there is no room for all chapters: the one that is seen between the one before and the one after."""
    keys = [*CHAPTERS]
    at, cells = keys.index(chosen), list[Block]()
    for step, across, form in ((-1, 0.0, "‹ {}"), (0, 0.5, "{}"), (1, 1.0, "{} ›")):
        key = keys[(at + step) % len(keys)]
        role, ink = ("tick", "text2") if step else ("strong", "text")
        words = Words(form.format(CHAPTERS[key].title), role, ink, across)
        cells.append(Named(CHAPTERS[key].title, words, sets={"derivations.page": key}, is_chosen=not step))
    return Column((Space(2.0), in_row((GROW,) * 3, *cells)), is_for_screen=True)


@lru_cache(maxsize=32)
def _step(place: int, step: Step) -> Block:
    """Number, words, the formula, the same with numbers, whether it holds; by how much where it fails."""
    is_checked = not math.isnan(step.gap)
    formulas = (Formula(step.formula, _FORMULA), *([Formula(step.numbers, _NUMBERS)] if step.numbers else []))
    check: Block = Words(step.check, "tick", "text3", is_paragraph=True)
    check = OnPaper((), paper=check) if is_checked and step.holds else check
    lines = Column((Words(step.words, "caption", "text2", is_paragraph=True), *formulas, check), gap=5.0)
    sign = verdict_sign(HOLDS if step.holds else FAILS, 16.0) if is_checked else Space(0.0)
    number = Words(str(place), "strong", "text3", across=0.5)
    row = in_row((_GUTTER, GROW, 16.0), number, lines, sign, gap=6.0)
    value = "; ".join(filter(None, (*step.plain, step.check)))
    return Named(f"step {place}: {step.words}", row, value, tooltip=step.check)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if _failed(state):
        return "fails for this encoding", "fails"
    name = hand_name(state.encoding, state.cursor.pair)
    return f"with t, k and {name}", name


def _readout(state: State, answers: Answers) -> str:
    lines = ["step\tformula\twith numbers\tvalue\tsecond way\tis\tdifference"]
    for place, step in enumerate(steps_of(state, answers), start=1):
        checked = ("", step.by, "", "")
        if not math.isnan(step.gap):
            checked = repr(step.value), step.by, repr(step.other), repr(step.gap)
        lines.append("\t".join((f"{place}. {step.words}", *step.plain, *checked)))
    failed = _failed(state)
    return "\n".join([*lines, failed] if failed else lines)


def _sentence(state: State, _answers: Answers) -> str:
    chapter = CHAPTERS[state.views.derivations.page]
    if _failed(state):
        return f"{chapter.title}, where it fails: {state.encoding.title}"
    return chapter.claim.format(k=position(state.cursor.offset))


def _explanation(state: State) -> str:
    return f"{_failed(state)} {_EXPLANATION}".strip()


VIEW = PagedView(
    "",
    {"": Page(_block, _sentence, _explanation, _questions, _readout, is_wide=True)},
    _forms,
    Declared(
        page="derivations.page",
        accessible_name="Derivation, step by step",
        smallest=(420, 60),
    ),
)
