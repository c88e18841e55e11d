"""The query and the key that Rotary turns: given by the state, else seeded."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.scores.head import check_head
from pe_desktop.core.scores.rope import Rotary
from pe_desktop.core.state import State

_STREAM: Final = 11


def query_and_key(state: State) -> tuple[Floats, Floats]:
    """The vectors before they turn, shape (d_model,) each, read-only; ValueError with a sentence above MAX_HEAD.

    A vector that the state doesn't give is drawn from N(0, 1), independent of the other.
    """
    d_model, rotary = state.encoding.d_model, state.views.rotary
    check_head(d_model)
    query, key = seeded_vectors(d_model, state.attention.word_seed)
    return _given(rotary.query, query), _given(rotary.key, key)


def rotary_of(state: State) -> Rotary:
    """RoPE with the parameters of the state, whatever scheme the head has."""
    attention = state.attention
    return Rotary(state.encoding, attention.pairing, attention.rotary_share)


@lru_cache(maxsize=4)
def seeded_vectors(d_model: int, seed: int) -> tuple[Floats, Floats]:
    """A query and a key from N(0, 1), shape (d_model,) each, read-only."""
    query, key = np.random.default_rng([seed, _STREAM, d_model]).standard_normal((2, d_model))
    query.flags.writeable = key.flags.writeable = False
    return query, key


def _given(vector: tuple[float, ...], seeded: Floats) -> Floats:
    return _vector(vector) if vector else seeded


@lru_cache(maxsize=4)
def _vector(components: tuple[float, ...]) -> Floats:
    vector = np.array(components)
    vector.flags.writeable = False
    return vector
