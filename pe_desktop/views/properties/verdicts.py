"""The page of verdicts: a row for each property with verdict, number and evidence."""

from dataclasses import replace
from functools import partial
from typing import Final, Literal

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.measuring.measurement import FAILS, HOLDS, HOLDS_UP_TO, UNDECIDED, Analysis, Evidence, Measurement
from pe_desktop.core.record import kept
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale, curve_marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Ground, Layers, Named, OnPaper, Space, Words
from pe_desktop.draw.number_text import copied
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers
from pe_desktop.views.paged import Page
from pe_desktop.views.properties import words

_EVIDENCE_HEIGHT: Final = 32.0
_SIGN, _GAP, _SLIDE = 18.0, 8.0, 800.0
# Green where it holds, red where it fails, amber where it holds up to a number of positions, grey where none can tell.
VERDICT_INKS: Final = {HOLDS: "ok", FAILS: "bad", HOLDS_UP_TO: "warn", UNDECIDED: "text3"}
# Of heights that are drawn by their logarithm.
_LEAST: Final = 1e-17


def _page(state: State, answers: Answers) -> Block:
    is_measuring = answers.share(analysis_of(state.encoding)) is not None
    missing = words.BEING_MEASURED if is_measuring else words.NOT_MEASURED
    return _rows(measured_of(state, answers), missing, state.views.properties.check)


def _sentence(state: State, answers: Answers) -> str:
    """How many of the properties hold."""
    return f"{state.encoding.title}: {words.count_texts(measured_of(state, answers), state.precision)[0]}"


def measured_of(state: State, answers: Answers) -> tuple[Measurement, ...]:
    """What has been measured so far."""
    analysis: Analysis | None = answers.answer(analysis_of(state.encoding))
    return () if analysis is None else analysis.measurements


@kept
def _rows(measured: tuple[Measurement, ...], missing: str, marked: str) -> Block:
    """All rows in the order in which people read them, on a slide in two columns; what is not known shows its name."""
    by_key = {one.key: one for one in measured}
    rows: list[Block] = []
    for key, name in words.PROPERTY_NAMES.items():
        one = by_key.get(key)
        if one is None:
            line = Words(name), Words(missing, "caption", "text3", across=1.0)
            rows.append(Named(name, flow.in_row((_SIGN, FIT, GROW), Space(0.0), *line, gap=_GAP), missing))
            continue
        opened: Block = Column((_line(one), _details(one), Space(6.0)))
        shown = _line(one)
        if key == marked:
            shown = opened = Layers((Ground(), opened))
        rows.append(_place(one, OnPaper((shown,), paper=opened), is_chosen=key == marked))
    whole = Column(tuple(rows))
    halves = flow.in_row((GROW, GROW), Column(whole.blocks[:5]), Column(whole.blocks[5:]), gap=24.0)
    return OnPaper((whole,), paper=Fits((halves, whole), (_SLIDE, 0.0)))


def leads_to(one: Measurement) -> dict[str, float]:
    """The two positions that decide, where there are some, as t and k."""
    first = one.numbers.get("position")
    second = one.numbers.get("other")
    if first is None or second is None:
        return {}
    return {"position": float(first), "offset": float(second) - float(first)}


def _place(one: Measurement, block: Block, *, is_chosen: bool) -> Block:
    """A press opens a row, or closes it; one that names two positions leads to t and t + k there."""
    sets = {"properties.check": "none"} if is_chosen else {"properties.check": one.key, **leads_to(one)}
    value = f"{words.verdict_text(one)}, {words.deciding_number(one, 4)}"
    return Named(words.name(one), block, value, sets, words.tooltip(one), is_chosen)


def _line(one: Measurement) -> Block:
    """Sign, name, the number; where there is room the verdict if it doesn't simply hold, and what the number says."""
    verdict = "" if one.verdict == HOLDS else words.verdict_text(one)
    sign = verdict_sign(one.verdict, 20.0)
    name = Words(words.name(one), "strong")
    said = Words(verdict, "segment", VERDICT_INKS[one.verdict])
    meaning = Words(words.meaning(one), "tick", "text3", across=1.0)
    number, brief = (
        Words(text, "value", across=1.0) for text in (words.deciding_number(one, 4), words.short_number(one))
    )
    rests = (meaning, number), (Space(0.0), brief), (Space(0.0), number)
    short_form = flow.in_row((_SIGN, GROW, FIT), sign, name, number, gap=_GAP)
    forms = (flow.in_row((_SIGN, FIT, FIT, GROW, FIT), sign, name, said, *rest, gap=_GAP) for rest in rests)
    return Fits((*forms, short_form))


def _details(one: Measurement) -> Block:
    """The sentence and the evidence, where there is some."""
    x = words.AXES[one.evidence.x_name]
    y = one.evidence.y_name
    said = Words(f"{y} by {x}", "tick", "text3", shorter=(f"{y} by {x[-1]}", y))
    drawn = Column((Drawn(_evidence_picture, (one,), _EVIDENCE_HEIGHT), said))
    evidence: Block = drawn if one.evidence.x.size else Space(0.0)
    told = flow.paragraph(words.sentence(one))
    return flow.in_row((_SIGN, GROW, 0.34, 0.0), Space(0.0), told, evidence, Space(0.0), gap=_GAP)


