"""Records: frozen dataclasses that are fast to define, because their functions are compiled at the first call."""

from abc import update_abstractmethods
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, Never, TypeVar, dataclass_transform, overload

from pe_desktop.caches import told_cache

_T = TypeVar("_T")
# Keeps the results of the last four calls: what one state and its neighbours ask again in every frame.
kept = told_cache(4)
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

    def made(cls: Any) -> Any:
        # Without a docstring `dataclass` computes the signature, which takes longer than all the rest.
        cls.__doc__ = cls.__doc__ or cls.__name__
        for name in vars(cls).get("__annotations__", {}):
            if name not in vars(cls) and isinstance(getattr(cls, name, None), property):
                # The property of a base is not the default of the field.
                setattr(cls, name, field())
        dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
        own = vars(cls)
        for one in fields(cls):
            if one.default is MISSING and hasattr(cls, one.name):
                # A field in place of a property of a base, as a slot would be.
                setattr(cls, one.name, None)
        update_abstractmethods(cls)
        cls.__setattr__ = cls.__delattr__ = _refuse
        if "__repr__" not in own:
            cls.__repr__ = repr_of_fields
        cls.__init__ = _late_init(cls)
        if eq and own.get("__hash__") is None:
            hashed = [one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
            cls.__hash__ = _hash_of(hashed, keeps_hash=getattr(cls, "keeps_hash", False))
        if eq and "__eq__" not in own:
            compared = _values_of([one.name for one in fields(cls) if one.compare])
            cls.__eq__ = lambda self, other: (
                compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented
            )
        return cls

    return made if cls is None else made(cls)


def _late_init(cls: Any) -> Callable[..., None]:
    """An initialiser that at the first call compiles its replacement in the class."""

    def first(self: Any, *arguments: Any, **named: Any) -> None:
        names: dict[str, Any] = {"_set": object.__setattr__, "_not_given": _NOT_GIVEN}
        # A KeyboardInterrupt that passes through the exec of a text ends Python by the signal, though it is caught.
        exec(compile(_init_source(cls, names), f"<{cls.__qualname__}.__init__>", "exec"), names)  # noqa: S102 - names of fields
        function = names["__init__"]
        function.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = function
        function(self, *arguments, **named)

    return first


def _init_source(cls: Any, names: dict[str, Any]) -> str:
    """The text of an initialiser; `names` gets the defaults that it names."""
    by_place = ["self"]
    by_name = ["*"]
    lines = ["pass"]
    for one in fields(cls):
        name = one.name
        value = one.name
        default = f"_default_{one.name}"
        if one.default_factory is not MISSING:
            names[default] = one.default_factory
            value = f"{default}() if {name} is _not_given else {name}" if one.init else f"{default}()"
            default = "_not_given"
        elif one.default is not MISSING:
            names[default] = one.default
        else:
            default = ""
        if one.init:
            (by_name if one.kw_only else by_place).append(f"{name}={default}" if default else name)
        lines.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    arguments = by_place + (by_name if len(by_name) > 1 else [])
    return f"def __init__({', '.join(arguments)}):\n " + "\n ".join(lines)


def _hash_of(names: list[str], *, keeps_hash: bool) -> Callable[[Any], Any]:
    values = _values_of(names)

    def kept(self: Any) -> Any:
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(values(self)))
            return self._hash

    return kept if keeps_hash else lambda self: hash(values(self))


def _values_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the values of some fields as a tuple."""
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)


def repr_of_fields(self: Any) -> str:
    """The `repr` of any dataclass, which compiles nothing; arrays by type and shape, so that it is one line."""
    values = ((one.name, getattr(self, one.name)) for one in fields(self) if one.repr)
    texts = (f"{name}={of.dtype}{[*of.shape]}" if getattr(of, "ndim", 0) else f"{name}={of!r}" for name, of in values)
    return f"{type(self).__qualname__}({', '.join(texts)})"


def _refuse(_self: object, name: str, *value: object) -> Never:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
