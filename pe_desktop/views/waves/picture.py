"""Rows of waves with their cursors and numbers."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor, Preview, cursor_hands
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.hand_text import column_numbers, hand_name, limit_texts, part_names, value_text
from pe_desktop.draw.number_text import short
from pe_desktop.draw.plot import Tick, flag, flag_width
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import badge_half_width, formula_runs, text_width
from pe_desktop.views.scheme_text import hand_color
from pe_desktop.views.waves.layout import (
    TOP,
    TableWave,
    Wave,
    WaveBand,
    WavesLayout,
    sampled_waves,
    table_waves,
    whole_positions,
)

# From the rows down to the numbers of the positions.
AXIS_BELOW = 14.0
BADGE_RADIUS = 8.5
# Dots mark whole positions while they stand this far apart and neighbours differ visibly.
_OMEGA_INDEX = re.compile(r"ω_\{\d+\}")
_DOT_ROOM = 3.5
_FAST_ENOUGH_FOR_DOTS = 0.2
# Below this many pixels a turn, dots and dashes of the cosine run together.
_NARROW_TURN = 12.0
# Of sine and cosine as bands, of the cosine's line behind narrow turns, and of its dots, with their lengths.
_BAND_ALPHAS, _NARROW_ALPHA, _DOTS_ALPHA, _DOTS = (0.55, 0.25), 0.3, 0.75, (1.6, 3.2)
# Waves lower than this are drawn as thin lines: wide ones would fill them.
LOW_AMPLITUDE = 12.0
_THINNEST_BAND = 1.6
_TALL_ROW = 96.0
_MIDDLING_ROW = 52.0


def n_pixels_of(layout: WavesLayout, pixel_ratio: float) -> int:
    """How many device pixels the plot is wide."""
    return max(int((layout.right - layout.left) * pixel_ratio), 1)


def waves_picture(
    layout: WavesLayout,
    encoding: Encoding,
    shown: Sequence[int],
    theme: Theme,
    pixel_ratio: float = 1.0,
    known: Sequence[TableWave] | None = None,
) -> marks.Picture:
    """Everything that stays while the cursors move: grid, axis, labels and curves of the shown hands.

    known: the curves where they take long; until they are there quick ones are drawn.
    """
    axis = layout.positions
    ticks = axis.position_ticks(encoding.n_positions)
    pairs = encoding.pairs
    if pairs is not None and pairs.turns_evenly:
        rows = [*turning_curves(layout, encoding, pairs, shown, theme, pixel_ratio)]
        if not layout.is_overlay:
            rows += _turning_labels(layout, encoding, pairs, shown, theme)
    else:
        ends = layout.span.first, layout.span.last
        waves = known or table_waves(encoding, shown, *ends, n_pixels_of(layout, pixel_ratio), is_quick=True)
        rows = _table_rows(layout, encoding, shown, waves, theme)
    if layout.is_overlay:
        rows += _level_labels(layout, 0, limit_texts(encoding.value_limit), theme)
    return (
        axis.grid(ticks, theme),
        *_level_lines(layout, theme),
        *rows,
        axis.title("position t", theme, AXIS_BELOW, is_before=True),
        *axis.labels(ticks, theme, AXIS_BELOW),
    )


def turning_curves(
    layout: WavesLayout, encoding: Encoding, pairs: Pairs, shown: Sequence[int], theme: Theme, pixel_ratio: float
) -> marks.Picture:
    """The curves of hands that turn evenly, and dots at whole positions of those that turn fast."""
    ends, tall = (layout.span.first, layout.span.last), layout.amplitude * pixel_ratio
    waves = sampled_waves(pairs, shown, *ends, n_pixels_of(layout, pixel_ratio), tall)
    picture: list[marks.Mark] = []
    for row, (pair, wave) in enumerate(zip(shown, waves, strict=True)):
        color = hand_color(encoding, pair, theme)
        picture += _curves(layout, row, wave, float(pairs.wavelengths[pair]), color, theme.wave_width)
    for row, pair in enumerate(shown):
        if pairs.angular_frequencies[pair] > _FAST_ENOUGH_FOR_DOTS:
            picture += _whole_positions(layout, row, encoding, pair, hand_color(encoding, pair, theme))
    return tuple(picture)


def _turning_labels(
    layout: WavesLayout, encoding: Encoding, pairs: Pairs, shown: Sequence[int], theme: Theme
) -> list[marks.Mark]:
    # Waves of one amplitude: what is drawn is a share of it.
    limits = limit_texts(encoding.value_limit)
    picture: list[marks.Mark] = []
    for row, pair in enumerate(shown):
        words = _turn_words(float(pairs.wavelengths[pair]), is_tall=layout.row_height >= _TALL_ROW)
        color = hand_color(encoding, pair, theme)
        picture += _row_labels(layout, row, pair, _omega(pairs, pair), words, color, theme)
        picture += _level_labels(layout, row, limits, theme)
    return picture


def _turn_words(wavelength: float, *, is_tall: bool) -> tuple[str, ...]:
    if math.isinf(wavelength):
        return ("not turned",)
    return (short(wavelength), "per turn") if is_tall else (f"{short(wavelength)} per turn",)


def _table_rows(
    layout: WavesLayout, encoding: Encoding, shown: Sequence[int], waves: Sequence[TableWave], theme: Theme
) -> list[marks.Mark]:
    picture: list[marks.Mark] = []
    limits = limit_texts(encoding.value_limit)
    for row, (hand, wave) in enumerate(zip(shown, waves, strict=True)):
        color = hand_color(encoding, hand, theme)
        picture += _hidden_stretches(layout, row, wave, color)
        picture += _curves(layout, row, wave.curve, math.inf, color, theme.wave_width)
        picture += _whole_positions(layout, row, encoding, hand, color, has_second=bool(wave.hidden))
        if layout.is_overlay:
            continue
        if encoding.pairs is not None:
            name, short_name = _omega(encoding.pairs, hand), ""
        else:
            name, short_name = hand_name(encoding, hand), ", ".join(filter(None, column_numbers(encoding, hand)))
        picture += _row_labels(layout, row, hand, name, wave.notes, color, theme, short_name=short_name)
        picture += _level_labels(layout, row, limits, theme)
    return picture


def _omega(pairs: Pairs, pair: int) -> str:
    return f"ω_{{{pair}}} = {short(float(pairs.angular_frequencies[pair]))}"


def _level_lines(layout: WavesLayout, theme: Theme) -> tuple[marks.Mark, ...]:
    middles = np.array([layout.row_middle(row) for row in range(layout.n_axes)])
    edges = np.concatenate((middles - layout.amplitude, middles + layout.amplitude))
    lines = [
        np.column_stack((np.full(len(y), layout.left), y, np.full(len(y), layout.right), y)) for y in (edges, middles)
    ]
    return marks.Segments(lines[0], theme.grid), marks.Segments(lines[1], theme.axis)


def _curves(
    layout: WavesLayout, row: int, wave: Wave | WaveBand, wavelength: float, color: QColor, wide: float
) -> list[marks.Mark]:
    span, middle, tall = layout.span, layout.row_middle(row), layout.amplitude
    if isinstance(wave, WaveBand):
        n_pixels = len(wave.sine[0])
        x = layout.left + (np.arange(n_pixels) + 0.5) * (layout.right - layout.left) / n_pixels
        bands: list[marks.Mark] = []
        for (low, high), alpha in zip((wave.cosine, wave.sine), _BAND_ALPHAS[::-1], strict=True):
            if np.isnan(low).any():
                # The last hand of an odd width has one column.
                continue
            # Where all values of a pixel are alike the band is still to be seen.
            more = np.maximum(_THINNEST_BAND - tall * (high - low), 0.0) / 2
            upper, lower = middle - tall * high - more, middle - tall * low + more
            bands.append(marks.Band(x, upper, lower, with_alpha(color, alpha)))
        return bands
    x = layout.left + (wave.positions - span.first) / span.width * (layout.right - layout.left)
    sine_lines = _unbroken(np.column_stack((x, middle - tall * wave.sine)))
    cosine_lines = _unbroken(np.column_stack((x, middle - tall * wave.cosine)))
    turn = (layout.right - layout.left) / max(span.width / wavelength, 1e-9)
    if turn < _NARROW_TURN:
        thin = _narrow_width(turn, wide)
        return [
            *(marks.Polyline(line, with_alpha(color, _NARROW_ALPHA), thin) for line in cosine_lines),
            *(marks.Polyline(line, color, thin) for line in sine_lines),
        ]
    widths = (0.7 * wide, wide) if tall >= LOW_AMPLITUDE else (0.5 * wide, 0.5 * wide)
    return [
        *(marks.Polyline(line, with_alpha(color, _DOTS_ALPHA), widths[0], dash=_DOTS) for line in cosine_lines),
        *(marks.Polyline(line, color, widths[1]) for line in sine_lines),
    ]


def _narrow_width(turn: float, wide: float) -> float:
    """Narrow turns need thin lines, or a wave becomes a slab that hides what lies behind; all in logical pixels."""
    return max(turn / _NARROW_TURN * 0.8 * wide, 0.4)


def _unbroken(line: marks.Points) -> list[marks.Points]:
    """A line in the parts that have no hole."""
    is_there = ~np.isnan(line[:, 1])
    if is_there.all():
        return [line]
    edges = np.flatnonzero(np.diff(is_there, prepend=False, append=False)).reshape(-1, 2)
    return [line[start:stop] for start, stop in edges.tolist() if stop - start > 1]


def _hidden_stretches(layout: WavesLayout, row: int, wave: TableWave, color: QColor) -> list[marks.Mark]:
    """Where a hand turns too far from dot to dot to be followed it passes every value: a faint band."""
    middle, tall = layout.row_middle(row), layout.amplitude
    picture: list[marks.Mark] = []
    for stretch in wave.hidden:
        left, right = (layout.x(min(max(edge, layout.span.first), layout.span.last)) for edge in stretch)
        picture.append(marks.Rectangle(left, middle - tall, right - left, 2 * tall, with_alpha(color, 0.1)))
    return picture


def _whole_positions(
    layout: WavesLayout, row: int, encoding: Encoding, hand: int, color: QColor, *, has_second: bool = False
) -> list[marks.Mark]:
    pixels_apart = (layout.right - layout.left) / layout.span.width
    # Dots that stand alone are drawn as long as there is a pixel for each.
    if pixels_apart < (1.0 if has_second else _DOT_ROOM):
        return []
    positions, values = whole_positions(encoding, hand, layout.span.first, layout.span.last)
    x = layout.left + (positions - layout.span.first) * pixels_apart
    first, second = (
        np.column_stack((x, layout.row_middle(row) - layout.amplitude * values[:, part])) for part in (0, 1)
    )
    radius = min(2.3, max(pixels_apart / 2, 0.8))
    faint = [marks.Dots(second, radius * 0.7, with_alpha(color, 0.6))] if has_second else []
    return [*faint, marks.Dots(first, radius, color)]


def _row_labels(
    layout: WavesLayout,
    row: int,
    pair: int,
    name: str,
    words: tuple[str, ...],
    color: QColor,
    theme: Theme,
    *,
    short_name: str = "",
) -> list[marks.Mark]:
    middle, tall = layout.row_middle(row), layout.row_height
    top = middle - (18.0 if tall >= _TALL_ROW else 10.0 if tall >= _MIDDLING_ROW and words else 0.0)
    label = str(pair)
    half = badge_half_width(BADGE_RADIUS, label)
    labels: list[marks.Mark] = [marks.Badge(2.0 + half, top, BADGE_RADIUS, label, color)]
    # In a high row the numbers of the axis stand at other heights.
    room = layout.left - 30.0 - 2 * half + (0.0 if words and tall < _TALL_ROW else 20.0)
    if not short_name:
        # The badge says which pair it is.
        sizes = [(text, size) for text in (name, _OMEGA_INDEX.sub("ω", name)) for size in (14, 12)]
        text, size = next((some for some in sizes if formula_runs(*some)[1] <= room), sizes[-1])
        labels.append(marks.FormulaText(8.0 + 2 * half, top, text, size, theme.text))
    else:
        # "columns" goes without saying where there is no room for the word.
        text = name if text_width("tick", name) <= room else short_name
        labels.append(marks.Text(8.0 + 2 * half, top, text, "tick", theme.text))
    if tall >= _TALL_ROW:
        labels += [marks.Text(2.0, middle + 3.0 + 16.0 * n, line, "tick", theme.text2) for n, line in enumerate(words)]
    elif tall >= _MIDDLING_ROW and words:
        labels.append(marks.Text(2.0, middle + 10.0, words[0], "tick", theme.text2))
    return labels


def _level_labels(layout: WavesLayout, row: int, limits: tuple[str, str], theme: Theme) -> list[marks.Mark]:
    if layout.row_height < _MIDDLING_ROW:
        return []
    low, high = limits
    levels = ((1.0, high), (0.0, "0"), (-1.0, low)) if layout.row_height >= _TALL_ROW else ((1.0, high), (-1.0, low))
    return layout.levels(row).labels([Tick(level, text) for level, text in levels], theme, 8.0)


def numbers_header(layout: WavesLayout, theme: Theme) -> marks.Picture:
    """The titles of the two columns of numbers."""
    return (
        marks.Text(layout.right + 70.0, 12.0, "t", "flag", theme.text, across=1.0),
        marks.Text(layout.right + 118.0, 12.0, "t + k", "tick", theme.text2, across=1.0),
    )


FLAG_TOP, FLAG_BOTTOM = 3.0, 21.0
_VALUE_DIGITS = 2
NAME_LEFT, NOW_RIGHT = 12.0, 70.0
# Shares of the limit that are drawn.
_MOST_BEYOND = 1.1


def cursor_picture(
    layout: WavesLayout, encoding: Encoding, shown: Sequence[int], cursor: Cursor, theme: Theme
) -> marks.Picture:
    """Lines, flags, dots on the curves and the numbers beside them."""
    later = cursor.position + cursor.offset
    hands, limit = cursor_hands(encoding, cursor.position, cursor.offset, shown), encoding.value_limit
    picture: list[marks.Mark] = []
    places = ((cursor.position, True), (later, False))
    for position, is_now in reversed(places):
        picture += _line(layout, position, is_now, theme)
    for row, pair in enumerate(shown):
        color = hand_color(encoding, pair, theme)
        for (position, is_now), values in zip(reversed(places), hands[::-1, row] / limit, strict=True):
            picture += _dots(layout, row, position, values.tolist(), is_now, color, theme)
        if layout.is_overlay or not layout.has_numbers:
            continue
        # Of "dim 16" the number is enough here, where the row has it on its left.
        names = part_names(encoding, pair) if encoding.pairs is not None else column_numbers(encoding, pair)
        picture += _numbers(layout, row, hands[:, row], names, limit, theme)
    return (*picture, *_flags(layout, cursor, encoding.n_positions, theme))


def preview_picture(layout: WavesLayout, preview: Preview | None, theme: Theme) -> marks.Picture:
    """The light cursor under the pointer, and a dashed one for a key."""
    if preview is None:
        return ()
    color = with_alpha(theme.text3, 0.55)
    return tuple(
        layout.positions.line(at, color, 1.0, () if is_query else (4.0, 3.0))
        for at, is_query in preview.places
        if _is_seen(layout, at)
    )


def _is_seen(layout: WavesLayout, position: float) -> bool:
    return layout.span.first <= position <= layout.span.last


def _line(layout: WavesLayout, position: float, is_now: bool, theme: Theme) -> list[marks.Mark]:
    if not _is_seen(layout, position):
        return []
    width, dash = (2.0, ()) if is_now else (1.2, (4.0, 3.0))
    return [layout.positions.line(position, theme.ink, width, dash, beyond=TOP - FLAG_BOTTOM)]


def _dots(
    layout: WavesLayout, row: int, position: float, values: list[float], is_now: bool, color: QColor, theme: Theme
) -> list[marks.Mark]:
    if not _is_seen(layout, position):
        return []
    dots: list[marks.Mark] = []
    size = 1.0 if layout.row_height >= _MIDDLING_ROW else 0.6
    x, middle, amplitude = layout.x(position), layout.row_middle(row), layout.amplitude
    for value, radius in ((values[1], 3.6 * size), (values[0], 5.0 * size)):
        # A hand may lack its second column, and a random value may lie beyond the limit.
        if not abs(value) <= _MOST_BEYOND:
            continue
        center = np.array([(x, middle - amplitude * value)])
        if is_now:
            dots.append(marks.Dots(center, radius + 0.8, color, theme.panel, 1.6))
        else:
            dots.append(marks.Dots(center, radius, theme.panel, color, 1.6))
    return dots


def _numbers(
    layout: WavesLayout, row: int, hands: marks.Points, names: tuple[str, str], limit: float, theme: Theme
) -> list[marks.Mark]:
    if layout.row_height < _MIDDLING_ROW / 2:
        return []
    is_tight = layout.row_height < _MIDDLING_ROW * 0.75
    middle = layout.row_middle(row)
    lines = ((names[0], 0, 0.0),) if is_tight or not names[1] else ((names[0], 0, -8.5), (names[1], 1, 8.5))
    numbers: list[marks.Mark] = []
    widest = _widest(limit)
    texts = [[value_text(float(value), limit, _VALUE_DIGITS) for value in hands[:, axis]] for _, axis, _ in lines]
    # Powers of ten take more room: those at t move aside.
    now_right = min(NOW_RIGHT, 114.0 - max(text_width("tick", later) for _, later in texts))
    for (name, _, down), (now, later) in zip(lines, texts, strict=True):
        y = middle + down
        if text_width("tick", name) + widest + 3.0 <= now_right - NAME_LEFT:
            numbers.append(marks.Text(layout.right + NAME_LEFT, y, name, "tick", theme.text2))
        numbers.append(marks.Text(layout.right + now_right, y, now, "flag", theme.text, across=1.0))
        numbers.append(marks.Text(layout.right + 118.0, y, later, "tick", theme.text2, across=1.0))
    return numbers


@lru_cache(maxsize=8)
def _widest(limit: float) -> float:
    return text_width("flag", value_text(-limit, limit, _VALUE_DIGITS))


def _flags(layout: WavesLayout, cursor: Cursor, n_positions: int, theme: Theme) -> list[marks.Mark]:
    later = cursor.position + cursor.offset
    now_label = _arrowed(f"t = {number_text.position(cursor.position)}", layout, cursor.position)
    outside = "" if 0 <= later <= n_positions - 1 else ", outside N"
    later_label = _arrowed(f"t + k = {number_text.position(later)}{outside}", layout, later)
    goes_forward = cursor.offset >= 0
    now_width, later_width = flag_width(now_label), flag_width(later_label)
    now_left = _flag_left(layout, cursor.position, now_width, leans_left=goes_forward)
    later_left = _flag_left(layout, later, later_width, leans_left=not goes_forward)
    if now_left < later_left + later_width + 4.0 and later_left < now_left + now_width + 4.0:
        now_left, later_left = _parted(layout, now_left, now_width, later_left, later_width, goes_forward)
    return [
        *flag(now_left, FLAG_TOP, now_label, theme),
        *flag(later_left, FLAG_TOP, later_label, theme, is_hollow=True),
    ]


def _arrowed(label: str, layout: WavesLayout, position: float) -> str:
    if position < layout.span.first:
        return f"‹ {label}"
    return f"{label} ›" if position > layout.span.last else label


def _flag_left(layout: WavesLayout, position: float, width: float, leans_left: bool) -> float:
    x = layout.x(min(max(position, layout.span.first), layout.span.last))
    wanted = x - width + 6.0 if leans_left else x - 6.0
    return min(max(wanted, layout.left - 6.0), layout.right + 6.0 - width)


def _parted(
    layout: WavesLayout, now_left: float, now_width: float, later_left: float, later_width: float, goes_forward: bool
) -> tuple[float, float]:
    # The flag of t stays on its line; the other stands on the side it belongs to, or on the inner one at the edge.
    after, before = now_left + now_width + 4.0, now_left - later_width - 4.0
    fits_after = after + later_width <= layout.right + 6.0
    fits_before = before >= layout.left - 6.0
    if not fits_after and not fits_before:
        over = max(after + later_width - layout.right - 6.0, 0.0)
        return max(now_left - over, 0.0), max(now_left - over, 0.0) + now_width + 4.0
    goes_after = fits_after if goes_forward else not fits_before
    return now_left, after if goes_after else before
