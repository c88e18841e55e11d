"""What one head makes of the sentence as written and as moved, and of both under every scheme."""

from dataclasses import field, replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Attention, Moved, differences, moved
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.attention import words

# Heads and sentences up to this size are computed within a frame; all schemes up to that.
_QUICK: Final = (256, 32)
_QUICK_TABLE: Final = (128, 8)


@record
class Known:
    """What a head makes of a sentence and of the moved one, or a sentence that says why there is nothing.

    changes: by how much the weights of each written word differ at most, shape (n_words,).
    """

    attention: Attention
    encoding: Encoding
    found: Moved | None = field(default=None, compare=False)
    changes: Floats | None = field(default=None, compare=False)
    refusal: str = ""

    @property
    def both(self) -> Moved:
        """What it makes of both, where it is known."""
        assert self.found is not None
        return self.found

    def said(self, asking: int) -> tuple[str, str]:
        """What happened, and whose weights to look at: those of the word that asks, unless another's have changed."""
        if self.found is None or self.changes is None:
            return "", ""
        most = asking if self.changes[asking] >= words.ROUNDING else int(self.changes.argmax())
        changed = self.attention.words[most] if self.changes[most] >= words.ROUNDING else None
        return words.comment(self.attention, self.found.difference, changed)


@record
class FoundTable:
    """The differences under every scheme as texts, without and with a mask."""

    attention: Attention
    texts: tuple[tuple[str, str], ...]


def questions(state: State) -> tuple[Question, ...]:
    """What the head makes of both sentences, and the difference under every scheme."""
    attention, encoding = state.attention, state.encoding
    if len(attention.words) < 2:
        return ()
    # Neither scheme nor mask changes the table.
    alike = replace(attention, scheme="none", drops_positions=False, causal=False)
    is_quick, is_quick_table = (
        encoding.d_model <= width and len(attention.words) <= most for width, most in (_QUICK, _QUICK_TABLE)
    )
    return (
        Question("attention", _find_known, (attention, encoding), title="Attention", is_quick=is_quick),
        Question("attention table", _find_table, (alike, encoding), title="Every scheme", is_quick=is_quick_table),
    )


def found(state: State, answers: Answers) -> tuple[Known | None, FoundTable | None]:
    """What is known of this sentence: while it is computed, what the same head made of it in another encoding."""
    if len(state.attention.words) < 2:
        return None, None
    of_head, of_table = questions(state)
    known: Known | None = answers.latest(of_head)
    table: FoundTable | None = answers.latest(of_table)
    return (
        None if known is None or known.attention != of_head.arguments[0] else known,
        None if table is None or table.attention != of_table.arguments[0] else table,
    )


def _find_known(attention: Attention, encoding: Encoding, task: Task) -> Known:
    try:
        both = moved(attention, encoding, task)
    except ValueError as error:
        return Known(attention, encoding, refusal=str(error))
    places, put_back = list(attention.places), np.empty_like(both.moved.weights)
    put_back[np.ix_(places, places)] = both.moved.weights
    return Known(attention, encoding, both, np.abs(both.written.weights - put_back).max(axis=1))


def _find_table(attention: Attention, encoding: Encoding, task: Task) -> FoundTable:
    try:
        found = differences(attention, encoding, task)
    except ValueError:
        return FoundTable(attention, (("–", "–"),) * len(SCHEMES))
    texts = [(words.difference_text(free), words.difference_text(causal)) for free, causal in found.values()]
    return FoundTable(attention, tuple(texts))
