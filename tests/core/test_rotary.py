"""The query and the key that Rotary turns: pairs, terms, spread, bound and decay; the table of RoPE's factors."""

import math

import numpy as np
import pytest

from pe_desktop.core import KINDS, SinusoidalEncoding
from pe_desktop.core.scores.rotary import (
    QueryAndKey,
    rotary_of,
    turned_vectors,
    turning_state,
    turns_vectors,
    vectors_of,
    with_turned,
)
from pe_desktop.core.scores.rotary_scores import decay, n_decay_draws, pair_terms, score_bound, scores_along, spread_of
from pe_desktop.core.scores.schemes import PAIRINGS, T5, Additive, Alibi, NoPositions, PRope, Rotary, Scheme, Shaw
from pe_desktop.core.source.drawn import head_matrix, word_vector
from pe_desktop.core.source.vectors import partial_sums
from pe_desktop.core.state import assignments_of, state_of, text_of, with_name
from tests.core.scores.loops import turned

VECTORS = np.random.default_rng(1).standard_normal((5, 32))
GIVEN = QueryAndKey(32, 0, *(tuple(vector.tolist()) for vector in VECTORS[:2]))
FREQUENCIES = 10_000.0 ** -(np.arange(16) / 16)


def residual_of(scheme: Scheme, query, key) -> float:
    """How far a score lies from the middle of its diagonal, at most, over 128 positions."""
    scores = scheme.between(query, key, np.arange(128.0), np.arange(128.0))
    return max(float(np.ptp(np.diagonal(scores, offset))) for offset in range(-127, 128)) / 2


def test_parameters_are_those_of_the_state_and_few_pairs_beyond_a_shift_have_frequencies_of_the_base() -> None:
    rotary = rotary_of(state_of({"pairing": "half-split", "rotary_share": "0.5", "scheme": "alibi"}))
    assert (rotary.pairing, rotary.share) == ("half-split", 0.5)
    encoding = SinusoidalEncoding(d_model=32, shift=10.0)
    assert Rotary(encoding).pairs == encoding.pairs
    assert np.array_equal(
        Rotary(encoding, share=0.25).frequencies, SinusoidalEncoding(d_model=8).pairs.frequencies.angular
    )


@pytest.mark.parametrize("d_model", [32, 514])
def test_the_vectors_of_a_state_are_those_typed_else_of_the_words_at_t_and_t_plus_k_else_seeded(d_model: int) -> None:
    state = state_of({"position": "4", "offset": "-3", "d_model": str(d_model)})
    words = [word_vector(word, d_model, 0) for word in ("sleep", "park")]
    of_words = [word @ head_matrix(which, d_model, 0) for which, word in enumerate(words)]
    np.testing.assert_allclose(vectors_of(state).both, of_words, rtol=0, atol=1e-13)
    seeded = with_name(state, "rotary.vectors", "seeded")
    assert np.array_equal(
        vectors_of(seeded).both, np.random.default_rng([0, 11, d_model]).standard_normal((2, d_model))
    )
    assert not np.array_equal(vectors_of(seeded).both[0], vectors_of(with_name(seeded, "word_seed", "1")).both[0])
    assert vectors_of(state_of({"sentence": ""})).words == ()
    for vectors in ("words", "seeded", "typed"):
        with pytest.raises(ValueError, match=r"up to 4.096: 4.098 is wider"):
            vectors_of(state_of({"d_model": "4098", "sentence": "", "rotary.vectors": vectors}))
    typed = with_name(state, "rotary.query", [1.0] * d_model)
    assert (typed.views.rotary.vectors, vectors_of(typed).both[0].tolist()) == ("typed", [1.0] * d_model)
    assert np.array_equal(vectors_of(typed).both[1], vectors_of(state).both[1])
    back = with_name(typed, "rotary.vectors", "words")
    assert np.array_equal(vectors_of(back).both, vectors_of(state).both)
    assert state_of({name: text_of(name, value) for name, value in assignments_of(back).items()}) == back


