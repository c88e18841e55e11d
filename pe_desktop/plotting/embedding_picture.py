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

    Where the matrix is transposed there is no strip; while other words stand over the plot there is no sentence.
    """
    sentence = _sentence_picture(layout, order.encoding, cursor, theme) if has_room else ()
    return sentence if layout.is_transposed else (*sentence, *_strip(layout, order, cursor, theme))


def _strip(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    rows, limit = rows_seen(layout, order), sum_limit(order.encoding)
    x = embedding(order.encoding.d_model)
    total = x + cursor_values(order.encoding, cursor.position, cursor.offset)[0]
    heading = heading_picture(layout, f"x + p_{{{position(cursor.position)}}}", theme)
    if layout.row_pixels < THINNEST_BAR:
        return (heading, *strip_envelope(layout, order, np.stack((total, x)) / limit, rows, theme))
    return (heading, *_bars(layout, order, np.stack((x, total)) / limit, rows, theme))


def _sentence_picture(layout: MatrixLayout, encoding: Encoding, cursor: Cursor, theme: Theme) -> marks.Picture:
    """How the lengths of x and x + p_t compare, over the plot; as much of it as there is room for."""
    room = layout.right - layout.left
    sentences = sum_sentences(encoding, cursor)
    words = next((some for some in sentences if text_width("tick", some) <= room), sentences[-1])
    return (marks.Text(layout.left, 11.0, words, "tick", theme.text2),)


def sum_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """The sentence, from its longest to its shortest form."""
    now = embedding_sum(cursor_values(encoding, cursor.position, cursor.offset)[0])
    last, last_position = last_embedding_sum(encoding), whole(encoding.n_positions - 1)
    verdict = f"at t = {last_position} the encoding is {_times(last.ratio)} the embedding"
    here = f"|x| / |x + PE| is {_share(now)} at t = {position(cursor.position)}"
    there = f"{_share(last)} at t = {last_position}"
    return f"{here}, {there}: {verdict}", f"{here}, {there}", verdict, f"|x| / |x + PE| = {_share(now)}"


def _share(lengths: EmbeddingSum) -> str:
    return short(lengths.share, 2)


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
