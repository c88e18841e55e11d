"""The strip of the vector at t, alone or added to an embedding."""

import math
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor, cursor_values
from pe_desktop.core.embedding_sum import EmbeddingSum, embedding, embedding_sum, last_embedding_sum
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import limit_texts
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.theme import Theme, mixed
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.views.matrix.layout import STRIP_GAP, STRIP_MARGIN, MatrixLayout, RowOrder

# Thinner bars than this run together: lines at the least and greatest value in each pixel take their place.
THINNEST_BAR = 2.0
COSINE_ALPHA = 0.55
HEADING_PIXELS = 16


def strip_frame_picture(layout: MatrixLayout, limit: float, theme: Theme) -> marks.Picture:
    """The three lines at 0 and at the limit to both sides, with their numbers."""
    if layout.is_transposed:
        return ()
    low, high = limit_texts(limit)
    lines = np.array([[x, layout.top, x, layout.bottom] for x in (strip_x(layout, share) for share in (-1, 0, 1))])
    # Long numbers end at the edge of the panel, and begin as far from the numbers of the positions.
    room = 2 * (STRIP_MARGIN - 1.0)
    is_long = text_width("tick", high) > room
    labels = []
    for (x, *_), text, side in zip(lines.tolist(), (low, "0", high), (-1, 0, 1), strict=True):
        across = 0.5 + 0.5 * side if is_long else 0.5
        place = x + side * room / 2 if is_long else x
        labels.append(marks.Text(place, layout.bottom + 14.0, text, "tick", theme.text3, across=across))
    return (marks.Segments(lines, theme.grid), marks.Segments(lines[1:2], theme.axis), *labels)


