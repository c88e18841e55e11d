"""The measurements of Compare: ten columns of signs, how many hold, and the reading of one cell."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.measuring.measurement import (
    FAILS,
    HOLDS,
    HOLDS_UP_TO,
    PROPERTIES,
    UNDECIDED,
    Analysis,
    Measurement,
)
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Grid, Ground, Layers, Named, Space, Words
from pe_desktop.draw.number_text import copied, power_of_ten, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Question
from pe_desktop.views.compare.columns import RANK, Cells, Columns, Line, Look, in_middle
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, verdict_mark
from pe_desktop.views.properties.words import PROPERTY_NAMES, deciding_number

# Each row, and what is known of it.
Known: TypeAlias = Sequence[tuple[Line, Analysis | None]]

# How far apart the columns are at least and at most, and the room of the counts at their right; without numbers less.
_PITCHES: Final = (44.0, 84.0)
_COUNT_WIDTH: Final = 80.0
_COMPACT_COUNT: Final = 27.0
_SIGN_HEIGHT: Final = 18.0
# A zero has no logarithm: it stands at the foot.
_LEAST: Final = 1e-17
# Below it the power of ten above a number stands for it where it has no room.
_SMALL: Final = 1e-3
_DASH: Final = (3.0, 3.0)
_AXES: Final = {"position": "position t", "offset": "offset k", "pair": "pair i"}
_TURNED, _STEEP = -35.0, -60.0
_LIFT: Final = 10.0
READING_HEIGHT: Final = 226.0
_LEFT: Final = 360.0
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
    "linear_shift": ("shifts by one matrix", "has no matrix that shifts it"),
    "norm": ("has vectors of one length", "has vectors of several lengths"),
    "unique": ("is unique", "is not unique"),
    "bounded": ("stays bounded", "grows without bound"),
    "shift_invariant": ("looks the same from every t", "looks different from other t"),
    "periodic": ("has pairs that repeat", "has no pairs that repeat"),
    "far": ("keeps far positions far", "brings far positions near"),
}


def look_of(state: State, known: Known, *, is_paper: bool) -> tuple[Look, Known]:
    """Columns by how many encodings hold, and rows by how many checks they pass, the window's own first.

    Both stand in the order of the list until all is measured: nothing moves meanwhile.
    """
    view, keys = state.views.compare, list(PROPERTY_NAMES)
    is_complete = all(analysis is not None and analysis.is_complete for _, analysis in known)
    known = sorted(known, key=lambda row: (not row[0].is_chosen, -_passed(row[1]) * is_complete))
    if is_complete:
        keys.sort(key=lambda key: -_held(known, key))
    chosen = view.row if any(line.number == view.row for line, _ in known) else known[0][0].number
    return Look(tuple(keys), chosen, chosen, view.check, is_paper), known


def _passed(analysis: Analysis | None) -> float:
    """How many checks hold; one that holds up to some position is half a check."""
    return sum(map(_share, () if analysis is None else analysis.measurements))


def _share(one: Measurement | None) -> float:
    return 0.0 if one is None else {HOLDS: 1.0, HOLDS_UP_TO: 0.5}.get(one.verdict, 0.0)


def _held(known: Known, key: str) -> float:
    """How many encodings hold in a column."""
    return sum(_share(_of(analysis, key)) for _, analysis in known)


def _of(analysis: Analysis | None, key: str) -> Measurement | None:
    return None if analysis is None else analysis.measurement(key)


def _count_text(count: float) -> str:
    """A number of halves: 7½."""
    return f"{whole(count // 1) if count >= 1 or not count else ''}{'½' if count % 1 else ''}"


def _widths(room: float) -> tuple[float, ...]:
    pitch = min(max((room - _COUNT_WIDTH) / len(PROPERTY_NAMES), _PITCHES[0]), _PITCHES[1])
    if room < pitch * len(PROPERTY_NAMES):
        pitch = (room - _COMPACT_COUNT) / len(PROPERTY_NAMES)
    return (*(pitch,) * len(PROPERTY_NAMES), room - pitch * len(PROPERTY_NAMES))


def _heads(look: Look) -> tuple[Block, ...]:
    """The names of the columns, turned, that of the column that is read in ink."""
    heads = []
    for key in look.keys:
        head = Drawn(_head, (PROPERTY_NAMES[key], key == look.check), 0.0, grows=True)
        heads.append(Named(PROPERTY_NAMES[key], head, sets={"compare.check": key}, tooltip=f"{PROPERTIES[key].says}."))
    return (*heads, in_foot(Words("hold", "tick", "text3", across=0.5)))


def in_foot(block: Block) -> Block:
    return Column((Space(0.0, grows=True), block, Space(4.0)))


def _head(area: Area, theme: Theme, name: str, is_strong: bool) -> marks.Picture:
    role, ink = ("flag", theme.text) if is_strong else ("segment", theme.text2)
    turned = _TURNED if area.width > 0.9 * _PITCHES[0] else _STEEP
    return (marks.Text(area.middle[0], area.bottom - _LIFT, name, role, ink, turned=turned),)


def _sign_block(verdict: str) -> Block:
    """A check, half a disc or a cross; an open circle where too little is known."""
    return Drawn(_sign, (verdict,), _SIGN_HEIGHT)


def _sign(area: Area, theme: Theme, verdict: str) -> marks.Picture:
    x, y = area.middle
    ink = getattr(theme, VERDICT_INKS[verdict])
    if verdict in (HOLDS, FAILS):
        return (verdict_mark(x, y, verdict, ink),)
    ring = marks.Rings(x, y, np.array([5.5]), ink, 1.5)
    # A thick arc at half of the radius fills the left half of the disc.
    return (ring, marks.Arc(x, y, 2.75, np.pi, np.pi, ink, 5.5)) if verdict == HOLDS_UP_TO else (ring,)


# Formatted once: there are some 200 cells in a frame.
@lru_cache(maxsize=64)
def _cells(line: Line, analysis: Analysis | None, look: Look) -> Cells:
    """The cells of a row with its count, and its verdicts; what is not measured yet shows three dots."""
    columns = [_cell(line, key, _of(analysis, key), look) for key in look.keys]
    count = "…" if analysis is None else _count_text(_passed(analysis))
    measured = () if analysis is None else analysis.measurements
    verdicts = ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in measured)
    return Cells((*columns, in_middle(Words(count, "strong", across=0.5))), verdicts)


def _cell(line: Line, key: str, one: Measurement | None, look: Look) -> Block:
    """The sign, with its number in the row that is read; under the pointer all that is known."""
    name, sets = f"{PROPERTY_NAMES[key]} in row {line.number}", {"compare.row": line.number, "compare.check": key}
    is_read, is_column = line.number == look.read, key == look.check
    if one is None:
        dots = in_middle(Words("…", "caption", "text3", across=0.5))
        return Named(name, dots, sets=sets, tooltip=f"{PROPERTY_NAMES[key]}: not measured yet")
    number = (_number(one),) if look.has_all_numbers or line.number == look.row or (is_read and is_column) else ()
    inner = in_middle(_sign_block(one.verdict), *number)
    if is_column and not look.has_all_numbers:
        inner = Layers((Drawn(_frame, (), 0.0, grows=True) if is_read else Ground(), inner))
    return Named(name, inner, sets=sets, tooltip=words.tooltip(one), is_chosen=is_read and is_column)


def _frame(area: Area, theme: Theme) -> marks.Picture:
    x, y, width, height = area.x + 1.0, area.y + 1.0, area.width - 2.0, area.height - 2.0
    return (marks.Rectangle(x, y, width, height, theme.panel, theme.focus, 5.0, 2.0),)


def _number(one: Measurement) -> Block:
    """What decides, in the digits that have room; nothing where none has: the reading has it, too."""
    texts = [deciding_number(one, digits) for digits in (4, 3, 2)]
    if one.number is not None and 0.0 < abs(one.number) < _SMALL:
        texts.append(f"< {power_of_ten(math.floor(math.log10(abs(one.number))) + 1)}")
    if one.key == "periodic" and one.verdict == HOLDS:
        n_turning, n_pairs = (whole(one.numbers[name] or 0) for name in ("n_turning", "n_pairs"))
        texts = [f"{n_turning} of {n_pairs}", f"{n_turning}/{n_pairs}"]
    ink = "text" if one.verdict == HOLDS else VERDICT_INKS[one.verdict]
    return Words(texts[0], "tick", ink, across=0.5, shorter=(*texts[1:], ""))


def counts(known: Known, look: Look) -> tuple[Block, ...]:
    """Below each column how many of the encodings hold."""
    is_known = all(analysis is not None for _, analysis in known)
    texts = [_count_text(_held(known, key)) if is_known else "…" for key in look.keys]
    of = len(known)
    return (*(Words(f"{text} of {of}", "tick", "text2", 0.5, (f"{text}/{of}", text, "")) for text in texts), Space(0.0))


def legend(known: Known) -> Block:
    """What the signs mean; that of too few positions where it is there."""
    found = {one.verdict for _, analysis in known if analysis is not None for one in analysis.measurements}
    shown = [verdict for verdict in _LEGEND if verdict in found or verdict != UNDECIDED]
    cells = tuple(block for one in shown for block in (_sign_block(one), Words(_LEGEND[one], "caption", "text2")))
    return Grid((18.0, FIT) * len(shown), (cells,), gap=8.0)


def reading(known: Known, look: Look, own: Encoding, tall: float) -> Block:
    """What was found in the cell that is read: a sentence, a paragraph, the evidence as a curve, where it leads."""
    line, analysis = next(row for row in known if row[0].number == look.read)
    own_analysis = next(analysis for line, analysis in known if line.is_chosen)
    return _reading(line, _of(analysis, look.check), own, _of(own_analysis, look.check), tall)


@lru_cache(maxsize=16)
def _reading(line: Line, one: Measurement | None, own: Encoding, own_one: Measurement | None, tall: float) -> Block:
    if one is None:
        return Words(f"{line.row.title}: {words.BEING_MEASURED}", "caption", "text3")
    text = " ".join(filter(None, (words.sentence(one), _same_two(line, one, own), words.measured_on(one))))
    ends = _ends(one)
    leads = [] if line.is_chosen else [_button("Use this encoding", line.sets)]
    if ends != [0, 0]:
        sets = {**line.sets, "position": float(ends[0]), "offset": float(ends[1] - ends[0]), "compare.is_open": False}
        leads.append(_button(f"Go to {whole(ends[0])}, {whole(ends[1])}", sets))
    presses = Grid((FIT,) * len(leads), (tuple(leads),), gap=10.0) if leads else Space(0.0)
    heading = Words(_heading(line, one), "message", is_paragraph=True)
    left = Column((heading, Words(text, ink="text2", is_paragraph=True), Space(2.0), presses), gap=8.0)
    return Grid((_LEFT, GROW), ((left, _evidence(line, one, own_one, tall)),), gap=32.0)


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


def _same_two(line: Line, one: Measurement, own: Encoding) -> str:
    """How far apart the two positions that decide are in the window's encoding."""
    ends = _ends(one)
    if line.is_chosen or ends == [0, 0] or max(ends) >= own.n_positions:
        return ""
    apart = float(np.linalg.norm(np.diff(own.values(ends), axis=0)))
    return f"In {line.reference} the same two are {short(apart, 4)} apart."


