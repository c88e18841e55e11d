"""What a head is trained on: a run with its rules, the words, and the sentences of each task."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Flags, Floats, Integers, read_only
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.core.rules import SEED, NumberRule, WordRule, check_fields, ruled
from pe_desktop.core.scores.schemes import SCHEMES

# What is asked at a place of a sentence, with its title.
TASKS: Final[Mapping[str, str]] = {
    "copy": "Copy the word some places back",
    "first": "Say which of two words came first",
    "repeat": "Repeat the first word",
}
CHANGES: Final[Mapping[str, str]] = {
    "none": "Positions stay",
    "removed": "Then positions are taken away",
    "added": "Then positions are added",
}
# Schemes with scores that can be trained, and random vectors, in the order in which they are listed.
TRAINABLE: Final = (*SCHEMES, "random")
# The same for every run: their vectors are drawn once.
WORDS: Final = (
    *("oak", "fig", "map", "log", "gum", "kid", "pen", "sun"),
    *("cup", "hat", "ink", "jar", "net", "owl", "rug", "tea"),
)
WORD_SEED: Final = 0
# The widest head that is trained: 400 steps take some ten seconds.
WIDEST: Final = 128
# Sentences of a step, and those that are never trained on; the seed of these, at other lengths that is the length.
BATCH: Final = 32
HELD_OUT: Final = 64
_HELD_OUT_SEED: Final = 99
# A film has W_Q and W_K every so many steps, fewer where all of them would hold more values than these.
_STRIDE: Final = 5
_MOST_VALUES: Final = 2**21

TASK: Final = WordRule("task", tuple(TASKS), titles=TASKS, title="task of Learn")
BACK: Final = NumberRule("back", 1, 8, is_whole=True, title="places back")
N_STEPS: Final = NumberRule("n_steps", 1, 2_000, is_whole=True, title="steps of Learn")
RATE: Final = NumberRule("rate", 1e-6, 1, title="rate of Learn")
N_WORDS: Final = NumberRule("n_words", 12, 128, is_whole=True, title="trained length")
CHANGE: Final = WordRule("change", tuple(CHANGES), titles=CHANGES, title="change of Learn")
_SCHEME_TITLES: Final = {scheme: row.title for scheme, row in SCHEMES.items()}
SCHEME: Final = WordRule("scheme", TRAINABLE, titles=_SCHEME_TITLES, title="scheme of Learn")
RUN_SEED: Final = replace(SEED, title="seed of Learn")


@record
class Run:
    """All that a training follows from: equal runs have equal losses, bit for bit on one machine.

    encoding: of its width are the vectors of the words, and it lends its table or its hands to schemes that read them.
    back: how many places back the word stands that is copied. n_steps: of Adam, at this rate. seed: of the first W_Q
    and W_K, and of the sentences of each step. n_words: the trained length. change: whether positions are taken away
    or added after n_steps, and as many steps follow. ValueError with a sentence for values that break a rule.
    """

    encoding: Encoding = field(default_factory=SinusoidalEncoding)
    scheme: str = ruled("additive", SCHEME)
    task: str = ruled("copy", TASK)
    back: int = ruled(3, BACK)
    n_steps: int = ruled(400, N_STEPS)
    rate: float = ruled(0.01, RATE)
    seed: int = ruled(0, RUN_SEED)
    n_words: int = ruled(48, N_WORDS)
    change: str = ruled("none", CHANGE)

    def __post_init__(self) -> None:
        check_fields(self)
        if refusal := learning_refusal(self.encoding):
            raise ValueError(refusal)

    @property
    def d_model(self) -> int:
        """The width of the vectors of words, queries and keys."""
        return self.encoding.d_model

    @property
    def n_total(self) -> int:
        """All steps: those before a change and those after it."""
        return self.n_steps if self.change == "none" else 2 * self.n_steps

    @property
    def lengths(self) -> tuple[int, int, int]:
        """The trained length, twice and four times that many words."""
        return self.n_words, 2 * self.n_words, 4 * self.n_words

    @property
    def stride(self) -> int:
        """The steps from one checkpoint to the next, a multiple of 5."""
        most = max(_MOST_VALUES // (2 * self.d_model**2), 1)
        return _STRIDE * -(-self.n_total // (_STRIDE * most))

    @property
    def kept_steps(self) -> Integers:
        """After which steps W_Q and W_K are kept: 0, each stride-th, the last."""
        return np.minimum(np.arange(0, self.n_total + self.stride, self.stride), self.n_total)

    def scheme_at(self, step: int) -> str:
        """The id of the scheme that step number `step`, from 1, trains with."""
        is_changed = step > self.n_steps
        has_positions = {"none": True, "removed": not is_changed, "added": is_changed}[self.change]
        return self.scheme if has_positions else "none"


def learning_refusal(encoding: Encoding) -> str:
    """Why no head of this width is trained, in a sentence; "" where one is."""
    if encoding.d_model % 2 == 0 and encoding.d_model <= WIDEST:
        return ""
    return f"A head is trained where d_model is even and at most {WIDEST}: {grouped(encoding.d_model)} is not."


def word_vectors(d_model: int) -> Floats:
    """The vectors of WORDS, shape (16, d_model), each as long as the paper's positions, sqrt(d_model / 2)."""
    return _drawn(d_model, len(WORDS))


