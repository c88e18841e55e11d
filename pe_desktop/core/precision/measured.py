"""What rounding does to a table: errors of frequencies and values, and positions that share a row."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.precision.formats import FORMATS, FORMS, Precision, first_of_each_id
from pe_desktop.core.precision.tables import framework_values, has_forms, single_frequencies, turning_pairs

# Values that are compared with exact ones, at most, and the most positions of a curve.
_ERROR_VALUES, _MOST_POSITIONS, _FEWEST_POSITIONS = 2**20, 241, 16
# Values and rows that are told apart, at most; values at once.
_ROW_VALUES, _MOST_ROWS, _PIECE = 2**22, 2**20, 2**18
# Groups of positions that share a row, and members of each, that are named.
_MOST_NAMED: Final = 3
# Coarser than the whole numbers of a table.
_COARSE_IDS: Final = ("float16", "bfloat16")


@dataclass(frozen=True, slots=True)
class SharedRows:
    """How many rows differ among those of the first n_positions; shared: the first groups of positions with one row."""

    n_distinct: int
    n_positions: int
    shared: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rounding:
    """What one choice of formats does to a table.

    frequency_error: the largest relative error of an angular frequency, None where none is computed in float32.
    errors: the largest |error| of a row at the positions of the curve, NaN from where ids overflow, shape (m,).
    """

    precision: Precision
    frequency_error: float | None
    errors: Floats
    rows: SharedRows

    @property
    def largest_error(self) -> float:
        """The largest error at the positions of the curve; infinite where an id is."""
        return float("inf") if np.isnan(self.errors).any() else float(self.errors.max())


@dataclass(frozen=True, slots=True, eq=False)
class Roundings:
    """All that is compared, in the order in which people read it.

    positions: those of the curve, shape (m,): all, or some evenly spaced by their logarithm.
    """

    positions: Integers
    rows: tuple[Rounding, ...]

    def of(self, precision: Precision) -> Rounding | None:
        """What a choice of formats does; None for the exact table."""
        return next((row for row in self.rows if row.precision == precision), None)


def compared_precisions(encoding: Encoding, chosen: Precision) -> tuple[Precision, ...]:
    """float32 in every form, the smaller formats in the chosen form, ids in smaller formats, and what is chosen."""
    forms = FORMS if has_forms(encoding) else (chosen.form,)
    compared = [Precision("float32", form) for form in forms]
    compared += [Precision(dtype, chosen.form) for dtype in FORMATS[2:]]
    compared += [Precision("float32", chosen.form, ids) for ids in _COARSE_IDS]
    if chosen.dtype != "float64" or chosen.position_ids in _COARSE_IDS:
        compared.append(chosen)
    return tuple(dict.fromkeys(compared))


def roundings(encoding: Encoding, chosen: Precision, is_cancelled: IsCancelled = never) -> Roundings | None:
    """What every choice of formats does to a table; None when is_cancelled says so."""
    positions = _curve_positions(encoding)
    exact = encoding.values(positions)
    rows = []
    for precision in compared_precisions(encoding, chosen):
        shared = shared_rows(encoding, precision, is_cancelled)
        if shared is None:
            return None
        errors = np.abs(framework_values(encoding, precision, positions) - exact).max(axis=1)
        rows.append(Rounding(precision, frequency_error(encoding, precision.form), errors, shared))
    return Roundings(positions, tuple(rows))


def frequency_error(encoding: Encoding, form: str, *, is_correctly_rounded: bool = False) -> float | None:
    """The largest relative error of the frequencies of a form; None for an encoding without evenly turning hands."""
    pairs = turning_pairs(encoding)
    if pairs is None:
        return None
    exact = replace(pairs, scale=1.0).angular_frequencies
    singles = single_frequencies(pairs, form, is_correctly_rounded=is_correctly_rounded)
    return float(np.abs(singles / exact - 1.0).max())


def shared_rows(encoding: Encoding, precision: Precision, is_cancelled: IsCancelled = never) -> SharedRows | None:
    """Which positions have the same row: of ids that are cast alike one row stands for all; None if cancelled.

    Of a large table the first four million values are told apart.
    """
    most, n_positions = min(max(_ROW_VALUES // encoding.d_model, 2), _MOST_ROWS), encoding.n_positions
    if precision.position_ids in _COARSE_IDS:
        firsts = first_of_each_id(n_positions, precision.position_ids)
    else:
        firsts = np.arange(min(n_positions, most + 1))
    ends = np.append(firsts[1:], n_positions)[:most]
    firsts = firsts[:most]
    keys = _row_keys(encoding, precision, firsts, is_cancelled)
    if keys is None:
        return None
    _, places, inverse = np.unique(keys, return_index=True, return_inverse=True)
    n_compared = int(ends[-1]) if precision.position_ids in _COARSE_IDS else len(firsts)
    return SharedRows(len(places), n_compared, _groups(firsts, ends, places[inverse]))


def _groups(firsts: Integers, ends: Integers, leaders: Integers) -> tuple[tuple[int, ...], ...]:
    """The first positions that share a row; leaders: for each id the first id with the same row."""
    is_leader = leaders == np.arange(len(firsts))
    has_others = ends - firsts > 1
    has_others[leaders[~is_leader]] = True
    groups = []
    for leader in np.flatnonzero(is_leader & has_others)[:_MOST_NAMED]:
        members: list[int] = []
        for number in np.flatnonzero(leaders == leader)[:_MOST_NAMED]:
            members += range(int(firsts[number]), min(int(ends[number]), int(firsts[number]) + _MOST_NAMED))
        groups.append(tuple(members[:_MOST_NAMED]))
    return tuple(groups)


def _row_keys(
    encoding: Encoding, precision: Precision, positions: Integers, is_cancelled: IsCancelled
) -> NDArray[np.uint64] | None:
    """A number for each row, shape (len(positions),): equal for equal rows, and by chance for one table in 10^6."""
    factors = 2 * np.random.default_rng(0).integers(0, 2**63, encoding.d_model, dtype=np.uint64) + 1
    height = max(_PIECE // encoding.d_model, 1)
    keys = []
    for first in range(0, len(positions), height):
        if is_cancelled():
            return None
        values = framework_values(encoding, precision, positions[first : first + height])
        # Adding 0 makes -0 and 0 one value.
        bits = (values + 0.0).view(np.uint64)
        # The lower half of a rounded number is zeros: they would stay zeros in every product.
        bits ^= bits >> 32
        keys.append((bits * factors).sum(axis=1, dtype=np.uint64))
    return np.concatenate(keys)


def _curve_positions(encoding: Encoding) -> Integers:
    """Positions at which errors are measured: all, or 0 and others evenly spaced by their logarithm."""
    last = encoding.n_positions - 1
    most = min(max(_ERROR_VALUES // encoding.d_model, _FEWEST_POSITIONS), _MOST_POSITIONS)
    if last < most:
        return np.arange(last + 1)
    return np.unique(np.append(0, np.rint(np.geomspace(1.0, last, most - 1)))).astype(np.int64)
