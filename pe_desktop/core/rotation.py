"""The shift operator M_k, from the vector at t to that at t + k; what comes nearest; how similarities at k differ."""

import math
from collections.abc import Mapping
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import hand_values
from pe_desktop.core.encoding import ROUNDING, Encoding, Flags, Floats, Integers, Numbers, Pairs, position_rows, slices
from pe_desktop.core.fields.field import Blocks, Field, Limits, even_sample, shift_positions
from pe_desktop.core.lags import MEASURES, IsCancelled, compared, never, stop_if
from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_DENSE_ROTATION

# Table values held at once while residuals or similarities are measured, 2 MiB for each of a few arrays.
_CELLS: Final = 2**18


def rotation_angles(encoding: Encoding, offset: float) -> Floats:
    """The angles k omega_i by which M_k turns each pair, reduced to [-pi, pi], shape (n_pairs,), radians, clockwise."""
    return _pairs(encoding).offset_angles(offset).reshape(-1)


def rotation_blocks(encoding: Encoding, offset: float, pairs: Numbers | None = None) -> Floats:
    """The blocks [[cos k omega_i, sin k omega_i], [-sin k omega_i, cos k omega_i]], shape (n_pairs, 2, 2).

    Those of some pairs, or of all. They act on (sine, cosine) of a pair. Source: angle addition, as "Attention Is All
    You Need", section 3.5, suggests.
    """
    sines, cosines = _pairs(encoding).offset_hands(offset, pairs)[0].T
    return np.stack([np.stack([cosines, sines], axis=1), np.stack([-sines, cosines], axis=1)], axis=1)


def rotation_matrix(encoding: Encoding, offset: float) -> Floats:
    """M_k as a dense matrix in the encoding's layout, shape (d_model, d_model): p_(t+k) = M_k p_t.

    Interleaved it is block diagonal; half-split it is [[C, S], [-S, C]] with diagonal C and S. ValueError for d > 4096.
    """
    d_model = encoding.d_model
    if d_model > MAX_DENSE_ROTATION:
        limit = grouped(MAX_DENSE_ROTATION)
        raise ValueError(f"a dense M_k needs d_model up to {limit}: {grouped(d_model)} is read block by block")
    columns = _pairs(encoding).columns
    result = np.zeros((d_model, d_model))
    result[columns[:, :, None], columns[:, None, :]] = rotation_blocks(encoding, offset)
    return result


