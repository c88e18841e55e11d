"""How well a shift by k is a rotation: residuals of M_k, spreads along diagonals, the best 2 x 2 of a hand."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from pe_desktop.core.columns import hand_values
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.fields.field import shift_count, shift_positions
from pe_desktop.core.lags import MEASURES, IsCancelled, never
from pe_desktop.core.record import record
from pe_desktop.core.rotation import has_rotation, residuals_by_position
from pe_desktop.core.similarity import DiagonalSpread, diagonal_spreads

# Positions that are fitted at most: a few hundredths of a second.
_MOST_POSITIONS: Final = 2**16


@record(eq=False)
class BestShift:
    """The matrix A, shape (2, 2), that takes a hand at t nearest to itself at t + k, without a constant.

    positions, residuals: the measured t, ascending, those with t and t + k in the table, and |A p_t - p_(t+k)| of this
    hand at each, shape (n,). share: the root of the sum of their squares over that of |p_(t+k)|^2, 0 for a hand that
    is always zero, nan where nothing could be measured. is_sample: whether there are more such t.
    """

    encoding: Encoding
    offset: float
    hand: int
    matrix: Floats
    positions: Integers
    residuals: Floats
    share: float
    is_sample: bool


def best_shift(encoding: Encoding, offset: float, hand: int, most: int = _MOST_POSITIONS) -> BestShift:
    """Fit one hand at all t with t and t + k in the table, or at an even sample of so many of them."""
    n_rows = shift_count(encoding, offset)
    positions = np.asarray(shift_positions(encoding, offset, most), dtype=np.int64)
    if not n_rows:
        return BestShift(encoding, offset, hand, np.zeros((2, 2)), positions, np.empty(0), np.nan, is_sample=False)
    # A column that the hand lacks is zero: it is fitted by zeros.
    before = np.nan_to_num(hand_values(encoding, positions, [hand])[:, 0])
    after = np.nan_to_num(hand_values(encoding, positions, [hand], offset)[:, 0])
    matrix = fitted_blocks(before[:, np.newaxis], after[:, np.newaxis])[0]
    misses = np.linalg.norm(before @ matrix.T - after, axis=1)
    energy = float(np.linalg.norm(after))
    share = float(np.linalg.norm(misses)) / energy if energy > 0 else 0.0
    return BestShift(encoding, offset, hand, matrix, positions, misses, share, is_sample=n_rows > most)


def fitted_blocks(before: Floats, after: Floats) -> Floats:
    """The matrices, shape (n_hands, 2, 2), that map vectors nearest to others, both of shape (n, n_hands, 2).

    By least squares; the smallest of those that are equally near.
    """
    by_hand = before.transpose(1, 0, 2)
    inverses = np.linalg.pinv(by_hand, rcond=np.finfo(np.float64).eps * max(by_hand.shape[1:]))
    solutions: Floats = inverses @ after.transpose(1, 0, 2)
    return solutions.swapaxes(1, 2)


# Values measured at most: some hundredths of a second.
MEASURED_CELLS: Final = 2**20
_FEWEST_SAMPLES: Final = 16


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


def shift_report(encoding: Encoding, offset: float, is_cancelled: IsCancelled = never) -> ShiftReport | None:
    """Measure a shift at every position, or at an even sample where there are too many; None when cancelled."""
    n_samples = max(MEASURED_CELLS // encoding.d_model, _FEWEST_SAMPLES)
    if has_rotation(encoding):
        measured = residuals_by_position(encoding, offset, n_samples, is_cancelled)
    else:
        measured = np.empty(0, dtype=np.int64), np.empty(0)
    spreads = None if measured is None else diagonal_spreads(encoding, MEASURES, offset, n_samples, is_cancelled)
    return None if measured is None or spreads is None else ShiftReport(encoding, offset, *measured, spreads)
