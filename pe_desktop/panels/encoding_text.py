"""What the Encoding dock says about an encoding in sentences and checks."""

import math
from dataclasses import dataclass

from pe_desktop.core.analysis import Analysis
from pe_desktop.core.encoding import Encoding
from pe_desktop.plotting import number_text

# Rounding of float64 leaves a few units in the last place of 1; a formula that fails misses by far more.
ROUNDING = 1e-12
# Counts of five digits don't fit beside the heading: their share stands there.
MANY_PAIRS = 10_000


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One measured property: its name, whether it holds (None: being measured), its number, what the number means."""

    name: str
    holds: bool | None
    number: str
    explanation: str


def turning_sentence(encoding: Encoding) -> str:
    """How many pairs complete a turn within the table."""
    if encoding.pairs is None:
        return ""
    n_turning = int((encoding.pairs.wavelengths <= encoding.n_positions).sum())
    n_pairs = encoding.pairs.count
    if n_pairs >= MANY_PAIRS:
        return f"{number_text.whole(100 * n_turning / n_pairs)} % turn within N"
    return f"{number_text.whole(n_turning)} of {number_text.whole(n_pairs)} turn within N"


def check_rows(encoding: Encoding, analysis: Analysis | None) -> tuple[tuple[CheckRow, CheckRow, CheckRow], str]:
    """The checks of the dock, and how many positions they were measured at."""
    names = ("Bounded", "Constant length", "Linear shift")
    if analysis is None or analysis.encoding != encoding:
        first, second, third = (CheckRow(name, None, "…", "Being measured") for name in names)
        return (first, second, third), "measuring"
    spread = analysis.norm_high - analysis.norm_low
    expected = math.sqrt(encoding.d_model / 2)
    residual = analysis.largest_residual if analysis.largest_residual is not None else math.inf
    rows = (
        CheckRow(
            names[0],
            analysis.largest_value <= 1.0,
            f"max {number_text.fixed(analysis.largest_value, 3)}",
            "The largest |value| in the measured rows of the table",
        ),
        CheckRow(
            names[1],
            spread <= ROUNDING * expected,
            f"{number_text.short(expected)} ± {_tiny(spread / 2)}",
            "The length of p_t at every measured position; √(d/2) for a clock whose hands all have length 1",
        ),
        CheckRow(
            names[2],
            residual <= ROUNDING,
            f"± {_tiny(residual)}",
            "The largest |M_1 p_t − p_(t+1)| over the measured positions: one matrix moves every position by one",
        ),
    )
    sample = "a sample of " if analysis.is_sample else ""
    noun = "position" if analysis.n_measured == 1 else "positions"
    return rows, f"at {sample}{number_text.whole(analysis.n_measured)} {noun}"


def _tiny(value: float) -> str:
    return "0" if value == 0 else number_text.scientific(value, 0)
