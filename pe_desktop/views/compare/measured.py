"""The measurements of Compare: ten columns of signs, how many hold, and the reading of one cell."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.measuring import measurement
from pe_desktop.core.measuring.measurement import FAILS, HOLDS, HOLDS_UP_TO, UNDECIDED, Analysis, Measurement
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Layers, Live, Named, Rule, Space, Words, button
from pe_desktop.draw.number_text import copied, power_of_ten, short, whole
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.compare import columns
from pe_desktop.views.compare.columns import GLUE, HEADER_HEIGHT, Known, Line, Shown, in_middle, known_of, lines_of
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES, deciding_number

# How far apart the columns are at least and at most, and the room of the counts at their right, in a column of print.
_PITCHES: Final = (44.0, 84.0)
_COUNT_WIDTH, _COMPACT_COUNT, _SIGN_HEIGHT = 80.0, 27.0, 18.0
# A zero has no logarithm: it stands at the foot.
_LEAST: Final = 1e-17
# Below it the power of ten above a number stands for it where it has no room.
_SMALL: Final = 1e-3
# How the names of the columns are turned, and how far they stand over the rows.
_TURNED, _STEEP, _LIFT = -35.0, -60.0, 10.0
# The least and the most height of the reading, and of one in a line, for which the screen has room below the page.
_READING_HEIGHT, TALLEST, BELOW = 226.0, 330.0, 34.0
# The least and the most of a row, how much higher the one with its numbers is, what stands below all.
_ROWS, _MORE, _FOOT = (36.0, 44.0), 20.0, 58.0
_NOTE: Final = "positions across, dimensions down; each over its own range"
_LEFT, _BESIDE = 384.0, 640.0
_LEGEND: Final = {
    HOLDS: "holds",
    HOLDS_UP_TO: "holds up to some position",
    FAILS: "fails",
    UNDECIDED: "too few positions to tell",
}
# What is said of an encoding where it holds, and where it does not.
_PHRASES: Final[Mapping[str, tuple[str, str]]] = {
    "deterministic": ("is the same each time", "is drawn at random"),
    "smooth": ("is smooth", "is not smooth"),
    "scales": ("has hands at many scales", "has no hands at many scales"),
    "linear_shift": ("shifts by one matrix", "has pairs that no 2 × 2 matrix shifts"),
    "norm": ("has vectors of one length", "has vectors of several lengths"),
    "unique": ("is unique", "is not unique"),
    "bounded": ("stays bounded", "grows without bound"),
    "shift_invariant": ("looks the same from every t", "looks different from other t"),
    "periodic": ("has pairs that repeat", "has no pairs that repeat"),
    "far": ("keeps far positions far", "brings far positions near"),
}
# The names in little room.
_SHORT_NAMES: Final = "Fixed Smooth Scales Linear Length Unique Bound Shift Pairs Far"
_SHORT: Final = dict(zip(PROPERTY_NAMES, _SHORT_NAMES.split(), strict=True))
_NOTHING, _NO = Analysis((), 0.0), Space(0.0)
COPIED: Final = tuple(title for name in PROPERTY_NAMES.values() for title in (name, f"{name}, number"))


@record
class _Look:
    """How the measurements are seen: columns in their order, the row with its numbers, all with theirs on paper.

    read, check: the cell that is read below.
    """

    keys: tuple[str, ...]
    row: int
    read: int
    check: str
    has_all_numbers: bool


def look_and_rows(state: State, answers: Answers, *, is_paper: bool = False) -> tuple[_Look, Known]:
    """Columns by how many encodings hold, and rows by how many checks they pass or by one, the window's own first.

    Both stand in the order of the list until all is measured: nothing moves meanwhile.
    """
    view, keys = state.views.compare, list(PROPERTY_NAMES)
    known = [(line, analysis or _NOTHING) for line, analysis in known_of(state, answers, questions(state))]
    if all(analysis.is_complete for _, analysis in known):
        known.sort(key=lambda row: _rank(row[1], view.sort), reverse=not view.is_reversed)
        keys.sort(key=lambda key: -_count_of(known, key))
    known.sort(key=lambda row: not row[0].is_chosen)
    numbers = [line.number for line, _ in known]
    chosen = view.row if view.row in numbers else numbers[0]
    return _Look(tuple(keys), chosen, chosen, view.check, is_paper), known


def _rank(analysis: Analysis, order: str) -> tuple[float, float]:
    """How far up a row stands: by how many checks it passes, or whether one holds and then by its number."""
    one = analysis.measurement(order)
    number = None if one is None else one.number
    return _count(analysis.measurements if one is None else (one,)), -math.inf if number is None else number


def _count(found: Iterable[Measurement | None]) -> float:
    """How many of some measurements hold; one that holds up to some position is half a check."""
    return sum({HOLDS: 1.0, HOLDS_UP_TO: 0.5}.get(one.verdict, 0.0) for one in found if one is not None)


def _count_of(known: Known, key: str) -> float:
    """How many encodings hold in a column."""
    return _count(analysis.measurement(key) for _, analysis in known)


def _count_texts(measured: Sequence[Measurement]) -> tuple[str, str]:
    """How many checks hold, the longest first: 9, 1 in part; 9."""
    verdicts = [one.verdict for one in measured]
    n_hold = whole(verdicts.count(HOLDS))
    n_parts = verdicts.count(HOLDS_UP_TO)
    return f"{n_hold}, {whole(n_parts)} in part" if n_parts else n_hold, n_hold


def _widths(width: float) -> tuple[float, ...]:
    """How wide the columns of a picture of a width are."""
    room, count = columns.cells_room(width), len(PROPERTY_NAMES)
    if columns.is_compact(width):
        return (*((room - _COMPACT_COUNT) / count,) * count, _COMPACT_COUNT)
    pitch = min(max((room - _COUNT_WIDTH) / count, _PITCHES[0]), _PITCHES[1])
    return (*(pitch,) * count, max(room - pitch * count, _COUNT_WIDTH))


def _heads(look: _Look, order: str, *, is_reversed: bool, is_low: bool) -> list[Block]:
    """The names of the columns, turned unless is_low, that of the one that is read in ink; a press sorts the rows."""
    heads, (arrow, way) = list[Block](), ("↑", "the least first") if is_reversed else ("↓", "the most first")
    for key in (*look.keys, "passed"):
        is_order = key == order
        name = PROPERTY_NAMES.get(key, "hold")
        says = "How many checks hold"
        text, press, value = (f"{name} {arrow}", "turn the order", way) if is_order else (name, "sort by it", "")
        sets: dict[str, Any] = {"compare.sort": key, "compare.is_reversed": is_order and not is_reversed}
        head: Block = Column((GLUE, flow.small(text, name, "", across=0.5), Space(4.0)))
        if key in PROPERTY_NAMES:
            if is_low:
                role, ink = ("flag", "text") if key == look.check else ("tick", "text2")
                head = in_middle(Words(text, role, ink, 0.5, (_SHORT[key],)))
            else:
                head = Drawn(_head, (text, key == look.check), 0.0, grows=True)
            says = measurement.PROPERTIES[key].says
            sets["compare.check"] = key
        # Names that stay in sight are not what the page is scrolled to.
        is_chosen = is_order and not is_low
        heads.append(Named(f"sort by {name}", head, value, sets, f"{says}.\nPress to {press}", is_chosen))
    return heads


def _head(area: Area, theme: Theme, name: str, is_strong: bool) -> marks.Picture:
    role, ink = ("flag", theme.text) if is_strong else ("segment", theme.text2)
    turned = _TURNED if area.width > 0.9 * _PITCHES[0] else _STEEP
    return (marks.Text(area.middle[0], area.bottom - _LIFT, name, role, ink, turned=turned),)


def _sign_block(verdict: str) -> Block:
    """A check, half a disc or a cross; an open circle where too little is known."""
    return verdict_sign(verdict) if verdict in (HOLDS, FAILS) else Drawn(_disc, (verdict,), _SIGN_HEIGHT)


def _disc(area: Area, theme: Theme, verdict: str) -> marks.Picture:
    (x, y), ink = area.middle, getattr(theme, VERDICT_INKS[verdict])
    ring = marks.Rings(x, y, np.array([5.5]), ink, 1.5)
    # A thick arc at half of the radius fills the left half of the disc.
    return (ring, marks.Arc(x, y, 2.75, np.pi, np.pi, ink, 5.5)) if verdict == HOLDS_UP_TO else (ring,)


# Formatted once: there are some 200 cells in a frame.
@lru_cache(maxsize=64)
def _shown(line: Line, analysis: Analysis, look: _Look, tall: float) -> Shown:
    """The cells of a row with its count, and its verdicts; what is not measured yet shows three dots.

    The first press on it reads its measurements below, the next uses its encoding.
    """
    signs = [_cell(line, key, analysis.measurement(key), look) for key in look.keys]
    measured = analysis.measurements
    count, *shorter = _count_texts(measured) if measured else ("…",)
    verdicts = ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in measured)
    again = "" if line.is_chosen else "\nPress twice to use this encoding"
    tall, sets = (tall + _MORE, line.sets) if line.number == look.row else (tall, {"compare.row": line.number})
    cells = (*signs, in_middle(Words(count, "strong", "text", 0.5, tuple(shorter))))
    return tall, line.place(verdicts, sets, line.definition + again), cells


def _cell(line: Line, key: str, one: Measurement | None, look: _Look) -> Block:
    """The sign, with its number in the row that is read; under the pointer all that is known."""
    name = f"{PROPERTY_NAMES[key]} in row {line.number}"
    sets = {"compare.row": line.number, "compare.check": key}
    if one is None:
        dots = in_middle(Words("…", "caption", "text3", across=0.5))
        return Named(name, dots, sets=sets, tooltip=f"{PROPERTY_NAMES[key]}: not measured yet")
    is_read = (line.number, key) == (look.read, look.check)
    number = (_number(one),) if is_read or look.has_all_numbers or line.number == look.row else ()
    inner = in_middle(_sign_block(one.verdict), *number)
    if key == look.check and not look.has_all_numbers:
        inner = Layers((Drawn(_frame, (is_read,), 0.0, grows=True), inner))
    return Named(name, inner, sets=sets, tooltip=words.tooltip(one), is_chosen=is_read)


def _frame(area: Area, theme: Theme, is_read: bool) -> marks.Picture:
    looks = (theme.panel, theme.focus, 5.0, 2.0) if is_read else (theme.sunken,)
    return (marks.Rectangle(*area.grown(-1.0, -1.0), *looks),)


def _number(one: Measurement) -> Block:
    """What decides, in the digits that have room; nothing where none has: the reading has it, too."""
    texts = [deciding_number(one, digits) for digits in (4, 3, 2)]
    texts.append(texts[-1].replace(" – ", "–"))
    if one.number is not None and 0.0 < abs(one.number) < _SMALL:
        texts.append(f"< {power_of_ten(math.floor(math.log10(abs(one.number))) + 1)}")
    if one.key == "periodic" and one.verdict == HOLDS:
        texts = [f"{whole(one.number or 0)}{sign}{whole(one.basis.n_all)}" for sign in (" of ", "/")]
    ink = "text" if one.verdict == HOLDS else VERDICT_INKS[one.verdict]
    return Words(texts[0], "tick", ink, across=0.5, shorter=(*texts[1:], ""))


def _foot(known: Known, look: _Look, width: float) -> Iterator[Block]:
    """Below each column how many of the encodings hold, and what the signs mean."""
    is_known, of = all(analysis.measurements for _, analysis in known), len(known)
    measured = ([one for _, analysis in known if (one := analysis.measurement(key)) is not None] for key in look.keys)
    texts = [_count_texts(found)[1] if is_known else "…" for found in measured]
    counts = (Words(f"{text} of {of}", "tick", "text2", 0.5, (f"{text}/{of}", text, "")) for text in texts)
    name = flow.small("encodings that hold", "hold")
    yield flow.in_row(columns.columns_of(width, _widths(width)), _NO, name, *counts, _NO, gap=columns.INSET)
    found = {one.verdict for _, analysis in known for one in analysis.measurements}
    shown = [verdict for verdict in _LEGEND if verdict in found or verdict != UNDECIDED]
    signs = (block for one in shown for block in (_sign_block(one), Words(_LEGEND[one], "caption", "text2")))
    yield Space(6.0)
    yield flow.in_row((0.0, *(18.0, FIT) * len(shown)), _NO, *signs, gap=8.0)


@lru_cache(maxsize=16)
def reading(line: Line, one: Measurement | None, own_one: Measurement | None, own: Encoding, tall: float) -> Block:
    """What was found in the cell that is read: a sentence, a paragraph, the evidence as a curve, where it leads."""
    if one is None:
        return Words(f"{line.row.title}: {words.BEING_MEASURED}", "caption", "text3")
    text = flow.paragraph(_told(line, one, own), "label")
    heading = Words(_heading(line, one), "message", is_paragraph=True, is_for_screen=True)
    below = Column((Space(2.0), _presses(line, one)), 8.0, is_for_screen=True)
    # In a figure the caption tells it, unless there is nothing else.
    left = Column((heading, text, below), 8.0, is_for_screen=one.evidence.x.size > 0)
    both = left, _evidence(line, one, own_one, tall)
    wide = flow.in_row((4.0, _LEFT, GROW), _NO, *both, gap=4.0)
    return Fits((wide, Column(both, gap=8.0)), (_BESIDE, 0.0))


def _over(page: Block, line: Line, one: Measurement, own: Encoding, width: float, end: float) -> Block:
    """The page, and the same in one line over its end, or of what is seen of it; a press there reaches no row."""
    tall = flow.page_height(page, width, is_wide=True)
    top = min(tall, end) - BELOW
    heading, told = _heading(line, one), _told(line, one, own)
    texts = Words(heading, "strong"), Words(told, "caption", "text2", shorter=(words.sentence(one), ""))
    row = flow.in_row((0.0, FIT, GROW, FIT, 0.0), _NO, *map(in_middle, texts), _presses(line, one), _NO, gap=8.0)
    over = Layers((flow.Ground(), Space(BELOW), Column((Space(3.0), row, Space(3.0)))))
    named = Named("reading", over, heading, tooltip=told)
    return Layers((page, Live(Column((Space(top), named, Space(tall - top - BELOW))))))


def _presses(line: Line, one: Measurement) -> Block:
    """What uses the encoding that is read, and what goes to the two positions that decide."""
    ends = _ends(one)
    leads = [] if line.is_chosen else [button("Use this encoding", line.sets)]
    if ends != [0, 0]:
        # These are positions of the plots, not places of words.
        closed = {f"{name}.is_open": False for name in ("attention", "study", "compare")}
        sets = {**line.sets, **closed, "position": float(ends[0]), "offset": float(ends[1] - ends[0])}
        leads.append(button(f"Go to {whole(ends[0])}, {whole(ends[1])}", sets))
    return flow.in_row((FIT,) * len(leads), *leads, gap=10.0) if leads else _NO


def _heading(line: Line, one: Measurement) -> str:
    """The finding as a sentence: Linear spacing is unique up to 94 positions."""
    holds, fails = _PHRASES[one.key]
    if one.verdict == UNDECIDED:
        return f"{line.row.title}, {words.name(one)}: {words.verdict_text(one)}"
    up_to = "" if one.up_to is None else f" up to {whole(one.up_to)} positions"
    return f"{line.row.title} {fails if one.verdict == FAILS else holds}{up_to}"


def _ends(one: Measurement) -> list[int]:
    """The two positions that decide; zeros where there are none."""
    return [int(one.numbers.get(name) or 0) for name in ("position", "other")]


def _told(line: Line, one: Measurement, own: Encoding) -> str:
    """The finding, how far apart the two positions that decide are in the window's encoding, what was measured."""
    ends, told = _ends(one), [words.sentence(one)]
    if not line.is_chosen and ends != [0, 0] and max(ends) < own.n_positions:
        apart = float(np.linalg.norm(np.diff(own.values(ends), axis=0)))
        told.append(f"In {line.reference} the same two are {short(apart, 4)} apart.")
    return " ".join(filter(None, (*told, words.measured_on(one))))


