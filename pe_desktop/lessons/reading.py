"""Records from JSON by the types of their fields, and back; a refusal says in one sentence where."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final, Literal, get_args, get_origin

from pe_desktop.core.rules import checked_word, names_for, shown

_LONGEST_TEXT: Final = 4_000
_LONGEST_LIST: Final = 99


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_place(value: Any) -> bool:
    return _is_number(value) and 0 <= value == value // 1


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


# What a value of a type must be.
_PLAIN: Final[Mapping[Any, Any]] = {
    str: (_is_text, f"a text of at most {_LONGEST_TEXT} letters"),
    float: (_is_number, "a number"),
    int: (_is_place, "a whole number from 0"),
    bool: (_is_flag, "true or false"),
}


def read(kind: Any, value: Any, where: str) -> Any:
    """A value of a type: plain, one of some words, a record, None or one, several in a list, names with values."""
    if is_dataclass(kind):
        return _record(kind, value, where)
    if kind in _PLAIN:
        is_right, wanted = _PLAIN[kind]
        _check(is_right(value), wanted, value, where)
        return kind(value)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return checked_word(where, value, parts)
    if origin is tuple:
        is_list = isinstance(value, list) and len(value) <= _LONGEST_LIST
        _check(is_list, f"a list of at most {_LONGEST_LIST}", value, where)
        return tuple(read(parts[0], one, f"{where} {place}") for place, one in enumerate(value, start=1))
    if origin is Mapping:
        _check(isinstance(value, dict), "names with values in braces", value, where)
        return {name: read(parts[1], one, f"{where}: {shown(name)}") for name, one in value.items()}
    return read(parts[0], value, where) if parts else value


def _record(kind: Any, value: Any, where: str) -> Any:
    found, taken = read(Mapping[str, Any], value, where), {one.name: one for one in fields(kind)}
    for name in found:
        if name not in taken:
            raise ValueError(f"{where} can't have {shown(name)}: {names_for(name, taken)}")
    for name, one in taken.items():
        if name not in found and _usual(one) is MISSING:
            raise ValueError(f"{where} has no {name}")
    return kind(**{name: read(taken[name].type, one, f"{where}: {name}") for name, one in found.items()})


def _check(is_right: bool, wanted: str, value: Any, where: str) -> None:
    if not is_right:
        raise ValueError(f"{where} must be {wanted}: {shown(value)} is not")


def _usual(one: Field[Any]) -> Any:
    """What a field has where nothing is given, MISSING for one that must be given."""
    return one.default if one.default_factory is MISSING else one.default_factory()


def stored(value: Any) -> Any:
    """A value as JSON holds it; of a record its names and values, without those that are as they would be anyway."""
    if isinstance(value, tuple | list):
        return [*map(stored, value)]
    if is_dataclass(value):
        given = ((one, getattr(value, one.name)) for one in fields(value))
        return {one.name: stored(now) for one, now in given if now != _usual(one)}
    return {name: stored(one) for name, one in value.items()} if isinstance(value, Mapping) else value
