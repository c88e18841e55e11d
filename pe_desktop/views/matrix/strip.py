"""The strip beside the matrix: the vector at t, alone or added to an embedding, or what hands add to a dot product."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import MISSING, n_hands
from pe_desktop.core.cursor import Cursor, cursor_values
from pe_desktop.core.embedding_sum import EmbeddingSum, embedding, embedding_sum, last_embedding_sum, turned_by
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.lags import squared_norm
from pe_desktop.core.similarity import dot_terms, similarity_pair, turns_alike
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import limit_texts
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import Axis, Tick
from pe_desktop.draw.theme import Theme, mixed
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.views.matrix.layout import STRIP_MARGIN, MatrixLayout, RowOrder

# Thinner bars than this run together: an area from the least to the greatest value in each pixel takes their place.
_THINNEST_BAR: Final = 2.0
# Of a bar that the edge of the plot cuts off so much is seen at least.
_LOWEST_BAR: Final = 0.5
_SECOND_ALPHA: Final = 0.55
_HEADING_PIXELS, _LONG_HEADING_PIXELS, _HEADING_ROOM = 16, 13, 70.0
# So much of the share of the limit is seen of values that are all alike.
_THINNEST_ENVELOPE: Final = 0.04


@lru_cache(maxsize=4)
def _term_limit(encoding: Encoding) -> float:
    """A squared length of a hand where all are turned alike, else the most that two columns can add."""
    pairs = encoding.pairs
    if pairs is not None and turns_alike(encoding):
        return squared_norm(pairs) / pairs.count
    return 2 * encoding.value_limit**2


def strip_limit(state: State) -> float:
    """As far as the strip reaches to both sides of 0: for x + p_t in whole numbers."""
    encoding, matrix = state.encoding, state.views.matrix
    if matrix.shows_terms:
        return _term_limit(encoding)
    if not matrix.adds_embedding:
        return encoding.value_limit
    return math.ceil(encoding.value_limit + float(np.abs(embedding(encoding.d_model)).max()))


def strip_frame_picture(layout: MatrixLayout, limit: float, theme: Theme) -> marks.Picture:
    """The three lines at 0 and at the limit to both sides, with their numbers."""
    strip, (low, high), room = layout.strip, limit_texts(limit), STRIP_MARGIN - 1.0
    ticks = Tick(-1.0, low), Tick(0.0, "0"), Tick(1.0, high)
    # Long numbers end at the edge of the box, and begin as far from the numbers of the positions.
    labels = strip.labels(ticks, theme, 14.0, before=room, after=room)
    return (strip.grid(ticks, theme), strip.line(0.0, theme.axis), *labels)


def strip_picture(state: State, layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Picture:
    """What the strip shows of the rows that are seen, with its name over it and, where it is a sum, a word below."""
    encoding, cursor, matrix = state.encoding, state.cursor, state.views.matrix
    if matrix.shows_terms:
        return _terms_picture(layout, encoding, cursor, theme)
    rows = _rows_seen(order, layout.row_axis, theme)
    now, later = cursor_values(encoding, cursor.position, cursor.offset)
    heading, caption = f"p_{{{position_text(cursor.position)}}}", list[marks.Mark]()
    behind, front, limit = later, now, strip_limit(state)
    if matrix.adds_embedding:
        caption = [_caption(layout, f"PE is {_percent(embedding_sum(now))}", theme)]
        behind = embedding(encoding.d_model)
        heading, front = f"x + {heading}", behind + now
    shares = [part[rows.dimensions] / limit for part in (behind, front)]
    if limit != 1:
        # Bars end at the limit: random values lie beyond it now and then.
        shares = [np.clip(part, -1.0, 1.0) for part in shares]
    bars = _vector_marks(layout.strip, rows, shares, theme, is_sum=matrix.adds_embedding)
    return (_heading(layout, heading, theme), *caption, *bars)


def strip_sentences(state: State) -> tuple[str, ...]:
    """What is said of the strip, from its longest to its shortest form; nothing of the vector alone."""
    encoding, cursor, matrix = state.encoding, state.cursor, state.views.matrix
    if matrix.shows_terms:
        return terms_sentences(encoding, cursor)
    return sum_sentences(encoding, cursor) if matrix.adds_embedding else ()


def sum_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """How the lengths of x and p_t compare, from its longest to its shortest form."""
    vector = cursor_values(encoding, cursor.position, cursor.offset)[0]
    now = embedding_sum(vector)
    last, t, last_t = last_embedding_sum(encoding), position_text(cursor.position), whole(encoding.n_positions - 1)
    times, last_times = f"{short(now.ratio, 2)} times", f"{short(last.ratio, 2)} times"
    short_form = f"PE is {times} as long as x"
    here = f"{short_form} at t = {t}"
    both = f"{here} and at t = {last_t}" if times == last_times else f"{here}, {last_times} at t = {last_t}"
    angles = [fixed(turned_by(vector, is_scaled=is_scaled), 1) for is_scaled in (True, False)]
    turned, bare = f"x + PE is turned from x by {angles[0]}°", f"without the factor √d_model by {angles[1]}°"
    lengths = f"|x| = {short(now.embedding)}, seeded, |PE| = {short(now.encoding)}"
    return (
        f"{both}; {lengths}, {_percent(now)} of |x| + |PE|; {turned}, {bare}",
        f"{turned}, {bare}; {lengths}; {here}",
        f"{turned}, {bare}; {lengths}",
        f"{turned}; {lengths}",
        both,
        short_form,
    )


def terms_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """What the terms add up to, from its longest to its shortest form; the dot product is that of Similarity."""
    total, dot = _sums(encoding, cursor)
    count = n_hands(encoding)
    t, s = position_text(cursor.position), position_text(cursor.position + cursor.offset)
    noun = "hand" if encoding.pairs is not None else "pair of columns"
    many = "hands" if encoding.pairs is not None else "pairs of columns"
    who = f"{whole(count)} {many} add" if count > 1 else f"The only {noun} adds"
    sum_of = f"Σ = {short(total, 8)}"
    off = f"p({t}) · p({s}) of the table differs by {short(abs(total - dot), 2)}"
    return f"{who} up to {sum_of}; {off}", f"{sum_of}; {off}", sum_of


def terms_lines(encoding: Encoding, cursor: Cursor) -> list[str]:
    """The terms with all digits, their sum, and the dot product of the table."""
    total, dot = _sums(encoding, cursor)
    lines = [f"hand {hand}\t{term!r}" for hand, term in enumerate(_terms(encoding, cursor).tolist())]
    return [*lines, f"sum\t{total!r}", f"dot of the table\t{dot!r}", f"difference\t{total - dot!r}"]


def _percent(lengths: EmbeddingSum) -> str:
    return f"{short(100 * lengths.share, 3)} %"


def _heading(layout: MatrixLayout, formula: str, theme: Theme) -> marks.FormulaText:
    is_long = formula_runs(formula, _HEADING_PIXELS)[1] > _HEADING_ROOM
    pixels = _LONG_HEADING_PIXELS if is_long else _HEADING_PIXELS
    return marks.FormulaText(layout.strip.place(0.0), 10.0, formula, pixels, theme.text, across=0.5)


def _caption(layout: MatrixLayout, words: str, theme: Theme) -> marks.Text:
    return marks.Text(layout.strip.place(0.0), layout.area.bottom + 27.0, words, "tick", theme.text2, across=0.5)


class _Rows(NamedTuple):
    """The rows that are seen: their columns of the table, upper edges and heights in pixels, colours of their hands.

    pixel_rows: where rows are too thin for bars, the first of them in each row of pixels, and the middles of those.
    """

    dimensions: Integers
    tops: Floats
    heights: Floats
    colors: list[QColor]
    pixel_rows: tuple[Integers, Floats] | None = None


# They stay while t moves.
@lru_cache(maxsize=4)
def _rows_seen(order: RowOrder, axis: Axis, theme: Theme) -> _Rows:
    rows = np.arange(max(math.floor(axis.first), 0), min(math.ceil(axis.last), order.n_rows))
    tall = axis.length / (axis.last - axis.first)
    if tall < _THINNEST_BAR:
        pixels = np.clip(((rows + 0.5 - axis.first) * tall).astype(np.int64), 0, None)
        firsts = np.flatnonzero(np.diff(pixels, prepend=-1))
        middles = np.asarray(axis.area.y + pixels[firsts] + 0.5, dtype=np.float64)
        return _Rows(order.dimensions[rows], middles, middles, [], (firsts, middles))
    tops, ends = np.clip(axis.place(np.stack((rows, rows + 1.0))), axis.area.y, axis.area.bottom)
    gap = 1.0 if tall > 5.0 else 0.0
    tops, heights = tops + gap / 2, ends - tops - gap
    is_seen = heights >= _LOWEST_BAR
    rows = rows[is_seen]
    return _Rows(order.dimensions[rows], tops[is_seen], heights[is_seen], _row_colors(order, rows, theme))


def _row_colors(order: RowOrder, rows: Integers, theme: Theme) -> list[QColor]:
    """The colour of the hand of every row, paler for its second column."""
    owners, count = order.owners[rows], len(order.hands)
    is_first = order.hands[owners, 0] == order.dimensions[rows]
    own = {pair: theme.pair_color(pair, count) for pair in set(owners.tolist())}
    faint = {pair: mixed(color, theme.panel, _SECOND_ALPHA) for pair, color in own.items()}
    return [(own if first else faint)[pair] for pair, first in zip(owners.tolist(), is_first.tolist(), strict=True)]


def _vector_marks(
    strip: Axis, rows: _Rows, shares: Sequence[Floats], theme: Theme, *, is_sum: bool
) -> list[marks.Mark]:
    """Bars of the second vector, marks of the first one; of a sum bars of both, the first over the second."""
    (behind, front), tops, heights = shares, rows.tops, rows.heights
    if rows.pixel_rows is not None:
        return [
            _envelope(strip, rows.pixel_rows, some, color)
            for some, color in ((behind, theme.axis), (front, theme.text2))
        ]
    if is_sum:
        half, grey = heights / 2, [theme.axis] * len(rows.colors)
        return [*_bars(strip, behind, tops, half, grey), *_bars(strip, front, tops + half, half, rows.colors)]
    places = strip.place(behind)
    dashes = marks.Segments(np.array((places, tops, places, tops + heights)).T, theme.ink, 2.0)
    return [*_bars(strip, front, tops, heights, rows.colors), dashes]


def _terms_picture(layout: MatrixLayout, encoding: Encoding, cursor: Cursor, theme: Theme) -> marks.Picture:
    """A bar for each hand, the fastest on top, in its colour; the line is their sum so far, up to n times the limit."""
    terms, limit, strip = _terms(encoding, cursor), _term_limit(encoding), layout.strip
    count = len(terms)
    axis = replace(layout.row_axis, first=0.0, last=float(count))
    rows = _rows_seen(_one_row_each(count), axis, theme)
    shares = np.clip(terms / limit, -1.0, 1.0)
    if rows.pixel_rows is not None:
        bars = [_envelope(strip, rows.pixel_rows, shares, theme.axis)]
    else:
        bars = _bars(strip, shares, rows.tops, rows.heights, rows.colors)
    sums = np.concatenate([[0.0], np.cumsum(terms)]) / (limit * count)
    # The running sum moves at the middle of each bar.
    down = np.concatenate([[0.0], np.repeat(np.arange(count) + 0.5, 2), [float(count)]])
    return (
        _heading(layout, "cos(kω_i)" if limit == 1 and turns_alike(encoding) else "p_t p_{t+k}", theme),
        *bars,
        marks.Polyline(np.column_stack((strip.place(np.repeat(sums, 2)), axis.place(down))), theme.ink, 1.6),
        _caption(layout, f"Σ to ±{short(limit * count)}", theme),
    )


def _bars(strip: Axis, shares: Floats, tops: Floats, heights: Floats, colors: list[QColor]) -> list[marks.Mark]:
    """Bars from 0 to shares of the limit."""
    zero, ends = strip.place(0.0), strip.place(shares)
    places = (values.tolist() for values in (np.minimum(ends, zero), tops, np.abs(ends - zero), heights))
    return [
        marks.Rectangle(left, top, wide, tall, color)
        for left, top, wide, tall, color in zip(*places, colors, strict=True)
    ]


def _envelope(strip: Axis, pixel_rows: tuple[Integers, Floats], shares: Floats, color: QColor) -> marks.Mark:
    """From the least to the greatest share of the limit in each row of pixels."""
    firsts, y = pixel_rows
    low, high = np.minimum.reduceat(shares, firsts), np.maximum.reduceat(shares, firsts)
    room = _THINNEST_ENVELOPE / 2 * (high - low < _THINNEST_ENVELOPE)
    left, right = np.repeat((strip.place(low - room) - 0.5, strip.place(high + room) + 0.5), 2, axis=1)
    return marks.Band(np.column_stack((y - 0.5, y + 0.5)).ravel(), left, right, color, True)


@lru_cache(maxsize=2)
def _one_row_each(count: int) -> RowOrder:
    """The order in which each hand has one row."""
    hands = np.column_stack((np.arange(count), np.full(count, MISSING)))
    return RowOrder(hands.tobytes(), ("", ""), 0, count)


def _terms(encoding: Encoding, cursor: Cursor) -> Floats:
    # Where hands turn evenly, t changes none of them.
    return _kept_terms(encoding, 0.0 if turns_alike(encoding) else cursor.position, cursor.offset)


_kept_terms = lru_cache(maxsize=2)(dot_terms)


def _sums(encoding: Encoding, cursor: Cursor) -> tuple[float, float]:
    """The sum of the terms, and the dot product of the table."""
    dot = _kept_dot(encoding, "dot", cursor.position, cursor.position + cursor.offset)
    return float(_terms(encoding, cursor).sum()), dot


_kept_dot = lru_cache(maxsize=2)(similarity_pair)
