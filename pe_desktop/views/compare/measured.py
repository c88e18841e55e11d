"""The rows of Compare and their measurements: ten columns of signs, how many hold, and the reading of one cell."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from PySide6.QtGui import QImage

from pe_desktop.caches import told_cache
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.measuring import measurement
from pe_desktop.core.measuring.measurement import FAILS, HOLDS, HOLDS_UP_TO, UNDECIDED, Analysis, Measurement
from pe_desktop.core.number_text import NO_BREAK
from pe_desktop.core.presets import COMPARISONS, PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import kept, record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Ground, Layers, Live, Named, Space, Words
from pe_desktop.draw.number_text import copied, whole
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import plain_formula
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, evidence_chart, evidence_curves, leads_to, verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES

# What is asked of rows waits for what the other panels measure.
RANK: Final = 2
# Narrower pictures are in the form for a column of print: signs or three numbers beside titles.
COMPACT_BELOW: Final = 576.0
_FORMULA_SIZES: Final = (14, 13, 12)
GLUE: Final = Space(0.0, grows=True)

# The height of the names of the columns.
_HEADER: Final = 92.0
# The names of the rows, and the counts at the right; a column of print needs so much.
_NAMES, _COUNT_WIDTH, COMPACT, _COMPACT_NAMES, _COMPACT_COUNT = 224.0, 80.0, 346.0, 98.0, 27.0
# The least room for the names and the cells without tables.
NARROWEST: Final = 752.0
# A pixel for each of 128 positions, or half as many where there is less room.
_TABLE_WIDTHS, _TABLE = (128.0, 64.0), 32.0
# Before the names, and between two cells.
_GAP, _INSET = 16.0, 4.0
# How the names of the columns are turned, in columns that are narrow, too, and how far they stand over the rows.
_TURNED, _STEEP, _NARROW, _LIFT = -35.0, -60.0, 39.0, 10.0
# The height of the plot of the reading, and of a row; how much higher the one with its numbers is.
_PLOT, _ROW, _MORE = 170.0, 36.0, 20.0
_LEFT: Final = 376.0
# Which row has its numbers, in place of one.
_NONE, _EVERY = -1, -2
_SIGNS: Final = {
    HOLDS: "holds", HOLDS_UP_TO: "holds up to some position", FAILS: "fails", UNDECIDED: "too few positions to tell"
}  # fmt: skip
_NOTHING, _NO = Analysis((), 0.0), Space(0.0)


@record
class Line:
    """A row of the list: its encoding, and what the window's own, with which all are compared, is called.

    number: from 1 on, 0 for the window's own where it is none of the list.
    """

    number: int
    is_chosen: bool
    reference: str
    row: Compared = field(hash=False)

    @cached_property
    def sets(self) -> dict[str, Any]:
        """What using its encoding sets: its preset, nothing of the chosen one."""
        return {} if self.row.preset is None or self.is_chosen else {"preset": self.row.preset.id}

    def place(self, value: str, sets: dict[str, Any], tooltip: str) -> Named:
        """The place of its row: a line above, under the chosen one a ground."""
        ground = Drawn(_ground, (self.is_chosen,), 0.0, grows=True)
        return Named(f"row {self.number}: {self.row.title}", ground, value, sets, tooltip, self.is_chosen)

    @cached_property
    def name(self) -> Block:
        """The title and the first line of the definition, in the largest type that has room; else it is left out."""
        sized = [flow.Formula(line, size, "text2") for line in self.row.formulas[:1] for size in _FORMULA_SIZES]
        return in_middle(Column((Words(self.row.title, "strong"), Fits((*sized, Space(0.0))))))

    @cached_property
    def title(self) -> Block:
        """The title alone, in lines, none of which ends within a formula."""
        return in_middle(flow.paragraph(self.row.title.replace(" + ", f"{NO_BREAK}+{NO_BREAK}"), "flag", "text"))


# Each row, and what is known of it, if anything is asked.
Known: TypeAlias = Sequence[tuple[Line, Any]]


def lines_of(state: State) -> tuple[Line, ...]:
    """The rows of the list, the window's own first where it is none of them; else that of its preset is chosen."""
    preset_id = None if state.preset is None else state.preset.id
    return _lines(state.sizes or Sizes(state.encoding), state.encoding, preset_id, state.views.compare.list)


