"""The range of the colours of a field: its visible values, most of them, or typed ones."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import Span
from pe_desktop.core.fields.field import Blocks, Field, Means
from pe_desktop.core.record import record


@record
class _Effort:
    """How many values are evaluated for a range of colours.

    n_blocks: so many cells of a side are evaluated one by one; of more, the means over so many blocks. most_hands: the
    cost of all terms; above it an even selection of terms is taken that costs fewer_hands.
    """

    n_blocks: int
    most_hands: int
    fewer_hands: int


_FULL: Final = _Effort(1024, 2**28, 2**25)
# A millisecond or two: for the range that a frame shows first; what costs at most _AT_ONCE is exact at once.
_QUICK: Final = _Effort(64, 2**19, 2**19)
_AT_ONCE: Final = 2**20
# The shares of the visible values that are cut off below and above.
_FEW: Final = 0.05
# A range of the same value would have no colours.
_NARROWEST_SHARE: Final = 1e-3


class ColorScale(NamedTuple):
    """The values at the two ends of the colours; is_seen: those of the visible part; is_cut: whether others lie beyond.

    is_quick: an estimate that better ones may replace.
    """

    limits: tuple[float, float]
    is_seen: bool = False
    is_cut: tuple[bool, bool] = (False, False)
    is_quick: bool = False

    def of(self, field: Field) -> Field:
        """The field with these values at the ends of its colours."""
        return field.reaching(self.limits)


def scale_takes_long(field: Field, color_range: Span | str, rows: Span, columns: Span) -> bool:
    """Whether color_scale takes longer than a frame should."""
    if field.has_slow_limits:
        return True
    if color_range not in ("seen", "most"):
        return False
    runs = [(some, others, field.terms(some, others)) for some, others in _windows(field, rows, columns, _FULL)]
    costs = (some.count * others.count * terms.count * terms.cost for some, others, terms in runs if terms.count > 1)
    return sum(costs) > _AT_ONCE


def quick_scale(field: Field, color_range: Span | str, rows: Span, columns: Span) -> ColorScale:
    """About the same as color_scale, from few means of few terms."""
    field = field.reaching(field.quick_limits())
    return color_scale(field, color_range, rows, columns, _QUICK)._replace(is_quick=True)


def color_scale(
    field: Field, color_range: Span | str, rows: Span, columns: Span, effort: _Effort = _FULL
) -> ColorScale:
    """The ends of the colours for a window of a field, whose cell i reaches from i to i + 1.

    color_range is one of COLOR_RANGES or typed. Where the field has values below 0 and 0 was included, it
    stays in the middle: the colours reach as far to both sides as to the farther one.
    """
    if color_range == "whole":
        return ColorScale(field.limits)
    if color_range == "seen":
        return ColorScale(_seen_limits(field, rows, columns, effort), is_seen=True)
    low, high = (
        _most_limits(field, rows, columns, effort)
        if isinstance(color_range, str)
        else (color_range.first, color_range.last)
    )
    lowest, highest = field.limits
    if lowest < 0:
        reach = max(-low, high)
        low, high = (-reach, reach) if low < 0 < high else (low, high)
    elif high > 0:
        low = max(low, 0.0)
    return ColorScale((low, high), is_cut=(low > lowest, high < highest))


@lru_cache(maxsize=8)
def _seen_limits(field: Field, rows: Span, columns: Span, effort: _Effort = _FULL) -> tuple[float, float]:
    """The least and the greatest value in a window, whose cell i reaches from i to i + 1.

    As far to both sides of 0 where the field has values below it; those of the field where one value alone is seen.
    Exact in a window of up to 1024 x 1024 cells; in a larger one of the means over as many blocks, as a picture shows,
    and for very wide encodings of some of their dimensions, as a coarse picture shows.
    """
    means = _means(field, rows, columns, effort)
    least, greatest = min(float(some.min()) for some in means), max(float(some.max()) for some in means)
    if field.limits[0] < 0:
        greatest = max(-least, greatest)
        least = -greatest
    return (least, greatest) if greatest > least else field.limits


@lru_cache(maxsize=8)
def _most_limits(field: Field, rows: Span, columns: Span, effort: _Effort = _FULL) -> tuple[float, float]:
    """The values between which all but a twentieth on either side of a window lies; those of the field where it is one.

    The diagonal of a similarity map lies beyond: what surrounds it gets all the colours.
    """
    values = np.concatenate([some.ravel() for some in _means(field, rows, columns, effort)])
    low, high = _quantiles(values, _FEW, 1.0 - _FEW)
    return (low, high) if high - low > _NARROWEST_SHARE * max(abs(low), abs(high)) else field.limits


def _quantiles(values: Means, *shares: float) -> list[float]:
    """As np.quantile, whose first call loads numpy.ma, which takes half of a turn of the event loop."""
    places = np.array(shares) * (len(values) - 1)
    before = places.astype(np.intp)
    after = np.minimum(before + 1, len(values) - 1)
    sorted_there = np.partition(values, np.concatenate([before, after]))
    low, high = sorted_there[before], sorted_there[after]
    return [*map(float, low + (places - before) * (high - low))]


def _means(field: Field, rows: Span, columns: Span, effort: _Effort) -> list[Means]:
    """The means in a window, part by part."""
    return [
        _affordable(field, some_rows, some_columns, effort).means(some_rows, some_columns)
        for some_rows, some_columns in _windows(field, rows, columns, effort)
    ]


def _windows(field: Field, rows: Span, columns: Span, effort: _Effort) -> Iterator[tuple[Blocks, Blocks]]:
    """The blocks of a window whose means are evaluated, part by part."""
    return product(
        _blocks(rows, field.shape[0], field.row_parts, effort.n_blocks),
        _blocks(columns, field.shape[1], field.column_parts, effort.n_blocks),
    )


def _affordable(field: Field, rows: Blocks, columns: Blocks, effort: _Effort) -> Field:
    """The field, thinned where its means over these blocks would cost more than the effort has."""
    terms = field.terms(rows, columns)
    cost = rows.count * columns.count * terms.cost
    return field if terms.count * cost <= effort.most_hands else field.thinned(max(int(effort.fewer_hands / cost), 1))


def _blocks(span: Span, n_cells: int, parts: tuple[int, ...], most: int) -> Iterator[Blocks]:
    """The cells of a window in blocks of one size, part by part."""
    first, last = max(math.floor(span.first), 0), min(math.ceil(span.last), n_cells)
    size = max(math.ceil((last - first) / most), 1)
    for start, stop in pairwise((*parts, n_cells)):
        left, right = max(start, first), min(stop, last)
        n_whole, rest = divmod(right - left, size)
        if n_whole > 0:
            yield Blocks(left, size, n_whole)
        if rest > 0:
            yield Blocks(right - rest, rest, 1)
