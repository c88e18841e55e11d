"""Parts of a score sum to the cell of the sentence, whatever the scheme; ranges of the four terms; by plain loops."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding, State, attended, state_of
from pe_desktop.core.lags import never
from pe_desktop.core.scores.attention import Head, word_vectors
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import pair_terms
from pe_desktop.core.scores.schemes import PAIRINGS, SCHEMES
from pe_desktop.core.scores.term_ranges import TermsAt, term_ranges, terms_at
from pe_desktop.core.scores.term_ranges import parts_of as score_parts
from pe_desktop.model.findings import Task
from pe_desktop.views.four_terms.bias import questions
from tests.core.scores.loops import cell
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
            "d_model": d, "position": str(t), "offset": str(s - t), "pairing": str(random.choice([*PAIRINGS])),
            "rotary_share": str(random.choice([0.5, 1.0])), "slope": str(random.uniform(0, 2)),
            "clip": str(random.integers(1, 20)), "first_position": str(random.choice([0, 3])),
            "kerple_r1": str(random.uniform(0.1, 2)), "kerple_r2": str(random.uniform(0.1, 2)),
            "proportion": str(random.uniform(0, 1)), "forget_bias": str(random.uniform(-2, 2)),
            "attention.is_open": "true",
        }  # fmt: skip
        cells.append((scheme, state_of(given), t, s))
    return cells


CELLS = drawn_cells(220)


def parts_of(scheme: str, state: State, t: int, s: int) -> list[float]:
    """What the panel of a scheme shows as the parts of the score."""
    attention, first = state.attention, state.attention.first_position
    if scheme in ("rope", "p-rope"):
        return [*pair_terms(rotary_of(state), vectors_of(state), first + t, first + s).tolist()]
    if scheme == "additive":
        words = attention.words[t], attention.words[s]
        return [*terms_at(state.encoding, attention.word_seed, words, first + t, float(s - t), Task()).terms]
    found = ANSWERS.answer(questions(state)[0])
    return [found.content, found.bias]


@pytest.mark.parametrize(("scheme", "state", "t", "s"), CELLS)
def test_the_parts_of_a_score_sum_to_its_cell(scheme: str, state: State, t: int, s: int) -> None:
    attention = state.attention
    score = float(attended(attention, state.encoding, tuple(range(len(attention.words)))).scores[t, s])
    assert score == pytest.approx(cell(attention, state.encoding, t, s), abs=1e-12)
    assert math.fsum(parts_of(scheme, state, t, s)) == pytest.approx(score, abs=1e-12)
    parts = score_parts(attention, state.encoding, t, s, Task())
    assert len(parts.terms) == {"none": 1, "additive": 4}.get(scheme, 2)
    assert math.fsum(parts.terms) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("t", [0, 5, 14])
def test_biases_of_offsets_are_what_a_scheme_adds_to_the_row_of_a_word(t: int) -> None:
    given = {"sentence": SENTENCE, "d_model": "16", "word_seed": "3", "clip": "4", "first_position": "2"}
    state = state_of(given)
    parts = score_parts(state.attention, state.encoding, t, None, Task())
    assert (parts.terms, {*parts.biases}) == ((), {"alibi", "t5", "shaw", "kerple", "fox"})
    for name, biases in parts.biases.items():
        assert len(biases) == 2 * len(WORDS) - 1
        for s in range(len(WORDS)):
            biased, bare = (cell(replace(state.attention, scheme=one), state.encoding, t, s) for one in (name, "none"))
            assert biases[s - t + len(WORDS) - 1] == pytest.approx(biased - bare, abs=1e-12)


def product_of(head):
    """W = W_Q W_K^T / sqrt(d)."""
    one = np.eye(head.d_model)
    return head.queries(one) @ head.keys(one).T / math.sqrt(head.d_model)


def plain_terms(product, encoding, words, position, offset):
    """(x + p) W (y + p'), a term each."""
    rows = encoding.values([position, position + offset])
    return [float(left @ product @ right) for left in (words[0], rows[0]) for right in (words[1], rows[1])]


@pytest.mark.parametrize(("n_positions", "d_model"), [(16, 2), (128, 32), (40, 600)])
@pytest.mark.parametrize("offset", [-3.0, 0.0, 2.5])
def test_terms_and_their_ranges_are_those_of_plain_matrices_at_every_t(n_positions, d_model, offset):
    encoding, head = SinusoidalEncoding(n_positions, d_model), Head(d_model, 7)
    asked, vectors = (encoding, 7, ("dog", "man")), word_vectors(("dog", "man"), d_model, 7)
    product = product_of(head)
    at = terms_at(*asked, 5.0, offset, never)
    assert at.terms == pytest.approx(plain_terms(product, encoding, vectors, 5.0, offset), abs=1e-12)
    assert at.is_exact
    assert at.total == pytest.approx(at.score, abs=1e-12)
    ranges = term_ranges(*asked, offset, never)
    within = [t for t in range(n_positions) if 0 <= t + offset <= n_positions - 1]
    every = np.array([plain_terms(product, encoding, vectors, float(t), offset) for t in within])
    assert (ranges.n_read, ranges.n_all) == (len(within), len(within))
    assert [term.least for term in ranges.terms] == pytest.approx(every.min(axis=0).tolist(), abs=1e-11)
    assert [term.greatest for term in ranges.terms] == pytest.approx(every.max(axis=0).tolist(), abs=1e-11)
    assert [term.is_constant for term in ranges.terms] == [True, False, False, False]
    # No t has a t + k.
    for beyond in (n_positions - 0.5, -float(n_positions)):
        none = term_ranges(*asked, beyond, never)
        assert (none.n_all, none.terms) == (0, ())


def test_of_many_positions_an_even_sample_with_both_ends_is_read():
    encoding = SinusoidalEncoding(10_000_000, 16)
    vectors = word_vectors(("dog", "man"), 16, 0)
    ranges = term_ranges(encoding, 0, ("dog", "man"), -8.0, never)
    assert (ranges.n_read, ranges.n_all) == (4096, 9_999_992)
    product = product_of(Head(16))
    for end in (8.0, 9_999_999.0):
        terms = plain_terms(product, encoding, vectors, end, -8.0)
        assert all(low - 1e-9 <= term <= high + 1e-9 for term, (low, high) in zip(terms, ranges.terms, strict=True))


def test_a_sum_that_misses_the_score_by_more_than_rounding_is_not_exact():
    terms = (1.0, -2.0, 0.5, 0.25)
    assert TermsAt(terms, -0.25).is_exact
    assert TermsAt(terms, -0.25 + 3e-12).is_exact
    assert not TermsAt(terms, -0.25 + 4e-12).is_exact
