"""The file of the fact cards: source, claim, verdict, measured lines, and the state that shows it."""

from collections.abc import Mapping
from dataclasses import field
from functools import cache, partial
from typing import Any, Final, TypeAlias

from pe_desktop.core.record import record
from pe_desktop.resources import LazyMapping, resource_json

# The numbers of one line.
Numbers: TypeAlias = tuple[float, ...]
VERDICTS: Final = ("true", "not-exact", "false", "open")
# Keys of the texts, as choices of a filter; a test holds that they are those of the file.
TEXT_KEYS: Final = ("tavares", "hidden-beauty", "wu", "notes", "clock", "paper")


@record
class _Text:
    """A text that is quoted: author, "" where it names none, and title."""

    author: str
    title: str

    @property
    def source(self) -> str:
        return f"{self.author}, {self.title}" if self.author else self.title


@record(eq=False)
class Line:
    """One measured line: measure is a name of MEASURES, parameters what it is given besides the state.

    text has the place and format of each number, as {0:f2}, views.facts.words says which; assignments: what differs
    from the state of the card, or all there is where they name a kind.
    """

    label: str
    measure: str
    text: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    assignments: Mapping[str, str] = field(default_factory=dict)


@record(eq=False)
class Card:
    """What a text says, its source, a claim in our words, its verdict.

    quotation: at most two sentences of the text, … where words are left out.
    lines: measured ones, none on an open card, which has the possible answers. assignments: the state that shows it.
    is_short: one number is enough until the card is opened.
    """

    key: str
    text: str
    section: str
    quotation: str
    claim: str
    verdict: str
    explanation: str
    assignments: Mapping[str, str]
    lines: tuple[Line, ...] = ()
    answers: tuple[str, ...] = ()
    is_short: bool = False

    @property
    def source(self) -> str:
        return f"{TEXTS[self.text].source}, {self.section}"

    @property
    def kind(self) -> str:
        """The kind of encoding that it is about."""
        return self.assignments.get("kind", "sinusoidal")


_data: Final = cache(partial(resource_json, "facts.json"))


def _card(row: Mapping[str, Any]) -> Card:
    lines = tuple(Line(**line) for line in row.get("lines", ()))
    return Card(**{**row, "lines": lines, "answers": tuple(row.get("answers", ()))})


TEXTS: Final[Mapping[str, _Text]] = LazyMapping(lambda: {key: _Text(**text) for key, text in _data()["texts"].items()})
CARDS: Final[Mapping[str, Card]] = LazyMapping(lambda: {row["key"]: _card(row) for row in _data()["cards"]})
