"""The blocks that a page of code is made of: words, programs, defects, tables, grids of numbers, steps, planes."""

from collections.abc import Iterable
from typing import Final

from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Fits, Grid, Named, Words
from pe_desktop.draw.number_text import fixed, short
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, mixed
from pe_desktop.draw.typefaces import CODE, text_width
from pe_desktop.views.code.program import code_picture, rows_of

_GAP: Final = 12.0
_LINE: Final = 16.0
# From this width on two columns stand beside each other, the left one with this share.
_WIDE, _SHARE = 720.0, 0.62
_CELL, _ROW = 62.0, 20.0
_CHIP_HEIGHT, _CHIP_GAP = 26.0, 6.0
_PLANE, _PLANE_GAP, _PLANE_LABEL = 44.0, 20.0, 108.0
_PLANE_ROW: Final = _PLANE + 30.0
_PLANE_CELLS: Final = 4
# What the values of a plane may reach that are told with three decimals.
_LEAST_PLAIN, _MOST_PLAIN = 0.1, 1e3
_TINT: Final = 0.14


def stacked(*blocks: Block) -> Block:
    return Column(blocks, gap=_GAP)


def note(number: int, text: str) -> Block:
    """A sentence or two, the so many'th of its page."""
    return Named(f"note {number}", Words(text, "caption", "text2", is_paragraph=True), text)


def beside(left: Block, right: Block) -> Block:
    """Blocks beside each other where there is room, else below each other."""
    return Fits((Grid((_SHARE, GROW), ((left, right),), gap=24.0), stacked(left, right)), (_WIDE, 0.0))


def defect(wrong: str, right: str, text: str) -> Block:
    """What does not run on a red ground, what runs below it on a green one, then why."""
    words = Words(text, "caption", "text2", is_paragraph=True)
    fragments = (_fragment(wrong, is_right=False), _fragment(right, is_right=True))
    return Named(f"defect: {wrong}", Column((*fragments, words), gap=2.0), text)


def _fragment(text: str, *, is_right: bool) -> Block:
    return Drawn(_fragment_picture, (text, is_right), lambda width: len(rows_of(text, width)) * _LINE + 8.0)


def _fragment_picture(area: Area, theme: Theme, text: str, *right: bool) -> marks.Picture:
    ground, color, sign = (theme.ok_ground, theme.ok, "+") if right[0] else (theme.bad_ground, theme.bad, "−")
    picture: list[marks.Mark] = [marks.Rectangle(*area, ground, radius=4.0)]
    picture.append(marks.Text(area.x + 8.0, area.y + 4.0 + _LINE / 2, sign, CODE, color))
    for place, row in enumerate(rows_of(text, area.width)):
        left = area.x + 26.0 + row.indent * text_width(CODE, "0")
        picture += code_picture(row, left, area.y + 4.0 + (place + 0.5) * _LINE, theme)
    return tuple(picture)


def table(rows: tuple[tuple[str, ...], ...]) -> Block:
    """Rows of words and numbers, the first one a heading; others than the first column stand at the right."""
    n_others = len(rows[0]) - 1
    widest = max(text_width("caption", text) for row in rows for text in row[1:]) + 4.0
    named = tuple(Named(f"row {first}", value="; ".join(others)) for first, *others in rows[1:])
    cells = tuple(tuple(_cell(text, line, place) for place, text in enumerate(row)) for line, row in enumerate(rows))
    places = (None, *named)
    wide = Grid((GROW, *[min(widest, 170.0)] * n_others), cells, places, between=6.0)
    narrow = Grid((GROW, *[0.62 / n_others] * n_others), cells, places, between=6.0)
    return Fits((wide, narrow), (min(widest, 170.0) * n_others / 0.66, 0.0))


def _cell(text: str, line: int, place: int) -> Block:
    return Words(text, "caption", "text" if line else "text3", 1.0 if place else 0.0, is_paragraph=True)


