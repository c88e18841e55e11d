"""Maps of weights and outputs: colours, numbers, words and outlines."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import ROUNDING, Floats
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar
from pe_desktop.draw.flow import Block
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import outline, position_ticks, readout_card
from pe_desktop.draw.scene import Area, Box, Place
from pe_desktop.draw.theme import Theme, badge_text_color, color_image, map_colors
from pe_desktop.draw.typefaces import fitting, text_width, wrapped
from pe_desktop.views.attention.chips import DASH, MOST_PLACES, Chips
from pe_desktop.views.attention.head import Found

_BAR: Final = 86.0
# Between both maps; outlines reach beyond what they surround; over maps, under them.
_GAP, _SIDE, _OVER, _UNDER = 32.0, 4.0, 58.0, 42.0
# Round values of the last colour: of weights in long sentences, of outputs.
_WEIGHT_LIMITS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_LIMITS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
# Pixels that a number beside or above a map keeps free.
_TICK_ROOM: Final = (26.0, 16.0)
# Pixels from one word beside a map to the next.
_NAME_ROOM: Final = 11.0
# From so many words on positions head the columns, and the rows.
_POSITIONS_ABOVE, _POSITIONS_BESIDE = 8, 20
# Cells from this size on have numbers.
_NUMBERS: Final = (44.0, 20.0)


class _Side(NamedTuple):
    """One of both maps: where it stands, the written place of the word at each of its places, what words read."""

    title: str
    area: Area
    order: tuple[int, ...]
    weights: Floats
    is_causal: bool

    def part(self, asking: int | None = None, read: int | None = None) -> Area:
        """The row of a word that asks, the column of one that is read, or the cell of both."""
        x, y, wide, tall = self.area
        if read is not None:
            wide /= len(self.order)
            x += self.order.index(read) * wide
        if asking is not None:
            tall /= len(self.order)
            y += self.order.index(asking) * tall
        return Area(x, y, wide, tall)

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """The word that asks and the one that is read at a point."""
        n_words, area = len(self.order), self.area
        shares = (y - area.y) / area.height, (x - area.x) / area.width
        asking, read = (self.order[min(int(share * n_words), n_words - 1)] for share in shares)
        return asking, read

    def amount(self, asking: int, read: int) -> str:
        """How much one word reads of another, or that the mask hides it."""
        row, column = self.order.index(asking), self.order.index(read)
        return "hidden" if self.is_causal and column > row else fixed(float(self.weights[row, column]), 4)


@record
class Maps(Block):
    """The weights of the sentence as written and as moved, side by side; a press chooses t and t + k.

    least: the height of the maps at least; cursor: t and t + k; n_positions: where t ends.
    """

    chips: Chips
    found: Found
    least: float
    cursor: tuple[float, float] = field(compare=False)
    n_positions: int = field(compare=False)
    box: Box = field(compare=False)
    grows = True

    def height(self, width: float) -> float:
        return _OVER + self.least + _UNDER

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        """Titles, weights as colours and, where there is room, as numbers; what the mask hides has none."""
        left, right = self._sides(area)
        y, colors, title = area.y + 20.0, map_colors(theme, (0.0, 1.0), is_diverging=True), "Weights, as written"
        limit = _weight_limit(left.weights)
        end = short(limit) if limit == 1.0 else f"≥ {short(limit)}"
        hints = ("each row reads the columns; it sums to 1", "each row sums to 1", "")
        hint = fitting("tick", hints, left.area.right - area.x - text_width("strong", title) - 16.0)
        picture: list[marks.Mark] = [
            marks.Text(area.x, y, title, "strong", theme.text),
            marks.Text(left.area.right, y, hint, "tick", theme.text3, across=1.0),
            marks.Text(right.area.x - _names_width(self.chips.words), y, "Weights, moved", "strong", theme.text),
            *lying_bar(right.area.right, y, _BAR, ("0", end), colors, theme),
        ]
        for side in (left, right):
            picture.append(_cells(side.area, side.weights, (0.0, limit), colors, self.box.pixel_ratio))
            picture += _cell_numbers(side, colors)
        return tuple(picture)

    def moving(self, area: Area, theme: Theme) -> marks.Picture:
        """The words beside, those of t and t + k bold; outlines of their row and column, and of the pointer's."""
        picture, sides, chips = list[marks.Mark](), self._sides(area), self.chips
        for side in sides:
            row, column = side.order.index(chips.asking), side.order.index(chips.read)
            picture += _side_names(chips.words, side.area, side.order, (row,), theme, is_above=False)
            picture += _side_names(chips.words, side.area, side.order, (row, column), theme, is_above=True)
            for part, dash in ((side.part(read=chips.read), DASH), (side.part(chips.asking), ())):
                picture += [outline(part, theme.panel, 3.6), outline(part, theme.ink, 1.8, dash)]
        return (*picture, *self._footers(area, *sides, theme), *self._pointed(sides, theme))

    def places(self, area: Area) -> Iterable[Place]:
        """The rows of both maps, what a word reads of each; over them each map, where a press and a drag choose."""
        words, both = self.chips.words, (self.chips.asking, self.chips.read)
        for side in self._sides(area):
            shown = frozenset(side.order if len(side.order) <= MOST_PLACES else both)
            for row, word in enumerate(side.order):
                if word in shown:
                    amounts = zip(side.order, side.weights[row].tolist(), strict=True)
                    value = ", ".join(f"{words[read]} {fixed(amount, 2)}" for read, amount in amounts if read in shown)
                    yield Place(f"{side.title}, row {row}: {words[word]}", side.part(word), value, word == both[0])
            yield Place(f"weights, {side.title}", side.area, sets=partial(self._pressed, area))

    def _sides(self, area: Area) -> tuple[_Side, _Side]:
        """The maps of weights, as written and moved."""
        assert self.found.both is not None
        words, found, is_causal = self.chips.words, self.found.both, self.found.attention.causal
        names, half = _names_width(words), (area.width - _SIDE - _GAP) / 2
        one = Area(area.x + names, area.y + _OVER, max(half - names, 1.0), max(area.height - _OVER - _UNDER, 1.0))
        other = one._replace(x=one.x + half + _GAP)
        return (
            _Side("written", one, tuple(range(len(words))), found.written.weights, is_causal),
            _Side("moved", other, self.chips.order, found.moved.weights, is_causal),
        )

    def _pressed(self, area: Area, x: float, y: float) -> dict[str, Any]:
        for side in self._sides(area):
            if side.area.holds(x, y):
                asking, read = side.cell_at(x, y)
                # t ends with the table, which may be shorter than the sentence.
                position = min(asking, self.n_positions - 1)
                return {"position": float(position), "offset": float(read - position)}
        return {}

    def _pointed(self, sides: tuple[_Side, _Side], theme: Theme) -> marks.Picture:
        """Light frames around the row, and the cell, that a pointer is over, with their numbers beside it."""
        words, pointer, preview = self.chips.words, self.box.pointer, self.box.preview
        under = next((side for side in sides if pointer is not None and side.area.holds(*pointer)), None)
        if pointer is None or under is None:
            asking = -1 if preview is None else round(preview.position)
            is_seen = 0 <= asking < len(words)
            return tuple(outline(side.part(asking), theme.text3) for side in sides) if is_seen else ()
        asking, read = under.cell_at(*pointer)
        picture = [outline(side.part(asking), theme.text3) for side in sides]
        picture += [outline(side.part(asking, read), theme.ink, 1.4) for side in sides]
        before, after = (side.amount(asking, read) for side in sides)
        here, there = (before, f"moved {after}") if under is sides[0] else (after, f"as written {before}")
        lines = f"{words[asking]} reads {words[read]} {here}", there
        return (*picture, *readout_card(*pointer, self.box.area, lines, theme))

    def _footers(self, area: Area, left: _Side, right: _Side, theme: Theme) -> marks.Picture:
        """What the outlines mean; the word that asks, the one it reads, and how much."""
        chips, (t, other), y = self.chips, self.cursor, left.area.bottom + 17.0
        last, room, asks = len(chips.words) - 1, left.area.right - area.x, position_text(t)
        line, beside = f"solid row: query, t = {asks}", _read_text(other, last)
        if round(t) > last:
            way_on = "" if chips.is_paper else "; press another"
            line, beside = f"t = {asks} is past the end: the query is the last word{way_on}", ""
        elif text_width("tick", line) + text_width("tick", beside) + 16.0 > room:
            line = "row: query (t), column: key (t + k)" if 0 <= round(other) <= last else beside
            beside = ""
        before, after = (side.amount(chips.asking, chips.read) for side in (left, right))
        names = chips.words[chips.asking], chips.words[chips.read]
        reads = _reading(names, f"{before} before, {after} after", right.area.width + _names_width(chips.words))
        return (
            marks.Text(area.x, y, wrapped("tick", line, room, 1)[0], "tick", theme.text3),
            marks.Text(left.area.right, y, beside, "tick", theme.text3, across=1.0),
            marks.Text(right.area.right, y, reads, "flag", theme.text, across=1.0),
        )


