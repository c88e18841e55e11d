"""The derivations of the texts: formula, the numbers of t, k and i put in, and a second way to the same number."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from pe_desktop.core.derivations import (
    ShiftSystem,
    log10_determinant,
    nearest_offset,
    norm_range,
    shift_system,
)
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.measure.measurement import FAILS, HOLDS
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.rotation import rotation_blocks
from pe_desktop.core.rules import rules_of
from pe_desktop.core.similarity import DiagonalSpread, diagonal_spreads
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Formula, Grid, Live, Named, Rule, Space, Words
from pe_desktop.draw.number_text import position, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_image
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.derivations import distances, shift, system, unique
from pe_desktop.views.derivations.step import Moment, Step, moment
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties.verdicts import verdict_sign
from pe_desktop.views.questions import shift_question


def _dot_spread(encoding: Encoding, offset: float, task: Task) -> DiagonalSpread:
    return diagonal_spreads(encoding, offset, is_cancelled=task)["dot"]


def _spread_questions(m: Moment) -> tuple[Question, ...]:
    """How much the dot products at offset k differ over all t."""
    return (Question("diagonal", _dot_spread, (m.encoding, m.k), rank=1),)


def _system_questions(m: Moment) -> tuple[Question, ...]:
    """The equations solved in float64; where hands turn, the residuals of M_k and the determinant of the columns."""
    columns = m.columns[0], m.columns[-1]
    solved = Question("system", shift_system, (m.encoding, m.k, columns), rank=1, takes="nothing")
    if not m.turns:
        return (solved,)
    return solved, shift_question(m.encoding, m.k), Question("determinant", log10_determinant, (m.pairs,), rank=1)


def _nearest_questions(m: Moment) -> tuple[Question, ...]:
    """The offset at which positions are nearest, where it is one for all t."""
    has_nearest = m.encoding.is_shift_invariant and m.encoding.n_positions > 1
    return (Question("nearest offset", nearest_offset, (m.encoding,), rank=1),) if has_nearest else ()


def _norm_questions(m: Moment) -> tuple[Question, ...]:
    """The smallest and the largest length of a row."""
    return (Question("norms", norm_range, (m.encoding,), rank=1, takes="nothing"),)


_STRIP, _STRIP_GAP = 12.0, 2.0
# Rows and columns of the map, its side in pixels at most; room for positions at the left and above.
_SIDE: Final = 7
MAP_SIDE: Final = 324.0
_LABEL, _HEAD = 40.0, 20.0


def _row_strips(m: Moment, found: ShiftSystem | None) -> Block:
    """Two rows of the matrix, entry by entry: by matching factors, and by least squares in float64."""
    rows, tall = f"Rows {' and '.join(m.names)}", 2 * (_STRIP + _STRIP_GAP)
    matched = (Words(f"{rows} by matching factors", "tick", "text2"), Drawn(_strips, (m, None), tall))
    solved = Words(f"{rows} by least squares" if found else "Least squares: measuring…", "tick", "text2")
    ends = Words("0", "tick", "text3"), Words(f"column {whole(m.encoding.d_model - 1)}", "tick", "text3")
    strips = Drawn(_strips, (m, found), tall) if found else Space(tall)
    column = (*(matched if m.turns else ()), solved, strips, Grid((GROW, FIT), (ends,)))
    return Named("two rows of the matrix", Column(column, gap=4.0))


def _strips(area: Area, theme: Theme, m: Moment, found: ShiftSystem | None) -> marks.Picture:
    rows = np.zeros((2, m.encoding.d_model)) if found is None else found.rows
    if found is None:
        rows[:, m.columns] = rotation_blocks(m.encoding, m.k, [m.i])[0]
    heights = (area.y + place * (_STRIP + _STRIP_GAP) for place in (0, 1))
    strips = (_strip(Area(area.x, y, area.width, _STRIP), row, theme) for y, row in zip(heights, rows, strict=True))
    return tuple(mark for strip in strips for mark in strip)


def _strip(area: Area, values: Floats, theme: Theme) -> marks.Picture:
    """Entries from -1 to +1 in colours; a pixel of many columns shows the largest of them."""
    n_pixels = max(min(int(area.width), len(values)), 1)
    edges = np.arange(n_pixels + 1) * len(values) // n_pixels
    largest = np.array([max(values[first:last].tolist(), key=abs) for first, last in pairwise(edges.tolist())])
    places = np.rint((np.clip(largest, -1.0, 1.0) + 1.0) / 2.0 * (len(theme.diverging) - 1)).astype(np.intp)
    return marks.Raster(*area, map_image(theme.diverging[places])), marks.Rectangle(*area, outline=theme.line)


def _toeplitz_map(m: Moment, _found: Any) -> Block:
    """Dot products of positions around t, downwards, and of those k later: along each diagonal one number."""
    title = Words("Dot products around t (down) and t + k (across)", "tick", "text2")
    return Named("dot products around t and t + k", Column((title, Drawn(_map, (m,), _map_height)), gap=10.0))


def _map_height(width: float) -> float:
    return min(width, MAP_SIDE) - _LABEL + _HEAD


def _map(area: Area, theme: Theme, m: Moment) -> marks.Picture:
    rows, middle = _around(m.t, m.encoding.n_positions)
    columns, vectors = [row + m.k for row in rows], m.encoding.values(rows)
    values = vectors @ m.encoding.values(columns).T
    limit = float(np.square(vectors).sum(axis=1).max()) or 1.0
    cell, count = (area.height - _HEAD - 2.0) / _SIDE, len(rows)
    inner = Area(area.x + _LABEL, area.y + _HEAD, cell * count, cell * count)
    picture: list[marks.Mark] = []
    for row, column in np.ndindex(*values.shape):
        fill = theme.diverging_color(float(values[row, column]) / limit)
        picture.append(marks.Rectangle(inner.x + column * cell, inner.y + row * cell, cell, cell, fill))
    centers = (np.arange(float(count)) + 0.5) * cell
    places = inner.x + centers, inner.y + centers
    picture += cell_numbers(inner, places, values, (cell, cell), (-limit, limit), theme.diverging)
    for at, width in ((middle, 2.4), (middle + 1, 1.4)):
        if at < count:
            corner = inner.x + at * cell, inner.y + at * cell
            picture.append(marks.Rectangle(*corner, cell, cell, outline=theme.ink, outline_width=width))
    edge = Area(inner.x, inner.y, cell, cell)
    return (*picture, *_map_edges(edge, [*map(position, rows)], [*map(position, columns)], middle, theme))


def _around(t: float, n_positions: int) -> tuple[list[float], int]:
    """Up to _SIDE positions of the table a step apart with t among them, and its place there."""
    before, after = math.floor(t), math.floor(n_positions - 1 - t)
    count = min(_SIDE, before + after + 1)
    place = min(max(count // 2, count - 1 - after), before)
    return [t + step - place for step in range(count)], place


def _map_edges(first: Area, rows: Sequence[str], columns: Sequence[str], middle: int, theme: Theme) -> list[marks.Mark]:
    """Positions at the left and above, those of t and t + k alone where there is no room for all; first: a cell."""
    has_all = max(text_width("flag", text) for text in columns) + 4.0 <= first.width
    picture: list[marks.Mark] = []
    for place, (row, column) in enumerate(zip(rows, columns, strict=True)):
        if has_all or place == middle:
            role, color = ("flag", theme.text) if place == middle else ("tick", theme.text3)
            at = (place + 0.5) * first.width
            picture.append(marks.Text(first.x + at, first.y - 10.0, column, role, color, across=0.5))
            if text_width(role, row) <= _LABEL - 6.0:
                picture.append(marks.Text(first.x - 6.0, first.y + at, row, role, color, across=1.0))
    return picture


def _nothing(_moment: Moment) -> tuple[Question, ...]:
    return ()


@record(eq=False)
class _Chapter:
    """claim: the sentence of its figure; failed: that sentence where it fails; steps: of a moment and the answers.

    figure: what stands beside or below the steps, of a moment and the first answer. The rest is at which step it fails:
    with a row of zeros, with f(t) in place of t, where sines or cosines lack, without hands, without powers of a base,
    with one frequency for all hands.
    """

    title: str
    tooltip: str
    claim: str
    failed: str
    steps: Callable[..., Iterator[Step]]
    questions: Callable[[Moment], tuple[Question, ...]] = _nothing
    figure: Callable[[Moment, Any], Block] | None = None
    padded: str = ""
    uneven: str = ""
    unpaired: str = ""
    plain: str = ""
    powers: str = ""
    alike: str = ""


_ZERO_ROW: Final = "Fails for row {row} alone: it is zero"
_NO_BLOCK: Final = f"{_ZERO_ROW}, and no matrix takes it to another row or another row to it."
# The shift on the upper row of the panel, what positions say of each other on the lower one.
CHAPTERS: Final[Mapping[str, _Chapter]] = {
    "log": _Chapter(
        "Log space",
        "From 10000^(2i/d) to e to a logarithm",
        "A power of the base is e to a logarithm",
        "No power of the base to write with e",
        shift.log_steps,
        plain="Fails at the first step: {title} has no frequencies, so there is no power to write with e.",
        powers="Fails at ln(B^x) = x ln B: with this spacing the frequencies are no powers of the base.",
    ),
    "block": _Chapter(
        "Angle sum",
        "How the 2 × 2 block of a pair is found: sine and cosine of a sum",
        "A shift by {k} turns each pair: the sine and the cosine of a sum",
        "Where the sum of angles fails",
        shift.block_steps,
        uneven="Fails at the sine of a sum: the angle at t + k is f(t + k)ω, not f(t)ω plus something that k "
        "alone decides.",
        unpaired="Fails at the sine of a sum: it needs sine and cosine of one angle, and {title} lacks the "
        "other one of {which}.",
        padded=_NO_BLOCK,
        plain="Fails at the sine of a sum: {title} has no sines.",
    ),
    "entries": _Chapter(
        "PE(k)",
        "The matrix whose entries are PE(k)",
        "The matrix of a shift by {k} is made of PE({k})",
        "Where the matrix made of PE(k) fails",
        shift.entry_steps,
        uneven="Fails at the sine of a sum: the angle at t + k is f(t + k)ω, and no row PE(k) holds what is "
        "added to f(t)ω.",
        unpaired="Fails at the first line: it needs sine and cosine of one angle, and {title} lacks the other "
        "one of {which}.",
        padded=_NO_BLOCK,
        plain="Fails at the first line: {title} has no sines.",
    ),
    "system": _Chapter(
        "d × d system",
        "All d × d equations, and why the entries beside the blocks are 0",
        "All entries of the matrix of a shift by {k}, and why most are 0",
        "Where the system of equations fails",
        system.system_steps,
        uneven="Fails where factors are matched: f(t + k)ω is no angle at t plus a constant, so the factors need t.",
        unpaired="Fails where factors are matched: the right side has sine and cosine of one angle, and {title} "
        "lacks the other one of {which}.",
        padded=f"{_ZERO_ROW}, so its equations contradict those of the other rows.",
        plain="Fails where factors are matched: {title} has no sines and cosines that are linearly independent "
        "for all t.",
        alike="Fails at the determinant: all hands turn alike, so other matrices move every position, too.",
        questions=_system_questions,
        figure=_row_strips,
    ),
    "dot": _Chapter(
        "Dot product",
        "The dot product as a sum of cosines",
        "A dot product is a sum of cosines of the offset, {k}",
        "Where the sum of cosines fails",
        distances.dot_steps,
        uneven="Holds up to cos(ω(f(t + k) − f(t))) and fails at the last step: that difference depends on t.",
        unpaired="Fails at the first step: the cosine of a difference needs sin sin and cos cos, and {title} "
        "lacks one for {which}.",
        padded=f"{_ZERO_ROW}, and so is each of its dot products.",
        plain="Fails at the first step: {title} has no sines and cosines.",
    ),
    "distance": _Chapter(
        "Distance",
        "The distance from half the turns",
        "A distance at offset {k} comes from half the turns",
        "Where the distance from half the turns fails",
        distances.distance_steps,
        uneven="Fails at 2 |sin(kω/2)|: hands turn by f(t + k) − f(t), which depends on t.",
        unpaired="Fails at 2 sin²(x/2): it needs the sine and the cosine of one angle, and {title} lacks one "
        "for {which}.",
        padded=f"{_ZERO_ROW}, and lies √(d/2) from every other row.",
        plain="Fails at 2 sin²(x/2): {title} has no angles.",
    ),
    "length": _Chapter(
        "Length",
        "Why every position has the length √(d/2)",
        "Every position has the length √(d/2)",
        "Where the length √(d/2) fails",
        distances.length_steps,
        unpaired="Fails at Pythagoras: sin² + cos² needs both of one angle, and {title} lacks one for {which}.",
        padded=f"{_ZERO_ROW}.",
        plain="Fails at Pythagoras: {title} has no sine and cosine of one angle.",
        questions=_norm_questions,
    ),
    "unique": _Chapter(
        "Unique",
        "Why no two positions have one vector: a proof, its gap, two repairs",
        "No two positions have one vector",
        "What is left of the proof that positions are unique",
        unique.unique_steps,
        unpaired="The proof needs sine and cosine: one of them leaves two angles open, and {title} lacks the "
        "other of {which}.",
        padded="Row {row} is zero and no other is; for the other rows the proof of the sinusoidal encoding holds.",
        plain="There are no hands to prove it with; the page Verdicts of Properties measures it.",
        questions=_nearest_questions,
    ),
    "toeplitz": _Chapter(
        "Toeplitz",
        "Why every diagonal of the dot products holds one number",
        "Every diagonal of dot products holds one number",
        "Where constant diagonals fail",
        distances.toeplitz_steps,
        uneven="Fails at the definition: neighbours on a diagonal differ, for f(t + k) − f(t) depends on t.",
        unpaired="Fails at the definition: without sine and cosine of one angle, products of {which} depend on "
        "t + u too.",
        padded="Fails in row and column {row} alone: they are zero.",
        plain="Fails at the definition: nothing makes a product of rows of {title} depend on the offset alone.",
        questions=_spread_questions,
        figure=_toeplitz_map,
    ),
}


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


def _page_of(state: State) -> str:
    return state.views.derivations.page


def _moment(state: State) -> Moment:
    return moment(state.encoding, state.cursor)


def _questions(state: State) -> tuple[Question, ...]:
    return CHAPTERS[_page_of(state)].questions(_moment(state))


def steps_of(state: State, answers: Answers) -> tuple[Step, ...]:
    """The steps of the chapter that is seen."""
    return _steps(_page_of(state), _moment(state), tuple(map(answers.answer, _questions(state))))


@lru_cache(maxsize=4)
def _steps(chapter: str, moment: Moment, answered: tuple[Any, ...]) -> tuple[Step, ...]:
    return tuple(CHAPTERS[chapter].steps(moment, *answered))


def _block(state: State, answers: Answers) -> Block:
    """The steps below each other, where it fails above them, the map of Toeplitz beside them or last."""
    return _page(_page_of(state), _moment(state), tuple(map(answers.answer, _questions(state))))


@lru_cache(maxsize=4)
def _page(chapter: str, moment: Moment, answered: tuple[Any, ...]) -> Block:
    steps, failed = _steps(chapter, moment, answered), failure(moment.encoding, chapter)
    blocks: list[Block] = [Space(6.0)]
    if failed:
        formulas = () if steps else tuple(Formula(formula, _FORMULA) for formula in moment.encoding.formulas)
        words = Column((Words(failed, "segment", is_paragraph=True), *formulas), gap=5.0)
        blocks += [Named("where it fails", _marked(verdict_sign(FAILS, 16.0), words), failed), Space(6.0)]
    for place, step in enumerate(steps, start=1):
        blocks += [*((Rule(),) if place > 1 else ()), _step(place, step)]
    column, make = Column((*blocks, Space(4.0)), gap=2.0), CHAPTERS[chapter].figure
    if make is None:
        return Live(column)
    figure = Column((Space(6.0), make(moment, *answered[:1])))
    below = Column((column, Grid((_GUTTER, GROW), ((Space(0.0), figure),))))
    beside = Grid((GROW, MAP_SIDE), ((column, figure),), gap=24.0)
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
    if failure(state.encoding, _page_of(state)):
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
    failed = failure(state.encoding, _page_of(state))
    return "\n".join([*lines, failed] if failed else lines)


def _sentence(state: State, _answers: Answers) -> str:
    chapter = CHAPTERS[_page_of(state)]
    if failure(state.encoding, _page_of(state)):
        return f"{chapter.failed}: {state.encoding.title}"
    return chapter.claim.format(k=position(state.cursor.offset))


def _explanation(state: State) -> str:
    return f"{failure(state.encoding, _page_of(state))} {_EXPLANATION}".strip()


_TITLES: Final = {key: chapter.title for key, chapter in CHAPTERS.items()}
_FIRST_ROW: Final = 4
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
                words=dict([*_TITLES.items()][:_FIRST_ROW]),
                below=dict([*_TITLES.items()][_FIRST_ROW:]),
                tooltips={key: chapter.tooltip for key, chapter in CHAPTERS.items()},
                is_in_title=False,
            ),
        ),
    ),
)
