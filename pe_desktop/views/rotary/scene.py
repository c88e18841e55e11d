"""Rotary: the score of a turned query and a turned key, what it does with distance, and why positions are turned."""

from dataclasses import replace
from typing import Any, Final

from pe_desktop.core.cursor import Span, full_span, visible_pins
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.scores.head import head_refusal
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import pair_terms, score_at
from pe_desktop.core.scores.schemes import PAIRINGS, Additive, Scheme
from pe_desktop.core.similarity import DiagonalSpread
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import Block, Words, page_scene
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.map_and_profile import colour_lines, map_picture, pointer_card
from pe_desktop.views.paged import Page, PagedView, ScenePage
from pe_desktop.views.rotary import curve, decay, pairings, reasons, terms
from pe_desktop.views.rotary.curve import Case
from pe_desktop.views.rotary.layout import ScoreLayout, score_layout
from pe_desktop.views.rotary.terms import Terms, score_text


def shown_offsets(state: State) -> Span:
    """The visible offsets of the curve."""
    reach = float(min(max(state.encoding.n_positions - 1, 1), WIDEST_FIRST_PROFILE))
    return state.views.rotary.offsets or Span(-reach, reach)


def layout_of(state: State, box: Box) -> ScoreLayout:
    """Where everything stands on the page of the score."""
    view, everything = state.views.rotary, full_span(state.encoding.n_positions)
    shown = (view.rows or everything, view.columns or everything)
    return score_layout(box.width, box.height, shown, shown_offsets(state))


def pair_at(state: State, layout: ScoreLayout, x: float, y: float) -> int | None:
    """The pair whose bar or number is under a point; None elsewhere."""
    area = layout.terms
    if refusal_of(state) or not Area(area.x, area.y, area.width, area.height + 28.0).holds(x, y):
        return None
    return terms.bar_at(area, x, _n_pairs(state))


def _questions(state: State) -> tuple[Question, ...]:
    return (*_residual_questions(state), _pairings_question(state))


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    cursor, rotary = state.cursor, state.views.rotary
    given = "given (0: seeded again)" if rotary.query or rotary.key else "seeded"
    here, there = position(cursor.position), position(cursor.position + cursor.offset)
    both, at = f"query at t = {here}, key at s = {there}", f"t = {here}, s = {there}"
    return f"{both}; {given}, d = {whole(state.encoding.d_model)}", both, at, "seeded"


def _readout(state: State, answers: Answers) -> str:
    found = _terms(state)
    lines = [f"pair {pair}\t{value!r}" for pair, value in enumerate(found.values.tolist())]
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


def _refusal_sentence(_state: State, _answers: Answers) -> str:
    return "No score of a query and a key"


def _refusal_block(state: State, _answers: Answers) -> Block:
    return Words(refusal_of(state), "caption", "text2", is_paragraph=True)


def _nothing(_state: State, _answers: Answers) -> str:
    return ""


def _page(state: State) -> str:
    return "refusal" if refusal_of(state) else state.views.rotary.page


def _lines_at(state: State, layout: ScoreLayout, x: float, y: float, box: Box) -> tuple[str, ...]:
    """What is under a point of the page of the score, a line each."""
    pair = pair_at(state, layout, x, y)
    if pair is not None:
        return _pair_lines(state, layout, pair)
    case, t = _case(state), state.cursor.position
    if layout.has_profile and layout.profile.holds(x, y):
        offset = round(layout.offset_axis.value(x))
        s = t + offset
        if not case.is_shared and not 0 <= s <= case.n_positions - 1:
            return ()
        return score_text(
            score_at(case.scheme, case.vectors, t, s), 6
        ), f"{case.scheme.title} at offset {whole(offset)}"
    if layout.has_map and layout.map.holds(x, y):
        row, column = layout.cell_at(x, y, case.n_positions)
        score = score_text(score_at(case.scheme, case.vectors, row, column), 6)
        places = f"q at {whole(row)}, k at {whole(column)}", f"offset {whole(column - row)}"
        return score, *places, *colour_lines(layout, case.field.averages, box)
    return ()


def _score_scene(state: State, answers: Answers, box: Box) -> Scene:
    layout, case, theme = layout_of(state, box), _case(state), box.theme
    encoding, cursor = state.encoding, state.cursor
    still, moving = _terms_parts(state, layout, theme)
    heat = None
    if layout.has_profile:
        still.append(Part(curve.frame_picture, layout, case, curve.still_row(layout, case, cursor.position), theme))
        moving += curve.cursor_picture(layout, case, cursor, theme, is_paper=box.is_paper)
    if layout.has_map:
        heat = layout.heat(case.field, theme.diverging, theme)
        still.append(Part(curve.map_notes, layout, case, *_residuals(state, answers), theme))
        moving += map_picture(layout, cursor, encoding.n_positions, box)
    if layout.has_table:
        table = _table_scene(state, _rows(state, answers), layout, box)
        still.append(table.still)
        moving += table.moving
    if box.pointer is not None:
        moving += pointer_card(box, _lines_at(state, layout, *box.pointer, box))
    places = Part(_score_places, state, layout, _spreads(state, answers), box)
    return Scene(tuple(moving), Part(_together, *still, Part(_dividers, layout, theme)), heat, places)


