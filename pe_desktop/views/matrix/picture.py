"""The encoding matrix around its heat map: ramp of pairs, axes, cursors, the chosen pair, numbers, the strip of p_t."""

import numpy as np
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.columns import MISSING, hand_places, n_hands
from pe_desktop.core.cursor import Cursor, full_span, visible_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import value_text
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import position_labels, span_ticks
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.heat.heatmap import Coarseness
from pe_desktop.views.matrix.layout import RAMP_GAP, RAMP_WIDTH, MatrixLayout, RowOrder

TICK_ROOM = 64.0
BADGE_RADIUS = 9.0
BADGE_ROOM = 20.0
# A number fits into a cell of this size.
NUMBER_CELL = (44.0, 20.0)
MOST_NUMBERS = 4000


def matrix_frame_picture(
    layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme, pixel_ratio: float
) -> marks.Picture:
    """What stands around the heat map and stays while the cursors move."""
    return (
        *_ramp(layout, order, theme, pixel_ratio),
        *_pair_labels(layout, order, cursor, theme),
        *_position_axis(layout, order.encoding, theme),
        *_overview(layout, order, theme),
    )


def matrix_cursor_picture(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The chosen pair's outline and the columns of t and t + k, which snap to whole positions."""
    n_positions = order.encoding.n_positions
    picture: list[marks.Mark] = []
    color = _pair_color(order.encoding, cursor.pair, theme)
    for row, n_rows in _pair_runs(order, cursor.pair):
        box = layout.box(layout.span.first, layout.span.width, row, n_rows)
        if box[2] > 0 and box[3] > 0:
            picture.append(marks.Rectangle(*_grown(box, 1.0), outline=color, outline_width=2.0))
    later = round(cursor.position + cursor.offset)
    picture += _column(layout, order, later, n_positions, theme, is_now=False)
    picture += _column(layout, order, round(cursor.position), n_positions, theme, is_now=True)
    return tuple(picture)


def preview_cell_picture(layout: MatrixLayout, order: RowOrder, position: float | None, theme: Theme) -> marks.Picture:
    """A light column at the position under the pointer, in whichever panel it is."""
    if position is None:
        return ()
    box = layout.box(position - 0.5, 1.0, layout.rows.first, layout.rows.width)
    if box[2] <= 0 or box[3] <= 0:
        return ()
    return (marks.Rectangle(*_grown(box, 0.5), outline=theme.text3, outline_width=1.0),)


def coarse_picture(layout: MatrixLayout, coarseness: Coarseness | None, theme: Theme) -> marks.Picture:
    """Words beside the plot while its colours leave out some of what they cover; nothing when they are exact."""
    if coarseness is None:
        return ()
    shown, every = whole(coarseness.n_shown), whole(coarseness.n_all)
    words = f"coarse: {shown} of {every} {coarseness.name} a pixel, refining"
    y = layout.bottom + 14.0 if layout.is_transposed else layout.top - 15.0
    return (marks.Text(layout.right, y, words, "tick", theme.text2, across=1.0),)


def readout_picture(x: float, y: float, width: float, lines: tuple[str, ...], theme: Theme) -> marks.Picture:
    """A small card beside the pointer: the first line is the value."""
    wide = max(text_width("value" if i == 0 else "caption", line) for i, line in enumerate(lines)) + 24.0
    tall = 14.0 + 18.0 * len(lines)
    left = x + 14.0 if x + 14.0 + wide <= width else x - 14.0 - wide
    top = y + 14.0
    card: list[marks.Mark] = [marks.Rectangle(left, top, wide, tall, theme.raised, theme.axis, radius=6.0)]
    for number, line in enumerate(lines):
        role, color = ("value", theme.text) if number == 0 else ("caption", theme.text2)
        card.append(marks.Text(left + 12.0, top + 16.0 + 18.0 * number, line, role, color))
    return tuple(card)


def _pair_color(encoding: Encoding, pair: int, theme: Theme) -> QColor:
    return theme.pair_color(pair, n_hands(encoding))


def _grown(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, width, height = box
    return left - by, top - by, width + 2 * by, height + 2 * by


def _pair_runs(order: RowOrder, pair: int) -> tuple[tuple[int, int], ...]:
    sine, cosine = order.rows_of(pair)
    if cosine == MISSING:
        return ((sine, 1),)
    return ((min(sine, cosine), 2),) if abs(sine - cosine) == 1 else ((sine, 1), (cosine, 1))


def _column(
    layout: MatrixLayout, order: RowOrder, position: int, n_positions: int, theme: Theme, *, is_now: bool
) -> list[marks.Mark]:
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
    inner, outer = (left, top, width, height), _grown((left, top, width, height), 1.5)
    light = marks.Rectangle(*inner, outline=theme.panel, outline_width=1.4)
    if is_now:
        return [light, marks.Rectangle(*outer, outline=theme.ink, outline_width=1.6)]
    return [light, marks.Segments(_sides(*outer), theme.ink, 1.6, (5.0, 3.0))]


def _sides(left: float, top: float, width: float, height: float) -> marks.Points:
    right, bottom = left + width, top + height
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
    image = QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()
    if layout.is_transposed:
        return (marks.Raster(layout.left, layout.top - RAMP_GAP - 4.0, layout.right - layout.left, RAMP_WIDTH, image),)
    left = layout.left - RAMP_GAP - RAMP_WIDTH
    return (marks.Raster(left, layout.top, RAMP_WIDTH, layout.bottom - layout.top, image),)


def _pair_labels(layout: MatrixLayout, order: RowOrder, cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    labels: list[marks.Mark] = []
    taken: list[float] = []
    for pair in dict.fromkeys((cursor.pair, *visible_pins(cursor, order.encoding))):
        for middle in (row + n_rows / 2 for row, n_rows in _pair_runs(order, pair)):
            at = layout.along_rows(middle)
            start, end = (layout.left, layout.right) if layout.is_transposed else (layout.top, layout.bottom)
            if start - 2 <= at <= end + 2 and all(abs(at - other) >= BADGE_ROOM for other in taken):
                taken.append(at)
                labels.append(_badge(layout, at, pair, order.encoding, theme))
    if not layout.is_transposed:
        has_pairs = order.encoding.pairs is not None
        words = "frequency pair i" if has_pairs else f"columns {', '.join(hand_places(order.encoding))}"
        words = "sines over cosines" if order.is_halved else words
        labels.append(marks.Text(2.0, 11.0, words, "tick", theme.text3))
    return labels


def _badge(layout: MatrixLayout, at: float, pair: int, encoding: Encoding, theme: Theme) -> marks.Badge:
    label, color = str(pair), _pair_color(encoding, pair, theme)
    half = badge_half_width(BADGE_RADIUS, label)
    if layout.is_transposed:
        return marks.Badge(at, layout.top - RAMP_GAP - 15.0 + 6.0, BADGE_RADIUS, label, color)
    return marks.Badge(layout.left - RAMP_GAP - RAMP_WIDTH - 12.0 - half, at, BADGE_RADIUS, label, color)


def _position_axis(layout: MatrixLayout, encoding: Encoding, theme: Theme) -> list[marks.Mark]:
    length = layout.bottom - layout.top if layout.is_transposed else layout.right - layout.left
    most = max(int(length // (28.0 if layout.is_transposed else TICK_ROOM)), 1)
    room = 20.0 if layout.is_transposed else 1.5 * text_width("tick", whole(encoding.n_positions - 1))
    room /= layout.position_pixels
    ticks = span_ticks(layout.span.first, layout.span.last, encoding.n_positions, most, room)
    if layout.is_transposed:
        title = marks.Text(2.0, 11.0, "position t", "tick", theme.text3)
        left, y = layout.left - 10.0, layout.along_positions
        return [title, *(marks.Text(left, y(t), whole(t), "tick", theme.text3, across=1.0) for t in ticks)]
    below = layout.bottom + 14.0
    title = marks.Text(layout.left - 12.0, below, "position t", "tick", theme.text3, across=1.0)
    return [title, *position_labels(ticks, layout.along_positions, below, (layout.left, layout.right), theme)]


def _overview(layout: MatrixLayout, order: RowOrder, theme: Theme) -> list[marks.Mark]:
    """Thin bars that say which part of the table is seen, on the axes of which not all is."""
    picture: list[marks.Mark] = []
    full = full_span(order.encoding.n_positions)
    x0, y0, x1, y1 = layout.left, layout.top, layout.right, layout.bottom
    shares = [
        (layout.span != full, (layout.span.first - full.first) / full.width, layout.span.width / full.width, True),
        (layout.rows.width < order.n_rows, layout.rows.first / order.n_rows, layout.rows.width / order.n_rows, False),
    ]
    for is_zoomed, start, extent, is_position in shares:
        if not is_zoomed:
            continue
        is_across = is_position != layout.is_transposed
        near, far = (x0, x1) if is_across else (y0, y1)
        first = near + start * (far - near)
        last = max(first + extent * (far - near), first + 3.0)
        for begin, end, color in ((near, far, theme.line), (first, last, theme.text3)):
            at = y1 + 5.0 if is_across else x1 + 6.0
            ends = [begin, at, end, at] if is_across else [at, begin, at, end]
            picture.append(marks.Segments(np.array([ends]), color, 2.0))
    return picture


def number_picture(layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Picture:
    """The value in every cell that is large enough for it."""
    across, down = layout.position_pixels, layout.row_pixels
    if layout.is_transposed:
        across, down = down, across
    if across < NUMBER_CELL[0] or down < NUMBER_CELL[1]:
        return ()
    n_positions = order.encoding.n_positions
    positions = np.arange(max(round(layout.span.first), 0), min(round(layout.span.last), n_positions - 1) + 1)
    rows = np.arange(max(int(layout.rows.first), 0), min(int(np.ceil(layout.rows.last)), order.n_rows))
    if len(positions) * len(rows) > MOST_NUMBERS:
        return ()
    values = order.encoding.values(positions, [order.dimension(int(row)) for row in rows])
    decimals, limit = 4 if across >= 64.0 else 3, order.encoding.value_limit
    picture: list[marks.Mark] = []
    for i, position in enumerate(positions.tolist()):
        for j, row in enumerate(rows.tolist()):
            along, other = layout.along_positions(position), layout.along_rows(row + 0.5)
            x, y = (other, along) if layout.is_transposed else (along, other)
            if layout.holds(x, y):
                value = float(values[i, j])
                ink = badge_text_color(theme.diverging_color(value / limit))
                picture.append(marks.Text(x, y, value_text(value, limit, decimals), "tick", ink, across=0.5))
    return tuple(picture)
