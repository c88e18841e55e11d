"""What distance knows: D(k) beside the straight line and the logarithmic law, its share by band, its direction."""

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Floats
from pe_desktop.core.measure.distance_law import Band, DifferenceTurn, DistanceLaw
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, label_on_ground, legend, paragraph
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width, wrapped

# Wide enough for both plots beside each other.
SIDE_BY_SIDE = 560.0
PLOT_HEIGHT = 150.0
# The numbers beside a plot; from one number under it to the next.
LABEL_ROOM, TICK_ROOM = 46.0, 64.0
SECTION = 44.0
BAND_HEIGHT = 22.0
# A plot with its heading and the words under it; a row of the table; what follows the table.
PLOT_ROOM = PLOT_HEIGHT + 90.0
ROW_HEIGHT = 19.0
COMPARISON_HEIGHT = 190.0
# What a page without plots has for its words.
WORDS_HEIGHT = 76.0
# Lengths that agree so far are the same up to rounding.
SAME = 1e-9
LAW_DASH, LINE_DASH = (6.0, 4.0), (1.6, 3.2)
# Points at which the smooth law is drawn.
SMOOTH_POINTS = 256
# Offsets a pixel of a curve that is still one line.
MOST_DRAWN = 8


def table_top(width: float) -> float:
    """Where the table of offsets begins."""
    # Two lines tell the fits under the first plot alone.
    return SECTION + (PLOT_ROOM if width >= SIDE_BY_SIDE else 2 * PLOT_ROOM - 34.0) + 8.0


def comparison_top(width: float, law: DistanceLaw | None) -> float:
    """Where the comparison of two positions begins: below the table, or below the words that say why there is none."""
    return WORDS_HEIGHT if law is None else table_top(width) + 52.0 + len(law.listed_offsets) * ROW_HEIGHT


def distance_height(width: float, law: DistanceLaw | None) -> float:
    """How high the page is at a width."""
    return comparison_top(width, law) + COMPARISON_HEIGHT


