"""Where the parts of the similarity stand, its map, values in cells, numbers, and the profile over offsets."""

from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.fields.field import ColorScale, Limits
from pe_desktop.core.fields.similarity import row_similarity
from pe_desktop.core.lags import compared
from pe_desktop.core.record import kept, record
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width, upright_bar
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Fits, Formula, Live, Words, in_row
from pe_desktop.draw.number_text import position
from pe_desktop.draw.plot import Axis, outline
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.draw.typeset import formula_width_of
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
# In a lower box numbers stand in one line.
_STACKED, _BETWEEN, _FORMULA = 40.0, 8.0, 14
_WIDE, _ROOMY = 620.0, 900.0
# Between colour bar and profile: the numbers of the bar and those of the profile's levels, powers of ten among them.
_NUMBERS, _ROOMY_NUMBERS, _LONG_NUMBERS = 88.0, 104.0, 152.0
# Left of the map: its numbers and a short title, or one of two words.
_LABELS, _TITLE = 46.0, 62.0
_AXIS, _BAR, _BAR_REACH = 24.0, 8.0, 44.0
# In a narrow box numbers and colour bar stand beside the map or over it, those of the columns between map and profile.
_TOP, _HEAD, _BELOW, _UNDER = 6.0, 24.0, 22.0, 20.0
_GAP, _LEAST_BESIDE, _LINES = 16.0, 110.0, 70.0
# The colour bar there and what its numbers leave to the others.
_LYING, _LEAST_NUMBERS = 36.0, 145.0
# A line at the foot of a figure.
_FOOT: Final = 18.0
_LEAST_TITLED: Final = 320.0
# What a wide map leaves to colour bar and profile.
_BESIDE_MAP: Final = 780.0
# From here on the three numbers stand in a row, else under each other, for which lower boxes have no room.
_ONE_ROW, _LOW = 700.0, 212.0


@record(kw_only=True)
class SimilarityLayout(MapLayout):
    """The parts of the view; foot: where a narrow figure says which line is which, without height on the screen."""

    bar: Area
    readout: Area
    foot: Area
    is_wide: bool

    @property
    def bar_reach(self) -> Area:
        """The colour bar with its numbers: a press there opens its range."""
        return self.bar._replace(x=self.bar.x - 4.0, width=_BAR_REACH) if self.is_wide else self.bar

    @property
    def has_long_titles(self) -> bool:
        """Whether the axes have room for titles of two words."""
        return self.map.x >= _TITLE


def similarity_layout(
    width: float, height: float, scale: ColorScale, *, is_paper: bool, has_long_numbers: bool = False, **shown: Any
) -> SimilarityLayout:
    """Map beside profile where there is room, else profile under map and numbers over it, on paper with a foot.

    shown: the spans; has_long_numbers: those between colour bar and profile need more room.
    """
    numbers = _LONG_NUMBERS if has_long_numbers else _ROOMY_NUMBERS if width >= _ROOMY else _NUMBERS
    is_wide = width - numbers >= _WIDE - _NUMBERS
    lying = lying_bar_width(_LYING, _bar_ends(scale))
    foot = _FOOT if is_paper and not is_wide and height >= _LOW else 0.0
    area, bar, profile, readout = (
        _wide_areas(width, height, numbers) if is_wide else _narrow_areas(width, height - foot, lying, foot)
    )
    below = Area(0.0, height - foot, width, foot)
    return SimilarityLayout(map=area, profile=profile, bar=bar, readout=readout, foot=below, is_wide=is_wide, **shown)


def _wide_areas(width: float, height: float, numbers: float) -> tuple[Area, Area, Area, Area]:
    side = max(min(height - _AXIS - 8.0, max(width * 0.42, width - _BESIDE_MAP)), 40.0)
    area = Area(_TITLE, 6.0, side, side)
    bar = Area(area.right + 14.0, 6.0, _BAR, side * 0.45)
    left = bar.right + numbers
    room = width - left - 8.0
    foot = 30.0 if room >= _ONE_ROW or height < _LOW else 72.0
    profile = Area(left, 56.0, max(room, 40.0), max(height - 56.0 - 54.0 - foot, 30.0))
    return area, bar, profile, Area(left - 30.0, height - foot - 4.0, room + 30.0, foot)


