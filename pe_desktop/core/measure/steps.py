"""The steps from each position to the next: whether they are alike and go on where the last one went."""

from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.measure.measurement import (
    FAILS,
    HOLDS,
    ROUNDING,
    Basis,
    Measurement,
    band,
    no_evidence,
)
from pe_desktop.core.measure.tables import SAME, MeasuredTable, Tell
from pe_desktop.core.record import record

# A step of more than two usual ones looks like two steps: a position seems to be left out.
_MOST_STEP: Final = 2.0
# A step that differs from the last one by more than a step's length doesn't go on, it goes elsewhere: equal steps at
# more than 60 degrees. A hand of one radian a position bends by 2 sin(1/2) = 0.959.
_MOST_BEND: Final = 1.0
# Values evaluated or compared between two questions whether to go on: a few milliseconds.
_CELLS: Final = 2**18


@record(eq=False)
class Steps:
    """Lengths of measured steps: positions t, shape (n,), ascending, and |p_(t+1) - p_t|, shape (n,).

    median: of the steps in a row, for steps far from each other may all begin at even positions.
    bends: |p_(t+2) - 2 p_(t+1) + p_t|, of three positions in a row, shape (m,).
    """

    positions: Floats
    lengths: Floats
    median: float
    bends: Floats


def measured_steps(table: MeasuredTable, tell: Tell) -> Steps:
    """Measure the steps of a table: of a sample those of its runs, and those after 2^j - 1.

    There a binary number changes most.
    """
    encoding, height = table.encoding, max(_CELLS // table.encoding.d_model, 1)
    positions, lengths, in_a_row, bends = ([np.empty(0)] for _ in range(4))
    for run, values, after in zip(table.runs, table.values, table.after, strict=True):
        for first in range(0, len(after), height):
            last = min(first + height, len(after))
            # One step more, whose bend counts.
            steps = after[first : last + 1] - values[first : last + 1][: len(after) - first]
            positions.append(np.asarray(run[first:last], dtype=np.float64))
            lengths.append(_lengths(steps[: last - first]))
            if run.step == 1:
                in_a_row.append(lengths[-1])
                bends.append(_lengths(np.diff(steps, axis=0)))
            tell(0.9)
    if not table.is_whole:
        for power in range((encoding.n_positions - 1).bit_length()):
            here = 2.0**power - 1
            positions.append(np.array([here]))
            lengths.append(_lengths(np.diff(encoding.values([here, here + 1]), axis=0)))
            tell(1.0)
    starts, places = np.unique(np.concatenate(positions), return_index=True)
    median = _median(np.concatenate(in_a_row)) if len(starts) else 0.0
    return Steps(starts, np.concatenate(lengths)[places], median, np.concatenate(bends))


def _lengths(rows: Floats) -> Floats:
    return np.asarray(np.sqrt(np.einsum("td,td->t", rows, rows)))


def _median(values: Floats) -> float:
    """As np.median, whose first call loads numpy.ma, a twentieth of the start."""
    middle = (len(values) - 1) // 2, len(values) // 2
    low, high = np.partition(values, middle)[[*middle]].tolist()
    return float(low + high) / 2


def smooth(table: MeasuredTable, steps: Steps, longest: float) -> Measurement:
    """No step is above twice the median step, and half of all steps or more go on where the last one went.

    longest: of the vectors. Evenly turning pairs have equal steps, whose square is 4 sum a^2 sin^2(omega_i / 2).
    """
    n_steps = table.encoding.n_positions - 1
    basis = Basis("steps", len(steps.positions), n_steps)
    numbers: dict[str, float | int | None] = dict.fromkeys(
        ("largest_step", "median_step", "smallest_step", "bend", "position", "other")
    )
    if not len(steps.positions):
        return Measurement("smooth", HOLDS, "too_few", None, basis, numbers, no_evidence("position"))
    largest, median = float(steps.lengths.max()), steps.median
    numbers |= {"largest_step": largest, "median_step": median, "smallest_step": float(steps.lengths.min())}
    # The longest that a step of a smooth table has lies across.
    evidence = band("position", steps.positions, steps.lengths, steps.lengths, (0.0, _MOST_STEP * steps.median))
    if median <= ROUNDING * longest:
        is_still = largest <= ROUNDING * longest
        verdict, finding = (HOLDS, "still") if is_still else (FAILS, "rests")
        return Measurement("smooth", verdict, finding, None, basis, numbers, evidence)
    ratio = largest / median
    bend = _median(steps.bends) / median if len(steps.bends) else 0.0
    numbers["bend"] = bend
    is_even, goes_on = ratio <= _MOST_STEP, bend <= _MOST_BEND
    if ratio > 1 + SAME:
        place = int((steps.lengths >= largest * (1 - SAME)).argmax())
        numbers |= {"position": int(steps.positions[place]), "other": int(steps.positions[place]) + 1}
    finding = "uneven" if not is_even else "bends" if not goes_on else "even" if ratio > 1 + SAME else "equal"
    return Measurement("smooth", HOLDS if is_even and goes_on else FAILS, finding, ratio, basis, numbers, evidence)
