"""The strip beside the matrix: the vector at t, alone or added to an embedding."""

import math
from functools import lru_cache
from typing import overload

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import hand_columns, n_hands
from pe_desktop.core.cursor import Cursor, cursor_values
from pe_desktop.core.embedding_sum import EmbeddingSum, embedding, embedding_sum, last_embedding_sum, turned_by
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import limit_texts
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.theme import Theme, mixed
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.views.matrix.layout import WORDS_BELOW, MatrixLayout, RowOrder

# Thinner bars than this run together: lines at the least and greatest value in each pixel take their place.
_THINNEST_BAR = 2.0
# Of a bar that the edge of the plot cuts off so much is seen at least.
_LOWEST_BAR = 0.5
_COSINE_ALPHA = 0.55
_HEADING_PIXELS = 16


def strip_limit(encoding: Encoding, *, adds_embedding: bool) -> float:
    """As far as the strip reaches to both sides of 0: for x + p_t in whole numbers."""
    if not adds_embedding:
        return encoding.value_limit
    return math.ceil(encoding.value_limit + float(np.abs(embedding(encoding.d_model)).max()))


def strip_frame_picture(layout: MatrixLayout, limit: float, theme: Theme) -> marks.Picture:
    """The three lines at 0 and at the limit to both sides, with their numbers."""
    low, high = limit_texts(limit)
    top, bottom = layout.area.y, layout.area.bottom
    lines = np.array([[x, top, x, bottom] for x in (_x(layout, share) for share in (-1, 0, 1))])
    # Long numbers end at the edge of the box, and begin as far from the numbers of the positions.
    room = 2 * (layout.width - layout.strip[1] - 1.0)
    is_long = text_width("tick", high) > room
    labels = []
    for (x, *_), text, side in zip(lines.tolist(), (low, "0", high), (-1, 0, 1), strict=True):
        across = 0.5 + 0.5 * side if is_long else 0.5
        place = x + side * room / 2 if is_long else x
        labels.append(marks.Text(place, bottom + 14.0, text, "tick", theme.text3, across=across))
    return (marks.Segments(lines, theme.grid), marks.Segments(lines[1:2], theme.axis), *labels)


