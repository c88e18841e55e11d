"""Qt's enumerations, made quickly, are those that Python makes."""

import enum
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from PySide6 import QtCore, QtGui, QtWidgets

from pe_desktop.app.quick_enums import make_enumerations_quickly

USUAL: Any = enum.EnumType._create_  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enum.EnumType, "_create_", USUAL)
    make_enumerations_quickly()


def kinds_of_qt() -> set[Any]:
    """The enumerations of all classes of the parts of Qt that are in use."""
    parts = (QtCore, QtGui, QtWidgets)
    inside = [getattr(part, name) for part in parts for name in dir(part)]
    rooms = [*parts, *(some for some in inside if isinstance(some, type))]
    found = [getattr(room, name, None) for room in rooms for name in dir(room)]
    return {kind for kind in found if isinstance(kind, enum.EnumType) and kind.__module__.startswith("PySide6")}


def both_ways(kind: Any, items: list[tuple[str, int]]) -> tuple[Any, Any]:
    """An enumeration as Python makes it, and as it is made once it is asked for as PySide asks."""
    usual = USUAL(kind, "Answer", items, module=__name__, boundary=enum.KEEP)
    made = kind("Answer", items, boundary=enum.KEEP)
    made.__module__ = __name__
    return usual, made


def described(made: Any) -> list[Any]:
    """What can be seen of an enumeration: its books, members, order, words, and what comes of numbers."""
    members = made.__members__.values()
    numbers = [made(member.value) for member in members]
    return [
        {key: repr(getattr(made, key)) for key in vars(made)},
        [{**vars(member), "__objclass__": ""} for member in members],
        [(repr(member), str(member), f"{member}", member.name, member.value, hash(member)) for member in members],
        [*map(str, made)],
        [str(number) for number in numbers],
        made.__mro__[1:],
    ]


def test_every_enumeration_of_qt_is_the_one_that_python_makes() -> None:
    kinds = kinds_of_qt()
    assert len(kinds) > 400
    for found in kinds:
        items = [(name, member.value) for name, member in found.__members__.items()]
        usual, made = both_ways(found.__base__, items)
        assert described(made) == described(usual), found


@pytest.mark.parametrize("kind", [enum.Flag, enum.IntFlag])
def test_flags_are_joined_and_split_as_usual(kind: Any) -> None:
    items = [("Four", 4), ("One", 1), ("Uno", 1), ("Both", 5), ("No", 0)]
    usual, made = both_ways(kind, items)
    for one in (usual, made):
        assert [part.name for part in one.Both] == [part.name for part in (one.One | one.Four)]
        assert one.One | one.Four is one.Both
        assert one.Both & ~one.One is one.Four
        assert one.Uno is one.One
        assert one(0) is one.No
    assert (made.One | made(2)).value == (usual.One | usual(2)).value == 3


def test_a_member_is_pickled_by_its_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    _usual, made = both_ways(enum.IntEnum, [("One", 1), ("Two", 2)])
    monkeypatch.setitem(globals(), "Answer", made)
    assert pickle.loads(pickle.dumps(made.Two)) is made.Two


def test_names_that_enumerations_have_themselves_are_left_to_python() -> None:
    usual, made = both_ways(enum.IntEnum, [("name", 1), ("real", 2)])
    assert (made["name"].value, made["name"].name) == (usual["name"].value, usual["name"].name) == (1, "name")


def test_an_enumeration_of_the_program_is_made_by_python_and_knows_its_module() -> None:
    made: Any = enum.Enum("made", "ONE TWO")
    assert (made.__module__, [member.value for member in made]) == (__name__, [1, 2])


def with_another_book(kind: Any, *arguments: Any, **settings: Any) -> Any:
    made = USUAL(kind, *arguments, **settings)
    made.another_book = len(made)
    return made


def without_modules(kind: Any, names: Any) -> Any:
    return USUAL(kind, "Made", names)


@pytest.mark.parametrize("another", [with_another_book, without_modules])
def test_all_stays_as_it_is_where_python_keeps_its_books_otherwise(
    monkeypatch: pytest.MonkeyPatch, another: Callable[..., Any]
) -> None:
    monkeypatch.setattr(enum.EnumType, "_create_", another)
    make_enumerations_quickly()
    assert enum.EnumType._create_ is another  # type: ignore[attr-defined]
