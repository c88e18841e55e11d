"""Every array that can be exported, as calls of formulas: those of an encoding, and those of a head over a sentence."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.kinds.ablations import FadingPairs
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding, SinusoidalPairs
from pe_desktop.core.listings import names
from pe_desktop.core.listings.names import bound, call, rows, rows_at
from pe_desktop.core.listings.program import Call, Written, by_name
from pe_desktop.core.measuring.measurement import FAR
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.source import arrays, checks, drawn, head, vectors
from pe_desktop.core.state import State

# Which word stands at each place, None as written.
_Order: TypeAlias = tuple[int, ...] | None
_BY_OFFSET: Final = by_name((arrays.dots_by_offset, arrays.cosines_by_offset, arrays.distances_by_offset))
_OF_ROWS: Final = by_name((arrays.dots_of_rows, arrays.cosines_of_rows, arrays.distances_of_rows))
_SCHEMES: Final = {
    **by_name((head.alibi_scores, head.t5_scores, head.shaw_scores)),
    **by_name((head.pope_scores, head.rope_pp_scores, head.kerple_scores, head.fox_scores)),
}


def _encoding(state: State) -> Call:
    return rows(state) if state.precision.is_exact else names.formatted_rows(state.encoding, state.precision)


def tips(state: State, positions: Any = None) -> Call:
    """The tips of the hands at some positions, or at all, shape (positions, pairs, 2): sine and cosine."""
    positions = range(state.encoding.n_positions) if positions is None else positions
    pairs = state.encoding.pairs
    given = dict[str, Any]()
    if isinstance(pairs, FadingPairs):
        given["amplitude"] = call(np.expand_dims, names.faded(pairs, positions), 2)
    return bound(arrays.tips, state, positions=names.image(state.encoding, positions), **given)


def measure(word: str, state: State) -> Call:
    """All positions against all others, shape (positions, positions)."""
    if isinstance(state.encoding, SinusoidalEncoding):
        return call(arrays.toeplitz, bound(_BY_OFFSET[f"{word}s-by-offset"], state)).named(word)
    return bound(_OF_ROWS[f"{word}s-of-rows"], state).named(word)


def _places(attention: Attention) -> Any:
    return range(len(attention.words)) if attention.first_position == 0 else np.asarray(attention.positions)


def _words(state: State, order: _Order) -> Call:
    """The vectors of the words, in another order where it is given."""
    x = names.words(state)
    return x if order is None else call(np.take, x, [*order], axis=0).named("ordered")


def inputs(state: State) -> Call:
    """X + PE of the words as written, whatever the scheme, shape (words, d_model)."""
    return call(np.add, names.words(state), rows_at(state.encoding, _places(state.attention))).named("inputs")


def _projections(state: State, order: _Order, *, is_added: bool) -> list[Call]:
    """Queries, keys and values of the words, in another order where it is given."""
    x = _words(state, order)
    if is_added:
        x = call(np.add, x, rows_at(state.encoding, _places(state.attention))).named("x")
    projected = enumerate(("queries", "keys", "values"))
    return [call(np.matmul, x, names.matrix(which, state)).named(name) for which, name in projected]


def _scored(state: State, scheme: str, queries: Any, keys: Any, t: Any, s: Any, order: _Order = None) -> Call:
    """The scores of queries at t and keys at s under a scheme; vectors have their positions added already.

    order: that of the words that FoX reads between them.
    """
    scored = _SCHEMES.get(f"{scheme}-scores", head.scaled_scores)
    given: dict[str, Any] = {}
    if scheme in ("rope", "p-rope"):
        queries = _turned(state, queries, t)
        keys = _turned(state, keys, s)
    elif scheme == "rope-pp":
        given = names.rope(state)
    elif scheme == "pope":
        there = call(np.add, names.pope(state, s), bound(drawn.pope_phases, state).named("phases")).named("there")
        given = {"here": names.pope(state, t).named("here"), "there": there}
    elif scheme == "fox":
        given = {"gates": bound(head.log_gates, state, words=_words(state, order))}
    return bound(scored, state, queries=queries, keys=keys, t=t, s=s, **given).named("scores")


def _turned(state: State, vectors: Call, t: Any) -> Call:
    """Vectors as RoPE turns them."""
    return bound(head.turned, state, v=vectors, t=t, **names.rope(state)).named(f"turned_{vectors.name}")


def _scores(state: State, order: _Order = None) -> Call:
    scheme = state.attention.scheme_at_work
    t = _places(state.attention)
    queries, keys, _ = _projections(state, order, is_added=scheme == "additive")
    return _scored(state, scheme, queries, keys, t, t, order)


def weights(state: State, order: _Order = None) -> Call:
    """The weights of the sentence, in another order where it is given, shape (words, words)."""
    return bound(head.softmax, state, scores=_scores(state, order)).named("weights")


def outputs(state: State, order: _Order = None) -> Call:
    """The outputs of the sentence, in another order where it is given, shape (words, d_model)."""
    values = _projections(state, order, is_added=state.attention.scheme_at_work == "additive")[2]
    return call(np.matmul, weights(state, order), values).named("outputs")


def _rotated(state: State) -> Call:
    queries, keys, _ = _projections(state, None, is_added=False)
    return call(np.stack, [_turned(state, one, _places(state.attention)) for one in (queries, keys)], axis=1)


ARRAY_CALLS: Final[Mapping[str, Callable[[State], Call]]] = {
    "encoding": _encoding,
    "frequencies": lambda state: names.omega_of(names.sinusoidal_pairs(state)),
    "wavelengths": partial(bound, arrays.wavelengths),
    "hands": tips,
    "rotation": lambda state: names.shift_by(names.sinusoidal_pairs(state), state.cursor.offset),
    "lags": lambda state: call(np.stack, [bound(made, state) for made in _BY_OFFSET.values()], axis=1),
    **{word: partial(measure, word) for word in ("dot", "cosine", "distance")},
    **by_name((inputs, _scores, weights, outputs, _rotated)),
}


def check(state: State, key: str) -> Call:
    """The number of a check, at the positions at which Properties measures it; nan where nothing is measured."""
    made: Call = _CHECKS[key](state)
    return made.named(key)


def checks_of(state: State) -> Call:
    """The ten numbers in the order of Properties."""
    return call(np.asarray, [check(state, key) for key in _CHECKS], dtype=Written("float", float))


def _nearest(least: int, state: State) -> Call:
    encoding = state.encoding
    is_even = encoding.is_shift_invariant and isinstance(encoding.pairs, SinusoidalPairs)
    return bound(checks.nearest_by_offset if is_even else checks.nearest_rows, state, least=least)


def _periodic(state: State) -> Call:
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return call(np.float64, 0)
    returns = pairs.turns_evenly and pairs.keeps_length
    return bound(checks.returning if returns else checks.off_after_a_turn, state)


_CHECKS: Final[Mapping[str, Any]] = {
    "deterministic": partial(bound, checks.largest_change),
    "smooth": partial(bound, checks.longest_step_or_bend),
    "scales": partial(bound, checks.fewest_in_tenfold),
    "linear_shift": partial(bound, checks.missed_by_shift),
    "norm": partial(bound, checks.length_or_range),
    "unique": partial(_nearest, 1),
    "bounded": partial(bound, checks.largest_value),
    "shift_invariant": partial(bound, checks.off_diagonals),
    "periodic": _periodic,
    "far": partial(_nearest, FAR + 1),
}


def four_terms(state: State) -> Call:
    """The four terms at every t with t + k in the table, shape (4, positions). ValueError where there is none."""
    attention = state.attention
    cursor = state.cursor
    encoding = state.encoding
    every = encoding.shift_range(cursor.offset)
    if not every:
        raise ValueError("The table has no t with t + k in it.")
    later = call(np.add, every, cursor.offset).named("later")
    return bound(
        vectors.terms_of_words,
        state,
        places=[attention.place_of(place) for place in cursor.both],
        here=rows_at(encoding, every).named("here"),
        there=rows_at(encoding, later).named("there"),
    )


def scores_at(state: State, scheme: str, t: Any) -> Call:
    """The scores of the query at some positions and the key at every s, shape (len(t), positions)."""
    encoding = state.encoding
    s = range(state.encoding.n_positions)
    queries, keys = (
        call(np.tile, names.vector(state, name), [n, 1]) for name, n in (("query", len(t)), ("key", len(s)))
    )
    if scheme == "additive":
        queries, keys = call(np.add, queries, rows_at(encoding, t)), call(np.add, keys, rows_at(encoding, s))
    return _scored(state, scheme, queries.named("queries"), keys.named("keys"), t, s)
