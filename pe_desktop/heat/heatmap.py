"""Heat maps on the processor: fields at screen resolution, first coarse, then exact."""

import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Integers, read_only
from pe_desktop.core.fields.field import Blocks, Field, Line, Terms
from pe_desktop.core.record import record
from pe_desktop.draw.theme import blended, inks

Levels: TypeAlias = NDArray[np.uint8]

# A view that was panned has the same scale up to rounding; blocks must not grow by one for that.
_SCALE_SLACK: Final = 1e-9


@record(eq=False)
class Stretch:
    """Adjacent pixels along one axis, the blocks they show, and the block of each pixel."""

    pixels: slice
    blocks: Blocks
    block_of_pixel: Integers

    @property
    def first_cells(self) -> Integers:
        """The first cell of every pixel's block."""
        return self.blocks.first + self.blocks.size * self.block_of_pixel


@record(eq=False)
class _Patch:
    """A rectangle of pixels, the levels of its blocks, and which of these are still to be evaluated."""

    rows: Stretch
    columns: Stretch
    levels: Levels
    missing: tuple[tuple[slice, slice], ...]

    def pixel_levels(self) -> Levels:
        """A level for every pixel of the patch."""
        levels = self.levels
        of_row = self.rows.block_of_pixel
        of_column = self.columns.block_of_pixel
        if len(of_column) != levels.shape[1]:
            levels = levels.take(of_column, axis=1)
        return levels if len(of_row) == len(levels) else levels.take(of_row, axis=0)

    def mirrors(self, other: "_Patch") -> bool:
        """Whether it has the blocks of another patch with rows and columns exchanged."""
        return self.rows.blocks == other.columns.blocks and self.columns.blocks == other.rows.blocks


@lru_cache(maxsize=8)
def _stretches(first: float, last: float, n_pixels: int, edges: tuple[int, ...]) -> list[Stretch]:
    """The pixels inside the table, part by part; the rest of a part after its whole blocks is a block by itself."""
    cells_per_pixel = (last - first) / n_pixels
    size = max(math.ceil(cells_per_pixel * (1 - _SCALE_SLACK)), 1)
    cells = np.floor(first + (np.arange(n_pixels) + 0.5) * cells_per_pixel)
    result = []
    for start, stop in pairwise(edges):
        rest = stop - (stop - start) % size
        for begin, end, step in ((start, rest, size), (rest, stop, stop - rest)):
            left, right = np.searchsorted(cells, (begin, end)).tolist()
            if left < right:
                numbers = (cells[left:right].astype(np.int64) - begin) // step
                count = int(numbers[-1] - numbers[0]) + 1
                blocks = Blocks(begin + step * int(numbers[0]), step, count)
                result.append(Stretch(slice(left, right), blocks, numbers - numbers[0]))
    return result


def _patch(rows: Stretch, columns: Stretch, kept: Sequence[_Patch]) -> _Patch:
    """The blocks under some pixels, with the levels of those that are known; the others are missing."""
    levels = np.empty((rows.blocks.count, columns.blocks.count), dtype=np.uint8)
    every_row = slice(0, rows.blocks.count)
    every_column = slice(0, columns.blocks.count)
    missing: list[tuple[slice, slice]] = [(every_row, every_column)]
    for other in kept:
        down = _overlap(rows.blocks, other.rows.blocks)
        across = _overlap(columns.blocks, other.columns.blocks)
        if down is not None and across is not None:
            (some_rows, known_rows, other_rows), (some_columns, known_columns, other_columns) = down, across
            levels[some_rows, some_columns] = other.levels[known_rows, known_columns]
            missing = [(part, every_column) for part in other_rows]
            missing += [(some_rows, part) for part in other_columns]
            break
    return _Patch(rows, columns, levels, tuple(part for part in missing if levels[part].size))


def _overlap(wanted: Blocks, kept: Blocks) -> tuple[slice, slice, tuple[slice, slice]] | None:
    """The wanted blocks of an axis that are known, their places among these, those before and after; None for none."""
    # Within a part, blocks of one size stand on one grid; the grids of two parts don't overlap.
    distance = (kept.first - wanted.first) // wanted.size
    start = max(distance, 0)
    stop = min(distance + kept.count, wanted.count)
    if kept.size != wanted.size or start >= stop:
        return None
    others = slice(0, start), slice(stop, wanted.count)
    return slice(start, stop), slice(start - distance, stop - distance), others


