"""M_k, the lens on a block, the turn, the residuals."""

import math
import re
from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.cursor import Cursor, hand_of_column
from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Integers, Pairs
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.record import record
from pe_desktop.core.rotation import BestShift, RotationField, ShiftReport, rotating_pairs, rotation_blocks
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.color_bar import lying_bar
from pe_desktop.draw.dial import TURN, Dial, named_hands
from pe_desktop.draw.formula_text import matrix, vector
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color, map_image, rgb, with_alpha
from pe_desktop.draw.typefaces import fitting, formula_runs, text_width
from pe_desktop.draw.typeset import formula_block
from pe_desktop.views.questions import turned

_WIDE = (560.0, 360.0)
RAMP = 16.0
# Caption under the matrix, equation or residual under both.
CAPTION = 30.0
_FOOT = 132.0
# The least side of the lens where the height allows it.
_LENS = 88.0


@record
class RotationLayout:
    """The areas of matrix, lens, circle, equation and residual; a narrow panel has no circle."""

    matrix: Area
    lens: Area
    circle: Area | None
    equation: Area
    residual: Area | None


def rotation_layout(width: float, height: float) -> RotationLayout:
    """Three parts side by side over two where there is room, else two over text."""
    return _wide(width, height) if width >= _WIDE[0] and height >= _WIDE[1] else _narrow(width, height)


def _wide(width: float, height: float) -> RotationLayout:
    side = min(height - _FOOT - CAPTION - RAMP - 8.0, width * 0.34)
    matrix = Area(RAMP, RAMP, side, side)
    foot = matrix.y + side + CAPTION + 8.0
    lens_side = min(side * 0.68, width * 0.22)
    lens_x = matrix.x + side + max((width * 0.68 - side - lens_side) * 0.42, 40.0)
    lens = Area(lens_x, 44.0, lens_side, lens_side)
    circle_x = lens_x + lens_side + 40.0
    radius = min((width - circle_x - 80.0) / 2, (foot - 50.0) / 2 - 20.0)
    circle = Area(circle_x + 34.0, 30.0, 2 * radius, 2 * radius)
    split = width * 0.48
    equation = Area(0.0, foot + 6.0, split - 16.0, _FOOT - 10.0)
    residual = Area(split + 34.0, foot + 6.0, width - split - 40.0, min(height - foot - 8.0, side * 0.8))
    return RotationLayout(matrix, lens, circle, equation, residual)


def _narrow(width: float, height: float) -> RotationLayout:
    has_residual = height >= 280.0
    foot_height = 128.0 if has_residual else 32.0
    side = max(min(height - foot_height - CAPTION - RAMP, width * 0.46), 40.0)
    matrix = Area(RAMP, RAMP, side, side)
    foot = matrix.y + side + CAPTION
    # Beside a small matrix the lens may be the larger one: its numbers need room.
    lens_side = max(min(side * 0.86, width - side - RAMP - 64.0), min(_LENS, foot - 8.0))
    lens = Area(width - lens_side - 6.0, max(RAMP + (side - lens_side) / 2, 3.0), lens_side, lens_side)
    residual = Area(44.0, foot + 52.0, width - 50.0, height - foot - 54.0) if has_residual else None
    return RotationLayout(matrix, lens, None, Area(0.0, foot, width, 46.0), residual)


_SYMBOLS = ("cos kω_{i}", "sin kω_{i}", "−sin kω_{i}", "cos kω_{i}")
_CAPTION_DOWN = 16.0
# The arc of the turn, as a share of the circle, the arms of its arrow, and what takes its angle.
_LEAST_WITH_ANGLE = 44.0
# Cells of a lens from these heights on have room for symbols and for large numbers.
_WITH_SYMBOLS, _LARGE_HALF = 60.0, 84.0
_MOST_PLAIN = 100.0


def rotation_picture(
    layout: RotationLayout, encoding: Encoding, cursor: Cursor, heat: QImage, theme: Theme
) -> marks.Picture:
    """Everything but the residual: matrix, lens, circle where there is room, equation."""
    pairs = rotating_pairs(encoding)
    assert pairs is not None
    block = rotation_blocks(encoding, cursor.offset)[cursor.pair]
    color = theme.pair_color(cursor.pair, pairs.count)
    symbols = [symbol.replace("{i}", f"{{{cursor.pair}}}") for symbol in _SYMBOLS]
    if not pairs.keeps_length:
        symbols = [re.sub("cos|sin", r"ζ^k \g<0>", symbol) for symbol in symbols]
    picture = [
        *_matrix(layout.matrix, encoding, pairs, cursor, heat, color, theme),
        *_lens_lines(layout, pairs, cursor.pair, encoding, color),
        *_entries(layout.matrix, encoding, cursor.offset, theme),
        *lens_picture(layout.lens, theme, block, color, symbols),
        *_turn_line(layout, pairs, cursor, color, theme),
    ]
    if layout.circle is not None:
        picture += _circle(layout.circle, pairs, cursor, theme)
        picture += _equation(layout.equation, pairs, block, cursor, theme)
    return tuple(picture)


