"""The similarity map: axes, cursors, read-out."""

import math

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.cursor import Cursor
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, scientific, short, whole
from pe_desktop.draw.plot import position_ticks
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.similarity.layout import SimilarityLayout

OWN_ROWS = "depends on more than the offset"


# A read-out as tall as this has its numbers under each other.
# What the three numbers under each other take, with their names.
READOUT_HEIGHT = 124.0
STACKED = 40.0
# Smaller spreads are told as powers of ten.
SMALLEST_PLAIN = 1e-3
# From here on similarities are told as powers of ten.
LARGEST_PLAIN = 1e6
TITLES = {"dot": "Dot product", "cosine": "Cosine", "distance": "Distance"}
FORMULAS = {
    "dot": "p_{{{a}}} · p_{{{b}}}",
    "cosine": "cos(p_{{{a}}}, p_{{{b}}})",
    "distance": "|p_{{{a}}} − p_{{{b}}}|",
}


def similarity_frame_picture(
    layout: SimilarityLayout, kind: str, limits: tuple[float, float], bar: QImage, n_positions: int, theme: Theme
) -> marks.Picture:
    """Axes of the map and the colour bar."""
    low, high = limits
    area = layout.bar
    ends = [(high, area.y + 4.0), (low, area.y + area.height - 4.0)]
    if low < 0 < high:
        ends.insert(1, (0.0, area.y + area.height / 2))
    numbers = [
        marks.Text(area.x + 16.0, y, _signed(value, is_signed=low < 0), "tick", theme.text2) for value, y in ends
    ]
    title = () if layout.is_wide else (marks.Text(area.x, 10.0, TITLES[kind], "flag", theme.text),)
    return (
        *_map_axes(layout, n_positions, theme),
        marks.Raster(area.x, area.y, area.width, area.height, bar),
        *numbers,
        *title,
    )


def similarity_cursor_picture(
    layout: SimilarityLayout, cursor: Cursor, n_positions: int, theme: Theme
) -> marks.Picture:
    """The line of row t, the dashed diagonal of offset k, the dot at (t, t + k); all cut at the map's edges."""
    area = layout.map
    picture: list[marks.Mark] = []
    if layout.rows.first <= cursor.position <= layout.rows.last:
        y = layout.y(cursor.position)
        line = np.array([[area.x, y, area.x + area.width, y]])
        picture += [marks.Segments(line, theme.panel, 3.0), marks.Segments(line, theme.ink, 1.2)]
    first = max(layout.rows.first, layout.columns.first - cursor.offset)
    last = min(layout.rows.last, layout.columns.last - cursor.offset)
    if last > first:
        ends = [layout.x(first + cursor.offset), layout.y(first), layout.x(last + cursor.offset), layout.y(last)]
        diagonal = np.array([ends])
        picture += [
            marks.Segments(diagonal, theme.panel, 3.4),
            marks.Segments(diagonal, theme.ink, 1.4, (5.0, 3.0)),
        ]
    later = cursor.position + cursor.offset
    seen = layout.columns.first <= later <= layout.columns.last and 0 <= later <= n_positions - 1
    if seen and layout.rows.first <= cursor.position <= layout.rows.last:
        center = np.array([[layout.x(later), layout.y(cursor.position)]])
        picture.append(marks.Dots(center, 6.0, theme.panel, theme.ink, 2.2))
    return tuple(picture)


