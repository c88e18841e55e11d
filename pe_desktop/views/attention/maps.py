"""Maps of weights and outputs: colours, numbers, words and outlines."""

import math
from collections.abc import Iterable
from dataclasses import field
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import ROUNDING, Floats
from pe_desktop.core.fields.field import Limits
from pe_desktop.core.record import kept, record
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_at, cells_image, words_at
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.flow import Block, Drawn, Named
from pe_desktop.draw.number_text import fixed, short
from pe_desktop.draw.plot import OFFSET_DASH, Axis, outline, position_ticks, readout_card
from pe_desktop.draw.scene import Area, Box, Place
from pe_desktop.draw.theme import Theme, badge_text_color, map_colors
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.attention.chips import MOST_PLACES, Chips
from pe_desktop.views.attention.head import SUM_TOOLTIP, Found

# Between both maps; outlines reach beyond what they surround; the words above the columns.
GAP: Final = 32.0
_SIDE, _OVER = 4.0, 22.0
_BAR: Final = 72.0
# Round values of the last colour.
_LIMITS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
# Pixels that a number beside or above a map keeps free, and from one word beside a map to the next.
_TICK_ROOM, _NAME_ROOM = (26.0, 16.0), 11.0
# The room for a word above columns that are narrower.
_COLUMN: Final = 28.0
# From so many words on positions stand above and beside.
_POSITIONS: Final = 20
# Cells from this size on have numbers, from that on larger ones.
_NUMBERS: Final = (36.0, 13.0)
_LARGE: Final = (44.0, 20.0)


class _Side(NamedTuple):
    """A map: its name, its values by written words, which of them the mask hides, its range, where it stands.

    values, hidden: shape (n_words, n_words); a row is the word that asks, a column the one that is read.
    """

    name: str
    values: Floats
    hidden: NDArray[np.bool_]
    limits: Limits
    area: Area = Area(0.0, 0.0, 1.0, 1.0)

    def part(self, asking: int | None = None, read: int | None = None) -> Area:
        """The row of a word that asks, the column of one that is read, or the cell of both."""
        x, y, wide, tall = self.area
        if read is not None:
            wide /= len(self.values)
            x += read * wide
        if asking is not None:
            tall /= len(self.values)
            y += asking * tall
        return Area(x, y, wide, tall)

    def text(self, asking: int, read: int, decimals: int) -> str:
        """A weight, or a change with its sign; that the mask hides it."""
        value = float(self.values[asking, read])
        text = fixed(value, decimals)
        is_more = self.limits[0] < 0.0 < value and text.strip("0.")
        return "hidden" if self.hidden[asking, read] else f"+{text}" if is_more else text


def color_key(limits: Limits) -> Block:
    """The colours of weights, or of changes from below 0, with the values of their ends."""
    end = short(limits[1])
    ends = (f"−{end}", f"+{end}") if limits[0] < 0.0 else ("0", end if limits[1] == 1.0 else f"≥ {end}")
    return Drawn(_bar_picture, (ends, limits), 17.0, lying_bar_width(_BAR, ends))


def _bar_picture(area: Area, theme: Theme, ends: tuple[str, str], limits: Limits) -> marks.Picture:
    return lying_bar(area.right, area.middle[1], _BAR, ends, map_colors(theme, limits, is_diverging=True), theme)


@kept
def sides(found: Found) -> tuple[_Side, _Side, _Side]:
    """The weights as written, those of the moved sentence, and what moving changed, all by written words."""
    assert found.both is not None
    assert found.put_back is not None
    written = found.both.written.weights
    moved = found.put_back
    places = np.argsort(found.attention.places)
    before, after = ((where > where[:, None]) & found.attention.causal for where in (np.arange(len(places)), places))
    most = rounded_up(np.abs(moved - written).max())
    # Of many words a round weight that few exceed.
    limits = (0.0, rounded_up(np.percentile(written, 99.0)) if len(places) >= _POSITIONS else 1.0)
    return (
        _Side("written", written, before, limits),
        _Side("moved", moved, after, limits),
        _Side("change", moved - written, before & after, (-most, most)),
    )


def amounts(found: Found, asking: int, read: int) -> str:
    """How much a word reads of another before and after moving, and the difference."""
    before, after, change = (side.text(asking, read, 4) for side in sides(found))
    if "hidden" not in (before, after):
        return f"{before} before, {after} moved, {change}"
    told = (text.replace("hidden", "hidden by the mask") for text in (before, after))
    return "{} before, {} after the move".format(*told)


