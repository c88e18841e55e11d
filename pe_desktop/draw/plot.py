"""Axes with ticks, numbers and titles, curves, legends, labels on a ground."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Preview
from pe_desktop.core.encoding import Floats
from pe_desktop.core.number_text import rounded_up
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import alike, fixed, power_of_ten, scientific, short, whole
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import fitting, text_width

# Pixels from one tick to the next: of positions below and beside a plot, of levels, of offsets.
_POSITION_ROOM, _POSITION_ROWS, _LEVEL_ROWS, _OFFSET_ROOM, _POWER_ROWS = 64.0, 28.0, 26.0, 44.0, 15.0
# How far the first and the last number below an axis may reach beyond its ends: its title stands before the first one.
_OVERHANG_BEFORE, _OVERHANG = 4.0, 14.0
# What a number left of an axis needs beside its own width; a pixel of its first letter is empty.
_LEFT_OF_LABELS = 5.0
_BETWEEN_NUMBERS = 5.0
# The least distance of two numbers between which a title stands.
_TITLE_GAP = 24.0
# The right and the lower edge lie outside. Less than half of ten million positions takes, so that the first and the
# last of them keep their places.
_LEAST_INSET = 1e-6
# From here on powers of ten are written as powers, all of an axis alike.
_LARGEST_WHOLE_POWER = 4
# The line at k, or at t + k, is dashed wherever it is drawn, that at t is not.
OFFSET_DASH = (4.0, 3.0)
# Of the ground of what was never seen in training; around its words, and where these find room.
_UNSEEN_ALPHA, _UNSEEN_ROOM, _UNSEEN_HEIGHT = 0.16, 18.0, 56.0


class Tick(NamedTuple):
    """A value on an axis and what is written beside it."""

    value: float
    text: str


@record
class Axis:
    """Values from first to last along one side of an area, evenly or by their logarithm.

    An axis below runs to the right, one at a side upwards, or downwards where is_downward.
    """

    area: Area
    first: float
    last: float
    side: Literal["below", "left", "right"] = "below"
    is_logarithmic: bool = False
    is_downward: bool = False

    @overload
    def place(self, value: float) -> float: ...

    @overload
    def place(self, value: Floats) -> Floats: ...

    def place(self, value: float | Floats) -> float | Floats:
        """The pixel of a value, or the pixels of values: x on an axis below, y on one at a side."""
        start, stop = self._ends
        first, last = self._scaled
        if self.is_logarithmic:
            value = math.log10(value) if isinstance(value, float | int) else np.log10(value)
        return start + (value - first) / ((last - first) or 1.0) * (stop - start)

    def shows(self, value: float) -> bool:
        """Whether a value lies on the axis."""
        return self.first <= value <= self.last

    def place_within(self, value: float) -> float:
        """The pixel of a value inside the axis; its middle for a value that is more than a pixel outside."""
        start, stop = sorted(self._ends)
        pixel = self.place(value)
        if not start - 1.0 <= pixel <= stop + 1.0:
            return (start + stop) / 2
        return min(max(pixel, start), stop - _LEAST_INSET)

    def value(self, pixel: float) -> float:
        """The value of a pixel."""
        start, stop = self._ends
        first, last = self._scaled
        scaled = first + (pixel - start) / ((stop - start) or 1.0) * (last - first)
        return 10.0**scaled if self.is_logarithmic else scaled

    def position_ticks(
        self,
        n_positions: float = math.inf,
        room: float | None = None,
        *,
        with_end: bool = True,
        text_room: float = math.inf,
    ) -> tuple[Tick, ...]:
        """Round positions about `room` pixels apart; with_end: the last of n_positions, too, where the axis shows it.

        Numbers that are all no wider than text_room pixels are whole ones, else all are powers of ten.
        """
        is_below = self.side == "below"
        end = n_positions - 1.0
        # The first number may stand after the beginning of the axis, whole.
        wide = 1.5 * text_width("tick", whole(min(self.last, end))) + _BETWEEN_NUMBERS
        room = room or (max(_POSITION_ROOM, wide) if is_below else _POSITION_ROWS)
        ticks = position_ticks(max(self.first, 0.0), min(self.last, end), self._most(room))
        if with_end and self.last >= end:
            # The last number may stand before the end of the axis, whole.
            before_end = 1.5 * text_width("tick", whole(end)) + _BETWEEN_NUMBERS if is_below else 20.0
            gap = before_end / max(self.length, 1.0) * (self.last - self.first)
            ticks = [*[tick for tick in ticks if end - tick >= gap], end]
        texts = [whole(tick) for tick in ticks]
        if max([text_width("tick", text) for text in texts], default=0.0) > text_room:
            texts = [scientific(tick, 2) if tick else "0" for tick in ticks]
        return tuple(map(Tick, ticks, texts))

    def offset_ticks(self, room: float = _OFFSET_ROOM) -> tuple[Tick, ...]:
        """Round offsets to both sides of 0, with their signs, about `room` pixels apart or as their numbers need."""
        reach = max(abs(self.first), abs(self.last))
        steps = position_ticks(0.0, reach, max(max(int(self.length // room), 2) // 2, 1))
        step = steps[1] if len(steps) > 1 else math.inf
        count = int(reach // step)
        apart = self.place(step) - self.place(0.0)
        # Numbers at the ends are moved inwards by half of their width.
        if count and room < self.length and apart < 1.5 * text_width("tick", f"+{whole(count * step)}"):
            return self.offset_ticks(1.5 * room)
        ticks = [i * step for i in range(-count, count + 1)] if count else [0.0]
        return tuple(Tick(tick, f"+{whole(tick)}" if tick > 0 else whole(tick)) for tick in ticks if self.shows(tick))

    def level_ticks(self, room: float = _LEVEL_ROWS) -> tuple[Tick, ...]:
        """Round numbers about `room` pixels apart, all with the same count of decimals.

        Numbers that would be cut at the left stand further apart, with fewer digits, and are written as powers of ten.
        """
        if not self.last > self.first:
            return (Tick(self.first, short(self.first)),)
        step = rounded_up((self.last - self.first) / self._most(room), 0.999)
        lowest = math.ceil(self.first / step - 1e-9)
        highest = math.floor(self.last / step + 1e-9)
        levels = [number * step for number in range(lowest, highest + 1)]
        texts = _of_one_step(levels, step)
        # The first letters of some numbers left of the axis may stand outside.
        widest = max([text_width("tick", text) for text in texts], default=0.0)
        if self.side == "left" and widest > self.area.x - _LEFT_OF_LABELS:
            if room < self.length / 2:
                return self.level_ticks(1.5 * room)
            texts = tuple(scientific(level, 1) if level else "0" for level in levels)
        return tuple(map(Tick, levels, texts))

    def whole_ticks(self, room: float) -> tuple[Tick, ...]:
        """Those of the round numbers that are whole, without decimals."""
        return tuple(Tick(tick.value, whole(tick.value)) for tick in self.level_ticks(room) if tick.value.is_integer())

    def power_ticks(self, room: float = _POWER_ROWS) -> tuple[Tick, ...]:
        """Powers of ten, at least `room` pixels apart, written alike."""
        powers = _decades(self.first, self.last, int(self.length // room))
        exponents = [round(math.log10(power)) for power in powers]
        is_whole = all(0 <= exponent <= _LARGEST_WHOLE_POWER for exponent in exponents)
        texts = map(whole, powers) if is_whole else map(power_of_ten, exponents)
        return tuple(map(Tick, powers, texts))

    def step_ticks(self) -> tuple[Tick, ...]:
        """1, 2 and 5 times powers of ten, and the end of the axis, as far as each has room: the end first."""
        powers = _decades(1.0, max(self.last, 1.0), math.inf)
        ticks = [self.last]
        for value in sorted((step * power for power in powers for step in (1.0, 2.0, 5.0)), reverse=True):
            if self.shows(value) and abs(self.place(ticks[-1]) - self.place(value)) >= _OFFSET_ROOM:
                ticks.append(value)
        return tuple(Tick(value, whole(value)) for value in reversed(ticks))

    def end_ticks(self, is_cut: tuple[bool, bool] = (False, False), *, with_middle: bool = False) -> tuple[Tick, ...]:
        """Both ends, and 0 where it lies between them: then the upper end has its sign.

        is_cut: values lie beyond; with_middle: the middle stands between the ends where 0 doesn't.
        """
        has_zero = self.first < 0.0 < self.last
        middle = (self.first + self.last) / 2
        between = (0.0,) if has_zero else (middle,) if with_middle else ()
        low, *texts, high = alike((self.first, *between, self.last))
        lower = Tick(self.first, f"≤ {low}" if is_cut[0] else low)
        high = f"+{high}" if has_zero else high
        upper = Tick(self.last, f"≥ {high}" if is_cut[1] else high)
        return (lower, *map(Tick, between, texts), upper)

    def labels(
        self,
        ticks: Iterable[Tick],
        theme: Theme,
        away: float | None = None,
        *,
        before: float = _OVERHANG_BEFORE,
        after: float = _OVERHANG,
        color: QColor | None = None,
    ) -> marks.Marks:
        """The numbers, `away` pixels from the area: their middle line below it, their near end beside it.

        Below, a number that would reach further than before or after beyond the axis stands at that edge.
        """
        ink, ticks = theme.text3 if color is None else color, (*ticks,)
        rows = zip(self.places(ticks), ticks, strict=True)
        if self.side != "below":
            return [self._text_beside(y, text, ink, away or 6.0) for y, (_, text) in rows]
        y = self.area.bottom + (away or 12.0)
        first = self.area.x - before
        last = self.area.right + after
        labels: marks.Marks = []
        for place, (_, text) in rows:
            x = place
            across = 0.5
            half = text_width("tick", text) / 2
            if x + half > last:
                x = last
                across = 1.0
            elif x - half < first:
                x = first
                across = 0.0
            labels.append(marks.Text(x, y, text, "tick", ink, across=across))
        return labels

    def title(self, text: str, theme: Theme, away: float = 28.0, *, is_before: bool = False) -> marks.Text:
        """The title of the axis: under the numbers, ending with the axis, or before the first number."""
        x = self.area.x - 12.0 if is_before else self.area.right
        return marks.right_aligned(x, self.area.bottom + away, text, "tick", theme.text3)

    def title_between(self, ticks: Iterable[Tick], text: str, theme: Theme, away: float = 6.0) -> marks.Picture:
        """The title of an axis beside the area, in the first of the widest gaps between its numbers."""
        edges = sorted((self.area.y, *self.places(ticks), self.area.bottom))
        widths = [round(high - low) if high - low >= _TITLE_GAP else 0 for low, high in pairwise(edges)]
        if not max(widths):
            return ()
        widest = widths.index(max(widths))
        low, high = edges[widest : widest + 2]
        return (self._text_beside((low + high) / 2, text, theme.text3, away),)

    def _text_beside(self, y: float, text: str, ink: QColor, away: float) -> marks.Text:
        """A text left or right of the area, its near end so many pixels from it."""
        is_left = self.side == "left"
        x = self.area.x - away if is_left else self.area.right + away
        return marks.Text(x, y, text, "tick", ink, across=float(is_left))

    def line(
        self, at: float | Floats, color: QColor, width: float = 1.0, dash: tuple[float, ...] = (), beyond: float = 0.0
    ) -> marks.Segments:
        """A line across the area at a value, or one at each of several, so many pixels beyond its far edge."""
        x, y, right, bottom = self.area.sides
        places = np.ravel(self.place(at)).tolist()
        is_below = self.side == "below"
        ends = [(to, y - beyond, to, bottom) if is_below else (x, to, right + beyond, to) for to in places]
        return marks.lines(ends, color, width, dash)

    def shaded(self, first: float, last: float, color: QColor) -> tuple[marks.Rectangle, ...]:
        """The part of the area between two values in a colour, as far as it is seen; nothing where it isn't."""
        is_seen = max(first, self.first) < min(last, self.last)
        return (marks.Rectangle(*self.between(first, last), color),) if is_seen else ()

    def unseen(self, length: int, theme: Theme, *, are_offsets: bool = False, is_map: bool = False) -> marks.Picture:
        """A light ground, a veil over a map, at positions beyond so many trained ones, 0 for none; words with room.

        Or over offsets to both sides, of which the title of the axis tells.
        """
        if not length:
            return ()
        color = theme.veil if is_map else with_alpha(theme.text3, _UNSEEN_ALPHA)
        grounds = self.shaded(length - 0.5, math.inf, color)
        if are_offsets:
            return *self.shaded(-math.inf, 0.5 - length, color), *grounds
        if not grounds or self.area.height < _UNSEEN_HEIGHT:
            return grounds
        words = fitting("tick", _unseen_words(length), grounds[0].width - _UNSEEN_ROOM)
        if not words:
            return grounds
        return *grounds, *label_on_ground(self.area.right - 6.0, self.area.bottom - 12.0, words, theme, 1.0)

    def said_of_unseen(self, title: str, length: int) -> str:
        """The title of an axis of offsets, with what is shaded on it, as far as that has room along the axis."""
        is_shaded = length and (self.last > length - 0.5 or self.first < 0.5 - length)
        said = [f"{title}; shaded, {words}" for words in _unseen_words(length) if is_shaded and words]
        return fitting("tick", (*said, title), self.length)

    def between(self, first: float, last: float) -> Area:
        """The part of the area between two values, cut at its edges."""
        return self._part(*(min(max(end, self.first), self.last) for end in (first, last)))

    def step_area(self, value: float) -> Area:
        """Where values are that round to a whole one."""
        return self._part(value - 0.5, value + 0.5)

    def _part(self, first: float, last: float) -> Area:
        start, stop = sorted((self.place(first), self.place(last)))
        x, y, wide, tall = self.area
        return Area(start, y, stop - start, tall) if self.side == "below" else Area(x, start, wide, stop - start)

    def slide(self, name: str, *, is_whole: bool = False) -> "Slide":
        """What a press or a drag over it sets."""
        return Slide(self, name, is_whole)

    def ghosts(self, places: Iterable[tuple[float, bool]], theme: Theme) -> marks.Picture:
        """Light lines at the places of a preview that lie on the axis: where t is, dashed for any other."""
        lines = ((at, () if is_now else OFFSET_DASH) for at, is_now in places if self.shows(at))
        return tuple(self.line(at, theme.ghost, 1.0, dash) for at, dash in lines)

    def grid(self, ticks: Iterable[Tick], theme: Theme) -> marks.Segments:
        """Thin lines across the area at all ticks."""
        return self.line(np.array([tick.value for tick in ticks]), theme.grid)

    def edge(self, color: QColor, width: float = 1.0) -> marks.Segments:
        """The line of the axis itself, along the edge of the area."""
        x0, y0, x1, y1 = self.area.sides
        ends = {"below": (x0, y1, x1, y1), "left": (x0, y0, x0, y1), "right": (x1, y0, x1, y1)}[self.side]
        return marks.lines(ends, color, width)

    def overview(self, first: float, last: float, at: float, theme: Theme) -> marks.Picture:
        """Two bars at a height, or at an x beside the area: all from first to last, and what the axis shows of it."""
        start, stop = self._ends
        share = (self.first - first) / (last - first)
        extent = (self.last - self.first) / (last - first)
        near = start + share * (stop - start)
        far = near + math.copysign(max(extent * abs(stop - start), 3.0), stop - start)
        ends = [[start, at, stop, at], [near, at, far, at]]
        if self.side != "below":
            ends = [[at, start, at, stop], [at, near, at, far]]
        return marks.lines(ends[:1], theme.line, 2.0), marks.lines(ends[1:], theme.text3, 2.0)

    @cached_property
    def length(self) -> float:
        """The length of the axis in pixels."""
        return self.area.width if self.side == "below" else self.area.height

    @cached_property
    def _scaled(self) -> tuple[float, float]:
        """The first and the last value, or their logarithms."""
        first, last = self.first, self.last
        return (math.log10(first), math.log10(last)) if self.is_logarithmic else (first, last)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        if self.side == "below":
            return self.area.x, self.area.right
        top = self.area.y
        bottom = self.area.bottom
        return (top, bottom) if self.is_downward else (bottom, top)

    def places(self, ticks: Iterable[Tick]) -> list[float]:
        """The pixels of ticks."""
        places: list[float] = self.place(np.array([tick.value for tick in ticks])).tolist()
        return places

    def _most(self, room: float) -> int:
        return max(int(self.length // room), 1)


# Beyond these, numbers on an axis are written as powers of ten.
_LARGEST_PLAIN, _MOST_DECIMALS = 1e7, 4


def _of_one_step(values: Sequence[float], step: float) -> tuple[str, ...]:
    """Multiples of a step, all with as many decimals as the step has: 0, 0.2, 0.4, ..., 1.0; zero is 0."""
    largest = max([*map(abs, values)], default=0.0)
    exponent = math.floor(math.log10(step) + 1e-9)
    if largest >= _LARGEST_PLAIN or exponent < -_MOST_DECIMALS:
        digits = max(math.floor(math.log10(largest)) - exponent, 0) if largest else 0
        return tuple("0" if abs(value) < step / 2 else scientific(value, digits) for value in values)
    return tuple("0" if abs(value) < step / 2 else fixed(value, max(-exponent, 0)) for value in values)


@record
class Plot:
    """Curves over an area: an axis below and one at its left."""

    x: Axis
    y: Axis

    def points(self, x: Floats, y: Floats) -> marks.Points:
        """The pixels of points, shape (n, 2), from their values, shape (n,) each."""
        return np.column_stack((self.x.place(x), self.y.place(y)))

    def curve(self, x: Floats, y: Floats, color: QColor, width: float, dash: tuple[float, ...] = ()) -> marks.Polyline:
        """A curve; where several points share a pixel column, from their least to their greatest height."""
        across = self.x.place(x)
        down = self.y.place(y)
        columns = np.floor(across).astype(np.int64)
        starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1)) if columns.size else columns
        if 2 * len(starts) >= len(columns):
            return marks.Polyline(np.column_stack((across, down)), color, width, dash)
        points = np.empty((2 * len(starts), 2))
        points[:, 0] = np.repeat(columns[starts] + 0.5, 2)
        points[::2, 1], points[1::2, 1] = np.minimum.reduceat(down, starts), np.maximum.reduceat(down, starts)
        return marks.Polyline(points, color, width, dash)


