"""The score against the offset and at every t and s: of each scheme, with added positions beside it."""

import math
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.scores import Lines, Waves, score_field, scores_by_offset
from pe_desktop.core.lags import Progression
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import QueryAndKey, vectors_of
from pe_desktop.core.scores.rotary_scores import row_of, score_at, score_limits, shift_residual
from pe_desktop.core.scores.schemes import Additive, Rotary, Scheme
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.number_text import position, scientific, short, whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, Tick, legend, legend_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.map_and_profile import (
    EVERY_ROW_WIDTH,
    ROW_WIDTH,
    most_positions,
    offset_picture,
    profile_frame,
    profile_plot,
    row_line,
    row_part,
    row_positions,
)
from pe_desktop.views.rotary.layout import ScoreLayout

_ADDED_WIDTH: Final = 1.0
_ADDED_DASH: Final = (3.0, 2.0)
# Offsets times pairs of the shared curve, and offsets at least.
_SHARED_CELLS, _FEWEST_OFFSETS = 2**18, 2**11
# The greatest score stands so high in the plot.
_HIGHEST: Final = 1.0 / 1.04
_BAR: Final = 40.0
# Offsets to a pixel from which on row t is drawn with what stays.
_STILL_OFFSETS: Final = 8.0
# So many times as high as its own curve the axis grows for that of added positions.
_MOST_ADDED: Final = 4.0
_STEPS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)

# Offsets and scores, shape (n,) each.
Curve: TypeAlias = tuple[Floats, Floats]


@record
class Case:
    """What curve and map show: the scores of one query and one key over a table, under one scheme.

    added: the scheme of added positions that is drawn beside RoPE; None beside others.
    """

    scheme: Scheme
    vectors: QueryAndKey
    encoding: Encoding
    added: Additive | None

    @property
    def n_positions(self) -> int:
        return self.encoding.n_positions

    @property
    def is_shared(self) -> bool:
        """Whether every row has the same curve."""
        return _by_offset(self.scheme, self.vectors) is not None

    @property
    def field(self) -> Field:
        """The map."""
        return _field(self.scheme, self.vectors, self.n_positions)

    @property
    def limit(self) -> float:
        """The round number at the end of the colour map."""
        return self.field.limits[1]

    @property
    def is_cut(self) -> bool:
        """Whether scores of added positions lie beyond the curve's axis."""
        if self.added is None:
            return False
        least, greatest = _limits(self.added, self.vectors, self.n_positions)
        return least < self.reach[0] or greatest > self.reach[1]

    @property
    def reach(self) -> tuple[float, float]:
        """What the curve's axis spans: all of it, and of added positions what leaves the curve its shape."""
        low, high = _with_zero(_limits(self.scheme, self.vectors, self.n_positions))
        if self.added is not None:
            least, greatest = _with_zero(_limits(self.added, self.vectors, self.n_positions))
            room = _MOST_ADDED * (high - low)
            low, high = max(min(low, least), low - room), min(max(high, greatest), high + room)
        return low, high if high > low else low + 1.0


def _with_zero(limits: tuple[float, float]) -> tuple[float, float]:
    return min(limits[0], 0.0), max(limits[1], 0.0)


