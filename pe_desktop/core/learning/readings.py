"""What is read from a head at a checkpoint of its film: turns of hands, where it looks, and accuracies by length."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.learning.heads import BACK_A_QUARTER, LEARNERS, Learned
from pe_desktop.core.learning.run import held_out, word_vectors
from pe_desktop.core.learning.training import KEYS, QUERIES, Attended, Film, accuracy, attended
from pe_desktop.core.record import record

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
    elif hands is not None and LEARNERS[run.scheme].turns_hands:
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
    loss, at = film.loss, film.run.n_steps
    return float(loss[max(at - 10, 0) : at].mean()), float(loss[at : at + 20].max()), float(loss[-10:].mean())
