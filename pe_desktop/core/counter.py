"""The position itself as an encoding: the first thing one thinks of, and unbounded."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Integers, Numbers
from pe_desktop.core.rules import N_POSITIONS, WIDTH, Rules
from pe_desktop.core.windows import Rows, position_rows, table_columns


@dataclass(frozen=True, slots=True)
class CounterEncoding(Declared):
    """PE(p, 0) = p; the other columns are zero: one number for a position needs one column, however wide the table.

    Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32

    KIND: ClassVar[str] = "counter"
    RULES: ClassVar[Rules] = {"n_positions": N_POSITIONS, "d_model": WIDTH}

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Counter"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition."""
        return ("PE(t, 0) = t", *empty_columns(self.d_model))

    @property
    def pairs(self) -> None:
        """None: nothing turns."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: t (t + k) grows with t."""
        return False

    @property
    def value_limit(self) -> float:
        """The last position."""
        return float(max(self.n_positions - 1, 1))

    @property
    def n_filled(self) -> int:
        """One: the number itself."""
        return 1

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), exact."""
        rows = position_rows(positions)
        return number_columns(rows, 1.0, self.d_model, dimensions)


def number_columns(rows: Rows, divisor: float, d_model: int, dimensions: Numbers | None) -> Floats:
    """The position over a divisor in column 0 and zeros elsewhere, shape (len(rows), len(dimensions))."""
    columns: Integers = table_columns(dimensions, d_model)
    result = np.zeros((len(rows), len(columns)))
    result[:, columns == 0] = (np.asarray(rows, dtype=np.float64) / divisor)[:, np.newaxis]
    return result


def empty_columns(d_model: int) -> tuple[str, ...]:
    """The line that says what the other columns hold, where there are any."""
    return ("PE(t, c) = 0 for c > 0",) if d_model > 1 else ()
