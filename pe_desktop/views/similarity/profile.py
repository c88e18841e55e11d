"""Similarity against offset: the profile that every row shares and the part of it that row t holds, or row t alone."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Span
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import profile
from pe_desktop.core.record import record
from pe_desktop.core.similarity import compared_row, filled_values, row_similarity, sampled_limits
from pe_desktop.draw import marks
from pe_desktop.draw.plot import Plot, Tick
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Task
from pe_desktop.views.map_and_profile import (
    ROW_CELLS,
    OffsetCurve,
    mirrored,
    most_positions,
    profile_frame,
    profile_plot,
    row_positions,
)
from pe_desktop.views.similarity.picture import SimilarityLayout

# The greatest similarity stands so high in the plot.
_HIGHEST: Final = 0.96
# Before the plot: title and legend of a wide box, the end of the numbers of the levels.
TITLE_BEFORE, _LEVEL_GAP = 30.0, 6.0


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
    # What differs by rounding alone draws no axes anew.
    least, greatest = (float(f"{end:.12g}") for end in (lags.min(), lags.max()))
    return Profile(lags, (least, greatest))


def heights(measured: Profile | None, map_limits: tuple[float, float]) -> tuple[float, float]:
    """What the profile spans: from 0, or the least value below it, to the greatest; until then as the map."""
    least, greatest = map_limits if measured is None else measured.limits
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
    offsets: Span,
    encoding: Encoding,
    measure: str,
    row: tuple[float, Floats],
    others: Floats | None,
    *,
    is_paper: bool,
) -> OffsetCurve | None:
    """Row t over the visible offsets, from t and p_t, shape (d_model,); of a long table an even sample.

    others: the vectors that it is compared with, where they take long; until they are there it is None.
    """
    t, vector = row
    positions = row_positions(offsets, t, encoding.n_positions, most_positions(encoding.d_model, is_paper=is_paper))
    if others is not None:
        values = compared_row(measure, vector[: encoding.n_filled], others)
    elif takes_long(encoding, positions) and not is_paper:
        return None
    else:
        values = row_similarity(encoding, measure, vector, positions)
    return OffsetCurve(np.array(positions) - t, values)


@lru_cache(maxsize=4)
def every_curve(offsets: Span, measured: Profile | None) -> OffsetCurve | None:
    """The profile of every row over the visible offsets; it stays while the cursor moves."""
    return None if measured is None or measured.lags is None else mirrored(measured.lags, offsets)


def frame_picture(layout: SimilarityLayout, title: str, reach: tuple[float, float], theme: Theme) -> marks.Picture:
    """Axes and title."""
    area, plot = layout.profile, plot_of(layout, reach)
    titles: marks.Picture
    if layout.is_wide:
        titles = (
            plot.x.title("offset k, positions", theme, 33.0),
            marks.Text(area.x - TITLE_BEFORE, 14.0, f"{title} against offset", "title", theme.text),
        )
    else:
        words = "offset k" if layout.has_long_titles else "k"
        titles = (marks.Text(area.x - 8.0, area.bottom + 13.0, words, "tick", theme.text3, across=1.0),)
    return (*profile_frame(plot, _levels(plot), plot.x.offset_ticks(), theme), *titles)


def text_left(layout: SimilarityLayout, reach: tuple[float, float]) -> float:
    """Where title and legend begin, or the longest number of a level before them."""
    longest = max(text_width("tick", tick.text) for tick in _levels(plot_of(layout, reach)))
    return layout.profile.x - max(TITLE_BEFORE, longest + _LEVEL_GAP)


def plot_of(layout: SimilarityLayout, reach: tuple[float, float]) -> Plot:
    """The axes of the profile."""
    return profile_plot(layout, reach, _HIGHEST)


def _levels(plot: Plot) -> tuple[Tick, ...]:
    return plot.y.level_ticks(max(plot.y.length / 6.0, 12.0))