def _evidence(line: Line, one: Measurement, own: Measurement | None, tall: float) -> Block:
    """The evidence of the measurement over its axis, that of the window's encoding in grey."""
    shown, curves = one.evidence, list[Curve]()
    if not shown.x.size:
        return _NO
    is_alike = own is not None and own is not one and own.evidence.is_logarithmic == shown.is_logarithmic
    beside = ((own.evidence, line.reference, "axis"),) if own is not None and is_alike else ()
    for evidence, name, ink in (*beside, (shown, line.row.title, "text")):
        x = evidence.x
        least = _LEAST if evidence.is_logarithmic else -np.inf
        style: Any = "dots" if evidence.kind == "points" else "line"
        rows = np.maximum(evidence.y, least)
        levels = [y for y in evidence.levels if y and len(x)]
        curves += [Curve("" if place else name, x, y, ink, 1.7, style=style) for place, y in enumerate(rows)]
        curves += [Curve("", x[[0, -1]], np.full(2, y), "axis", 1.0, (3.0, 3.0)) for y in levels]
    every = np.concatenate([*(curve.y for curve in curves), shown.levels])
    low, high = float(np.nanmin(every)), float(np.nanmax(every))
    return Chart(
        f"{PROPERTY_NAMES[one.key]}: {shown.y_name}",
        Scale(words.AXES[shown.x_name], float(x[0]), float(max(x[-1], x[0] + 1.0)), False, "positions", shown.x_name),
        Scale("", low, high if high > low else low + 1.0, is_logarithmic=shown.is_logarithmic),
        tuple(curves),
        float(shown.marks[0]) if len(shown.marks) == 1 else None,
        f"{words.meaning(one)}: {deciding_number(one, 4)}",
        tall - 100.0,
    )


