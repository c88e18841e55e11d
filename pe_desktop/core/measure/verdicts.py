"""The verdict on each property, with its number and its evidence."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.measure.measurement import (
    EVIDENCE_POINTS,
    FAILS,
    FAR,
    HOLDS,
    HOLDS_UP_TO,
    ROUNDING,
    Basis,
    Evidence,
    Measurement,
    band,
    no_evidence,
    thinned,
)
from pe_desktop.core.measure.periodic import MOST_HANDS, MOST_STARTS, near_returns, turning_within
from pe_desktop.core.measure.tables import ClosePair, MeasuredPairs, MeasuredTable, Nearness, Tell
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION

# A direction of a hand's values that is smaller than this share of the other one is rounding.
_RANK: Final = 8 * float(np.finfo(np.float64).eps)
# Values that are fitted between two questions whether to go on: a few milliseconds.
_FITTED_CELLS: Final = 2**18
# Rows that are fitted at once, at least: each fit costs as much for one.
_FEWEST_FITTED: Final = 16
# Fewer rows than this can be fitted whatever they are.
_FEWEST_ROWS: Final = 3


@record(eq=False)
class _ShiftFit:
    """Residuals of the best shift by one position, each hand with a 2 x 2 matrix of its own and no constant.

    residuals: |P_+ - P M| / |P_+| in the Frobenius norm, hand by hand, shape (n_hands,); total: the same of all hands.
    n_rows: how many t were measured.
    """

    residuals: Floats
    total: float
    n_rows: int


def shift_fit(table: MeasuredTable, tell: Tell) -> _ShiftFit:
    """Fit all hands by least squares.

    Never one free d x d matrix: tables have so few independent columns that it would fit anything. Successive QR
    factors of [P P_+] keep the residual good to about 1e-15 of |P_+|, also for hands that hardly turn.
    """
    columns = hand_columns(table.encoding)
    factors = np.zeros((len(columns), 4, 4))
    height = max(_FITTED_CELLS // table.encoding.d_model, _FEWEST_FITTED)
    for values, after in zip(table.values, table.after, strict=True):
        for first in range(0, len(after), height):
            then = after[first : first + height]
            before = values[first : first + len(then)]
            for some in _slices(len(columns), _FITTED_CELLS // (4 * len(then))):
                rows = np.concatenate([factors[some], _by_hand(before, then, columns[some])], axis=1)
                factors[some] = np.linalg.qr(rows, mode="r")
                tell(0.9)
    squares, energies = np.empty((2, len(columns)))
    for some in _slices(len(columns), _FITTED_CELLS // 64):
        squares[some], energies[some] = _residual_squares(factors[some, :, :2], factors[some, :, 2:])
        tell(1.0)
    # A hand that is zero at every t is carried to itself exactly.
    residuals = np.sqrt(np.divide(squares, energies, out=np.zeros(len(columns)), where=energies > 0))
    energy = float(energies.sum())
    total = float(np.sqrt(squares.sum() / energy)) if energy > 0 else 0.0
    return _ShiftFit(residuals, total, sum(map(len, table.after)))


def _slices(count: int, length: int) -> Iterator[slice]:
    length = max(length, 1)
    return (slice(first, first + length) for first in range(0, count, length))


def _by_hand(before: Floats, after: Floats, columns: Integers) -> Floats:
    """Both values at t and both at t + 1 for each hand, shape (n_hands, n, 4)."""
    gathered = np.concatenate([before[:, columns], after[:, columns]], axis=2)
    gathered[:, np.tile(columns == MISSING, 2)] = 0
    return np.ascontiguousarray(gathered.swapaxes(0, 1))


def _residual_squares(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Squares of what of `after` lies outside the span of `before`, and of `after`, shape (n_hands,) each.

    The span comes from singular vectors: a hand of one direction only, or of none, needs no other treatment.
    """
    directions, sizes, _ = np.linalg.svd(before, full_matrices=False)
    directions *= (sizes > _RANK * sizes[:, :1])[:, np.newaxis, :]
    rest = after - directions @ (directions.swapaxes(1, 2) @ after)
    return np.einsum("hij,hij->h", rest, rest), np.einsum("hij,hij->h", after, after)


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