@record
class Maps(Block):
    """Weights and what moving changed, side by side, with the words as written in rows and columns.

    A press chooses t and t + k. shown: which of `sides`; least: the height at least; n_positions: where t ends.
    """

    chips: Chips
    found: Found
    shown: tuple[int, ...]
    least: float
    n_positions: int = field(compare=False)
    box: Box = field(compare=False)
    grows = True

    def height(self, width: float) -> float:
        return self.least + _OVER

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        """Values as colours and, where there is room, as numbers; what the mask hides has none."""
        picture = marks.Marks()
        for side in self._sides(area):
            colors = map_colors(theme, side.limits, is_diverging=True)
            picture.append(cells_image(side.area, side.values, side.limits, colors, self.box.pixel_ratio))
            picture += _cell_numbers(side, colors)
        return tuple(picture)

    def moving(self, area: Area, theme: Theme) -> marks.Picture:
        """The words beside, those of t and t + k bold; outlines of their row and column, and of the pointer's."""
        picture, chips, shown = marks.Marks(), self.chips, self._sides(area)
        for side in shown:
            picture += _side_names(chips.words, side.area, chips.asking, theme, is_above=False)
            picture += _side_names(chips.words, side.area, chips.read, theme, is_above=True)
            dashed = () if chips.read is None else ((side.part(read=chips.read), OFFSET_DASH),)
            for part, dash in (*dashed, (side.part(chips.asking), ())):
                picture += [outline(part, theme.panel, 3.6), outline(part, theme.ink, 1.8, dash)]
        return (*picture, *self._pointed(shown, theme))

    def places(self, area: Area) -> Iterable[Place]:
        """The rows of the maps, what a word reads of each; over them each map, where a press and a drag choose."""
        words, both = self.chips.words, (self.chips.asking, self.chips.read)
        shown = [word for word in range(len(words)) if len(words) <= MOST_PLACES or word in both]
        for side in self._sides(area):
            for row in shown:
                value = ", ".join(f"{words[read]} {side.text(row, read, 2)}" for read in shown)
                yield Place(f"{side.name}, row {row}: {words[row]}", side.part(row), value, row == both[0])
            yield Place(f"weights, {side.name}", side.area, sets=partial(self._pressed, area))

    def _sides(self, area: Area) -> tuple[_Side, ...]:
        """The maps where they stand."""
        names, n_shown = _names_width(self.chips.words), len(self.shown)
        step = (area.width - _SIDE + GAP) / n_shown
        wide, tall = max(step - GAP - names, 1.0), max(area.height - _OVER, 1.0)
        lefts = (area.x + names + place * step for place in range(n_shown))
        areas = (Area(left, area.y + _OVER, wide, tall) for left in lefts)
        return tuple(sides(self.found)[one]._replace(area=where) for one, where in zip(self.shown, areas, strict=True))

    def _pressed(self, area: Area, x: float, y: float) -> dict[str, Any]:
        under = (side for side in self._sides(area) if side.area.holds(x, y))
        return next((words_at(side.area, side.values.shape, self.n_positions, x, y) for side in under), {})

    def _pointed(self, shown: tuple[_Side, ...], theme: Theme) -> marks.Picture:
        """Light frames around the row, and the cell, that a pointer is over, with their numbers beside it."""
        words = self.chips.words
        pointer = self.box.pointer
        asking = self.chips.hovered
        under = next((side for side in shown if pointer is not None and side.area.holds(*pointer)), None)
        if pointer is None or under is None:
            is_seen = asking is not None and 0 <= asking < len(words)
            return tuple(outline(side.part(asking), theme.text3) for side in shown) if is_seen else ()
        asking, read = cell_at(under.area, under.values.shape, *pointer)
        picture = [outline(side.part(asking), theme.text3) for side in shown]
        picture += [outline(side.part(asking, read), theme.ink, 1.4) for side in shown]
        lines = f"{words[asking]} reads {words[read]}", amounts(self.found, asking, read), SUM_TOOLTIP
        return (*picture, *readout_card(*pointer, self.box.area, lines, theme))


@lru_cache(maxsize=8)
def _names_width(texts: tuple[str, ...]) -> float:
    """The room for the words beside the rows of a map."""
    if len(texts) >= _POSITIONS:
        return 34.0
    return min(max(text_width("flag", word) for word in texts) + 10.0, 76.0)


def rounded_up(most: float) -> float:
    """The value of the last colour, for values up to `most`."""
    return next((one for one in _LIMITS if one >= most), math.ceil(most))


