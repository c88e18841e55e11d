"""Marks around the heat map of the encoding matrix and over it: ramp of pairs, axes, cursors, chosen pair, numbers."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.columns import MISSING, hand_places, n_hands
from pe_desktop.core.cursor import Cursor, Preview, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis, Tick, outline, position_ticks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.heat.heatmap import Coarseness
from pe_desktop.views.matrix.layout import RAMP_GAP, RAMP_WIDTH, WORDS_BELOW, MatrixLayout, RowOrder

# Where the numbers of dimensions end, left of the widest badge, and how far below a transposed plot they stand.
_DIMENSIONS_RIGHT, _DIMENSIONS_BELOW = 46.0, 14.0
_BADGE_RADIUS = 9.0
_BADGE_ROOM = 20.0
# How far above the end of the rows a badge stands at least, clear of the title below.
_ABOVE_TITLE = 5.0
# How far the line between two halves of the table reaches out of the plot.
_BEYOND = 5.0


def rows_picture(
    layout: MatrixLayout, order: RowOrder, pair: int, pins: tuple[int, ...], theme: Theme, pixel_ratio: float
) -> marks.Picture:
    """What stands around the heat map whichever positions are seen; pins are the pairs that carry a badge."""
    return (
        *_ramp(layout, order, theme, pixel_ratio),
        *_row_labels(layout, order, pair, pins, theme),
        *_row_titles(layout, order, theme),
        *(_dimension_labels(layout, order, theme) if layout.has_dimensions else ()),
    )


def positions_picture(layout: MatrixLayout, n_positions: int, n_rows: int, theme: Theme) -> marks.Picture:
    """The numbers of the positions, their title, and which part of the table is seen."""
    axis = layout.position_axis
    ticks = axis.position_ticks(n_positions)
    if layout.is_transposed:
        title: Sequence[marks.Mark] = axis.title_between(ticks, "position t", theme, 10.0)
    else:
        title = (axis.title("position t", theme, 14.0, is_before=True),)
    distance = 10.0 if layout.is_transposed else 14.0
    return (*title, *axis.labels(ticks, theme, distance), *_overview(layout, n_positions, n_rows, theme))


def matrix_cursor_picture(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The chosen pair's outline and the columns of t and t + k, which snap to whole positions."""
    n_positions = order.encoding.n_positions
    picture: list[marks.Mark] = []
    color = _pair_color(order.encoding, cursor.pair, theme)
    for row, n_rows in pair_runs(order, cursor.pair):
        box = layout.box(layout.span.first, layout.span.width, row, n_rows)
        if box.width > 0 and box.height > 0:
            picture.append(marks.Rectangle(*_grown(box, 1.0), outline=color, outline_width=2.0))
    later = round(cursor.position + cursor.offset)
    picture += _column(layout, later, n_positions, theme, is_now=False)
    picture += _column(layout, round(cursor.position), n_positions, theme, is_now=True)
    return tuple(picture)


def preview_cell_picture(layout: MatrixLayout, preview: Preview | None, theme: Theme) -> marks.Picture:
    """A light column at what is under the pointer, in whichever panel it is; a dashed one for a key."""
    picture: list[marks.Mark] = []
    for position, is_query in () if preview is None else preview.places:
        box = layout.box(position - 0.5, 1.0, layout.rows.first, layout.rows.width)
        if box.width > 0 and box.height > 0:
            picture.append(outline(_grown(box, 0.5), theme.text3, 1.0, () if is_query else (3.0, 2.0)))
    return tuple(picture)


