"""Parameters by name and text: what the command line is given and what people type into fields."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from pe_desktop.core.cursor import Cursor, fitted_cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.frequencies import SPACINGS
from pe_desktop.core.layouts import LAYOUTS
from pe_desktop.core.rules import BASE, D_MODEL, N_POSITIONS, OFFSET, checked_word, pair_rule, position_rule, shown
from pe_desktop.core.sinusoidal import SinusoidalEncoding

ENCODING_PARAMETERS: Final = ("kind", "n_positions", "d_model", "base", "spacing", "layout")
CURSOR_PARAMETERS: Final = ("position", "offset", "pair")
PARAMETER_NAMES: Final = (*ENCODING_PARAMETERS, *CURSOR_PARAMETERS)
KINDS: Final = ("sinusoidal",)

_NUMBERS: Final = {"n_positions": N_POSITIONS, "d_model": D_MODEL, "base": BASE}
_WORDS: Final = {"kind": KINDS, "spacing": SPACINGS, "layout": LAYOUTS}


def with_parameter(encoding: Encoding, name: str, text: str) -> Encoding:
    """The encoding with one parameter changed to what was typed; ValueError with a sentence otherwise."""
    _check_name(name, ENCODING_PARAMETERS)
    if name in _WORDS:
        word = checked_word(name, text.strip().lower(), _WORDS[name])
        return encoding if name == "kind" else _replaced(encoding, name, word)
    return _replaced(encoding, name, _NUMBERS[name].read(text))


def cursor_with_parameter(cursor: Cursor, encoding: Encoding, name: str, text: str) -> Cursor:
    """The cursor with one parameter changed to what was typed; ValueError with a sentence otherwise."""
    _check_name(name, CURSOR_PARAMETERS)
    if name == "position":
        return replace(cursor, position=float(position_rule(encoding.n_positions).read(text)))
    if name == "offset":
        return replace(cursor, offset=float(OFFSET.read(text)))
    if encoding.pairs is None:
        raise ValueError(f"pair can't be chosen: {encoding.title} has no pairs")
    return replace(cursor, pair=int(pair_rule(encoding.pairs.count).read(text)))


def declared_state(assignments: Mapping[str, str]) -> tuple[Encoding, Cursor]:
    """The encoding and the cursor that these assignments describe, defaults for the rest.

    A default position or pair that a smaller encoding lacks moves to its edge; one that was given is refused.
    """
    for name in assignments:
        _check_name(name, PARAMETER_NAMES)
    encoding: Encoding = SinusoidalEncoding()
    for name in ENCODING_PARAMETERS:
        if name in assignments:
            encoding = with_parameter(encoding, name, assignments[name])
    cursor = fitted_cursor(Cursor(), encoding)
    for name in CURSOR_PARAMETERS:
        if name in assignments:
            cursor = cursor_with_parameter(cursor, encoding, name, assignments[name])
    return encoding, cursor


def _replaced(encoding: Encoding, name: str, value: object) -> Encoding:
    # Every kind is a frozen dataclass; the protocol can't say so.
    return replace(cast("SinusoidalEncoding", encoding), **{name: value})  # type: ignore[arg-type]


def _check_name(name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise ValueError(f"{shown(name)} is not a parameter: choose from {', '.join(names)}")
