"""A head over a sentence, by plain loops: words, projections, scores, weights, outputs, and what moving words does."""

from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core import SCHEMES, OddWidthEncoding, RandomEncoding, SinusoidalEncoding, state_of
from pe_desktop.core.scores.attention import Attention, Head, attended, differences, moved, word_vectors
from pe_desktop.core.scores.rotary import vectors_of
from pe_desktop.core.source.head import softmax
from tests.core.scores.loops import cell, dot, matrix, plain_head, projected
from tests.tables import table

ENCODING = SinusoidalEncoding(64, 16)
SENTENCE, SOME = Attention(), Attention(temperature=0.7, slope=0.25, clip=2, word_seed=3)
ENCODINGS = [ENCODING, SinusoidalEncoding(8, 2), OddWidthEncoding(8, 7), RandomEncoding(8, 1)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("first_position", [0.0, 40.5])
def test_a_head_is_that_of_the_paper_written_out(scheme, causal, first_position):
    attention = replace(SOME, scheme=scheme, causal=causal, first_position=first_position)
    queries, keys, values = zip(*(projected(attention, ENCODING, place) for place in range(5)), strict=True)

    def bias(t, s):
        return cell(attention, ENCODING, t, s) - dot(queries[t], keys[s]) / 4

    expected = plain_head(queries, keys, values, bias, is_causal=causal, temperature=0.7)
    seen = attended(attention, ENCODING, (0, 1, 2, 3, 4))
    for got, wanted in zip((seen.scores, seen.weights, seen.outputs), expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_without_positions_outputs_move_with_their_words_and_with_any_scheme_they_do_not(encoding):
    for scheme, (plain, masked) in differences(SENTENCE, encoding).items():
        # Of one dimension nothing turns, of one pair three quarters are none.
        turns_nothing = {1: ("rope", "p-rope", "rope-pp"), 2: ("p-rope",)}.get(encoding.d_model, ())
        assert (plain < 1e-12) == (scheme in ("none", *turns_nothing)), scheme
        assert masked > 1e-2
        assert moved(replace(SENTENCE, scheme=scheme, drops_positions=True), encoding).difference < 1e-12


def test_a_permutation_of_a_long_sentence_is_undone_word_by_word():
    words = "the chef who had prepared the meal with great care served the dish to the guests"
    order = tuple(np.random.default_rng(0).permutation(16).tolist())
    without = moved(Attention(scheme="none", sentence=words, order=order), ENCODING)
    for place, word in enumerate(order):
        np.testing.assert_allclose(without.moved.outputs[place], without.written.outputs[word], rtol=0, atol=1e-12)
        np.testing.assert_array_equal(without.put_back[word], without.moved.outputs[place])
    assert without.difference < 1e-12
    in_order = without.written.weights[np.ix_(order, order)]
    np.testing.assert_allclose(without.moved.weights, in_order, rtol=0, atol=1e-12)
    added = moved(Attention(sentence=words, order=order), ENCODING)
    assert added.difference == np.abs(added.written.outputs - added.put_back).max() > 0.1


@pytest.mark.parametrize("causal", [False, True])
def test_rows_of_weights_sum_to_one_however_large_the_scores(causal):
    scores = np.random.default_rng(0).standard_normal((9, 9)) * 1e12
    for some, temperature in ((scores, 1.0), (scores * 1e-12, 1e-6), (scores, 1e6), (np.zeros((9, 9)), 1.0)):
        weights = softmax(some, causal, temperature)
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-15)
        assert weights.min() >= 0
        assert not causal or not np.triu(weights, 1).any()


@pytest.mark.parametrize("n_words", [0, 1, 2, 512])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_sentences_of_no_word_to_512_are_computed(n_words, scheme):
    attention = Attention(scheme=scheme, causal=True, sentence=" ".join(f"w{n}" for n in range(n_words)), order=())
    seen = moved(attention, ENCODING).written
    assert seen.scores.shape == seen.weights.shape == (n_words, n_words)
    assert seen.outputs.shape == (n_words, 16)
    assert np.isfinite(seen.scores).all()
    assert np.isfinite(seen.outputs).all()


def test_the_widest_head_is_computed_and_wider_ones_are_refused_with_a_sentence():
    seen = attended(Attention(scheme="none", sentence="dog bites", order=()), SinusoidalEncoding(4, 4096), (0, 1))
    assert seen.outputs.shape == (2, 4096)
    assert np.isfinite(seen.outputs).all()
    with pytest.raises(ValueError, match="A head is computed for d_model up to 4 096: 4 098 is wider"):
        attended(SENTENCE, SinusoidalEncoding(4, 4098), (0, 1, 2, 3, 4))
    with pytest.raises(ValueError, match="4 098 is wider"):
        vectors_of(state_of({"d_model": "4098"}))


def test_equal_words_are_equal_vectors_in_any_case_place_and_sentence():
    first = word_vectors(Attention(sentence="The dog saw the DOG").words, 16, 0)
    assert first[0].tolist() == first[3].tolist()
    assert first[1].tolist() == first[4].tolist()
    assert np.abs(first[1] - first[2]).max() > 0.1
    assert word_vectors(("dog",), 16, 0)[0].tolist() == first[1].tolist()
    assert np.abs(word_vectors(("dog",), 16, 1)[0] - first[1]).max() > 0.1


def test_words_and_matrices_have_the_variances_that_keep_the_size_of_a_vector():
    words = word_vectors(tuple(f"word{n}" for n in range(400)), 64, 0)
    assert abs(float(words.var()) - 1.0) < 0.03
    assert abs(float(words.mean())) < 0.03
    for project in (Head(64).queries, Head(64).keys, Head(64).values):
        assert abs(float(np.asarray(matrix(project, 64)).var()) * 64 - 1.0) < 0.06
        assert abs(float(project(words).var()) - 1.0) < 0.1


def test_a_wide_head_reads_the_same_matrix_in_blocks_as_at_once():
    # Above 512 dimensions the matrix is drawn for each use: two uses and any number of rows agree.
    head, vectors = Head(600, 3), np.random.default_rng(0).standard_normal((3, 600))
    whole = head.queries(vectors)
    np.testing.assert_array_equal(whole, head.queries(vectors))
    for row, vector in zip(whole, vectors, strict=True):
        np.testing.assert_allclose(head.queries(vector[np.newaxis])[0], row, rtol=0, atol=1e-12)


FROZEN = table("core/scores/frozen")


def test_seeded_numbers_are_those_of_every_machine_and_release():
    seen = {
        **{word: word_vectors((word,), 8, 0)[0, :2] for word in ("park", "sleep")},
        "W_Q": Head(8).queries(np.eye(8))[0, :2],
        "W_K": Head(8).keys(np.eye(8))[0, :2],
        "W_V": Head(8).values(np.eye(8))[0, :2],
        "wide W_Q": Head(600).queries(np.eye(600)[:1])[0, [0, 599]],
    }
    for scheme in ("none", "t5", "shaw"):
        seen[scheme] = attended(Attention(scheme=scheme), ENCODING, (0, 1, 2, 3, 4)).scores[0, :2]
    for name, values in FROZEN.items():
        np.testing.assert_allclose(seen[name], values, rtol=1e-12, err_msg=name)
    assert seen.keys() == FROZEN.keys()