def _narrow_areas(width: float, height: float, bar: float, foot: float) -> tuple[Area, Area, Area, Area]:
    """A square map over the profile, beside it numbers and a bar of a width; where they find no room, over it.

    A bar that has no room there either stands in a foot of a height, on the screen it is left out.
    """
    left = _TITLE if width >= _LEAST_TITLED else _LABELS
    wide, curve = max(width - left - 14.0, 40.0), min(max(height * 0.16, 24.0), 60.0)
    side = max(min(height - _TOP - _BELOW - curve - _UNDER, wide), 24.0)
    if wide - side - _GAP >= max(_LEAST_BESIDE, bar) and side >= _HEAD + _LINES:
        area, x = Area(left, _TOP, side, side), left + side + _GAP
        bar_area = Area(x, 0.0, bar, _HEAD - 4.0)
        numbers = Area(x, _HEAD, width - x - 4.0, side - _HEAD)
    else:
        end = left + wide
        has_room = end - bar >= _LEAST_NUMBERS
        height -= 0.0 if has_room else foot
        side = max(min(side, height - _HEAD - _BELOW - curve - _UNDER), 24.0)
        area = Area(left, _HEAD, side, side)
        bar_area = Area(end - bar, 0.0, bar, _HEAD - 4.0)
        if not has_room:
            bar_area = Area(end - bar, height, bar if foot else 0.0, foot)
        numbers = Area(0.0, 0.0, end - (bar + 2 * _BETWEEN if has_room else 0.0), _HEAD)
    profile = Area(left, area.bottom + _BELOW, wide, max(height - area.bottom - _BELOW - _UNDER, 20.0))
    return area, bar_area, profile, numbers


def colors_of(measure: str, limits: Limits, theme: Theme) -> NDArray[np.uint8]:
    """The colours of a measure between two values, shape (n, 3): distances have no values below 0."""
    return map_colors(theme, limits, is_diverging=measure != "distance")


def _bar_ends(scale: ColorScale) -> tuple[str, str]:
    """The texts at the ends of a lying bar."""
    low, *_, high = Axis(Area(0.0, 0.0, 1.0, 1.0), *scale.limits).end_ticks(scale.is_cut)
    return f"seen, {low.text}" if scale.is_seen else low.text, high.text


def frame_picture(
    layout: SimilarityLayout, measure: str, scale: ColorScale, theme: Theme, trained_length: int
) -> marks.Picture:
    """Numbers and titles of map and profile, the map's edge, and the colour bar with what it is of."""
    (row_ticks, ticks), rows, columns, bar = layout.ticks(), layout.row_axis, layout.column_axis, layout.bar
    below, after = (13.0, 14.0) if layout.is_wide else (11.0, 8.0)
    colors = colors_of(measure, scale.limits, theme)
    if layout.is_wide:
        words = marks.Text(bar.x, bar.bottom + 10.0, "seen" if scale.is_seen else "", "tick", theme.text2)
        shown = (*upright_bar(bar, scale.limits, colors, theme, scale.is_cut), *((words,) if words.text else ()))
    else:
        shown = lying_bar(bar.right, bar.middle[1], _LYING, _bar_ends(scale), colors, theme) if bar.width else ()
    return (
        layout.frame(theme),
        *rows.labels(row_ticks, theme),
        *rows.title_between(row_ticks, "position t" if layout.has_long_titles else "t", theme),
        *columns.labels(ticks, theme, below, after=after),
        columns.title("t + k", theme, below, is_before=True),
        *shown,
        *_profile_frame(layout, TITLES[measure], theme, trained_length),
    )


@kept
def cell_picture(layout: MapLayout, encoding: Encoding, measure: str, limits: Limits, theme: Theme) -> marks.Picture:
    """The value in every cell that is large enough for it; it stays while the cursor moves."""
    rows, columns = (span.cells(encoding.n_positions) for span in layout.visible)
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
    row = round(cursor.position)
    k = round(cursor.offset)
    n_positions = layout.n_positions
    rows, picture = layout.rows.cells(n_positions), marks.Marks()
    for t in (t for t in rows if 0 <= t + k < n_positions):
        cell = _cell_area(layout, (t, t), (t + k, t + k), 1.5)
        if cell.width > 0 and cell.height > 0:
            picture.append(outline(cell, theme.panel, 2.6))
            picture.append(outline(cell, theme.ink, 1.2, (4.0, 3.0)))
    if row not in rows:
        return tuple(picture)
    frames = [(_cell_area(layout, (row, row), (0, n_positions - 1), 0.5), 3.0, 1.4)]
    here = _cell_area(layout, (row, row), (row + k, row + k), 2.5)
    if 0 <= row + k < n_positions and here.width > 0:
        frames.append((here, 4.0, 2.2))
    for area, *widths in frames:
        for color, width in zip((theme.panel, theme.ink), widths, strict=True):
            picture.append(marks.Rectangle(*area, outline=color, outline_width=width))
    return tuple(picture)


