"""Measures of the source and of two steps in the window: python benchmarks/house.py [--json] [CHECKOUT].

Lines are physical lines of .py files; a room is a folder of pe_desktop. A public name is a function, a class or a name
assigned at module level without a leading underscore; a constant is one of them in UPPER_CASE. Names that an unpacking
assignment binds are counted apart: without them, release 0.1 has the 1,258 names that the goal of 900 was set against.
An import chain is a path of modules along imports, those inside functions included, those under TYPE_CHECKING not; its
length is the number of modules.

Two steps are made in the default state, in a window of 1600 x 1000 without a screen, after all has been measured: the
cursor moves by one position, or d_model changes by 2. Each is made twice, and the second time is counted. "Painted" is
one round of events, in which every widget paints; "settled" is all that follows within SETTLED seconds. Counted are
calls of Python functions on the GUI thread, as sys.setprofile sees them (in Python 3.11 a comprehension is a call, and
so is each resumption of a generator; C functions are left out), and the files of pe_desktop that they lie in.
"""

import argparse
import ast
import importlib
import inspect
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from PySide6.QtCore import QCoreApplication

PACKAGE = "pe_desktop"
WINDOW_SIZE = 1600, 1000
SETTLED = 3.0


def static_measures(checkout: Path) -> dict[str, int]:
    """What is read from the source."""
    package = checkout / PACKAGE
    files = sorted(package.rglob("*.py"))
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}
    rooms: Counter[str] = Counter()
    for file in files:
        rooms["outside rooms" if file.parent == package else file.relative_to(package).parts[0]] += _n_lines(file)
    names = [pair for tree in trees.values() for pair in _public_names(tree) if not pair[0].startswith("_")]
    single = [name for name, is_unpacked in names if not is_unpacked]
    chains = [len(longest_chain(_imports(package, trees, at_load=at_load))) for at_load in (False, True)]
    return {
        **{f"lines, {room}": count for room, count in sorted(rooms.items())},
        "lines, pe_desktop": rooms.total(),
        "lines, tests": sum(map(_n_lines, (checkout / "tests").rglob("*.py"))),
        "files, pe_desktop": len(files),
        "files, tests": sum(1 for _ in (checkout / "tests").rglob("*.py")),
        "longest file, lines": max(map(_n_lines, files)),
        "public names": len(single),
        "public constants": sum(name.isupper() for name in single),
        "public names bound by unpacking": len(names) - len(single),
        "longest import chain": chains[0],
        "longest import chain, without imports in functions": chains[1],
    }


def longest_chain(imports: Mapping[str, set[str]]) -> list[str]:
    """The longest path along imports; an import that closes a cycle counts as absent."""
    longest: dict[str, list[str]] = {}

    def from_module(name: str, above: tuple[str, ...]) -> list[str]:
        if name not in longest:
            below = (from_module(other, (*above, name)) for other in sorted(imports[name]) if other not in above)
            longest[name] = [name, *max(below, key=len, default=[])]
        return longest[name]

    return max((from_module(name, ()) for name in sorted(imports)), key=len, default=[])


def window_measures(checkout: Path) -> dict[str, int]:
    """What two steps pass through; the checkout's own code runs in this process, so no other may be loaded."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    sys.path.insert(0, str(checkout))
    instrument = _opened()
    package = Path(importlib.import_module(PACKAGE).__file__ or "").parent
    if package != checkout / PACKAGE:
        raise RuntimeError(f"{package} is loaded, not {checkout / PACKAGE}")
    model = instrument.model
    steps: dict[str, Callable[[int], object]] = {
        "cursor step": lambda number: model.move_cursor(position=20.0 + number),
        "d_model step": lambda number: model.set_parameter("d_model", str(64 + 2 * number)),
    }
    measures: dict[str, int] = {}
    for name, step in steps.items():
        step(0)
        _handle_events(SETTLED)
        painted = _calls(lambda: step(1), _handle_events)  # noqa: B023 - called at once
        settled = painted + _calls(lambda: _handle_events(SETTLED))
        ours = [file for file in settled if file.startswith(f"{package}{os.sep}")]
        measures[f"{name}, files until painted"] = len(painted.keys() & ours)
        measures[f"{name}, files until settled"] = len(ours)
        measures[f"{name}, calls of {PACKAGE} until painted"] = sum(painted[file] for file in ours)
        measures[f"{name}, all Python calls until painted"] = painted.total()
    instrument.close()
    return measures


def _calls(*work: Callable[[], object]) -> Counter[str]:
    """How often functions of each file were called on this thread, those of this one left out."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename != __file__:
            calls[frame.f_code.co_filename] += 1

    sys.setprofile(note)
    try:
        for part in work:
            part()
    finally:
        sys.setprofile(None)
    return calls


def _opened() -> Any:
    """The window in its default state, measured; an Instrument takes a state, or encoding and cursor as in 0.1."""
    application = importlib.import_module(f"{PACKAGE}.window.application")
    settings = importlib.import_module(f"{PACKAGE}.window.settings").Settings(theme="light", renderer="raster")
    application.make_application()
    if "state" in inspect.signature(application.Instrument).parameters:
        instrument = application.Instrument(importlib.import_module(f"{PACKAGE}.core.state").State(), settings)
    else:
        declared_state = importlib.import_module(f"{PACKAGE}.core.parameters").declared_state
        instrument = application.Instrument(*declared_state({}), settings)
    instrument.window.resize(*WINDOW_SIZE)
    instrument.window.show()
    application.wait_until_measured(instrument)
    _handle_events(SETTLED)
    return instrument


def _handle_events(seconds: float = 0.0) -> None:
    deadline = time.monotonic() + seconds
    QCoreApplication.processEvents()
    while time.monotonic() < deadline:
        QCoreApplication.processEvents()
        time.sleep(0.01)


def _n_lines(file: Path) -> int:
    return len(file.read_bytes().splitlines())


def _public_names(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every name that a module's own statements bind, and whether an unpacking binds it; imports bind none."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, False
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        yield part.id, part is not target


def _imports(package: Path, trees: Mapping[Path, ast.Module], *, at_load: bool) -> dict[str, set[str]]:
    """Module -> the modules of the package that it imports, or only those that it imports when it is loaded."""
    paths = {file: file.relative_to(package.parent).with_suffix("") for file in trees}
    named = {".".join(path.parts).removesuffix(".__init__"): file for file, path in paths.items()}
    imports: dict[str, set[str]] = {}
    for name, file in named.items():
        found: set[str] = set()
        for node in _executed(trees[file], at_load=at_load):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                found |= {f"{node.module}.{alias.name}" for alias in node.names} & named.keys() or {node.module}
        imports[name] = (found & named.keys()) - {name}
    return imports


def _executed(node: ast.AST, *, at_load: bool) -> Iterator[ast.AST]:
    """The nodes below this one without those under TYPE_CHECKING; at_load: without functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if not (at_load and isinstance(child, ast.FunctionDef)):
            yield child
            yield from _executed(child, at_load=at_load)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures of the source and of two steps in the window.")
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")
    options = parser.parse_args()
    measures = static_measures(options.checkout) | window_measures(options.checkout.resolve())
    table = "\n".join(f"{name:52} {value:>7,}" for name, value in measures.items())
    print(json.dumps(measures, indent=1) if options.json else table)


if __name__ == "__main__":
    main()
