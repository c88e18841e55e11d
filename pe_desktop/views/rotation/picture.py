"""M_k, the lens on a block, the turn, the residuals."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.columns import hand_of_column
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.record import record
from pe_desktop.core.rotation import RotationField, rotating_pairs, rotation_blocks
from pe_desktop.core.shift import ShiftReport
from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers, has_room
from pe_desktop.draw.color_bar import lying_bar
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.number_text import fixed, position, power_of_ten, scientific, short, whole
from pe_desktop.draw.plot import Axis, Plot, Tick
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color, with_alpha
from pe_desktop.draw.typefaces import fitting, formula_runs, text_width

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


_SYMBOLS = (("cos kω_{i}", "sin kω_{i}"), ("−sin kω_{i}", "cos kω_{i}"))
_MOST_FRAMES = 4
_CAPTION_DOWN = 16.0
# The arc of the turn, as a share of the circle, the arms of its arrow, and what takes its angle.
_ARC = 0.42
_ARM = 8.0
_LEAST_WITH_ANGLE = 44.0
# Cells of a lens from this side on have room for large numbers.
_LARGE_HALF = 84.0
# Beyond these a number of the equation is told with the digits that matter: amplitudes reach from 1e-6 to 1e6.
_LEAST_PLAIN, _MOST_PLAIN = 0.1, 100.0
# An equation drawn smaller than this has room for two decimals.
_CRAMPED = 0.9


def rotation_picture(
    layout: RotationLayout, encoding: Encoding, cursor: Cursor, heat: QImage, theme: Theme
) -> marks.Picture:
    """Everything but the residual: matrix, lens, circle where there is room, equation."""
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return ()
    block = rotation_blocks(encoding, cursor.offset)[cursor.pair]
    picture = [
        *_matrix(layout.matrix, encoding, pairs, cursor, heat, theme),
        *_lens_lines(layout, pairs, cursor, encoding, theme),
        *_entries(layout.matrix, encoding, cursor.offset, theme),
        *_lens(layout.lens, block, cursor, pairs, theme),
        *_turn_line(layout, pairs, cursor, theme),
    ]
    if layout.circle is not None:
        picture += _circle(layout.circle, pairs, cursor, theme)
        picture += _equation(layout.equation, encoding, block, cursor, theme)
    return tuple(picture)


def bar_picture(layout: RotationLayout, theme: Theme) -> marks.Picture:
    """The colour bar of a figure in the line under the matrix, where the lens leaves it."""
    y, left = layout.matrix.bottom + _CAPTION_DOWN, layout.lens.x + text_width("tick", "−1") + 6.0
    right = layout.lens.right - (0.0 if layout.circle is not None else text_width("tick", "+1") + 6.0)
    if layout.lens.bottom + 10.0 > y:
        return ()
    title = " entries of M" if layout.circle is not None else ""
    high = f"+1{title}"
    end = right + text_width("tick", high) + 6.0
    return lying_bar(end, y, right - left, ("−1", high), theme.diverging, theme, 6.0)


def _pair_cells(pairs: Pairs, pair: int) -> tuple[tuple[int, int], ...]:
    """Rows and columns of a block's four entries: sine-sine, sine-cosine, cosine-sine, cosine-cosine."""
    sine, cosine = pairs.dimensions(pair)
    return (sine, sine), (sine, cosine), (cosine, sine), (cosine, cosine)


