"""Pairs of a query and a key under RoPE, and the table of its factors, against plain loops."""

import math

import numpy as np
import pytest

from pe_desktop.core.kinds import KINDS
from pe_desktop.core.scores.rotary import turned_vectors, turning_state, turns_vectors, vectors_of, with_turned
from pe_desktop.core.state import state_of, with_name
from tests.core.scores.loops import turned

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
