"""The training of one causal head: loss, gradients by hand, Adam, the film of its steps, and what is read from it."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Floats, Integers, read_only, slices
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.learning.heads import BACK_A_QUARTER, LEARNERS, LIMITS, Asked, Learned
from pe_desktop.core.learning.run import BATCH, Run, Sentences, held_out, sentences, word_vectors
from pe_desktop.core.record import record

QUERIES: Final = "queries"
KEYS: Final = "keys"
# How much logits are multiplied by: words of length sqrt(d / 2) have 4 with themselves.
_GAIN: Final = 8.0
# Of Adam (arXiv 1412.6980): moments and what keeps its divisor from 0.
_FIRST_MOMENT: Final = 0.9
_SECOND_MOMENT: Final = 0.99
_LEAST_DIVISOR: Final = 1e-8
# Steps from one partial film to the next.
_TOLD_EVERY: Final = 20
# Scores that are computed at once, some 80 KiB.
_SCORES_AT_ONCE: Final = 10_000
# Trainings that are kept, finished ones and those that were stopped: all schemes of one run, and some more.
_MOST_KEPT: Final = 16


@record(eq=False)
class Film:
    """A training from its first step to the last that is done; all arrays are read-only.

    loss: of the sentences of each step, before it changes anything, in nats, shape (n_done,). steps: after which W_Q
    and W_K are kept, 0 first, shape (n_kept,). learned: by name, shape (n_kept, ...): queries and keys, (n_kept,
    d_model, d_model), and what the scheme learns beside them. accuracy: on held-out sentences of the trained length, 0
    to 1, shape (n_kept,). by_length: by number of words at the end, trained length, twice and four times that; empty
    before. seconds: of the computation, with its tests.
    """

    run: Run
    loss: Floats
    steps: Integers
    learned: Mapping[str, Floats] = field(repr=False)
    accuracy: Floats
    by_length: Mapping[int, float]
    seconds: float

    @property
    def n_done(self) -> int:
        """How many steps are done."""
        return len(self.loss)

    @property
    def is_whole(self) -> bool:
        """Whether all steps are done."""
        return self.n_done == self.run.n_total

    def place_of(self, step: int) -> int:
        """The number of the last checkpoint up to a step, for -1 that of the last one."""
        return len(self.steps) - 1 if step < 0 else int(np.searchsorted(self.steps, step, side="right")) - 1

    def at(self, place: int) -> Learned:
        """All that is learned at a checkpoint, by name."""
        return {name: values[place] for name, values in self.learned.items()}

    def scheme_at(self, place: int) -> str:
        """The id of the scheme that the head at a checkpoint was trained with last."""
        return self.run.scheme_at(max(int(self.steps[place]), 1))


@record(eq=False)
class Attended:
    """What a head makes of sentences: scores before the mask and weights, (n, places, places), and what goes back."""

    inputs: Floats
    scores: Floats
    weights: Floats
    backward: Any


def attended(run: Run, scheme: str, learned: Learned, words: Floats) -> Attended:
    """The head over vectors of words (n, places, d_model), under a scheme of positions."""
    row = LEARNERS[scheme]
    n_places = words.shape[1]
    added = row.added(run, n_places)
    inputs = words if added is None else words + added
    queries, keys = (inputs @ learned[name] for name in (QUERIES, KEYS))
    scores, backward = row.scored(Asked(run.encoding, n_places, queries, keys, words, learned))
    weights = scores + _mask(n_places)
    weights -= weights.max(axis=2, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=2, keepdims=True)
    return Attended(inputs, scores, weights, backward)


@lru_cache(maxsize=16)
def _mask(n_places: int) -> Floats:
    """Minus infinity where a key is later than its query, shape (places, places)."""
    return read_only(np.where(np.tri(n_places) > 0, 0.0, -np.inf))


@lru_cache(maxsize=4)
def _answered(d_model: int) -> Floats:
    """The logits that each word has with every word, shape (16, 16): values are the words, and words read the sum."""
    vectors = word_vectors(d_model)
    return (_GAIN / d_model) * (vectors @ vectors.T)


def _loss_and_gradients(run: Run, scheme: str, learned: Learned, given: Sentences) -> tuple[float, Learned]:
    """The mean cross-entropy over the places where an answer is asked, in nats, and its derivatives.

    By name: those by W_Q, W_K and what the scheme learns beside them.
    """
    total: dict[str, Floats] = {}
    loss = 0.0
    for part in _parts(given):
        of_part, slopes = _summed(run, scheme, learned, part)
        loss += of_part
        for name, slope in slopes.items():
            total[name] = total.get(name, 0.0) + slope
    n_asked = int(np.count_nonzero(given.is_asked))
    return loss / n_asked, {name: slope / n_asked for name, slope in total.items()}


def _parts(given: Sentences) -> Iterator[Sentences]:
    """A few of the sentences after another: arrays of many would be given back to the system in each step."""
    count, n_words = given.words.shape
    for part in slices(count, _SCORES_AT_ONCE // n_words**2):
        yield Sentences(given.words[part], given.answers[part], given.is_asked[part])


def _summed(run: Run, scheme: str, learned: Learned, given: Sentences) -> tuple[float, Learned]:
    """The sum of the cross-entropies and its derivatives."""
    words = given.words
    head = attended(run, scheme, learned, word_vectors(run.d_model)[words])
    # logits = (8 / d) (A X) E^T is A times these: so nothing as wide as a vector is summed.
    values = _answered(run.d_model)[words]
    logits = head.weights @ values
    logits -= logits.max(axis=2, keepdims=True)
    powers = np.exp(logits)
    sums = powers.sum(axis=2, keepdims=True)
    right = given.answers[:, :, None]
    surprises = np.log(sums) - np.take_along_axis(logits, right, axis=2)
    loss = float(surprises[:, :, 0].sum(where=given.is_asked))
    # Of the softmax with cross-entropy: what was said less what is right.
    slopes = powers / sums
    np.put_along_axis(slopes, right, np.take_along_axis(slopes, right, axis=2) - 1.0, axis=2)
    slopes *= given.is_asked[:, :, None]
    by_weights = slopes @ values.swapaxes(1, 2)
    by_scores = head.weights * by_weights
    by_scores -= head.weights * by_scores.sum(axis=2, keepdims=True)
    by_queries, by_keys, others = head.backward(by_scores)
    flat = head.inputs.reshape(-1, run.d_model)
    both = {QUERIES: flat.T @ by_queries.reshape(flat.shape), KEYS: flat.T @ by_keys.reshape(flat.shape)}
    return loss, {**both, **others}


def accuracy(run: Run, scheme: str, learned: Learned, n_words: int) -> float:
    """The share of right answers in the held-out sentences of so many words, 0 to 1."""
    tested = held_out(run, n_words)
    n_right = 0
    for part in _parts(tested):
        head = attended(run, scheme, learned, word_vectors(run.d_model)[part.words])
        said = (head.weights @ _answered(run.d_model)[part.words]).argmax(axis=2)
        n_right += int(np.count_nonzero((said == part.answers) & part.is_asked))
    return n_right / int(np.count_nonzero(tested.is_asked))


def _films(run: Run) -> Iterator[Film]:
    """The film of a run before its first step, then after each; later steps are written behind the views of it."""
    started = time.perf_counter()
    generator = np.random.default_rng(run.seed)
    size = run.d_model, run.d_model
    now = {name: generator.standard_normal(size) / run.d_model**0.5 for name in (QUERIES, KEYS)}
    now |= LEARNERS[run.scheme].first(run.d_model)
    moments = {name: (np.zeros_like(one), np.zeros_like(one)) for name, one in now.items()}
    steps = run.kept_steps
    loss = np.empty(run.n_total)
    tested = np.empty(len(steps))
    kept = {name: np.empty((len(steps), *one.shape)) for name, one in now.items()}
    seconds = 0.0
    n_kept = 0
    by_length: dict[int, float] = {}
    for step in range(run.n_total + 1):
        if step:
            given = sentences(run, generator, BATCH, run.n_words)
            loss[step - 1], gradients = _loss_and_gradients(run, run.scheme_at(step), now, given)
            now = {**now, **_moved(now, gradients, moments, step, run.rate)}
        test = partial(accuracy, run, run.scheme_at(max(step, 1)), now)
        if step == steps[n_kept]:
            tested[n_kept] = test(run.n_words)
            for name, values in now.items():
                kept[name][n_kept] = values
            n_kept += 1
        if step == run.n_total:
            by_length = {n_words: test(n_words) for n_words in run.lengths}
        seconds += time.perf_counter() - started
        learned = {name: read_only(values[:n_kept]) for name, values in kept.items()}
        known = read_only(loss[:step]), read_only(steps[:n_kept]), learned, read_only(tested[:n_kept])
        yield Film(run, *known, by_length, seconds)
        started = time.perf_counter()


def _moved(now: Learned, gradients: Learned, moments: dict[str, Any], step: int, rate: float) -> Learned:
    """What is learned after a step of Adam, from 1 (arXiv 1412.6980, algorithm 1), with its moments written anew."""
    moved = {}
    for name, gradient in gradients.items():
        first, second = moments[name]
        first = _FIRST_MOMENT * first + (1 - _FIRST_MOMENT) * gradient
        second = _SECOND_MOMENT * second + (1 - _SECOND_MOMENT) * gradient**2
        moments[name] = first, second
        mean = first / (1 - _FIRST_MOMENT**step)
        spread = np.sqrt(second / (1 - _SECOND_MOMENT**step))
        changed = now[name] - np.asarray(rate * mean / (spread + _LEAST_DIVISOR))
        moved[name] = np.clip(changed, *LIMITS.get(name, (-np.inf, np.inf)))
    return moved


class _Training:
    """A training as far as it has come: it goes on from there. One thread at a time takes a step, under the lock."""

    def __init__(self, run: Run) -> None:
        self.lock = threading.Lock()
        self._films = _films(run)
        self.film = next(self._films)

    def advance(self) -> Film:
        """The film after one more step, where one is left."""
        with self.lock:
            if not self.film.is_whole:
                self.film = next(self._films)
            return self.film


_KEPT: Final[dict[Run, _Training]] = {}
_KEPT_LOCK: Final = threading.Lock()


def train(run: Run, is_cancelled: IsCancelled = never, tell: Callable[[Film, float], None] = lambda *_: None) -> Film:
    """The film of a run; `tell` takes the film so far every 20 steps, and how much of the steps are done, 0 to 1.

    CancelledError once is_cancelled, asked before every step, says that nobody waits any more: the next call with the
    same run goes on from there. The steps of a finished run are kept for the next call.
    """
    with _KEPT_LOCK:
        # The training that was asked for longest ago makes way.
        training = _KEPT.pop(run, None) or _Training(run)
        _KEPT[run] = training
        while len(_KEPT) > _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
    film = training.film
    while not film.is_whole:
        stop_if(is_cancelled)
        film = training.advance()
        if film.n_done % _TOLD_EVERY == 0:
            tell(film, film.n_done / run.n_total)
    return film


def accuracies_by_seed(run: Run) -> Mapping[int, float]:
    """The accuracy at the end of a run under each seed with which it is trained so far, 0 to 1, by seed."""
    with _KEPT_LOCK:
        films = [training.film for training in _KEPT.values()]
    alike = [film for film in films if film.is_whole and replace(film.run, seed=run.seed) == run]
    return {film.run.seed: float(film.accuracy[-1]) for film in sorted(alike, key=lambda film: film.run.seed)}


def forget(run: Run) -> None:
    """Begin anew at the next call of train."""
    with _KEPT_LOCK:
        _KEPT.pop(run, None)


# Places back whose mean weight is read, and offsets whose mean score is.
PLACES_BACK: Final = 9
OFFSETS: Final = 25


@record(eq=False)
class Turns:
    """What each hand has learned, all of shape (n_pairs,).

    learned: angles in radians, from -pi to pi, negative for words before the query; ideal: those of M_-back, None where
    nothing is copied or hands don't turn evenly. lengths: how much each hand is used; shares: their squares, which sum
    to 1. part: of |W|^2, W = W_Q W_K^T, what belongs to turns, 0 to 1; None where queries and keys are turned.
    """

    learned: Floats
    ideal: Floats | None
    lengths: Floats
    shares: Floats
    part: float | None


def turns(film: Film, place: int) -> Turns | None:
    """The turns that a head has learned; None for schemes without hands.

    Added positions: the 2 x 2 block of W of a pair has the turn a + ib, a = (W_00 + W_11) / 2, b = (W_10 - W_01) / 2,
    in the order sine, cosine. RoPE: that of the mean query to the mean key over the words, before they are turned.
    """
    run = film.run
    encoding = run.encoding
    pairs = encoding.pairs
    query, key = (film.at(place)[name] for name in (QUERIES, KEYS))
    back = np.array([-float(run.back)])
    hands = LEARNERS[run.scheme].hands
    ideal: Floats | None = None
    part = None
    if run.scheme == "additive" and pairs is not None:
        product = query @ key.T
        sine, cosine = pairs.columns.T
        straight = (product[sine, sine] + product[cosine, cosine]) / 2
        turned = straight + 0.5j * (product[cosine, sine] - product[sine, cosine])
        part = 2 * float(np.sum(np.abs(turned) ** 2)) / float(np.sum(product**2))
        ideal = pairs.offset_angles(back)[0] if pairs.turns_evenly else None
    elif hands is not None:
        mean = word_vectors(run.d_model).mean(axis=0)
        quarter = BACK_A_QUARTER if run.scheme == "rope-pp" else 1.0
        asks = (mean @ query).view(np.complex128)
        is_read = (mean @ key).view(np.complex128)
        turned = quarter * asks * is_read.conj()
        ideal = hands(encoding).angles(back)[0]
    else:
        return None
    lengths = np.abs(turned)
    shares = lengths**2 / (np.sum(lengths**2) or 1.0)
    return Turns(np.angle(turned), ideal if run.task == "copy" else None, lengths, shares, part)


def looks(film: Film, place: int) -> tuple[Floats, Floats]:
    """Where the head at a checkpoint looks: means over the held-out sentences of the trained length.

    Weights on the word 0 to 8 places back, shape (9,), of the places that have so many words before them; scores before
    the softmax, by the offsets 0, -1, ..., shape (25,), as many as there are words in shorter sentences.
    """
    run = film.run
    words = word_vectors(run.d_model)[held_out(run, run.n_words).words]
    head = head_over(film, place, words)
    least = max(PLACES_BACK - 1, run.back if run.task == "copy" else 0)
    weights = [_mean_at(head.weights, back, least) for back in range(PLACES_BACK)]
    scores = [_mean_at(head.scores, back, back) for back in range(min(OFFSETS, run.n_words))]
    return np.array(weights), np.array(scores)


def _mean_at(values: Floats, back: int, least: int) -> float:
    """The mean of (n, t, t - back) over the places t from `least` on."""
    places = np.arange(least, values.shape[1])
    return float(values[:, places, places - back].mean())


def own_learned(film: Film, place: int) -> Learned:
    """What a scheme has learned beside W_Q and W_K, by name: the slope of ALiBi, the biases of T5, ..."""
    return {name: values for name, values in film.at(place).items() if name not in (QUERIES, KEYS)}


def accuracies(film: Film, place: int, *, has_positions: bool = True) -> Mapping[int, float]:
    """The accuracy at a checkpoint, 0 to 1, by length; without positions they are taken from the trained head."""
    scheme = film.scheme_at(place) if has_positions else "none"
    return {n_words: accuracy(film.run, scheme, film.at(place), n_words) for n_words in film.run.lengths}


def head_over(film: Film, place: int, vectors: Floats, *, has_positions: bool = True) -> Attended:
    """Scores before the mask and weights at a checkpoint of sentences of any vectors (n, n_words, d_model)."""
    scheme = film.scheme_at(place) if has_positions else "none"
    return attended(film.run, scheme, film.at(place), vectors)


def losses_at_change(film: Film) -> tuple[float, float, float]:
    """The mean loss of the ten steps before a change, the largest of the twenty after it, the mean of the last ten.

    In nats, of a whole film.
    """
    loss = film.loss
    at = film.run.n_steps
    return float(loss[max(at - 10, 0) : at].mean()), float(loss[at : at + 20].max()), float(loss[-10:].mean())
