"""The page "n before m": the vector of n against that of m moved back by j positions, for some j."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.decoder import Hands, steps_back
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import rotation_refusal
from pe_desktop.core.state import State
from pe_desktop.draw.chart import LEFT, RIGHT, Chart, Curve, Scale
from pe_desktop.draw.flow import GROW, Block, Column, Fits, Grid, Layers, Live, Named, Space, Words
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.decoder import words
from pe_desktop.views.decoder.read import WIDE, reading

EXPLANATION: Final = (
    "The vector of n against that of m moved back by j positions, for each j: the dot product is as large as "
    "the squared length of a row, the dashed line, exactly where n stands j before m."
)
# Shifts to each side of the one that is asked for.
_PLACES_AROUND: Final = 4
_TALL, _BAR = 210.0, 22.0


def questions(state: State) -> tuple[Question, ...]:
    """What all hands of m and of n read."""
    if rotation_refusal(state.encoding):
        return ()
    t, k, counts = state.cursor.position, state.cursor.offset, (n_hands(state.encoding),)
    return tuple(reading(state, Hands(state.encoding, at), counts) for at in (t, t + k))


def page(state: State, answers: Answers) -> Block:
    refusal = rotation_refusal(state.encoding)
    if refusal:
        return Words(refusal, "caption", "text2", is_paragraph=True)
    places, scores, asked = _places(state), _scores(state), state.views.decoder.places
    title, text = _answer(state), _words(state, answers, scores)
    named = [
        Named(_name(j), Space(_TALL), fixed(score, 9), {"decoder.places": j}, is_chosen=j == asked)
        for j, score in zip(places, scores.tolist(), strict=True)
    ]
    # Each place reaches over its bar.
    cells = Grid((LEFT, *(GROW,) * len(named), RIGHT), ((Space(1.0), *named, Space(1.0)),), gap=0.0)
    heads = [
        (
            Live(Words(title, role, n_lines=lines, is_for_screen=True)),
            Live(Words(text, "caption", "text2", n_lines=2 * lines)),
        )
        for role, lines in (("message", 1), ("strong", 2))
    ]
    wide, narrow = (Column((*head, Layers((Live(_chart(state, scores)), cells))), gap=6.0) for head in heads)
    return Fits((wide, narrow), (WIDE, 0.0))


def sentence(state: State, _answers: Answers) -> str:
    refusal = rotation_refusal(state.encoding)
    return refusal.rstrip(".").replace("-", MINUS) if refusal else _answer(state)


def readout(state: State, _answers: Answers) -> str:
    if rotation_refusal(state.encoding):
        return ""
    scores = zip(_places(state), _scores(state).tolist(), strict=True)
    return "\n".join(f"p_n . M_({-j}) p_m\t{score!r}" for j, score in scores)


def _answer(state: State) -> str:
    """Yes where the product for the number that is asked for is as large as it can be, but for rounding."""
    m, n, most = state.cursor.position, state.cursor.position + state.cursor.offset, _squared_length(state)
    is_so = bool(_scores(state)[_PLACES_AROUND] >= most - 1e-11 * most)
    return f"{words.before_question(state.views.decoder.places)} {words.before_answer(m, n, is_so=is_so)}"


def _words(state: State, answers: Answers, scores: Floats) -> str:
    asked, most = state.views.decoder.places, _squared_length(state)
    here, near = float(scores[_PLACES_AROUND]), scores[[_PLACES_AROUND - 1, _PLACES_AROUND + 1]].tolist()
    text = [f"p(n) · M({whole(-asked)}) p(m) = {fixed(here, 9)} of at most |p|² = {fixed(most, 9)}."]
    under, over = (short(most - score) for score in near)
    text.append(f"For {whole(asked - 1)} before it is {under} lower, for {whole(asked + 1)} before {over}.")
    rows = [answers.answer(question) for question in questions(state)]
    if None not in rows:
        m, n = (row[0].by_distance.positions[0] for row in rows)
        text.append(f"All hands read m = {whole(m)} and n = {whole(n)}.")
    return " ".join(text)


def _name(places: int) -> str:
    return f"{whole(abs(places))} {'before' if places >= 0 else 'after'}"


def _places(state: State) -> range:
    asked = state.views.decoder.places
    return range(asked - _PLACES_AROUND, asked + _PLACES_AROUND + 1)


def _scores(state: State) -> Floats:
    t, k = state.cursor.position, state.cursor.offset
    return _steps_back(state.encoding, t, t + k, _places(state))


@lru_cache(maxsize=2)
def _steps_back(encoding: Encoding, m: float, n: float, places: range) -> Floats:
    return steps_back(encoding, m, n, places)


def _squared_length(state: State) -> float:
    pairs = state.encoding.pairs
    return 0.0 if pairs is None else float(np.sum(np.square(pairs.lengths)))


def _chart(state: State, scores: Floats) -> Block:
    """p_n · (M_-j p_m) for each j, against the most that it can be; the chosen j is solid."""
    places, most = np.array(_places(state), dtype=np.float64), _squared_length(state)
    ends, is_asked = (places[0] - 0.5, places[-1] + 0.5), places == state.views.decoder.places
    curves = [
        Curve("", places[part], scores[part], ink, _BAR, style="bars")
        for part, ink in ((is_asked, "ink"), (~is_asked, "axis"))
    ]
    curves.append(Curve("", np.array(ends), np.full(2, most), "text2", 1.2, (5.0, 4.0)))
    scales = Scale("j places back", *ends), Scale("", min(*scores.tolist(), 0.0), 1.08 * most)
    note = f"dashed: |p|² = {words.score_text(most)}"
    return Chart("p(n) · M(−j) p(m)", *scales, tuple(curves), note=note, tall=_TALL - 74.0, name="products", grows=True)
