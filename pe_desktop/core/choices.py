"""Encodings that are chosen with one press: what each keeps of the one before, and by which name it then goes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from pe_desktop.core.bits import BitsEncoding, least_bits
from pe_desktop.core.choice_table import CHOICES, KEPT, Choice
from pe_desktop.core.conventions import CONVENTIONS, by_its_word, conventions_of
from pe_desktop.core.cursor import Cursor, fitted_cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.formulas import number
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.parameters import (
    CURSOR_PARAMETERS,
    ENCODING_PARAMETERS,
    cursor_with_parameter,
    with_parameter,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person wants of n_positions, d_model and base, though a kind may lack them or take others.

    word is the last choice and encoding what it gave; before the first, the encoding at the start and nothing else.
    """

    encoding: Encoding
    kept: Mapping[str, int | float]
    word: str | None = None


def wanted(encoding: Encoding) -> Wanted:
    """What an encoding that nobody chose by a word asks for."""
    return Wanted(encoding, MappingProxyType({}))


def chosen(before: Wanted, encoding: Encoding, word: str) -> Wanted:
    """One of CHOICES, taken where encoding stands now: what was changed since the choice before counts.

    So an odd width goes back to the even one that it came from, a base returns after a counter, which has none, and
    after a figure of a text, which has its own, the sizes that were wanted before it. Bits are as many as n_positions
    needs.
    """
    made = _kept(before.encoding)
    changed = {name: value for name, value in _kept(encoding).items() if made.get(name) != value}
    choice, kept = CHOICES[word], {**made, **before.kept, **changed}
    has_width = choice.assignments.get("kind") != BitsEncoding.KIND
    taken = _encoding(choice, {name: value for name, value in kept.items() if has_width or name != "d_model"})
    if choice.has_sizes_for_others:
        kept |= _kept(taken)
    return Wanted(taken, MappingProxyType(kept), word)


def cursor_of(choice: Choice, cursor: Cursor, encoding: Encoding) -> Cursor:
    """The cursor with the t, k, i and pins that belong to a choice, encoding being what the choice gave."""
    cursor = fitted_cursor(cursor, encoding)
    for name in CURSOR_PARAMETERS:
        if name in choice.assignments:
            cursor = cursor_with_parameter(cursor, encoding, name, choice.assignments[name])
    return replace(cursor, pinned_pairs=choice.pinned_pairs or cursor.pinned_pairs)


def choices_of(encoding: Encoding) -> tuple[Choice, ...]:
    """The choices that give just this encoding, in the order of CHOICES; figures are places of others, not names."""
    kept, named = _kept(encoding), by_its_word(encoding)
    some = [choice for choice in CHOICES.values() if not (choice.has_half_width or choice.is_figure)]
    return tuple(choice for choice in some if _encoding(choice, kept) == named)


def shown_choice(last: Wanted, encoding: Encoding) -> Choice | None:
    """The last choice while it still gives the encoding, otherwise the first one that does, None where none does."""
    same = choices_of(encoding)
    if last.word is not None and (CHOICES[last.word] in same or last.encoding == encoding):
        return CHOICES[last.word]
    return same[0] if same else None


def sentence_of(encoding: Encoding, choice: Choice | None) -> str:
    """What is to be known of an encoding: of its choice, or of the ablation whose assignments are among others here."""
    if choice is not None:
        return choice.sentence
    for some in CHOICES.values():
        if "convention" not in some.assignments and _is_among(some, encoding):
            return some.sentence
    return ""


def formulas_of(encoding: Encoding, choice: Choice | None) -> tuple[str, ...]:
    """The definition with its numbers; of a convention in its own form, with the numbers put in for d, h = d/2 and B.

    With one pair the quotients of some conventions are 0/0, and the plain form stands.
    """
    convention = None if choice is None else CONVENTIONS.get(choice.word)
    if convention is None or convention not in conventions_of(encoding) or encoding.d_model == 2:
        return encoding.formulas
    base, d_model = float(encoding.parameters["base"]), encoding.d_model
    values = {"B": number(base), "h": number(d_model // 2), "d": number(d_model)}
    return tuple(re.sub(r"\b[Bhd]\b", lambda found: values[found[0]], line) for line in convention.formulas)


def _kept(encoding: Encoding) -> dict[str, int | float]:
    """What an encoding says of KEPT; a width that follows from n_positions is nobody's wish."""
    kept = {name: cast("float", value) for name, value in encoding.parameters.items() if name in KEPT}
    if isinstance(encoding, BitsEncoding) and encoding.d_model == least_bits(encoding.n_positions):
        del kept["d_model"]
    return kept


def _encoding(choice: Choice, kept: Mapping[str, int | float]) -> Encoding:
    """The choice with what is kept, each moved to the nearest value that the kind takes."""
    kind = choice.assignments.get("kind", "sinusoidal")
    rules = kind_rules(kind)
    values = {name: rules[name].nearest(cast("Any", kept[name])) for name in KEPT if name in rules and name in kept}
    if choice.has_half_width:
        values["d_model"] = max(int(values["d_model"]) // 2, 1)
    if KINDS[kind] is BitsEncoding:
        values["d_model"] = max(int(values.get("d_model", 1)), least_bits(int(values["n_positions"])))
    encoding = KINDS[kind](**values)
    for name in ENCODING_PARAMETERS:
        if name in choice.assignments and name != "kind":
            encoding = with_parameter(encoding, name, choice.assignments[name])
    return encoding


def _is_among(choice: Choice, encoding: Encoding) -> bool:
    return all(encoding.parameters.get(name) == value for name, value in choice.assignments.items())
