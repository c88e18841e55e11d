"""The similarity: dot product, cosine or distance of every two positions, and how it depends on their offset."""

import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

from pe_desktop.core.cursor import Cursor, Span, cursor_values
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import ColorScale, Field, Limits, color_scale, samples_per_block
from pe_desktop.core.fields.similarity import AVERAGES, sampled_limits, similarity_field, similarity_pair
from pe_desktop.core.lags import MOST_LAGS, compared, profile
from pe_desktop.core.record import kept, record
from pe_desktop.core.rotation import DiagonalSpread, ShiftReport
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.flow import page_scene
from pe_desktop.draw.number_text import all_digits, copied, copied_place, plain, whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene, together
from pe_desktop.model.findings import Answers, Question, Questions, Task
from pe_desktop.views import map_and_profile, questions
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.map_and_profile import (
    MapLayout,
    OffsetCurve,
    cell_lines,
    exact_text,
    half_text,
    row_curve,
    value_text,
)
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.printed import printed_map
from pe_desktop.views.questions import Ranged, averages_words, range_sentence, scale_questions, shift_question
from pe_desktop.views.similarity import picture
from pe_desktop.views.similarity.picture import TITLES, Profile, SimilarityLayout, similarity_layout

_SUBTITLES: Final = {measure: f"{title.lower()} of every two positions" for measure, title in TITLES.items()}
# Lags of a transform, 16 of them to a dimension, that take 1 to 3 ms, less than a second frame that shows them. Where
# distances cancel, lags times dimensions take 15 ms.
_MOST_SUMMED: Final = 2**18
_MOST_CANCELLING: Final = 2**20
# Those of the profile that is seen first.
_FEWEST_LAGS: Final = WIDEST_FIRST_PROFILE + 2


@record(eq=False)
class _Measured:
    """What a state compares and what is known of it, as far as it is asked for."""

    state: State
    answers: Answers

    @property
    def encoding(self) -> Encoding:
        return self.state.encoding

    @property
    def cursor(self) -> Cursor:
        return self.state.cursor

    @property
    def measure(self) -> str:
        return self.state.views.similarity.measure

    @cached_property
    def scale(self) -> ColorScale:
        """What the colours of the map reach."""
        return questions.shown_scale("similarity", _ranged(self.state), self.answers)

    @cached_property
    def widest(self) -> Profile | None:
        """The widest profile that is known."""
        profiles = map(self.answers.answer, _profile_questions(self.state))
        return next(filter(None, profiles), None)

    @cached_property
    def reach(self) -> Limits:
        """What the profile spans, until it is known as the map."""
        limits = _field(self.state).quick_limits() if self.widest is None else self.widest.limits
        return min(limits[0], 0.0), max(limits[1], 0.0)

    @cached_property
    def values(self) -> Limits:
        """The similarity of (t, t + k) and of (0, k), each from the table's values."""
        of = (self.encoding, self.measure)
        k = self.cursor.offset
        return _similarity(*of, self.cursor.position, k), _similarity(*of, 0.0, k)

    @cached_property
    def spread(self) -> DiagonalSpread | None:
        """How far the measure differs along the diagonal of offset k; None while that isn't known."""
        report: ShiftReport | None = self.answers.answer(shift_question(self.encoding, self.cursor.offset))
        return None if report is None else report.spreads[self.measure]

    @property
    def differs(self) -> bool:
        """Whether it is known to differ along the diagonal: distances of a counter don't, its dot products do."""
        spread = None if self.encoding.is_shift_invariant else self.spread
        return spread is not None and not math.isnan(spread.spread) and not spread.is_rounding

    @cached_property
    def told(self) -> tuple[str, str]:
        """How far the values along the diagonal spread, and that this is rounding only where it is."""
        spread = self.spread
        if spread is None:
            asked = shift_question(self.encoding, self.cursor.offset)
            return "measuring…" if self.answers.share(asked) is not None else "not measured", ""
        words = half_text(spread.spread / 2) if math.isfinite(spread.spread) else "lies outside N"
        return words, ", rounding only" if spread.spread > 0 and spread.is_rounding else ""

    @property
    def is_same(self) -> bool:
        """Whether the values along the diagonal differ by rounding alone, if at all."""
        is_rounding = self.encoding.is_shift_invariant or (self.spread is not None and self.spread.is_rounding)
        return is_rounding and not math.isnan(self.values[1])


