"""The strip beside the matrix: the vector p_t as bars, with marks at p_{t+k}."""

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.cursor_values import cursor_values
from pe_desktop.plotting import marks
from pe_desktop.plotting.formula import formula_runs
from pe_desktop.plotting.matrix_layout import STRIP_GAP, STRIP_MARGIN, MatrixLayout, RowOrder
from pe_desktop.plotting.number_text import position as position_text
from pe_desktop.plotting.theme import Theme, mixed

# Thinner bars than this run together: lines at the least and greatest value in each pixel take their place.
THINNEST_BAR = 2.0
COSINE_ALPHA = 0.55
HEADING_PIXELS = 16


def strip_frame_picture(layout: MatrixLayout, theme: Theme) -> marks.Picture:
    """The three lines at -1, 0 and +1 with their numbers."""
    if layout.is_transposed:
        return ()
    places = [(_x(layout, value), label) for value, label in ((-1.0, "−1"), (0.0, "0"), (1.0, "+1"))]
    lines = np.array([[x, layout.top, x, layout.bottom] for x, _ in places])
    labels = [marks.Text(x, layout.bottom + 14.0, text, "tick", theme.text3, across=0.5) for x, text in places]
    return (marks.Segments(lines, theme.grid), marks.Segments(lines[1:2], theme.axis), *labels)


def strip_picture(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The bars of p_t and the marks of p_{t+k} for the rows that are seen; nothing while the matrix is transposed."""
    if layout.is_transposed:
        return ()
    first = max(int(np.floor(layout.rows.first)), 0)
    last = min(int(np.ceil(layout.rows.last)), order.n_rows)
    heading = _heading(layout, cursor, theme)
    if layout.row_pixels < THINNEST_BAR:
        return (heading, *_envelope(layout, order, cursor, first, last, theme))
    return (heading, *_bars(layout, order, cursor, first, last, theme))


def _x(layout: MatrixLayout, value: float) -> float:
    left, right = layout.right + STRIP_GAP, layout.width - STRIP_MARGIN
    return left + (value + 1.0) / 2.0 * (right - left)


def _heading(layout: MatrixLayout, cursor: Cursor, theme: Theme) -> marks.FormulaText:
    formula = f"p_{{{position_text(cursor.position)}}}"
    is_wide = formula_runs(formula, HEADING_PIXELS)[1] > 60.0
    return marks.FormulaText(_x(layout, 0.0), 10.0, formula, 13 if is_wide else HEADING_PIXELS, theme.text, across=0.5)


def _bars(
    layout: MatrixLayout, order: RowOrder, cursor: Cursor, first: int, last: int, theme: Theme
) -> list[marks.Mark]:
    rows = range(first, last)
    dimensions = [order.dimension(row) for row in rows]
    now, later = cursor_values(order.encoding, cursor.position, cursor.offset)[:, dimensions].tolist()
    zero, gap = _x(layout, 0.0), 1.0 if layout.row_pixels > 5.0 else 0.0
    picture: list[marks.Mark] = []
    dashes = []
    colors = _row_colors(order, rows, theme)
    for row, value, other in zip(rows, now, later, strict=True):
        top, bottom = layout.along_rows(row), layout.along_rows(row + 1)
        top, bottom = max(top, layout.top), min(bottom, layout.bottom)
        if bottom - top < 0.5:
            continue
        end = _x(layout, value)
        left, right = min(zero, end), max(zero, end)
        picture.append(marks.Box(left, top + gap / 2, right - left, bottom - top - gap, colors[row - first]))
        dashes.append([_x(layout, other), top + gap / 2, _x(layout, other), bottom - gap / 2])
    picture.append(marks.Segments(np.array(dashes).reshape(-1, 4), theme.ink, 2.0))
    return picture


def _row_colors(order: RowOrder, rows: range, theme: Theme) -> list[QColor]:
    pairs = order.encoding.pairs
    if pairs is None:
        return [theme.text3] * len(rows)
    owners = order.pairs_by_row()[rows.start : rows.stop].tolist()
    own = {pair: theme.pair_color(pair, pairs.count) for pair in set(owners)}
    faint = {pair: mixed(color, theme.panel, COSINE_ALPHA) for pair, color in own.items()}
    is_sine = [order.rows_of(pair)[0] == row for row, pair in zip(rows, owners, strict=True)]
    return [own[pair] if sine else faint[pair] for pair, sine in zip(owners, is_sine, strict=True)]


def _envelope(
    layout: MatrixLayout, order: RowOrder, cursor: Cursor, first: int, last: int, theme: Theme
) -> list[marks.Mark]:
    values = cursor_values(order.encoding, cursor.position, cursor.offset)
    rows = np.arange(first, last)
    if order.is_halved and order.encoding.pairs is not None:
        columns = order.encoding.pairs.columns.T.ravel()[rows]
    else:
        columns = rows
    pixels = np.clip(((rows + 0.5 - layout.rows.first) * layout.row_pixels).astype(np.int64), 0, None)
    starts = np.flatnonzero(np.diff(pixels, prepend=-1))
    y = layout.top + pixels[starts] + 0.5
    picture: list[marks.Mark] = []
    for vector, color, width in ((values[1], theme.axis, 1.0), (values[0], theme.text2, 1.0)):
        low = np.minimum.reduceat(vector[columns], starts)
        high = np.maximum.reduceat(vector[columns], starts)
        middle = np.abs(high - low) < 0.04
        ends = np.column_stack((_x_of(layout, low - 0.02 * middle), y, _x_of(layout, high + 0.02 * middle), y))
        picture.append(marks.Segments(ends, color, width))
    return picture


def _x_of(layout: MatrixLayout, values: marks.Points) -> marks.Points:
    left, right = layout.right + STRIP_GAP, layout.width - STRIP_MARGIN
    return np.asarray(left + (values + 1.0) / 2.0 * (right - left))
