"""What the view of attention says: sentences to choose from, what happened, and what to look at."""

import math
from collections.abc import Sequence
from typing import Final

from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.head import MOST_WORDS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.draw.number_text import fixed, scientific, short

# Below it two outputs differ by rounding alone.
ROUNDING: Final = 1e-12


@record
class Pair:
    """A sentence, the order of its words in another one, and what a menu calls both."""

    title: str
    sentence: str
    order: tuple[int, ...] = ()

    @property
    def changes(self) -> dict[str, object]:
        """What choosing it sets."""
        return {"sentence": self.sentence, "order": self.order}


PAIRS: Final = (
    Pair("I park in my sleep / I sleep in my park", "I park in my sleep", (0, 4, 2, 3, 1)),
    Pair("dog bites man / man bites dog", "dog bites man", (2, 1, 0)),
    Pair(
        "The chef who had prepared … served … / The chef served … who had prepared …",
        "The chef who had prepared the meal with great care served the dish to the guests",
        (0, 1, 10, 11, 12, 13, 14, 15, 2, 3, 4, 5, 6, 7, 8, 9),
    ),
    Pair("what was three tokens back?", "what was three tokens back?"),
)

_NOTHING: Final = (
    "Drag a word in the row “Moved” to another place, or choose Shuffle. Both maps and the number then show what the "
    "new order changes."
)
_MASK: Final = (
    "A word reads only itself and what stands before it: the first word reads itself alone, the last one reads all. "
    "Even without positions, moving a word changes what it can read."
)
_EQUIVARIANT: Final = (
    "Look at any word: the same weights, in other places. Without positions, this head cannot know which word comes "
    "first. Outputs move along with their words: equivariant, not invariant."
)
_MIRROR: Final = (
    "The moved sentence is the mirror image of the written one: every two words are as far apart as before. Without a "
    "mask, {title} depends on nothing else."
)
# The sentences that are offered while there are too few words.
EXAMPLES: Final = PAIRS[:3]
# With the key that chooses it.
SCHEME_TOOLTIPS: Final = {name: f"{scheme.tooltip} ({key})" for key, (name, scheme) in enumerate(SCHEMES.items(), 1)}
NOTHING_MOVED: Final = "Nothing has moved yet."


def is_off(attention: Attention) -> bool:
    """Whether no position enters, by choice of the scheme or because positions were taken away."""
    return attention.drops_positions or attention.scheme == "none"


def off_title(attention: Attention) -> str:
    """What the switch that takes positions away is called."""
    return SCHEMES[attention.scheme].off_title


def _is_mirror(attention: Attention) -> bool:
    """Whether the moved sentence is the written one from its end to its beginning."""
    return len(attention.words) > 1 and attention.places == tuple(range(len(attention.words)))[::-1]


def edited(attention: Attention, place: int, typed: Sequence[str]) -> dict[str, object]:
    """What changes where words are typed in the place of a written one; the order of the others stays."""
    before = attention.sentence.split()
    sentence = [*before[:place], *typed, *before[place + 1 :]]
    more, n_words = len(typed) - 1, min(len(sentence), MOST_WORDS)
    order: list[int] = []
    for word in attention.places:
        order += range(word, word + len(typed)) if word == place else [word if word < place else word + more]
    # Of a sentence that is too long other words are left out than before.
    order = [*(word for word in order if word < n_words), *range(len(order), n_words)]
    return {"sentence": " ".join(sentence), "order": tuple(order)}


def difference_text(difference: float) -> str:
    """A difference of outputs: 0.769, 2.2×10⁻¹⁶, 0."""
    if difference == 0:
        return "0"
    if not math.isfinite(difference) or difference < 1e-3:
        return scientific(difference)
    return fixed(difference, 3) if difference < 1000 else short(difference)


def comment(attention: Attention, difference: float, changed: str | None) -> tuple[str, str]:
    """One sentence about what happened, and what to look at; changed: a word whose weights differ, None without one."""
    if not attention.order:
        return NOTHING_MOVED, _NOTHING
    if difference < ROUNDING:
        return _rounding_comment(attention)
    if is_off(attention):
        return "The causal mask alone shows the order.", _MASK
    effect = SCHEMES[attention.scheme].effect.format(slope=in_formula(attention.slope))
    look = f"Look at the row of “{changed}”: its weights have changed, not only moved."
    if changed is None:
        look = "The weights have only moved, but what they read has changed."
    return "The same words now give other outputs.", f"{look} {effect}"


def _rounding_comment(attention: Attention) -> tuple[str, str]:
    if is_off(attention):
        lost = f"{off_title(attention)}: nothing else has changed, and the order is lost. "
        is_taken = attention.scheme != "none"
        return "The words move and their outputs move with them.", (lost if is_taken else "") + _EQUIVARIANT
    scheme = SCHEMES[attention.scheme]
    if not scheme.knows_direction and _is_mirror(attention):
        return "The scores depend on distance only, not on direction.", _MIRROR.format(title=scheme.title)
    return (
        "Both orders give the same outputs.",
        f"With these settings {scheme.title} adds nothing that tells the moved sentence from the written one.",
    )
