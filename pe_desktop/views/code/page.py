"""The blocks that a page of code is made of, below each other: words, programs, defects, grids, steps, planes."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, short
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, mixed, themes
from pe_desktop.draw.typefaces import CODE, text_width, wrapped
from pe_desktop.views.code.program import (
    code_picture,
    program_height,
    program_picture,
    program_places,
    rows_of,
)

_GAP: Final = 12.0
_LINE: Final = 16.0
_MOST_LINES: Final = 12
# From this width on two columns stand beside each other, the left one with this share.
_WIDE, _SHARE = 720.0, 0.62
_CELL, _ROW = 62.0, 20.0
_CHIP_HEIGHT: Final = 26.0
_PLANE, _PLANE_GAP, _PLANE_LABEL = 44.0, 12.0, 108.0
_PLANE_CELLS: Final = 4
# What the values of a plane may reach that are told with three decimals.
_LEAST_PLAIN, _MOST_PLAIN = 0.1, 1e3
_TINT: Final = 0.14


class Heading(NamedTuple):
    """A short line that names what follows."""

    text: str


class Note(NamedTuple):
    """A sentence or two."""

    text: str


class Program(NamedTuple):
    """Lines of code under a name for screen readers."""

    name: str
    text: str


class Defect(NamedTuple):
    """What does not run, what runs, and why."""

    wrong: str
    right: str
    words: str


class Table(NamedTuple):
    """Rows of words and numbers, the first one a heading."""

    rows: tuple[tuple[str, ...], ...]


class Grid(NamedTuple):
    """Numbers as they are printed; new: the columns that the last step has filled."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    new: tuple[int, ...] = ()


class Steps(NamedTuple):
    """Chips for the steps, of which one is chosen; earlier ones are done."""

    names: tuple[str, ...]
    chosen: int


class Planes(NamedTuple):
    """Images of a batch, each with a label and the values of its first channels; limit: what no |value| exceeds."""

    rows: tuple[tuple[str, tuple[float, ...]], ...]
    limit: float


class Columns(NamedTuple):
    """Blocks beside each other where there is room, else below each other."""

    left: tuple[Any, ...]
    right: tuple[Any, ...]


Block: TypeAlias = Heading | Note | Program | Defect | Table | Grid | Steps | Planes | Columns
Blocks: TypeAlias = tuple[Block, ...]
_Drawn: TypeAlias = tuple[Iterable[marks.Mark], Iterable[Place], float]


@lru_cache(maxsize=16)
def page_height(blocks: Blocks, width: float) -> float:
    """The height of the blocks below each other, whatever the colours."""
    return _stacked(blocks, 0.0, 4.0, width, themes()["light"], "")[2]


def page_picture(blocks: Blocks, width: float, theme: Theme) -> marks.Picture:
    return tuple(_stacked(blocks, 0.0, 4.0, width, theme, "")[0])


def page_places(blocks: Blocks, width: float, theme: Theme) -> tuple[Place, ...]:
    return tuple(_stacked(blocks, 0.0, 4.0, width, theme, "")[1])


def step_at(place: Place | None) -> int | None:
    """The step whose chip a place is, counted from 0."""
    if place is None or not place.name.startswith("step "):
        return None
    return int(place.name.split(":")[0].removeprefix("step ")) - 1


