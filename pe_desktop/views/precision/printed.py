"""The page of printed numbers: dot products and a cosine in float32, in two orders of adding."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Roundings
from pe_desktop.core.precision.printed import (
    neighbours,
    one_sum,
    printed_numbers,
    sixty_four_sums,
    two_distances,
)
from pe_desktop.core.precision.tables import framework_values
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import position
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.tables import ROW
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, text_width
from pe_desktop.views.precision import words
from pe_desktop.views.precision.layout import GAP, TOP, Table, text_height, text_picture

_TITLES: Final = ("", "printed", "float32, 64 sums", "exact", "float32, one sum")
_WIDEST: Final = 440.0
_N_HERE, _MOST_SPREAD = 9, 128


def scene(state: State, known: Roundings | None, box: Box) -> Scene:
    heading, here = _heading(is_paper=box.is_paper), _here(state.encoding, state.cursor, state.precision)
    return Scene(
        moving=_here_picture(heading, here, state.cursor, box.width, box.theme),
        still=Part(_still, heading, box.width, box.theme),
        places=Part(_places, heading, box.width, here),
    )


def height(state: State, known: Roundings | None, width: float) -> float:
    return _here_top(_heading(is_paper=False), width) + ROW * (_N_HERE + 0.5)


def changes(state: State, known: Roundings | None, width: float, x: float, y: float) -> Mapping[str, object]:
    return {}


def readout(state: State, known: Roundings | None) -> list[str]:
    cursor = state.cursor
    lines = ["\t".join(("number", *_TITLES[1:])), *("\t".join(row) for row in _rows())]
    lines.append(f"t = {cursor.position!r}, k = {cursor.offset!r}")
    return [*lines, *("\t".join(line) for line in _here(state.encoding, cursor, state.precision))]


def _heading(*, is_paper: bool) -> str:
    return "" if is_paper else words.PRINTED


def _table(heading: str, width: float) -> Table:
    return Table(_TITLES, _rows(), TOP + text_height(heading, width, "strong") + 4.0, width)


def _note_top(heading: str, width: float) -> float:
    return _table(heading, width).place.bottom + 18.0


def _here_top(heading: str, width: float) -> float:
    """The middle of the heading of what is computed at t and t + k."""
    return _note_top(heading, width) + text_height(words.PRINTED_NOTE, width) + GAP


def _still(heading: str, width: float, theme: Theme) -> marks.Picture:
    return (
        *text_picture(heading, width, TOP, theme, "strong"),
        *_table(heading, width).picture(None, theme),
        *text_picture(words.PRINTED_NOTE, width, _note_top(heading, width), theme),
    )


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, ...], ...]:
    return tuple(
        (number.name, number.printed, repr(number.sixty_four_sums), repr(number.exact), repr(number.one_sum))
        for number in printed_numbers()
    )


@lru_cache(maxsize=4)
def _here(encoding: Encoding, cursor: Cursor, chosen: Precision) -> tuple[tuple[str, str], ...]:
    """Dot product and distance of rows t and t + k, exact and in the chosen formats: name and value."""
    shown, at = words.shown_precision(chosen), [cursor.position, cursor.position + cursor.offset]
    exact, (a, b) = encoding.values(at), framework_values(encoding, shown, at).astype(np.float32)
    dot, name = float(np.dot(*exact)), shown.dtype
    below, above = neighbours(dot)
    by_differences, by_dots = two_distances(a, b)
    n_spread = min(encoding.n_positions, _MOST_SPREAD)
    return (
        ("PE(t) · PE(t + k), exact", repr(dot)),
        ("the float32 below", repr(below)),
        ("the float32 above", repr(above)),
        (f"in {name}, 64 sums", repr(float(sixty_four_sums(a, b)))),
        (f"in {name}, one sum", repr(float(one_sum(a, b)))),
        (f"spread over {n_spread} t", repr(_spread(encoding, cursor.offset, shown, n_spread))),
        ("distance, exact", repr(float(np.linalg.norm(exact[0] - exact[1])))),
        (f"{name}, differences", repr(by_differences)),
        (f"{name}, dot products", repr(by_dots)),
    )


@lru_cache(maxsize=4)
def _spread(encoding: Encoding, offset: float, shown: Precision, n_positions: int) -> float:
    """By how much dot products at an offset differ over the first positions t, in 64 sums."""
    positions = np.arange(float(n_positions))
    a, b = (framework_values(encoding, shown, at).astype(np.float32) for at in (positions, positions + offset))
    return float(np.ptp(sixty_four_sums(a, b)))


def _here_area(heading: str, width: float, number: int) -> Area:
    return Area(0.0, _here_top(heading, width) + ROW * (number + 0.5), min(width - 8.0, _WIDEST), ROW)


def _here_picture(
    heading: str, here: tuple[tuple[str, str], ...], cursor: Cursor, width: float, theme: Theme
) -> marks.Picture:
    at = f"At t = {position(cursor.position)}, k = {position(cursor.offset)}"
    at = fitting("strong", (f"{at}, by NumPy's own functions", f"{at}, by NumPy", at), width)
    picture: list[marks.Mark] = [marks.Text(0.0, _here_top(heading, width), at, "strong", theme.text)]
    for number, (name, value) in enumerate(here):
        area = _here_area(heading, width, number)
        y, room = area.middle[1], area.width - text_width("caption", value) - 8.0
        shorter = name.removeprefix("in ").replace("PE(t) · PE(t + k)", "dot product")
        told = fitting("caption", (name, shorter, shorter.rpartition(", ")[2]), room)
        picture.append(marks.Text(area.x, y, told, "caption", theme.text2))
        picture.append(marks.Text(area.right, y, value, "caption", theme.text, across=1.0))
    return tuple(picture)


def _places(heading: str, width: float, here: tuple[tuple[str, str], ...]) -> tuple[Place, ...]:
    table, found = _table(heading, width), []
    for number, row in enumerate(_rows()):
        value = f"printed {row[1]}, float32 {row[2]}, exact {row[3]}"
        found.append(Place(row[0], table.place.row_area(number), value))
    for number, (name, value) in enumerate(here):
        found.append(Place(name, _here_area(heading, width, number), value))
    return tuple(found)
