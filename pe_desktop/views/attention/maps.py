"""Maps of weights and outputs: colours, numbers, words and outlines."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.caches import told_cache
from pe_desktop.core.cursor import Cursor, Preview
from pe_desktop.core.encoding import ROUNDING, Floats
from pe_desktop.core.fields.field import Limits
from pe_desktop.core.number_text import rounded_up
from pe_desktop.core.record import kept, record
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_at, cell_numbers, cells_image, cells_plot, words_at
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.flow import Block, Drawn, Named
from pe_desktop.draw.number_text import fixed, short
from pe_desktop.draw.plot import OFFSET_DASH, Axis, Tick, outline, readout_card
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.attention.chips import MOST_PLACES, Chips
from pe_desktop.views.attention.head import SAID, Found

# Between both maps; outlines reach beyond what they surround; the words above the columns.
GAP: Final = 32.0
_SIDE, _OVER = 4.0, 22.0
_BAR: Final = 72.0
# The height of a row of a map, of the whole map at least and at most.
_ROW, _LOWEST, _TALLEST = 26.0, 120.0, 210.0
_OUTPUTS: Final = 96.0
# Pixels from one word beside a map to the next, the room for one above narrow columns, and what a number keeps free.
_NAME_ROOM, _COLUMN = 11.0, 28.0
_TICK_ROOM: Final = (26.0, 16.0)
# From so many words on positions stand above and beside.
_POSITIONS: Final = 20


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
        n_words = len(self.values)
        row = self.area if asking is None else word_axis(self.area, n_words).step_area(asking)
        return row if read is None else row.overlap(Axis(self.area, -0.5, n_words - 0.5).step_area(read))

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
    written = found.both.written.weights
    moved = found.put_back
    places = np.argsort(found.attention.places)
    before, after = ((where > where[:, None]) & found.attention.causal for where in (np.arange(len(places)), places))
    # Of many words a round weight that few exceed.
    limits = (0.0, limit_of(np.percentile(written, 99.0)) if len(places) >= _POSITIONS else 1.0)
    most = limit_of(np.abs(moved - written).max())
    return (
        _Side("written", written, before, limits),
        _Side("moved", moved, after, limits),
        _Side("change", moved - written, before & after, (-most, most)),
    )


def limit_of(most: float) -> float:
    """The value of the last colour, for values up to `most`."""
    return rounded_up(max(float(most), 0.01))


def amounts(found: Found, asking: int, read: int) -> tuple[str, ...]:
    """How much a word reads of another before and after moving, and the difference, in ever fewer words."""
    before, after, change = (side.text(asking, read, 4) for side in sides(found))
    if "hidden" not in (before, after):
        return f"{before} before, {after} moved, {change}", f"{before} → {after}, {change}", f"{before} → {after}"
    told = ("hidden by the mask" if text == "hidden" else text for text in (before, after))
    return "{} before, {} after the move".format(*told), f"{before} → {after}"


@record
class Maps(Block):
    """Weights and what moving changed, side by side, with the words as written in rows and columns.

    A press chooses t and t + k. shown: which of `sides`; n_positions: where t ends.
    """

    chips: Chips
    found: Found
    shown: tuple[int, ...]
    n_positions: int = field(compare=False)
    cursor: Cursor = field(compare=False)
    grows = True

    def height(self, width: float) -> float:
        return max(min(_ROW * len(self.chips.words), _TALLEST), _LOWEST) + _OVER

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        """Values as colours and, where there is room, as numbers; what the mask hides has none."""
        words = range(len(self.chips.words))
        for side in self._sides(area):
            colors = map_colors(theme, side.limits, is_diverging=True)
            yield cells_image(side.area, side.values, side.limits, colors)
            plot, seen = cells_plot(side.area, side.values.shape), np.where(side.hidden, np.nan, side.values)
            yield from cell_numbers(plot, words, words, partial(np.asarray, seen), side.limits, colors)

    def moving(self, area: Area, theme: Theme) -> marks.Drawing:
        """The words beside, those of t and t + k bold; outlines of their row and column."""
        chips = self.chips
        for side in self._sides(area):
            yield from _names(chips.words, side.area, chips.asking, theme, is_above=False)
            yield from _names(chips.words, side.area, chips.read, theme, is_above=True)
            dashed = () if chips.read is None else ((side.part(read=chips.read), OFFSET_DASH),)
            for part, dash in (*dashed, (side.part(chips.asking), ())):
                yield outline(part, theme.panel, 3.6)
                yield outline(part, theme.ink, 1.8, dash)

    def places(self, area: Area) -> Iterable[Place]:
        """The rows of the maps, what a word reads of each; over them each map, where a press and a drag choose."""
        words = self.chips.words
        both = (self.chips.asking, self.chips.read)
        shown = [word for word in range(len(words)) if len(words) <= MOST_PLACES or word in both]
        for side in self._sides(area):
            for row in shown:
                value = ", ".join(f"{words[read]} {side.text(row, read, 2)}" for read in shown)
                yield Place(f"{side.name}, row {row}: {words[row]}", side.part(row), value, row == both[0])
            x, y, wide, tall = side.area
            names = _names_width(words)
            asks = word_axis(side.area, len(words)).slide("position", is_whole=True)
            yield Place(f"rows, {side.name}", Area(x - names, y, names, tall), sets=asks)
            yield Place(f"columns, {side.name}", Area(x, y - _OVER, wide, _OVER), sets=partial(self._column_at, side))
            at = partial(words_at, side.area, side.values.shape, self.n_positions)
            ghosts = partial(self._ghosts, side)
            yield Place(f"weights, {side.name}", side.area, sets=at, tooltip=SAID["chosen_cell"], ghosts=ghosts)

    def _column_at(self, side: _Side, x: float, _y: float) -> dict[str, float]:
        """The k of the word above a column."""
        return {"offset": cell_at(side.area, side.values.shape, x, 0.0)[1] - self.cursor.position}

    def _sides(self, area: Area) -> tuple[_Side, ...]:
        """The maps where they stand."""
        names = _names_width(self.chips.words)
        n_shown = len(self.shown)
        step = (area.width - _SIDE + GAP) / n_shown
        wide = max(step - GAP - names, 1.0)
        tall = max(area.height - _OVER, 1.0)
        lefts = (area.x + names + place * step for place in range(n_shown))
        areas = (Area(left, area.y + _OVER, wide, tall) for left in lefts)
        return tuple(sides(self.found)[one]._replace(area=where) for one, where in zip(self.shown, areas, strict=True))

    def _ghosts(self, side: _Side, _area: Area, preview: Preview, theme: Theme) -> marks.Picture:
        """A light frame around the cell that a press would choose, with the number beside it."""
        t, s = map(round, preview.moved(self.cursor).both)
        words = self.chips.words
        if preview.offset is None or not (0 <= t < len(words) and 0 <= s < len(words)):
            return ()
        cell = side.part(t, s)
        lines = f"{words[t]} reads {words[s]}", side.text(t, s, 4)
        return outline(cell, theme.ink, 1.4), *readout_card(*cell.middle, side.area, lines, theme)


@told_cache(8)
def _names_width(texts: tuple[str, ...]) -> float:
    """The room for the words beside the rows of a map."""
    if len(texts) >= _POSITIONS:
        return 34.0
    return min(max(text_width("flag", word) for word in texts) + 10.0, 76.0)


def _names(texts: tuple[str, ...], area: Area, chosen: int | None, theme: Theme, *, is_above: bool) -> marks.Marks:
    """The words above the columns or beside the rows of a map, a chosen one bold; of many words their positions."""
    n_words = len(texts)
    wide = _names_width(texts)
    axis = word_axis(area, n_words)
    if is_above:
        axis = Axis(area._replace(y=area.y - _OVER, height=0.0), axis.first, axis.last)
    step = axis.length / n_words
    apart, away = (max(step, _COLUMN), 11.0) if is_above else (_NAME_ROOM, 6.0)
    ticks: Sequence[Tick]
    if n_words >= _POSITIONS:
        apart = _TICK_ROOM[not is_above]
        ticks = axis.position_ticks(float(n_words), apart, with_end=False)
        named = [Tick(float(chosen or 0), str(chosen))]
    else:
        stride = math.ceil((min(wide + 4.0, apart) if is_above else apart) / step)
        room = stride * step - 4.0 if is_above else wide - 8.0
        apart = stride * step
        named = [Tick(float(place), wrapped("flag", text, room, 1)[0]) for place, text in enumerate(texts)]
        ticks = named[::stride]
        named = named[chosen or 0 :]
    if chosen is None:
        return axis.labels(ticks, theme, away, after=_SIDE, color=theme.text2)
    others = [tick for tick in ticks if abs(tick.value - chosen) * step >= apart]
    names = axis.labels([*others, named[0]], theme, away, after=_SIDE, color=theme.text2)
    bold = names.pop()
    assert isinstance(bold, marks.Text)
    return [*names, replace(bold, role="flag", color=theme.text)]


def word_axis(area: Area, n_words: int) -> Axis:
    """The words of a sentence from top to bottom, each in the middle of its row."""
    return Axis(area, -0.5, n_words - 0.5, "left", is_downward=True)


def outputs_block(found: Found) -> Block:
    """The changes of outputs, a row for each word; a press in it sets t."""
    n_words = len(found.attention.words)
    drawn = Drawn(_outputs_picture, (found,), _OUTPUTS)
    return Named("outputs", drawn, sets_in=lambda area: word_axis(area, n_words).slide("position", is_whole=True))


def _outputs_picture(area: Area, theme: Theme, found: Found) -> marks.Picture:
    """By how much each number of each word's output differs, the largest ringed."""
    if found.both is None:
        return ()
    texts = found.attention.words
    change = found.both.put_back - found.both.written.outputs
    limit = limit_of(found.both.difference)
    names = _names_width(texts)
    one = area._replace(x=area.x + names, width=max(area.width - names, 1.0))
    picture = _names(texts, one, None, theme, is_above=False)
    if found.both.difference < ROUNDING:
        words = "zero, up to rounding" if found.both.difference else "zero"
        picture.append(marks.Rectangle(*one, theme.sunken, theme.line))
        return (*picture, marks.centered(*one.middle, words, "tick", theme.text2))
    row, column = found.most_changed
    across = Axis(one, -0.5, change.shape[1] - 0.5).step_area(column)
    cell = word_axis(one, len(texts)).step_area(row).overlap(across)
    picture.append(cells_image(one, change, (-limit, limit), theme.diverging))
    return (*picture, outline(cell, theme.panel, 4.0), outline(cell, theme.ink, 2.0))
