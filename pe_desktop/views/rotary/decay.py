"""The page of decay: the bound of the RoPE paper, and mean |score| of seeded vectors, against the distance."""

from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import decay, decay_offsets, decay_reach, n_decay_draws, score_bound
from pe_desktop.core.state import State
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import Block, Column, Formula, Live, Row, Table, Words, paragraph
from pe_desktop.draw.number_text import fixed, position, whole
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.questions import words_question
from pe_desktop.views.rotary.terms import matched, score_text

EXPLANATION: Final = (
    "How the bound of the RoPE paper and the mean |score| of seeded queries and keys change with distance, "
    "relative to distance 0."
)
_SENTENCES: Final = (
    "The bound is a ceiling: it falls, but does not say how large a score is.",
    "Scores of queries and keys drawn independently are as large at every distance: nothing makes them fall.",
    "Where a key equals its query, all hands point the same way at 0 and part with distance: the mean |score| falls.",
)
_FORMULAS: Final = (
    "|score| ≤ max |h_{j+1} − h_j| Σ_j |S_j| / √d,  h_j = q_j k_j^*",
    "S_j = Σ_{l < j} (cos (s − t) ω_l + \\sqrt{−1} sin (s − t) ω_l)",
)
# In place of the first formula where some dimensions stand still.
_WITH_STILL: Final = f"{_FORMULAS[0].partition(',')[0]} + |Σ_c q_c k_c| / √d,  h_j = q_j k_j^*"
_STILL: Final = "The last sum is over the dimensions c that don't turn; the relative bound is that of the others."
_SOURCE: Final = "The bound of RoFormer (arXiv 2104.09864), section 3.4.3; means over {n} seeded queries and keys."


def questions(state: State) -> Questions:
    """The words; the decay over the distances that are shown."""
    rotary = replace(rotary_of(state), pairing="interleaved")
    return words_question(state), Question("rotary decay", decay, (rotary, state.attention.word_seed))


def page(state: State, answers: Answers) -> Block:
    found: Floats | None = answers.answer(questions(state)[1])
    distance = abs(state.cursor.offset)
    sign = -1.0 if state.cursor.offset < 0 else 1.0
    curves = _curves(state.encoding, found)
    highest = max((float(curve.y.max()) for curve in curves), default=1.0)
    reach = float(decay_reach(state.encoding))
    chart = Chart(
        "Do scores fall with distance? Each relative to its own value at distance 0",
        Scale("distance |k|", 0.0, reach, ticks="positions", sets="offset", factor=sign),
        Scale("", 0.0, 1.04 * max(highest, 1.0)),
        curves,
        distance if distance <= reach else None,
        name="plot",
        shorter=("Do scores fall with distance?",),
        trained_length=state.trained_length,
    )
    source = _SOURCE.format(n=whole(n_decay_draws(state.encoding.d_model)))
    stands_still = 2 * matched(state).n_turning < state.encoding.d_model
    formulas = (_WITH_STILL, *_FORMULAS[1:]) if stands_still else _FORMULAS
    return Column(
        (
            chart,
            Live(Words(f"At distance {position(distance)}", "title")),
            Live(Table(("", ""), _numbers(state, found))),
            Live(Words(_relation(state), "caption", is_paragraph=True, n_lines=3)),
            Column(tuple(paragraph(text) for text in _SENTENCES)),
            *(Formula(formula) for formula in formulas),
            paragraph(f"{_STILL} {source}" if stands_still else source),
        ),
        gap=10.0,
    )


def _curves(encoding: Encoding, found: Floats | None) -> tuple[Curve, ...]:
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
    return (
        f"The curves are relative. At distance 0 the bound of this q and k is {score_text(bound, 2)}, {times}: the "
        "heights of two curves can't be compared."
    )


def _score_and_bound(state: State, offset: float) -> tuple[float, float]:
    """|score| of this query and key at an offset, and what it doesn't exceed."""
    rotary, given = matched(state), (*vectors_of(state).both, np.array([offset]))
    return abs(float(rotary.by_offset(*given)[0])), float(score_bound(rotary, *given)[0])


def _numbers(state: State, found: Floats | None) -> tuple[Row, ...]:
    """The rows of the table under the plot."""
    distance, offsets = abs(state.cursor.offset), decay_offsets(state.encoding)
    bound_text = independent = alike = "…"
    if found is not None and distance <= offsets[-1]:
        bound_text, independent, alike = (fixed(float(np.interp(distance, offsets, curve)), 3) for curve in found)
    score, bound = _score_and_bound(state, state.cursor.offset)
    return (
        Row(("Bound of the paper, relative", bound_text)),
        Row(("Mean |score|, key = query, relative", alike)),
        Row(("Mean |score|, independent q and k, relative", independent)),
        Row(("This |score| ≤ its bound", f"{score_text(score, 2)} ≤ {score_text(bound, 2)}")),
    )
