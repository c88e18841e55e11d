"""A sentence as words, and the vectors that stand for them."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats

# More words would make a map that nobody reads; the first ones are taken.
MOST_WORDS: Final = 512


@lru_cache(maxsize=8)
def words_of(sentence: str) -> tuple[str, ...]:
    """The words of a sentence, split at blanks; the first MOST_WORDS of them."""
    return tuple(sentence.split()[:MOST_WORDS])


@lru_cache(maxsize=4)
def word_vectors(words: tuple[str, ...], d_model: int, seed: int) -> Floats:
    """The vector x of every word, from N(0, 1), shape (n_words, d_model), read-only.

    Equal words, whatever their case, are equal vectors. Learned embeddings of variance 1 / d_model are multiplied by
    sqrt(d_model) before anything is added ("Attention Is All You Need", section 3.4): that is this variance.
    """
    vectors = np.empty((len(words), d_model))
    for row, word in zip(vectors, words, strict=True):
        row[:] = _vector(word.casefold(), d_model, seed)
    vectors.flags.writeable = False
    return vectors


@lru_cache(maxsize=MOST_WORDS)
def _vector(word: str, d_model: int, seed: int) -> Floats:
    import hashlib  # noqa: PLC0415 - loads a library of ciphers

    number = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    return np.random.default_rng([seed, number]).standard_normal(d_model)
