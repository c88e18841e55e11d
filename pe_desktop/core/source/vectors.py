"""Scores of one query and one key, and of words and positions that are added: what Rotary and Four terms show."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from pe_desktop.core.encoding import Floats, Integers

# Vectors as they are placed at positions.
Placed: TypeAlias = Callable[[Floats, Floats | Integers], Floats]


def seeded_vectors(d_model: int, seed: int) -> Floats:
    """A query and a key, shape (2, d_model)."""
    return np.random.default_rng([seed, 11, d_model]).standard_normal((2, d_model))


def four_terms(q: Floats, k: Floats, queries: Floats, keys: Floats) -> Floats:
    """The parts of (x + p) W_Q W_K^T (y + p') / sqrt(d), whose sum is the score, shape (4, positions).

    Content with content, content with position, position with content, position with position: q and k are what W_Q
    and W_K make of words, shape (d_model,), queries and keys what they make of positions.
    """
    content = (q * k).sum() * np.ones(len(keys))
    return np.asarray(np.stack([content, keys @ q, queries @ k, (queries * keys).sum(axis=1)]) / np.sqrt(len(q)))


def terms_of_words(
    words: Floats, places: Sequence[int], w_q: Floats, w_k: Floats, here: Floats, there: Floats
) -> Floats:
    """The four terms of two words and of rows at t and at t + k."""
    return four_terms(words[places[0]] @ w_q, words[places[1]] @ w_k, here @ w_q, there @ w_k)


def terms_of_pairs(
    turn: Placed, query: Floats, key: Floats, t: float, k: float, partners: Sequence[list[int]]
) -> Floats:
    """What each pair adds to the score of a query at t and a key at t + k, shape (pairs,); partners: its dimensions."""
    products = (turn(query, np.array([t])) * turn(key, np.array([t + k])))[0] / np.sqrt(query.shape[1])
    return np.array([products[pair].sum() for pair in partners])


def angles_by_offset(offsets: Floats, omega: Floats) -> Floats:
    """The angles k omega, shape (offsets, pairs)."""
    return offsets[:, None] * omega


def partial_sums(angle: Floats) -> Floats:
    """The sum over i = 1 to h of |S_i|, S_i = sum over j < i of e^(1j k omega_j), shape (offsets,).

    Source: RoFormer, arXiv 2104.09864, section 3.4.3.
    """
    return np.asarray(np.hypot(np.cumsum(np.cos(angle), axis=1), np.cumsum(np.sin(angle), axis=1)).sum(axis=1))


def drawn_apart(d_model: int, seed: int, count: int) -> Floats:
    """Queries and keys, shape (2, count, d_model)."""
    return np.random.default_rng([seed, 13]).standard_normal((2, count, d_model))


def falling(angle: Floats, drawn: Floats) -> Floats:
    """Partial sums, the mean |score| of queries and keys that are drawn apart, and of keys that equal their queries.

    Scores are taken before 1 / sqrt(d), shape (3, offsets).
    """
    query = drawn[0]
    m = 2 * angle.shape[1]
    a = slice(0, m, 2)
    b = slice(1, m, 2)
    curves = [partial_sums(angle)]
    for key in (drawn[1], drawn[0]):
        along = query[:, a] * key[:, a] + query[:, b] * key[:, b]
        across = query[:, b] * key[:, a] - query[:, a] * key[:, b]
        score = np.cos(angle) @ along.T + np.sin(angle) @ across.T + (query[:, m:] * key[:, m:]).sum(axis=1)
        curves.append(np.abs(score).mean(axis=1))
    return np.stack(curves)


def shares_of_first(curves: Floats) -> Floats:
    """Each curve as a share of its first value, 1 where that is 0."""
    first = curves[:, :1]
    return np.where(first > 0, curves / np.where(first > 0, first, 1.0), 1.0)


def decay(angle: Floats, d_model: int, seed: int, count: int) -> Floats:
    """How scores fall with the distance, shape (3, offsets), relative to 0; count: queries and keys that are drawn."""
    return shares_of_first(falling(angle, drawn_apart(d_model, seed, count)))


def early_addition(turn: Placed, query: Floats, table: Callable[[Floats], Floats], t: float) -> Floats:
    """How much of q + p is position, and by how much a turn changes |q|."""
    here = np.array([t])
    length = np.sqrt((query**2).sum())
    added = np.sqrt((table(here) ** 2).sum())
    return np.array([added / max(length + added, 1e-300), np.abs(np.sqrt((turn(query, here) ** 2).sum()) - length)])


def scores_at_offset(
    placings: Sequence[Sequence[Placed]], query: Floats, key: Floats, positions: Floats, k: float
) -> Floats:
    """The scores at t and t + k, shape (placings, positions); a placing puts queries, and keys, at positions."""
    found = []
    n = len(positions)
    for place_queries, place_keys in placings:
        queries = place_queries(np.tile(query, (n, 1)), positions)
        keys = place_keys(np.tile(key, (n, 1)), positions + k)
        found.append((queries * keys).sum(axis=1) / np.sqrt(query.shape[1]))
    return np.array(found)