def similarity_readout_picture(
    layout: SimilarityLayout, kind: str, cursor: Cursor, values: tuple[float, float], spread: float | None, theme: Theme
) -> marks.Picture:
    """The value at (t, t + k), the one at (0, k), and how far the values along that diagonal spread."""
    later = cursor.position + cursor.offset
    first = FORMULAS[kind].format(a=position(cursor.position), b=position(later))
    second = FORMULAS[kind].format(a="0", b=position(cursor.offset))
    numbers = [_value_text(value) for value in values]
    sentence = _spread_sentence(spread)
    area = layout.readout
    if layout.is_wide and area.height > STACKED:
        lines = (f"{first} = {numbers[0]}", f"{second} = {numbers[1]}")
        below = area.y + 62.0
        return (
            marks.FormulaText(area.x, area.y + 12.0, lines[0], 15, theme.text),
            marks.FormulaText(area.x, area.y + 37.0, lines[1], 15, theme.text),
            marks.Text(area.x, below, f"along diagonal {sentence}", "caption", theme.text2),
        )
    if layout.is_wide:
        y = area.y + area.height / 2
        third = area.width / 3
        return (
            marks.FormulaText(area.x, y, f"{first} = {numbers[0]}", 16, theme.text),
            marks.FormulaText(area.x + third * 1.15, y, f"{second} = {numbers[1]}", 16, theme.text),
            marks.Text(area.x + area.width, y, f"along diagonal {sentence}", "caption", theme.text2, across=1.0),
        )
    # Lines move together where the panel is low.
    step = min(area.height / READOUT_HEIGHT, 1.0)
    return (
        marks.FormulaText(area.x, area.y, first, 15, theme.text),
        marks.Text(area.x, area.y + 19.0 * step, numbers[0], "value", theme.text),
        marks.FormulaText(area.x, area.y + 48.0 * step, second, 15, theme.text),
        marks.Text(area.x, area.y + 67.0 * step, numbers[1], "value", theme.text),
        marks.Text(area.x, area.y + 96.0 * step, "along diagonal", "tick", theme.text2),
        marks.Text(area.x, area.y + 113.0 * step, sentence, "flag", theme.text),
    )


def coarse_map_picture(layout: SimilarityLayout, theme: Theme, *, is_coarse: bool) -> marks.Picture:
    """Words in a corner of the map while its colours leave out some of what they cover."""
    if not is_coarse:
        return ()
    left, bottom = layout.map.x + 6.0, layout.map.y + layout.map.height - 6.0
    words = "coarse, refining"
    return (
        marks.Rectangle(
            left, bottom - 20.0, text_width("tick", words) + 12.0, 20.0, theme.raised, theme.axis, radius=6.0
        ),
        marks.Text(left + 6.0, bottom - 10.0, words, "tick", theme.text2),
    )


def _map_axes(layout: SimilarityLayout, n_positions: int, theme: Theme) -> list[marks.Mark]:
    area = layout.map
    picture: list[marks.Mark] = [
        marks.Rectangle(area.x - 0.5, area.y - 0.5, area.width + 1.0, area.height + 1.0, outline=theme.line)
    ]
    last = float(n_positions - 1)
    room = 46.0 if n_positions < 10_000 else 66.0
    for tick in position_ticks(
        max(layout.rows.first, 0.0), min(layout.rows.last, last), max(int(area.height // 40), 1)
    ):
        label = whole(tick) if tick < 10_000 else scientific(tick)
        picture.append(marks.Text(area.x - 6.0, layout.y(tick), label, "tick", theme.text3, across=1.0))
    if layout.is_wide:
        most = max(int((area.width - 60.0) // room), 1)
        for tick in position_ticks(max(layout.columns.first, 0.0), min(layout.columns.last, last), most):
            x = layout.x(tick)
            if x < area.x + area.width - 66.0:
                picture.append(marks.Text(x, area.y + area.height + 13.0, whole(tick), "tick", theme.text3, across=0.5))
        corner = area.x + area.width
        picture.append(marks.Text(corner, area.y + area.height + 13.0, "position s", "tick", theme.text3, across=1.0))
    return picture


def _signed(value: float, *, is_signed: bool) -> str:
    text = short(value)
    return f"+{text}" if is_signed and value > 0 else text


def _value_text(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return fixed(value, 4) if abs(value) < LARGEST_PLAIN else scientific(value, 3)


def _spread_sentence(spread: float | None) -> str:
    if spread is None:
        return "measuring …"
    return f"± {_tiny(spread / 2)}" if math.isfinite(spread) else "lies outside N"


def _tiny(value: float) -> str:
    if value == 0:
        return "0"
    return short(value, 2) if value >= SMALLEST_PLAIN else scientific(value)
