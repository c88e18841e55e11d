"""What one head makes of the sentence as written and as moved, under every scheme, and what is said of it."""

import math
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.random  # Words are drawn with it: loaded with the view, not while the panel opens.

from pe_desktop.core.encoding import ROUNDING, Encoding, Floats
from pe_desktop.core.learning.run import Run
from pe_desktop.core.learning.sentence import as_trained, moved_under, sentence_run
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Attention, Moved, differences, moved
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.scores.term_ranges import Parts, parts_of
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import fixed, scientific, short, whole
from pe_desktop.model.findings import Answers, Question, Questions, Task
from pe_desktop.resources import resource_json
from pe_desktop.views.learn.plots import task_words

# What is said of a head and of moved words; `pairs`: by what a menu calls them, a sentence and another order of its
# words, which choosing it sets.
SAID: Final[Mapping[str, Any]] = resource_json("attention.json")
PAIRS: Final[Mapping[str, Mapping[str, Any]]] = SAID["pairs"]
# So many schemes have a button and a key; the newer ones stand in a list.
N_BUTTONS: Final = 6
SCHEME_TOOLTIPS: Final = {
    name: f"{scheme.tooltip} ({key})" if key <= N_BUTTONS else scheme.tooltip
    for key, (name, scheme) in enumerate(SCHEMES.items(), 1)
}
# Heads and sentences up to this size are computed within a frame; all schemes up to that.
_QUICK: Final = (256, 32)
_QUICK_TABLE: Final = (128, 8)
# The differences under every scheme, without and with a mask, shape (n_schemes, 2): nan where there are none, None
# while they are not known.
Differences: TypeAlias = tuple[tuple[float, float], ...] | None


@record
class Found:
    """What a head makes of a sentence and of the moved one, where it is known, or why there is nothing.

    mirrored: the difference of outputs for the sentence read backwards, of a scheme that knows no direction.
    """

    attention: Attention
    encoding: Encoding
    both: Moved | None = field(default=None, compare=False)
    mirrored: float | None = field(default=None, compare=False)
    refusal: str = ""

    @property
    def difference(self) -> float | None:
        """The largest difference of outputs."""
        return None if self.both is None else self.both.difference

    @cached_property
    def put_back(self) -> Floats:
        """The weights of the moved sentence by written words, shape (n_words, n_words)."""
        assert self.both is not None
        places = np.argsort(self.attention.places)
        return self.both.moved.weights[np.ix_(places, places)]

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
        attention = self.attention
        if self.both is None:
            return "", ""
        if not attention.order:
            return "Nothing has moved yet.", SAID["nothing"]
        if self.both.difference < ROUNDING:
            return _rounding_comment(attention)
        if attention.scheme_at_work == "none":
            return "The causal mask alone shows the order.", SAID["mask"]
        changes = np.abs(self.put_back - self.both.written.weights).max(axis=1)
        word = attention.words[int(changes.argmax())]
        look = f"Look at the row of “{word}”: its weights have changed, not only moved."
        if changes.max() < ROUNDING:
            look = "The weights have only moved, but what they read has changed."
        scheme = SCHEMES[attention.scheme]
        look += f" {scheme.effect.format(slope=in_formula(attention.slope))}"
        if self.mirrored is not None:
            look += SAID["any_mirror"].format(title=scheme.title, apart=difference_text(self.mirrored))
        return "The same words now give other outputs.", look


def questions(state: State) -> Questions:
    """What the head makes of both sentences, the difference under every scheme, the parts of the score in question."""
    attention = state.attention
    encoding = state.encoding
    if len(attention.words) < 2:
        return ()
    if state.views.attention.back:
        given = as_trained(attention), encoding, sentence_run(state), state.views.learn.step
        asked = Question("trained attention", _find_trained, given, rank=1, title="Training")
        return () if isinstance(given[2], str) else (asked,)
    # Neither scheme nor mask changes the table.
    alike = replace(attention, scheme="none", drops_positions=False, causal=False)
    at = attention.place_of(state.cursor.position), state.key
    is_quick, is_quick_table = (
        encoding.d_model <= width and len(attention.words) <= most for width, most in (_QUICK, _QUICK_TABLE)
    )
    return (
        Question("attention", _find, (attention, encoding), title="Attention", is_quick=is_quick),
        Question("attention table", _find_table, (alike, encoding), title="Every scheme", is_quick=is_quick_table),
        Question("parts", parts_of, (replace(attention, order=()), encoding, *at), rank=1, is_quick=is_quick),
    )


def found(state: State, answers: Answers) -> tuple[Found, Differences, Parts | None]:
    """What is known of this sentence: while it is computed, what the same head made of it in another encoding.

    Then the parts of the score at t and t + k, and the biases of the word at t.
    """
    attention = state.attention
    asked = questions(state)
    if state.views.attention.back:
        run = sentence_run(state)
        nothing = Found(as_trained(attention), state.encoding, refusal=run if isinstance(run, str) else "")
        return (answers.answer(asked[0]) if asked else None) or nothing, None, None
    nothing = Found(attention, state.encoding)
    if not asked:
        return nothing, None, None
    latest, (alike, table) = answers.latest(asked[0]), answers.latest(asked[1]) or (None, None)
    is_same = latest is not None and latest.attention == attention
    known = table if alike == asked[1].arguments[0] else None
    return latest if is_same else nothing, known, answers.answer(asked[2])


def _find_trained(attention: Attention, encoding: Encoding, run: Run, step: int, task: Task) -> Found:
    return Found(attention, encoding, moved_under(attention, run, step, task))


def _find(attention: Attention, encoding: Encoding, task: Task) -> Found:
    try:
        both = moved(attention, encoding, task)
    except ValueError as error:
        return Found(attention, encoding, refusal=str(error))
    mirrored = None
    scheme = SCHEMES[attention.scheme_at_work]
    if not scheme.knows_direction and scheme.id != "none" and not attention.causal:
        mirror = replace(attention, order=tuple(reversed(range(len(attention.words)))))
        mirrored = moved(mirror, encoding, task).difference
    return Found(attention, encoding, both, mirrored)


def _find_table(attention: Attention, encoding: Encoding, task: Task) -> tuple[Attention, Differences]:
    nothing = ((math.nan, math.nan),) * len(SCHEMES)
    try:
        return attention, tuple(differences(attention, encoding, task).values()) if attention.order else nothing
    except ValueError:
        return attention, nothing


def trained_words(state: State) -> str:
    """How the head of the maps came about, in a few words."""
    run = sentence_run(state)
    if isinstance(run, str):
        return "Not trained"
    return f"Trained {whole(state.views.learn.shown_step)} steps to {task_words(run)}"


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


def _rounding_comment(attention: Attention) -> tuple[str, str]:
    if attention.scheme_at_work == "none":
        lost = f"{SCHEMES[attention.scheme].off_title}: nothing else has changed, and the order is lost. "
        is_taken = attention.scheme != "none"
        return "The words move and their outputs move with them.", (lost if is_taken else "") + SAID["equivariant"]
    scheme = SCHEMES[attention.scheme]
    n_words = len(attention.words)
    # The moved sentence is the written one from its end to its beginning.
    is_mirror = n_words > 1 and attention.places == (*reversed(range(n_words)),)
    if not scheme.knows_direction and is_mirror:
        return "The scores depend on distance only, not on direction.", SAID["mirror"].format(title=scheme.title)
    return SAID["same"], SAID["adds_nothing"].format(title=scheme.title)
