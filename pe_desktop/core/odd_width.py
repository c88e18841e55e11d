"""A sinusoidal encoding of odd width: an ablation in which one hand has a sine and no cosine."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.column_waves import ColumnWaves
from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Integers, Numbers
from pe_desktop.core.formulas import frequency_formula, pair_places
from pe_desktop.core.frequencies import frequencies
from pe_desktop.core.hands import column_values
from pe_desktop.core.layouts import column_pairs, pair_columns
from pe_desktop.core.rules import BASE, N_POSITIONS, ODD_D_MODEL, Rules
from pe_desktop.core.sinusoidal import LAYOUT, SPACING, SinusoidalPairs
from pe_desktop.core.windows import position_rows, table_columns


@dataclass(frozen=True, slots=True)
class OddWidthEncoding(Declared):
    """The sinusoidal encoding with omega_i = base^(-2i/d) for i = 0 to (d - 1) / 2, whose last cosine is left out.

    So do programs that cut the cosines to the width of the table; others append a zero, cut the sine, or refuse. The
    shift of the last hand needs the cosine that is missing. Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 33
    base: float = 10000.0
    spacing: str = "geometric"
    layout: str = "interleaved"

    KIND: ClassVar[str] = "odd-width"
    RULES: ClassVar[Rules] = {
        "n_positions": N_POSITIONS,
        "d_model": ODD_D_MODEL,
        "base": BASE,
        "spacing": SPACING,
        "layout": LAYOUT,
    }

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Sinusoidal, odd width"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        n_hands = (self.d_model + 1) // 2
        sine, cosine = pair_places(self.layout, n_hands)
        if self.layout == "cosine-first":
            # The missing cosine stood before the sines: they move up.
            sine = f"i + {n_hands - 1}"
        return (
            f"PE(t, {sine}) = sin(t ω_i)",
            f"PE(t, {cosine}) = cos(t ω_i), i < {n_hands - 1}",
            frequency_formula(n_hands, self.base, self.spacing, d_model=self.d_model),
        )

    @property
    def pairs(self) -> None:
        """None: the last hand is no pair of columns, so no matrix moves the whole vector."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: the sine without a cosine keeps the position in the dot product."""
        return False

    @property
    def value_limit(self) -> float:
        """Sines and cosines."""
        return 1.0

    @property
    def column_waves(self) -> ColumnWaves:
        """The hands, all but the last with sine and cosine."""
        hands = SinusoidalPairs(self.d_model, self.base, self.spacing, self.layout)
        return ColumnWaves(hands, *column_pairs(self.layout, hands.count, self._even_columns()))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), as exact as the sinusoidal encoding."""
        columns = self._even_columns()[table_columns(dimensions, self.d_model)]
        hands, is_cosine = column_pairs(self.layout, (self.d_model + 1) // 2, columns)
        some = frequencies(self.d_model, self.base, self.spacing)
        return column_values(position_rows(positions), some, hands, is_cosine)

    def _even_columns(self) -> Integers:
        """The columns of the table that is one wider, but for the cosine of its last hand, shape (d_model,)."""
        n_hands = (self.d_model + 1) // 2
        _, missing = pair_columns(self.layout, n_hands, n_hands - 1)
        return np.delete(np.arange(2 * n_hands), missing)