class LegendEntry(NamedTuple):
    """A line, or a disc of a radius, and what it stands for; a disc with a ground is hollow."""

    text: str
    color: QColor
    width: float = 2.0
    dash: tuple[float, ...] = ()
    radius: float = 0.0
    ground: QColor | None = None

    @property
    def sample_width(self) -> float:
        """How wide the line or disc is, in pixels."""
        return 2 * self.radius if self.radius else 24.0


@record
class Slide:
    """What a press or a drag in a plot sets: a name, to the nearest whole value there, times a factor.

    within: the first and the last value that it sets; nothing beyond.
    """

    axis: Axis
    name: str
    is_whole: bool = False
    factor: float = 1.0
    within: tuple[float, float] | None = None

    def __call__(self, x: float, y: float) -> Mapping[str, Any]:
        value = self.axis.value(x if self.axis.side == "below" else y)
        value = round(min(max(value, self.axis.first), self.axis.last)) * self.factor
        if self.within is not None and not self.within[0] <= value <= self.within[1]:
            return {}
        return {self.name: int(value) if self.is_whole else float(value)}


def pair_slide(n_pairs: int, area: Area) -> Slide:
    """What a press or a drag sets where pairs share a width."""
    return Slide(Axis(area, -0.49, n_pairs - 0.51), "pair", is_whole=True)


