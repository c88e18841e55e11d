"""Schemes and heads by plain loops, complex numbers and the formulas of the papers, to compare with."""

import cmath
import math

import numpy as np

from pe_desktop.core.source.drawn import forgetting, head_matrix, pope_phases, shaw_vectors, t5_biases, word_vector


def matrix(project, d):
    """What a head multiplies vectors by, from the rows that it makes of unit vectors."""
    return project(np.eye(d)).tolist()


def times(vector, columns):
    return [math.fsum(x * row[j] for x, row in zip(vector, columns, strict=True)) for j in range(len(columns[0]))]


def dot(x, y):
    return math.fsum(float(a) * float(b) for a, b in zip(x, y, strict=True))


def interleaved_by_complex_numbers(vector, angles):
    """Dimensions 2 j and 2 j + 1 as one complex number, times e^(i p omega_j): RoPE, equation 12 and 13."""
    numbers = [complex(*vector[2 * j : 2 * j + 2]) * cmath.exp(1j * angle) for j, angle in enumerate(angles)]
    return [part for number in numbers for part in (number.real, number.imag)]


def by_rotate_half(vector, angles):
    """x cos + rotate_half(x) sin, where rotate_half puts minus the second half before the first."""
    half = len(vector) // 2
    other = [*(-x for x in vector[half:]), *vector[:half]]
    return [x * math.cos(angle) + y * math.sin(angle) for x, y, angle in zip(vector, other, angles, strict=True)]


def turned(vector, position, pairing, n_turning):
    """A vector that RoPE turns: the first pairs as in a head of their width, the rest stands still."""
    part, rest = vector[: 2 * n_turning], vector[2 * n_turning :]
    angles = [position * 10_000.0 ** (-pair / n_turning) for pair in range(n_turning)]
    return [*turned_by(part, angles, pairing), *rest]


def turned_by(part, angles, pairing):
    """A vector whose pairs turn by these angles."""
    if pairing == "interleaved":
        return interleaved_by_complex_numbers(part, angles)
    # Mixed pairings give rotate_half the angles of interleaved pairs.
    each = angles * 2 if pairing == "half-split" else [angle for angle in angles for _ in range(2)]
    return by_rotate_half(part, each)


def exact_bucket(offset, *, is_bidirectional):
    """The rule of the T5 report in whole numbers: from n_exact on, bucket j + 1 begins where d/n_exact is a power."""
    n_buckets, first, distance = 32, 0, max(-offset, 0)
    if is_bidirectional:
        n_buckets, first, distance = 16, 16 if offset > 0 else 0, abs(offset)
    n_exact = n_buckets // 2
    if distance < n_exact:
        return first + distance
    # log(d/n) / log(128/n) * (n_buckets - n) >= j, without logarithms.
    wide, ratio = n_buckets - n_exact, 128 // n_exact
    steps = max(j for j in range(wide + 1) if distance**wide >= n_exact**wide * ratio**j)
    return first + min(n_exact + steps, n_buckets - 1)


def projected(attention, encoding, place):
    """The query, the key and the value of a word of the sentence as written."""
    d, seed, position = encoding.d_model, attention.word_seed, attention.first_position + place
    word = word_vector(attention.words[place].casefold(), d, seed)
    if attention.scheme == "additive":
        word = word + encoding.values([position])[0]
    query, key, value = (times(word.tolist(), head_matrix(which, d, seed).tolist()) for which in range(3))
    if attention.scheme == "rope":
        n_turning = round(attention.rotary_share * (d // 2))
        query, key = (turned(vector, position, attention.pairing, n_turning) for vector in (query, key))
    if attention.scheme == "p-rope":
        kept = math.floor(attention.proportion * (d // 2))
        angles = [position * 10_000.0 ** (-2 * pair / d) * (pair < kept) for pair in range(d // 2)]
        query, key = (turned_by(vector, angles, attention.pairing) for vector in (query, key))
    if attention.scheme == "rope-pp":
        # Turned back by a quarter: -i (x + i y) = y - i x.
        n_turning = round(attention.rotary_share * (d // 2))
        quarter = turned_by(query[: 2 * n_turning], [-math.pi / 2] * n_turning, attention.pairing)
        query = [*quarter, *query[2 * n_turning :]]
        query, key = (turned(vector, position, attention.pairing, n_turning) for vector in (query, key))
    return query, key, value


def cell(attention, encoding, t, s):
    """The score of the words at two places, by the formula of its scheme."""
    query, key = projected(attention, encoding, t)[0], projected(attention, encoding, s)[1]
    d, seed = len(query), attention.word_seed
    if attention.scheme == "pope":
        phases = pope_phases(d, seed)
        turns = [(s - t) * 10_000.0 ** (-c / d) + phases[c] for c in range(d)]
        lengths = [math.log1p(math.exp(q)) * math.log1p(math.exp(k)) for q, k in zip(query, key, strict=True)]
        return dot(lengths, map(math.cos, turns)) / math.sqrt(d)
    score = dot(query, key) / math.sqrt(d) + bias(attention, query, s - t)
    if attention.scheme == "fox":
        between = [word_vector(attention.words[place], d, seed) for place in range(s + 1, t + 1)]
        logits = [dot(forgetting(d, seed), word) + attention.forget_bias for word in between]
        score += math.fsum(math.log(1 / (1 + math.exp(-logit))) for logit in logits)
    return score


def bias(attention, query, offset):
    """What a scheme adds to the score of a query and a key at an offset, the vectors and biases as they are drawn."""
    seed, clip = attention.word_seed, attention.clip
    if attention.scheme == "shaw":
        return (
            dot(query, shaw_vectors(clip, len(query), seed)[max(-clip, min(clip, offset)) + clip]) / len(query) ** 0.5
        )
    if attention.scheme == "t5":
        return float(t5_biases(seed)[exact_bucket(offset, is_bidirectional=not attention.causal)])
    if attention.scheme == "kerple":
        return -attention.kerple_r1 * math.log(1 + attention.kerple_r2 * abs(offset))
    return -attention.slope * abs(offset) if attention.scheme == "alibi" else 0.0


def plain_head(queries, keys, values, bias_at, *, is_causal, temperature=1.0):
    """Scaled dot-product attention, a loop for every sum: scores, weights and outputs."""
    n, d = len(queries), len(queries[0])
    scores = [[dot(queries[t], keys[s]) / math.sqrt(d) + bias_at(t, s) for s in range(n)] for t in range(n)]
    weights = []
    for t in range(n):
        powers = [0.0 if is_causal and s > t else math.exp(scores[t][s] / temperature) for s in range(n)]
        weights.append([power / math.fsum(powers) for power in powers])
    outputs = [[math.fsum(weights[t][s] * values[s][c] for s in range(n)) for c in range(d)] for t in range(n)]
    return scores, weights, outputs
