"""A formula of core/source and what it is given: it can be computed here, and printed as a program."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from types import FunctionType
from typing import Any

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.core.source import panels


@record(eq=False)
class Call:
    """A function of core/source or of NumPy, and what its parameters are given: numbers, words, ranges, other calls.

    name: the variable of its result in a program, that of the parameter which takes it if it is empty. comment: what
    stands above it.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    comment: str = ""

    def named(self, name: str) -> "Call":
        return replace(self, name=name)


@record(eq=False)
class Definition:
    """A function that a program defines: `def name(t): return ...`.

    parameters: their names, which stand in `call` as Written. exact: the application's own way to the same numbers,
    which keeps more digits; angle: the largest one, radians, that a sine is taken of.
    """

    name: str
    parameters: tuple[str, ...]
    call: Call
    angle: float = 0.0
    exact: Callable[..., Any] | None = None


@record(eq=False)
class Written:
    """A value as it is written in a program, where that is shorter; a parameter has no value."""

    text: str
    value: Any = None


def by_name(functions: Iterable[Callable[..., Any]]) -> Mapping[str, Callable[..., Any]]:
    """Formulas by their own names, with hyphens as in the words of a state."""
    return {function.__name__.replace("_", "-"): function for function in functions}


def computed(node: Any) -> Any:
    """The value of a call."""
    match node:
        case Call():
            given = {name: computed(one) for name, one in node.given.items()}
            return node.function(*map(computed, node.arguments), **given)
        case Definition():
            return node.exact
        case Written():
            return node.value
        case range():
            return np.arange(node.start, node.stop)
        case list():
            return [computed(one) for one in node]
        case _:
            return node


def largest_angle(node: Any) -> float:
    """The largest angle, radians, that the functions of a program take a sine of."""
    match node:
        case Call():
            return max(_angle(node), largest_angle([*node.arguments, *node.given.values()]))
        case Definition():
            return node.angle
        case list() | dict():
            return max(map(largest_angle, node.values() if isinstance(node, dict) else node), default=0.0)
        case _:
            return 0.0


def _angle(node: Call) -> float:
    """Positions and offsets times frequencies, where a call is given both."""
    parameters = inspect.signature(node.function).parameters if isinstance(node.function, FunctionType) else ()
    given = {**dict(zip(parameters, node.arguments, strict=False)), **node.given}
    if "omega" not in given:
        return 0.0
    frequency = float(np.abs(computed(given["omega"])).max(initial=0.0))
    if node.function is panels.near_returns:
        return float(np.max(computed(node), initial=0.0)) * frequency
    start = float(given.get("start", 0.0))
    image = given.get("image", np.positive)
    reached = [_size(given[name], start, image) for name in ("t", "k", "positions", "offsets") if name in given]
    return sum(reached) * frequency


def _size(positions: Any, start: float, image: Callable[..., Any]) -> float:
    """How far positions, or what they are mapped to, are from 0."""
    ends = [positions.start, positions.stop - 1.0] if isinstance(positions, range) else computed(positions)
    return 0.0 if ends is None else float(np.abs(image(np.asarray(ends)) + start).max(initial=0.0))