Colors: TypeAlias = NDArray[np.uint32]

# Levels 0 to 254 are colours: an odd number, so that the middle of the limits is a level of its own, 127.
# The last level is for what lies outside the table.
LAST_LEVEL: Final = 254
_OUTSIDE: Final = 255

# What a first picture and what a slice of its refinement may cost: hands added up, over all blocks, or what costs as
# much. 4,096 dimensions on 1000 x 800 pixels cost half of it.
MOST_FIRST_HANDS: Final = 2**23
MOST_SLICE_HANDS: Final = 2**21
# About the cost between two pauses.
_PAUSE_HANDS: Final = 2**20
# A slice that takes longer on a slow computer ends after so much time.
_SLICE_SECONDS: Final = 0.012
# A coarse one has to follow every step of a slider.
MOST_COARSE_HANDS: Final = 2**22
# Where values of the table are sampled all panels draw such values: then an exact first picture may cost so much, and a
# coarse one.
MOST_SAMPLED_AT_ONCE, MOST_SAMPLED = 2**22, 2**21
# No block is thinned to what costs less than these, unless it is one term: then the pixels cost more than the hands.
_FEWEST_HANDS: Final = 4
# Where even that is too much, so many pixels wide and high are shown as one.
_SIDES: Final = (1, 2, 3, 4, 6, 8, 12, 16)


@record
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
        height = self.last_row - self.first_row
        width = self.last_column - self.first_column
        if not (0 < height < math.inf and 0 < width < math.inf):
            raise ValueError(f"a view must begin before it ends: {self} does not")


@record
class Coarseness:
    """How many terms a block of a coarse picture adds up, of how many, and what they are: hands, columns or samples.

    side: a block covers as many pixels in width and in height.
    """

    n_shown: int
    n_all: int
    name: str
    side: int = 1


