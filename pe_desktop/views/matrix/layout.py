"""Where the encoding matrix lies in its box, which cell a pixel shows, and the strip beside it."""

import math
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.choices import MatrixView
from pe_desktop.core.cursor import MISSING, Cursor, Span, cursor_values, n_hands
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.fields.similarity import dot_terms, embedding, similarity_pair, turned_by
from pe_desktop.core.record import kept, record
from pe_desktop.core.state import State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, rgb
from pe_desktop.draw.typefaces import fitting, formula_runs
from pe_desktop.views.controls import CAPTIONS

_SAID: Final = CAPTIONS["matrix"]
# As the waves' plot, so that one vertical cursor crosses both.
_LEFT, _RIGHT = 120.0, 128.0
_TOP, _BOTTOM = 26.0, 34.0
# A figure without dimensions, or without the strip, as on its side, takes that room.
_TIGHT_LEFT, _TIGHT_RIGHT = 76.0, 16.0
# Words under a transposed plot, below the numbers of its dimensions, and over another one, above badges.
_WORDS_BELOW, _WORDS_Y = 28.0, 11.0
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

    @cached_property
    def of_any_positions(self) -> "MatrixLayout":
        """The same for every span: of what stands beside the rows nothing depends on it."""
        return replace(self, span=Span(0.0, 1.0))

    @cached_property
    def area(self) -> Area:
        """The plot."""
        left = _LEFT if self.has_dimensions else _TIGHT_LEFT
        has_strip = self.has_strip and not (self.is_transposed and self.is_paper)
        after = _RIGHT if has_strip else _TIGHT_RIGHT
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
    def row_middles(self) -> Axis:
        """The rows by their middles, the numbers of an upright plot at its left."""
        axis = replace(self.row_axis, first=self.rows.first - 0.5, last=self.rows.last - 0.5)
        return axis if self.is_transposed else replace(axis, side="left")

    @cached_property
    def strip(self) -> Axis:
        """The strip beside the plot, from minus to plus its limit."""
        left = self.area.right + _STRIP_GAP
        return Axis(self.area._replace(x=left, width=self.width - STRIP_MARGIN - left), -1.0, 1.0)

    @property
    def words_y(self) -> float:
        """Where sentence and colour bar stand: over the plot, or under one whose badges stand over it."""
        return self.area.bottom + _WORDS_BELOW if self.is_transposed else _WORDS_Y

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
        rows = self.row_axis.between(row, row + n_rows)
        return self.position_axis.between(position, position + n_positions).overlap(rows)

    def rows_box(self, row: float, n_rows: float) -> Area:
        """The area of some rows over all positions that are seen."""
        return self.box(self.span.first, self.span.width, row, n_rows)

    def position_box(self, position: float) -> Area:
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


# Thinner bars than this run together: an area from the least to the greatest value in each pixel takes their place.
_THINNEST_BAR: Final = 2.0
# Of a bar that the edge of the plot cuts off so much is seen at least.
_LOWEST_BAR: Final = 0.5
_SECOND_ALPHA: Final = 0.55
_HEADING_PIXELS, _LONG_HEADING_PIXELS, _HEADING_ROOM = 16, 13, 70.0


def strip_limit(state: State) -> float:
    """As far as the strip reaches to both sides of 0: for x + p_t in whole numbers.

    For terms a squared length of a hand where all are turned alike, else the most that two columns can add.
    """
    encoding, matrix, pairs = state.encoding, state.views.matrix, state.encoding.pairs
    if matrix.shows_terms:
        if pairs is not None and encoding.is_shift_invariant:
            return pairs.squared_norm / pairs.count
        return 2 * encoding.value_limit**2
    if not matrix.adds_embedding:
        return encoding.value_limit
    return math.ceil(encoding.value_limit + float(np.abs(embedding(encoding.d_model)).max()))


