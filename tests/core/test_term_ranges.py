"""The four terms of an added encoding: their sum is the score, and only one of them stays where t moves."""

import math

import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import never
from pe_desktop.core.scores.attention import Head, word_vectors
from pe_desktop.core.scores.term_ranges import TermsAt, term_ranges, terms_at


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