@kept
def _lines(before: Sizes, encoding: Encoding, preset_id: str | None, name: str) -> tuple[Line, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    rows = comparison(before, encoding, preset, name)
    # The window's own is always among them, some conventions are equal.
    chosen = max((row for row in rows if row.encoding == encoding), key=lambda row: row.preset == preset)
    numbered = enumerate(rows, 1 - (len(rows) > len(COMPARISONS[name])))
    return tuple(Line(number, row is chosen, chosen.title, row) for number, row in numbered)


def known_of(state: State, answers: Answers, asked: Sequence[Question]) -> Known:
    return list(zip(lines_of(state), map(answers.answer, asked), strict=False))


def copied_rows(known: Known, titles: Sequence[str], texts: Callable[[Line, Any], Sequence[str]]) -> str:
    """Names of all rows, and texts of those that are known, under their titles."""
    rows = ("Encoding", *titles), *((line.row.title, *(texts(line, found) if found else ())) for line, found in known)
    return "\n".join(map("\t".join, rows))


def in_middle(*blocks: Block) -> Block:
    """Blocks with equal gaps in the height of a row."""
    return Column((GLUE, *(one for block in blocks for one in (block, GLUE))))


def _ground(area: Area, theme: Theme, is_chosen: bool) -> marks.Picture:
    line = marks.lines((area.x, area.y - 0.5, area.right, area.y - 0.5), theme.line)
    return (line, *(Ground().draw(area, theme) if is_chosen else ()))


@record
class _Look:
    """How the measurements are seen: columns in their order, and the cell that is read by its row and its check."""

    keys: tuple[str, ...]
    row: int
    check: str


def look_and_rows(state: State, answers: Answers) -> tuple[_Look, Known]:
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
    return _Look(tuple(keys), view.row if view.row in numbers else numbers[0], view.check), known


def _rank(analysis: Analysis, order: str) -> tuple[float, float]:
    """How far up a row stands: by how many checks it passes, or whether one holds and then by its number."""
    one = analysis.measurement(order)
    number = None if one is None else one.number
    return _count(analysis.measurements if one is None else (one,)), -math.inf if number is None else number


def _count(found: Iterable[Measurement | None]) -> float:
    """How many of some measurements hold; one that holds up to some position is half a check."""
    return sum({HOLDS: 1.0, HOLDS_UP_TO: 0.5}.get(one.verdict, 0.0) for one in found if one is not None)


def _heads(look: _Look, order: str, is_reversed: bool) -> list[Block]:
    """The names of the columns, turned, that of the one that is read in ink; a press sorts the rows."""
    heads, (arrow, way) = list[Block](), ("↑", "the least first") if is_reversed else ("↓", "the most first")
    for key in (*look.keys, "passed"):
        is_order = key == order
        name, says = PROPERTY_NAMES.get(key, "hold"), "How many checks hold"
        text, press, value = (f"{name} {arrow}", "turn the order", way) if is_order else (name, "sort by it", "")
        sets: dict[str, Any] = {"compare.sort": key, "compare.is_reversed": is_order and not is_reversed}
        head: Block = Column((GLUE, flow.small(text, name, "", across=0.5), Space(4.0)))
        if key in PROPERTY_NAMES:
            head = Drawn(_head, (text, key == look.check), 0.0, grows=True)
            says = measurement.PROPERTIES[key].says
            sets["compare.check"] = key
        heads.append(Named(f"sort by {name}", head, value, sets, f"{says}.\nPress to {press}", is_order))
    return heads


def _head(area: Area, theme: Theme, name: str, is_strong: bool) -> marks.Picture:
    role, ink = ("flag", theme.text) if is_strong else ("segment", theme.text2)
    turned = _TURNED if area.width > _NARROW else _STEEP
    return (marks.Text(area.middle[0], area.bottom - _LIFT, name, role, ink, turned=turned),)


def _name(line: Line, picture: QImage | None, width: float) -> Block:
    """The table of a row, where a picture of a width has room for it, and its name."""
    name, table = line.title if width < COMPACT_BELOW else line.name, _table_width(width)
    drawn = Live(Drawn(_table, (picture,), _TABLE))
    return flow.in_row((table, GROW), in_middle(drawn), name, gap=_GAP) if table else name


# Formatted once: there are some 200 cells in a frame.
@told_cache(64)
def _shown(line: Line, analysis: Analysis, look: _Look) -> tuple[Named, Block, tuple[Block, ...]]:
    """The place, the height and the cells of a row; what is not measured yet shows three dots.

    The first press on it reads its measurements, the next uses its encoding.
    """
    signs = [_cell(line, key, analysis.measurement(key), look) for key in look.keys]
    measured = analysis.measurements
    count = whole(sum(one.verdict == HOLDS for one in measured)) if measured else "…"
    verdicts = ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in measured)
    preset, is_read = line.row.preset, line.number == look.row
    sentence = () if preset is None else (preset.sentence,)
    again = () if line.is_chosen else ("Press twice to use this encoding",)
    says = "\n".join((line.row.title, *map(plain_formula, line.row.formulas), *sentence, *again))
    place = line.place(verdicts, line.sets if is_read else {"compare.row": line.number}, says)
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
    number = (_number(one),) if look.row in (line.number, _EVERY) else ()
    inner = in_middle(verdict_sign(one.verdict), *number)
    if is_read:
        inner = Layers((Drawn(_frame, (), 0.0, grows=True), inner))
    return Named(name, inner, sets=sets, tooltip=words.tooltip(one), is_chosen=is_read)


