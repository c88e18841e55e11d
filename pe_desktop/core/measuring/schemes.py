"""Four properties of the scores of a scheme, measured: by the offset alone, bounded, falling, blind to order.

A query and a key are seeded, as those of Rotary; what a scheme adds to its input is added to them as they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import ROUNDING, Floats
from pe_desktop.core.measuring.measurement import FAILS, HOLDS, HOLDS_UP_TO, UNDECIDED
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Head, moved
from pe_desktop.core.scores.rotary import QueryAndKey
from pe_desktop.core.scores.schemes import Additive, Scheme
from pe_desktop.core.state import State

# Positions among which all pairs are scored; fewer than _FEWEST would not tell what grows from what turns, and of fewer
# than _FEWEST_OFFSETS each offset has one score.
_MOST, _FEWEST, _FEWEST_OFFSETS, _RUN = 256, 64, 3, 64
# Growth by more than this from the first quarter of the positions to all of them.
_GROWTH: Final = 2.0
# Of decay: how many seeded vectors, distances to an octave, and places of the query where scores depend on them.
_DRAWS, _OCTAVE, _PLACES = 16, 16, 4


@record
class SchemeMeasurement:
    """One property of a scheme: its key, the number that decides, and all numbers by stable names.

    number is None where there is nothing to measure. verdict: HOLDS, FAILS, HOLDS_UP_TO a distance: up_to, or UNDECIDED
    where a table that is added has too few positions to tell. series: the mean scores that decay was seen in, by
    distance.
    """

    key: str
    verdict: str
    number: float | None
    numbers: Mapping[str, float | int | None]
    up_to: int | None = None
    series: tuple[tuple[float, float], ...] = ()


def measure_scheme(state: State) -> tuple[SchemeMeasurement, ...]:
    """The four of the state's scheme, with its encoding; ValueError with a sentence for a width above MAX_HEAD."""
    d_model = Head(state.encoding.d_model).d_model
    scheme = state.attention.made(state.encoding)
    query, key = QueryAndKey(d_model, state.attention.word_seed).both
    positions = _measured_positions(_last(scheme, state))
    added = np.abs(scheme.inputs(np.zeros((len(positions), d_model)), positions)).max()
    scores = scheme.between(query, key, positions, positions)
    known = False if scheme.grows_slowly else True if 0 < added <= 1 else None
    scale = max(float(np.abs(scores).max()), float(np.sqrt(query @ query * (key @ key) / len(query))))
    return (
        _shift_invariant(scores, positions, ROUNDING * scale),
        _bounded(np.abs(scores - query @ key / np.sqrt(len(query))), positions, ROUNDING * scale, known),
        _decay(scheme, state),
        _permutation(state),
    )


def _last(scheme: Scheme, state: State) -> int:
    """The last position that is scored: of a table that is added its last, else that of a long enough text."""
    n_positions = state.encoding.n_positions
    return (n_positions if isinstance(scheme, Additive) else max(n_positions, _FEWEST)) - 1


def _measured_positions(last: int) -> Floats:
    """All positions up to the last; of very many both ends and what lies between."""
    if last < _MOST:
        return np.arange(last + 1.0)
    between = np.linspace(0, last, _MOST - 2 * _RUN).round()
    ends = np.arange(_RUN)
    return np.unique(np.concatenate([ends, between, last - ends])).astype(np.float64)


def _shift_invariant(scores: Floats, positions: Floats, rounding: float) -> SchemeMeasurement:
    """How much scores at one offset differ."""
    offsets = (positions - positions[:, None]).ravel()
    order = np.argsort(offsets, kind="stable")
    by_offset = scores.ravel()[order]
    firsts = np.flatnonzero(np.diff(offsets[order], prepend=-np.inf))
    spread = float((np.maximum.reduceat(by_offset, firsts) - np.minimum.reduceat(by_offset, firsts)).max())
    numbers = {"spread": spread, "n_positions": len(positions), "n_offsets": len(firsts)}
    verdict = HOLDS if spread <= rounding else FAILS
    verdict = verdict if len(positions) >= _FEWEST_OFFSETS else UNDECIDED
    return SchemeMeasurement("shift_invariant", verdict, spread, numbers)


