"""The blocks that a page of code is made of: programs, defects, tables, numbers, steps, planes."""

import keyword
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_map
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Fits, Named, Row, Table, Words, in_row, paragraph
from pe_desktop.draw.number_text import whole
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


class _Row(NamedTuple):
    """One row on the screen: the number of its line where it begins one, how far it stands in, its text.

    kinds: the first letter of the kind of token of each letter, that of the whole program.
    """

    number: int | None
    indent: int
    text: str
    kinds: str


def _rows_of(text: str, width: float) -> list[_Row]:
    """The lines of a program as rows that fit a width; long ones go on below, standing in."""
    n_letters = max(int((width - _GUTTER - 2 * _MARGIN) / _letter()), 12)
    rows: list[_Row] = []
    kinds, at = _kinds(text), 0
    for number, line in enumerate(_lines(text), 1):
        indent = len(line) - len(line.lstrip())
        for place, part in enumerate(_wrapped(line.lstrip(), n_letters - indent, n_letters - indent - _HANGING)):
            at = text.index(part, at)
            own = kinds[at : at + len(part)]
            rows.append(_Row(None if place else number, indent + (_HANGING if place else 0), part, own))
            at += len(part)
    return rows


@record
class Program(Block):
    """A program on its ground, with the numbers of its lines; name: for screen readers, to which each line is told.

    said: of lines by their number, which have a red mark and this tooltip.
    """

    name: str
    text: str
    said: tuple[tuple[int, str], ...] = ()

    def height(self, width: float) -> float:
        return len(_rows_of(self.text, width)) * _LINE + 2 * _MARGIN

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        yield marks.Rectangle(*area, theme.sunken, radius=6.0)
        for place, row in enumerate(_rows_of(self.text, area.width)):
            middle = area.y + _MARGIN + (place + 0.5) * _LINE
            if row.number in dict(self.said):
                yield marks.Rectangle(area.x + 3.0, middle - _LINE / 2, 3.0, _LINE, theme.bad)
            if row.number:
                yield marks.right_aligned(area.x + _GUTTER, middle, whole(row.number), CODE, theme.text3)
            left = area.x + _GUTTER + _MARGIN + row.indent * _letter()
            yield from _code_picture(row, left, middle, theme)

    def places(self, area: Area) -> Iterable[Place]:
        rows = _rows_of(self.text, area.width)
        top = area.y + _MARGIN
        starts = [place for place, row in enumerate(rows) if row.number is not None]
        for line, start, end in zip(_lines(self.text), starts, [*starts[1:], len(rows)], strict=True):
            if line:
                where = Area(area.x, top + start * _LINE, area.width, (end - start) * _LINE)
                why = dict(self.said).get(rows[start].number or 0, "")
                yield Place(f"{self.name}, line {rows[start].number}", where, line.strip(), tooltip=why)


def _code_picture(row: _Row, x: float, y: float, theme: Theme) -> Iterator[marks.Text]:
    """One row of a program from x on, its middle at y."""
    colors = {"c": theme.text3, "s": theme.ok, "w": theme.focus, "r": theme.text}
    for place, run in enumerate(_RUN.finditer(row.kinds)):
        part = row.text[slice(*run.span())].rstrip()
        yield marks.Text(x + run.start() * _letter() + place * _APART, y, part, CODE, colors[run[1]])


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


_GAP: Final = 12.0
# From this width on two columns stand beside each other, the left one with this share.
_WIDE, _SHARE = 720.0, 0.64
_LABEL, _PLANE = 108.0, 44.0


def stacked(*blocks: Block) -> Block:
    return Column(blocks, gap=_GAP)


def note(number: int, text: str) -> Block:
    """A sentence or two, the so many'th of its page."""
    return Named(f"note {number}", paragraph(text), text)


def beside(left: Block, right: Block) -> Block:
    """Blocks beside each other where there is room, else below each other."""
    return Fits((in_row((_SHARE, GROW), left, right, gap=24.0), stacked(left, right)), (_WIDE, 0.0))


def numbers(title: str, rows: tuple[tuple[str, ...], ...], new: tuple[int, ...]) -> Block:
    """Numbers as they are printed, as many columns as have room; new: those that the last step filled."""
    heads = ("new" if column in new else "" for column in range(len(rows[0])))
    named = (Row((str(n), *row), name=f"row {n} of {title}", value=" ".join(row)) for n, row in enumerate(rows))
    return Table(("", *heads), tuple(named), gap=18.0)


def planes(label: str, values: tuple[float, ...], limit: float, t: float) -> Block:
    """An image: a cell for each of its first channels, whose plane has one value; limit: what no |value| exceeds."""
    row = np.array([values])
    tall = lambda width: min(width / row.size, _PLANE) + 2.0  # noqa: E731
    cells = Drawn(lambda area, theme: cell_map(area, theme, row, limit), (), tall)
    shown = in_row((_LABEL, GROW), Words(label, "caption"), cells)
    return Named(label, shown, ", ".join(map(repr, values)), {"position": t})
