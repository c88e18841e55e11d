"""What distance knows: D(k) beside the straight line and the logarithmic law, its share by band, its direction."""

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Floats
from pe_desktop.core.measure.distance_law import Band, DifferenceTurn, DistanceLaw
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import LABEL_ROOM, SmallPlot, axes_picture, curve_picture
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width, wrapped

# Wide enough for both plots beside each other.
SIDE_BY_SIDE = 560.0
PLOT_HEIGHT = 150.0
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
    return WORDS_HEIGHT if law is None else table_top(width) + 52.0 + len(law.told_offsets) * ROW_HEIGHT


def distance_height(width: float, law: DistanceLaw | None) -> float:
    """How high the page is at a width."""
    return comparison_top(width, law) + COMPARISON_HEIGHT


def told_offset_at(width: float, law: DistanceLaw, y: float) -> int | None:
    """The offset of the row of the table at a height, None beside the table."""
    place = int((y - table_top(width) - 26.0) // ROW_HEIGHT)
    return law.told_offsets[place] if 0 <= place < len(law.told_offsets) else None


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


def distance_plots(width: float, law: DistanceLaw) -> tuple[SmallPlot, SmallPlot]:
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
        SmallPlot(first_area, 0.0, last, 0.0, highest if highest > 0 else 1.0),
        SmallPlot(second_area, 1.0, last, lowest_dot, float(law.dots[0]), is_logarithmic=True),
    )


