"""The ten measurements of an encoding, the same everywhere: Properties, the dock, Compare and the command line.

Each is measured on values of the table; nothing is taken from an identity that would make it zero. Up to 4,096
positions every pair of them is compared, and up to some 20,000 where rows differ. Above, a sample of four runs of
positions is; where the dot product depends on the offset alone, the smallest distances are then looked for among all
offsets, up to ten million.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.measure import verdicts
from pe_desktop.core.measure.collisions import close_offsets
from pe_desktop.core.measure.measurement import FAR, PROPERTIES, Analysis, Basis, Measurement, thinned
from pe_desktop.core.measure.scales import many_scales
from pe_desktop.core.measure.steps import Steps, measured_steps, smooth
from pe_desktop.core.measure.tables import (
    CONFUSED_BELOW,
    SAME,
    MeasuredPairs,
    MeasuredTable,
    Nearness,
    Tell,
    has_offsets,
    measured_pairs,
    measured_table,
)


def analyse(
    encoding: Encoding, is_cancelled: IsCancelled = never, report: Callable[[Analysis], None] | None = None
) -> Analysis:
    """All ten, in the order of PROPERTIES; CancelledError as `stop_if`.

    report gets what is known so far, the cheapest first, and the share of the work that is done.
    """
    found: list[Measurement] = []

    def tell(share: float) -> None:
        stop_if(is_cancelled)
        if report is not None:
            report(Analysis(encoding, tuple(found), share))

    def part(first: float, last: float) -> Tell:
        return lambda share: tell(first + share * (last - first))

    def add(share: float, measurement: Measurement) -> None:
        found.append(measurement)
        tell(share)

    add(0.0, verdicts.periodic(encoding))
    add(0.0, many_scales(encoding))
    add(0.0, verdicts.deterministic(encoding))
    table = measured_table(encoding, part(0.0, 0.05))
    norms = np.sqrt(np.concatenate([np.einsum("td,td->t", values, values) for values in table.values]))
    longest = float(norms.max())
    add(0.05, verdicts.bounded(table, norms))
    add(0.05, verdicts.constant_length(table, norms))
    steps = measured_steps(table, part(0.05, 0.1))
    add(0.1, smooth(table, steps, longest))
    add(0.15, verdicts.linear_shift(verdicts.shift_fit(table, part(0.1, 0.15)), table.basis))
    searches = has_offsets(encoding) and not table.is_whole
    pairs = measured_pairs(table, part(0.15, 0.4 if searches else 1.0))
    add(0.4 if searches else 1.0, verdicts.shift_invariant(pairs, longest, _pairs_basis(table, pairs)))
    if searches:
        search = part(0.4, 1.0)
        nearness = close_offsets(encoding, lambda done, total: search(done / total), is_cancelled).nearness
    else:
        nearness = _nearness_of(table, pairs, steps)
    add(1.0, verdicts.unique(nearness, longest))
    add(1.0, verdicts.far_stays_far(nearness))
    order = [*PROPERTIES]
    return Analysis(encoding, tuple(sorted(found, key=lambda one: order.index(one.key))), 1.0)


def measure(encoding: Encoding) -> tuple[Measurement, ...]:
    """All ten, in the order of PROPERTIES."""
    return analyse(encoding).measurements


def _nearness_of(table: MeasuredTable, pairs: MeasuredPairs, steps: Steps) -> Nearness:
    """How near measured positions come to one another; a step from or to an empty row is none of neighbours."""
    lowest, offsets, row = pairs.lowest, pairs.offsets, table.encoding.empty_row
    usual = steps.lengths if row is None else steps.lengths[(steps.positions != row) & (steps.positions != row - 1)]
    lengths = usual if len(usual) else steps.lengths
    nearest, farthest = (float(lengths.min()), float(lengths.max())) if len(lengths) else (0.0, 0.0)
    confused = offsets[(offsets > 1) & (lowest < CONFUSED_BELOW * nearest)]
    far_confused = offsets[(offsets > FAR) & (lowest <= farthest * (1 + SAME))]
    return Nearness(
        closest=pairs.closest,
        closest_far=pairs.closest_far,
        nearest_neighbours=nearest,
        farthest_neighbours=farthest,
        confusion=int(confused[0]) if len(confused) else None,
        far_confusion=int(far_confused[0]) if len(far_confused) else None,
        offsets=thinned(np.minimum, offsets.astype(np.float64)),
        lowest=thinned(np.minimum, lowest),
        basis=_pairs_basis(table, pairs),
    )


def _pairs_basis(table: MeasuredTable, pairs: MeasuredPairs) -> Basis:
    return replace(table.basis, kind="position_pairs", n_pairs=pairs.n_pairs)
