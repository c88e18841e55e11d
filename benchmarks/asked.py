"""Asks tools for their numbers, each in a process of its own, and keeps what they answered or why they could not."""

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from benchmarks.rounds import Numbers, environment, turned
from benchmarks.screen import screen

# Matrix products in one thread, as in the application, unless the environment says another number.
ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}


class Work(Protocol):
    """What a program measures."""

    def word(self) -> str:
        """As its argument."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line of a benchmark asks for."""

    is_quick: bool
    only: str
    n_rounds: int


@dataclass(slots=True)
class Found:
    """What a case answered in every round, or why it could not."""

    rounds: list[Numbers]
    reason: str = ""


def ask(found: Found, module: str, word: str, variables: Mapping[str, str], longest_seconds: float) -> None:
    """Run a module of benchmarks with one word and add its numbers, or its reason, to what was found."""
    command = [sys.executable, "-m", f"benchmarks.{module}", word]
    try:
        done = subprocess.run(
            command, env=dict(variables), capture_output=True, text=True, timeout=longest_seconds, check=False
        )
    except subprocess.TimeoutExpired:
        found.reason = f"longer than {longest_seconds:g} s"
        return
    # Some peers write to the standard output as well; the answer is the last line.
    lines = done.stdout.strip().splitlines()
    if lines and lines[-1].startswith("{"):
        found.rounds.append(json.loads(lines[-1]))
    else:
        found.reason = lines[-1] if lines else f"ended with code {done.returncode}"


def options_of(module: str, description: str | None, n_rounds: int, arguments: Sequence[str] | None) -> Options:
    """The options of a benchmark whose cases stand in a table."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the times mean nothing")
    parser.add_argument("--only", default="", metavar="WORDS", help="the lines that have these words")
    parser.add_argument("--rounds", type=int, default=n_rounds, help="how often each case is run")
    given = parser.parse_args(arguments)
    return Options(given.quick, given.only, 1 if given.quick else given.rounds)


def ask_all(
    module: str,
    works: Mapping[str, Work],
    options: Options,
    longest_seconds: float,
    threads: Mapping[str, str],
    told: Callable[[str, Found], str] | None = None,
    once: Container[str] = (),
) -> dict[str, Found]:
    """The answers of the works that the options name, each round in another order; those in once in the first alone.

    Each answer is told on the standard error as it comes where told says how.
    """
    found = {name: Found([]) for name in works if options.only in name}
    with screen() as place, tempfile.TemporaryDirectory(prefix="pe_desktop_") as folder:
        sys.stdout.write(conditions(options.n_rounds, place.words) + "\n")
        variables = {**environment(place.variables, folder), **threads}
        for number in range(options.n_rounds):
            sys.stderr.write(f"round {number + 1}\n")
            for name in turned([*found], number):
                if number and name in once:
                    continue
                ask(found[name], module, works[name].word(), variables, longest_seconds)
                if told is not None:
                    sys.stderr.write(told(name, found[name]) + "\n")
    return found


def conditions(n_rounds: int, place: str, packages: Sequence[str] = ()) -> str:
    """What is measured where, and with which versions."""
    versions = [f"Python {platform.python_version()}", *(_version(name) for name in packages)]
    return f"{n_rounds} round(s); {os.cpu_count()} cores, {', '.join(versions)}\nscreen: {place}\n"


def _version(package: str) -> str:
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{package} absent"