def pointed(state: State, answers: Answers, name: str) -> Block | None:
    """The cell of a name with its number, where its row has none."""
    look, known = look_and_rows(state, answers)
    rows = (_shown(*row, replace(look, row=_EVERY, check=""))[2] for row in known if row[0].number != look.row)
    return next((cell for row in rows for cell in row if isinstance(cell, Named) and cell.name == name), None)


def _frame(area: Area, theme: Theme) -> marks.Picture:
    return (marks.Rectangle(*area.grown(-1.0, -1.0), theme.panel, theme.focus, 5.0, 2.0),)


def _number(one: Measurement) -> Block:
    """What decides, in the digits that have room; nothing where none has: the tooltip has it, too."""
    text, *shorter = (words.deciding_number(one, digits) for digits in (4, 3, 2))
    ink = "text" if one.verdict == HOLDS else VERDICT_INKS[one.verdict]
    return Words(text, "tick", ink, across=0.5, shorter=(*shorter, ""))


def _foot(known: Known, look: _Look, widths: tuple[float, ...]) -> Block:
    """Below each column how many of the encodings hold; what the signs say."""
    of, counts = whole(len(known)), list[Block]()
    for key in look.keys:
        found = [analysis.measurement(key) for _, analysis in known]
        n = whole(sum(one.verdict == HOLDS for one in found if one)) if all(found) else "…"
        counts.append(Words(f"{n} of {of}", "tick", "text2", 0.5, (f"{n}/{of}", n, "")))
    row = flow.in_row(widths, _NO, flow.small("encodings that hold", "hold"), *counts, _NO, gap=_INSET)
    signs = flow.Fits((_signs(*_SIGNS), Column((_signs(HOLDS, HOLDS_UP_TO), _signs(FAILS, UNDECIDED)))))
    return Column((row, Space(6.0), signs))


def _signs(*verdicts: str) -> Block:
    """What signs say, beside each other."""
    parts = (part for one in verdicts for part in (verdict_sign(one), Words(_SIGNS[one], "caption", "text2")))
    return flow.in_row((0.0, *(18.0, FIT) * len(verdicts)), _NO, *parts, gap=8.0)


def _heading(line: Line, one: Measurement | None) -> Block:
    """What was found in the cell that is read, over the names of the rows."""
    if one is None:
        return in_middle(Words(f"{line.row.title}: {words.BEING_MEASURED}", "caption", "text3"))
    forms = f"{words.name(one)}: {words.verdict_text(one)}", words.verdict_text(one)
    heading, found = Words(f"{line.row.title}, {forms[0]}", "strong", shorter=forms), words.sentence(one)
    return Named("reading", Column((GLUE, heading, flow.paragraph(found), Space(4.0))), f"{heading.text}. {found}")


