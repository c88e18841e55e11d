"""The measurements of Compare: ten columns of signs, how many hold, and the reading of one cell."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.measuring import measurement
from pe_desktop.core.measuring.measurement import FAILS, HOLDS, HOLDS_UP_TO, UNDECIDED, Analysis, Measurement
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Grid, Layers, Live, Named, Rule, Space, Words, button
from pe_desktop.draw.number_text import copied, power_of_ten, whole
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.languages import briefly
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.compare import rows
from pe_desktop.views.compare.rows import COMPACT_BELOW, GLUE, Known, Line, in_middle, known_of, lines_of
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, evidence_chart, evidence_curves, leads_to, verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES

# The height of the names of the columns; where less of the page is seen, they stay in sight on a line of their own.
_HEADER, _LOW, _LOW_HEADER = 92.0, 320.0, 26.0
# The names of the rows, and the counts at the right; a column of print needs so much.
_NAMES, _COUNT_WIDTH, COMPACT, _COMPACT_NAMES, _COMPACT_COUNT = 224.0, 80.0, 346.0, 98.0, 27.0
# The least room for the names and the cells without tables.
NARROWEST: Final = 752.0
# A pixel for each of 128 positions, or half as many where there is less room.
_TABLE_WIDTHS, _TABLE = (128.0, 64.0), 32.0
# Before the names, and between two cells.
_GAP, _INSET = 16.0, 4.0
# Below it the power of ten above a number stands for it where it has no room.
_SMALL: Final = 1e-3
# How the names of the columns are turned, in columns that are narrow, too, and how far they stand over the rows.
_TURNED, _STEEP, _NARROW, _LIFT = -35.0, -60.0, 39.0, 10.0
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
_SHORT: Final = dict(zip(measurement.PROPERTY_KEYS, _SHORT_NAMES.split(), strict=True))
_NOTHING, _NO = Analysis((), 0.0), Space(0.0)


# A row: its place, and what stands in it.
_Row: TypeAlias = tuple[Named, tuple[Block, ...]]


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


def _heads(look: _Look, order: str, is_reversed: bool, *, is_low: bool) -> list[Block]:
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
                head = in_middle(Words(text, role, ink, 0.5, (briefly(_SHORT[key]),)))
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


def _row(line: Line, analysis: Analysis, look: _Look, picture: QImage | None, width: float) -> _Row:
    """A row in a picture of a width: its place, its height, name, signs, and how many hold."""
    place, tall, cells = _shown(line, analysis, look)
    name, table = line.title if width < COMPACT_BELOW else line.name, _table_width(width)
    if table:
        drawn = Live(Drawn(_table, (picture,), _TABLE))
        name = flow.in_row((table, GROW), in_middle(drawn), name, gap=_GAP)
    return place, (tall, name, *cells)


# Formatted once: there are some 200 cells in a frame.
@lru_cache(maxsize=64)
def _shown(line: Line, analysis: Analysis, look: _Look) -> tuple[Named, Block, tuple[Block, ...]]:
    """The place, the height and the cells of a row; what is not measured yet shows three dots.

    The first press on it reads its measurements, the next uses its encoding.
    """
    signs = [_cell(line, key, analysis.measurement(key), look) for key in look.keys]
    measured = analysis.measurements
    count = whole(sum(one.verdict == HOLDS for one in measured)) if measured else "…"
    verdicts = ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in measured)
    again = "" if line.is_chosen else "\nPress twice to use this encoding"
    is_read = line.number == look.row
    place = line.place(verdicts, line.sets if is_read else {"compare.row": line.number}, line.definition + again)
    tall = Space(_ROW + (_MORE if is_read else 0.0) - 1.0)
    return place, tall, (*signs, in_middle(Words(count, "strong", across=0.5)))


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
    text, *shorter = (words.deciding_number(one, digits) for digits in (4, 3, 2))
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
    yield flow.in_row(places, _NO, name, *counts, _NO, gap=_INSET)
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
def _reading(line: Line, one: Measurement, own_one: Measurement | None) -> Block:
    """On what the cell that is read was measured, where it leads, and the evidence as a curve."""
    left = Column((flow.paragraph(words.measured_on(one), "label"), _presses(line, one)), 8.0)
    return flow.in_row((4.0, _LEFT, GROW), _NO, left, _evidence(line, one, own_one), gap=4.0)


def _presses(line: Line, one: Measurement) -> Block:
    """What uses the encoding that is read, and what goes to the two positions that decide."""
    leads = [] if line.is_chosen else [button("Use this encoding", line.sets)]
    where = leads_to(one)
    if where:
        # These are positions of the plots, not places of words.
        closed = {f"{name}.is_open": False for name in ("attention", "study", "compare")}
        ends = whole(where["position"]), whole(where["position"] + where["offset"])
        leads.append(button(f"Go to {', '.join(ends)}", {**line.sets, **closed, **where}))
    return flow.in_row((FIT,) * len(leads), *leads, gap=10.0) if leads else _NO


def _evidence(line: Line, one: Measurement, own: Measurement | None) -> Block:
    """The evidence of the measurement over its axis, that of the window's encoding in grey."""
    if not one.evidence.x.size:
        return _NO
    is_alike = own is not None and own is not one and own.evidence.is_logarithmic == one.evidence.is_logarithmic
    beside = evidence_curves(own.evidence, line.reference, "axis") if own is not None and is_alike else ()
    return evidence_chart(one, line.row.title, beside, _PLOT)