def _table(encoding: Encoding, n_pixels: int) -> EncodingField:
    """A pixel over cells shows their mean; where it would mix sines with cosines, sines stand over all cosines."""
    return HalvesField(encoding) if is_halved(encoding, encoding.d_model, n_pixels) else EncodingField(encoding)


def copied_row(_line: Line, analysis: Analysis | None) -> list[str]:
    """Its verdicts and their numbers, under the titles COPIED."""
    found = map((analysis or _NOTHING).measurement, PROPERTY_NAMES)
    pairs = (("", "") if one is None else (words.verdict_text(one), copied(one.number)) for one in found)
    return [text for pair in pairs for text in pair]


def questions(state: State) -> Questions:
    return tuple(replace(analysis_of(line.row.encoding), rank=columns.RANK) for line in lines_of(state))


def tables(state: State, box: Box) -> Questions:
    return columns.table_questions(state, box, _table)


def height(state: State, row: float = _ROWS[0]) -> float:
    """That of all rows and of what stands below them, without the reading."""
    return HEADER_HEIGHT + len(lines_of(state)) * row + _MORE + _FOOT


def page_in(state: State, answers: Answers, box: Box) -> Block:
    """The names of the columns over the rows, how many hold below, and the reading, in a line where it has no room."""
    # Rows share the height that there is, within their limits.
    is_lowest = columns.is_low(box, columns.LOWEST)
    free = box.height - height(state, 0.0) - (0.0 if box.is_paper else BELOW)
    tall = min(max(free / len(lines_of(state)), _ROWS[0]), _ROWS[1])
    end = math.inf if box.visible is None else box.visible.bottom
    look, known = look_and_rows(state, answers, is_paper=box.is_paper)
    if columns.is_compact(box.width):
        look = replace(look, row=-1, check="", has_all_numbers=False)
    elif box.pointer is not None and box.pointer[1] < end - BELOW * (not is_lowest):
        look = _under(*box.pointer, look, known, box, tall)
    rows = {row[0]: _shown(*row, look, tall) for row in known}
    pictures = known_of(state, answers, tables(state, box))
    view, is_low = state.views.compare, columns.is_low(box)
    heads = _heads(look, view.sort, is_reversed=view.is_reversed, is_low=is_low)
    blocks: list[Block] = [columns.rows_block(_NOTE, heads, rows, pictures, _widths(box.width), box), Rule(3.0)]
    blocks += _foot(known, look, box.width)
    room, (line, one, own_one) = box.height - height(state, tall), cell_read(look, known)
    if not box.is_paper and (one is None or room >= _READING_HEIGHT):
        blocks += [Rule(17.0), reading(line, one, own_one, state.encoding, min(room, TALLEST))]
    elif not box.is_paper and one is not None and not is_lowest:
        return _over(Column((*blocks, Space(BELOW))), line, one, state.encoding, box.width, end)
    return Column(tuple(blocks))


