"""The score against the offset s - t: that of every row and the part that row t holds, or row t alone."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.scores.look_back import Drops, Shift
from pe_desktop.core.similarity import row_similarity
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import LegendEntry, Plot, legend, legend_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.look_back.layout import LookBackLayout
from pe_desktop.views.look_back.words import offset_text
from pe_desktop.views.map_and_profile import (
    EVERY_ROW_WIDTH,
    mirrored_offsets,
    most_positions,
    offset_dot,
    profile_frame,
    profile_plot,
    row_line,
    row_part,
    row_positions,
)

# The greatest score stands so high in the plot.
_HIGHEST: Final = 0.94
_TITLE: Final = "Score against offset s − t"


def _plot_of(layout: LookBackLayout, limits: tuple[float, float]) -> Plot:
    """The axes, from 0 or the least score to a little above the greatest."""
    return profile_plot(layout, (min(limits[0], 0.0), max(limits[1], 0.0)), _HIGHEST)


def frame_picture(
    layout: LookBackLayout, limits: tuple[float, float], drops: Drops | None, places: int, theme: Theme
) -> marks.Picture:
    """A line above, title, axes, the curve of every row, the dashed line at -n."""
    plot, area, top = _plot_of(layout, limits), layout.profile, layout.profile_top
    every = _every_row(layout, limits, drops, places)
    dashed = (plot.x.line(-places, theme.ink, 1.4, (4.0, 3.0)),) if layout.sees_offset(-places) else ()
    return (
        marks.Segments(np.array([[0.0, top, area.right + 18.0, top]]), theme.line),
        marks.Text(0.0, top + 20.0, _TITLE, "title", theme.text),
        *profile_frame(plot, plot.y.level_ticks(22.0), plot.x.offset_ticks(64.0), theme),
        plot.x.title("offset", theme, 13.0, is_before=True),
        *(() if every is None else (marks.Polyline(every, theme.axis, EVERY_ROW_WIDTH),)),
        *dashed,
    )


def legend_picture(layout: LookBackLayout, t: int, theme: Theme, *, is_shared: bool) -> marks.Picture:
    """Which line is every row and which is row t."""
    every = (LegendEntry("every row", theme.axis, EVERY_ROW_WIDTH),) if is_shared else ()
    entries = (*every, LegendEntry(f"row t = {whole(t)}{'' if is_shared else '; rows differ'}", theme.ink))
    left = layout.profile.right + 14.0 - legend_width(entries, "caption")
    if left < text_width("title", _TITLE) + 16.0:
        return ()
    return legend(left, layout.profile_top + 20.0, entries, theme, "caption")


def shared_row_picture(
    layout: LookBackLayout, limits: tuple[float, float], drops: Drops | None, places: int, t: int, theme: Theme
) -> marks.Picture:
    """Row t's part of the curve of every row, and the knob on the peak."""
    points = _every_row(layout, limits, drops, places)
    if drops is None or points is None:
        return _knob(layout, limits, places, math.nan if drops is None else drops.peak, theme)
    row = row_line(points[row_part(layout, points, t, drops.encoding.n_positions)], theme)
    return (*row, *_knob(layout, limits, places, drops.peak, theme))


def own_row_picture(
    layout: LookBackLayout, limits: tuple[float, float], shift: Shift, t: int, theme: Theme, *, is_paper: bool
) -> marks.Picture:
    """Row t alone, and the knob on its score at -n; of a long table an even sample."""
    encoding, places = shift.encoding, shift.places
    query = shift.queries([t])[0]
    most = most_positions(encoding.d_model, is_paper=is_paper)
    keys = row_positions(layout.offsets, t, encoding.n_positions, most)
    scores = row_similarity(encoding, "dot", query, keys)
    here = float(query @ encoding.values([t - places])[0]) if t >= places else math.nan
    points = _plot_of(layout, limits).clipped_points(np.array(keys) - float(t), scores)
    return (*row_line(points, theme), *_knob(layout, limits, places, here, theme))


@lru_cache(maxsize=4)
def _every_row(
    layout: LookBackLayout, limits: tuple[float, float], drops: Drops | None, places: int
) -> marks.Points | None:
    """The curve of every row over the visible offsets; it stays while the cursor moves."""
    if drops is None:
        return None
    offsets = mirrored_offsets(layout.offsets, len(drops.drops), -places)
    if not len(offsets):
        return None
    scores = drops.peak - drops.drops[np.abs(offsets + places)]
    return _plot_of(layout, limits).clipped_points(offsets.astype(np.float64), scores)


def _knob(
    layout: LookBackLayout, limits: tuple[float, float], places: int, score: float, theme: Theme
) -> marks.Picture:
    if not layout.sees_offset(-places):
        return ()
    plot = _plot_of(layout, limits)
    dot = offset_dot(plot, -places, 0.0 if math.isnan(score) else score, theme)
    x, y = dot.centers[0].tolist()
    # Beside a peak, which the curve leaves to both sides, above any other place on it.
    text, top = offset_text(places), layout.profile.y
    is_left = x + 12.0 + text_width("flag", text) > layout.profile.right + 14.0
    return (
        dot,
        marks.Text(
            x - 12.0 if is_left else x + 12.0, max(y - 12.0, top), text, "flag", theme.text, across=float(is_left)
        ),
    )