@told_cache(16)
def _reading(line: Line, one: Measurement, own: Measurement | None) -> Block:
    """On what the cell that is read was measured, where it leads, and the evidence: the window's own curve in grey."""
    leads, where = [] if line.is_chosen else [flow.button("Use this encoding", line.sets)], leads_to(one)
    if where:
        # These are positions of the plots, not places of words.
        closed = {f"{name}.is_open": False for name in ("attention", "study", "compare")}
        ends = whole(where["position"]), whole(where["position"] + where["offset"])
        leads.append(flow.button(f"Go to {', '.join(ends)}", {**line.sets, **closed, **where}))
    presses = flow.in_row((FIT,) * len(leads), *leads, gap=10.0) if leads else _NO
    left = Column((flow.paragraph(words.measured_on(one), "label"), presses), 8.0)
    is_alike = own is not None and own is not one and own.evidence.is_logarithmic == one.evidence.is_logarithmic
    beside = evidence_curves(own.evidence, line.reference, "axis") if own is not None and is_alike else ()
    chart = evidence_chart(one, line.row.title, beside, _PLOT) if one.evidence.x.size else _NO
    return flow.in_row((4.0, _LEFT, GROW), _NO, left, chart, gap=4.0)


def tables(state: State, box: Box) -> Questions:
    """The picture of each encoding in so many pixels; none without room."""
    size = round(_table_width(box.width) * (not box.is_bare) * box.pixel_ratio), round(_TABLE * box.pixel_ratio)
    drawn = size, box.theme.diverging.tobytes()
    lines = lines_of(state) if size[0] and state.views.compare.shows == "measurements" else ()
    return tuple(Question("table", _image, (line.row.encoding, *drawn), RANK, takes="nothing") for line in lines)


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


def _copied_row(_line: Line, analysis: Analysis) -> list[str]:
    """Its verdicts and their numbers, one after the other."""
    found = map(analysis.measurement, PROPERTY_NAMES)
    pairs = (("", "") if one is None else (words.verdict_text(one), copied(one.number)) for one in found)
    return [text for pair in pairs for text in pair]


def readout(state: State, answers: Answers) -> str:
    titles = [title for name in PROPERTY_NAMES.values() for title in (name, f"{name}, number")]
    return copied_rows(known_of(state, answers, questions(state)), titles, _copied_row)


def questions(state: State) -> Questions:
    return tuple(replace(analysis_of(line.row.encoding), rank=RANK) for line in lines_of(state))


def page_in(state: State, answers: Answers, box: Box) -> Block:
    """The names of the columns over the rows, how many hold below, and on the screen the reading of one cell."""
    look, known = look_and_rows(state, answers)
    width = min(box.width, NARROWEST) if box.is_bare else box.width
    line, found = next(row for row in known if row[0].number == look.row)
    one, own_one = (analysis.measurement(look.check) for analysis in (found, known[0][1]))
    is_compact = box.width < COMPACT_BELOW
    if is_compact or box.is_paper:
        look = replace(look, row=_NONE if is_compact else _EVERY, check="")
    note = Column((GLUE, flow.small("Encoding", ""), Space(4.0)))
    first = note if box.is_paper else _heading(line, one)
    head = Space(_HEADER - 1.0), first, *_heads(look, state.views.compare.sort, state.views.compare.is_reversed)
    names, count = cells_left(width) - _GAP / 2 - _INSET, _COMPACT_COUNT if is_compact else _COUNT_WIDTH
    widths = (_GAP / 2 - _INSET, names, *(GROW,) * len(look.keys), count)
    pictures = dict(known_of(state, answers, tables(state, box)))
    shown = [(*_shown(*row, look), _name(row[0], pictures.get(row[0]), width)) for row in known]
    rows = head, *((tall, name, *signs) for _, tall, signs, name in shown)
    grid = Grid(widths, rows, (None, *(place for place, *_ in shown)), _INSET, 1.0)
    blocks = [grid, flow.Rule(3.0), _foot(known, look, widths)]
    if one is not None and not box.is_paper:
        blocks += [flow.Rule(17.0), _reading(line, one, own_one)]
    return Column(tuple(blocks))
