"""Charts: curves over two scales with their names beside them, and what a press or a drag in them sets."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field, replace
from typing import Final, Literal

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.flow import Block
from pe_desktop.draw.plot import OFFSET_DASH, Axis, Plot, Slide, Tick, outline
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import fitting, text_width, wrapped

# From one name beside a plot to the next, and from the plot to the names; around the plot.
_NAME_ROW: Final = 14.0
_NAME_GAP: Final = 26.0
LEFT, RIGHT, _TITLE, _AXIS = 56.0, 18.0, 34.0, 40.0
# From this width on curves have their names beside them.
_WITH_NAMES: Final = 520.0
_LOWEST, _TALLEST, _SHARE = 120.0, 230.0, 0.28
# Where a page has no room for more.
_FLATTEST: Final = 90.0
_POWER_ROOM, _POWER_APART, _POWER_ROWS = 52.0, 36.0, 18.0
# More pairs than this are dots without stems, which are paler than their dots.
MOST_STEMS: Final = 64
_STEM_ALPHA: Final = 0.4


@record
class Scale:
    """Values from first to last, by their logarithm where they differ in size.

    ticks: of what kind its numbers are; sets: the name that a press or a drag sets, times a factor, between the values
    of within; total: how many positions there are, where the last one may lie beyond.
    """

    title: str
    first: float
    last: float
    is_logarithmic: bool = False
    ticks: Literal["levels", "positions", "offsets", "steps", "none"] = "levels"
    sets: str = ""
    is_whole: bool = False
    factor: float = 1.0
    within: tuple[float, float] | None = None
    total: float = 0.0

    def numbers(self, axis: Axis) -> tuple[Tick, ...]:
        """The numbers of an axis of this scale."""
        if self.ticks == "steps":
            return axis.step_ticks()
        if self.is_logarithmic:
            return axis.power_ticks(_POWER_APART if axis.side == "below" else _POWER_ROWS)
        if self.ticks == "positions":
            return axis.position_ticks(self.total or self.last + 1.0)
        if self.ticks == "offsets":
            return axis.offset_ticks()
        if self.is_whole and self.ticks != "none":
            return axis.whole_ticks(_POWER_ROOM)
        return () if self.ticks == "none" else axis.level_ticks()


@record(eq=False)
class Curve:
    """A named curve, x and y of shape (n,). The chosen one is drawn last, in ink.

    ink: a colour of the theme by name, or a pair and the count of pairs; style: a line, dots or squares at the points,
    bars from 0, or steps: bars in the colours of pairs, each from the end of the one before; or stems in these colours
    with dots.
    """

    name: str
    x: Floats
    y: Floats
    ink: str | tuple[int, int] = "text3"
    wide: float = 1.0
    dash: tuple[float, ...] = ()
    is_chosen: bool = False
    style: Literal["line", "dots", "squares", "bars", "steps", "stems"] = "line"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve) or self._looks != other._looks:
            return False
        return np.array_equal(self.x, other.x) and np.array_equal(self.y, other.y)

    def __hash__(self) -> int:
        return hash((self._looks, len(self.x)))

    def color(self, theme: Theme) -> QColor:
        if self.is_chosen:
            return theme.ink
        return getattr(theme, self.ink) if isinstance(self.ink, str) else theme.pair_color(*self.ink)

    @property
    def _looks(self) -> Hashable:
        return self.name, self.ink, self.wide, self.dash, self.is_chosen, self.style


@record
class Chart(Block):
    """Curves over two scales, their names beside them where there is room.

    at: a value of the lower scale with a line, dots: heights that are marked on it; note: what is there, at the right
    of the title; band: values of the lower scale on a light ground; none of them makes the chart another one.
    trained_length: of how many positions, 0 for none: larger offsets were never seen in training. tall: the height of
    the plot in pixels, 0 for a share of the width, at least where it grows. name: of its place, its title where none
    is given; shorter: forms of the title; names_from: the width from which on curves have their names.
    """

    title: str
    x: Scale
    y: Scale
    curves: tuple[Curve, ...]
    at: float | None = field(default=None, compare=False)
    note: str = field(default="", compare=False)
    tall: float = 0.0
    has_names: bool = True
    name: str = ""
    is_on_paper: bool = False
    shorter: tuple[str, ...] = ()
    dots: tuple[float, ...] = field(default=(), compare=False)
    grows: bool = False
    band: tuple[float, float] | None = field(default=None, compare=False)
    trained_length: int = 0
    names_from: float = _WITH_NAMES

    is_elastic = True

    def cut(self, width: float, height: float) -> Block:
        tall = height - _TITLE - _AXIS
        return super().cut(width, height) if tall < _FLATTEST else replace(self, tall=tall)

    def height(self, width: float) -> float:
        return _TITLE + (self.tall or min(max(_SHARE * width, _LOWEST), _TALLEST)) + _AXIS

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        plot = self.plot(area)
        levels = self.y.numbers(plot.y)
        yield from plot.x.unseen(self.trained_length, theme, are_offsets=True)
        yield marks.Text(area.x, plot.x.area.y - 18.0, self._title(area), "segment", theme.text2)
        yield plot.y.grid(levels, theme)
        yield from plot.y.labels(levels, theme)
        yield plot.x.edge(theme.axis)
        yield from plot.x.labels(self.x.numbers(plot.x), theme, after=8.0)
        yield plot.x.title(plot.x.said_of_unseen(self.x.title, self.trained_length), theme)
        for curve in sorted(self.curves, key=lambda curve: curve.is_chosen):
            yield from curve_marks(plot, curve, theme)
        if self._has_names(area):
            yield from _names_beside(plot, self.curves, theme)

    def moving(self, area: Area, theme: Theme) -> marks.Drawing:
        plot = self.plot(area)
        if self.band is not None:
            left, right = (plot.x.place_within(end) for end in self.band)
            where = Area(left - 4.0, plot.x.area.y, right - left + 8.0, plot.x.area.height)
            yield marks.Rectangle(*where, with_alpha(theme.text3, 0.14))
        if self.at is not None and plot.x.shows(self.at):
            dash = OFFSET_DASH if self.x.sets == "offset" else ()
            yield plot.x.line(self.at, theme.text2, 1.3, dash, beyond=6.0)
            centers = plot.points(np.full(len(self.dots), self.at), np.array(self.dots))
            yield marks.Dots(centers, 4.5, theme.panel, theme.ink, 2.0)
        room = plot.x.area.right - area.x - text_width("segment", self._title(area)) - 16.0
        note = fitting("tick", (self.note, ""), room)
        if note:
            yield marks.right_aligned(plot.x.area.right, plot.x.area.y - 18.0, note, "tick", theme.text2)

    def places(self, area: Area) -> Iterable[Place]:
        axis = self.plot(area).x
        x = self.x
        sets = Slide(axis, x.sets, x.is_whole, x.factor, x.within) if x.sets else None
        # Without a name what stands around it has the pointer.
        if name := self.name or self.title:
            yield Place(name, axis.area, self.note, sets=sets)

    def copied(self) -> Iterable[str]:
        return (self.note,) if self.note else ()

    def on_paper(self) -> Block:
        # No card at a pointer tells there which curve is which.
        return replace(self, is_on_paper=True)

    def _title(self, area: Area) -> str:
        title = fitting("segment", (self.title, *self.shorter), area.width)
        return wrapped("segment", title, area.width, 1)[0] if title else ""

    def _has_names(self, area: Area) -> bool:
        has_room = self.is_on_paper or area.width >= self.names_from
        return self.has_names and has_room and any(curve.name for curve in self.curves)

    def plot(self, area: Area) -> Plot:
        """The axes in an area of the chart."""
        names = max((text_width("flag", curve.name) for curve in self.curves), default=0.0) + _NAME_GAP + 4.0
        right = names if self._has_names(area) else RIGHT
        inner = Area(
            area.x + LEFT, area.y + _TITLE, max(area.width - LEFT - right, 1.0), max(area.height - _TITLE - _AXIS, 1.0)
        )
        x = Axis(inner, self.x.first, self.x.last, is_logarithmic=self.x.is_logarithmic)
        return Plot(x, Axis(inner, self.y.first, self.y.last, "left", is_logarithmic=self.y.is_logarithmic))


def curve_marks(plot: Plot, curve: Curve, theme: Theme) -> marks.Drawing:
    """The marks of a curve over the axes of a plot."""
    color = curve.color(theme)
    wide = 2.2 if curve.is_chosen else curve.wide
    if not len(curve.x):
        return ()
    if curve.style == "line":
        return (plot.curve(curve.x, curve.y, color, wide, curve.dash),)
    points = plot.points(curve.x, curve.y)
    if curve.style == "dots":
        return (marks.Dots(points, 1.5 + wide, color),)
    if curve.style == "squares":
        return tuple(outline(Area.around(x, y, 1.0 + wide), color, 1.5) for x, y in points.tolist())
    if curve.style == "stems":
        return _stems(points, plot.y.area.bottom, theme)
    feet = [plot.y.place_within(0.0)] * len(points)
    colors = [color] * len(points)
    if curve.style == "steps":
        feet[1:], colors = points[:-1, 1].tolist(), [theme.pair_color(pair, len(points)) for pair in range(len(points))]
    return tuple(
        marks.Rectangle(x - wide / 2, min(y, foot), wide, max(abs(y - foot), 0.75), fill)
        for (x, y), foot, fill in zip(points.tolist(), feet, colors, strict=True)
    )


def _stems(points: marks.Points, foot: float, theme: Theme) -> marks.Drawing:
    """A stem and a dot for each pair in its colour."""
    if len(points) > MOST_STEMS:
        yield marks.DotCloud(points, theme.pair_colors(len(points)), 3.0)
        return
    for pair, (x, y) in enumerate(points.tolist()):
        color = theme.pair_color(pair, len(points))
        yield marks.lines((x, foot, x, y), with_alpha(color, _STEM_ALPHA))
        yield marks.Dots.at(x, y, 2.7, color)


def _names_beside(plot: Plot, curves: Sequence[Curve], theme: Theme) -> marks.Drawing:
    """The names of curves right of a plot, none over another, each with a thin line to the end of its curve."""
    ends = [
        (curve, *plot.points(curve.x[-1:], curve.y[-1:])[0].tolist()) for curve in curves if curve.name and len(curve.x)
    ]
    ends.sort(key=lambda end: end[2])
    left = plot.x.area.right + _NAME_GAP
    for (curve, x, y), height in zip(ends, _apart([end[2] for end in ends], plot.x.area), strict=True):
        leader = np.array([[x + 3.0, y], [max(x + 3.0, left - 14.0), y], [left - 4.0, height]])
        role, ink = ("flag", theme.text) if curve.is_chosen else ("tick", theme.text3)
        yield marks.Polyline(leader, theme.line)
        yield marks.Text(left, height, curve.name, role, ink)


def _apart(heights: list[float], area: Area) -> list[float]:
    """Heights in ascending order, a row apart at least, above the lower edge of the area as far as they fit."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + _NAME_ROW) if placed else max(height, area.y))
    limit = area.bottom
    for place in reversed(range(len(placed))):
        placed[place] = min(placed[place], limit)
        limit = placed[place] - _NAME_ROW
    return placed
