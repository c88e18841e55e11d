"""Rows of waves, or all over one axis: their curves, labels and cursors, and numbers beside them."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.caches import told_cache
from pe_desktop.core.cursor import Cursor, cursor_hands, hand_places, hand_values
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.record import kept
from pe_desktop.core.rotation import rotating_pairs, steady_pairs
from pe_desktop.core.scores.rotary import RotaryFactors
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.dial import column_numbers, hand_name, limit_texts, part_names, value_text
from pe_desktop.draw.number_text import short
from pe_desktop.draw.plot import Axis, LegendEntry, Tick, flag, flag_width, label_on_ground, legend, legend_width
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import badge_half_width, fitting, formula_runs, text_width
from pe_desktop.views.questions import column_words, hand_color
from pe_desktop.views.waves import layout as waves
from pe_desktop.views.waves.layout import LEAST_ROW, TOP, WaveCurve, WavesLayout, quick_sample, table_curves

_TALL_ROW, _MIDDLING_ROW = 96.0, 52.0
# How far the name of a row stands above the middle of its levels, in a tall one and in one of middling height.
_NAME_ABOVE: Final = 18.0, 6.0
# From the rows down to the numbers of the positions.
_AXIS_BELOW: Final = 14.0
_NOTE_BELOW, _NOTE_BESIDE = 27.0, 16.0
_BADGE_RADIUS: Final = 8.5
# Dots mark whole positions while they stand this far apart and neighbours differ visibly.
_DOT_ROOM, _FAST_ENOUGH_FOR_DOTS = 3.5, 0.2
# Below this many pixels a turn, dots and dashes of the cosine run together.
_NARROW_TURN: Final = 12.0
# Of sine and cosine as bands, of the cosine's line behind narrow turns, and of its dots, with their lengths.
_BAND_ALPHAS, _NARROW_ALPHA, _DOTS_ALPHA, _DOTS = (0.55, 0.25), 0.3, 0.75, (1.6, 3.2)
# Waves lower than this are drawn as thin lines: wide ones would fill them.
_LOW_WAVE, _THINNEST_BAND = 12.0, 1.6
# The middle of the titles over the numbers beside the plot.
_TITLES_AT: Final = 12.0
_FLAG_TOP, _FLAG_BOTTOM, _FLAG_BEYOND, _FLAG_GAP = 3.0, 21.0, 6.0, 4.0
_VALUE_DIGITS: Final = 2
# Beside the plot: where names begin, where values at t and at t + k end.
NAME_LEFT, _NOW_RIGHT, _LATER_RIGHT = 12.0, 70.0, 118.0
# The ends of the axis of a row, and shares of the limit that are drawn.
_ENDS: Final = Tick(1.0, ""), Tick(-1.0, "")
_MOST_BEYOND: Final = 1.1


def waves_picture(
    layout: WavesLayout, theme: Theme, pixel_ratio: float = 1.0, found: Sequence[WaveCurve] | None = None
) -> marks.Picture:
    """Everything that stays while the cursors move: grid, axis, labels and curves.

    found: the curves where they take long; until they are there quick ones are drawn.
    """
    encoding = layout.encoding
    hands = layout.hands
    axis = layout.positions
    pairs = steady_pairs(layout.encoding)
    ticks = axis.position_ticks(encoding.n_positions)
    n_pixels = layout.n_pixels(pixel_ratio)
    curves: Sequence[WaveCurve]
    colors = _colors(encoding, hands, theme)
    if pairs is not None:
        curves = waves.turning_curves(pairs, hands, axis.first, axis.last, n_pixels, layout.amplitude * pixel_ratio)
        words = [_turn_words(layout, pairs, pair) for pair in hands]
        is_fast = pairs.angular_frequencies > _FAST_ENOUGH_FOR_DOTS
        dotted = [(row, False) for row, pair in enumerate(hands) if is_fast[pair]]
    else:
        most = quick_sample(hands, n_pixels)
        curves = found or table_curves(encoding, hands, axis.first, axis.last, n_pixels, most=most)
        turning = rotating_pairs(encoding) if encoding.pairs is not None else encoding.turning_pairs
        held = (
            column_words(encoding, hand) if turning is None else _turn_words(layout, turning, hand) for hand in hands
        )
        words = [curve.notes or text for curve, text in zip(curves, held, strict=True)]
        dotted = [(row, bool(curve.hidden)) for row, curve in enumerate(curves)]
    levels = layout.levels[: layout.n_axes]
    picture: marks.Marks = [axis.grid(ticks, theme), *(level.grid(_ENDS, theme) for level in levels)]
    picture += [level.line(0.0, theme.axis) for level in levels]
    picture += _curves(layout, curves, colors, theme.wave_width)
    for row, has_second in dotted:
        picture += _whole_positions(layout, row, colors[row], has_second=has_second)
    for level in levels:
        picture += _level_labels(layout, level, theme)
    for row in range(0 if layout.is_overlay else len(hands)):
        picture += _row_labels(layout, row, words[row], colors[row], theme)
    below = layout.area.bottom + _NOTE_BELOW
    x = 0.0
    if not layout.is_overlay:
        samples = _legend_entries(encoding, theme)
        picture += legend(0.0, below, samples, theme)
        x = legend_width(samples) + _NOTE_BESIDE
    n_positions = round(layout.span.width / axis.length)
    if n_positions > 1 and any(curve.is_band for curve in curves):
        text = f"each pixel: least to greatest of {number_text.whole(n_positions)} positions"
        x = max(x, layout.area.x)
        told = fitting("tick", (text, ""), layout.area.right - x)
        # Below the names of the positions neither curves nor cursors lie under it.
        picture += label_on_ground(x, below, told, theme) if told else ()
    title = axis.title("position t", theme, _AXIS_BELOW, is_before=True)
    return (*picture, title, *axis.labels(ticks, theme, _AXIS_BELOW))


@kept
def _colors(encoding: Encoding, hands: tuple[int, ...], theme: Theme) -> list[QColor]:
    """They stay while the cursors move."""
    return [hand_color(encoding, hand, theme) for hand in hands]


def _turn_words(layout: WavesLayout, pairs: Pairs, pair: int) -> tuple[str, ...]:
    wavelength = float(pairs.wavelengths[pair])
    is_tall = layout.row_height >= _TALL_ROW
    if math.isinf(wavelength):
        return ("not turned",)
    unit = " positions" if wavelength < 1e5 else ""  # A longer one would touch the axis.
    return (f"{short(wavelength)}{unit}", "per turn") if is_tall else (f"{short(wavelength)} per turn",)


def _legend_entries(encoding: Encoding, theme: Theme) -> tuple[LegendEntry, LegendEntry]:
    """Which line is the sine and which the cosine, or which of two columns, in all rows of waves."""
    solid, dotted = "sin", "cos"
    if encoding.pairs is None:
        solid, dotted = map("dim {}".format, hand_places(encoding))
    elif not isinstance(encoding, RotaryFactors):
        last = 2 * encoding.pairs.count - 1
        if encoding.pairs.columns[-1].tolist() == [last - 1, last]:
            solid = "sin, dim 2i"
            dotted = "cos, dim 2i + 1"
    return LegendEntry(solid, theme.text2), LegendEntry(dotted, theme.text2, 1.4, (1.6, 3.2))


def _curves(layout: WavesLayout, curves: Sequence[WaveCurve], colors: Sequence[QColor], wide: float) -> marks.Picture:
    picture: marks.Marks = []
    for axis, curve, color in zip(layout.levels, curves, colors, strict=True):
        for stretch in curve.hidden:
            # It turns too far from dot to dot to be followed, and passes every value.
            where = layout.positions.between(*stretch).overlap(axis.area)
            picture.append(marks.Rectangle(*where, with_alpha(color, 0.1)))
        x = layout.positions.place(curve.positions)
        picture += _bands(axis, x, curve, color) if curve.is_band else _lines(layout, axis, x, curve, color, wide)
    return tuple(picture)


def _bands(axis: Axis, x: Floats, curve: WaveCurve, color: QColor) -> marks.Marks:
    upper = axis.place(curve.high)
    lower = axis.place(curve.low)
    # Where all values of a pixel are alike the band is still to be seen.
    more = np.maximum(_THINNEST_BAND - (lower - upper), 0.0) / 2
    upper, lower = upper - more, lower + more
    return [
        marks.Band(x, upper[part], lower[part], with_alpha(color, _BAND_ALPHAS[part]))
        for part in (1, 0)
        # The last hand of an odd width has one column.
        if not np.isnan(upper[part]).any()
    ]


def _lines(layout: WavesLayout, axis: Axis, x: Floats, curve: WaveCurve, color: QColor, wide: float) -> marks.Marks:
    turn = layout.area.width / max(layout.span.width / curve.wavelength, 1e-9)
    # Low rows have thin lines, which Qt draws fast.
    is_low = layout.amplitude < _LOW_WAVE
    widths = (0.5 * wide, 0.5 * wide) if is_low else (wide, 0.7 * wide)
    alpha = _DOTS_ALPHA
    dash = tuple[float, ...](_DOTS)
    if turn < _NARROW_TURN:
        # Narrow turns need thin lines, or a wave becomes a slab that hides what lies behind.
        narrow = max(turn / _NARROW_TURN * 0.8 * wide, 0.4)
        widths, alpha, dash = (min(narrow, widths[0]),) * 2, _NARROW_ALPHA, ()
    sine, cosine = (_unbroken(np.column_stack((x, axis.place(values)))) for values in curve.low)
    return [
        *[marks.Polyline(line, with_alpha(color, alpha), widths[1], dash=dash) for line in cosine],
        *[marks.Polyline(line, color, widths[0]) for line in sine],
    ]


def _unbroken(line: marks.Points) -> list[marks.Points]:
    """A line in the parts that have no hole."""
    is_there = ~np.isnan(line[:, 1])
    if is_there.all():
        return [line]
    edges = np.flatnonzero(np.diff(is_there, prepend=False, append=False)).reshape(-1, 2)
    return [line[start:stop] for start, stop in edges.tolist() if stop - start > 1]


def _whole_positions(layout: WavesLayout, row: int, color: QColor, *, has_second: bool) -> marks.Marks:
    pixels_apart = layout.area.width / layout.span.width
    # Dots that stand alone are drawn as long as there is a pixel for each.
    if pixels_apart < (1.0 if has_second else _DOT_ROOM):
        return []
    encoding = layout.encoding
    last = min(math.floor(layout.span.last), encoding.n_positions - 1)
    positions = np.arange(max(math.ceil(layout.span.first), 0), last + 1, dtype=np.float64)
    shares = hand_values(encoding, positions, layout.hands[row : row + 1])[:, 0].T / encoding.value_limit
    x = layout.positions.place(positions)
    first, second = (np.column_stack((x, layout.levels[row].place(part))) for part in shares)
    radius = min(2.3, max(pixels_apart / 2, 0.8))
    faint = [marks.Dots(second, radius * 0.7, with_alpha(color, 0.6))] if has_second else []
    return [*faint, marks.Dots(first, radius, color)]


def _row_labels(layout: WavesLayout, row: int, words: tuple[str, ...], color: QColor, theme: Theme) -> marks.Marks:
    """The badge of a row, its frequency or its columns between the numbers of the axis, and below it what is told."""
    encoding = layout.encoding
    hand = layout.hands[row]
    middle = layout.levels[row].place(0.0)
    is_tall = layout.row_height >= _TALL_ROW
    is_middling = layout.row_height >= _MIDDLING_ROW and bool(words)
    top = middle - (_NAME_ABOVE[0] if is_tall else _NAME_ABOVE[1] if is_middling else 0.0)
    half = badge_half_width(_BADGE_RADIUS, str(hand))
    x = 8.0 + 2 * half
    room = layout.area.x - 4.0 - x
    labels: marks.Marks = []
    if encoding.turning_pairs is not None:
        omega = short(float(encoding.turning_pairs.angular_frequencies[hand]))
        forms = [(text, size) for text in (f"ω_{{{hand}}} = {omega}", f"ω = {omega}") for size in (14, 12)]
        # The badge says which pair it is.
        text, size = next((form for form in forms if formula_runs(*form)[1] <= room), (omega, 12))
        labels.append(marks.FormulaText(x, top, text, size, theme.text))
    else:
        # "columns" goes without saying where there is no room for the word.
        names = hand_name(encoding, hand), ", ".join(filter(None, column_numbers(encoding, hand)))
        labels.append(marks.Text(x, top, fitting("tick", names, room), "tick", theme.text))
    labels.append(marks.Badge(2.0 + half, top, _BADGE_RADIUS, str(hand), color))
    first, lines = (3.0, words) if is_tall else (10.0, words[:1] if is_middling else ())
    return labels + [
        marks.Text(2.0, middle + first + 16.0 * n, line, "tick", theme.text2) for n, line in enumerate(lines)
    ]


def _level_labels(layout: WavesLayout, level: Axis, theme: Theme) -> marks.Marks:
    low, high = limit_texts(layout.encoding.value_limit)
    ticks = Tick(1.0, high), Tick(-1.0, low), Tick(0.0, "0")
    n_shown = 3 if layout.row_height >= _TALL_ROW else 2 if layout.row_height >= _MIDDLING_ROW else 0
    return level.labels(ticks[:n_shown], theme, 8.0)


def cursor_picture(layout: WavesLayout, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Lines, flags, dots on the curves and the numbers beside them."""
    encoding = layout.encoding
    axis = layout.positions
    picture: marks.Marks = []
    visible: list[tuple[float, bool]] = []
    for position, is_now in ((cursor.position + cursor.offset, False), (cursor.position, True)):
        if axis.shows(position):
            width, dash = (2.0, ()) if is_now else (1.2, (4.0, 3.0))
            line = axis.line(position, theme.ink, width, dash, beyond=TOP - _FLAG_BOTTOM)
            visible.append((float(line.ends[0, 0]), is_now))
            picture.append(line)
    values = cursor_hands(encoding, cursor.position, cursor.offset, layout.hands)
    limit = encoding.value_limit
    # A hand may lack its second column, and a random value may lie beyond the limit.
    shares = np.where(np.abs(values) <= _MOST_BEYOND * limit, values / limit, np.nan)
    for row, color in enumerate(_colors(encoding, layout.hands, theme)):
        heights = layout.levels[row].place(shares[:, row])
        picture += _dots(layout, visible, heights, color, theme)
    if not layout.is_overlay and layout.has_numbers:
        picture += _numbers(layout, values, limit, theme)
    return (*picture, *_flags(layout, cursor, encoding.n_positions, theme))


