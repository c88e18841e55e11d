"""Scores of a head under each scheme, and how the slope of a loss goes back through them: the derivatives by hand.

Queries and keys have shape (sentences, places, d_model), scores (sentences, places t, places s).
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, read_only
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.learning.run import Run, random_vectors
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import Rotary

# Learned arrays by their names.
Learned: TypeAlias = Mapping[str, Floats]
Turns: TypeAlias = NDArray[np.complex128]
# The slopes of a loss by queries, by keys, and by what the scheme learns beside W_Q and W_K.
_Slopes: TypeAlias = tuple[Floats, Floats, Learned]
# From the slopes by the scores.
_Backward: TypeAlias = Callable[[Floats], _Slopes]
_Scored: TypeAlias = tuple[Floats, _Backward]

# Offsets of T5 that have a bias of their own, and of Shaw that have a vector; those beyond share the last one.
N_BIASES: Final = 32
N_VECTORS: Final = 17
_FIRST_SLOPE: Final = 0.1
# Of p-RoPE, the share of the pairs that turn.
_FAST_SHARE: Final = 0.75
# Of RoPE++.
BACK_A_QUARTER: Final = -1j
# Of Kerple, whose numbers are above 0, as in the authors' program; of the phases of PoPE.
_ABOVE_0: Final = (1e-6, math.inf)
_PHASES: Final = (-math.tau, 0.0)


@record(eq=False)
class Places:
    """What is computed once for the places 0 to count - 1 of a sentence, with the hands of an encoding."""

    encoding: Encoding
    count: int

    @cached_property
    def distances(self) -> Floats:
        """The distance t - s, 0 where s is later, shape (count, count)."""
        places = np.arange(float(self.count))
        return read_only(np.maximum(places[:, None] - places, 0.0))

    @cached_property
    def turns(self) -> Turns:
        """The turn e^(i t omega) of each pair, shape (count, d_model / 2)."""
        return _turns(rotary_angles(self.encoding, np.arange(float(self.count))))

    @cached_property
    def fast_turns(self) -> Turns:
        """Those of p-RoPE: the slow pairs stand still."""
        return _turns(fast_angles(self.encoding, np.arange(float(self.count))))

    @cached_property
    def turns_of_dimensions(self) -> Turns:
        """The turn of each dimension of PoPE, shape (count, d_model)."""
        return _turns(rotary_angles(_twice_as_wide(self.encoding), np.arange(float(self.count))))

    def shared(self, most: int) -> NDArray[np.intp]:
        """The distances as whole numbers, those beyond `most` as `most`."""
        return np.minimum(self.distances, most).astype(np.intp)


places_of: Final = lru_cache(maxsize=16)(Places)


def _turns(angles: Floats) -> Turns:
    return read_only(np.exp(1j * angles))


def rotary_angles(encoding: Encoding, positions: Floats) -> Floats:
    """The angle by which RoPE turns each pair, shape (len(positions), d_model / 2), radians."""
    return Rotary(encoding).angles(positions)


def fast_angles(encoding: Encoding, positions: Floats) -> Floats:
    """The same for p-RoPE (arXiv 2410.06205): the slowest quarter of the pairs, rounded up, are not turned."""
    angles = rotary_angles(encoding, positions)
    n_turning = int(_FAST_SHARE * angles.shape[1])
    return np.where(np.arange(angles.shape[1]) < n_turning, angles, 0.0)


def _twice_as_wide(encoding: Encoding) -> Encoding:
    """An encoding with a hand for each dimension."""
    if isinstance(encoding, SinusoidalEncoding):
        return replace(encoding, d_model=2 * encoding.d_model)
    return SinusoidalEncoding(d_model=2 * encoding.d_model, base=float(encoding.parameters.get("base", 10_000.0)))


def _no_more(_d_model: int) -> Learned:
    return {}


def _nothing(_run: Run, _n_places: int) -> None:
    return None


@record
class Learner:
    """A scheme as it is trained: its first learned values, what it adds to the words, and its scores.

    first: by the width, beside W_Q and W_K. added: vectors of the first places, shape (n, d_model), or nothing. scored:
    from queries, keys, words, learned arrays and Places, the scores and their way back. learns: what it learns beside
    the two matrices, in words; limits: between which numbers this stays. reads_hands: whether the encoding matters
    beyond its width; turns_hands: whether queries and keys are turned by its hands.
    """

    id: str
    scored: Callable[[Floats, Floats, Floats, Learned, Places], _Scored]
    first: Callable[[int], Learned] = _no_more
    added: Callable[[Run, int], Floats | None] = _nothing
    learns: str = ""
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict, hash=False)
    reads_hands: bool = False
    turns_hands: bool = False


def _products(queries: Floats, keys: Floats, d_model: int) -> _Scored:
    """Q . k / sqrt(d_model)."""
    scale = d_model**-0.5

    def backward(slopes: Floats) -> _Slopes:
        return scale * (slopes @ keys), scale * (slopes.swapaxes(1, 2) @ queries), {}

    return (scale * queries) @ keys.swapaxes(1, 2), backward


def _dots(queries: Floats, keys: Floats, _words: Floats, _learned: Learned, _places: Places) -> _Scored:
    return _products(queries, keys, queries.shape[-1])


def _turned(vectors: Floats, turns: Turns) -> Floats:
    """Dimensions 2j and 2j + 1 as one complex number, times the turn of each place: RoPE (arXiv 2104.09864)."""
    return np.asarray((np.ascontiguousarray(vectors).view(np.complex128) * turns).view(np.float64))


def _rotary_by(queries: Floats, keys: Floats, of_queries: Turns, of_keys: Turns) -> _Scored:
    """The products of turned queries and keys; a turn back is the transposed matrix of a turn."""
    scores, back = _products(_turned(queries, of_queries), _turned(keys, of_keys), queries.shape[-1])

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, nothing = back(slopes)
        return _turned(by_queries, of_queries.conj()), _turned(by_keys, of_keys.conj()), nothing

    return scores, backward


def _rotary(queries: Floats, keys: Floats, _words: Floats, _learned: Learned, places: Places) -> _Scored:
    return _rotary_by(queries, keys, places.turns, places.turns)


def _fast_rotary(queries: Floats, keys: Floats, _words: Floats, _learned: Learned, places: Places) -> _Scored:
    return _rotary_by(queries, keys, places.fast_turns, places.fast_turns)


def _sine_rotary(queries: Floats, keys: Floats, _words: Floats, _learned: Learned, places: Places) -> _Scored:
    """The second half of RoPE++ (arXiv 2512.07525): the query is turned back by a quarter before."""
    return _rotary_by(queries, keys, BACK_A_QUARTER * places.turns, places.turns)


def _softplus(x: Floats) -> Floats:
    """log(1 + e^x)."""
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def _sigmoid(x: Floats) -> Floats:
    """1 / (1 + e^-x), the derivative of softplus."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, small, 1.0) / (1.0 + small))


