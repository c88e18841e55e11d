"""The words of a sentence as vectors, and one head: seeded W_Q, W_K and W_V, and what they make of vectors."""

from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.core.source.drawn import head_matrix, word_vector

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


_vector: Final = lru_cache(maxsize=MOST_WORDS)(word_vector)


# Wider heads than any in use; three matrices of this side are read column by column in about a second.
MAX_HEAD: Final = 4_096
# Columns drawn at once, so that no whole matrix is held; matrices of up to so many values are kept.
_COLUMNS: Final = 256
_KEPT_VALUES: Final = 2**18
_QUERY, _KEY, _VALUE = range(3)


@record
class Head:
    """Square matrices from N(0, 1 / d_model), independent of each other: a projection keeps the size of a vector.

    ValueError with a sentence for d_model above MAX_HEAD. Projections of wide heads raise CancelledError once
    is_cancelled, asked every few hundredths of a second, says so.
    """

    d_model: int
    seed: int = 0
    is_cancelled: IsCancelled = field(default=never, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_head(self.d_model)

    @property
    def is_kept(self) -> bool:
        """Whether its matrices are kept, so that a projection is quick; others are drawn anew for each."""
        return self.d_model**2 <= _KEPT_VALUES

    def queries(self, vectors: Floats) -> Floats:
        """The vectors times W_Q, shape (n, d_model) as the vectors."""
        return self._projected(vectors, _QUERY)

    def keys(self, vectors: Floats) -> Floats:
        """The vectors times W_K, shape (n, d_model)."""
        return self._projected(vectors, _KEY)

    def values(self, vectors: Floats) -> Floats:
        """The vectors times W_V, shape (n, d_model)."""
        return self._projected(vectors, _VALUE)

    def _projected(self, vectors: Floats, which: int) -> Floats:
        if self.is_kept:
            return vectors @ _matrix(which, self.d_model, self.seed)
        return np.concatenate([vectors @ columns for columns in _columns(self, which)], axis=1)


def head_refusal(d_model: int) -> str | None:
    """Why no head of a width is computed, in a sentence; None where one is."""
    if d_model <= MAX_HEAD:
        return None
    return f"A head is computed for d_model up to {grouped(MAX_HEAD)}: {grouped(d_model)} is wider."


def check_head(d_model: int) -> None:
    """ValueError with a sentence for a width above MAX_HEAD."""
    refusal = head_refusal(d_model)
    if refusal is not None:
        raise ValueError(refusal)


def _columns(head: Head, which: int) -> Iterator[Floats]:
    generator = np.random.default_rng([head.seed, which, head.d_model])
    for first in range(0, head.d_model, _COLUMNS):
        stop_if(head.is_cancelled)
        width = min(_COLUMNS, head.d_model - first)
        yield generator.standard_normal((head.d_model, width)) / np.sqrt(head.d_model)


_matrix: Final = lru_cache(maxsize=6)(head_matrix)
