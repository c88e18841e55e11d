"""The measurements of Compare: ten columns of signs, how many hold, and the reading of one cell."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
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
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Layers, Named, Rule, Space, Words, button
from pe_desktop.draw.number_text import copied, power_of_ten, short, whole
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.compare import columns
from pe_desktop.views.compare.columns import GLUE, Known, Line, Shown, in_middle, known_of, lines_of
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, evidence_chart, evidence_curves, verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES

# The room of the counts at the right, in a column of print.
_COUNT_WIDTH, _COMPACT_COUNT = 80.0, 27.0
# Below it the power of ten above a number stands for it where it has no room.
_SMALL: Final = 1e-3
# How the names of the columns are turned, in columns that are narrow, too, and how far they stand over the rows.
_TURNED, _STEEP, _NARROW, _LIFT = -35.0, -60.0, 36.0, 10.0
# The height of the plot of the reading, and of a row; how much higher the one with its numbers is.
_PLOT, _ROW, _MORE = 170.0, 36.0, 20.0
_NOTE: Final = "positions across, dimensions down; each over its own range"
_LEFT: Final = 376.0
_LEGEND: Final = {
    HOLDS: "holds",
    HOLDS_UP_TO: "holds up to some position",
    FAILS: "fails",
    UNDECIDED: "too few positions to tell",
}
# The names in little room.
_SHORT_NAMES: Final = "Fixed Smooth Scales Linear Length Unique Bound Shift Pairs Far"
_SHORT: Final = dict(zip(PROPERTY_NAMES, _SHORT_NAMES.split(), strict=True))
_NOTHING, _NO = Analysis((), 0.0), Space(0.0)
COPIED: Final = tuple(title for name in PROPERTY_NAMES.values() for title in (name, f"{name}, number"))


@record
class _Look:
    """How the measurements are seen: columns in their order, the row with its numbers, all with theirs on paper.

    row, check: the cell that is read.
    """

    keys: tuple[str, ...]
    row: int
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
        keys.sort(key=lambda key: -_count(analysis.measurement(key) for _, analysis in known))
    known.sort(key=lambda row: not row[0].is_chosen)
    numbers = [line.number for line, _ in known]
    chosen = view.row if view.row in numbers else numbers[0]
    return _Look(tuple(keys), chosen, view.check, is_paper), known


def _rank(analysis: Analysis, order: str) -> tuple[float, float]:
    """How far up a row stands: by how many checks it passes, or whether one holds and then by its number."""
    one = analysis.measurement(order)
    number = None if one is None else one.number
    return _count(analysis.measurements if one is None else (one,)), -math.inf if number is None else number


def _count(found: Iterable[Measurement | None]) -> float:
    """How many of some measurements hold; one that holds up to some position is half a check."""
    return sum({HOLDS: 1.0, HOLDS_UP_TO: 0.5}.get(one.verdict, 0.0) for one in found if one is not None)


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
    turned = _TURNED if area.width > _NARROW else _STEEP
    return (marks.Text(area.middle[0], area.bottom - _LIFT, name, role, ink, turned=turned),)


# Formatted once: there are some 200 cells in a frame.
@lru_cache(maxsize=64)
def _shown(line: Line, analysis: Analysis, look: _Look) -> Shown:
    """The cells of a row with its count, and its verdicts; what is not measured yet shows three dots.

    The first press on it reads its measurements below, the next uses its encoding.
    """
    signs = [_cell(line, key, analysis.measurement(key), look) for key in look.keys]
    measured = analysis.measurements
    count = whole(sum(one.verdict == HOLDS for one in measured)) if measured else "…"
    verdicts = ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in measured)
    again = "" if line.is_chosen else "\nPress twice to use this encoding"
    tall, sets = (_ROW + _MORE, line.sets) if line.number == look.row else (_ROW, {"compare.row": line.number})
    cells = (*signs, in_middle(Words(count, "strong", across=0.5)))
    return tall, line.place(verdicts, sets, line.definition + again), cells


def _cell(line: Line, key: str, one: Measurement | None, look: _Look) -> Block:
    """The sign, with its number in the row that is read; under the pointer all that is known."""
    name = f"{PROPERTY_NAMES[key]} in row {line.number}"
    sets = {"compare.row": line.number, "compare.check": key}
    if one is None:
        dots = in_middle(Words("…", "caption", "text3", across=0.5))
        return Named(name, dots, sets=sets, tooltip=f"{PROPERTY_NAMES[key]}: not measured yet")
    is_read = (line.number, key) == (look.row, look.check)
    number = (_number(one),) if look.has_all_numbers or line.number == look.row else ()
    inner = in_middle(verdict_sign(one.verdict), *number)
    if key == look.check and not look.has_all_numbers:
        inner = Layers((Drawn(_frame, (is_read,), 0.0, grows=True), inner))
    return Named(name, inner, sets=sets, tooltip=words.tooltip(one), is_chosen=is_read)


def _frame(area: Area, theme: Theme, is_read: bool) -> marks.Picture:
    looks = (theme.panel, theme.focus, 5.0, 2.0) if is_read else (theme.sunken,)
    return (marks.Rectangle(*area.grown(-1.0, -1.0), *looks),)


def _number(one: Measurement) -> Block:
    """What decides, in the digits that have room; nothing where none has: the tooltip has it, too."""
    text, *shorter = (words.measured_number(one, digits) for digits in (4, 3, 2))
    if one.number is not None and 0.0 < abs(one.number) < _SMALL:
        shorter.append(f"< {power_of_ten(math.floor(math.log10(abs(one.number))) + 1)}")
    ink = "text" if one.verdict == HOLDS else VERDICT_INKS[one.verdict]
    return Words(text, "tick", ink, across=0.5, shorter=(*shorter, ""))


def _foot(known: Known, look: _Look, places: tuple[float, ...]) -> Iterator[Block]:
    """Below each column how many of the encodings hold, and what the signs mean."""
    of = whole(len(known))
    is_known = all(analysis.measurements for _, analysis in known)
    measured = [one for _, analysis in known for one in analysis.measurements]
    n_holding = Counter(one.key for one in measured if one.verdict == HOLDS)
    texts = [whole(n_holding[key]) if is_known else "…" for key in look.keys]
    counts = (Words(f"{text} of {of}", "tick", "text2", 0.5, (f"{text}/{of}", text, "")) for text in texts)
    name = flow.small("encodings that hold", "hold")
    yield flow.in_row(places, _NO, name, *counts, _NO, gap=columns.INSET)
    found = {one.verdict for one in measured}
    shown = [verdict for verdict in _LEGEND if verdict in found or verdict != UNDECIDED]
    signs = (block for one in shown for block in (verdict_sign(one), Words(_LEGEND[one], "caption", "text2")))
    yield Space(6.0)
    yield flow.in_row((0.0, *(18.0, FIT) * len(shown)), _NO, *signs, gap=8.0)


def _heading(line: Line, one: Measurement | None, *, is_low: bool) -> Block:
    """What was found in the cell that is read, over the names of the rows."""
    if one is None:
        return in_middle(Words(f"{line.row.title}: {words.BEING_MEASURED}", "caption", "text3"))
    verdict = words.verdict_text(one)
    forms = f"{words.name(one)}: {verdict}", verdict
    heading, found = Words(f"{line.row.title}, {forms[0]}", "strong", shorter=forms), words.sentence(one)
    told = () if is_low else (flow.paragraph(found),)
    return Named("reading", Column((GLUE, heading, *told, Space(4.0))), f"{heading.text}. {found}")


@lru_cache(maxsize=16)
def _reading(line: Line, one: Measurement, own_one: Measurement | None, own: Encoding) -> Block:
    """What else is known of the cell that is read, where it leads, and the evidence as a curve."""
    left = Column((flow.paragraph(_told(line, one, own), "label"), _presses(line, one)), 8.0)
    return flow.in_row((4.0, _LEFT, GROW), _NO, left, _evidence(line, one, own_one), gap=4.0)


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


def _ends(one: Measurement) -> list[int]:
    """The two positions that decide; zeros where there are none."""
    return [int(one.numbers.get(name) or 0) for name in ("position", "other")]


def _told(line: Line, one: Measurement, own: Encoding) -> str:
    """How far apart the two positions that decide are in the window's encoding, what was measured."""
    ends, told = _ends(one), list[str]()
    if not line.is_chosen and ends != [0, 0] and max(ends) < own.n_positions:
        apart = float(np.linalg.norm(np.diff(own.values(ends), axis=0)))
        told.append(f"In {line.reference} the same two are {short(apart, 4)} apart.")
    return " ".join(filter(None, (*told, words.measured_on(one))))


