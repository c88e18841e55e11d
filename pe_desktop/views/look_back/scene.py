"""A head that looks n positions back: its scores or weights, how sure its peak is, and whether other positions can."""

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.look_back import (
    FittedWeightField,
    TurnedWeightField,
    fitted_score_field,
    turned_score_field,
)
from pe_desktop.core.lags import invariant_pairs, never, squared_norm
from pe_desktop.core.rotation import has_rotation
from pe_desktop.core.scores.look_back import Drops, Peaks, RowFacts, Shift, find_drops, find_shift, other_order
from pe_desktop.core.scores.look_back_rows import (
    Others,
    Rows,
    find_others,
    find_row,
    find_rows,
    holds_weights,
    other_positions,
)
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import copied, whole
from pe_desktop.draw.plot import readout_card
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme, map_image
from pe_desktop.draw.typefaces import fitting
from pe_desktop.heat.heatmap import color_table
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.look_back import picture, profile, words
from pe_desktop.views.look_back.layout import LookBackLayout, list_height, look_back_layout
from pe_desktop.views.similarity import picture as map_picture
from pe_desktop.views.similarity.picture import exact_text, value_text

# Values of a table, or multiplications of a table of scores with their own cost and that of a fit, that take a few
# milliseconds.
_QUICK_DROPS: Final = 2**17
_QUICK_ROWS, _SCORE_COST, _FIT_COST = 2**22, 64, 128
# The same for some hundredths of a second: what takes longer waits until nothing else is asked for.
_SOON_DROPS, _SOON_ROWS = 2**25, 2**28


