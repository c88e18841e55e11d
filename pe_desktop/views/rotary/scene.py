"""Rotary: the score of a turned query and a turned key, what it does with distance, and why positions are turned."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import DiagonalSpread
from pe_desktop.core.scores.attention import head_refusal
from pe_desktop.core.scores.rotary import QueryAndKey, rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import pair_terms, score_spread
from pe_desktop.core.scores.schemes import PAIRINGS, Additive, Rotary
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import Block, Words, page_scene
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene, together
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.map_and_profile import cell_lines, map_picture, pointer_card, shown_map
from pe_desktop.views.paged import Page, PagedView, ScenePage
from pe_desktop.views.rotary import curve, decay, pairings, reasons, terms
from pe_desktop.views.rotary.curve import Case, ScoreLayout, case_of, score_layout, spread_text
from pe_desktop.views.rotary.terms import Terms, score_text


def layout_of(state: State, _answers: Answers, box: Box) -> ScoreLayout:
    """Where everything stands on the page of the score, or would stand where there is no head."""
    return _layout_in(box, state, (0.0, 1.0) if refusal_of(state) else _case(state).reach)


def _layout_in(box: Box, state: State, reached: tuple[float, float]) -> ScoreLayout:
    view, n_positions = state.views.rotary, state.encoding.n_positions
    reach = float(min(max(n_positions - 1, 1), WIDEST_FIRST_PROFILE))
    visible, offsets = shown_map(n_positions, view.rows, view.columns), view.offsets or Span(-reach, reach)
    return score_layout(box.width, box.height, visible, offsets, n_positions, reached)


def _questions(state: State) -> tuple[Question, ...]:
    return (*_residual_questions(state, _case(state)), _pairings_question(state))


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if refusal_of(state):
        return ("seeded",)
    cursor, vectors = state.cursor, vectors_of(state)
    here, there = position(cursor.position), position(cursor.position + cursor.offset)
    given = "typed (0: the words again)" if vectors.query or vectors.key else "seeded"
    asks, is_read = (f" of {word}" for word in vectors.words) if vectors.words and given == "seeded" else ("", "")
    both, at = f"q{asks} at t = {here}, k{is_read} at s = {there}", f"t = {here}, s = {there}"
    more = f", d = {whole(vectors.d_model)}"
    return f"{both}{more if asks else f'; {given}{more}'}", both, at, "words" if asks else given


def _readout(state: State, answers: Answers) -> str:
    found = _terms(state)
    lines = [f"pair {pair}\t{value!r}" for pair, value in enumerate(found.values)]
    return "\n".join([*lines, f"score\t{found.score!r}", pairings.readout(_rows(state, answers))])


def _sentence(state: State, answers: Answers) -> str:
    score, offset = score_text(_terms(state).score), position(state.cursor.offset)
    is_invariant = _rows(state, answers)[[*PAIRINGS].index(state.attention.pairing)].is_invariant
    if is_invariant:
        return f"Turned by their positions, q and k score {score} at offset {offset} wherever they stand"
    but = "" if is_invariant is None else "; elsewhere it differs"
    return f"q and k score {score} at t = {position(state.cursor.position)} and offset {offset}{but}"


def _decay_sentence(state: State, _answers: Answers) -> str:
    if not rotary_of(state).n_turning:
        return "Nothing turns: a score is the same at every distance"
    return "The bound of a rotary score falls with distance, scores of unlike vectors don't"


def _reasons_sentence(_state: State, _answers: Answers) -> str:
    return "Why positions are turned and no longer added"


def _refusal_block(state: State, _answers: Answers) -> Block:
    return Words(refusal_of(state), "caption", "text2", is_paragraph=True)


def _lines_at(state: State, layout: ScoreLayout, case: Case, box: Box) -> tuple[str, ...]:
    """What is under the pointer, a line each."""
    (x, y), t = box.pointer or (math.nan, math.nan), state.cursor.position
    if terms.plot_area(layout.terms).holds(x, y):
        return _bar_lines(state, layout.terms, x)
    if layout.profile.holds(x, y):
        offset = round(layout.offset_axis.value(x))
        if case.by_offset is None and not 0 <= t + offset <= case.n_positions - 1:
            return ()
        return score_text(case.score(t, t + offset), 6), f"{case.scheme.title} at offset {whole(offset)}"
    if layout.map.holds(x, y):
        row, column = layout.cell_at(x, y)
        what = f"q at {whole(row)}, k at {whole(column)}"
        return cell_lines(layout, (row, column), score_text(case.score(row, column), 6), what, case.field.averages, box)
    return ()


def _bar_lines(state: State, area: Area, x: float) -> tuple[str, ...]:
    """What is told of the bar at an x: what it adds, its pairs, and how its first one turns."""
    found, rotary = _terms(state), rotary_of(state)
    bars = [*found.bars(area.width)]
    pair, last, value = bars[min(int((x - area.x) / area.width * len(bars)), len(bars) - 1)]
    name = f"pair {whole(pair)}" if pair == last else f"pairs {whole(pair)} to {whole(last)}"
    turn = "not turned"
    if pair < found.n_turning and rotary.pairs is not None:
        turn = f"wavelength {short(float(rotary.pairs.wavelengths[pair]))}".replace("-", MINUS)
    return score_text(value, 6), name, turn


def _score_scene(state: State, answers: Answers, box: Box) -> Scene:
    case, theme, cursor, heat = _case(state), box.theme, state.cursor, None
    layout = _layout_in(box, state, case.reach)
    found, is_mixed = _terms(state), state.attention.pairing == "mixed"
    formula, n_pairs = terms.MIXED_FORMULA if is_mixed else terms.FORMULA, len(found.values)
    pins = (pin for pin in cursor.visible_pins(state.encoding) if pin != cursor.pair)
    marked = tuple(pair for pair in (min(cursor.pair, n_pairs - 1), *pins) if pair < n_pairs)
    # No t changes the terms unless pairings are mixed up.
    bars, moving = Part(terms.terms_picture, layout.terms, found, marked, theme), list[marks.Mark]()
    still = [Part(terms.head_picture, layout, n_pairs, found.n_turning, formula, theme)]
    if is_mixed:
        moving += bars()
    else:
        still.append(bars)
    if layout.has_profile:
        still.append(Part(curve.frame_picture, layout, case, theme))
        moving += curve.moving_picture(layout, case, cursor, theme, is_paper=box.is_paper)
    if layout.has_map:
        heat = layout.heat(case.field, theme.diverging, theme)
        residuals = (answers.answer(question) for question in _residual_questions(state, case))
        still.append(Part(_map_notes, layout, case, tuple(residuals), theme))
        moving += map_picture(layout, cursor, box)
    places = [Part(_score_places, layout, case, found, cursor)]
    if layout.table.height:
        block = pairings.table(state, _rows(state, answers), layout.table.width, is_roomy=layout.is_roomy)
        page = page_scene(block, box, area=layout.table)
        still.append(page.still)
        places.append(page.places)
        moving += page.moving
    moving += pointer_card(box, _lines_at(state, layout, case, box))
    return Scene(tuple(moving), Part(together, *still, Part(_dividers, layout, theme)), heat, Part(together, *places))


def _map_notes(layout: ScoreLayout, case: Case, residuals: tuple[float | None, ...], theme: Theme) -> marks.Picture:
    """Beside the map: whether an offset has one score, by how much not, and how it is with added positions."""
    x, y = layout.map.right + 14.0, layout.map.y + 8.0
    lines = [("same offset,", "caption", theme.text2, 0.0)]
    lines.append(("same score" if case.by_offset is not None else "other scores", "caption", theme.text2, 17.0))
    lines += [("spread", "tick", theme.text2, 44.0), (spread_text(residuals[0]), "value", theme.text, 61.0)]
    if case.added is not None:
        lines += [("spread, added", "tick", theme.text2, 88.0), (spread_text(residuals[1]), "value", theme.text, 105.0)]
    lines.append(("row t, column s", "tick", theme.text3, lines[-1][3] + 27.0))
    return tuple(
        marks.Text(x, y + down, text, role, color) for text, role, color, down in lines if y + down <= layout.map.bottom
    )


def _dividers(layout: ScoreLayout, theme: Theme) -> marks.Picture:
    """Lines over curve and table."""
    tops = [layout.profile.y - curve.CURVE_HEAD] if layout.has_profile else []
    if layout.table.height > 0:
        tops.append(layout.table.y)
    heights = [top - curve.BETWEEN / 2 for top in tops]
    return tuple(marks.Segments(np.array([[0.0, y, layout.width, y]]), theme.line) for y in heights)


def _score_places(layout: ScoreLayout, case: Case, found: Terms, cursor: Cursor) -> tuple[Place, ...]:
    value = score_text(case.score(cursor.position, cursor.position + cursor.offset), 4)
    bars = terms.places(layout.terms, found, cursor.pair, layout.width)
    return (*bars, *layout.places(cursor, ("cursor k", value)))


def refusal_of(state: State) -> str:
    """Why there is nothing to be seen; empty where there is."""
    return head_refusal(state.encoding.d_model) or ""


def _case(state: State) -> Case:
    """What curve and map show: the scores of a scheme, with its positions on."""
    scheme = replace(state.attention, scheme=state.views.rotary.scheme, drops_positions=False).made(state.encoding)
    added = Additive(state.encoding) if state.views.rotary.scheme == "rope" else None
    return case_of(scheme, vectors_of(state), state.encoding.n_positions, added)


def _terms(state: State) -> Terms:
    """What each pair adds; unless pairings are mixed up it is the same from 0 on, whatever t."""
    t = state.cursor.position if state.attention.pairing == "mixed" else 0.0
    return _terms_of(rotary_of(state), vectors_of(state), t, t + state.cursor.offset)


@lru_cache(maxsize=4)
def _terms_of(rotary: Rotary, vectors: QueryAndKey, t: float, s: float) -> Terms:
    return Terms(tuple(pair_terms(rotary, vectors, t, s).tolist()), rotary.n_turning)


def _residual_questions(state: State, case: Case) -> tuple[Question, ...]:
    """The residual of the scheme that is shown, and that of added positions beside RoPE."""
    schemes = (case.scheme,) if case.added is None else (case.scheme, case.added)
    return tuple(curve.residual_question(state, scheme) for scheme in schemes)


def _pairings_question(state: State) -> Question:
    arguments = (state.encoding, state.attention.rotary_share, vectors_of(state), state.cursor.offset)
    return Question("rotary pairings", _find_spreads, arguments)


def _find_spreads(
    encoding: Encoding, share: float, vectors: QueryAndKey, offset: float, task: Task
) -> tuple[DiagonalSpread, ...]:
    """The spread along the diagonal of an offset under each pairing, measured on rotated vectors."""
    return tuple(score_spread(Rotary(encoding, name, share), vectors, offset) for name in PAIRINGS)


def _rows(state: State, answers: Answers) -> tuple[pairings.Row, ...]:
    return pairings.rows_of(state, answers.answer(_pairings_question(state)))


_EXPLANATION: Final = (
    "Above, what each pair of dimensions adds to the score of a turned query and a turned key: bars in the "
    "colours of the pairs, and their running sum. In the middle the score against the offset k = s − t, and at "
    "every t and s. Below, one score at three positions under each pairing; a spread on a diagonal is its "
    "largest score less its smallest."
)

_SCORE: Final = ScenePage(_score_scene, _sentence, _EXPLANATION, _readout, _questions)
# So low, the page has the terms alone.
_ALONE: Final = "What each pair of dimensions adds to the score of a turned query and key, and the running sum."
_TERMS: Final = replace(_SCORE, explanation=_ALONE, height=lambda _state, _answers, _width, _theme: 220.0)

VIEW = PagedView(
    lambda state: "refusal" if refusal_of(state) else state.views.rotary.page,
    {
        "score": _SCORE,
        "decay": Page(decay.page, _decay_sentence, decay.EXPLANATION, decay.questions),
        "reasons": Page(reasons.page, _reasons_sentence, reasons.EXPLANATION, reasons.questions),
        "refusal": Page(
            _refusal_block,
            lambda _state, _answers: "No score of a query and a key",
            _EXPLANATION,
            text=lambda _state, _answers: "",
        ),
    },
    _forms,
    parts={"terms": _TERMS},
)