def _evidence(line: Line, one: Measurement, own: Measurement | None) -> Block:
    """The evidence of the measurement over its axis, that of the window's encoding in grey."""
    if not one.evidence.x.size:
        return _NO
    is_alike = own is not None and own is not one and own.evidence.is_logarithmic == one.evidence.is_logarithmic
    beside = evidence_curves(own.evidence, line.reference, "axis") if own is not None and is_alike else ()
    return evidence_chart(one, line.row.title, beside, _PLOT)


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


def page_in(state: State, answers: Answers, box: Box) -> Block:
    """The names of the columns over the rows, how many hold below, and on the screen the reading of one cell."""
    look, known = look_and_rows(state, answers, is_paper=box.is_paper)
    line, found = next(row for row in known if row[0].number == look.row)
    one, own_one = (analysis.measurement(look.check) for analysis in (found, known[0][1]))
    is_compact = columns.is_compact(box.width)
    if is_compact:
        look = replace(look, row=-1, check="", has_all_numbers=False)
    view, is_low = state.views.compare, columns.is_low(box)
    first = columns.note(_NOTE, box) if box.is_paper else _heading(line, one, is_low=is_low)
    heads = first, *_heads(look, view.sort, is_reversed=view.is_reversed, is_low=is_low)
    rows = {row[0]: _shown(*row, look) for row in known}
    pictures = known_of(state, answers, tables(state, box))
    widths = (*(GROW,) * len(look.keys), _COMPACT_COUNT if is_compact else _COUNT_WIDTH)
    table = columns.rows_block(heads, rows, pictures, widths, box)
    blocks = [table, Rule(3.0), *_foot(known, look, columns.columns_of(box.width, widths))]
    if one is not None and not box.is_paper:
        blocks += [Rule(17.0), _reading(line, one, own_one, state.encoding)]
    return Column(tuple(blocks))


EXPLANATION: Final = (
    "Each row is an encoding: its table where there is room, positions across and dimensions down, each over its own "
    "range, its own definition, and whether ten checks hold, with the number that decides where there is room; at the "
    "right how many it passes, below how many encodings hold. Half a disc holds up to some position."
)
