"""The sum of a score whose positions are a bias: what two words score by themselves, and what their offset adds."""

from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.scores.attention import Attended, Head, attended
from pe_desktop.core.scores.schemes import Alibi, Scheme
from pe_desktop.core.scores.term_ranges import BiasAt, bias_at
from pe_desktop.core.state import State
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import Block, Column, Formula, Live, Row, Table, paragraph
from pe_desktop.draw.number_text import copied, fixed, position, short
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.questions import QUICK_WIDTH

# Words of a sentence up to which its weights take less than a frame.
_QUICK_WORDS: Final = 32


def questions(state: State) -> Questions:
    """The parts of the score at t and t + k, and the head over the sentence."""
    attention, cursor = state.attention, state.cursor
    scheme, n_words = attention.made(state.encoding), len(attention.words)
    # Where t doesn't count, another one asks for nothing new.
    t = 0.0 if scheme.is_shift_invariant else attention.first_position + cursor.position
    head = Head(state.encoding.d_model, attention.word_seed)
    of = (scheme, head, state.scored_words, (t, cursor.offset), n_words)
    return Question("bias of a score", bias_at, of, is_quick=head.is_kept), weights_question(state)


def weights_question(state: State, scheme: str = "") -> Question:
    """What the head makes of the sentence as written, under its scheme or another one."""
    attention = state.attention
    if scheme:
        attention = replace(attention, scheme=scheme, drops_positions=False)
    n_words = len(attention.words)
    is_quick = state.encoding.d_model <= QUICK_WIDTH and n_words <= _QUICK_WORDS
    return Question("sentence", attended, (attention, state.encoding, tuple(range(n_words))), is_quick=is_quick)


def cell_of(state: State) -> tuple[int, int] | None:
    """The places of the words at t and t + k, None where no word stands at one of them."""
    t, s = map(float, state.cursor.both)
    n_words = len(state.attention.words)
    return (int(t), int(s)) if all(0 <= at < n_words and at.is_integer() for at in (t, s)) else None


def weight_text(state: State, found: Attended | None) -> str:
    """How much the word at t reads of that at t + k, in three decimals; why there is no such number."""
    cell = cell_of(state)
    if cell is None:
        return "no word there"
    return "…" if found is None else fixed(float(found.weights[cell]), 3)


def no_word_notes(state: State) -> tuple[Block, ...]:
    """That no word stands at t + k, and whose numbers are shown instead."""
    if not state.reads_no_word:
        return ()
    nearest = state.scored_words[1]
    note = f"No word stands at t + k: the numbers are those of the nearest one, “{nearest}”."
    return (paragraph(note, "caption", "text"),)


def page(state: State, answers: Answers) -> Block:
    """Content, bias of this offset, their sum and its weight; below, the bias at other offsets."""
    of_parts, of_head = questions(state)
    found: BiasAt | None = answers.answer(of_parts)
    scheme = state.attention.made(state.encoding)
    numbers = (None,) * 3 if found is None else (found.content, found.bias, found.score)
    k = position(state.cursor.offset)
    names = scheme.content_says, f"What k = {k} changes", "Score = sum of both"
    if not scheme.content_says:
        names = "Content: q · k / √d", f"Bias of offset k = {k}", "Score = content + bias"
    told = (("…" if number is None else fixed(number, 4), copied(number)) for number in numbers)
    rows = [Row((name, text), exact=(name, exact)) for name, (text, exact) in zip(names, told, strict=True)]
    rows.append(Row(("Weight in its row", weight_text(state, answers.answer(of_head)))))
    blocks: list[Block] = [
        Formula(scheme.sum_formula, 18),
        *no_word_notes(state),
        Live(Table(("", ""), tuple(rows))),
        paragraph(scheme.sum_says),
    ]
    return Column((*blocks, *(_curve(state, scheme, found) if found is not None else ())), gap=10.0)


def sentence(state: State, answers: Answers) -> str:
    found: BiasAt | None = answers.answer(questions(state)[0])
    title = state.attention.made(state.encoding).title
    parts = "" if found is None else f": {fixed(found.content, 3)} and a bias of {fixed(found.bias, 3)}"
    return f"A score of {title} at k = {position(state.cursor.offset)}{parts}"


def _curve(state: State, scheme: Scheme, found: BiasAt) -> tuple[Block, ...]:
    """The bias against the offset, of schemes that have one."""
    biases = np.array(found.biases)
    if not biases.any():
        return ()
    reach = (len(biases) - 1) / 2
    low, high = min(float(biases.min()), 0.0), max(float(biases.max()), 0.0)
    room = 0.05 * (high - low)
    m = f", m = {short(scheme.slope)}" if isinstance(scheme, Alibi) else ""
    title = "What every offset changes" if scheme.content_says else f"Bias of every offset{m}"
    x = Scale("offset k = s − t", -reach, reach, ticks="offsets", sets="offset")
    y = Scale("", low - room, high + room)
    curve = Curve("", np.arange(-reach, reach + 1.0), biases, is_chosen=True)
    note = f"k = {position(state.cursor.offset)}: {fixed(found.bias, 3)}"
    trained_length = state.trained_length
    return (Chart(title, x, y, (curve,), state.cursor.offset, note, dots=(found.bias,), trained_length=trained_length),)