def periodic(encoding: Encoding) -> Measurement:
    """Every hand is where it was after its own wavelength, and no whole position is a whole number of its turns.

    Up to 16 hands are compared at up to 8 positions p, from 0 on, with themselves at p + 2 pi / omega, but for those
    whose wavelength reaches beyond 2^31. The number is in lengths of the longest hand; of one that turns evenly it is
    less than 1e-14.
    """
    pairs = encoding.pairs
    turning = np.empty(0, dtype=np.int64) if pairs is None else np.flatnonzero(np.isfinite(pairs.wavelengths))
    if pairs is None or not len(turning):
        row = encoding.empty_row
        unpaired = "nothing_turns" if encoding.column_waves is None else "unpaired"
        return Measurement(
            "periodic", FAILS, unpaired if row is None else "zero_row", None, Basis("hands", 0, 0),
            {"n_pairs": 0, "n_turning": 0}, no_evidence("position"), facts={} if row is None else {"empty_row": row},
        )  # fmt: skip
    wavelengths = pairs.wavelengths[turning]
    within_reach = turning[wavelengths < MAX_ABSOLUTE_POSITION - MOST_STARTS]
    compared = within_reach[np.asarray(even_sample(len(within_reach), MOST_HANDS), dtype=np.int64)]
    apart = _off_after_a_turn(encoding, pairs, compared)
    holds, n_turning = apart <= ROUNDING, turning_within(encoding, pairs)
    closest = near_returns(encoding, 0, encoding.n_positions - 1)[-1:] if holds else ()
    return Measurement(
        key="periodic",
        verdict=HOLDS if holds else FAILS,
        finding="off_after_a_turn" if not holds else "near_return" if closest else "no_near_return",
        number=n_turning if holds else apart,
        basis=Basis("hands", len(compared), pairs.count),
        numbers={
            "n_pairs": pairs.count,
            "n_turning": n_turning,
            "shortest_wavelength": float(wavelengths.min()),
            "longest_wavelength": float(wavelengths.max()),
            "largest_difference": apart,
            "closest_return": closest[0].positions if closest else None,
            "closest_return_chord": closest[0].chord if closest else None,
        },
        evidence=_wave(encoding, float(pairs.wavelengths[0]), int(pairs.columns[0, 0])),
    )


def _off_after_a_turn(encoding: Encoding, pairs: Pairs, compared: Integers) -> float:
    positions = np.arange(min(encoding.n_positions, MOST_STARTS), dtype=np.float64)
    largest, length = 0.0, 0.0
    for pair in compared.tolist():
        columns = pairs.columns[pair]
        before = encoding.values(positions, columns)
        after = encoding.values(positions + pairs.wavelengths[pair], columns)
        largest = max(largest, float(np.abs(after - before).max()))
        length = max(length, float(np.abs(before).max()))
    return largest / length if length > 0 else 0.0