def strip_picture(state: State, layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Picture:
    """What the strip shows of the rows that are seen, with its name over it and, where it is a sum, a word below."""
    encoding, cursor, matrix = state.encoding, state.cursor, state.views.matrix
    if matrix.shows_terms:
        return _terms_picture(layout, encoding, cursor, strip_limit(state), theme)
    rows = _rows_seen(order, layout.row_axis, theme)
    now, later = cursor_values(encoding, cursor.position, cursor.offset)
    heading, caption = f"p_{{{number_text.position(cursor.position)}}}", "bars t, ticks t + k"
    is_thin = rows.firsts is not None
    if is_thin:
        caption = "behind: t + k"
    behind, front, limit = later, now, strip_limit(state)
    if matrix.adds_embedding:
        behind = embedding(encoding.d_model)
        caption = f"{'behind:' if is_thin else 'grey'} x, PE is {_percent(*map(_length, (behind, now)))}"
        heading, front = f"x + {heading}", behind + now
    shares = [part[rows.dimensions] / limit for part in (behind, front)]
    if limit != 1:
        # Bars end at the limit: random values lie beyond it now and then.
        shares = [np.clip(part, -1.0, 1.0) for part in shares]
    bars = _vector_marks(layout.strip, rows, shares, theme, is_sum=matrix.adds_embedding)
    return (_heading(layout, heading, theme), _caption(layout, caption, theme), *bars)


def strip_shows(matrix: MatrixView) -> str:
    """What bars of the strip are: the terms of a dot product, the sum with an embedding, or the vector alone."""
    return "terms" if matrix.shows_terms else "embedding" if matrix.adds_embedding else "vector"


def strip_tooltip(encoding: Encoding, cursor: Cursor, matrix: MatrixView) -> str:
    """What bars, ticks and line of the strip are, and what the share below a sum is of."""
    t, later = map(number_text.position, cursor.both)
    paler = ", paler where it is a cosine" if encoding.pairs is not None else ""
    now = cursor_values(encoding, cursor.position, cursor.offset)[0]
    share = _percent(*map(_length, (embedding(encoding.d_model), now)))
    told: str = _SAID["tooltips"][strip_shows(matrix)]
    return told.format(t=t, later=later, paler=paler, share=share)


def sum_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """How the lengths of x and p_t compare, from its longest to its shortest form."""
    vector = cursor_values(encoding, cursor.position, cursor.offset)[0]
    x, now, last = map(_length, (embedding(encoding.d_model), vector, encoding.values(encoding.n_positions - 1)[0]))
    numbers = {"x": short(x), "pe": short(now), "share": _percent(x, now), "t": number_text.position(cursor.position)}
    numbers |= {"times": short(now / x, 2), "last": short(last / x, 2), "end": whole(encoding.n_positions - 1)}
    angle, bare = (fixed(turned_by(vector, is_scaled=is_scaled), 1) for is_scaled in (True, False))
    both = _SAID["alike" if numbers["times"] == numbers["last"] else "unlike"].format(**numbers)
    return tuple(form.format(both=both, angle=angle, bare=bare, **numbers) for form in _SAID["sum"])


def terms_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """What the terms add up to, from its longest to its shortest form; the dot product is that of Similarity."""
    total, count = short(float(_terms(encoding, cursor).sum()), 8), n_hands(encoding)
    who = f"The {whole(count)} bars add" if count > 1 else "The only bar adds"
    both = " and ".join(map(number_text.position, cursor.both))
    return f"{who} up to {total}, the dot product of {both}", f"{who} up to {total}", f"Σ = {total}"


def terms_lines(encoding: Encoding, cursor: Cursor) -> list[str]:
    """The terms with all digits, their sum, and the dot product of the table."""
    terms = _terms(encoding, cursor)
    total, dot = float(terms.sum()), similarity_pair(encoding, "dot", *cursor.both)
    lines = [f"hand {hand}\t{term!r}" for hand, term in enumerate(terms.tolist())]
    return [*lines, f"sum\t{total!r}", f"dot of the table\t{dot!r}", f"difference\t{total - dot!r}"]


def _length(vector: Floats) -> float:
    return float(np.linalg.norm(vector))


def _percent(embedding_length: float, length: float) -> str:
    """How much of |x| + |p_t| is position."""
    return f"{short(100 * length / (embedding_length + length), 3)} %"


def _heading(layout: MatrixLayout, formula: str, theme: Theme) -> marks.FormulaText:
    is_long = formula_runs(formula, _HEADING_PIXELS)[1] > _HEADING_ROOM
    pixels = _LONG_HEADING_PIXELS if is_long else _HEADING_PIXELS
    return marks.FormulaText(layout.strip.place(0.0), 10.0, formula, pixels, theme.text, across=0.5)


def _caption(layout: MatrixLayout, words: str, theme: Theme) -> marks.Text:
    middle = layout.strip.place(0.0)
    shown = fitting("tick", (words, words.rpartition(", ")[2]), 2.0 * (layout.width - middle))
    return marks.centered(middle, layout.area.bottom + 27.0, shown, "tick", theme.text2)


class _Rows(NamedTuple):
    """The rows that are seen: their columns of the table, upper edges and heights in pixels, colours of their hands.

    firsts: where rows are too thin for bars, the first of them in each row of pixels, whose middles are the edges.
    """

    dimensions: Integers
    tops: Floats
    heights: Floats
    colors: list[QColor]
    firsts: Integers | None = None


# They stay while t moves.
@kept
def _rows_seen(order: RowOrder, axis: Axis, theme: Theme) -> _Rows:
    rows = np.arange(max(math.floor(axis.first), 0), min(math.ceil(axis.last), order.n_rows))
    tall = axis.length / (axis.last - axis.first)
    if tall < _THINNEST_BAR:
        pixels = np.clip(((rows + 0.5 - axis.first) * tall).astype(np.int64), 0, None)
        firsts = np.flatnonzero(np.diff(pixels, prepend=-1))
        middles = np.asarray(axis.area.y + pixels[firsts] + 0.5, dtype=np.float64)
        return _Rows(order.dimensions[rows], middles, np.zeros_like(middles), [], firsts)
    tops, ends = np.clip(axis.place(np.stack((rows, rows + 1.0))), axis.area.y, axis.area.bottom)
    gap = 1.0 if tall > 5.0 else 0.0
    tops, heights = tops + gap / 2, ends - tops - gap
    is_seen = heights >= _LOWEST_BAR
    rows = rows[is_seen]
    return _Rows(order.dimensions[rows], tops[is_seen], heights[is_seen], _row_colors(order, rows, theme))


def _row_colors(order: RowOrder, rows: Integers, theme: Theme) -> list[QColor]:
    """The colour of the hand of every row, paler for its second column."""
    owners = order.owners[rows]
    shades = theme.pair_colors(len(order.hands))[owners].astype(np.float64)
    is_second = order.hands[owners, 0] != order.dimensions[rows]
    shades[is_second] = np.rint(shades[is_second] * _SECOND_ALPHA + rgb(theme.panel) * (1 - _SECOND_ALPHA))
    return [QColor(*shade) for shade in shades.astype(np.int64).tolist()]


def _vector_marks(strip: Axis, rows: _Rows, shares: list[Floats], theme: Theme, *, is_sum: bool) -> marks.Marks:
    """Bars of the second vector, marks of the first one; of a sum bars of both, the first over the second."""
    (behind, front), half = shares, rows.heights / 2
    if rows.firsts is None and not is_sum:
        places = strip.place(behind)
        dashes = marks.Segments(np.array((places, rows.tops, places, rows.tops + rows.heights)).T, theme.ink, 2.0)
        return [*_bars(strip, rows, front, theme.text2), dashes]
    upper = rows._replace(heights=half, colors=[theme.axis] * len(rows.colors))
    lower = rows._replace(tops=rows.tops + half, heights=half)
    return [*_bars(strip, upper, behind, theme.axis), *_bars(strip, lower, front, theme.text2)]


def _terms_picture(
    layout: MatrixLayout, encoding: Encoding, cursor: Cursor, limit: float, theme: Theme
) -> marks.Picture:
    """A bar for each hand, the fastest on top, in its colour; the line is their sum so far, up to n times the limit."""
    terms, strip = _terms(encoding, cursor), layout.strip
    count = len(terms)
    axis = replace(layout.row_axis, first=0.0, last=float(count))
    hands = np.column_stack((np.arange(count), np.full(count, MISSING)))
    rows = _rows_seen(RowOrder(hands.tobytes(), ("", ""), 0, count), axis, theme)
    shares = np.clip(terms / limit, -1.0, 1.0)
    sums = np.concatenate([[0.0], np.cumsum(terms)]) / (limit * count)
    # The running sum moves at the middle of each bar.
    down = np.concatenate([[0.0], np.repeat(np.arange(count) + 0.5, 2), [float(count)]])
    return (
        _heading(layout, "cos(kω_i)" if limit == 1 and encoding.is_shift_invariant else "p_t p_{t+k}", theme),
        *_bars(strip, rows, shares, theme.axis),
        marks.Polyline(np.column_stack((strip.place(np.repeat(sums, 2)), axis.place(down))), theme.ink, 1.6),
        _caption(layout, f"line: Σ, to ±{short(limit * count)}", theme),
    )


def _bars(strip: Axis, rows: _Rows, shares: Floats, thin: QColor) -> marks.Marks:
    """Bars from 0 to shares of the limit; of thin rows the area of all shares in each row of pixels, in one colour."""
    if rows.firsts is not None:
        low, high = (extreme.reduceat(shares, rows.firsts) for extreme in (np.minimum, np.maximum))
        left, right = np.repeat((strip.place(low) - 0.5, strip.place(high) + 0.5), 2, axis=1)
        return [marks.Band(np.column_stack((rows.tops - 0.5, rows.tops + 0.5)).ravel(), left, right, thin, True)]
    zero, ends = strip.place(0.0), strip.place(shares)
    places = (values.tolist() for values in (np.minimum(ends, zero), rows.tops, np.abs(ends - zero), rows.heights))
    bars = zip(*places, rows.colors, strict=True)
    return [marks.Rectangle(left, top, wide, tall, color) for left, top, wide, tall, color in bars]


def _terms(encoding: Encoding, cursor: Cursor) -> Floats:
    # Where hands turn evenly, t changes none of them.
    return _kept_terms(encoding, 0.0 if encoding.is_shift_invariant else cursor.position, cursor.offset)


_kept_terms = lru_cache(maxsize=2)(dot_terms)