def _bounded(amounts: Floats, positions: Floats, rounding: float, known: bool | None) -> SchemeMeasurement:
    """Whether what positions add to a score grows from the first quarter of the positions to all of them.

    known: True where no added value leaves -1 to 1, so that no score grows without end; False where one does, slowly.
    """
    is_early = positions <= positions[-1] / 4
    early = float(amounts[np.ix_(is_early, is_early)].max())
    largest = float(amounts.max())
    numbers = {"largest": largest, "largest_early": early, "last_early": float(positions[is_early][-1])}
    holds = largest <= _GROWTH * early + rounding if known is None else known
    numbers["last"] = float(positions[-1])
    verdict = HOLDS if holds else FAILS
    verdict = verdict if len(positions) >= _FEWEST else UNDECIDED
    return SchemeMeasurement("bounded", verdict, largest, numbers)


def _decay(scheme: Scheme, state: State) -> SchemeMeasurement:
    """Whether the mean score of vectors that agree, queries that equal their keys, falls from octave to octave."""
    last = _last(scheme, state)
    starts = [0, *(2**octave for octave in range(last.bit_length()))]
    ends = [*(start - 1 for start in starts[1:]), last]
    octaves = [np.unique(np.linspace(start, end, _OCTAVE).round()) for start, end in zip(starts, ends, strict=True)]
    score = _mean_score(scheme, state, last)
    means = np.array([float(score(octave).mean()) for octave in octaves])
    falls = np.diff(means) < -ROUNDING * abs(means[0])
    n_falls = len(falls) if falls.all() else int(np.argmin(falls))
    verdict = HOLDS if n_falls == len(falls) else HOLDS_UP_TO if n_falls else FAILS
    verdict = verdict if last >= _FEWEST_OFFSETS else UNDECIDED
    up_to = int(ends[n_falls]) if verdict == HOLDS_UP_TO else None
    numbers = {"at_0": float(means[0]), "farthest": float(means[-1]), "from": starts[-1], "to": last}
    series = tuple(zip(map(float, starts), means.tolist(), strict=True))
    return SchemeMeasurement("decay", verdict, float(means[-1] - means[0]), numbers, up_to, series)


def _mean_score(scheme: Scheme, state: State, last: int) -> Callable[[Floats], Floats]:
    """The mean over seeded vectors of the score of a vector at t and itself at t - n, by n = 0 to last.

    Keys before their query are those that every head reads, with a causal mask, too. Scores that depend on more than
    the offset are averaged over some t; where t - n lies before the first position, t + n stands for it.
    """
    d_model = state.encoding.d_model
    vectors = np.random.default_rng([state.attention.word_seed, 17]).standard_normal((_DRAWS, d_model))
    depends_on_t = scheme.reads_hands and not scheme.is_shift_invariant
    places = np.linspace(last, 0, _PLACES if depends_on_t else 1).round()

    def mean(distances: Floats) -> Floats:
        total = np.zeros(len(distances))
        for place in places:
            others = np.where(place < distances, place + distances, place - distances)
            here = np.array([place])
            added, at_query = (scheme.inputs(np.zeros((len(places), d_model)), places) for places in (others, here))
            for vector in vectors:
                total += scheme.scores(vector + at_query, vector + added, here, others)[0]
        return total / (len(vectors) * len(places))

    return mean


def _permutation(state: State) -> SchemeMeasurement:
    """How far outputs differ when words move, without and with a causal mask: HOLDS where a head sees order."""
    attention = state.attention
    n_words = len(state.attention.words)
    if n_words < 2:
        return SchemeMeasurement("permutation", FAILS, None, dict.fromkeys(("without_mask", "with_mask", "reversed")))
    # Not the mirror image, in which words are as far apart as before: a head that sees distances tells other orders.
    order = attention.order or (*range(1, n_words), 0)
    mirror = (*range(n_words)[::-1],)
    moves = {"without_mask": (False, order), "with_mask": (True, order), "reversed": (False, mirror)}
    numbers = {
        name: moved(replace(attention, causal=causal, order=order), state.encoding).difference
        for name, (causal, order) in moves.items()
    }
    plain = numbers["without_mask"]
    return SchemeMeasurement("permutation", HOLDS if plain > ROUNDING else FAILS, plain, numbers)