PILL_HEIGHT: Final = 24.0


def verdict_sign(verdict: str, tall: float = 18.0) -> Block:
    """The sign of a verdict in its colour, in the middle of its column."""
    return Drawn(_sign, (verdict,), tall)


def _sign(area: Area, theme: Theme, verdict: str) -> marks.Picture:
    return _verdict_marks(*area.middle, verdict, getattr(theme, VERDICT_INKS[verdict]))


def _verdict_marks(x: float, y: float, verdict: str, color: QColor) -> marks.Picture:
    """A check, a cross, half a disc where it holds in part, or an open circle where none can tell."""
    if verdict == HOLDS:
        points = [[x - 5.0, y + 0.5], [x - 1.5, y + 4.0], [x + 5.0, y - 4.0]]
        return (marks.Polyline(np.array(points), color, 1.7),)
    if verdict == FAILS:
        return (marks.lines([[x - 4, y - 4, x + 4, y + 4], [x - 4, y + 4, x + 4, y - 4]], color, 1.7),)
    ring = marks.Dots.at(x, y, 5.5, None, color, 1.5)
    # A thick arc at half of the radius fills the left half of the disc.
    return (ring, marks.Arc(x, y, 2.75, np.pi, np.pi, color, 5.5)) if verdict == HOLDS_UP_TO else (ring,)


def pill(text: str, sign: str, ink: str, ground: str) -> Block:
    """A sign and words on a tint, both colours of the theme by name; sign: a verdict, or "about"."""
    return Drawn(_pill, (text, sign, ink, ground), PILL_HEIGHT, 38.0 + text_width("segment", text))


def _pill(area: Area, theme: Theme, text: str, sign: str, ink: str, ground: str) -> marks.Picture:
    """The sign of a verdict, or a wave, before the words."""
    color = getattr(theme, ink)
    x = area.x + 15.0
    y = area.middle[1]
    icon = _verdict_marks(x, y, sign, color)
    if sign == "about":
        across = np.linspace(-5.0, 5.0, 17)
        icon = (marks.Polyline(np.column_stack((x + across, y - 2.5 * np.sin(across * np.pi / 5.0))), color, 1.7),)
    words = marks.Text(area.x + 28.0, y, text, "segment", color)
    return marks.Rectangle(*area, getattr(theme, ground), radius=area.height / 2), *icon, words


def evidence_chart(one: Measurement, name: str = "", beside: tuple[Curve, ...] = (), tall: float = 0.0) -> Chart:
    """The evidence of a measurement over its axis, thin lines at its levels; a name and other curves may explain it."""
    shown = one.evidence
    x = shown.x
    level = partial(Curve, shown.level_name, x[[0, -1]], ink="axis", dash=(3.0, 3.0))
    levels = (level(np.full(2, y)) for y in shown.levels if y)
    # Others may be measured at more positions.
    near = (replace(one, x=one.x[one.x <= x[-1]], y=one.y[one.x <= x[-1]]) for one in beside)
    curves = (*near, *evidence_curves(shown, name), *levels)
    every = np.concatenate([*(curve.y for curve in curves), shown.levels])
    low = float(np.nanmin(every))
    high = float(np.nanmax(every))
    return Chart(
        f"{words.name(one)}: {shown.y_name}",
        Scale(words.AXES[shown.x_name], float(x[0]), float(max(x[-1], x[0] + 1.0)), False, "positions", shown.x_name),
        Scale("", low, high if high > low else low + 1.0, is_logarithmic=shown.is_logarithmic),
        curves,
        shown.mark,
        f"{words.meaning(one)}: {words.deciding_number(one, 4)}",
        tall,
    )


def evidence_curves(evidence: Evidence, name: str, ink: str = "text") -> tuple[Curve, ...]:
    """What was measured, the first curve with a name."""
    style: Literal["dots", "line"] = "dots" if evidence.are_points else "line"
    # What is zero has no logarithm: it stands at the foot.
    rows = np.maximum(evidence.y, _LEAST) if evidence.is_logarithmic else evidence.y
    drawn = partial(Curve, ink=ink, wide=1.4, style=style)
    named = zip((name, *[""] * (len(rows) - 1)), rows, strict=True)
    return tuple(drawn(of, evidence.x, row) for of, row in named)


def _evidence_picture(area: Area, theme: Theme, one: Measurement) -> marks.Picture:
    """The curves of its chart alone, in an area with room for dots at its ends."""
    chart, area = evidence_chart(one), area.grown(-3.0, -3.0)
    y = Axis(area, chart.y.first, chart.y.last, "left", is_logarithmic=chart.y.is_logarithmic)
    plot = Plot(Axis(area, chart.x.first, chart.x.last), y)
    return tuple(mark for curve in chart.curves for mark in curve_marks(plot, curve, theme))


def _readout(state: State, answers: Answers) -> str:
    """The verdicts, whichever page is seen."""
    measured = {one.key: one for one in measured_of(state, answers)}
    return "\n".join(
        f"{words.name(one)}\t{words.verdict_text(one)}\t{copied(one.number)}\t{words.sentence(one)}"
        for one in filter(None, map(measured.get, words.PROPERTY_NAMES))
    )


PAGE: Final = Page(
    _page,
    _sentence,
    words.SAID["checks"],
    lambda state: (analysis_of(state.encoding),),
    _readout,
)
