"""Where positions come too near: returns of one hand, nearest offsets of all, who tells t from t + k, resolution."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.measure.collisions import Alias, CloseOffsets, Decades, Disagreement
from pe_desktop.core.measure.periodic import NearReturn
from pe_desktop.core.number_text import SUPERSCRIPTS
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import Axis, Plot, TableLayout, table_picture
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped

MOST_RETURNS = 9
MOST_OFFSETS = 6
HEADING = 24.0
SPARK = 44.0
BARS = 64.0
GAP = 22.0


@dataclass(frozen=True, slots=True)
class CollisionsLayout:
    """Where the sections stand in a picture of this width, top to bottom."""

    width: float
    n_returns: int
    n_offsets: int
    has_alias: bool

    @property
    def returns(self) -> TableLayout:
        """The table of the chosen hand's near returns."""
        return TableLayout(0.0, HEADING, self.width, self.n_returns)

    @property
    def offsets_top(self) -> float:
        """Where the nearest offsets begin."""
        return self.returns.y + self.returns.height + GAP

    @property
    def spark(self) -> Area:
        """The smallest distance by offset."""
        return Area(0.0, self.offsets_top + HEADING, self.width, SPARK)

    @property
    def offsets(self) -> TableLayout:
        """The table of the nearest offsets."""
        return TableLayout(0.0, self.spark.y + SPARK + 6.0, self.width, self.n_offsets)

    @property
    def alias_top(self) -> float:
        """Where the revival of evenly spaced frequencies is told."""
        return self.offsets.y + self.offsets.height + GAP

    @property
    def hands(self) -> Area:
        """How far each hand moves from t to t + k."""
        top = self.alias_top + (54.0 if self.has_alias else 0.0)
        return Area(0.0, top + HEADING, self.width, BARS)

    @property
    def decades(self) -> Area:
        """Hands for each tenfold of wavelength."""
        return Area(0.0, self.hands.y + BARS + 40.0 + HEADING, self.width, BARS)

    @property
    def height(self) -> float:
        """All of it."""
        return self.decades.y + BARS + 30.0


def returns_picture(
    layout: CollisionsLayout, returns: Sequence[NearReturn], cursor: Cursor, n_pairs: int, theme: Theme
) -> marks.Picture:
    """The positions after which the chosen hand is nearer to its beginning than after any smaller number."""
    color = theme.pair_color(cursor.pair, n_pairs)
    heading = f"{'near' if returns else 'no near'} returns of pair {whole(cursor.pair)}"
    rows = [
        (
            whole(near.positions),
            whole(near.turns),
            f"{short(math.degrees(near.residual_angle), 2)}°",
            short(near.chord, 3),
        )
        for near in returns
    ]
    chosen = next((i for i, near in enumerate(returns) if near.positions == abs(cursor.offset)), None)
    titles = ("positions k", "turns", "misses by", "chord")
    return (
        marks.Badge(9.0, 9.0, 8.5, str(cursor.pair), color),
        marks.Text(24.0, 9.0, heading, "strong", theme.text),
        *(table_picture(layout.returns, titles, rows, chosen, theme) if rows else ()),
    )


