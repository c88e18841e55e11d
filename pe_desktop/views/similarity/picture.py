"""Where the parts of the similarity stand, its map, values in cells, numbers, and the profile over offsets."""

from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.fields.field import ColorScale, Limits
from pe_desktop.core.lags import compared
from pe_desktop.core.record import kept, record
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_numbers
from pe_desktop.draw.color_bar import bar_ends, lying_bar, lying_bar_width
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Fits, Formula, Live, Words, in_row
from pe_desktop.draw.number_text import position
from pe_desktop.draw.plot import Plot, outline
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.draw.typeset import formula_width_of
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.map_and_profile import MapLayout, value_text

TITLES: Final = {"dot": "Dot product", "cosine": "Cosine", "distance": "Distance"}
_FORMULAS: Final = CAPTIONS["similarity"]["formulas"]
# In a lower box numbers stand in one line.
_STACKED, _BETWEEN, _FORMULA = 40.0, 8.0, 14
# Left of the map: its numbers and a short title, or one of two words from this width on.
_LABELS, _TITLE, _LEAST_TITLED = 46.0, 62.0, 320.0
# Over the map, where numbers and colour bar don't stand beside it; the numbers of its columns, those of the profile.
_TOP, HEAD, _BELOW, _UNDER = 6.0, 24.0, 22.0, 20.0
_GAP, _LEAST_BESIDE, _LINES = 16.0, 110.0, 70.0
# The colour bar, and what its numbers leave to the others; from this height on the profile has title and legend.
_LYING, _LEAST_NUMBERS, _WITH_LEGEND = 36.0, 145.0, 270.0
# The height of the profile: its share, the least and the largest.
_CURVE, _LOWEST_CURVE, _HIGHEST_CURVE = 0.18, 24.0, 150.0


@record(kw_only=True)
class SimilarityLayout(MapLayout):
    """The parts of the view."""

    bar: Area
    readout: Area


@kept
def similarity_layout(width: float, height: float, scale: ColorScale, **shown: Any) -> SimilarityLayout:
    """A map over the profile, beside it colour bar and numbers; where they find no room, over it in one or two rows.

    shown: the spans and what they show.
    """
    left = _TITLE if width >= _LEAST_TITLED else _LABELS
    bar = lying_bar_width(_LYING, bar_ends(scale))
    wide = max(width - left - 14.0, 40.0)
    over_curve = _BELOW + (HEAD if height >= _WITH_LEGEND else 0.0)
    below = over_curve + min(max(height * _CURVE, _LOWEST_CURVE), _HIGHEST_CURVE) + _UNDER
    side = max(min(height - _TOP - below, wide), 24.0)
    top = _TOP
    x = left + side + _GAP
    bar_area = Area(x, 0.0, bar, HEAD - 4.0)
    numbers = Area(x, HEAD, width - x - 4.0, side - HEAD)
    if wide - side - _GAP < max(_LEAST_BESIDE, bar) or side < HEAD + _LINES:
        end = left + wide
        top = HEAD if end - bar >= _LEAST_NUMBERS else 2 * HEAD
        side = max(min(height - top - below, wide), 24.0)
        bar_area = Area(end - bar, top - HEAD, bar, HEAD - 4.0)
        numbers = Area(0.0, 0.0, end - (bar + 2 * _BETWEEN if top == HEAD else 0.0), HEAD)
    area = Area(left, top, side, side)
    y = area.bottom + over_curve
    profile = Area(left, y, wide, max(height - y - _UNDER, 20.0))
    return SimilarityLayout(map=area, profile=profile, bar=bar_area, readout=numbers, **shown)


def colors_of(measure: str, limits: Limits, theme: Theme) -> NDArray[np.uint8]:
    """The colours of a measure between two values, shape (n, 3): distances have no values below 0."""
    return map_colors(theme, limits, is_diverging=measure != "distance")


def frame_picture(layout: SimilarityLayout, measure: str, scale: ColorScale, theme: Theme) -> marks.Picture:
    """Numbers and titles of map and profile, the map's edge, and the colour bar."""
    (row_ticks, ticks), rows, columns, bar = layout.ticks(), layout.row_axis, layout.column_axis, layout.bar
    # Whether the axes have room for titles of two words.
    is_long = layout.map.x >= _TITLE
    colors = colors_of(measure, scale.limits, theme)
    return (
        layout.frame(theme),
        *rows.labels(row_ticks, theme),
        *rows.title_between(row_ticks, "position t" if is_long else "t", theme),
        *columns.labels(ticks, theme, 11.0, after=8.0),
        columns.title("t + k", theme, 11.0, is_before=True),
        *lying_bar(bar.right, bar.middle[1], _LYING, bar_ends(scale), colors, theme),
        *layout.offset_labels(theme),
        layout.offset_axis.title("offset k" if is_long else "k", theme, 13.0, is_before=True),
    )


@kept
def cell_picture(layout: MapLayout, encoding: Encoding, measure: str, limits: Limits, theme: Theme) -> marks.Picture:
    """The value in every cell that is large enough for it; it stays while the cursor moves."""
    rows, columns = (span.cells(encoding.n_positions) for span in (layout.rows, layout.columns))

    def values() -> Floats:
        others = encoding.values(columns)
        return np.stack([compared(measure, row, others) for row in encoding.values(rows)])

    plot = Plot(layout.column_axis, layout.row_axis)
    return cell_numbers(plot, rows, columns, values, limits, colors_of(measure, limits, theme))


def cell_cursor_picture(layout: MapLayout, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Outlines that leave the numbers of the cells free: row t, dashed the cells of offset k, the cell (t, t + k)."""
    row = round(cursor.position)
    k = round(cursor.offset)
    n_positions = layout.n_positions
    rows = layout.rows.cells(n_positions)
    picture = marks.Marks()
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
    down = layout.row_axis.between(rows[0] - 0.5, rows[1] + 0.5)
    across = layout.column_axis.between(columns[0] - 0.5, columns[1] + 0.5)
    return down.overlap(across).grown(-inset, -inset)


def numbers_block(
    layout: SimilarityLayout, measure: str, cursor: Cursor, values: Limits, told: tuple[str, str], *, is_same: bool
) -> Block:
    """The value at (t, t + k), that at (0, k), and how far those along the diagonal spread, as `told`.

    In one line where the box is low: of what doesn't fit the words go first, then the value at (0, k). is_same: those
    along the diagonal differ by rounding alone, if at all.
    """
    formula, k, (spread, only) = _FORMULAS[measure], cursor.offset, told
    ends = (cursor.position, "t", "t + k"), (0.0, "0", "k")
    here, first = ([formula.format(a=position(at), b=position(at + k)), formula.format(a=t, b=s)] for at, t, s in ends)
    alone = [f"{form} = {value_text(values[0])}" for form in here]
    other = [f"{form} = {value_text(values[1])}" for form in first]
    joint, starts = (" = ", here) if is_same else (",  ", alone)
    both = [f"{one}{joint}{another}" for one, another in zip(starts, other, strict=True)]
    # A number has a name, however little room there is; words need none.
    shortest = f"all t {spread}" if spread.startswith("±") else spread
    words = dict.fromkeys(f"{text}{end}" for text in (f"along diagonal {spread}", shortest) for end in (only, ""))
    if layout.readout.height > _STACKED:
        lines = ((*both, *alone),) if is_same else (alone, other)
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


@record(eq=False)
class Profile:
    """The similarities at offsets 0, 1, ..., shape (n,), None where each row has its own; the least and the greatest.

    Where each row has its own, these are those of an even sample of pairs.
    """

    lags: Floats | None
    limits: Limits