def _matrix(
    area: Area, encoding: Encoding, pairs: Pairs, cursor: Cursor, heat: QImage, theme: Theme
) -> list[marks.Mark]:
    picture: list[marks.Mark] = [
        *_ramps(area, pairs, theme),
        marks.Rectangle(area.x - 0.5, area.y - 0.5, area.width + 1, area.height + 1, outline=theme.line),
        marks.Raster(area.x, area.y, area.width, area.height, heat),
    ]
    color = theme.pair_color(cursor.pair, pairs.count)
    for left, top, side in _frames(area, encoding, pairs, cursor.pair):
        picture.append(marks.Rectangle(left - 2.0, top - 2.0, side + 4.0, side + 4.0, outline=color, outline_width=2.4))
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
    middles = (np.arange(d_model, dtype=np.float64) + 0.5) * cell
    places = area.x + middles, area.y + middles
    owners = hand_of_column(encoding)
    is_block = owners == owners[:, np.newaxis]
    parts = (np.where(is_block, values, np.nan), np.where(is_block, np.nan, 0.0))
    numbers = cell_numbers(area, places, parts[0], (cell, cell), (-1.0, 1.0), theme.diverging)
    zeros = cell_numbers(area, places, parts[1], (cell, cell), (-1.0, 1.0), theme.diverging)
    return (*numbers, *zeros) if numbers else ()


