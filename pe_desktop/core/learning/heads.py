"""Scores of a head under each scheme, and how the slope of a loss goes back through them: the derivatives by hand.

Queries and keys have shape (sentences, places, d_model), scores (sentences, places t, places s).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, read_only
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.learning.run import Run, random_vectors
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import Rotary

# Learned arrays by their names.
Learned: TypeAlias = Mapping[str, Floats]
_Turns: TypeAlias = NDArray[np.complex128]
# The slopes of a loss by queries, by keys, and by what the scheme learns beside W_Q and W_K.
_Slopes: TypeAlias = tuple[Floats, Floats, Learned]
# The scores, and what makes these slopes from those by the scores.
_Scored: TypeAlias = tuple[Floats, Callable[[Floats], _Slopes]]

# Offsets of T5 that have a bias of their own, and of Shaw that have a vector; those beyond share the last one.
_N_BIASES: Final = 32
_N_VECTORS: Final = 17
_FIRST_SLOPE: Final = 0.1
# Of p-RoPE, the share of the pairs that turn.
_FAST_SHARE: Final = 0.75
# What the second half of RoPE++ does with a query before it is turned.
BACK_A_QUARTER: Final = -1j
# Of Kerple, whose numbers are above 0, as in the authors' program; of the phases of PoPE.
_ABOVE_0: Final = (1e-6, math.inf)
_PHASES: Final = (-math.tau, 0.0)


@record(eq=False)
class Asked:
    """What scores are made of, with words (sentences, places, d_model) as they are before anything is added.

    distances: t - s, 0 where s is later, shape (places, places); turns: e^(i t omega) of each hand of the scheme, shape
    (places, n_hands), without any for schemes that turn nothing.
    """

    queries: Floats
    keys: Floats
    words: Floats
    learned: Learned
    distances: Floats
    turns: _Turns


@record
class Learner:
    """A scheme as it is trained.

    first: its first learned values beside W_Q and W_K, by the width; learns: what they are, in words; limits: between
    which numbers they stay. added: vectors of the first places, shape (n, d_model), or nothing. angles: of its hands
    at some positions, radians. reads_hands: whether the encoding matters beyond its width; turns_hands: whether its
    hands turn pairs of queries and keys.
    """

    id: str
    scored: Callable[[Asked], _Scored]
    first: Callable[[int], Learned] = field(default=lambda d_model: {})
    learns: str = ""
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict, hash=False)
    added: Callable[[Run, int], Floats | None] = field(default=lambda run, n_places: None)
    angles: Callable[[Encoding, Floats], Floats] = field(default=lambda encoding, positions: positions[:, None][:, :0])
    reads_hands: bool = False
    turns_hands: bool = False


def scored(scheme: str, encoding: Encoding, queries: Floats, keys: Floats, words: Floats, learned: Learned) -> _Scored:
    """The scores under a scheme, before the mask, and how slopes go back through them: 0 for keys after the query."""
    n_places = queries.shape[1]
    turns = _turns(scheme, encoding, n_places)
    return LEARNERS[scheme].scored(Asked(queries, keys, words, learned, _distances(n_places), turns))


@lru_cache(maxsize=16)
def _distances(n_places: int) -> Floats:
    places = np.arange(float(n_places))
    return read_only(np.maximum(places[:, None] - places, 0.0))


@lru_cache(maxsize=32)
def _turns(scheme: str, encoding: Encoding, n_places: int) -> _Turns:
    return read_only(np.exp(1j * LEARNERS[scheme].angles(encoding, np.arange(float(n_places)))))


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

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        return by_queries, by_keys, by_learned(slopes)

    scores += biases
    return scores, backward


def _turned(vectors: Floats, turns: _Turns) -> Floats:
    """Dimensions 2j and 2j + 1 as one complex number, times the turn of each place: RoPE (arXiv 2104.09864)."""
    return np.asarray((np.ascontiguousarray(vectors).view(np.complex128) * turns).view(np.float64))


def _rotary(asked: Asked, before: complex = 1.0) -> _Scored:
    """Queries and keys are turned, queries by a turn more; a turn back is the transposed matrix of a turn."""
    of_queries = before * asked.turns
    turned = _turned(asked.queries, of_queries), _turned(asked.keys, asked.turns)
    scores, back = _products(*turned, asked.queries.shape[-1])

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, nothing = back(slopes)
        return _turned(by_queries, of_queries.conj()), _turned(by_keys, asked.turns.conj()), nothing

    return scores, backward


def _pair_angles(encoding: Encoding, positions: Floats) -> Floats:
    return Rotary(encoding).angles(positions)


def _fast_angles(encoding: Encoding, positions: Floats) -> Floats:
    """P-RoPE (arXiv 2410.06205): the slowest quarter of the pairs, rounded up, are not turned."""
    angles = _pair_angles(encoding, positions)
    n_turning = int(_FAST_SHARE * angles.shape[1])
    return np.where(np.arange(angles.shape[1]) < n_turning, angles, 0.0)


def _angles_of_dimensions(encoding: Encoding, positions: Floats) -> Floats:
    """Those of PoPE: as of an encoding with a hand for each dimension."""
    width = 2 * encoding.d_model
    if isinstance(encoding, SinusoidalEncoding):
        return _pair_angles(replace(encoding, d_model=width), positions)
    base = float(encoding.parameters.get("base", 10_000.0))
    return _pair_angles(SinusoidalEncoding(d_model=width, base=base), positions)


def _softplus(x: Floats) -> Floats:
    """log(1 + e^x)."""
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def _sigmoid(x: Floats) -> Floats:
    """1 / (1 + e^-x), the derivative of softplus."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, small, 1.0) / (1.0 + small))


