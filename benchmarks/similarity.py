"""Measures distances, lags and the similarity map beside other means: python -m benchmarks.similarity [--quick].

Peers come from benchmarks/similarity_requirements.txt; one that is missing or fails says why in its line. Each tool and
size is a process of its own; rounds run all of them, each round in another order.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from statistics import median

from benchmarks.asked import Found, ask, conditions
from benchmarks.rounds import environment, turned
from benchmarks.screen import screen
from benchmarks.similarity_goals import goal_lines
from benchmarks.similarity_work import SimilarityWork

OURS = ("application", "application, asked again", "application, copied")
PEERS = ("matrix product", "scipy cdist", "torch.cdist", "listing 4, NumPy", "listing 4, torch")
LAG_SIZES = ((64_000, 1000), (250_000, 1000), (1_000_000, 250), (1_000_000, 1000), (10_000_000, 512))
PACKAGES = ("numpy", "scipy", "torch", "PySide6-Essentials", "pyqtgraph")
LONGEST_SECONDS = 300.0
N_ROUNDS, N_STEPS = 5, 20
HEADER = "| work | tool | ms, median | ms, fastest round | times ours | extra MB | largest error |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where the application itself failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.similarity", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the times mean nothing")
    parser.add_argument("--only", default="", metavar="TASK", help="distances, lags or map")
    options = parser.parse_args(arguments)
    works = [work for work in all_works(is_quick=options.quick) if options.only in work.task]
    n_rounds = 1 if options.quick else N_ROUNDS
    with screen() as place, tempfile.TemporaryDirectory(prefix="pe_desktop_") as folder:
        print(conditions(n_rounds, place.words, PACKAGES))
        found = all_found(works, n_rounds, environment(place.variables, folder))
    print("\n".join([HEADER, "|" + " --- |" * (HEADER.count("|") - 1), *(line(work, found) for work in works)]))
    print("\n".join(["", *goal_lines({work: numbers.rounds for work, numbers in found.items()})]))
    return 1 if any(found[work].reason for work in works if is_ours(work)) else 0


def all_works(*, is_quick: bool) -> list[SimilarityWork]:
    """Everything that is measured; small where only a run is to be seen."""
    side, map_size = (100, (1000, 64)) if is_quick else (1000, (16_384, 512))
    lag_sizes = ((2000, 64), (8000, 64)) if is_quick else LAG_SIZES
    n_steps = 2 if is_quick else N_STEPS
    return [
        *(SimilarityWork("distances", tool, side, side, n_steps) for tool in (*OURS, *PEERS)),
        SimilarityWork("lags", "sums of cosines", *lag_sizes[0], n_steps),
        *(SimilarityWork("lags", "application", *size, n_steps) for size in lag_sizes),
        *(SimilarityWork("map", tool, *map_size, 1) for tool in ("application", "matrix product, ImageItem")),
    ]


def all_found(
    works: Sequence[SimilarityWork], n_rounds: int, variables: Mapping[str, str]
) -> dict[SimilarityWork, Found]:
    """The answers of every round, each round in another order."""
    found = {work: Found([]) for work in works}
    for number in range(n_rounds):
        sys.stderr.write(f"round {number + 1} of {n_rounds}\n")
        for index in turned([str(index) for index in range(len(works))], number):
            work = works[int(index)]
            # Who failed once is not asked again.
            if not found[work].reason:
                ask(found[work], "similarity_tools", work.word(), variables, LONGEST_SECONDS)
    return found


def line(work: SimilarityWork, found: Mapping[SimilarityWork, Found]) -> str:
    """A line of the table; times ours is the median over the rounds of the ratio within a round."""
    own = found[work]
    size = f"{work.task}, {work.n_positions} x {work.d_model}"
    if not own.rounds:
        return f"| {size} | {work.tool} | {own.reason} | | | | |"
    times = [numbers["milliseconds"] for numbers in own.rounds]
    ours = [numbers for other, numbers in found.items() if is_first(other, work)]
    ratios = [
        numbers["milliseconds"] / our["milliseconds"] for numbers, our in zip(own.rounds, ours[0].rounds, strict=False)
    ]
    extra, error = ([numbers[key] for numbers in own.rounds if key in numbers] for key in ("extra", "error"))
    cells = [
        size,
        f"{work.tool} (after {len(own.rounds)} rounds {own.reason})" if own.reason else work.tool,
        f"{median(times):.3g}",
        f"{min(times):.3g}",
        f"{median(ratios):.3g}" if ratios else "",
        f"{median(extra):.3g}" if extra else "",
        f"{max(error):.1e}" if error else "",
    ]
    return "| " + " | ".join(cells) + " |"


def is_first(other: SimilarityWork, work: SimilarityWork) -> bool:
    """Whether this is the application's line for the same work."""
    same = (work.task, work.n_positions, work.d_model)
    return other.tool == "application" and (other.task, other.n_positions, other.d_model) == same


def is_ours(work: SimilarityWork) -> bool:
    """Whether the application does it."""
    return work.tool in OURS


if __name__ == "__main__":
    sys.exit(main())
