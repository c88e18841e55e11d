"""The angular frequencies of the spacings, from whole-number arithmetic far beyond float64."""

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.limits import MIN_FREQUENCY
from pe_desktop.core.rules import grouped

SPACINGS: Final = ("geometric", "inclusive", "linear", "single")

# Frequencies are first written as whole multiples of 2^-192: 32,768 successive products then still agree with exact
# arithmetic to 2^-170, far more than the bits that are kept.
_BITS: Final = 192
_GUARD_BITS: Final = 32
_ONE: Final = 1 << _BITS
_DIGITS: Final = 80
# A whole turn in the two words of 64 bits that hold a frequency.
_TURN: Final = 1 << 128
# 1 / 2 pi.
_INVERSE_TURN: Final = Decimal("0.159154943091895335768883763372514362034459645740456448747667344058896797634226535")


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """One row of numbers for each pair, read-only.

    angular: omega_i, correctly rounded, radians per position, shape (n_pairs,).
    wavelengths: 2 pi / omega_i, positions per turn, shape (n_pairs,).
    units: omega_i / 2 pi in units of 2^-64 turn, rounded, uint64, shape (n_pairs,).
    rests: what the rounding left, in the same units, in [-1/2, 1/2], float64, shape (n_pairs,).
    whole_turns: the nearest whole number of turns per position, 0 below half a turn, float64, shape (n_pairs,).
    folded: omega_i less these whole turns, in [-pi, pi], shape (n_pairs,).
    """

    angular: Floats
    wavelengths: Floats
    units: NDArray[np.uint64]
    rests: Floats
    whole_turns: Floats
    folded: Floats

    @property
    def has_whole_turns(self) -> bool:
        """Whether a hand turns by half a turn or more from one position to the next."""
        return bool(np.any(self.whole_turns))

    def some(self, pairs: slice | Integers) -> "Frequencies":
        """The same for some of the pairs."""
        return Frequencies(
            self.angular[pairs],
            self.wavelengths[pairs],
            self.units[pairs],
            self.rests[pairs],
            self.whole_turns[pairs],
            self.folded[pairs],
        )


def check_shift(d_model: int, base: float, spacing: str, shift: float) -> None:
    """ValueError with a sentence for a shift that leaves no base^(-i / (d/2 - shift)), or hands that stand still."""
    n_pairs = d_model // 2
    if shift == 0:
        return
    if not takes_shift(spacing):
        raise ValueError(f"shift must be 0 in {spacing} spacing: {_told(shift)} is not")
    if shift >= n_pairs:
        raise ValueError(f"shift must be below d_model / 2 = {grouped(n_pairs)}: {_told(shift)} is not")
    if (n_pairs - 1) / (n_pairs - shift) * math.log(base) > -math.log(MIN_FREQUENCY):
        sizes = f"d_model {grouped(d_model)} and base {grouped(base)}"
        raise ValueError(f"shift must leave no frequency below {MIN_FREQUENCY}: {_told(shift)} does with {sizes}")


def takes_shift(spacing: str) -> bool:
    """Whether a shift acts in this spacing."""
    return spacing == "geometric"


def _told(shift: float) -> str:
    return f"{shift:.12g}"


@lru_cache(maxsize=8)
def frequencies(d_model: int, base: float, spacing: str, scale: float = 1.0, shift: float = 0.0) -> Frequencies:
    """The frequencies of all d_model / 2 pairs, pair 0 first; of an odd d_model one more, the hand without a cosine.

    geometric: omega_i = scale base^(-i/(d/2 - shift)): "Attention Is All You Need", section 3.5, where shift is 0; with
    it diffusers, embeddings.py, get_timestep_embedding, downscale_freq_shift.
    inclusive: omega_i = scale base^(-i/(n - 1)), n pairs: tensor2tensor, common_attention.py, get_timing_signal_1d.
    linear: omega_i = scale (1 - i (1 - 1/base) / (n - 1)); single: omega_i = scale.
    """
    count = (d_model + 1) // 2
    if spacing == "linear":
        multiples = _linear(count, base)
    elif spacing == "single":
        multiples = [_ONE] * count
    else:
        steps = Decimal(d_model) / 2 - Decimal(shift) if spacing == "geometric" else Decimal(max(count - 1, 1))
        multiples = _geometric(count, steps, base)
    return _frequencies(multiples, scale)


@lru_cache(maxsize=4)
def doubled_frequencies(d_model: int, base: float) -> Frequencies:
    """A frequency for every column, base^(-2c/d): the exponent counts columns where the paper counts pairs."""
    return _frequencies(_geometric(d_model, Decimal(d_model) / 2, base), 1.0)


def _frequencies(multiples: list[int], scale: float) -> Frequencies:
    """The rows of numbers for frequencies in units of 2^-192, each times the scale."""
    numerator, denominator = scale.as_integer_ratio()
    multiples = [multiple * numerator // denominator for multiple in multiples]
    with localcontext() as context:
        context.prec = _DIGITS
        inverse_turn = int(_INVERSE_TURN * _ONE)
    angular = np.ldexp(np.array(multiples, dtype=np.float64), -_BITS)
    # Turns as two words of 64 bits; the lower one, read with a sign, is what rounding to the upper one leaves.
    turns = [(multiple * inverse_turn) >> (2 * _BITS - 128) for multiple in multiples]
    words = b"".join([(turn % _TURN).to_bytes(16, "little") for turn in turns])
    lower, upper = np.frombuffer(words, dtype="<u8").reshape(-1, 2).astype(np.uint64).T
    rests = np.ldexp(lower.view(np.int64).astype(np.float64), -64)
    wholes = [(turn + _TURN // 2) // _TURN for turn in turns]
    left = np.array([turn - whole * _TURN for turn, whole in zip(turns, wholes, strict=True)], dtype=np.float64)
    whole_turns = np.array(wholes, dtype=np.float64)
    folded = np.where(whole_turns == 0, angular, np.ldexp(left, -128) * math.tau)
    rows = (angular, math.tau / angular, upper + (lower >> np.uint64(63)), rests, whole_turns, folded)
    for row in rows:
        row.flags.writeable = False
    return Frequencies(*rows)


def _geometric(count: int, steps: Decimal, base: float) -> list[int]:
    """base^(-i / steps) in units of 2^-192, each the one before times the ratio."""
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = int((-Decimal(base).ln() / steps).exp() * _ONE)
    multiple = _ONE
    multiples = [multiple]
    for _ in range(count - 1):
        multiple = (multiple * ratio) >> _BITS
        multiples.append(multiple)
    return multiples


def _linear(count: int, base: float) -> list[int]:
    """1 - i (1 - 1/base) / (count - 1) in units of 2^-192."""
    numerator, denominator = base.as_integer_ratio()
    span = _ONE - _ONE * denominator // numerator
    step = (span << _GUARD_BITS) // max(count - 1, 1)
    return [_ONE - ((pair * step) >> _GUARD_BITS) for pair in range(count)]
