"""The schemes: how positions enter a head. Each is one class: its name, what is said of it, and what it computes."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs, Rows
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.source.drawn import shaw_vectors, t5_biases
from pe_desktop.core.source.head import (
    Pairing,
    alibi_scores,
    half_split_turn,
    interleaved_turn,
    mixed_turn,
    scaled_scores,
    shaw_scores,
    t5_scores,
)


class Scheme(ABC):
    """How positions enter a head: in its input, in queries and keys, or in the scores themselves.

    What a scheme doesn't say otherwise: inputs are the words, scores the scaled dot products. A subclass is a frozen
    dataclass.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    # What it does, for its button.
    tooltip: ClassVar[str]
    # Why moved words give other outputs, in a sentence; {slope} stands for that of ALiBi.
    effect: ClassVar[str] = ""
    # What the sentence and the title of a figure call it, where that is not the title.
    noun: ClassVar[str] = ""
    # The switch that takes its positions away.
    off_title: ClassVar[str] = "Positions off"
    # The names of Attention that it reads, and the arguments that they are.
    choices: ClassVar[Mapping[str, str]] = {}
    # Whether the hands of the encoding are read, as its argument `encoding`.
    reads_hands: ClassVar[bool] = False
    # Whether scores before and after the query differ: of others the mirror image of a sentence has the same outputs.
    knows_direction: ClassVar[bool] = True
    # What each position of distance takes from a score.
    slope: float = 0.0

    @classmethod
    def own_choices(cls) -> tuple[str, ...]:
        """The names that it reads and a head without it doesn't, as it does the seed."""
        return tuple(name for name in cls.choices if name != "word_seed")

    @property
    def is_shift_invariant(self) -> bool:
        """Whether the score of a query and a key of the same words depends on their positions by the offset alone."""
        return True

    @property
    @abstractmethod
    def note(self) -> str:
        """What it does with positions, in a few words."""

    @property
    def reach(self) -> int:
        """The distance from which on the score stays."""
        return 0

    def inputs(self, words: Floats, positions: Floats) -> Floats:
        """What the head reads in place of words (n, d_model) that stand at positions (n,)."""
        return words

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        """The scores of queries (n, d) at the positions `rows` and keys (m, d) at `columns`, shape (n, m).

        After 1 / sqrt(d), before a mask.
        """
        return scaled_scores(self.turned(queries, rows), self.turned(keys, columns))

    def turned(self, vectors: Floats, positions: Rows) -> Floats:
        """Queries or keys (n, d) as their positions turn them."""
        return vectors

    def between(self, query: Floats, key: Floats, rows: Floats, columns: Floats) -> Floats:
        """The scores of one query (d,) at the positions `rows` and one key (d,) at `columns`, shape (n, m)."""
        queries, keys = (
            self.inputs(np.broadcast_to(vector, (len(places), len(vector))), places)
            for vector, places in ((query, rows), (key, columns))
        )
        return self.scores(queries, keys, rows, columns)

    def by_offset(self, query: Floats, key: Floats, offsets: Floats) -> Floats:
        """The score of one query (d,) and one key (d,) by the offset k = s - t, shape (len(offsets),)."""
        return np.asarray(self.between(query, key, np.zeros(1), offsets)[0])


@record
class NoPositions(Scheme):
    """No positions at all ("NoPE"): without a mask a head is equivariant to a permutation of the words."""

    id = "none"
    title = "None"
    note = "no positions"
    tooltip = "No positions at all"
    noun = "no"


@record
class Additive(Scheme):
    """The encoding is added to words: queries, keys and values carry what the words and the positions are.

    Source: "Attention Is All You Need", section 3.
    """

    encoding: Encoding

    id = "additive"
    title = "Added"
    note = "added to words"
    tooltip = "The encoding is added to each word"
    effect = (
        "The encoding was added to each word before queries, keys and values were made, so they depend on where "
        "the word stands."
    )
    noun = "added"
    reads_hands = True
    is_shift_invariant = False

    def inputs(self, words: Floats, positions: Floats) -> Floats:
        return words + self.encoding.values(positions)


# interleaved: dimensions 2 j and 2 j + 1 turn together; half-split: j and j + h of h turning pairs; mixed: the angles
# of the first with the partners of the second, as where weights of one layout meet the code of the other.
PAIRINGS: Final[Mapping[str, Pairing]] = {
    "interleaved": interleaved_turn,
    "half-split": half_split_turn,
    "mixed": mixed_turn,
}


