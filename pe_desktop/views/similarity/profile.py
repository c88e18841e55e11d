"""Similarity against offset: the profile that every row shares and the part of it that row t holds, or row t alone."""

import math
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import profile
from pe_desktop.core.record import record
from pe_desktop.core.similarity import compared_row, filled_values, row_similarity, sampled_limits
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import position
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, Tick, legend
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Task
from pe_desktop.views.map_and_profile import (
    EVERY_ROW_WIDTH,
    ROW_CELLS,
    mirrored_offsets,
    most_positions,
    offset_picture,
    profile_frame,
    profile_plot,
    row_line,
    row_part,
    row_positions,
)
from pe_desktop.views.similarity.layout import SimilarityLayout
from pe_desktop.views.similarity.picture import TITLES

# The greatest similarity stands so high in the plot.
_HIGHEST: Final = 0.96
# Before the plot: title and legend of a wide box, the end of the numbers of the levels.
_TITLE_BEFORE, _LEVEL_GAP = 30.0, 6.0

# Offsets and similarities, shape (n,) each.
Row: TypeAlias = tuple[Floats, Floats]


@record(eq=False)
class Profile:
    """The similarities at offsets 0, 1, ..., shape (n,), None where each row has its own; the least and the greatest.

    Where each row has its own, these are those of an even sample of pairs.
    """

    lags: Floats | None
    limits: tuple[float, float]


def find_profile(encoding: Encoding, measure: str, n_lags: int, task: Task) -> Profile:
    """Compute so many lags, which go on to both sides of 0."""
    if not encoding.is_shift_invariant:
        return Profile(None, sampled_limits(encoding, measure))
    lags = profile(encoding, measure, n_lags, task.report, task)
    return Profile(lags, (float(lags.min()), float(lags.max())))


def heights(known: Profile | None, map_limits: tuple[float, float]) -> tuple[float, float]:
    """What the profile spans: from 0, or the least value below it, to the greatest; until it is known, as the map."""
    least, greatest = map_limits if known is None else known.limits
    low, high = min(least, 0.0), max(greatest, 0.0)
    return low, high if high > low else low + 1.0


def takes_long(encoding: Encoding, positions: range) -> bool:
    """Whether the vectors at these positions are more than a frame can compute."""
    return len(positions) * encoding.n_filled > ROW_CELLS


def find_vectors(encoding: Encoding, positions: range, task: Task) -> Floats | None:
    """The columns of the table that hold values at these positions; None when the task is cancelled."""
    vectors = np.empty((len(positions), encoding.n_filled))
    for row, at in enumerate(positions):
        if task():
            return None
        vectors[row] = filled_values(encoding, [at])[0]
    return vectors


def row_of(
    layout: SimilarityLayout,
    encoding: Encoding,
    measure: str,
    row: tuple[float, Floats],
    others: Floats | None,
    *,
    is_paper: bool,
) -> Row:
    """Row t over the visible offsets, from t and p_t, shape (d_model,); of a long table an even sample.

    others: the vectors that it is compared with, where they take long; until they are there the row is empty.
    """
    t, vector = row
    most = most_positions(encoding.d_model, is_paper=is_paper)
    positions = row_positions(layout.offsets, t, encoding.n_positions, most)
    offsets = np.array(positions) - t
    if others is not None:
        return offsets, compared_row(measure, vector[: encoding.n_filled], others)
    if takes_long(encoding, positions) and not is_paper:
        return np.empty(0), np.empty(0)
    return offsets, row_similarity(encoding, measure, vector, positions)


def frame_picture(layout: SimilarityLayout, measure: str, reach: tuple[float, float], theme: Theme) -> marks.Picture:
    """Axes and title."""
    area, plot = layout.profile, _plot(layout, reach)
    words = f"{TITLES[measure]} against offset"
    title = (marks.Text(area.x - _TITLE_BEFORE, 14.0, words, "title", theme.text),) if layout.is_wide else ()
    return (
        *profile_frame(plot, _levels(plot), plot.x.offset_ticks(), theme),
        _axis_title(layout, plot.x, theme),
        *title,
    )


