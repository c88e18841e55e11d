"""The strip beside the matrix: the vector p_t as bars, with marks at p_{t+k}."""

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.cursor_values import cursor_values
from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.plotting import marks
from pe_desktop.plotting.formula import formula_runs
from pe_desktop.plotting.hand_text import limit_texts
from pe_desktop.plotting.matrix_layout import STRIP_GAP, STRIP_MARGIN, MatrixLayout, RowOrder
from pe_desktop.plotting.number_text import position as position_text
from pe_desktop.plotting.theme import Theme, mixed
from pe_desktop.plotting.typefaces import text_width

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
        picture.append(marks.Box(left, top + gap / 2, right - left, bottom - top - gap, colors[row - rows.start]))
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
