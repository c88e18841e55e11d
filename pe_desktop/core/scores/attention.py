"""One head over a sentence: words, W_Q, W_K and W_V, scores, weights, outputs, and what moved words change."""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import Final
from weakref import WeakValueDictionary

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, read_only
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import kept, record
from pe_desktop.core.rules import MAX_POSITIONS, SEED, ListRule, NumberRule, Rule, choice, flag, ruled, shown
from pe_desktop.core.scores.schemes import PAIRINGS, SCHEMES, NoPositions, Scheme
from pe_desktop.core.source.drawn import head_matrix, word_vector
from pe_desktop.core.source.head import softmax


@record
class _TextRule(Rule):
    """A line of text of at most so many letters."""

    most: int

    def checked(self, value: object) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{self.name} must be text: {shown(value)} is not")
        if len(value) > self.most:
            raise ValueError(
                f"{self.name} has {grouped(len(value))} letters, more than the {grouped(self.most)} that are taken"
            )
        # Half a surrogate pair, as from a name in a file system, can't be written to a session.
        return " ".join(value.encode(errors="replace").decode().split())

    def read(self, text: str) -> str:
        return self.checked(text)


# More words would make a map that nobody reads; the first ones are taken.
MOST_WORDS: Final = 512


@kept
def word_vectors(words: tuple[str, ...], d_model: int, seed: int) -> Floats:
    """The vector x of every word, from N(0, 1), shape (n_words, d_model), read-only.

    Equal words, whatever their case, are equal vectors. Learned embeddings of variance 1 / d_model are multiplied by
    sqrt(d_model) before anything is added ("Attention Is All You Need", section 3.4): that is this variance.
    """
    return read_only(np.array([_vector(word.casefold(), d_model, seed) for word in words]).reshape(-1, d_model))


_vector: Final = lru_cache(maxsize=MOST_WORDS)(word_vector)


# Wider heads than any in use; three matrices of this side are read column by column in about a second.
MAX_HEAD: Final = 4_096
# Columns drawn at once, so that no whole matrix is held; matrices of up to so many values are kept.
_COLUMNS: Final = 256
KEPT_VALUES: Final = 2**18
_QUERY, _KEY, _VALUE = range(3)
# Those of words, as long as anybody holds them: a picture doesn't wait again for what was read for it.
_HELD: Final = WeakValueDictionary[tuple["Head", tuple[str, ...]], Floats]()


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
        if refusal := head_refusal(self.d_model):
            raise ValueError(refusal)

    @property
    def is_kept(self) -> bool:
        """Whether its matrices are kept, so that a projection is quick; others are drawn anew for each."""
        return self.d_model**2 <= KEPT_VALUES

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
            return vectors @ kept_matrix(which, self.d_model, self.seed)
        return np.concatenate([vectors @ columns for columns in _columns(self, which)], axis=1)


def head_refusal(d_model: int) -> str:
    """Why no head of a width is computed, in a sentence; "" where one is."""
    if d_model <= MAX_HEAD:
        return ""
    return f"A head is computed for d_model up to {grouped(MAX_HEAD)}: {grouped(d_model)} is wider."


def _columns(head: Head, which: int) -> Iterator[Floats]:
    generator = np.random.default_rng([head.seed, which, head.d_model])
    for first in range(0, head.d_model, _COLUMNS):
        stop_if(head.is_cancelled)
        width = min(_COLUMNS, head.d_model - first)
        yield generator.standard_normal((head.d_model, width)) / np.sqrt(head.d_model)


kept_matrix: Final = lru_cache(maxsize=6)(head_matrix)


# Longer sentences than MOST_WORDS words are cut; letters are limited, so that a session can't grow without end.
MOST_LETTERS: Final = 16_384


@record
class _OrderRule(ListRule):
    """The words' numbers in another order; nothing for the order as written."""

    each: NumberRule = NumberRule("", 0, MOST_WORDS - 1, is_whole=True)
    most: int = MOST_WORDS

    def checked(self, value: object) -> tuple[int, ...]:
        order = ListRule.checked(self, value)
        if sorted(order) != [*range(len(order))]:
            raise ValueError(f"{self.name} must hold each number from 0 to {max(len(order) - 1, 0)} once")
        return () if order == tuple(range(len(order))) else order


