"""Formulas of core/source and what they are given: computed here, and printed as a program for a library."""

import ast
import inspect
import itertools
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from types import FunctionType
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.core.source import panels
from pe_desktop.resources import LazyMapping, resource_json

Function: TypeAlias = Callable[..., Any]


@record(eq=False)
class Call:
    """A function of core/source or of NumPy, and what its parameters are given: numbers, words, ranges, other calls.

    name: the variable of its result in a program, that of the parameter which takes it if it is empty. comment: what
    stands above it.
    """

    function: Function
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
    exact: Function | None = None


@record(eq=False)
class Written:
    """A value as it is written in a program, where that is shorter; a parameter has no value."""

    text: str
    value: Any = None


def by_name(functions: Iterable[Function]) -> Mapping[str, Function]:
    """Functions by their own names, with hyphens as in the words of a state, and without an underscore before."""
    return {function.__name__.lstrip("_").replace("_", "-"): function for function in functions}


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
    reached = [_size(given[name], start) for name in ("t", "k", "positions", "offsets") if name in given]
    return sum(reached) * frequency


def _size(positions: Any, start: float) -> float:
    """How far positions are from 0; ids beyond their format are infinite."""
    ends = [positions.start, positions.stop - 1.0] if isinstance(positions, range) else computed(positions)
    if ends is None:
        return 0.0
    sizes = np.abs(np.asarray(ends) + start)
    return float(sizes.max(initial=0.0, where=np.isfinite(sizes)))


@record
class _Library:
    """An array library: its title, its module and its name in a program, and the first lines of a program.

    words: its own for some of NumPy's.
    """

    title: str
    module: str
    name: str
    imports: Sequence[str]
    settings: Sequence[str] = ()
    words: Mapping[str, str] = field(default_factory=dict)


# PyTorch and JAX compute in float32 unless they are told otherwise.
LIBRARIES: Final[Mapping[str, _Library]] = LazyMapping(
    lambda: {key: _Library(**row) for key, row in resource_json("libraries.json").items()}
)
# What is said of an array, a figure or a card of a trained head.
NO_PROGRAM: Final = "{} has no program: a training is more than a call. The command learn trains a head."
_SOURCE: Final = "pe_desktop.core.source"
# The files whose functions are written for every library; NumPy computes all others.
_FOR_ALL: Final = tuple(f"{_SOURCE}.{name}" for name in ("tables", "arrays", "head"))
_WIDTH: Final = 100
_NOQA: Final = re.compile(r"  # (noqa|type:).*")


def program(what: str, node: Any, heading: list[str], library: str = "numpy") -> str:
    """The program that leaves a call, or a dictionary or list of calls, in a variable of this name.

    Only what the calls and their functions name is in it: it needs no import but its library.
    """
    chosen = LIBRARIES[library]
    writer = _Writer(chosen)
    writer.assign(what, node)
    text = "\n\n\n".join([*writer.functions.values(), "\n".join([*writer.lines, ""])])
    imports = {*chosen.imports, *(["import numpy as np"] if re.search(r"\bnp\.", text) else [])}
    standard = ["import math", ""] if re.search(r"\bmath\.", text) else []
    settings = ["", *chosen.settings] if chosen.settings else []
    gap = ["", ""] if writer.functions else [""]
    return "\n".join([*(f"# {line}" for line in heading), *standard, *sorted(imports), *settings, *gap, text])


