"""Where the encoding matrix lies in its box, and which cell a pixel shows."""

from functools import cached_property

import numpy as np

from pe_desktop.core.columns import hand_columns, hand_of_column
from pe_desktop.core.cursor import Span
from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.core.record import record
from pe_desktop.draw.hand_text import part_names
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area

# As the waves' plot, so that one vertical cursor crosses both.
_LEFT, _RIGHT = 120.0, 128.0
_TOP, _BOTTOM = 26.0, 34.0
# Where positions run downwards nothing is aligned with the waves, and no strip stands beside the plot: a figure takes
# that room.
_TIGHT_LEFT, _TIGHT_RIGHT = 76.0, 6.0
RAMP_WIDTH = RAMP_GAP = 8.0
# Words under a transposed plot, below the numbers of its dimensions.
WORDS_BELOW = 28.0
_STRIP_GAP, _STRIP_MARGIN = 34.0, 14.0


@record
class MatrixLayout:
    """The plot inside a picture of width x height pixels.

    span: the visible positions, cell p reaching from p - 1/2 to p + 1/2. rows: the visible rows of the table, row r
    reaching from r to r + 1. is_transposed: positions run downwards. is_paper: then the plot fills the width.
    has_strip: the strip of p_t stands beside the plot; has_dimensions: rows are numbered by pair and by dimension.
    """

    width: float
    height: float
    span: Span
    rows: Span
    is_transposed: bool = False
    is_paper: bool = False
    has_strip: bool = True
    has_dimensions: bool = True

    @property
    def has_title_below(self) -> bool:
        """Whether the title of the rows stands under the plot."""
        return self.is_transposed and self.is_paper

    @cached_property
    def area(self) -> Area:
        """The plot."""
        is_tight = self.is_transposed and self.is_paper
        left = _TIGHT_LEFT if is_tight or not self.has_dimensions else _LEFT
        after = _TIGHT_RIGHT if is_tight or not self.has_strip else _RIGHT
        return Area(left, _TOP, max(self.width - after - left, 20.0), max(self.height - _BOTTOM - _TOP, 20.0))

    @cached_property
    def position_axis(self) -> Axis:
        ends = self.span.first, self.span.last
        return Axis(self.area, *ends, "left", is_downward=True) if self.is_transposed else Axis(self.area, *ends)

    @cached_property
    def row_axis(self) -> Axis:
        """The rows of the table, by their edges."""
        ends = self.rows.first, self.rows.last
        return Axis(self.area, *ends) if self.is_transposed else Axis(self.area, *ends, "right", is_downward=True)

    @cached_property
    def position_pixels(self) -> float:
        """How many pixels a position takes."""
        return self.position_axis.length / self.span.width

    @cached_property
    def row_pixels(self) -> float:
        """How many pixels a row of the table, a dimension, takes."""
        return self.row_axis.length / self.rows.width

    @cached_property
    def n_row_pixels(self) -> int:
        """How many pixels the rows have together."""
        return max(int(self.row_axis.length), 1)

    @cached_property
    def strip(self) -> tuple[float, float]:
        """The left and the right edge of the strip, where minus and plus the limit lie."""
        return self.area.right + _STRIP_GAP, self.width - _STRIP_MARGIN

    def along_positions(self, position: float) -> float:
        """The pixel of a position on its axis: x, or y when transposed."""
        return self.position_axis.place(position)

    def along_rows(self, row: float) -> float:
        """The pixel of a row's upper edge on its axis: y, or x when transposed."""
        return self.row_axis.place(row)

    def cell_at(self, x: float, y: float) -> tuple[float, float]:
        """The position (in positions) and the row (in rows, its edge a whole number) under a point."""
        along, other = (y, x) if self.is_transposed else (x, y)
        return self.position_axis.value(along), self.row_axis.value(other)

    def box(self, position: float, n_positions: float, row: float, n_rows: float) -> Area:
        """The area of a stretch of cells, cut at the edges of the plot."""
        along, across = self.position_axis.place, self.row_axis.place
        start, end, first, last = along(position), along(position + n_positions), across(row), across(row + n_rows)
        if self.is_transposed:
            start, end, first, last = first, last, start, end
        x, y, right, bottom = self.area.x, self.area.y, self.area.right, self.area.bottom
        left, top = min(max(start, x), right), min(max(first, y), bottom)
        return Area(left, top, min(max(end, x), right) - left, min(max(last, y), bottom) - top)


@record
class RowOrder:
    """Which dimension a row shows: the layout's order, or all sines over all cosines where rows outnumber pixels."""

    encoding: Encoding
    is_halved: bool

    @property
    def n_rows(self) -> int:
        """As many as dimensions."""
        return self.encoding.d_model

    @property
    def border(self) -> int | None:
        """The row at which the cosines begin where all sines stand before them, None in the layout's order."""
        return self.encoding.pairs.count if self.is_halved and self.encoding.pairs is not None else None

    def dimensions(self) -> Integers:
        """The column of the encoding's table that every row shows, shape (d_model,)."""
        if self.is_halved and self.encoding.pairs is not None:
            return self.encoding.pairs.columns.T.ravel()
        return np.arange(self.n_rows, dtype=np.int64)

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