def bar_picture(layout: RotationLayout, theme: Theme) -> marks.Picture:
    """The colour bar of a figure in the line under the matrix, where the lens leaves it."""
    y = layout.matrix.bottom + _CAPTION_DOWN
    left = layout.lens.x + text_width("tick", "−1") + 6.0
    right = layout.lens.right - (0.0 if layout.circle is not None else text_width("tick", "+1") + 6.0)
    if layout.lens.bottom + 10.0 > y:
        return ()
    high = "+1 entries of M" if layout.circle is not None else "+1"
    end = right + text_width("tick", high) + 6.0
    return lying_bar(end, y, right - left, ("−1", high), theme.diverging, theme, 6.0)


def _matrix(
    area: Area, encoding: Encoding, pairs: Pairs, cursor: Cursor, heat: QImage, color: QColor, theme: Theme
) -> marks.Marks:
    picture: marks.Marks = [
        *_ramps(area, pairs.count, hand_of_column(encoding), theme),
        marks.Rectangle(*area.grown(0.5, 0.5), outline=theme.line),
        marks.Raster(*area, heat),
    ]
    for frame in _frames(area, encoding, pairs, cursor.pair):
        picture.append(marks.Rectangle(*frame.grown(2.0, 2.0), outline=color, outline_width=2.4))
    formula = f"M_{{{position(cursor.offset)}}}"
    below = area.bottom + _CAPTION_DOWN
    d = whole(encoding.d_model)
    picture.append(marks.FormulaText(area.x, below, formula, 16, theme.text))
    caption = f"{d} × {d}, the same for every t" if area.width > 190 else f"{d} × {d}"
    after = area.x + formula_runs(formula, 16)[1] + 8.0
    picture.append(marks.Text(after, below, caption, "caption", theme.text2))
    return picture


def _entries(area: Area, encoding: Encoding, offset: float, theme: Theme) -> marks.Picture:
    """Every entry in its cell where there is room, 0 between the blocks."""
    d_model = encoding.d_model
    cell = area.width / d_model
    if not has_room(d_model, d_model, (cell, cell)):
        return ()
    every = Blocks(0, 1, d_model)
    values = RotationField(encoding, offset).means(every, every)
    middles = (np.arange(float(d_model)) + 0.5) * cell
    places = area.x + middles, area.y + middles
    owners = hand_of_column(encoding)
    is_block = owners == owners[:, None]
    parts = np.where(is_block, values, np.nan), np.where(is_block, np.nan, 0.0)
    limits = -1.0, 1.0
    numbers, zeros = (cell_numbers(area, places, part, (cell, cell), limits, theme.diverging) for part in parts)
    return (*numbers, *zeros) if numbers else ()