def outputs_block(found: Found, ratio: float, to: Limits, tall: float) -> Block:
    """The changes of outputs, a row for each word; a press in it sets t."""
    last = len(found.attention.words) - 0.51
    drawn = Drawn(_outputs_picture, (found, ratio, to), tall)
    rows = partial(Axis, first=-0.49, last=last, side="left", is_downward=True)
    return Named("outputs", drawn, sets_in=lambda area: rows(area).slide("position", is_whole=True))


def _outputs_picture(area: Area, theme: Theme, found: Found, ratio: float, to: Limits) -> marks.Picture:
    """By how much each number of each word's output differs, the largest ringed and led to a point.

    to: from the right upper corner of the area, pixels.
    """
    assert found.both is not None
    texts = found.attention.words
    change = found.both.put_back - found.both.written.outputs
    limit, names = rounded_up(found.both.difference), _names_width(texts)
    one = area._replace(x=area.x + names, width=max(area.width - names, 1.0))
    picture = _side_names(texts, one, None, theme, is_above=False) if len(texts) < _POSITIONS else []
    if found.both.difference < ROUNDING:
        words = "zero, up to rounding" if found.both.difference else "zero"
        picture.append(marks.Rectangle(*one, theme.sunken, theme.line))
        return (*picture, marks.centered(*one.middle, words, "tick", theme.text2))
    row, column = found.most_changed
    wide, tall = one.width / change.shape[1], one.height / len(texts)
    cell = Area(one.x + column * wide, one.y + row * tall, wide, tall)
    middle = cell.middle[1]
    x = area.right + to[0]
    y = area.y + to[1]
    bend = area.right + 8.0
    way = np.array([[cell.right, middle], [bend, middle], [bend, y], [x, y]])
    picture.append(cells_image(one, change, (-limit, limit), theme.diverging, ratio))
    picture += [marks.Polyline(way, theme.panel, 3.0), marks.Polyline(way, theme.text2)]
    return (*picture, outline(cell, theme.panel, 4.0), outline(cell, theme.ink, 2.0))


def _cell_numbers(side: _Side, colors: NDArray[np.uint8]) -> marks.Marks:
    """Every value in its cell where cells are large enough, black or white, whichever can be read."""
    picture, (_, _, wide, tall) = marks.Marks(), side.part(0, 0)
    if wide < _NUMBERS[0] or tall < _NUMBERS[1]:
        return picture
    role = "tick" if wide < _LARGE[0] or tall < _LARGE[1] else "label"
    grounds = colors[np.rint(np.interp(side.values, side.limits, (0, len(colors) - 1))).astype(int)]
    for row, column in np.argwhere(~side.hidden).tolist():
        ink = badge_text_color(QColor(*grounds[row, column].tolist()))
        picture.append(marks.Text(*side.part(row, column).middle, side.text(row, column, 2), role, ink, across=0.5))
    return picture


def _side_names(texts: tuple[str, ...], area: Area, chosen: int | None, theme: Theme, *, is_above: bool) -> marks.Marks:
    """The words above the columns or beside the rows of a map, a chosen one bold; of many words their positions."""
    n_words, picture = len(texts), marks.Marks()
    step = (area.width if is_above else area.height) / n_words
    has_numbers, apart = n_words >= _POSITIONS, _NAME_ROOM / step
    if has_numbers:
        apart = _TICK_ROOM[not is_above] / step
    elif is_above:
        apart = min(_names_width(texts) + 4.0, max(step, _COLUMN)) / step
    ticks: Iterable[float] = range(0, n_words, math.ceil(apart))
    if has_numbers:
        ticks = position_ticks(0.0, n_words - 1.0, max(int(n_words / apart), 1))
    shown = [int(place) for place in ticks if chosen is None or abs(place - chosen) >= apart]
    for place in shown if chosen is None else (chosen, *shown):
        text = str(place) if has_numbers else texts[place]
        role, ink = ("tick", theme.text3 if has_numbers else theme.text2)
        if place == chosen:
            role, ink = "flag", theme.text
        at = (place + 0.5) * step
        x = area.x - 6.0
        y = area.y + at
        across = 1.0
        room = _names_width(texts) - 8.0
        if is_above:
            x, y, across = area.x + at, area.y - 11.0, 0.5
            room = min(math.ceil(apart) * step - 4.0, 2.0 * (area.width + _SIDE - at))
        line = text if has_numbers else wrapped(role, text, room, 1)[0]
        picture.append(marks.Text(x, y, line, role, ink, across=across))
    return picture