def layout_of(state: State, answers: Answers, box: Box) -> SimilarityLayout:
    """Where everything stands."""
    return _layout_in(box, _Measured(state, answers))


def _layout_in(box: Box, measured: _Measured) -> SimilarityLayout:
    state = measured.state
    spans: dict[str, Any] = dict(zip(("rows", "columns"), state.shown_map, strict=True))
    spans |= {"offsets": state.shown_offsets, "n_positions": measured.encoding.n_positions, "reach": measured.reach}
    return similarity_layout(box.width, box.height, measured.scale, **spans)


def _questions(state: State) -> Questions:
    return (
        *scale_questions("similarity", _ranged(state)),
        *_profile_questions(state),
        shift_question(state.encoding, state.cursor.offset),
    )


def _profile_questions(state: State) -> Questions:
    """The profile over the visible offsets, and the one that is soon known and measured until then."""
    encoding = state.encoding
    measure = state.views.similarity.measure
    if not encoding.is_shift_invariant:
        return (Question("similarity profile", _find_profile, (encoding, measure, 0), title="Limits"),)
    # A little beyond the greatest visible offset, a power of 2 in all: not every step of a zoom asks for others.
    widest = 1 << math.ceil(math.log2(max(abs(state.shown_offsets.first), abs(state.shown_offsets.last)) + 2))
    n_all, asked = encoding.n_positions, []
    for n_lags in dict.fromkeys((min(max(widest, _FEWEST_LAGS), n_all), min(_FEWEST_LAGS, n_all))):
        is_quick = n_lags + 16 * encoding.d_model <= _MOST_SUMMED
        if measure == "distance":
            is_quick = n_lags * encoding.d_model <= _MOST_CANCELLING
        of = (encoding, measure, n_lags)
        rank = int(n_lags > MOST_LAGS)
        title = f"{whole(n_lags)} offsets"
        asked.append(Question("similarity profile", _find_profile, of, rank, title, is_quick))
    return tuple(asked)


def _find_profile(encoding: Encoding, measure: str, n_lags: int, task: Task) -> Profile:
    """Compute so many lags, which go on to both sides of 0."""
    if not encoding.is_shift_invariant:
        return Profile(None, sampled_limits(encoding, measure))
    lags = profile(encoding, measure, range(n_lags), task.report, task)
    # What differs by rounding alone draws no axes anew.
    least, greatest = (float(f"{end:.12g}") for end in (lags.min(), lags.max()))
    return Profile(lags, (least, greatest))


def progress_questions(state: State) -> Questions:
    """What the profile waits for."""
    return tuple(question for question in _profile_questions(state) if not question.is_quick)[:1]


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    box, measured, theme = box.with_map_colors(state.views.similarity.colors), _Measured(state, answers), box.theme
    theme = box.theme
    cursor = measured.cursor
    measure = measured.measure
    scale = measured.scale
    layout = _layout_in(box, measured)
    field = scale.of(_field(state))
    colors = picture.colors_of(measure, scale.limits, theme)
    if box.lettering is not None:
        return printed_map(box, field, colors)
    cells = picture.cell_picture(layout, measured.encoding, measure, scale.limits, theme)
    is_marked = box.shows_cursor and bool(cells)
    drawn = cursor if box.shows_cursor and not cells else None
    here = measured.values[0]
    curve = _every_curve(layout.offsets, measured.widest)
    numbers = Scene()
    if box.shows_cursor:
        told, is_same = measured.told, measured.is_same
        block = picture.numbers_block(layout, measure, cursor, measured.values, told, is_same=is_same)
        numbers = page_scene(block, box, area=layout.readout)
    # What other values leave as it is, as long as the colours reach as far.
    frame = Part(picture.frame_picture, layout.of_any_values, measure, scale, theme)
    levels = Part(MapLayout.levels_picture, layout, theme, state.trained_length)
    every = Part(MapLayout.every_row, layout, curve, theme)
    return Scene(
        moving=(
            *layout.unseen_picture(state.trained_length, theme),
            *cells,
            *map_and_profile.map_picture(layout, drawn, box, is_quick=scale.is_quick),
            *(picture.cell_cursor_picture(layout, cursor, theme) if is_marked else ()),
            *_moving_profile(measured, layout, curve, box),
            *numbers.moving,
            *_readout_card(measured, layout, box),
        ),
        still=Part(together, levels, every, numbers.still, under=frame),
        heat=layout.heat(field, colors, theme),
        places=Part(_places, layout, cursor, exact_text(here), measured.told if box.shows_cursor else None),
    )