def _evidence(line: Line, one: Measurement, own: Measurement | None, tall: float) -> Block:
    """The evidence of the measurement over its axis, that of the window's encoding in grey."""
    shown, curves = one.evidence, list[Curve]()
    is_alike = own is not None and own is not one and own.evidence.is_logarithmic == shown.is_logarithmic
    beside = ((own.evidence, line.reference, "axis"),) if own is not None and is_alike else ()
    for evidence, name, ink in (*beside, (shown, line.row.title, "text")):
        x, least = evidence.x.astype(np.float64), _LEAST if evidence.is_logarithmic else -np.inf
        for place, y in enumerate(np.maximum(evidence.y, least)):
            wide, style = (2.0, "dots") if evidence.kind == "points" else (1.6, "line")
            curves.append(Curve("" if place else name, x, y, ink, wide, style=style))  # type: ignore[arg-type]
        curves += [Curve("", x[[0, -1]], np.full(2, y), "axis", 1.0, _DASH) for y in evidence.levels if y and len(x)]
    if not shown.x.size:
        return Space(0.0)
    levels = [] if shown.is_logarithmic else [shown.levels]
    every, x = np.concatenate([*(curve.y for curve in curves), *levels]), shown.x.astype(np.float64)
    low, high = float(np.nanmin(every)), float(np.nanmax(every))
    return Chart(
        f"{PROPERTY_NAMES[one.key]}: {words.meaning(one)}",
        Scale(_AXES[shown.x_name], float(x[0]), float(max(x[-1], x[0] + 1.0)), False, "positions", shown.x_name),
        Scale("", low, high if high > low else low + 1.0, is_logarithmic=shown.is_logarithmic),
        tuple(curves),
        float(shown.marks[0]) if len(shown.marks) == 1 else None,
        deciding_number(one, 4),
        tall - 100.0,
    )