def random_vectors(d_model: int, n_positions: int) -> Floats:
    """A vector for each position, drawn after those of the words and as long, shape (n_positions, d_model)."""
    return _drawn(d_model, len(WORDS) + n_positions)[len(WORDS) :]


@lru_cache(maxsize=8)
def _drawn(d_model: int, count: int) -> Floats:
    vectors = np.random.default_rng(WORD_SEED).standard_normal((count, d_model))
    return read_only(vectors * (np.sqrt(d_model / 2) / np.linalg.norm(vectors, axis=1, keepdims=True)))


@record(eq=False)
class Sentences:
    """Sentences as numbers of WORDS, the right answer at each place, and where it is asked: all (n, n_words)."""

    words: Integers
    answers: Integers
    is_asked: Flags


def sentences(run: Run, generator: "np.random.Generator", count: int, n_words: int) -> Sentences:
    """Sentences of the task of a run.

    copy: at t the answer is the word of t - back, from t = back on. first: WORDS[0] and WORDS[1] stand once each, at
    places drawn at random, neither of them last, all other words are of the other fourteen; at each place behind both
    the answer is the one that came first. repeat: the answer is the word of place 0, from t = 1 on.
    """
    if run.task == "first":
        return _of_two(generator, count, n_words)
    words = generator.integers(0, len(WORDS), (count, n_words))
    places = np.arange(n_words)
    first = run.back if run.task == "copy" else 1
    sources = np.maximum(places - run.back, 0) if run.task == "copy" else 0 * places
    return Sentences(words, words[:, sources], np.broadcast_to(places >= first, words.shape))


def _of_two(generator: "np.random.Generator", count: int, n_words: int) -> Sentences:
    words = generator.integers(2, len(WORDS), (count, n_words))
    both = generator.random((count, n_words - 1)).argsort(axis=1)[:, :2]
    rows = np.arange(count)
    words[rows, both[:, 0]] = 0
    words[rows, both[:, 1]] = 1
    first = np.where(both[:, 0] < both[:, 1], 0, 1)
    is_asked = np.arange(n_words) > both.max(axis=1, keepdims=True)
    return Sentences(words, np.broadcast_to(first[:, None], words.shape), is_asked)


def held_out(run: Run, n_words: int) -> Sentences:
    """The 64 sentences of so many words that a run is tested on and never trained on: the same for every scheme."""
    seed = _HELD_OUT_SEED if n_words == run.n_words else n_words
    return sentences(run, np.random.default_rng(seed), HELD_OUT, n_words)
