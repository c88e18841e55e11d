"""What figures and fact cards share, as calls of formulas: the ten checks, scores of a query and a key, four terms."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.arrays import scores
from pe_desktop.core.listings.call import Call, Written
from pe_desktop.core.listings.names import bound, call, rows_at, vector
from pe_desktop.core.measure.measurement import FAR
from pe_desktop.core.measure.measurements import analyse
from pe_desktop.core.source import checks, vectors
from pe_desktop.core.state import State


def check(state: State, key: str) -> Call:
    """The number of a check, at the positions at which Properties measures it; nan where nothing is measured."""
    made: Call = _CHECKS[key](state)
    return made.named(key)


def checks_of(state: State) -> Call:
    """The ten numbers in the order of Properties."""
    return call(np.asarray, [check(state, key) for key in _CHECKS], dtype=Written("float", float))


def _nearest(least: int, state: State) -> Call:
    encoding: Encoding = state.encoding
    is_even = encoding.is_shift_invariant and isinstance(encoding.pairs, SinusoidalPairs)
    return bound(checks.nearest_by_offset if is_even else checks.nearest_rows, state, least=least)


def _periodic(state: State) -> Call:
    pairs = state.encoding.pairs
    if pairs is None:
        return call(np.float64, Written("np.nan", math.nan))
    return bound(checks.returning if pairs.turns_evenly else checks.off_after_a_turn, state)


_CHECKS: Final[Mapping[str, Any]] = {
    "deterministic": partial(bound, checks.largest_change),
    "smooth": partial(bound, checks.longest_step),
    "scales": partial(bound, checks.fewest_in_tenfold),
    "linear_shift": partial(bound, checks.missed_by_shift),
    "norm": partial(bound, checks.length_or_range),
    "unique": partial(_nearest, 1),
    "bounded": partial(bound, checks.largest_value),
    "shift_invariant": partial(bound, checks.off_diagonals),
    "periodic": _periodic,
    "far": partial(_nearest, FAR + 1),
}


def check_number(encoding: Encoding, key: str) -> float:
    """The number that Properties measures."""
    found = analyse(encoding).measurement(key)
    return math.nan if found is None or found.number is None else float(found.number)


def four_terms(state: State) -> Call:
    """The four terms of the words at t and t + k, at every t with t + k in the table, shape (4, positions)."""
    attention, cursor, encoding = state.attention, state.cursor, state.encoding
    first = math.ceil(max(0.0, -cursor.offset))
    end = max(math.floor(encoding.n_positions - 1.0 - max(cursor.offset, 0.0)) + 1, first)
    later = call(np.add, range(first, end), cursor.offset).named("later")
    return bound(
        vectors.four_terms,
        state,
        places=[attention.place_of(place) for place in (cursor.position, cursor.position + cursor.offset)],
        here=rows_at(encoding, range(first, end)).named("here"),
        there=rows_at(encoding, later).named("there"),
    )


def scores_at(state: State, scheme: str, t: Any) -> Call:
    """The scores of the query at some positions and the key at every s, shape (len(t), positions)."""
    encoding, s = state.encoding, range(state.encoding.n_positions)
    queries, keys = (call(np.tile, vector(state, name), [n, 1]) for name, n in (("query", len(t)), ("key", len(s))))
    if scheme == "additive":
        queries, keys = call(np.add, queries, rows_at(encoding, t)), call(np.add, keys, rows_at(encoding, s))
    return scores(state, scheme, queries.named("queries"), keys.named("keys"), t, s)
