"""Similarity against offset: the profile that every row shares and the part of it that row t holds, or row t alone."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Floats
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import position_ticks
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.similarity.layout import SimilarityLayout
from pe_desktop.views.similarity.picture import OWN_ROWS, TITLES

EVERY_ROW_WIDTH = 4.0
ROW_WIDTH = 1.6
LEVELS = 5

# x, upper and lower pixel, each shape (n,).
Curve: TypeAlias = tuple[Floats, Floats, Floats]


def profile_limits(limits: tuple[float, float], lags: Floats | None) -> tuple[float, float]:
    """The heights that the profile spans: from 0, or the least value below it, to the greatest."""
    least, greatest = limits if lags is None else (float(lags.min()), float(lags.max()))
    low, high = min(least, 0.0), max(greatest, 0.0)
    return low, high if high > low else low + 1.0


def profile_frame_picture(
    layout: SimilarityLayout,
    kind: str,
    limits: tuple[float, float],
    lags: Floats | None,
    theme: Theme,
    *,
    is_shared: bool = True,
) -> marks.Picture:
    """Axes and the profile of every row, as far as it has been computed; none where each row has its own."""
    curve = profile_curve(layout, limits, lags)
    every = () if curve is None else _line(curve, theme, is_row=False)
    return (*_axes(layout, kind, limits, theme, is_shared=is_shared), *every)


def profile_cursor_picture(
    layout: SimilarityLayout,
    limits: tuple[float, float],
    lags: Floats | None,
    curve: Curve | None,
    cursor: Cursor,
    n_positions: int,
    theme: Theme,
) -> marks.Picture:
    """Row t's part of the profile, which is `curve`, the dashed line at k, the dot on it."""
    area = layout.profile
    first = max(-cursor.position, layout.offsets.first)
    last = min(n_positions - 1 - cursor.position, layout.offsets.last)
    picture: list[marks.Mark] = []
    if curve is not None and last > first:
        picture += _line(_between(curve, layout.offset_x(first), layout.offset_x(last)), theme, is_row=True)
    if layout.offsets.first <= cursor.offset <= layout.offsets.last:
        x = layout.offset_x(cursor.offset)
        picture.append(
            marks.Segments(np.array([[x, area.y - 6.0, x, area.y + area.height]]), theme.text2, 1.3, (4.0, 3.0))
        )
        k = round(abs(cursor.offset))
        if lags is not None and k < len(lags):
            y = float(_heights(layout, limits, lags[k : k + 1])[0])
            picture.append(marks.Dots(np.array([[x, y]]), 5.0, theme.panel, theme.ink, 2.0))
    return tuple(picture)


def row_picture(
    layout: SimilarityLayout,
    limits: tuple[float, float],
    row: tuple[Floats, Floats],
    at_offset: float,
    cursor: Cursor,
    theme: Theme,
) -> marks.Picture:
    """Row t alone, from its offsets and similarities, shape (n,) each; the dashed line at k, and its dot there."""
    offsets, values = row
    area = layout.profile
    is_there = ~np.isnan(values)
    curve = _thinned(layout, limits, offsets[is_there], values[is_there])
    picture: list[marks.Mark] = [*_line(curve, theme, is_row=True)] if is_there.any() else []
    if layout.offsets.first <= cursor.offset <= layout.offsets.last:
        x = layout.offset_x(cursor.offset)
        line = np.array([[x, area.y - 6.0, x, area.y + area.height]])
        picture.append(marks.Segments(line, theme.text2, 1.3, (4.0, 3.0)))
        if not np.isnan(at_offset):
            y = float(_heights(layout, limits, np.array([at_offset]))[0])
            picture.append(marks.Dots(np.array([[x, y]]), 5.0, theme.panel, theme.ink, 2.0))
    return tuple(picture)


