"""Reading what a window asks for: which positions, which columns."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers, Numbers
from pe_desktop.core.limits import MAX_ABSOLUTE_POSITION
from pe_desktop.core.phases import Phases
from pe_desktop.core.rules import grouped, shown

# Positions after reading: a range stays one, so that ten million rows need no list of them.
Rows: TypeAlias = range | Integers | Floats


@dataclass(frozen=True, slots=True)
class Split:
    """Some positions without their signs, as whole positions and what is left.

    wholes: the nearest whole positions; remainders: in [-1/2, 1/2], or None where every position is whole;
    is_negative: which positions lie before 0, or None where none does.
    """

    wholes: Phases
    remainders: Floats | None
    is_negative: NDArray[np.bool_] | None


def position_rows(positions: Numbers) -> Rows:
    """Positions, one or many; ValueError with a sentence for what is no finite number or lies too far out."""
    if isinstance(positions, range):
        rows: Rows = positions
    else:
        rows = _numbers(positions, "positions")
        if not np.all(np.isfinite(rows)):
            raise ValueError("positions must be finite: NaN and infinity have no row")
    if len(rows):
        ends = (rows[0], rows[-1]) if isinstance(rows, range) else (rows.min(), rows.max())
        furthest = max(ends, key=abs)
        if abs(furthest) > MAX_ABSOLUTE_POSITION:
            limit = grouped(MAX_ABSOLUTE_POSITION)
            raise ValueError(f"positions must lie from -{limit} to {limit}: {shown(furthest)} does not")
    return rows


def index_rows(numbers: Numbers, count: int, name: str) -> Integers:
    """Columns or pairs; ValueError with a sentence for what is no whole number from 0 to count - 1."""
    given = _numbers(numbers, name)
    is_wrong = ~((given >= 0) & (given < count) & (given == np.rint(given)))
    if np.any(is_wrong):
        raise ValueError(f"{name} must be whole numbers from 0 to {grouped(count - 1)}: {given[is_wrong][0]} is not")
    return given.astype(np.int64, copy=False)


def table_columns(dimensions: Numbers | None, d_model: int) -> Integers:
    """The columns of a window, shape (len(dimensions),): all of them, in order, for None; ValueError as index_rows."""
    return index_rows(range(d_model) if dimensions is None else dimensions, d_model, "dimensions")


def split(rows: Rows, start: float = 0.0) -> Split:
    """A moderate number of positions start + p, split for exact phases: far out their sum would round."""
    if isinstance(rows, range):
        rows = np.arange(rows.start, rows.stop, rows.step)
    if start:
        given, first = rows.astype(np.float64), round(start)
        wholes = np.rint(given)
        return split_sum(wholes + first, (given - wholes) + (start - first))
    is_negative = rows < 0
    distances = np.abs(rows)
    wholes = np.rint(distances)
    remainders = distances - wholes
    return Split(
        wholes.astype(np.uint64),
        remainders if np.any(remainders) else None,
        is_negative if np.any(is_negative) else None,
    )


def split_sum(wholes: Floats, rests: Floats) -> Split:
    """Positions that are sums of a whole number, up to 2^53 either way, and of a small rest."""
    carried = np.rint(rests)
    wholes, rests = wholes + carried, rests - carried
    is_negative = (wholes < 0) | ((wholes == 0) & (rests < 0))
    rests = np.where(is_negative, -rests, rests)
    return Split(
        np.abs(wholes).astype(np.uint64),
        rests if np.any(rests) else None,
        is_negative if np.any(is_negative) else None,
    )


def _numbers(numbers: Numbers, name: str) -> Integers | Floats:
    """One flat array of int64 or float64."""
    try:
        given = np.atleast_1d(np.asarray(numbers))
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be one number or one row of numbers") from error
    if given.ndim != 1:
        raise ValueError(f"{name} must be one number or one row of numbers: an array of shape {given.shape} is not")
    if given.size and given.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be plain numbers: {shown(given[0])} is not")
    if given.dtype.kind == "i":
        return given.astype(np.int64, copy=False)
    # Unsigned numbers too: those beyond int64 must be refused as too large, not wrap to negative ones.
    return given.astype(np.float64, copy=False)
