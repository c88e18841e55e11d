"""Rotary: the score of a turned query and a turned key, what it does with distance, and why positions are turned."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.scores.attention import head_refusal
from pe_desktop.core.scores.rotary import places_of, rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import decay, decay_offsets, decay_reach, n_decay_draws, score_bound
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Layers, Live, Named, Rule, Space, Words
from pe_desktop.draw.number_text import fixed, position, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, text_width
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.resources import resource_json
from pe_desktop.views.four_terms.bias import weight_text, weights_question
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.questions import WAITS, words_question
from pe_desktop.views.rotary import curve, reasons, terms
from pe_desktop.views.rotary.terms import bars_block, dial_block, matched, score_text, shown_pairs, terms_of, words_of

# From this width on two columns stand beside each other.
_WIDE: Final = 620.0
_CHIP: Final = 28.0
# With a space, as no word of a sentence has.
_NO_WORD: Final = "no word"
_WORDS: Final = resource_json("help.json")["views"]["rotary"]


def _questions(state: State) -> Questions:
    """The words, the scores of each pairing over every t, and the weights of the sentence."""
    laid = (curve.added_question(state),) if "additive" in state.views.rotary.overlays else ()
    return words_question(state), *laid, curve.pairings_question(state), *_weights(state)


def _page(state: State, answers: Answers) -> Block:
    """The words, one pair on its dial, what each pair adds; below, other distances and other pairings."""
    upper = dial_block(state), _bars(state, answers)
    lower = curve.curve_block(state, answers), curve.pairings_block(state, answers)
    wide = (terms.Joined((0.34, GROW), (upper,), gap=28.0), Rule(), flow.in_row((GROW, 0.42), *lower, gap=24.0))
    narrow = (*upper, Rule(), lower[0], Rule(), lower[1])
    both = Fits((Column(wide, gap=4.0), Column(narrow, gap=6.0)), (_WIDE, 0.0))
    return Column((Live(_head(state)), Rule(9.0), both))


def _read(page: Callable[[State, Answers], Block]) -> Callable[[State, Answers], Block]:
    """A page of the words' own query and key, once they are read."""
    waits = Words(WAITS)
    return lambda state, answers: waits if answers.answer(words_question(state)) is None else page(state, answers)


def _bars(state: State, answers: Answers) -> Block:
    return bars_block(state, *(weight_text(state, answers.answer(question)) for question in _weights(state)))


def _weights(state: State) -> Questions:
    """The weights, where query and key are those of two words."""
    return (weights_question(state, rotary_of(state).id),) if words_of(state) else ()


def _head(state: State) -> Block:
    """The word that asks on a solid chip, the one that is read on an outlined one, and where they stand."""
    words, forms, (t, k) = words_of(state), _places(state), (state.cursor.position, state.cursor.offset)
    where = _middle(Words(forms[0], "label", shorter=(*forms[1:], "")))
    if not words:
        return Layers((Space(_CHIP), where))
    asks = Named(
        "query", _chip(words[0], is_key=False), words[0], {"position": t, "front": ("attention",)}, _WORDS["asks"]
    )
    read = Named(
        "key", _chip(words[1], is_key=True), words[1], {"position": t + k, "offset": 0.0 - k}, _WORDS["is read"]
    )
    if state.reads_no_word:
        read = Named("key", _chip(_NO_WORD, is_key=True))
    return flow.in_row((FIT, FIT, FIT, GROW), asks, _middle(Words("reads", "label", "text2")), read, where, gap=8.0)


def _middle(words: Words) -> Block:
    """Words in the middle of the height of the chips."""
    return Column((Space((_CHIP - words.height(math.inf)) / 2), words))


def _chip(word: str, *, is_key: bool) -> Block:
    shown = fitting("strong", (word, f"{word[:12]}…"), 140.0)
    return Drawn(_chip_picture, (shown, is_key), _CHIP, wide=text_width("strong", shown) + 28.0)


def _chip_picture(area: Area, theme: Theme, word: str, is_key: bool) -> marks.Picture:
    ink = theme.text2 if word == _NO_WORD else theme.text if is_key else theme.panel
    # The outline lies inside: at the upper edge of the panel half of it would be cut.
    inner = area.grown(-0.8, -0.8)
    chip = marks.Rectangle(*inner, theme.panel if is_key else theme.ink, theme.ink, inner.height / 2, 1.6)
    return chip, marks.centered(*area.middle, word, "strong", ink)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if head_refusal(state.encoding.d_model):
        return ("q and k turned",)
    vectors = vectors_of(state)
    given = "of the words, untrained" if vectors.words else "seeded"
    if vectors.query or vectors.key:
        given = "given by you (0: back to the words)"
    title = rotary_of(state).title
    return f"{title}, d = {whole(vectors.d_model)}; q and k {given}", f"q and k {given}", "q and k turned"


def _places(state: State) -> tuple[str, ...]:
    """Where query and key stand, the longest form first."""
    words, (t, s) = words_of(state), places_of(state)
    here, there = position(t), position(s)
    asks, is_read = (f" of “{word}”" for word in words) if words else ("", "")
    if words and state.reads_no_word:
        is_read = f" of the nearest word, “{words[1]}”,"
    n_words = len(state.attention.words)
    key = state.cursor.position + state.cursor.offset
    beyond = ", where no word stands" if words and not 0 <= key <= n_words - 1 else ""
    long = f"query q{asks} at t = {here}, key k{is_read} at s = t + offset = {there}{beyond}"
    return long, f"t = {here}, s = {there}{beyond}", f"t = {here}, s = {there}"


