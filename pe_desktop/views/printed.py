"""Figures as a text prints them: one plot with its title, the names of its axes, and a legend or a colour bar."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats
from pe_desktop.core.fields.field import Blocks, Field, Limits
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_numbers, cells_plot
from pe_desktop.draw.color_bar import color_bar, color_bar_width
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, legend, legend_width, outline
from pe_desktop.draw.scene import Area, Box, Part, Scene
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer

# Around the plot: the numbers at its left, the title and the names over it, numbers and name under it, its right edge.
_LEFT, _TOP, _BOTTOM, _RIGHT = 56.0, 56.0, 42.0, 14.0
_TITLE_Y, _NAMES_ABOVE, _NUMBERS_BELOW, _NAME_BELOW = 12.0, 12.0, 14.0, 32.0
_TICK: Final = 4.0
# Pixels from one number to the next, along and down.
_ACROSS, _DOWN = 80.0, 56.0
_ENTRY_STEP, _LEGEND_PAD = 20.0, 10.0
# A margin of the curves within their plot, as a share of their reach.
_MARGIN: Final = 0.05


def printed_map(box: Box, field: Field, colors: NDArray[np.uint8], exact: Callable[[], Floats] | None = None) -> Scene:
    """A whole field as a heat map, its rows downwards; values in its cells where there is room.

    They are means of the field in float32, in which a text computes, too: cos 0.01 is 0.9999 there; or exact ones.
    """
    n_rows, n_columns = field.shape
    bar_width = color_bar_width(field.limits) + _RIGHT
    area = _area(box, bar_width)
    plot, rows, columns = cells_plot(area, field.shape), range(n_rows), range(n_columns)
    means = exact or partial(field.means, Blocks(0, 1, n_rows), Blocks(0, 1, n_columns))
    beside = Area(area.right, area.y, bar_width, area.height)
    return Scene(
        moving=cell_numbers(plot, rows, columns, lambda: np.asarray(means(), np.float64), field.limits, colors),
        still=Part(_map_still, plot, beside, field.limits, colors.tobytes(), box),
        heat=HeatLayer(field, View(0.0, n_rows, 0.0, n_columns), color_table(colors), box.theme.panel, area),
    )


def printed_curves(box: Box, positions: Floats, values: Floats, entries: Sequence[LegendEntry]) -> Scene:
    """Curves over positions, shape (n,), from values, shape (n, n_curves), with their legend outside, upper right."""
    wide = max(legend_width([entry]) for entry in entries) + 2 * _LEGEND_PAD
    area = _area(box, wide + 2 * _RIGHT)
    plot = Plot(Axis(area, *_with_margin(positions)), Axis(area, *_with_margin(values), "left"))
    left = area.right + _RIGHT
    theme = box.theme
    frame = Area(left, area.y, wide, _ENTRY_STEP * len(entries) + _LEGEND_PAD)
    curves = marks.Marks()
    names = marks.Marks()
    for place, entry in enumerate(entries):
        curves.append(marks.Polyline(plot.points(positions, values[:, place]), entry.color, entry.width, entry.dash))
        names += legend(left + _LEGEND_PAD, area.y + 15.0 + _ENTRY_STEP * place, [entry], theme)
    return Scene((*_frame(plot, box), *curves, outline(frame, theme.axis), *names))


def _area(box: Box, right: float) -> Area:
    return Area(_LEFT, _TOP, max(box.width - _LEFT - right, 20.0), max(box.height - _TOP - _BOTTOM, 20.0))


def _with_margin(values: Floats) -> tuple[float, float]:
    least = float(values.min())
    greatest = float(values.max())
    room = _MARGIN * (greatest - least)
    return least - room, greatest + room


def _frame(plot: Plot, box: Box) -> marks.Picture:
    """The title, the names of the axes, their numbers at round steps, and the edges of the plot."""
    lettering = box.lettering
    theme = box.theme
    area = plot.x.area
    assert lettering is not None
    x_ticks, y_ticks = (
        # Cells, which stand half a cell from the edge, are counted.
        axis.whole_ticks(room) if axis.first == -0.5 else axis.level_ticks(room)
        for axis, room in ((plot.x, _ACROSS), (plot.y, _DOWN))
    )
    ends = [[x, area.bottom, x, area.bottom + _TICK] for x in plot.x.places(x_ticks)]
    ends += [[area.x - _TICK, y, area.x, y] for y in plot.y.places(y_ticks)]
    middle = area.middle[0]
    return (
        marks.centered(middle, _TITLE_Y, lettering.title, "title", theme.text),
        marks.centered(middle, area.bottom + _NAME_BELOW, lettering.x, "label", theme.text),
        marks.right_aligned(area.x, area.y - _NAMES_ABOVE, lettering.y, "label", theme.text),
        *plot.x.labels(x_ticks, theme, _NUMBERS_BELOW),
        *plot.y.labels(y_ticks, theme, _TICK + 4.0),
        marks.lines(ends, theme.text),
        outline(area, theme.text),
    )


def _map_still(plot: Plot, beside: Area, limits: Limits, colors: bytes, box: Box) -> marks.Picture:
    assert box.lettering is not None
    table = np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3)
    label = marks.right_aligned(box.width, beside.y - _NAMES_ABOVE, box.lettering.bar, "label", box.theme.text)
    return (*_frame(plot, box), *color_bar(beside, limits, table, box.theme), label)