def shift_residuals(encoding: Encoding, offset: float, positions: Numbers, is_cancelled: IsCancelled = never) -> Floats:
    """The largest |M_k p_t - p_(t+k)| over the dimensions, for each t, shape (len(positions),).

    Measured on table values at t and at t + k, block by block; nothing is taken from the identity that makes it zero.
    t + k may lie beyond the table. CancelledError as `stop_if`.
    """
    rows = position_rows(positions)
    columns = _pairs(encoding).columns
    blocks = rotation_blocks(encoding, offset)
    result = np.zeros(len(rows))
    for part in slices(len(rows), _CELLS // encoding.d_model):
        stop_if(is_cancelled)
        here = np.asarray(rows[part])
        moved = np.einsum("pij,tpj->tpi", blocks, encoding.values(here)[:, columns])
        result[part] = np.abs(moved - encoding.values_after(here, offset)[:, columns]).max(axis=(1, 2))
    return result


def eigenvalues(encoding: Encoding, offset: float) -> NDArray[np.complex128]:
    """The eigenvalues of M_k, shape (n_pairs, 2), from the entries of its blocks.

    The roots of the characteristic polynomial of [[a, b], [c, d]]; first e^(1j k omega), whose imaginary part has the
    sign of b, then e^(-1j k omega).
    """
    (a, b), (c, d) = np.moveaxis(rotation_blocks(encoding, offset), 0, -1)
    roots = np.sqrt((((a - d) / 2) ** 2 + b * c).astype(np.complex128))
    roots *= np.where(b < 0, -1, 1)
    middles = (a + d) / 2
    return np.stack([middles + roots, middles - roots], axis=1)


@record
class RotationField(Field):
    """The entries of M_k in the layout of the encoding, for any window, whatever d_model.

    Only two entries in a row are not zero, and only those are evaluated. ValueError for an encoding without pairs.
    """

    encoding: Encoding
    offset: float
    limits: ClassVar[Limits] = (-1.0, 1.0)

    def __post_init__(self) -> None:
        _pairs(self.encoding)

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.d_model, self.encoding.d_model

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The mean over each block: the sum of its entries over how many there are."""
        row_lengths, column_lengths = (blocks.lengths(self.encoding.d_model) for blocks in (rows, columns))
        places = _pairs(self.encoding).columns
        row_blocks, is_row = _block_numbers(places, rows)
        column_blocks, is_column = _block_numbers(places, columns)
        visible = np.flatnonzero(is_row.any(axis=1) & is_column.any(axis=1))
        is_seen = is_row[visible, :, None] & is_column[visible, None, :]
        cells = row_blocks[visible, :, None] * columns.count + column_blocks[visible, None, :]
        entries = rotation_blocks(self.encoding, self.offset, visible)
        sums = np.bincount(cells[is_seen], entries[is_seen], minlength=rows.count * columns.count)
        return sums.reshape(rows.count, columns.count) / (row_lengths[:, None] * column_lengths)


def _block_numbers(places: Integers, blocks: Blocks) -> tuple[Integers, Flags]:
    """The block of each column, and whether it has one."""
    numbers = (places - blocks.first) // blocks.size
    return numbers, (numbers >= 0) & (numbers < blocks.count)


def rotating_pairs(encoding: Encoding) -> Pairs | None:
    """The pairs that M_k turns; None where there is no M_k, without pairs or where they don't turn evenly."""
    pairs = encoding.pairs
    return pairs if pairs is not None and pairs.turns_evenly else None


def steady_pairs(encoding: Encoding) -> Pairs | None:
    """Those of them whose hands keep their length: M_k is a turn and nothing else."""
    pairs = rotating_pairs(encoding)
    return pairs if pairs is not None and pairs.keeps_length else None


def rotation_refusal(encoding: Encoding) -> str | None:
    """The reason why there is no M_k, as a sentence; None where there is one."""
    title = encoding.title
    pairs = encoding.pairs
    if pairs is not None:
        return None if pairs.turns_evenly else f"No matrix moves every position: {title} turns unevenly."
    flaw = f"the columns of {title} don't turn in pairs"
    if encoding.empty_row is not None:
        flaw = f"row {encoding.empty_row} of {title} is zero; the others do turn"
    elif encoding.turning_pairs is not None:
        flaw = f"the last sine of {title} has no cosine; the other pairs do turn"
    return f"No rotation moves every position: {flaw}."


def turn_refusal(encoding: Encoding) -> str | None:
    """The same, and why an M_k does more than turn: then products don't depend on the offset alone."""
    if rotating_pairs(encoding) is not None and steady_pairs(encoding) is None:
        return f"One matrix moves every position of {encoding.title}, but it shortens: dot products depend on t."
    return rotation_refusal(encoding)


def _pairs(encoding: Encoding) -> Pairs:
    pairs = rotating_pairs(encoding)
    if pairs is None:
        raise ValueError(rotation_refusal(encoding))
    return pairs


# Positions that are fitted at most: a few hundredths of a second.
_MOST_POSITIONS: Final = 2**16


@record(eq=False)
class BestShift:
    """The matrix A, shape (2, 2), that takes a hand at t nearest to itself at t + k, without a constant.

    positions, residuals: the measured t, ascending, those with t and t + k in the table, and |A p_t - p_(t+k)| of this
    hand at each, shape (n,). share: the root of the sum of their squares over that of |p_(t+k)|^2, 0 for a hand that
    is always zero, nan where nothing could be measured.
    """

    encoding: Encoding
    offset: float
    hand: int
    matrix: Floats
    positions: Integers
    residuals: Floats
    share: float


def best_shift(encoding: Encoding, offset: float, hand: int) -> BestShift:
    """Fit one hand at all t with t and t + k in the table, or at an even sample of _MOST_POSITIONS of them."""
    positions = shift_positions(encoding, offset, _MOST_POSITIONS)
    if not len(positions):
        return BestShift(encoding, offset, hand, np.zeros((2, 2)), positions, np.empty(0), np.nan)
    # A column that the hand lacks is zero: it is fitted by zeros.
    before = np.nan_to_num(hand_values(encoding, positions, [hand])[:, 0])
    after = np.nan_to_num(hand_values(encoding, positions, [hand], offset)[:, 0])
    matrix = fitted_blocks(before[:, None], after[:, None])[0]
    misses = np.linalg.norm(before @ matrix.T - after, axis=1)
    energy = float(np.linalg.norm(after))
    share = float(np.linalg.norm(misses)) / energy if energy > 0 else 0.0
    return BestShift(encoding, offset, hand, matrix, positions, misses, share)


def fitted_blocks(before: Floats, after: Floats) -> Floats:
    """The matrices, shape (n_hands, 2, 2), that map vectors nearest to others, both of shape (n, n_hands, 2).

    By least squares; the smallest of those that are equally near.
    """
    by_hand = before.transpose(1, 0, 2)
    inverses = np.linalg.pinv(by_hand, rcond=np.finfo(np.float64).eps * max(by_hand.shape[1:]))
    return (inverses @ after.transpose(1, 0, 2)).swapaxes(1, 2)


# Values measured at most: some hundredths of a second.
REPORTED_CELLS: Final = 2**20
_FEWEST_SAMPLES: Final = 16


@record
class DiagonalSpread:
    """The range of the cells (t, t + k) of a similarity matrix, measured on table values.

    n_measured: how many of them were measured, 0 where no t + k lies in the table; is_sample: whether there are more.
    """

    lowest: float
    highest: float
    n_measured: int
    is_sample: bool

    @property
    def spread(self) -> float:
        """Largest minus smallest; nan where nothing could be measured."""
        return self.highest - self.lowest

    @property
    def is_rounding(self) -> bool:
        """Whether it is no more than float64 loses."""
        return self.spread <= ROUNDING * max(abs(self.lowest), abs(self.highest), 1.0)


def _diagonal_spreads(
    encoding: Encoding, offset: float, max_samples: int, is_cancelled: IsCancelled = never
) -> dict[str, DiagonalSpread]:
    """How much each of MEASURES differs along the diagonal of offset k, the similarity of p_t and p_(t+k).

    Nothing is taken from the identity that makes it zero. Measured at every t with t and t + k in the table; at an even
    sample, first and last included, of max_samples where there are more. CancelledError as `stop_if`.
    """
    rows = shift_positions(encoding, offset, max_samples)
    bounds = dict.fromkeys(MEASURES, (math.inf, -math.inf))
    for part in slices(len(rows), _CELLS // encoding.d_model):
        stop_if(is_cancelled)
        values = encoding.values(rows[part])
        others = encoding.values_after(rows[part], offset)
        for measure, (lowest, highest) in bounds.items():
            found = compared(measure, values, others)
            found = found[~np.isnan(found)]
            bounds[measure] = float(found.min(initial=lowest)), float(found.max(initial=highest))
    measured = len(rows), len(rows) < len(encoding.shift_range(offset))
    return {
        measure: DiagonalSpread(*(both if both[0] <= both[1] else (math.nan, math.nan)), *measured)
        for measure, both in bounds.items()
    }


@record(eq=False)
class ShiftReport:
    """Measurements of one encoding and one offset.

    positions, residuals: the measured t, ascending, and max |M_k p_t - p_(t+k)| at each, shape (n,).
    Both are empty where there is no M_k: without pairs, or where hands don't turn evenly.
    spreads: how far dot product, cosine and distance of p_t and p_(t+k) differ over measured t, by measure.
    """

    encoding: Encoding
    offset: float
    positions: Integers
    residuals: Floats
    spreads: Mapping[str, DiagonalSpread]

    @property
    def largest_residual(self) -> float:
        """The largest of the residuals; nan where there is no M_k."""
        return float(self.residuals.max()) if len(self.residuals) else math.nan


def shift_report(encoding: Encoding, offset: float, is_cancelled: IsCancelled = never) -> ShiftReport:
    """Measure a shift at every position, or at an even sample where there are too many; CancelledError as `stop_if`."""
    n_samples = max(REPORTED_CELLS // encoding.d_model, _FEWEST_SAMPLES)
    positions = np.empty(0, dtype=np.int64)
    residuals = np.empty(0)
    if rotating_pairs(encoding) is not None:
        positions = even_sample(encoding.n_positions, n_samples)
        residuals = shift_residuals(encoding, offset, positions, is_cancelled)
    spreads = _diagonal_spreads(encoding, offset, n_samples, is_cancelled)
    return ShiftReport(encoding, offset, positions, residuals, spreads)