class _Writer:
    """Writes calls into lines, each once, and gathers the functions that they name."""

    def __init__(self, library: _Library) -> None:
        self.functions: dict[str, str] = {}
        self.lines: list[str] = []
        self._library = library
        self._variables: dict[str, str] = {}
        # Of the function that is being defined: its parameters, its lines and their variables.
        self._inside: tuple[tuple[str, ...], list[str], dict[str, str]] | None = None

    def assign(self, name: str, node: Any) -> None:
        """Lines that leave a node in a variable."""
        library = self._library
        text = self._call(node, library) if isinstance(node, Call) else self._text(node, name, library)
        self.lines += f"{name} = {text}".split("\n")

    def _text(self, node: Any, hint: str, library: _Library) -> str:
        """What stands for a node: a call is made before it, in a line of its own."""
        match node:
            case Call():
                text = self._variable(node, hint, library)
            case Definition():
                text = self._defined(node, library)
            case list():
                text = _laid_out("[", [self._text(one, hint, library) for one in node], "]")
            case dict():
                hints = {key: key.replace("-", "_") for key in node}
                hints = {key: name if name.isidentifier() else "value" for key, name in hints.items()}
                items = [f'"{key}": {self._text(one, hints[key], library)}' for key, one in node.items()]
                text = _laid_out("{", items, "}")
            case FunctionType():
                self._take(node, library)
                text = node.__name__
            case Written():
                text = re.sub(r"\bnp\.", f"{library.name}.", node.text)
            case range():
                text = f"{library.name}.arange({f'{node.start}, {node.stop}' if node.start else node.stop})"
            case np.ndarray():
                text = f"{library.name}.asarray({node.tolist()!r})"
            case np.ufunc() | type():
                text = f"{library.name}.{node.__name__}"
            case _:
                text = repr(node)
        return text

    def _variable(self, node: Call, hint: str, library: _Library) -> str:
        """The variable of a call: that of an equal one, or one of a new line."""
        text = self._call(node, library)
        lines = self.lines
        variables = self._variables
        if self._inside is not None and _reads(node, self._inside[0]):
            _, lines, variables = self._inside
        if text not in variables:
            variables[text] = self._new_name(node.name or hint, variables)
            lines += [f"# {node.comment}"] if node.comment else []
            lines += f"{variables[text]} = {text}".split("\n")
        return variables[text]

    def _new_name(self, name: str, variables: Mapping[str, str]) -> str:
        taken = {*variables.values(), *self._variables.values(), *self.functions}
        others = (f"{name}_{number}" for number in itertools.count(2))
        return next(one for one in itertools.chain([name], others) if one not in taken)

    def _call(self, node: Call, library: _Library) -> str:
        function = node.function
        name = node.function.__name__
        own = library
        hints = ["values"] * len(node.arguments)
        if isinstance(function, FunctionType) and function.__module__.startswith(_SOURCE):
            own = library if function.__module__ in _FOR_ALL else LIBRARIES["numpy"]
            self._take(function, own)
            hints = [*inspect.signature(function).parameters, *hints]
        else:
            module = ".linalg" if getattr(function, "__module__", "") == "numpy.linalg" else ""
            name = f"{library.name}{module}.{name}"
        texts = [self._text(one, hint, own) for one, hint in zip(node.arguments, hints, strict=False)]
        named = [(key, self._text(one, key, own)) for key, one in node.given.items()]
        # What is called as its parameter stands by its place, as long as those before it do.
        placed = itertools.takewhile(lambda pair: pair[0] == pair[1].split("_")[0], [] if texts else named)
        n_placed = len([*placed])
        texts += [text if place < n_placed else f"{key}={text}" for place, (key, text) in enumerate(named)]
        if own is library:
            return _laid_out(f"{name}(", texts, ")")
        return _laid_out(f"{library.name}.asarray({name}(", texts, "))")

    def _defined(self, node: Definition, library: _Library) -> str:
        lines: list[str] = []
        self._inside = node.parameters, lines, {}
        text = self._call(node.call, library)
        given = ", ".join(node.parameters)
        body = [f"    {line}" for line in (*lines, *f"return {text}".split("\n"))]
        self._inside, key = None, "\n".join((given, *body))
        if key not in self._variables:
            name = self._variables[key] = self._new_name(node.name, self._variables)
            self.lines += ["", "", f"def {name}({given}):", *body, "", ""]
        return self._variables[key]

    def _take(self, function: Function, library: _Library) -> None:
        """Put a function, behind those that it calls, among those of the program."""
        name = function.__name__
        if name in self.functions:
            return
        text, reads = _functions(function.__module__)[name]
        for other in reads:
            found = vars(inspect.getmodule(function)).get(other)
            if isinstance(found, FunctionType) and found.__module__.startswith(_SOURCE):
                self._take(found, library)
        text = re.sub(r"\bnp\.", f"{library.name}.", text)
        for word, own in library.words.items():
            text = text.replace(word, own)
        self.functions[name] = text


def _reads(node: Any, parameters: tuple[str, ...]) -> bool:
    """Whether a node is made from the parameters of a function that is being defined."""
    match node:
        case Call():
            return any(_reads(one, parameters) for one in (*node.arguments, *node.given.values()))
        case Written():
            return node.text in parameters
        case _:
            return isinstance(node, list) and any(_reads(one, parameters) for one in node)


def _laid_out(opening: str, texts: list[str], closing: str) -> str:
    """Texts between brackets in one line, or each in a line of its own where that is too long."""
    line = f"{opening}{', '.join(texts)}{closing}"
    if len(line) <= _WIDTH - 16 and "\n" not in line:
        return line
    parts = [f"    {part}" for text in texts for part in f"{_wrapped(text)},".split("\n")]
    return "\n".join([opening, *parts, closing])


def _wrapped(text: str) -> str:
    """A long list of numbers in several lines."""
    if len(text) <= _WIDTH or any(sign in text for sign in "'\"\n"):
        return text
    return textwrap.fill(text, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


@cache
def _functions(module: str) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """The functions of a file of core/source by their names: their lines without types, and the names they read."""
    data = pkgutil.get_data(_SOURCE, f"{module.rpartition('.')[2]}.py")
    assert data is not None  # it was imported
    text = data.decode()
    nodes = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    found = {}
    for node in nodes:
        read = [name.id for part in node.body for name in ast.walk(part) if isinstance(name, ast.Name)]
        found[node.name] = _untyped(node, text.split("\n")), tuple(dict.fromkeys(read))
    return found


def _untyped(function: ast.FunctionDef, lines: list[str]) -> str:
    """A function as it is written, without the types of its arguments and without words to a checker of style."""
    body = lines[function.body[0].lineno - 1 : function.end_lineno]
    names = [ast.arg(one.arg) for one in function.args.args]
    defaults = function.args.defaults
    given = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=defaults)
    return "\n".join([f"def {function.name}({ast.unparse(given)}):", *(_NOQA.sub("", line) for line in body)])
