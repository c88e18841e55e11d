"""A head that looks n positions back: its scores or weights, how sure its peak is, and whether other positions can."""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.look_back import (
    FittedWeightField,
    TurnedWeightField,
    fitted_score_field,
    turned_score_field,
)
from pe_desktop.core.lags import invariant_pairs, squared_norm
from pe_desktop.core.scores.look_back import Drops, Peaks, RowFacts, Shift, find_drops, find_shift
from pe_desktop.core.scores.look_back_rows import (
    Others,
    Rows,
    find_others,
    find_row,
    find_rows,
    holds_weights,
)
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.flow import page_scene
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, text_width
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.look_back import profile, text, words
from pe_desktop.views.look_back.layout import LookBackLayout, look_back_layout
from pe_desktop.views.map_and_profile import colour_lines, exact_text, map_picture, map_ticks, pointer_card, value_text

# Values of a table, or multiplications of a table of scores with their own cost and that of a fit, that take a few
# milliseconds.
_QUICK_DROPS: Final = 2**17
_QUICK_ROWS, _SCORE_COST, _FIT_COST = 2**22, 64, 128
# The same for some hundredths of a second: what takes longer waits until nothing else is asked for.
_SOON_DROPS, _SOON_ROWS = 2**25, 2**28
# The width of the colour bar; a map so wide has numbers below it.
_BAR, _WITH_NUMBERS = 68.0, 100.0


