"""The two cursors across the waves, solid at t and dashed at t + k, with their values."""

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.cursor_values import cursor_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.plotting import marks, number_text
from pe_desktop.plotting.hand_text import part_names, value_text
from pe_desktop.plotting.theme import Theme, with_alpha
from pe_desktop.plotting.typefaces import text_width
from pe_desktop.plotting.waves_layout import TOP, WavesLayout
from pe_desktop.plotting.waves_picture import MIDDLING_ROW, flag_width

FLAG_HEIGHT = 18.0
FLAG_TOP = 3.0
VALUE_DIGITS = 2
NAME_LEFT, NOW_RIGHT = 12.0, 70.0
# Shares of the limit that are drawn.
MOST_BEYOND = 1.1


def cursor_picture(
    layout: WavesLayout, encoding: Encoding, shown: list[int], cursor: Cursor, theme: Theme
) -> marks.Picture:
    """Lines, flags, dots on the curves and the numbers beside them."""
    later = cursor.position + cursor.offset
    hands, limit, count = (
        cursor_hands(encoding, cursor.position, cursor.offset, shown),
        encoding.value_limit,
        n_hands(encoding),
    )
    picture: list[marks.Mark] = []
    places = ((cursor.position, True), (later, False))
    for position, is_now in reversed(places):
        picture += _line(layout, position, is_now, theme)
    for row, pair in enumerate(shown):
        color = theme.pair_color(pair, count)
        for (position, is_now), values in zip(reversed(places), hands[::-1, row] / limit, strict=True):
            picture += _dots(layout, row, position, values.tolist(), is_now, color, theme)
        picture += _numbers(layout, row, hands[:, row], part_names(encoding, pair), limit, theme)
    return (*picture, *_flags(layout, cursor, encoding.n_positions, theme))


def preview_picture(layout: WavesLayout, position: float | None, theme: Theme) -> marks.Picture:
    """The light cursor under the pointer."""
    if position is None or not _is_seen(layout, position):
        return ()
    x = layout.x(position)
    return (marks.Segments(np.array([[x, TOP, x, layout.bottom]]), with_alpha(theme.text3, 0.55)),)


def _is_seen(layout: WavesLayout, position: float) -> bool:
    return layout.span.first <= position <= layout.span.last


def _line(layout: WavesLayout, position: float, is_now: bool, theme: Theme) -> list[marks.Mark]:
    if not _is_seen(layout, position):
        return []
    x = layout.x(position)
    line = np.array([[x, FLAG_TOP + FLAG_HEIGHT, x, layout.bottom]])
    return [marks.Segments(line, theme.ink, 2.0 if is_now else 1.2, () if is_now else (4.0, 3.0))]


def _dots(
    layout: WavesLayout, row: int, position: float, values: list[float], is_now: bool, color: QColor, theme: Theme
) -> list[marks.Mark]:
    if not _is_seen(layout, position):
        return []
    dots: list[marks.Mark] = []
    size = 1.0 if layout.row_height >= MIDDLING_ROW else 0.6
    for value, radius in ((values[1], 3.6 * size), (values[0], 5.0 * size)):
        # A hand may lack its second column, and a random value may lie beyond the limit.
        if not abs(value) <= MOST_BEYOND:
            continue
        center = np.array([[layout.x(position), layout.row_middle(row) - layout.amplitude * value]])
        if is_now:
            dots.append(marks.Dots(center, radius + 0.8, color, theme.panel, 1.6))
        else:
            dots.append(marks.Dots(center, radius, theme.panel, color, 1.6))
    return dots