def _ramps(area: Area, pairs: Pairs, theme: Theme) -> tuple[marks.Mark, ...]:
    n_pixels = max(int(area.width), 1)
    owners = np.empty(pairs.columns.size, dtype=np.int64)
    owners[pairs.columns.ravel()] = np.repeat(np.arange(pairs.count), 2)
    shown = owners[(np.arange(n_pixels) * len(owners)) // n_pixels]
    colors = theme.pair_colors(pairs.count)[shown].astype(np.uint32)
    inks = np.uint32(0xFF000000) | (colors[:, 0] << 16) | (colors[:, 1] << 8) | colors[:, 2]
    across = QImage(inks.tobytes(), n_pixels, 1, n_pixels * 4, QImage.Format.Format_RGB32).copy()
    down = QImage(inks.tobytes(), 1, n_pixels, 4, QImage.Format.Format_RGB32).copy()
    return (
        marks.Raster(area.x, area.y - RAMP + 4.0, area.width, 6.0, across),
        marks.Raster(area.x - RAMP + 4.0, area.y, 6.0, area.height, down),
    )


def _frames(area: Area, encoding: Encoding, pairs: Pairs, pair: int) -> list[tuple[float, float, float]]:
    cell = area.width / encoding.d_model
    cells = _pair_cells(pairs, pair)
    sine, cosine = pairs.dimensions(pair)
    if abs(sine - cosine) == 1:
        first = min(sine, cosine)
        side = max(2 * cell, 6.0)
        middle = (first + 1) * cell
        return [(area.x + middle - side / 2, area.y + middle - side / 2, side)]
    side = max(cell, 5.0)
    return [
        (area.x + (column + 0.5) * cell - side / 2, area.y + (row + 0.5) * cell - side / 2, side)
        for row, column in cells[:_MOST_FRAMES]
    ]


def _lens_lines(
    layout: RotationLayout, pairs: Pairs, cursor: Cursor, encoding: Encoding, theme: Theme
) -> list[marks.Mark]:
    left, top, side = _frames(layout.matrix, encoding, pairs, cursor.pair)[0]
    lens = layout.lens
    color = theme.pair_color(cursor.pair, pairs.count)
    x = np.array([left + side + 2.0, lens.x])
    upper, lower = np.array([top - 2.0, lens.y]), np.array([top + side + 2.0, lens.y + lens.height])
    return [
        marks.Band(x, upper, lower, with_alpha(color, 0.07)),
        marks.Polyline(np.column_stack((x, upper)), with_alpha(color, 0.7), 1.2),
        marks.Polyline(np.column_stack((x, lower)), with_alpha(color, 0.7), 1.2),
    ]


def _lens(lens: Area, block: Floats, cursor: Cursor, pairs: Pairs, theme: Theme) -> list[marks.Mark]:
    half = lens.width / 2
    color = theme.pair_color(cursor.pair, pairs.count)
    picture: list[marks.Mark] = []
    digits = 3 if half >= text_width("value", fixed(-0.888, 3)) + 6.0 else 2
    has_symbols = half >= 60.0
    # Numbers grow with the lens.
    role, pixels, apart = ("message", 18, 1.3) if half >= _LARGE_HALF else ("value", 14, 1.0)
    for row in (0, 1):
        for column in (0, 1):
            value = float(block[row, column])
            fill = theme.diverging_color(value)
            x, y = lens.x + column * half, lens.y + row * half
            ink = badge_text_color(fill)
            picture.append(marks.Rectangle(x, y, half, half, fill))
            middle = y + half / 2
            above = middle - (9.0 * apart if has_symbols else 0.0)
            picture.append(marks.Text(x + half / 2, above, fixed(value, digits), role, ink, 0.5))
            if has_symbols:
                symbol = _SYMBOLS[row][column].replace("{i}", f"{{{cursor.pair}}}")
                at = x + half / 2, middle + 13.0 * apart
                picture.append(marks.FormulaText(*at, symbol, pixels, ink, across=0.5))
    picture.append(marks.Rectangle(lens.x, lens.y, lens.width, lens.height, None, color, radius=4.0, outline_width=3.0))
    return picture


def _turn_line(layout: RotationLayout, pairs: Pairs, cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    omega = float(pairs.angular_frequencies[cursor.pair])
    turn = cursor.offset * omega
    pair = f"{{{cursor.pair}}}"
    angle = f"{short(turn)} rad = {fixed(math.degrees(turn), 1)}°" if abs(turn) < 1e5 else f"{short(turn)} rad"
    formula = f"kω_{pair} = {position(cursor.offset)} × {short(omega)} = {angle}"
    color = theme.pair_color(cursor.pair, pairs.count)
    lens = layout.lens
    if layout.circle is None:
        y, room = layout.equation.y + 14.0, layout.equation.width - 28.0
        pixels = next((some for some in (16, 15, 14, 13) if formula_runs(formula, some)[1] <= room), 12)
        return [
            marks.Badge(10.0, y, 9.5, str(cursor.pair), color),
            marks.FormulaText(28.0, y, formula, pixels, theme.text),
        ]
    heading = f"ω_{pair} = {short(omega)}"
    wide = formula_runs(formula, 16)[1]
    # It stays clear of the matrix.
    start = max(lens.x + (lens.width - wide) / 2, layout.matrix.right + 10.0)
    return [
        marks.Badge(lens.x + 12.0, lens.y - 20.0, 11.0, str(cursor.pair), color),
        marks.FormulaText(lens.x + 32.0, lens.y - 20.0, heading, 17, theme.text),
        marks.FormulaText(start, lens.bottom + 22.0, formula, 16, theme.text2),
    ]


def _circle(area: Area, pairs: Pairs, cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    (x, y), radius = area.middle, area.width / 2
    positions = [cursor.position, cursor.position + cursor.offset]
    dial, angles = Dial(x, y, radius), pairs.angles(positions, [cursor.pair])[:, 0]
    now, later = (np.array([dial.tip(angle, radius)]) for angle in angles.tolist())
    turn = cursor.offset * float(pairs.angular_frequencies[cursor.pair])
    shown = min(max(turn, -2 * math.pi), 2 * math.pi)
    color = theme.pair_color(cursor.pair, pairs.count)
    reach = radius + 14.0
    cross = np.array([[x - reach, y, x + reach, y], [x, y - reach, x, y + reach]])
    picture: list[marks.Mark] = [
        marks.Segments(cross, theme.grid, 1.2),
        marks.Rings(x, y, np.array([radius]), theme.axis, 1.5),
        marks.Arc(x, y, radius * _ARC / 2, float(angles[0]), shown, with_alpha(color, 0.14), radius * _ARC),
        *_turn_arrow(dial, radius * _ARC, float(angles[0]), shown, color),
        dial.lines(later, color, 2.0, (6.0, 4.0)),
        dial.lines(now, color, 4.0),
        marks.Dots(later, 7.5, theme.panel, color, 2.6),
        marks.Dots(now, 8.5, color),
        dial.hub(theme, 4.5),
    ]
    names = _tip_names(dial, angles, cursor, theme)
    picture += names
    if radius >= _LEAST_WITH_ANGLE:
        middle = float(angles[0]) + shown / 2
        place = dial.tip(middle, radius * _ARC + 22.0)
        picture.append(marks.Text(*place, f"{fixed(math.degrees(turn), 1)}°", "flag", theme.text, across=0.5))
    # The name of an axis gives way to a tip that points along it.
    for name in (
        marks.Text(x, y - reach - 8.0, "cos", "caption", theme.text2, across=0.5),
        marks.Text(x + reach + 6.0, y, "sin", "caption", theme.text2),
    ):
        if all(math.hypot(tip.x - name.x, tip.y - name.y) > 30.0 for tip in names):
            picture.append(name)
    return picture


def _turn_arrow(dial: Dial, radius: float, start: float, turn: float, color: QColor) -> Iterator[marks.Mark]:
    """The arc of a turn, with a head where it is long enough for one."""
    yield marks.Arc(dial.x, dial.y, radius, start, turn, color, 2.0)
    arm = min(_ARM, radius * 0.4)
    if abs(turn) * radius < arm:
        return
    end = start + turn
    tip = dial.tip(end, radius)
    # Back along the arc, a little to both sides of it.
    back = end - math.copysign(arm / radius, turn)
    ends = [dial.tip(back, far) for far in (radius - arm * 0.5, radius + arm * 0.5)]
    yield marks.Polyline(np.array([ends[0], tip, ends[1]]), color, 2.0)


def _tip_names(dial: Dial, angles: Floats, cursor: Cursor, theme: Theme) -> list[marks.FormulaText]:
    names: list[marks.FormulaText] = []
    places: list[tuple[float, float]] = []
    for angle, value in zip(angles.tolist(), (cursor.position, cursor.position + cursor.offset), strict=True):
        x, y = dial.tip(angle, dial.radius + 25.0)
        if all(math.hypot(x - px, y - py) > 26.0 for px, py in places):
            places.append((x, y))
            names.append(marks.FormulaText(x, y, f"p_{{{position(value)}}}", 16, theme.text, across=0.5))
    return names


def _equation(area: Area, encoding: Encoding, block: Floats, cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return []
    now, later = pairs.hands([cursor.position, cursor.position + cursor.offset], [cursor.pair])[:, 0]
    scale = min(area.width / 380.0, 1.0)
    y, x = area.y + 34.0, area.x + 4.0
    picture: list[marks.Mark] = []
    parts = (
        (later[:, np.newaxis], f"p_{{{position(cursor.position + cursor.offset)}}}"),
        (block, f"block {cursor.pair}"),
        (now[:, np.newaxis], f"p_{{{position(cursor.position)}}}"),
    )
    for number, (values, name) in enumerate(parts):
        width = (78.0 if values.shape[1] == 1 else 142.0) * scale
        picture += _bracketed(x, y, width, values, 3 if scale > _CRAMPED else 2, theme)
        label = marks.Text(x + width / 2, y + 50.0, name, "caption", theme.text2, 0.5)
        formula = marks.FormulaText(x + width / 2, y + 50.0, name, 16, theme.text2, across=0.5)
        picture.append(label if name.startswith("block") else formula)
        x += width + 10.0
        if number == 0:
            picture.append(marks.Text(x + 6.0, y, "=", "message", theme.text2, 0.5))
            x += 22.0
    return picture


def _bracketed(x: float, y: float, width: float, values: Floats, digits: int, theme: Theme) -> list[marks.Mark]:
    tall, serif = 34.0, 7.0
    left = np.array([[x + serif, y - tall], [x, y - tall], [x, y + tall], [x + serif, y + tall]])
    # The right bracket is the left one seen in a mirror.
    right = np.column_stack((2 * x + width - left[:, 0], left[:, 1]))
    picture: list[marks.Mark] = [marks.Polyline(left, theme.text, 1.8), marks.Polyline(right, theme.text, 1.8)]
    n_columns, largest = values.shape[1], float(np.abs(values).max())
    is_plain = _LEAST_PLAIN <= largest < _MOST_PLAIN
    for row in range(2):
        for column in range(n_columns):
            value = float(values[row, column])
            forms = (fixed(value, digits),) if is_plain else (short(value, digits), scientific(value, digits - 2))
            text = fitting("strong", forms, width / n_columns - 12.0)
            right_edge = x + width * (column + 1) / n_columns - (10.0 if n_columns == 1 else 8.0)
            picture.append(marks.Text(right_edge, y - 15.0 + 30.0 * row, text, "strong", theme.text, across=1.0))
    return picture


ROUNDING = 1e-12
# What is exactly zero stands on the foot of the axis.
_LOWEST = -17
_TOP_ROOM = 26.0
_BOTTOM_ROOM = 20.0


def residual_picture(
    area: Area, report: ShiftReport | None, n_positions: int, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """Heading with the largest residual, dots, and the line of t; a word while it is being measured."""
    if report is None:
        sentence = f"|M_{{{position(cursor.offset)}}} p_t − p_{{t+k}}|"
        return (
            marks.FormulaText(area.x, area.y + 8.0, sentence, 15, theme.text),
            marks.Text(area.x + area.width, area.y + 8.0, "measuring…", "caption", theme.text3, across=1.0),
        )
    highest = max(-12, math.ceil(math.log10(max(report.largest_residual, 1e-300))))
    inner = Area(area.x, area.y + _TOP_ROOM, area.width, max(area.height - _TOP_ROOM - _BOTTOM_ROOM, 20.0))
    levels = Axis(inner, 10.0**_LOWEST, 10.0**highest, "left", is_logarithmic=True)
    plot = Plot(Axis(inner, 0.0, max(n_positions - 1.0, 1.0)), levels)
    return (
        *_heading(area, report, n_positions, theme),
        *_axes(plot, highest, n_positions, theme),
        *_dots(plot, report, n_positions, cursor, theme),
    )


def _heading(area: Area, report: ShiftReport, n_positions: int, theme: Theme) -> list[marks.Mark]:
    formula = f"|M_{{{position(report.offset)}}} p_t − p_{{t+{position(report.offset)}}}|".replace("+−", "−")
    verdict = ", rounding only" if 0 < report.largest_residual <= ROUNDING else ""
    largest = "0" if report.largest_residual == 0 else scientific(report.largest_residual)
    sample = "" if len(report.positions) == n_positions else f" at {whole(len(report.positions))} sampled t"
    sentence = f"largest {largest}{sample or verdict}"
    if formula_runs(formula, 15)[1] + text_width("caption", sentence) + 12.0 > area.width:
        sentence = f"largest {largest}"
    return [
        marks.FormulaText(area.x, area.y + 8.0, formula, 15, theme.text),
        marks.Text(area.x + area.width, area.y + 8.0, sentence, "caption", theme.text2, across=1.0),
    ]


def _axes(plot: Plot, highest: int, n_positions: int, theme: Theme) -> list[marks.Mark]:
    step = max(2, math.ceil((highest - _LOWEST) / max(plot.y.length / 22.0, 1.0)))
    powers = [Tick(10.0**power, power_of_ten(power)) for power in range(highest, _LOWEST - 1, -step)]
    return [
        plot.y.grid(powers, theme),
        *plot.y.labels(powers, theme, 8.0),
        plot.x.edge(theme.axis),
        *plot.x.labels(plot.x.position_ticks(n_positions, 90.0), theme, before=0.0, after=0.0),
        plot.x.title("t", theme, 12.0, is_before=True),
    ]


def _dots(plot: Plot, report: ShiftReport, n_positions: int, cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    residuals = np.clip(report.residuals, plot.y.first, plot.y.last)
    centers = plot.points(report.positions.astype(np.float64), residuals)
    ink = theme.text3
    colors = np.tile(np.array([ink.red(), ink.green(), ink.blue()], dtype=np.uint8), (len(centers), 1))
    nearest = int(np.argmin(np.abs(report.positions - cursor.position)))
    return [
        marks.DotCloud(centers, colors, 3.0),
        plot.x.line(min(max(cursor.position, 0.0), n_positions - 1.0), theme.ink, 1.6),
        marks.Dots(centers[[nearest]], 4.2, theme.ink, theme.panel, 1.5),
    ]
