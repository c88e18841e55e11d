"""The waves of the pinned pairs: sine solid, cosine dotted, a row each, and the two cursors across them."""

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Pairs
from pe_desktop.plotting import marks
from pe_desktop.plotting.formula import formula_runs
from pe_desktop.plotting.number_text import short, whole
from pe_desktop.plotting.theme import Theme, with_alpha
from pe_desktop.plotting.ticks import span_ticks
from pe_desktop.plotting.typefaces import badge_half_width, text_width
from pe_desktop.plotting.wave_sampling import Wave, WaveBand, sampled_waves
from pe_desktop.plotting.waves_layout import TOP, WavesLayout

TICK_ROOM = 64.0
BADGE_RADIUS = 8.5
# Dots mark whole positions while they stand this far apart and neighbours differ visibly.
DOT_ROOM = 3.5
FAST_ENOUGH_FOR_DOTS = 0.2
# Below this many pixels a turn, dots and dashes of the cosine run together.
NARROW_TURN = 12.0
# Waves lower than this are drawn as thin lines: wide ones would fill them.
LOW_AMPLITUDE = 12.0
TALL_ROW = 96.0
MIDDLING_ROW = 52.0


def waves_picture(
    layout: WavesLayout, pairs: Pairs, shown: list[int], n_positions: int, theme: Theme, pixel_ratio: float = 1.0
) -> marks.Picture:
    """Everything that stays while the cursors move: grid, axis, labels and curves of the shown pairs."""
    ticks = _ticks(layout, n_positions)
    picture: list[marks.Mark] = [*_grid(layout, ticks, theme)]
    n_pixels = max(int((layout.right - layout.left) * pixel_ratio), 1)
    tall = layout.amplitude * pixel_ratio
    waves = sampled_waves(pairs, shown, layout.span.first, layout.span.last, n_pixels, tall)
    for row, (pair, wave) in enumerate(zip(shown, waves, strict=True)):
        color = theme.pair_color(pair, pairs.count)
        picture += _curves(layout, row, wave, float(pairs.wavelengths[pair]), color)
        picture += _whole_positions(layout, row, pairs, pair, n_positions, color)
        picture += _row_labels(layout, row, pairs, pair, color, theme)
    return (*picture, *_axis(layout, ticks, theme))


def more_picture(layout: WavesLayout, n_hidden: int, theme: Theme) -> marks.Picture:
    """One line for the pinned pairs that find no row."""
    if not n_hidden:
        return ()
    sentence = f"{n_hidden} more pinned: enlarge this panel to see them"
    return (marks.Text(layout.width - 8.0, layout.height - 8.0, sentence, "tick", theme.text2, across=1.0),)


