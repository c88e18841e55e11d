"""The similarity: dot product, cosine or distance of every two positions, and how it depends on their offset."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor, Span, cursor_values
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field, samples_per_block
from pe_desktop.core.fields.seen import ColorScale, color_scale
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.lags import are_soon_known
from pe_desktop.core.measure.measurement import ROUNDING
from pe_desktop.core.shift import ShiftReport
from pe_desktop.core.similarity import DiagonalSpread, compared, similarity_pair
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import upright_bar_right
from pe_desktop.draw.number_text import all_digits, copied, copied_place, plain, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.color_range import Ranged, averages_words, range_sentence, scale_questions, shown_scale
from pe_desktop.views.map_and_profile import (
    coarse_picture,
    colour_lines,
    cursor_picture,
    exact_text,
    most_positions,
    pointer_card,
    preview_picture,
    row_positions,
    value_text,
)
from pe_desktop.views.printed import printed_map
from pe_desktop.views.shift import shift_question
from pe_desktop.views.similarity import picture, profile
from pe_desktop.views.similarity.layout import SimilarityLayout, similarity_layout
from pe_desktop.views.similarity.picture import Diagonal
from pe_desktop.views.similarity.profile import Profile

SUBTITLES: Final = {
    "dot": "dot product of every two positions",
    "cosine": "cosine of every two positions",
    "distance": "distance of every two positions",
}
_OWN_ROWS: Final = "depends on more than the offset"
# So many take 1 to 3 ms at 512 dimensions, less than a second frame that shows them.
_AT_ONCE: Final = 9 * 2**20
# The lowest box with room for all that is told about a point.
_LOWEST_WITH_ALL_LINES: Final = 240.0
# Between the numbers of the colour bar and the words and numbers of the profile.
_APART: Final = 4.0


def layout_of(state: State, answers: Answers, box: Box) -> SimilarityLayout:
    """Where everything stands."""
    scale = shown_scale("similarity", _ranged(state), answers)
    return _layout(state, scale, _reach(state, _profile(state, answers)), box)


def _layout(state: State, scale: ColorScale, reach: tuple[float, float], box: Box) -> SimilarityLayout:
    return _fitting_layout(box.width, box.height, state.shown_map, state.shown_offsets, scale, reach)


@lru_cache(maxsize=4)
def _fitting_layout(
    width: float,
    height: float,
    shown: tuple[Span, Span],
    offsets: Span,
    scale: ColorScale,
    reach: tuple[float, float],
) -> SimilarityLayout:
    """The usual places, or those with more room between colour bar and profile where its numbers need it."""
    usual = similarity_layout(width, height, shown, offsets)
    if not usual.is_wide or upright_bar_right(usual.bar, scale.limits, scale.is_cut) + _APART <= profile.text_left(
        usual, reach
    ):
        return usual
    return similarity_layout(width, height, shown, offsets, has_long_numbers=True)


def questions(state: State) -> tuple[Question, ...]:
    return (
        *scale_questions("similarity", _ranged(state)),
        *profile_questions(state),
        shift_question(state.encoding, state.cursor.offset),
        *_row_questions(state),
    )


def profile_questions(state: State) -> tuple[Question, ...]:
    """The profile over the visible offsets, and the one that is soon known and seen until then."""
    return _profile_questions(state.encoding, state.views.similarity.measure, state.shown_offsets)


def progress_questions(state: State) -> tuple[Question, ...]:
    """What the profile waits for."""
    return tuple(question for question in profile_questions(state) if not question.is_quick)[:1]


@lru_cache(maxsize=4)
def _profile_questions(encoding: Encoding, measure: str, offsets: Span) -> tuple[Question, ...]:
    if not encoding.is_shift_invariant:
        return (Question("similarity profile", profile.find_profile, (encoding, measure, 0), title="Limits"),)
    counts = dict.fromkeys(_n_lags(encoding, most) for most in (_widest(offsets), WIDEST_FIRST_PROFILE))
    return tuple(_profile_question(encoding, measure, count) for count in counts)


def _widest(offsets: Span) -> int:
    """The greatest visible offset, as a power of 2: not every step of a zoom asks for others."""
    reach = max(abs(offsets.first), abs(offsets.last))
    return max(1 << math.ceil(math.log2(reach)), WIDEST_FIRST_PROFILE)


def _n_lags(encoding: Encoding, most: int) -> int:
    return min(most + 2, encoding.n_positions)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    box = box.with_map_colors(state.views.similarity.colors)
    encoding, cursor, measure = state.encoding, state.cursor, state.views.similarity.measure
    known = _profile(state, answers)
    scale, reach = shown_scale("similarity", _ranged(state), answers), _reach(state, known)
    layout = _layout(state, scale, reach, box)
    field, colors = scale.of(_field(state)), picture.colors_of(measure, scale.limits, box.theme)
    if box.lettering is not None:
        return printed_map(box, field, colors)
    values = _values(encoding, measure, cursor)
    diagonal = _diagonal(state, answers, values)
    numbers = picture.cell_picture(layout, encoding, measure, scale.limits, box.theme)
    marked = picture.cell_cursor_picture if numbers else cursor_picture
    is_coarse = scale.is_quick or box.coarseness is not None
    coarse = coarse_picture(layout, box.theme) if is_coarse else ()
    return Scene(
        moving=(
            *coarse,
            *numbers,
            *preview_picture(layout, box.preview, box.theme),
            *(marked(layout, cursor, encoding.n_positions, box.theme) if box.shows_cursor else ()),
            *_moving_profile(state, answers, layout, reach, known, box),
            *(picture.numbers_picture(layout, cursor, values[0], diagonal, box.theme) if box.shows_cursor else ()),
            *_readout_card(state, layout, box),
        ),
        still=Part(
            _over_frame,
            layout,
            reach,
            known,
            diagonal if box.shows_cursor else None,
            box.theme,
            under=Part(_frame, measure, layout, scale, reach, encoding.n_positions, box.theme),
        ),
        heat=layout.heat(field, colors, box.theme),
        places=Part(_places, encoding, measure, layout, cursor),
    )


def _field(state: State) -> Field:
    return similarity_field(state.encoding, state.views.similarity.measure)


def _ranged(state: State) -> Ranged:
    """What the range of the map's colours depends on."""
    rows, columns = (span.moved(0.5) for span in state.shown_map)
    return _field(state), state.views.similarity.range, rows, columns


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    if _differs(state, answers):
        return fitting("caption", (_OWN_ROWS, "rows differ"), room)
    return fitting("caption", (SUBTITLES[state.views.similarity.measure], "every two positions", "every t, s"), room)


