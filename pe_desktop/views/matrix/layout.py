"""Where the encoding matrix lies in its panel, and which cell a pixel shows."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pe_desktop.core.columns import hand_columns, hand_of_column
from pe_desktop.core.cursor import Span
from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.draw.hand_text import part_names

# As the waves' plot, so that one vertical cursor crosses both.
LEFT = 120.0
RIGHT = 128.0
TOP = 26.0
BOTTOM = 34.0
RAMP_WIDTH = 8.0
RAMP_GAP = 8.0
STRIP_GAP = 34.0
STRIP_MARGIN = 14.0


@dataclass(frozen=True)
class MatrixLayout:
    """The plot inside a picture of width x height pixels.

    span: the visible positions, cell p reaching from p - 1/2 to p + 1/2. rows: the visible rows of the table, row r
    reaching from r to r + 1. is_transposed: positions run downwards. Pixels are logical ones.
    """

    width: float
    height: float
    span: Span
    rows: Span
    is_transposed: bool = False

    @cached_property
    def left(self) -> float:
        """The left edge of the plot."""
        return LEFT

    @cached_property
    def right(self) -> float:
        """The right edge of the plot."""
        return max(self.width - RIGHT, LEFT + 20.0)

    @cached_property
    def top(self) -> float:
        """The upper edge of the plot."""
        return TOP

    @cached_property
    def bottom(self) -> float:
        """The lower edge of the plot."""
        return max(self.height - BOTTOM, TOP + 20.0)

    @cached_property
    def position_pixels(self) -> float:
        """How many pixels a position takes."""
        return (self.bottom - self.top if self.is_transposed else self.right - self.left) / self.span.width

    @cached_property
    def row_pixels(self) -> float:
        """How many pixels a row of the table, a dimension, takes."""
        return (self.right - self.left if self.is_transposed else self.bottom - self.top) / self.rows.width

    def along_positions(self, position: float) -> float:
        """The pixel of a position on its axis: x, or y when transposed."""
        start = self.top if self.is_transposed else self.left
        return start + (position - self.span.first) * self.position_pixels

    def along_rows(self, row: float) -> float:
        """The pixel of a row's upper edge on its axis: y, or x when transposed."""
        start = self.left if self.is_transposed else self.top
        return start + (row - self.rows.first) * self.row_pixels

    def cell_at(self, x: float, y: float) -> tuple[float, float]:
        """The position (in positions) and the row (in rows, its edge a whole number) under a point."""
        across, down = (x - self.left), (y - self.top)
        along, other = (down, across) if self.is_transposed else (across, down)
        return self.span.first + along / self.position_pixels, self.rows.first + other / self.row_pixels

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in the plot."""
        return self.left <= x < self.right and self.top <= y < self.bottom

    def box(self, position: float, n_positions: float, row: float, n_rows: float) -> tuple[float, float, float, float]:
        """Left, top, width, height of a stretch of cells, cut at the edges of the plot."""
        start, end = (self.along_positions(p) for p in (position, position + n_positions))
        first, last = (self.along_rows(r) for r in (row, row + n_rows))
        if self.is_transposed:
            start, end, first, last = first, last, start, end
        left, right = (min(max(x, self.left), self.right) for x in (start, end))
        top, bottom = (min(max(y, self.top), self.bottom) for y in (first, last))
        return left, top, right - left, bottom - top

    @cached_property
    def n_row_pixels(self) -> int:
        """How many pixels the rows have together."""
        return max(int(self.right - self.left if self.is_transposed else self.bottom - self.top), 1)


@dataclass(frozen=True, slots=True)
class RowOrder:
    """Which dimension a row shows: the layout's order, or all sines over all cosines where rows outnumber pixels."""

    encoding: Encoding
    is_halved: bool

    @property
    def n_rows(self) -> int:
        """As many as dimensions."""
        return self.encoding.d_model

    def dimension(self, row: int) -> int:
        """The column of the encoding's table that a row shows."""
        if not self.is_halved or self.encoding.pairs is None:
            return row
        n_pairs = self.encoding.pairs.count
        return int(self.encoding.pairs.columns[row % n_pairs, row // n_pairs])

    def rows_of(self, pair: int) -> tuple[int, int]:
        """The rows of a pair's sine and cosine, or of two columns; the second is MISSING where there is one only."""
        if self.is_halved and self.encoding.pairs is not None:
            return pair, pair + self.encoding.pairs.count
        first, second = hand_columns(self.encoding)[pair].tolist()
        return first, second

    def pairs_by_row(self) -> Integers:
        """The pair of every row, shape (d_model,)."""
        if self.is_halved and self.encoding.pairs is not None:
            return np.tile(np.arange(self.encoding.pairs.count, dtype=np.int64), 2)
        return hand_of_column(self.encoding)

    def pair_and_part(self, row: int) -> tuple[int, str]:
        """The pair of a row and what the row is of it: its sine or its cosine, or one of two dimensions."""
        pair = int(self.pairs_by_row()[row])
        return pair, part_names(self.encoding, pair)[0 if self.rows_of(pair)[0] == row else 1]


def row_order(encoding: Encoding, n_rows_seen: float, n_pixels: float) -> RowOrder:
    """Halves where more rows are seen than there are pixels: an interleaved table must never be thinned."""
    return RowOrder(encoding, is_halved=encoding.pairs is not None and n_rows_seen > n_pixels)
