"""Draws a field as an image: only what is visible is evaluated, and a pixel over many cells shows their exact mean."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Integers
from pe_desktop.core.encoding_field import Parted
from pe_desktop.core.fields import Blocks, Field

Levels: TypeAlias = NDArray[np.uint8]
Colors: TypeAlias = NDArray[np.uint32]

# Levels 0 to 254 are colours: an odd number, so that the middle of the limits is a level of its own, 127.
# The one that is left over is what lies outside the table.
LAST_LEVEL: Final = 254
OUTSIDE: Final = 255
_CLEAR: Final = 0

# Cells that are evaluated at once: their floats, 1 MiB, stay in the cache.
_MOST_CELLS: Final = 2**18
# A view that was panned has the same scale up to rounding; blocks must not grow by one for that.
_SCALE_SLACK: Final = 1e-9


@dataclass(frozen=True, slots=True)
class View:
    """A rectangle of the field in cells: cell i covers i to i + 1, so that 0 to n shows n cells, and edges may be cut.

    first_row is the upper edge, last_row the lower, first_column the left and last_column the right one. A view may
    reach beyond the table.
    """

    first_row: float
    last_row: float
    first_column: float
    last_column: float

    def __post_init__(self) -> None:
        height, width = self.last_row - self.first_row, self.last_column - self.first_column
        if not (0 < height < math.inf and 0 < width < math.inf):
            raise ValueError(f"a view must begin before it ends: {self} does not")


class HeatMap:
    """Makes pictures of fields with NumPy, and keeps the last one until field, view, size or colours change.

    A pixel shows what lies under its centre: a cell where cells are larger than pixels, otherwise a block of as many
    cells as a pixel covers, rounded up. Blocks begin at multiples of their size, so that panning doesn't regroup them:
    those that the last picture showed are copied, the others evaluated.
    """

    def __init__(self) -> None:
        self._key: tuple[Field, View, tuple[int, int], bytes] | None = None
        self._image = QImage()
        self._known: list[_Known] = []
        self.n_pictures = 0
        self.n_values_evaluated = 0

    @property
    def bytes_held(self) -> int:
        """What stays in memory between two pictures: the last of them, and the levels of its blocks."""
        return self._image.sizeInBytes() + sum(known.levels.nbytes for known in self._known)

    def image(self, field: Field, view: View, size_px: tuple[int, int], table: Colors) -> QImage:
        """The picture, size_px = (width, height) in device pixels, colours from `color_table`; clear outside the field.

        The lower limit of the field has the first colour, the upper one the last, the middle between them exactly the
        middle one. Nothing is drawn on less than a pixel.
        """
        if min(size_px) < 1:
            return QImage()
        key = (field, view, size_px, table.tobytes())
        if key != self._key:
            if self._key is not None and field != self._key[0]:
                self._known = []
            self._image = _colored(self._levels(field, view, size_px), table)
            self._key = key
            self.n_pictures += 1
        return self._image

    def _levels(self, field: Field, view: View, size_px: tuple[int, int]) -> Levels:
        row_parts, column_parts = (field.row_parts, field.column_parts) if isinstance(field, Parted) else ((0,), (0,))
        rows = _stretches(view.first_row, view.last_row, size_px[1], (*row_parts, field.shape[0]))
        columns = _stretches(view.first_column, view.last_column, size_px[0], (*column_parts, field.shape[1]))
        levels = np.full((size_px[1], size_px[0]), OUTSIDE, dtype=np.uint8)
        shown = []
        for row in rows:
            for column in columns:
                distinct = self._block_levels(field, row.blocks, column.blocks)
                shown.append(_Known(row.blocks, column.blocks, distinct))
                levels[row.pixels, column.pixels] = _repeated(distinct, row.block_of_pixel, column.block_of_pixel)
        self._known = shown
        return levels

    def _block_levels(self, field: Field, rows: Blocks, columns: Blocks) -> Levels:
        """The level of every block, shape (rows.count, columns.count)."""
        levels = np.empty((rows.count, columns.count), dtype=np.uint8)
        every_row, every_column = slice(0, rows.count), slice(0, columns.count)
        missing = [(every_row, every_column)]
        for known in self._known:
            down, across = _overlap(rows, known.rows), _overlap(columns, known.columns)
            if down is not None and across is not None:
                levels[down.wanted, across.wanted] = known.levels[down.known, across.known]
                missing = [(part, every_column) for part in down.others]
                missing += [(down.wanted, part) for part in across.others]
                break
        for row_part, column_part in missing:
            part = levels[row_part, column_part]
            if part.size:
                _fill(part, field, _some(rows, row_part), _some(columns, column_part))
                self.n_values_evaluated += part.size
        return levels


def color_table(colors: NDArray[np.integer[Any]]) -> Colors:
    """The colours of the levels as 0xAARRGGBB, shape (256,), from a map of any length n, shape (n, 3), red green blue.

    255 colours, spread evenly over the map: first and last are the map's own, the middle one is its middle, which for a
    map of even length is the mean of the two entries next to it. Entry 255, outside the table, is clear.
    """
    steps = np.linspace(0, len(colors) - 1, LAST_LEVEL + 1)
    red, green, blue = (
        np.rint(np.interp(steps, np.arange(len(colors)), channel)).astype(np.uint32) for channel in colors.T
    )
    table = np.full(LAST_LEVEL + 2, _CLEAR, dtype=np.uint32)
    table[: LAST_LEVEL + 1] = np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue
    return table


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """Adjacent pixels along one axis, the blocks they show and which of them each pixel shows."""

    pixels: slice
    blocks: Blocks
    block_of_pixel: Integers


def _stretches(first: float, last: float, n_pixels: int, edges: tuple[int, ...]) -> list[_Stretch]:
    """The pixels inside the table, part by part; what is left of a part after whole blocks is a block by itself."""
    cells_per_pixel = (last - first) / n_pixels
    size = max(math.ceil(cells_per_pixel * (1 - _SCALE_SLACK)), 1)
    cells = np.floor(first + (np.arange(n_pixels) + 0.5) * cells_per_pixel)
    stretches = []
    for start, stop in pairwise(edges):
        rest = stop - (stop - start) % size
        for begin, end, step in ((start, rest, size), (rest, stop, stop - rest)):
            left, right = np.searchsorted(cells, (begin, end)).tolist()
            if left < right:
                numbers = (cells[left:right].astype(np.int64) - begin) // step
                count = int(numbers[-1] - numbers[0]) + 1
                blocks = Blocks(begin + step * int(numbers[0]), step, count)
                stretches.append(_Stretch(slice(left, right), blocks, numbers - numbers[0]))
    return stretches


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Blocks of the last picture with their levels."""

    rows: Blocks
    columns: Blocks
    levels: Levels