def readout(state: State, answers: Answers) -> str:
    cursor, measure, spread = state.cursor, state.views.similarity.measure, _spread(state, answers)
    here, first = _values(state.encoding, measure, cursor)
    later = cursor.position + cursor.offset
    places = ((cursor.position, later, here), (0.0, cursor.offset, first))
    rows = [
        f"{measure} of {copied_place(one)} and {copied_place(other)}\t{copied(value, 'undefined')}"
        for one, other, value in places
    ]
    if spread is not None:
        text = copied(spread.spread, "undefined") if spread.n_measured else "outside the table"
        rows.append(f"spread along the diagonal\t{text}")
    return "\n".join(rows)


def sentence(state: State, answers: Answers) -> str:
    """The similarity at offset k, wherever it is measured or of t and t + k alone."""
    encoding, cursor, measure = state.encoding, state.cursor, state.views.similarity.measure
    here, first = _values(encoding, measure, cursor)
    name, spread = picture.TITLES[measure], _spread(state, answers)
    is_same = spread is not None and _is_rounding(spread) and not math.isnan(here)
    if encoding.is_shift_invariant or is_same:
        value = first if encoding.is_shift_invariant else here
        where = "defined" if math.isnan(first) else "measured"
        return f"{name} at offset {plain(cursor.offset)} is {value_text(value)} wherever it is {where}"
    both = f"{plain(cursor.position)} and {plain(cursor.position + cursor.offset)}"
    but = "; elsewhere it differs" if _differs(state, answers) else ""
    return f"{name} of positions {both} is {value_text(here)}{but}"


