"""Every array that can be exported, as calls of formulas: those of an encoding, and those of a head over a sentence."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.listings.call import Call
from pe_desktop.core.listings.names import (
    bound,
    call,
    formatted_rows,
    image,
    matrix,
    omega_of,
    rope,
    rows,
    rows_at,
    shift_by,
    sinusoidal_pairs,
    words,
)
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.source import arrays, head
from pe_desktop.core.state import State

_BY_OFFSET: Final[Mapping[str, Callable[..., Any]]] = {
    "dot": arrays.dots_by_offset,
    "cosine": arrays.cosines_by_offset,
    "distance": arrays.distances_by_offset,
}
_OF_ROWS: Final[Mapping[str, Callable[..., Any]]] = {
    "dot": arrays.dots_of_rows,
    "cosine": arrays.cosines_of_rows,
    "distance": arrays.distances_of_rows,
}
_SCHEMES: Final[Mapping[str, Callable[..., Any]]] = {
    "none": head.scaled_scores,
    "additive": head.scaled_scores,
    "rope": head.rope_scores,
    "alibi": head.alibi_scores,
    "t5": head.t5_scores,
    "shaw": head.shaw_scores,
}


def _encoding(state: State) -> Call:
    precision = state.precision
    if Precision(precision.dtype, position_ids=precision.position_ids) != Precision():
        return formatted_rows(state.encoding, precision)
    return rows(state)


def tips(state: State, positions: Any = None) -> Call:
    """The tips of the hands at some positions, or at all, shape (positions, pairs, 2): sine and cosine."""
    positions = range(state.encoding.n_positions) if positions is None else positions
    return bound(arrays.tips, state, positions=image(state.encoding, positions))


def _lags(state: State) -> Call:
    return call(np.stack, [bound(made, state) for made in _BY_OFFSET.values()], axis=1)


def measure(word: str, state: State) -> Call:
    """All positions against all others, shape (positions, positions)."""
    if isinstance(state.encoding, SinusoidalEncoding):
        return call(arrays.toeplitz, bound(_BY_OFFSET[word], state)).named(word)
    return bound(_OF_ROWS[word], state).named(word)


def scheme_of(attention: Attention) -> str:
    """The scheme of the sentence."""
    return "none" if attention.drops_positions else attention.scheme


def _places(attention: Attention) -> Any:
    return range(len(attention.words)) if attention.first_position == 0 else np.asarray(attention.positions)


def _projections(state: State, order: tuple[int, ...] | None, *, is_added: bool) -> list[Call]:
    """Queries, keys and values of the words, in another order where it is given."""
    x = words(state)
    if order is not None:
        x = call(np.take, x, [*order], axis=0).named("ordered")
    if is_added:
        x = call(np.add, x, rows_at(state.encoding, _places(state.attention))).named("x")
    names = ("queries", "keys", "values")
    return [call(np.matmul, x, matrix(which, state)).named(name) for which, name in enumerate(names)]


def scores(state: State, scheme: str, queries: Any, keys: Any, t: Any, s: Any) -> Call:
    """The scores of queries at t and keys at s under a scheme; vectors have their positions added already."""
    rotary = rope(state) if scheme == "rope" else {}
    return bound(_SCHEMES[scheme], state, queries=queries, keys=keys, t=t, s=s, **rotary).named("scores")


def _scores(state: State, order: tuple[int, ...] | None = None) -> Call:
    scheme, t = scheme_of(state.attention), _places(state.attention)
    queries, keys, _ = _projections(state, order, is_added=scheme == "additive")
    return scores(state, scheme, queries, keys, t, t)


def weights(state: State, order: tuple[int, ...] | None = None) -> Call:
    """The weights of the sentence, in another order where it is given, shape (words, words)."""
    return bound(head.softmax, state, scores=_scores(state, order)).named("weights")


def outputs(state: State, order: tuple[int, ...] | None = None) -> Call:
    """The outputs of the sentence, in another order where it is given, shape (words, d_model)."""
    values = _projections(state, order, is_added=scheme_of(state.attention) == "additive")[2]
    return call(np.matmul, weights(state, order), values).named("outputs")


def _rotated(state: State) -> Call:
    queries, keys, _ = _projections(state, None, is_added=False)
    return bound(head.both_turned, state, queries=queries, keys=keys, t=_places(state.attention), **rope(state))


ARRAY_CALLS: Final[Mapping[str, Callable[[State], Call]]] = {
    "encoding": _encoding,
    "frequencies": lambda state: omega_of(sinusoidal_pairs(state)),
    "wavelengths": partial(bound, arrays.wavelengths),
    "hands": tips,
    "rotation": lambda state: shift_by(sinusoidal_pairs(state), state.cursor.offset),
    "lags": _lags,
    "dot": partial(measure, "dot"),
    "cosine": partial(measure, "cosine"),
    "distance": partial(measure, "distance"),
    "scores": _scores,
    "weights": weights,
    "outputs": outputs,
    "rotated": _rotated,
}
