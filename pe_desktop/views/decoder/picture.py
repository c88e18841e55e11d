"""The decoder's hands on a dial, its vector as bars, and the curve of its products."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import hand_columns
from pe_desktop.core.cursor import Span
from pe_desktop.core.decoder import Hands, ScoreCurve, read_angles
from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Slide
from pe_desktop.draw.dial import Dial, dial_in, face_picture
from pe_desktop.draw.flow import Block
from pe_desktop.draw.number_text import degrees, whole
from pe_desktop.draw.plot import Axis, Plot, flag, flag_width
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, still_color
from pe_desktop.views.clock.picture import BADGE_RADIUS, MOST_HANDS

# Hands of the best position that stand nearer than this, radians, are not drawn beside those that are read.
_APART: Final = 0.02
# Dots at whole positions where they are so far apart, in pixels.
_DOT_ROOM: Final = 5.0
# Room left and right of a plot, over it for a caption and flags, and under it for its axis.
LEFT, RIGHT = 58.0, 12.0
_CAPTION, _FLAG, _AXIS = 24.0, 22.0, 40.0
# Names of places.
HANDS, CURVE = "hands", "curve"
# More bars than this would touch each other.
_MOST_BARS: Final = 128


@record
class HandsBlock(Block):
    """What is read: hands on a dial, or the bars of a vector where nothing turns; a place for each hand.

    chosen: the pair that is chosen, None where nothing turns; best: the first position, if it is known.
    """

    hands: Hands
    n_read: int
    chosen: int | None
    best: tuple[int, ...]
    tall: float
    grows = True

    def height(self, width: float) -> float:
        return self.tall

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        if self.chosen is None:
            return vector_picture(self.hands, area, self.n_read, theme)
        return hands_picture(self.hands, area, self.n_read, self.chosen, self.best[0] if self.best else None, theme)

    def places(self, area: Area) -> Iterable[Place]:
        yield Place(HANDS, area)
        if self.chosen is None:
            return
        tips, angles = hand_tips(self.hands, dial_of(area)), read_angles(self.hands)[0].tolist()
        shown = [hand for hand in range(len(angles) if len(angles) <= MOST_HANDS else 0) if hand != self.chosen]
        for hand in (*shown, self.chosen):
            x, y = tips[hand].tolist()
            where = Area(x - BADGE_RADIUS, y - BADGE_RADIUS, 2 * BADGE_RADIUS, 2 * BADGE_RADIUS)
            yield Place(f"hand {hand}", where, degrees(angles[hand]), hand == self.chosen, {"pair": hand})


@record
class ScoreBlock(Block):
    """Dot products against t, with the best positions as dots, the first of them solid and named.

    limit: how far the axis reaches to both sides, nan for as far as the curve; best: positions, the best first.
    """

    curve: ScoreCurve | None
    span: Span
    n_positions: int
    limit: float
    best: tuple[int, ...]
    tall: float
    grows = True

    def height(self, width: float) -> float:
        return self.tall

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        inner, x = self._axis(area).area, self._axis(area)
        title = marks.Text(area.x, area.y + 8.0, "Dot product with the row of each position", "flag", theme.text)
        if self.curve is None:
            return (title, marks.Text(inner.x, inner.middle[1], "Comparing all positions…", "caption", theme.text2))
        limit = self.limit
        lowest, highest = (-limit, limit) if limit == limit else _ends(self.curve)  # noqa: PLR0124 - nan differs from itself
        plot = Plot(x, Axis(inner, lowest, highest, "left"))
        frame = plot.frame(x.position_ticks(self.n_positions), "position t", theme)
        return (*frame, title, *_curve_marks(plot, self.curve, theme), *_best_marks(plot, self.curve, self.best, theme))

    def places(self, area: Area) -> Iterable[Place]:
        axis = self._axis(area)
        yield Place(CURVE, axis.area, sets=Slide(axis, "position"))

    def _axis(self, area: Area) -> Axis:
        wide, tall = area.width - LEFT - RIGHT, area.height - _CAPTION - _FLAG - _AXIS
        return Axis(
            Area(area.x + LEFT, area.y + _CAPTION + _FLAG, max(wide, 1.0), max(tall, 1.0)),
            self.span.first,
            self.span.last,
        )


def dial_of(area: Area) -> Dial:
    """The dial with the hands that are read."""
    dial = dial_in(area.width, area.height)
    return Dial(area.x + dial.x, area.y + dial.y, dial.radius)


def hand_tips(hands: Hands, dial: Dial) -> marks.Points:
    """Where the hands end, shape (n_pairs, 2): on their rings, shorter ones inside them."""
    angles, lengths = read_angles(hands)
    return dial.tips(angles, dial.ring_radii(len(angles)) * lengths / (float(lengths.max()) or 1.0))


def dial_face(area: Area, theme: Theme, n_pairs: int) -> marks.Picture:
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
        picture.append(dial.lines(tip[np.newaxis], color, width))
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
    plot_area = Area(area.x + LEFT, area.y + _CAPTION, area.width - 78.0, max(area.height - _CAPTION - 40.0, 20.0))
    limit = float(np.abs(values).max()) or 1.0
    plot = Plot(Axis(plot_area, -0.5, len(values) - 0.5), Axis(plot_area, -limit, limit, "left"))
    frame = plot.frame(plot.x.position_ticks(len(values)), "dimension", theme)
    title = marks.Text(area.x, area.y + 8.0, "The vector that is read", "flag", theme.text)
    if len(values) > _MOST_BARS:
        return (*frame, title, plot.curve(np.arange(len(values), dtype=np.float64), values, theme.ink, 1.2))
    read = {*hand_columns(hands.encoding)[hands.numbers(n_read)].ravel().tolist()}
    width = max(min(plot.x.length / len(values) - 2.0, 10.0), 1.0)
    inks = [theme.ink if place in read else still_color(theme) for place in range(len(values))]
    return (*frame, title, *bars(plot, np.arange(len(values), dtype=np.float64), values, inks, width))


def bars(plot: Plot, x: Floats, values: Floats, inks: Sequence[QColor], width: float) -> list[marks.Mark]:
    """Bars from 0 to values at x, shape (n,) each, each in its colour."""
    ground, tips = plot.y.place(0.0), plot.points(x, values).tolist()
    return [
        marks.Rectangle(across - width / 2, min(down, ground), width, abs(down - ground), fill=ink)
        for (across, down), ink in zip(tips, inks, strict=True)
    ]


def _curve_marks(plot: Plot, curve: ScoreCurve, theme: Theme) -> marks.Picture:
    area, x, places = plot.x.area, plot.x, curve.positions
    if curve.size > 1:
        across, (low, high) = x.place(places), (plot.y.place(ends) for ends in (curve.lows, curve.highs))
        return (marks.Band(np.clip(across, area.x, area.right), high, low, theme.ink),)
    inside = (places >= x.first) & (places <= x.last)
    line = plot.curve(places[inside], curve.lows[inside], theme.ink, 1.3)
    if x.length <= _DOT_ROOM * (x.last - x.first):
        return (line,)
    return line, marks.Dots(plot.points(places[inside], curve.lows[inside]), 1.8, theme.ink)


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
        picture += flag(left, plot.x.area.y - _FLAG, text, theme)
    return picture


def _ends(curve: ScoreCurve) -> tuple[float, float]:
    low, high = min(float(curve.lows.min()), 0.0), max(float(curve.highs.max()), 0.0)
    return low, high if high > low else low + 1.0
