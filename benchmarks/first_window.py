"""Measures the first window against pyqtgraph's own items and prints a table: see benchmarks/README.md."""

import argparse
import importlib.metadata
import os
import platform
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.cases import FULL, QUICK, Effort, Line, cases, lines
from benchmarks.rounds import CaseError, environment, measured, rounds
from benchmarks.screen import screen
from benchmarks.table import table

WARMED_UP = ("ours start", "peer start")
PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table; 1 where a program failed or showed a blank picture."""
    options = _parser().parse_args(arguments)
    effort = QUICK if options.quick else FULL
    chosen = [line for line in lines(effort) if options.only in line.words]
    if not chosen:
        sys.stderr.write(f"No line of the table has {options.only!r} in it\n")
        return 2
    with screen() as place, tempfile.TemporaryDirectory(prefix="pe_desktop_") as folder:
        print(_conditions(effort, place.words))
        try:
            print(_measured_table(chosen, effort, environment(place.variables, folder)))
        except CaseError as error:
            sys.stderr.write(f"{error}\n")
            return 1
    print(FOOTNOTES)
    return 0


FOOTNOTES = """
A cell is the median over the rounds, in brackets the smallest. "times as fast" is the median over the rounds of the two
numbers of a round, pyqtgraph / application. Waves of 10 000 000 positions have no peer: the samples of 64 curves and
the painter paths that PlotCurveItem builds of them would take some 20 GB of memory.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_window", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the times mean nothing")
    parser.add_argument("--only", default="", metavar="WORD", help="only the lines of the table with this in them")
    return parser


def _conditions(effort: Effort, place: str) -> str:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return (
        f"{effort.n_rounds} round(s), {effort.n_start_rounds} of the start; "
        f"{effort.n_steps} steps, {effort.seconds:g} s of playing; "
        f"{'a process for each case' if effort.is_careful else 'tools side by side: THESE TIMES MEAN NOTHING'}\n"
        f"{_system()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}\n"
        f"screen: {place}\n"
    )


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def _measured_table(chosen: Sequence[Line], effort: Effort, variables: dict[str, str]) -> str:
    needed = {name for line in chosen for name in (line.ours, line.peer)}
    wanted = {name: case for name, case in cases(effort).items() if name in needed}
    if effort.is_careful:
        for name in WARMED_UP:
            measured([name], cases(effort), variables)
    return table(chosen, rounds(wanted, effort, variables))


if __name__ == "__main__":
    sys.exit(main())
