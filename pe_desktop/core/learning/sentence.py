"""What a trained head makes of the sentence of Attention, as written and as moved."""

from dataclasses import replace

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.lags import IsCancelled
from pe_desktop.core.learning.run import WORDS, Run, learning_refusal, word_vectors
from pe_desktop.core.learning.shown import run_of, scheme_title
from pe_desktop.core.learning.training import Film, head_over, train
from pe_desktop.core.scores.attention import Attended, Attention, Moved, moved_from
from pe_desktop.core.state import State


def sentence_run(state: State) -> Run | str:
    """The run of the scheme of the sentence, or a sentence that says why nothing of it is trained."""
    view = state.views.learn
    scheme = state.attention.scheme
    if refusal := learning_refusal(state.encoding):
        return refusal
    if not view.trains or scheme not in view.schemes:
        return f"No head is trained under {scheme_title(scheme)}: tick it in Learn and press Train."
    return replace(run_of(state, scheme), back=state.views.attention.back)


def as_trained(attention: Attention) -> Attention:
    """What counts of a sentence for a trained head, which has a mask, and whose first word stands at 0."""
    return replace(attention, causal=True, first_position=0.0, temperature=1.0)


def moved_under(attention: Attention, run: Run, step: int, is_cancelled: IsCancelled) -> Moved:
    """Both sentences under a head after a step, -1 for the last one, as `moved` gives them for a seeded head."""
    film = train(run, is_cancelled)
    # The first word has the first of the 16 vectors that the head was trained on, equal words have equal ones.
    written_words = [word.casefold() for word in attention.words]
    different = list(dict.fromkeys(written_words))
    words = word_vectors(run.d_model)[[different.index(word) % len(WORDS) for word in written_words]]
    places = attention.places
    written, other = (_attended(film, step, vectors, attention) for vectors in (words, words[[*places]]))
    return moved_from(written, other, places)


def _attended(film: Film, step: int, words: Floats, attention: Attention) -> Attended:
    """Scores before the mask, weights, and the words that they read: values are the words themselves."""
    found = head_over(film, film.place_of(step), words[np.newaxis], has_positions=not attention.drops_positions)
    weights = found.weights[0]
    return Attended(found.scores[0], weights, weights @ words)
