"""The strip beside the matrix as x + p_t: what adding the encoding makes of a token's embedding."""

import math

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.cursor_values import cursor_values
from pe_desktop.core.embedding_sum import EmbeddingSum, embedding, embedding_sum, last_embedding_sum
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.plotting import marks
from pe_desktop.plotting.matrix_layout import MatrixLayout, RowOrder
from pe_desktop.plotting.number_text import position, short, whole
from pe_desktop.plotting.strip_picture import (
    THINNEST_BAR,
    heading_picture,
    row_colors,
    rows_seen,
    strip_envelope,
    strip_x,
)
from pe_desktop.plotting.theme import Theme
from pe_desktop.plotting.typefaces import text_width


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
    return (heading, caption, *_bars(layout, order, np.stack((x, total)) / limit, rows, theme))


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


def _bars(layout: MatrixLayout, order: RowOrder, shares: Floats, rows: range, theme: Theme) -> list[marks.Mark]:
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
            picture.append(marks.Box(left, top + gap / 2 + place * tall, width, tall, fill))
    return picture