def shown_offsets(state: State) -> Span:
    """The visible offsets: at first half of the table to each side, and the peak."""
    last, places = max(state.encoding.n_positions - 1, 1), state.looks_back
    reach = float(max(min((last + 1) // 2, WIDEST_FIRST_PROFILE), min(places + places // 4 + 1, last), 1))
    return state.views.look_back.offsets or Span(-reach, reach)


def layout_of(state: State, box: Box) -> LookBackLayout:
    """Where everything stands."""
    view, whole_map = state.views.look_back, full_span(state.encoding.n_positions)
    shown = (view.rows or whole_map, view.columns or whole_map)
    return look_back_layout(box.width, box.height, shown, shown_offsets(state), list_height(state, box.width))


def list_height(state: State, width: float) -> float:
    """The height of the list of other positions at a width."""
    return _list_height(state.encoding, state.looks_back, width)


@lru_cache(maxsize=4)
def _list_height(encoding: Encoding, places: int, width: float) -> float:
    return text.others_block(encoding, places, None, width).height(width)


def _query_at(state: State) -> int:
    """The position of the query: the whole one next to t."""
    return round(state.cursor.position)


def questions(state: State) -> tuple[Question, ...]:
    known = _known_question(state)
    if state.encoding.is_shift_invariant:
        return _others_question(state), known
    rows, row = _rows_question(state), _row_question(state)
    return _others_question(state), known, rows, *(() if holds_weights(state.encoding) else (row,))


def progress_questions(state: State) -> tuple[Question, ...]:
    """What the map and its numbers wait for."""
    return tuple(question for question in questions(state) if question.title and not question.is_quick)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    layout, field, t, theme = layout_of(state, box), _field(state, answers), _query_at(state), box.theme
    encoding, places, known = state.encoding, state.looks_back, _known(state, answers)
    limits, is_weights = None if field is None else field.limits, _shows_weights(state)
    is_refused = is_weights and not holds_weights(encoding)
    others = answers.answer(_others_question(state)) if layout.has_others else None
    pages = _pages(state, layout, others, box)
    cursor = Cursor(float(t), float(-places))
    over_map = () if is_refused else map_picture(layout, cursor, encoding.n_positions, box)
    lines = _lines_at(state, field, answers, layout, box)
    stills = (
        Part(_map_frame, layout, limits, is_weights, encoding.n_positions, theme),
        *((Part(_divider, layout.others, theme),) if layout.has_others else ()),
        Part(_still_profile, encoding, places, known, layout, theme),
        *(page.still for page in pages),
    )
    return Scene(
        moving=(
            *over_map,
            *_numbers(state, answers, known, layout, theme),
            *_moving_profile(state, known, layout, box),
            *pointer_card(box, lines),
        ),
        still=Part(_together, *stills),
        heat=None if field is None else layout.heat(field, _colors(is_weights, theme), theme),
        places=Part(_places, layout, places, t, *(page.places for page in pages)),
    )


def others_scene(state: State, answers: Answers, box: Box) -> Scene:
    """The list of other positions alone."""
    others = answers.answer(_others_question(state))
    return page_scene(text.others_block(state.encoding, state.looks_back, others, box.width), box, is_wide=True)


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    places = state.looks_back
    if not places:
        return fitting("caption", ("a query at t looks for its own position", "at itself"), room)
    before = f"{whole(places)} position{'' if places == 1 else 's'}"
    forms = f"a query at t looks for the key {before} before it", f"looks {before} back", f"{whole(places)} back"
    return fitting("caption", forms, room)


def readout(state: State, answers: Answers) -> str:
    places, t = state.looks_back, _query_at(state)
    row, peaks = _row(state, answers), _peaks(state, answers)
    lines = [f"looks back\t{places}", f"query t\t{t}"]
    if row is not None:
        found = {"score at t - n": row.score, "second best": row.second, "margin": row.margin}
        lines += [f"{name}\t{copied(value)}" for name, value in found.items()]
    if row is not None and row.weights is not None:
        lines += [f"weight on t - n\t{' '.join(map(copied, row.weights))}"]
    if peaks is not None:
        lines.append(f"rows that peak at t - n\t{words.peaks_text(peaks)}")
    others = answers.answer(_others_question(state))
    if others is not None:
        lines += [f"{name}\t{words.peaks_text(found)}" for name, found in others.peaks.items()]
    return "\n".join(lines)


def sentence(state: State, answers: Answers) -> str:
    places, peaks = state.looks_back, _peaks(state, answers)
    if not places:
        return words.ITSELF.rstrip(".")
    looks = f"A head that looks {whole(places)} back"
    if peaks is None or state.encoding.n_positions == 1:
        return looks
    if peaks.is_everywhere:
        return f"{looks} peaks at offset {words.offset_text(places)} in every row"
    return f"{looks} peaks at offset {words.offset_text(places)} in {words.peaks_text(peaks)}"


def explanation(state: State) -> str:
    n, what, averages = words.place_text(state.looks_back), "scores", "the mean of samples out of them"
    if state.views.look_back.shows == "weights":
        what = "weights, each row a softmax of its scores over √d,"
    elif state.encoding.is_shift_invariant:
        averages = "their exact mean"
    return (
        f"The {what} of every query t with every key s; the score is the dot product of p_s with p_t moved back. The "
        f"dashed diagonal is s = {n}, the line row t, the dot (t, {n}). A pixel that covers several cells shows "
        f"{averages}. Below, the scores against s − t."
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> None:
    return None


def _shows_weights(state: State) -> bool:
    return state.views.look_back.shows == "weights"


def _colors(is_weights: bool, theme: Theme) -> NDArray[np.uint8]:
    """From 0 to the largest weight: the half of the map above 0."""
    return theme.diverging[len(theme.diverging) // 2 :] if is_weights else theme.diverging


def _together(*parts: Part) -> marks.Picture:
    return tuple(mark for part in parts for mark in part())


def _map_frame(
    layout: LookBackLayout, limits: tuple[float, float] | None, is_weights: bool, n_positions: int, theme: Theme
) -> marks.Picture:
    """Frame, axes and colour bar of the map; without limits there is no map."""
    area, (row_ticks, column_ticks), query = layout.map, map_ticks(layout, n_positions), "query at t"
    picture: list[marks.Mark] = [layout.frame(theme), *layout.row_axis.labels(row_ticks, theme)]
    if area.width >= _WITH_NUMBERS:
        picture += layout.column_axis.labels(column_ticks, theme, 12.0)
    picture.append(marks.Text(0.0, area.y - 16.0, query, "tick", theme.text3))
    picture.append(marks.Text(area.right, area.bottom + 25.0, "key at s", "tick", theme.text3, across=1.0))
    if limits is None:
        return tuple(picture)
    low, high = (short(limit) for limit in limits)
    ends = low, f"+{high}" if limits[0] < 0 else high
    if area.right - lying_bar_width(_BAR, ends) < text_width("tick", query) + 8.0:
        return tuple(picture)
    return (*picture, *lying_bar(area.right, area.y - 16.0, _BAR, ends, _colors(is_weights, theme), theme))


def _pages(state: State, layout: LookBackLayout, others: Others | None, box: Box) -> tuple[Scene, ...]:
    """What is said beside the map at every t, at the foot, and in place of a map of weights."""
    encoding, places = state.encoding, state.looks_back
    still = Box(box.width, box.height, box.pixel_ratio, box.theme, is_paper=box.is_paper)
    is_refused = _shows_weights(state) and not holds_weights(encoding)
    return (
        *((_numbers_scene(layout.numbers, encoding, places, still),) if layout.has_numbers else ()),
        *((_list_scene(layout.others, encoding, places, others, still),) if layout.has_others else ()),
        *((_refusal_scene(layout.map, encoding, still),) if is_refused else ()),
    )


@lru_cache(maxsize=2)
def _numbers_scene(area: Area, encoding: Encoding, places: int, box: Box) -> Scene:
    return page_scene(text.numbers_page(area, encoding, places).block, box, area=area)


@lru_cache(maxsize=2)
def _list_scene(area: Area, encoding: Encoding, places: int, others: Others | None, box: Box) -> Scene:
    return page_scene(text.others_block(encoding, places, others, area.width), box, area=area)


@lru_cache(maxsize=2)
def _refusal_scene(around: Area, encoding: Encoding, box: Box) -> Scene:
    block, room = text.refusal_block(encoding), around.width - 24.0
    tall = block.height(room)
    return page_scene(block, box, area=Area(around.x + 12.0, around.middle[1] - tall / 2, room, tall))


def _numbers(
    state: State, answers: Answers, known: Drops | Shift | None, layout: LookBackLayout, theme: Theme
) -> marks.Picture:
    if not layout.has_numbers:
        return ()
    encoding, places, has_one = state.encoding, state.looks_back, isinstance(known, Drops) and known.has_one_margin
    page = text.numbers_page(layout.numbers, encoding, places)
    facts = _row(state, answers), _peaks(state, answers)
    return text.numbers_picture(page, encoding, places, _query_at(state), *facts, theme, has_one_margin=has_one)


def _divider(area: Area, theme: Theme) -> marks.Picture:
    return (marks.Segments(np.array([[0.0, area.y, area.width, area.y]]), theme.line),)


def _still_profile(
    encoding: Encoding, places: int, known: Drops | Shift | None, layout: LookBackLayout, theme: Theme
) -> marks.Picture:
    if not layout.has_profile:
        return ()
    drops = known if isinstance(known, Drops) else None
    return profile.frame_picture(layout, _score_limits(encoding, known), drops, places, theme)


def _moving_profile(state: State, known: Drops | Shift | None, layout: LookBackLayout, box: Box) -> marks.Picture:
    if not layout.has_profile:
        return ()
    encoding, t, theme = state.encoding, _query_at(state), box.theme
    limits = _score_limits(encoding, known)
    legend = profile.legend_picture(layout, t, theme, is_shared=encoding.is_shift_invariant)
    if isinstance(known, Shift):
        return (*legend, *profile.own_row_picture(layout, limits, known, t, theme, is_paper=box.is_paper))
    return (*legend, *profile.shared_row_picture(layout, limits, known, state.looks_back, t, theme))


def _lines_at(state: State, field: Field | None, answers: Answers, layout: LookBackLayout, box: Box) -> tuple[str, ...]:
    """What is under the pointer in map or profile, a line each."""
    x, y = box.pointer or (math.nan, math.nan)
    if layout.profile.holds(x, y):
        return _profile_lines(state, answers, round(layout.offset_axis.value(x)))
    if field is None or not layout.map.holds(x, y):
        return ()
    row, column = layout.cell_at(x, y, state.encoding.n_positions)
    what = "weight" if _shows_weights(state) else "score"
    return (
        exact_text(field.value(int(row), int(column))),
        f"{what} of query {whole(row)} and key {whole(column)}",
        f"offset {whole(column - row)}",
        *colour_lines(layout, field.averages, box),
    )


def _profile_lines(state: State, answers: Answers, offset: int) -> tuple[str, ...]:
    """The score at an offset: of every row where all have the same, else of row t."""
    known, t = _known(state, answers), _query_at(state)
    if isinstance(known, Drops):
        distance = abs(offset + state.looks_back)
        if distance >= len(known.drops):
            return ()
        return value_text(known.peak - float(known.drops[distance])), f"score at offset {whole(offset)}"
    if known is None or not 0 <= t + offset < state.encoding.n_positions:
        return ()
    score = float(known.queries([t])[0] @ state.encoding.values([t + offset])[0])
    return value_text(score), f"score at offset {whole(offset)} from t = {whole(t)}"


def _places(layout: LookBackLayout, places: int, t: int, *pages: Part) -> tuple[Place, ...]:
    """Row t, the diagonal, the knob, and the entries of the list, as far as they are seen."""
    name = f"diagonal s = {words.place_text(places)}"
    return (
        *layout.diagonal_places(-places, name, words.offset_text(places)),
        *layout.row_places(t),
        *layout.offset_places(-places, "knob at −n", whole(places), 6.0, is_chosen=True),
        *(place for page in pages for place in page()),
    )


def _score_limits(encoding: Encoding, known: Drops | Shift | None) -> tuple[float, float]:
    """The least and the greatest score that the profile shows."""
    if encoding.is_shift_invariant:
        return (known.least, known.peak) if isinstance(known, Drops) else (0.0, squared_norm(invariant_pairs(encoding)))
    return known.limits if isinstance(known, Shift) else (0.0, 1.0)


def _known_question(state: State) -> Question:
    """What the scores of all rows come from."""
    encoding, is_quick = state.encoding, _is_quick(state.encoding)
    if not encoding.is_shift_invariant:
        return Question("look-back shift", find_shift, (encoding, state.looks_back), is_quick=is_quick)
    rank = int(encoding.n_positions * encoding.d_model > _SOON_DROPS)
    return Question("look-back drops", find_drops, (encoding,), rank, "Scores by offset", is_quick=is_quick)


def _rows_question(state: State) -> Question:
    encoding, is_quick = state.encoding, _is_quick(state.encoding)
    rank = int(encoding.n_positions**2 * (encoding.d_model + _SCORE_COST) > _SOON_ROWS)
    return Question("look-back rows", find_rows, (encoding, state.looks_back), rank, "Rows", is_quick=is_quick)


def _row_question(state: State) -> Question:
    return Question("look-back row", find_row, (state.encoding, state.looks_back, _query_at(state)))


def _others_question(state: State) -> Question:
    encoding = state.encoding
    return Question("look-back others", find_others, (encoding.n_positions, encoding.d_model, state.looks_back), rank=1)


def _is_quick(encoding: Encoding) -> bool:
    """Whether a table is so small that it is measured within a frame."""
    n_positions, d_model = encoding.n_positions, encoding.d_model
    if encoding.is_shift_invariant:
        return n_positions * d_model <= _QUICK_DROPS
    return n_positions * (n_positions + _FIT_COST) * (d_model + _SCORE_COST) <= _QUICK_ROWS


def _known(state: State, answers: Answers) -> Drops | Shift | None:
    known: Drops | Shift | None = answers.answer(_known_question(state))
    return known


def _field(state: State, answers: Answers) -> Field | None:
    """The field of scores or weights; None while it isn't known, or where it can't be."""
    encoding, places, known = state.encoding, state.looks_back, _known(state, answers)
    if state.views.look_back.shows == "scores":
        if encoding.is_shift_invariant:
            return turned_score_field(encoding, places)
        return fitted_score_field(known) if isinstance(known, Shift) else None
    if not holds_weights(encoding):
        return None
    if isinstance(known, Drops):
        return TurnedWeightField(known, places)
    rows: Rows | None = None if encoding.is_shift_invariant else answers.answer(_rows_question(state))
    return None if rows is None else FittedWeightField(rows)


def _row(state: State, answers: Answers) -> RowFacts | None:
    """What is known of row t."""
    known, t = _known(state, answers), _query_at(state)
    if state.encoding.is_shift_invariant:
        return known.row(state.looks_back, t) if isinstance(known, Drops) else None
    if holds_weights(state.encoding):
        rows: Rows | None = answers.answer(_rows_question(state))
        return None if rows is None else rows.row(t)
    row: RowFacts | None = answers.answer(_row_question(state))
    return row


def _peaks(state: State, answers: Answers) -> Peaks | None:
    """In how many rows of the encoding the peak stands at -n."""
    if state.encoding.is_shift_invariant:
        known = _known(state, answers)
        return known.peaks(state.looks_back) if isinstance(known, Drops) else None
    rows: Rows | None = answers.answer(_rows_question(state))
    return None if rows is None else rows.peaks()
