"""The rows of a table that measurements look at: all of them, or a sample in four runs."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, HasEmptyRow
from pe_desktop.core.rules import grouped

# Up to here every pair of positions is compared: eight million of them, about a second.
MAX_ALL_PAIRS: Final = 4096
# Values held at once, 64 MiB: wider tables are measured at fewer positions.
MAX_CELLS: Final = 2**23
# A sample of fewer rows than this could not show what happens along an offset.
_FEWEST: Final = 64
# Values evaluated between two questions whether to go on: a few milliseconds.
_STEP_CELLS: Final = 2**18


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredTable:
    """Rows of the table of an encoding, in runs of evenly spaced positions.

    runs: the positions; values: for each run, shape (len(run), d_model). One run of all positions, or four of equal
    length: the first positions, those in the middle or around an empty row, the last ones, and a run spread evenly over
    the whole table.
    """

    encoding: Encoding
    runs: tuple[range, ...]
    values: tuple[Floats, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every position is there."""
        return len(self.runs) == 1

    @property
    def basis(self) -> str:
        """What is measured, in words."""
        everything = grouped(self.encoding.n_positions)
        if self.is_whole:
            return f"all {everything} positions"
        return f"{grouped(sum(map(len, self.runs)))} of {everything} positions, in four runs"

    def neighbours(self) -> Iterator[tuple[Floats, Floats]]:
        """The vectors at positions t and at t + 1, a few milliseconds of them at a time, shapes (n, d_model)."""
        height = max(_STEP_CELLS // self.encoding.d_model, 1)
        for run, values in zip(self.runs, self.values, strict=True):
            if run.step == 1:
                for first in range(0, len(run) - 1, height):
                    last = min(first + height, len(run) - 1)
                    yield values[first:last], values[first + 1 : last + 1]
            else:
                for first in range(0, len(run), height):
                    here = run[first : first + height]
                    after = range(here.start + 1, here.stop + 1, here.step)
                    yield values[first : first + height], self.encoding.values(after)


def measured_runs(n_positions: int, d_model: int, centre: int | None = None) -> tuple[range, ...]:
    """Which positions are measured: all, where they are at most 4,096 and hold at most 2^23 values, else four runs.

    The runs of a sample have 1,024 positions each, fewer where d_model is above 2,048, and at least 16. centre is what
    the second one lies around, by default the middle of the table.
    """
    most = min(MAX_ALL_PAIRS, max(MAX_CELLS // d_model, _FEWEST))
    if n_positions <= most:
        return (range(n_positions),)
    length = most // 4
    first = (n_positions if centre is None else 2 * centre) - length
    middle = min(max(first // 2, 0), n_positions - length)
    # The last of the spread positions still has a neighbour.
    step = (n_positions - 2) // (length - 1)
    spread = range(0, (length - 1) * step + 1, step)
    return range(length), range(middle, middle + length), range(n_positions - length, n_positions), spread


def table_in_steps(encoding: Encoding) -> Generator[float, None, MeasuredTable]:
    """Evaluate the measured rows; yields the share that is done, every few milliseconds, and returns the table."""
    centre = encoding.empty_row if isinstance(encoding, HasEmptyRow) else None
    runs = measured_runs(encoding.n_positions, encoding.d_model, centre)
    height = max(_STEP_CELLS // encoding.d_model, 1)
    tables: list[Floats] = []
    for run in runs:
        values = np.empty((len(run), encoding.d_model))
        for first in range(0, len(run), height):
            values[first : first + height] = encoding.values(run[first : first + height])
            yield (len(tables) + min((first + height) / len(run), 1)) / len(runs)
        tables.append(values)
    return MeasuredTable(encoding, runs, tuple(tables))
