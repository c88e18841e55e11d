"""The derivations of the texts: formula, the numbers of t, k and i put in, and a second way to the same number."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.properties import FAILS, HOLDS
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import position
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene, page_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, wrapped
from pe_desktop.draw.typeset import formula_block, plain_block
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.derivations import distances, shift, system, unique
from pe_desktop.views.derivations.failures import failure
from pe_desktop.views.derivations.pictures import row_strips, strips_height, toeplitz_map
from pe_desktop.views.derivations.step import Step
from pe_desktop.views.properties.verdicts import verdict_mark

TITLES: Final = {
    "log": "Log space",
    "block": "Angle sum",
    "entries": "PE(k)",
    "system": "d × d system",
    "dot": "Dot product",
    "distance": "Distance",
    "length": "Length",
    "unique": "Unique",
    "toeplitz": "Toeplitz",
}
_CLAIMS: Final = {
    "log": "A power of the base is e to a logarithm",
    "block": "A shift by {k} turns each pair: the sine and the cosine of a sum",
    "entries": "The matrix of a shift by {k} is made of PE({k})",
    "system": "All entries of the matrix of a shift by {k}, and why most are 0",
    "dot": "A dot product is a sum of cosines of the offset, {k}",
    "distance": "A distance at offset {k} comes from half the turns",
    "length": "Every position has the length √(d/2)",
    "unique": "No two positions have one vector",
    "toeplitz": "Every diagonal of dot products holds one number",
}
_FAILED: Final = {
    "log": "No power of the base to write with e",
    "block": "Where the sum of angles fails",
    "entries": "Where the matrix made of PE(k) fails",
    "system": "Where the system of equations fails",
    "dot": "Where the sum of cosines fails",
    "distance": "Where the distance from half the turns fails",
    "length": "Where the length √(d/2) fails",
    "unique": "What is left of the proof that positions are unique",
    "toeplitz": "Where constant diagonals fail",
}
_EXPLANATION: Final = (
    "Each step in letters, with the numbers of t, k and i put in, and checked: the same number found in a second "
    "way, and by how much the two differ. What the texts leave out or misprint is said where it stands."
)

_GUTTER, _PAD = 26.0, 10.0
_LINE, _GAP = 16.0, 5.0
_FORMULA, _NUMBERS = 16, 15
# From this width on the map of the page Toeplitz stands beside its steps.
_WIDE, _MAP = 700.0, 324.0


def questions(state: State) -> tuple[Question, ...]:
    encoding, cursor = state.encoding, state.cursor
    page = state.views.derivations.page
    if page == "system":
        return system.questions(encoding, cursor)
    if page == "length":
        return (distances.norm_question(encoding),)
    if page == "toeplitz":
        return (distances.spread_question(encoding, cursor),)
    has_nearest = page == "unique" and encoding.is_shift_invariant and encoding.n_positions > 1
    return (unique.nearest_question(encoding),) if has_nearest else ()


def steps_of(state: State, answers: Answers) -> tuple[Step, ...]:
    """The steps of the page that is seen."""
    known = tuple(answers.answer(question) for question in questions(state))
    return _steps(state.encoding, state.cursor, state.views.derivations.page, known)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    blocks = _blocks(state, answers, box.width, box.theme)
    picture = tuple(mark for block in blocks for mark in block.picture)
    return Scene(picture, places=Part(_places, tuple((block.name, block.area, block.told) for block in blocks)))


def height(state: State, answers: Answers, width: float, theme: Theme) -> float | None:
    return _bottom(_blocks(state, answers, width, theme)) + 4.0


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    page = state.views.derivations.page
    if failure(state.encoding, page):
        return fitting("caption", ("fails for this encoding", "fails"), room)
    name = hand_name(state.encoding, state.cursor.pair)
    return fitting("caption", (f"with t, k and {name}", name), room)


def readout(state: State, answers: Answers) -> str:
    lines = ["step\tformula\twith numbers\tvalue\tsecond way\tis\tdifference"]
    failed = failure(state.encoding, state.views.derivations.page)
    for place, step in enumerate(steps_of(state, answers), start=1):
        formula, numbers = plain_block(step.formula), plain_block(step.numbers)
        known = not math.isnan(step.gap)
        checked = (repr(step.value), step.by, repr(step.other), repr(step.gap)) if known else ("", step.by, "", "")
        lines.append("\t".join((f"{place}. {step.words}", formula, numbers, *checked)))
    return "\n".join([*lines, *([failed] if failed else [])])


def sentence(state: State, answers: Answers) -> str:
    page = state.views.derivations.page
    if failure(state.encoding, page):
        return f"{_FAILED[page]}: {state.encoding.title}"
    return _CLAIMS[page].format(k=position(state.cursor.offset))


def explanation(state: State) -> str:
    failed = failure(state.encoding, state.views.derivations.page)
    return f"{failed} {_EXPLANATION}" if failed else _EXPLANATION


@lru_cache(maxsize=4)
def _steps(encoding: Encoding, cursor: Cursor, page: str, known: tuple[Any, ...]) -> tuple[Step, ...]:
    make: Callable[[], tuple[Step, ...]] = {
        "log": lambda: shift.log_steps(encoding, cursor),
        "block": lambda: shift.block_steps(encoding, cursor),
        "entries": lambda: shift.entry_steps(encoding, cursor),
        "system": lambda: system.system_steps(encoding, cursor, known),
        "dot": lambda: distances.dot_steps(encoding, cursor),
        "distance": lambda: distances.distance_steps(encoding, cursor),
        "length": lambda: distances.length_steps(encoding, cursor, known),
        "unique": lambda: unique.unique_steps(encoding, cursor, known),
        "toeplitz": lambda: distances.toeplitz_steps(encoding, cursor, known),
    }[page]
    return make()


@record
class _Block:
    """One step, or where the derivation fails, in a picture from its upper edge on; told: what a screen reader says."""

    picture: marks.Picture
    area: Area
    name: str
    told: Step | str = ""


def _blocks(state: State, answers: Answers, box_width: float, theme: Theme) -> list[_Block]:
    """All that stands below each other, the map of the page Toeplitz beside it or last."""
    width = page_width(box_width)
    page, encoding, cursor = state.views.derivations.page, state.encoding, state.cursor
    is_beside = page == "toeplitz" and width >= _WIDE
    room = width - _MAP - 24.0 if is_beside else width
    steps, failed = steps_of(state, answers), failure(encoding, page)
    blocks: list[_Block] = []
    if failed:
        blocks.append(_failure_block(failed, () if steps else encoding.formulas, room, theme))
    for place, step in enumerate(steps, start=1):
        blocks.append(_step_block(place, step, _bottom(blocks), room, theme))
    if page == "system":
        found = answers.answer(system.questions(encoding, cursor)[0])
        area = Area(_GUTTER, _bottom(blocks) + _PAD, room - _GUTTER - 8.0, strips_height(encoding))
        blocks.append(_Block(row_strips(area, encoding, cursor, found, theme), area, "two rows of the matrix"))
    if page == "toeplitz":
        x, y = (width - _MAP, _PAD) if is_beside else (_GUTTER, _bottom(blocks) + _PAD)
        side = min(_MAP, width - _GUTTER)
        area = Area(x, y, side, side + 36.0)
        blocks.append(_Block(toeplitz_map(area, encoding, cursor, theme), area, "dot products around t and t + k"))
    return blocks


def _bottom(blocks: Sequence[_Block]) -> float:
    return max((block.area.bottom for block in blocks), default=2.0)


def _failure_block(words: str, definition: Sequence[str], width: float, theme: Theme) -> _Block:
    """The sentence that says where the derivation fails; where no step can be written, the definition below it."""
    lines = wrapped("segment", words, width - _GUTTER - 8.0, 8)
    y = 2.0 + _PAD
    picture: list[marks.Mark] = [verdict_mark(9.0, y + 8.0, FAILS, theme.bad)]
    for line in lines:
        picture.append(marks.Text(_GUTTER, y + 8.0, line, "segment", theme.text))
        y += _LINE + 1.0
    for formula in definition:
        marked, tall = formula_block(_GUTTER, y + _GAP, formula, _FORMULA, width - _GUTTER, theme.text)
        picture += marked
        y += tall + _GAP
    return _Block(tuple(picture), Area(0.0, 2.0, width, y + _PAD - 2.0), "where it fails", words)


@lru_cache(maxsize=32)
def _step_block(number: int, step: Step, top: float, width: float, theme: Theme) -> _Block:
    """Number and words, the formula, the same with numbers, the check."""
    room, y = width - _GUTTER, top + _PAD
    picture: list[marks.Mark] = [marks.Segments(np.array([[0.0, top, width, top]]), theme.line)] if number > 1 else []
    picture.append(marks.Text(4.0, y + 6.0, str(number), "strong", theme.text3))
    for line in wrapped("caption", step.words, room - 4.0, 20):
        picture.append(marks.Text(_GUTTER, y + 6.0, line, "caption", theme.text2))
        y += _LINE
    for formula, pixels in ((step.formula, _FORMULA), (step.numbers, _NUMBERS)):
        if formula:
            marked, tall = formula_block(_GUTTER, y + _GAP, formula, pixels, room, theme.text)
            picture += marked
            y += tall + _GAP
    lines = wrapped("tick", step.check, room - 22.0, 8) if step.check else []
    if lines:
        y += _GAP
        holds = HOLDS if step.holds else FAILS
        if not math.isnan(step.gap):
            picture.append(verdict_mark(_GUTTER + 6.0, y + 6.0, holds, theme.ok if step.holds else theme.bad))
    for line in lines:
        picture.append(marks.Text(_GUTTER + 20.0, y + 6.0, line, "tick", theme.text3))
        y += _LINE
    return _Block(tuple(picture), Area(0.0, top, width, y + _PAD - top), f"step {number}: {step.words}", step)


def _places(blocks: tuple[tuple[str, Area, Step | str], ...]) -> tuple[Place, ...]:
    return tuple(Place(name, area, told if isinstance(told, str) else _told(told)) for name, area, told in blocks)


def _told(step: Step) -> str:
    return "; ".join(filter(None, (plain_block(step.formula), plain_block(step.numbers), step.check)))
