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
from pe_desktop.draw.flow import GROW, Block, Column, Fits, Formula, Grid, Live, Named, Rule, Space, Words
from pe_desktop.draw.number_text import position
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.derivations import distances, shift, turns, unique
from pe_desktop.views.derivations.step import Moment, Step
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties.verdicts import verdict_sign

# The shift on the upper row of the panel, what positions say of each other on the lower one.
_UPPER: Final = ("log", "block", "entries", "system", "turns")
_LOWER: Final = ("dot", "distance", "length", "unique", "toeplitz", "relative")
_ROWS: Final = shift.CHAPTERS | distances.CHAPTERS | unique.CHAPTERS | turns.CHAPTERS
CHAPTERS: Final = {key: _ROWS[key] for key in (*_UPPER, *_LOWER)}


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
        return f"{row.uneven} Here f(t) is {names[str(encoding.parameters['map'])]}." if row.uneven else ""
    if encoding.column_waves is None:
        return row.plain.format(title=encoding.title)
    lacking = np.flatnonzero(np.bincount(encoding.column_waves.numbers) < 2)
    which = f"hand {in_formula(float(lacking[0]))}" if len(lacking) == 1 else "every hand"
    return row.unpaired.format(title=encoding.title, which=which)


_EXPLANATION: Final = (
    "Each step in letters, with the numbers of t, k and i put in, and checked: the same number found in a second "
    "way, and by how much the two differ. What the texts leave out or misprint is said where it stands."
)
_GUTTER = 18.0
_FORMULA, _NUMBERS = 16, 15
# From this width on the map of the chapter Toeplitz stands beside its steps.
_WIDE: Final = 700.0
_moment: Final = lru_cache(maxsize=4)(Moment)


def _questions(state: State) -> tuple[Question, ...]:
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
    """The steps below each other, where it fails above them, the map of Toeplitz beside them or last."""
    return _page(*_asked(state, answers))


@lru_cache(maxsize=4)
def _page(chapter: str, moment: Moment, answered: tuple[Any, ...]) -> Block:
    steps, failed = _steps(chapter, moment, answered), failure(moment.encoding, chapter)
    blocks: list[Block] = [Space(6.0)]
    if failed:
        formulas = () if steps else tuple(Formula(formula, _FORMULA) for formula in moment.encoding.formulas)
        words = Column((Words(failed, "segment", is_paragraph=True), *formulas), gap=5.0)
        blocks += [Named("where it fails", _marked(verdict_sign(FAILS, 16.0), words), failed), Space(6.0)]
    for place, step in enumerate(steps, start=1):
        blocks += [_step(place, step), Rule()]
    column, make = Column((*blocks[: -1 if steps else None], Space(4.0)), gap=2.0), CHAPTERS[chapter].figure
    if make is None:
        return Live(column)
    figure = Column((Space(6.0), make(moment, *answered[:1])))
    below = Column((column, Grid((_GUTTER, GROW), ((Space(0.0), figure),))))
    beside = Grid((GROW, distances.MAP_SIDE), ((column, figure),), gap=24.0)
    return Live(Fits((beside, below), (_WIDE, 0.0)) if chapter == "toeplitz" else below)


@lru_cache(maxsize=32)
def _step(place: int, step: Step) -> Block:
    """Number and words, the formula, the same with numbers, the check."""
    lines: list[Block] = [Words(step.words, "caption", "text2", is_paragraph=True)]
    formulas = ((step.formula, _FORMULA), (step.numbers, _NUMBERS))
    lines += [Formula(formula, pixels) for formula, pixels in formulas if formula]
    if step.check:
        sign = Space(0.0) if math.isnan(step.gap) else verdict_sign(HOLDS if step.holds else FAILS, 16.0)
        lines.append(_marked(sign, Words(step.check, "tick", "text3", is_paragraph=True)))
    number = Words(str(place), "strong", "text3", across=0.5)
    value = "; ".join(filter(None, (*step.plain, step.check)))
    return Named(f"step {place}: {step.words}", _marked(number, Column(tuple(lines), gap=5.0)), value)


def _marked(sign: Block, block: Block) -> Block:
    return Grid((_GUTTER, GROW), ((sign, block),), gap=6.0)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if failure(state.encoding, state.views.derivations.page):
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
    failed = failure(state.encoding, state.views.derivations.page)
    return "\n".join([*lines, failed] if failed else lines)


def _sentence(state: State, _answers: Answers) -> str:
    chapter = CHAPTERS[state.views.derivations.page]
    if failure(state.encoding, state.views.derivations.page):
        return f"{chapter.failed}: {state.encoding.title}"
    return chapter.claim.format(k=position(state.cursor.offset))


def _explanation(state: State) -> str:
    return f"{failure(state.encoding, state.views.derivations.page)} {_EXPLANATION}".strip()


VIEW = PagedView(
    "",
    {"": Page(_block, _sentence, _explanation, _questions, _readout)},
    _forms,
    Declared(
        page="derivations.page",
        accessible_name="Derivation, step by step",
        smallest=(420, 220),
        controls=(
            Choice(
                name="derivations.page",
                label="Derivation",
                words={key: CHAPTERS[key].title for key in _UPPER},
                below={key: CHAPTERS[key].title for key in _LOWER},
                tooltips={key: chapter.tooltip for key, chapter in CHAPTERS.items()},
                is_in_title=False,
            ),
        ),
    ),
)