@lru_cache(maxsize=8)
def _names_width(texts: tuple[str, ...]) -> float:
    """The room for the words beside the rows of a map."""
    if len(texts) >= _POSITIONS_BESIDE:
        return 34.0
    return min(max((text_width("flag", word) for word in texts), default=0.0) + 10.0, 76.0)


def outputs_picture(area: Area, theme: Theme, found: Found, ratio: float) -> marks.Picture:
    """The outputs as written, as moved and put back in order, and their difference, over one range of colours."""
    assert found.both is not None
    texts, outputs, put_back = found.attention.words, found.both.written.outputs, found.both.put_back
    largest = max(float(np.abs(values).max()) for values in (outputs, put_back))
    limit = next((one for one in _LIMITS if one >= largest), float(np.ceil(largest)))
    names, y, gap = _names_width(texts), area.y + 20.0, 28.0
    wide = max((area.width - _SIDE - names - 2 * gap) / 3, 1.0)
    first = Area(area.x + names, area.y + 58.0, wide, area.height - 78.0)
    ends, left = (f"−{short(limit)}", f"+{short(limit)}"), area.x + text_width("strong", "Outputs") + 10.0
    picture: list[marks.Mark] = [
        marks.Text(area.x, y, "Outputs", "strong", theme.text),
        marks.Text(left, y, f"{whole(outputs.shape[1])} numbers for each word", "tick", theme.text3),
        *lying_bar(first.right + 2 * (wide + gap), y, _BAR, ends, theme.diverging, theme),
    ]
    parts = {"as written": outputs, "moved, put back in order": put_back, "difference": outputs - put_back}
    for place, (name, values) in enumerate(parts.items()):
        one = first._replace(x=first.x + place * (wide + gap))
        line = wrapped("tick", name, one.width, 1)[0]
        picture.append(marks.Text(one.x, one.y - 12.0, line, "tick", theme.text2))
        if name == "difference" and found.both.difference < ROUNDING:
            words = "zero, up to rounding" if found.both.difference else "zero"
            picture.append(marks.Rectangle(*one, theme.sunken, theme.line))
            line = wrapped("tick", words, one.width - 8.0, 1)[0]
            picture.append(marks.Text(*one.middle, line, "tick", theme.text2, across=0.5))
        else:
            picture.append(_cells(one, values, (-limit, limit), theme.diverging, ratio))
    if len(texts) < _POSITIONS_BESIDE:
        picture += _side_names(texts, first, range(len(texts)), (), theme, is_above=False)
    return tuple(picture)


