"""The similarity map, its axes and colour bar, values in its cells, and the numbers beside it as blocks."""

from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.seen import ColorScale
from pe_desktop.core.record import record
from pe_desktop.core.similarity import compared
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.color_bar import upright_bar
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Fits, Formula, Grid, Live, Space, Words
from pe_desktop.draw.number_text import position
from pe_desktop.draw.plot import outline
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.map_and_profile import MapLayout, map_ticks, value_text
from pe_desktop.views.similarity.layout import SimilarityLayout

TITLES: Final = {"dot": "Dot product", "cosine": "Cosine", "distance": "Distance"}
_FORMULAS: Final = {
    "dot": "p_{{{a}}} · p_{{{b}}}",
    "cosine": "cos(p_{{{a}}}, p_{{{b}}})",
    "distance": "|p_{{{a}}} − p_{{{b}}}|",
}
# A box of numbers in a wide layout that is no higher has them in one line, the first one in this part of it.
_STACKED, _FIRST_SHARE = 40.0, 0.383
_BETWEEN: Final = 8.0
_spread = partial(Words, role="caption", ink="text2")


def colors_of(measure: str, limits: tuple[float, float], theme: Theme) -> NDArray[np.uint8]:
    """The colours of a measure between two values, shape (n, 3): distances have no values below 0."""
    return map_colors(theme, limits, is_diverging=measure != "distance")


def frame_picture(layout: SimilarityLayout, measure: str, scale: ColorScale, theme: Theme) -> marks.Picture:
    """The map's edge, numbers and titles of rows and columns, and the colour bar with what it is of."""
    (row_ticks, ticks), rows, columns, bar = map_ticks(layout), layout.row_axis, layout.column_axis, layout.bar
    # In a narrow box the spread along the diagonal may stand beside the last number.
    below, after = (13.0, 14.0) if layout.is_wide else (11.0, 4.0)
    title = f"{TITLES[measure]}, seen" if scale.is_seen else TITLES[measure]
    words = marks.Text(bar.x, 10.0, title, "flag", theme.text)
    if layout.is_wide:
        words = marks.Text(bar.x, bar.bottom + 10.0, "seen" if scale.is_seen else "", "tick", theme.text2)
    return (
        layout.frame(theme),
        *rows.labels(row_ticks, theme),
        *rows.title_between(row_ticks, "position t" if layout.has_long_titles else "t", theme),
        *columns.labels(ticks, theme, below, after=after),
        columns.title("t + k", theme, below, is_before=True),
        *upright_bar(bar, scale.limits, colors_of(measure, scale.limits, theme), theme, scale.is_cut),
        *((words,) if words.text else ()),
    )


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


def cell_cursor_picture(layout: MapLayout, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Outlines that leave the numbers of the cells free: row t, dashed the cells of offset k, the cell (t, t + k)."""
    row, k, n_positions = round(cursor.position), round(cursor.offset), layout.n_positions
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

    def formulas(self, t: float, letters: tuple[str, str]) -> tuple[str, str]:
        """What is compared at t, in numbers and in letters."""
        formula = _FORMULAS[self.measure]
        numbers = formula.format(a=position(t), b=position(t + self.offset))
        return numbers, formula.format(a=letters[0], b=letters[1])


def numbers_block(diagonal: Diagonal, t: float, value: float, area: Area, *, is_wide: bool) -> Block:
    """The values at (t, t + k) and at (0, k), and how far those along the diagonal spread.

    A row that is too short for all leaves out the value at (0, k), then the spread; a low column all but the first
    value and the spread.
    """
    here, first = diagonal.formulas(t, ("t", "t + k")), diagonal.formulas(0.0, ("0", "k"))
    if is_wide:
        return Live(_wide_numbers(diagonal, here, first, value, area))
    at_t = Live(Column((_fitted(here), _value(value))))
    at_0, said = (_fitted(first), _value(diagonal.value)), Words(diagonal.spread, "flag")
    note = (Words("rounding only", "tick", "text2"),) if diagonal.is_only_rounding else ()
    along = Words("along diagonal", "tick", "text2")
    forms = (
        (at_t, Space(8.0), *at_0, Space(8.0), along, said, *note),
        (at_t, Space(8.0), *at_0, Space(8.0), along, said),
        (at_t, *at_0, along, said),
    )
    low = Column((at_t, Words(f"diagonal {diagonal.spread}", "tick", "text2")))
    return next((one for one in map(Column, forms) if one.height(area.width) <= area.height), low)


def _wide_numbers(diagonal: Diagonal, here: tuple[str, str], first: tuple[str, str], value: float, area: Area) -> Block:
    """Under each other, or in a row where the box is low."""
    spread, pixels, room = f"along diagonal {diagonal.spread}", 15, area.width
    spreads = (f"{spread}, rounding only", spread) if diagonal.is_only_rounding else (spread,)
    if area.height <= _STACKED:
        pixels, room = 16, room * _FIRST_SHARE - _BETWEEN
    values = value_text(value), value_text(diagonal.value)
    has_letters = Formula(f"{here[0]} = {values[0]}", pixels).width() > room
    one, other = (
        Formula(f"{forms[has_letters]} = {text}", pixels) for forms, text in zip((here, first), values, strict=True)
    )
    if area.height > _STACKED:
        return Column((one, other, _spread(spreads[0], shorter=spreads[1:])), gap=6.0)
    words = _spread(spreads[0], across=1.0, shorter=(*spreads[1:], ""))
    start = area.width * _FIRST_SHARE
    rest = other.width() + _BETWEEN + text_width("caption", spreads[-1])
    if one.width() + _BETWEEN <= start and start + rest <= area.width:
        return Grid((start - _BETWEEN, FIT, GROW), ((one, other, words),), gap=_BETWEEN)
    return Grid((FIT, GROW), ((one, words),), gap=_BETWEEN)


def _value(value: float) -> Block:
    return Words(value_text(value), "value")


def _fitted(forms: tuple[str, str]) -> Block:
    """A formula as large as has room, with letters for its positions where none has."""
    numbers, letters = forms
    return Fits((*(Formula(numbers, pixels) for pixels in (15, 12)), Formula(letters, 15)))
