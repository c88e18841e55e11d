"""Pairs of a query and a key under RoPE, and the table of its factors, against complex numbers."""

import cmath
import math

import numpy as np
import pytest

from pe_desktop.core.kinds import KINDS
from pe_desktop.core.scores.rotary import turned_vectors, turning_state, turns_vectors, vectors_of, with_turned
from pe_desktop.core.state import state_of, with_name

WORDS = {"attention.is_open": "true", "sentence": " ".join(["word"] * 12)}
ROPE = WORDS | {"scheme": "rope", "d_model": "16", "position": "5", "offset": "-9"}
FIRSTS = {"interleaved": lambda pair: (2 * pair, 2 * pair + 1), "half-split": lambda pair: (pair, pair + 8)}


@pytest.mark.parametrize("pairing", FIRSTS)
def test_a_pair_is_turned_as_a_complex_number_by_position_times_frequency(pairing):
    state = state_of(ROPE | {"pairing": pairing})
    vectors, (query, key) = turned_vectors(state), vectors_of(state).both
    for pair in range(8):
        a, b = FIRSTS[pairing](pair)
        omega = 10_000.0 ** (-pair / 8)
        for vector, before, after, position in (
            (query, vectors.query, vectors.turned_query, 5.0),
            (key, vectors.key, vectors.turned_key, -4.0),
        ):
            number = complex(vector[a], vector[b])
            assert complex(*before[pair]) == number
            assert complex(*after[pair]) == pytest.approx(number * cmath.exp(1j * omega * position), abs=1e-12)
    assert vectors.reach == pytest.approx(max(abs(complex(*pair)) for pair in (*vectors.query, *vectors.key)))


def test_pairs_beyond_the_share_stay_and_turn_by_the_frequencies_of_a_narrower_head():
    state = state_of(ROPE | {"rotary_share": "0.5"})
    vectors, query = turned_vectors(state), vectors_of(state).both[0]
    assert (vectors.turned_query[4:] == query[8:].reshape(4, 2)).all()
    number = complex(query[2], query[3]) * cmath.exp(1j * 10_000.0 ** (-1 / 4) * 5.0)
    assert complex(*vectors.turned_query[1]) == pytest.approx(number, abs=1e-12)
    factors = turning_state(state).encoding.pairs
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
    turned = {"query": (before.turned_query, after.turned_query), "key": (before.turned_key, after.turned_key)}[name]
    assert turned[1][3].tolist() == pytest.approx([0.75, -0.25], abs=1e-12)
    others = [0, 1, 2, 4, 5, 6, 7]
    assert turned[1][others].tolist() == turned[0][others].tolist()


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
