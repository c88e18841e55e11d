"""Where the parts of the page of the score stand, and the score against the offset and at every t and s."""

import math
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor, Span
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
from pe_desktop.draw.plot import LegendEntry
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.map_and_profile import MapLayout, OffsetCurve, half_text, most_positions, row_positions

_ADDED_WIDTH: Final = 1.0
_ADDED_DASH: Final = (3.0, 2.0)
# Offsets times pairs of the shared curve, and offsets at least.
_SHARED_CELLS, _FEWEST_OFFSETS = 2**18, 2**11
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
_HEAD, _LOW_HEAD, _PAIRS, CURVE_HEAD, _CURVE_FOOT = 58.0, 28.0, 34.0, 36.0, 34.0
# The table: its head, a row, the sentence below it.
_TABLE_HEAD, ROW, LOW_ROW, _SENTENCE = 26.0, 31.0, 21.0, 44.0
_N_ROWS: Final = 3
BETWEEN: Final = 12.0
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


@lru_cache(maxsize=4)
def score_layout(
    width: float, height: float, visible: tuple[Span, Span], offsets: Span, n_positions: int, reach: tuple[float, float]
) -> ScoreLayout:
    """Terms over curve and map over the table."""
    is_roomy, has_table, has_curve = height >= _ROOMY_HEIGHT, height >= _WITH_TABLE, height >= _WITH_CURVE
    head = _HEAD if is_roomy else _LOW_HEAD
    table = (_TABLE_HEAD + _N_ROWS * (ROW if is_roomy else LOW_ROW) + _SENTENCE * is_roomy) * has_table
    around_curve = (CURVE_HEAD + _CURVE_FOOT + BETWEEN) * has_curve
    room = height - head - _PAIRS - around_curve - table - BETWEEN * has_table
    terms_height = room * _TERMS_SHARE if has_curve else room
    curve_height = max(room - terms_height, 0.0) * has_curve
    terms = Area(_LEFT, head, max(width - _LEFT - _SCORE, 40.0), max(terms_height, 20.0))
    top = terms.bottom + _PAIRS + BETWEEN + CURVE_HEAD
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
        reach=reach,
    )


@record
class Case:
    """What curve and map show: the scores of one query and one key over a table, under one scheme.

    added: the scheme of added positions that is drawn beside RoPE; None beside others.
    """

    scheme: Scheme
    vectors: QueryAndKey
    n_positions: int
    added: Additive | None

    @cached_property
    def by_offset(self) -> Waves | Lines | None:
        """The scores by their offset; None where each row has its own."""
        return scores_by_offset(self.scheme, *self.vectors.both)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest score."""
        return score_limits(self.scheme, self.n_positions, *self.vectors.both)

    @cached_property
    def field(self) -> Field:
        """The map, whose colours end at a round number."""
        limit, most = 1.0, max(map(abs, self.limits))
        if most > 0:
            power = 10.0 ** math.floor(math.log10(most))
            limit = next(step * power for step in _STEPS if step * power >= most * (1 - 1e-9))
        return score_field(self.scheme, *self.vectors.both, self.n_positions, (-limit, limit))

    @cached_property
    def reach(self) -> tuple[float, float]:
        """What the curve's axis spans: all of it, and of added positions what leaves the curve its shape."""
        low, high = min(self.limits[0], 0.0), max(self.limits[1], 0.0)
        if self.added is not None:
            room = _MOST_ADDED * (high - low)
            low, high = max(min(low, self._of_added[0]), low - room), min(max(high, self._of_added[1]), high + room)
        return low, high if high > low else low + 1.0

    @property
    def is_cut(self) -> bool:
        """Whether scores of added positions lie beyond the curve's axis."""
        least, greatest = self._of_added
        return least < self.reach[0] or greatest > self.reach[1]

    @cached_property
    def _of_added(self) -> tuple[float, float]:
        return self.limits if self.added is None else score_limits(self.added, self.n_positions, *self.vectors.both)

    def score(self, t: float, s: float) -> float:
        return score_at(self.scheme, self.vectors, t, s)


case_of = lru_cache(maxsize=4)(Case)


def frame_picture(layout: ScoreLayout, case: Case, theme: Theme) -> marks.Picture:
    """Axes, the curve of every row where there is one, and the frame of the map."""
    every = every_row(case, layout.offsets)
    step = 1.0 if every is None or len(every.offsets) < 2 else float(every.offsets[1] - every.offsets[0])
    drawn = f", one in {whole(step)} drawn" if step > 1 else ""
    return (
        *layout.axes_picture(theme),
        layout.offset_axis.title(f"offset k = s − t{drawn}", theme, 29.0),
        *layout.every_row(every, theme),
        *(_map_frame(layout, case, theme) if layout.has_map else ()),
    )


def moving_picture(layout: ScoreLayout, case: Case, cursor: Cursor, theme: Theme, *, is_paper: bool) -> marks.Picture:
    """Title and legend, row t, that of added positions, the line of k with its knob."""
    every, t, title = every_row(case, layout.offsets), cursor.position, case.scheme.title
    most = most_positions(case.vectors.d_model, is_paper=is_paper)
    positions = row_positions(layout.offsets, t, case.n_positions, most)
    names, own, added, value = list[LegendEntry](), None, list[marks.Mark](), math.nan
    if case.added is not None:
        look = theme.text3, _ADDED_WIDTH, _ADDED_DASH
        names.append(LegendEntry("added, cut at the edge" if case.is_cut else "added", *look))
        scores = row_of(case.added, case.vectors, t, positions)
        added.append(marks.Polyline(layout.points(np.array(positions) - t, scores), *look))
    if isinstance(case.scheme, Rotary | Additive) and case.by_offset is None:
        own = OffsetCurve(np.array(positions) - t, row_of(case.scheme, case.vectors, t, positions))
    if layout.sees_offset(cursor.offset):
        value = case.score(t, t + cursor.offset)
    titles = f"Score against offset, {title}", title, ""
    return (
        *layout.head_picture(titles, position(t), theme, *names, is_shared=case.by_offset is not None),
        *added,
        *layout.row_picture(every, own, t, theme),
        *layout.offset_picture(cursor.offset, value, theme),
    )


def spread_text(half: float | None) -> str:
    """Half of a spread, which may still be measured."""
    return "measuring…" if half is None else half_text(half)


@lru_cache(maxsize=4)
def every_row(case: Case, shown: Span) -> OffsetCurve | None:
    """The curve of every row over the visible offsets, each n-th of them where they are many; None without one."""
    if case.by_offset is None:
        return None
    last = case.n_positions - 1
    first, last = max(math.ceil(shown.first), -last), min(math.floor(shown.last), last)
    most = max(_SHARED_CELLS // max(case.vectors.d_model // 2, 1), _FEWEST_OFFSETS)
    step = max(-(-(last - first + 1) // most), 1)
    offsets = Progression(-(-first // step) * step, step, max(last // step - -(-first // step) + 1, 0))
    return OffsetCurve(offsets.values, case.by_offset.at(offsets)) if offsets.count else None


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