@lru_cache(maxsize=4)
def border_picture(layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Picture:
    """A line where the cosines begin that don't stand beside their sines; it stays while the cursors move."""
    border = order.border
    if border is None or not layout.rows.first < border < layout.rows.last:
        return ()
    at, area, by = layout.along_rows(border), layout.area, _BEYOND
    ends = (at, area.y - by, at, area.bottom + by) if layout.is_transposed else (area.x - by, at, area.right + by, at)
    line = np.array([ends])
    return (marks.Segments(line, theme.panel, 4.0), marks.Segments(line, theme.text2, 1.2))


@lru_cache(maxsize=4)
def number_picture(layout: MatrixLayout, order: RowOrder, limits: tuple[float, float], theme: Theme) -> marks.Picture:
    """The value in every cell that is large enough for it; it stays while the cursors move."""
    cell = layout.position_pixels, layout.row_pixels
    if layout.is_transposed:
        cell = cell[::-1]
    last, n_rows = order.encoding.n_positions - 1, order.n_rows
    positions = range(max(round(layout.span.first), 0), min(round(layout.span.last), last) + 1)
    rows = range(max(int(layout.rows.first), 0), min(math.ceil(layout.rows.last), n_rows))
    if not has_room(len(positions), len(rows), cell):
        return ()
    values = order.encoding.values(positions, order.dimensions()[rows.start : rows.stop])
    along = layout.position_axis.place(np.array(positions, dtype=np.float64))
    other = layout.row_axis.place(np.array(rows, dtype=np.float64) + 0.5)
    places, shown = ((other, along), values) if layout.is_transposed else ((along, other), values.T)
    colors = map_colors(theme, limits, is_diverging=True)
    return cell_numbers(layout.area, places, shown, cell, limits, colors)


def coarse_picture(layout: MatrixLayout, coarseness: Coarseness | None, theme: Theme) -> marks.Picture:
    """Words beside the plot while its colours leave out some of what they cover; nothing when they are exact."""
    if coarseness is None:
        return ()
    side = coarseness.side
    shown, every = whole(coarseness.n_shown), whole(coarseness.n_all * side**2)
    where = "a pixel" if side == 1 else f"for {side} × {side} pixels"
    words = f"coarse: {shown} of {every} {coarseness.name} {where}, refining"
    y = layout.area.bottom + WORDS_BELOW if layout.is_transposed else layout.area.y - 15.0
    return (marks.Text(layout.area.right, y, words, "tick", theme.text2, across=1.0),)


def pair_runs(order: RowOrder, pair: int) -> tuple[tuple[int, int], ...]:
    """Where the rows of a pair begin and how many stand together there."""
    sine, cosine = order.rows_of(pair)
    if cosine == MISSING:
        return ((sine, 1),)
    return ((min(sine, cosine), 2),) if abs(sine - cosine) == 1 else ((sine, 1), (cosine, 1))


def row_title(order: RowOrder) -> str:
    """What stands at the axis of the rows beside the titles of its numbers, if anything."""
    if order.encoding.pairs is None:
        return f"columns {', '.join(hand_places(order.encoding))}"
    return "sines before cosines" if order.is_halved else ""


def _pair_color(encoding: Encoding, pair: int, theme: Theme) -> QColor:
    return theme.pair_color(pair, n_hands(encoding))


def _grown(area: Area, by: float) -> Area:
    return Area(area.x - by, area.y - by, area.width + 2 * by, area.height + 2 * by)


def _column(layout: MatrixLayout, position: int, n_positions: int, theme: Theme, *, is_now: bool) -> list[marks.Mark]:
    if not 0 <= position < n_positions:
        return []
    left, top, width, height = layout.box(position - 0.5, 1.0, layout.rows.first, layout.rows.width)
    if width <= 0 or height <= 0:
        return []
    # Never thinner than what can be seen; a light line inside a dark one is seen on every colour.
    if layout.is_transposed:
        top, height = top - max(4.0 - height, 0.0) / 2, max(height, 4.0)
    else:
        left, width = left - max(4.0 - width, 0.0) / 2, max(width, 4.0)
    inner = Area(left, top, width, height)
    outer = _grown(inner, 1.5)
    light = marks.Rectangle(*inner, outline=theme.panel, outline_width=1.4)
    if is_now:
        return [light, marks.Rectangle(*outer, outline=theme.ink, outline_width=1.6)]
    return [light, marks.Segments(_sides(outer), theme.ink, 1.6, (5.0, 3.0))]


def _sides(area: Area) -> marks.Points:
    left, top, right, bottom = area.x, area.y, area.right, area.bottom
    return np.array(
        [[left, top, right, top], [right, top, right, bottom], [left, bottom, right, bottom], [left, top, left, bottom]]
    )


def _ramp(layout: MatrixLayout, order: RowOrder, theme: Theme, pixel_ratio: float) -> tuple[marks.Mark, ...]:
    n_pixels = max(round(layout.n_row_pixels * pixel_ratio), 1)
    middles = layout.rows.first + (np.arange(n_pixels) + 0.5) / n_pixels * layout.rows.width
    rows = np.clip(middles.astype(np.int64), 0, order.n_rows - 1)
    owners = order.pairs_by_row()[rows]
    colors = theme.pair_colors(n_hands(order.encoding))[owners].astype(np.uint32)
    inks = np.uint32(0xFF000000) | (colors[:, 0] << 16) | (colors[:, 1] << 8) | colors[:, 2]
    if layout.row_pixels >= 6.0:
        # A hairline where one pair ends and the next begins.
        panel = theme.panel.rgb()
        inks[1:][owners[1:] != owners[:-1]] = np.uint32(panel & 0xFFFFFFFF)
    thick = max(round(RAMP_WIDTH * pixel_ratio), 1)
    pixels = np.repeat(inks[:, np.newaxis], thick, axis=1)
    if layout.is_transposed:
        pixels = np.ascontiguousarray(pixels.T)
    height, width = pixels.shape
    area = layout.area
    image = QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()
    if layout.is_transposed:
        return (marks.Raster(area.x, area.y - RAMP_GAP - 4.0, area.width, RAMP_WIDTH, image),)
    return (marks.Raster(area.x - RAMP_GAP - RAMP_WIDTH, area.y, RAMP_WIDTH, area.height, image),)


def _row_labels(
    layout: MatrixLayout, order: RowOrder, pair: int, pins: tuple[int, ...], theme: Theme
) -> list[marks.Mark]:
    """Badges of the chosen pair and of the pins that don't cover each other, numbers of others where there is room."""
    labels: list[marks.Mark] = []
    taken: list[float] = []
    ends = (layout.area.x, layout.area.right) if layout.is_transposed else (layout.area.y, layout.area.bottom)
    lowest = math.inf if layout.is_transposed else layout.area.bottom - _ABOVE_TITLE
    for owner in dict.fromkeys((pair, *pins)):
        seen = [at for at in _middles(layout, order, owner) if ends[0] - 2 <= at <= ends[1] + 2]
        for at in np.minimum(seen, lowest).tolist():
            if all(abs(at - other) >= _BADGE_ROOM for other in taken):
                taken.append(at)
                labels.append(_badge(layout, at, owner, order.encoding, theme))
    for owner in _numbered_pairs(layout, order):
        text = whole(owner)
        room = max((text_width("tick", text) + _BADGE_ROOM) / 2 + 4.0 if layout.is_transposed else 0.0, _BADGE_ROOM)
        for at in _middles(layout, order, owner):
            if ends[0] <= at <= ends[1] and all(abs(at - other) >= room for other in taken):
                taken.append(at)
                x, y, across = (at, _badge_y(layout), 0.5) if layout.is_transposed else (_number_x(layout), at, 1.0)
                labels.append(marks.Text(x, y, text, "tick", theme.text3, across=across))
    return labels


def _middles(layout: MatrixLayout, order: RowOrder, pair: int) -> list[float]:
    """The middle of each run of a pair's rows, or of the part that is seen where the middle isn't."""
    first, last = layout.rows.first, layout.rows.last
    middles = []
    for row, n_rows in pair_runs(order, pair):
        middle, upper, lower = row + n_rows / 2, max(row, first), min(row + n_rows, last)
        if not first <= middle <= last and (lower - upper) * layout.row_pixels >= _BADGE_ROOM:
            middle = (upper + lower) / 2
        middles.append(layout.along_rows(middle))
    return middles


def _numbered_pairs(layout: MatrixLayout, order: RowOrder) -> list[int]:
    """Pairs at round steps, so few that there is room for the number of each."""
    seen = order.pairs_by_row()[max(int(layout.rows.first), 0) : int(np.ceil(layout.rows.last))]
    # Sines and cosines that stand in different halves begin again with the fastest pair.
    runs = [run for run in np.split(seen, np.flatnonzero(np.diff(seen) < 0) + 1) if run.size]
    room = text_width("tick", whole(int(seen.max(initial=0)))) + 16.0 if layout.is_transposed else _BADGE_ROOM
    most = layout.row_axis.length / room / max(seen.size, 1)
    ticks = (position_ticks(float(run[0]), float(run[-1]), max(int(most * run.size), 1)) for run in runs)
    return sorted({int(pair) for some in ticks for pair in some})


def _badge(layout: MatrixLayout, at: float, pair: int, encoding: Encoding, theme: Theme) -> marks.Badge:
    label, color = str(pair), _pair_color(encoding, pair, theme)
    if layout.is_transposed:
        return marks.Badge(at, _badge_y(layout), _BADGE_RADIUS, label, color)
    x = layout.area.x - RAMP_GAP - RAMP_WIDTH - 12.0 - badge_half_width(_BADGE_RADIUS, label)
    return marks.Badge(x, at, _BADGE_RADIUS, label, color)


def _badge_y(layout: MatrixLayout) -> float:
    return layout.area.y - RAMP_GAP - 9.0


def _number_x(layout: MatrixLayout) -> float:
    """Where numbers end: as a single digit in a badge does."""
    return layout.area.x - RAMP_GAP - RAMP_WIDTH - 12.0 - _BADGE_RADIUS + text_width("tick", "0") / 2


def _row_titles(layout: MatrixLayout, order: RowOrder, theme: Theme) -> list[marks.Mark]:
    """What the numbers of the rows are."""
    if layout.is_transposed:
        return _titles_below(layout, order, theme)
    if order.encoding.pairs is None:
        return [marks.Text(2.0, 11.0, row_title(order), "tick", theme.text3)]
    pairs_right = layout.area.x - RAMP_GAP
    return [
        *((marks.Text(2.0, 11.0, "dimension", "tick", theme.text3),) if layout.has_dimensions else ()),
        marks.Text(pairs_right, 11.0, "pair i", "tick", theme.text3, across=1.0),
    ]


def _titles_below(layout: MatrixLayout, order: RowOrder, theme: Theme) -> list[marks.Mark]:
    titles: list[marks.Mark] = []
    if order.encoding.pairs is not None:
        at = layout.area.x - 18.0, _badge_y(layout)
        titles.append(marks.Text(*at, "pair i", "tick", theme.text3, across=1.0))
    if layout.has_title_below:
        titles.append(layout.row_axis.title(row_title(order), theme))
    return titles


def _dimension_labels(layout: MatrixLayout, order: RowOrder, theme: Theme) -> list[marks.Mark]:
    """The dimensions that rows show, at round steps: before the numbers of their pairs, transposed under the plot."""
    # Ticks stand in the middles of rows.
    middles = replace(layout.row_axis, first=layout.rows.first - 0.5, last=layout.rows.last - 0.5)
    ticks = _dimension_ticks(layout, order, middles)
    if layout.is_transposed:
        title = middles.title("dimension", theme, _DIMENSIONS_BELOW, is_before=True)
        return [title, *middles.labels(ticks, theme, _DIMENSIONS_BELOW)]
    if ticks and order.encoding.pairs is None and text_width("tick", f"dim {ticks[0].text}") <= _DIMENSIONS_RIGHT:
        ticks[0] = ticks[0]._replace(text=f"dim {ticks[0].text}")
    return [
        marks.Text(_DIMENSIONS_RIGHT, middles.place(at), text, "tick", theme.text3, across=1.0) for at, text in ticks
    ]


def _dimension_ticks(layout: MatrixLayout, order: RowOrder, middles: Axis) -> list[Tick]:
    """Rows at round steps with the numbers of their dimensions; each cosine of a half of its own beside its sine's."""
    room = text_width("tick", whole(order.n_rows)) + 20.0 if layout.is_transposed else _BADGE_ROOM
    dimensions, border = order.dimensions(), order.border
    if border is None or dimensions[1] == 1:
        ticks = list(middles.position_ticks(order.n_rows, room))
    else:
        upper, lower = (_half(middles, first, border) for first in (0, border))
        ticks = [
            tick
            for tick in (() if upper is None else upper.position_ticks(border, room, with_end=False))
            if lower is None or abs(middles.place(border) - middles.place(tick.value)) >= 0.75 * room
        ]
        ends = () if lower is None else lower.position_ticks(border, room)
        ticks += [tick._replace(value=tick.value + border) for tick in ends]
    return [Tick(tick.value, whole(int(dimensions[int(tick.value)]))) for tick in ticks]


def _half(middles: Axis, first_row: int, n_rows: int) -> Axis | None:
    """The part of an axis of rows that shows some of them, counted from the first; None where none is seen."""
    first, last = max(middles.first - first_row, -0.5), min(middles.last - first_row, n_rows - 0.5)
    if first >= last:
        return None
    start, end = (middles.place(first_row + row) for row in (first, last))
    area = middles.area
    part = (
        area._replace(x=start, width=end - start)
        if middles.side == "below"
        else area._replace(y=start, height=end - start)
    )
    return replace(middles, area=part, first=first, last=last)


def _overview(layout: MatrixLayout, n_positions: int, n_rows: int, theme: Theme) -> marks.Picture:
    """Thin bars that say which part of the table is seen, on the axes of which not all is; a figure's title says it."""
    if layout.is_paper:
        return ()
    picture: marks.Picture = ()
    full, below, beside = full_span(n_positions), layout.area.bottom + 5.0, layout.area.right + 6.0
    if layout.span != full:
        at = beside if layout.is_transposed else below
        picture += layout.position_axis.overview(full.first, full.last, at, theme)
    if layout.rows.width < n_rows:
        at = below if layout.is_transposed else beside
        picture += layout.row_axis.overview(0.0, float(n_rows), at, theme)
    return picture
