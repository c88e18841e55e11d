"""Axes, ticks, labels, small plots and tables."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width

# Positions are counted in powers of two where few are seen (the pictures' 16, 32, 48), in tens where many are.
FEW_POSITIONS = 4096
DECIMAL_STEPS = (1, 2, 5)


def position_ticks(first: float, last: float, most: int) -> list[float]:
    """Whole positions in [first, last] at equal steps, at most about `most` of them."""
    step = _binary_step(last - first, most) if last - first < FEW_POSITIONS else _decimal_step(last - first, most)
    start = math.ceil(first / step - 1e-9) * step
    count = math.floor((last - start) / step + 1e-9) + 1
    return [float(start + i * step) for i in range(max(count, 0))]


def span_ticks(first: float, last: float, n_positions: int, most: int, room: float) -> list[float]:
    """Ticks within a span and the table; where the table's end is seen, its last position, with `room` before it."""
    end = float(n_positions - 1)
    ticks = position_ticks(max(first, 0.0), min(last, end), most)
    return with_end(ticks, end, room) if last >= end else ticks


def with_end(ticks: list[float], last: float, room: float) -> list[float]:
    """The ticks and the last position; a tick that stands closer to it than the room gives way."""
    return [tick for tick in ticks if last - tick >= room] + [last]


def decades(lowest: float, highest: float, most: int) -> list[float]:
    """Powers of ten in [lowest, highest], every one, every second, ... so that at most `most` remain."""
    first, last = math.ceil(math.log10(lowest) - 1e-9), math.floor(math.log10(highest) + 1e-9)
    stride = max(1, math.ceil((last - first + 1) / max(most, 1)))
    return [10.0**power for power in range(first, last + 1, stride)]


def _binary_step(width: float, most: int) -> int:
    return 1 << math.ceil(math.log2(max(width / max(most, 1), 1.0)))


def _decimal_step(width: float, most: int) -> int:
    wanted = width / max(most, 1)
    power = 10 ** math.floor(math.log10(wanted))
    return next((int(step * power) for step in DECIMAL_STEPS if step * power >= wanted), int(10 * power))


# How far the last number may reach beyond the plot.
OVERHANG = 14.0
# And the first one, beside which the axis has its title.
OVERHANG_BEFORE = 4.0


def position_labels(
    ticks: Sequence[float], x: Callable[[float], float], y: float, ends: tuple[float, float], theme: Theme
) -> list[marks.Mark]:
    """A number centred below each tick; one that would reach far beyond the plot's ends stands at its edge."""
    first, last = ends[0] - OVERHANG_BEFORE, ends[1] + OVERHANG
    labels: list[marks.Mark] = []
    for tick in ticks:
        place, across, text = x(tick), 0.5, whole(tick)
        half = text_width("tick", text) / 2
        if place + half > last:
            place, across = last, 1.0
        elif place - half < first:
            place, across = first, 0.0
        labels.append(marks.Text(place, y, text, "tick", theme.text3, across=across))
    return labels


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


ROW = 21.0
HEAD = 20.0


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Where a table stands: its upper left corner, its width, how many rows it has."""

    x: float
    y: float
    width: float
    n_rows: int

    @property
    def height(self) -> float:
        """Titles and rows."""
        return HEAD + ROW * self.n_rows

    def row_at(self, x: float, y: float) -> int | None:
        """The row under a point."""
        row = int((y - self.y - HEAD) // ROW)
        return row if self.x <= x <= self.x + self.width and 0 <= row < self.n_rows else None


def table_picture(
    layout: TableLayout, titles: Sequence[str], rows: Sequence[Sequence[str]], chosen: int | None, theme: Theme
) -> marks.Picture:
    """Titles, a thin line, rows; the chosen one stands on a darker ground."""
    n_columns = len(titles)
    rights = [layout.x + layout.width * (column + 1) / n_columns - 8.0 for column in range(n_columns)]
    line = layout.y + HEAD - 2.0
    picture: list[marks.Mark] = [
        marks.Segments(np.array([[layout.x, line, layout.x + layout.width, line]]), theme.line)
    ]
    if chosen is not None:
        top = layout.y + HEAD + ROW * chosen
        picture.append(marks.Rectangle(layout.x, top, layout.width, ROW, theme.sunken, radius=4.0))
    for right, title in zip(rights, titles, strict=True):
        picture.append(marks.Text(right, layout.y + 8.0, title, "tick", theme.text3, across=1.0))
    for place, row in enumerate(rows):
        middle = layout.y + HEAD + ROW * (place + 0.5)
        for column, (right, text) in enumerate(zip(rights, row, strict=True)):
            role, color = ("flag", theme.text) if column == 0 else ("tick", theme.text2)
            picture.append(marks.Text(right, middle, text, role, color, across=1.0))
    return tuple(picture)
