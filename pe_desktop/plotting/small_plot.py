"""A plot inside a picture: an area with a scale on each axis, thin lines at the ticks, curves thinned to its pixels."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.plotting import marks
from pe_desktop.plotting.number_text import short, whole
from pe_desktop.plotting.rotation_layout import Area
from pe_desktop.plotting.theme import Theme
from pe_desktop.plotting.ticks import decades, position_ticks
from pe_desktop.plotting.typefaces import text_width

LABEL_ROOM = 46.0
TICK_ROOM = 64.0
LEVEL_ROOM = 26.0


@dataclass(frozen=True, slots=True)
class SmallPlot:
    """Where values stand: x from first to last, by its logarithm where is_logarithmic; y from low to high."""

    area: Area
    first: float
    last: float
    low: float
    high: float
    is_logarithmic: bool = False

    def x(self, values: Floats) -> Floats:
        """The pixels of places on the horizontal axis."""
        first, last = self._scaled(np.array([self.first, self.last])).tolist()
        width = last - first if last > first else 1.0
        return np.asarray(self.area.x + (self._scaled(values) - first) / width * self.area.width)

    def y(self, values: Floats) -> Floats:
        """The pixels of heights."""
        height = self.high - self.low if self.high > self.low else 1.0
        return np.asarray(self.area.y + self.area.height * (1.0 - (values - self.low) / height))

    def place(self, x: float) -> float:
        """The place on the horizontal axis under a pixel."""
        share = (x - self.area.x) / self.area.width
        first, last = self._scaled(np.array([self.first, self.last])).tolist()
        value = first + share * (last - first)
        return float(10.0**value) if self.is_logarithmic else float(value)

    def _scaled(self, values: Floats) -> Floats:
        return np.log10(values) if self.is_logarithmic else values


def axes_picture(plot: SmallPlot, x_title: str, theme: Theme) -> marks.Picture:
    """Thin lines and numbers at round heights, numbers and the title of the axis below."""
    area = plot.area
    foot, right = area.y + area.height, area.x + area.width
    picture: list[marks.Mark] = []
    for level in round_levels(plot.low, plot.high, max(int(area.height // LEVEL_ROOM), 1)):
        y = float(plot.y(np.array([level]))[0])
        picture.append(marks.Segments(np.array([[area.x, y, right, y]]), theme.grid))
        picture.append(marks.Text(area.x - 6.0, y, short(level), "tick", theme.text3, across=1.0))
    picture.append(marks.Segments(np.array([[area.x, foot, right, foot]]), theme.axis))
    for tick in _x_ticks(plot):
        x = float(plot.x(np.array([tick]))[0])
        # The last number ends where the plot does.
        is_last = x + text_width("tick", whole(tick)) / 2 > right + 8.0
        picture.append(
            marks.Text(
                right + 8.0 if is_last else x, foot + 12.0, whole(tick), "tick", theme.text3, 1.0 if is_last else 0.5
            )
        )
    picture.append(marks.Text(right, foot + 28.0, x_title, "tick", theme.text3, across=1.0))
    return tuple(picture)


def curve_picture(plot: SmallPlot, x: Floats, y: Floats, color: QColor, width: float) -> marks.Picture:
    """A curve; where several points share a pixel column, from their least to their greatest height."""
    across, down = plot.x(x), plot.y(y)
    columns = np.floor(across).astype(np.int64)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1)) if columns.size else columns
    if 2 * len(starts) >= len(columns):
        return (marks.Polyline(np.column_stack((across, down)), color, width),)
    upper, lower = np.minimum.reduceat(down, starts), np.maximum.reduceat(down, starts)
    middle = columns[starts] + 0.5
    points = np.empty((2 * len(starts), 2))
    points[:, 0] = np.repeat(middle, 2)
    points[::2, 1], points[1::2, 1] = upper, lower
    return (marks.Polyline(points, color, width),)


def round_levels(low: float, high: float, most: int) -> list[float]:
    """Round numbers within [low, high], at most about so many."""
    if not high > low:
        return [low]
    rough = (high - low) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def _x_ticks(plot: SmallPlot) -> list[float]:
    most = max(int(plot.area.width // TICK_ROOM), 1)
    if plot.is_logarithmic:
        return decades(plot.first, plot.last, most)
    return position_ticks(plot.first, plot.last, most)