def _cell_area(layout: MapLayout, rows: tuple[int, int], columns: tuple[int, int], inset: float) -> Area:
    """The cells from the first to the last row and column, cut at the map's edges."""
    down, across, area = layout.row_axis.place, layout.column_axis.place, layout.map
    left = max(across(columns[0] - 0.5), area.x)
    right = min(across(columns[1] + 0.5), area.right)
    top = max(down(rows[0] - 0.5), area.y)
    bottom = min(down(rows[1] + 0.5), area.bottom)
    return Area(left, top, right - left, bottom - top).grown(-inset, -inset)


@record
class Diagonal:
    """What is known of the diagonal of an offset: the value at (0, k), and in words how far the values on it spread.

    is_same: they differ by rounding alone, if at all.
    """

    measure: str
    offset: float
    value: float
    spread: str
    is_same: bool
    is_only_rounding: bool

    def formulas(self, t: float, letters: tuple[str, str]) -> tuple[str, str]:
        """What is compared at t, in numbers and in letters."""
        formula = _FORMULAS[self.measure]
        numbers = formula.format(a=position(t), b=position(t + self.offset))
        return numbers, formula.format(a=letters[0], b=letters[1])


def numbers_block(layout: SimilarityLayout, diagonal: Diagonal, t: float, value: float) -> Block:
    """The value at (t, t + k), that at (0, k), and how far those along the diagonal spread.

    In one line where the box is low: of what doesn't fit the words go first, then the value at (0, k).
    """
    here = diagonal.formulas(t, ("t", "t + k"))
    first = diagonal.formulas(0.0, ("0", "k"))
    alone = [f"{form} = {value_text(value)}" for form in here]
    other = [f"{form} = {value_text(diagonal.value)}" for form in first]
    both = [f"{one},  {another}" for one, another in zip(alone, other, strict=True)]
    if diagonal.is_same:
        both = [f"{one} = {another}" for one, another in zip(here, other, strict=True)]
    spread = f"along diagonal {diagonal.spread}"
    only = ", rounding only" if diagonal.is_only_rounding else ""
    # A number has a name, however little room there is; words need none.
    shortest = f"all t {diagonal.spread}" if diagonal.spread.startswith("±") else diagonal.spread
    words = dict.fromkeys((spread + only, spread, shortest + only, shortest))
    if layout.readout.height > _STACKED:
        lines = ((*both, *alone),) if diagonal.is_same else (alone, other)
        formulas = (Fits(tuple(map(Formula, forms))) for forms in lines)
        long, *shorter = words
        return Live(Column((*formulas, Words(long, "caption", "text2", shorter=tuple(shorter))), gap=6.0))
    room = layout.readout.width - _BETWEEN
    # Each is measured until one fits: a block for each would cost a frame more.
    for formula, text in product((*both, *alone), words):
        if formula_width_of(formula, _FORMULA) + text_width("caption", text) <= room:
            parts = Formula(formula, _FORMULA), Words(text, "caption", "text2", across=1.0)
            return Live(in_row((FIT, GROW), *parts, gap=_BETWEEN))
    return Live(Fits(tuple(Formula(form, _FORMULA) for form in alone)))


# Before the plot: title and legend of a wide box, the end of the numbers of the levels.
TITLE_BEFORE, _LEVEL_GAP = 30.0, 6.0


@record(eq=False)
class Profile:
    """The similarities at offsets 0, 1, ..., shape (n,), None where each row has its own; the least and the greatest.

    Where each row has its own, these are those of an even sample of pairs.
    """

    lags: Floats | None
    limits: Limits


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


def _profile_frame(layout: SimilarityLayout, title: str, theme: Theme, trained_length: int) -> marks.Picture:
    """Its titles and the numbers of the offsets."""
    labels, area, x = layout.offset_labels(theme), layout.profile, layout.offset_axis
    if not layout.is_wide:
        words = "offset k" if layout.has_long_titles else "k"
        return *labels, marks.right_aligned(area.x - 8.0, area.bottom + 13.0, words, "tick", theme.text3)
    # In a low box numbers stand where the title would.
    is_low = layout.readout.y < area.bottom + 41.0
    words = x.said_of_unseen("offset k, positions", trained_length)
    below = x.title("k", theme, 12.0, is_before=True) if is_low else x.title(words, theme, 33.0)
    return *labels, below, marks.Text(area.x - TITLE_BEFORE, 14.0, f"{title} against offset", "title", theme.text)


def text_left(layout: SimilarityLayout) -> float:
    """Where title and legend begin, or the longest number of a level before them."""
    longest = max(text_width("tick", tick.text) for tick in layout.levels)
    return layout.profile.x - max(TITLE_BEFORE, longest + _LEVEL_GAP)
