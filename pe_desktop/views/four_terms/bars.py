"""Bars of the four terms: how far each ranges over every t at the same k, where its value stands; the key of maps."""

from typing import Final

from pe_desktop.core.scores.term_ranges import Range, TermMaps, TermRanges
from pe_desktop.draw import marks
from pe_desktop.draw.flow import FIT, GROW, Block, Space, in_row, small
from pe_desktop.draw.number_text import fixed, short
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.views.attention.maps import color_key

_BAR_HEIGHT: Final = 9.0
# Values up to here are told with decimals.
MOST_DECIMAL: Final = 1e3


def range_picture(area: Area, theme: Theme, found: Range | None, limit: float) -> marks.Picture:
    """The range as a bar, what is constant as a narrow one, over the line of 0."""
    if found is None:
        return ()
    axis, y = Axis(area, -limit, limit), area.middle[1]
    left, right, zero = axis.place(found.least), axis.place(found.greatest), axis.place(0.0)
    left, right = min(left, (left + right) / 2 - 1.5), max(right, (left + right) / 2 + 1.5)
    return (
        marks.lines((zero, y - 8.5, zero, y + 8.5), theme.text3),
        marks.Rectangle(left, y - _BAR_HEIGHT / 2, right - left, _BAR_HEIGHT, theme.axis, radius=1.5),
    )


def value_picture(area: Area, theme: Theme, value: float | None, limit: float) -> marks.Picture:
    if value is None:
        return ()
    x, y = Axis(area, -limit, limit).place(min(max(value, -limit), limit)), area.middle[1]
    return (marks.lines((x, y - 7.5, x, y + 7.5), theme.ink, 2.0),)


def range_text(ranges: TermRanges | None, term: Range | None) -> str:
    if ranges is None:
        return "…"
    if term is None:
        return "no t with t + k in N"
    if ranges.n_all == 1:
        return "one t only"
    is_plain = 0.1 <= max(map(abs, term)) < MOST_DECIMAL
    ends = [fixed(end, 2) if is_plain else short(end) for end in term]
    return "constant" if term.is_constant else " to ".join(ends)


def maps_key(found: TermMaps | None) -> Block:
    """What stands along the sides of the maps, and their colours."""
    key = Space(17.0) if found is None else color_key((-found.limit, found.limit))
    sides = "down: the word that asks, across: the word that is read"
    words = small(f"{sides}, both in the order of the sentence", sides, "down asks, across is read")
    return in_row((GROW, FIT), words, key)
