"""The four terms of an added encoding at one place, and how far they range over every t at the same offset."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, ends_of
from pe_desktop.core.lags import IsCancelled
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Attention, Head, head_refusal, projected_words, word_vectors
from pe_desktop.core.scores.schemes import SCHEMES, Additive, Scheme
from pe_desktop.core.source.vectors import four_terms

# Of more positions, or more values of them, an even sample is read.
_MOST_POSITIONS: Final = 4_096
_MOST_VALUES: Final = 2**19


@record
class TermsAt:
    """The four terms at t and s = t + k, and the score of the same vectors computed without taking them apart."""

    terms: tuple[float, ...]
    score: float

    @property
    def total(self) -> float:
        return math.fsum(self.terms)

    @property
    def residual(self) -> float:
        """By how much the sum misses the score."""
        return abs(self.total - self.score)

    @property
    def is_exact(self) -> bool:
        """Whether the sum is the score but for rounding."""
        return self.residual <= ROUNDING * math.fsum(map(abs, self.terms))


class Range(NamedTuple):
    """The least and the greatest of some values."""

    least: float
    greatest: float

    @property
    def is_constant(self) -> bool:
        """Whether the values are equal but for rounding."""
        return self.greatest - self.least <= ROUNDING * max(abs(self.least), abs(self.greatest))


@record
class TermRanges:
    """What four terms are over the positions t with t + k in the table: n_all of them, n_read of them looked at.

    terms: none where n_all is 0.
    """

    n_read: int
    n_all: int
    terms: tuple[Range, ...]


def terms_at(encoding: Encoding, seed: int, words: tuple[str, ...], t: float, k: float, stops: IsCancelled) -> TermsAt:
    """The terms of the vectors x and y of two words at t and t + k; either may lie between or beyond rows."""
    head = Head(encoding.d_model, seed, stops)
    vectors = word_vectors(words, encoding.d_model, seed)
    scheme = Additive(encoding)
    places = (np.array([t]), np.array([t + k]))
    # The sums x + p are projected with their parts: wide matrices are read anew for every projection.
    query, key = (
        np.vstack((word, encoding.values(place), scheme.inputs(word, place)))
        for word, place in zip(vectors, places, strict=True)
    )
    queries = head.queries(query)
    keys = head.keys(key)
    terms = four_terms(queries[0], keys[0], queries[1:2], keys[1:2])
    score = scheme.scores(queries[2:], keys[2:], *places)
    return TermsAt(tuple(terms[:, 0].tolist()), float(score[0, 0]))


@record(eq=False)
class TermMaps:
    """The four terms of every two words, then their sums, shape (n_words, n_words); what none exceeds."""

    maps: tuple[Floats, ...]
    limit: float


def term_maps(encoding: Encoding, seed: int, words: tuple[str, ...], start: float, stops: IsCancelled) -> TermMaps:
    """The terms of a sentence whose first word stands at start."""
    head = Head(encoding.d_model, seed, stops)
    n_words = len(words)
    both = np.vstack((word_vectors(words, encoding.d_model, seed), encoding.values(start + np.arange(float(n_words)))))
    products = head.queries(both) @ head.keys(both).T / np.sqrt(encoding.d_model)
    parts = slice(None, n_words), slice(n_words, None)
    terms = np.array([products[query, key] for query in parts for key in parts])
    return TermMaps((*terms, terms.sum(axis=0)), float(np.abs(terms).sum(axis=0).max()) or 1.0)


@record
class BiasAt:
    """What two words score without positions, what positions add under a scheme, and the biases of offsets.

    biases: of the offsets -n to n from the same t, as many as a sentence has or more.
    """

    content: float
    bias: float
    biases: tuple[float, ...]

    @property
    def score(self) -> float:
        return self.content + self.bias


# Offsets to either side whose biases are read, at least.
_BIASES: Final = 16
# The schemes that add to scores alone, whatever the key.
_WITH_BIASES: Final = [
    name for name, kind in SCHEMES.items() if name != "none" and kind.sum_formula and not kind.changes_content
]


def bias_at(
    scheme: Scheme, head: Head, words: tuple[str, ...], at: tuple[float, float], n_words: int, stops: IsCancelled
) -> BiasAt:
    """The parts of the score of two words, the first at t, the second k after it: at = t, k."""
    asks, is_read = word_vectors(words, head.d_model, head.seed)[:, None]
    head = replace(head, is_cancelled=stops)
    t, k = at
    query = head.queries(asks)[0]
    key = head.keys(is_read)[0]
    reach = float(max(n_words - 1, _BIASES))
    biases = scheme.added(query, key, t, np.append(np.arange(-reach, reach + 1.0), k)).tolist()
    return BiasAt(scheme.content(query, key), biases[-1], tuple(biases[:-1]))


@record(eq=False)
class Parts:
    """What words and positions give to the score of two words, () where one is missing: its sum is the score.

    biases: what each offset adds to the scores of the word that asks, by the schemes that add to scores alone. Offsets
    are -n to n, n as many steps as a sentence has.
    """

    terms: tuple[float, ...]
    biases: Mapping[str, Floats]


def parts_of(attention: Attention, encoding: Encoding, asks: int, read: int | None, stops: IsCancelled) -> Parts:
    """The parts of the score of two words of a sentence as written, by their places; none of a too wide head."""
    if head_refusal(encoding.d_model):
        return Parts((), {})
    head = Head(encoding.d_model, attention.word_seed, stops)
    queries, keys, _values = projected_words(head, attention.words)
    t = float(attention.positions[asks])
    offsets = np.arange(1.0 - len(keys), len(keys))
    biases = {}
    for name in _WITH_BIASES:
        scheme = replace(attention, scheme=name, drops_positions=False).made(encoding)
        biases[name] = scheme.added(queries[asks], keys[asks], t, offsets)
    terms = () if read is None else _terms(attention, encoding, queries[asks], keys[read], (asks, read), stops)
    return Parts(terms, biases)


def _terms(
    attention: Attention, encoding: Encoding, query: Floats, key: Floats, at: tuple[int, int], stops: IsCancelled
) -> tuple[float, ...]:
    """What the words alone give, and what positions change; the four terms of added ones."""
    t, s = attention.positions[[*at]].tolist()
    if attention.scheme_at_work == Additive.id:
        asks, read = (attention.words[place] for place in at)
        return terms_at(encoding, attention.word_seed, (asks, read), t, s - t, stops).terms
    scheme = attention.made(encoding)
    content = scheme.content(query, key)
    score = float(scheme.between(query, key, np.array([t]), np.array([s]))[0, 0])
    return (content,) if attention.scheme_at_work == "none" else (content, score - content)


def term_ranges(encoding: Encoding, seed: int, words: tuple[str, ...], k: float, stops: IsCancelled) -> TermRanges:
    """The ranges for the vectors x and y of two words over every t, or an even sample of them."""
    head, (x, y) = Head(encoding.d_model, seed, stops), word_vectors(words, encoding.d_model, seed)
    every = encoding.shift_range(k)
    if not every:
        return TermRanges(0, 0, ())
    n_read = min(len(every), _MOST_POSITIONS, max(_MOST_VALUES // encoding.d_model, 2))
    rows = np.rint(np.linspace(every[0], every[-1], n_read))
    # Word and positions are projected together: wide matrices are read anew for every projection.
    queries = head.queries(np.vstack((x, encoding.values(rows))))
    keys = head.keys(np.vstack((y, encoding.values(rows + k))))
    terms = four_terms(queries[0], keys[0], queries[1:], keys[1:])
    return TermRanges(n_read, len(every), tuple(Range(*ends_of(values)) for values in terms))