def _read_text(position: float, last: int) -> str:
    """Which word is read: that at t + k, or where none stands there the nearest."""
    if round(position) > last:
        return f"t + k = {position_text(position)} is past the end: the key is the last word"
    if round(position) < 0:
        return f"t + k = {position_text(position)} is before the start: the key is the first word"
    return f"dashed column: key, t + k = {position_text(position)}"


def _reading(names: tuple[str, str], amount: str, room: float) -> str:
    """How much a word reads of another; long words are shortened, so that the numbers are seen."""
    for_words = room - text_width("flag", f" reads : {amount}")
    widths = [text_width("flag", name) for name in names]
    asking, read = names
    if sum(widths) > for_words:
        most = max(for_words / 2, for_words - min(widths))
        asking, read = (wrapped("flag", name, most, 1)[0] for name in names)
    return wrapped("flag", f"{asking} reads {read}: {amount}", room, 1)[0]


def _cells(
    area: Area, values: Floats, limits: tuple[float, float], colors: NDArray[np.uint8], ratio: float
) -> marks.Raster:
    """Values as colours in an area; where there are more cells than pixels, a pixel shows the mean of its cells."""
    for axis, length in enumerate((area.height, area.width)):
        most = max(round(length * ratio), 1)
        count = values.shape[axis]
        if count > most:
            starts = np.arange(most) * count // most
            sizes = np.diff(np.append(starts, count))
            values = np.add.reduceat(values, starts, axis=axis) / np.expand_dims(sizes, 1 - axis)
    low, high = limits
    steps = np.clip((values - low) / (high - low), 0.0, 1.0) * (len(colors) - 1)
    return marks.Raster(*area, color_image(colors[np.rint(np.nan_to_num(steps)).astype(np.intp)]))


