"""What is measured of a shift by k, on values of the table: residuals of M_k, spread along the diagonal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.lags import never
from pe_desktop.core.rotation import residuals_by_position
from pe_desktop.core.similarity import SIMILARITY_KINDS, DiagonalSpread, diagonal_spread

# Values measured at most: some hundredths of a second.
MEASURED_CELLS: Final = 2**20
FEWEST_SAMPLES: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class ShiftReport:
    """Measurements of one encoding and one offset.

    positions, residuals: the measured t, ascending, and max |M_k p_t - p_(t+k)| at each, shape (n,).
    spreads: how far dot product, cosine and distance of p_t and p_(t+k) differ over measured t, by kind.
    """

    encoding: Encoding
    offset: float
    positions: Integers
    residuals: Floats
    spreads: Mapping[str, DiagonalSpread]

    @property
    def largest_residual(self) -> float:
        """The largest of the residuals."""
        return float(self.residuals.max())


def shift_report(encoding: Encoding, offset: float, is_cancelled: Callable[[], bool] = never) -> ShiftReport | None:
    """Measure a shift at every position, or at an even sample where there are too many; None when cancelled."""
    n_samples = max(MEASURED_CELLS // encoding.d_model, FEWEST_SAMPLES)
    positions, residuals = residuals_by_position(encoding, offset, n_samples)
    spreads: dict[str, DiagonalSpread] = {}
    for kind in SIMILARITY_KINDS:
        spread = diagonal_spread(encoding, kind, offset, n_samples, is_cancelled)
        if spread is None:
            return None
        spreads[kind] = spread
    return ShiftReport(encoding, offset, positions, residuals, spreads)