def _dots(
    layout: WavesLayout, visible: Sequence[tuple[float, bool]], heights: marks.Points, color: QColor, theme: Theme
) -> marks.Marks:
    """Dots of a row, at heights at t and t + k, shape (2, 2), solid at t."""
    dots: marks.Marks = []
    size = 1.0 if layout.row_height >= _MIDDLING_ROW else 0.6
    for x, is_now in visible:
        first, second = heights[0 if is_now else 1].tolist()
        for y, radius in ((second, 3.6 * size), (first, 5.0 * size)):
            if not math.isnan(y):
                looks = (radius + 0.8, color, theme.panel) if is_now else (radius, theme.panel, color)
                dots.append(marks.Dots(np.array([[x, y]]), *looks, 1.6))
    return dots


def names_picture(layout: WavesLayout, theme: Theme) -> marks.Picture:
    """The names of the numbers beside rows, where there is room for them; they stay while the cursors move."""
    encoding = layout.encoding
    limit = layout.encoding.value_limit
    room = _now_right(limit) - NAME_LEFT - 3.0 - _widest("flag", limit)
    x = layout.area.right + NAME_LEFT
    picture = marks.Marks()
    for row, part, y in _lines_beside(layout):
        # Of "dim 16" the number is enough here.
        name = (part_names if encoding.pairs is not None else column_numbers)(encoding, layout.hands[row])[part]
        if text_width("tick", name) <= room:
            picture.append(marks.Text(x, y, name, "tick", theme.text2))
    return tuple(picture)


