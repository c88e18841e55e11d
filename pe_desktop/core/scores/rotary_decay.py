"""How scores fall with the offset: the bound of the RoPE paper, and the mean |score| of seeded queries and keys."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import Rotary

DECAY_STREAM: Final = 13
# The farthest distance that is shown, and the fewest and the most of them that are measured.
_FARTHEST, _NEAREST, _MOST_OFFSETS = 1_024, 8, 257
# Values of the queries that are drawn, and how many these are at least and at most.
_VALUES: Final = 2**20
_FEWEST, _MOST = 256, 4_096
# Offsets worked on at once, times pairs.
_CELLS: Final = 2**19


@record(eq=False)
class Decay:
    """By the offsets k, shape (n,) each: the bound, and mean |score| of seeded vectors, all relative to k = 0.

    independent: of queries and keys that are drawn apart; alike: of keys that equal their queries. n_draws: how many of
    each; mean: what mean |score| of independent ones is at k = 0.
    """

    offsets: Floats
    bound: Floats
    independent: Floats
    alike: Floats
    mean: float
    n_draws: int


def partial_sums(rotary: Rotary, offsets: Floats) -> Floats:
    """The sum over i = 1 to h of |S_i|, S_i = sum over j < i of e^(i k omega_j), shape (len(offsets),).

    Source: RoFormer, arXiv 2104.09864, section 3.4.3.
    """
    return np.asarray(np.abs(np.cumsum(_turns(rotary, offsets), axis=1)).sum(axis=1))


def score_bound(rotary: Rotary, query: Floats, key: Floats, offsets: Floats) -> Floats:
    """What no |score| exceeds, shape (len(offsets),): max |h_(i+1) - h_i| times partial_sums, over sqrt(d).

    h_i = q_i k_i* as complex numbers, 0 after the last; what stands still is added as it is.
    """
    products = np.append(_products(rotary, query[np.newaxis], key[np.newaxis])[0], 0.0)
    steps = np.abs(np.diff(products)).max(initial=0.0)
    still = abs(float(_still(rotary, query[np.newaxis], key[np.newaxis])[0]))
    bound: Floats = (steps * partial_sums(rotary, offsets) + still) / np.sqrt(len(query))
    return bound


def decay_reach(encoding: Encoding) -> int:
    """The farthest distance that is shown."""
    return min(max(encoding.n_positions - 1, _NEAREST), _FARTHEST)


def decay_offsets(encoding: Encoding) -> Floats:
    """The distances that are shown: all, or 257 that are spread evenly."""
    reach = decay_reach(encoding)
    return np.rint(np.linspace(0.0, reach, min(reach + 1, _MOST_OFFSETS)))


def n_decay_draws(d_model: int) -> int:
    """How many queries and keys are drawn."""
    return min(max(_VALUES // d_model, _FEWEST), _MOST)


def decay(rotary: Rotary, offsets: Floats, seed: int, is_cancelled: IsCancelled = never) -> Decay | None:
    """Measure at k = 0 and at ascending offsets; None when cancelled."""
    offsets = np.concatenate([[0.0], offsets[offsets > 0]])
    d_model = rotary.encoding.d_model
    n_draws = n_decay_draws(d_model)
    queries, keys = np.random.default_rng([seed, DECAY_STREAM]).standard_normal((2, n_draws, d_model))
    vectors = [(_products(rotary, queries, other), _still(rotary, queries, other)) for other in (keys, queries)]
    bound, means = np.zeros(len(offsets)), np.zeros((2, len(offsets)))
    height = max(_CELLS // max(rotary.n_turning, 1), 1)
    for first in range(0, len(offsets), height):
        if is_cancelled():
            return None
        some = slice(first, first + height)
        turns = _turns(rotary, offsets[some])
        bound[some] = np.abs(np.cumsum(turns, axis=1)).sum(axis=1)
        for row, (products, still) in zip(means, vectors, strict=True):
            row[some] = np.abs((turns.conj() @ products.T).real + still).mean(axis=1)
    mean = float(means[0, 0] / np.sqrt(d_model))
    return Decay(offsets, _relative(bound), _relative(means[0]), _relative(means[1]), mean, n_draws)


def _turns(rotary: Rotary, offsets: Floats) -> NDArray[np.complex128]:
    """e^(i k omega) of every pair that turns, shape (len(offsets), n_turning)."""
    if rotary.pairs is None:
        return np.zeros((len(offsets), 0), dtype=np.complex128)
    return np.asarray(np.exp(1j * rotary.pairs.offset_angles(offsets)))


def _products(rotary: Rotary, queries: Floats, keys: Floats) -> NDArray[np.complex128]:
    """q_i k_i* of every pair that turns, shape (n, n_turning)."""
    firsts, seconds = rotary.partners.T
    q, k = (vectors[:, firsts] + 1j * vectors[:, seconds] for vectors in (queries, keys))
    return np.asarray(q * k.conj())


def _still(rotary: Rotary, queries: Floats, keys: Floats) -> Floats:
    """What the dimensions that stand still add, before 1 / sqrt(d), shape (n,)."""
    still = slice(2 * rotary.n_turning, None)
    return np.asarray((queries[:, still] * keys[:, still]).sum(axis=1))


def _relative(values: Floats) -> Floats:
    """Values as parts of the first one, all 1 where that is 0."""
    return np.asarray(values / values[0]) if values[0] else np.ones_like(values)
