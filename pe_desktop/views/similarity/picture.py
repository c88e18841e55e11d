"""The similarity map: axes, colour bar, cursors, and the three numbers beside it."""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.seen import ColorScale
from pe_desktop.core.measure.measurement import ROUNDING
from pe_desktop.core.record import record
from pe_desktop.core.similarity import compared
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.color_bar import upright_bar
from pe_desktop.draw.number_text import position, scientific, short
from pe_desktop.draw.plot import outline
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import fitting, formula_runs, text_width
from pe_desktop.views.map_and_profile import MapLayout, map_ticks, value_text
from pe_desktop.views.similarity.layout import SimilarityLayout

TITLES: Final = {"dot": "Dot product", "cosine": "Cosine", "distance": "Distance"}
_FORMULAS: Final = {
    "dot": "p_{{{a}}} · p_{{{b}}}",
    "cosine": "cos(p_{{{a}}}, p_{{{b}}})",
    "distance": "|p_{{{a}}} − p_{{{b}}}|",
}
# What the three numbers under each other take, with their names, in a narrow box and in a wide one.
_READOUT_HEIGHT: Final = 124.0
_NOTE_HEIGHT: Final = 12.0
_CLOSEST: Final = 0.78
_STACKED: Final = 40.0
# The part of a low line that the first of two numbers has, and the least between two texts of it.
_FIRST_SHARE: Final = 0.383
_BETWEEN: Final = 8.0
# Smaller spreads are powers of ten.
_SMALLEST_PLAIN: Final = 1e-3


def colors_of(measure: str, limits: tuple[float, float], theme: Theme) -> NDArray[np.uint8]:
    """The colours of a measure between two values, shape (n, 3): distances have no values below 0."""
    return map_colors(theme, limits, is_diverging=measure != "distance")


def frame_picture(
    layout: SimilarityLayout, measure: str, scale: ColorScale, n_positions: int, theme: Theme
) -> marks.Picture:
    """Axes of the map and the colour bar."""
    return (
        layout.frame(theme),
        *_position_labels(layout, n_positions, theme),
        *upright_bar(layout.bar, scale.limits, colors_of(measure, scale.limits, theme), theme, scale.is_cut),
        *_bar_title(layout, TITLES[measure], theme, is_seen=scale.is_seen),
    )


def _bar_title(layout: SimilarityLayout, title: str, theme: Theme, *, is_seen: bool) -> marks.Picture:
    """What is measured, in a narrow box, and that the colours reach over what is seen."""
    bar = layout.bar
    if layout.is_wide:
        return (marks.Text(bar.x, bar.bottom + 10.0, "seen", "tick", theme.text2),) if is_seen else ()
    return (marks.Text(bar.x, 10.0, f"{title}, seen" if is_seen else title, "flag", theme.text),)


@lru_cache(maxsize=4)
def cell_picture(
    layout: MapLayout, encoding: Encoding, measure: str, limits: tuple[float, float], theme: Theme
) -> marks.Picture:
    """The value in every cell that is large enough for it; it stays while the cursor moves."""
    rows, columns = (
        range(max(round(span.first), 0), min(round(span.last), encoding.n_positions - 1) + 1)
        for span in (layout.rows, layout.columns)
    )
    cell = layout.column_axis.length / layout.columns.width, layout.row_axis.length / layout.rows.width
    if not has_room(len(rows), len(columns), cell):
        return ()
    others = encoding.values(columns)
    values = np.stack([compared(measure, np.broadcast_to(row, others.shape), others) for row in encoding.values(rows)])
    across, down = (np.array(cells, dtype=np.float64) for cells in (columns, rows))
    places = layout.column_axis.place(across), layout.row_axis.place(down)
    return cell_numbers(layout.map, places, values, cell, limits, colors_of(measure, limits, theme))