def _ramps(area: Area, n_pairs: int, owners: Integers, theme: Theme) -> marks.Picture:
    n_pixels = max(int(area.width), 1)
    colors = theme.pair_colors(n_pairs)[owners[(np.arange(n_pixels) * len(owners)) // n_pixels]]
    return (
        marks.Raster(area.x, area.y - RAMP + 4.0, area.width, 6.0, map_image(colors)),
        marks.Raster(area.x - RAMP + 4.0, area.y, 6.0, area.height, map_image(colors[::-1], is_upright=True)),
    )


def _frames(area: Area, encoding: Encoding, pairs: Pairs, pair: int) -> list[Area]:
    """Squares around the block of a pair: one, or one around each entry where its columns stand apart."""
    cell, (sine, cosine) = area.width / encoding.d_model, pairs.dimensions(pair)
    side = max(cell, 5.0)
    centers = [(row + 0.5, column + 0.5) for row in (sine, cosine) for column in (sine, cosine)]
    if abs(sine - cosine) == 1:
        side = max(2 * cell, 6.0)
        centers = [(max(sine, cosine), max(sine, cosine))]
    return [Area.around(area.x + x * cell, area.y + y * cell, side / 2) for y, x in centers]


def _lens_lines(layout: RotationLayout, pairs: Pairs, pair: int, encoding: Encoding, color: QColor) -> marks.Marks:
    block = _frames(layout.matrix, encoding, pairs, pair)[0]
    lens = layout.lens
    x = np.array([block.right + 2.0, lens.x])
    upper = np.array([block.y - 2.0, lens.y])
    lower = np.array([block.bottom + 2.0, lens.bottom])
    return [
        marks.Band(x, upper, lower, with_alpha(color, 0.07)),
        marks.Polyline(np.column_stack((x, upper)), with_alpha(color, 0.7), 1.2),
        marks.Polyline(np.column_stack((x, lower)), with_alpha(color, 0.7), 1.2),
    ]


def lens_picture(area: Area, theme: Theme, block: Floats, color: QColor, symbols: Sequence[str] = ()) -> marks.Picture:
    """Four entries, shape (2, 2), as cells in their colours with their numbers, over what each is where it has room."""
    wide, tall = area.width / 2, area.height / 2
    digits = 3 if wide >= text_width("value", fixed(-0.888, 3)) + 6.0 else 2
    shown = symbols if tall >= _WITH_SYMBOLS else ()
    # Numbers grow with the lens.
    role, pixels, apart = ("message", 18, 1.3) if shown and tall >= _LARGE_HALF else ("value", 14, 1.0)
    picture: marks.Marks = []
    for place, value in enumerate(block.ravel().tolist()):
        cell = Area(area.x + place % 2 * wide, area.y + place // 2 * tall, wide, tall)
        (x, y), fill = cell.middle, theme.diverging_color(value)
        ink, above = badge_text_color(fill), 9.0 * apart if shown else 0.0
        # Those of a least-squares fit are unbounded: far out they are told in fewer digits.
        text = fixed(value, digits) if abs(value) < _MOST_PLAIN else short(value)
        picture += [marks.Rectangle(*cell, fill), marks.centered(x, y - above, text, role, ink)]
        if shown:
            picture.append(marks.FormulaText(x, y + 13.0 * apart, shown[place], pixels, ink, across=0.5))
    return (*picture, marks.Rectangle(*area, None, color, radius=4.0, outline_width=3.0))


def _turn_line(layout: RotationLayout, pairs: Pairs, cursor: Cursor, color: QColor, theme: Theme) -> marks.Marks:
    omega = float(pairs.angular_frequencies[cursor.pair])
    turn = cursor.offset * omega
    pair = f"{{{cursor.pair}}}"
    formula = f"kω_{pair} = {position(cursor.offset)} × {short(omega)} = {short(turn)} rad = {turned(turn)}"
    lens = layout.lens
    if layout.circle is None:
        y, room = layout.equation.y + 14.0, layout.equation.width - 28.0
        pixels = next((size for size in (16, 15, 14, 13) if formula_runs(formula, size)[1] <= room), 12)
        return [
            marks.Badge(10.0, y, 9.5, str(cursor.pair), color),
            marks.FormulaText(28.0, y, formula, pixels, theme.text),
        ]
    heading = f"ω_{pair} = {short(omega)}"
    # It stays clear of the matrix.
    start = max(lens.x + (lens.width - formula_runs(formula, 16)[1]) / 2, layout.matrix.right + 10.0)
    return [
        marks.Badge(lens.x + 12.0, lens.y - 20.0, 11.0, str(cursor.pair), color),
        marks.FormulaText(lens.x + 32.0, lens.y - 20.0, heading, 17, theme.text),
        marks.FormulaText(start, lens.bottom + 22.0, formula, 16, theme.text2),
    ]


def _circle(area: Area, pairs: Pairs, cursor: Cursor, theme: Theme) -> marks.Marks:
    dial = Dial(*area.middle, area.width / 2)
    places = cursor.both
    angles = pairs.angles(places, [cursor.pair])[:, 0].tolist()
    lengths = pairs.lengths_at(places)[:, cursor.pair]
    # Far out a fading hand is 0.
    shares = (lengths / (lengths.max() or 1.0)).tolist()
    names = [f"p_{{{position(place)}}}" for place in places]
    hands = [*zip(angles, shares, names, strict=True)]
    turn = cursor.offset * float(pairs.angular_frequencies[cursor.pair])
    x, y, reach = dial.x, dial.y, dial.radius + 14.0
    cross = [[x - reach, y, x + reach, y], [x, y - reach, x, y + reach]]
    picture: marks.Marks = [
        marks.lines(cross, theme.grid, 1.2),
        *named_hands(dial, theme, (cursor.pair, pairs.count), hands, turn),
    ]
    named = [mark for mark in picture if isinstance(mark, marks.FormulaText)]
    if dial.radius >= _LEAST_WITH_ANGLE:
        middle = angles[0] + min(max(turn, -math.tau), math.tau) / 2
        picture.append(marks.centered(*dial.tip(middle, dial.radius * TURN + 22.0), turned(turn), "flag", theme.text))
    axes = (
        marks.centered(x, y - reach - 8.0, "cos", "caption", theme.text2),
        marks.Text(x + reach + 6.0, y, "sin", "caption", theme.text2),
    )
    # The name of an axis gives way to a tip that points along it.
    picture += [name for name in axes if all(math.hypot(tip.x - name.x, tip.y - name.y) > 30.0 for tip in named)]
    return picture


def _equation(area: Area, pairs: Pairs, block: Floats, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The block takes the two values of its pair from t to t + k: in letters, and with numbers."""
    now, later = pairs.hands(cursor.both, [cursor.pair])[:, 0].tolist()
    t, u = map(position, cursor.both)
    letters, x = f"p_{{{u}}} = block {cursor.pair} · p_{{{t}}}", area.x + 4.0
    numbers = f"{vector(later, 3)} = {matrix(*block.tolist(), decimals=3)} {vector(now, 3)}"
    below = formula_block(x, area.y + 26.0, numbers, 18, area.width - 4.0, theme.text)
    return marks.FormulaText(x, area.y + 10.0, letters, 16, theme.text2), *below


# What is exactly zero stands on the foot of the axis of M_k.
_LOWEST = 1e-17
_TOP_ROOM, _BOTTOM_ROOM, _POWER_ROWS = 26.0, 20.0, 22.0


def residual_picture(
    area: Area, theme: Theme, matrix_name: str, report: ShiftReport | BestShift, t: float
) -> marks.Picture:
    """|matrix p_t - p_(t+k)| at every measured t, by its logarithm for M_k, with the largest one and the line of t."""
    last, residuals = float(report.encoding.n_positions - 1), report.residuals
    inner = Area(area.x, area.y + _TOP_ROOM, area.width, max(area.height - _TOP_ROOM - _BOTTOM_ROOM, 20.0))
    if isinstance(report, ShiftReport):
        highest = 10.0 ** math.ceil(math.log10(max(residuals.max(), ROUNDING)))
        levels = Axis(inner, _LOWEST, highest, "left", is_logarithmic=True)
        ticks = levels.power_ticks(min(_POWER_ROWS, inner.height / 2))
    else:
        levels = Axis(inner, 0.0, residuals.max() if residuals.max() > ROUNDING else 1.0, "left")
        ticks = levels.level_ticks()
    plot = Plot(Axis(inner, 0.0, max(last, 1.0)), levels)
    centers = plot.points(report.positions.astype(np.float64), np.clip(residuals, levels.first, levels.last))
    nearest = int(np.argmin(np.abs(report.positions - t)))
    colors = np.tile(rgb(theme.text3), (len(centers), 1))
    return (
        *residual_heading(area, theme, matrix_name, report.offset, _largest(report)),
        levels.grid(ticks, theme),
        *levels.labels(ticks, theme, 8.0),
        plot.x.edge(theme.axis),
        *plot.x.labels(plot.x.position_ticks(last + 1.0, 90.0), theme, before=0.0, after=0.0),
        plot.x.title("t", theme, 12.0, is_before=True),
        marks.DotCloud(centers, colors, 3.0),
        plot.x.line(min(max(t, 0.0), last), theme.ink, 1.6),
        marks.Dots(centers[[nearest]], 4.2, theme.ink, theme.panel, 1.5),
    )


def residual_heading(
    area: Area, theme: Theme, matrix_name: str, offset: float, texts: Sequence[str] = ("measuring…",)
) -> marks.Picture:
    """What residuals are of, and the first of some words that has room beside it."""
    formula = f"|{matrix_name} p_t − p_{{t+{position(offset)}}}|".replace("+−", "−")
    words = fitting("caption", (*texts, ""), area.width - formula_runs(formula, 15)[1] - 12.0)
    beside = marks.right_aligned(area.right, area.y + 8.0, words, "caption", theme.text2)
    return (marks.FormulaText(area.x, area.y + 8.0, formula, 15, theme.text), *((beside,) if words else ()))


def _largest(report: ShiftReport | BestShift) -> tuple[str, ...]:
    """The largest residual, with what that means where there is room."""
    largest = float(report.residuals.max())
    number = short(largest, 2 if largest < 1e-3 else 3)
    text = f"at most {number}"
    n_measured = len(report.positions)
    n_all = len(report.encoding.shift_range(report.offset))
    if n_measured < n_all:
        return f"{text} at {whole(n_measured)} sampled t", text, number
    return f"{text}{', rounding only' if 0 < largest <= ROUNDING else ''}", text, number