def _weight_limit(weights: Floats) -> float:
    """The weight of the last colour: 1, but a round one that few exceed where words are many."""
    most = float(np.percentile(weights, 99.0)) if len(weights) >= _POSITIONS_BESIDE else 1.0
    return next((one for one in _WEIGHT_LIMITS if one >= most), 1.0)


def _cell_numbers(side: _Side, colors: NDArray[np.uint8]) -> list[marks.Mark]:
    """Every weight in its cell where cells are large enough, black or white, whichever can be read."""
    picture, area, count = list[marks.Mark](), side.area, len(side.weights)
    wide, tall = area.width / count, area.height / count
    if wide < _NUMBERS[0] or tall < _NUMBERS[1]:
        return picture
    for (row, column), weight in np.ndenumerate(side.weights):
        if side.is_causal and column > row:
            continue
        ink = badge_text_color(QColor(*colors[round(weight * (len(colors) - 1))].tolist()))
        x, y = area.x + (column + 0.5) * wide, area.y + (row + 0.5) * tall
        picture.append(marks.Text(x, y, fixed(float(weight), 2), "label", ink, across=0.5))
    return picture


def _side_names(
    texts: tuple[str, ...], area: Area, order: Sequence[int], chosen: tuple[int, ...], theme: Theme, *, is_above: bool
) -> list[marks.Mark]:
    """The words above the columns or beside the rows of a map, chosen ones bold; of many words their positions."""
    n_words, picture = len(order), list[marks.Mark]()
    step = (area.width if is_above else area.height) / n_words
    room = step - 4.0 if is_above else _names_width(texts) - 8.0
    has_numbers = n_words >= (_POSITIONS_ABOVE if is_above else _POSITIONS_BESIDE)
    apart = (_TICK_ROOM[not is_above] if has_numbers else _NAME_ROOM) / step
    ticks: Iterable[float] = range(0, n_words, math.ceil(apart))
    if has_numbers:
        ticks = position_ticks(0.0, n_words - 1.0, max(int(n_words / apart), 1))
    for place in _named(chosen, map(int, ticks), apart):
        text = str(place) if has_numbers else texts[order[place]]
        role, ink = ("tick", theme.text3 if has_numbers else theme.text2)
        if place in chosen:
            role, ink = "flag", theme.text
        line, at = text if has_numbers else wrapped(role, text, room, 1)[0], (place + 0.5) * step
        x, y, across = (area.x + at, area.y - 11.0, 0.5) if is_above else (area.x - 6.0, area.y + at, 1.0)
        picture.append(marks.Text(x, y, line, role, ink, across=across))
    return picture


def _named(chosen: tuple[int, ...], ticks: Iterable[int], apart: float) -> list[int]:
    """Places whose names stand along a map: the chosen ones, others that are so many places apart from these."""
    kept = [place for place in dict.fromkeys(chosen) if place == chosen[0] or abs(place - chosen[0]) >= apart]
    return [*kept, *(place for place in ticks if all(abs(place - other) >= apart for other in kept))]