@kept
def _lines_beside(layout: WavesLayout) -> list[tuple[int, int, float]]:
    """The lines of numbers beside rows: row, column and height; two where a row has room and a second column."""
    lines = list[tuple[int, int, float]]()
    for row, (hand, axis) in enumerate(zip(layout.hands, layout.levels, strict=True)):
        is_one = layout.row_height < _MIDDLING_ROW * 0.75 or not part_names(layout.encoding, hand)[1]
        downs = () if layout.row_height < LEAST_ROW else (0.0,) if is_one else (-8.5, 8.5)
        lines += [(row, part, axis.place(0.0) + down) for part, down in enumerate(downs)]
    return lines


def _numbers(layout: WavesLayout, values: marks.Points, limit: float, theme: Theme) -> marks.Marks:
    """The values at t and at t + k, shape (2, len(hands), 2), of the columns that have a line."""
    right = layout.area.right
    now_right = _now_right(limit)
    both = values.tolist()
    numbers = marks.Marks()
    for row, part, y in _lines_beside(layout):
        now, later = (value_text(one[row][part], limit, _VALUE_DIGITS) for one in both)
        numbers.append(marks.right_aligned(right + now_right, y, now, "flag", theme.text))
        numbers.append(marks.right_aligned(right + _LATER_RIGHT, y, later, "tick", theme.text2))
    return numbers


