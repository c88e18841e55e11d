"""Where the encoding matrix lies in its box, which cell a pixel shows, and which dimension a row shows."""

from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns, hand_places
from pe_desktop.core.cursor import Span
from pe_desktop.core.encoding import Encoding, Integers
from pe_desktop.core.record import record
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area

# As the waves' plot, so that one vertical cursor crosses both.
_LEFT, _RIGHT = 120.0, 128.0
_TOP, _BOTTOM = 26.0, 34.0
# Where positions run downwards nothing is aligned with the waves, and no strip stands beside the plot: a figure takes
# that room.
_TIGHT_LEFT, _TIGHT_RIGHT = 76.0, 6.0
_STRIP_GAP, STRIP_MARGIN = 34.0, 14.0


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
    def of_any_positions(self) -> "MatrixLayout":
        """The same for every span: of what stands beside the rows nothing depends on it."""
        return replace(self, span=Span(0.0, 1.0))

    @cached_property
    def area(self) -> Area:
        """The plot."""
        left = _TIGHT_LEFT if self.has_title_below or not self.has_dimensions else _LEFT
        after = _TIGHT_RIGHT if self.has_title_below or not self.has_strip else _RIGHT
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
    def strip(self) -> Axis:
        """The strip beside the plot, from minus to plus its limit."""
        left = self.area.right + _STRIP_GAP
        return Axis(self.area._replace(x=left, width=self.width - STRIP_MARGIN - left), -1.0, 1.0)

    @cached_property
    def position_pixels(self) -> float:
        """How many pixels a position takes."""
        return self.position_axis.length / self.span.width

    @cached_property
    def row_pixels(self) -> float:
        """How many pixels a row of the table, a dimension, takes."""
        return self.row_axis.length / self.rows.width

    def point(self, along: float, across: float) -> tuple[float, float]:
        """The point at a pixel of the axis of positions and at one of the rows, or the other way round."""
        return (across, along) if self.is_transposed else (along, across)

    def cell_at(self, x: float, y: float) -> tuple[float, float]:
        """The position (in positions) and the row (in rows, its edge a whole number) under a point."""
        along, across = self.point(x, y)
        return self.position_axis.value(along), self.row_axis.value(across)

    def box(self, position: float, n_positions: float, row: float, n_rows: float) -> Area:
        """The area of a stretch of cells, cut at the edges of the plot."""
        along, across = self.position_axis.place, self.row_axis.place
        x, y, right, bottom = self.area.x, self.area.y, self.area.right, self.area.bottom
        start, first = self.point(along(position), across(row))
        end, last = self.point(along(position + n_positions), across(row + n_rows))
        left, top = min(max(start, x), right), min(max(first, y), bottom)
        return Area(left, top, min(max(end, x), right) - left, min(max(last, y), bottom) - top)

    def rows_box(self, row: float, n_rows: float) -> Area:
        """The area of some rows over all positions that are seen."""
        return self.box(self.span.first, self.span.width, row, n_rows)

    def position_box(self, position: int) -> Area:
        """The area of a position over all rows that are seen."""
        return self.box(position - 0.5, 1.0, self.rows.first, self.rows.width)


@record
class RowOrder:
    """Which dimension a row shows: the layout's order, or all sines over all cosines where rows outnumber pixels.

    columns: those of each hand, packed; places: where they stand, as in 2i and 2i + 1. Orders are equal whose hands
    stand in the same rows, whatever they are.
    """

    columns: bytes
    places: tuple[str, str]
    n_pairs: int
    n_rows: int
    is_halved: bool = False

    @property
    def border(self) -> int | None:
        """The row at which the cosines begin where all sines stand before them, None in the layout's order."""
        return self.n_pairs if self.is_halved else None

    @cached_property
    def hands(self) -> Integers:
        """The columns of each hand, shape (n_hands, 2), MISSING where there is one only."""
        return np.frombuffer(self.columns, dtype=np.int64).reshape(-1, 2)

    @cached_property
    def dimensions(self) -> Integers:
        """The column of the encoding's table that every row shows, shape (n_rows,)."""
        return self.hands[: self.n_pairs].T.ravel() if self.is_halved else np.arange(self.n_rows, dtype=np.int64)

    @cached_property
    def owners(self) -> Integers:
        """The pair of every row, or the two columns that are chosen together, shape (n_rows,)."""
        if self.is_halved:
            return np.tile(np.arange(self.n_pairs, dtype=np.int64), 2)
        # MISSING comes before all columns.
        return np.argsort(self.hands, axis=None)[-self.n_rows :] // 2

    def rows_of(self, pair: int) -> tuple[int, int]:
        """The rows of a pair's sine and cosine, or of two columns; the second is MISSING where there is one only."""
        if self.is_halved:
            return pair, pair + self.n_pairs
        first, second = self.hands[pair].tolist()
        return first, second

    def runs_of(self, pair: int) -> tuple[tuple[int, int], ...]:
        """Where the rows of a pair begin and how many stand together there."""
        sine, cosine = self.rows_of(pair)
        if cosine == MISSING:
            return ((sine, 1),)
        return ((min(sine, cosine), 2),) if abs(sine - cosine) == 1 else ((sine, 1), (cosine, 1))


def is_halved(encoding: Encoding, n_rows_seen: float, n_pixels: float) -> bool:
    """Whether more rows are seen than there are pixels: an interleaved table must never be thinned."""
    return encoding.pairs is not None and n_rows_seen > n_pixels


@lru_cache(maxsize=4)
def row_order(encoding: Encoding, *, is_halved: bool) -> RowOrder:
    n_pairs = 0 if encoding.pairs is None else encoding.pairs.count
    columns, places = hand_columns(encoding).tobytes(), hand_places(encoding)
    return RowOrder(columns, places, n_pairs, encoding.d_model, is_halved)
