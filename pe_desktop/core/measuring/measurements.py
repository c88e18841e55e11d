"""The ten measurements of an encoding, the same everywhere: Properties, the dock, Compare and the command line.

Each is measured on values of the table; nothing is taken from an identity that would make it zero. Up to 4,096
positions every pair of them is compared, and up to some 20,000 where rows differ. Above, a sample of four runs of
positions is; where the dot product depends on the offset alone, the smallest distances are then looked for among all
offsets, up to ten million.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from pe_desktop.core.cursor import hand_columns
from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Integers, ends_of
from pe_desktop.core.fields.field import even_sample, quantiles
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.measuring import measurement, periodic, tables
from pe_desktop.core.measuring.collisions import close_offsets
from pe_desktop.core.measuring.measurement import FAR, Basis, Evidence, Measurement
from pe_desktop.core.source.checks import off_after_a_turn, tenfolds


def analyse(
    encoding: Encoding, is_cancelled: IsCancelled = never, report: Callable[[measurement.Analysis], None] | None = None
) -> measurement.Analysis:
    """All ten, in the order of PROPERTY_KEYS; CancelledError as `stop_if`.

    report gets what is known so far, the cheapest first, and the share of the work that is done.
    """
    found: list[Measurement] = []

    def tell(share: float) -> None:
        stop_if(is_cancelled)
        if report is not None:
            report(measurement.Analysis(tuple(found), share))

    def part(first: float, last: float) -> tables.Tell:
        return lambda share: tell(first + share * (last - first))

    def add(share: float, one: Measurement) -> None:
        found.append(one)
        tell(share)

    add(0.0, _periodic(encoding))
    add(0.0, _many_scales(encoding))
    add(0.0, _deterministic(encoding))
    table = tables.measured_table(encoding, part(0.0, 0.05))
    norms = table.lengths
    longest = float(norms.max())
    add(0.05, _bounded(table, norms))
    add(0.05, _constant_length(table, norms))
    steps = tables.measured_steps(table, part(0.05, 0.1))
    add(0.1, _smooth(table, steps, longest))
    add(0.15, _linear_shift(table, *tables.hand_residuals(table, part(0.1, 0.15))))
    searches = encoding.is_shift_invariant and not table.is_whole
    pairs = tables.measured_pairs(table, part(0.15, 0.4 if searches else 1.0))
    add(0.4 if searches else 1.0, _shift_invariant(pairs, longest, _pairs_basis(table, pairs)))
    if searches:
        search = part(0.4, 1.0)
        nearness = close_offsets(encoding, lambda done, total: search(done / total), is_cancelled)
    else:
        nearness = _nearness_of(table, pairs, steps)
    add(1.0, _unique(nearness, longest))
    add(1.0, _far_stays_far(nearness, encoding.empty_row))
    return measurement.Analysis(tuple(sorted(found, key=lambda one: measurement.PROPERTY_KEYS.index(one.key))), 1.0)


def measure(encoding: Encoding) -> tuple[Measurement, ...]:
    """All ten, in the order of PROPERTY_KEYS."""
    return analyse(encoding).measurements


def _nearness_of(table: tables.MeasuredTable, pairs: tables.MeasuredPairs, steps: tables.Steps) -> tables.Nearness:
    """How near measured positions come to one another; a step from or to an empty row is none of neighbours."""
    lowest = pairs.lowest
    offsets = pairs.offsets
    row = table.encoding.empty_row
    usual = steps.lengths if row is None else steps.lengths[(steps.positions != row) & (steps.positions != row - 1)]
    lengths = usual if len(usual) else steps.lengths
    farthest = float(lengths.max()) if len(lengths) else 0.0
    far_confused = offsets[(offsets > FAR) & (lowest <= farthest * (1 + tables.SAME))]
    return tables.Nearness(
        nearest=() if pairs.closest is None else (pairs.closest,),
        closest_far=pairs.closest_far,
        farthest_neighbours=farthest,
        far_confusion=int(far_confused[0]) if len(far_confused) else None,
        offsets=_thinned(offsets),
        lowest=_thinned(lowest),
        basis=_pairs_basis(table, pairs),
    )


def _pairs_basis(table: tables.MeasuredTable, pairs: tables.MeasuredPairs) -> Basis:
    return replace(table.basis, kind="position_pairs", n_pairs=pairs.n_pairs)


_Numbers: TypeAlias = dict[str, float | int | None]
# A step of more than two usual ones looks like two steps: a position seems to be left out.
_MOST_STEP: Final = 2.0
# A step that differs from the last one by more than a step's length doesn't go on, it goes elsewhere: equal steps at
# more than 60 degrees. A hand of one radian a position bends by 2 sin(1/2) = 0.959.
_MOST_BEND: Final = 1.0
# Fewer steps than this can be fitted whatever they are.
_FEWEST_STEPS: Final = 3
# Fewer positions than this have no two steps, no two pairs at an offset, and no growth.
_FEWEST_POSITIONS: Final = 3
# Values that grow: vectors of the first quarter are, in the mean square, shorter than this share of all.
_GROWS_BELOW: Final = 0.8
# Of values drawn at random their mean square is off by chance: so many standard deviations are no growth.
_CHANCE: Final = 4.0
# Hands whose values stand as evidence, and points of each.
_CURVES: Final = 3
# Residuals of zero are drawn here.
_LOWEST_DRAWN: Final = 1e-17
# Far positions that are confused sooner than this are never far.
_NEVER_FAR: Final = 2 * FAR
# The evidence where there is nothing to draw.
_NOTHING: Final = Evidence("position", np.empty(0), np.empty((1, 0)))


def _thinned(values: Floats | Integers, extreme: np.ufunc = np.minimum) -> Floats:
    """The smallest or, by np.maximum, the largest value of each stretch, shape (at most EVIDENCE_POINTS,)."""
    starts = np.arange(0, len(values), max(-(-len(values) // measurement.EVIDENCE_POINTS), 1))
    return np.asarray(extreme.reduceat(values, starts) if len(values) else values, dtype=np.float64)


def _band(x_name: str, name: str, x: Floats | Integers, *ends: Floats, levels: tuple[float, ...] = (0.0,)) -> Evidence:
    """The smallest and the largest values of each stretch; ends: both at each x, or what they are."""
    bounds = np.stack([_thinned(ends[0]), _thinned(ends[-1], np.maximum)])
    return Evidence(x_name, _thinned(x), bounds, name, levels)


def _periodic(encoding: Encoding) -> Measurement:
    """Every hand is where it was after its own wavelength, and no whole position is a whole number of its turns.

    Up to 16 hands are compared at up to 8 positions p, from 0 on, with themselves at p + 2 pi / omega, but for those
    whose wavelength reaches beyond 2^31. The number is in lengths of the longest hand; of one that turns evenly it is
    less than 1e-14.
    """
    pairs = encoding.pairs
    turning = np.empty(0, dtype=np.int64) if pairs is None else np.flatnonzero(np.isfinite(pairs.wavelengths))
    if pairs is None or not len(turning):
        waves = encoding.turning_pairs
        unpaired = "nothing_turns" if encoding.column_waves is None else "unpaired"
        n_pairs, n_turning = (0, 0) if waves is None else (waves.count, periodic.turning_within(encoding, waves))
        finding = unpaired if encoding.empty_row is None else "zero_row"
        basis = Basis("hands", 0, n_pairs)
        found: _Numbers = {"n_pairs": n_pairs, "n_turning": n_turning, "empty_row": encoding.empty_row}
        return Measurement("periodic", finding, n_turning, basis, found, _NOTHING)
    wavelengths = pairs.wavelengths[turning]
    compared = periodic.compared_hands(pairs)
    table = partial(encoding.values, dimensions=pairs.columns[compared].reshape(-1))
    hands = range(len(compared))
    columns = [[2 * hand, 2 * hand + 1] for hand in hands]
    apart = off_after_a_turn(table, encoding.n_positions, pairs.angular_frequencies[compared], hands, columns)
    holds = apart <= ROUNDING
    n_turning = periodic.turning_within(encoding, pairs)
    returns = periodic.near_returns(encoding, 0, encoding.n_positions - 1) if holds else ()
    # A hand that has not turned yet has not returned.
    closest = [one for one in returns if one.turns][-1:]
    finding = "off_after_a_turn"
    if holds:
        finding = "one_position" if encoding.n_positions == 1 else "near_return" if closest else "no_near_return"
    numbers = {
        "n_pairs": pairs.count,
        "n_turning": n_turning,
        "shortest_wavelength": float(wavelengths.min()),
        "longest_wavelength": float(wavelengths.max()),
        "largest_difference": apart,
        "closest_return": closest[0].positions if closest else None,
        "closest_return_chord": closest[0].chord if closest else None,
    }
    basis = Basis("hands", len(compared), pairs.count)
    evidence = _wave(encoding, float(pairs.wavelengths[0]), int(pairs.columns[0, 0]))
    return Measurement("periodic", finding, n_turning if holds else apart, basis, numbers, evidence)


def _wave(encoding: Encoding, wavelength: float, column: int) -> Evidence:
    """Two turns of the first hand."""
    if not np.isfinite(wavelength):
        return _NOTHING
    positions = np.linspace(0, 2 * wavelength, measurement.EVIDENCE_POINTS // 4 + 1)
    wave = encoding.values(positions, [column])[:, 0]
    return Evidence("position", positions, wave[None], levels=(0.0,))


def _many_scales(encoding: Encoding) -> Measurement:
    """Every tenfold of wavelength that begins within N has a hand: [2 pi, 20 pi), [20 pi, 200 pi), ..."""
    turning = periodic.turning_wavelengths(encoding)
    basis = Basis("wavelengths", len(turning), len(periodic.hand_wavelengths(encoding)))
    names = ("n_decades", "fewest", "most", "per_decade", "gap_from", "gap_to")
    if not len(turning):
        is_uneven = encoding.pairs is not None and not encoding.pairs.turns_evenly
        finding = "uneven" if is_uneven else "nothing_turns"
        return Measurement("scales", finding, None, basis, dict.fromkeys(names), _NOTHING)
    n_decades = max(int(tenfolds(np.array([float(encoding.n_positions)]))[0]), 0) + 1
    counts = np.array([np.count_nonzero(tenfolds(turning) == decade) for decade in range(n_decades)])
    fewest = int(counts.min())
    emptiest = int(counts.argmin())
    gap = (None, None) if fewest else tuple(math.tau * 10.0 ** (emptiest + step) for step in (0, 1))
    rate = periodic.hands_per_decade(turning)
    numbers = n_decades, fewest, int(counts.max()), rate if math.isfinite(rate) else None, *gap
    hands = _thinned(np.arange(len(turning)))
    levels = tuple(math.tau * 10.0**decade for decade in range(n_decades + 1))
    shown = _thinned(turning)[None]
    evidence = Evidence("pair", hands, shown, "wavelength", levels, are_points=True, is_logarithmic=True)
    finding = "gap" if not fewest else "evenly" if counts.max() == fewest else "every"
    finding = "one_tenfold" if n_decades == 1 else finding
    return Measurement("scales", finding, fewest, basis, dict(zip(names, numbers, strict=True)), evidence)


# Values that are evaluated twice: some milliseconds.
_EVALUATED: Final = 2**17
_MOST_EVALUATED: Final = 256


def evaluated_positions(encoding: Encoding) -> Integers:
    """The positions at which the formula is evaluated twice: all of them, or some that are spread evenly."""
    most = min(max(_EVALUATED // encoding.d_model, 2), _MOST_EVALUATED)
    return even_sample(encoding.n_positions, most)


def _deterministic(encoding: Encoding) -> Measurement:
    """The formula alone gives the table: two evaluations agree in every bit, and no number has to be kept beside it.

    Where values are drawn, a table drawn anew is compared instead: then they are kept, if only by a seed.
    """
    positions = evaluated_positions(encoding)
    other = encoding.redrawn
    first, second = (table.values(positions) for table in (encoding, encoding if other is None else other))
    n_changed = int(np.count_nonzero(first.view(np.int64) != second.view(np.int64)))
    finding = "drawn" if other is not None else "repeats" if not n_changed else "changes"
    number = float(np.abs(second - first).max())
    numbers = {"changed_values": n_changed, "compared_values": first.size}
    basis = Basis("spread", len(positions), encoding.n_positions)
    compared = [first] if other is None else [first, second]
    lines = np.stack([_thinned(table[:, 0]) for table in compared])
    evidence = Evidence("position", _thinned(positions), lines, levels=(0.0,))
    return Measurement("deterministic", finding, number, basis, numbers, evidence)


def _unique(nearness: tables.Nearness, longest: float) -> Measurement:
    """No two positions share a vector, however near some come: how near is told by Far stays far."""
    closest = nearness.nearest[0] if nearness.nearest else None
    finding = "one_position"
    if closest is not None:
        finding = "shared" if closest.distance <= ROUNDING * longest else "distinct"
    at = None if closest is None else float(closest.offset)
    levels, shown = (0.0, nearness.farthest_neighbours), nearness.lowest[None]
    evidence = Evidence("offset", nearness.offsets, shown, "smallest distance", levels, at, level_name="one step away")
    numbers = _pair_numbers(closest)
    return Measurement("unique", finding, numbers["distance"], nearness.basis, numbers, evidence)


def _far_stays_far(nearness: tables.Nearness, empty_row: int | None) -> Measurement:
    """Positions more than 16 apart are farther from each other than any neighbours; an empty row has none."""
    first = nearness.far_confusion
    finding = "too_few" if nearness.closest_far is None else "apart" if first is None else "confused"
    up_to = first if finding == "confused" and first is not None and first > _NEVER_FAR else None
    is_far = nearness.offsets > FAR
    evidence = Evidence(
        "offset", nearness.offsets[is_far], nearness.lowest[is_far][None], "smallest distance",
        levels=(0.0, nearness.farthest_neighbours), level_name="one step away",
    )  # fmt: skip
    numbers = _pair_numbers(nearness.closest_far) | {"farthest_neighbours": nearness.farthest_neighbours}
    numbers |= {"first_offset": first, "empty_row": empty_row}
    return Measurement("far", finding, numbers["distance"], nearness.basis, numbers, evidence, up_to)


def _shift_invariant(pairs: tables.MeasuredPairs, longest: float, basis: Basis) -> Measurement:
    """Distances and dot products depend on the offset alone."""
    spread = float((pairs.highest - pairs.lowest).max(initial=0))
    deviation = pairs.gram_deviation
    by_distance = spread <= ROUNDING * longest
    by_gram = deviation <= ROUNDING
    finding = "distance_constant" if by_distance else "differs"
    if by_distance and by_gram:
        finding = "constant" if basis.n_all >= _FEWEST_POSITIONS else "too_few"
    numbers = {"gram_deviation": deviation, "distance_spread": spread}
    evidence = _band("offset", "dot product", pairs.offsets, pairs.least_dots, pairs.most_dots)
    return Measurement("shift_invariant", finding, deviation, basis, numbers, evidence)


def _linear_shift(table: tables.MeasuredTable, residuals: Floats, total: float) -> Measurement:
    """One matrix moves every position by one: the best 2 x 2 of each hand, without a constant."""
    numbers = {"total_residual": total, "worst_hand": None, "worst_hand_residual": None}
    basis = Basis("moves", sum(map(len, table.after)), table.encoding.n_positions - 1)
    if basis.n_measured < _FEWEST_STEPS:
        return Measurement("linear_shift", "too_few", None, basis, numbers, _NOTHING)
    worst = int(residuals.argmax())
    numbers |= {"worst_hand": worst, "worst_hand_residual": float(residuals[worst])}
    drawn = np.maximum(_thinned(residuals, np.maximum), _LOWEST_DRAWN)
    hands = _thinned(np.arange(len(residuals)))
    evidence = Evidence("pair", hands, drawn[None], "error / length", are_points=True, is_logarithmic=True)
    finding = "one_matrix" if total <= ROUNDING else "no_matrix"
    return Measurement("linear_shift", finding, total, basis, numbers, evidence)


def _bounded(table: tables.MeasuredTable, norms: Floats) -> Measurement:
    """No value leaves -1 to 1, or, where some do, later vectors are no longer than the first ones in the mean square.

    norms: the length of every measured vector, shape (n,).
    """
    largest = max(max(float(values.max()), -float(values.min())) for values in table.values)
    is_early = table.positions < max(table.encoding.n_positions / 4, 1)
    early, every = (float(np.sqrt(np.mean(lengths**2))) for lengths in (norms[is_early], norms))
    is_drawn = table.encoding.redrawn is not None
    chance = _CHANCE / np.sqrt(2 * is_early.sum() * table.encoding.d_model) if is_drawn else 0.0
    grows = bool(early < _GROWS_BELOW * (1 - chance) * every)
    finding = "within_one" if largest <= 1 + ROUNDING else "grows" if grows else "no_growth"
    finding = "too_few" if table.encoding.n_positions < _FEWEST_POSITIONS else finding
    numbers = {"largest_value": largest, "early_length": early, "mean_length": every}
    return Measurement("bounded", finding, largest, table.basis, numbers, _curves(table.encoding))


def _curves(encoding: Encoding) -> Evidence:
    """The first column of a fast, a middle and a slow hand, at evenly spread positions."""
    hands = hand_columns(encoding)[:, 0]
    columns = hands[even_sample(len(hands), _CURVES)]
    positions = even_sample(encoding.n_positions, measurement.EVIDENCE_POINTS)
    curves = encoding.values(positions, columns)
    return Evidence("position", positions.astype(np.float64), curves.T.copy(), levels=(-1.0, 1.0))


def _constant_length(table: tables.MeasuredTable, norms: Floats) -> Measurement:
    """Every vector is equally long."""
    lowest, highest = ends_of(norms)
    is_equal = highest - lowest <= ROUNDING * highest
    finding = "one_position" if len(norms) == 1 else "equal" if is_equal else "unequal"
    number = (lowest + highest) / 2 if is_equal else highest - lowest
    order = np.argsort(table.positions, kind="stable")
    evidence = _band("position", "length", table.positions[order], norms[order])
    numbers = {"shortest": lowest, "longest": highest}
    return Measurement("norm", finding, number, table.basis, numbers, evidence)


def _pair_numbers(pair: tables.ClosePair | None) -> _Numbers:
    return {name: getattr(pair, name, None) for name in ("distance", "position", "other", "offset")}


def _smooth(table: tables.MeasuredTable, steps: tables.Steps, longest: float) -> Measurement:
    """No step is above twice the median step, and half of all steps or more go on where the last one went.

    The number is the longest step in median steps, or the bend where that decides.
    longest: of the vectors. Evenly turning pairs have equal steps, whose square is 4 sum a^2 sin^2(omega_i / 2).
    """
    n_steps = table.encoding.n_positions - 1
    basis = Basis("steps", len(steps.positions), n_steps)
    numbers = dict.fromkeys(("largest_step", "median_step", "smallest_step", "bend", "position", "other"))
    if n_steps + 1 < _FEWEST_POSITIONS:
        return Measurement("smooth", "too_few", None, basis, numbers, _NOTHING)
    largest = float(steps.lengths.max())
    median = steps.median
    numbers |= {"largest_step": largest, "median_step": median, "smallest_step": float(steps.lengths.min())}
    # The longest that a step of a smooth table has lies across.
    levels = 0.0, _MOST_STEP * steps.median
    evidence = _band("position", "length of a step", steps.positions, steps.lengths, levels=levels)
    if median <= ROUNDING * longest:
        finding = "still" if largest <= ROUNDING * longest else "rests"
        return Measurement("smooth", finding, None, basis, numbers, evidence)
    ratio = largest / median
    bend = quantiles(steps.bends.copy(), 0.5)[0] / median if len(steps.bends) else 0.0
    numbers["bend"] = bend
    if ratio > 1 + tables.SAME:
        first = int(steps.positions[(steps.lengths >= largest * (1 - tables.SAME)).argmax()])
        numbers |= {"position": first, "other": first + 1}
    finding = "even" if ratio > 1 + tables.SAME else "equal"
    finding = "uneven" if ratio > _MOST_STEP else "bends" if bend > _MOST_BEND else finding
    return Measurement("smooth", finding, bend if finding == "bends" else ratio, basis, numbers, evidence)
