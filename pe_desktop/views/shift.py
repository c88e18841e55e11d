"""The question how well a shift by k is a rotation, which several views ask."""

from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.shift import MEASURED_CELLS, shift_report
from pe_desktop.model.findings import Question

# Table values that are measured in a frame or two; more of them wait until nothing else is asked for.
_QUICK: Final = 2**17


def shift_question(encoding: Encoding, offset: float) -> Question:
    """The ShiftReport of an encoding and an offset."""
    n_cells = min(encoding.n_positions * encoding.d_model, MEASURED_CELLS)
    return Question("shift", shift_report, (encoding, offset), rank=int(n_cells > _QUICK))
