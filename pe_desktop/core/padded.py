"""The weight table of fairseq: a sinusoidal encoding in which the row that padding reads is all zero."""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.column_waves import ColumnWaves
from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Numbers
from pe_desktop.core.formulas import frequency_formula, number, pair_places
from pe_desktop.core.layouts import column_pairs
from pe_desktop.core.rules import BASE, D_MODEL, N_POSITIONS, PADDING_INDEX, Rules
from pe_desktop.core.sinusoidal import SinusoidalPairs
from pe_desktop.core.windows import position_rows

# Those of tensor2tensor, which fairseq follows.
_SPACING: Final = "inclusive"
_LAYOUT: Final = "half-split"


@dataclass(frozen=True, slots=True)
class PaddedEncoding(Declared):
    """PE(padding_idx, c) = 0; elsewhere PE(p, i) = sin(p omega_i), PE(p, d/2 + i) = cos(p omega_i), inclusive spacing.

    The first token reads row padding_idx + 1. Between whole positions, however near to padding_idx, the sinusoids are
    not zero; a padding_idx beyond the table leaves all its rows as they are. Source: fairseq,
    sinusoidal_positional_embedding.py. Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32
    base: float = 10000.0
    padding_idx: int = 1

    KIND: ClassVar[str] = "padded"
    RULES: ClassVar[Rules] = {
        "n_positions": N_POSITIONS,
        "d_model": D_MODEL,
        "base": BASE,
        "padding_idx": PADDING_INDEX,
    }

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Sinusoidal, padding row"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        n_pairs, row = self.d_model // 2, number(self.padding_idx)
        sine, cosine = pair_places(_LAYOUT, n_pairs)
        return (
            f"PE({row}, c) = 0, and for t ≠ {row}",
            f"PE(t, {sine}) = sin(t ω_i)",
            f"PE(t, {cosine}) = cos(t ω_i)",
            frequency_formula(n_pairs, self.base, _SPACING),
        )

    @property
    def pairs(self) -> None:
        """None: a row of zeros has no angle."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: dot products with the row of zeros are 0."""
        return False

    @property
    def value_limit(self) -> float:
        """Sines and cosines."""
        return 1.0

    @property
    def empty_row(self) -> int:
        """padding_idx."""
        return self.padding_idx

    @property
    def column_waves(self) -> ColumnWaves:
        """The hands of all other rows."""
        hands = self._hands
        return ColumnWaves(hands, *column_pairs(_LAYOUT, hands.count, np.arange(self.d_model)))

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), as exact as the sinusoidal encoding."""
        rows = position_rows(positions)
        result = self._hands.values(rows, dimensions)
        result[np.asarray(rows) == self.padding_idx] = 0.0
        return result

    @property
    def _hands(self) -> SinusoidalPairs:
        return SinusoidalPairs(self.d_model, self.base, _SPACING, _LAYOUT)
