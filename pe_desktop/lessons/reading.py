"""Reading records from JSON: each field of a record says what it takes, and a refusal says in one sentence where."""

from collections.abc import Callable
from dataclasses import MISSING, field, fields
from typing import Any, Final, TypeAlias

from pe_desktop.core.rules import names_for, shown

Reader: TypeAlias = Callable[[Any, str], Any]
_LONGEST_TEXT: Final = 4_000
_LONGEST_LIST: Final = 99


def text(value: Any, where: str) -> str:
    """A text that is not too long."""
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ValueError(f"{where} must be a text of at most {_LONGEST_TEXT} letters: {shown(value)} is not")
    return value


def number(value: Any, where: str) -> float:
    """A number, as float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{where} must be a number: {shown(value)} is not")
    return float(value)


def place(value: Any, where: str) -> int:
    """A place in a list, from 0."""
    if not 0.0 <= number(value, where) == value // 1:
        raise ValueError(f"{where} must be a whole number from 0: {shown(value)} is not")
    return int(value)


def flag(value: Any, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{where} must be true or false: {shown(value)} is not")
    return value


def anything(value: Any, _where: str) -> Any:
    """What stands there; whoever uses it checks it."""
    return value


def word_of(*words: str) -> Reader:
    """One of some words."""

    def read(value: Any, where: str) -> str:
        if value not in words:
            raise ValueError(f"{where} can't be {shown(value)}: {names_for(value, words)}")
        return str(value)

    return read


def _list_of(each: Reader) -> Reader:
    """A list, each of which is read by a reader, as a tuple."""

    def read(value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > _LONGEST_LIST:
            raise ValueError(f"{where} must be a list of at most {_LONGEST_LIST}: {shown(value)} is not")
        return tuple(each(one, f"{where} {place}") for place, one in enumerate(value, start=1))

    return read


def _mapping_of(each: Reader) -> Reader:
    """Names with values, each of which is read by a reader."""

    def read(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"{where} must be names with values in braces: {shown(value)} is not")
        return {text(name, where): each(one, f"{where}: {shown(name)}") for name, one in value.items()}

    return read


def record_of(kind: Any) -> Reader:
    """A record by the readers of its fields; ValueError for names that it lacks, and for those that are missing."""

    def read(value: Any, where: str) -> Any:
        found = _mapping_of(anything)(value, where)
        taken = {one.name: one for one in fields(kind) if "reader" in one.metadata}
        for name in found:
            if name not in taken:
                raise ValueError(f"{where} can't have {shown(name)}: {names_for(name, taken)}")
        for name, one in taken.items():
            if name not in found and one.default is MISSING and one.default_factory is MISSING:
                raise ValueError(f"{where} has no {name}")
        return kind(**{name: taken[name].metadata["reader"](one, f"{where}: {name}") for name, one in found.items()})

    return read


def needed(reader: Reader) -> Any:
    """A field that a file must have."""
    return field(metadata={"reader": reader})


def given(reader: Reader, default: Any) -> Any:
    """A field that a file may have."""
    return field(default=default, metadata={"reader": reader})


def listed(each: Reader) -> Any:
    """A field with a list, empty where a file has none."""
    return given(_list_of(each), ())


def mapped(each: Reader) -> Any:
    """A field with names and values, empty where a file has none."""
    return field(default_factory=dict, metadata={"reader": _mapping_of(each)})
