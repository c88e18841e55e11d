"""Runs measured programs, each in a process of its own, in rounds whose order is another one each time."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

from benchmarks.cases import Case, Effort

ROOT = Path(__file__).resolve().parents[1]
LONGEST_SECONDS = 300.0
# pyqtgraph prints what goes wrong while it paints, and goes on.
SIGNS_OF_TROUBLE = ("Traceback", "Ignored exception")
START_MOMENTS = ("first", "drawn")

Numbers: TypeAlias = dict[str, float]


class CaseError(RuntimeError):
    """A measured program failed; the message names it and says what it said."""


def environment(variables: Mapping[str, str], config_folder: str) -> dict[str, str]:
    """What the programs see: the checkout, the screen, compiled files kept, no one's settings."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    paths = os.pathsep.join(path for path in (str(ROOT), kept.get("PYTHONPATH", "")) if path)
    return {**kept, **variables, "PYTHONPATH": paths, "XDG_CONFIG_HOME": config_folder}


def measured(names: Sequence[str], cases: Mapping[str, Case], variables: Mapping[str, str]) -> list[Numbers]:
    """What one program answers to each of some cases; moments become milliseconds since its start. Raises CaseError."""
    module = cases[names[0]].module
    command = [sys.executable, "-m", f"benchmarks.{module}", *(cases[name].work.word() for name in names)]
    start = time.monotonic()
    try:
        done = subprocess.run(
            command, env=dict(variables), capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise CaseError(f"{', '.join(names)}: longer than {LONGEST_SECONDS:g} s") from None
    answers = done.stdout.splitlines()
    if done.returncode or len(answers) != len(names) or any(sign in done.stderr for sign in SIGNS_OF_TROUBLE):
        raise CaseError(f"{', '.join(names)}: failed with code {done.returncode}\n{done.stderr.strip()}")
    return [_since(start, json.loads(line)) for line in answers]


def rounds(cases: Mapping[str, Case], effort: Effort, variables: Mapping[str, str]) -> dict[str, list[Numbers]]:
    """The answers of every case, one for each round."""
    answers: dict[str, list[Numbers]] = {name: [] for name in cases}

    def run(names: Sequence[str]) -> list[Numbers]:
        return measured(names, cases, variables)

    # On one screen two windows would cover each other.
    is_alone = effort.is_careful or variables.get("QT_QPA_PLATFORM") != "offscreen"
    with ThreadPoolExecutor(1 if is_alone else 2) as pool:
        for number in range(max(effort.n_rounds, effort.n_start_rounds)):
            order = turned([name for name, case in cases.items() if number < _n_rounds(case, effort)], number)
            sys.stderr.write(f"round {number + 1}: {len(order)} cases\n")
            batches = [[name] for name in order] if effort.is_careful else _by_module(cases)
            for names, found in zip(batches, pool.map(run, batches), strict=True):
                for name, numbers in zip(names, found, strict=True):
                    answers[name].append(numbers)
    return answers


def turned(names: Sequence[str], number: int) -> list[str]:
    """The order of a round: another beginning in each, backwards in every second."""
    if not names:
        return []
    first = number * 5 % len(names)
    order = [*names[first:], *names[:first]]
    return order[::-1] if number % 2 else order


def _n_rounds(case: Case, effort: Effort) -> int:
    return effort.n_start_rounds if case.work.kind == "start" else effort.n_rounds


def _since(start: float, numbers: Numbers) -> Numbers:
    return {key: (value - start) * 1e3 if key in START_MOMENTS else value for key, value in numbers.items()}


def _by_module(cases: Mapping[str, Case]) -> list[list[str]]:
    modules = dict.fromkeys(case.module for case in cases.values())
    return [[name for name, case in cases.items() if case.module == module] for module in modules]
