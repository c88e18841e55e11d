"""RoPE against complex multiplication and rotate_half, and the query and the key that Rotary turns."""

from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding
from pe_desktop.core.scores.rope import PAIRINGS, Rotary
from pe_desktop.core.scores.rotary_vectors import query_and_key, rotary_of
from pe_desktop.core.state import State, state_of, with_name

VECTORS = np.random.default_rng(1).standard_normal((5, 32))
POSITIONS = np.array([0.0, 1.0, 7.0, 100.0, 40_000.0])
FREQUENCIES = 10_000.0 ** -(np.arange(16) / 16)


def rotate_half(vectors):
    """(-x_2, x_1) of vectors whose halves are x_1 and x_2."""
    first, second = np.split(vectors, 2, axis=1)
    return np.concatenate([-second, first], axis=1)


def test_interleaved_pairs_turn_as_complex_numbers_do() -> None:
    rotated = Rotary(SinusoidalEncoding(d_model=32)).rotated(VECTORS, POSITIONS)
    expected = (VECTORS[:, ::2] + 1j * VECTORS[:, 1::2]) * np.exp(1j * np.outer(POSITIONS, FREQUENCIES))
    assert np.abs(rotated - np.stack([expected.real, expected.imag], axis=2).reshape(5, 32)).max() < 1e-10


def test_half_split_pairs_turn_as_rotate_half_says() -> None:
    rotated = Rotary(SinusoidalEncoding(d_model=32), "half-split").rotated(VECTORS, POSITIONS)
    angles = np.outer(POSITIONS, np.concatenate([FREQUENCIES, FREQUENCIES]))
    assert np.abs(rotated - (VECTORS * np.cos(angles) + rotate_half(VECTORS) * np.sin(angles))).max() < 1e-10


def test_mixed_pairs_have_the_angles_of_one_and_the_partners_of_the_other() -> None:
    rotated = Rotary(SinusoidalEncoding(d_model=32), "mixed").rotated(VECTORS, POSITIONS)
    angles = np.repeat(np.outer(POSITIONS, FREQUENCIES), 2, axis=1)
    assert np.abs(rotated - (VECTORS * np.cos(angles) + rotate_half(VECTORS) * np.sin(angles))).max() < 1e-10


@pytest.mark.parametrize("pairing", PAIRINGS[:2])
@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_the_transpose_of_one_rotation_times_another_is_the_rotation_between(pairing: str, share: float) -> None:
    rotary = Rotary(SinusoidalEncoding(d_model=32), pairing, share)

    def matrix(position: float):
        return rotary.rotated(np.eye(32), np.full(32, position)).T

    for p, q in ((3.0, 11.0), (100.0, 7.5), (123_456.0, 123_460.0)):
        assert np.abs(matrix(p).T @ matrix(q) - matrix(q - p)).max() < 1e-12


def test_a_shift_that_leaves_no_frequencies_for_few_pairs_gives_those_of_the_base() -> None:
    encoding = SinusoidalEncoding(d_model=32, shift=10.0)
    assert Rotary(encoding).pairs == encoding.pairs
    assert np.array_equal(
        Rotary(encoding, share=0.25).frequencies, SinusoidalEncoding(d_model=8).pairs.frequencies.angular
    )


def test_the_vectors_of_a_state_are_those_given_else_seeded() -> None:
    state = State()
    query, key = query_and_key(state)
    assert query.shape == key.shape == (state.encoding.d_model,)
    assert not np.array_equal(query, key)
    assert not np.array_equal(query, query_and_key(with_name(state, "word_seed", "1"))[0])
    typed = state_of({"d_model": "2", "rotary.key": "1 -2.5"})
    assert query_and_key(typed)[1].tolist() == [1.0, -2.5]
    assert np.array_equal(query_and_key(typed)[0], query_and_key(state_of({"d_model": "2"}))[0])


def test_a_width_without_a_head_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="65 536 is wider"):
        query_and_key(replace(State(), encoding=SinusoidalEncoding(d_model=65_536)))


def test_rotary_of_a_state_has_its_pairing_and_share() -> None:
    rotary = rotary_of(state_of({"pairing": "half-split", "rotary_share": "0.5", "scheme": "alibi"}))
    assert (rotary.pairing, rotary.share) == ("half-split", 0.5)
