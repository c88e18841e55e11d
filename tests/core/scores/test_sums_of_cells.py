"""The parts of a score that panels show sum to the cell of the sentence, whatever the scheme, by plain loops."""

import math

import numpy as np
import pytest

from pe_desktop.core.scores.attention import attended
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import pair_terms
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.scores.term_ranges import terms_at
from pe_desktop.core.source.drawn import head_matrix, shaw_vectors, t5_biases, word_vector
from pe_desktop.core.state import State, state_of
from pe_desktop.model.findings import Task
from pe_desktop.views.four_terms.bias import questions
from tests.views.seen import ANSWERS

SENTENCE = "the chef who had prepared the meal served the dish to all guests and went"
WORDS = SENTENCE.split(" ")


def drawn_cells(count: int) -> list[tuple[str, State, int, int]]:
    """Cells of sentences, schemes, seeds and widths that are drawn at random, masks off."""
    random, cells = np.random.default_rng(26), []
    for number in range(count):
        scheme, n_words = [*SCHEMES][number % len(SCHEMES)], int(random.integers(1, len(WORDS) + 1))
        t, s = (int(place) for place in random.integers(0, n_words, 2))
        d = str(2 * random.integers(1, 33))
        given = {
            "scheme": scheme, "sentence": " ".join(WORDS[:n_words]), "word_seed": str(random.integers(0, 9)),
            "d_model": d, "position": str(t), "offset": str(s - t), "pairing": str(random.choice(PAIRINGS)),
            "rotary_share": str(random.choice([0.5, 1.0])), "slope": str(random.uniform(0, 2)),
            "clip": str(random.integers(1, 20)), "first_position": str(random.choice([0, 3])),
            "attention.is_open": "true",
        }  # fmt: skip
        cells.append((scheme, state_of(given), t, s))
    return cells


PAIRINGS = ("interleaved", "half-split", "mixed")
CELLS = drawn_cells(200)


def dot(one, other) -> float:
    return math.fsum(float(a) * float(b) for a, b in zip(one, other, strict=True))


def turned(vector, place: float, pairing: str, n_turning: int) -> list[float]:
    """A vector that RoPE turns, pair by pair."""
    found, of_half = [*map(float, vector)], pairing != "interleaved"
    for pair in range(n_turning):
        a, b = (pair, pair + n_turning) if of_half else (2 * pair, 2 * pair + 1)
        halves = []
        for part, dimension in enumerate((a, b)):
            turning = dimension // 2 if pairing == "mixed" else pair
            angle = place * 10_000.0 ** (-turning / n_turning)
            x, y = float(vector[a]), float(vector[b])
            halves.append(
                x * math.cos(angle) - y * math.sin(angle) if part == 0 else y * math.cos(angle) + x * math.sin(angle)
            )
        found[a], found[b] = halves
    return found


def bucket(offset: int) -> int:
    """T5's bucket of an offset, without a mask."""
    distance, half = abs(offset), 16 * (offset > 0)
    if distance < 8:
        return half + distance
    return half + min(8 + int(math.log(distance / 8) / math.log(128 / 8) * 8), 15)


def score_by_loops(scheme: str, state: State, t: int, s: int) -> float:
    """The score of a cell, from the drawn words and matrices."""
    attention, d, words = state.attention, state.encoding.d_model, state.attention.words
    first, seed = attention.first_position, attention.word_seed
    x, y = (word_vector(words[place].casefold(), d, seed) for place in (t, s))
    if scheme == "additive":
        x, y = x + state.encoding.values([first + t])[0], y + state.encoding.values([first + s])[0]
    w_q, w_k = (head_matrix(which, d, seed) for which in (0, 1))
    q, k = ([dot(v, w[:, column]) for column in range(d)] for v, w in ((x, w_q), (y, w_k)))
    if scheme == "rope":
        n_turning = round(attention.rotary_share * (d // 2))
        q, k = (turned(v, first + at, attention.pairing, n_turning) for v, at in ((q, t), (k, s)))
    if scheme == "shaw":
        clip = attention.clip
        a = shaw_vectors(clip, d, seed)[max(-clip, min(clip, s - t)) + clip]
        k = [one + float(other) for one, other in zip(k, a, strict=True)]
    bias = {"alibi": -attention.slope * abs(s - t), "t5": float(t5_biases(seed)[bucket(s - t)])}
    return dot(q, k) / math.sqrt(d) + bias.get(scheme, 0.0)


def parts_of(scheme: str, state: State, t: int, s: int) -> list[float]:
    """What the panel of a scheme shows as the parts of the score."""
    attention, first = state.attention, state.attention.first_position
    if scheme == "rope":
        return [*pair_terms(rotary_of(state), vectors_of(state), first + t, first + s).tolist()]
    if scheme == "additive":
        words = attention.words[t], attention.words[s]
        return [*terms_at(state.encoding, attention.word_seed, words, first + t, float(s - t), Task()).terms]
    found = ANSWERS.answer(questions(state)[0])
    return [found.content, found.bias]


@pytest.mark.parametrize(("scheme", "state", "t", "s"), CELLS)
def test_the_parts_of_a_score_sum_to_its_cell(scheme: str, state: State, t: int, s: int) -> None:
    attention = state.attention
    cell = float(attended(attention, state.encoding, tuple(range(len(attention.words)))).scores[t, s])
    assert cell == pytest.approx(score_by_loops(scheme, state, t, s), abs=1e-12)
    assert math.fsum(parts_of(scheme, state, t, s)) == pytest.approx(cell, abs=1e-12)
