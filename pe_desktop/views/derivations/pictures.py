"""What stands beside the steps: two rows of the matrix as strips, dot products around t and t + k as a small map."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from pe_desktop.core.derivations import ShiftSystem
from pe_desktop.core.encoding import Floats
from pe_desktop.core.rotation import rotation_blocks
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Grid, Named, Space, Words
from pe_desktop.draw.number_text import position, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_image
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.derivations.step import Moment

_STRIP, _STRIP_GAP = 12.0, 2.0
# Rows and columns of the map, its side in pixels at most; room for positions at the left and above.
_SIDE: Final = 7
MAP_SIDE: Final = 324.0
_LABEL, _HEAD = 40.0, 20.0


def row_strips(m: Moment, found: ShiftSystem | None) -> Block:
    """Two rows of the matrix, entry by entry: by matching factors, and by least squares in float64."""
    rows, tall = f"Rows {' and '.join(m.names)}", 2 * (_STRIP + _STRIP_GAP)
    matched = (Words(f"{rows} by matching factors", "tick", "text2"), Drawn(_strips, (m, None), tall))
    solved = Words(f"{rows} by least squares" if found else "Least squares: measuring…", "tick", "text2")
    ends = Words("0", "tick", "text3"), Words(f"column {whole(m.encoding.d_model - 1)}", "tick", "text3")
    strips = Drawn(_strips, (m, found), tall) if found else Space(tall)
    column = (*(matched if m.turns else ()), solved, strips, Grid((GROW, FIT), (ends,)))
    return Named("two rows of the matrix", Column(column, gap=4.0))


def _strips(area: Area, theme: Theme, m: Moment, found: ShiftSystem | None) -> marks.Picture:
    rows = np.zeros((2, m.encoding.d_model)) if found is None else found.rows
    if found is None:
        rows[:, m.columns] = rotation_blocks(m.encoding, m.k, [m.i])[0]
    heights = (area.y + place * (_STRIP + _STRIP_GAP) for place in (0, 1))
    strips = (_strip(Area(area.x, y, area.width, _STRIP), row, theme) for y, row in zip(heights, rows, strict=True))
    return tuple(mark for strip in strips for mark in strip)


def _strip(area: Area, values: Floats, theme: Theme) -> marks.Picture:
    """Entries from -1 to +1 in colours; a pixel of many columns shows the largest of them."""
    n_pixels = max(min(int(area.width), len(values)), 1)
    edges = np.arange(n_pixels + 1) * len(values) // n_pixels
    largest = np.array([max(values[first:last].tolist(), key=abs) for first, last in pairwise(edges.tolist())])
    places = np.rint((np.clip(largest, -1.0, 1.0) + 1.0) / 2.0 * (len(theme.diverging) - 1)).astype(np.intp)
    return marks.Raster(*area, map_image(theme.diverging[places])), marks.Rectangle(*area, outline=theme.line)


def toeplitz_map(m: Moment, _found: Any) -> Block:
    """Dot products of positions around t, downwards, and of those k later: along each diagonal one number."""
    title = Words("Dot products around t (down) and t + k (across)", "tick", "text2")
    return Named("dot products around t and t + k", Column((title, Drawn(_map, (m,), _map_height)), gap=10.0))


def _map_height(width: float) -> float:
    return min(width, MAP_SIDE) - _LABEL + _HEAD


def _map(area: Area, theme: Theme, m: Moment) -> marks.Picture:
    rows, middle = _around(m.t, m.encoding.n_positions)
    columns, vectors = [row + m.k for row in rows], m.encoding.values(rows)
    values = vectors @ m.encoding.values(columns).T
    limit = float(np.square(vectors).sum(axis=1).max()) or 1.0
    cell, count = (area.height - _HEAD - 2.0) / _SIDE, len(rows)
    inner = Area(area.x + _LABEL, area.y + _HEAD, cell * count, cell * count)
    picture: list[marks.Mark] = []
    for row, column in np.ndindex(*values.shape):
        fill = theme.diverging_color(float(values[row, column]) / limit)
        picture.append(marks.Rectangle(inner.x + column * cell, inner.y + row * cell, cell, cell, fill))
    centers = (np.arange(float(count)) + 0.5) * cell
    places = inner.x + centers, inner.y + centers
    picture += cell_numbers(inner, places, values, (cell, cell), (-limit, limit), theme.diverging)
    for at, width in ((middle, 2.4), (middle + 1, 1.4)):
        if at < count:
            corner = inner.x + at * cell, inner.y + at * cell
            picture.append(marks.Rectangle(*corner, cell, cell, outline=theme.ink, outline_width=width))
    edge = Area(inner.x, inner.y, cell, cell)
    return (*picture, *_edges(edge, [*map(position, rows)], [*map(position, columns)], middle, theme))


def _around(t: float, n_positions: int) -> tuple[list[float], int]:
    """Up to _SIDE positions of the table a step apart with t among them, and its place there."""
    before, after = math.floor(t), math.floor(n_positions - 1 - t)
    count = min(_SIDE, before + after + 1)
    place = min(max(count // 2, count - 1 - after), before)
    return [t + step - place for step in range(count)], place


def _edges(first: Area, rows: Sequence[str], columns: Sequence[str], middle: int, theme: Theme) -> list[marks.Mark]:
    """Positions at the left and above, those of t and t + k alone where there is no room for all; first: a cell."""
    has_all = max(text_width("flag", text) for text in columns) + 4.0 <= first.width
    picture: list[marks.Mark] = []
    for place, (row, column) in enumerate(zip(rows, columns, strict=True)):
        if has_all or place == middle:
            role, color = ("flag", theme.text) if place == middle else ("tick", theme.text3)
            at = (place + 0.5) * first.width
            picture.append(marks.Text(first.x + at, first.y - 10.0, column, role, color, across=0.5))
            if text_width(role, row) <= _LABEL - 6.0:
                picture.append(marks.Text(first.x - 6.0, first.y + at, row, role, color, across=1.0))
    return picture
