"""The decoder's hands, its curve, its two tables, and the bars of "is n three before m?"."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import hand_columns
from pe_desktop.core.decoder import Hands, Row, ScoreCurve, read_angles
from pe_desktop.core.encoding import Floats
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis, Plot, Tick, flag, flag_width, label_on_ground
from pe_desktop.draw.scene import Area
from pe_desktop.draw.tables import table_picture
from pe_desktop.draw.theme import Theme, still_color
from pe_desktop.views.clock.picture import BADGE_RADIUS, MOST_HANDS, Dial, dial_in, face_picture
from pe_desktop.views.decoder.layout import CAPTION, FLAG, DecoderLayout
from pe_desktop.views.decoder.words import NOTE, margin_text, score_text

# Hands of the best position that stand nearer than this, radians, are not drawn beside those that are read.
_APART: Final = 0.02
# Dots at whole positions where they are so far apart, in pixels.
_DOT_ROOM: Final = 5.0
_UNKNOWN: Final = "…"
_MOST: Final = "|p|²"
# Narrower tables have no room for seven digits.
_WITH_ALL_DIGITS: Final = 330.0
# More bars than this would touch each other.
_MOST_BARS: Final = 128


def dial_of(area: Area) -> Dial:
    """The dial with the hands that are read."""
    dial = dial_in(area.width, area.height)
    return Dial(area.x + dial.x, area.y + dial.y, dial.radius)


def hand_tips(hands: Hands, dial: Dial) -> marks.Points:
    """Where the hands end, shape (n_pairs, 2): on their rings, shorter ones inside them."""
    angles, lengths = read_angles(hands)
    return dial.tips(angles, dial.ring_radii(len(angles)) * lengths / (float(lengths.max()) or 1.0))


def dial_face(area: Area, n_pairs: int, theme: Theme) -> marks.Picture:
    """What of the dial stands still."""
    return face_picture(dial_of(area), n_pairs, theme)


def hands_picture(hands: Hands, area: Area, n_read: int, chosen: int, best: int | None, theme: Theme) -> marks.Picture:
    """The hands that are read, in colour; grey ones are not read; hollow: those of the best position."""
    dial, tips = dial_of(area), hand_tips(hands, dial_of(area))
    count = len(tips)
    colors = theme.pair_colors(count).copy()
    still = still_color(theme)
    read = hands.numbers(n_read)
    colors[np.setdiff1d(np.arange(count), read)] = still.red(), still.green(), still.blue()
    shown = [hand for hand in range(count if count <= MOST_HANDS else 0) if hand != chosen]
    picture: list[marks.Mark] = [marks.DotCloud(tips, colors, 3.0)] if count > MOST_HANDS else []
    if best is not None and hands.encoding.pairs is not None:
        picture += _ghosts(hands, dial, [hand for hand in (*shown, chosen) if hand in read], best, theme)
    for hand in (*shown, chosen):
        color, tip = QColor(*colors[hand].tolist()), tips[hand]
        width = 3.6 if hand == chosen else 1.6
        picture.append(marks.Segments(np.array([[dial.x, dial.y, *tip.tolist()]]), color, width))
        if hand != chosen:
            picture.append(marks.Dots(tip[np.newaxis], 4.5, color))
    x, y = tips[chosen].tolist()
    picture.append(marks.Badge(x, y, BADGE_RADIUS, str(chosen), QColor(*colors[chosen].tolist())))
    picture.append(marks.Dots(np.array([[dial.x, dial.y]]), 4.5, theme.panel, theme.ink, 3.0))
    return tuple(picture)


def _ghosts(hands: Hands, dial: Dial, shown: Sequence[int], best: int, theme: Theme) -> list[marks.Mark]:
    there = Hands(hands.encoding, float(best))
    apart = np.remainder(read_angles(there)[0] - read_angles(hands)[0] + np.pi, 2 * np.pi) - np.pi
    tips, count = hand_tips(there, dial), len(apart)
    return [
        marks.Dots(tips[hand][np.newaxis], 4.5, theme.panel, theme.pair_color(hand, count), 1.6)
        for hand in shown
        if abs(apart[hand]) > _APART
    ]


def vector_picture(hands: Hands, area: Area, n_read: int, theme: Theme) -> marks.Picture:
    """The vector that is read, a bar for each dimension; grey ones are not read."""
    values = hands.values
    plot_area = Area(area.x + 58.0, area.y + CAPTION, area.width - 78.0, max(area.height - CAPTION - 40.0, 20.0))
    limit = float(np.abs(values).max()) or 1.0
    plot = Plot(Axis(plot_area, -0.5, len(values) - 0.5), Axis(plot_area, -limit, limit, "left"))
    frame = plot.frame(plot.x.position_ticks(len(values)), "dimension", theme)
    title = marks.Text(area.x, area.y + 8.0, "The vector that is read", "flag", theme.text)
    if len(values) > _MOST_BARS:
        return (*frame, title, plot.curve(np.arange(len(values), dtype=np.float64), values, theme.ink, 1.2))
    read = {*hand_columns(hands.encoding)[hands.numbers(n_read)].ravel().tolist()}
    width = max(min(plot.x.length / len(values) - 2.0, 10.0), 1.0)
    inks = [theme.ink if place in read else still_color(theme) for place in range(len(values))]
    return (*frame, title, *_bars(plot, np.arange(len(values), dtype=np.float64), values, inks, width))


def _bars(plot: Plot, x: Floats, values: Floats, inks: Sequence[QColor], width: float) -> list[marks.Mark]:
    """Bars from 0 to values at x, shape (n,) each, each in its colour."""
    ground, tips = plot.y.place(0.0), plot.points(x, values).tolist()
    return [
        marks.Rectangle(across - width / 2, min(down, ground), width, abs(down - ground), fill=ink)
        for (across, down), ink in zip(tips, inks, strict=True)
    ]


def curve_picture(
    layout: DecoderLayout,
    curve: ScoreCurve | None,
    n_positions: int,
    limit: float,
    best: Sequence[int],
    theme: Theme,
) -> marks.Picture:
    """Dot products against t, with the best positions as dots, the first of them solid and named.

    n_positions: of the table; limit: how far the axis reaches to both sides, nan for as far as the curve.
    """
    area = layout.curve
    title = marks.Text(0.0, area.y - FLAG - 12.0, "Dot product with the row of each position", "flag", theme.text)
    if curve is None:
        return (title, marks.Text(area.x, area.middle[1], "Comparing all positions…", "caption", theme.text2))
    lowest, highest = (-limit, limit) if limit == limit else _ends(curve)  # noqa: PLR0124 - nan differs from itself
    x = layout.position_axis
    plot = Plot(x, Axis(area, lowest, highest, "left"))
    places = curve.positions
    picture: list[marks.Mark] = [*plot.frame(x.position_ticks(n_positions), "position t", theme), title]
    if curve.size == 1:
        inside = (places >= x.first) & (places <= x.last)
        picture.append(plot.curve(places[inside], curve.lows[inside], theme.ink, 1.3))
        if x.length > _DOT_ROOM * (x.last - x.first):
            picture.append(marks.Dots(plot.points(places[inside], curve.lows[inside]), 1.8, theme.ink))
    else:
        across, (low, high) = x.place(places), (plot.y.place(ends) for ends in (curve.lows, curve.highs))
        picture.append(marks.Band(np.clip(across, area.x, area.right), high, low, theme.ink))
    return (*picture, *_best_marks(plot, curve, best, theme))


def _best_marks(plot: Plot, curve: ScoreCurve, best: Sequence[int], theme: Theme) -> list[marks.Mark]:
    picture: list[marks.Mark] = []
    for rank, t in reversed([*enumerate(best)]):
        place = (t - curve.first) // curve.size
        if not (plot.x.first <= t <= plot.x.last and 0 <= place < len(curve.highs)):
            continue
        at = plot.points(np.array([float(t)]), curve.highs[[place]])
        if rank:
            picture.append(marks.Dots(at, 4.0, theme.panel, theme.ink, 1.6))
            continue
        text = f"t = {whole(t)}"
        left = min(max(at[0, 0] + 9.0, plot.x.area.x), plot.x.area.right - flag_width(text))
        picture += [plot.x.line(float(t), theme.text2), marks.Dots(at, 4.5, theme.ink)]
        picture += flag(left, plot.x.area.y - FLAG, text, theme)
    return picture


def _ends(curve: ScoreCurve) -> tuple[float, float]:
    low, high = min(float(curve.lows.min()), 0.0), max(float(curve.highs.max()), 0.0)
    return low, high if high > low else low + 1.0


def counts_picture(
    layout: DecoderLayout, hands: Hands, counts: Sequence[int], rows: Sequence[Row] | None, chosen: int, theme: Theme
) -> marks.Picture:
    """What the first 1, 2, 4, ... hands read: best, second, margin, and how many positions are about as good."""
    table, has_pairs = layout.counts, hands.encoding.pairs is not None
    others = ("best t", "second", "margin", "as good") if hands.are_even else ("by dot", "as good", "nearest", "second")
    titles = ("hands" if has_pairs else "columns", *others)
    texts = [_count_texts(hands, count, None if rows is None else rows[i]) for i, count in enumerate(counts)]
    caption = "What fewer hands read, the fastest first" if has_pairs else "What fewer columns read"
    if hands.order:
        caption = f"What the pinned {'hands' if has_pairs else 'columns'} read, one after another"
    return (
        marks.Text(table.x, table.y - 12.0, caption, "flag", theme.text),
        *table_picture(table, titles, texts, counts.index(chosen), theme),
        marks.Text(table.x + table.width - 8.0, table.bottom + 10.0, NOTE, "tick", theme.text3, across=1.0),
    )


def _count_texts(hands: Hands, count: int, row: Row | None) -> tuple[str, ...]:
    encoding = hands.encoding
    number = whole(count if encoding.pairs is not None else min(2 * count, encoding.d_model))
    if row is None:
        return (number, *(_UNKNOWN,) * 4)
    best, *others = (whole(t) for t in row.by_dot.positions)
    near = "–" if row.n_near is None else whole(row.n_near)
    if hands.are_even:
        return number, best, others[0] if others else "–", margin_text(row), near
    nearest, *further = (whole(t) for t in row.by_distance.positions)
    return number, best, near, nearest, further[0] if further else "–"


def nearest_picture(layout: DecoderLayout, row: Row | None, *, are_even: bool, theme: Theme) -> marks.Picture:
    """The best positions with their dot products and distances."""
    table = layout.nearest
    titles = ("t", "dot product", "distance") if are_even else ("t", "distance", "t", "dot product")
    digits = 4 if table.width < _WITH_ALL_DIGITS else 7
    texts = [] if row is None else nearest_texts(row, are_even=are_even, digits=digits)
    caption = "Nearest of all positions" if are_even else "Nearest of all rows, by either measure"
    return (
        marks.Text(table.x, table.y - 12.0, caption, "flag", theme.text),
        *table_picture(table, titles, texts, 0 if texts else None, theme),
    )


def nearest_texts(row: Row, *, are_even: bool, digits: int = 7) -> list[tuple[str, ...]]:
    """The rows of that table."""
    dots, near = row.by_dot, row.by_distance
    if are_even:
        found = zip(dots.positions, dots.values, near.values, strict=True)
        return [(whole(t), score_text(score, digits), score_text(distance, digits)) for t, score, distance in found]
    pairs = zip(near.positions, near.values, dots.positions, dots.values, strict=True)
    return [
        (whole(nearest), score_text(distance, digits), whole(t), score_text(score, digits))
        for nearest, distance, t, score in pairs
    ]


def bars_picture(area: Area, places: range, scores: Floats, limit: float, chosen: int, theme: Theme) -> marks.Picture:
    """p_n · (M_-j p_m) for each j, against the most that it can be; the chosen j is solid."""
    lowest = min(float(scores.min()), 0.0)
    plot = Plot(Axis(area, places[0] - 0.5, places[-1] + 0.5), Axis(area, lowest, 1.08 * limit, "left"))
    ticks = [Tick(float(j), whole(j)) for j in places]
    inks = [theme.ink if j == chosen else still_color(theme) for j in places]
    wide = min(plot.x.length / len(places) * 0.5, 26.0)
    most = f"{_MOST} = {score_text(limit)}"
    return (
        *plot.frame(ticks, "j places back", theme),
        *_bars(plot, np.array(places, dtype=np.float64), scores, inks, wide),
        plot.y.line(limit, theme.text2, 1.2, (5.0, 4.0)),
        *label_on_ground(area.right, plot.y.place(limit), most, theme, across=1.0),
    )
