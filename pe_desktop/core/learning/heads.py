"""Scores of a head under each scheme, and how the slope of a loss goes back through them: the derivatives by hand.

Queries and keys have shape (sentences, places, d_model), scores (sentences, places t, places s).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache, partial
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, read_only
from pe_desktop.core.learning.run import Run, random_vectors
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import Pope, PRope, RopePP, Rotary
from pe_desktop.core.source.head import softplus

# Learned arrays by their names.
Learned: TypeAlias = Mapping[str, Floats]
_Turns: TypeAlias = NDArray[np.complex128]
# The slopes of a loss by queries, by keys, and by what the scheme learns beside W_Q and W_K.
_Slopes: TypeAlias = tuple[Floats, Floats, Learned]
# The scores, before the mask, and what makes these slopes from those by the scores, 0 for keys after the query.
_Scored: TypeAlias = tuple[Floats, Callable[[Floats], _Slopes]]

# Offsets of T5 that have a bias of their own, and of Shaw that have a vector; those beyond share the last one.
_N_BIASES: Final = 32
_N_VECTORS: Final = 17
_FIRST_SLOPE: Final = 0.1
# What the second half of RoPE++ does with a query before it is turned.
BACK_A_QUARTER: Final = -1j
# Between which numbers what is learned stays: those of Kerple are above 0, as in the authors' program.
_ABOVE_0: Final = (1e-6, math.inf)
LIMITS: Final[Mapping[str, tuple[float, float]]] = {"phases": (-math.tau, 0.0), "r1": _ABOVE_0, "r2": _ABOVE_0}


@record(eq=False)
class Asked:
    """What scores are made of, with words (sentences, places, d_model) as they are before anything is added."""

    encoding: Encoding
    n_places: int
    queries: Floats
    keys: Floats
    words: Floats
    learned: Learned


@lru_cache(maxsize=16)
def _distances(n_places: int) -> Floats:
    """The distances t - s, 0 where s is later, shape (n_places, n_places)."""
    places = np.arange(float(n_places))
    return read_only(np.maximum(places[:, None] - places, 0.0))


@lru_cache(maxsize=32)
def _turns(hands: type[Rotary | Pope], encoding: Encoding, n_places: int) -> _Turns:
    """The turn e^(i t omega) of each hand, shape (n_places, n_hands)."""
    return read_only(np.exp(1j * hands(encoding).angles(range(n_places))))


@record
class _Learner:
    """A scheme as it is trained.

    first: its first learned values beside W_Q and W_K, by the width; learns: what they are, in words. hands: what turns
    queries and keys. added: vectors of the first places, shape (n, d_model), or nothing.
    """

    id: str
    scored: Callable[[Asked], _Scored]
    first: Callable[[int], Learned] = field(default=lambda d_model: {})
    learns: str = ""
    hands: type[Rotary] | None = None
    added: Callable[[Run, int], Floats | None] = field(default=lambda run, n_places: None)


def _products(queries: Floats, keys: Floats, d_model: int) -> _Scored:
    """Q . k / sqrt(d_model)."""
    scale = d_model**-0.5

    def backward(slopes: Floats) -> _Slopes:
        return scale * (slopes @ keys), scale * (slopes.swapaxes(1, 2) @ queries), {}

    return (scale * queries) @ keys.swapaxes(1, 2), backward


def _dots(asked: Asked) -> _Scored:
    return _products(asked.queries, asked.keys, asked.queries.shape[-1])


def _biased(asked: Asked, biases: Floats, by_learned: Callable[[Floats], Learned]) -> _Scored:
    """With biases added, that follow from what is learned."""
    scores, back = _dots(asked)
    scores += biases
    return scores, lambda slopes: (*back(slopes)[:2], by_learned(slopes))


def _turned(vectors: Floats, turns: _Turns) -> Floats:
    """Dimensions 2j and 2j + 1 as one complex number, times the turn of each place: RoPE (arXiv 2104.09864)."""
    return np.asarray((np.ascontiguousarray(vectors).view(np.complex128) * turns).view(np.float64))


def _rotary(asked: Asked, hands: type[Rotary], before: complex = 1.0) -> _Scored:
    """Queries and keys are turned, queries by a turn more; a turn back is the transposed matrix of a turn."""
    turns = _turns(hands, asked.encoding, asked.n_places)  # type: ignore[arg-type] # classes have a hash
    turned = _turned(asked.queries, before * turns), _turned(asked.keys, turns)
    scores, back = _products(*turned, asked.queries.shape[-1])

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, nothing = back(slopes)
        return _turned(by_queries, (before * turns).conj()), _turned(by_keys, turns.conj()), nothing

    return scores, backward


def _pope(asked: Asked) -> _Scored:
    """Each dimension is a hand: softplus is its length, the position its angle, to which a phase comes for keys.

    The sum of sp(q_c) sp(k_c) cos((s - t) omega_c + delta_c) over sqrt(d_model) (PoPE, arXiv 2509.10534).
    """
    here = _turns(Pope, asked.encoding, asked.n_places)
    there = here * np.exp(1j * asked.learned["phases"])
    asks = softplus(asked.queries)
    lengths = softplus(asked.keys)
    hands = (asks * here).view(np.float64), (lengths * there).view(np.float64)
    scores, back = _products(*hands, asked.queries.shape[-1])

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        # A slope by a hand: its real part is that by the length, its imaginary part that by the angle, over the length.
        along_queries = (by_queries.view(np.complex128) * here.conj()).real
        along_keys = by_keys.view(np.complex128) * there.conj()
        by_phases = (lengths * along_keys.imag).sum(axis=(0, 1))
        # The derivative of softplus is 1 - e^-softplus.
        return along_queries * -np.expm1(-asks), along_keys.real * -np.expm1(-lengths), {"phases": by_phases}

    return scores, backward


def _alibi(asked: Asked) -> _Scored:
    """Less a slope times the distance (ALiBi, arXiv 2108.12409); here the slope is learned."""
    distances = _distances(asked.n_places)
    biases = -asked.learned["slope"] * distances
    return _biased(asked, biases, lambda slopes: {"slope": -np.asarray(np.sum(slopes.sum(axis=0) * distances))})


def _t5(asked: Asked) -> _Scored:
    """With a bias for each distance, those from 31 on share one (T5, arXiv 1910.10683, without its wider buckets)."""
    buckets = np.minimum(_distances(asked.n_places), _N_BIASES - 1).astype(np.intp)

    def by_biases(slopes: Floats) -> Learned:
        sums = np.bincount(buckets.ravel(), slopes.sum(axis=0).ravel(), _N_BIASES)
        return {"biases": sums.astype(np.float64)}

    return _biased(asked, asked.learned["biases"][buckets], by_biases)


def _kerple(asked: Asked) -> _Scored:
    """Less r1 log(1 + r2 |t - s|) (Kerple, logarithmic, arXiv 2205.09921)."""
    r1 = asked.learned["r1"]
    distances = _distances(asked.n_places)
    stretched = 1.0 + asked.learned["r2"] * distances
    logarithms = np.log(stretched)

    def by_both(slopes: Floats) -> Learned:
        sums = slopes.sum(axis=0)
        by_r2 = r1 * np.sum(sums * distances / stretched)
        return {"r1": -np.asarray(np.sum(sums * logarithms)), "r2": -np.asarray(by_r2)}

    return _biased(asked, -r1 * logarithms, by_both)


def _fox(asked: Asked) -> _Scored:
    """With log sigmoid(w . x_l + b) of each word after the key, up to the query, added (FoX, arXiv 2503.02130)."""
    words = asked.words
    gates = -softplus(-(words @ asked.learned["w"] + asked.learned["b"]))
    # A sum of them between two places is a difference of running sums.
    sums = np.cumsum(gates, axis=1)

    def by_both(slopes: Floats) -> Learned:
        by_sums = slopes.sum(axis=2) - slopes.sum(axis=1)
        # A gate is in the sum of its own place and in all later ones; the derivative of log sigmoid is 1 - sigmoid.
        by_gates = np.cumsum(by_sums[:, ::-1], axis=1)[:, ::-1] * -np.expm1(gates)
        return {"w": np.tensordot(by_gates, words), "b": np.asarray(by_gates.sum())}

    return _biased(asked, sums[:, :, None] - sums[:, None, :], by_both)


def _shaw(asked: Asked) -> _Scored:
    """With a vector for each distance, clipped at 16, added to the keys (Shaw, arXiv 1803.02155)."""
    queries = asked.queries
    vectors = asked.learned["vectors"]
    scale = queries.shape[-1] ** -0.5
    clipped = np.minimum(_distances(asked.n_places), _N_VECTORS - 1).astype(np.intp)
    scores, back = _dots(asked)
    scores += (scale * (queries @ vectors.T))[:, np.arange(len(clipped))[:, None], clipped]

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        # Of each place t the keys at one distance together, shape (places, sentences, vectors).
        is_at = (clipped[:, :, None] == np.arange(_N_VECTORS)).astype(np.float64)
        by_distance = np.ascontiguousarray((slopes.swapaxes(0, 1) @ is_at).swapaxes(0, 1))
        by_vectors = scale * np.tensordot(by_distance, queries, ((0, 1), (0, 1)))
        return by_queries + scale * (by_distance @ vectors), by_keys, {"vectors": by_vectors}

    return scores, backward


@lru_cache(maxsize=8)
def _table(run: Run, n_places: int) -> Floats:
    return read_only(run.encoding.values(range(n_places)))


def _turning(hands: type[Rotary], before: complex = 1.0) -> _Learner:
    return _Learner(hands.id, partial(_rotary, hands=hands, before=before), hands=hands)


_ROWS: Final = (
    _Learner("none", _dots),
    _Learner("additive", _dots, added=_table),
    _turning(Rotary),
    _Learner("alibi", _alibi, lambda d_model: {"slope": np.asarray(_FIRST_SLOPE)}, "its slope"),
    _Learner("t5", _t5, lambda d_model: {"biases": np.zeros(_N_BIASES)}, f"its {_N_BIASES} biases"),
    _Learner("shaw", _shaw, lambda d_model: {"vectors": np.zeros((_N_VECTORS, d_model))}, f"its {_N_VECTORS} vectors"),
    _turning(PRope),
    _Learner("pope", _pope, lambda d_model: {"phases": np.zeros(d_model)}, "a phase for each dimension"),
    _turning(RopePP, BACK_A_QUARTER),
    _Learner("kerple", _kerple, lambda d_model: {"r1": np.ones(()), "r2": np.ones(())}, "r₁ and r₂"),
    _Learner("fox", _fox, lambda d_model: {"w": np.zeros(d_model), "b": np.ones(())}, "w and b of its gates"),
    _Learner("random", _dots, added=lambda run, n_places: random_vectors(run.d_model, n_places)),
)
LEARNERS: Final[Mapping[str, _Learner]] = {row.id: row for row in _ROWS}
