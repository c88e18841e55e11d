"""The map with its axes, the numbers beside it, and the list of other positions."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.measure.properties import FAILS, HOLDS
from pe_desktop.core.record import record
from pe_desktop.core.scores.look_back import GAINS, OtherOrder, Peaks, RowFacts
from pe_desktop.core.scores.look_back_rows import WIDEST_OTHERS, Others
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import Axis, paragraph
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_image
from pe_desktop.draw.typefaces import formula_runs, text_width, wrapped
from pe_desktop.views.look_back import words
from pe_desktop.views.look_back.layout import ENTRY, LIST_SENTENCE, LIST_TITLE, LookBackLayout, list_columns
from pe_desktop.views.look_back.words import offset_text, place_text
from pe_desktop.views.properties.verdicts import verdict_mark
from pe_desktop.views.similarity.picture import cell_ticks, value_text

_BAR_WIDTH, _BAR_HEIGHT = 68.0, 8.0
_LINE: Final = 17.0
_MOST_LINES: Final = 6
# Heights of what stands beside the map: title with formula, the line about the other order, a number, title of weights,
# a weight.
_FORMULA, _ORDER, _NUMBER, _LEAST_NUMBER = 54.0, 22.0, 25.0, 16.0
_SHARP_TITLE, _WEIGHT = 26.0, 23.0
_LARGEST_GAP, _LEAST_GAPS = 30.0, 24.0
_GROUPS: Final = (("formula", "sentence", "order"), ("numbers",), ("sharp", "meaning"))
# From here on a gain is named in full.
_WIDE_LABEL, _NARROW_LABEL = 150.0, 66.0
_WIDE_COLUMN: Final = 290.0
_UNKNOWN: Final = "…"


def frame_picture(
    layout: LookBackLayout, limits: tuple[float, float] | None, image: QImage, n_positions: int, theme: Theme
) -> marks.Picture:
    """Frame, axes and colour bar of the map; without limits there is no map."""
    area, rows, columns = layout.map, layout.row_axis, layout.column_axis
    column_ticks = cell_ticks(columns, layout, n_positions)
    row_ticks = column_ticks if layout.rows == layout.columns else cell_ticks(rows, layout, n_positions)
    labels = columns.labels(column_ticks, theme, 12.0) if area.width >= 100.0 else []
    return (
        marks.Rectangle(area.x - 0.5, area.y - 0.5, area.width + 1.0, area.height + 1.0, outline=theme.line),
        *rows.labels(row_ticks, theme),
        *labels,
        marks.Text(0.0, area.y - 16.0, "query at t", "tick", theme.text3),
        marks.Text(area.right, area.bottom + 25.0, "key at s", "tick", theme.text3, across=1.0),
        *(() if limits is None else _bar(area, limits, image, theme)),
    )


@record
class Column:
    """Where the numbers beside the map stand: the top of each part that there is room for, in pixels.

    sentence: what the head computes, in lines; sharp_sentence: what the weights mean. step: from one number to the
    next; lines: heights at which parts are divided.
    """

    x: float
    width: float
    tops: Mapping[str, float]
    sentence: tuple[str, ...]
    sharp_sentence: tuple[str, ...]
    step: float
    lines: tuple[float, ...]

    @property
    def right(self) -> float:
        return self.x + self.width


@lru_cache(maxsize=4)
def column_of(area: Area, sentences: tuple[str, ...], meaning: str, *, has_order: bool) -> Column:
    """What matters most finds room first: numbers, weights, formula with the first sentence that fits, the rest."""
    lines: tuple[str, ...] = ()
    sharp = tuple(wrapped("caption", meaning, area.width, _MOST_LINES))
    step = min(max(area.height / 4, _LEAST_NUMBER), _NUMBER)
    heights = {"numbers": 4 * step}
    room = area.height - heights["numbers"] - _LEAST_GAPS
    if (height := _SHARP_TITLE + len(GAINS) * _WEIGHT) <= room:
        heights["sharp"] = height
        room -= height
    for sentence in sentences:
        lines = tuple(wrapped("caption", sentence, area.width, _MOST_LINES))
        if (height := _LINE * len(lines) + 6.0) + _FORMULA <= room:
            heights |= {"formula": _FORMULA, "sentence": height}
            room -= _FORMULA + height
            break
    if has_order and "formula" in heights and room >= _ORDER:
        heights["order"] = _ORDER
        room -= _ORDER
    if "sharp" in heights and (height := _LINE * len(sharp) + 10.0) <= room:
        heights["meaning"] = height
    tops, divisions = _stacked(area, heights)
    return Column(area.x, area.width, tops, lines, sharp, step, divisions)


def _stacked(area: Area, heights: Mapping[str, float]) -> tuple[Mapping[str, float], tuple[float, ...]]:
    """The top of each part that has a height, group under group, and where lines divide the groups."""
    groups = [[name for name in group if name in heights] for group in _GROUPS]
    groups = [group for group in groups if group]
    gap = min((area.height - sum(heights.values())) / max(len(groups) - 1, 1), _LARGEST_GAP)
    tops: dict[str, float] = {}
    divisions: list[float] = []
    y = area.y
    for place, group in enumerate(groups):
        if place:
            divisions.append(y + gap / 2)
            y += gap
        for name in group:
            tops[name] = y
            y += heights[name]
    return tops, tuple(divisions)


def column_frame(
    column: Column, places: int, order: OtherOrder | None, *, turns: bool, d: int, theme: Theme
) -> marks.Picture:
    """What stands beside the map at every t."""
    picture: list[marks.Mark] = []
    x, tops, there = column.x, column.tops, offset_text(places)
    matrix = f"M_{{{there}}}" if turns else "A"
    if column.lines:
        ends = np.array([[x, y, column.right, y] for y in column.lines])
        picture.append(marks.Segments(ends, theme.line))
    if "formula" in tops:
        y = tops["formula"]
        picture.append(marks.Text(x, y + 10.0, "What the head computes", "title", theme.text))
        picture.append(marks.FormulaText(x, y + 36.0, f"score = ({matrix} p_t) · p_s", 17, theme.text))
    if "sentence" in tops:
        for number, line in enumerate(column.sentence):
            picture.append(marks.Text(x, tops["sentence"] + 8.0 + _LINE * number, line, "caption", theme.text2))
    if order is not None and "order" in tops:
        picture += _order_line(column, matrix, places, order, theme)
    if "sharp" in tops:
        picture += _sharp_frame(column, places, d, theme)
    if "meaning" in tops:
        for number, line in enumerate(column.sharp_sentence):
            picture.append(marks.Text(x, tops["meaning"] + 14.0 + _LINE * number, line, "caption", theme.text2))
    return tuple(picture)


def _sharp_frame(column: Column, places: int, d: int, theme: Theme) -> list[marks.Mark]:
    """The title of the weights, and the gain of each."""
    y, title, note = column.tops["sharp"] + 10.0, "How sharp, after softmax", f"weight on {place_text(places)}"
    picture: list[marks.Mark] = [marks.Text(column.x, y, title, "title", theme.text)]
    if text_width("title", title) + text_width("tick", note) + 12.0 <= column.width:
        picture.append(marks.Text(column.right, y, note, "tick", theme.text3, across=1.0))
    for number, gain in enumerate(GAINS):
        text = f"gain × {gain} is 1/√{whole(d)}" if gain == 1 else f"gain × {gain}"
        text = text if column.width >= _WIDE_COLUMN else f"gain × {gain}"
        picture.append(marks.Text(column.x, _weight_y(column, number), text, "caption", theme.text2))
    return picture


def numbers_picture(
    column: Column,
    places: int,
    t: int,
    row: RowFacts | None,
    peaks: Peaks | None,
    *,
    has_one_margin: bool,
    theme: Theme,
) -> marks.Picture:
    """Score, second best and margin of row t, in how many rows the peak stands where it shall, and the weights."""
    picture: list[marks.Mark] = []
    if "numbers" in column.tops:
        for number, (names, value) in enumerate(_number_rows(places, t, row, peaks, has_one_margin=has_one_margin)):
            y = column.tops["numbers"] + column.step * (number + 0.5)
            room = column.width - text_width("value", value) - 10.0
            name = next((name for name in names if text_width("label", name) <= room), "")
            picture.append(marks.Text(column.x, y, name, "label", theme.text2))
            picture.append(marks.Text(column.right, y, value, "value", theme.text, across=1.0))
    if "sharp" in column.tops:
        picture += _weights(column, row, theme)
    return tuple(picture)


def _number_rows(
    places: int, t: int, row: RowFacts | None, peaks: Peaks | None, *, has_one_margin: bool
) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Four numbers, each with its names from long to short."""
    here, margin = (
        f"t = {whole(t)}, s = {whole(t - places)}",
        "the same for every t" if has_one_margin else "in that row",
    )
    second = (
        "Second best in that row"
        if row is None or row.n_compared is None
        else (f"Second best of {whole(row.n_compared)} keys")
    )
    values: tuple[str, ...] = (_UNKNOWN,) * 3
    if row is not None:
        score = value_text(row.score) if not math.isnan(row.score) else "no such key"
        values = (score, *("–" if math.isnan(value) else value_text(value) for value in (row.second, row.margin)))
    return (
        ((f"Score at {here}", f"at {here}", "Score"), values[0]),
        ((second, "Second best"), values[1]),
        ((f"Margin, {margin}", "Margin"), values[2]),
        (
            (f"Peak is at {offset_text(places)}{words.reach_text(peaks)}", "Peak"),
            _UNKNOWN if peaks is None else words.peaks_text(peaks),
        ),
    )


