"""The query and the key that RoPE turns, the hands that turn them, and both before and after."""

from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs, position_rows, read_only, table_columns
from pe_desktop.core.record import kept, record
from pe_desktop.core.scores.attention import Head, projected_words
from pe_desktop.core.scores.schemes import Additive, PRope, Rotary
from pe_desktop.core.source.head import scaled_scores
from pe_desktop.core.source.vectors import seeded_vectors
from pe_desktop.core.state import State

# Names of a state with nothing typed.
VECTORS_OF_WORDS: Final = {"rotary.query": (), "rotary.key": (), "rotary.vectors": "words"}


@record
class QueryAndKey:
    """One query and one key before they turn; query and key: the components that are typed, () for none.

    words: the word of the sentence that asks and the one that is read, whose W_Q x and W_K x the others are; without
    words they are seeded, drawn from N(0, 1), independent of each other.
    """

    d_model: int
    seed: int
    query: tuple[float, ...] = ()
    key: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    sentence: tuple[str, ...] = ()

    @property
    @lru_cache(maxsize=8)  # noqa: B019 - not in the record, of which each state makes another
    def both(self) -> tuple[Floats, Floats]:
        """The vectors, shape (d_model,) each, read-only."""
        if self.words:
            queries, keys, _values = projected_words(Head(self.d_model, self.seed), self.sentence)
            both = zip((queries, keys), self.words, strict=True)
            asks, is_read = (of[self.sentence.index(word)] for of, word in both)
        else:
            asks, is_read = seeded_vectors(self.d_model, self.seed)
        return read_only(np.array(self.query or asks)), read_only(np.array(self.key or is_read))


def vectors_of(state: State) -> QueryAndKey:
    """The query and the key of a state; ValueError with a sentence above MAX_HEAD.

    They are those of the words at t and t + k, beyond the sentence of its nearest word; without words they are seeded.
    """
    head = Head(state.encoding.d_model)
    rotary = state.views.rotary
    typed = (rotary.query, rotary.key) if rotary.vectors == "typed" else ((), ())
    words = (state.scored_words, state.attention.words) if rotary.vectors != "seeded" else ()
    return QueryAndKey(head.d_model, state.attention.word_seed, *typed, *words)


@record
class AddedToWords(Additive):
    """Positions added to the words whose W_Q x and W_K x are given: they go through W_Q and W_K, too."""

    head: Head

    def between(self, query: Floats, key: Floats, rows: Floats, columns: Floats) -> Floats:
        queries = self.head.queries(self.encoding.values(rows))
        keys = self.head.keys(self.encoding.values(columns))
        return scaled_scores(query + queries, key + keys)


def added_of(state: State) -> Additive:
    """Added positions as they meet the query and the key of the state."""
    vectors = vectors_of(state)
    if not vectors.words or vectors.query or vectors.key:
        return Additive(state.encoding)
    return AddedToWords(state.encoding, Head(vectors.d_model, vectors.seed))


def places_of(state: State) -> tuple[float, float]:
    """Where query and key stand: t and t + k, after the first word's position where they are those of words."""
    first = state.attention.first_position if vectors_of(state).words else 0.0
    return first + state.cursor.position, first + state.cursor.position + state.cursor.offset


def rotary_of(state: State) -> Rotary:
    """p-RoPE where the head has it, else RoPE, whatever scheme it has, with the parameters of the state."""
    if state.attention.scheme == PRope.id:
        return PRope(state.encoding, state.attention.pairing, state.attention.proportion)
    return Rotary(state.encoding, state.attention.pairing, state.attention.rotary_share)


@record
class RotaryPairs(Pairs):
    """The pairs of dimensions of a query or key: R(p) turns each by p omega_j, those that don't turn by 0.

    A hand that doesn't turn stands at 12 o'clock; its wavelength is infinite.
    """

    rotary: Rotary

    @property
    def count(self) -> int:
        return self.rotary.encoding.d_model // 2

    @property
    def angular_frequencies(self) -> Floats:
        return _rates(self.rotary)[0]

    @property
    def wavelengths(self) -> Floats:
        return _rates(self.rotary)[1]

    @property
    def columns(self) -> Integers:
        """The dimensions that turn together, shape (count, 2); of pairs that don't turn, neighbours."""
        partners = self.rotary.partners
        return np.concatenate([partners, np.arange(partners.size, 2 * self.count).reshape(-1, 2)])

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        return self.offset_angles(positions, pairs)

    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        angles = np.zeros((len(position_rows(offsets)), self.count))
        angles[:, : self.rotary.n_paired] = self.rotary.angles(position_rows(offsets))
        return angles[:, self._numbers(pairs)]


