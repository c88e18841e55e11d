"""Binary and Gray code of the position: dials that turn at doubling wavelengths, in steps."""

from dataclasses import dataclass
from typing import ClassVar, Final, Protocol, runtime_checkable

import numpy as np

from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Numbers
from pe_desktop.core.rules import N_POSITIONS, WIDTH, Rules, WordRule, check_fields, grouped
from pe_desktop.core.windows import position_rows, table_columns

CODES: Final = ("binary", "gray")
# Positions have fewer bits than this; a longer shift would not be defined.
_LAST_BIT: Final = 62


@runtime_checkable
class BitDials(Protocol):
    """Columns that are bits, each 0 and 1 for half of its period in turn: a dial that jumps."""

    @property
    def periods(self) -> Floats:
        """After how many positions each column begins anew, shape (d_model,)."""

    @property
    def first_one(self) -> float:
        """The share of a period after which it is 1, for half a period."""


@dataclass(frozen=True, slots=True)
class BitsEncoding(Declared):
    """PE(p, c) = bit c of p, the fastest first, or of p xor p/2, of which neighbours differ in one bit alone (Gray).

    Between whole positions the one before counts; before 0 bits go on as two's complement. Raises ValueError with a
    sentence for a person, also where d_model bits don't tell n_positions apart.
    """

    n_positions: int = 128
    d_model: int = 32
    code: str = "binary"

    KIND: ClassVar[str] = "bits"
    RULES: ClassVar[Rules] = {"n_positions": N_POSITIONS, "d_model": WIDTH, "code": WordRule("code", CODES)}

    def __post_init__(self) -> None:
        check_fields(self, self.RULES)
        least, most = least_bits(self.n_positions), grouped(self.n_positions)
        if self.d_model < least:
            raise ValueError(f"d_model must be at least {least} to tell {most} positions apart: {self.d_model} is not")

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Binary code" if self.code == "binary" else "Gray code"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition."""
        return (f"PE(t, c) = bit c of {'t' if self.code == 'binary' else 't xor t/2'}", "bit 0 is the fastest")

    @property
    def pairs(self) -> None:
        """None: bits jump, they don't turn."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: how many bits two positions share depends on where they stand."""
        return False

    @property
    def value_limit(self) -> float:
        """Bits are 0 or 1."""
        return 1.0

    @property
    def n_filled(self) -> int:
        """As many bits as n_positions needs."""
        return least_bits(self.n_positions)

    @property
    def periods(self) -> Floats:
        """After how many positions each bit begins anew, shape (d_model,): 2^(c + 1), for Gray code 2^(c + 2).

        Infinite for bits beyond those of any position, which never flip.
        """
        bits = np.arange(self.d_model, dtype=np.float64)
        lengths = np.exp2(np.minimum(bits, _LAST_BIT) + (1 if self.code == "binary" else 2))
        return np.where(bits < _LAST_BIT, lengths, np.inf)

    @property
    def first_one(self) -> float:
        """The share of a period after which a bit is 1, for half a period."""
        return 0.5 if self.code == "binary" else 0.25

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), exact."""
        shifts = np.minimum(table_columns(dimensions, self.d_model), _LAST_BIT)
        numbers = np.floor(np.asarray(position_rows(positions), dtype=np.float64)).astype(np.int64)
        if self.code == "gray":
            numbers = numbers ^ (numbers >> 1)
        return ((numbers[:, np.newaxis] >> shifts) & 1).astype(np.float64)


def least_bits(n_positions: int) -> int:
    """How many bits tell so many positions apart; 1 for a single one."""
    return max((n_positions - 1).bit_length(), 1)