def _button(text: str, sets: Mapping[str, Any]) -> Block:
    inner = Column((Space(4.0), Words(text, "segment", across=0.5), Space(4.0)))
    return Named(text, Layers((Drawn(_edge, (), 0.0, text_width("segment", text) + 20.0), inner)), sets=sets)


def _edge(area: Area, theme: Theme) -> marks.Picture:
    return (marks.Rectangle(area.x + 0.5, area.y, area.width - 1.0, 25.0, None, theme.line, 5.0),)


def _question(encoding: Encoding, _chosen: Encoding) -> Question:
    return replace(analysis_of(encoding), rank=RANK)


def _table_image(encoding: Encoding, size: tuple[int, int], colors: bytes) -> QImage:
    """All positions from left to right, all dimensions from top to bottom; it may be called from any thread.

    A pixel over many cells shows their mean; where it would mix sines with cosines, all sines stand over all cosines.
    """
    n_rows = float(encoding.d_model)
    view = View(0.0, n_rows, 0.0, float(encoding.n_positions))
    field = HalvesField(encoding) if is_halved(encoding, n_rows, size[1]) else EncodingField(encoding)
    return HeatMap().image(field, view, size, color_table(colors))


def _copied(_line: Line, analysis: Analysis | None) -> list[str]:
    found = [_of(analysis, key) for key in PROPERTY_NAMES]
    pairs = (
        ("" if one is None else words.verdict_text(one), copied(None if one is None else one.number)) for one in found
    )
    return [text for pair in pairs for text in pair]


MEASURED: Final = Columns(
    "Each row is an encoding: its table where there is room, positions across and dimensions down, each over its own "
    "range, what is its own in the definition, and whether ten checks hold, with the number that decides, where there "
    "is room; at the right how many it passes, below how many encodings hold. Half a disc holds up to some position.",
    "positions across, dimensions down; each over its own range",
    _heads,
    _question,
    _cells,
    tuple(title for name in PROPERTY_NAMES.values() for title in (name, f"{name}, number")),
    _copied,
    _table_image,
    _widths,
    _PITCHES[0] * len(PROPERTY_NAMES) + _COUNT_WIDTH,
    (36.0, 44.0),
)
