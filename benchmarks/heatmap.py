"""Measures the heat map beside other tools' and prints tables: python -m benchmarks.heatmap [--quick] [--axes].

With --axes only the picture as it is on the screen beside ImageItem with axes, which takes a minute. Peers come from
benchmarks/heatmap_requirements.txt; one that is missing or fails says why in its cell. Each tool and size is a process
of its own; rounds run all of them, each round in another order.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from benchmarks.asked import Found, ask, conditions
from benchmarks.heatmap_goals import AIMED_CASES, LARGE, goal_lines
from benchmarks.heatmap_work import AXES_KINDS, AXES_TOOLS, KINDS, MOST_TABLE_BYTES, OPENGL_TOOL, HeatWork, write_tables
from benchmarks.rounds import environment, turned
from benchmarks.screen import screen

SIZES = ((100, 128), (1_000, 1_000), (8_192, 4_096), (100_000, 1_024), (1_000_000, 4_096))
# Peers would need 160 GB and more for these.
OUR_SIZES = (*SIZES, (10_000_000, 4_096), (1_000_000, 65_536))
IMAGE_ITEMS = ("ImageItem", "ImageItem autoDownsample", "ImageItem OpenGL")
PEERS = (*IMAGE_ITEMS, "vispy", "pygfx", "fastplotlib", "matplotlib")
# A tiny table in pyqtgraph's view: what the libraries alone hold in memory.
FLOORS = (("ready picture", (100, 128)), ("ImageItem", (100, 128)))
PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "matplotlib", "vispy", "pygfx", "wgpu", "fastplotlib")
SLOW_PEERS = ("ImageItem OpenGL", "vispy", "pygfx", "fastplotlib", "matplotlib")
LONGEST_SECONDS = 60.0
# What no goal speaks of is asked in the first rounds only, and what takes longer than this a step, in ms, in one.
SLOW_STEP = 1000.0
N_OTHER_ROUNDS = 2
# So many times as many steps for what is drawn with axes.
AXES_STEPS = 4

Case: TypeAlias = tuple[str, tuple[int, int]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where the application itself failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.heatmap", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the times mean nothing")
    parser.add_argument("--only", default="", metavar="WORD", help="only the peers with this in their name")
    parser.add_argument("--axes", action="store_true", help="only what is drawn with axes, 8192 x 4096")
    options = parser.parse_args(arguments)
    n_rounds, n_steps = (1, 2) if options.quick else (5, 15)
    sizes = SIZES[:2] if options.quick else SIZES
    with_axes = [(tool, sizes[-1] if options.quick else LARGE) for tool in AXES_TOOLS]
    cases = with_axes if options.axes else [*with_axes, *_cases(sizes, options.only)]
    with screen() as place, tempfile.TemporaryDirectory(prefix="pe_desktop_") as folder:
        print(conditions(n_rounds, place.words, PACKAGES))
        for size in _tabled(dict.fromkeys(size for _, size in cases)):
            write_tables(folder, *size)
        found = _measured(cases, n_rounds, n_steps, environment(place.variables, folder), folder)
    answers = {case: numbers.rounds for case, numbers in found.items() if numbers.rounds}
    if not options.axes:
        print(_table(sizes, found))
    print(_axes_table({case: found[case] for case in with_axes}))
    print("\n".join(["", *goal_lines(answers)]))
    return 1 if any(found[case].reason for case in found if case[0] in ("application", AXES_TOOLS[0])) else 0


def _tabled(sizes: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sizes whose tables peers can hold, float32."""
    return [size for size in sizes if 4 * size[0] * size[1] <= MOST_TABLE_BYTES]


def _cases(sizes: Sequence[tuple[int, int]], word: str) -> list[Case]:
    ours = OUR_SIZES if sizes == SIZES else sizes
    peers = [
        (tool, size)
        for tool in PEERS
        if word in tool
        for size in _tabled(sizes)
        # What costs the same at any size is measured where the goals are.
        if tool not in SLOW_PEERS or size != SIZES[0]
    ]
    own = [(tool, size) for tool in ("application", OPENGL_TOOL) for size in ours]
    return list(dict.fromkeys([*own, *peers, *FLOORS]))