def cell_read(look: _Look, known: Known) -> tuple[Line, Measurement | None, Measurement | None]:
    """The row that is read, what is measured in its cell, and the same of the first row."""
    line, found = next(row for row in known if row[0].number == look.read)
    return line, found.measurement(look.check), known[0][1].measurement(look.check)


def reading_sentence(state: State, answers: Answers) -> str:
    line, one, _ = cell_read(*look_and_rows(state, answers))
    return line.row.title if one is None else f"{_heading(line, one)}\n{_told(line, one, state.encoding)}"


def _under(x: float, y: float, look: _Look, known: Known, box: Box, tall: float) -> _Look:
    """The look with the cell under the pointer read; the heights of rows are those of the chosen one."""
    top, head = columns.header_height(box), 0.0
    if columns.is_low(box) and box.visible is not None:
        head = box.visible.y + top
    column = int((x - columns.cells_left(box.width)) // _widths(box.width)[0])
    for line, _ in known:
        below = top + tall + (_MORE if line.number == look.row else 0.0)
        if max(top, head) <= y < below and 0 <= column < len(look.keys):
            return replace(look, read=line.number, check=look.keys[column])
        top = below
    return look


EXPLANATION: Final = (
    "Each row is an encoding: its table where there is room, positions across and dimensions down, each over its own "
    "range, its own definition, and whether ten checks hold, with the number that decides where there is room; at the "
    "right how many it passes, below how many encodings hold. Half a disc holds up to some position."
)