def titles_picture(layout: WavesLayout, theme: Theme) -> marks.Picture:
    """The titles of the two columns of numbers."""
    right = layout.area.right
    now = marks.right_aligned(right + _NOW_RIGHT, _TITLES_AT, "t", "flag", theme.text)
    return now, marks.right_aligned(right + _LATER_RIGHT, _TITLES_AT, "t + k", "tick", theme.text2)


def _now_right(limit: float) -> float:
    """Where values at t end: powers of ten take more room, and those at t move aside."""
    return min(_NOW_RIGHT, _LATER_RIGHT - 4.0 - _widest("tick", limit))


@told_cache(8)
def _widest(role: str, limit: float) -> float:
    # The limit itself may be a power of ten without further digits.
    return max(text_width(role, value_text(-share * limit, limit, _VALUE_DIGITS)) for share in (1.0, 0.88))


def _flags(layout: WavesLayout, cursor: Cursor, n_positions: int, theme: Theme) -> marks.Marks:
    """The flags of t and of t + k, in the order of their lines from which they lean away, none over the other."""
    t = cursor.position
    later = cursor.position + cursor.offset
    outside = "" if 0 <= later <= n_positions - 1 else ", outside N"
    words = f"t = {number_text.position(t)}", f"t + k = {number_text.position(later)}{outside}"
    first, last, *_ = layout.span
    labels = [
        f"‹ {label}" if at < first else f"{label} ›" if at > last else label
        for at, label in zip((t, later), words, strict=True)
    ]
    lines = layout.positions.place(np.clip((t, later), first, last)).tolist()
    widths = [*map(flag_width, labels)]
    left, right = (0, 1) if cursor.offset >= 0 else (1, 0)
    start = layout.area.x - _FLAG_BEYOND
    end = layout.area.right + _FLAG_BEYOND
    last_start = end - widths[right] - _FLAG_GAP - widths[left]
    # Beside a narrow plot they reach over what stands at its left.
    start = max(min(lines[left] + _FLAG_BEYOND - widths[left], last_start), start if start <= last_start else 0.0)
    after = max(min(lines[right] - _FLAG_BEYOND, end - widths[right]), start + widths[left] + _FLAG_GAP)
    places = {left: start, right: after}
    return [
        *flag(places[0], _FLAG_TOP, labels[0], theme),
        *flag(places[1], _FLAG_TOP, labels[1], theme, is_hollow=True),
    ]