def others_picture(
    area: Area, places: int, found: Others | None, names: tuple[str, ...], d_model: int, theme: Theme
) -> marks.Picture:
    """The list of six, each with its sign and the rows that peak, and the sentence about the unrestricted matrix."""
    title, back = "Can other positions do it?", f"{whole(places)} back" if places else "no step back"
    at = f", at d = {whole(WIDEST_OTHERS)}" if d_model > WIDEST_OTHERS else ""
    note, left = f"best 2 × 2 of every pair, fitted to {back}{at}", area.x + text_width("title", title) + 14.0
    picture: list[marks.Mark] = [marks.Text(area.x, area.y + 20.0, title, "title", theme.text)]
    if left + text_width("tick", note) <= area.right:
        picture.append(marks.Text(left, area.y + 20.0, note, "tick", theme.text3))
    for number, name in enumerate(names):
        peaks = None if found is None else found.peaks[name]
        picture += _other(other_area(area, number), name, places, peaks, theme)
    if found is not None and places:
        y = area.bottom - LIST_SENTENCE + 12.0
        picture += paragraph(area.x, y, words.memorised_text(found.memorised, places), theme.text2, area.width, 2)
    return tuple(picture)


def other_area(area: Area, number: int) -> Area:
    """Where an entry of the list stands."""
    n_columns = list_columns(area.width)
    row, column = divmod(number, n_columns)
    width = area.width / n_columns
    return Area(area.x + column * width, area.y + LIST_TITLE + row * ENTRY, width, ENTRY)


