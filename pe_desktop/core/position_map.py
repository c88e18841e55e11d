"""Sinusoids of a map of the position that is not linear: an ablation in which no shift is a rotation any more."""

from dataclasses import dataclass
from typing import ClassVar, Final, NoReturn

import numpy as np

from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Numbers
from pe_desktop.core.formulas import frequency_formula, pair_places
from pe_desktop.core.position_maps import POSITION_MAPS, mapped, mapped_split
from pe_desktop.core.rules import BASE, D_MODEL, N_POSITIONS, Rules, WordRule
from pe_desktop.core.sinusoidal import LAYOUT, SPACING, SinusoidalPairs
from pe_desktop.core.windows import Rows, Split, position_rows

_TITLES: Final = {"square": "t²", "root": "√t", "log": "log(1 + t)", "reciprocal": "1/(1 + t)"}
_ANGLES: Final = {"square": "t^2 ω_i", "root": "t^{1/2} ω_i", "log": "log(1 + t) ω_i", "reciprocal": "ω_i/(1 + t)"}


@dataclass(frozen=True, slots=True)
class PositionMapPairs(SinusoidalPairs):
    """The pairs of such an encoding: at position p the hand stands at f(p) omega_i.

    omega_i are radians, and wavelengths 2 pi / omega_i, per unit of f(p).
    """

    map: str = "square"

    @property
    def turns_evenly(self) -> bool:
        """False: how far a hand turns over an offset depends on where it starts."""
        return False

    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> NoReturn:
        """ValueError: there is no such angle."""
        raise ValueError(_REFUSAL)

    def offset_hands(self, offsets: Numbers, pairs: Numbers | None = None) -> NoReturn:
        """ValueError: there is no such turn."""
        raise ValueError(_REFUSAL)

    def turns(self, positions: Numbers, offset: float, pairs: Numbers | None = None) -> Floats:
        """(f(t + k) - f(t)) omega_i in plain float64, shape (len(positions), len(pairs)), radians."""
        rows = np.asarray(position_rows(positions), dtype=np.float64)
        turned = mapped(rows + offset, self.map) - mapped(rows, self.map)
        return np.outer(turned, self._frequencies_of(pairs).angular)

    def reading(self, rows: Rows) -> Split:
        """f(p)."""
        return mapped_split(rows, self.map)


_REFUSAL: Final = "hands of a position map don't turn evenly: how far depends on the position, not on the offset alone"


@dataclass(frozen=True, slots=True)
class PositionMapEncoding(Declared):
    """PE(p, sine of pair i) = sin(f(p) omega_i), PE(p, cosine of pair i) = cos(f(p) omega_i).

    f is p^2, the square root, log(1 + p) or 1 / (1 + p). Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32
    base: float = 10000.0
    spacing: str = "geometric"
    layout: str = "interleaved"
    map: str = "square"

    KIND: ClassVar[str] = "position-map"
    RULES: ClassVar[Rules] = {
        "n_positions": N_POSITIONS,
        "d_model": D_MODEL,
        "base": BASE,
        "spacing": SPACING,
        "layout": LAYOUT,
        "map": WordRule("map", tuple(POSITION_MAPS)),
    }

    @property
    def title(self) -> str:
        """The name on the screen."""
        return f"Sinusoidal of {_TITLES[self.map]}"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own numbers."""
        n_pairs = self.d_model // 2
        sine, cosine = pair_places(self.layout, n_pairs)
        return (
            f"PE(t, {sine}) = sin({_ANGLES[self.map]})",
            f"PE(t, {cosine}) = cos({_ANGLES[self.map]})",
            frequency_formula(n_pairs, self.base, self.spacing),
        )

    @property
    def pairs(self) -> PositionMapPairs:
        """The hands, which don't turn evenly."""
        return PositionMapPairs(self.d_model, self.base, self.spacing, self.layout, map=self.map)

    @property
    def is_shift_invariant(self) -> bool:
        """False: f(t + k) - f(t) depends on t."""
        return False

    @property
    def value_limit(self) -> float:
        """Sines and cosines."""
        return 1.0

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), at a cost of that window alone.

        Error at most 1e-15 for positions up to 2^31 either way (docs/precision.md).
        """
        return self.pairs.values(positions, dimensions)
