"""Measures changes of the encoding in the whole window: python -m benchmarks.changes [--quick] [--only WORDS].

A slider that is dragged, the picture after it is let go, input to the last pixel, memory over 5,000 changes, and
exports. Each case is a process of its own (benchmarks/changes_work.py); rounds run all of them, each in another order.
A drag changes the encoding as soon as the screen shows what the change before it drew.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.asked import ask_all, options_of
from benchmarks.changes_work import ChangesWork

MILLION = 1_000_000
N_ROUNDS = 3
LONGEST_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on a number of a case, None for one that is only told; words are those of the table."""

    key: str
    words: str
    bound: float | None = None
    is_most: bool = True

    def told(self, rounds: Sequence[Mapping[str, float]]) -> str:
        """The median over the rounds, the bound, and whether it is reached."""
        value = median(numbers[self.key] for numbers in rounds)
        if self.bound is None:
            return f"{self.words} | {value:.3g} | - | -"
        is_reached = value <= self.bound if self.is_most else value >= self.bound
        bound = f"{'at most' if self.is_most else 'at least'} {self.bound:.3g}"
        return f"{self.words} | {value:.3g} | {bound} | {'yes' if is_reached else 'no'}"


def _drag_goals(n_changes: float, gap: float, release: float) -> tuple[Goal, ...]:
    return (
        Goal("changes", "changes shown a second", n_changes, is_most=False),
        Goal("longest_gap", "longest gap, ms", gap),
        Goal("release", "let go to the last exact picture, ms", release),
    )


QUICK_DRAG, WIDE_DRAG, WIDEST_DRAG = _drag_goals(50, 40, 60), _drag_goals(30, 60, 150), _drag_goals(10, 150, 150)
AT_MOST_TWO_STEPS = Goal("in_steps", "processor time of a change, in steps of t", 2.0)
GOALS: Mapping[str, tuple[Goal, ...]] = {
    "base, d = 32, N = 128": QUICK_DRAG,
    "base, d = 512, N = 1 000 000": (*QUICK_DRAG, AT_MOST_TWO_STEPS),
    "d_model, d = 512, N = 1 000 000": QUICK_DRAG,
    "n_positions, d = 512, N = 1 000 000": QUICK_DRAG,
    "base, d = 4096, N = 1 000 000": WIDE_DRAG,
    "base, d = 65 536, N = 1 000 000": WIDEST_DRAG,
    "latency, d = 512, N = 1 000 000": (Goal("latency", "a mouse that drags t, to the last pixel, ms", 1000 / 60),),
    "memory over changes": (Goal("grown", "MB more after all changes than after a fifth", 10.0),),
    "figures exported": (Goal("seconds", "seconds for matrix, clock and waves as PNG for paper"),),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a case failed."""
    options = options_of("benchmarks.changes", __doc__, N_ROUNDS, arguments)
    works = all_works(is_quick=options.is_quick)
    # Minutes long, and no matter of chance.
    once = [name for name, work in works.items() if work.task == "memory"]
    found = ask_all("changes_work", works, options, LONGEST_SECONDS, {}, once=once)
    sys.stdout.write("| case | what | median | goal | reached |\n| --- | --- | --- | --- | --- |\n")
    for name, one in found.items():
        for goal in GOALS[name]:
            told = goal.told(one.rounds) if one.rounds else f"{goal.words} | {one.reason} | |"
            sys.stdout.write(f"| {name} | {told} |\n")
    return 1 if any(one.reason for one in found.values()) else 0


def all_works(*, is_quick: bool) -> dict[str, ChangesWork]:
    """Everything that is measured, by the name of its case."""
    seconds, n_changes = (0.3, 20) if is_quick else (4.0, 5000)
    sizes = {
        "base, d = 32, N = 128": ("base", 128, 32),
        "base, d = 512, N = 1 000 000": ("base", MILLION, 512),
        "d_model, d = 512, N = 1 000 000": ("d_model", MILLION, 512),
        "n_positions, d = 512, N = 1 000 000": ("n_positions", MILLION, 512),
        "base, d = 4096, N = 1 000 000": ("base", MILLION, 4096),
        "base, d = 65 536, N = 1 000 000": ("base", MILLION, 65_536),
    }
    drags = {name: ChangesWork("drag", *size, seconds, n_changes) for name, size in sizes.items()}
    others = {
        "latency, d = 512, N = 1 000 000": ChangesWork("latency", "base", MILLION, 512, seconds, n_changes),
        "memory over changes": ChangesWork("memory", "base", 1000, 64, seconds, n_changes),
        "figures exported": ChangesWork("export", "base", 128, 32, seconds, n_changes),
    }
    return drags | others


if __name__ == "__main__":
    sys.exit(main())
