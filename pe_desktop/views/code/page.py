"""The blocks that a page of code is made of: words, programs, defects, tables, grids of numbers, steps, planes."""

from collections.abc import Iterable
from typing import Final

import numpy as np

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


def numbers(title: str, rows: tuple[tuple[str, ...], ...], new: tuple[int, ...]) -> Block:
    """Numbers as they are printed, as many columns as have room; new: those that the last step filled, () for all."""
    drawn = (Named(f"row {n} of {title}", Drawn(_row, (row, new), _ROW), " ".join(row)) for n, row in enumerate(rows))
    return Column(tuple(drawn))


def _row(area: Area, theme: Theme, row: tuple[str, ...], new: tuple[int, ...]) -> marks.Picture:
    n_columns = max(min(len(row), int((area.width - 20.0) / _CELL)), 1)
    ground, picture = mixed(theme.focus, theme.panel, _TINT), list[marks.Mark]()
    for column in range(n_columns):
        left, middle = area.x + column * _CELL, area.middle[1]
        if column in new or not new:
            picture.append(marks.Rectangle(left, area.y, _CELL - 2.0, area.height, ground))
        picture.append(marks.Text(left + _CELL - 8.0, middle, row[column], CODE, theme.text, across=1.0))
    if len(row) > n_columns:
        picture.append(marks.Text(area.x + n_columns * _CELL + 2.0, area.middle[1], "…", CODE, theme.text3))
    return tuple(picture)


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


def planes(label: str, values: tuple[float, ...], limit: float) -> Block:
    """An image: a plane for each of its first channels, with one value in all cells; limit: what no |value| exceeds."""
    return Named(label, Drawn(_planes, (label, values, limit), _PLANE + 30.0), ", ".join(map(repr, values)))


def _planes(area: Area, theme: Theme, label: str, values: tuple[float, ...], limit: float) -> marks.Picture:
    count = max(int((area.width - _PLANE_LABEL - 16.0) / (_PLANE + _PLANE_GAP)), 1)
    middle, x = area.y + _PLANE / 2, area.x + _PLANE_LABEL
    picture: list[marks.Mark] = [marks.Text(area.x, middle, label, "caption", theme.text)]
    for value in values[:count]:
        side, fill = _PLANE / _PLANE_CELLS, theme.diverging_color(value / limit)
        for row, column in np.ndindex(_PLANE_CELLS, _PLANE_CELLS):
            picture.append(marks.Rectangle(x + column * side, area.y + row * side, side - 1.0, side - 1.0, fill))
        text = fixed(value, 3) if _LEAST_PLAIN <= limit < _MOST_PLAIN else short(value, 2)
        picture += [
            marks.Rectangle(x - 1.0, area.y - 1.0, _PLANE + 1.0, _PLANE + 1.0, outline=theme.line),
            marks.Text(x + _PLANE / 2, area.y + _PLANE + 10.0, text, "tick", theme.text2, across=0.5),
        ]
        x += _PLANE + _PLANE_GAP
    if len(values) > count:
        picture.append(marks.Text(x, middle, "…", "caption", theme.text3))
    return tuple(picture)
