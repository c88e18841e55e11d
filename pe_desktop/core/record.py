"""Records: frozen dataclasses that are fast to define, because their functions are compiled at the first call."""

from abc import update_abstractmethods
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, Never, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")
# The default of an argument whose field has a default_factory.
_NOT_GIVEN = object()


@overload
def record(cls: type[_T]) -> type[_T]: ...
@overload
def record(*, eq: bool = True, kw_only: bool = False) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_T] | None = None, *, eq: bool = True, kw_only: bool = False) -> Any:
    """A class as a frozen dataclass, by which `fields`, `replace` and `match` take it; with eq=False each is itself.

    One whose class says keeps_hash finds its hash once, and pickles of it are for the same process.

    `dataclass` compiles six functions for each class, and with slots makes it twice: for all classes of a window that
    takes as long as loading NumPy.
    """

    def made(some: Any) -> Any:
        # Without a docstring `dataclass` computes the signature, which takes longer than all the rest.
        some.__doc__ = some.__doc__ or some.__name__
        for name in vars(some).get("__annotations__", {}):
            if name not in vars(some) and isinstance(getattr(some, name, None), property):
                # The property of a base is not the default of the field.
                setattr(some, name, field())
        dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(some)
        own = vars(some)
        for one in fields(some):
            if one.default is MISSING and hasattr(some, one.name):
                # A field in place of a property of a base, as a slot would be.
                setattr(some, one.name, None)
        update_abstractmethods(some)
        some.__setattr__, some.__delattr__ = _refuse_setting, _refuse_deleting
        if "__repr__" not in own:
            some.__repr__ = repr_of_fields
        some.__init__ = _late(some, "__init__", _init_source)
        if eq and own.get("__hash__") is None:
            some.__hash__ = _late(some, "__hash__", _hash_source)
        if eq and "__eq__" not in own:
            some.__eq__ = _late(some, "__eq__", _eq_source)
        return some

    return made if cls is None else made(cls)


def _late(cls: Any, name: str, source: Callable[[Any, dict[str, Any]], str]) -> Callable[..., Any]:
    """A function that at the first call compiles its replacement in the class; `source` may name values for it."""

    def first(self: Any, *arguments: Any, **named: Any) -> Any:
        known: dict[str, Any] = {}
        # A KeyboardInterrupt that passes through the exec of a text ends Python by the signal, though it is caught.
        exec(compile(source(cls, known), f"<{cls.__qualname__}.{name}>", "exec"), known)  # noqa: S102 - names of fields
        function = known[name]
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, function)
        return function(self, *arguments, **named)

    return first


def _init_source(cls: Any, known: dict[str, Any]) -> str:
    known.update(_set=object.__setattr__, _not_given=_NOT_GIVEN)
    by_place, by_name, lines = ["self"], ["*"], ["pass"]
    for one in fields(cls):
        name, value, default = one.name, one.name, f"_default_{one.name}"
        if one.default_factory is not MISSING:
            known[default] = one.default_factory
            value = f"{default}() if {name} is _not_given else {name}" if one.init else f"{default}()"
            default = "_not_given"
        elif one.default is not MISSING:
            known[default] = one.default
        else:
            default = ""
        if one.init:
            (by_name if one.kw_only else by_place).append(f"{name}={default}" if default else name)
        lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    arguments = by_place + (by_name if len(by_name) > 1 else [])
    return f"def __init__({', '.join(arguments)}):\n " + "\n ".join(lines)


def _eq_source(cls: Any, _known: dict[str, Any]) -> str:
    names = [one.name for one in fields(cls) if one.compare]
    both = f"{_values('self', names)} == {_values('other', names)}"
    return f"def __eq__(self, other):\n return {both} if other.__class__ is self.__class__ else NotImplemented"


def _hash_source(cls: Any, known: dict[str, Any]) -> str:
    names = [one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
    value = f"hash({_values('self', names)})"
    if not getattr(cls, "keeps_hash", False):
        return f"def __hash__(self):\n return {value}"
    known.update(_set=object.__setattr__)
    kept = f"_set(self, '_hash', {value})\n  return self._hash"
    return f"def __hash__(self):\n try:\n  return self._hash\n except AttributeError:\n  {kept}"


def _values(owner: str, names: list[str]) -> str:
    return "(" + "".join(f"{owner}.{name}, " for name in names) + ")"


def repr_of_fields(self: Any) -> str:
    """The `repr` of any dataclass, which compiles nothing."""
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_setting(_self: object, name: str, _value: object) -> Never:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(_self: object, name: str) -> Never:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
