"""The ten measurements of an encoding, the same everywhere: Properties, the dock, Compare and the command line.

Each is measured on values of the table; nothing is taken from an identity that would make it zero. Up to 4,096
positions every pair of them is compared, and up to some 20,000 where rows differ. Above, a sample of four runs of
positions is; where the dot product depends on the offset alone, the smallest distances are then looked for among all
offsets, up to ten million.
"""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.measure import verdicts
from pe_desktop.core.measure.collisions import offsets_in_steps
from pe_desktop.core.measure.measurement import FAR, PROPERTIES, Analysis, Basis, Measurement, thinned
from pe_desktop.core.measure.scales import many_scales
from pe_desktop.core.measure.steps import Steps, smooth, steps_in_steps
from pe_desktop.core.measure.tables import (
    CONFUSED_BELOW,
    SAME,
    ClosePair,
    MeasuredPairs,
    MeasuredTable,
    Nearness,
    has_offsets,
    nearest_of,
    pairs_in_steps,
    table_in_steps,
)
from pe_desktop.core.measure.verdicts import fit_in_steps

_Report: TypeAlias = Callable[[tuple[Measurement, ...], float], None]
_Result = TypeVar("_Result")
_Steps: TypeAlias = Generator[float | Measurement, None, None]

# Shares of the work that are done when the table is there, its steps, the fit of its hands, its pairs.
_TABLE: Final = 0.05
_STEPS: Final = 0.1
_FIT: Final = 0.15
_PAIRS_BEFORE_OFFSETS: Final = 0.4


def measure(
    encoding: Encoding, is_cancelled: IsCancelled = never, report: _Report | None = None
) -> tuple[Measurement, ...] | None:
    """All ten, in the order of PROPERTIES; None when is_cancelled, asked every few milliseconds, says so.

    report gets what is known so far, the cheapest first, and the share of the work that is done, 0 to 1.
    """
    latch = _Latch(is_cancelled)
    found: list[Measurement] = []
    share = 0.0
    for step in _steps(encoding, latch):
        if isinstance(step, Measurement):
            found.append(step)
        else:
            share = step
        if latch():
            return None
        if report is not None:
            report(tuple(found), 1.0 if len(found) == len(PROPERTIES) else share)
    order = [*PROPERTIES]
    return None if latch() else tuple(sorted(found, key=lambda one: order.index(one.key)))


def analyse(
    encoding: Encoding, is_cancelled: IsCancelled = never, report: Callable[[Analysis], None] | None = None
) -> Analysis | None:
    """`measure` as an Analysis; report gets what is known so far as one, too."""

    def tell(measurements: tuple[Measurement, ...], share: float) -> None:
        if report is not None:
            report(Analysis(encoding, measurements, share))

    measurements = measure(encoding, is_cancelled, tell)
    return None if measurements is None else Analysis(encoding, measurements, 1.0)


class _Latch:
    """Remembers that the work was cancelled, so that a question which is asked once more gets the same answer."""

    def __init__(self, is_cancelled: IsCancelled) -> None:
        self._is_cancelled = is_cancelled
        self._is_set = False

    def __call__(self) -> bool:
        self._is_set = self._is_set or self._is_cancelled()
        return self._is_set


def _steps(encoding: Encoding, is_cancelled: IsCancelled) -> _Steps:
    """Measurements as they become known, and between them the share of the work that is done."""
    yield verdicts.periodic(encoding)
    yield many_scales(encoding)
    yield verdicts.deterministic(encoding)
    table = yield from _shares(table_in_steps(encoding), 0, _TABLE)
    norms, largest = _lengths(table)
    longest = float(norms.max())
    yield verdicts.bounded(table, norms, largest)
    yield verdicts.constant_length(table, norms)
    steps = yield from _shares(steps_in_steps(table), _TABLE, _STEPS)
    yield smooth(table, steps, longest)
    fit = yield from _shares(fit_in_steps(table), _STEPS, _FIT)
    yield verdicts.linear_shift(fit, table.basis)
    by_offsets = has_offsets(encoding) and not table.is_whole
    end = _PAIRS_BEFORE_OFFSETS if by_offsets else 1.0
    pairs = yield from _shares(pairs_in_steps(table, FAR), _FIT, end)
    yield verdicts.shift_invariant(pairs, longest, _pairs_basis(table, pairs))
    nearness: Nearness | None = _nearness_of(table, pairs, steps)
    if by_offsets:
        nearness = yield from _offsets(encoding, is_cancelled)
    if nearness is not None:
        yield verdicts.unique(nearness, longest)
        yield verdicts.far_stays_far(nearness)


def _shares(steps: Generator[float, None, _Result], first: float, last: float) -> Generator[float, None, _Result]:
    """The shares of one part of the work as shares of the whole."""
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            result: _Result = end.value
            return result
        yield first + share * (last - first)


def _offsets(encoding: Encoding, is_cancelled: IsCancelled) -> Generator[float, None, Nearness | None]:
    steps = offsets_in_steps(encoding, is_cancelled)
    while True:
        try:
            done = next(steps)
        except StopIteration as end:
            return None if end.value is None else end.value.nearness
        yield _PAIRS_BEFORE_OFFSETS + (1 - _PAIRS_BEFORE_OFFSETS) * done / (encoding.n_positions - 1)


def _lengths(table: MeasuredTable) -> tuple[Floats, float]:
    """The length of every measured vector, shape (n,), and the largest |x|."""
    squares = np.concatenate([np.einsum("td,td->t", values, values) for values in table.values])
    largest = max(max(float(values.max()), -float(values.min())) for values in table.values)
    return np.sqrt(squares), largest


def _nearness_of(table: MeasuredTable, pairs: MeasuredPairs, steps: Steps) -> Nearness:
    """How near measured positions come to one another; a step from or to an empty row is none of neighbours."""
    lowest, offsets, row = pairs.lowest, pairs.offsets, table.encoding.empty_row
    usual = steps.lengths if row is None else steps.lengths[(steps.positions != row) & (steps.positions != row - 1)]
    lengths = usual if len(usual) else steps.lengths
    neighbours = (float(lengths.min()), float(lengths.max())) if len(lengths) else (0.0, 0.0)
    is_confused = (offsets > 1) & (lowest < CONFUSED_BELOW * neighbours[0])
    is_far_confused = (offsets > FAR) & (lowest <= neighbours[1] * (1 + SAME))
    return Nearness(
        closest=_nearest(pairs, 1),
        closest_far=_nearest(pairs, FAR + 1),
        nearest_neighbours=neighbours[0],
        farthest_neighbours=neighbours[1],
        confusion=int(offsets[is_confused][0]) if is_confused.any() else None,
        far_confusion=int(offsets[is_far_confused][0]) if is_far_confused.any() else None,
        offsets=thinned(np.minimum, offsets.astype(np.float64)),
        lowest=thinned(np.minimum, lowest),
        basis=_pairs_basis(table, pairs),
    )


def _nearest(pairs: MeasuredPairs, least_offset: int) -> ClosePair | None:
    candidates = [pair for pair in pairs.close if pair.offset >= least_offset]
    return nearest_of(candidates, pairs.rounding) if candidates else None


def _pairs_basis(table: MeasuredTable, pairs: MeasuredPairs) -> Basis:
    return replace(table.basis, kind="position_pairs", n_pairs=pairs.n_pairs)
