"""The error of each format against position."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Rounding, Roundings
from pe_desktop.draw import marks
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.views.precision.words import name_of

TITLE: Final = "Largest error up to position t"
_POWER_ROOM: Final = 52.0
# From one name beside the plot to the next, and from a curve to its name.
_NAME_ROW, _NAME_GAP = 14.0, 26.0
_LEAST_FARTHEST: Final = 10.0
_LOWEST, _HIGHEST = 1e-9, 1.0
_IDS_DASH: Final = (4.0, 3.0)


@dataclass(frozen=True, slots=True)
class _Curve:
    """One format: the positions and largest errors so far, all above 0, until ids overflow."""

    precision: Precision
    positions: Floats
    errors: Floats


def plot_of(area: Area, known: Roundings | None, n_positions: int) -> Plot:
    """Both axes by their logarithm, the lower one from position 1."""
    x = Axis(area, 1.0, max(float(n_positions), _LEAST_FARTHEST), is_logarithmic=True)
    errors = np.concatenate([curve.errors for curve in _curves(known)]) if known is not None else np.empty(0)
    lowest, highest = (errors.min(), errors.max()) if errors.size else (_LOWEST, _HIGHEST)
    first, last = 10.0 ** np.floor(np.log10(lowest)), 10.0 ** np.ceil(np.log10(highest))
    return Plot(x, Axis(area, float(first), float(max(last, 10.0 * first)), "left", is_logarithmic=True))


def error_plot(
    plot: Plot, known: Roundings | None, chosen: Precision, *, has_forms: bool, has_names: bool, theme: Theme
) -> marks.Picture:
    """Axes, curves, the chosen one in ink, ids dashed, and beside the curves their names."""
    levels = plot.y.power_ticks(18.0)
    picture: list[marks.Mark] = [
        marks.Text(0.0, plot.x.area.y - 16.0, TITLE, "segment", theme.text2),
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.x.edge(theme.axis),
        *plot.x.labels(plot.x.power_ticks(_POWER_ROOM), theme, after=8.0),
        plot.x.title("position t", theme),
    ]
    curves = [] if known is None else _curves(known)
    # The chosen one is drawn last, over the others.
    for curve in sorted(curves, key=lambda curve: curve.precision == chosen):
        is_chosen = curve.precision == chosen
        dash = _IDS_DASH if curve.precision.position_ids in ("float16", "bfloat16") else ()
        line = plot.curve(curve.positions, curve.errors, theme.ink if is_chosen else theme.text3, 1.0)
        picture.append(marks.Polyline(line.points, line.color, 2.2 if is_chosen else 1.0, dash))
    if has_names:
        picture += _names(plot, curves, chosen, has_forms=has_forms, theme=theme)
    return tuple(picture)


def cursor_line(plot: Plot, position: float, theme: Theme) -> marks.Picture:
    """The line at t."""
    if not plot.x.first <= position <= plot.x.last:
        return ()
    return (plot.x.line(position, theme.text2, 1.3, beyond=6.0),)


def _curves(known: Roundings) -> list[_Curve]:
    return [_curve(row, known) for row in known.rows]


def _curve(row: Rounding, known: Roundings) -> _Curve:
    largest = np.maximum.accumulate(row.errors)
    drawn = (known.positions > 0) & (largest > 0) & np.isfinite(largest)
    return _Curve(row.precision, known.positions[drawn].astype(np.float64), largest[drawn])


def _names(plot: Plot, curves: list[_Curve], chosen: Precision, *, has_forms: bool, theme: Theme) -> list[marks.Mark]:
    """Names from above to below, none over another, each with a thin line to the end of its curve."""
    named = sorted((curve for curve in curves if curve.errors.size), key=lambda curve: -curve.errors[-1])
    ends = [plot.points(curve.positions[-1:], curve.errors[-1:])[0] for curve in named]
    heights = _apart([float(y) for _, y in ends], plot.y.area)
    picture: list[marks.Mark] = []
    for curve, (x, y), height in zip(named, ends, heights, strict=True):
        ink = theme.text if curve.precision == chosen else theme.text3
        left = plot.x.area.right + _NAME_GAP
        leader = np.array([[x + 3.0, y], [max(x + 3.0, left - 14.0), y], [left - 4.0, height]])
        picture.append(marks.Polyline(leader, theme.line, 1.0))
        name = name_of(curve.precision, has_forms=has_forms)
        role = "flag" if curve.precision == chosen else "tick"
        picture.append(marks.Text(left, height, name, role, ink))
    return picture


def _apart(heights: list[float], area: Area) -> list[float]:
    """Heights in ascending order, a row apart at least, within the area as far as it goes."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + _NAME_ROW) if placed else max(height, area.y))
    limit = area.bottom
    for place in range(len(placed) - 1, -1, -1):
        placed[place] = min(placed[place], limit)
        limit = placed[place] - _NAME_ROW
    return placed