def _other(cell: Area, name: str, places: int, peaks: Peaks | None, theme: Theme) -> marks.Picture:
    text, sign = "measuring…", []
    if peaks is not None:
        verdict, color = (HOLDS, theme.ok) if peaks.is_everywhere else (FAILS, theme.bad)
        sign = [verdict_mark(cell.x + 8.0, cell.y + 12.0, verdict, color)]
        number = words.peaks_text(peaks)
        texts = (f"{number} peak at {offset_text(places)}{words.reach_text(peaks)}", f"{number} peak")
        text = next((text for text in texts if text_width("caption", text) <= cell.width - 26.0), "")
    return (
        *sign,
        marks.Text(cell.x + 24.0, cell.y + 12.0, name, "strong", theme.text),
        marks.Text(cell.x + 24.0, cell.y + 30.0, text, "caption", theme.text2),
    )


def refusal_picture(area: Area, sentence: str, theme: Theme) -> marks.Picture:
    """Words in place of a map."""
    lines = wrapped("caption", sentence, area.width - 24.0, _MOST_LINES)
    top = area.middle[1] - _LINE * (len(lines) - 1) / 2
    return tuple(
        marks.Text(area.middle[0], top + _LINE * number, line, "caption", theme.text2, across=0.5)
        for number, line in enumerate(lines)
    )


