"""The query and the key that Rotary turns: given by the state, else seeded."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.head import check_head
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.state import State

_STREAM: Final = 11


@record
class QueryAndKey:
    """One query and one key before they turn; query and key: the components, () for seeded ones.

    Seeded vectors are drawn from N(0, 1), independent of each other.
    """

    d_model: int
    seed: int
    query: tuple[float, ...] = ()
    key: tuple[float, ...] = ()

    @property
    def both(self) -> tuple[Floats, Floats]:
        """The vectors, shape (d_model,) each, read-only."""
        query, key = _seeded(self.d_model, self.seed)
        return _given(self.query) if self.query else query, _given(self.key) if self.key else key


def vectors_of(state: State) -> QueryAndKey:
    """The query and the key of a state; ValueError with a sentence above MAX_HEAD."""
    d_model, rotary = state.encoding.d_model, state.views.rotary
    check_head(d_model)
    return QueryAndKey(d_model, state.attention.word_seed, rotary.query, rotary.key)


def query_and_key(state: State) -> tuple[Floats, Floats]:
    """The vectors themselves, shape (d_model,) each, read-only; ValueError with a sentence above MAX_HEAD."""
    return vectors_of(state).both


def rotary_of(state: State) -> Rotary:
    """RoPE with the parameters of the state, whatever scheme the head has."""
    attention = state.attention
    return Rotary(state.encoding, attention.pairing, attention.rotary_share)


@lru_cache(maxsize=4)
def _seeded(d_model: int, seed: int) -> tuple[Floats, Floats]:
    query, key = np.random.default_rng([seed, _STREAM, d_model]).standard_normal((2, d_model))
    query.flags.writeable = key.flags.writeable = False
    return query, key


@lru_cache(maxsize=4)
def _given(components: tuple[float, ...]) -> Floats:
    vector = np.array(components)
    vector.flags.writeable = False
    return vector
