"""Marks around the heat map of the encoding matrix and over it: ramp of pairs, axes, cursors, chosen pair, numbers."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pe_desktop.core.cursor import Cursor, Preview
from pe_desktop.core.fields.field import ColorScale
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import bar_ends, lying_bar, lying_bar_width
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis, Tick, outline, position_ticks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, color_image, map_colors, rgb
from pe_desktop.draw.typefaces import badge_half_width, fitting, text_width
from pe_desktop.views.matrix.layout import MatrixLayout, RowOrder

_RAMP_WIDTH = _RAMP_GAP = 8.0
# Where the numbers of dimensions end, left of the widest badge, and how far below a transposed plot they stand.
_DIMENSIONS_RIGHT, _DIMENSIONS_BELOW = 46.0, 14.0
_BAR = 64.0
_BADGE_RADIUS, _BADGE_ROOM = 9.0, 20.0
# How far above the end of the rows a badge stands at least, clear of the title below.
_ABOVE_TITLE = 5.0
# No column of t is thinner.
_THINNEST = 4.0


def rows_picture(
    layout: MatrixLayout, order: RowOrder, pair: int, pins: tuple[int, ...], theme: Theme, pixel_ratio: float
) -> marks.Picture:
    """What stands around the heat map whichever positions are seen; pins are the pairs that carry a badge."""
    return (
        _ramp(layout, order, theme, pixel_ratio),
        *_row_labels(layout, order, pair, pins, theme),
        *_row_titles(layout, order, theme),
        *(_dimension_labels(layout, order, theme) if layout.has_dimensions else ()),
    )


def matrix_cursor_picture(
    layout: MatrixLayout, order: RowOrder, n_positions: int, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """The chosen pair's outline and the columns of t and t + k, which snap to whole positions."""
    picture: marks.Marks = []
    color = theme.pair_color(cursor.pair, len(order.hands))
    for row, n_rows in order.runs_of(cursor.pair):
        box = layout.rows_box(row, n_rows)
        if box.width > 0 and box.height > 0:
            picture.append(marks.Rectangle(*box.grown(1.0, 1.0), outline=color, outline_width=2.0))
    for at, dash in zip(map(round, cursor.both[::-1]), ((5.0, 3.0), ()), strict=True):
        if 0 <= at < n_positions:
            picture += _column(layout, layout.position_box(at), dash, theme)
    return tuple(picture)


