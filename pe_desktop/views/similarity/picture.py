"""Where the parts of the similarity stand, its map, values in cells, numbers, and the profile over offsets."""

from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.fields.field import ColorScale
from pe_desktop.core.fields.similarity import row_similarity
from pe_desktop.core.lags import compared
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.color_bar import upright_bar
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Formula, Grid, Live, Space, Words
from pe_desktop.draw.number_text import position
from pe_desktop.draw.plot import outline
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.map_and_profile import (
    ROW_CELLS,
    MapLayout,
    OffsetCurve,
    most_positions,
    row_positions,
    value_text,
)

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
_WIDE, _ROOMY = 620.0, 900.0
# Between colour bar and profile: the numbers of the bar and those of the profile's levels, powers of ten among them.
_NUMBERS, _ROOMY_NUMBERS, _LONG_NUMBERS = 88.0, 104.0, 152.0
# Left of the map: its numbers and a short title, or one of two words.
_LABELS, _TITLE = 46.0, 62.0
_AXIS, _BAR = 24.0, 8.0
# Between map and profile in a narrow box: the numbers of the columns.
_GAP: Final = 22.0
_SIDE_COLUMN: Final = 104.0
# What a wide map leaves to colour bar and profile.
_BESIDE_MAP: Final = 780.0
# From here on the three numbers stand in a row, else under each other, for which lower boxes have no room.
_ONE_ROW, _LOW = 700.0, 212.0


@record(kw_only=True)
class SimilarityLayout(MapLayout):
    """The parts of the view."""

    bar: Area
    readout: Area
    is_wide: bool

    @property
    def has_long_titles(self) -> bool:
        """Whether the axes have room for titles of two words."""
        return self.map.x >= _TITLE


def similarity_layout(width: float, height: float, *, has_long_numbers: bool = False, **shown: Any) -> SimilarityLayout:
    """Map beside profile where there is room, else profile under map and numbers beside it.

    shown: the spans; has_long_numbers: those between colour bar and profile need more room.
    """
    numbers = _LONG_NUMBERS if has_long_numbers else _ROOMY_NUMBERS if width >= _ROOMY else _NUMBERS
    is_wide = width - numbers >= _WIDE - _NUMBERS
    area, bar, profile, readout = _wide_areas(width, height, numbers) if is_wide else _narrow_areas(width, height)
    return SimilarityLayout(map=area, profile=profile, bar=bar, readout=readout, is_wide=is_wide, **shown)


def _wide_areas(width: float, height: float, numbers: float) -> tuple[Area, Area, Area, Area]:
    side = max(min(height - _AXIS - 8.0, max(width * 0.42, width - _BESIDE_MAP)), 40.0)
    area = Area(_TITLE, 6.0, side, side)
    bar = Area(area.right + 14.0, 6.0, _BAR, side * 0.45)
    left = bar.right + numbers
    room = width - left - 8.0
    foot = 30.0 if room >= _ONE_ROW or height < _LOW else 72.0
    profile = Area(left, 56.0, max(room, 40.0), max(height - 56.0 - 54.0 - foot, 30.0))
    return area, bar, profile, Area(left - 30.0, height - foot - 4.0, room + 30.0, foot)


def _narrow_areas(width: float, height: float) -> tuple[Area, Area, Area, Area]:
    below = max(min(height * 0.27, 110.0), 64.0)
    tallest, room = height - below + 4.0 - _GAP, width - _SIDE_COLUMN - 14.0
    left = _TITLE if room - _TITLE >= tallest else _LABELS
    side = max(min(tallest, room - left), 40.0)
    area = Area(left, 6.0, side, side)
    right = area.right + 16.0
    profile = Area(left, area.bottom + _GAP, side, max(height - side - _AXIS - 10.0 - _GAP, 20.0))
    bar = Area(right, 28.0, _BAR, max(side * 0.36, 30.0))
    top = bar.bottom + 20.0
    return area, bar, profile, Area(right, top, width - right, max(height - top, 40.0))


def colors_of(measure: str, limits: tuple[float, float], theme: Theme) -> NDArray[np.uint8]:
    """The colours of a measure between two values, shape (n, 3): distances have no values below 0."""
    return map_colors(theme, limits, is_diverging=measure != "distance")


def frame_picture(layout: SimilarityLayout, measure: str, scale: ColorScale, theme: Theme) -> marks.Picture:
    """Numbers and titles of map and profile, the map's edge, and the colour bar with what it is of."""
    (row_ticks, ticks), rows, columns, bar = layout.ticks(), layout.row_axis, layout.column_axis, layout.bar
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
        *_profile_frame(layout, TITLES[measure], theme),
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
    values = np.stack([compared(measure, row, others) for row in encoding.values(rows)])
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


def numbers_block(layout: SimilarityLayout, diagonal: Diagonal, t: float, value: float) -> Block:
    """The value at (t, t + k), that at (0, k), and how far those along the diagonal spread."""
    area, here = layout.readout, diagonal.formulas(t, ("t", "t + k"))
    if layout.is_wide:
        return Live(_wide_numbers(diagonal, (here, diagonal.formulas(0.0, ("0", "k"))), value, area))
    at_t = Column((_fitted(here, area.width), Words(value_text(value), "value")))
    return Column((Live(at_t), _below(diagonal, area.width, area.height - at_t.height(area.width))))