def test_a_term_is_the_lengths_times_the_cosine_of_the_angle_between_and_its_turn() -> None:
    query, key = VECTORS[:2]
    q, k = (vector[::2] + 1j * vector[1::2] for vector in (query, key))
    angles = np.angle(k) - np.angle(q) - 8.0 * FREQUENCIES
    expected = np.abs(q) * np.abs(k) * np.cos(angles) / np.sqrt(32)
    assert np.abs(pair_terms(Rotary(SinusoidalEncoding(d_model=32)), GIVEN, 37.0, 29.0) - expected).max() < 1e-12


def test_only_a_mixed_pairing_and_added_positions_spread_along_a_diagonal() -> None:
    encoding, (query, key) = SinusoidalEncoding(128, 32), VECTORS[:2]
    spreads: dict[str, float] = {}
    residuals: dict[str, float] = {}
    for pairing in PAIRINGS:
        scheme = Rotary(encoding, pairing)
        spread = spread_of(scores_along(scheme, GIVEN, -8.0), encoding, -8.0)
        assert spread.n_measured == 120
        spreads[pairing], residuals[pairing] = spread.spread, residual_of(scheme, query, key)
    assert spreads["interleaved"] < 1e-13 > spreads["half-split"]
    assert residuals["interleaved"] < 1e-13 > residuals["half-split"]
    assert spreads["mixed"] > 0.1 < residuals["mixed"]
    assert residual_of(Additive(encoding), query, key) > 0.1
    of_offsets: list[Scheme] = [NoPositions(), Alibi(0.5), T5(1), Shaw(4, 1)]
    assert max(residual_of(scheme, query, key) for scheme in of_offsets) < 1e-12


def test_the_partial_sums_are_those_of_the_paper_spelled_out() -> None:
    rotary, offset = Rotary(SinusoidalEncoding(d_model=32)), 8.0
    total = 0.0
    for i in range(1, 17):
        total += abs(sum(np.exp(1j * offset * 10_000.0 ** (-2 * j / 32)) for j in range(i)))
    assert partial_sums(rotary.angles(np.array([offset]))).item() == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_no_score_exceeds_the_bound_of_the_paper(share: float) -> None:
    offsets = np.arange(0.0, 2000.0)
    for rotary in (kind(SinusoidalEncoding(d_model=32), share=share) for kind in (Rotary, PRope)):
        for query, key in np.random.default_rng(3).standard_normal((20, 2, 32)):
            bound = score_bound(rotary, query, key, offsets)
            assert (np.abs(rotary.by_offset(query, key, -offsets)) <= bound + 1e-12).all()


def test_the_bound_and_alike_vectors_decay_and_independent_ones_do_not() -> None:
    bound, independent, alike = decay(Rotary(SinusoidalEncoding(257, 128)), 0)
    assert bound[0] == alike[0] == independent[0] == 1.0
    assert bound[100:].max() < 0.6
    assert alike[100:].max() < 0.6
    assert independent.min() > 0.9
    # The mean of alike vectors by a plain loop.
    encoding = SinusoidalEncoding(9, 8)
    rotary = Rotary(encoding, share=0.5)
    alike = decay(rotary, 3)[2]
    queries = np.random.default_rng([3, 13]).standard_normal((2, n_decay_draws(8), 8))[0]
    means = [np.mean([abs(rotary.by_offset(q, q, np.array([k]))[0]) for q in queries]) for k in (0.0, 5.0)]
    assert alike[5] == pytest.approx(means[1] / means[0], rel=1e-12)


WORDS = {"attention.is_open": "true", "sentence": " ".join(["word"] * 12)}
ROPE = WORDS | {"scheme": "rope", "d_model": "16", "position": "5", "offset": "-9"}
COLUMNS = {"interleaved": np.arange(16).reshape(8, 2), "half-split": np.arange(16).reshape(2, 8).T}