def weights_image(theme: Theme) -> QImage:
    """The colours from 0 to the largest weight: the half of the map above 0."""
    image = map_image(theme.diverging)
    middle = image.width() // 2
    return image.copy(middle, 0, image.width() - middle, 1)


def _bar(area: Area, limits: tuple[float, float], image: QImage, theme: Theme) -> marks.Picture:
    """The colours between their limits over the right end of the map."""
    low, high = (short(limit) for limit in limits)
    high = f"+{high}" if limits[0] < 0 else high
    y = area.y - 16.0
    right = area.right - text_width("tick", high) - 8.0
    left = right - _BAR_WIDTH
    if left - text_width("tick", low) - 8.0 < text_width("tick", "query at t") + 8.0:
        return ()
    return (
        marks.Text(left - 8.0, y, low, "tick", theme.text2, across=1.0),
        marks.Raster(left, y - _BAR_HEIGHT / 2, _BAR_WIDTH, _BAR_HEIGHT, image),
        marks.Text(area.right, y, high, "tick", theme.text2, across=1.0),
    )


def _order_line(column: Column, matrix: str, places: int, order: OtherOrder, theme: Theme) -> list[marks.Mark]:
    """The other order of the product, with its numbers: its peak lies on the other side."""
    y, formula = column.tops["order"] + 9.0, f"p_t^T {matrix} p_s"
    left = column.x + formula_runs(formula, 15)[1] + 6.0
    peak, there = f"+{whole(order.offset)}" if order.offset > 0 else whole(order.offset), value_text(order.score)
    texts = [f"peaks at {peak} instead: {there}", f"peaks at {peak} instead", f"peaks at {peak}"]
    if not math.isnan(order.mirrored):
        texts.insert(0, f"peaks at {peak} instead: {there}, at {offset_text(places)} {value_text(order.mirrored)}")
    text = next((text for text in texts if left + text_width("caption", text) <= column.right), "")
    return [
        marks.FormulaText(column.x, y, formula, 15, theme.text),
        marks.Text(left, y, text, "caption", theme.text2),
    ]


def _weight_y(column: Column, number: int) -> float:
    return column.tops["sharp"] + _SHARP_TITLE + _WEIGHT * (number + 0.5)


def _weights(column: Column, row: RowFacts | None, theme: Theme) -> list[marks.Mark]:
    label = _WIDE_LABEL if column.width >= _WIDE_COLUMN else _NARROW_LABEL
    bar = Axis(Area(column.x + label, 0.0, max(column.width - label - 76.0, 16.0), 6.0), 0.0, 1.0)
    weights: tuple[float, ...] = (math.nan,) * len(GAINS)
    if row is not None and row.weights is not None:
        weights = row.weights
    picture: list[marks.Mark] = []
    for number, weight in enumerate(weights):
        y = _weight_y(column, number)
        text = _UNKNOWN if row is None else "–"
        picture.append(marks.Rectangle(bar.area.x, y - 3.0, bar.length, 6.0, theme.sunken, radius=3.0))
        if not math.isnan(weight):
            wide, text = max(bar.length * weight, 2.0), words.weight_text(weight)
            picture.append(marks.Rectangle(bar.area.x, y - 3.0, wide, 6.0, theme.ink, radius=min(wide / 2, 3.0)))
        picture.append(marks.Text(column.right, y, text, "value", theme.text, across=1.0))
    return picture