def _round_limit(value: float) -> float:
    """The next round number, 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in _STEPS if step * power >= value * (1 - 1e-9))


def level_ticks(axis: Axis) -> tuple[Tick, ...]:
    """Round scores at the left of a plot; powers of ten where the numbers have no room."""
    ticks = axis.level_ticks(max(axis.length / 6.0, 18.0))
    if all(text_width("tick", tick.text) <= axis.area.x - 6.0 for tick in ticks):
        return ticks
    return tuple(Tick(tick.value, scientific(tick.value) if tick.value else "0") for tick in ticks)


def frame_picture(layout: ScoreLayout, case: Case, row: tuple[int, int] | None, theme: Theme) -> marks.Picture:
    """Axes, the curve of every row where there is one, and the frame of the map.

    row: which points of that curve are row t, where its ends keep to their pixels while t moves.
    """
    plot, title = _plot(layout, case), _title(layout, case, theme)
    shared = _shared_points(layout, case)
    return (
        *((marks.Text(0.0, layout.profile.y - 20.0, title, "title", theme.text),) if title else ()),
        *profile_frame(plot, level_ticks(plot.y), plot.x.offset_ticks(), theme),
        plot.x.title(_axis_title(layout, case), theme, 29.0),
        *(() if shared is None else (marks.Polyline(shared, theme.axis, EVERY_ROW_WIDTH),)),
        *(() if shared is None or row is None else row_line(shared[slice(*row)], theme)),
        *(_map_frame(layout, case, theme) if layout.has_map else ()),
    )


def cursor_picture(layout: ScoreLayout, case: Case, cursor: Cursor, theme: Theme, *, is_paper: bool) -> marks.Picture:
    """Row t, that of added positions, the line of k with its knob, the legend."""
    plot = _plot(layout, case)
    picture: list[marks.Mark] = [*_legend(layout, case, cursor.position, theme)]
    most = most_positions(case.vectors.d_model, is_paper=is_paper)
    if case.added is not None:
        added = _row(case.added, case, layout.offsets, cursor.position, most)
        picture.append(marks.Polyline(plot.clipped_points(*added), theme.text3, _ADDED_WIDTH, _ADDED_DASH))
    if still_row(layout, case, cursor.position) is None:
        picture += row_line(_row_points(layout, case, cursor.position, most), theme)
    value = math.nan
    if layout.sees_offset(cursor.offset):
        value = score_at(case.scheme, case.vectors, cursor.position, cursor.position + cursor.offset)
    return (*picture, *offset_picture(plot, cursor.offset, value, theme))


def still_row(layout: ScoreLayout, case: Case, t: float) -> tuple[int, int] | None:
    """Which points of the shared curve are row t, where there is one whose pixels hold many offsets each."""
    points = _shared_points(layout, case)
    if points is None or layout.offsets.width < _STILL_OFFSETS * layout.profile.width:
        return None
    part = row_part(layout, points, t, case.n_positions)
    return part.start, part.stop


def map_notes(
    layout: ScoreLayout, case: Case, residual: float | None, added: float | None, theme: Theme
) -> marks.Picture:
    """Beside the map: whether an offset has one score, by how much not, and how it is with added positions."""
    x, y = layout.map.right + 14.0, layout.map.y + 8.0
    same = ("same offset,", "same score") if case.is_shared else ("same offset,", "other scores")
    lines = [(same[0], "caption", theme.text2, 0.0), (same[1], "caption", theme.text2, 17.0)]
    lines += [("spread", "tick", theme.text2, 44.0), (spread_text(residual), "value", theme.text, 61.0)]
    if case.added is not None:
        lines += [("spread, added", "tick", theme.text2, 88.0), (spread_text(added), "value", theme.text, 105.0)]
    lines.append(("row t, column s", "tick", theme.text3, lines[-1][3] + 27.0))
    return tuple(
        marks.Text(x, y + down, text, role, color) for text, role, color, down in lines if y + down <= layout.map.bottom
    )


def spread_text(half: float | None) -> str:
    """Half of a spread; an ellipsis while it is measured."""
    if half is None:
        return "measuring…"
    return "± 0" if half == 0 else f"± {short(half, 2) if half >= 1e-3 else scientific(half)}"


@lru_cache(maxsize=8)
def _by_offset(scheme: Scheme, vectors: QueryAndKey) -> Waves | Lines | None:
    return scores_by_offset(scheme, *vectors.both)


@lru_cache(maxsize=8)
def _limits(scheme: Scheme, vectors: QueryAndKey, n_positions: int) -> tuple[float, float]:
    return score_limits(scheme, n_positions, *vectors.both)


@lru_cache(maxsize=4)
def _field(scheme: Scheme, vectors: QueryAndKey, n_positions: int) -> Field:
    limit = _round_limit(max(map(abs, _limits(scheme, vectors, n_positions))))
    return score_field(scheme, *vectors.both, n_positions, (-limit, limit))


@lru_cache(maxsize=4)
def _shared(scheme: Scheme, vectors: QueryAndKey, n_positions: int, shown: Span) -> Curve | None:
    """The curve of every row over the visible offsets, each n-th of them where they are many."""
    scores = _by_offset(scheme, vectors)
    if scores is None:
        return None
    first, last = max(math.ceil(shown.first), 1 - n_positions), min(math.floor(shown.last), n_positions - 1)
    most = max(_SHARED_CELLS // max(vectors.d_model // 2, 1), _FEWEST_OFFSETS)
    step = max(-(-(last - first + 1) // most), 1)
    offsets = Progression(-(-first // step) * step, step, max(last // step - -(-first // step) + 1, 0))
    return (offsets.values, scores.at(offsets)) if offsets.count else None


@lru_cache(maxsize=4)
def _shared_points(layout: ScoreLayout, case: Case) -> marks.Points | None:
    curve = _shared(case.scheme, case.vectors, case.n_positions, layout.offsets)
    return None if curve is None else _plot(layout, case).clipped_points(*curve)


def _row_points(layout: ScoreLayout, case: Case, t: float, most: int) -> marks.Points:
    """Row t: its part of the shared curve, else its own."""
    points = _shared_points(layout, case)
    if not case.is_shared:
        return _plot(layout, case).clipped_points(*_row(case.scheme, case, layout.offsets, t, most))
    return np.empty((0, 2)) if points is None else points[row_part(layout, points, t, case.n_positions)]


def _row(scheme: Scheme, case: Case, shown: Span, t: float, most: int) -> Curve:
    """Row t over the visible offsets; of a long table an even sample that stays while t moves a little."""
    assert isinstance(scheme, Rotary | Additive)
    positions = row_positions(shown, t, case.n_positions, most)
    return np.array(positions) - t, row_of(scheme, case.vectors, t, positions)


def _plot(layout: ScoreLayout, case: Case) -> Plot:
    return profile_plot(layout, case.reach, _HIGHEST)


def _legend(layout: ScoreLayout, case: Case, t: float, theme: Theme) -> marks.Picture:
    entries = _entries(case, f"t = {position(t)}", theme)
    x = layout.profile.right - legend_width(entries) if _title(layout, case, theme) else 0.0
    return legend(x, layout.profile.y - 20.0, entries, theme) if x + legend_width(entries) <= layout.width else ()


def _entries(case: Case, here: str, theme: Theme) -> list[LegendEntry]:
    added = "added, cut at the edge" if case.is_cut else "added"
    return [
        *((LegendEntry("every t", theme.axis, EVERY_ROW_WIDTH),) if case.is_shared else ()),
        LegendEntry(here if case.is_shared else f"{here}; others differ", theme.ink, ROW_WIDTH),
        *((LegendEntry(added, theme.text3, _ADDED_WIDTH, _ADDED_DASH),) if case.added is not None else ()),
    ]


def _title(layout: ScoreLayout, case: Case, theme: Theme) -> str:
    """The title that the legend leaves room for, whatever t."""
    words = _entries(case, f"t = {position(case.n_positions - 1.0)}", theme)
    room = layout.profile.right - legend_width(words) - 20.0
    titles = (f"Score against offset, {case.scheme.title}", case.scheme.title)
    return next((title for title in titles if text_width("title", title) <= room), "")


def _axis_title(layout: ScoreLayout, case: Case) -> str:
    """What is below the curve, and which offsets are drawn where there are too many."""
    curve = _shared(case.scheme, case.vectors, case.n_positions, layout.offsets)
    step = 1.0 if curve is None or len(curve[0]) < 2 else float(curve[0][1] - curve[0][0])
    return "offset k = s − t" if step <= 1 else f"offset k = s − t, one in {whole(step)} drawn"


def _map_frame(layout: ScoreLayout, case: Case, theme: Theme) -> marks.Picture:
    """Title, colour bar between its limits, and the frame."""
    area, y = layout.map, layout.map.y - 20.0
    right, limit, title = layout.width - 4.0, short(case.limit), "Every t and s"
    ends = f"−{limit}", f"+{limit}"
    if area.x + text_width("title", title) + 12.0 > right - lying_bar_width(_BAR, ends):
        title = ""
    return (
        *((marks.Text(area.x, y, title, "title", theme.text),) if title else ()),
        *lying_bar(right, y, _BAR, ends, theme.diverging, theme),
        layout.frame(theme),
    )


def residual_question(state: State, scheme: Scheme) -> Question:
    """Half the spread of a scheme's scores along a diagonal."""
    return Question("rotary residual", _residual, (scheme, state.encoding.n_positions, vectors_of(state)))


def _residual(scheme: Scheme, n_positions: int, vectors: QueryAndKey, task: Task) -> float | None:
    return shift_residual(scheme, n_positions, *vectors.both, task)