def strip_picture(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The bars of p_t and the marks of p_{t+k} for the rows that are seen; nothing while the matrix is transposed.

    Bars end at the limit: random values lie beyond it now and then.
    """
    if layout.is_transposed:
        return ()
    rows, shares = rows_seen(layout, order), _shares(order, cursor)
    heading = heading_picture(layout, f"p_{{{position_text(cursor.position)}}}", theme)
    if layout.row_pixels < THINNEST_BAR:
        return (heading, *strip_envelope(layout, order, shares, rows, theme))
    return (heading, *_bars(layout, order, shares, rows, theme))


def rows_seen(layout: MatrixLayout, order: RowOrder) -> range:
    """The rows of the table that are seen, in whole or in part."""
    first = max(int(np.floor(layout.rows.first)), 0)
    return range(first, min(int(np.ceil(layout.rows.last)), order.n_rows))


def strip_x(layout: MatrixLayout, share: float) -> float:
    """The pixel of a share of the limit."""
    left, right = layout.right + STRIP_GAP, layout.width - STRIP_MARGIN
    return left + (share + 1.0) / 2.0 * (right - left)


def _shares(order: RowOrder, cursor: Cursor) -> Floats:
    """The vectors p_t and p_{t+k} as shares of the limit, shape (2, d_model)."""
    values, limit = cursor_values(order.encoding, cursor.position, cursor.offset), order.encoding.value_limit
    return values if limit == 1 else np.clip(values / limit, -1.0, 1.0)


def heading_picture(layout: MatrixLayout, formula: str, theme: Theme) -> marks.FormulaText:
    """The name of the vector over the strip."""
    is_wide = formula_runs(formula, HEADING_PIXELS)[1] > 60.0
    return marks.FormulaText(
        strip_x(layout, 0.0), 10.0, formula, 13 if is_wide else HEADING_PIXELS, theme.text, across=0.5
    )


def _bars(layout: MatrixLayout, order: RowOrder, shares: Floats, rows: range, theme: Theme) -> list[marks.Mark]:
    dimensions = [order.dimension(row) for row in rows]
    now, later = shares[:, dimensions].tolist()
    zero, gap = strip_x(layout, 0.0), 1.0 if layout.row_pixels > 5.0 else 0.0
    picture: list[marks.Mark] = []
    dashes = []
    colors = row_colors(order, rows, theme)
    for row, value, other in zip(rows, now, later, strict=True):
        top, bottom = layout.along_rows(row), layout.along_rows(row + 1)
        top, bottom = max(top, layout.top), min(bottom, layout.bottom)
        if bottom - top < 0.5:
            continue
        end = strip_x(layout, value)
        left, right = min(zero, end), max(zero, end)
        picture.append(marks.Rectangle(left, top + gap / 2, right - left, bottom - top - gap, colors[row - rows.start]))
        dashes.append([strip_x(layout, other), top + gap / 2, strip_x(layout, other), bottom - gap / 2])
    picture.append(marks.Segments(np.array(dashes).reshape(-1, 4), theme.ink, 2.0))
    return picture


def row_colors(order: RowOrder, rows: range, theme: Theme) -> list[QColor]:
    """The colour of the hand of every row, paler for its second column."""
    owners, count = order.pairs_by_row()[rows.start : rows.stop].tolist(), n_hands(order.encoding)
    own = {pair: theme.pair_color(pair, count) for pair in set(owners)}
    faint = {pair: mixed(color, theme.panel, COSINE_ALPHA) for pair, color in own.items()}
    is_sine = [order.rows_of(pair)[0] == row for row, pair in zip(rows, owners, strict=True)]
    return [own[pair] if sine else faint[pair] for pair, sine in zip(owners, is_sine, strict=True)]


def strip_envelope(
    layout: MatrixLayout, order: RowOrder, values: Floats, seen: range, theme: Theme
) -> list[marks.Mark]:
    """The least and greatest share of the limit in each pixel of two vectors, shape (2, d_model), the second behind."""
    columns, starts, y = _pixel_rows(layout, order, seen)
    shown = values[::-1, columns]
    low, high = np.minimum.reduceat(shown, starts, axis=1), np.maximum.reduceat(shown, starts, axis=1)
    room = 0.02 * (high - low < 0.04)
    ends = np.empty((2, len(starts), 4))
    ends[:, :, 0], ends[:, :, 2] = _x_of(layout, low - room), _x_of(layout, high + room)
    ends[:, :, 1] = ends[:, :, 3] = y
    return [marks.Segments(ends[0], theme.axis), marks.Segments(ends[1], theme.text2)]


@lru_cache(maxsize=4)
def _pixel_rows(layout: MatrixLayout, order: RowOrder, seen: range) -> tuple[Integers, Integers, marks.Points]:
    """Which columns of the table are seen, which of them is the first in each row of pixels, and where that lies."""
    rows: Integers = np.arange(seen.start, seen.stop, dtype=np.int64)
    columns = rows
    if order.is_halved and order.encoding.pairs is not None:
        columns = order.encoding.pairs.columns.T.ravel()[rows]
    pixels = np.clip(((rows + 0.5 - layout.rows.first) * layout.row_pixels).astype(np.int64), 0, None)
    starts: Integers = np.flatnonzero(np.diff(pixels, prepend=-1)).astype(np.int64)
    return columns, starts, np.asarray(layout.top + pixels[starts] + 0.5, dtype=np.float64)


def _x_of(layout: MatrixLayout, values: marks.Points) -> marks.Points:
    left, right = layout.right + STRIP_GAP, layout.width - STRIP_MARGIN
    return np.asarray(left + (values + 1.0) / 2.0 * (right - left))


def sum_limit(encoding: Encoding) -> float:
    """As far as x + p_t may reach to both sides of 0, in whole numbers."""
    return math.ceil(encoding.value_limit + float(np.abs(embedding(encoding.d_model)).max()))


def sum_picture(
    layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme, *, has_room: bool = True
) -> marks.Picture:
    """The strip and the sentence: two bars for each row, x above in grey, x + p_t below in the colour of its hand.

    Where the matrix is transposed there is no strip, and the sentence stands under the plot, for badges stand over it;
    while other words stand over the plot there is no sentence.
    """
    y = layout.bottom + 14.0 if layout.is_transposed else 11.0
    sentence = _sentence_picture(layout, y, order.encoding, cursor, theme) if has_room else ()
    return sentence if layout.is_transposed else (*sentence, *_strip(layout, order, cursor, theme))


def _strip(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    rows, limit = rows_seen(layout, order), sum_limit(order.encoding)
    x = embedding(order.encoding.d_model)
    vector = cursor_values(order.encoding, cursor.position, cursor.offset)[0]
    total = x + vector
    heading = heading_picture(layout, f"x + p_{{{position(cursor.position)}}}", theme)
    share = f"PE is {_percent(embedding_sum(vector))}"
    caption = marks.Text(strip_x(layout, 0.0), layout.bottom + 27.0, share, "tick", theme.text2, across=0.5)
    if layout.row_pixels < THINNEST_BAR:
        return (heading, caption, *strip_envelope(layout, order, np.stack((total, x)) / limit, rows, theme))
    return (heading, caption, *_sum_bars(layout, order, np.stack((x, total)) / limit, rows, theme))


def _sentence_picture(
    layout: MatrixLayout, y: float, encoding: Encoding, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """How the lengths of x and p_t compare; as much of it as there is room for."""
    room = layout.right - layout.left
    sentences = sum_sentences(encoding, cursor)
    words = next((some for some in sentences if text_width("tick", some) <= room), sentences[-1])
    return (marks.Text(layout.left, y, words, "tick", theme.text2),)


def sum_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """The sentence, from its longest to its shortest form."""
    now = embedding_sum(cursor_values(encoding, cursor.position, cursor.offset)[0])
    last, last_position = last_embedding_sum(encoding), whole(encoding.n_positions - 1)
    verdict = f"PE is {_times(last.ratio)} the embedding"
    here = f"PE is {_percent(now)} of |x| + |PE| at t = {position(cursor.position)}"
    there = f"{_percent(last)} at t = {last_position}"
    longest, middle = f"{here}, {there}, where {verdict}", f"{here}, {there}"
    return longest, middle, f"at t = {last_position} {verdict}", f"PE is {_percent(now)} of |x| + |PE|"


def _percent(lengths: EmbeddingSum) -> str:
    return f"{short(100 * lengths.share, 3)} %"


def _times(ratio: float) -> str:
    return f"{short(ratio, 2)} times as long as"


def _sum_bars(layout: MatrixLayout, order: RowOrder, shares: Floats, rows: range, theme: Theme) -> list[marks.Mark]:
    zero, gap = strip_x(layout, 0.0), 1.0 if layout.row_pixels > 5.0 else 0.0
    picture: list[marks.Mark] = []
    for row, color in zip(rows, row_colors(order, rows, theme), strict=True):
        top, bottom = max(layout.along_rows(row), layout.top), min(layout.along_rows(row + 1), layout.bottom)
        tall = (bottom - top - gap) / 2
        if tall < 0.25:
            continue
        for place, (share, fill) in enumerate(
            zip(shares[:, order.dimension(row)].tolist(), (theme.axis, color), strict=True)
        ):
            end = strip_x(layout, share)
            left, width = min(zero, end), abs(end - zero)
            picture.append(marks.Rectangle(left, top + gap / 2 + place * tall, width, tall, fill))
    return picture
