"""Encodings side by side: lists of choices, each in the sizes that a press on it would give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pe_desktop.core.choice_table import ABLATIONS, CHOICES, LIBRARIES, NAIVE, Choice
from pe_desktop.core.choices import Wanted, chosen, formulas_of
from pe_desktop.core.encoding import Encoding

OVERVIEW: Final = "overview"
# The encoding that all others are compared with stands first in every list.
REFERENCE: Final = "paper"


def _words(group: str) -> tuple[str, ...]:
    return (REFERENCE, *(word for word, choice in CHOICES.items() if choice.group == group))


# One of each idea: what breaks the encoding, and what people try before it.
_ONE_OF_EACH: Final = (
    REFERENCE, "linear-spacing", "sine-only-half", "map-square", "binary", "counter", "normalised-counter", "random",
)  # fmt: skip

COMPARISONS: Final[Mapping[str, tuple[str, ...]]] = {
    OVERVIEW: _ONE_OF_EACH,
    "conventions": _words(LIBRARIES),
    "ablations": _words(ABLATIONS),
    "naive": _words(NAIVE),
}


def list_of(choice: Choice | None) -> str | None:
    """The list that a choice was made for: the sizes of the table of ablations want the ablations."""
    return "ablations" if choice is not None and choice.has_sizes_for_others else None


@dataclass(frozen=True, slots=True)
class Compared:
    """One row of a comparison; choice None: an encoding that no choice gives.

    formulas are the lines of its definition that tell it from the reference, of the reference all that matter.
    """

    encoding: Encoding
    choice: Choice | None
    formulas: tuple[str, ...]

    @property
    def title(self) -> str:
        """The name on the screen."""
        return self.encoding.title if self.choice is None else self.choice.title


def comparison(before: Wanted, encoding: Encoding, choice: Choice | None, name: str) -> tuple[Compared, ...]:
    """The rows of one of COMPARISONS, taken where encoding stands now, which choice, if any, has given.

    The encoding itself comes first where it isn't among them. KeyError for a name that isn't one.
    """
    encodings = {word: chosen(before, encoding, word).encoding for word in COMPARISONS[name]}
    reference = formulas_of(encodings[REFERENCE], CHOICES[REFERENCE])
    rows = []
    for word, other in encodings.items():
        rows.append(Compared(other, CHOICES[word], _telling(formulas_of(other, CHOICES[word]), reference)))
    if encoding in encodings.values():
        return tuple(rows)
    own = Compared(encoding, choice, _telling(formulas_of(encoding, choice), reference))
    return (own, *rows)


def common_sizes(rows: Sequence[Compared]) -> tuple[int, int]:
    """n_positions and d_model of the reference; half, odd and least widths of other rows are made of these."""
    reference = next(row.encoding for row in reversed(rows) if row.choice is CHOICES[REFERENCE])
    return reference.n_positions, reference.d_model


def _telling(lines: Sequence[str], reference: Sequence[str]) -> tuple[str, ...]:
    """The first and the last of the lines that the reference lacks."""
    own = [line for line in lines if line not in reference] or lines
    return (own[0],) if len(own) == 1 else (own[0], own[-1])