def _pope(asked: Asked) -> _Scored:
    """Each dimension is a hand: softplus is its length, the position its angle, to which a phase comes for keys.

    The sum of sp(q_c) sp(k_c) cos((s - t) omega_c + delta_c) over sqrt(d_model) (PoPE, arXiv 2509.10534).
    """
    here = asked.turns
    there = here * np.exp(1j * asked.learned["phases"])
    lengths = _softplus(asked.keys)
    hands = (_softplus(asked.queries) * here).view(np.float64), (lengths * there).view(np.float64)
    scores, back = _products(*hands, asked.queries.shape[-1])

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        # A slope by a hand: its real part is that by the length, its imaginary part that by the angle, over the length.
        along_queries = (by_queries.view(np.complex128) * here.conj()).real * _sigmoid(asked.queries)
        along_keys = by_keys.view(np.complex128) * there.conj()
        by_phases = (lengths * along_keys.imag).sum(axis=(0, 1))
        return along_queries, along_keys.real * _sigmoid(asked.keys), {"phases": by_phases}

    return scores, backward


def _alibi(asked: Asked) -> _Scored:
    """Less a slope times the distance (ALiBi, arXiv 2108.12409); here the slope is learned."""
    distances = asked.distances

    def by_slope(slopes: Floats) -> Learned:
        return {"slope": -np.asarray(np.sum(slopes.sum(axis=0) * distances))}

    return _biased(asked, -asked.learned["slope"] * distances, by_slope)


def _t5(asked: Asked) -> _Scored:
    """With a bias for each distance, those from 31 on share one (T5, arXiv 1910.10683, without its wider buckets)."""
    buckets = np.minimum(asked.distances, _N_BIASES - 1).astype(np.intp)

    def by_biases(slopes: Floats) -> Learned:
        sums = np.bincount(buckets.ravel(), slopes.sum(axis=0).ravel(), _N_BIASES)
        return {"biases": sums.astype(np.float64)}

    return _biased(asked, asked.learned["biases"][buckets], by_biases)


def _kerple(asked: Asked) -> _Scored:
    """Less r1 log(1 + r2 |t - s|) (Kerple, logarithmic, arXiv 2205.09921)."""
    r1 = asked.learned["r1"]
    stretched = 1.0 + asked.learned["r2"] * asked.distances
    logarithms = np.log(stretched)

    def by_both(slopes: Floats) -> Learned:
        sums = slopes.sum(axis=0)
        by_r2 = r1 * np.sum(sums * asked.distances / stretched)
        return {"r1": -np.asarray(np.sum(sums * logarithms)), "r2": -np.asarray(by_r2)}

    return _biased(asked, -r1 * logarithms, by_both)