def ghosts(places: Iterable[Place], preview: Preview, theme: Theme) -> marks.Drawing:
    """What shows a preview over any scene: lines where a drag moves what it names, frames where a press chooses it."""
    slides = dict[Slide, float]()
    for place in places:
        yield from () if place.ghosts is None else place.ghosts(place.area, preview, theme)
        sets = place.sets
        own = Preview.of(place.sets) if isinstance(place.sets, Mapping) else None
        if isinstance(sets, Slide) and (value := getattr(preview, sets.name, None)) is not None:
            slides[sets] = value / sets.factor
        elif own is not None and preview.holds(own):
            x, y, wide, tall = place.area
            yield marks.Rectangle(x, y, wide, tall, None, theme.ghost, wide / 2 if wide == tall else 4.0)
    for slide, value in slides.items():
        line = slide.axis.ghosts(((value, slide.name != "offset"),), theme)
        yield from (outline(slide.axis.step_area(value), theme.ghost),) if line and slide.is_whole else line


def legend(
    x: float, y: float, entries: Sequence[LegendEntry], theme: Theme, role: str = "tick", gap: float = 16.0
) -> marks.Drawing:
    """Lines or discs with their names in a row around the height y."""
    for entry in entries:
        wide = entry.sample_width
        center = x + entry.radius
        if entry.ground is not None:
            yield marks.Dots.at(center, y, entry.radius - 0.75, entry.ground, entry.color, 1.5)
        elif entry.radius:
            yield marks.Dots.at(center, y, entry.radius, entry.color)
        else:
            yield marks.lines((x, y, x + wide, y), entry.color, entry.width, entry.dash)
        yield marks.Text(x + wide + 8.0, y, entry.text, role, theme.text2)
        x += wide + 8.0 + text_width(role, entry.text) + gap


