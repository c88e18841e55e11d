"""The doubled exponent: a frequent mistake, in which each column has a frequency of its own."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.column_waves import ColumnWaves
from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Numbers
from pe_desktop.core.formulas import MINUS, number
from pe_desktop.core.frequencies import Frequencies, doubled_frequencies
from pe_desktop.core.hands import column_values
from pe_desktop.core.rules import BASE, D_MODEL, N_POSITIONS, Rules
from pe_desktop.core.sinusoidal import SinusoidalPairs
from pe_desktop.core.windows import position_rows, table_columns


@dataclass(frozen=True, slots=True)
class DoubledExponentHands(SinusoidalPairs):
    """A hand for each column, omega_c = base^(-2c/d); d_model counts twice as many."""

    @property
    def frequencies(self) -> Frequencies:
        """The frequencies as radians and as exact fractions of a turn."""
        return doubled_frequencies(self.count, self.base)


@dataclass(frozen=True, slots=True)
class DoubledExponentEncoding(Declared):
    """PE(p, c) = sin(p base^(-2c/d)) for even c and cos(p base^(-2c/d)) for odd c.

    What `10000 ** (2 * i / d)` computes where i already counts columns by twos: the exponent runs to 2 instead of 1,
    and the sine and the cosine of a pair turn at different speeds. Source: SamLynnEvans/Transformer, issue 25. Raises
    ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32
    base: float = 10000.0

    KIND: ClassVar[str] = "doubled-exponent"
    RULES: ClassVar[Rules] = {"n_positions": N_POSITIONS, "d_model": D_MODEL, "base": BASE}

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Doubled exponent"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        return (
            "PE(t, 2i) = sin(t ω_{2i})",
            "PE(t, 2i + 1) = cos(t ω_{2i + 1})",
            f"ω_c = {number(self.base)}^{{{MINUS}2c/{number(self.d_model)}}}",
        )

    @property
    def pairs(self) -> None:
        """None: no sine has a cosine of its own frequency."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: sine and cosine of different frequencies don't add up to the cosine of a difference."""
        return False

    @property
    def value_limit(self) -> float:
        """Sines and cosines."""
        return 1.0

    @property
    def column_waves(self) -> ColumnWaves:
        """A hand for every column, of which even ones show the sine and odd ones the cosine."""
        columns = np.arange(self.d_model)
        hands = DoubledExponentHands(2 * self.d_model, self.base, "geometric", "interleaved")
        return ColumnWaves(hands, columns, columns % 2 == 1)

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), as exact as the sinusoidal encoding."""
        columns = table_columns(dimensions, self.d_model)
        some = doubled_frequencies(self.d_model, self.base)
        return column_values(position_rows(positions), some, columns, columns % 2 == 1)
