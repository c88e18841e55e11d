"""A field whose colours reach what is seen of it, or typed values."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import Span
from pe_desktop.core.fields.field import Blocks, Field, Line, Means, Terms, Thinnable, Tile, mean_tiles
from pe_desktop.core.fields.table import parts_of

# Cells of a side that are looked at one by one; of more, the means over as many blocks.
_MOST_BLOCKS: Final = 1024
# Hands that are added up in all, or what costs as much. A window waits for the range of its colours: of what costs more
# an even selection of terms tells, as many as cost _FEWER_HANDS.
_MOST_HANDS, _FEWER_HANDS = 2**28, 2**25
# The shares of what is seen that lie below and above most of it.
_FEW: Final = 0.05
# A range of the same value would have no colours.
_NARROWEST_SHARE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class SeenField:
    """A field with other values at the two ends of the colour map."""

    field: Field
    limits: tuple[float, float]

    @property
    def shape(self) -> tuple[int, int]:
        return self.field.shape

    @property
    def averages(self) -> str:
        return self.field.averages

    @property
    def row_parts(self) -> tuple[int, ...]:
        return parts_of(self.field)[0]

    @property
    def column_parts(self) -> tuple[int, ...]:
        return parts_of(self.field)[1]

    def means(self, rows: Blocks, columns: Blocks) -> Means:
        return self.field.means(rows, columns)

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        low, high = (np.float32(line.factor * limit + line.summand) for limit in self.limits)
        for tile in mean_tiles(self.field, rows, columns, line):
            yield None if tile is None else (*tile[:2], np.clip(tile[2], low, high))

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """What a block adds up; one where the field can leave nothing out."""
        return self.field.terms(rows, columns) if isinstance(self.field, Thinnable) else Terms(1)

    def thinned(self, n_terms: int) -> "SeenField":
        return SeenField(self.field.thinned(n_terms), self.limits) if isinstance(self.field, Thinnable) else self

    def value(self, row: int, column: int) -> float:
        return self.field.value(row, column)


class ColorScale(NamedTuple):
    """The values at the two ends of the colours; is_seen: those that are seen; is_cut: whether others lie beyond."""

    limits: tuple[float, float]
    is_seen: bool = False
    is_cut: tuple[bool, bool] = (False, False)

    def of(self, field: Field) -> Field:
        """The field with these values at the ends of its colours."""
        return field if self.limits == field.limits else SeenField(field, self.limits)


def color_scale(field: Field, color_range: Span | str, rows: Span, columns: Span) -> ColorScale:
    """What the colours reach in a window of a field, whose cell i reaches from i to i + 1.

    color_range is one of COLOR_RANGES or what was typed. Where the field has values below 0 and 0 was included, it
    stays in the middle: the colours reach as far to both sides as to the farther one.
    """
    if color_range == "whole":
        return ColorScale(field.limits)
    if color_range == "seen":
        return ColorScale(seen_limits(field, rows, columns), is_seen=True)
    low, high = (
        most_limits(field, rows, columns) if isinstance(color_range, str) else (color_range.first, color_range.last)
    )
    lowest, highest = field.limits
    if lowest < 0:
        reach = max(-low, high)
        low, high = (-reach, reach) if low < 0 < high else (low, high)
    elif high > 0:
        low = max(low, 0.0)
    return ColorScale((low, high), is_cut=(low > lowest, high < highest))


@lru_cache(maxsize=8)
def seen_limits(field: Field, rows: Span, columns: Span) -> tuple[float, float]:
    """The least and the greatest value in a window, whose cell i reaches from i to i + 1.

    As far to both sides of 0 where the field has values below it; those of the field where one value alone is seen.
    Exact in a window of up to 1024 x 1024 cells; in a larger one of the means over as many blocks, as a picture shows,
    and for very wide encodings of some of their dimensions, as a coarse picture shows.
    """
    means = _means(field, rows, columns)
    least, greatest = min(float(some.min()) for some in means), max(float(some.max()) for some in means)
    if field.limits[0] < 0:
        greatest = max(-least, greatest)
        least = -greatest
    return (least, greatest) if greatest > least else field.limits


@lru_cache(maxsize=8)
def most_limits(field: Field, rows: Span, columns: Span) -> tuple[float, float]:
    """The values between which all but a twentieth on either side of a window lies; those of the field where it is one.

    The diagonal of a similarity map lies beyond: what surrounds it gets all the colours.
    """
    values = np.concatenate([some.ravel() for some in _means(field, rows, columns)])
    low, high = np.quantile(values, (_FEW, 1.0 - _FEW)).tolist()
    return (low, high) if high - low > _NARROWEST_SHARE * max(abs(low), abs(high)) else field.limits


def _means(field: Field, rows: Span, columns: Span) -> list[Means]:
    """What is seen in a window, part by part."""
    row_parts, column_parts = parts_of(field)
    return [
        _affordable(field, some_rows, some_columns).means(some_rows, some_columns)
        for some_rows in _blocks(rows, field.shape[0], row_parts)
        for some_columns in _blocks(columns, field.shape[1], column_parts)
    ]


def _affordable(field: Field, rows: Blocks, columns: Blocks) -> Field:
    """The field, thinned where its means over these blocks would cost more than _MOST_HANDS."""
    if not isinstance(field, Thinnable):
        return field
    terms = field.terms(rows, columns)
    cost = rows.count * columns.count * terms.cost
    return field if terms.count * cost <= _MOST_HANDS else field.thinned(max(int(_FEWER_HANDS / cost), 1))


def _blocks(span: Span, n_cells: int, parts: tuple[int, ...]) -> Iterator[Blocks]:
    """The cells of a window in blocks of one size, part by part."""
    first, last = max(math.floor(span.first), 0), min(math.ceil(span.last), n_cells)
    size = max(math.ceil((last - first) / _MOST_BLOCKS), 1)
    for start, stop in pairwise((*parts, n_cells)):
        left, right = max(start, first), min(stop, last)
        n_whole, rest = divmod(right - left, size)
        if n_whole > 0:
            yield Blocks(left, size, n_whole)
        if rest > 0:
            yield Blocks(right - rest, rest, 1)
