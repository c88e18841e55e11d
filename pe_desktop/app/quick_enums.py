"""Qt's enumerations, made as Python's `enum` makes them, in a sixth of the time.

PySide has `enum` make all enumerations of a class as soon as the class is used: 4,600 members before the first frame.
"""

import enum
import sys
from contextlib import suppress
from typing import Any, Final

_KINDS: Final = (enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag)
# With a second name, bits out of order, members of two bits, also of one that has no name, and of all bits.
_SAMPLE: Final = [("Two", 2), ("One", 1), ("Uno", 1), ("Both", 3), ("No", 0), ("Four", 4), ("Odd", 17), ("All", -1)]


def make_enumerations_quickly() -> None:
    """Let `enum` make enumerations that are asked for as PySide does, by a list of names and numbers, the quick way.

    All is left as it is where the quick way gives another sample, or none: `enum` keeps its books otherwise in that
    Python.
    """
    with suppress(AttributeError, TypeError, ValueError):
        _take_the_place(enum.EnumType)


def _take_the_place(kept: Any) -> None:
    usual = kept._create_
    if usual.__module__ == __name__:
        return

    def asked(kind: Any, items: list[tuple[str, int]]) -> Any:
        return usual(kind, "Sample", items, module=__name__, boundary=enum.KEEP)

    patterns = {kind: dict(vars(asked(kind, []))) for kind in _KINDS}
    taken = {kind: {"", "mro"}.union(*map(vars, kind.__mro__)) for kind in _KINDS}

    def create(
        cls: Any, class_name: str, names: Any, *, module: str | None = None, boundary: Any = None, **others: Any
    ) -> Any:
        is_list = type(names) is list and boundary is enum.KEEP and type([*names, None][0]) is tuple
        if is_list and cls in patterns and taken[cls].isdisjoint(dict(names)):
            return _made(cls, class_name, names, patterns[cls])
        module = module or sys._getframe(2).f_globals["__name__"]  # noqa: SLF001 - as `enum` finds it, one call outside
        return usual(cls, class_name, names, module=module, boundary=boundary, **others)

    if all(_books(asked(kind, _SAMPLE)) == _books(_made(kind, "Sample", _SAMPLE, patterns[kind])) for kind in _KINDS):
        kept._create_ = create


def _books(made: Any) -> list[Any]:
    """All that `enum` notes about an enumeration and its members."""
    members = [vars(member) for member in made.__members__.values()]
    return [{key: repr(getattr(made, key)) for key in vars(made)}, repr(members), repr([*made])]


def _made(kind: Any, name: str, items: list[tuple[str, int]], pattern: dict[str, Any]) -> Any:
    """An enumeration of a kind, by what `enum` notes about one without members."""
    books = {key: value.copy() if isinstance(value, list | dict) else value for key, value in pattern.items()}
    made: Any = type.__new__(enum.EnumType, name, (kind,), books)
    new, is_int, is_flag = made._new_member_, issubclass(kind, int), issubclass(kind, enum.Flag)
    members, by_value, names = made._member_map_, made._value2member_map_, made._member_names_
    mask = singles = 0
    for key, value in items:
        is_single = value > 0 and not value & (value - 1)
        mask |= value
        singles |= value if is_single else 0
        member = by_value.get(value)
        if member is None:
            member = by_value[value] = new(made, value) if is_int else new(made)
            member._value_, member._name_ = value, key
            member.__objclass__, member._sort_order_ = made, len(names)
            if is_single or not is_flag:
                names.append(key)
        members[key] = member
        type.__setattr__(made, key, member)
    if "_hashable_values_" in pattern:
        made._hashable_values_.extend(by_value)
    if is_flag:
        made._flag_mask_, made._singles_mask_, made._all_bits_ = mask, singles, 2 ** mask.bit_length() - 1
        values = [members[key]._value_ for key in names]
        if values != sorted(values):
            made._iter_member_ = made._iter_member_by_def_
    return made