@record
class RotaryFactors(Encoding):
    """The table of sin(p omega_j) and cos(p omega_j) of the pairs of a query or key, two dimensions at least."""

    rotary: Rotary

    kind: ClassVar[str] = "rotary"
    title: ClassVar[str] = "RoPE"

    @property
    def n_positions(self) -> int:
        return self.rotary.encoding.n_positions

    @property
    def d_model(self) -> int:
        return self.rotary.encoding.d_model // 2 * 2

    @property
    def formulas(self) -> tuple[str, ...]:
        return ("x_a ← x_a cos(t ω_i) − x_b sin(t ω_i)", "x_b ← x_b cos(t ω_i) + x_a sin(t ω_i)")

    @property
    def pairs(self) -> RotaryPairs:
        return RotaryPairs(self.rotary)

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        hands = self.pairs.hands(positions)
        places = np.argsort(self.pairs.columns, axis=None)[table_columns(dimensions, self.d_model)]
        return hands.reshape(len(hands), self.d_model)[:, places]


def turns_vectors(state: State) -> bool:
    """Whether the head turns queries and keys: RoPE or p-RoPE, of which some pair turns."""
    return state.scheme_at_work in (Rotary.id, PRope.id) and rotary_of(state).n_turning > 0


def turning_state(state: State) -> State:
    """The state with what turns in place of what is added where a head turns queries and keys, else the same."""
    if isinstance(state.encoding, RotaryFactors) or not turns_vectors(state):
        return state
    factors = RotaryFactors(rotary_of(state))
    return replace(state, encoding=factors).with_cursor(state.cursor)


@kept
def _rates(rotary: Rotary) -> tuple[Floats, Floats]:
    """Angular frequencies and wavelengths of all pairs."""
    frequencies = np.zeros(rotary.encoding.d_model // 2)
    frequencies[: rotary.n_turning] = rotary.frequencies
    wavelengths = np.full(len(frequencies), np.inf)
    np.divide(2 * np.pi, frequencies, out=wavelengths, where=frequencies > 0)
    return read_only(frequencies), read_only(wavelengths)


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
    return _turned_vectors(rotary_of(state), vectors_of(state), *places_of(state))


@lru_cache(maxsize=16)
def both_turned(rotary: Rotary, vectors: QueryAndKey, position: float, other: float) -> Floats:
    """The query at t and the key at s, shape (2, d_model): hands, three pairings and terms of the pairs read it."""
    return rotary.turned(np.stack(vectors.both), np.array([position, other]))


@kept
def _turned_vectors(rotary: Rotary, vectors: QueryAndKey, position: float, other: float) -> TurnedVectors:
    """Four panels read the same ones in a frame."""
    columns, (query, key) = RotaryPairs(rotary).columns, vectors.both
    turned = both_turned(rotary, vectors, position, other)
    longest = max(float(np.hypot(*vector[columns].T).max(initial=0.0)) for vector in (query, key))
    # Other angles for both components of a pair make it longer, by the square root of 2 at most.
    reach = longest * (np.sqrt(2.0) if rotary.pairing == "mixed" else 1.0) or 1.0
    return TurnedVectors(query[columns], turned[0][columns], key[columns], turned[1][columns], reach)


def with_turned(state: State, name: str, pair: int, turned: tuple[float, float], *, keeps_length: bool) -> Floats:
    """The query or the key (`name`) of the state, of which a pair becomes these two components once it is turned.

    keeps_length: the pair keeps its length, `turned` is its direction. Where nothing leads there, it stays as it is.
    """
    rotary = rotary_of(state)
    which = ("query", "key").index(name)
    vector = np.array(vectors_of(state).both[which])
    position = places_of(state)[which]
    columns = RotaryPairs(rotary).columns[pair]
    units = np.zeros((2, len(vector)))
    units[[0, 1], columns] = 1.0
    matrix = rotary.turned(units, np.array([position]))[:, columns].T
    if abs(np.linalg.det(matrix)) < _LEAST_DETERMINANT:
        return vector
    before = np.linalg.solve(matrix, turned)
    if keeps_length:
        length = float(np.hypot(*before))
        before = before * (float(np.hypot(*vector[columns])) / length) if length else vector[columns]
    vector[columns] = before
    return vector
