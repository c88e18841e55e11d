"""Values printed into the cells of a map, where there is room for them."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import badge_text_color
from pe_desktop.draw.typefaces import text_width

# More of them take a frame's time.
_MOST_NUMBERS: Final = 4000
_MOST_DECIMALS: Final = 4
_NARROWEST_CELL, _LOWEST_CELL, _MARGIN = 20.0, 18.0, 4.0


def cell_numbers(
    area: Area,
    places: tuple[Floats, Floats],
    values: Floats,
    cell: tuple[float, float],
    limits: tuple[float, float],
    colors: NDArray[np.uint8],
) -> marks.Picture:
    """Every value in its cell with as many decimals as fit, black or white, whichever can be read.

    places: x of the columns, shape (n_columns,), and y of the rows, shape (n_rows,), in pixels; values shape (n_rows,
    n_columns), nan for none; cell: width and height in pixels; limits: the values of the first and the last of the
    colours, shape (n, 3). A cell that the edge of the area cuts has its value in the middle of what is left, where that
    is wide enough; all have none where too few digits fit.
    """
    decimals = _decimals(values, cell)
    if decimals is None:
        return ()
    widest = max(text_width("tick", fixed(end, decimals)) for end in (np.nanmin(values), np.nanmax(values)))
    across = _middles(places[0], cell[0], area.x, area.right, widest)
    down = _middles(places[1], cell[1], area.y, area.bottom, _LOWEST_CELL - _MARGIN)
    low, high = limits
    steps = np.clip((np.nan_to_num(values) - low) / (high - low), 0.0, 1.0) * (len(colors) - 1)
    grounds = colors[np.rint(steps).astype(np.intp)].tolist()
    picture: marks.Marks = []
    for y, row, row_grounds in zip(down, values.tolist(), grounds, strict=True):
        for x, value, ground in zip(across, row, row_grounds, strict=True):
            if x is not None and y is not None and not math.isnan(value):
                ink = badge_text_color(QColor(*ground))
                picture.append(marks.Text(x, y, fixed(value, decimals), "tick", ink, across=0.5))
    return tuple(picture)


def _middles(places: Floats, size: float, first: float, last: float, needed: float) -> list[float | None]:
    """The middle of the visible part of each cell along an axis, None where that part is too small."""
    nears = np.maximum(places - size / 2, first).tolist()
    fars = np.minimum(places + size / 2, last).tolist()
    return [(near + far) / 2 if far - near >= needed else None for near, far in zip(nears, fars, strict=True)]


def has_room(n_rows: int, n_columns: int, cell: tuple[float, float]) -> bool:
    """Whether numbers of some size fit into cells of this width and height: before their values are asked for."""
    return cell[0] >= _NARROWEST_CELL and cell[1] >= _LOWEST_CELL and n_rows * n_columns <= _MOST_NUMBERS


def _decimals(values: Floats, cell: tuple[float, float]) -> int | None:
    """The most decimals, at most 4, with which all values fit; whole numbers have none.

    At least so many that the last digit is less than a fiftieth of the largest value; None where they don't fit.
    """
    there = values[~np.isnan(values)]
    if not there.size or not has_room(len(values), values.shape[1], cell):
        return None
    ends = (float(there.min()), float(there.max()))
    reach = float(np.abs(there).max())
    if (there == np.rint(there)).all() and reach != 1:
        candidates = range(1)
    else:
        least = max(math.ceil(math.log10(50.0 / reach)), 0) if reach else 0
        candidates = range(_MOST_DECIMALS, min(least, _MOST_DECIMALS) - 1, -1)
    room = cell[0] - _MARGIN
    return next(
        (digits for digits in candidates if all(text_width("tick", fixed(end, digits)) <= room for end in ends)), None
    )
