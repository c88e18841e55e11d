"""The schemes: how positions enter a head. Each is one class: its name, what is said of it, and what it computes."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs, Rows
from pe_desktop.core.hands import all_pair_columns
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.phase import GIVEN
from pe_desktop.core.record import record
from pe_desktop.core.source import head
from pe_desktop.core.source.drawn import forgetting, pope_phases, shaw_vectors, t5_biases, word_vectors
from pe_desktop.resources import resource_json

# What is said of each scheme, by its id.
_words: Final = cache(partial(resource_json, "schemes.json"))


class Scheme:
    """How positions enter a head: in its input, in queries and keys, or in the scores themselves.

    What a scheme doesn't say otherwise: inputs are the words, scores the scaled dot products. A subclass is a frozen
    dataclass.
    """

    id: ClassVar[str]
    # Of schemes.json: its tooltip says what it does; its effect in a sentence why moved words give other outputs,
    # {slope} stands for that of ALiBi; noun: what the title of a figure calls it, where that is not the title;
    # off_title: the switch that takes its positions away; sum_formula: the parts of a score to which it adds, sum_says:
    # what they are, content_says: what words give by themselves, where that is not the product of q and k.
    title: ClassVar[str]
    tooltip: ClassVar[str]
    effect: ClassVar[str] = ""
    noun: ClassVar[str] = ""
    off_title: ClassVar[str] = "Positions off"
    brief: ClassVar[str] = ""
    sum_formula: ClassVar[str] = ""
    sum_says: ClassVar[str] = ""
    content_says: ClassVar[str] = ""
    # The names of Attention that it reads, and the arguments that they are.
    choices: ClassVar[Mapping[str, str]] = {}
    # Whether the hands of the encoding are read, as its argument `encoding`, and what they do, the long form first.
    reads_hands: ClassVar[bool] = False
    hands: ClassVar[tuple[str, ...]] = ()
    # Whether scores before and after the query differ: of others the mirror image of a sentence has the same outputs.
    knows_direction: ClassVar[bool] = True
    # Whether what it adds grows without end, but more slowly than is measured.
    grows_slowly: ClassVar[bool] = False
    # Whether positions change what the words alone give to a score, in place of adding to it.
    changes_content: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        for name, words in _words()[cls.id].items():
            setattr(cls, name, tuple(words) if isinstance(words, list) else words)

    @classmethod
    def own_choices(cls) -> tuple[str, ...]:
        """The names that it reads and a head without it doesn't, as it does the seed."""
        return tuple(name for name in cls.choices if name != "word_seed")

    @property
    def is_shift_invariant(self) -> bool:
        """Whether the score of a query and a key of the same words depends on their positions by the offset alone."""
        return True

    @property
    def note(self) -> str:
        """What it does with positions, in a few words."""
        return self.brief.format(self)

    def reading(self, words: tuple[str, ...], first: float) -> "Scheme":
        """The scheme of a head that reads these words, the first of which stands at `first`, where they count."""
        return self

    def inputs(self, words: Floats, positions: Floats) -> Floats:
        """What the head reads in place of words (n, d_model) that stand at positions (n,)."""
        return words

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        """The scores of queries (n, d) at the positions `rows` and keys (m, d) at `columns`, shape (n, m).

        After 1 / sqrt(d), before a mask.
        """
        return head.scaled_scores(self.turned(self.asked(queries), rows), self.turned(keys, columns))

    def asked(self, queries: Floats) -> Floats:
        """Queries (n, d) before their positions turn them."""
        return queries

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

    def content(self, query: Floats, key: Floats) -> float:
        """What the words alone give to the score of a query (d,) and a key (d,)."""
        return float(query @ key / np.sqrt(len(query)))

    def added(self, query: Floats, key: Floats, t: float, offsets: Floats) -> Floats:
        """What positions add to it with the query at t and the key at t + k, shape (len(offsets),).

        Of schemes that add to scores alone: what a key of zeros scores.
        """
        bare = key if self.changes_content else np.zeros(len(key))
        scores = self.between(query, bare, np.array([t]), t + offsets)[0]
        return np.asarray(scores - self.content(query, key) if self.changes_content else scores)


@record
class NoPositions(Scheme):
    """No positions at all ("NoPE"): without a mask a head is equivariant to a permutation of the words."""

    id = "none"


@record
class Additive(Scheme):
    """The encoding is added to words: queries, keys and values carry what the words and the positions are.

    Source: "Attention Is All You Need", section 3.
    """

    encoding: Encoding

    id = "additive"
    reads_hands = True
    is_shift_invariant = False

    def inputs(self, words: Floats, positions: Floats) -> Floats:
        return words + self.encoding.values(positions)