@dataclass(frozen=True, slots=True)
class _Overlap:
    """Which of the wanted blocks are known, as which of the known ones, and the wanted ones before and after them."""

    wanted: slice
    known: slice
    others: tuple[slice, slice]


def _overlap(wanted: Blocks, known: Blocks) -> _Overlap | None:
    """The blocks that are the same ones along an axis; None where there are none."""
    # Within a part, blocks of one size stand on one grid; the grids of two parts don't overlap.
    distance = (known.first - wanted.first) // wanted.size
    start, stop = max(distance, 0), min(distance + known.count, wanted.count)
    if known.size != wanted.size or start >= stop:
        return None
    others = slice(0, start), slice(stop, wanted.count)
    return _Overlap(slice(start, stop), slice(start - distance, stop - distance), others)


def _some(blocks: Blocks, part: slice) -> Blocks:
    return Blocks(blocks.first + blocks.size * part.start, blocks.size, part.stop - part.start)


def _fill(levels: Levels, field: Field, rows: Blocks, columns: Blocks) -> None:
    """Fill in the level of every block, some rows at a time."""
    lowest, highest = field.limits
    scale = np.float32(LAST_LEVEL / (highest - lowest))
    # Half a level is added because the conversion to whole numbers cuts off.
    offset = np.float32(0.5 - lowest * LAST_LEVEL / (highest - lowest))
    height = max(_MOST_CELLS // columns.count, 1)
    for first in range(0, rows.count, height):
        part = levels[first : first + height]
        some = _some(rows, slice(first, first + len(part)))
        # A transposed field stays transposed in memory until its numbers are small.
        scaled = np.multiply(field.means(some, columns), scale, dtype=np.float32, casting="same_kind")
        scaled += offset
        np.clip(scaled, 0, LAST_LEVEL, out=scaled)
        np.copyto(part, scaled.astype(np.uint8))


def _repeated(levels: Levels, rows: Integers, columns: Integers) -> Levels:
    """A level for every pixel."""
    if len(columns) != levels.shape[1]:
        levels = levels.take(columns, axis=1)
    return levels if len(rows) == levels.shape[0] else levels.take(rows, axis=0)


def _colored(levels: Levels, table: Colors) -> QImage:
    height, width = levels.shape
    indexed = QImage(levels.data, width, height, width, QImage.Format.Format_Indexed8)
    indexed.setColorTable(table.tolist())
    is_whole = levels[0, 0] != OUTSIDE and levels[-1, -1] != OUTSIDE
    # Opaque pictures are copied to the screen, others are blended.
    opaque, blended = QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32_Premultiplied
    return indexed.convertToFormat(opaque if is_whole else blended)