def _fox(asked: Asked) -> _Scored:
    """With log sigmoid(w . x_l + b) of each word after the key, up to the query, added (FoX, arXiv 2503.02130)."""
    words = asked.words
    gates = words @ asked.learned["w"] + asked.learned["b"]
    # log sigmoid(x) = -softplus(-x); a sum of them between two places is a difference of running sums.
    sums = np.cumsum(-_softplus(-gates), axis=1)

    def by_both(slopes: Floats) -> Learned:
        by_sums = slopes.sum(axis=2) - slopes.sum(axis=1)
        # A gate is in the sum of its own place and in all later ones.
        by_gates = np.cumsum(by_sums[:, ::-1], axis=1)[:, ::-1] * _sigmoid(-gates)
        by_w = words.reshape(-1, words.shape[-1]).T @ by_gates.ravel()
        return {"w": by_w, "b": np.asarray(by_gates.sum())}

    return _biased(asked, sums[:, :, None] - sums[:, None, :], by_both)


def _shaw(asked: Asked) -> _Scored:
    """With a vector for each distance, clipped at 16, added to the keys (Shaw, arXiv 1803.02155)."""
    queries = asked.queries
    vectors = asked.learned["vectors"]
    scale = queries.shape[-1] ** -0.5
    clipped = np.minimum(asked.distances, _N_VECTORS - 1).astype(np.intp)
    scores, back = _dots(asked)
    scores += (scale * (queries @ vectors.T))[:, np.arange(len(clipped))[:, None], clipped]

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        # Of each place t the keys at one distance together, shape (places, sentences, vectors).
        is_at = (clipped[:, :, None] == np.arange(_N_VECTORS)).astype(np.float64)
        by_distance = np.ascontiguousarray((slopes.swapaxes(0, 1) @ is_at).swapaxes(0, 1))
        flat = by_distance.reshape(-1, _N_VECTORS)
        by_vectors = scale * (flat.T @ queries.reshape(len(flat), -1))
        return by_queries + scale * (by_distance @ vectors), by_keys, {"vectors": by_vectors}

    return scores, backward


def _table(run: Run, n_places: int) -> Floats:
    return _rows(run.encoding, n_places)


@lru_cache(maxsize=8)
def _rows(encoding: Encoding, n_places: int) -> Floats:
    return read_only(encoding.values(range(n_places)))


def _random(run: Run, n_places: int) -> Floats:
    return random_vectors(run.d_model, n_places)


_HANDS: Final[Mapping[str, Any]] = {"reads_hands": True, "turns_hands": True}
_ROWS: Final = (
    Learner("none", _dots),
    Learner("additive", _dots, added=_table, reads_hands=True),
    Learner("rope", _rotary, angles=_pair_angles, **_HANDS),
    Learner("alibi", _alibi, lambda d_model: {"slope": np.asarray(_FIRST_SLOPE)}, "its slope"),
    Learner("t5", _t5, lambda d_model: {"biases": np.zeros(_N_BIASES)}, f"its {_N_BIASES} biases"),
    Learner("shaw", _shaw, lambda d_model: {"vectors": np.zeros((_N_VECTORS, d_model))}, f"its {_N_VECTORS} vectors"),
    Learner("p-rope", _rotary, angles=_fast_angles, **_HANDS),
    Learner(
        *("pope", _pope, lambda d_model: {"phases": np.zeros(d_model)}, "a phase for each dimension"),
        limits={"phases": _PHASES},
        angles=_angles_of_dimensions,
        reads_hands=True,
    ),
    Learner("rope-pp", partial(_rotary, before=BACK_A_QUARTER), angles=_pair_angles, **_HANDS),
    Learner(
        *("kerple", _kerple, lambda d_model: {"r1": np.ones(()), "r2": np.ones(())}, "r₁ and r₂"),
        limits={"r1": _ABOVE_0, "r2": _ABOVE_0},
    ),
    Learner("fox", _fox, lambda d_model: {"w": np.zeros(d_model), "b": np.ones(())}, "w and b of its gates"),
    Learner("random", _dots, added=_random),
)
LEARNERS: Final[Mapping[str, Learner]] = {row.id: row for row in _ROWS}
