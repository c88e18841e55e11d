"""The score of one query and one key: pair by pair, where it keeps to the offset, how it falls."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, Integers, ends_of, slices
from pe_desktop.core.fields.field import shift_positions
from pe_desktop.core.lags import IsCancelled, Progression, never, stop_if, weighted_dots
from pe_desktop.core.rotation import DiagonalSpread
from pe_desktop.core.scores.rotary import QueryAndKey, RotaryPairs, both_turned
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.source.vectors import drawn_apart, falling, partial_sums, scores_at_offset, shares_of_first

# Values of rotated keys among which spreads are measured: some hundredths of a second.
_CELLS: Final = 2**20
_MOST_POSITIONS, _FEW_POSITIONS = 256, 96


def pair_terms(rotary: Rotary, vectors: QueryAndKey, position: float, other: float) -> Floats:
    """What each pair adds to the score of the query at t and the key at s, shape ((d_model + 1) // 2,).

    From turned vectors, whatever the pairing; the pairs that turn come first, then those that stand still.
    """
    query, key = both_turned(rotary, vectors, position, other)
    products = query * key / np.sqrt(vectors.d_model)
    columns = RotaryPairs(rotary).columns
    return np.append(products[columns].sum(axis=1), products[columns.size :])


def score_at(rotary: Rotary, vectors: QueryAndKey, position: float, other: float) -> float:
    """The score of the query at t and the key at s."""
    query, key = both_turned(rotary, vectors, position, other)
    return float(query @ key / np.sqrt(vectors.d_model))


def diagonal_positions(encoding: Encoding, offset: float, most: int = _MOST_POSITIONS) -> Integers:
    """An even sample of the t with t and t + k in the table, of all where they are few."""
    return shift_positions(encoding, offset, min(max(_CELLS // encoding.d_model, 2), most))


def few_positions(encoding: Encoding, t: float, s: float) -> Floats:
    """The positions of a curve whose every two places are scored, t alone where no t + k is in the table."""
    rows = np.asarray(diagonal_positions(encoding, s - t, _FEW_POSITIONS), dtype=np.float64)
    return rows if len(rows) else np.array([t])


def scores_along(rotary: Rotary, vectors: QueryAndKey, offset: float) -> Floats:
    """The scores at t and t + k over the t of `diagonal_positions`, shape (n,)."""
    positions = diagonal_positions(rotary.encoding, offset).astype(np.float64)
    query, key = (vector[None] for vector in vectors.both)
    return np.asarray(scores_at_offset([[rotary.turned] * 2], query, key, positions, offset)[0])


def scores_around(rotary: Rotary, vectors: QueryAndKey, offsets: Progression) -> Floats:
    """The scores of a pairing that keeps to the offset, shape (offsets.count,): Re(Σ q_i* k_i e^(i k ω_i)) / √d."""
    products, still = _products(rotary, *vectors.both)
    turns = range(rotary.n_turning)
    turning = 0.0 if rotary.pairs is None else weighted_dots(rotary.pairs, offsets, products, numbers=turns)
    return np.asarray((np.full(offsets.count, still) + turning) / np.sqrt(vectors.d_model))


def _products(rotary: Rotary, query: Floats, key: Floats) -> tuple[NDArray[np.complex128], float]:
    """q_i* k_i of each pair that turns, as complex numbers, and the product of what stands still."""
    firsts, seconds = rotary.partners.T
    query = rotary.asked(query[None])[0]
    products = (query[firsts] - 1j * query[seconds]) * (key[firsts] + 1j * key[seconds])
    still = products[rotary.n_turning :].real.sum() + query[2 * rotary.n_paired :] @ key[2 * rotary.n_paired :]
    return products[: rotary.n_turning], float(still)


def spread_of(scores: Floats, encoding: Encoding, offset: float) -> DiagonalSpread:
    """How far scores along a diagonal lie apart."""
    ends = ends_of(scores) if len(scores) else (np.nan, np.nan)
    return DiagonalSpread(*ends, len(scores), len(scores) < len(encoding.shift_range(offset)))


# The farthest distance that is shown, and the fewest and the most of them that are measured.
_FARTHEST, _NEAREST, _MOST_OFFSETS = 1_024, 8, 257
# Values of the queries that are drawn, and how many these are at least and at most.
_VALUES: Final = 2**20
_FEWEST, _MOST = 256, 4_096
# Offsets worked on at once, times pairs.
_DECAY_CELLS: Final = 2**19


def score_bound(rotary: Rotary, query: Floats, key: Floats, offsets: Floats) -> Floats:
    """What no |score| exceeds, shape (len(offsets),): max |h_(i+1) - h_i| times partial_sums, over sqrt(d).

    h_i = q_i k_i* as complex numbers, 0 after the last; what stands still is added as it is.
    """
    products, still = _products(rotary, query, key)
    steps = np.abs(np.diff(np.append(products, 0.0))).max(initial=0.0)
    return np.asarray(
        (steps * partial_sums(rotary.angles(offsets)[:, : rotary.n_turning]) + abs(still)) / np.sqrt(len(query))
    )


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


def decay(rotary: Rotary, seed: int, is_cancelled: IsCancelled = never) -> Floats:
    """Bound and mean |score| at the shown distances, relative to distance 0, shape (3, n); pairings don't change it.

    The means are of seeded queries and keys that are drawn apart, then of keys that equal their queries.
    """
    encoding = rotary.encoding
    offsets = decay_offsets(rotary.encoding)
    drawn = drawn_apart(encoding.d_model, seed, n_decay_draws(encoding.d_model))
    parts = []
    for part in slices(len(offsets), _DECAY_CELLS // max(rotary.n_turning, 1)):
        stop_if(is_cancelled)
        parts.append(falling(rotary.angles(offsets[part])[:, : rotary.n_turning], drawn))
    return shares_of_first(np.concatenate(parts, axis=1))