def _readout(state: State, answers: Answers) -> str:
    terms = terms_of(state)
    lines = [f"pair {pair}\t{value!r}" for pair, value in enumerate(terms.tolist())]
    return "\n".join([*lines, f"score\t{float(terms.sum())!r}", curve.pairings_text(state, answers)])


def _sentence(state: State, answers: Answers) -> str:
    score = score_text(float(terms_of(state).sum()))
    offset = position(state.cursor.offset)
    is_invariant = curve.is_invariant(state, answers)
    if is_invariant:
        return f"Turned by their positions, q and k score {score} at offset {offset} wherever they stand"
    but = "" if is_invariant is None else "; elsewhere it differs"
    return f"q and k score {score} at t = {position(state.cursor.position)} and offset {offset}{but}"


def _decay_questions(state: State) -> Questions:
    """The words; the decay over the distances that are shown."""
    rotary = replace(rotary_of(state), pairing="interleaved")
    return words_question(state), Question("rotary decay", decay, (rotary, state.attention.word_seed))


def _decay_page(state: State, answers: Answers) -> Block:
    found: Floats | None = answers.answer(_decay_questions(state)[1])
    distance = abs(state.cursor.offset)
    sign = -1.0 if state.cursor.offset < 0 else 1.0
    curves = _decay_curves(state.encoding, found)
    reach = float(decay_reach(state.encoding))
    x = Scale("distance |k|", 0.0, reach, ticks="positions", sets="offset", factor=sign)
    y = Scale("", 0.0, 1.04 * max([1.0, *(float(one.y.max()) for one in curves)]))
    at = distance if distance <= reach else None
    title, *shorter = _WORDS["falls"]
    plain, sums = _WORDS["formulas"]
    chart = Chart(title, x, y, curves, at, name="plot", shorter=tuple(shorter), trained_length=state.trained_length)
    source = _WORDS["source"].format(n=whole(n_decay_draws(state.encoding.d_model)))
    stands_still = 2 * matched(state).n_turning < state.encoding.d_model
    return Column(
        (
            chart,
            Live(Words(f"At distance {position(distance)}", "title")),
            Live(flow.Table(("", ""), _decay_numbers(state, curves))),
            Live(Words(_relation(state), "caption", is_paragraph=True, n_lines=3)),
            Column(tuple(flow.paragraph(text) for text in _WORDS["decay sentences"])),
            *map(flow.Formula, (_WORDS["with still"] if stands_still else plain, sums)),
            flow.paragraph(f"{_WORDS['still']} {source}" if stands_still else source),
        ),
        gap=10.0,
    )


def _decay_curves(encoding: Encoding, found: Floats | None) -> tuple[Curve, ...]:
    if found is None:
        return ()
    offsets, (bound, independent, alike) = decay_offsets(encoding), found
    return (
        Curve("bound of the paper", offsets, bound, "axis", 4.0),
        Curve("mean |score|, independent q, k", offsets, independent, "ink", 1.2, (4.0, 3.0)),
        Curve("mean |score|, key = query", offsets, alike, "ink", 1.8),
    )


def _relation(state: State) -> str:
    """How far the bound of this query and key lies above their score where both begin: the curves don't say it."""
    score, bound = _score_and_bound(state, 0.0)
    times = f"{fixed(bound / score, 1)} times their |score| of {score_text(score, 2)}" if score else "their |score| 0"
    return str(_WORDS["relation"].format(score_text(bound, 2), times))


def _score_and_bound(state: State, offset: float) -> tuple[float, float]:
    """|score| of this query and key at an offset, and what it doesn't exceed."""
    rotary = matched(state)
    given = (*vectors_of(state).both, np.array([offset]))
    return abs(float(rotary.by_offset(*given)[0])), float(score_bound(rotary, *given)[0])


def _decay_numbers(state: State, curves: tuple[Curve, ...]) -> tuple[flow.Row, ...]:
    """The rows of the table under the plot."""
    distance = abs(state.cursor.offset)
    score, bound = _score_and_bound(state, state.cursor.offset)
    rows = [flow.Row(("this |score| ≤ its bound", f"{score_text(score, 2)} ≤ {score_text(bound, 2)}"))]
    for one in reversed(curves):
        here = fixed(float(np.interp(distance, one.x, one.y)), 3) if distance <= one.x[-1] else "…"
        rows.insert(0, flow.Row((f"{one.name}, relative", here)))
    return tuple(rows)


def _decay_sentence(state: State, _answers: Answers) -> str:
    if not rotary_of(state).n_turning:
        return "Nothing turns: a score is the same at every distance"
    return "The bound of a rotary score falls with distance, scores of unlike vectors don't"


_SCORE: Final = Page(
    _read(_page), _sentence, lambda state: _WORDS["score"] + shown_pairs(state), _questions, _readout, is_wide=True
)

VIEW = PagedView(
    lambda state: "refusal" if head_refusal(state.encoding.d_model) else state.views.rotary.page,
    {
        "score": _SCORE,
        "decay": Page(_read(_decay_page), _decay_sentence, _WORDS["decay"], _decay_questions),
        "reasons": Page(_read(reasons.page), _WORDS["why turned"], _WORDS["reasons"], reasons.questions),
        "refusal": Page(
            lambda state, _answers: flow.paragraph(head_refusal(state.encoding.d_model)),
            "No score of a query and a key",
            _WORDS["score"],
            text=lambda _state, _answers: "",
        ),
    },
    _forms,
    parts={
        "terms": replace(_SCORE, block=_read(_bars), explanation=lambda state: _WORDS["alone"] + shown_pairs(state))
    },
    shades_unseen=True,
)