@kept
def _every_curve(offsets: Span, measured: Profile | None) -> OffsetCurve | None:
    """The profile of every row over the visible offsets; it stays while the cursor moves."""
    return None if measured is None or measured.lags is None else map_and_profile.mirrored(measured.lags, offsets)


def _field(state: State) -> Field:
    return similarity_field(state.encoding, state.views.similarity.measure)


def _ranged(state: State) -> Ranged:
    """What the range of the map's colours depends on."""
    rows, columns = state.shown_map
    return _field(state), state.views.similarity.range, rows.moved(0.5), columns.moved(0.5)


def _forms(state: State, answers: Answers) -> tuple[str, ...]:
    if _Measured(state, answers).differs:
        return "depends on more than the offset", "rows differ"
    return _SUBTITLES[state.views.similarity.measure], "every two positions", "every t, t + k"


def _readout(state: State, answers: Answers) -> str:
    measured = _Measured(state, answers)
    cursor = state.cursor
    starts = (cursor.position, 0.0)
    rows = [
        f"{measured.measure} of {copied_place(t)} and {copied_place(t + cursor.offset)}\t{copied(value, 'undefined')}"
        for t, value in zip(starts, measured.values, strict=True)
    ]
    if measured.spread is not None:
        text = copied(measured.spread.spread, "undefined") if measured.spread.n_measured else "outside the table"
        rows.append(f"spread along the diagonal\t{text}")
    return "\n".join(rows)


def _sentence(state: State, answers: Answers) -> str:
    """The similarity at offset k, wherever it is measured or of t and t + k alone."""
    measured = _Measured(state, answers)
    is_invariant = state.encoding.is_shift_invariant
    (here, first), name, spread = measured.values, TITLES[measured.measure], measured.spread
    if is_invariant or (spread is not None and spread.is_rounding and not math.isnan(here)):
        value = first if is_invariant else here
        where = "defined" if math.isnan(first) else "measured"
        return f"{name} at offset {plain(state.cursor.offset)} is {value_text(value)} wherever it is {where}"
    both = " and ".join(map(plain, state.cursor.both))
    return f"{name} of positions {both} is {value_text(here)}{'; elsewhere it differs' if measured.differs else ''}"


def _explanation(state: State) -> str:
    captions: Mapping[str, str] = CAPTIONS["similarity"]
    averages = averages_words(_field(state))
    below = captions["even" if state.encoding.is_shift_invariant else "row"]
    measure, reach = TITLES[state.views.similarity.measure].lower(), range_sentence(color_scale(*_ranged(state)))
    return captions["all"].format(measure=measure, averages=averages, reach=reach, below=below)


def _lines_at(state: State, layout: SimilarityLayout, x: float, y: float, box: Box) -> tuple[str, ...]:
    """What is under a point of the map or of the profile, a line each."""
    encoding = state.encoding
    measure = state.views.similarity.measure
    if layout.profile.holds(x, y):
        return _profile_lines(encoding, measure, state.cursor, round(layout.offset_axis.value(x)))
    if not layout.map.holds(x, y):
        return ()
    row, column = layout.cell_at(x, y)
    value = similarity_pair(encoding, measure, row, column)
    # Blocks of few positions are averaged in full.
    is_full = max(layout.cells_per_pixel) / box.pixel_ratio <= samples_per_block(encoding.d_model)
    averages = AVERAGES[measure] if is_full else _field(state).averages
    what = f"{TITLES[measure].lower()} of {whole(row)} and {whole(column)}"
    return (*cell_lines(layout, (row, column), value_text(value), what, averages, box), *all_digits(value))


