"""The score against the offset s - t: that of every row and the part that row t holds, or row t alone."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.scores.look_back import Drops, Shift
from pe_desktop.core.similarity import row_similarity
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, legend, legend_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.look_back.layout import LookBackLayout
from pe_desktop.views.look_back.words import offset_text

_EVERY_ROW_WIDTH, _ROW_WIDTH = 4.0, 1.6
# The greatest score stands so high in the plot.
_HIGHEST: Final = 0.94
# Values compared with row t in a frame and on paper, and positions however wide they are.
_ROW_CELLS, _PAPER_CELLS = 2**17, 2**22
_FEWEST_OF_ROW: Final = 16
_TITLE: Final = "Score against offset s − t"


def _plot_of(layout: LookBackLayout, limits: tuple[float, float]) -> Plot:
    """The axes, from 0 or the least score to a little above the greatest."""
    low, high = min(limits[0], 0.0), max(limits[1], 0.0)
    return Plot(layout.offset_axis, Axis(layout.profile, low, low + (high - low) / _HIGHEST, "left"))


def frame_picture(
    layout: LookBackLayout, limits: tuple[float, float], drops: Drops | None, places: int, theme: Theme
) -> marks.Picture:
    """A line above, title, axes, the curve of every row, the dashed line at -n."""
    plot, area, top = _plot_of(layout, limits), layout.profile, layout.profile_top
    levels, every = plot.y.level_ticks(22.0), _every_row(layout, limits, drops, places)
    dashed = plot.x.line(-places, theme.ink, 1.4, (4.0, 3.0)) if _sees(layout, -places) else None
    return (
        marks.Segments(np.array([[0.0, top, area.right + 18.0, top]]), theme.line),
        marks.Text(0.0, top + 20.0, _TITLE, "title", theme.text),
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.x.edge(theme.axis),
        *plot.x.labels(plot.x.offset_ticks(64.0), theme, 13.0),
        plot.x.title("offset", theme, 13.0, is_before=True),
        *(() if every is None else (marks.Polyline(every, theme.axis, _EVERY_ROW_WIDTH),)),
        *(() if dashed is None else (dashed,)),
    )


def legend_picture(layout: LookBackLayout, t: int, theme: Theme, *, is_shared: bool) -> marks.Picture:
    """Which line is every row and which is row t."""
    every = (LegendEntry("every row", theme.axis, _EVERY_ROW_WIDTH),) if is_shared else ()
    entries = (*every, LegendEntry(f"row t = {whole(t)}{'' if is_shared else '; rows differ'}", theme.ink))
    left = layout.profile.right + 14.0 - legend_width(entries, "caption")
    if left < text_width("title", _TITLE) + 16.0:
        return ()
    return legend(left, layout.profile_top + 20.0, entries, theme, "caption")


def shared_row_picture(
    layout: LookBackLayout, limits: tuple[float, float], drops: Drops | None, places: int, t: int, theme: Theme
) -> marks.Picture:
    """Row t's part of the curve of every row, and the knob on the peak."""
    farthest = 0.0 if drops is None else drops.encoding.n_positions - 1.0 - t
    first, last = max(float(-t), layout.offsets.first), min(farthest, layout.offsets.last)
    points = _every_row(layout, limits, drops, places)
    row: marks.Picture = ()
    if points is not None and last > first:
        # Half a pixel of room: an extreme stands in the middle of its pixel.
        ends = layout.offset_axis.place(first) - 0.5, layout.offset_axis.place(last) + 0.5
        part = slice(*np.searchsorted(points[:, 0], ends).tolist())
        row = (marks.Polyline(points[part], theme.ink, _ROW_WIDTH),)
    return (*row, *_knob(layout, limits, places, np.nan if drops is None else drops.peak, theme))


def own_row_picture(
    layout: LookBackLayout, limits: tuple[float, float], shift: Shift, t: int, theme: Theme, *, is_paper: bool
) -> marks.Picture:
    """Row t alone, and the knob on its score at -n; of a long table an even sample."""
    encoding, places = shift.encoding, shift.places
    query = shift.queries([t])[0]
    most = max((_PAPER_CELLS if is_paper else _ROW_CELLS) // encoding.d_model, _FEWEST_OF_ROW)
    first = max(int(np.ceil(t + layout.offsets.first)), 0)
    last = min(int(np.floor(t + layout.offsets.last)), encoding.n_positions - 1)
    step = max(-(-(last - first + 1) // most), 1)
    # Whole multiples of the step: keys stay the same while t moves a little.
    keys = range(-(-first // step) * step, last + 1, step)
    scores = row_similarity(encoding, "dot", query, keys)
    here = float(query @ encoding.values([t - places])[0]) if t >= places else np.nan
    line = marks.Polyline(
        _plot_of(layout, limits).clipped_points(np.array(keys) - float(t), scores), theme.ink, _ROW_WIDTH
    )
    return (line, *_knob(layout, limits, places, here, theme))


@lru_cache(maxsize=4)
def _every_row(
    layout: LookBackLayout, limits: tuple[float, float], drops: Drops | None, places: int
) -> marks.Points | None:
    """The curve of every row over the visible offsets; it stays while the cursor moves."""
    if drops is None:
        return None
    held = len(drops.drops)
    low, high = max(int(np.ceil(layout.offsets.first)), 1 - held - places), int(np.floor(layout.offsets.last))
    high = min(high, held - 1 - places)
    if high < low:
        return None
    offsets = np.arange(low, high + 1)
    scores = drops.peak - drops.drops[np.abs(offsets + places)]
    return _plot_of(layout, limits).clipped_points(offsets.astype(np.float64), scores)


def _knob(
    layout: LookBackLayout, limits: tuple[float, float], places: int, score: float, theme: Theme
) -> marks.Picture:
    if not _sees(layout, -places):
        return ()
    plot = _plot_of(layout, limits)
    x = plot.x.place(float(-places))
    y = plot.y.place(0.0 if np.isnan(score) else float(np.clip(score, plot.y.first, plot.y.last)))
    # Beside a peak, which the curve leaves to both sides, above any other place on it.
    text, top = offset_text(places), layout.profile.y
    is_left = x + 12.0 + text_width("flag", text) > layout.profile.right + 14.0
    return (
        marks.Dots(np.array([[x, y]]), 5.0, theme.panel, theme.ink, 2.0),
        marks.Text(
            x - 12.0 if is_left else x + 12.0, max(y - 12.0, top), text, "flag", theme.text, across=float(is_left)
        ),
    )


def _sees(layout: LookBackLayout, offset: float) -> bool:
    return layout.offsets.first <= offset <= layout.offsets.last
