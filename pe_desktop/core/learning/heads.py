"""Scores of a head under each scheme, and how the slope of a loss goes back through them: the derivatives by hand.

Queries and keys have shape (sentences, places, d_model), scores (sentences, places t, places s).
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, read_only
from pe_desktop.core.learning.run import Run, random_vectors
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import Rotary

# Learned arrays by their names.
Learned: TypeAlias = Mapping[str, Floats]
# The slopes of a loss by the scores, to those by queries, keys and what the scheme learns beside them.
Backward: TypeAlias = Callable[[Floats], tuple[Floats, Floats, Learned]]
_Scored: TypeAlias = tuple[Floats, Backward]

# Offsets of T5 that have a bias of their own, and of Shaw that have a vector; those beyond share the last one.
N_BIASES: Final = 32
N_VECTORS: Final = 17
_FIRST_SLOPE: Final = 0.1


@record(eq=False)
class Places:
    """What is computed once for the places 0 to n - 1 of a sentence.

    distances: t - s, 0 where s is later, shape (n, n). turns: e^(i t omega) of each pair, shape (n, n_pairs).
    """

    distances: Floats
    turns: Any

    def shared(self, most: int) -> Any:
        """The distances as whole numbers, those beyond `most` as `most`."""
        return np.minimum(self.distances, most).astype(np.intp)


@record
class Learner:
    """A scheme as it is trained: its first learned values, what it adds to the words, and its scores.

    first: by the width, beside W_Q and W_K. added: vectors of the first places, shape (n, d_model), or nothing. scored:
    from queries, keys, words, learned arrays and Places, the scores and their Backward. learns: what it learns beside
    the two matrices, in words. reads_hands: whether the encoding matters beyond its width; turns_hands: whether queries
    and keys are turned by its hands.
    """

    id: str
    scored: Callable[[Floats, Floats, Floats, Learned, Places], _Scored]
    first: Callable[[int], Learned] = field(default=lambda d_model: {})
    added: Callable[[Run, int], Floats | None] = field(default=lambda run, n_places: None)
    learns: str = ""
    reads_hands: bool = False
    turns_hands: bool = False


@lru_cache(maxsize=16)
def places_of(encoding: Encoding, n_places: int) -> Places:
    """The distances and turns of a sentence of so many words."""
    places = np.arange(float(n_places))
    angles = Rotary(encoding).angles(places)
    return Places(read_only(np.maximum(places[:, None] - places, 0.0)), read_only(np.exp(1j * angles)))


def _dots(queries: Floats, keys: Floats, *_rest: Any) -> _Scored:
    """Q . k / sqrt(d_model)."""
    scale = queries.shape[-1] ** -0.5

    def backward(slopes: Floats) -> tuple[Floats, Floats, Learned]:
        return scale * (slopes @ keys), scale * (slopes.swapaxes(1, 2) @ queries), {}

    return (scale * queries) @ keys.swapaxes(1, 2), backward


def turned(vectors: Floats, turns: Any) -> Floats:
    """Dimensions 2j and 2j + 1 as one complex number, times a turn of each place: RoPE (arXiv 2104.09864)."""
    return np.asarray((np.ascontiguousarray(vectors).view(np.complex128) * turns).view(np.float64))


def _rotary(queries: Floats, keys: Floats, _words: Floats, _learned: Learned, places: Places) -> _Scored:
    """The dot products of turned queries and keys; a turn back is the transposed matrix of a turn."""
    scores, back = _dots(turned(queries, places.turns), turned(keys, places.turns))

    def backward(slopes: Floats) -> tuple[Floats, Floats, Learned]:
        of_queries, of_keys, nothing = back(slopes)
        return turned(of_queries, places.turns.conj()), turned(of_keys, places.turns.conj()), nothing

    return scores, backward


def _alibi(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """Less a slope times the distance (ALiBi, arXiv 2108.12409); here the slope is learned."""
    scores, back = _dots(queries, keys)
    scores -= learned["slope"] * places.distances

    def backward(slopes: Floats) -> tuple[Floats, Floats, Learned]:
        of_queries, of_keys, _ = back(slopes)
        return of_queries, of_keys, {"slope": -np.asarray(np.sum(slopes.sum(axis=0) * places.distances))}

    return scores, backward


def _t5(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """With a bias for each distance, those from 31 on share one (T5, arXiv 1910.10683, without its wider buckets)."""
    scores, back = _dots(queries, keys)
    buckets = places.shared(N_BIASES - 1)
    scores += learned["biases"][buckets]

    def backward(slopes: Floats) -> tuple[Floats, Floats, Learned]:
        of_queries, of_keys, _ = back(slopes)
        summed = np.bincount(buckets.ravel(), slopes.sum(axis=0).ravel(), N_BIASES).astype(np.float64)
        return of_queries, of_keys, {"biases": summed}

    return scores, backward


def _shaw(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """With a vector for each distance, clipped at 16, added to the keys (Shaw, arXiv 1803.02155)."""
    scale = queries.shape[-1] ** -0.5
    vectors = learned["vectors"]
    scores, back = _dots(queries, keys)
    clipped = places.shared(N_VECTORS - 1)
    scores += (scale * (queries @ vectors.T))[:, np.arange(len(clipped))[:, None], clipped]

    def backward(slopes: Floats) -> tuple[Floats, Floats, Learned]:
        of_queries, of_keys, _ = back(slopes)
        # Of each place t the keys at one distance together, shape (places, sentences, vectors).
        is_at = (clipped[:, :, None] == np.arange(N_VECTORS)).astype(np.float64)
        by_distance = np.ascontiguousarray((slopes.swapaxes(0, 1) @ is_at).swapaxes(0, 1))
        flat = by_distance.reshape(-1, N_VECTORS)
        of_vectors = scale * (flat.T @ queries.reshape(len(flat), -1))
        return of_queries + scale * (by_distance @ vectors), of_keys, {"vectors": of_vectors}

    return scores, backward


def _table(run: Run, n_places: int) -> Floats:
    return run.encoding.values(range(n_places))


def _random(run: Run, n_places: int) -> Floats:
    return random_vectors(run.d_model, n_places)


LEARNERS: Final[Mapping[str, Learner]] = {
    row.id: row
    for row in (
        Learner("none", _dots),
        Learner("additive", _dots, added=_table, reads_hands=True),
        Learner("rope", _rotary, reads_hands=True, turns_hands=True),
        Learner("alibi", _alibi, lambda d_model: {"slope": np.asarray(_FIRST_SLOPE)}, learns="its slope"),
        Learner("t5", _t5, lambda d_model: {"biases": np.zeros(N_BIASES)}, learns=f"its {N_BIASES} biases"),
        Learner(
            *("shaw", _shaw, lambda d_model: {"vectors": np.zeros((N_VECTORS, d_model))}),
            learns=f"its {N_VECTORS} vectors",
        ),
        Learner("random", _dots, added=_random),
    )
}
