"""The strip beside the matrix: what each hand adds to the dot product of t and t + k, and their running sum."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Final, cast

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import squared_norm
from pe_desktop.core.similarity import dot_terms, similarity_pair, turns_alike
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.matrix.layout import WORDS_BELOW, MatrixLayout

# Thinner bars than this run together: lines at the least and the greatest term in each pixel take their place.
_THINNEST_BAR: Final = 2.0
_HEADING_PIXELS: Final = 16


@lru_cache(maxsize=4)
def term_limit(encoding: Encoding) -> float:
    """As far as the strip reaches to both sides of 0: a squared length of a hand, else the most of two columns."""
    if turns_alike(encoding):
        return squared_norm(encoding.pairs) / encoding.pairs.count if encoding.pairs is not None else 1.0
    return 2 * encoding.value_limit**2


def terms_picture(layout: MatrixLayout, encoding: Encoding, cursor: Cursor, theme: Theme) -> marks.Picture:
    """A bar for each hand, the fastest on top, in its colour; the line is their sum so far, up to n times the limit."""
    terms, limit, area = _terms(encoding, cursor), term_limit(encoding), layout.area
    left, right = layout.strip
    middle, half = (left + right) / 2, (right - left) / 2
    sums = np.concatenate([[0.0], np.cumsum(terms)])
    edges = np.linspace(area.y, area.bottom, len(terms) + 1)
    ends = middle + half * np.clip(terms / limit, -1.0, 1.0)
    formula = "cos(kω_i)" if limit == 1 and turns_alike(encoding) else "p_t p_{t+k}"
    return (
        marks.FormulaText(middle, 10.0, formula, _HEADING_PIXELS, theme.text, across=0.5),
        *_bars(ends, edges, middle, theme),
        marks.Polyline(_stairs(middle + half * sums / (limit * len(terms)), edges), theme.ink, 1.6),
        marks.Text(middle, area.bottom + 27.0, f"Σ to ±{short(limit * len(terms))}", "tick", theme.text2, across=0.5),
    )


def _bars(ends: Floats, edges: Floats, zero: float, theme: Theme) -> list[marks.Mark]:
    heights, count = np.diff(edges), len(ends)
    if heights[0] < _THINNEST_BAR:
        starts = np.flatnonzero(np.diff(np.floor(edges[:-1]), prepend=-1.0))
        low, high = np.minimum.reduceat(ends, starts), np.maximum.reduceat(ends, starts)
        rows = np.floor(edges[starts]) + 0.5
        return [marks.Segments(np.column_stack((low - 0.5, rows, high + 0.5, rows)), theme.axis)]
    gap = 1.0 if heights[0] > 5.0 else 0.0
    return [
        marks.Rectangle(min(zero, end), top + gap / 2, abs(end - zero), tall - gap, theme.pair_color(hand, count))
        for hand, (end, top, tall) in enumerate(zip(ends.tolist(), edges.tolist(), heights.tolist(), strict=False))
    ]


def _stairs(sums: Floats, edges: Floats) -> marks.Points:
    """The running sum as a line: it moves at the middle of each bar, shape (2 n + 2, 2)."""
    middles = (edges[:-1] + edges[1:]) / 2
    down = np.concatenate([[edges[0]], np.repeat(middles, 2), [edges[-1]]])
    return np.column_stack((np.repeat(sums, 2), down))


def terms_sentence_picture(
    layout: MatrixLayout, encoding: Encoding, cursor: Cursor, room: float, theme: Theme
) -> marks.Picture:
    """What the terms add up to, as much of it as there is room for: over the plot, or under it."""
    y = layout.area.bottom + WORDS_BELOW if layout.is_transposed else 11.0
    words = next((some for some in _terms_sentences(encoding, cursor) if text_width("tick", some) <= room), "")
    return (marks.Text(layout.area.x, y, words, "tick", theme.text2),) if words else ()


def _terms_sentences(encoding: Encoding, cursor: Cursor) -> tuple[str, ...]:
    """The sentence, from its longest to its shortest form; the dot product is that of Similarity, of table values."""
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


def terms_place(layout: MatrixLayout, encoding: Encoding, cursor: Cursor) -> Place:
    """The strip, with the sum."""
    left, right = layout.strip
    area = Area(left, layout.area.y, right - left, layout.area.height)
    return Place("running sum", area, _terms_sentences(encoding, cursor)[0])


def _terms(encoding: Encoding, cursor: Cursor) -> Floats:
    # Where hands turn evenly, t changes none of them.
    position = 0.0 if turns_alike(encoding) else cursor.position
    return _kept_terms(cast("Hashable", encoding), position, cursor.offset)


_kept_terms = lru_cache(maxsize=2)(dot_terms)


def _sums(encoding: Encoding, cursor: Cursor) -> tuple[float, float]:
    """The sum of the terms, and the dot product of the table."""
    dot = _kept_dot(encoding, "dot", cursor.position, cursor.position + cursor.offset)
    return float(_terms(encoding, cursor).sum()), dot


_kept_dot = lru_cache(maxsize=2)(similarity_pair)
