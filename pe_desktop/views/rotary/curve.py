"""Where the parts of the page of the score stand, and the score against the offset and at every t and s."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.offsets import Waves
from pe_desktop.core.fields.scores import Lines, score_field, scores_by_offset
from pe_desktop.core.lags import Progression
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import QueryAndKey, vectors_of
from pe_desktop.core.scores.rotary_scores import row_of, score_at, score_limits, shift_residual
from pe_desktop.core.scores.schemes import Additive, Rotary, Scheme
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, Tick, legend, legend_width
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.map_and_profile import (
    MapLayout,
    OffsetCurve,
    every_row,
    half_text,
    most_positions,
    offset_picture,
    profile_frame,
    profile_plot,
    row_entries,
    row_picture,
    row_positions,
)

_ADDED_WIDTH: Final = 1.0
_ADDED_DASH: Final = (3.0, 2.0)
# Offsets times pairs of the shared curve, and offsets at least.
_SHARED_CELLS, _FEWEST_OFFSETS = 2**18, 2**11
# The greatest score stands so high in the plot.
_HIGHEST: Final = 1.0 / 1.04
_BAR: Final = 40.0
# So many times as high as its own curve the axis grows for that of added positions.
_MOST_ADDED: Final = 4.0
_STEPS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)
# Left of the plots their numbers, right of the terms the score.
_LEFT, _SCORE = 56.0, 62.0
# Between map and profile, and right of the map what is told about it.
_GAP, _NOTES = 44.0, 112.0
# From which size on there is a map, each line of text, the table, the curve.
_WITH_MAP: Final = 620.0
_ROOMY_HEIGHT, _WITH_TABLE, _WITH_CURVE = 560.0, 330.0, 230.0
# Heights: over the terms, under them with the numbers of the pairs, over the curve, under it.
_HEAD, _LOW_HEAD, _PAIRS, _CURVE_HEAD, _CURVE_FOOT = 58.0, 28.0, 34.0, 36.0, 34.0
# The table: its head, a row, the sentence below it.
_TABLE_HEAD, ROW, LOW_ROW, _SENTENCE = 26.0, 31.0, 21.0, 44.0
_N_ROWS: Final = 3
_BETWEEN: Final = 12.0
_TERMS_SHARE: Final = 0.55


@record(kw_only=True)
class ScoreLayout(MapLayout):
    """terms: the plot of the bars; table: head, rows and sentence. Parts without room have no height.

    is_roomy: formula, sentence and tall rows have room.
    """

    width: float
    terms: Area
    table: Area
    is_roomy: bool

    @property
    def dividers(self) -> tuple[float, ...]:
        """The heights of the lines between the parts."""
        tops = (self.profile.y - _CURVE_HEAD,) * self.has_profile + (self.table.y,) * (self.table.height > 0)
        return tuple(top - _BETWEEN / 2 for top in tops)


@lru_cache(maxsize=4)
def score_layout(
    width: float, height: float, visible: tuple[Span, Span], offsets: Span, n_positions: int
) -> ScoreLayout:
    """Terms over curve and map over the table."""
    is_roomy, has_table, has_curve = height >= _ROOMY_HEIGHT, height >= _WITH_TABLE, height >= _WITH_CURVE
    head = _HEAD if is_roomy else _LOW_HEAD
    table = (_TABLE_HEAD + _N_ROWS * (ROW if is_roomy else LOW_ROW) + _SENTENCE * is_roomy) * has_table
    around_curve = (_CURVE_HEAD + _CURVE_FOOT + _BETWEEN) * has_curve
    room = height - head - _PAIRS - around_curve - table - _BETWEEN * has_table
    terms_height = room * _TERMS_SHARE if has_curve else room
    curve_height = max(room - terms_height, 0.0) * has_curve
    terms = Area(_LEFT, head, max(width - _LEFT - _SCORE, 40.0), max(terms_height, 20.0))
    top = terms.bottom + _PAIRS + _BETWEEN + _CURVE_HEAD
    has_map = is_roomy and width >= _WITH_MAP
    side = curve_height if has_map else 0.0
    beside = (side + _NOTES + _GAP) if has_map else 18.0
    profile = Area(_LEFT, top, max(width - _LEFT - beside, 40.0), curve_height)
    return ScoreLayout(
        width=width,
        terms=terms,
        profile=profile,
        map=Area(width - _NOTES - side, top, side, side),
        table=Area(0.0, height - table, width, table),
        is_roomy=is_roomy,
        visible=visible,
        offsets=offsets,
        n_positions=n_positions,
    )


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
    def is_cut(self) -> bool:
        """Whether scores of added positions lie beyond the curve's axis."""
        if self.added is None:
            return False
        least, greatest = _limits(self.added, self.vectors, self.n_positions)
        return least < self.reach[0] or greatest > self.reach[1]

    @property
    def reach(self) -> tuple[float, float]:
        """What the curve's axis spans: all of it, and of added positions what leaves the curve its shape."""
        low, high = _limits(self.scheme, self.vectors, self.n_positions)
        low, high = min(low, 0.0), max(high, 0.0)
        if self.added is not None:
            least, greatest = _limits(self.added, self.vectors, self.n_positions)
            room = _MOST_ADDED * (high - low)
            low, high = max(min(low, least), low - room), min(max(high, greatest), high + room)
        return low, high if high > low else low + 1.0

    def score(self, t: float, s: float) -> float:
        return score_at(self.scheme, self.vectors, t, s)

    def every(self, shown: Span) -> OffsetCurve | None:
        """The curve of every row, None where each has its own."""
        return _shared(self.scheme, self.vectors, self.n_positions, shown)


def level_ticks(axis: Axis) -> tuple[Tick, ...]:
    """Round scores at the left of a plot."""
    return axis.level_ticks(max(axis.length / 6.0, 18.0))


