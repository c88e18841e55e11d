"""What is measured of a shift by k, on values of the table: residuals of M_k, spread along the diagonal."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.lags import never
from pe_desktop.core.rotation import has_rotation, residuals_by_position
from pe_desktop.core.similarity import SIMILARITY_KINDS, DiagonalSpread, diagonal_spread

# Values measured at most: some hundredths of a second.
MEASURED_CELLS: Final = 2**20
FEWEST_SAMPLES: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class ShiftReport:
    """Measurements of one encoding and one offset.

    positions, residuals: the measured t, ascending, and max |M_k p_t - p_(t+k)| at each, shape (n,).
    Both are empty where there is no M_k: without pairs, or where hands don't turn evenly.
    spreads: how far dot product, cosine and distance of p_t and p_(t+k) differ over measured t, by kind.
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


def shift_report(encoding: Encoding, offset: float, is_cancelled: Callable[[], bool] = never) -> ShiftReport | None:
    """Measure a shift at every position, or at an even sample where there are too many; None when cancelled."""
    n_samples = max(MEASURED_CELLS // encoding.d_model, FEWEST_SAMPLES)
    if has_rotation(encoding):
        positions, residuals = residuals_by_position(encoding, offset, n_samples)
    else:
        positions, residuals = np.empty(0, dtype=np.int64), np.empty(0)
    spreads: dict[str, DiagonalSpread] = {}
    for kind in SIMILARITY_KINDS:
        spread = diagonal_spread(encoding, kind, offset, n_samples, is_cancelled)
        if spread is None:
            return None
        spreads[kind] = spread
    return ShiftReport(encoding, offset, positions, residuals, spreads)
