"""A query at t and a key at t + k, pair by pair, before and after RoPE turns them."""

from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary_factors import RotaryPairs
from pe_desktop.core.scores.rotary_vectors import query_and_key, rotary_of
from pe_desktop.core.state import State

# With a mixed-up pairing a pair may be taken to a line, from which nothing leads back.
_LEAST_DETERMINANT: Final = 1e-6


@record(eq=False)
class TurnedVectors:
    """The two components of every pair, shape (n_pairs, 2) each, at t for the query and at t + k for the key.

    reach: what no component is longer than, whatever t; the length of the longest pair where turning keeps lengths.
    """

    query: Floats
    turned_query: Floats
    key: Floats
    turned_key: Floats
    reach: float


def turned_vectors(state: State) -> TurnedVectors:
    """The query and the key of the state; ValueError with a sentence for a width above MAX_HEAD."""
    rotary, cursor = rotary_of(state), state.cursor
    columns = RotaryPairs(rotary).columns
    query, key = query_and_key(state)
    places = (cursor.position, cursor.position + cursor.offset)
    turned = [
        rotary.rotated(vector[np.newaxis], np.array([place]))[0]
        for vector, place in zip((query, key), places, strict=True)
    ]
    longest = max(float(np.hypot(*vector[columns].T).max()) for vector in (query, key))
    # Other angles for both components of a pair make it longer, by the square root of 2 at most.
    reach = longest * (np.sqrt(2.0) if rotary.pairing == "mixed" else 1.0) or 1.0
    return TurnedVectors(query[columns], turned[0][columns], key[columns], turned[1][columns], reach)


def with_turned(state: State, name: str, pair: int, turned: tuple[float, float], *, keeps_length: bool) -> Floats:
    """The query or the key (`name`) of the state, of which a pair becomes these two components once it is turned.

    keeps_length: the pair keeps its length, `turned` is its direction. Where nothing leads there, it stays as it is.
    """
    rotary, cursor = rotary_of(state), state.cursor
    vector = np.array(query_and_key(state)[("query", "key").index(name)])
    position = cursor.position + (0.0 if name == "query" else cursor.offset)
    columns = RotaryPairs(rotary).columns[pair]
    units = np.zeros((2, len(vector)))
    units[[0, 1], columns] = 1.0
    matrix = rotary.rotated(units, np.array([position]))[:, columns].T
    if abs(np.linalg.det(matrix)) < _LEAST_DETERMINANT:
        return vector
    before = np.linalg.solve(matrix, turned)
    if keeps_length:
        length = float(np.hypot(*before))
        before = before * (float(np.hypot(*vector[columns])) / length) if length else vector[columns]
    vector[columns] = before
    return vector