def _wave(encoding: Encoding, wavelength: float, column: int) -> Evidence:
    """Two turns of the first hand."""
    if not np.isfinite(wavelength):
        return no_evidence("position")
    positions = np.linspace(0, 2 * wavelength, EVIDENCE_POINTS // 4 + 1)
    wave = encoding.values(positions, [column])[:, 0]
    peak = wavelength / 4
    return Evidence("lines", "position", positions, wave[np.newaxis], levels=(0.0,), marks=(peak, peak + wavelength))


# Values that are evaluated twice: some milliseconds.
_EVALUATED: Final = 2**17
_MOST_EVALUATED: Final = 256


def evaluated_positions(encoding: Encoding) -> Integers:
    """The positions at which the formula is evaluated twice: all of them, or some that are spread evenly."""
    most = min(max(_EVALUATED // encoding.d_model, 2), _MOST_EVALUATED)
    return np.asarray(even_sample(encoding.n_positions, most), dtype=np.int64)


def deterministic(encoding: Encoding) -> Measurement:
    """The formula alone gives the table: two evaluations agree in every bit, and no number has to be kept beside it.

    Where values are drawn, a table drawn anew is compared instead: then they are kept, if only by a seed.
    """
    positions = evaluated_positions(encoding)
    other = encoding.redrawn
    first, second = (some.values(positions) for some in (encoding, encoding if other is None else other))
    n_changed = int(np.count_nonzero(first.view(np.int64) != second.view(np.int64)))
    lines = first[:, :1].T if other is None else np.stack([first[:, 0], second[:, 0]])
    return Measurement(
        key="deterministic",
        verdict=HOLDS if other is None and not n_changed else FAILS,
        finding="drawn" if other is not None else "repeats" if not n_changed else "changes",
        number=float(np.abs(second - first).max()),
        basis=Basis("spread", len(positions), encoding.n_positions),
        numbers={"changed_values": n_changed, "compared_values": first.size},
        evidence=Evidence(
            "lines", "position", thinned(np.minimum, positions.astype(np.float64)),
            np.stack([thinned(np.minimum, line) for line in lines]), levels=(0.0,),
        ),
    )  # fmt: skip


def unique(nearness: Nearness, longest: float) -> Measurement:
    """No two positions share a vector; a code whose far positions are nearer than neighbours holds up to there."""
    closest, up_to = nearness.closest, None
    if closest is None:
        verdict, finding = HOLDS, "one_position"
    elif closest.distance <= ROUNDING * longest:
        verdict, finding = FAILS, "shared"
    elif nearness.confusion is not None:
        verdict, finding, up_to = HOLDS_UP_TO, "confused", nearness.confusion
    else:
        verdict, finding = HOLDS, "distinct"
    marks = () if closest is None else (float(closest.offset),)
    evidence = Evidence("lines", "offset", nearness.offsets, nearness.lowest[np.newaxis], (0.0,), marks)
    numbers = _pair_numbers(closest) | {"nearest_neighbours": nearness.nearest_neighbours}
    return Measurement("unique", verdict, finding, numbers["distance"], nearness.basis, numbers, evidence, up_to)


def far_stays_far(nearness: Nearness) -> Measurement:
    """Positions more than 16 apart are farther from each other than any neighbours."""
    up_to = None
    if nearness.closest_far is None:
        verdict, finding = HOLDS, "none_far"
    elif nearness.far_confusion is None:
        verdict, finding = HOLDS, "apart"
    else:
        is_partly = nearness.far_confusion > _NEVER_FAR
        verdict, up_to = (HOLDS_UP_TO, nearness.far_confusion) if is_partly else (FAILS, None)
        finding = "confused"
    is_far = nearness.offsets > FAR
    evidence = Evidence(
        "lines", "offset", nearness.offsets[is_far], nearness.lowest[is_far][np.newaxis],
        levels=(0.0, nearness.farthest_neighbours),
    )  # fmt: skip
    numbers = _pair_numbers(nearness.closest_far) | {"farthest_neighbours": nearness.farthest_neighbours}
    return Measurement("far", verdict, finding, numbers["distance"], nearness.basis, numbers, evidence, up_to)


def shift_invariant(pairs: MeasuredPairs, longest: float, basis: Basis) -> Measurement:
    """Distances and dot products depend on the offset alone."""
    spread, deviation = float((pairs.highest - pairs.lowest).max(initial=0)), pairs.gram_deviation
    by_distance, by_gram = spread <= ROUNDING * longest, deviation <= ROUNDING
    return Measurement(
        key="shift_invariant",
        verdict=HOLDS if by_distance and by_gram else FAILS,
        finding="differs" if not by_distance else "constant" if by_gram else "distance_constant",
        number=deviation,
        basis=basis,
        numbers={"gram_deviation": deviation, "distance_spread": spread},
        evidence=band("offset", pairs.offsets.astype(np.float64), pairs.lowest, pairs.highest),
    )


def linear_shift(fit: _ShiftFit, basis: Basis) -> Measurement:
    """One matrix moves every position by one: the best 2 x 2 of each hand, without a constant."""
    numbers = {"total_residual": fit.total, "worst_hand": None, "worst_hand_residual": None}
    if fit.n_rows < _FEWEST_ROWS:
        return Measurement("linear_shift", HOLDS, "too_few", None, basis, numbers, no_evidence("pair"))
    worst = int(fit.residuals.argmax())
    holds = fit.total <= ROUNDING
    residuals = np.maximum(thinned(np.maximum, fit.residuals), _LOWEST_DRAWN)
    hands = thinned(np.minimum, np.arange(len(fit.residuals), dtype=np.float64))
    return Measurement(
        key="linear_shift",
        verdict=HOLDS if holds else FAILS,
        finding="one_matrix" if holds else "no_matrix",
        number=fit.total,
        basis=basis,
        numbers=numbers | {"worst_hand": worst, "worst_hand_residual": float(fit.residuals[worst])},
        evidence=Evidence("points", "pair", hands, residuals[np.newaxis], is_logarithmic=True),
    )


def bounded(table: MeasuredTable, norms: Floats) -> Measurement:
    """No value leaves -1 to 1, or, where some do, later vectors are no longer than the first ones.

    norms: the length of every measured vector, shape (n,).
    """
    largest = max(max(float(values.max()), -float(values.min())) for values in table.values)
    is_early = np.concatenate([np.asarray(run) for run in table.runs]) < max(table.encoding.n_positions / 4, 1)
    early, every = (float(np.sqrt(np.mean(some**2))) for some in (norms[is_early], norms))
    is_drawn = table.encoding.redrawn is not None
    chance = _CHANCE / np.sqrt(2 * is_early.sum() * table.encoding.d_model) if is_drawn else 0.0
    grows = bool(early < _GROWS_BELOW * (1 - chance) * every)
    finding = "within_one" if largest <= 1 + ROUNDING else "grows" if grows else "no_growth"
    verdict = FAILS if finding == "grows" else HOLDS
    numbers, evidence = {"largest_value": largest}, _curves(table.encoding)
    return Measurement("bounded", verdict, finding, largest, table.basis, numbers, evidence)


def _curves(encoding: Encoding) -> Evidence:
    """The first column of a fast, a middle and a slow hand, at evenly spread positions."""
    hands = hand_columns(encoding)[:, 0]
    columns = hands[np.asarray(even_sample(len(hands), _CURVES))]
    positions = np.asarray(even_sample(encoding.n_positions, EVIDENCE_POINTS))
    curves = encoding.values(positions, columns)
    return Evidence("lines", "position", positions.astype(np.float64), curves.T.copy(), levels=(-1.0, 1.0))


def constant_length(table: MeasuredTable, norms: Floats) -> Measurement:
    """Every vector is equally long."""
    lowest, highest = float(norms.min()), float(norms.max())
    holds = highest - lowest <= ROUNDING * highest
    positions = np.concatenate([np.asarray(run, dtype=np.float64) for run in table.runs])
    order = np.argsort(positions, kind="stable")
    return Measurement(
        key="norm",
        verdict=HOLDS if holds else FAILS,
        finding="equal" if holds else "unequal",
        number=highest - lowest if not holds else (lowest + highest) / 2,
        basis=table.basis,
        numbers={"shortest": lowest, "longest": highest},
        evidence=band("position", positions[order], norms[order], norms[order]),
    )


def _pair_numbers(pair: ClosePair | None) -> dict[str, float | int | None]:
    if pair is None:
        return {"distance": None, "position": None, "other": None, "offset": None}
    return {"distance": pair.distance, "position": pair.position, "other": pair.other, "offset": pair.offset}
