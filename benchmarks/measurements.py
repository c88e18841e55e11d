"""Measures the ten measurements of large tables, and playing beside them: python -m benchmarks.measurements [--quick].

Each case is a process of its own; rounds run all of them, each round in another order. benchmarks/measurements_work.py
is what they run. Matrix products have one thread, as in the application, unless OPENBLAS_NUM_THREADS says another
number. Processor's times are those of the process alone, for computers on which other programs run; "until Cancel" is
the longest time between two questions whether to go on.
"""

import sys
from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.asked import ONE_THREAD, Found, ask_all, options_of
from benchmarks.measurements_work import MeasurementsWork
from benchmarks.rounds import Numbers

N_ROUNDS, SECONDS = 3, 5.0
LONGEST_SECONDS = 900.0
N_POSITIONS = 10_000_000
# Goals: seconds of the processor by d_model, milliseconds until Cancel acts, the share of frames beside measuring.
MOST_SECONDS: Mapping[int, float] = {512: 3.0, 4096: 3.0, 65_536: 30.0}
MOST_WAIT, LEAST_SHARE = 50.0, 0.9


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a case failed."""
    options = options_of("benchmarks.measurements", __doc__, N_ROUNDS, arguments)
    works = all_works(is_quick=options.is_quick)
    found = ask_all("measurements_work", works, options, LONGEST_SECONDS, ONE_THREAD)
    sys.stdout.write("\n".join([*_table("measure", works, found), "", *_table("play", works, found)]) + "\n")
    return 1 if any(one.reason for one in found.values()) else 0


def all_works(*, is_quick: bool) -> dict[str, MeasurementsWork]:
    """Everything that is measured, by the name of its line."""
    n_positions, seconds = (20_000, 0.3) if is_quick else (N_POSITIONS, SECONDS)
    widths = [512] if is_quick else [*MOST_SECONDS]
    tasks = {"measure": "measure, d = {}", "play": "playing beside measure, d = {}"}
    return {
        name.format(d_model): MeasurementsWork(task, n_positions, d_model, seconds)
        for task, name in tasks.items()
        for d_model in widths
    }


def _table(task: str, works: Mapping[str, MeasurementsWork], found: Mapping[str, Found]) -> list[str]:
    """The lines of one task, with medians over the rounds."""
    columns, cells = {"measure": (_MEASURED, _measured_cells), "play": (_PLAYED, _played_cells)}[task]
    lines = [f"| {' | '.join(columns)} |", "|" + " --- |" * len(columns)]
    for name, one in found.items():
        work, rounds = works[name], one.rounds
        if work.task == task:
            told = cells(work, rounds) if rounds else [one.reason, *[""] * (len(columns) - 2)]
            lines.append(f"| {' | '.join([name, *told])} |")
    return lines


_MEASURED = ("work", "s", "processor, s", "offsets", "goal", "reached", "until Cancel, ms", "processor, ms", "goal")
_PLAYED = ("work", "frames", "frames beside it", "share", "goal", "reached", "longest gap, ms", "beside it, ms")


def _measured_cells(work: MeasurementsWork, rounds: Sequence[Numbers]) -> list[str]:
    middle, most = _medians(rounds), MOST_SECONDS[work.d_model]
    return [
        *(f"{middle['seconds']:.2f}", f"{middle['processor']:.2f}", f"{middle['offsets']:.0f}"),
        *(f"at most {most:g} s", "yes" if middle["processor"] <= most else "no"),
        *(f"{middle['wait']:.0f}", f"{middle['busy']:.0f}", f"at most {MOST_WAIT:g} ms"),
    ]


def _played_cells(_work: MeasurementsWork, rounds: Sequence[Numbers]) -> list[str]:
    """The share is taken within each round."""
    middle = _medians(rounds)
    share = median(numbers["frames_beside"] / numbers["frames"] for numbers in rounds)
    return [
        *(f"{middle['frames']:.0f}", f"{middle['frames_beside']:.0f}", f"{share:.2f}"),
        *(f"at least {LEAST_SHARE:g}", "yes" if share >= LEAST_SHARE else "no"),
        *(f"{middle['gap']:.0f}", f"{middle['gap_beside']:.0f}"),
    ]


def _medians(rounds: Sequence[Numbers]) -> dict[str, float]:
    return {name: median(numbers[name] for numbers in rounds) for name in rounds[0]}


if __name__ == "__main__":
    sys.exit(main())
