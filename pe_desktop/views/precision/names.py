"""Names beside the curves of a plot, none over another."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme

# From one name beside the plot to the next, and from the plot to the names.
_ROW, _GAP = 14.0, 26.0


class Named(NamedTuple):
    """A curve by name, the pixels of its end, and whether it is the one that is shown."""

    name: str
    x: float
    y: float
    is_shown: bool


def names_picture(curves: Sequence[Named], area: Area, theme: Theme) -> marks.Picture:
    """Names from above to below, each with a thin line to the end of its curve."""
    ordered = sorted(curves, key=lambda curve: curve.y)
    left, picture = area.right + _GAP, list[marks.Mark]()
    for curve, height in zip(ordered, _apart([curve.y for curve in ordered], area), strict=True):
        first = curve.x + 3.0
        leader = np.array([[first, curve.y], [max(first, left - 14.0), curve.y], [left - 4.0, height]])
        role, ink = ("flag", theme.text) if curve.is_shown else ("tick", theme.text3)
        picture += [marks.Polyline(leader, theme.line, 1.0), marks.Text(left, height, curve.name, role, ink)]
    return tuple(picture)


def _apart(heights: list[float], area: Area) -> list[float]:
    """Heights in ascending order, a row apart at least, above the lower edge of the area as far as they fit."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + _ROW) if placed else max(height, area.y))
    limit = area.bottom
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = min(placed[place], limit)
        limit = placed[place] - _ROW
    return placed
