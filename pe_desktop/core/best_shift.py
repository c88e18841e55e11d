"""The best shift of one hand by k where no M_k moves it: a 2 x 2 matrix by least squares, and how far it misses."""

from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from pe_desktop.core.columns import hand_values
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.samples import shift_count, shift_positions

# Positions that are fitted at most: a few hundredths of a second.
MOST_POSITIONS: Final = 2**16


@dataclass(frozen=True, slots=True, eq=False)
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


def best_shift(encoding: Encoding, offset: float, hand: int, most: int = MOST_POSITIONS) -> BestShift:
    """Fit one hand at all t with t and t + k in the table, or at an even sample of so many of them."""
    n_rows = shift_count(encoding, offset)
    positions = np.asarray(shift_positions(encoding, offset, most), dtype=np.int64)
    if not n_rows:
        return BestShift(encoding, offset, hand, np.zeros((2, 2)), positions, np.empty(0), np.nan, is_sample=False)
    # A column that the hand lacks is zero: it is fitted by zeros.
    before = np.nan_to_num(hand_values(encoding, positions, [hand])[:, 0])
    after = np.nan_to_num(hand_values(encoding, np.asarray(positions + offset), [hand])[:, 0])
    solution = cast("Floats", np.linalg.lstsq(before, after, rcond=None)[0])
    misses = np.linalg.norm(before @ solution - after, axis=1)
    energy = float(np.linalg.norm(after))
    share = float(np.linalg.norm(misses)) / energy if energy > 0 else 0.0
    return BestShift(encoding, offset, hand, solution.T.copy(), positions, misses, share, is_sample=n_rows > most)