@record
class Numbers(Block):
    """Numbers as they are printed, as many columns as have room; new: the columns that the last step has filled."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    new: tuple[int, ...] = ()

    def height(self, width: float) -> float:
        return len(self.rows) * _ROW

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        n_columns = max(min(len(self.rows[0]), int((area.width - 20.0) / _CELL)), 1)
        ground = mixed(theme.focus, theme.panel, _TINT)
        picture: list[marks.Mark] = [
            marks.Rectangle(area.x + column * _CELL, area.y, _CELL - 2.0, area.height, ground, radius=3.0)
            for column in (self.new or range(n_columns))
            if column < n_columns
        ]
        for number, row in enumerate(self.rows):
            middle = area.y + (number + 0.5) * _ROW
            for column in range(n_columns):
                right = area.x + (column + 1) * _CELL - 8.0
                picture.append(marks.Text(right, middle, row[column], CODE, theme.text, across=1.0))
            if len(row) > n_columns:
                picture.append(marks.Text(area.x + n_columns * _CELL + 2.0, middle, "…", CODE, theme.text3))
        return tuple(picture)

    def places(self, area: Area) -> Iterable[Place]:
        for number, row in enumerate(self.rows):
            where = Area(area.x, area.y + number * _ROW, area.width, _ROW)
            yield Place(f"row {number} of {self.title}", where, " ".join(row))


@record
class Chips(Block):
    """Chips for the steps, of which one is chosen; earlier ones are done, a press chooses one."""

    names: tuple[str, ...]
    chosen: int

    def height(self, width: float) -> float:
        return self._areas(Area(0.0, 0.0, width, 0.0))[-1].bottom

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        picture: list[marks.Mark] = []
        for number, (name, where) in enumerate(zip(self.names, self._areas(area), strict=True)):
            is_chosen = number == self.chosen
            fill = theme.ink if is_chosen else theme.sunken if number < self.chosen else None
            color = theme.ink_on if is_chosen else theme.text
            picture.append(marks.Rectangle(*where, fill, theme.line, radius=6.0))
            picture.append(marks.Text(where.x + 9.0, where.middle[1], f"{number + 1} {name}", "caption", color))
        return tuple(picture)

    def places(self, area: Area) -> Iterable[Place]:
        for number, (name, where) in enumerate(zip(self.names, self._areas(area), strict=True)):
            sets = {"code.step": number}
            yield Place(f"step {number + 1}: {name}", where, is_chosen=number == self.chosen, sets=sets)

    def _areas(self, area: Area) -> list[Area]:
        areas, x, y = list[Area](), area.x, area.y
        for number, name in enumerate(self.names):
            wide = min(text_width("caption", f"{number + 1} {name}") + 18.0, area.width)
            if x + wide > area.right and x > area.x:
                x, y = area.x, y + _CHIP_HEIGHT + _CHIP_GAP
            areas.append(Area(x, y, wide, _CHIP_HEIGHT))
            x += wide + _CHIP_GAP
        return areas


@record
class Planes(Block):
    """Images of a batch, each with a label and the values of its first channels; limit: what no |value| exceeds.

    A row for each image: its planes, of which every cell has the one value of the channel.
    """

    rows: tuple[tuple[str, tuple[float, ...]], ...]
    limit: float

    def height(self, width: float) -> float:
        return len(self.rows) * _PLANE_ROW

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        picture: list[marks.Mark] = []
        for number, (label, values) in enumerate(self.rows):
            middle, planes = area.y + number * _PLANE_ROW + _PLANE / 2, self._planes(area, number)
            picture.append(marks.Text(area.x, middle, label, "caption", theme.text))
            for value, where in zip(values, planes, strict=False):
                picture += self._plane(where, value, theme)
            if len(values) > len(planes):
                right = planes[-1].x + _PLANE + _PLANE_GAP
                picture.append(marks.Text(right, middle, "…", "caption", theme.text3))
        return tuple(picture)

    def places(self, area: Area) -> Iterable[Place]:
        for number, (label, values) in enumerate(self.rows):
            for channel, (value, where) in enumerate(zip(values, self._planes(area, number), strict=False)):
                yield Place(f"{label}, channel {channel}", where, repr(value))

    def _planes(self, area: Area, number: int) -> list[Area]:
        """Where the planes of an image stand, each with its number below it."""
        count = max(int((area.width - _PLANE_LABEL - 16.0) / (_PLANE + _PLANE_GAP)), 1)
        left, top = area.x + _PLANE_LABEL, area.y + number * _PLANE_ROW
        shown = range(min(count, len(self.rows[number][1])))
        return [Area(left + channel * (_PLANE + _PLANE_GAP), top, _PLANE, _PLANE + 18.0) for channel in shown]

    def _plane(self, area: Area, value: float, theme: Theme) -> list[marks.Mark]:
        side, fill = _PLANE / _PLANE_CELLS, theme.diverging_color(value / self.limit)
        picture: list[marks.Mark] = []
        for cell in range(_PLANE_CELLS**2):
            left, top = area.x + (cell % _PLANE_CELLS) * side, area.y + (cell // _PLANE_CELLS) * side
            picture.append(marks.Rectangle(left, top, side - 1.0, side - 1.0, fill))
        text = fixed(value, 3) if _LEAST_PLAIN <= self.limit < _MOST_PLAIN else short(value, 2)
        frame = marks.Rectangle(area.x - 1.0, area.y - 1.0, _PLANE + 1.0, _PLANE + 1.0, outline=theme.line)
        number = marks.Text(area.middle[0], area.y + _PLANE + 10.0, text, "tick", theme.text2, across=0.5)
        return [*picture, frame, number]
