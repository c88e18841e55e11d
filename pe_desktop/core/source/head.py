"""One head over a sentence: scores under each scheme of positions, weights, outputs, and vectors that RoPE turns.

Queries and keys have shape (words, d_model) and stand at the positions t and s.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from pe_desktop.core.encoding import Floats, Integers

Pairing: TypeAlias = Callable[[Floats, Floats, Floats], Floats]


def scaled_scores(queries: Floats, keys: Floats) -> Floats:
    """Q . k / sqrt(d_model) of every query and key."""
    return np.asarray(queries @ keys.T / queries.shape[1] ** 0.5)


def alibi_scores(queries: Floats, keys: Floats, t: Floats, s: Floats, slope: float) -> Floats:
    """Less a slope times the distance (ALiBi, arXiv 2108.12409)."""
    return scaled_scores(queries, keys) - slope * np.abs(t[:, None] - s)


def buckets(offset: Floats, is_causal: bool) -> Integers:
    """The bucket of every offset s - t in T5 (arXiv 1910.10683), up to 128 and beyond.

    Half of the buckets hold one distance each, the others distances that grow as powers. With a causal mask all 32 are
    for keys before the query, else half of them for those after it.
    """
    n_buckets = 32 if is_causal else 16
    n_exact = n_buckets // 2
    distance = np.clip(-offset, 0, None) if is_causal else np.abs(offset)
    ratio = np.log(np.clip(distance, n_exact, None) / n_exact) / np.log(np.asarray(128.0 / n_exact))
    # Rounding must not put a boundary into the bucket below.
    wide = np.clip(n_exact + np.floor(ratio * (n_buckets - n_exact) + 1e-9), None, n_buckets - 1)
    first = 0 * offset if is_causal else np.where(offset > 0, n_buckets, 0)
    return np.asarray(first + np.where(distance < n_exact, distance, wide), dtype=int)


def t5_scores(queries: Floats, keys: Floats, t: Floats, s: Floats, bias: Floats, is_causal: bool) -> Floats:
    """With the bias of each bucket of offsets added."""
    return scaled_scores(queries, keys) + bias[buckets(1.0 * (s - t[:, None]), is_causal)]


def shaw_scores(queries: Floats, keys: Floats, t: Floats, s: Floats, vectors: Floats) -> Floats:
    """With a vector for each offset, clipped to [-clip, clip], added to the keys (Shaw, arXiv 1803.02155)."""
    clip = len(vectors) // 2
    offset = np.asarray(np.clip(np.round(1.0 * (s - t[:, None])), -clip, clip), dtype=int) + clip
    return scaled_scores(queries, keys) + np.take_along_axis(scaled_scores(queries, vectors), offset, axis=1)


def kerple_scores(queries: Floats, keys: Floats, t: Floats, s: Floats, r1: float, r2: float) -> Floats:
    """Less r1 log(1 + r2 |t - s|) (Kerple, logarithmic, arXiv 2205.09921)."""
    return scaled_scores(queries, keys) - r1 * np.log1p(r2 * np.abs(t[:, None] - s))


def softplus(x: Floats) -> Floats:
    """log(1 + e^x)."""
    return np.asarray(np.clip(x, 0, None) + np.log1p(np.exp(-np.abs(x))))


def _polar(v: Floats, angle: Floats) -> Floats:
    """The softplus of every dimension as the length of a hand at an angle, shape (n, 2 d_model)."""
    length = softplus(v)
    return np.concatenate([length * np.cos(angle), length * np.sin(angle)], axis=1)


def pope_scores(queries: Floats, keys: Floats, here: Floats, there: Floats) -> Floats:
    """Each dimension a hand at an angle of its own (PoPE, arXiv 2509.10534): those of queries here, of keys there."""
    return np.asarray(_polar(queries, here) @ _polar(keys, there).T / queries.shape[1] ** 0.5)


def log_gates(words: Floats, w_f: Floats, forget_bias: float) -> Floats:
    """Log sigmoid(w . x + b) of every word, shape (words,)."""
    return -softplus(-(words @ w_f) - forget_bias)


def _gates_up_to(positions: Floats, gates: Floats, first: float) -> Floats:
    """The sum of the gates of all words up to each position; the sentence, which begins at `first`, is repeated."""
    sums = np.concatenate([np.zeros(1), np.cumsum(gates, axis=0)])
    count = np.asarray(np.round(positions - first), dtype=int) + 1
    return np.asarray(count // len(gates) * sums[-1] + sums[count % len(gates)])


def fox_scores(queries: Floats, keys: Floats, t: Floats, s: Floats, gates: Floats, first: float) -> Floats:
    """With the gates of the words after the key, up to the query, added (FoX, arXiv 2503.02130); to later keys none."""
    between = _gates_up_to(t, gates, first)[:, None] - _gates_up_to(s, gates, first)
    return scaled_scores(queries, keys) + np.where(s < t[:, None], between, 0.0)


def interleaved_turn(v: Floats, cosine: Floats, sine: Floats) -> Floats:
    """Dimensions 2j and 2j + 1 turn together."""
    m = cosine.shape[1]
    x = v[:, 0 : 2 * m : 2]
    y = v[:, 1 : 2 * m : 2]
    return np.stack([x * cosine - y * sine, y * cosine + x * sine], axis=2).reshape(len(v), 2 * m)


def half_split_turn(v: Floats, cosine: Floats, sine: Floats) -> Floats:
    """Dimensions j and j + m turn together, m the number of pairs that turn."""
    m = cosine.shape[1]
    x = v[:, :m]
    y = v[:, m : 2 * m]
    return np.concatenate([x * cosine - y * sine, y * cosine + x * sine], axis=1)


def mixed_turn(v: Floats, cosine: Floats, sine: Floats) -> Floats:
    """The angles of interleaved pairs with the partners of half-split ones."""
    m = cosine.shape[1]
    cosine, sine = np.repeat(cosine, 2, axis=1), np.repeat(sine, 2, axis=1)
    x = v[:, :m]
    y = v[:, m : 2 * m]
    first = x * cosine[:, :m] - y * sine[:, :m]
    second = y * cosine[:, m:] + x * sine[:, m:]
    return np.concatenate([first, second], axis=1)


def turned(v: Floats, t: Floats, omega: Floats, pairing: Pairing) -> Floats:
    """RoPE (arXiv 2104.09864): vectors turned by their positions; dimensions beyond the pairs that turn stand still."""
    angle = t[:, None] * omega
    return np.concatenate([pairing(v, np.cos(angle), np.sin(angle)), v[:, 2 * len(omega) :]], axis=1)


def fastest(omega: Floats, count: int) -> Floats:
    """The frequencies of p-RoPE (arXiv 2410.06205): 0 for all but the first ones."""
    return np.asarray(omega * (np.arange(len(omega)) < count))


def back_a_quarter(v: Floats, count: int, pairing: Pairing) -> Floats:
    """Vectors of which so many pairs are turned back by 90 degrees."""
    return np.concatenate([pairing(v, np.zeros((1, count)), -np.ones((1, count))), v[:, 2 * count :]], axis=1)


def rope_pp_scores(queries: Floats, keys: Floats, t: Floats, s: Floats, omega: Floats, pairing: Pairing) -> Floats:
    """The imaginary half of RoPE++ (arXiv 2512.07525): queries turned back by a quarter, then both as in RoPE."""
    asked = back_a_quarter(queries, len(omega), pairing)
    return scaled_scores(turned(asked, t, omega, pairing), turned(keys, s, omega, pairing))


def softmax(scores: Floats, is_causal: bool = False, temperature: float = 1.0) -> Floats:
    """The weights of every row, which sum to 1; with a causal mask no word reads a later one."""
    logits = scores / temperature
    if is_causal:
        logits = np.where(np.tril(np.ones(logits.shape)) > 0, logits, -np.inf)
    powers = np.exp(logits - np.max(logits, axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
