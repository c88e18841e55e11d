"""Sines without cosines, or cosines without sines: an ablation that is periodic and bounded, and has no hands."""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.column_waves import ColumnWaves
from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Numbers
from pe_desktop.core.formulas import wave_formula
from pe_desktop.core.frequencies import frequencies
from pe_desktop.core.hands import column_values
from pe_desktop.core.rules import BASE, N_POSITIONS, WIDTH, Rules, WordRule
from pe_desktop.core.sinusoidal import SPACING, SinusoidalPairs
from pe_desktop.core.windows import position_rows, table_columns

WAVES: Final = ("sine", "cosine")


@dataclass(frozen=True, slots=True)
class OneWaveEncoding(Declared):
    """PE(p, c) = sin(p omega_c), or cos(p omega_c), a frequency for each of the d columns, omega_c = base^(-c/d).

    At half of d_model its columns are the sines, or the cosines, of the sinusoidal encoding of d_model: the same table
    without its other half. Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32
    base: float = 10000.0
    spacing: str = "geometric"
    wave: str = "sine"

    KIND: ClassVar[str] = "one-wave"
    RULES: ClassVar[Rules] = {
        "n_positions": N_POSITIONS,
        # Two columns are what a sinusoidal encoding needs for one frequency.
        "d_model": WIDTH,
        "base": BASE,
        "spacing": SPACING,
        "wave": WordRule("wave", WAVES),
    }

    @property
    def title(self) -> str:
        """The name on the screen."""
        return f"{self.wave.capitalize()} only"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        word = "sin" if self.wave == "sine" else "cos"
        return (f"PE(t, c) = {word}(t ω_c)", wave_formula(self.d_model, self.base, self.spacing))

    @property
    def pairs(self) -> None:
        """None: a hand needs its sine and its cosine."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: sin(a) sin(b) = (cos(a - b) - cos(a + b)) / 2 keeps the sum of the positions."""
        return False

    @property
    def value_limit(self) -> float:
        """Sines and cosines."""
        return 1.0

    @property
    def column_waves(self) -> ColumnWaves:
        """A hand for every column, of which it shows the sine or the cosine."""
        hands = SinusoidalPairs(2 * self.d_model, self.base, self.spacing, "interleaved")
        return ColumnWaves(hands, np.arange(self.d_model), np.full(self.d_model, self.wave == "cosine"))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), as exact as the sinusoidal encoding."""
        columns = table_columns(dimensions, self.d_model)
        is_cosine = np.full(len(columns), self.wave == "cosine")
        some = frequencies(2 * self.d_model, self.base, self.spacing)
        return column_values(position_rows(positions), some, columns, is_cosine)