def every_row_picture(
    layout: SimilarityLayout, reach: tuple[float, float], known: Profile | None, theme: Theme
) -> marks.Picture:
    """The profile of every row as far as it is known; none where each row has its own."""
    points = _every_row(layout, reach, known)
    return () if points is None else (marks.Polyline(points, theme.axis, EVERY_ROW_WIDTH),)


def text_left(layout: SimilarityLayout, reach: tuple[float, float]) -> float:
    """Where title and legend begin, or the longest number of a level before them."""
    longest = max(text_width("tick", tick.text) for tick in _levels(_plot(layout, reach)))
    return layout.profile.x - max(_TITLE_BEFORE, longest + _LEVEL_GAP)


def cursor_picture(
    layout: SimilarityLayout,
    reach: tuple[float, float],
    known: Profile | None,
    cursor: Cursor,
    n_positions: int,
    theme: Theme,
) -> marks.Picture:
    """Row t's part of the profile of every row, the dashed line at k, the dot on it."""
    points = _every_row(layout, reach, known)
    row = () if points is None else row_line(points[row_part(layout, points, cursor.position, n_positions)], theme)
    k = round(abs(cursor.offset))
    value = math.nan if known is None or known.lags is None or k >= len(known.lags) else float(known.lags[k])
    return (*row, *offset_picture(_plot(layout, reach), cursor.offset, value, theme))


def row_picture(
    layout: SimilarityLayout, reach: tuple[float, float], row: Row, value: float, offset: float | None, theme: Theme
) -> marks.Picture:
    """Row t alone; at an offset k its dashed line, and the dot at the similarity of (t, t + k)."""
    offsets, values = row
    is_there = ~np.isnan(values)
    plot = _plot(layout, reach)
    at_offset = () if offset is None else offset_picture(plot, offset, value, theme)
    return (*row_line(plot.clipped_points(offsets[is_there], values[is_there]), theme), *at_offset)


def legend_picture(
    layout: SimilarityLayout, t: float, theme: Theme, *, is_shared: bool, differs: bool
) -> marks.Picture:
    """Which line is every row and which is row t; differs: other rows are known to be others."""
    if not layout.is_wide:
        return ()
    row = LegendEntry(f"row {position(t)}{'; rows differ' if differs else ''}", theme.ink)
    every = (LegendEntry("every row", theme.axis, EVERY_ROW_WIDTH),) if is_shared else ()
    return legend(layout.profile.x - _TITLE_BEFORE, 36.0, (*every, row), theme, "caption", 18.0)


@lru_cache(maxsize=4)
def _every_row(layout: SimilarityLayout, reach: tuple[float, float], known: Profile | None) -> marks.Points | None:
    """The profile of every row over the visible offsets; it stays while the cursor moves."""
    if known is None or known.lags is None:
        return None
    offsets = mirrored_offsets(layout.offsets, len(known.lags))
    if not len(offsets):
        return None
    return _plot(layout, reach).clipped_points(offsets.astype(np.float64), known.lags[np.abs(offsets)])


def _plot(layout: SimilarityLayout, reach: tuple[float, float]) -> Plot:
    return profile_plot(layout, reach, _HIGHEST)


def _levels(plot: Plot) -> tuple[Tick, ...]:
    return plot.y.level_ticks(max(plot.y.length / 6.0, 12.0))


def _axis_title(layout: SimilarityLayout, axis: Axis, theme: Theme) -> marks.Text:
    if layout.is_wide:
        return axis.title("offset k, positions", theme, 33.0)
    x, y = layout.profile.x - 8.0, layout.profile.bottom + 13.0
    title = "offset k" if layout.has_long_titles else "k"
    return marks.Text(x, y, title, "tick", theme.text3, across=1.0)