def _ticks(layout: WavesLayout, n_positions: int) -> list[float]:
    pixels = (layout.right - layout.left) / layout.span.width
    most = max(int((layout.right - layout.left) // TICK_ROOM), 1)
    room = text_width("tick", whole(n_positions - 1)) + 6.0
    return span_ticks(layout.span.first, layout.span.last, n_positions, most, room / pixels)


def _grid(layout: WavesLayout, ticks: list[float], theme: Theme) -> tuple[marks.Mark, ...]:
    upright = np.array([[layout.x(tick), TOP, layout.x(tick), layout.bottom] for tick in ticks]).reshape(-1, 4)
    middles = np.array([layout.row_middle(row) for row in range(layout.n_rows)])
    edges = np.concatenate((middles - layout.amplitude, middles + layout.amplitude))
    return (
        marks.Segments(upright, theme.grid),
        marks.Segments(_level_lines(layout, edges), theme.grid),
        marks.Segments(_level_lines(layout, middles), theme.axis),
    )


def _level_lines(layout: WavesLayout, heights: marks.Points) -> marks.Points:
    left, right = np.full(len(heights), layout.left), np.full(len(heights), layout.right)
    return np.column_stack((left, heights, right, heights))


def _axis(layout: WavesLayout, ticks: list[float], theme: Theme) -> list[marks.Mark]:
    below = layout.bottom + 14.0
    labels: list[marks.Mark] = [marks.Text(layout.left - 12.0, below, "position t", "tick", theme.text3, across=1.0)]
    for tick in ticks:
        # The first label stands beside the axis title, not on it.
        across = 0.0 if layout.x(tick) - layout.left < 8.0 else 0.5
        x = layout.x(tick) - (3.0 if across == 0.0 else 0.0)
        labels.append(marks.Text(x, below, whole(tick), "tick", theme.text3, across=across))
    return labels


def _curves(layout: WavesLayout, row: int, wave: Wave | WaveBand, wavelength: float, color: QColor) -> list[marks.Mark]:
    span, middle, tall = layout.span, layout.row_middle(row), layout.amplitude
    if isinstance(wave, WaveBand):
        n_pixels = len(wave.sine[0])
        x = layout.left + (np.arange(n_pixels) + 0.5) * (layout.right - layout.left) / n_pixels
        return [
            marks.Band(x, middle - tall * high, middle - tall * low, with_alpha(color, alpha))
            for (low, high), alpha in ((wave.cosine, 0.25), (wave.sine, 0.55))
        ]
    x = layout.left + (wave.positions - span.first) / span.width * (layout.right - layout.left)
    sine_line = np.column_stack((x, middle - tall * wave.sine))
    cosine_line = np.column_stack((x, middle - tall * wave.cosine))
    # Narrow turns need thin lines, or a wave becomes a slab that hides what lies behind.
    turn = (layout.right - layout.left) / max(span.width / wavelength, 1e-9)
    if turn < NARROW_TURN:
        thin = max(turn / NARROW_TURN * 1.6, 0.4)
        return [marks.Polyline(cosine_line, with_alpha(color, 0.3), thin), marks.Polyline(sine_line, color, thin)]
    widths = (1.4, 2.0) if tall >= LOW_AMPLITUDE else (1.0, 1.0)
    return [
        marks.Polyline(cosine_line, with_alpha(color, 0.75), widths[0], dash=(1.6, 3.2)),
        marks.Polyline(sine_line, color, widths[1]),
    ]


def _whole_positions(
    layout: WavesLayout, row: int, pairs: Pairs, pair: int, n_positions: int, color: QColor
) -> list[marks.Mark]:
    pixels_apart = (layout.right - layout.left) / layout.span.width
    if pixels_apart < DOT_ROOM or pairs.angular_frequencies[pair] <= FAST_ENOUGH_FOR_DOTS:
        return []
    last = min(np.floor(layout.span.last), n_positions - 1)
    positions = np.arange(max(np.ceil(layout.span.first), 0.0), last + 1)
    sines = pairs.hands(positions, [pair])[:, 0, 0]
    x = layout.left + (positions - layout.span.first) * pixels_apart
    centers = np.column_stack((x, layout.row_middle(row) - layout.amplitude * sines))
    return [marks.Dots(centers, 2.3, color)]


def _row_labels(
    layout: WavesLayout, row: int, pairs: Pairs, pair: int, color: QColor, theme: Theme
) -> list[marks.Mark]:
    middle, tall = layout.row_middle(row), layout.row_height
    formula = f"ω_{{{pair}}} = {short(float(pairs.angular_frequencies[pair]))}"
    wavelength = short(float(pairs.wavelengths[pair]))
    top = middle - (18.0 if tall >= TALL_ROW else 10.0 if tall >= MIDDLING_ROW else 0.0)
    label = str(pair)
    half = badge_half_width(BADGE_RADIUS, label)
    labels: list[marks.Mark] = [marks.Badge(1.0 + half, top, BADGE_RADIUS, label, color)]
    room = layout.left - 30.0 - 2 * half
    pixels = next((size for size in (14, 12) if formula_runs(formula, size)[1] <= room), 10)
    labels.append(marks.FormulaText(8.0 + 2 * half, top, formula, pixels, theme.text))
    if tall >= TALL_ROW:
        labels.append(marks.Text(1.0, middle + 3.0, wavelength, "tick", theme.text2))
        labels.append(marks.Text(1.0, middle + 19.0, "wavelength", "tick", theme.text2))
    elif tall >= MIDDLING_ROW:
        labels.append(marks.Text(1.0, middle + 10.0, f"{wavelength} per turn", "tick", theme.text2))
    return labels + _level_labels(layout, row, theme)


def _level_labels(layout: WavesLayout, row: int, theme: Theme) -> list[marks.Mark]:
    if layout.row_height < MIDDLING_ROW:
        return []
    levels = ((1, "+1"), (0, "0"), (-1, "−1")) if layout.row_height >= TALL_ROW else ((1, "+1"), (-1, "−1"))
    x, middle = layout.left - 8.0, layout.row_middle(row)
    return [
        marks.Text(x, middle - level * layout.amplitude, text, "tick", theme.text3, across=1.0)
        for level, text in levels
    ]


def numbers_header(layout: WavesLayout, theme: Theme) -> marks.Picture:
    """The titles of the two columns of numbers."""
    return (
        marks.Text(layout.right + 70.0, 12.0, "t", "flag", theme.text, across=1.0),
        marks.Text(layout.right + 118.0, 12.0, "t + k", "tick", theme.text2, across=1.0),
    )


def flag_width(label: str) -> float:
    """The width of a cursor's flag."""
    return text_width("flag", label) + 16.0