def cell_cursor_picture(layout: MapLayout, cursor: Cursor, n_positions: int, theme: Theme) -> marks.Picture:
    """Outlines that leave the numbers of the cells free: row t, dashed the cells of offset k, the cell (t, t + k)."""
    row, k = round(cursor.position), round(cursor.offset)
    first, last = max(round(layout.rows.first), 0), min(round(layout.rows.last), n_positions - 1)
    picture: list[marks.Mark] = []
    for t in range(max(first, -k), min(last, n_positions - 1 - k) + 1):
        cell = _cell_area(layout, (t, t), (t + k, t + k), 1.5)
        if cell.width > 0 and cell.height > 0:
            picture.append(outline(cell, theme.panel, 2.6))
            picture.append(outline(cell, theme.ink, 1.2, (4.0, 3.0)))
    if first <= row <= last:
        whole_row = _cell_area(layout, (row, row), (0, n_positions - 1), 0.5)
        picture.append(marks.Rectangle(*whole_row, outline=theme.panel, outline_width=3.0))
        picture.append(marks.Rectangle(*whole_row, outline=theme.ink, outline_width=1.4))
        here = _cell_area(layout, (row, row), (row + k, row + k), 2.5)
        if 0 <= row + k < n_positions and here.width > 0:
            picture.append(marks.Rectangle(*here, outline=theme.panel, outline_width=4.0))
            picture.append(marks.Rectangle(*here, outline=theme.ink, outline_width=2.2))
    return tuple(picture)


def _cell_area(layout: MapLayout, rows: tuple[int, int], columns: tuple[int, int], inset: float) -> Area:
    """The cells from the first to the last row and column, cut at the map's edges."""
    down, across, area = layout.row_axis.place, layout.column_axis.place, layout.map
    left, right = max(across(columns[0] - 0.5), area.x), min(across(columns[1] + 0.5), area.right)
    top, bottom = max(down(rows[0] - 0.5), area.y), min(down(rows[1] + 0.5), area.bottom)
    return Area(left + inset, top + inset, right - left - 2 * inset, bottom - top - 2 * inset)


@record
class Diagonal:
    """What is known of the diagonal of an offset: the value at (0, k), and in words how far the values on it spread."""

    measure: str
    offset: float
    value: float
    spread: str
    is_only_rounding: bool

    @property
    def forms(self) -> tuple[str, str]:
        """What stands before the value at (0, k), in numbers and in letters."""
        formula = _FORMULAS[self.measure]
        return formula.format(a="0", b=position(self.offset)), formula.format(a="0", b="k")


def numbers_picture(
    layout: SimilarityLayout, cursor: Cursor, value: float, diagonal: Diagonal, theme: Theme
) -> marks.Picture:
    """The value at (t, t + k); in a wide box what `diagonal_picture` shows of a narrow one stands behind it."""
    formula, area = _FORMULAS[diagonal.measure], layout.readout
    forms = (
        formula.format(a=position(cursor.position), b=position(cursor.position + cursor.offset)),
        formula.format(a="t", b="t + k"),
    )
    if not layout.is_wide:
        return (
            marks.FormulaText(area.x, area.y, *_fitted(*forms, area.width), theme.text),
            marks.Text(area.x, area.y + 19.0 * (_line_step(area) or 1.0), value_text(value), "value", theme.text),
        )
    values = value_text(value), value_text(diagonal.value)
    room = area.width if area.height > _STACKED else area.width * _FIRST_SHARE - _BETWEEN
    has_letters = formula_runs(f"{forms[0]} = {values[0]}", 16)[1] > room
    first, second = (
        f"{some[has_letters]} = {text}" for some, text in zip((forms, diagonal.forms), values, strict=True)
    )
    spread = f"along diagonal {diagonal.spread}"
    spreads = (f"{spread}, rounding only", spread) if diagonal.is_only_rounding else (spread,)
    return _wide_numbers(layout, (first, second), spreads, theme)


def diagonal_picture(layout: SimilarityLayout, diagonal: Diagonal, theme: Theme) -> marks.Picture:
    """What stays in a narrow box while t moves: the value at (0, k), how far the values along that diagonal spread."""
    if layout.is_wide:
        return ()
    area, step = layout.readout, _line_step(layout.readout)
    if not step:
        return (marks.Text(area.x, area.y + 42.0, f"diagonal {diagonal.spread}", "tick", theme.text2),)
    return (
        marks.FormulaText(area.x, area.y + 48.0 * step, *_fitted(*diagonal.forms, area.width), theme.text),
        marks.Text(area.x, area.y + 67.0 * step, value_text(diagonal.value), "value", theme.text),
        marks.Text(area.x, area.y + 96.0 * step, "along diagonal", "tick", theme.text2),
        marks.Text(area.x, area.y + 113.0 * step, diagonal.spread, "flag", theme.text),
        *_rounding_note(area, diagonal.is_only_rounding, theme),
    )


