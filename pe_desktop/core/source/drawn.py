"""What is drawn from a seed, always by NumPy: random rows, words, W_Q, W_K and W_V, biases and vectors of schemes."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers

_Words: TypeAlias = NDArray[np.uint64]


def philox(counter: tuple[_Words, ...], key: tuple[int, int]) -> tuple[_Words, _Words, _Words, _Words]:
    """Four words of 32 bits, held in uint64, for every counter of four such words: Philox 4x32-10."""
    low = np.uint64(2**32 - 1)
    high = np.uint64(32)
    a, b, c, d = counter
    for turn in range(10):
        left = a * np.uint64(0xD2511F53)
        right = c * np.uint64(0xCD9E8D57)
        first, second = (np.uint64((key[i] + turn * step) % 2**32) for i, step in enumerate((0x9E3779B9, 0xBB67AE85)))
        a, b, c, d = (right >> high) ^ b ^ first, right & low, (left >> high) ^ d ^ second, left & low
    return a, b, c, d


def random_blocks(row: Integers, block: Integers, seed: int) -> Floats:
    """N(0, 1) at positions and blocks of four columns, shape (positions, 4 blocks).

    Words of Philox, made normal by Box and Muller's formula. Negative positions count down from 2^64.
    """
    wide = row.astype(np.uint64)[:, None]
    low = wide & np.uint64(2**32 - 1)
    high = wide >> np.uint64(32)
    words = philox((block.astype(np.uint64), low, high, 0 * wide), (seed, 0))
    u = [(word + 0.5) / 2**32 for word in words]  # uniform in (0, 1)
    radius = [np.sqrt(-2 * np.log(u[0])), np.sqrt(-2 * np.log(u[2]))]
    turn = [2 * np.pi * u[1], 2 * np.pi * u[3]]
    values = [r * wave(a) for r, a in zip(radius, turn, strict=True) for wave in (np.cos, np.sin)]
    return np.stack(values, axis=2).reshape(len(row), -1)


def random_rows(t: Floats, d_model: int, seed: int) -> Floats:
    """Rows drawn from N(0, 1), shape (positions, d_model)."""
    return random_blocks(np.floor(t).astype(np.int64), np.arange(-(-d_model // 4)), seed)[:, :d_model]


def word_vector(word: str, d_model: int, seed: int) -> Floats:
    """N(0, 1) from the seed and the word, shape (d_model,): equal words, whatever their case, are equal vectors."""
    import hashlib  # noqa: PLC0415 - loads a library of ciphers

    number = int.from_bytes(hashlib.sha256(word.casefold().encode()).digest()[:8], "little")
    return np.random.default_rng([seed, number]).standard_normal(d_model)


def word_vectors(sentence: str, d_model: int, seed: int) -> Floats:
    """The vectors of a sentence, shape (words, d_model)."""
    return np.stack([word_vector(word, d_model, seed) for word in sentence.split()])


def embedding(d_model: int) -> Floats:
    """A stand-in for a token, from N(0, 1), shape (d_model,)."""
    return np.random.default_rng(0).normal(size=d_model)


def layer_matrices(d_model: int, count: int) -> Floats:
    """A matrix from N(0, 1 / d_model) for each layer, shape (count, d_model, d_model)."""
    generator = np.random.default_rng([17, d_model])
    return np.stack([generator.standard_normal((d_model, d_model)) / np.sqrt(d_model) for _ in range(count)])


def head_matrix(which: int, d_model: int, seed: int) -> Floats:
    """W_Q, W_K or W_V, which = 0, 1, 2, from N(0, 1 / d_model), shape (d_model, d_model), drawn by 256 columns."""
    generator = np.random.default_rng([seed, which, d_model])
    columns = [generator.standard_normal((d_model, min(256, d_model - first))) for first in range(0, d_model, 256)]
    return np.asarray(np.concatenate(columns, axis=1) / np.sqrt(d_model))


def t5_biases(seed: int) -> Floats:
    """A bias for each of the 32 buckets of T5."""
    return np.random.default_rng([seed, 5]).standard_normal(32)


def shaw_vectors(clip: int, d_model: int, seed: int) -> Floats:
    """A vector for each offset from -clip to clip, shape (2 clip + 1, d_model)."""
    return np.random.default_rng([seed, 7, clip]).standard_normal((2 * clip + 1, d_model))


def pope_phases(d_model: int, seed: int) -> Floats:
    """A phase for each dimension of PoPE, even in [-2 pi, 0], shape (d_model,)."""
    return np.random.default_rng([seed, 19, d_model]).uniform(-2 * np.pi, 0.0, d_model)


def forgetting(d_model: int, seed: int) -> Floats:
    """The vector w of FoX, from N(0, 1 / d_model), shape (d_model,)."""
    return np.asarray(np.random.default_rng([seed, 23, d_model]).standard_normal(d_model) / np.sqrt(d_model))