def _stacked(blocks: Blocks, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    picture: list[marks.Mark] = []
    places: list[Place] = []
    for number, block in enumerate(blocks, 1):
        some, found, tall = _DRAWERS[type(block)](block, x, y, width, theme, f"{name}{number}")
        picture += some
        places += found
        y += tall + (4.0 if isinstance(block, Heading) else _GAP)
    return picture, places, y


def _heading(block: Heading, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    return _words(block.text, "strong", x, y, width, theme, f"heading {name}")


def _note(block: Note, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    return _words(block.text, "caption", x, y, width, theme, f"note {name}")


def _words(text: str, role: str, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    height = _LINE * len(wrapped(role, text, width, _MOST_LINES))
    color = theme.text if role == "strong" else theme.text2
    picture = paragraph(x, y + _LINE / 2, text, color, width, _MOST_LINES, role=role)
    return picture, [Place(name, Area(x, y, width, height), text)], height


def _program(block: Program, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    picture = program_picture(block.text, x, y, width, theme)
    return picture, program_places(block.name, block.text, x, y, width), program_height(block.text, width)


def _defect(block: Defect, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    """The wrong fragment on a red ground, the right one below it on a green one, then why."""
    picture: list[marks.Mark] = []
    top = y
    for text, ground, sign in ((block.wrong, theme.bad_ground, "−"), (block.right, theme.ok_ground, "+")):
        rows = rows_of(text, width)
        height = len(rows) * _LINE + 8.0
        picture.append(marks.Rectangle(x, y, width, height, ground, radius=4.0))
        color = theme.bad if sign == "−" else theme.ok
        for place, row in enumerate(rows):
            middle = y + 4.0 + (place + 0.5) * _LINE
            if not place:
                picture.append(marks.Text(x + 8.0, middle, sign, CODE, color))
            picture += code_picture(row, x + 26.0 + row.indent * text_width(CODE, "0"), middle, theme)
        y += height + 2.0
    words, _, tall = _words(block.words, "caption", x, y + 4.0, width, theme, name)
    places = [Place(f"defect {name}: {block.wrong}", Area(x, top, width, y + 4.0 + tall - top), block.words)]
    return [*picture, *words], places, y + 4.0 + tall - top


def _table(block: Table, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    """The first column has the room that others leave, which stand at the right."""
    n_others = len(block.rows[0]) - 1
    column = min(max(max(text_width("caption", text) for row in block.rows for text in row[1:]) + 16.0, 60.0), 170.0)
    column = min(column, width * 0.7 / n_others)
    picture: list[marks.Mark] = []
    places: list[Place] = []
    top = y
    for number, (first, *others) in enumerate(block.rows):
        room = width - n_others * column - 8.0
        lines = wrapped("caption", first, room, 3)
        cells = [wrapped("caption", text, column - 8.0, 3) for text in others]
        height = _LINE * max(len(lines), *map(len, cells)) + 6.0
        color = theme.text3 if number == 0 else theme.text
        for place, line in enumerate(lines):
            picture.append(marks.Text(x, y + (place + 0.5) * _LINE, line, "caption", color))
        for cell, texts in enumerate(cells):
            right = x + width - (n_others - cell - 1) * column
            for place, line in enumerate(texts):
                picture.append(marks.Text(right, y + (place + 0.5) * _LINE, line, "caption", color, across=1.0))
        if number:
            places.append(Place(f"row {name}, {first}", Area(x, y, width, height), "; ".join(others)))
        y += height
    return picture, places, y - top


def _grid(block: Grid, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    words, _, tall = _words(block.title, "caption", x, y, width, theme, name)
    n_columns = max(min(len(block.rows[0]), int((width - 20.0) / _CELL)), 1)
    top = y + tall + 4.0
    new = [column for column in (block.new or range(n_columns)) if column < n_columns]
    ground = mixed(theme.focus, theme.panel, _TINT)
    height = len(block.rows) * _ROW
    picture: list[marks.Mark] = [
        *words,
        *(marks.Rectangle(x + column * _CELL, top, _CELL - 2.0, height, ground, radius=3.0) for column in new),
    ]
    for number, row in enumerate(block.rows):
        middle = top + (number + 0.5) * _ROW
        for column in range(n_columns):
            right = x + (column + 1) * _CELL - 8.0
            picture.append(marks.Text(right, middle, row[column], CODE, theme.text, across=1.0))
        if len(row) > n_columns:
            picture.append(marks.Text(x + n_columns * _CELL + 2.0, middle, "…", CODE, theme.text3))
    places = [
        Place(f"row {number} of grid {name}", Area(x, top + number * _ROW, width, _ROW), " ".join(row))
        for number, row in enumerate(block.rows)
    ]
    return picture, places, tall + 4.0 + height


def _steps(block: Steps, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    picture: list[marks.Mark] = []
    places: list[Place] = []
    left, top = x, y
    for number, title in enumerate(block.names):
        words = f"{number + 1} {title}"
        wide = min(text_width("caption", words) + 18.0, width)
        if left + wide > x + width and left > x:
            left, top = x, top + _CHIP_HEIGHT + 6.0
        is_chosen = number == block.chosen
        fill = theme.ink if is_chosen else theme.sunken if number < block.chosen else None
        color = theme.ink_on if is_chosen else theme.text
        picture.append(marks.Rectangle(left, top, wide, _CHIP_HEIGHT, fill, theme.line, radius=6.0))
        picture.append(marks.Text(left + 9.0, top + _CHIP_HEIGHT / 2, words, "caption", color))
        area = Area(left, top, wide, _CHIP_HEIGHT)
        places.append(Place(f"step {number + 1}: {title}", area, is_chosen=is_chosen))
        left += wide + 6.0
    return picture, places, top + _CHIP_HEIGHT - y


def _planes(block: Planes, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    """A row for each image: its planes, of which every cell has the one value of the channel."""
    picture: list[marks.Mark] = []
    places: list[Place] = []
    step = _PLANE + _PLANE_GAP + 8.0
    is_plain = _LEAST_PLAIN <= block.limit < _MOST_PLAIN
    n_planes = max(int((width - _PLANE_LABEL - 16.0) / step), 1)
    for number, (label, values) in enumerate(block.rows):
        top = y + number * (_PLANE + 30.0)
        picture.append(marks.Text(x, top + _PLANE / 2, label, "caption", theme.text))
        for channel, value in enumerate(values[:n_planes]):
            left = x + _PLANE_LABEL + channel * step
            side = _PLANE / _PLANE_CELLS
            picture += [
                marks.Rectangle(
                    left + (cell % _PLANE_CELLS) * side,
                    top + (cell // _PLANE_CELLS) * side,
                    side - 1.0,
                    side - 1.0,
                    theme.diverging_color(value / block.limit),
                )
                for cell in range(_PLANE_CELLS**2)
            ]
            picture.append(marks.Rectangle(left - 1.0, top - 1.0, _PLANE + 1.0, _PLANE + 1.0, outline=theme.line))
            words = fixed(value, 3) if is_plain else short(value, 2)
            picture.append(marks.Text(left + _PLANE / 2, top + _PLANE + 10.0, words, "tick", theme.text2, across=0.5))
            area = Area(left, top, _PLANE, _PLANE + 18.0)
            places.append(Place(f"{label}, channel {channel}", area, repr(value)))
        if len(values) > n_planes:
            right = x + _PLANE_LABEL + n_planes * step
            picture.append(marks.Text(right, top + _PLANE / 2, "…", "caption", theme.text3))
    return picture, places, len(block.rows) * (_PLANE + 30.0)


def _columns(block: Columns, x: float, y: float, width: float, theme: Theme, name: str) -> _Drawn:
    if width < _WIDE:
        picture, places, bottom = _stacked((*block.left, *block.right), x, y, width, theme, f"{name}.")
        return picture, places, bottom - y - _GAP
    left = width * _SHARE
    one, there, low = _stacked(block.left, x, y, left, theme, f"{name}.left ")
    other, here, lower = _stacked(block.right, x + left + 24.0, y, width - left - 24.0, theme, f"{name}.right ")
    return [*one, *other], [*there, *here], max(low, lower) - y - _GAP


_DRAWERS: Final[dict[type, Callable[..., _Drawn]]] = {
    Heading: _heading,
    Note: _note,
    Program: _program,
    Defect: _defect,
    Table: _table,
    Grid: _grid,
    Steps: _steps,
    Planes: _planes,
    Columns: _columns,
}