def _pope(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """Each dimension is a hand: softplus is its length, the position its angle, to which a phase comes for keys.

    The sum of sp(q_c) sp(k_c) cos((s - t) omega_c + delta_c) over sqrt(d_model) (PoPE, arXiv 2509.10534).
    """
    here = places.turns_of_dimensions
    there = here * np.exp(1j * learned["phases"])
    lengths = _softplus(keys)
    asking, asked = (_softplus(queries) * here).view(np.float64), (lengths * there).view(np.float64)
    scores, back = _products(asking, asked, queries.shape[-1])

    def backward(slopes: Floats) -> _Slopes:
        by_asking, by_asked, _ = back(slopes)
        # A slope by a hand: its real part is that by the length, its imaginary part that by the angle, over the length.
        along_queries = by_asking.view(np.complex128) * here.conj()
        along_keys = by_asked.view(np.complex128) * there.conj()
        of_phases = (lengths * along_keys.imag).sum(axis=(0, 1))
        return along_queries.real * _sigmoid(queries), along_keys.real * _sigmoid(keys), {"phases": of_phases}

    return scores, backward


def _alibi(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """Less a slope times the distance (ALiBi, arXiv 2108.12409); here the slope is learned."""
    scores, back = _products(queries, keys, queries.shape[-1])
    scores -= learned["slope"] * places.distances

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        return by_queries, by_keys, {"slope": -np.asarray(np.sum(slopes.sum(axis=0) * places.distances))}

    return scores, backward


def _t5(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """With a bias for each distance, those from 31 on share one (T5, arXiv 1910.10683, without its wider buckets)."""
    scores, back = _products(queries, keys, queries.shape[-1])
    buckets = places.shared(N_BIASES - 1)
    scores += learned["biases"][buckets]

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        summed = np.bincount(buckets.ravel(), slopes.sum(axis=0).ravel(), N_BIASES).astype(np.float64)
        return by_queries, by_keys, {"biases": summed}

    return scores, backward


def _shaw(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """With a vector for each distance, clipped at 16, added to the keys (Shaw, arXiv 1803.02155)."""
    scale = queries.shape[-1] ** -0.5
    vectors = learned["vectors"]
    scores, back = _products(queries, keys, queries.shape[-1])
    clipped = places.shared(N_VECTORS - 1)
    scores += (scale * (queries @ vectors.T))[:, np.arange(len(clipped))[:, None], clipped]

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        # Of each place t the keys at one distance together, shape (places, sentences, vectors).
        is_at = (clipped[:, :, None] == np.arange(N_VECTORS)).astype(np.float64)
        by_distance = np.ascontiguousarray((slopes.swapaxes(0, 1) @ is_at).swapaxes(0, 1))
        flat = by_distance.reshape(-1, N_VECTORS)
        of_vectors = scale * (flat.T @ queries.reshape(len(flat), -1))
        return by_queries + scale * (by_distance @ vectors), by_keys, {"vectors": of_vectors}

    return scores, backward


def _kerple(queries: Floats, keys: Floats, _words: Floats, learned: Learned, places: Places) -> _Scored:
    """Less r1 log(1 + r2 |t - s|) (Kerple, logarithmic, arXiv 2205.09921)."""
    scores, back = _products(queries, keys, queries.shape[-1])
    r1 = learned["r1"]
    stretched = 1.0 + learned["r2"] * places.distances
    logarithms = np.log(stretched)
    scores -= r1 * logarithms

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        summed = slopes.sum(axis=0)
        of_r1 = -np.asarray(np.sum(summed * logarithms))
        of_r2 = -np.asarray(r1 * np.sum(summed * places.distances / stretched))
        return by_queries, by_keys, {"r1": of_r1, "r2": of_r2}

    return scores, backward


def _fox(queries: Floats, keys: Floats, words: Floats, learned: Learned, _places: Places) -> _Scored:
    """With log sigmoid(w . x_l + b) of each word after the key, up to the query, added (FoX, arXiv 2503.02130)."""
    scores, back = _products(queries, keys, queries.shape[-1])
    gates = words @ learned["w"] + learned["b"]
    # log sigmoid(x) = -softplus(-x); a sum of them between two places is a difference of running sums.
    sums = np.cumsum(-_softplus(-gates), axis=1)
    scores += sums[:, :, None] - sums[:, None, :]

    def backward(slopes: Floats) -> _Slopes:
        by_queries, by_keys, _ = back(slopes)
        by_sums = slopes.sum(axis=2) - slopes.sum(axis=1)
        # A gate is in the sum of its own place and in all later ones.
        by_gates = np.cumsum(by_sums[:, ::-1], axis=1)[:, ::-1] * _sigmoid(-gates)
        of_w = words.reshape(-1, words.shape[-1]).T @ by_gates.ravel()
        return by_queries, by_keys, {"w": of_w, "b": np.asarray(by_gates.sum())}

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
        Learner("p-rope", _fast_rotary, reads_hands=True, turns_hands=True),
        Learner(
            *("pope", _pope, lambda d_model: {"phases": np.zeros(d_model)}),
            learns="a phase for each dimension",
            limits={"phases": _PHASES},
            reads_hands=True,
        ),
        Learner("rope-pp", _sine_rotary, reads_hands=True, turns_hands=True),
        Learner(
            *("kerple", _kerple, lambda d_model: {"r1": np.ones(()), "r2": np.ones(())}),
            learns="r₁ and r₂",
            limits={"r1": _ABOVE_0, "r2": _ABOVE_0},
        ),
        Learner(
            *("fox", _fox, lambda d_model: {"w": np.zeros(d_model), "b": np.ones(())}),
            learns="w and b of its gates",
        ),
        Learner("random", _dots, added=_random),
    )
}
