"""Measures maps of scores and steps of t in the panels of attention: python -m benchmarks.attention [--quick].

Each case is a process of its own; rounds run all of them, each round in another order. benchmarks/attention_work.py is
what they run. The processor's time is that of the process alone, for computers on which other programs run. A map's
ratio is its processor's time over that of Similarity's map of dot products, which is drawn in the same way: taken
within each round, the median over the rounds. "reached" tells of the clock and of the processor's time.
"""

import sys
from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.asked import Found, ask_all, options_of
from benchmarks.attention_work import AttentionWork

N_POSITIONS, D_MODEL = 16_384, 128
N_ROUNDS, N_STEPS = 3, 40
LONGEST_SECONDS = 300.0
# The goal of the heat maps' whole table, and a frame of a screen that shows 60 a second.
MOST_MAP, MOST_STEP = 10.0, 1000 / 60
PEER = "map of Similarity, first picture"
MAPS: Mapping[str, tuple[str, dict[str, str]]] = {
    "Similarity": ("similarity", {}),
    "Look back": ("look-back", {}),
    "Look back, base 100, k = −4096": ("look-back", {"base": "100", "offset": "-4096"}),
}
STEPS = ("look-back", "rotary", "attention", "four-terms")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a case failed."""
    options = options_of("benchmarks.attention", __doc__, N_ROUNDS, arguments)
    works = all_works(is_quick=options.is_quick)
    found = ask_all("attention_work", works, options, LONGEST_SECONDS, {})
    header = "| work | ms, median | ms, fastest | processor, ms | to Similarity's | goal | reached |"
    sys.stdout.write("\n".join([header, "|" + " --- |" * 7, *(line(name, works, found) for name in found)]) + "\n")
    return 1 if any(one.reason for one in found.values()) else 0


def all_works(*, is_quick: bool) -> dict[str, AttentionWork]:
    """Everything that is measured, by the name of its line."""
    n_positions, n_steps = (500, 2) if is_quick else (N_POSITIONS, N_STEPS)
    size = {"n_positions": str(n_positions), "d_model": str(D_MODEL)}
    maps = {
        f"map of {name}, first picture": AttentionWork("map", view, size | given, n_steps)
        for name, (view, given) in MAPS.items()
    }
    steps = {f"a step of t, {view} in front": AttentionWork("step", view, size, n_steps) for view in STEPS}
    return maps | steps


def line(name: str, works: Mapping[str, AttentionWork], found: Mapping[str, Found]) -> str:
    """A line of the table; the time of a case is the median over the rounds of the medians of its steps."""
    rounds, goal = found[name].rounds, MOST_MAP if works[name].task == "map" else MOST_STEP
    if not rounds:
        return f"| {name} | {found[name].reason} | | | | | |"
    middle = median(numbers["milliseconds"] for numbers in rounds)
    fastest = min(numbers["fastest"] for numbers in rounds)
    processor = median(numbers["processor"] for numbers in rounds)
    reached = "; ".join("yes" if time <= goal else "no" for time in (middle, processor))
    times = f"{middle:.1f} | {fastest:.1f} | {processor:.1f} | {ratio(name, works, found)}"
    return f"| {name} | {times} | at most {goal:.3g} ms | {reached} |"


def ratio(name: str, works: Mapping[str, AttentionWork], found: Mapping[str, Found]) -> str:
    """How many times as long as Similarity's map a map took, round by round; a dash for what is no map."""
    if works[name].task != "map" or PEER not in found or not found[PEER].rounds:
        return "-"
    both = zip(found[name].rounds, found[PEER].rounds, strict=False)
    return f"{median(own['processor'] / peer['processor'] for own, peer in both):.2f}"


if __name__ == "__main__":
    sys.exit(main())
