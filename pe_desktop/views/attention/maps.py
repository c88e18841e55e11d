"""Maps of weights and outputs: colours, numbers, words and outlines."""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Moved
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar
from pe_desktop.draw.flow import Block
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import outline, position_ticks, readout_card
from pe_desktop.draw.scene import Area, Box, Place
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import fitting, text_width, wrapped
from pe_desktop.views.attention import words
from pe_desktop.views.attention.chips import MOST_PLACES, Chips
from pe_desktop.views.attention.head import Known

_DASH: Final = (4.0, 3.0)
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


@record
class Maps(Block):
    """The weights of the sentence as written and as moved, side by side; a press chooses t and t + k.

    least: the height of the maps at least; cursor: t and t + k; n_positions: where t ends.
    """

    chips: Chips
    known: Known
    least: float
    cursor: tuple[float, float] = field(compare=False)
    n_positions: int = field(compare=False)
    box: Box = field(compare=False)
    grows = True

    def height(self, width: float) -> float:
        return _OVER + self.least + _UNDER

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        """Titles, weights as colours and, where there is room, as numbers; what the mask hides has none."""
        (left, right), y, colors = self._areas(area), area.y + 20.0, _weight_colors(theme)
        (limit, over), title = _weight_limit(self.known.both), "Weights, as written"
        hints = ("each row reads the columns; it sums to 1", "each row sums to 1", "")
        hint = fitting("tick", hints, left.right - area.x - text_width("strong", title) - 16.0)
        picture: list[marks.Mark] = [
            marks.Text(area.x, y, title, "strong", theme.text),
            marks.Text(left.right, y, hint, "tick", theme.text3, across=1.0),
            marks.Text(right.x - names_width(self.chips.words), y, "Weights, moved", "strong", theme.text),
            *lying_bar(right.right, y, _BAR, ("0", f"{over}{short(limit)}"), colors, theme),
        ]
        for one, attended in zip((left, right), (self.known.both.written, self.known.both.moved), strict=True):
            picture.append(_cells(one, attended.weights, (0.0, limit), colors, self.box.pixel_ratio))
            picture += _cell_numbers(one, attended.weights, colors, is_causal=self.known.attention.causal)
        return tuple(picture)

    def moving(self, area: Area, theme: Theme) -> marks.Picture:
        """The words beside, those of t and t + k bold; outlines of their row and column, and of the pointer's."""
        picture, areas, chips = list[marks.Mark](), self._areas(area), self.chips
        for one, order in zip(areas, self._orders, strict=True):
            row, column = order.index(chips.asking), order.index(chips.read)
            picture += _row_names(chips.words, one, order, row, theme)
            picture += _column_names(chips.words, one, order, (row, column), theme)
            for part, dash in ((_part(one, order, None, column), _DASH), (_part(one, order, row), ())):
                picture += [outline(part, theme.panel, 3.6), outline(part, theme.ink, 1.8, dash)]
        return (*picture, *self._pointed(area, theme), *self._footers(area, theme))

    def places(self, area: Area) -> Iterable[Place]:
        """The rows of both maps, what a word reads of each; over them each map, where a press and a drag choose."""
        chips, attended = self.chips, (self.known.both.written, self.known.both.moved)
        for title, one, order, made in zip(
            ("written", "moved"), self._areas(area), self._orders, attended, strict=True
        ):
            shown = frozenset(order if len(order) <= MOST_PLACES else (chips.asking, chips.read))
            for row, word in enumerate(order):
                if word in shown:
                    read = [pair for pair in zip(order, made.weights[row].tolist(), strict=True) if pair[0] in shown]
                    value = ", ".join(f"{chips.words[other]} {fixed(amount, 2)}" for other, amount in read)
                    name = f"{title}, row {row}: {chips.words[word]}"
                    yield Place(name, _part(one, order, row), value, word == chips.asking)
            yield Place(f"weights, {title}", one, sets=partial(self._pressed, area))

    def place_key(self) -> Hashable:
        return self.chips.place_key(), self.n_positions

    @property
    def _orders(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(range(len(self.chips.words))), self.chips.order

    def _areas(self, area: Area) -> tuple[Area, Area]:
        """The maps of weights, as written and moved."""
        names, half = names_width(self.chips.words), (area.width - _SIDE - _GAP) / 2
        top, size = area.y + _OVER, (max(half - names, 1.0), max(area.height - _OVER - _UNDER, 1.0))
        return Area(area.x + names, top, *size), Area(area.x + half + _GAP + names, top, *size)

    def _cell_at(self, area: Area, x: float, y: float) -> tuple[int, int] | None:
        """The written places of the word that asks and of the one that is read, in either map."""
        for one, order in zip(self._areas(area), self._orders, strict=True):
            if one.holds(x, y):
                last = len(order) - 1
                row, column = (y - one.y) / one.height * len(order), (x - one.x) / one.width * len(order)
                return order[min(int(row), last)], order[min(int(column), last)]
        return None

    def _pressed(self, area: Area, x: float, y: float) -> dict[str, Any]:
        cell = self._cell_at(area, x, y)
        if cell is None:
            return {}
        # t ends with the table, which may be shorter than the sentence.
        position = min(cell[0], self.n_positions - 1)
        return {"position": float(position), "offset": float(cell[1] - position)}

    def _amounts(self, asking: int, read: int) -> tuple[str, str]:
        """How much one word reads of another, as written and as moved, or that the mask hides it."""
        order, found = self.chips.order, self.known.both
        cells = (found.written, asking, read), (found.moved, order.index(asking), order.index(read))
        before, after = (
            "hidden" if self.known.attention.causal and column > row else fixed(float(attended.weights[row, column]), 4)
            for attended, row, column in cells
        )
        return before, after

    def _pointed(self, area: Area, theme: Theme) -> marks.Picture:
        """Light frames around the row, and the cell, that a pointer is over, with their numbers beside it."""
        words, pointer, preview = self.chips.words, self.box.pointer, self.box.preview
        cell = None if pointer is None else self._cell_at(area, *pointer)
        asking = cell[0] if cell is not None else -1 if preview is None else round(preview.position)
        picture: list[marks.Mark] = []
        for one, order in zip(self._areas(area), self._orders, strict=True):
            if 0 <= asking < len(words):
                picture.append(outline(_part(one, order, order.index(asking)), theme.text3))
            if cell is not None:
                frame = _part(one, order, order.index(asking), order.index(cell[1]))
                picture.append(outline(frame, theme.ink, 1.4))
        if cell is not None and pointer is not None:
            (before, after), reads = self._amounts(*cell), f"{words[cell[0]]} reads {words[cell[1]]}"
            is_moved = self._areas(area)[1].holds(*pointer)
            lines = (
                (f"{reads} {after}", f"as written {before}") if is_moved else (f"{reads} {before}", f"moved {after}")
            )
            picture += readout_card(*pointer, self.box.area, lines, theme)
        return tuple(picture)

    def _footers(self, area: Area, theme: Theme) -> marks.Picture:
        """What the outlines mean; the word that asks, the one it reads, and how much."""
        (left, right), chips, (t, other) = self._areas(area), self.chips, self.cursor
        y, last, room, asks = left.bottom + 17.0, len(chips.words) - 1, left.right - area.x, position_text(t)
        line, beside = f"solid row: query, t = {asks}", _read_text(other, last)
        if round(t) > last:
            way_on = "" if chips.is_paper else "; press another"
            line, beside = f"t = {asks} is past the end: the query is the last word{way_on}", ""
        elif text_width("tick", line) + text_width("tick", beside) + 16.0 > room:
            line = "row: query (t), column: key (t + k)" if 0 <= round(other) <= last else beside
            beside = ""
        before, after = self._amounts(chips.asking, chips.read)
        room_beside, names = (
            right.width + names_width(chips.words),
            (chips.words[chips.asking], chips.words[chips.read]),
        )
        reads = _reading(names, f"{before} before, {after} after", room_beside)
        return (
            marks.Text(area.x, y, wrapped("tick", line, room, 1)[0], "tick", theme.text3),
            marks.Text(left.right, y, beside, "tick", theme.text3, across=1.0),
            marks.Text(right.right, y, reads, "flag", theme.text, across=1.0),
        )


def _part(area: Area, order: Sequence[int], row: int | None, column: int | None = None) -> Area:
    """A row of a map, a column of it, or the cell of both."""
    wide, tall = area.width / len(order), area.height / len(order)
    left, width = (area.x, area.width) if column is None else (area.x + column * wide, wide)
    top, height = (area.y, area.height) if row is None else (area.y + row * tall, tall)
    return Area(left, top, width, height)


@lru_cache(maxsize=8)
def names_width(texts: tuple[str, ...]) -> float:
    """The room for the words beside the rows of a map."""
    if len(texts) >= _POSITIONS_BESIDE:
        return 34.0
    return min(max((text_width("flag", word) for word in texts), default=0.0) + 10.0, 76.0)


def outputs_picture(area: Area, theme: Theme, known: Known, ratio: float) -> marks.Picture:
    """The outputs as written, as moved and put back in order, and their difference, over one range of colours."""
    texts, found = known.attention.words, known.both
    difference = found.written.outputs - found.put_back
    largest = max(float(np.abs(found.written.outputs).max()), float(np.abs(found.put_back).max()))
    limit = next((one for one in _LIMITS if one >= largest), float(np.ceil(largest)))
    areas, y = _thirds(area, names_width(texts)), area.y + 20.0
    n_numbers, left = whole(found.written.outputs.shape[1]), area.x + text_width("strong", "Outputs") + 10.0
    picture: list[marks.Mark] = [
        marks.Text(area.x, y, "Outputs", "strong", theme.text),
        marks.Text(left, y, f"{n_numbers} numbers for each word", "tick", theme.text3),
        *lying_bar(areas[2].right, y, _BAR, (f"−{short(limit)}", f"+{short(limit)}"), theme.diverging, theme),
    ]
    names = ("as written", "moved, then put back in order", "difference")
    for one, name, values in zip(areas, names, (found.written.outputs, found.put_back, difference), strict=True):
        line = wrapped("tick", name, one.width, 1)[0]
        picture.append(marks.Text(one.x, one.y - 12.0, line, "tick", theme.text2))
        if values is difference and found.difference < words.ROUNDING:
            picture += _zero(one, "zero, up to rounding" if found.difference else "zero", theme)
        else:
            picture.append(_cells(one, values, (-limit, limit), theme.diverging, ratio))
    if len(texts) < _POSITIONS_BESIDE:
        tall, room = areas[0].height / len(texts), names_width(texts) - 8.0
        picture += [
            _name(areas[0].x - 6.0, areas[0].y + (place + 0.5) * tall, word, room, theme)
            for place, word in enumerate(texts)
            if _has_name(place, tall)
        ]
    return tuple(picture)


def _thirds(area: Area, names: float, gap: float = 28.0) -> list[Area]:
    """Three maps side by side behind the names of their rows."""
    wide = max((area.width - _SIDE - names - 2 * gap) / 3, 1.0)
    return [Area(area.x + names + place * (wide + gap), area.y + 58.0, wide, area.height - 78.0) for place in range(3)]


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


def _weight_colors(theme: Theme) -> NDArray[np.uint8]:
    """The blue half of the diverging map, from 0 to 1."""
    return theme.diverging[len(theme.diverging) // 2 :]


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
    parts = colors[np.rint(np.nan_to_num(steps)).astype(np.intp)].astype(np.uint32)
    inks = np.ascontiguousarray(np.uint32(0xFF000000) | (parts[..., 0] << 16) | (parts[..., 1] << 8) | parts[..., 2])
    tall, wide = inks.shape
    return marks.Raster(*area, QImage(inks.tobytes(), wide, tall, wide * 4, QImage.Format.Format_RGB32).copy())


def _weight_limit(found: Moved) -> tuple[float, str]:
    """The weight of the last colour: 1, but a round one that few exceed where words are many; and the sign for that."""
    if len(found.written.weights) < _POSITIONS_BESIDE:
        return 1.0, ""
    most = float(np.percentile(found.written.weights, 99.0))
    limit = next((one for one in _WEIGHT_LIMITS if one >= most), 1.0)
    return limit, "" if limit == 1.0 else "≥ "


def _cell_numbers(area: Area, weights: Floats, colors: NDArray[np.uint8], *, is_causal: bool) -> list[marks.Mark]:
    """Every weight in its cell where cells are large enough, black or white, whichever can be read."""
    picture: list[marks.Mark] = []
    wide, tall = area.width / len(weights), area.height / len(weights)
    if wide < _NUMBERS[0] or tall < _NUMBERS[1]:
        return picture
    for row, column in np.ndindex(*weights.shape):
        if is_causal and column > row:
            continue
        weight = float(weights[row, column])
        ground = QColor(*colors[round(weight * (len(colors) - 1))].tolist())
        x, y = area.x + (column + 0.5) * wide, area.y + (row + 0.5) * tall
        picture.append(marks.Text(x, y, fixed(weight, 2), "label", badge_text_color(ground), across=0.5))
    return picture


def _row_names(texts: tuple[str, ...], area: Area, order: Sequence[int], chosen: int, theme: Theme) -> list[marks.Mark]:
    tall = area.height / len(order)
    if len(order) >= _POSITIONS_BESIDE:
        return [
            marks.Text(area.x - 6.0, area.y + (place + 0.5) * tall, str(place), role, color, across=1.0)
            for place, role, color in _ticks(len(order), (chosen,), tall, _TICK_ROOM[1], theme)
        ]
    room = names_width(texts) - 8.0
    return [
        _name(area.x - 6.0, area.y + (place + 0.5) * tall, texts[word], room, theme, is_bold=place == chosen)
        for place, word in enumerate(order)
        if place == chosen or _has_name(place, tall, chosen)
    ]


def _has_name(place: int, tall: float, chosen: int | None = None) -> bool:
    """Whether a row of so many pixels has its word beside it: each n-th where they are low, none beside the chosen."""
    step = math.ceil(_NAME_ROOM / tall)
    return place % step == 0 and (chosen is None or abs(place - chosen) >= step)


def _column_names(
    texts: tuple[str, ...], area: Area, order: Sequence[int], chosen: tuple[int, int], theme: Theme
) -> list[marks.Mark]:
    wide, y = area.width / len(order), area.y - 11.0
    if len(order) >= _POSITIONS_ABOVE:
        return [
            marks.Text(area.x + (place + 0.5) * wide, y, str(place), role, color, across=0.5)
            for place, role, color in _ticks(len(order), chosen, wide, _TICK_ROOM[0], theme)
        ]
    picture: list[marks.Mark] = []
    for place, word in enumerate(order):
        role, color = ("flag", theme.text) if place in chosen else ("tick", theme.text2)
        text = wrapped(role, texts[word], wide - 4.0, 1)[0]
        picture.append(marks.Text(area.x + (place + 0.5) * wide, y, text, role, color, across=0.5))
    return picture


def _ticks(
    count: int, chosen: tuple[int, ...], step: float, room: float, theme: Theme
) -> list[tuple[int, str, QColor]]:
    """Places to be written along a map, with role and colour: chosen ones bold, others where they have room."""
    kept: list[int] = []
    for place in chosen:
        if all(abs(place - other) * step >= room for other in kept):
            kept.append(place)
    ticks = map(int, position_ticks(0.0, count - 1.0, max(int(count * step // room), 1)))
    others = [place for place in ticks if all(abs(place - other) * step >= room for other in kept)]
    return [(place, "flag", theme.text) for place in kept] + [(place, "tick", theme.text3) for place in others]


def _name(x: float, y: float, word: str, room: float, theme: Theme, *, is_bold: bool = False) -> marks.Text:
    """A word that ends at a point, shortened to the room there is."""
    role, color = ("flag", theme.text) if is_bold else ("tick", theme.text2)
    return marks.Text(x, y, wrapped(role, word, room, 1)[0], role, color, across=1.0)


def _zero(area: Area, text: str, theme: Theme) -> list[marks.Mark]:
    line = wrapped("tick", text, area.width - 8.0, 1)[0]
    return [
        marks.Rectangle(*area, theme.sunken, theme.line),
        marks.Text(*area.middle, line, "tick", theme.text2, across=0.5),
    ]
