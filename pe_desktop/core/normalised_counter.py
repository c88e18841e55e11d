"""The position over the length of the table: bounded, and another encoding for every length."""

from dataclasses import dataclass
from typing import ClassVar

from pe_desktop.core.counter import CounterEncoding, empty_columns, number_columns
from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Numbers
from pe_desktop.core.formulas import number
from pe_desktop.core.rules import Rules
from pe_desktop.core.windows import position_rows


@dataclass(frozen=True, slots=True)
class NormalisedCounterEncoding(Declared):
    """PE(p, 0) = p / N, N the length of the table; the other columns are zero.

    Bounded, at the price that the same step means another difference in every text of another length. Raises ValueError
    with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32

    KIND: ClassVar[str] = "normalised-counter"
    RULES: ClassVar[Rules] = CounterEncoding.RULES

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Normalised counter"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        return (f"PE(t, 0) = t/{number(self.n_positions)}", *empty_columns(self.d_model))

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
        """What the last position comes close to."""
        return 1.0

    @property
    def n_filled(self) -> int:
        """One: the number itself."""
        return 1

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), rounded once."""
        return number_columns(position_rows(positions), self.n_positions, self.d_model, dimensions)
