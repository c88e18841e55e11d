"""Measures how long the window answers to nobody where rows differ: python -m benchmarks.blocks [--quick].

Kinds whose rows differ have no closed form for what a pixel covers: each costs values of the table. A case is a process
of its own; benchmarks/blocks_work.py is what it runs: the whole window, and in it the gestures of a person, each until
everything that is seen is exact again, or for half a minute. A block is one turn of the event loop: nothing that a
person does is heard before it ends. What is told is the thread's own processor time for the longest of them, the least
of the rounds, so that other programs weigh little; beside it the longest of all by the clock, in which they count.
"""

import sys
from collections.abc import Mapping, Sequence

from benchmarks.asked import ONE_THREAD, Found, ask_all, options_of
from benchmarks.blocks_work import GESTURES, BlocksWork
from pe_desktop.core.presets import PRESETS

KINDS = (
    "paper",
    "map-square",
    "map-log",
    "sine-only",
    "odd-width",
    "doubled-exponent",
    "fairseq-padded",
    "counter",
    "normalised-counter",
    "binary",
    "random",
)
# Every panel is opened with every preset, at each of these sizes.
PANEL_SIZES = ((512, 10_000), (4096, 10_000))
SIZES = ((512, 1_000_000), (4096, 1_000_000), (65_536, 1_000_000), (65_536, 10_000_000))
N_ROUNDS = 1
LONGEST_SECONDS = 600.0
MOST_BLOCK = 50.0
GESTURES_OF_PANELS = ("open", "panels")
GESTURES_OF_KINDS = tuple(name for name in GESTURES if name not in GESTURES_OF_PANELS)
COLUMNS = ("choose", *GESTURES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a case failed."""
    options = options_of("benchmarks.blocks", __doc__, N_ROUNDS, arguments)
    works = all_works(is_quick=options.is_quick)
    found = ask_all("blocks_work", works, options, LONGEST_SECONDS, ONE_THREAD, told=line)
    names = " | ".join(COLUMNS)
    rule = "|" + " --- |" * (len(COLUMNS) + 4)
    ends = f"by the clock | exact after, s | at most {MOST_BLOCK:.0f}"
    header = f"| kind and size, ms of the longest block | {names} | {ends} |"
    sys.stdout.write("\n".join([header, rule, *(line(name, one) for name, one in found.items())]) + "\n")
    return 1 if any(one.reason for one in found.values()) else 0


def all_works(*, is_quick: bool) -> Mapping[str, BlocksWork]:
    """Everything that is measured, by the name of its line."""
    sizes = ((64, 1000),) if is_quick else SIZES
    works = {
        f"{preset}, {d_model:,} x {n_positions:,}": BlocksWork(preset, n_positions, d_model, GESTURES_OF_KINDS)
        for d_model, n_positions in sizes
        for preset in KINDS
    }
    panels = {
        f"panels, {preset}, {d_model:,} x {n_positions:,}": BlocksWork(preset, n_positions, d_model, GESTURES_OF_PANELS)
        for d_model, n_positions in (sizes if is_quick else PANEL_SIZES)
        for preset in PRESETS
    }
    return works | panels


def line(name: str, found: Found) -> str:
    """A line of the table: for each gesture the longest block, in the round in which it was shortest."""
    if not found.rounds:
        return f"| {name} | {found.reason} |" + " |" * (len(COLUMNS) + 2)
    done = [gesture for gesture in COLUMNS if gesture in found.rounds[0]]
    blocks = {gesture: min(numbers[gesture] for numbers in found.rounds) for gesture in done}
    cells = [f"{blocks[gesture]:.0f}" if gesture in blocks else "" for gesture in COLUMNS]
    clock, seconds = (min(numbers[name] for numbers in found.rounds) for name in ("clock", "exact"))
    reached = "yes" if max(blocks.values()) <= MOST_BLOCK else "no"
    return f"| {name} | {' | '.join(cells)} | {clock:.0f} | {seconds:.1f} | {reached} |"


if __name__ == "__main__":
    sys.exit(main())
