"""What is measured of an encoding, on values of its table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.rotation import shift_residuals
from pe_desktop.core.windows import Rows

# Up to here every position is measured; beyond it an evenly spread sample of about this many values.
MEASURED_CELLS: Final = 2**22

# Values measured between two questions whether to go on: a few milliseconds.
_STEP_CELLS: Final = 2**18


@dataclass(frozen=True, slots=True)
class Analysis:
    """Measurements of one encoding.

    n_measured: how many positions were looked at; is_sample: whether that is fewer than the table has;
    largest_value: max |x|; norm_low, norm_high: the smallest and largest |p_t|;
    largest_residual: max |M_1 p_t - p_(t+1)|, None where there is no M_1, without pairs or where they don't turn
    evenly; n_turning: the pairs whose wavelength is at most N, 0 where there is no M_1.
    """

    encoding: Encoding
    n_measured: int
    is_sample: bool
    largest_value: float
    norm_low: float
    norm_high: float
    largest_residual: float | None
    n_turning: int


def never() -> bool:
    """Go on to the end."""
    return False


def analyse(encoding: Encoding, is_cancelled: Callable[[], bool] = never) -> Analysis | None:
    """Measure an encoding, or None when is_cancelled, asked every few milliseconds, says so."""
    rows = measured_positions(encoding)
    height = max(_STEP_CELLS // encoding.d_model, 1)
    largest, residual = 0.0, 0.0
    norms: list[Floats] = []
    pairs = encoding.pairs if encoding.pairs is not None and encoding.pairs.turns_evenly else None
    for first in range(0, len(rows), height):
        if is_cancelled():
            return None
        some = rows[first : first + height]
        values = encoding.values(some)
        largest = max(largest, float(np.abs(values).max()))
        norms.append(np.linalg.norm(values, axis=1))
        if pairs is not None:
            residual = max(residual, float(shift_residuals(encoding, 1, some).max()))
    return Analysis(
        encoding=encoding,
        n_measured=len(rows),
        is_sample=len(rows) < encoding.n_positions,
        largest_value=largest,
        norm_low=float(min(norm.min() for norm in norms)),
        norm_high=float(max(norm.max() for norm in norms)),
        largest_residual=residual if pairs is not None else None,
        n_turning=int(np.count_nonzero(pairs.wavelengths <= encoding.n_positions)) if pairs is not None else 0,
    )


def measured_positions(encoding: Encoding) -> Rows:
    """All positions of a small table, else an evenly spread sample that holds the first and the last."""
    n_positions = encoding.n_positions
    affordable = max(MEASURED_CELLS // encoding.d_model, 2)
    if n_positions <= affordable:
        return range(n_positions)
    return np.arange(affordable, dtype=np.int64) * (n_positions - 1) // (affordable - 1)
