"""The page of verdicts: a row for each property with verdict, number and evidence."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.core.measure.measurement import Analysis, Evidence, Measurement
from pe_desktop.core.measure.properties import FAILS, HOLDS
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES

# What is zero has no logarithm: it stands on the foot of the picture.
_LEAST_POWER = -17.0
# A line without height still lies in the middle of something.
_LEAST_HEIGHT = 1e-300


def evidence_picture(area: Area, evidence: Evidence, theme: Theme) -> marks.Picture:
    """The evidence within an area; nothing where there is nothing to draw."""
    if evidence.x.size == 0:
        return ()
    low, high = _limits(evidence)
    x = _across(area, evidence.x, evidence.x)
    y = _down(area, _shown(evidence.y, is_logarithmic=evidence.is_logarithmic), low, high)
    return (
        *_levels(area, evidence, low, high, theme),
        *_data(evidence.kind, x, y, theme),
        *_marked(area, evidence, theme),
    )


def _data(kind: str, x: Floats, y: Floats, theme: Theme) -> tuple[marks.Mark, ...]:
    if kind == "band":
        lines = tuple(marks.Polyline(np.column_stack((x, line)), theme.ink, 1.0) for line in y)
        return (marks.Band(x, y.min(axis=0), y.max(axis=0), with_alpha(theme.ink, 0.25)), *lines)
    if kind == "points":
        ink = theme.ink
        centers = np.column_stack((np.tile(x, len(y)), y.ravel()))
        colors = np.tile(np.array([ink.red(), ink.green(), ink.blue()], dtype=np.uint8), (len(centers), 1))
        return (marks.DotCloud(centers, colors, 2.6),)
    colors_of = [theme.pair_color(line, len(y)) for line in range(len(y))] if len(y) > 1 else [theme.ink]
    return tuple(
        marks.Polyline(np.column_stack((x, line)), color, 1.4) for line, color in zip(y, colors_of, strict=True)
    )


def _levels(area: Area, evidence: Evidence, low: float, high: float, theme: Theme) -> tuple[marks.Mark, ...]:
    heights = _shown(np.array(evidence.levels), is_logarithmic=evidence.is_logarithmic)
    y = _down(area, heights[(heights >= low) & (heights <= high)], low, high)
    if not y.size:
        return ()
    ends = np.column_stack((np.full(len(y), area.x), y, np.full(len(y), area.x + area.width), y))
    return (marks.Segments(ends, theme.axis),)


def _marked(area: Area, evidence: Evidence, theme: Theme) -> tuple[marks.Mark, ...]:
    if not evidence.marks:
        return ()
    x = _across(area, np.array(evidence.marks), evidence.x)
    foot = area.y + area.height
    ends = np.column_stack((x, np.full(len(x), area.y), x, np.full(len(x), foot)))
    return (marks.Segments(ends, theme.text3, 1.2, (2.0, 2.0)),)


def _limits(evidence: Evidence) -> tuple[float, float]:
    shown = _shown(evidence.y, is_logarithmic=evidence.is_logarithmic)
    levels = _shown(np.array(evidence.levels), is_logarithmic=evidence.is_logarithmic)
    everything = np.concatenate((shown[np.isfinite(shown)], levels[np.isfinite(levels)]))
    if not everything.size:
        return 0.0, 1.0
    low, high = float(everything.min()), float(everything.max())
    return (low, high) if high - low > _LEAST_HEIGHT else (low - 0.5, high + 0.5)


def _shown(values: Floats, *, is_logarithmic: bool) -> Floats:
    if not is_logarithmic:
        return values
    powers: Floats = np.log10(np.maximum(values, 10.0**_LEAST_POWER))
    return powers


def _across(area: Area, places: Floats, axis: Floats) -> Floats:
    width = float(axis.max() - axis.min())
    share = (places - axis.min()) / width if width > 0 else np.full(len(places), 0.5)
    return np.asarray(area.x + share * area.width)


def _down(area: Area, values: Floats, low: float, high: float) -> Floats:
    if not math.isfinite(high - low):
        return np.full(values.shape, area.y + area.height / 2)
    return np.asarray(area.y + area.height * (1.0 - (values - low) / (high - low)))


# Of a row whose sentence has two lines; each further line adds one of _LINE_HEIGHT.
_ROW_HEIGHT, _LINE_HEIGHT = 66.0, 15.0
# From these widths on a sentence needs two lines and three; four below. A wider page is never the taller one.
_TWO_LINES, _THREE_LINES = 537.0, 367.0
_TEXT_LEFT = 26.0
_GAP = 14.0
# Below this width the evidence gives way to the sentence.
_WITH_EVIDENCE = 330.0
# The words under a number need three lines of the first, two of the second, which wide rows have room for.
_NUMBER_WIDTH, _WIDE_NUMBER = 92.0, 132.0
_SMALL = 1e-3
_MARGIN = 4.0


@record
class VerdictsLayout:
    """Where the parts of a row stand in a picture of this width."""

    width: float

    @property
    def number_right(self) -> float:
        """The right edge of the numbers."""
        return self.width - 2.0

    @property
    def evidence_width(self) -> float:
        """How wide a small picture is; 0 where there is no room."""
        return 0.0 if self.width < _WITH_EVIDENCE else min(max(self.width * 0.16, 56.0), 130.0)

    @property
    def number_width(self) -> float:
        """How wide a number and its meaning may be."""
        return _WIDE_NUMBER if self.width >= _TWO_LINES else _NUMBER_WIDTH

    @property
    def text_width(self) -> float:
        """How wide name and sentence may be."""
        return max(self.width - _TEXT_LEFT - self.number_width - self.evidence_width - 2 * _GAP, 60.0)

    @property
    def n_lines(self) -> int:
        """How many lines a sentence has room for: by the width alone, so that rows rest while they are measured."""
        return 2 if self.width >= _TWO_LINES else 3 if self.width >= _THREE_LINES else 4

    @property
    def row_height(self) -> float:
        """How high each row is."""
        return _ROW_HEIGHT + _LINE_HEIGHT * (self.n_lines - 2)

    def row(self, place: int) -> Area:
        return Area(0.0, place * self.row_height, self.width, self.row_height)

    def evidence(self, top: float) -> Area:
        """The small picture of the row that begins at this height."""
        left = self.number_right - self.number_width - _GAP - self.evidence_width
        return Area(left, top + 13.0, self.evidence_width, _ROW_HEIGHT - 26.0)


def questions(state: State) -> tuple[Question, ...]:
    return (analysis_of(state.encoding),)


def height(state: State, width: float) -> float:
    return len(PROPERTY_NAMES) * VerdictsLayout(width).row_height + _MARGIN


def scene(state: State, answers: Answers, box: Box) -> Scene:
    measured, is_measuring = measured_of(state, answers), answers.share(analysis_of(state.encoding)) is not None
    missing = words.BEING_MEASURED if is_measuring else words.NOT_MEASURED
    marked = state.views.properties.check
    return Scene(
        still=Part(_picture, measured, missing, marked, box.width, box.theme),
        places=Part(_places, measured, missing, marked, box.width),
    )


def changes(state: State, answers: Answers, box: Box, place: Place, x: float) -> Mapping[str, Any]:
    """A row that names two positions leads to t and t + k there, and is marked."""
    measurement = measurement_at(state, answers, place)
    numbers: Mapping[str, Any] = {} if measurement is None else measurement.numbers
    first, second = numbers.get("position"), numbers.get("other")
    if measurement is None or first is None or second is None:
        return {}
    marked = {"properties.check": measurement.key}
    return {"position": float(first), "offset": float(second) - float(first)} | marked


def sentence(state: State, answers: Answers) -> str:
    """How many of the properties hold."""
    return f"{state.encoding.title}: {words.count_texts(measured_of(state, answers), len(PROPERTY_NAMES))[0]}"


def explanation(state: State) -> str:
    return (
        "Each row is one property, measured on values of the table: its verdict, what was found, the evidence and the "
        "number that decides. A property that holds up to an offset holds in part."
    )


def measured_of(state: State, answers: Answers) -> tuple[Measurement, ...]:
    """What has been measured so far."""
    analysis: Analysis | None = answers.answer(analysis_of(state.encoding))
    return () if analysis is None else analysis.measurements


def measurement_at(state: State, answers: Answers, place: Place) -> Measurement | None:
    """What a row tells; None while it is not known."""
    return next((one for one in measured_of(state, answers) if words.name(one) == place.name), None)


def _places(measured: tuple[Measurement, ...], missing: str, marked: str, width: float) -> tuple[Place, ...]:
    values = {one.key: f"{words.verdict_text(one)}, {measured_number(one.number)}" for one in measured}
    layout = VerdictsLayout(width)
    return tuple(
        Place(name, layout.row(row), values.get(key, missing), is_chosen=key == marked)
        for row, (key, name) in enumerate(PROPERTY_NAMES.items())
    )


def _picture(measured: tuple[Measurement, ...], missing: str, marked: str, width: float, theme: Theme) -> marks.Picture:
    """All rows in the order in which people read them; what is not known yet shows its name."""
    layout = VerdictsLayout(width)
    known = {measurement.key: measurement for measurement in measured}
    picture: list[marks.Mark] = []
    for place, (key, name) in enumerate(PROPERTY_NAMES.items()):
        top = layout.row(place).y
        if key == marked:
            picture.append(marks.Rectangle(0.0, top + 1.0, width, layout.row_height - 2.0, theme.sunken, radius=8.0))
        if place:
            picture.append(marks.Segments(np.array([[0.0, top, width, top]]), theme.line))
        measurement = known.get(key)
        if measurement is None:
            picture.append(marks.Text(_TEXT_LEFT, top + 23.0, name, "strong", theme.text))
            picture.append(marks.Text(_TEXT_LEFT, top + 43.0, missing, "caption", theme.text3))
        else:
            picture += _row(layout, top, measurement, theme)
    return tuple(picture)


def verdict_color(measurement: Measurement, theme: Theme) -> QColor:
    """Green where it holds, red where it fails, amber where it holds up to a number of positions."""
    return {HOLDS: theme.ok, FAILS: theme.bad}.get(measurement.verdict, theme.warn)


def verdict_mark(x: float, y: float, verdict: str, color: QColor) -> marks.Mark:
    """A check, a cross, or a check that stops at an end: a sign beside the word."""
    if verdict == HOLDS:
        points = [[x - 5.0, y + 0.5], [x - 1.5, y + 4.0], [x + 5.0, y - 4.0]]
        return marks.Polyline(np.array(points), color, 1.7)
    if verdict == FAILS:
        return marks.Segments(np.array([[x - 4, y - 4, x + 4, y + 4], [x - 4, y + 4, x + 4, y - 4.0]]), color, 1.7)
    check = [[x - 6.0, y + 0.5, x - 3.0, y + 3.5], [x - 3.0, y + 3.5, x + 2.0, y - 4.0]]
    return marks.Segments(np.array([*check, [x + 5.0, y - 4.5, x + 5.0, y + 4.5]]), color, 1.7)


def measured_number(number: float | None) -> str:
    """The number of a row: whole ones whole, small ones as powers of ten, the rest with the digits that matter."""
    if number is None:
        return "–"
    if float(number).is_integer() and abs(number) < 1e9:
        return whole(number)
    if abs(number) < _SMALL:
        mantissa = short(number, 2)
        return mantissa if number >= 0 else mantissa.replace("-", MINUS)
    return fixed(number, 3) if abs(number) < 10 else short(number, 4)


def _row(layout: VerdictsLayout, top: float, measurement: Measurement, theme: Theme) -> list[marks.Mark]:
    color = verdict_color(measurement, theme)
    verdict_left = _TEXT_LEFT + text_width("strong", words.name(measurement)) + 9.0
    verdict_right = verdict_left + text_width("segment", words.verdict_text(measurement))
    # A long verdict stands below its name, in place of a line of the sentence.
    is_long = verdict_right > _TEXT_LEFT + layout.text_width + _GAP - 4.0
    lines = wrapped("caption", words.sentence(measurement), layout.text_width, layout.n_lines - is_long)
    n_lines = len(lines) + is_long
    first = top + (23.0 if n_lines < 2 and layout.n_lines == 2 else 16.0)
    picture: list[marks.Mark] = [
        verdict_mark(9.0, first, measurement.verdict, color),
        marks.Text(_TEXT_LEFT, first, words.name(measurement), "strong", theme.text),
    ]
    if is_long:
        picture.append(marks.Text(_TEXT_LEFT, first + 18.0, words.verdict_text(measurement), "segment", color))
    else:
        picture.append(marks.Text(verdict_left, first, words.verdict_text(measurement), "segment", color))
    for place, line in enumerate(lines, start=int(is_long)):
        picture.append(marks.Text(_TEXT_LEFT, first + 19.0 + _LINE_HEIGHT * place, line, "caption", theme.text2))
    right, meaning = (
        layout.number_right,
        wrapped("tick", words.meaning(measurement), layout.number_width, min(layout.n_lines, 3)),
    )
    number = measured_number(measurement.number)
    picture.append(marks.Text(right, first, number, "value", theme.text, across=1.0))
    for place, line in enumerate(meaning):
        picture.append(marks.Text(right, first + 18.0 + 14.0 * place, line, "tick", theme.text3, across=1.0))
    if layout.evidence_width:
        picture += evidence_picture(layout.evidence(top), measurement.evidence, theme)
    return picture