def offsets_picture(
    layout: CollisionsLayout, close: CloseOffsets | None, progress: str, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """The offsets at which the whole vectors come nearest, and the smallest distance by offset."""
    top = layout.offsets_top
    heading = marks.Text(0.0, top + 8.0, "All hands: nearest offsets", "strong", theme.text)
    if close is None:
        lines = wrapped("caption", progress, layout.width, 3)
        return (
            heading,
            *(marks.Text(0.0, top + 30.0 + 16.0 * i, line, "caption", theme.text2) for i, line in enumerate(lines)),
        )
    spark = layout.spark
    limit = float(close.bucket_lowest.max())
    last = max(float(close.bucket_offsets[-1]), 2.0)
    plot = Plot(Axis(spark, 1.0, last), Axis(spark, 0.0, limit if limit > 0 else 1.0, "left"))
    rows = [
        (whole(float(k)), short(float(d), 6))
        for k, d in zip(close.offsets[: layout.n_offsets], close.distances[: layout.n_offsets], strict=True)
    ]
    chosen = next((i for i, k in enumerate(close.offsets[: layout.n_offsets]) if k == abs(cursor.offset)), None)
    caption = f"among all {whole(close.encoding.n_positions - 1)}"
    return (
        heading,
        marks.Text(layout.width, top + 8.0, caption, "tick", theme.text3, across=1.0),
        plot.x.edge(theme.axis),
        plot.curve(close.bucket_offsets, close.bucket_lowest, theme.ink, 1.4),
        *table_picture(layout.offsets, ("offset k", "distance"), rows, chosen, theme),
    )


def alias_picture(layout: CollisionsLayout, alias: Alias | None, theme: Theme) -> marks.Picture:
    """Evenly spaced frequencies meet again after 2 pi over their step."""
    if alias is None:
        return ()
    words = (
        f"Evenly spaced frequencies meet again after 2π/Δω = {fixed(alias.predicted, 2)}: at k = {whole(alias.offset)} "
        f"the distance is {short(alias.distance, 4)}, of neighbours {short(alias.neighbours, 4)}."
    )
    lines = wrapped("caption", words, layout.width, 3)
    return tuple(
        marks.Text(0.0, layout.alias_top + 6.0 + 16.0 * place, line, "caption", theme.text2)
        for place, line in enumerate(lines)
    )


def hands_picture(layout: CollisionsLayout, apart: Disagreement, cursor: Cursor, theme: Theme) -> marks.Picture:
    """A bar for each hand: how far its tip moves from t to t + k; many hands share a pixel by their largest."""
    area = layout.hands
    later = position(cursor.position + cursor.offset)
    title = f"What tells {position(cursor.position)} from {later}"
    distance = f"distance {short(apart.distance, 5)}"
    n_hands, n_bars = len(apart.chords), max(min(len(apart.chords), int(area.width // 2)), 1)
    edges = np.arange(n_bars) * n_hands // n_bars
    heights = np.maximum.reduceat(apart.chords, edges)
    highest = max(float(heights.max()), 1e-300)
    wide = area.width / n_bars
    foot = area.y + area.height
    picture: list[marks.Mark] = [
        marks.Text(0.0, area.y - HEADING + 8.0, title, "strong", theme.text),
        marks.Text(area.width, area.y - HEADING + 8.0, distance, "tick", theme.text2, across=1.0),
    ]
    for bar, (edge, height) in enumerate(zip(edges.tolist(), heights.tolist(), strict=True)):
        tall = height / highest * area.height
        gap = 1.0 if wide > 4.0 else 0.0
        color = theme.pair_color(edge, n_hands)
        picture.append(marks.Rectangle(bar * wide, foot - tall, wide - gap, tall, color))
    picture.append(marks.Segments(np.array([[0.0, foot, area.width, foot]]), theme.axis))
    best = apart.order[:3].tolist()
    words = ", ".join(f"hand {hand} moves {short(float(apart.chords[hand]), 4)}" for hand in best)
    picture += [
        marks.Text(0.0, foot + 14.0, line, "tick", theme.text2) for line in wrapped("tick", words, area.width, 1)
    ]
    return tuple(picture)


def decades_picture(layout: CollisionsLayout, decades: Decades, theme: Theme) -> marks.Picture:
    """How many hands resolve each scale."""
    area = layout.decades
    average = "" if not math.isfinite(decades.per_decade) else f"{short(decades.per_decade, 3)} per decade"
    picture: list[marks.Mark] = [
        marks.Text(0.0, area.y - HEADING + 8.0, "Hands for each tenfold of wavelength", "strong", theme.text)
    ]
    if text_width("strong", "Hands for each tenfold of wavelength") + text_width("tick", average) + 10.0 < area.width:
        picture.append(marks.Text(area.width, area.y - HEADING + 8.0, average, "tick", theme.text2, across=1.0))
    n_bars = max(len(decades.counts), 1)
    wide, highest, foot = area.width / n_bars, max(int(decades.counts.max(initial=1)), 1), area.y + area.height
    for bar, count in enumerate(decades.counts.tolist()):
        tall = count / highest * (area.height - 14.0)
        picture.append(marks.Rectangle(bar * wide + 2.0, foot - tall, wide - 4.0, tall, theme.axis))
        middle = (bar + 0.5) * wide
        picture.append(marks.Text(middle, foot - tall - 8.0, whole(count), "tick", theme.text2, across=0.5))
    picture.append(marks.Segments(np.array([[0.0, foot, area.width, foot]]), theme.axis))
    for edge, power in enumerate(np.rint(np.log10(decades.edges)).astype(int).tolist()):
        across = 0.0 if edge == 0 else 1.0 if edge == n_bars else 0.5
        label = f"10{str(power).translate(SUPERSCRIPTS)}"
        picture.append(marks.Text(edge * wide, foot + 12.0, label, "tick", theme.text3, across=across))
    return tuple(picture)
