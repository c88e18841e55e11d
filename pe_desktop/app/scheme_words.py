"""What the command that measures says of the scores of a scheme."""

from collections.abc import Mapping
from typing import Final

from pe_desktop.core.measure.schemes import SchemeMeasurement
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES, own_choices
from pe_desktop.draw.number_text import short, whole
from pe_desktop.views.properties.words import VERDICTS

NAMES: Final[Mapping[str, str]] = {
    "shift_invariant": "Shift-invariant",
    "bounded": "Bounded",
    "decay": "Decay",
    "permutation": "Order is seen",
}
MEANINGS: Final[Mapping[str, str]] = {
    "shift_invariant": "largest spread of the scores at one offset",
    "bounded": "most that positions add to a score",
    "decay": "mean score of the farthest keys, less that at 0",
    "permutation": "largest difference of outputs, without a mask",
}
_SENTENCES: Final[Mapping[str, str]] = {
    "shift_invariant": (
        "Scores of one query and one key differ by {spread} where their offset is the same. Measured on all pairs of "
        "{n_positions} positions."
    ),
    "bounded": (
        "Positions change the score of one query and one key by {largest_early} at most up to position {last_early}, "
        "by {largest} up to {last}."
    ),
    "decay": (
        "A key that equals its query scores {at_0} at the same position and {farthest} from {from} to {to} positions "
        "before it. Measured on means of seeded vectors, octave by octave."
    ),
    "permutation": (
        "Moving words changes outputs by {without_mask}, with a causal mask by {with_mask}. Measured on the sentence."
    ),
}


def title(attention: Attention) -> str:
    """The scheme with its parameters."""
    values = [f"{name} {getattr(attention, name)}".lower() for name in own_choices(attention.scheme)]
    switched = ["positions switched off"] if attention.drops_positions else []
    given = ", ".join([*values, f"word_seed {attention.word_seed}", *switched])
    return f"Scores, {SCHEMES[attention.scheme].title}: {given}"


def verdict(one: SchemeMeasurement) -> str | None:
    """Holds, Fails or Holds up to; None where nothing was measured."""
    return None if one.number is None else VERDICTS[one.verdict]


def verdict_text(one: SchemeMeasurement) -> str:
    """The verdict as people read it: Holds, Fails or Holds up to 63."""
    text = verdict(one) or "Not measured"
    return text if one.up_to is None else f"{text} {whole(one.up_to)}"


def sentence(one: SchemeMeasurement) -> str:
    if one.number is None:
        return "Moving words needs a sentence of two words or more."
    numbers = {
        name: whole(value) if float(value).is_integer() and abs(value) >= 1 else short(value)
        for name, value in one.numbers.items()
        if value is not None
    }
    return _SENTENCES[one.key].format_map(numbers)
