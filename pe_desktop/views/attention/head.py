"""What one head makes of the sentence as written and as moved, under every scheme, and what is said of it."""

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.random  # Words are drawn with it: loaded with the view, not while the panel opens.

from pe_desktop.core.encoding import ROUNDING, Encoding, Floats
from pe_desktop.core.learning.run import WORDS, Run, learning_refusal, word_vectors
from pe_desktop.core.learning.shown import run_of, scheme_title
from pe_desktop.core.learning.training import Film, head_over, train
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Attended, Attention, Moved, differences, moved
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import fixed, scientific, short, whole
from pe_desktop.model.findings import Answers, Question, Questions, Task
from pe_desktop.views.learn.plots import task_words

# By what a menu calls them: a sentence and another order of its words, which choosing it sets.
PAIRS: Final[Mapping[str, Mapping[str, Any]]] = {
    "I park in my sleep / I sleep in my park": {"sentence": "I park in my sleep", "order": (0, 4, 2, 3, 1)},
    "dog bites man / man bites dog": {"sentence": "dog bites man", "order": (2, 1, 0)},
    "The chef who had prepared … served … / The chef served … who had prepared …": {
        "sentence": "The chef who had prepared the meal with great care served the dish to the guests",
        "order": (0, 1, 10, 11, 12, 13, 14, 15, 2, 3, 4, 5, 6, 7, 8, 9),
    },
    "what was three tokens back?": {"sentence": "what was three tokens back?", "order": ()},
}
_NOTHING: Final = (
    "Drag a word in the row “Moved” to another place, or choose Shuffle. Both maps and the number then show what the "
    "new order changes."
)
_MASK: Final = (
    "A word reads only itself and what stands before it: the first word reads itself alone, the last one reads all. "
    "Even without positions, moving a word changes what it can read."
)
_EQUIVARIANT: Final = (
    "Look at any word: moving changed no weight of it. Without positions, this head cannot know which word comes "
    "first. Outputs move along with their words: equivariant, not invariant. A recurrent network knows the order: each "
    "state is made from the one before. So does a convolution: its kernel has a weight for each place."
)
_ANY_MIRROR: Final = (
    " {title} counts distance, not direction: the sentence read backwards gives the same outputs, to {apart}."
)
_MIRROR: Final = (
    "The moved sentence is the mirror image of the written one: every two words are as far apart as before. Without a "
    "mask, {title} depends on nothing else."
)
# The sentences that are offered while there are too few words.
EXAMPLES: Final = tuple(PAIRS.values())[:3]
# So many schemes have a button and a key; the newer ones stand in a list.
N_BUTTONS: Final = 6
SCHEME_TOOLTIPS: Final = {
    name: f"{scheme.tooltip} ({key})" if key <= N_BUTTONS else scheme.tooltip
    for key, (name, scheme) in enumerate(SCHEMES.items(), 1)
}
# Heads and sentences up to this size are computed within a frame; all schemes up to that.
_QUICK: Final = (256, 32)
_QUICK_TABLE: Final = (128, 8)
SUM_TOOLTIP: Final = "A double click opens the sum of its score"
# The differences under every scheme, without and with a mask, shape (n_schemes, 2): nan where there are none, None
# while they are not known.
Differences: TypeAlias = tuple[tuple[float, float], ...] | None


@record
class Found:
    """What a head makes of a sentence and of the moved one, where it is known, or why there is nothing.

    put_back: the weights of the moved sentence by written words, shape (n_words, n_words). mirrored: the difference of
    outputs for the sentence read backwards, of a scheme that knows no direction.
    """

    attention: Attention
    encoding: Encoding
    both: Moved | None = field(default=None, compare=False)
    put_back: Floats | None = field(default=None, compare=False)
    mirrored: float | None = field(default=None, compare=False)
    refusal: str = ""

    @property
    def difference(self) -> float | None:
        """The largest difference of outputs."""
        return None if self.both is None else self.both.difference

    @property
    def most_changed(self) -> tuple[int, int]:
        """The word, as written, and the dimension whose output differs the most."""
        assert self.both is not None
        change = np.abs(self.both.put_back - self.both.written.outputs)
        word, dimension = divmod(int(change.argmax()), change.shape[1])
        return word, dimension

    @property
    def comment(self) -> tuple[str, str]:
        """What happened, and whose weights to look at: those of the word for which they changed the most."""
        if self.both is None or self.put_back is None:
            return "", ""
        changes = np.abs(self.put_back - self.both.written.weights).max(axis=1)
        most = int(changes.argmax())
        changed = self.attention.words[most] if changes[most] >= ROUNDING else None
        what, look = comment(self.attention, self.both.difference, changed)
        if self.mirrored is None or self.both.difference < ROUNDING:
            return what, look
        title = SCHEMES[self.attention.scheme].title
        return what, look + _ANY_MIRROR.format(title=title, apart=difference_text(self.mirrored))