def _terms_parts(state: State, layout: ScoreLayout, theme: Theme) -> tuple[list[Part], list[marks.Mark]]:
    """The terms, which no t changes unless pairings are mixed up: what of them is still, and what moves."""
    found, is_mixed = _terms(state), state.attention.pairing == "mixed"
    chosen, n_pairs = state.cursor.pair, len(found.values)
    pins = (pin for pin in visible_pins(state.cursor, state.encoding) if pin != chosen and pin < n_pairs)
    seen = terms.seen_terms(found, (chosen, *pins))
    formula = terms.MIXED_FORMULA if is_mixed else terms.FORMULA
    head = Part(terms.head_picture, layout, n_pairs, found.n_turning, formula, theme)
    if is_mixed:
        return [head], [*terms.terms_picture(layout, seen, theme)]
    return [head, Part(terms.terms_picture, layout, seen, theme)], []


def _together(*parts: Part) -> marks.Picture:
    return tuple(mark for part in parts for mark in part())


def _dividers(layout: ScoreLayout, theme: Theme) -> marks.Picture:
    return tuple(marks.Segments(layout.line(y), theme.line) for y in layout.dividers)


def _score_places(
    state: State, layout: ScoreLayout, spreads: tuple[DiagonalSpread, ...] | None, box: Box
) -> tuple[Place, ...]:
    cursor, case = state.cursor, _case(state)
    found = terms.places(layout, _terms(state), cursor.pair)
    value = score_text(score_at(case.scheme, case.vectors, cursor.position, cursor.position + cursor.offset), 4)
    found += layout.offset_places(cursor.offset, "cursor k", value)
    found += layout.row_places(cursor.position)
    if layout.has_table:
        found += _table_scene(state, _rows_with(state, spreads), layout, box).places()
    return tuple(found)


def _table_scene(state: State, rows: tuple[pairings.Row, ...], layout: ScoreLayout, box: Box) -> Scene:
    block = pairings.table(state, rows, layout.table.width, is_roomy=layout.is_roomy)
    return page_scene(block, box, area=layout.table)


def refusal_of(state: State) -> str:
    """Why there is nothing to be seen; empty where there is."""
    return head_refusal(state.encoding.d_model) or ""


def _n_pairs(state: State) -> int:
    return (state.encoding.d_model + 1) // 2


def _scheme(state: State) -> Scheme:
    """Whose scores curve and map show, with its positions on."""
    return replace(state.attention, scheme=state.views.rotary.scheme, drops_positions=False).made(state.encoding)


def _case(state: State) -> Case:
    added = Additive(state.encoding) if state.views.rotary.scheme == "rope" else None
    return Case(_scheme(state), vectors_of(state), state.encoding, added)


def _terms(state: State) -> Terms:
    rotary, cursor = rotary_of(state), state.cursor
    values = pair_terms(rotary, vectors_of(state), cursor.position, cursor.position + cursor.offset)
    return Terms(values, rotary.n_turning)


def _residual_questions(state: State) -> tuple[Question, ...]:
    """The residual of the scheme that is shown, and that of added positions beside RoPE."""
    case = _case(state)
    schemes = (case.scheme,) if case.added is None else (case.scheme, case.added)
    return tuple(curve.residual_question(state, scheme) for scheme in schemes)


def _residuals(state: State, answers: Answers) -> tuple[float | None, float | None]:
    found: list[Any] = [answers.answer(question) for question in _residual_questions(state)]
    return (*found, None)[0], (*found, None)[1]


def _pairings_question(state: State) -> Question:
    arguments = (state.encoding, state.attention.rotary_share, vectors_of(state), state.cursor.offset)
    return Question("rotary pairings", pairings.find_spreads, arguments)


def _spreads(state: State, answers: Answers) -> tuple[DiagonalSpread, ...] | None:
    found: tuple[DiagonalSpread, ...] | None = answers.answer(_pairings_question(state))
    return found


def _rows(state: State, answers: Answers) -> tuple[pairings.Row, ...]:
    return _rows_with(state, _spreads(state, answers))


def _rows_with(state: State, spreads: tuple[DiagonalSpread, ...] | None) -> tuple[pairings.Row, ...]:
    return pairings.rows_of(state.encoding, state.attention.rotary_share, vectors_of(state), state.cursor, spreads)


def _pair_lines(state: State, layout: ScoreLayout, pair: int) -> tuple[str, ...]:
    found, n_pairs = _terms(state), _n_pairs(state)
    last = min(pair + terms.pairs_in_a_bar(n_pairs, layout.terms.width), n_pairs) - 1
    value = score_text(float(found.values[pair : last + 1].sum()), 6)
    name = f"pair {whole(pair)}" if pair == last else f"pairs {whole(pair)} to {whole(last)}"
    rotary = rotary_of(state)
    if pair >= found.n_turning:
        return value, name, "not turned"
    wavelength = rotary.pairs.wavelengths[pair] if rotary.pairs is not None else 0.0
    return value, name, f"wavelength {short(float(wavelength))}".replace("-", MINUS)


_EXPLANATION: Final = (
    "Above, what each pair of dimensions adds to the score of a turned query and a turned key: bars in the "
    "colours of the pairs, and their running sum. In the middle the score against the offset k = s − t, and at "
    "every t and s. Below, one score at three positions under each pairing; a spread on a diagonal is its "
    "largest score less its smallest."
)

VIEW = PagedView(
    _page,
    {
        "score": ScenePage(_score_scene, _sentence, _EXPLANATION, _readout, _questions),
        "decay": Page(decay.page, _decay_sentence, decay.EXPLANATION, decay.questions),
        "reasons": Page(reasons.page, _reasons_sentence, reasons.EXPLANATION, reasons.questions),
        "refusal": Page(_refusal_block, _refusal_sentence, _EXPLANATION, text=_nothing),
    },
    _forms,
)
