"""One tool compares positions: a program that times it and answers with milliseconds, memory and error, or a reason."""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.answers import answer_or_reason, resident_megabytes
from benchmarks.similarity_peers import PEERS
from benchmarks.similarity_work import SimilarityWork, checked_lags, exact_distances, exact_dots
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import profile

# So many steps are enough after so many seconds.
ENOUGH_STEPS = 1
PATIENCE_SECONDS = 1.0
# Linux forgets the highest memory of a process when this is written there.
FORGET_HIGHEST = "5"

# A step is made ready untimed, then it is timed.
Step = Callable[[int], Callable[[], Any]]


def distance_steps(work: SimilarityWork) -> Step:
    """The application's side: all distances, for a base never asked for before, or for the same one again."""
    whole = Blocks(0, 1, work.n_positions)

    def ready(step: int) -> Callable[[], Any]:
        # Step 0 has the base of the peers; frequencies are made before the time is taken, as the peers' table is.
        base = 10_000 if work.tool == "application, asked again" else 10_000 + step
        encoding = SinusoidalEncoding(work.n_positions, work.d_model, base)
        field = similarity_field(encoding, "distance")
        encoding.pairs.angular_frequencies.sum()
        if work.tool == "application, copied":
            return lambda: field.means(whole, whole).copy()
        return lambda: field.means(whole, whole)

    return ready


def lag_steps(work: SimilarityWork) -> Step:
    """The application's side: all lags."""
    return lambda step: lambda: profile(work.encoding, "dot", range(work.n_positions))


def steps_of(work: SimilarityWork) -> Step:
    """What is measured; what comes before isn't."""
    if work.tool.startswith("application"):
        return distance_steps(work) if work.task == "distances" else lag_steps(work)
    compute = PEERS[work.tool](work)
    return lambda step: compute


def measured(work: SimilarityWork) -> dict[str, float]:
    """Milliseconds, median of some steps after a first one; memory above what was there; error of the first result."""
    step = steps_of(work)
    forget_highest_memory()
    before = resident_megabytes().get("resident", 0.0)
    error = largest_error(work, step(0)())
    patience = time.perf_counter() + PATIENCE_SECONDS
    times: list[float] = []
    while len(times) < work.n_steps and (len(times) < ENOUGH_STEPS or time.perf_counter() < patience):
        compute = step(len(times) + 1)
        start = time.perf_counter()
        compute()
        times.append((time.perf_counter() - start) * 1e3)
    numbers = {"milliseconds": median(times), "error": error}
    highest = resident_megabytes().get("highest")
    return numbers if highest is None else numbers | {"extra": highest - before}


def largest_error(work: SimilarityWork, result: Any) -> float:
    """Against sums that are rounded once: of all lags, or of the first row and the diagonal of all distances."""
    lags = checked_lags(work.n_positions)
    found = np.asarray(result)
    if work.task == "lags":
        return float(np.abs(found[lags] - exact_dots(work.encoding, lags)).max())
    diagonal = np.abs(np.diagonal(found)).max()
    return max(float(np.abs(found[0, lags] - exact_distances(work.encoding, lags)).max()), float(diagonal))


def forget_highest_memory() -> None:
    """From now on the highest memory counts from what there is."""
    switch = Path("/proc/self/clear_refs")
    if switch.exists():
        switch.write_text(FORGET_HIGHEST, encoding="ascii")


def main() -> None:
    """Measure what the argument says; one line of numbers, or of a reason."""
    work = SimilarityWork.from_word(sys.argv[1])
    answer_or_reason(
        lambda: import_module("benchmarks.similarity_map").measured(work) if work.task == "map" else measured(work)
    )


if __name__ == "__main__":
    main()
