"""The angular frequencies of the three spacings, from whole-number arithmetic far beyond float64."""

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers

SPACINGS: Final = ("geometric", "inclusive", "linear")

# Frequencies are first written as whole multiples of 2^-192: 32,768 successive products then still agree with exact
# arithmetic to 2^-170, far more than the bits that are kept.
_BITS: Final = 192
_GUARD_BITS: Final = 32
_ONE: Final = 1 << _BITS
_DIGITS: Final = 80
# 1 / 2 pi.
_INVERSE_TURN: Final = Decimal("0.159154943091895335768883763372514362034459645740456448747667344058896797634226535")


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """One row of numbers for each pair, read-only.

    angular: omega_i, correctly rounded, radians per position, shape (n_pairs,).
    wavelengths: 2 pi / omega_i, positions per turn, shape (n_pairs,).
    units: omega_i / 2 pi in units of 2^-64 turn, rounded, uint64, shape (n_pairs,).
    rests: what the rounding left, in the same units, in [-1/2, 1/2], float64, shape (n_pairs,).
    """

    angular: Floats
    wavelengths: Floats
    units: NDArray[np.uint64]
    rests: Floats

    def some(self, pairs: slice | Integers) -> "Frequencies":
        """The same for some of the pairs."""
        return Frequencies(self.angular[pairs], self.wavelengths[pairs], self.units[pairs], self.rests[pairs])


@lru_cache(maxsize=8)
def frequencies(d_model: int, base: float, spacing: str) -> Frequencies:
    """The frequencies of all d_model / 2 pairs, pair 0 first.

    geometric: omega_i = base^(-2i/d), "Attention Is All You Need", section 3.5.
    inclusive: omega_i = base^(-i/(d/2 - 1)), tensor2tensor, common_attention.py, get_timing_signal_1d.
    linear: omega_i = 1 - i (1 - 1/base) / (d/2 - 1).
    """
    multiples = _linear(d_model, base) if spacing == "linear" else _geometric(d_model, base, spacing)
    with localcontext() as context:
        context.prec = _DIGITS
        inverse_turn = int(_INVERSE_TURN * _ONE)
    angular = np.ldexp(np.array(multiples, dtype=np.float64), -_BITS)
    # Turns as two words of 64 bits; the lower one, read with a sign, is what rounding to the upper one leaves.
    turns = [(multiple * inverse_turn) >> (2 * _BITS - 128) for multiple in multiples]
    words = b"".join([turn.to_bytes(16, "little") for turn in turns])
    lower, upper = np.frombuffer(words, dtype="<u8").reshape(-1, 2).astype(np.uint64).T
    rests = np.ldexp(lower.view(np.int64).astype(np.float64), -64)
    rows = (angular, math.tau / angular, upper + (lower >> np.uint64(63)), rests)
    for row in rows:
        row.flags.writeable = False
    return Frequencies(*rows)


def _geometric(d_model: int, base: float, spacing: str) -> list[int]:
    """base^(-i / steps) in units of 2^-192, each the one before times the ratio."""
    n_pairs = d_model // 2
    steps = n_pairs if spacing == "geometric" else max(n_pairs - 1, 1)
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = int((-Decimal(base).ln() / steps).exp() * _ONE)
    multiple = _ONE
    multiples = [multiple]
    for _ in range(n_pairs - 1):
        multiple = (multiple * ratio) >> _BITS
        multiples.append(multiple)
    return multiples


def _linear(d_model: int, base: float) -> list[int]:
    """1 - i (1 - 1/base) / (n_pairs - 1) in units of 2^-192."""
    n_pairs = d_model // 2
    numerator, denominator = base.as_integer_ratio()
    span = _ONE - _ONE * denominator // numerator
    step = (span << _GUARD_BITS) // max(n_pairs - 1, 1)
    return [_ONE - ((pair * step) >> _GUARD_BITS) for pair in range(n_pairs)]
