"""What stands beside the steps: two rows of the matrix as strips, dot products around t and t + k as a small map."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.derivations import ShiftSystem
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.rotation import rotating_pairs, rotation_blocks
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.derivations.step import chosen_columns

_STRIP, _STRIP_GAP, _HEAD = 12.0, 2.0, 22.0
# Rows and columns of the map; room for a position at the left.
_SIDE: Final = 7
_LABEL: Final = 34.0


def strips_height(encoding: Encoding) -> float:
    """Two strips for each of the two ways, or for one of them, with their titles."""
    ways = 2 if rotating_pairs(encoding) is not None else 1
    return ways * (_HEAD + 2 * (_STRIP + _STRIP_GAP)) + 20.0


def row_strips(
    area: Area, encoding: Encoding, cursor: Cursor, found: ShiftSystem | None, theme: Theme
) -> marks.Picture:
    """Two rows of the matrix, entry by entry: by matching factors, and by least squares in float64."""
    columns = chosen_columns(encoding, cursor)
    names = " and ".join(map(whole, columns))
    ways: list[tuple[str, Floats | None]] = []
    if rotating_pairs(encoding) is not None:
        matched = np.zeros((2, encoding.d_model))
        matched[:, columns] = rotation_blocks(encoding, cursor.offset, [cursor.pair])[0]
        ways.append((f"Rows {names} by matching factors", matched))
    ways.append(
        (f"Rows {names} by least squares" if found else "Least squares: measuring…", found.rows if found else None)
    )
    picture: list[marks.Mark] = []
    y = area.y
    for title, rows in ways:
        picture.append(marks.Text(area.x, y + 8.0, title, "tick", theme.text2))
        y += _HEAD
        for row in (0, 1):
            if rows is not None:
                picture += _strip(Area(area.x, y, area.width, _STRIP), rows[row], theme)
            y += _STRIP + _STRIP_GAP
    ends = (("0", 0.0, 0.0), (f"column {whole(encoding.d_model - 1)}", area.width, 1.0))
    picture += [marks.Text(area.x + x, y + 8.0, text, "tick", theme.text3, across=across) for text, x, across in ends]
    return tuple(picture)


def _strip(area: Area, values: Floats, theme: Theme) -> list[marks.Mark]:
    """Entries from -1 to +1 in colours; a pixel of many columns shows the largest of them."""
    n_pixels = max(min(int(area.width), len(values)), 1)
    edges = np.arange(n_pixels + 1) * len(values) // n_pixels
    largest = np.array([max(values[first:last].tolist(), key=abs) for first, last in pairwise(edges.tolist())])
    places = np.rint((np.clip(largest, -1.0, 1.0) + 1.0) / 2.0 * (len(theme.diverging) - 1)).astype(np.intp)
    red, green, blue = theme.diverging[places].astype(np.uint32).T
    inks = np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue
    image = QImage(inks.tobytes(), n_pixels, 1, n_pixels * 4, QImage.Format.Format_RGB32).copy()
    return [
        marks.Raster(area.x, area.y, area.width, area.height, image),
        marks.Rectangle(area.x, area.y, area.width, area.height, outline=theme.line),
    ]


def toeplitz_map(area: Area, encoding: Encoding, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Dot products of positions around t, downwards, and of those k later: along each diagonal one number."""
    rows, middle = _around(cursor.position, encoding.n_positions)
    columns = [row + cursor.offset for row in rows]
    cell = min(area.width - _LABEL - 10.0, area.height - 44.0) / _SIDE
    vectors = encoding.values(rows)
    values = vectors @ encoding.values(columns).T
    largest = float(np.square(vectors).sum(axis=1).max()) or 1.0
    texts = [[_cell_text(value, largest) for value in row] for row in values.tolist()]
    has_numbers = _widest((text for row in texts for text in row), "tick") + 3.0 <= cell
    left, top = area.x + _LABEL + 6.0, area.y + 40.0
    picture: list[marks.Mark] = [
        marks.Text(area.x, area.y + 8.0, "Dot products around t (down) and t + k (across)", "tick", theme.text2)
    ]
    for row, column in np.ndindex(*values.shape):
        fill = theme.diverging_color(float(values[row, column]) / largest)
        x, y = left + column * cell, top + row * cell
        picture.append(marks.Rectangle(x, y, cell, cell, fill))
        if has_numbers:
            ink = badge_text_color(fill)
            picture.append(marks.Text(x + cell / 2, y + cell / 2, texts[row][column], "tick", ink, across=0.5))
    for place, width in ((middle, 2.4), (middle + 1, 1.4)):
        if place < len(rows):
            at = place * cell
            picture.append(marks.Rectangle(left + at, top + at, cell, cell, outline=theme.ink, outline_width=width))
    edge = Area(left, top, cell, cell)
    return (*picture, *_edges(edge, [*map(position, rows)], [*map(position, columns)], middle, theme))


def _around(t: float, n_positions: int) -> tuple[list[float], int]:
    """Up to _SIDE positions of the table a step apart with t among them, and its place there."""
    before, after = math.floor(t), math.floor(n_positions - 1 - t)
    count = min(_SIDE, before + after + 1)
    place = min(max(count // 2, count - 1 - after), before)
    return [t + step - place for step in range(count)], place


def _cell_text(value: float, largest: float) -> str:
    return fixed(value, 2 if largest < 100 else 1) if largest < 1000 else short(value, 3)


def _edges(first: Area, rows: Sequence[str], columns: Sequence[str], middle: int, theme: Theme) -> list[marks.Mark]:
    """Positions at the left and above, those of t and t + k alone where there is no room for all; first: a cell."""
    has_all = _widest(columns, "flag") + 4.0 <= first.width
    picture: list[marks.Mark] = []
    for place, (row, column) in enumerate(zip(rows, columns, strict=True)):
        if has_all or place == middle:
            role, color = ("flag", theme.text) if place == middle else ("tick", theme.text3)
            at = (place + 0.5) * first.width
            picture.append(marks.Text(first.x + at, first.y - 10.0, column, role, color, across=0.5))
            if text_width(role, row) <= _LABEL:
                picture.append(marks.Text(first.x - 6.0, first.y + at, row, role, color, across=1.0))
    return picture


def _widest(texts: Iterable[str], role: str) -> float:
    return max(text_width(role, text) for text in texts)