@record
class Rotary(Scheme):
    """RoPE: R(p) = [[cos, -sin], [sin, cos]] on every pair of dimensions, at the angular frequencies of the encoding.

    That is the inverse sense of M_k, which acts on (sine, cosine). share: the part of the pairs that turns, the first
    ones; the frequencies are those of a head as wide as this part, as for GPT-NeoX's rotary_pct.
    Source: Su and others, arXiv 2104.09864.
    """

    encoding: Encoding
    pairing: str = "interleaved"
    share: float = 1.0

    id = "rope"
    title = "RoPE"
    note = "turns q and k"
    tooltip = "Queries and keys are turned by their positions"
    effect = (
        "Each query and each key was turned by its position, so how well two words match depends on how far apart "
        "they stand."
    )
    off_title = "RoPE off"
    choices: ClassVar[Mapping[str, str]] = {"pairing": "pairing", "rotary_share": "share"}
    reads_hands = True

    @property
    def is_shift_invariant(self) -> bool:
        return self.pairing != "mixed"

    @property
    def n_turning(self) -> int:
        """How many pairs turn."""
        return round(self.share * (self.encoding.d_model // 2))

    def turned(self, vectors: Floats, positions: Rows) -> Floats:
        """R(p) applied to the vector of every row, shape (n, d_model); vectors (n, d_model), positions (n,) or (1,).

        One vector, (1, d_model), is turned to all positions.
        """
        angles = self.angles(positions)
        vectors = np.broadcast_to(vectors, (max(len(vectors), len(angles)), vectors.shape[1]))
        turning = PAIRINGS[self.pairing](vectors, np.cos(angles), np.sin(angles))
        return np.concatenate([turning, vectors[:, 2 * self.n_turning :]], axis=1)

    def angles(self, positions: Rows) -> Floats:
        """The angles of every pair that turns, shape (len(positions), n_turning)."""
        return np.zeros((len(positions), 0)) if self.pairs is None else self.pairs.offset_angles(positions)

    @property
    def partners(self) -> Integers:
        """The two dimensions that turn together, shape (n_turning, 2)."""
        columns = np.arange(2 * self.n_turning)
        return columns.reshape(-1, 2) if self.pairing == "interleaved" else columns.reshape(2, -1).T

    @property
    @lru_cache(maxsize=8)  # noqa: B019 - by its fields, not by which record asks
    def pairs(self) -> Pairs | None:
        """The hands that turn queries and keys by their `offset_angles`: those of an encoding with n_turning pairs.

        None where no pair turns. Kinds other than the sinusoidal lend theirs where they have just so many that turn
        evenly. Else, and where a shift leaves no frequencies for so few, they are base^(-j / n_turning), with 10,000
        for a kind without a base.
        """
        encoding, n_turning = self.encoding, self.n_turning
        if not n_turning:
            return None
        if isinstance(encoding, SinusoidalEncoding) and encoding.shift < n_turning:
            return replace(encoding, d_model=2 * n_turning).pairs
        pairs = encoding.pairs
        if pairs is not None and pairs.turns_evenly and pairs.count == n_turning:
            return pairs
        base = float(encoding.parameters.get("base", 10_000.0))
        return SinusoidalEncoding(d_model=2 * n_turning, base=base).pairs

    @property
    def frequencies(self) -> Floats:
        """The angular frequencies of the pairs that turn, shape (n_turning,), read-only."""
        return np.zeros(0) if self.pairs is None else self.pairs.angular_frequencies


@record
class Alibi(Scheme):
    """ALiBi: - slope |t - s| is added after scaling; without a mask this knows distance, not direction.

    Source: Press, Smith, Lewis, arXiv 2108.12409.
    """

    slope: float = 0.5

    id = "alibi"
    title = "ALiBi"
    tooltip = "A slope times the distance is subtracted from each score"
    effect = "Each step of distance takes {slope} from a score, so near words are read more than far ones."
    choices: ClassVar[Mapping[str, str]] = {"slope": "slope"}
    knows_direction = False

    @property
    def note(self) -> str:
        return f"slope {in_formula(self.slope)}"

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return alibi_scores(queries, keys, rows, columns, self.slope)


def slopes(n_heads: int) -> Floats:
    """The slope of every head, shape (n_heads,): 2^(-8 h / n) for h = 1 to n, where n is a power of two.

    Otherwise those of the next smaller power of two come first, then every second one of twice that many heads.
    ValueError for less than one head.
    """
    if n_heads < 1:
        raise ValueError(f"n_heads must be a whole number from 1: {n_heads} is not")
    power = 2 ** math.floor(math.log2(n_heads))
    own = 2.0 ** (-8.0 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-8.0 * np.arange(1, 2 * power + 1, 2) / (2 * power))
    return np.concatenate([own, between])[:n_heads]


@record
class T5(Scheme):
    """T5: a bias for each of 32 buckets of offsets; those that a model would have learned are drawn from N(0, 1) here.

    The published model leaves out 1 / sqrt(d); here it stays, to compare like with like.
    Source: Raffel and others, arXiv 1910.10683.
    """

    seed: int = 0
    is_causal: bool = False

    id = "t5"
    title = "T5"
    note = "seeded biases"
    tooltip = "A bias for each bucket of distances, learned in a model and seeded here, is added to each score"
    effect = (
        "Each distance has a bias that is added to the score. A model learns these biases; here they are drawn at "
        "random."
    )
    choices: ClassVar[Mapping[str, str]] = {"word_seed": "seed", "causal": "is_causal"}
    reach = 128

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return t5_scores(queries, keys, rows, columns, _biases(self.seed), self.is_causal)


_biases: Final = lru_cache(maxsize=2)(t5_biases)


@record
class Shaw(Scheme):
    """Learned relative positions: the score is q (k + a_o) / sqrt(d) with o the offset s - t, clipped to [-clip, clip].

    The vectors a that a model would have learned are drawn from N(0, 1) here; those of the paper's values are left out.
    Source: Shaw and others, arXiv 1803.02155.
    """

    clip: int = 16
    seed: int = 0

    id = "shaw"
    title = "Shaw"
    tooltip = "A vector for each distance, learned in a model and seeded here, is added to the keys"
    effect = (
        "Each distance has a vector that is added to the key. A model learns these vectors; here they are drawn at "
        "random."
    )
    choices: ClassVar[Mapping[str, str]] = {"clip": "clip", "word_seed": "seed"}

    @property
    def note(self) -> str:
        return f"seeded, clip {self.clip}"

    @property
    def reach(self) -> int:
        return self.clip

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return shaw_scores(queries, keys, rows, columns, _vectors(self.clip, queries.shape[1], self.seed))


_vectors: Final = lru_cache(maxsize=2)(shaw_vectors)


SCHEMES: Final[Mapping[str, type[Scheme]]] = {
    scheme.id: scheme for scheme in (NoPositions, Additive, Rotary, Alibi, T5, Shaw)
}
