"""The best linear shift of each hand: the 2 x 2 matrix that takes its values at t nearest to those at t + 1."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.measured_table import MeasuredTable

# A direction of a hand's values that is smaller than this share of the other one is rounding.
_RANK: Final = 8 * float(np.finfo(np.float64).eps)
# Fewer rows than this can be fitted whatever they are.
FEWEST_ROWS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class ShiftFit:
    """Residuals of the best shift by one position, each hand with a 2 x 2 matrix of its own and no constant.

    columns: the two columns of each hand, shape (n_hands, 2), -1 for one that it lacks.
    residuals: |P_+ - P M| / |P_+| in the Frobenius norm, hand by hand, shape (n_hands,); total: the same of all hands.
    n_rows: how many t were measured.
    """

    columns: Integers
    residuals: Floats
    total: float
    n_rows: int


def fit_in_steps(table: MeasuredTable) -> Generator[float, None, ShiftFit]:
    """Fit all hands by least squares; yields the share that is done, every few milliseconds.

    Never one free d x d matrix: tables have so few independent columns that it would fit anything. Successive QR
    factors of [P P_+] keep the residual good to about 1e-15 of |P_+|, also for hands that hardly turn.
    """
    columns = hand_columns(table.encoding)
    factors = np.zeros((len(columns), 4, 4))
    n_rows, n_all = 0, sum(map(len, table.runs))
    for before, after in table.neighbours():
        stacked = np.concatenate([factors, _by_hand(before, after, columns)], axis=1)
        factors = _triangles(stacked)
        n_rows += len(before)
        yield min(n_rows / n_all, 1.0)
    squares, energies = _residual_squares(factors[:, :, :2], factors[:, :, 2:])
    # A hand that is zero at every t is carried to itself exactly.
    residuals = np.sqrt(np.divide(squares, energies, out=np.zeros(len(columns)), where=energies > 0))
    energy = float(energies.sum())
    total = float(np.sqrt(squares.sum() / energy)) if energy > 0 else 0.0
    return ShiftFit(columns, residuals, total, n_rows)


def _triangles(matrices: Floats) -> Floats:
    """The triangular factor of each matrix, shape (n_hands, 4, 4)."""
    return cast("Floats", np.linalg.qr(matrices, mode="r"))


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