@lru_cache(maxsize=4)
def strip_picture(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The bars of p_t and the marks of p_{t+k} for the rows that are seen; they stay while other positions are seen.

    Bars end at the limit: random values lie beyond it now and then.
    """
    rows, limit = _rows_seen(layout, order), order.encoding.value_limit
    values = cursor_values(order.encoding, cursor.position, cursor.offset)
    shares = values if limit == 1 else np.clip(values / limit, -1.0, 1.0)
    heading = _heading(layout, f"p_{{{position_text(cursor.position)}}}", theme)
    if layout.row_pixels < _THINNEST_BAR:
        return (heading, *_envelope(layout, order, shares, rows, theme))
    return (heading, *_bars(layout, order, shares, rows, theme))


def sum_picture(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Two bars for each row that is seen, x above in grey, x + p_t below in the colour of its hand."""
    rows, limit = _rows_seen(layout, order), strip_limit(order.encoding, adds_embedding=True)
    x = embedding(order.encoding.d_model)
    vector = cursor_values(order.encoding, cursor.position, cursor.offset)[0]
    total = x + vector
    heading = _heading(layout, f"x + p_{{{position_text(cursor.position)}}}", theme)
    share = f"PE is {_percent(embedding_sum(vector))}"
    caption = marks.Text(_x(layout, 0.0), layout.area.bottom + 27.0, share, "tick", theme.text2, across=0.5)
    if layout.row_pixels < _THINNEST_BAR:
        return (heading, caption, *_envelope(layout, order, np.stack((total, x)) / limit, rows, theme))
    return (heading, caption, *_sum_bars(layout, order, np.stack((x, total)) / limit, rows, theme))


def sum_sentence_picture(
    layout: MatrixLayout, encoding: Encoding, cursor: Cursor, room: float, theme: Theme
) -> marks.Picture:
    """How the lengths of x and p_t compare, as much of it as there is room for.

    Over the plot, where badges stand over it under the plot.
    """
    y = layout.area.bottom + WORDS_BELOW if layout.is_transposed else 11.0
    words = next((some for some in sum_sentences(encoding, cursor) if text_width("tick", some) <= room), "")
    return (marks.Text(layout.area.x, y, words, "tick", theme.text2),) if words else ()


def sum_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """The sentence, from its longest to its shortest form."""
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


def _percent(lengths: EmbeddingSum) -> str:
    return f"{short(100 * lengths.share, 3)} %"


def _rows_seen(layout: MatrixLayout, order: RowOrder) -> range:
    """The rows of the table that are seen, in whole or in part."""
    first = max(int(np.floor(layout.rows.first)), 0)
    return range(first, min(int(np.ceil(layout.rows.last)), order.n_rows))


@overload
def _x(layout: MatrixLayout, share: float) -> float: ...


@overload
def _x(layout: MatrixLayout, share: Floats) -> Floats: ...


def _x(layout: MatrixLayout, share: float | Floats) -> float | Floats:
    """The pixel of a share of the limit, or the pixels of shares."""
    left, right = layout.strip
    return left + (share + 1.0) / 2.0 * (right - left)


def _heading(layout: MatrixLayout, formula: str, theme: Theme) -> marks.FormulaText:
    """The name of the vector over the strip."""
    pixels = 13 if formula_runs(formula, _HEADING_PIXELS)[1] > 60.0 else _HEADING_PIXELS
    return marks.FormulaText(_x(layout, 0.0), 10.0, formula, pixels, theme.text, across=0.5)


def _bars(layout: MatrixLayout, order: RowOrder, shares: Floats, rows: range, theme: Theme) -> list[marks.Mark]:
    """The first of two vectors as bars, the second as marks."""
    dimensions = order.dimensions()[rows.start : rows.stop]
    (tops, heights), colors, zero = _edges(layout, rows), _row_colors(order, rows, theme), sum(layout.strip) / 2
    now, later = _x(layout, shares[:, dimensions])
    lefts, widths = np.minimum(now, zero).tolist(), np.abs(now - zero).tolist()
    picture: list[marks.Mark] = [
        marks.Rectangle(left, top, wide, tall, color)
        for left, top, wide, tall, color in zip(lefts, tops, widths, heights, colors, strict=True)
        if tall >= _LOWEST_BAR
    ]
    tall = np.array(heights)
    dashes = np.empty((len(tall), 4))
    dashes[:, 0] = dashes[:, 2] = later
    dashes[:, 1] = tops
    dashes[:, 3] = dashes[:, 1] + tall
    picture.append(marks.Segments(dashes[tall >= _LOWEST_BAR], theme.ink, 2.0))
    return picture


def _sum_bars(layout: MatrixLayout, order: RowOrder, shares: Floats, rows: range, theme: Theme) -> list[marks.Mark]:
    """Two vectors as bars, one under the other in each row."""
    dimensions = order.dimensions()[rows.start : rows.stop]
    first, second = _x(layout, shares[:, dimensions]).tolist()
    tops, heights = _edges(layout, rows)
    picture: list[marks.Mark] = []
    colors, zero = _row_colors(order, rows, theme), sum(layout.strip) / 2
    for upper, lower, top, tall, color in zip(first, second, tops, heights, colors, strict=True):
        if tall >= _LOWEST_BAR:
            picture.append(_bar(zero, upper, top, tall / 2, theme.axis))
            picture.append(_bar(zero, lower, top + tall / 2, tall / 2, color))
    return picture


# Edges and colours of the rows stay while t moves.
@lru_cache(maxsize=4)
def _edges(layout: MatrixLayout, rows: range) -> tuple[list[float], list[float]]:
    """The upper edge and the height of each row in the plot, with a gap between tall ones."""
    edges = layout.row_axis.place(np.arange(rows.start, rows.stop + 1, dtype=np.float64))
    edges = np.clip(edges, layout.area.y, layout.area.bottom)
    gap = 1.0 if layout.row_pixels > 5.0 else 0.0
    return (edges[:-1] + gap / 2).tolist(), (np.diff(edges) - gap).tolist()


def _bar(zero: float, end: float, y: float, height: float, color: QColor) -> marks.Rectangle:
    return marks.Rectangle(min(zero, end), y, abs(end - zero), height, color)


@lru_cache(maxsize=4)
def _row_colors(order: RowOrder, rows: range, theme: Theme) -> list[QColor]:
    """The colour of the hand of every row, paler for its second column."""
    seen, count = slice(rows.start, rows.stop), n_hands(order.encoding)
    owners = order.pairs_by_row()[seen]
    is_first = hand_columns(order.encoding)[owners, 0] == order.dimensions()[seen]
    own = {pair: theme.pair_color(pair, count) for pair in set(owners.tolist())}
    faint = {pair: mixed(color, theme.panel, _COSINE_ALPHA) for pair, color in own.items()}
    return [(own if first else faint)[pair] for pair, first in zip(owners.tolist(), is_first.tolist(), strict=True)]


def _envelope(layout: MatrixLayout, order: RowOrder, shares: Floats, seen: range, theme: Theme) -> list[marks.Mark]:
    """The least and greatest share of the limit in each pixel of two vectors, shape (2, d_model), the second behind."""
    columns, starts, y = _pixel_rows(layout, order, seen)
    shown = shares[::-1, columns]
    low, high = np.minimum.reduceat(shown, starts, axis=1), np.maximum.reduceat(shown, starts, axis=1)
    room = 0.02 * (high - low < 0.04)
    ends = np.empty((2, len(starts), 4))
    ends[:, :, 0], ends[:, :, 2] = _x(layout, low - room), _x(layout, high + room)
    ends[:, :, 1] = ends[:, :, 3] = y
    return [marks.Segments(ends[0], theme.axis), marks.Segments(ends[1], theme.text2)]


@lru_cache(maxsize=4)
def _pixel_rows(layout: MatrixLayout, order: RowOrder, seen: range) -> tuple[Integers, Integers, marks.Points]:
    """Which columns of the table are seen, which of them is the first in each row of pixels, and where that lies."""
    rows: Integers = np.arange(seen.start, seen.stop, dtype=np.int64)
    pixels = np.clip(((rows + 0.5 - layout.rows.first) * layout.row_pixels).astype(np.int64), 0, None)
    starts: Integers = np.flatnonzero(np.diff(pixels, prepend=-1)).astype(np.int64)
    return order.dimensions()[rows], starts, np.asarray(layout.area.y + pixels[starts] + 0.5, dtype=np.float64)