def legend_width(entries: Sequence[LegendEntry], role: str = "tick", gap: float = 16.0) -> float:
    """How wide a legend is, in pixels."""
    return sum(entry.sample_width + 8.0 + text_width(role, entry.text) for entry in entries) + gap * (len(entries) - 1)


def label_on_ground(
    x: float, y: float, text: str, theme: Theme, across: float = 0.0, *, is_raised: bool = False
) -> marks.Picture:
    """A small text that covers what lies behind it; a raised one stands on a card of its own."""
    pad, tall = (6.0, 20.0) if is_raised else (3.0, 14.0)
    wide = text_width("tick", text) + 2 * pad
    left = x - across * wide
    ground = (theme.raised, theme.axis, 6.0) if is_raised else (theme.panel, None, 0.0)
    card = marks.Rectangle(left, y - tall / 2, wide, tall, *ground)
    return card, marks.Text(left + pad, y, text, "tick", theme.text2)


def _unseen_words(length: int) -> tuple[str, ...]:
    """What is said of positions or offsets beyond so many trained ones, in ever fewer words."""
    return f"from {whole(length)} on: never seen in training", "never seen in training", "never seen", ""


def outline(area: Area, color: QColor, width: float = 1.0, dash: tuple[float, ...] = ()) -> marks.Mark:
    """A line around an area."""
    x, y, right, bottom = area.sides
    return marks.Polyline(np.array([[x, y], [right, y], [right, bottom], [x, bottom], [x, y]]), color, width, dash)


