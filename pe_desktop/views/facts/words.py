"""The words of fact cards: verdicts, measured lines, parameters."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from pe_desktop.core.facts.cards import TEXT_KEYS, TEXTS, Card, Line, Numbers
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State, state_of
from pe_desktop.draw.number_text import fixed, plain, position, scientific, short, whole
from pe_desktop.languages import keep, local_number, told
from pe_desktop.resources import resource_json

VERDICTS: Final[Mapping[str, str]] = {"true": "True", "not-exact": "Not exact", "false": "False", "open": "Open"}
AUTHORS: Final[Mapping[str, str]] = {key: TEXTS[key].author or TEXTS[key].title for key in TEXT_KEYS}
MEASURING: Final = "measuring"
NO_NUMBER: Final = "cannot be measured here"
NOTHING_MATCHES: Final = "No card with these filters"

# {0:f2}: the first number with two decimals; s: digits that matter; e: as a power of ten; p: in percent; w: whole.
_PLACE: Final = re.compile(r"\{([a-z0-9-]+):([efpsw])(\d*)\}")
_FORMATS: Final[Mapping[str, Callable[[float, int], str]]] = {
    "f": fixed,
    "s": short,
    "e": scientific,
    "p": lambda value, decimals: f"{fixed(100 * value, decimals)} %",
    "w": lambda value, _: whole(value),
}
# What a number is expected to take until it is known, without its decimals.
_NUMBER: Final = {"f": "−00.", "s": "00000", "e": "0.0×10⁻¹⁶", "p": "00. %", "w": "00 000"}
_NO_BREAK: Final = "\u00a0"
_SPACINGS: Final = resource_json("facts.json")["spacings"]


def line_text(line: Line, numbers: Numbers | None) -> str:
    """What a line says of its numbers; without them as wide a text as is expected: nothing moves while cards are."""
    return filled(line.text, None if numbers is None else dict(zip(map(str, range(9)), numbers, strict=False)))


def filled(text: str, numbers: Mapping[str, float] | None) -> str:
    """A text with numbers in their places, {name:f2}; None: they aren't known yet."""

    def number(place: re.Match[str]) -> str:
        kind = place[2]
        decimals = int(place[3] or 0)
        if numbers is None:
            return _NUMBER[kind] + "0" * (decimals if kind in "fp" else 0)
        return local_number(_FORMATS[kind](numbers[place[1]], decimals)) if place[1] in numbers else place[0]

    return keep(_PLACE.sub(number, told(text)))


@cache
def parameters_text(card: Card) -> str:
    """At which parameters a card is measured and shown."""
    # Choices of the views are no part of the text; where the plots look, a sentence says by its words.
    state = state_of({name: text for name, text in card.assignments.items() if "." not in name})
    k = state.cursor.offset
    is_read = "sentence" in card.assignments
    cursor = () if is_read else (f"t = {position(state.cursor.position)}", f"k = {position(k)}")
    parts = (*(_sentence_words(state) if is_read else ()), *_encoding_words(state), *cursor)
    # A line doesn't end within a part.
    return ", ".join(part if part.startswith("“") else part.replace(" ", _NO_BREAK) for part in parts)


def _sentence_words(state: State) -> tuple[str, ...]:
    attention = state.attention
    scheme = SCHEMES["none" if attention.drops_positions else attention.scheme]
    return f"“{attention.sentence}”", f"{scheme.noun} positions" if scheme.noun else scheme.title


def _encoding_words(state: State) -> tuple[str, ...]:
    encoding = state.encoding
    given = state.encoding.parameters
    words = [] if encoding.kind == "sinusoidal" else [encoding.title]
    words += [f"d = {whole(encoding.d_model)}", f"N = {whole(encoding.n_positions)}"]
    if given.get("base", 10_000) != 10_000:
        words.append(f"base {plain(float(given['base']))}")
    spacing = str(given.get("spacing", ""))
    return (*words, *([_SPACINGS[spacing]] if spacing in _SPACINGS else []))