# interleaved: dimensions 2 j and 2 j + 1 turn together; half-split: j and j + h of h turning pairs; mixed: the angles
# of the first with the partners of the second, as where weights of one layout meet the code of the other.
PAIRINGS: Final[Mapping[str, head.Pairing]] = {
    "interleaved": head.interleaved_turn,
    "half-split": head.half_split_turn,
    "mixed": head.mixed_turn,
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
    choices: ClassVar[Mapping[str, str]] = {"pairing": "pairing", "rotary_share": "share"}
    reads_hands = True

    @property
    def is_shift_invariant(self) -> bool:
        return self.pairing != "mixed"

    @property
    def n_turning(self) -> int:
        """How many pairs turn."""
        return round(self.share * (self.encoding.d_model // 2))

    @property
    def n_paired(self) -> int:
        """How many pairs its pairing makes; of these the first n_turning turn."""
        return self.n_turning

    def turned(self, vectors: Floats, positions: Rows) -> Floats:
        """R(p) applied to the vector of every row, shape (n, d_model); vectors (n, d_model), positions (n,) or (1,).

        One vector, (1, d_model), is turned to all positions.
        """
        angles = self.angles(positions)
        vectors = np.broadcast_to(vectors, (max(len(vectors), len(angles)), vectors.shape[1]))
        turning = PAIRINGS[self.pairing](vectors, np.cos(angles), np.sin(angles))
        return np.concatenate([turning, vectors[:, 2 * self.n_paired :]], axis=1)

    def angles(self, positions: Rows) -> Floats:
        """The angles of every pair that its pairing makes, 0 of those that stand still, shape (n, n_paired)."""
        angles = np.zeros((len(positions), self.n_paired))
        if self.pairs is not None:
            angles[:, : self.n_turning] = self.pairs.offset_angles(positions, range(self.n_turning))
        return angles

    @property
    def partners(self) -> Integers:
        """The two dimensions that turn together, shape (n_paired, 2)."""
        return all_pair_columns("interleaved" if self.pairing == "interleaved" else "half-split", self.n_paired)

    @property
    def pairs(self) -> Pairs | None:
        """The hands of an encoding with n_paired pairs, of which the first n_turning turn queries and keys.

        They do so by their `offset_angles`. None where no pair turns.
        """
        return hands_like(self.encoding, self.n_paired) if self.n_turning else None

    @property
    def frequencies(self) -> Floats:
        """The angular frequencies of the pairs that turn, shape (n_turning,), read-only."""
        return np.zeros(0) if self.pairs is None else self.pairs.angular_frequencies[: self.n_turning]


@lru_cache(maxsize=8)
def hands_like(encoding: Encoding, count: int) -> Pairs:
    """The hands of an encoding that has so many of them.

    Kinds other than the sinusoidal lend theirs where they have just so many that turn evenly. Else, and where a shift
    leaves no frequencies for so few, or fewer wavelengths are given, they are base^(-j / count), with 10,000 for a kind
    without a base.
    """
    if isinstance(encoding, SinusoidalEncoding):
        given = encoding.wavelengths[:count]
        if encoding.shift < count and (encoding.spacing != GIVEN or len(given) == count):
            return replace(encoding, d_model=2 * count, wavelengths=given).pairs
    pairs = encoding.pairs
    if pairs is not None and pairs.turns_evenly and pairs.count == count:
        return pairs
    base = float(encoding.parameters.get("base", 10_000.0))
    return SinusoidalEncoding(d_model=2 * count, base=base).pairs


@record
class Alibi(Scheme):
    """ALiBi: - slope |t - s| is added after scaling; without a mask this knows distance, not direction.

    Source: Press, Smith, Lewis, arXiv 2108.12409.
    """

    slope: float = 0.5

    id = "alibi"
    choices: ClassVar[Mapping[str, str]] = {"slope": "slope"}
    knows_direction = False

    @property
    def note(self) -> str:
        return f"slope {in_formula(self.slope)}"

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return head.alibi_scores(queries, keys, rows, columns, self.slope)


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
    choices: ClassVar[Mapping[str, str]] = {"word_seed": "seed", "causal": "is_causal"}

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return head.t5_scores(queries, keys, rows, columns, _biases(self.seed), self.is_causal)


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
    choices: ClassVar[Mapping[str, str]] = {"clip": "clip", "word_seed": "seed"}

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return head.shaw_scores(queries, keys, rows, columns, _vectors(self.clip, queries.shape[1], self.seed))


_vectors: Final = lru_cache(maxsize=2)(shaw_vectors)


@record
class PRope(Rotary):
    """p-RoPE: the fastest of the pairs turn as in RoPE, floor(share n) of them; the slowest stand still.

    Frequencies and pairing are those of the whole head: a smaller share of RoPE turns all frequencies of fewer pairs.
    Source: Barbero and others, arXiv 2410.06205; transformers, modeling_rope_utils.py, "proportional".
    """

    share: float = 0.75

    id = "p-rope"
    choices: ClassVar[Mapping[str, str]] = {"pairing": "pairing", "proportion": "share"}

    @property
    def n_turning(self) -> int:
        return int(self.share * self.n_paired)

    @property
    def n_paired(self) -> int:
        return self.encoding.d_model // 2


@record
class Pope(Scheme):
    """PoPE: each dimension c turns by a frequency of its own, and its softplus is a length.

    The score is the sum over c of sp(q_c) sp(k_c) cos((s - t) omega_c + delta_c) over sqrt(d), omega_c = base^(-c/d):
    hand i of the clock turns as dimension 2 i. The phases delta that a model would have learned are drawn from
    [-2 pi, 0] here. Source: arXiv 2509.10534; lucidrains/PoPE-pytorch, pope.py.
    """

    encoding: Encoding
    seed: int = 0

    id = "pope"
    changes_content = True
    choices: ClassVar[Mapping[str, str]] = {"word_seed": "seed"}
    reads_hands = True

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        phases = _phases(queries.shape[1], self.seed)
        return head.pope_scores(queries, keys, self.angles(rows), self.angles(columns) + phases)

    def angles(self, positions: Rows) -> Floats:
        """The angle of every dimension, before the phases of keys, shape (len(positions), d_model)."""
        return hands_like(self.encoding, self.encoding.d_model).offset_angles(positions)

    def content(self, query: Floats, key: Floats) -> float:
        """The score of the lengths, where every angle is 0."""
        return float(head.softplus(query) @ head.softplus(key) / np.sqrt(len(query)))


_phases: Final = lru_cache(maxsize=2)(pope_phases)


@record
class RopePP(Rotary):
    """The second half of the heads of RoPE++: the query is turned back by a quarter, then both as in RoPE.

    Its score is a sum of sines where that of RoPE, the first half, is one of cosines: the imaginary part of the same
    sum of complex numbers. Source: arXiv 2512.07525.
    """

    id = "rope-pp"
    changes_content = True

    def asked(self, queries: Floats) -> Floats:
        return head.back_a_quarter(queries, self.n_turning, PAIRINGS[self.pairing])

    def content(self, query: Floats, key: Floats) -> float:
        """The score at one place."""
        return float(self.by_offset(query, key, np.zeros(1))[0])


@record
class Kerple(Scheme):
    """Kerple, logarithmic: - r1 log(1 + r2 |t - s|) is added after scaling; a model learns both numbers for each head.

    Source: Chi and others, arXiv 2205.09921.
    """

    r1: float = 1.0
    r2: float = 1.0

    id = "kerple"
    choices: ClassVar[Mapping[str, str]] = {"kerple_r1": "r1", "kerple_r2": "r2"}
    knows_direction = False
    grows_slowly = True

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return head.kerple_scores(queries, keys, rows, columns, self.r1, self.r2)


@record
class Fox(Scheme):
    """FoX, the forgetting transformer: log sigmoid(w . x_l + b) of each word x_l from s + 1 to t is added to a score.

    It depends on the words between, so equal offsets differ. Keys after the query get nothing: a model has a causal
    mask. Before and after the sentence its words are read again. A model learns w and b; here w is drawn from
    N(0, 1 / d) and b is given. Source: Lin and others, arXiv 2503.02130; x-transformers, DataDependentAlibi.
    """

    bias: float = 1.0
    seed: int = 0
    words: tuple[str, ...] = ()
    first: float = 0.0

    id = "fox"
    choices: ClassVar[Mapping[str, str]] = {"forget_bias": "bias", "word_seed": "seed"}
    is_shift_invariant = False

    def reading(self, words: tuple[str, ...], first: float) -> Scheme:
        return replace(self, words=words, first=first)

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        gates = _gates(self.words, queries.shape[1], self.seed, self.bias)
        return head.fox_scores(queries, keys, rows, columns, gates, self.first)


@lru_cache(maxsize=8)
def _gates(words: tuple[str, ...], d_model: int, seed: int, bias: float) -> Floats:
    """The gates of the words, shape (n_words,); without words that of one with w . x = 0."""
    vectors = word_vectors(" ".join(words), d_model, seed) if words else np.zeros((1, d_model))
    return head.log_gates(vectors, forgetting(d_model, seed), bias)


SCHEMES: Final[Mapping[str, type[Scheme]]] = {
    scheme.id: scheme for scheme in (NoPositions, Additive, Rotary, Alibi, T5, Shaw, PRope, Pope, RopePP, Kerple, Fox)
}