def readout_card(x: float, y: float, room: Area, lines: tuple[str, ...], theme: Theme) -> marks.Picture:
    """A small card beside the pointer, within a room as far as it has some: the first line is the value."""
    wide = max(text_width("value" if i == 0 else "caption", line) for i, line in enumerate(lines)) + 24.0
    tall = 14.0 + 18.0 * len(lines)
    left = x + 14.0 if x + 14.0 + wide <= room.right else x - 14.0 - wide
    left = max(min(left, room.right - wide), room.x)
    top = y + 14.0 if y + 14.0 + tall <= room.bottom else max(y - 14.0 - tall, room.y)
    card: marks.Marks = [marks.Rectangle(left, top, wide, tall, theme.raised, theme.axis, radius=6.0)]
    for number, line in enumerate(lines):
        role, color = ("value", theme.text) if number == 0 else ("caption", theme.text2)
        card.append(marks.Text(left + 12.0, top + 16.0 + 18.0 * number, line, role, color))
    return tuple(card)


def flag(left: float, top: float, text: str, theme: Theme, *, is_hollow: bool = False) -> marks.Picture:
    """A label in a pill over a cursor's line: solid for t, hollow for t + k."""
    fill, outline, ink = (theme.panel, theme.ink, theme.text) if is_hollow else (theme.ink, None, theme.ink_on)
    wide = flag_width(text)
    height = 18.0
    return (
        marks.Rectangle(left, top, wide, height, fill, outline, radius=height / 2, outline_width=1.3),
        marks.centered(left + wide / 2, top + height / 2, text, "flag", ink),
    )


