"""Small maps of numbers: coloured cells, names of rows and columns, frames around some; values in cells of any map."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color, color_image, colors_at
from pe_desktop.draw.typefaces import text_width

# First row and column of a frame, how many of each, the width of its line.
Frame: TypeAlias = tuple[int, int, int, int, float]
_LABELS: Final = 40.0
_MOST_RECTANGLES, _LEAST_CELL = 1024, 0.01
HEAD: Final = 20.0


def cell_map(
    area: Area,
    theme: Theme,
    values: Floats,
    limit: float,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    frames: tuple[Frame, ...] = (),
) -> marks.Drawing:
    """Values from -limit to +limit, shape (n_rows, n_columns), in square cells as large as fit.

    rows, columns: names at the left and above, none for no room beside the cells. Where not all names find room, that
    of the first row or column of the first frame stands alone. Very many values are an image without names and frames.
    """
    n_rows, n_columns = values.shape
    inner = cells_in(area, values.shape, has_names=bool(rows))
    cell = inner.width / n_columns
    if values.size > _MOST_RECTANGLES:
        yield cells_image(inner, values, (-limit, limit), theme.diverging)
        return
    fills = colors_at(values, (-limit, limit), theme.diverging).tolist()
    for row, column in np.ndindex(n_rows, n_columns):
        corner = inner.x + column * cell, inner.y + row * cell
        yield marks.Rectangle(*corner, cell, cell, QColor(*fills[row][column]))
    plot, both = cells_plot(inner, values.shape), (range(n_rows), range(n_columns))
    y, x = (axis.place(np.arange(float(n))).tolist() for axis, n in ((plot.y, n_rows), (plot.x, n_columns)))
    yield from cell_numbers(plot, *both, lambda: values, (-limit, limit), theme.diverging)
    for row, column, n_down, n_across, wide in frames:
        corner = inner.x + column * cell, inner.y + row * cell
        yield marks.Rectangle(*corner, n_across * cell, n_down * cell, outline=theme.ink, outline_width=wide)
    row, column, n_down, n_across, _ = (*frames, (0, 0, 0, 0, 0.0))[0]
    down = range(row, row + n_down)
    across = range(column, column + n_across)
    room = max((text_width("flag", name) for name in columns), default=0.0) + 4.0
    yield from _names(columns, [(at, inner.y - 10.0) for at in x], across, cell / room, 0.5, theme)
    yield from _names(rows, [(inner.x - 6.0, at) for at in y], down, cell / HEAD, 1.0, theme)


def cells_in(area: Area, shape: tuple[int, ...], *, has_names: bool) -> Area:
    """Where so many rows and columns of cells stand, beside and below their names."""
    left, head = (_LABELS, HEAD) if has_names else (0.0, 0.0)
    cell = max(min((area.width - left - 2.0) / shape[1], (area.height - head - 2.0) / shape[0]), _LEAST_CELL)
    return Area(area.x + left, area.y + head, cell * shape[1], cell * shape[0])


def cell_at(cells: Area, shape: tuple[int, ...], x: float, y: float) -> tuple[int, int]:
    """The row and the column of the cell at a point, or of the nearest one."""
    row = int((y - cells.y) / cells.height * shape[0])
    column = int((x - cells.x) / cells.width * shape[1])
    return min(max(row, 0), shape[0] - 1), min(max(column, 0), shape[1] - 1)


def words_at(cells: Area, shape: tuple[int, ...], n_positions: int, x: float, y: float) -> dict[str, float]:
    """The t and the k of the cell at a point; t ends with the table, which may be shorter than a sentence."""
    asking, read = cell_at(cells, shape, x, y)
    t = float(min(asking, n_positions - 1))
    return {"position": t, "offset": read - t}


def cells_image(area: Area, values: Floats, limits: tuple[float, float], colors: NDArray[np.uint8]) -> marks.Raster:
    """Values as colours in an area; where there are more cells than pixels, a pixel shows the mean of its cells."""
    for axis, length in enumerate((area.height, area.width)):
        most = max(round(length), 1)
        count = values.shape[axis]
        if count > most:
            starts = np.arange(most) * count // most
            sizes = np.diff(np.append(starts, count))
            values = np.add.reduceat(values, starts, axis=axis) / np.expand_dims(sizes, 1 - axis)
    return marks.Raster(*area, color_image(colors_at(values, limits, colors)))


def _names(
    names: Sequence[str], places: list[tuple[float, float]], framed: range, room: float, across: float, theme: Theme
) -> marks.Marks:
    """Names at their places, framed ones bold; room: cells for each name, below 1 the first framed one stands alone."""
    looks = (("tick", theme.text3), ("flag", theme.text))
    alone = framed[:1]
    return [
        marks.Text(*place, name, *looks[at in framed], across)
        for at, (name, place) in enumerate(zip(names, places, strict=False))
        if (room >= 1.0 or at in alone) and (across < 1.0 or text_width("flag", name) <= _LABELS - 6.0)
    ]


# More of them take a frame's time.
_MOST_NUMBERS: Final = 4000
_MOST_DECIMALS: Final = 4
_NARROWEST_CELL, _LOWEST_CELL, _MARGIN = 20.0, 18.0, 4.0


def cells_plot(area: Area, shape: tuple[int, ...]) -> Plot:
    """The axes of so many rows and columns of cells that fill an area."""
    return Plot(Axis(area, -0.5, shape[1] - 0.5), Axis(area, -0.5, shape[0] - 0.5, "left", is_downward=True))


def cell_numbers(
    plot: Plot,
    rows: range,
    columns: range,
    values: Callable[[], Floats],
    limits: tuple[float, float],
    colors: NDArray[np.uint8],
) -> marks.Picture:
    """Every value in its cell with as many decimals as fit, black or white, whichever can be read.

    rows, columns: those that are seen, whose middles are whole values of the axes; values: asked for where cells are
    large enough, shape (n_rows, n_columns), nan for none; limits: the values of the first and the last of the colours,
    shape (n, 3). A cell that the edge of the area cuts has its value in the middle of what is left, where that is wide
    enough; all have none where too few digits fit.
    """
    wide, tall = (axis.length / (axis.last - axis.first) for axis in (plot.x, plot.y))
    if wide < _NARROWEST_CELL or tall < _LOWEST_CELL or not 0 < len(rows) * len(columns) <= _MOST_NUMBERS:
        return ()
    shown = values()
    decimals = _decimals(shown, wide)
    if decimals is None:
        return ()
    widest = max(text_width("tick", fixed(end, decimals)) for end in (np.nanmin(shown), np.nanmax(shown)))
    across = _middles(plot.x, columns, widest)
    down = _middles(plot.y, rows, _LOWEST_CELL - _MARGIN)
    grounds = colors_at(shown, limits, colors).tolist()
    picture: marks.Marks = []
    for y, row, row_grounds in zip(down, shown.tolist(), grounds, strict=True):
        for x, value, ground in zip(across, row, row_grounds, strict=True):
            if x is not None and y is not None and not math.isnan(value):
                ink = badge_text_color(QColor(*ground))
                picture.append(marks.Text(x, y, fixed(value, decimals), "tick", ink, across=0.5))
    return tuple(picture)


def _middles(axis: Axis, cells: range, needed: float) -> list[float | None]:
    """The middle of the visible part of each cell along an axis, None where that part is too small."""
    edges = np.array([cells.start - 0.5, *(np.array(cells) + 0.5)]).clip(axis.first, axis.last)
    ends = axis.place(edges).tolist()
    return [(near + far) / 2 if far - near >= needed else None for near, far in pairwise(ends)]


def _decimals(values: Floats, wide: float) -> int | None:
    """The most decimals, at most 4, with which all values fit; whole numbers have none.

    At least so many that the last digit is less than a fiftieth of the largest value; None where they don't fit.
    """
    there = values[~np.isnan(values)]
    if not there.size:
        return None
    ends = (float(there.min()), float(there.max()))
    reach = float(np.abs(there).max())
    if (there == np.rint(there)).all() and reach != 1:
        candidates = range(1)
    else:
        least = max(math.ceil(math.log10(50.0 / reach)), 0) if reach else 0
        candidates = range(_MOST_DECIMALS, min(least, _MOST_DECIMALS) - 1, -1)
    room = wide - _MARGIN
    return next(
        (digits for digits in candidates if all(text_width("tick", fixed(end, digits)) <= room for end in ends)), None
    )