def questions(state: State) -> Questions:
    """What the head makes of both sentences, and the difference under every scheme."""
    attention = state.attention
    encoding = state.encoding
    if len(attention.words) < 2:
        return ()
    if state.views.attention.back:
        return _trained_questions(state)
    # Neither scheme nor mask changes the table.
    alike = replace(attention, scheme="none", drops_positions=False, causal=False)
    is_quick, is_quick_table = (
        encoding.d_model <= width and len(attention.words) <= most for width, most in (_QUICK, _QUICK_TABLE)
    )
    return (
        Question("attention", _find, (attention, encoding), title="Attention", is_quick=is_quick),
        Question("attention table", _find_table, (alike, encoding), title="Every scheme", is_quick=is_quick_table),
    )


def _trained_questions(state: State) -> Questions:
    """What the trained head makes of them; nothing where there is none."""
    run = _trained_run(state)
    if isinstance(run, str):
        return ()
    given = _trained_attention(state.attention), state.encoding, run, state.views.learn.step
    return (Question("trained attention", _find_trained, given, rank=1, title="Training"),)


def found(state: State, answers: Answers) -> tuple[Found, Differences]:
    """What is known of this sentence: while it is computed, what the same head made of it in another encoding."""
    attention = state.attention
    encoding = state.encoding
    asked = questions(state)
    if state.views.attention.back:
        run = _trained_run(state)
        nothing = Found(_trained_attention(attention), encoding, refusal=run if isinstance(run, str) else "")
        return (answers.answer(asked[0]) if asked else None) or nothing, None
    nothing = Found(attention, encoding)
    if not asked:
        return nothing, None
    latest, (alike, table) = answers.latest(asked[0]), answers.latest(asked[1]) or (None, None)
    is_same = latest is not None and latest.attention == attention
    return latest if is_same else nothing, table if alike == asked[1].arguments[0] else None


def _find_trained(attention: Attention, encoding: Encoding, run: Run, step: int, task: Task) -> Found:
    both = _trained_moved(attention, run, step, task)
    places = np.argsort(attention.places)
    return Found(attention, encoding, both, both.moved.weights[np.ix_(places, places)])


def _find(attention: Attention, encoding: Encoding, task: Task) -> Found:
    try:
        both = moved(attention, encoding, task)
    except ValueError as error:
        return Found(attention, encoding, refusal=str(error))
    places = np.argsort(attention.places)
    mirrored = None
    scheme = SCHEMES[attention.scheme_at_work]
    if not scheme.knows_direction and scheme.id != "none" and not attention.causal:
        mirror = replace(attention, order=tuple(reversed(range(len(places)))))
        mirrored = moved(mirror, encoding, task).difference
    return Found(attention, encoding, both, both.moved.weights[np.ix_(places, places)], mirrored)


def _find_table(attention: Attention, encoding: Encoding, task: Task) -> tuple[Attention, Differences]:
    nothing = ((math.nan, math.nan),) * len(SCHEMES)
    try:
        return attention, tuple(differences(attention, encoding, task).values()) if attention.order else nothing
    except ValueError:
        return attention, nothing


def _trained_run(state: State) -> Run | str:
    """The run of the scheme of the sentence, or a sentence that says why nothing of it is trained."""
    view = state.views.learn
    scheme = state.attention.scheme
    if refusal := learning_refusal(state.encoding):
        return refusal
    if not view.trains or scheme not in view.schemes:
        return f"No head is trained under {scheme_title(scheme)}: tick it in Learn and press Train."
    return replace(run_of(state, scheme), back=state.views.attention.back)


