"""Lines for one head over the sentence: words, W_Q, W_K and W_V from their seeds, and every scheme of positions."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.tables import Lines, frequency_lines, table_lines
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.rope import Rotary
from pe_desktop.core.state import State

# Matrices are drawn so many columns at a time.
_COLUMNS: Final = 256
_SCALED: Final = "q @ k.T / d**0.5"


def score_lines(state: State) -> Lines:
    """Lines that leave the scores of the sentence in `scores`, shape (words, words)."""
    attention = state.attention
    scheme = "none" if attention.drops_positions else attention.scheme
    return [*_head_lines(state, scheme), *_SCORES[scheme](attention, state.encoding)]


def weight_lines(state: State) -> Lines:
    """Lines that leave the weights in `weights`, shape (words, words)."""
    attention = state.attention
    lines = [*score_lines(state), f"logits = scores / {attention.temperature!r}"]
    if attention.causal:
        lines.append("logits = np.where(np.tril(np.ones((n, n))) > 0, logits, -np.inf)  # no word reads a later one")
    return [
        *lines,
        "powers = np.exp(logits - np.max(logits, axis=1, keepdims=True))",
        "weights = powers / powers.sum(axis=1, keepdims=True)",
    ]


def output_lines(state: State) -> Lines:
    """Lines that leave the outputs in `outputs`, shape (words, d_model)."""
    return [*weight_lines(state), "outputs = weights @ (x @ matrix(2))  # W_V"]


def rotated_lines(state: State) -> Lines:
    """Lines that leave queries and keys turned by RoPE in `rotated`, shape (words, 2, d_model)."""
    turned = _turn_lines(state.attention, state.encoding)
    return [*_head_lines(state, "rope"), *turned, "rotated = np.stack([turn(q), turn(k)], axis=1)"]


def _head_lines(state: State, scheme: str) -> Lines:
    """Lines that leave queries and keys in `q` and `k`, what the head reads in `x`, its positions in `t`."""
    attention, d_model = state.attention, state.encoding.d_model
    n_words = len(attention.words)
    first = attention.first_position
    positions = f"np.arange({n_words})" if first == 0 else f"{first!r} + np.arange({n_words})"
    if scheme == "additive":
        added = [*table_lines(state.encoding, positions), "x = words + encoding"]
    else:
        added = [f"t = {positions}", "x = words"]
    return [
        *_vector_lines(attention, d_model),
        *_matrix_lines(attention.word_seed, d_model),
        *added,
        "q, k = x @ matrix(0), x @ matrix(1)  # W_Q and W_K",
    ]


def _vector_lines(attention: Attention, d_model: int) -> Lines:
    # The names of libraries are translated, but not those in a sentence.
    sentence = repr(" ".join(attention.words)).replace("np.", r"np\x2e").replace("numpy.", r"numpy\x2e")
    return [
        "def vector(word):",
        '    """N(0, 1) from the seed and the word: equal words, whatever their case, are equal vectors."""',
        '    number = int.from_bytes(hashlib.sha256(word.casefold().encode()).digest()[:8], "little")',
        f"    return numpy.random.default_rng([{attention.word_seed}, number]).standard_normal({d_model})",
        "",
        "",
        f"n, d = {len(attention.words)}, {d_model}",
        f"words = np.asarray(numpy.stack([vector(word) for word in {sentence}.split()]))",
    ]


def _matrix_lines(seed: int, d_model: int) -> Lines:
    drawn = "generator.standard_normal((d, d))"
    if d_model > _COLUMNS:
        widths = f"[min({_COLUMNS}, d - first) for first in range(0, d, {_COLUMNS})]"
        drawn = f"numpy.concatenate([generator.standard_normal((d, width)) for width in {widths}], axis=1)"
    return [
        "",
        "",
        "def matrix(which):",
        '    """W_Q, W_K or W_V, from N(0, 1 / d)."""',
        f"    generator = numpy.random.default_rng([{seed}, which, d])",
        f"    return np.asarray({drawn} / numpy.sqrt(d))",
        "",
        "",
    ]


def _words_alone(_attention: Attention, _encoding: Encoding) -> Lines:
    return [f"scores = {_SCALED}"]


def _alibi(attention: Attention, _encoding: Encoding) -> Lines:
    return [f"scores = {_SCALED} - {attention.slope!r} * np.abs(t[:, None] - t)"]


def _t5(attention: Attention, _encoding: Encoding) -> Lines:
    n_buckets, first, distance = 32, "0", "np.clip(-offset, 0, None)"
    if not attention.causal:
        n_buckets, first, distance = 16, "np.where(offset > 0, 16, 0)", "np.abs(offset)"
    exact = n_buckets // 2
    return [
        f"bias = np.asarray(numpy.random.default_rng([{attention.word_seed}, 5]).standard_normal(32))",
        "offset = 1.0 * (t - t[:, None])",
        f"distance = {distance}",
        f"ratio = np.log(np.clip(distance, {exact}, None) / {exact}) / {math.log(128 / exact)!r}  # log(128 / {exact})",
        f"wide = np.clip({exact} + np.floor(ratio * {n_buckets - exact} + 1e-9), None, {n_buckets - 1})",
        f"bucket = {first} + np.where(distance < {exact}, distance, wide)",
        f"scores = {_SCALED} + bias[np.asarray(bucket, dtype=int)]",
    ]


def _shaw(attention: Attention, _encoding: Encoding) -> Lines:
    seed, clip = attention.word_seed, attention.clip
    vectors = f"numpy.random.default_rng([{seed}, 7, {clip}]).standard_normal(({2 * clip + 1}, d))"
    return [
        f"# One vector for each offset from -{clip} to {clip}.",
        f"vectors = np.asarray({vectors})",
        f"offset = np.asarray(np.clip(np.round(1.0 * (t - t[:, None])), -{clip}, {clip}), dtype=int) + {clip}",
        f"scores = {_SCALED} + np.take_along_axis(q @ vectors.T / d**0.5, offset, axis=1)",
    ]


def _rope(attention: Attention, encoding: Encoding) -> Lines:
    return [*_turn_lines(attention, encoding), "scores = turn(q) @ turn(k).T / d**0.5"]


def _turn_lines(attention: Attention, encoding: Encoding) -> Lines:
    """Lines that define `turn`, which turns vectors, shape (words, d_model), by their positions `t`."""
    rotary = Rotary(encoding, attention.pairing, attention.rotary_share)
    pairs, m = rotary.pairs, rotary.n_turning
    if pairs is None:
        return ["def turn(v):", '    """No pair turns."""', "    return v", "", ""]
    assert isinstance(pairs, SinusoidalPairs)
    rest = "" if 2 * m == encoding.d_model else f", v[:, {2 * m}:]"
    return [
        *frequency_lines(replace(pairs, start=0.0)),
        "angle = t[:, None] * omega",
        "c, s = np.cos(angle), np.sin(angle)",
        *_PAIRINGS[attention.pairing](m, rest),
        "",
        "",
    ]


def _interleaved(m: int, rest: str) -> Lines:
    pairs = f"np.stack([x * c - y * s, y * c + x * s], axis=2).reshape(n, {2 * m})"
    return [
        "",
        "",
        "def turn(v):",
        f"    x, y = v[:, 0:{2 * m}:2], v[:, 1:{2 * m}:2]  # dimensions 2j and 2j + 1 turn together",
        f"    return {f'np.concatenate([{pairs}{rest}], axis=1)' if rest else pairs}",
    ]


def _half_split(m: int, rest: str) -> Lines:
    return [
        "",
        "",
        "def turn(v):",
        f"    x, y = v[:, :{m}], v[:, {m}:{2 * m}]  # dimensions j and j + {m} turn together",
        f"    return np.concatenate([x * c - y * s, y * c + x * s{rest}], axis=1)",
    ]


def _mixed(m: int, rest: str) -> Lines:
    turned = f"x * c[:, :{m}] - y * s[:, :{m}], y * c[:, {m}:] + x * s[:, {m}:]"
    return [
        "c, s = np.repeat(c, 2, axis=1), np.repeat(s, 2, axis=1)  # angles of interleaved pairs",
        "",
        "",
        "def turn(v):",
        f"    x, y = v[:, :{m}], v[:, {m}:{2 * m}]  # partners of half-split ones",
        f"    return np.concatenate([{turned}{rest}], axis=1)",
    ]


_PAIRINGS: Final[Mapping[str, Callable[[int, str], Lines]]] = {
    "interleaved": _interleaved,
    "half-split": _half_split,
    "mixed": _mixed,
}
_SCORES: Final[Mapping[str, Callable[[Attention, Encoding], Lines]]] = {
    "none": _words_alone,
    "additive": _words_alone,
    "rope": _rope,
    "alibi": _alibi,
    "t5": _t5,
    "shaw": _shaw,
}