def _moving_profile(
    measured: _Measured, layout: SimilarityLayout, curve: OffsetCurve | None, box: Box
) -> marks.Picture:
    """Title and legend, row t, the dashed line at k and the dot on it."""
    encoding = measured.encoding
    cursor = measured.cursor
    theme = box.theme
    is_shared, (here, first), own = encoding.is_shift_invariant, measured.values, None
    if is_shared:
        if not box.shows_cursor:
            return ()
        here = first if curve is not None and abs(cursor.offset) <= encoding.n_positions - 1 else math.nan
    else:
        row = cursor.position, cursor_values(encoding, cursor.position, cursor.offset)[0]
        own = row_curve(encoding, measured.measure, layout.offsets, *row, is_paper=box.is_paper)
    title = f"{TITLES[measured.measure]} against offset"
    t = number_text.position(cursor.position)
    titles = layout.offset_axis.said_of_unseen(title, measured.state.trained_length), title, ""
    names = layout.head_picture(titles, t, theme, is_shared=is_shared, differs=measured.differs)
    return (
        # Where title and legend stand over the profile.
        *(names if layout.profile.y - layout.map.bottom > picture.HEAD else ()),
        *layout.row_picture(curve, own, cursor.position, theme),
        *(layout.offset_picture(cursor.offset, here, theme) if box.shows_cursor else ()),
    )


def _places(layout: SimilarityLayout, cursor: Cursor, value: str, told: tuple[str, str] | None) -> tuple[Place, ...]:
    """The diagonal, row t, the cursor k of the profile, and the dot, as far as they are measured; what is told."""
    t, s = cursor.both
    cell: tuple[Place, ...] = ()
    if told is not None:
        tooltip = f"Along the diagonal, at (t, t + k) for all t: {''.join(told)}."
        cell = (Place("values", layout.readout, told[0], tooltip=tooltip),)
    if layout.sees_cell(t, s):
        x = layout.column_axis.place(s)
        y = layout.row_axis.place(t)
        cell += (Place("cell t, t + k", Area.around(x, y, 7.0), value, True, layout.cell_sets),)
    diagonal = "diagonal k", number_text.position(cursor.offset)
    return (*layout.places(cursor, ("cursor k", value), diagonal), *cell)


@lru_cache(maxsize=8)
def _similarity(encoding: Encoding, measure: str, t: float, offset: float) -> float:
    """That of (0, k) stays while t moves."""
    return float(compared(measure, *cursor_values(encoding, t, offset)))


def _profile_lines(encoding: Encoding, measure: str, cursor: Cursor, offset: int) -> tuple[str, ...]:
    """The similarity at an offset: of every row where all have the same, else of row t."""
    words = f"{TITLES[measure].lower()} at offset {whole(offset)}"
    if encoding.is_shift_invariant:
        value = _similarity(encoding, measure, 0.0, float(offset))
        return value_text(value), words, *all_digits(value)
    later = cursor.position + offset
    if not 0 <= later <= encoding.n_positions - 1:
        return ()
    value = similarity_pair(encoding, measure, cursor.position, later)
    return value_text(value), f"{words} from t = {number_text.position(cursor.position)}", *all_digits(value)


def _readout_card(measured: _Measured, layout: SimilarityLayout, box: Box) -> marks.Picture:
    if box.pointer is None:
        return ()
    lines = _lines_at(measured.state, layout, *box.pointer, box)
    # The numbers beside the map stay free.
    room = box.area._replace(width=layout.map.right) if layout.map.holds(*box.pointer) else box.area
    return map_and_profile.pointer_card(box, lines, room)


# A lower map is scrolled.
_PAGE = ScenePage(_scene, _sentence, _explanation, _readout, _questions)
VIEW = PagedView("", {"": _PAGE}, _forms, needed=lambda _state, _answers, _box: 140.0, shades_unseen=True)