@pytest.mark.parametrize(("pairing", "share"), [("interleaved", 1.0), ("half-split", 1.0), ("interleaved", 0.5)])
def test_pairs_are_the_columns_of_the_vectors_before_and_after_they_are_turned(pairing, share):
    state = state_of(ROPE | {"pairing": pairing, "rotary_share": str(share)})
    vectors, (query, key), columns = turned_vectors(state), vectors_of(state).both, COLUMNS[pairing]
    for vector, before, after, position in (
        (query, vectors.query, vectors.turned_query, 5.0),
        (key, vectors.key, vectors.turned_key, -4.0),
    ):
        assert before.tolist() == vector[columns].tolist()
        expected = np.array(turned(vector, position, pairing, round(8 * share)))
        np.testing.assert_allclose(after, expected[columns], rtol=0, atol=1e-12)
    assert vectors.reach == pytest.approx(max(math.hypot(*pair) for pair in (*vectors.query, *vectors.key)))


def test_factors_beyond_the_share_stay_and_turn_by_the_frequencies_of_a_narrower_head():
    factors = turning_state(state_of(ROPE | {"rotary_share": "0.5"})).encoding.pairs
    assert factors is not None
    assert factors.wavelengths[3:5].tolist() == [pytest.approx(math.tau * 10_000.0 ** (3 / 4)), math.inf]
    assert (factors.angles([7.0, 9.0])[:, 4:] == 0).all()


@pytest.mark.parametrize("pairing", ["interleaved", "half-split", "mixed"])
@pytest.mark.parametrize("name", ["query", "key"])
def test_a_vector_that_was_led_somewhere_is_there_once_it_is_turned(pairing, name):
    state = state_of(ROPE | {"pairing": pairing, "position": "2", "offset": "1"})
    vector = with_turned(state, name, 3, (0.75, -0.25), keeps_length=False)
    led = with_name(state, f"rotary.{name}", tuple(vector.tolist()))
    before, after = turned_vectors(state), turned_vectors(led)
    old, new = (getattr(vectors, f"turned_{name}") for vectors in (before, after))
    assert new[3].tolist() == pytest.approx([0.75, -0.25], abs=1e-12)
    assert np.delete(new, 3, axis=0).tolist() == np.delete(old, 3, axis=0).tolist()


def test_a_vector_that_keeps_its_length_points_where_it_was_led():
    state = state_of(ROPE)
    old = vectors_of(state).both[0]
    vector = with_turned(state, "query", 2, (0.0, 1e-3), keeps_length=True)
    assert math.hypot(*vector[4:6]) == pytest.approx(math.hypot(*old[4:6]))
    after = turned_vectors(with_name(state, "rotary.query", tuple(vector.tolist()))).turned_query[2]
    assert after.tolist() == pytest.approx([0.0, math.hypot(*old[4:6])], abs=1e-12)
    assert (with_turned(state, "query", 2, (0.0, 0.0), keeps_length=True) == old).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_factors_of_every_kind_are_sines_and_cosines_of_as_many_pairs_as_a_vector_has(kind):
    state = state_of(WORDS | {"kind": kind, "scheme": "rope"})
    shown = turning_state(state)
    table, count = shown.encoding, state.encoding.d_model // 2
    assert table.pairs is not None
    assert (table.pairs.count, table.d_model, table.n_positions) == (count, 2 * count, state.encoding.n_positions)
    assert shown.cursor.pair < count
    assert turning_state(shown) is shown
    angles = np.array([[position * omega for omega in table.pairs.angular_frequencies] for position in (0.0, 1.0, 2.5)])
    values = table.values([0.0, 1.0, 2.5])
    assert values[:, 0::2] == pytest.approx(np.sin(angles), abs=1e-9)
    assert values[:, 1::2] == pytest.approx(np.cos(angles), abs=1e-9)
    assert (table.values([2.5], [3, 0])[0] == values[2, [3, 0]]).all()


@pytest.mark.parametrize(
    "assignments",
    [
        {},
        {"scheme": "alibi"},
        {"scheme": "rope", "drops_positions": "true"},
        {"scheme": "rope", "rotary_share": "0"},
        {"kind": "counter", "scheme": "rope", "d_model": "1"},
    ],
)
def test_elsewhere_nothing_is_turned(assignments):
    state = state_of(assignments)
    assert not turns_vectors(state)
    assert turning_state(state) is state
