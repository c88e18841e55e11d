"""A program in letters of one width: lines with their numbers, wrapped where they are too long, in a few colours."""

import keyword
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.flow import Block
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import CODE, text_width

_LINE: Final = 18.0
_MARGIN: Final = 10.0
# Room of the line numbers, and how far the rest of a wrapped line stands in.
_GUTTER: Final = 30.0
_HANGING: Final = 4
# Runs of two colours that touch would be texts on each other.
_APART: Final = 0.01
_TOKEN: Final = re.compile(
    r'(?P<comment>#.*)|(?P<string>[rf]?"""[^"]*"""|[rf]?"[^"\n]*"|[rf]?\'(?:[^\'\\\n]|\\.)*\')|(?P<name>[^\W\d]\w*)|(?P<rest>\s+|.)'
)
_RUN: Final = re.compile(r"(.)\1*")


class Row(NamedTuple):
    """One row on the screen: the number of its line where it begins one, how far it stands in, its text.

    kinds: the first letter of the kind of token of each letter, that of the whole program.
    """

    number: int | None
    indent: int
    text: str
    kinds: str


def rows_of(text: str, width: float) -> list[Row]:
    """The lines of a program as rows that fit a width; long ones go on below, standing in."""
    n_letters = max(int((width - _GUTTER - 2 * _MARGIN) / _letter()), 12)
    rows: list[Row] = []
    kinds, at = _kinds(text), 0
    for number, line in enumerate(_lines(text), 1):
        indent = len(line) - len(line.lstrip())
        for place, part in enumerate(_wrapped(line.lstrip(), n_letters - indent, n_letters - indent - _HANGING)):
            at = text.index(part, at)
            own = kinds[at : at + len(part)]
            rows.append(Row(None if place else number, indent + (_HANGING if place else 0), part, own))
            at += len(part)
    return rows


@record
class Program(Block):
    """A program on its ground, with the numbers of its lines; name: for screen readers, to which each line is told."""

    name: str
    text: str

    def height(self, width: float) -> float:
        return len(rows_of(self.text, width)) * _LINE + 2 * _MARGIN

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        picture: list[marks.Mark] = [marks.Rectangle(*area, theme.sunken, radius=6.0)]
        for place, row in enumerate(rows_of(self.text, area.width)):
            middle = area.y + _MARGIN + (place + 0.5) * _LINE
            if row.number is not None:
                picture.append(marks.Text(area.x + _GUTTER, middle, str(row.number), CODE, theme.text3, across=1.0))
            left = area.x + _GUTTER + _MARGIN + row.indent * _letter()
            picture += code_picture(row, left, middle, theme)
        return tuple(picture)

    def places(self, area: Area) -> Iterable[Place]:
        rows, top = rows_of(self.text, area.width), area.y + _MARGIN
        starts = [place for place, row in enumerate(rows) if row.number is not None]
        for line, start, end in zip(_lines(self.text), starts, [*starts[1:], len(rows)], strict=True):
            if line:
                where = Area(area.x, top + start * _LINE, area.width, (end - start) * _LINE)
                yield Place(f"{self.name}, line {rows[start].number}", where, line.strip())


def code_picture(row: Row, x: float, y: float, theme: Theme) -> Iterator[marks.Text]:
    """One row of a program from x on, its middle at y."""
    colors = {"c": theme.text3, "s": theme.ok, "w": theme.focus, "r": theme.text}
    runs = [match.span() for match in _RUN.finditer(row.kinds)]
    shown = [(start, row.text[start:end].rstrip(), colors[row.kinds[start]]) for start, end in runs]
    for place, (start, part, color) in enumerate(shown):
        yield marks.Text(x + start * _letter() + place * _APART, y, part, CODE, color)


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


def _letter() -> float:
    """How wide every letter is."""
    return text_width(CODE, "0")


def _wrapped(line: str, first: int, others: int) -> Iterator[str]:
    """The parts of a line, broken after a blank or a bracket where there is one."""
    room = max(first, 8)
    while len(line) > room:
        cut = max(line.rfind(sign, 0, room) + 1 for sign in " ([,")
        cut = cut if cut > room // 3 else room
        yield line[:cut].rstrip()
        line, room = line[cut:].lstrip(), max(others, 8)
    yield line


@lru_cache(maxsize=8)
def _kinds(text: str) -> str:
    """The kind of token of each letter: comment, string, word of Python, rest; blanks are of that before them."""
    kinds = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "rest"
        if kind == "name":
            kind = "word" if keyword.iskeyword(match[0]) else "rest"
        kinds += (kinds[-1] if kinds and not match[0].strip() else kind[0]) * len(match[0])
    return kinds
