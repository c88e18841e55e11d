"""Which positions are measured where a table is too long to measure them all."""

from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.windows import Rows


def even_sample(n_positions: int, most: int) -> Rows:
    """All positions of a table where they are at most so many, else an even sample that holds the first and the last.

    most is at least 2 where it is less than n_positions.
    """
    if n_positions <= most:
        return range(n_positions)
    return np.arange(most, dtype=np.int64) * (n_positions - 1) // (most - 1)


# Up to here every value of a table is looked at; beyond it an even sample of about so many.
MEASURED_CELLS: Final = 2**22


def measured_positions(encoding: Encoding) -> Rows:
    """All positions of a small table, else an evenly spread sample that holds the first and the last."""
    return even_sample(encoding.n_positions, max(MEASURED_CELLS // encoding.d_model, 2))