def tables(state: State, box: Box) -> Questions:
    """The picture of each encoding in so many pixels; none without room."""
    size = round(_table_width(box.width) * box.pixel_ratio), round(_TABLE * box.pixel_ratio)
    drawn = size, box.theme.diverging.tobytes()
    lines = lines_of(state) if size[0] else ()
    return tuple(Question("table", _image, (line.row.encoding, *drawn), rows.RANK, takes="nothing") for line in lines)


def _image(encoding: Encoding, size: tuple[int, int], colors: bytes) -> QImage:
    """All positions from left to right, all dimensions from top to bottom; it may be called from any thread.

    A pixel over cells shows their mean; where it would mix sines with cosines, sines stand over all cosines.
    """
    field = HalvesField(encoding) if is_halved(encoding, encoding.d_model, size[1]) else EncodingField(encoding)
    n_rows, n_columns = field.shape
    return HeatMap().image(field, View(0.0, float(n_rows), 0.0, float(n_columns)), size, color_table(colors))


def _table(area: Area, theme: Theme, image: QImage | None) -> marks.Picture:
    """The picture of a table; nothing until it is known."""
    return () if image is None else (marks.Raster(*area, image),)


def _table_width(width: float) -> float:
    """How wide the table of a row is drawn in a picture of a width; 0 where there is no room."""
    return next((wide for wide in _TABLE_WIDTHS if wide <= width - NARROWEST - _GAP), 0.0)


def cells_left(width: float) -> float:
    """Where the cells begin in a picture of a width."""
    table = _table_width(width)
    return _GAP / 2 + (_COMPACT_NAMES if width < COMPACT_BELOW else _NAMES) + (table + _GAP if table else 0.0)


def _copied_row(_line: Line, analysis: Analysis | None) -> list[str]:
    """Its verdicts and their numbers, one after the other."""
    found = map((analysis or _NOTHING).measurement, PROPERTY_NAMES)
    pairs = (("", "") if one is None else (words.verdict_text(one), copied(one.number)) for one in found)
    return [text for pair in pairs for text in pair]


def readout(state: State, answers: Answers) -> str:
    titles = [title for name in PROPERTY_NAMES.values() for title in (name, f"{name}, number")]
    return rows.copied_rows(known_of(state, answers, questions(state)), titles, _copied_row)


def questions(state: State) -> Questions:
    return tuple(replace(analysis_of(line.row.encoding), rank=rows.RANK) for line in lines_of(state))


def page_in(state: State, answers: Answers, box: Box) -> Block:
    """The names of the columns over the rows, how many hold below, and on the screen the reading of one cell."""
    look, known = look_and_rows(state, answers, is_paper=box.is_paper)
    line, found = next(row for row in known if row[0].number == look.row)
    one, own_one = (analysis.measurement(look.check) for analysis in (found, known[0][1]))
    is_compact, is_low = box.width < COMPACT_BELOW, box.visible is not None and box.visible.height < _LOW
    if is_compact:
        look = replace(look, row=-1, check="", has_all_numbers=False)
    note = Column((GLUE, flow.small(_NOTE if _table_width(box.width) else "Encoding", ""), Space(4.0)))
    first = note if box.is_paper else _heading(line, one, is_low=is_low)
    heads = first, *_heads(look, state.views.compare.sort, state.views.compare.is_reversed, is_low=is_low)
    cells = (GROW,) * len(look.keys)
    widths = (*cells, _COMPACT_COUNT if is_compact else _COUNT_WIDTH)
    places = (_GAP / 2 - _INSET, cells_left(box.width) - _GAP / 2 - _INSET, *widths)
    pictures = dict(known_of(state, answers, tables(state, box)))
    shown = [_row(*row, look, pictures.get(row[0]), box.width) for row in known]
    blocks = [_grid(heads, shown, places, box, is_low=is_low), Rule(3.0), *_foot(known, look, places)]
    if one is not None and not box.is_paper:
        blocks += [Rule(17.0), _reading(line, one, own_one)]
    return Column(tuple(blocks))


def _grid(heads: Sequence[Block], shown: Sequence[_Row], places: tuple[float, ...], box: Box, *, is_low: bool) -> Block:
    """The heads over the rows; of a page that is seen in part they stand over what is seen of it."""
    head = Space((_LOW_HEADER if is_low else _HEADER) - 1.0), *heads
    top = (head[0], *[_NO] * len(heads)) if is_low else head
    named = (None, *(place for place, _ in shown))
    grid = Grid(places, (top, *(cells for _, cells in shown)), named, _INSET, 1.0)
    if box.visible is None or not is_low:
        return grid
    pinned = Layers((Drawn(_cover, (), _LOW_HEADER), Grid(places, (head,), gap=_INSET)))
    below = max(grid.height(box.width) - box.visible.y - _LOW_HEADER, 0.0)
    return Layers((grid, Live(Column((Space(box.visible.y), pinned, Space(below))))))


def _cover(area: Area, theme: Theme) -> marks.Picture:
    """What hides the rows that are scrolled below."""
    return (marks.Rectangle(*area, theme.panel),)


EXPLANATION: Final = (
    "Each row is an encoding: its table where there is room, positions across and dimensions down, each over its own "
    "range, its own definition, and whether ten checks hold, with the number that decides where there is room; at the "
    "right how many it passes, below how many encodings hold. Half a disc holds up to some position."
)