def explanation(state: State) -> str:
    encoding, measure = state.encoding, state.views.similarity.measure
    averages, beside = averages_words(_field(state)), "row t alone, against the offset"
    if encoding.is_shift_invariant:
        beside = "the same against the offset, grey for every row, black for row t"
    return (
        f"The {picture.TITLES[measure].lower()} of every two positions; a pixel that covers several cells shows "
        f"{averages}.{range_sentence(color_scale(*_ranged(state)))} The dashed diagonal is offset k, the line row t, "
        f"the dot (t, t + k). Beside it {beside}."
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> None:
    return None


def lines_at(state: State, layout: SimilarityLayout, x: float, y: float, box: Box) -> tuple[str, ...]:
    """What is under a point of the map or of the profile, a line each."""
    encoding, measure = state.encoding, state.views.similarity.measure
    if layout.profile.holds(x, y):
        return _profile_lines(encoding, measure, state.cursor, round(layout.offset_axis.value(x)))
    if not layout.map.holds(x, y):
        return ()
    row, column = layout.cell_at(x, y, encoding.n_positions)
    value = similarity_pair(encoding, measure, row, column)
    return (
        value_text(value),
        f"{picture.TITLES[measure].lower()} of {whole(row)} and {whole(column)}",
        f"offset {whole(column - row)}",
        *colour_lines(layout, _averages(encoding, measure, layout.cells_per_pixel / box.pixel_ratio), box),
        *all_digits(value),
    )


def _averages(encoding: Encoding, measure: str, cells: float) -> str:
    """What a pixel over so many rows and columns shows: blocks of few positions are averaged in full."""
    averages = similarity_field(encoding, measure).averages
    return averages.removesuffix(" of samples") if cells <= samples_per_block(encoding.d_model) else averages


def _frame(
    measure: str,
    layout: SimilarityLayout,
    scale: ColorScale,
    reach: tuple[float, float],
    n_positions: int,
    theme: Theme,
) -> marks.Picture:
    """What other values leave as it is, as long as they reach as far."""
    return (
        *picture.frame_picture(layout, measure, scale, n_positions, theme),
        *profile.frame_picture(layout, measure, reach, theme),
    )


def _over_frame(
    layout: SimilarityLayout,
    reach: tuple[float, float],
    known: Profile | None,
    diagonal: Diagonal | None,
    theme: Theme,
) -> marks.Picture:
    """What t leaves as it is; without a diagonal nothing is said of the cursor."""
    numbers = () if diagonal is None else picture.diagonal_picture(layout, diagonal, theme)
    return (*profile.every_row_picture(layout, reach, known, theme), *numbers)


def _moving_profile(
    state: State,
    answers: Answers,
    layout: SimilarityLayout,
    reach: tuple[float, float],
    known: Profile | None,
    box: Box,
) -> marks.Picture:
    encoding, cursor, measure, theme = state.encoding, state.cursor, state.views.similarity.measure, box.theme
    is_shared, differs = encoding.is_shift_invariant, _differs(state, answers)
    names = profile.legend_picture(layout, cursor.position, theme, is_shared=is_shared, differs=differs)
    if is_shared:
        if not box.shows_cursor:
            return ()
        return (*names, *profile.cursor_picture(layout, reach, known, cursor, encoding.n_positions, theme))
    vector = cursor_values(encoding, cursor.position, cursor.offset)[0]
    others = None if box.is_paper else next((answers.answer(question) for question in _row_questions(state)), None)
    row = profile.row_of(layout, encoding, measure, (cursor.position, vector), others, is_paper=box.is_paper)
    here = _values(encoding, measure, cursor)[0]
    offset = cursor.offset if box.shows_cursor else None
    return (*names, *profile.row_picture(layout, reach, row, here, offset, theme))


def _reach(state: State, known: Profile | None) -> tuple[float, float]:
    return profile.heights(known, _field_limits(state.encoding, state.views.similarity.measure))


@lru_cache(maxsize=4)
def _field_limits(encoding: Encoding, measure: str) -> tuple[float, float]:
    """What the profile may reach until it is known."""
    return similarity_field(encoding, measure).quick_limits()


def _places(encoding: Encoding, measure: str, layout: SimilarityLayout, cursor: Cursor) -> tuple[Place, ...]:
    """The diagonal, row t, the dot, and the cursor k of the profile, as far as they are seen."""
    here, later = _values(encoding, measure, cursor)[0], cursor.position + cursor.offset
    cell: tuple[Place, ...] = ()
    if layout.sees_row(cursor.position) and layout.sees_column(later, encoding.n_positions):
        x, y = layout.column_axis.place(later), layout.row_axis.place(cursor.position)
        cell = (Place("cell t, t + k", Area(x - 7.0, y - 7.0, 14.0, 14.0), exact_text(here), True),)
    return (
        *layout.diagonal_places(cursor.offset, "diagonal k", position_text(cursor.offset)),
        *layout.row_places(cursor.position),
        *cell,
        *layout.offset_places(cursor.offset, "cursor k", exact_text(here)),
    )


def _values(encoding: Encoding, measure: str, cursor: Cursor) -> tuple[float, float]:
    """The similarity of (t, t + k) and of (0, k), each from the table's values."""
    now, later = cursor_values(encoding, cursor.position, cursor.offset)
    here = float(compared(measure, now[np.newaxis], later[np.newaxis])[0])
    return here, _first_similarity(encoding, measure, cursor.offset)


@lru_cache(maxsize=8)
def _first_similarity(encoding: Encoding, measure: str, offset: float) -> float:
    """The similarity of (0, k), which stays while t moves."""
    first, later = cursor_values(encoding, 0.0, offset)
    return float(compared(measure, first[np.newaxis], later[np.newaxis])[0])


def _profile_question(encoding: Encoding, measure: str, n_lags: int) -> Question:
    rank = 0 if are_soon_known(n_lags) else 1
    arguments = (encoding, measure, n_lags)
    title, is_quick = f"{whole(n_lags)} offsets", n_lags * encoding.d_model <= _AT_ONCE
    return Question("similarity profile", profile.find_profile, arguments, rank, title, is_quick)


def _row_questions(state: State) -> tuple[Question, ...]:
    """The vectors that row t is compared with, where they take longer than a frame."""
    encoding = state.encoding
    if encoding.is_shift_invariant:
        return ()
    most = most_positions(encoding.d_model)
    positions = row_positions(state.shown_offsets, state.cursor.position, encoding.n_positions, most)
    if not profile.takes_long(encoding, positions):
        return ()
    return (Question("similarity row", profile.find_vectors, (encoding, positions), title="Row t"),)


def _profile(state: State, answers: Answers) -> Profile | None:
    """The widest that is known."""
    known = (answers.answer(question) for question in profile_questions(state))
    return next((one for one in known if one is not None), None)


def _spread(state: State, answers: Answers) -> DiagonalSpread | None:
    """How far the measure differs along the diagonal of offset k; None while that isn't known."""
    report: ShiftReport | None = answers.answer(shift_question(state.encoding, state.cursor.offset))
    return None if report is None else report.spreads[state.views.similarity.measure]


def _diagonal(state: State, answers: Answers, values: tuple[float, float]) -> Diagonal:
    encoding, cursor, measure = state.encoding, state.cursor, state.views.similarity.measure
    spread = _spread(state, answers)
    width = None if spread is None else spread.spread
    is_measuring = answers.share(shift_question(encoding, cursor.offset)) is not None
    words = picture.spread_words(width, is_measuring=is_measuring)
    return Diagonal(measure, cursor.offset, values[1], words, picture.is_rounding(width, values))


def _differs(state: State, answers: Answers) -> bool:
    """Whether the measure is known to differ along the diagonal: a counter's distances don't, its dot products do."""
    spread = None if state.encoding.is_shift_invariant else _spread(state, answers)
    return spread is not None and not math.isnan(spread.spread) and not _is_rounding(spread)


def _is_rounding(spread: DiagonalSpread) -> bool:
    return spread.spread <= ROUNDING * max(abs(spread.lowest), abs(spread.highest), 1.0)


def _profile_lines(encoding: Encoding, measure: str, cursor: Cursor, offset: int) -> tuple[str, ...]:
    """The similarity at an offset: of every row where all have the same, else of row t."""
    words = f"{picture.TITLES[measure].lower()} at offset {whole(offset)}"
    if encoding.is_shift_invariant:
        value = _first_similarity(encoding, measure, float(offset))
        return value_text(value), words, *all_digits(value)
    later = cursor.position + offset
    if not 0 <= later <= encoding.n_positions - 1:
        return ()
    value = similarity_pair(encoding, measure, cursor.position, later)
    return value_text(value), f"{words} from t = {position_text(cursor.position)}", *all_digits(value)


def _readout_card(state: State, layout: SimilarityLayout, box: Box) -> marks.Picture:
    if box.pointer is None:
        return ()
    lines = lines_at(state, layout, *box.pointer, box)
    if box.height < _LOWEST_WITH_ALL_LINES:
        lines = lines[:3]
    # The numbers beside the map stay free.
    room = box.area._replace(width=layout.map.right) if layout.map.holds(*box.pointer) else box.area
    return pointer_card(box, lines, room)