def _trained_attention(attention: Attention) -> Attention:
    """What counts of a sentence for a trained head, which has a mask, and whose first word stands at 0."""
    return replace(attention, causal=True, first_position=0.0, temperature=1.0)


def trained_words(state: State) -> str:
    """How the head of the maps came about, in a few words."""
    run = _trained_run(state)
    if isinstance(run, str):
        return "Not trained"
    return f"Trained {whole(state.views.learn.shown_step)} steps to {task_words(run)}"


def _trained_moved(attention: Attention, run: Run, step: int, task: Task) -> Moved:
    """Both sentences under a head after a step, -1 for the last one, as `moved` gives them for a seeded head."""
    film = train(run, task)
    # The first word has the first of the 16 vectors that the head was trained on, equal words have equal ones.
    written_words = [word.casefold() for word in attention.words]
    different = list(dict.fromkeys(written_words))
    words = word_vectors(run.d_model)[[different.index(word) % len(WORDS) for word in written_words]]
    places = list(attention.places)
    written, other = (_attended(film, step, vectors, attention) for vectors in (words, words[places]))
    put_back = np.empty_like(other.outputs)
    put_back[places] = other.outputs
    return Moved(written, other, put_back, float(np.abs(written.outputs - put_back).max(initial=0.0)))


def _attended(film: Film, step: int, words: Floats, attention: Attention) -> Attended:
    """Scores before the mask, weights, and the words that they read: values are the words themselves."""
    found = head_over(film, film.place_of(step), words[np.newaxis], has_positions=not attention.drops_positions)
    weights = found.weights[0]
    return Attended(found.scores[0], weights, weights @ words)


def sum_page(attention: Attention) -> dict[str, object]:
    """What opens the page on which the score of a query and a key is a sum that ends at its number."""
    if attention.scheme_at_work in ("rope", "p-rope"):
        return {"front": ("rotary",)}
    return {"front": ("four-terms",), "four-terms.page": "terms"}


def difference_text(difference: float | None) -> str:
    """A difference of outputs: 0.769, 2.2×10⁻¹⁶, 0; one that is not known yet, and one that there is not."""
    if not difference:
        return "…" if difference is None else "0"
    if math.isnan(difference):
        return "–"
    if not 1e-3 <= difference < math.inf:
        return scientific(difference)
    return fixed(difference, 3) if difference < 1000 else short(difference)


def comment(attention: Attention, difference: float, changed: str | None) -> tuple[str, str]:
    """One sentence about what happened, and what to look at; changed: a word whose weights differ, None without one."""
    if not attention.order:
        return "Nothing has moved yet.", _NOTHING
    if difference < ROUNDING:
        return _rounding_comment(attention)
    if attention.scheme_at_work == "none":
        return "The causal mask alone shows the order.", _MASK
    effect = SCHEMES[attention.scheme].effect.format(slope=in_formula(attention.slope))
    look = f"Look at the row of “{changed}”: its weights have changed, not only moved."
    if changed is None:
        look = "The weights have only moved, but what they read has changed."
    return "The same words now give other outputs.", f"{look} {effect}"


def _rounding_comment(attention: Attention) -> tuple[str, str]:
    if attention.scheme_at_work == "none":
        lost = f"{SCHEMES[attention.scheme].off_title}: nothing else has changed, and the order is lost. "
        is_taken = attention.scheme != "none"
        return "The words move and their outputs move with them.", (lost if is_taken else "") + _EQUIVARIANT
    scheme = SCHEMES[attention.scheme]
    n_words = len(attention.words)
    # The moved sentence is the written one from its end to its beginning.
    is_mirror = n_words > 1 and attention.places == (*reversed(range(n_words)),)
    if not scheme.knows_direction and is_mirror:
        return "The scores depend on distance only, not on direction.", _MIRROR.format(title=scheme.title)
    return (
        "Both orders give the same outputs.",
        f"With these settings {scheme.title} adds nothing that tells the moved sentence from the written one.",
    )