@lru_cache(maxsize=4)
def _below(diagonal: Diagonal, width: float, height: float) -> Block:
    """What stays in a narrow box while t moves; a low one has no room for the value at (0, k)."""
    at_0 = _fitted(diagonal.formulas(0.0, ("0", "k")), width), Words(value_text(diagonal.value), "value")
    note = (Words("rounding only", "tick", "text2"),) if diagonal.is_only_rounding else ()
    along, spread, room = Words("along diagonal", "tick", "text2"), Words(diagonal.spread, "flag"), Space(8.0)
    in_one = Words(f"diagonal {diagonal.spread}", "tick", "text2")
    low = (in_one,) if text_width("tick", in_one.text) <= width else (along, spread)
    forms = (
        (room, *at_0, room, along, spread, *note),
        (room, *at_0, room, along, spread),
        (room, *at_0, room, *low),
        (room, *at_0, *low),
        (*at_0, *low),
        low,
    )
    return next((one for one in map(Column, forms) if one.height(width) <= height), Column(forms[-1]))


def _wide_numbers(diagonal: Diagonal, formulas: tuple[tuple[str, str], ...], value: float, area: Area) -> Block:
    """Under each other, or in a row where the box is low; one that is too short leaves out the value at (0, k)."""
    spread, pixels, room = f"along diagonal {diagonal.spread}", 15, area.width
    spreads = (f"{spread}, rounding only", spread) if diagonal.is_only_rounding else (spread,)
    if area.height <= _STACKED:
        pixels, room = 16, room * _FIRST_SHARE - _BETWEEN
    values = value_text(value), value_text(diagonal.value)
    has_letters = Formula(f"{formulas[0][0]} = {values[0]}", pixels).width() > room
    one, other = (
        Formula(f"{forms[has_letters]} = {text}", pixels) for forms, text in zip(formulas, values, strict=True)
    )
    if area.height > _STACKED:
        return Column((one, other, _spread(spreads[0], shorter=spreads[1:])), gap=6.0)
    words = _spread(spreads[0], across=1.0, shorter=(*spreads[1:], ""))
    start = area.width * _FIRST_SHARE
    rest = other.width() + _BETWEEN + text_width("caption", spreads[-1])
    if one.width() + _BETWEEN <= start and start + rest <= area.width:
        return Grid((start - _BETWEEN, FIT, GROW), ((one, other, words),), gap=_BETWEEN)
    return Grid((FIT, GROW), ((one, words),), gap=_BETWEEN)


def _fitted(forms: tuple[str, str], width: float) -> Block:
    """A formula as large as has room, with letters for its positions where none has."""
    sizes = (Formula(forms[0], pixels) for pixels in (15, 12))
    return next((one for one in sizes if one.width() <= width), Formula(forms[1]))


# Before the plot: title and legend of a wide box, the end of the numbers of the levels.
TITLE_BEFORE, _LEVEL_GAP = 30.0, 6.0


@record(eq=False)
class Profile:
    """The similarities at offsets 0, 1, ..., shape (n,), None where each row has its own; the least and the greatest.

    Where each row has its own, these are those of an even sample of pairs.
    """

    lags: Floats | None
    limits: tuple[float, float]


def takes_long(encoding: Encoding, positions: range) -> bool:
    """Whether the vectors at these positions are more than a frame can compute."""
    return len(positions) * encoding.n_filled > ROW_CELLS


def row_of(
    offsets: Span, encoding: Encoding, measure: str, row: tuple[float, Floats], others: Floats | None, *, is_paper: bool
) -> OffsetCurve | None:
    """Row t over the visible offsets, from t and p_t, shape (d_model,); of a long table an even sample.

    others: the vectors that it is compared with, where they take long; until they are there it is None.
    """
    t, vector = row
    positions = row_positions(offsets, t, encoding.n_positions, most_positions(encoding.d_model, is_paper=is_paper))
    if others is not None:
        values = compared(measure, vector[: encoding.n_filled], others)
    elif takes_long(encoding, positions) and not is_paper:
        return None
    else:
        values = row_similarity(encoding, measure, vector, positions)
    return OffsetCurve(np.array(positions) - t, values)


def _profile_frame(layout: SimilarityLayout, title: str, theme: Theme) -> marks.Picture:
    """Its titles and the numbers of the offsets."""
    area, x = layout.profile, layout.offset_axis
    titles: marks.Picture
    if layout.is_wide:
        titles = (
            # In a low box numbers stand where the title would.
            x.title("offset k, positions", theme, 33.0)
            if layout.readout.y >= area.bottom + 41.0
            else x.title("k", theme, 12.0, is_before=True),
            marks.Text(area.x - TITLE_BEFORE, 14.0, f"{title} against offset", "title", theme.text),
        )
    else:
        words = "offset k" if layout.has_long_titles else "k"
        titles = (marks.Text(area.x - 8.0, area.bottom + 13.0, words, "tick", theme.text3, across=1.0),)
    return (*layout.offset_labels(theme), *titles)


def text_left(layout: SimilarityLayout) -> float:
    """Where title and legend begin, or the longest number of a level before them."""
    longest = max(text_width("tick", tick.text) for tick in layout.levels)
    return layout.profile.x - max(TITLE_BEFORE, longest + _LEVEL_GAP)