def frame_picture(layout: ScoreLayout, case: Case, theme: Theme) -> marks.Picture:
    """Axes, the curve of every row where there is one, and the frame of the map."""
    plot, title, every = _plot(layout, case), _title(layout, case, theme), case.every(layout.offsets)
    step = 1.0 if every is None or len(every.offsets) < 2 else float(every.offsets[1] - every.offsets[0])
    drawn = f", one in {whole(step)} drawn" if step > 1 else ""
    return (
        *((marks.Text(0.0, layout.profile.y - 20.0, title, "title", theme.text),) if title else ()),
        *profile_frame(plot, level_ticks(plot.y), plot.x.offset_ticks(), theme),
        plot.x.title(f"offset k = s − t{drawn}", theme, 29.0),
        *every_row(plot, every, theme),
        *(_map_frame(layout, case, theme) if layout.has_map else ()),
    )


def moving_picture(layout: ScoreLayout, case: Case, cursor: Cursor, theme: Theme, *, is_paper: bool) -> marks.Picture:
    """Row t, that of added positions, the line of k with its knob, the legend."""
    plot, every, t = _plot(layout, case), case.every(layout.offsets), cursor.position
    most = most_positions(case.vectors.d_model, is_paper=is_paper)
    positions = row_positions(layout.offsets, t, case.n_positions, most)
    own, added, value = None, list[marks.Mark](), math.nan
    if case.added is not None:
        points = plot.clipped_points(np.array(positions) - t, row_of(case.added, case.vectors, t, positions))
        added.append(marks.Polyline(points, theme.text3, _ADDED_WIDTH, _ADDED_DASH))
    if isinstance(case.scheme, Rotary | Additive) and not case.is_shared:
        own = OffsetCurve(np.array(positions) - t, row_of(case.scheme, case.vectors, t, positions))
    if layout.sees_offset(cursor.offset):
        value = case.score(t, t + cursor.offset)
    entries = _entries(case, t, theme)
    wide = legend_width(entries)
    left = layout.profile.right - wide if _title(layout, case, theme) else 0.0
    # The title of the map stands at the same height where the map is beside the curve.
    room = layout.map.x - 12.0 if layout.has_map and layout.map.x > layout.profile.right else layout.width
    return (
        *(legend(left, layout.profile.y - 20.0, entries, theme) if left + wide <= room else ()),
        *added,
        *row_picture(layout, plot, every, own, t, theme),
        *offset_picture(plot, cursor.offset, value, theme),
    )


def spread_text(half: float | None) -> str:
    """Half of a spread, which may still be measured."""
    return "measuring…" if half is None else half_text(half)


@lru_cache(maxsize=8)
def _by_offset(scheme: Scheme, vectors: QueryAndKey) -> Waves | Lines | None:
    return scores_by_offset(scheme, *vectors.both)


@lru_cache(maxsize=8)
def _limits(scheme: Scheme, vectors: QueryAndKey, n_positions: int) -> tuple[float, float]:
    return score_limits(scheme, n_positions, *vectors.both)


@lru_cache(maxsize=4)
def _field(scheme: Scheme, vectors: QueryAndKey, n_positions: int) -> Field:
    """The map, whose colours end at a round number."""
    limit, most = 1.0, max(map(abs, _limits(scheme, vectors, n_positions)))
    if most > 0:
        power = 10.0 ** math.floor(math.log10(most))
        limit = next(step * power for step in _STEPS if step * power >= most * (1 - 1e-9))
    return score_field(scheme, *vectors.both, n_positions, (-limit, limit))


@lru_cache(maxsize=4)
def _shared(scheme: Scheme, vectors: QueryAndKey, n_positions: int, shown: Span) -> OffsetCurve | None:
    """The curve of every row over the visible offsets, each n-th of them where they are many."""
    scores = _by_offset(scheme, vectors)
    if scores is None:
        return None
    first, last = max(math.ceil(shown.first), 1 - n_positions), min(math.floor(shown.last), n_positions - 1)
    most = max(_SHARED_CELLS // max(vectors.d_model // 2, 1), _FEWEST_OFFSETS)
    step = max(-(-(last - first + 1) // most), 1)
    offsets = Progression(-(-first // step) * step, step, max(last // step - -(-first // step) + 1, 0))
    return OffsetCurve(offsets.values, scores.at(offsets)) if offsets.count else None


def _plot(layout: ScoreLayout, case: Case) -> Plot:
    return profile_plot(layout, case.reach, _HIGHEST)


def _entries(case: Case, t: float, theme: Theme) -> tuple[LegendEntry, ...]:
    rows = row_entries(position(t), theme, is_shared=case.is_shared, differs=not case.is_shared)
    if case.added is None:
        return rows
    added = "added, cut at the edge" if case.is_cut else "added"
    return (*rows, LegendEntry(added, theme.text3, _ADDED_WIDTH, _ADDED_DASH))


def _title(layout: ScoreLayout, case: Case, theme: Theme) -> str:
    """The title that the legend leaves room for, whatever t."""
    names = legend_width(_entries(case, case.n_positions - 1.0, theme))
    titles = f"Score against offset, {case.scheme.title}", case.scheme.title, ""
    return fitting("title", titles, layout.profile.right - names - 20.0)


def _map_frame(layout: ScoreLayout, case: Case, theme: Theme) -> marks.Picture:
    """Title, colour bar between its limits, and the frame."""
    area, right, limit = layout.map, layout.width - 4.0, short(case.field.limits[1])
    ends, y = (f"−{limit}", f"+{limit}"), area.y - 20.0
    title = fitting("title", ("Every t and s", ""), right - lying_bar_width(_BAR, ends) - area.x - 12.0)
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