def preview_picture(
    layout: MatrixLayout, order: RowOrder, preview: Preview, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """A light column at what is named under the pointer, dashed at t + k, and light rows of a pair."""
    runs = () if preview.pair is None else order.runs_of(preview.pair)
    boxes = [(layout.rows_box(*run), True) for run in runs]
    boxes += [(layout.position_box(at), is_now) for at, is_now in preview.places(cursor.position)]
    return tuple(
        outline(box.grown(0.5, 0.5), theme.text3, 1.0, () if is_now else (3.0, 2.0))
        for box, is_now in boxes
        if box.width > 0 and box.height > 0
    )


def bar_area(layout: MatrixLayout, scale: ColorScale) -> Area:
    """The colour bar with its numbers, at the right end of the line of words."""
    wide = lying_bar_width(_BAR, bar_ends(scale))
    return Area(layout.area.right - wide, layout.words_y - 8.0, wide, 16.0)


def bar_picture(layout: MatrixLayout, scale: ColorScale, theme: Theme) -> marks.Picture:
    """What stands there, where it has room."""
    if bar_area(layout, scale).x < layout.area.x:
        return ()
    colors = map_colors(theme, scale.limits, is_diverging=True)
    return lying_bar(layout.area.right, layout.words_y, _BAR, bar_ends(scale), colors, theme)


def words_picture(layout: MatrixLayout, scale: ColorScale, forms: Sequence[str], theme: Theme) -> marks.Picture:
    """The longest form of a sentence that has room before the colour bar."""
    words = fitting("tick", (*forms, ""), bar_area(layout, scale).x - layout.area.x - 16.0)
    return (marks.Text(layout.area.x, layout.words_y, words, "tick", theme.text2),) if words else ()


def _column(layout: MatrixLayout, box: Area, dash: tuple[float, ...], theme: Theme) -> marks.Marks:
    if box.width <= 0 or box.height <= 0:
        return []
    # Never thinner than what can be seen; a light line inside a dark one is seen on every colour.
    more = max(_THINNEST - layout.point(box.width, box.height)[0], 0.0) / 2
    inner = box.grown(*layout.point(more, 0.0))
    outer = inner.grown(1.5, 1.5)
    light = marks.Rectangle(*inner, outline=theme.panel, outline_width=1.4)
    if not dash:
        return [light, marks.Rectangle(*outer, outline=theme.ink, outline_width=1.6)]
    x, y, right, bottom = outer.sides
    # Each side begins with a dash.
    sides = [[x, y, right, y], [right, y, right, bottom], [x, bottom, right, bottom], [x, y, x, bottom]]
    return [light, marks.lines(sides, theme.ink, 1.6, dash)]


def _ramp(layout: MatrixLayout, order: RowOrder, theme: Theme, pixel_ratio: float) -> marks.Raster:
    n_pixels = max(round(max(int(layout.row_axis.length), 1) * pixel_ratio), 1)
    middles = layout.rows.first + (np.arange(n_pixels) + 0.5) / n_pixels * layout.rows.width
    owners = order.owners[np.clip(middles.astype(np.int64), 0, order.n_rows - 1)]
    colors = theme.pair_colors(len(order.hands))[owners]
    if layout.row_pixels >= 6.0:
        # A hairline where one pair ends and the next begins.
        colors[1:][owners[1:] != owners[:-1]] = rgb(theme.panel)
    thick, area = max(round(_RAMP_WIDTH * pixel_ratio), 1), layout.area
    pixels = np.repeat(colors[:, None], thick, axis=1)
    place = area._replace(x=area.x - _RAMP_GAP - _RAMP_WIDTH, width=_RAMP_WIDTH)
    if layout.is_transposed:
        pixels = pixels.swapaxes(0, 1)
        place = area._replace(y=area.y - _RAMP_GAP - 4.0, height=_RAMP_WIDTH)
    return marks.Raster(*place, color_image(pixels))


def _row_labels(layout: MatrixLayout, order: RowOrder, pair: int, pins: tuple[int, ...], theme: Theme) -> marks.Marks:
    """Badges of the chosen pair and of the pins that don't cover each other, numbers of others where there is room."""
    labels: marks.Marks = []
    taken = list[float]()
    farther = list[float]()
    first = layout.row_axis.place(layout.rows.first)
    last = layout.row_axis.place(layout.rows.last)
    above = layout.area.y - _RAMP_GAP - 9.0
    beside = layout.area.x - _RAMP_GAP - _RAMP_WIDTH - 12.0
    lowest = math.inf if layout.is_transposed else last - _ABOVE_TITLE
    halves = {owner: badge_half_width(_BADGE_RADIUS, str(owner)) for owner in (pair, *pins)}
    # Badges that would cover others stand in a second column, where it leaves the numbers of dimensions free.
    second = beside - 2 * max(halves.values()) - 2.0
    least = _DIMENSIONS_RIGHT if layout.has_dimensions else 0.0
    for owner, half in halves.items():
        label, color = str(owner), theme.pair_color(owner, len(order.hands))
        columns = [(above if layout.is_transposed else beside - half, taken)]
        if not layout.is_transposed and second - 2 * half >= least:
            columns.append((second - half, farther))
        for middle in _middles(layout, order, owner):
            at = min(middle, lowest)
            for across, others in columns if first - 2 <= middle <= last + 2 else ():
                if all(abs(at - other) >= _BADGE_ROOM for other in others):
                    others.append(at)
                    labels.append(marks.Badge(*layout.point(across, at), _BADGE_RADIUS, label, color))
                    break
    # Numbers beside the plot end as a single digit in a badge does.
    across = above if layout.is_transposed else beside - _BADGE_RADIUS + text_width("tick", "0") / 2
    for owner in _numbered_pairs(layout, order):
        text = whole(owner)
        room = max((text_width("tick", text) + _BADGE_ROOM) / 2 + 4.0 if layout.is_transposed else 0.0, _BADGE_ROOM)
        for at in _middles(layout, order, owner):
            if first <= at <= last and min([abs(at - other) for other in taken], default=room) >= room:
                taken.append(at)
                place = layout.point(across, at)
                anchor = 0.5 if layout.is_transposed else 1.0
                labels.append(marks.Text(*place, text, "tick", theme.text3, across=anchor))
    return labels


def _middles(layout: MatrixLayout, order: RowOrder, pair: int) -> list[float]:
    """The middle of each run of a pair's rows, or of the part that is seen where the middle isn't."""
    first, last = layout.rows.first, layout.rows.last
    middles = []
    for row, n_rows in order.runs_of(pair):
        middle = row + n_rows / 2
        upper = max(row, first)
        lower = min(row + n_rows, last)
        if not first <= middle <= last and (lower - upper) * layout.row_pixels >= _BADGE_ROOM:
            middle = (upper + lower) / 2
        middles.append(layout.row_axis.place(middle))
    return middles


def _numbered_pairs(layout: MatrixLayout, order: RowOrder) -> list[int]:
    """Pairs at round steps, so few that there is room for the number of each."""
    owners = order.owners[max(int(layout.rows.first), 0) : int(np.ceil(layout.rows.last))]
    # Sines and cosines that stand in different halves begin again with the fastest pair.
    runs = [run for run in np.split(owners, np.flatnonzero(np.diff(owners) < 0) + 1) if run.size]
    room = text_width("tick", whole(int(owners.max(initial=0)))) + 16.0 if layout.is_transposed else _BADGE_ROOM
    most = layout.row_axis.length / room / max(owners.size, 1)
    ticks = (position_ticks(float(run[0]), float(run[-1]), max(int(most * run.size), 1)) for run in runs)
    return sorted({int(pair) for values in ticks for pair in values})


def _row_titles(layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Marks:
    """What the numbers of the rows are."""
    x, y = layout.area.x - _RAMP_GAP, layout.words_y
    if layout.is_transposed:
        x, y = layout.area.x - 18.0, layout.area.y - _RAMP_GAP - 9.0
    titles: marks.Marks = []
    words = f"columns {', '.join(order.places)}"
    if order.n_pairs:
        titles.append(marks.right_aligned(x, y, "pair i", "tick", theme.text3))
        words = "dimension" if layout.has_dimensions else ""
    has_words = words and not layout.is_transposed
    return [*titles, marks.Text(2.0, y, words, "tick", theme.text3)] if has_words else titles


def _dimension_labels(layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Marks:
    """The dimensions that rows show, at round steps: before the numbers of their pairs, transposed under the plot."""
    middles = layout.row_middles
    if layout.is_transposed:
        title = middles.title("dimension", theme, _DIMENSIONS_BELOW, is_before=True)
        return [title, *middles.labels(_dimension_ticks(order, middles), theme, _DIMENSIONS_BELOW)]
    ticks = _dimension_ticks(order, middles)
    if ticks and not order.n_pairs and text_width("tick", f"dim {ticks[0].text}") <= _DIMENSIONS_RIGHT:
        ticks[0] = ticks[0]._replace(text=f"dim {ticks[0].text}")
    return middles.labels(ticks, theme, layout.area.x - _DIMENSIONS_RIGHT)


def _dimension_ticks(order: RowOrder, middles: Axis) -> list[Tick]:
    """Rows at round steps with the numbers of their dimensions; each cosine of a half of its own beside its sine's."""
    room = text_width("tick", whole(order.n_rows)) + 20.0 if middles.side == "below" else _BADGE_ROOM
    row_pixels = middles.length / (middles.last - middles.first)
    is_split = order.is_halved and order.dimensions[1] != 1
    starts = (0, order.n_pairs) if is_split else (0,)
    ticks: list[Tick] = []
    for start, stop in zip(starts, (*starts[1:], order.n_rows), strict=True):
        first, last = max(middles.first, start - 0.5), min(middles.last, stop - 0.5)
        if first >= last:
            continue
        tall, is_last = (last - first) * row_pixels, stop == order.n_rows
        part = replace(middles, area=Area(0.0, 0.0, tall, tall), first=first - start, last=last - start)
        for tick in part.position_ticks(stop - start, room, with_end=is_last):
            row = int(tick.value) + start
            # The next half begins with a number.
            if is_last or (stop - row) * row_pixels >= 0.75 * room:
                ticks.append(Tick(float(row), whole(int(order.dimensions[row]))))
    return ticks