class HeatMap:
    """Makes pictures of fields with NumPy, and keeps the last one until field, view, size or colours change.

    A pixel shows what lies under its centre: a cell where cells are larger than pixels, otherwise a block of as many
    cells as a pixel covers, rounded up. Blocks begin at multiples of their size, so that panning doesn't regroup them:
    those that the last exact picture showed are copied, the others evaluated.
    """

    def __init__(self) -> None:
        self._key: tuple[Field, View, tuple[int, int], bytes] | None = None
        self._image = QImage()
        # The parts of the picture that is shown or made, what makes it exact, and the parts of the last exact one.
        self._patches: Sequence[_Patch] = ()
        self._work: Iterator[int] = iter(())
        self._known: Sequence[_Patch] = ()
        # That of a coarse picture; None for an exact one.
        self.coarseness: Coarseness | None = None
        self.n_pictures = 0
        self.n_values_evaluated = 0
        self.n_hands_evaluated = 0

    def image(self, field: Field, view: View, size_px: tuple[int, int], table: Colors) -> QImage:
        """The picture, size_px = (width, height) in device pixels, colours from `color_table`; clear outside the field.

        The lower limit of the field has the first colour, the upper one the last, the middle between them exactly the
        middle one. Nothing is drawn on less than a pixel.
        """
        self._show(field, view, size_px, table, sys.maxsize)
        while not self.refine():
            pass
        return self._image

    def first_image(self, field: Field, view: View, size_px: tuple[int, int], table: Colors) -> QImage:
        """The same where it costs at most MOST_FIRST_HANDS; otherwise a coarse one, until `refine` has finished it.

        In a coarse picture a block that isn't known yet shows the mean of an even selection of its terms; where one
        term for each is too much, several blocks show one mean.
        """
        self._show(field, view, size_px, table, MOST_FIRST_HANDS)
        return self._image

    def refine(self) -> bool:
        """Evaluate some more of the exact picture; whether the picture is exact now."""
        if self.coarseness is None:
            return True
        n_hands = 0
        end = time.monotonic() + _SLICE_SECONDS
        for n_more in self._work:
            n_hands += n_more or _PAUSE_HANDS
            if n_hands >= MOST_SLICE_HANDS or time.monotonic() >= end:
                return False
        self._finish()
        return True

    def _show(self, field: Field, view: View, size_px: tuple[int, int], table: Colors, most_hands: int) -> None:
        key = (field, view, size_px, table.tobytes())
        if key == self._key:
            return
        if self._key is not None and field != self._key[0]:
            self._known = ()
        self._key, self._patches, self._work, self.coarseness = key, (), iter(()), None
        if min(size_px) < 1:
            self._image = QImage()
            return
        patches = self._patches = [_patch(rows, columns, self._known) for rows, columns in places(field, view, size_px)]
        draft, side = _draft(field, patches, most_hands)
        for _ in self._filled(draft, patches, side):
            pass
        if (draft, side) == (field, 1):
            self._finish()
            return
        every = _most_terms(_missing_terms(field, patches))
        shown = _most_terms(_missing_terms(draft, patches, side))
        self.coarseness = Coarseness(shown.count, every.count, every.name, side)
        self._work = self._filled(field, patches)
        self._draw()

    def _filled(self, field: Field, patches: Sequence[_Patch], side: int = 1) -> Iterator[int]:
        """Fill in the missing levels tile by tile, giving what each tile has cost in hands; 0 for a pause.

        One mean for as many blocks as side says, in both directions.
        """
        for place, part in enumerate(patches):
            mirrored = next(filter(part.mirrors, patches[:place]), None) if field.is_symmetric else None
            if mirrored is not None:
                part.levels[...] = mirrored.levels.T
                continue
            for (rows, down), (columns, across) in _missing(part, side):
                levels = part.levels[down, across]
                filled = levels if side == 1 else np.empty((rows.count, columns.count), dtype=np.uint8)
                terms = field.terms(rows, columns)
                for n_values in _fill(filled, field, rows, columns):
                    n_hands = math.ceil(n_values * terms.count * terms.cost)
                    self.n_values_evaluated += n_values
                    self.n_hands_evaluated += n_hands
                    yield n_hands
                if side > 1:
                    _spread(filled, levels)

    def _finish(self) -> None:
        self._known, self.coarseness = self._patches, None
        self._draw()

    def _draw(self) -> None:
        assert self._key is not None
        width, height = self._key[2]
        self._image = _colored(_levels(self._patches, height, width), np.frombuffer(self._key[3], dtype=np.uint32))
        self.n_pictures += 1


def color_table(colors: NDArray[np.integer[Any]] | bytes) -> Colors:
    """The colours of the levels as 0xAARRGGBB, shape (256,), from a map of any length n, shape (n, 3), red green blue.

    255 colours, spread evenly over the map: first and last are the map's own, the middle one is its middle, which for a
    map of even length is the mean of the two entries next to it. Entry 255, outside the table, is clear. Read-only, as
    each frame asks for it. The map may be given as its bytes, too.
    """
    return _kept_table(colors if isinstance(colors, bytes) else colors.astype(np.uint8).tobytes())


@lru_cache(maxsize=8)
def _kept_table(packed: bytes) -> Colors:
    colors = np.frombuffer(packed, dtype=np.uint8).reshape(-1, 3)
    table = np.zeros(LAST_LEVEL + 2, dtype=np.uint32)
    table[: LAST_LEVEL + 1] = inks(blended(colors, LAST_LEVEL + 1))
    return read_only(table)


def places(field: Field, view: View, size_px: tuple[int, int]) -> Iterator[tuple[Stretch, Stretch]]:
    """The rows and columns of each rectangle of pixels that has blocks of one size."""
    n_rows, n_columns = field.shape
    row_parts, column_parts = field.parts
    rows = _stretches(view.first_row, view.last_row, size_px[1], (*row_parts, n_rows))
    columns = _stretches(view.first_column, view.last_column, size_px[0], (*column_parts, n_columns))
    return product(rows, columns)


_Merged: TypeAlias = tuple[Blocks, slice]


def _missing(patch: _Patch, side: int) -> Iterator[tuple[_Merged, _Merged]]:
    """The missing blocks of a patch, so many to one: rows and columns of each rectangle, and which each covers."""
    for rows, columns in patch.missing:
        yield from product(_merged(patch.rows.blocks, rows, side), _merged(patch.columns.blocks, columns, side))


