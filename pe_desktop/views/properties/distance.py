"""The page of distance: D(k) beside the straight line and the logarithmic law, its share by band, its direction."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import are_soon_known
from pe_desktop.core.measure.distance_law import Band, Comparison, DistanceLaw, distance_law, listed_offsets
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, label_on_ground, legend, paragraph
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.properties import words
from pe_desktop.views.properties.collisions import compared, comparison_questions

# The places of both plots.
PLOTS: Final = ("distance by offset", "dot product by offset")
_OFFSET: Final = "offset "
# Wide enough for both plots beside each other.
_SIDE_BY_SIDE = 560.0
_PLOT_HEIGHT = 150.0
# The numbers beside a plot; from one number under it to the next.
_LABEL_ROOM, _TICK_ROOM = 46.0, 64.0
_SECTION = 44.0
_BAND_HEIGHT = 22.0
# A plot with its heading and the words under it; a row of the table; what follows the table.
_PLOT_ROOM = _PLOT_HEIGHT + 90.0
_ROW_HEIGHT = 19.0
_COMPARISON_HEIGHT = 190.0
# What a page without plots has for its words.
_WORDS_HEIGHT = 76.0
_MARGIN = 4.0
_LAW_DASH, _LINE_DASH = (6.0, 4.0), (1.6, 3.2)
# Points at which the smooth law is drawn.
_SMOOTH_POINTS = 256
# The largest distances that are told with decimals.
_LEAST_PLAIN, _MOST_PLAIN = 0.1, 1e3
# Narrower tables have no room for three digits and a power of ten.
_THREE_DIGITS = 340.0
# Offsets a pixel of a curve that is still one line.
_MOST_DRAWN = 8


def questions(state: State) -> tuple[Question, ...]:
    question = _search(state.encoding)
    return (*(() if question is None else (question,)), *comparison_questions(state))


def height(state: State, width: float) -> float:
    return _comparison_top(width, state.encoding) + _COMPARISON_HEIGHT + _MARGIN


def scene(state: State, answers: Answers, box: Box) -> Scene:
    law, encoding, cursor = _law(state, answers), state.encoding, state.cursor
    two = compared(state, answers) if encoding.n_positions > 1 else None
    return Scene(
        moving=(
            *(_cursor_picture(box.width, law, cursor.offset, box.theme) if law is not None else ()),
            *_comparison_picture(box.width, two, box.theme),
        ),
        still=Part(_still, encoding, law, box.width, box.theme),
        places=Part(_places, encoding, law, two, box.width, cursor.offset),
    )


def changes(state: State, answers: Answers, box: Box, place: Place, x: float) -> Mapping[str, Any]:
    """A plot leads to the offset at an x, a row of the table to its own."""
    law = _law(state, answers)
    if law is None:
        return {}
    for name, plot in zip(PLOTS, _plots(box.width, law), strict=True):
        if place.name == name:
            return {"offset": float(round(plot.x.value(x)))}
    offsets = [k for k in listed_offsets(state.encoding) if place.name == f"{_OFFSET}{k}"]
    return {"offset": float(offsets[0])} if offsets else {}


def sentence(state: State, answers: Answers) -> str:
    """The largest distance, or how long the difference of t and t + k is."""
    law = _law(state, answers)
    if law is not None and len(law.distances) > 1:
        return f"The largest distance is {fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}"
    two = compared(state, answers) if state.encoding.n_positions > 1 else None
    if two is None:
        return f"{state.encoding.title}: what distance knows"
    at = f"at t = {position(two.position)}"
    return f"The difference over k = {position(two.offset)} has length {short(two.turn.length, 6)} {at}"


def explanation(state: State) -> str:
    plots = (
        "The distance of two vectors and their dot product against the offset, solid; dotted the straight line and "
        "dashed the logarithmic law that fit best. The dot is k. "
    )
    told = "" if words.no_offsets(state.encoding) else plots
    return told + "The bar is the share of pairs, from first to last, in the squared distance of t and t + k."


def _law_of(encoding: Encoding, task: Task) -> DistanceLaw | None:
    return distance_law(encoding, None, task.report, task)


def _search(encoding: Encoding) -> Question | None:
    if words.no_offsets(encoding):
        return None
    rank = 0 if are_soon_known(encoding.d_model, encoding.n_positions) else 1
    return Question("distance law", _law_of, (encoding,), rank, "Searching")


def _law(state: State, answers: Answers) -> DistanceLaw | None:
    question = _search(state.encoding)
    law: DistanceLaw | None = None if question is None else answers.answer(question)
    return law


def _table_top(width: float) -> float:
    """Where the table of offsets begins."""
    # Two lines tell the fits under the first plot alone.
    return _SECTION + (_PLOT_ROOM if width >= _SIDE_BY_SIDE else 2 * _PLOT_ROOM - 34.0) + 8.0


def _comparison_top(width: float, encoding: Encoding) -> float:
    """Where the comparison of two positions begins: below the table, or below the words that say why there is none."""
    if words.no_offsets(encoding):
        return _WORDS_HEIGHT
    return _table_top(width) + 52.0 + len(listed_offsets(encoding)) * _ROW_HEIGHT


def _still(encoding: Encoding, law: DistanceLaw | None, width: float, theme: Theme) -> marks.Picture:
    """Both plots and their sentences; everything that stays while t moves."""
    if law is None:
        return paragraph(0.0, 10.0, words.no_offsets(encoding), theme.text2, width - 4.0, 5)
    linear, logarithmic = _plots(width, law)
    offsets = np.arange(1, len(law.distances), dtype=np.float64)
    return (
        *_plot(linear, "Distance D(k)", "offset k", law.distances[1:], offsets, theme),
        *_fits(linear, law, theme, of_dots=False),
        *_fitted_range(linear, law, theme),
        *_plot(logarithmic, "Dot product", "offset k, logarithmic", law.dots[1:], offsets, theme),
        *_fits(logarithmic, law, theme, of_dots=True),
        *_table(width, law, listed_offsets(encoding), theme),
        *paragraph(2.0, 6.0, words.steps_down(law), theme.text2, width - 4.0, 2),
    )


def _places(
    encoding: Encoding, law: DistanceLaw | None, two: Comparison | None, width: float, offset: float
) -> tuple[Place, ...]:
    places = []
    if law is not None:
        places += [Place(name, plot.x.area) for name, plot in zip(PLOTS, _plots(width, law), strict=True)]
        top = _table_top(width) + 26.0
        places += [
            Place(
                f"{_OFFSET}{k}",
                Area(0.0, top + _ROW_HEIGHT * row, width, _ROW_HEIGHT),
                fixed(float(law.distances[k]), 4),
                is_chosen=k == abs(offset),
            )
            for row, k in enumerate(listed_offsets(encoding))
        ]
    if two is not None:
        shares = ", ".join(f"{_hands(band)}: {fixed(100 * band.share, 2)} %" for band in two.bands)
        top = _comparison_top(width, encoding) + 14.0
        places.append(Place("shares in the distance of t and t + k", Area(2.0, top, width - 4.0, _BAND_HEIGHT), shares))
    return tuple(places)


def _plots(width: float, law: DistanceLaw) -> tuple[Plot, Plot]:
    """D against k, and the dot product against the logarithm of k: beside each other, or one below the other."""
    is_wide = width >= _SIDE_BY_SIDE
    each = (width - 24.0) / 2 if is_wide else width
    last = max(float(len(law.distances) - 1), 2.0)
    first_area = Area(_LABEL_ROOM, _SECTION + 22.0, each - _LABEL_ROOM - 8.0, _PLOT_HEIGHT)
    second_area = Area(
        _LABEL_ROOM + (each + 24.0 if is_wide else 0.0),
        _SECTION + 22.0 + (0.0 if is_wide else _PLOT_ROOM),
        each - _LABEL_ROOM - 8.0,
        _PLOT_HEIGHT,
    )
    highest = float(law.distances.max()) * 1.04
    lowest_dot = min(float(law.dots.min()), 0.0)
    return (
        Plot(Axis(first_area, 0.0, last), Axis(first_area, 0.0, highest if highest > 0 else 1.0, "left")),
        Plot(
            Axis(second_area, 1.0, last, is_logarithmic=True),
            Axis(second_area, lowest_dot, float(law.dots[0]), "left"),
        ),
    )


def _cursor_picture(width: float, law: DistanceLaw, offset: float, theme: Theme) -> marks.Picture:
    """The offset on both plots."""
    k = abs(round(offset))
    picture: list[marks.Mark] = []
    if 1 <= k < len(law.distances):
        for plot, values in zip(_plots(width, law), (law.distances, law.dots), strict=True):
            picture.append(plot.x.line(k, theme.text2, 1.2, (4.0, 3.0)))
            picture.append(marks.Dots(plot.points(np.array([float(k)]), values[[k]]), 4.5, theme.panel, theme.ink, 2.0))
    elif k:
        # Beyond both plots, in the corner that the curve leaves free.
        distances, dots = (plot.x.area for plot in _plots(width, law))
        told = f"k = {whole(k)} ›"
        picture += label_on_ground(distances.right, distances.bottom - 10.0, told, theme, across=1.0)
        picture += label_on_ground(dots.right, dots.y + 8.0, told, theme, across=1.0)
    return tuple(picture)


def _comparison_picture(width: float, two: Comparison | None, theme: Theme) -> marks.Picture:
    """The share of each band in the distance from t to t + k, and the two difference vectors, below all else."""
    if two is None:
        return ()
    top = _comparison_top(width, two.encoding)
    return (*_bands(width, top, two, theme), *_turn(width, top + 86.0, two, theme))


def _plot(plot: Plot, title: str, x_title: str, values: Floats, offsets: Floats, theme: Theme) -> marks.Picture:
    area, axis = plot.x.area, plot.x
    heading = marks.Text(area.x - _LABEL_ROOM + 2.0, area.y - 18.0, title, "strong", theme.text)
    if not offsets.size:
        return (heading,)
    ticks = axis.power_ticks(_TICK_ROOM) if axis.is_logarithmic else axis.position_ticks(axis.last + 1.0)
    # Where a curve fills its plot, the fits over it would not be seen in ink.
    color = theme.axis if offsets.size > _MOST_DRAWN * area.width else theme.ink
    return (heading, *plot.frame(ticks, x_title, theme), plot.curve(offsets, values, color, 1.4))


def _fitted_range(plot: Plot, law: DistanceLaw, theme: Theme) -> tuple[marks.Mark, ...]:
    """The offsets that the fits are made of: never more than a million, however many positions there are."""
    if law.line is None:
        return ()
    told = f"fitted on k = 1 to {whole(len(law.distances) - 1)}"
    return (marks.Text(plot.x.area.right, plot.x.area.y - 18.0, told, "tick", theme.text3, across=1.0),)


def _fits(plot: Plot, law: DistanceLaw, theme: Theme, *, of_dots: bool) -> marks.Picture:
    """The law dashed, the straight line dotted; dots and squared distances have the same R^2."""
    if law.line is None or law.logarithm is None:
        return ()
    k = np.geomspace(max(plot.x.first, 1.0), plot.x.last, _SMOOTH_POINTS)
    told = f"straight line, R² {fixed(law.line.r_squared, 3)}"
    if law.line_from_zero is not None:
        told += f" ({fixed(law.line_from_zero.r_squared, 3)} with k = 0)"
    lines = [(law.line.at(k), _LINE_DASH, told)]
    if law.law_slope is not None and law.law_r_squared is not None:
        fit = f"R² {fixed(law.law_r_squared, 3)}" if law.law_r_squared >= 0 else "worse than a constant"
        lines.append((law.law(k), _LAW_DASH, f"logarithmic law, {fit}"))
    else:
        squares = np.maximum(law.logarithm.at(np.log(k)), 0.0)
        lines.append((np.sqrt(squares), _LAW_DASH, f"best logarithm, R² {fixed(law.logarithm.r_squared, 3)}"))
    picture: list[marks.Mark] = []
    area, left = plot.x.area, plot.x.area.x - _LABEL_ROOM + 2.0
    for place, (distances, dash, told) in enumerate(lines):
        heights = law.dots[0] - distances**2 / 2 if of_dots else distances
        seen = (heights >= plot.y.first) & (heights <= plot.y.last)
        picture.append(marks.Polyline(plot.points(k[seen], heights[seen]), theme.text2, 1.4, dash))
        if not of_dots:
            # The title of the axis stands at the right of the first line.
            title_room = text_width("tick", "offset k") + 10.0 if place == 0 else 0.0
            [line] = wrapped("tick", told, max(area.right - left - 30.0 - title_room, 60.0), 1)
            entry = LegendEntry(line, theme.text2, 1.4, dash)
            picture += legend(left, area.bottom + 28.0 + 17.0 * place, [entry], theme)
    return tuple(picture)


def _table(width: float, law: DistanceLaw, told: tuple[int, ...], theme: Theme) -> list[marks.Mark]:
    """D at a few offsets, its share of the largest, and its square beside the law."""
    heads = ["k", "D(k)", "of max", "D²(k)", *(["law"] if law.law_slope is not None else [])]
    first = max(text_width("caption", whole(told[-1])), 20.0) + 4.0
    rights = [first + (width - 6.0 - first) * place / (len(heads) - 1) for place in range(len(heads))]
    top, largest = _table_top(width), float(law.distances[law.farthest])
    sizes = largest, width
    picture: list[marks.Mark] = [
        marks.Text(right, top + 10.0, head, "segment", theme.text2, across=1.0)
        for right, head in zip(rights, heads, strict=True)
    ]
    picture.append(marks.Segments(np.array([[2.0, top + 22.0, width - 2.0, top + 22.0]]), theme.line))
    for place, k in enumerate(told):
        distance = float(law.distances[k])
        share = fixed(100 * distance / largest, 1) if largest > 0 else "–"
        texts = [whole(k), _told(distance, 4, *sizes), f"{share} %", _told(distance**2, 3, *sizes)]
        if law.law_slope is not None:
            texts.append(_told(float(law.law(np.array([float(k)]))[0]) ** 2, 3, *sizes))
        y = top + 26.0 + (place + 0.5) * _ROW_HEIGHT
        picture += [
            marks.Text(right, y, text, "caption", theme.text, across=1.0)
            for right, text in zip(rights, texts, strict=True)
        ]
    return picture


def _told(value: float, decimals: int, largest: float, width: float) -> str:
    """A number of the table, all in one way: large and small distances as powers of ten."""
    if _LEAST_PLAIN <= largest < _MOST_PLAIN:
        return fixed(value, decimals)
    return short(value, 3 if width >= _THREE_DIGITS else 2)


def _bands(width: float, top: float, two: Comparison, theme: Theme) -> list[marks.Mark]:
    bands = two.bands
    title = f"Share in the distance {position(two.position)} to {position(two.position + two.offset)}"
    picture: list[marks.Mark] = [marks.Text(2.0, top, title, "strong", theme.text)]
    n_hands = bands[-1].last + 1
    left = 2.0
    for band in bands:
        wide = (width - 4.0) * band.share
        color = theme.pair_color((band.first + band.last) // 2, n_hands)
        picture.append(marks.Rectangle(left, top + 14.0, wide, _BAND_HEIGHT, color))
        share = f"{fixed(100 * band.share, 2)} %"
        if wide > text_width("flag", share) + 12.0:
            ink = badge_text_color(color)
            picture.append(marks.Text(left + wide / 2, top + 14.0 + _BAND_HEIGHT / 2, share, "flag", ink, across=0.5))
        left += wide
    column = (width - 4.0) / len(bands)
    for place, band in enumerate(bands):
        text = f"{_hands(band)}: {fixed(100 * band.share, 2)} %"
        x = 2.0 + column * place
        picture += paragraph(x, top + 52.0, text, theme.text2, column, 1, "tick")
    return picture


def _hands(band: Band) -> str:
    return f"pair {band.first}" if band.first == band.last else f"{band.first} – {band.last}"


def _turn(width: float, top: float, two: Comparison, theme: Theme) -> marks.Picture:
    heading = marks.Text(2.0, top, "The difference itself", "strong", theme.text)
    return (heading, *paragraph(2.0, top + 20.0, words.difference(two), theme.text2, width - 4.0, 4))