def flag_width(text: str) -> float:
    """The width of a flag."""
    return text_width("flag", text) + 16.0


# Ticks at powers of two where few positions are shown (16, 32, 48), at tens where many are.
_FEW_POSITIONS = 4096


def position_ticks(first: float, last: float, most: int) -> list[float]:
    """Whole positions in [first, last] at equal steps, at most about `most` of them, but one where there is one."""
    wanted = (last - first) / max(most, 1)
    is_few = last - first < _FEW_POSITIONS
    if is_few:
        step = 1 << math.ceil(math.log2(max(wanted, 1.0)))
    else:
        power = 10 ** math.floor(math.log10(wanted))
        step = next((int(one * power) for one in (1, 2, 5) if one * power >= wanted), int(10 * power))
    start = math.ceil(first / step - 1e-9) * step
    count = math.floor((last - start) / step + 1e-9) + 1
    if count < 1 and math.ceil(first) <= last:
        return position_ticks(first, last, 2 * most)
    return [float(start + i * step) for i in range(max(count, 0))]


def _decades(lowest: float, highest: float, most: float) -> list[float]:
    """Powers of ten in [lowest, highest], every one, every second, ... so that at most `most` remain."""
    first = math.ceil(math.log10(lowest) - 1e-9)
    last = math.floor(math.log10(highest) + 1e-9)
    stride = max(1, math.ceil((last - first + 1) / max(most, 1)))
    return [10.0**power for power in range(first, last + 1, stride)]