def _measured(
    cases: Sequence[Case], n_rounds: int, n_steps: int, variables: Mapping[str, str], folder: str
) -> dict[Case, Found]:
    found = {case: Found([]) for case in cases}
    for number in range(n_rounds):
        sys.stderr.write(f"round {number + 1} of {n_rounds}\n")
        for index in turned([str(index) for index in range(len(cases))], number):
            tool, size = case = cases[int(index)]
            if _is_asked(case, found[case], number):
                # These are compared most closely, and all of them are quick.
                n_more = AXES_STEPS if tool in AXES_TOOLS else 1
                word = HeatWork(tool, *size, n_more * n_steps, folder).word()
                ask(found[case], "heatmap_tools", word, variables, LONGEST_SECONDS)
    return found


def _is_asked(case: Case, found: Found, number: int) -> bool:
    """Who failed once is not asked again, who is slow or beside the goals not in every round."""
    is_slow = any(numbers[kind] > SLOW_STEP for numbers in found.rounds for kind in KINDS if kind in numbers)
    is_aimed = case[0] == "application" or case in AIMED_CASES
    return not found.reason and (number < N_OTHER_ROUNDS or is_aimed) and not is_slow


def _table(sizes: Sequence[tuple[int, int]], found: Mapping[Case, Found]) -> str:
    """Milliseconds of each kind of work, and resident MB, for every tool and size."""
    shown = [*sizes, *(size for size in OUR_SIZES if ("application", size) in found and size not in sizes)]
    tools = list(dict.fromkeys(tool for tool, _ in found if tool not in AXES_TOOLS))
    lines = [
        "| ms: full / pan / jump / base, resident MB | " + " | ".join(f"{n} x {d}" for n, d in shown) + " |",
        "|" + " --- |" * (len(shown) + 1),
    ]
    notes: list[str] = []
    for tool in tools:
        cells = [_cell(tool, size, found.get((tool, size)), notes) for size in shown]
        lines.append(f"| {tool} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"{number}. {note}" for number, note in enumerate(notes, 1))])


def _axes_table(found: Mapping[Case, Found]) -> str:
    """Milliseconds of the clock, in brackets the fastest, and of the processor, for what is drawn with axes."""
    lines = [
        "",
        "| ms, median (fastest), of the processor | " + " | ".join(AXES_KINDS) + " |",
        "|" + " --- |" * (len(AXES_KINDS) + 1),
    ]
    for (tool, (n, d)), one in found.items():
        numbers = [
            f"{_median(one, kind):.1f} ({min(some[f'fastest {kind}'] for some in one.rounds):.1f}), "
            f"{_median(one, f'processor {kind}'):.1f}"
            for kind in AXES_KINDS
            if one.rounds
        ]
        lines.append(f"| {tool}, {n} x {d} | {' | '.join(numbers) or one.reason} |")
    return "\n".join(lines)


def _cell(tool: str, size: tuple[int, int], found: Found | None, notes: list[str]) -> str:
    if found is None:
        gigabytes = 4e-9 * size[0] * size[1]
        return f"{gigabytes:.0f} GB of data" if tool in PEERS and gigabytes > MOST_TABLE_BYTES / 1e9 else "-"
    if found.reason:
        note = f"{tool}: {found.reason}"
        if note not in notes:
            notes.append(note)
        return f"can't ({notes.index(note) + 1})"
    times = [f"{_median(found, kind):.1f}" for kind in KINDS if kind in found.rounds[0] and kind != "repaint"]
    return f"{' / '.join(times)}, {_median(found, 'resident'):.0f} MB"


def _median(found: Found, key: str) -> float:
    return median([numbers.get(key, float("nan")) for numbers in found.rounds])


if __name__ == "__main__":
    sys.exit(main())