def _merged(blocks: Blocks, part: slice, side: int) -> Iterator[_Merged]:
    """Some of the blocks, so many to one, and what is left of them as one; with each run which blocks it covers."""
    n_whole, rest = divmod(part.stop - part.start, side)
    middle = part.start + n_whole * side
    if n_whole:
        yield Blocks(blocks.first + blocks.size * part.start, blocks.size * side, n_whole), slice(part.start, middle)
    if rest:
        yield Blocks(blocks.first + blocks.size * middle, blocks.size * rest, 1), slice(middle, part.stop)


def _spread(levels: Levels, out: Levels) -> None:
    """Fill `out` with levels, each for several blocks."""
    down, across = (-(-large // small) for large, small in zip(out.shape, levels.shape, strict=True))
    out[...] = levels.repeat(down, axis=0)[: len(out)].repeat(across, axis=1)[:, : out.shape[1]]


def _missing_terms(field: Field, patches: Sequence[_Patch], side: int = 1) -> Iterator[tuple[int, Terms]]:
    """How many blocks, so many to one, are missing here and there, and what each adds up."""
    for (rows, _), (columns, _) in (rectangle for patch in patches for rectangle in _missing(patch, side)):
        yield rows.count * columns.count, field.terms(rows, columns)


def _most_terms(missing: Iterable[tuple[int, Terms]]) -> Terms:
    """The most terms that a missing block adds up."""
    return max((terms for _, terms in missing), key=lambda it: it.count, default=Terms(1))


def _draft(field: Field, patches: Sequence[_Patch], most_hands: int) -> tuple[Field, int]:
    """What a first picture shows: the field, and how many blocks in width and in height share one mean.

    It has as many terms to a block as all missing ones together can afford; it is itself where these are all.
    """
    missing = list(_missing_terms(field, patches))
    every = _most_terms(missing)
    is_sampled = every.is_sampled and most_hands < sys.maxsize
    at_once = min(most_hands, MOST_SAMPLED_AT_ONCE) if is_sampled else most_hands
    if sum(n_blocks * terms.count * terms.cost for n_blocks, terms in missing) <= at_once:
        return field, 1
    most = min(most_hands, MOST_SAMPLED if is_sampled else MOST_COARSE_HANDS)
    for side in _SIDES if is_sampled else (1,):
        cost_of_one = sum(n_blocks * terms.cost for n_blocks, terms in _missing_terms(field, patches, side))
        affordable = int(most / max(cost_of_one, 1))
        if affordable >= min(every.fewest, every.count):
            break
    affordable = max(affordable, 1 if is_sampled else int(_FEWEST_HANDS / every.cost), 1)
    return field.thinned(affordable) if affordable < every.count else field, side


def _fill(levels: Levels, field: Field, rows: Blocks, columns: Blocks) -> Iterator[int]:
    """Fill in the level of every block, tile by tile, giving how many each tile had, and 0 for a pause."""
    lowest, highest = field.limits
    factor = LAST_LEVEL / (highest - lowest)
    # Half a level is added because the conversion to whole numbers cuts off.
    line = Line(factor, 0.5 - lowest * factor, field.limits)
    for tile in field.tiles(rows, columns, line):
        if tile is None:
            yield 0
            continue
        some_rows, some_columns, scaled = tile
        # A transposed field stays transposed in memory until its numbers are small.
        levels[some_rows, some_columns] = scaled.astype(np.uint8)
        yield scaled.size


def _levels(patches: Sequence[_Patch], height: int, width: int) -> Levels:
    """The level of every pixel."""
    levels = np.full((height, width), _OUTSIDE, dtype=np.uint8)
    for part in patches:
        levels[part.rows.pixels, part.columns.pixels] = part.pixel_levels()
    return levels


def _colored(levels: Levels, table: Colors) -> QImage:
    height, width = levels.shape
    indexed = QImage(levels.data, width, height, width, QImage.Format.Format_Indexed8)
    indexed.setColorTable(table.tolist())
    is_whole = levels[0, 0] != _OUTSIDE and levels[-1, -1] != _OUTSIDE
    # Opaque pictures are copied to the screen, others are blended.
    opaque = QImage.Format.Format_RGB32
    blended = QImage.Format.Format_ARGB32_Premultiplied
    return indexed.convertToFormat(opaque if is_whole else blended)