def told_offset_at(width: float, law: DistanceLaw, y: float) -> int | None:
    """The offset of the row of the table at a height, None beside the table."""
    place = int((y - table_top(width) - 26.0) // ROW_HEIGHT)
    return law.listed_offsets[place] if 0 <= place < len(law.listed_offsets) else None


def distance_picture(width: float, law: DistanceLaw, theme: Theme) -> marks.Picture:
    """Both plots and their sentences; everything that stays while t moves."""
    linear, logarithmic = distance_plots(width, law)
    offsets = np.arange(1, len(law.distances), dtype=np.float64)
    return (
        *_plot(linear, "Distance D(k)", "offset k", law.distances[1:], offsets, theme),
        *_fits(linear, law, theme, of_dots=False),
        *_fitted_range(linear, law, theme),
        *_plot(logarithmic, "Dot product", "offset k, logarithmic", law.dots[1:], offsets, theme),
        *_fits(logarithmic, law, theme, of_dots=True),
        *_table(width, law, theme),
        *_sentences(width, law, theme),
    )


def distance_plots(width: float, law: DistanceLaw) -> tuple[Plot, Plot]:
    """D against k, and the dot product against the logarithm of k: beside each other, or one below the other."""
    is_wide = width >= SIDE_BY_SIDE
    each = (width - 24.0) / 2 if is_wide else width
    last = max(float(len(law.distances) - 1), 2.0)
    first_area = Area(LABEL_ROOM, SECTION + 22.0, each - LABEL_ROOM - 8.0, PLOT_HEIGHT)
    second_area = Area(
        LABEL_ROOM + (each + 24.0 if is_wide else 0.0),
        SECTION + 22.0 + (0.0 if is_wide else PLOT_ROOM),
        each - LABEL_ROOM - 8.0,
        PLOT_HEIGHT,
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


def distance_cursor_picture(width: float, law: DistanceLaw, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The offset on both plots."""
    k = abs(round(cursor.offset))
    picture: list[marks.Mark] = []
    if 1 <= k < len(law.distances):
        for plot, values in zip(distance_plots(width, law), (law.distances, law.dots), strict=True):
            picture.append(plot.x.line(k, theme.text2, 1.2, (4.0, 3.0)))
            picture.append(marks.Dots(plot.points(np.array([float(k)]), values[[k]]), 4.5, theme.panel, theme.ink, 2.0))
    elif k:
        # Beyond both plots, in the corner that the curve leaves free.
        distances, dots = (plot.x.area for plot in distance_plots(width, law))
        words = f"k = {whole(k)} ›"
        picture += label_on_ground(distances.right, distances.bottom - 10.0, words, theme, across=1.0)
        picture += label_on_ground(dots.right, dots.y + 8.0, words, theme, across=1.0)
    return tuple(picture)


def distance_comparison_picture(
    width: float, law: DistanceLaw | None, bands: tuple[Band, ...], turn: DifferenceTurn, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """The share of each band in the distance from t to t + k, and the two difference vectors, below all else."""
    top = comparison_top(width, law)
    differences = _turn(width, top + 86.0, turn, cursor, theme, has_law=law is not None)
    return (*_bands(width, top, bands, cursor, theme), *differences)


def _plot(plot: Plot, title: str, x_title: str, values: Floats, offsets: Floats, theme: Theme) -> marks.Picture:
    area, axis = plot.x.area, plot.x
    heading = marks.Text(area.x - LABEL_ROOM + 2.0, area.y - 18.0, title, "strong", theme.text)
    if not offsets.size:
        return (heading,)
    ticks = axis.power_ticks(TICK_ROOM) if axis.is_logarithmic else axis.position_ticks(axis.last + 1.0)
    # Where a curve fills its plot, the fits over it would not be seen in ink.
    color = theme.axis if offsets.size > MOST_DRAWN * area.width else theme.ink
    return (heading, *plot.frame(ticks, x_title, theme), plot.curve(offsets, values, color, 1.4))


def _fitted_range(plot: Plot, law: DistanceLaw, theme: Theme) -> tuple[marks.Mark, ...]:
    """The offsets that the fits are made of: never more than a million, however many positions there are."""
    if law.line is None:
        return ()
    words = f"fitted on k = 1 to {whole(len(law.distances) - 1)}"
    return (marks.Text(plot.x.area.right, plot.x.area.y - 18.0, words, "tick", theme.text3, across=1.0),)


def _fits(plot: Plot, law: DistanceLaw, theme: Theme, *, of_dots: bool) -> marks.Picture:
    """The law dashed, the straight line dotted; dots and squared distances have the same R^2."""
    if law.line is None or law.logarithm is None:
        return ()
    k = np.geomspace(max(plot.x.first, 1.0), plot.x.last, SMOOTH_POINTS)
    words = f"straight line, R² {fixed(law.line.r_squared, 3)}"
    if law.line_from_zero is not None:
        words += f" ({fixed(law.line_from_zero.r_squared, 3)} with k = 0)"
    lines = [(law.line.at(k), LINE_DASH, words)]
    if law.law_slope is not None and law.law_r_squared is not None:
        fit = f"R² {fixed(law.law_r_squared, 3)}" if law.law_r_squared >= 0 else "worse than a constant"
        lines.append((law.law(k), LAW_DASH, f"logarithmic law, {fit}"))
    else:
        squares = np.maximum(law.logarithm.at(np.log(k)), 0.0)
        lines.append((np.sqrt(squares), LAW_DASH, f"best logarithm, R² {fixed(law.logarithm.r_squared, 3)}"))
    picture: list[marks.Mark] = []
    area, left = plot.x.area, plot.x.area.x - LABEL_ROOM + 2.0
    for place, (distances, dash, words) in enumerate(lines):
        heights = law.dots[0] - distances**2 / 2 if of_dots else distances
        seen = (heights >= plot.y.first) & (heights <= plot.y.last)
        picture.append(marks.Polyline(plot.points(k[seen], heights[seen]), theme.text2, 1.4, dash))
        if not of_dots:
            [line] = wrapped("tick", words, max(area.right - left - 110.0, 60.0), 1)
            entry = LegendEntry(line, theme.text2, 1.4, dash)
            picture += legend(left, area.bottom + 28.0 + 17.0 * place, [entry], theme)
    return tuple(picture)


def _table(width: float, law: DistanceLaw, theme: Theme) -> list[marks.Mark]:
    """D at a few offsets, its share of the largest, and its square beside the law."""
    if not law.listed_offsets:
        return []
    heads = ["k", "D(k)", "of max", "D²(k)", *(["law"] if law.law_slope is not None else [])]
    first = max(text_width("caption", whole(law.listed_offsets[-1])), 20.0) + 4.0
    rights = [first + (width - 6.0 - first) * place / (len(heads) - 1) for place in range(len(heads))]
    top, largest = table_top(width), float(law.distances[law.farthest])
    picture: list[marks.Mark] = [
        marks.Text(right, top + 10.0, head, "segment", theme.text2, across=1.0)
        for right, head in zip(rights, heads, strict=True)
    ]
    picture.append(marks.Segments(np.array([[2.0, top + 22.0, width - 2.0, top + 22.0]]), theme.line))
    for place, k in enumerate(law.listed_offsets):
        distance = float(law.distances[k])
        share = fixed(100 * distance / largest, 1) if largest > 0 else "–"
        texts = [whole(k), fixed(distance, 4), f"{share} %", fixed(distance**2, 3)]
        if law.law_slope is not None:
            texts.append(fixed(float(law.law(np.array([float(k)]))[0]) ** 2, 3))
        y = top + 26.0 + (place + 0.5) * ROW_HEIGHT
        picture += [
            marks.Text(right, y, text, "caption", theme.text, across=1.0)
            for right, text in zip(rights, texts, strict=True)
        ]
    return picture


def _sentences(width: float, law: DistanceLaw, theme: Theme) -> marks.Picture:
    n_steps = max(len(law.distances) - 1, 0)
    down = len(law.steps_down)
    if down:
        first = int(law.steps_down[0])
        words = (
            f"{whole(down)} of {whole(n_steps)} steps go down, the first from {whole(first)} to {whole(first + 1)}; "
        )
    else:
        words = f"None of {whole(n_steps)} steps goes down; "
    words += f"the largest distance is {fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}."
    return paragraph(2.0, 6.0, words, theme.text2, width - 4.0, 2)


def _bands(width: float, top: float, bands: tuple[Band, ...], cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    later = position(cursor.position + cursor.offset)
    title = f"Share in the distance {position(cursor.position)} to {later}"
    picture: list[marks.Mark] = [marks.Text(2.0, top, title, "strong", theme.text)]
    n_hands = bands[-1].last + 1 if bands else 1
    left = 2.0
    for band in bands:
        wide = (width - 4.0) * band.share
        color = theme.pair_color((band.first + band.last) // 2, n_hands)
        picture.append(marks.Rectangle(left, top + 14.0, wide, BAND_HEIGHT, color))
        share = f"{fixed(100 * band.share, 2)} %"
        if wide > text_width("flag", share) + 12.0:
            ink = badge_text_color(color)
            picture.append(marks.Text(left + wide / 2, top + 14.0 + BAND_HEIGHT / 2, share, "flag", ink, across=0.5))
        left += wide
    column = (width - 4.0) / max(len(bands), 1)
    for place, band in enumerate(bands):
        names = f"pair {band.first}" if band.first == band.last else f"{band.first} – {band.last}"
        text = f"{names}: {fixed(100 * band.share, 2)} %"
        x = 2.0 + column * place
        picture += paragraph(x, top + 52.0, text, theme.text2, column, 1, "tick")
    return picture


def _turn(
    width: float, top: float, turn: DifferenceTurn, cursor: Cursor, theme: Theme, *, has_law: bool
) -> marks.Picture:
    words = _turn_words(turn, cursor, has_law=has_law)
    heading = marks.Text(2.0, top, "The difference itself", "strong", theme.text)
    return (heading, *paragraph(2.0, top + 20.0, words, theme.text2, width - 4.0, 4))


def _turn_words(turn: DifferenceTurn, cursor: Cursor, *, has_law: bool) -> str:
    """The lengths of the difference over k at t and at 0; what follows from them, where that is so for every t."""
    here, there, apart = (short(length, 6) for length in (turn.length, turn.other_length, turn.apart))
    words = f"The difference over k = {position(cursor.offset)} has length {here}"
    if cursor.position == 0:
        rest = "the length stays, for it knows the offset alone; the vector turns, for it knows t."
        return f"{words} at t = 0. Move t: {rest if has_law else 'length and vector may change.'}"
    words += f" at t = {position(cursor.position)} and {there} at t = 0"
    if has_law:
        words += f", but the two differences are {apart} apart"
        return f"{words}: the length knows the offset alone, the vector knows t."
    if turn.apart <= SAME * turn.length:
        return f"{words}; these two differences are one vector."
    return f"{words}; the two differences are {apart} apart."
