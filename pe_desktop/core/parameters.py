"""Parameters by name and text: what the command line is given, people type into fields, and libraries fix."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.phase import takes_shift
from pe_desktop.core.preset_data import LazyMapping, preset_data
from pe_desktop.core.record import record
from pe_desktop.core.rules import OFFSET, checked_word, names_for, pair_rule, position_rule, shown


@record
class Convention:
    """One library's sinusoidal encoding.

    assignments are the parameters that it fixes, by name and text; n_positions, d_model and base stay free.
    has_unit_rows: whether its vectors have length 1. needs_two_pairs: whether it divides by h - 1, which is 0 for one
    pair. formulas are its own lines, with h = d/2; B is the base.
    """

    id: str
    title: str
    sentence: str
    assignments: Mapping[str, str]
    formulas: tuple[str, ...]
    has_unit_rows: bool = False
    needs_two_pairs: bool = False

    def parameters(self, d_model: int) -> dict[str, Any]:
        """The values that it fixes at a width."""
        rules = kind_rules("sinusoidal")
        fixed: dict[str, Any] = {name: rules[name].read(text) for name, text in self.assignments.items()}
        if self.has_unit_rows:
            fixed["amplitude"] = math.sqrt(2 / d_model)
        return fixed


def _read_conventions() -> dict[str, Convention]:
    conventions = {}
    for group in preset_data()["groups"]:
        for row in group["presets"]:
            if "convention" in row:
                own = row["convention"] | {"formulas": tuple(row["convention"]["formulas"])}
                conventions[row["id"]] = Convention(row["id"], row["title"], row["sentence"], **own)
    return conventions


CONVENTIONS: Final[Mapping[str, Convention]] = LazyMapping(_read_conventions)


def with_convention(encoding: Encoding, convention_id: str) -> SinusoidalEncoding:
    """The sinusoidal encoding of one of CONVENTIONS, with the n_positions, d_model and base of another encoding."""
    kept: Any = switched(encoding, "sinusoidal").parameters
    sizes = {name: kept[name] for name in ("n_positions", "d_model", "base")}
    return SinusoidalEncoding(**sizes, **CONVENTIONS[convention_id].parameters(kept["d_model"]))


# In the order in which they are applied: a convention needs the width, and other parameters change the convention.
_OWN: Final = dict.fromkeys(name for kind in KINDS for name in kind_rules(kind))
ENCODING_PARAMETERS: Final = (*dict.fromkeys(("kind", "n_positions", "d_model", "convention", *_OWN)),)
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