def _line_step(area: Area) -> float:
    """How far apart lines stand, which move together where the panel is low; 0 where those of (0, k) have no room."""
    step = min(area.height / _READOUT_HEIGHT, 1.0)
    return step if step >= _CLOSEST else 0.0


def _fitted(formula: str, letters: str, room: float) -> tuple[str, int]:
    """A formula and its size in pixels, with letters for its positions where they have no room."""
    pixels = next((some for some in (15, 14, 13, 12) if formula_runs(formula, some)[1] <= room), None)
    return (letters, 15) if pixels is None else (formula, pixels)


def _rounding_note(area: Area, is_only_rounding: bool, theme: Theme) -> marks.Picture:
    """What so small a spread means, where the box has room below it."""
    if not is_only_rounding or area.height < _READOUT_HEIGHT + _NOTE_HEIGHT:
        return ()
    return (marks.Text(area.x, area.y + _READOUT_HEIGHT + _NOTE_HEIGHT / 2, "rounding only", "tick", theme.text2),)


def is_rounding(spread: float | None, values: tuple[float, float]) -> bool:
    """Whether a spread that isn't 0 is no more than float64 loses; False while it isn't known."""
    return spread is not None and 0 < spread <= ROUNDING * max(1.0, *map(abs, values))


def _wide_numbers(
    layout: SimilarityLayout, lines: tuple[str, str], spreads: tuple[str, ...], theme: Theme
) -> marks.Picture:
    """Under each other, or in a row; spreads: the spread in forms of which the first has more words.

    A row that is too short for all leaves out the value at (0, k), then the spread.
    """
    area = layout.readout
    if area.height > _STACKED:
        spread = fitting("caption", spreads, area.width)
        return (
            marks.FormulaText(area.x, area.y + 12.0, lines[0], 15, theme.text),
            marks.FormulaText(area.x, area.y + 37.0, lines[1], 15, theme.text),
            marks.Text(area.x, area.y + 62.0, spread, "caption", theme.text2),
        )
    y, second = area.y + area.height / 2, area.x + area.width * _FIRST_SHARE
    first_end, second_end = area.x + formula_runs(lines[0], 16)[1], second + formula_runs(lines[1], 16)[1]
    has_second = (
        first_end + _BETWEEN <= second and text_width("caption", spreads[-1]) <= area.right - second_end - _BETWEEN
    )
    room = area.right - (second_end if has_second else first_end) - _BETWEEN
    spread = fitting("caption", (*spreads, ""), room)
    return (
        marks.FormulaText(area.x, y, lines[0], 16, theme.text),
        *((marks.FormulaText(second, y, lines[1], 16, theme.text),) if has_second else ()),
        *((marks.Text(area.right, y, spread, "caption", theme.text2, across=1.0),) if spread else ()),
    )


def _position_labels(layout: SimilarityLayout, n_positions: int, theme: Theme) -> list[marks.Mark]:
    """Numbers and titles of rows and columns: the same numbers where they show the same."""
    rows, columns = layout.row_axis, layout.column_axis
    row_ticks, ticks = map_ticks(layout, n_positions)
    below = 13.0 if layout.is_wide else 11.0
    return [
        *rows.labels(row_ticks, theme),
        *rows.title_between(row_ticks, "position t" if layout.has_long_titles else "t", theme),
        # In a narrow box the spread along the diagonal may stand beside the last number.
        *columns.labels(ticks, theme, below, after=14.0 if layout.is_wide else 4.0),
        columns.title("t + k", theme, below, is_before=True),
    ]


def spread_words(spread: float | None, *, is_measuring: bool) -> str:
    if spread is None:
        return "measuring…" if is_measuring else "not measured"
    if not math.isfinite(spread):
        return "lies outside N"
    half = spread / 2
    if half == 0:
        return "± 0"
    return f"± {short(half, 2) if half >= _SMALLEST_PLAIN else scientific(half)}"
