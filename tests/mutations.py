"""Changes one thing at a time in a copy of the checkout, and says which changes no test notices.

    python -m tests.mutations [pe_desktop/core/hands.py ...] [--n 30] [--seed 1] [--tests tests/core ...]

An operator, a constant, a condition or a line of a function is another one in each mutant. The tests that name the
module in its room are run, and those of --tests, or all of the room, where none of them fails; tests that fail anyhow
are left out. A survivor is a line that could be wrong without notice, or one that may as well be so: a person decides.
"""

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+", ast.Pow: "*",
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is",
    ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_LONGEST_SECONDS = 600


@dataclass(frozen=True)
class Mutant:
    """What stands in place of a stretch of a file: the source, first and last byte, and the text."""

    path: Path
    before: bytes
    start: int
    end: int
    text: str

    def source(self) -> bytes:
        return self.before[: self.start] + self.text.encode() + self.before[self.end :]

    def __str__(self) -> str:
        number = self.before[: self.start].count(b"\n")
        line = self.before.splitlines()[number].decode().strip()
        was = self.before[self.start : self.end].decode()
        return f"{self.path}:{number + 1}: {was!r} -> {self.text!r} in `{line}`"


def mutants(path: Path) -> Iterator[Mutant]:
    """All changes of the functions of a file."""
    source = (ROOT / path).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def changed(node: ast.expr | ast.stmt, text: str) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first, last = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        return Mutant(path, source, first, last, text)

    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
                    for text in _others(node):
                        assert isinstance(node, ast.expr | ast.stmt)
                        yield changed(node, text)


def _others(node: ast.AST) -> Iterator[str]:
    """What could stand in place of a node: at most one thing for most, nothing for what says no value."""
    match node:
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            yield f"({ast.unparse(left)}) {OPERATORS[type(operator)]} ({ast.unparse(right)})"
        case ast.Compare(left, [operator], [right]) if type(operator) in OPERATORS:
            yield f"({ast.unparse(left)}) {OPERATORS[type(operator)]} ({ast.unparse(right)})"
        case ast.BoolOp(operator, values):
            word = " or " if isinstance(operator, ast.And) else " and "
            yield f"({word.join(f'({ast.unparse(value)})' for value in values)})"
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(bool() | int() | float() as value):
            yield _other_number(value)
        case ast.Call(ast.Name("min" | "max" as name), arguments, []):
            yield f"{'max' if name == 'min' else 'min'}({', '.join(map(ast.unparse, arguments))})"
        case ast.IfExp(test, body, orelse):
            yield f"({ast.unparse(orelse)} if {ast.unparse(test)} else {ast.unparse(body)})"
        case ast.AugAssign() | ast.Expr(ast.Call()) | ast.If(orelse=[]):
            yield "pass"


def _other_number(value: float) -> str:
    if isinstance(value, bool):
        return str(not value)
    return str(value + 1) if isinstance(value, int) else repr(value * 1.25 + 0.125)


def room_of(path: Path) -> str:
    """Where the tests of a module stand; programs that are printed are run where they are exported."""
    return "tests/export" if "listings" in path.parts else f"tests/{path.parts[1]}"


def tests_of(path: Path) -> list[str]:
    """The test files of its room that name a module, by its whole name or its own."""
    parts = path.with_suffix("").parts
    whole, beside = ".".join(parts), f"from {'.'.join(parts[:-1])} import "
    found = []
    for test in sorted((ROOT / room_of(path)).rglob("test_*.py")):
        text = test.read_text("utf-8")
        if f"{whole} " in text or (beside in text and parts[-1] in text.split(beside, 1)[1].split("\n", 1)[0]):
            found.append(str(test.relative_to(ROOT)))
    return found


def failing(copy: Path, *words: str) -> list[str]:
    """The ids of the tests that fail; what hangs fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words]
    try:
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, timeout=_LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        return ["all, as it hangs"]
    return re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)


def survivors(sample: list[Mutant], copy: Path, more_tests: list[str]) -> Iterator[Mutant]:
    """Those that no test notices, one after the other."""
    files = {*more_tests, *(test for mutant in sample for test in tests_of(mutant.path) or [room_of(mutant.path)])}
    anyhow = [f"--deselect={name}" for name in failing(copy, *sorted(files))]
    for number, mutant in enumerate(sample, 1):
        place = copy / mutant.path
        place.write_bytes(mutant.source())
        tests = tests_of(mutant.path)
        noticed = bool(tests and failing(copy, "-x", *anyhow, *tests))
        noticed = noticed or bool(failing(copy, "-x", *anyhow, *(more_tests or [room_of(mutant.path)])))
        place.write_bytes(mutant.before)
        print(f"{number}/{len(sample)} {'noticed ' if noticed else 'SURVIVES'} {mutant}", flush=True)
        if not noticed:
            yield mutant


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, help="files of the package; all of core without any")
    parser.add_argument("--n", type=int, default=30, help="how many mutants")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--tests", nargs="+", default=[], help="what is run where the nearest tests notice nothing")
    given = parser.parse_args(arguments)
    files = given.files or sorted((ROOT / "pe_desktop/core").rglob("*.py"))
    every = [mutant for file in files for mutant in mutants(file.resolve().relative_to(ROOT))]
    sample = random.Random(given.seed).sample(every, min(given.n, len(every)))
    print(f"{len(sample)} of {len(every)} mutants, --seed {given.seed}")
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copy = Path(folder, "copy")
        left_out = shutil.ignore_patterns(".*", "__pycache__", "shared")
        shutil.copytree(ROOT, copy, ignore=left_out)
        n_left = len([*survivors(sample, copy, given.tests)])
    print(f"{n_left} of {len(sample)} survive")
    return int(n_left > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
