"""Colour bars: upright beside a printed map, or lying over a map, with the values of their ends."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.fields.field import ColorScale, Limits
from pe_desktop.draw import marks
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, color_image
from pe_desktop.draw.typefaces import text_width

# Red, green, blue from the low end to the high one, shape (n, 3).
Colors: TypeAlias = NDArray[np.uint8]
# The gap before a printed bar, its width, the gap to its numbers.
_BAR_GAP, _BAR_WIDTH, _BAR_TICK_GAP = 12.0, 10.0, 6.0
# A bar of the screen: its height where it lies, how far its numbers stand from it.
_TALL, _TICK_GAP = 8.0, 8.0


def color_bar(area: Area, limits: Limits, colors: Colors, theme: Theme) -> marks.Drawing:
    """A printed bar with its numbers along the left side of an area."""
    x = area.x + _BAR_GAP
    n_colors = len(colors)
    for place, color in enumerate(colors[::-1].tolist()):
        # Each box reaches down to the end under the next one: no hairline of the ground between two colours.
        down = area.y + area.height * place / n_colors
        yield marks.Rectangle(x, down, _BAR_WIDTH, area.bottom - down, fill=QColor(*color))
    yield marks.Rectangle(x, area.y, _BAR_WIDTH, area.height, outline=theme.text, outline_width=0.8)
    axis = Axis(area, *limits, side="right")
    for tick in axis.end_ticks(with_middle=True):
        at = axis.place(tick.value)
        yield marks.Text(x + _BAR_WIDTH + _BAR_TICK_GAP, at, tick.text, "tick", theme.text)


def color_bar_width(limits: Limits) -> float:
    """The room that a printed bar takes beside a plot, in pixels."""
    ticks = Axis(Area(0.0, 0.0, 1.0, 1.0), *limits).end_ticks(with_middle=True)
    return _BAR_GAP + _BAR_WIDTH + _BAR_TICK_GAP + max(text_width("tick", tick.text) for tick in ticks)


def bar_ends(scale: ColorScale) -> tuple[str, str]:
    """The numbers at the ends of the colours, and whether they are those of what is seen."""
    low, *_, high = Axis(Area(0.0, 0.0, 1.0, 1.0), *scale.limits).end_ticks(scale.is_cut)
    return f"seen, {low.text}" if scale.is_seen else low.text, high.text


def lying_bar(
    right: float, y: float, wide: float, ends: tuple[str, str], colors: Colors, theme: Theme, gap: float = _TICK_GAP
) -> marks.Picture:
    """A bar around the height y with the texts of its ends before and after it; the second one ends at `right`."""
    low, high = ends
    left = right - text_width("tick", high) - gap - wide
    return (
        marks.right_aligned(left - gap, y, low, "tick", theme.text2),
        marks.Raster(left, y - _TALL / 2, wide, _TALL, color_image(colors[None])),
        marks.right_aligned(right, y, high, "tick", theme.text2),
    )


def lying_bar_width(wide: float, ends: tuple[str, str]) -> float:
    """The room of such a bar with its texts, in pixels."""
    return wide + sum([text_width("tick", end) + _TICK_GAP for end in ends])