def _numbers(
    layout: WavesLayout, row: int, hands: marks.Points, names: tuple[str, str], limit: float, theme: Theme
) -> list[marks.Mark]:
    if layout.row_height < MIDDLING_ROW / 2:
        return []
    is_tight = layout.row_height < MIDDLING_ROW * 0.75
    middle = layout.row_middle(row)
    lines = ((names[0], 0, 0.0),) if is_tight or not names[1] else ((names[0], 0, -8.5), (names[1], 1, 8.5))
    numbers: list[marks.Mark] = []
    widest = _widest(limit)
    for name, axis, down in lines:
        now, later = (value_text(float(hands[place, axis]), limit, VALUE_DIGITS) for place in (0, 1))
        y = middle + down
        # Of "dim 16" the number is enough here, where the row has it on its left.
        label = name.removeprefix("dim ")
        if text_width("tick", label) + widest + 3.0 <= NOW_RIGHT - NAME_LEFT:
            numbers.append(marks.Text(layout.right + NAME_LEFT, y, label, "tick", theme.text2))
        numbers.append(marks.Text(layout.right + NOW_RIGHT, y, now, "flag", theme.text, across=1.0))
        numbers.append(marks.Text(layout.right + 118.0, y, later, "tick", theme.text2, across=1.0))
    return numbers


@lru_cache(maxsize=8)
def _widest(limit: float) -> float:
    return text_width("flag", value_text(-limit, limit, VALUE_DIGITS))


def _flags(layout: WavesLayout, cursor: Cursor, n_positions: int, theme: Theme) -> list[marks.Mark]:
    later = cursor.position + cursor.offset
    now_label = _arrowed(f"t = {number_text.position(cursor.position)}", layout, cursor.position)
    outside = "" if 0 <= later <= n_positions - 1 else ", outside N"
    later_label = _arrowed(f"t + k = {number_text.position(later)}{outside}", layout, later)
    goes_forward = cursor.offset >= 0
    now_width, later_width = flag_width(now_label), flag_width(later_label)
    now_left = _flag_left(layout, cursor.position, now_width, leans_left=goes_forward)
    later_left = _flag_left(layout, later, later_width, leans_left=not goes_forward)
    if now_left < later_left + later_width + 4.0 and later_left < now_left + now_width + 4.0:
        now_left, later_left = _parted(layout, now_left, now_width, later_left, later_width, goes_forward)
    return [
        *_flag(now_left, now_width, now_label, theme.ink, None, theme.ink_on),
        *_flag(later_left, later_width, later_label, theme.panel, theme.ink, theme.text),
    ]


def _arrowed(label: str, layout: WavesLayout, position: float) -> str:
    if position < layout.span.first:
        return f"‹ {label}"
    return f"{label} ›" if position > layout.span.last else label


def _flag_left(layout: WavesLayout, position: float, width: float, leans_left: bool) -> float:
    x = layout.x(min(max(position, layout.span.first), layout.span.last))
    wanted = x - width + 6.0 if leans_left else x - 6.0
    return min(max(wanted, layout.left - 6.0), layout.right + 6.0 - width)


def _parted(
    layout: WavesLayout, now_left: float, now_width: float, later_left: float, later_width: float, goes_forward: bool
) -> tuple[float, float]:
    # The flag of t stays on its line; the other stands on the side it belongs to, or on the inner one at the edge.
    after, before = now_left + now_width + 4.0, now_left - later_width - 4.0
    fits_after = after + later_width <= layout.right + 6.0
    fits_before = before >= layout.left - 6.0
    if not fits_after and not fits_before:
        over = max(after + later_width - layout.right - 6.0, 0.0)
        return max(now_left - over, 0.0), max(now_left - over, 0.0) + now_width + 4.0
    goes_after = fits_after if goes_forward else not fits_before
    return now_left, after if goes_after else before


def _flag(
    left: float, width: float, label: str, fill: QColor, outline: QColor | None, ink: QColor
) -> tuple[marks.Mark, ...]:
    box = marks.Box(left, FLAG_TOP, width, FLAG_HEIGHT, fill, outline, radius=FLAG_HEIGHT / 2, outline_width=1.3)
    return (box, marks.Text(left + width / 2, FLAG_TOP + FLAG_HEIGHT / 2, label, "flag", ink, across=0.5))