@record
class Attention:
    """What the head reads and how positions enter it.

    drops_positions: all stays, but no position enters (RoPE off, as in DroPE). order: which written word stands at each
    place of the moved sentence, () where nothing moved. first_position: where the first word stands. share: the part of
    the pairs that RoPE turns, the first; proportion: that of p-RoPE, the fastest. temperature: scores are divided by it
    once more before the softmax. word_seed: of words, matrices, biases.
    """

    scheme: str = choice(*SCHEMES, default="additive")
    drops_positions: bool = flag("positions off")
    causal: bool = flag("causal mask")
    pairing: str = choice(*PAIRINGS)
    proportion: float = ruled(0.75, NumberRule("", 0, 1, title="share of pairs that p-RoPE turns"))
    rotary_share: float = ruled(1.0, NumberRule("", 0, 1, title="share of pairs that turn"))
    slope: float = ruled(0.5, NumberRule("", 0, 1e6, title="slope of ALiBi"))
    clip: int = ruled(16, NumberRule("", 1, MOST_WORDS, is_whole=True, title="clip of Shaw"))
    kerple_r1: float = ruled(1.0, NumberRule("", 1e-6, 1e6, title="r₁ of Kerple"))
    kerple_r2: float = ruled(1.0, NumberRule("", 1e-6, 1e6, title="r₂ of Kerple"))
    forget_bias: float = ruled(1.0, NumberRule("", -1e3, 1e3, title="bias of FoX"))
    sentence: str = ruled("I park in my sleep", _TextRule("", MOST_LETTERS))
    order: tuple[int, ...] = ruled((0, 4, 2, 3, 1), _OrderRule("", title="order of the words"))
    first_position: float = ruled(0.0, NumberRule("", 0, MAX_POSITIONS, title="first position"))
    temperature: float = ruled(1.0, NumberRule("", 1e-6, 1e6))
    word_seed: int = ruled(0, replace(SEED, title="seed of the words"))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence, split at blanks; the first MOST_WORDS of them."""
        return tuple(self.sentence.split()[:MOST_WORDS])

    @cached_property
    def scheme_at_work(self) -> str:
        """The id of its scheme, "none" while its positions are off."""
        return "none" if self.drops_positions else self.scheme

    @property
    def places(self) -> tuple[int, ...]:
        """The order with all its places, the written one where nothing moved."""
        return self.order or tuple(range(len(self.words)))

    @property
    def positions(self) -> Floats:
        """The position of every word, shape (n_words,)."""
        return self.first_position + np.arange(float(len(self.words)))

    def place_of(self, position: float) -> int:
        """The place of the word at a position of the cursor: beyond the sentence its first or its last."""
        return min(max(round(position), 0), max(len(self.words) - 1, 0))

    def made(self, encoding: Encoding) -> Scheme:
        """The scheme with its parameters, as they are; ValueError with a sentence where the encoding can't give it."""
        if self.drops_positions:
            return NoPositions()
        kind = SCHEMES[self.scheme]
        given = {argument: getattr(self, name) for name, argument in kind.choices.items()}
        made = kind(**given, **({"encoding": encoding} if kind.reads_hands else {}))
        return made.reading(self.words, self.first_position)


@record(eq=False)
class Attended:
    """What a head makes of a sentence: scores and weights (n_words, n_words), outputs (n_words, d_model).

    Scores are after 1 / sqrt(d) and before the mask; a row of weights is what its word reads, and sums to 1.
    """

    scores: Floats
    weights: Floats
    outputs: Floats


@record(eq=False)
class Moved:
    """A sentence as written and as moved, and how far outputs differ once the moved ones are put back in order.

    put_back: the outputs of the moved sentence by written word; difference: the largest amount by which they differ.
    """

    written: Attended
    moved: Attended
    put_back: Floats
    difference: float


def attended(
    attention: Attention, encoding: Encoding, places: tuple[int, ...], is_cancelled: IsCancelled = never
) -> Attended:
    """The head over the written words at `places` in this order; ValueError with a sentence for a width above MAX_HEAD.

    CancelledError as Head. Source: "Attention Is All You Need", section 3.2.1.
    """
    words = tuple(attention.words[place] for place in places)
    scheme = attention.made(encoding).reading(words, attention.first_position)
    positions = attention.positions
    head = Head(encoding.d_model, attention.word_seed, is_cancelled)
    # A head is linear: what it makes of a sum is the sum of what it makes of word and position. So no matrix is read
    # again when words move or the scheme changes.
    of_words = projected_words(head, attention.words)
    of_positions = _projected_positions(head, scheme, attention.first_position, len(places))
    queries, keys, values = (word[[*places]] + position for word, position in zip(of_words, of_positions, strict=True))
    scores = scheme.scores(queries, keys, positions, positions)
    # Of no words there is nothing to weigh.
    weights = softmax(scores, attention.causal, attention.temperature) if len(scores) else scores
    return Attended(scores, weights, weights @ values)


@lru_cache(maxsize=2)
def projected_words(head: Head, words: tuple[str, ...]) -> Floats:
    """Queries, keys and values of words without positions, shape (3, n_words, d_model)."""
    found = _HELD.get((head, words))
    if found is None:
        found = _HELD[head, words] = _projected(head, word_vectors(words, head.d_model, head.seed))
    return found


@kept
def _projected_positions(head: Head, scheme: Scheme, first_position: float, n_words: int) -> Floats:
    """Of what the scheme adds to words; for those that add nothing a row of zeros."""
    added = scheme.inputs(np.zeros((n_words, head.d_model)), first_position + np.arange(float(n_words)))
    return _projected(head, added) if added.any() else np.zeros((3, 1, head.d_model))


def _projected(head: Head, vectors: Floats) -> Floats:
    return np.stack([head.queries(vectors), head.keys(vectors), head.values(vectors)])


def moved(attention: Attention, encoding: Encoding, is_cancelled: IsCancelled = never) -> Moved:
    """The sentence as written beside the sentence as moved; errors as attended."""
    places = attention.places
    written = attended(attention, encoding, tuple(range(len(places))), is_cancelled)
    return moved_from(written, attended(attention, encoding, places, is_cancelled), places)


def moved_from(written: Attended, other: Attended, places: tuple[int, ...]) -> Moved:
    """The outputs of a sentence beside those of the same with its words moved to other places."""
    put_back = other.outputs[np.argsort(places)]
    return Moved(written, other, put_back, float(np.abs(written.outputs - put_back).max(initial=0.0)))


def differences(
    attention: Attention, encoding: Encoding, is_cancelled: IsCancelled = never
) -> Mapping[str, tuple[float, float]]:
    """For every scheme the difference that moving the words makes, without and with a causal mask."""

    def difference(scheme: str, *, causal: bool) -> float:
        changed = replace(attention, scheme=scheme, causal=causal, drops_positions=False)
        return moved(changed, encoding, is_cancelled).difference

    return {scheme: (difference(scheme, causal=False), difference(scheme, causal=True)) for scheme in SCHEMES}