def row_positions(layout: SimilarityLayout, position: float, n_positions: int, most: int) -> range:
    """The positions whose similarity to t is seen: all of them, or every n-th where they are more than `most`."""
    first = max(int(np.ceil(position + layout.offsets.first)), 0)
    last = min(int(np.floor(position + layout.offsets.last)), n_positions - 1)
    step = max(-(-(last - first + 1) // most), 1)
    # Whole multiples of the step: they stay the same while t moves a little.
    return range(-(-first // step) * step, last + 1, step)


def profile_curve(layout: SimilarityLayout, limits: tuple[float, float], lags: Floats | None) -> Curve | None:
    """The profile over the visible offsets: one point a lag, or the extremes in each pixel."""
    if lags is None:
        return None
    first, last = layout.offsets.first, layout.offsets.last
    low, high = max(int(np.ceil(first)), 1 - len(lags)), min(int(np.floor(last)), len(lags) - 1)
    if high < low:
        return None
    offsets = np.arange(low, high + 1)
    values = lags[np.abs(offsets)]
    pixels_per_lag = layout.profile.width / layout.offsets.width
    if pixels_per_lag >= 0.5:
        y = _heights(layout, limits, values)
        return layout.offset_x(offsets), y, y
    return _thinned(layout, limits, offsets, values)


def _thinned(layout: SimilarityLayout, limits: tuple[float, float], offsets: NDArray[Any], values: Floats) -> Curve:
    """The extremes in each pixel."""
    x = np.asarray(layout.offset_x(offsets), dtype=np.float64)
    y = _heights(layout, limits, values)
    if not len(x):
        return x, y, y
    columns = np.floor(x).astype(np.int64)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    return columns[starts].astype(np.float64) + 0.5, np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)


def _between(curve: Curve, left: float, right: float) -> Curve:
    x, upper, lower = curve
    # Half a pixel of room: an extreme stands in the middle of its pixel.
    part = slice(*np.searchsorted(x, (left - 0.5, right + 0.5)).tolist())
    return x[part], upper[part], lower[part]


def _line(curve: Curve, theme: Theme, *, is_row: bool) -> tuple[marks.Mark, ...]:
    x, upper, lower = curve
    color = theme.ink if is_row else theme.axis
    width = ROW_WIDTH if is_row else EVERY_ROW_WIDTH
    line = marks.Polyline(np.column_stack((x, upper)), color, width)
    if np.array_equal(upper, lower):
        return (line,)
    return (marks.Band(x, upper, lower, with_alpha(color, 0.9)), line)


def _heights(layout: SimilarityLayout, limits: tuple[float, float], values: NDArray[np.float64]) -> Floats:
    low, high = limits
    area = layout.profile
    # Beyond the axis a curve runs along its edge.
    share = np.clip((values - low) / (high - low), 0.0, 1.04)
    return np.asarray(area.y + area.height * (1.0 - share * 0.96))


def _axes(
    layout: SimilarityLayout, kind: str, limits: tuple[float, float], theme: Theme, *, is_shared: bool
) -> list[marks.Mark]:
    area = layout.profile
    picture: list[marks.Mark] = []
    for level in _levels(limits, LEVELS if area.height > 120 else 2):
        y = float(_heights(layout, limits, np.array([level]))[0])
        picture.append(marks.Segments(np.array([[area.x, y, area.x + area.width, y]]), theme.grid))
        if area.height > 90 or level == limits[1] or level == 0:
            picture.append(marks.Text(area.x - 6.0, y, short(level), "tick", theme.text3, across=1.0))
    foot = area.y + area.height
    picture.append(marks.Segments(np.array([[area.x, foot, area.x + area.width, foot]]), theme.axis))
    for tick in _offset_ticks(layout):
        label = whole(tick) if tick <= 0 else f"+{whole(tick)}"
        picture.append(marks.Text(layout.offset_x(tick), foot + 13.0, label, "tick", theme.text3, across=0.5))
    if layout.is_wide:
        picture += _heading(layout, kind, theme, is_shared=is_shared)
        end = area.x + area.width
        picture.append(marks.Text(end, foot + 33.0, "offset k, positions", "tick", theme.text3, across=1.0))
    else:
        picture.append(marks.Text(area.x - 8.0, foot + 13.0, "k", "tick", theme.text3, across=1.0))
    return picture


def _heading(layout: SimilarityLayout, kind: str, theme: Theme, *, is_shared: bool) -> list[marks.Mark]:
    area = layout.profile
    left, y = area.x - 30.0, 36.0
    if not is_shared:
        return [
            marks.Text(left, 14.0, f"{TITLES[kind]} against offset", "title", theme.text),
            marks.Segments(np.array([[left, y, left + 24.0, y]]), theme.ink, 2.0),
            marks.Text(left + 32.0, y, f"row t; {OWN_ROWS}", "caption", theme.text2),
        ]
    second = left + 32.0 + text_width("caption", "every row") + 18.0
    return [
        marks.Text(left, 14.0, f"{TITLES[kind]} against offset", "title", theme.text),
        marks.Segments(np.array([[left, y, left + 24.0, y]]), theme.axis, EVERY_ROW_WIDTH),
        marks.Text(left + 32.0, y, "every row", "caption", theme.text2),
        marks.Segments(np.array([[second, y, second + 24.0, y]]), theme.ink, 2.0),
        marks.Text(second + 32.0, y, "row t", "caption", theme.text2),
    ]


def _levels(limits: tuple[float, float], most: int) -> list[float]:
    low, high = limits
    rough = (high - low) / (most + 1)
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * 0.999)
    first = np.ceil(low / step - 1e-9)
    count = int(np.floor(high / step + 1e-9) - first) + 1
    return [float((first + i) * step) for i in range(count)]


def _offset_ticks(layout: SimilarityLayout) -> list[float]:
    most = max(int(layout.profile.width // 44.0), 2)
    reach = max(abs(layout.offsets.first), abs(layout.offsets.last))
    ticks = position_ticks(0.0, reach, max(most // 2, 1))
    if len(ticks) < 2:
        return [0.0]
    step = ticks[1] - ticks[0]
    count = int(reach // step)
    return [i * step for i in range(-count, count + 1) if layout.offsets.first <= i * step <= layout.offsets.last]