def shown_offsets(state: State) -> Span:
    """The visible offsets: at first half of the table to each side, and the peak."""
    last, places = max(state.encoding.n_positions - 1, 1), state.looks_back
    reach = float(max(min((last + 1) // 2, WIDEST_FIRST_PROFILE), min(places + places // 4 + 1, last), 1))
    return state.views.look_back.offsets or Span(-reach, reach)


def layout_of(state: State, box: Box) -> LookBackLayout:
    """Where everything stands."""
    view, whole_map = state.views.look_back, full_span(state.encoding.n_positions)
    shown = (view.rows or whole_map, view.columns or whole_map)
    return look_back_layout(box.width, box.height, shown, shown_offsets(state))


def _query_at(state: State) -> int:
    """The position of the query: the whole one next to t."""
    return round(state.cursor.position)


def questions(state: State) -> tuple[Question, ...]:
    encoding, places = state.encoding, state.looks_back
    found = [_others_question(state)]
    if not _is_quick(encoding) and encoding.is_shift_invariant:
        found.append(_drops_question(state))
    elif not _is_quick(encoding):
        found += [_shift_question(state), _rows_question(state)]
        if not holds_weights(encoding):
            found.append(Question("look-back row", find_row, (encoding, places, _query_at(state))))
    return tuple(found)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    layout, field, t, theme = layout_of(state, box), _field(state, answers), _query_at(state), box.theme
    is_weights = state.views.look_back.shows == "weights"
    limits, is_refused = None if field is None else field.limits, is_weights and not holds_weights(state.encoding)
    others = answers.answer(_others_question(state)) if layout.has_others else None
    shared = (state.encoding, state.looks_back, _known(state, answers))
    cursor = Cursor(float(t), float(-state.looks_back))
    coarse = () if box.coarseness is None or field is None else map_picture.coarse_picture(layout, theme)
    heat = None
    if field is not None:
        colors = theme.diverging[len(theme.diverging) // 2 :] if is_weights else theme.diverging
        heat = HeatLayer(field, layout.view, color_table(colors), theme.panel, layout.map)
    return Scene(
        moving=(
            *coarse,
            *(() if is_refused else map_picture.preview_picture(layout, box.preview, theme)),
            *(() if is_refused else map_picture.cursor_picture(layout, cursor, state.encoding.n_positions, theme)),
            *_moving(state, answers, layout, box),
            *_readout_card(state, field, answers, layout, box),
        ),
        still=Part(_still, *shared, is_weights, limits, layout, others, box),
        heat=heat,
        places=Part(_places, *shared, layout, t, others),
    )


def others_scene(state: State, answers: Answers, box: Box) -> Scene:
    """The list of other positions alone."""
    encoding, others = state.encoding, answers.answer(_others_question(state))
    names = _other_names(encoding.n_positions, encoding.d_model)
    area = Area(0.0, 0.0, box.width, list_height(box.width))
    return Scene(still=Part(picture.others_picture, area, state.looks_back, others, names, encoding.d_model, box.theme))


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


def progress_questions(state: State) -> tuple[Question, ...]:
    """What the map and its numbers wait for."""
    if _is_quick(state.encoding):
        return ()
    return (_drops_question(state) if state.encoding.is_shift_invariant else _rows_question(state),)


def _still(
    encoding: Encoding,
    places: int,
    known: Drops | Shift | None,
    is_weights: bool,
    limits: tuple[float, float] | None,
    layout: LookBackLayout,
    others: Others | None,
    box: Box,
) -> marks.Picture:
    theme, turns = box.theme, has_rotation(encoding)
    image = picture.weights_image(theme) if is_weights else map_image(theme.diverging)
    found = [*picture.frame_picture(layout, limits, image, encoding.n_positions, theme)]
    if limits is None and is_weights and not holds_weights(encoding):
        found += picture.refusal_picture(layout.map, words.too_many(encoding), theme)
    if layout.has_numbers:
        order = other_order(encoding, places) if turns and places else None
        column = _column(encoding, places, layout)
        found += picture.column_frame(column, places, order, turns=turns, d=encoding.d_model, theme=theme)
    if layout.has_profile:
        drops = known if isinstance(known, Drops) else None
        found += profile.frame_picture(layout, _score_limits(encoding, known), drops, places, theme)
    if layout.has_others:
        names = tuple(_other_names(encoding.n_positions, encoding.d_model))
        area = layout.others
        found.append(marks.Segments(np.array([[0.0, area.y, area.width, area.y]]), theme.line))
        found += picture.others_picture(area, places, others, names, encoding.d_model, theme)
    return tuple(found)


def _moving(state: State, answers: Answers, layout: LookBackLayout, box: Box) -> marks.Picture:
    encoding, places, t, theme = state.encoding, state.looks_back, _query_at(state), box.theme
    known = _known(state, answers)
    found: list[marks.Mark] = []
    if layout.has_numbers:
        found += picture.numbers_picture(
            _column(encoding, places, layout), places, t, _row(state, answers), _peaks(state, answers),
            has_one_margin=isinstance(known, Drops) and known.has_one_margin, theme=theme,
        )  # fmt: skip
    if layout.has_profile:
        limits, is_shared = _score_limits(encoding, known), encoding.is_shift_invariant
        found += profile.legend_picture(layout, t, theme, is_shared=is_shared)
        if isinstance(known, Shift):
            found += profile.own_row_picture(layout, limits, known, t, theme, is_paper=box.is_paper)
        else:
            found += profile.shared_row_picture(layout, limits, known, places, t, theme)
    return tuple(found)


def _lines_at(state: State, field: Field | None, answers: Answers, layout: LookBackLayout, box: Box) -> tuple[str, ...]:
    """What is under the pointer in map or profile, a line each."""
    x, y = box.pointer or (math.nan, math.nan)
    if layout.profile.holds(x, y):
        return _profile_lines(state, answers, round(layout.offset_axis.value(x)))
    if field is None or not layout.map.holds(x, y):
        return ()
    row, column = layout.cell_at(x, y, state.encoding.n_positions)
    what = "weight" if state.views.look_back.shows == "weights" else "score"
    return (
        exact_text(field.value(int(row), int(column))),
        f"{what} of query {whole(row)} and key {whole(column)}",
        f"offset {whole(column - row)}",
        *map_picture.colour_lines(layout, field.averages, box),
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


def _places(
    encoding: Encoding,
    places: int,
    known: Drops | Shift | None,
    layout: LookBackLayout,
    t: int,
    others: Others | None,
) -> tuple[Place, ...]:
    """Row t, the diagonal, the knob, and the entries of the list, as far as they are seen."""
    found: list[Place] = []
    ends = map_picture.diagonal_ends(layout, -places)
    if ends is not None:
        left, top, right, bottom = ends
        area = Area(left, top, right - left, bottom - top)
        found.append(Place(f"diagonal s = {words.place_text(places)}", area, words.offset_text(places)))
    if layout.rows.first <= t <= layout.rows.last:
        area, y = layout.map, layout.row_axis.place(t)
        found.append(Place("row t", Area(area.x, y - 4.0, area.width, 8.0), whole(t)))
    if layout.has_profile and layout.offsets.first <= -places <= layout.offsets.last:
        area, x = layout.profile, layout.offset_axis.place(-places)
        found.append(Place("knob at −n", Area(x - 6.0, area.y - 6.0, 12.0, area.height + 6.0), whole(places), True))
    if layout.has_others:
        for number, name in enumerate(_other_names(encoding.n_positions, encoding.d_model)):
            value = "" if others is None else f"{words.peaks_text(others.peaks[name])} peak"
            found.append(Place(name, picture.other_area(layout.others, number), value))
    return tuple(found)


@lru_cache(maxsize=2)
def _other_names(n_positions: int, d_model: int) -> tuple[str, ...]:
    return (*other_positions(n_positions, d_model),)


def _column(encoding: Encoding, places: int, layout: LookBackLayout) -> picture.Column:
    has_order = has_rotation(encoding) and places > 0
    sentences, meaning = words.computed(encoding, places), words.meaning(encoding)
    return picture.column_of(layout.numbers, sentences, meaning, has_order=has_order)


def _score_limits(encoding: Encoding, known: Drops | Shift | None) -> tuple[float, float]:
    """The least and the greatest score that the profile shows."""
    if encoding.is_shift_invariant:
        return (known.least, known.peak) if isinstance(known, Drops) else (0.0, squared_norm(invariant_pairs(encoding)))
    return known.limits if isinstance(known, Shift) else (0.0, 1.0)


def _drops_question(state: State) -> Question:
    encoding = state.encoding
    rank = int(encoding.n_positions * encoding.d_model > _SOON_DROPS)
    return Question("look-back drops", find_drops, (encoding,), rank, "Scores by offset")


def _shift_question(state: State) -> Question:
    return Question("look-back shift", find_shift, (state.encoding, state.looks_back))


def _rows_question(state: State) -> Question:
    encoding = state.encoding
    rank = int(encoding.n_positions**2 * (encoding.d_model + _SCORE_COST) > _SOON_ROWS)
    return Question("look-back rows", find_rows, (encoding, state.looks_back), rank, "Rows")


def _others_question(state: State) -> Question:
    encoding = state.encoding
    return Question("look-back others", find_others, (encoding.n_positions, encoding.d_model, state.looks_back), rank=1)


def _is_quick(encoding: Encoding) -> bool:
    """Whether a table is so small that it is measured within a frame."""
    n_positions, d_model = encoding.n_positions, encoding.d_model
    if encoding.is_shift_invariant:
        return n_positions * d_model <= _QUICK_DROPS
    return n_positions * (n_positions + _FIT_COST) * (d_model + _SCORE_COST) <= _QUICK_ROWS


def _answer(state: State, answers: Answers, question: Question) -> Any:
    """The answer to a question about the head: at once where the table is small."""
    return _at_once(question) if _is_quick(state.encoding) else answers.answer(question)


@lru_cache(maxsize=6)
def _at_once(question: Question) -> Any:
    return question.compute(*question.arguments, never)


def _known(state: State, answers: Answers) -> Drops | Shift | None:
    """What the scores of all rows come from."""
    question = _drops_question(state) if state.encoding.is_shift_invariant else _shift_question(state)
    known: Drops | Shift | None = _answer(state, answers, question)
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
    rows: Rows | None = None if encoding.is_shift_invariant else _answer(state, answers, _rows_question(state))
    return None if rows is None else FittedWeightField(rows)


def _row(state: State, answers: Answers) -> RowFacts | None:
    """What is known of row t."""
    known, t = _known(state, answers), _query_at(state)
    if state.encoding.is_shift_invariant:
        return known.row(state.looks_back, t) if isinstance(known, Drops) else None
    if holds_weights(state.encoding):
        rows: Rows | None = _answer(state, answers, _rows_question(state))
        return None if rows is None else rows.row(t)
    row: RowFacts | None = answers.answer(Question("look-back row", find_row, (state.encoding, state.looks_back, t)))
    return row


def _peaks(state: State, answers: Answers) -> Peaks | None:
    """In how many rows of the encoding the peak stands at -n."""
    if state.encoding.is_shift_invariant:
        known = _known(state, answers)
        return known.peaks(state.looks_back) if isinstance(known, Drops) else None
    rows: Rows | None = _answer(state, answers, _rows_question(state))
    return None if rows is None else rows.peaks()


def _readout_card(
    state: State, field: Field | None, answers: Answers, layout: LookBackLayout, box: Box
) -> marks.Picture:
    if box.pointer is None:
        return ()
    lines = _lines_at(state, field, answers, layout, box)
    return readout_card(*box.pointer, box.area, lines, box.theme) if lines else ()
