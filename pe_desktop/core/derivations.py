"""Numbers of the derivations: the system of equations for M_k, the determinant of sines and cosines, blocks."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.cursor import hand_values
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.record import record

# Values of the table whose equations are solved: about a second where there are as many equations as unknowns.
_MOST_VALUES: Final = 2**20
_MOST_EQUATIONS: Final = 2**10
# Singular values below this share of the largest one count as zero.
RANK_SHARE: Final = 1e-10
# The largest condition of a matrix at which elimination keeps enough digits.
_MOST_LOST: Final = 1e8
# Pairs of frequencies between two checks for a cancellation.
_CELLS: Final = 2**20


@record(eq=False)
class ShiftSystem:
    """Two rows m of M_k by least squares from m p_t = PE(t + k, row) at t = 0 to n_equations - 1, in float64.

    rows: the smallest solutions, shape (2, d_model); rank: how many singular values of the table of these t are above
    RANK_SHARE of the largest; residual: the largest miss at these t. log10_determinant: log10 of |det| of the first d
    rows by elimination, None where they are too few or float64 has no digits left for it.
    """

    n_equations: int
    rank: int
    rows: Floats
    residual: float
    log10_determinant: float | None


def shift_system(encoding: Encoding, offset: float, columns: tuple[int, int]) -> ShiftSystem:
    """Solve for the rows of M_k that give two columns of the table, at its first positions, 2^20 values at most."""
    n_equations = min(encoding.n_positions, _MOST_EQUATIONS, max(_MOST_VALUES // encoding.d_model, 1))
    table = encoding.values(range(n_equations))
    wanted = encoding.values([t + offset for t in range(n_equations)], columns)
    left, sizes, right = np.linalg.svd(table, full_matrices=False)
    rank = int(np.count_nonzero(sizes > RANK_SHARE * sizes[0]))
    rows = ((left[:, :rank].T @ wanted) / sizes[:rank, None]).T @ right[:rank]
    residual = float(np.abs(table @ rows.T - wanted).max())
    square = table[: encoding.d_model]
    has_digits = rank == encoding.d_model and np.linalg.cond(square) < _MOST_LOST
    determinant = float(np.linalg.slogdet(square)[1]) / math.log(10) if has_digits else None
    return ShiftSystem(n_equations, rank, rows, residual, determinant)


def log10_determinant(pairs: Pairs, is_cancelled: IsCancelled = never) -> float:
    """log10 of |det| of the first d rows of sines and cosines of hands of length 1.

    The product of |sin omega_i| over all i, and of 4 (cos omega_i - cos omega_j)^2 over all i < j: sine and cosine are
    sums of e^(1j omega t) and e^(-1j omega t), whose powers for t = 0, 1, ... form a Vandermonde matrix. -inf where two
    hands turn alike: then columns are sums of others. CancelledError as `stop_if`.
    """
    omegas = pairs.angular_frequencies
    height = max(_CELLS // len(omegas), 1)
    with np.errstate(divide="ignore"):
        total = float(np.log10(np.abs(np.sin(omegas))).sum())
        for first in range(0, len(omegas), height):
            stop_if(is_cancelled)
            left, right = omegas[first : first + height, None], omegas[first:]
            # cos a - cos b as a product: slow hands differ in late digits of their cosines.
            factors = np.abs(4 * np.sin((left - right) / 2) * np.sin((left + right) / 2))
            factors[np.tril_indices(len(left), 0, len(right))] = 1.0
            total += 2 * float(np.log10(factors).sum())
    return total


def measured_block(encoding: Encoding, position: float, offset: float, hand: int) -> tuple[float, float]:
    """Cosine c and sine s with which [[c, s], [-s, c]] takes a hand from t to t + k, from four values of the table.

    A column that the hand lacks is zero. nan where the hand is zero at t.
    """
    (x, y), (later_x, later_y) = np.nan_to_num(hand_values(encoding, [position, position + offset], [hand])[:, 0])
    square = x * x + y * y
    if square == 0:
        return math.nan, math.nan
    return float((x * later_x + y * later_y) / square), float((y * later_x - x * later_y) / square)
