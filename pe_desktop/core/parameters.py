"""Parameters by name and text, as on the command line and in fields."""

from dataclasses import replace
from typing import Final

from pe_desktop.core.columns import n_hands
from pe_desktop.core.conventions import CONVENTIONS, with_convention
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules, switched
from pe_desktop.core.phase import takes_shift
from pe_desktop.core.rules import OFFSET, checked_word, names_for, pair_rule, position_rule, shown

# In the order in which they are applied: a convention needs the width, and other parameters change the convention.
ENCODING_PARAMETERS: Final = (
    "kind",
    "n_positions",
    "d_model",
    "convention",
    "base",
    "spacing",
    "layout",
    "start",
    "amplitude",
    "scale",
    "shift",
    "padding_idx",
    "map",
    "wave",
    "code",
    "seed",
)
CURSOR_PARAMETERS: Final = ("position", "offset", "pair")


def with_parameter(encoding: Encoding, name: str, text: str) -> Encoding:
    """The encoding with one parameter changed to what was typed; ValueError with a sentence otherwise.

    The word of a kind makes it an encoding of that kind, with what both have; that of a convention a sinusoidal one.
    More positions take more bits.
    """
    _check_name(name, ENCODING_PARAMETERS)
    if name == "kind":
        return switched(encoding, checked_word(name, text.strip().lower(), tuple(KINDS)))
    if name == "convention":
        return with_convention(encoding, checked_word(name, text.strip().lower(), tuple(CONVENTIONS)))
    rules = kind_rules(encoding.kind)
    if name not in rules:
        raise ValueError(f"{name} can't be set: {encoding.title} has {', '.join(rules)}")
    value = rules[name].read(text)
    others = _others(encoding, name)
    if name == "spacing" and not takes_shift(str(value)):
        others.pop("shift", None)
    if name == "n_positions":
        others["d_model"] = max(encoding.d_model, encoding.least_width(int(value)) or 1)
    changed: Encoding = KINDS[encoding.kind](**others, **{name: value})
    return changed


def cursor_with_parameter(cursor: Cursor, encoding: Encoding, name: str, text: str) -> Cursor:
    """The cursor with one parameter changed to what was typed; ValueError with a sentence otherwise."""
    _check_name(name, CURSOR_PARAMETERS)
    if name == "position":
        return replace(cursor, position=float(position_rule(encoding.n_positions).read(text)))
    if name == "offset":
        return replace(cursor, offset=float(OFFSET.read(text)))
    return replace(cursor, pair=int(pair_rule(n_hands(encoding)).read(text)))


def _others(encoding: Encoding, name: str) -> dict[str, int | float | str]:
    return {other: value for other, value in encoding.parameters.items() if other not in ("kind", name)}


def _check_name(name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise ValueError(f"{shown(name)} is not a parameter: {names_for(name, names)}")
