"""A record behaves as a frozen dataclass of the standard library does."""

import copy
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import pe_desktop
from pe_desktop.core.record import record


def classes_of(decorator: Callable[..., Any]) -> tuple[type[Any], type[Any]]:
    """A class with a field of each sort that is in use, and one that adds a field to it."""

    @decorator
    class Base:
        x: float
        name: str = "a"
        told: float = field(default=0.0, compare=False)
        facts: dict[str, float] = field(default_factory=dict, hash=False)
        kept: dict[int, int] = field(init=False, default_factory=dict, repr=False, compare=False)

    @decorator
    class Derived(Base):
        width: float = 2.0

        def __post_init__(self) -> None:
            object.__setattr__(self, "width", self.width * 2.0)

    return Base, Derived


BOTH = [*zip(classes_of(record), classes_of(dataclass(frozen=True)), strict=True)]


MADE: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    *(((1.0,), {}), ((1.0,), {"told": 4.0}), ((1.0,), {"facts": {"a": 1.0}}), ((2.0,), {})),
    *(((1.0, "b"), {}), ((), {"x": 2.0, "told": 3.0})),
]


@pytest.mark.parametrize(("ours", "usual"), BOTH)
def test_it_has_the_fields_values_words_and_equals_of_a_dataclass(ours: Any, usual: Any) -> None:
    assert [one.name for one in fields(ours)] == [one.name for one in fields(usual)]
    mine, others = ([cls(*arguments, **named) for arguments, named in MADE] for cls in (ours, usual))
    for one, other in zip(mine, others, strict=True):
        assert asdict(one) == asdict(other)
        assert repr(one).rpartition(".")[2] == repr(other).rpartition(".")[2]
        assert asdict(replace(one, x=5.0)) == asdict(replace(other, x=5.0))
    equal, same_hash = (
        [[[ask(a) == ask(b) for b in made] for a in made] for made in (mine, others)] for ask in (lambda it: it, hash)
    )
    assert equal[0] == equal[1]
    assert same_hash[0] == same_hash[1]
    assert mine[0].facts is not ours(1.0).facts
    assert is_dataclass(ours)
    assert mine[0] != others[0]
    assert copy.deepcopy(mine[0]) == mine[0]


def test_it_is_written_down_never_equal_to_one_that_derives_from_it_and_never_changed() -> None:
    base, derived = classes_of(record)
    assert base(1.0) != derived(1.0)
    assert pickle.loads(pickle.dumps(Place(1.0))) == Place(1.0, 2.0)
    for one in (base(1.0), derived(1.0)):
        with pytest.raises(FrozenInstanceError, match="x"):
            one.x = 2.0
        with pytest.raises(FrozenInstanceError, match="x"):
            del one.x
        assert one.x == 1.0


@pytest.mark.parametrize("arguments", [(), (1.0, "a", 0.0, {}, 2.0, 3.0, 4.0)])
def test_too_few_and_too_many_arguments_are_refused_by_the_name_of_the_class(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"Base\.__init__\(\)"):
        classes_of(record)[0](*arguments)


def test_what_it_says_of_itself_stays_one_that_is_itself_equals_no_other_and_one_by_name_takes_no_place() -> None:
    @record(eq=False)
    class Itself:
        x: float

        def __repr__(self) -> str:
            return "itself"

    @record(kw_only=True)
    class Named:
        x: float
        y: float = 1.0

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    one = Itself(1.0)
    assert (one == one, one == Itself(1.0), len({one, Itself(1.0)}), repr(one)) == (True, False, 2, "itself")  # noqa: PLR0124
    assert (Named(x=1.0) == Named(x=2.0), hash(Named(x=1.0)), Named(x=1.0).y) == (True, 7, 1.0)
    with pytest.raises(TypeError, match="positional"):
        Named(1.0)  # type: ignore[call-arg]


@record
class Place:
    x: float
    y: float = 2.0


def test_frozen_classes_of_the_package_are_records() -> None:
    package = Path(pe_desktop.__file__).parent
    assert [path.name for path in package.rglob("*.py") if "dataclass(frozen" in path.read_text(encoding="utf-8")] == []


def test_a_field_stands_for_an_abstract_property() -> None:
    class Base(ABC):
        @property
        @abstractmethod
        def limits(self) -> tuple[float, float]: ...

        @property
        def name(self) -> str:
            return "base"

    @record
    class Filled(Base):
        limits: tuple[float, float]
        name: str

    assert (Filled((0.0, 1.0), "a").limits, Filled((0.0, 1.0), "a").name) == ((0.0, 1.0), "a")
    with pytest.raises(TypeError, match="name"):
        Filled((0.0, 1.0))  # type: ignore[call-arg]


def test_a_record_that_keeps_its_hash_asks_its_fields_once():
    asked = []

    class Key(str):
        __slots__ = ()

        def __hash__(self) -> int:
            asked.append(self)
            return 7

    @record
    class Kept:
        key: str
        keeps_hash: ClassVar[bool] = True

    kept = Kept(Key("a"))
    assert {hash(kept) for _ in range(3)} == {hash((Key("a"),))}
    assert len(asked) == 2
    assert replace(kept, key="b") == Kept("b") != kept
    assert hash(replace(kept, key="b")) == hash(Kept("b"))