def distance_cursor_picture(width: float, law: DistanceLaw, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The offset on both plots."""
    k = abs(round(cursor.offset))
    picture: list[marks.Mark] = []
    if 1 <= k < len(law.distances):
        for plot, values in zip(distance_plots(width, law), (law.distances, law.dots), strict=True):
            x, y = float(plot.x(np.array([float(k)]))[0]), float(plot.y(values[k : k + 1])[0])
            foot = plot.area.y + plot.area.height
            picture.append(marks.Segments(np.array([[x, plot.area.y, x, foot]]), theme.text2, 1.2, (4.0, 3.0)))
            picture.append(marks.Dots(np.array([[x, y]]), 4.5, theme.panel, theme.ink, 2.0))
    elif k:
        # Beyond both plots, in the corner that the curve leaves free.
        distances, dots = distance_plots(width, law)
        picture += _flag(distances, distances.area.y + distances.area.height - 10.0, f"k = {whole(k)} ›", theme)
        picture += _flag(dots, dots.area.y + 8.0, f"k = {whole(k)} ›", theme)
    return tuple(picture)


def distance_comparison_picture(
    width: float, law: DistanceLaw | None, bands: tuple[Band, ...], turn: DifferenceTurn, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """The share of each band in the distance from t to t + k, and the two difference vectors, below all else."""
    top = comparison_top(width, law)
    differences = _turn(width, top + 86.0, turn, cursor, theme, has_law=law is not None)
    return (*_bands(width, top, bands, cursor, theme), *differences)


def _plot(plot: SmallPlot, title: str, x_title: str, values: Floats, offsets: Floats, theme: Theme) -> marks.Picture:
    heading = marks.Text(plot.area.x - LABEL_ROOM + 2.0, plot.area.y - 18.0, title, "strong", theme.text)
    if not offsets.size:
        return (heading,)
    # Where a curve fills its plot, the fits over it would not be seen in ink.
    color = theme.axis if offsets.size > MOST_DRAWN * plot.area.width else theme.ink
    return (heading, *axes_picture(plot, x_title, theme), *curve_picture(plot, offsets, values, color, 1.4))


def _flag(plot: SmallPlot, y: float, words: str, theme: Theme) -> tuple[marks.Mark, ...]:
    right, wide = plot.area.x + plot.area.width, text_width("tick", words)
    ground = marks.Rectangle(right - wide - 6.0, y - 8.0, wide + 6.0, 16.0, theme.panel)
    return (ground, marks.Text(right - 3.0, y, words, "tick", theme.text2, across=1.0))


def _fitted_range(plot: SmallPlot, law: DistanceLaw, theme: Theme) -> tuple[marks.Mark, ...]:
    """The offsets that the fits are made of: never more than a million, however many positions there are."""
    if law.line is None:
        return ()
    words = f"fitted on k = 1 to {whole(len(law.distances) - 1)}"
    right = plot.area.x + plot.area.width
    return (marks.Text(right, plot.area.y - 18.0, words, "tick", theme.text3, across=1.0),)


def _fits(plot: SmallPlot, law: DistanceLaw, theme: Theme, *, of_dots: bool) -> marks.Picture:
    """The law dashed, the straight line dotted; dots and squared distances have the same R^2."""
    if law.line is None or law.logarithm is None:
        return ()
    first = max(plot.first, 1.0)
    k = np.geomspace(first, plot.last, SMOOTH_POINTS)
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
    right = plot.area.x + plot.area.width
    for place, (distances, dash, words) in enumerate(lines):
        heights = law.dots[0] - distances**2 / 2 if of_dots else distances
        seen = (heights >= plot.low) & (heights <= plot.high)
        points = np.column_stack((plot.x(k[seen]), plot.y(heights[seen])))
        picture.append(marks.Polyline(points, theme.text2, 1.4, dash))
        y = plot.area.y + plot.area.height + 28.0 + 17.0 * place
        left = plot.area.x - LABEL_ROOM + 2.0
        if not of_dots:
            picture.append(marks.Segments(np.array([[left, y, left + 22.0, y]]), theme.text2, 1.4, dash))
            picture += [
                marks.Text(left + 28.0, y, line, "tick", theme.text2)
                for line in wrapped("tick", words, max(right - left - 110.0, 60.0), 1)
            ]
    return tuple(picture)


def _table(width: float, law: DistanceLaw, theme: Theme) -> list[marks.Mark]:
    """D at a few offsets, its share of the largest, and its square beside the law."""
    if not law.told_offsets:
        return []
    heads = ["k", "D(k)", "of max", "D²(k)", *(["law"] if law.law_slope is not None else [])]
    first = max(text_width("caption", whole(law.told_offsets[-1])), 20.0) + 4.0
    rights = [first + (width - 6.0 - first) * place / (len(heads) - 1) for place in range(len(heads))]
    top, largest = table_top(width), float(law.distances[law.farthest])
    picture: list[marks.Mark] = [
        marks.Text(right, top + 10.0, head, "segment", theme.text2, across=1.0)
        for right, head in zip(rights, heads, strict=True)
    ]
    picture.append(marks.Segments(np.array([[2.0, top + 22.0, width - 2.0, top + 22.0]]), theme.line))
    for place, k in enumerate(law.told_offsets):
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


def _sentences(width: float, law: DistanceLaw, theme: Theme) -> list[marks.Mark]:
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
    lines = wrapped("caption", words, width - 4.0, 2)
    return [marks.Text(2.0, 6.0 + 16.0 * place, line, "caption", theme.text2) for place, line in enumerate(lines)]


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
        picture += [marks.Text(x, top + 52.0, line, "tick", theme.text2) for line in wrapped("tick", text, column, 1)]
    return picture


def _turn(
    width: float, top: float, turn: DifferenceTurn, cursor: Cursor, theme: Theme, *, has_law: bool
) -> list[marks.Mark]:
    words = _turn_words(turn, cursor, has_law=has_law)
    picture: list[marks.Mark] = [marks.Text(2.0, top, "The difference itself", "strong", theme.text)]
    lines = wrapped("caption", words, width - 4.0, 4)
    return [
        *picture,
        *(marks.Text(2.0, top + 20.0 + 16.0 * i, line, "caption", theme.text2) for i, line in enumerate(lines)),
    ]


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
