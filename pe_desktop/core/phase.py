"""Exact phases: angular frequencies in decimal arithmetic, angles reduced without loss, windows of a table."""

import math
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.record import record

_Floats: TypeAlias = NDArray[np.float64]
_Integers: TypeAlias = NDArray[np.int64]

SPACINGS: Final = ("geometric", "inclusive", "linear", "single")
# The spacing of frequencies that no formula gives: each wavelength is typed.
GIVEN: Final = "given"

# Frequencies are first written as whole multiples of 2^-192: products of successive ones then agree with exact
# arithmetic to 2^-175, far more than the bits that are kept.
_BITS: Final = 192
# One as a multiple of 2^-192.
POWERS_ONE: Final = 1 << _BITS
_DIGITS: Final = 80
# 10^81 / 2 pi; 1 / 2 pi and 2 pi in units of 2^-192.
_INVERSE_DIGITS: Final = 159154943091895335768883763372514362034459645740456448747667344058896797634226535
_INVERSE_TURN: Final = POWERS_ONE * _INVERSE_DIGITS // 10**81
_TURN: Final = POWERS_ONE * 10**81 // _INVERSE_DIGITS


class Frequencies(NamedTuple):
    """One row of numbers for each pair, read-only.

    angular: omega_i, correctly rounded, radians per position, shape (n_pairs,).
    wavelengths: 2 pi / omega_i, positions per turn, shape (n_pairs,).
    units: omega_i / 2 pi in units of 2^-64 turn, rounded, uint64, shape (n_pairs,).
    rests: the rounding error, in the same units, in [-1/2, 1/2], float64, shape (n_pairs,).
    whole_turns: the nearest whole number of turns per position, 0 below half a turn, int64, shape (n_pairs,); from
    there on units, read with a sign, count.
    """

    angular: _Floats
    wavelengths: _Floats
    units: NDArray[np.uint64]
    rests: _Floats
    whole_turns: _Integers

    def selected(self, pairs: slice | _Integers) -> "Frequencies":
        rows: list[Any] = [row[pairs] for row in self]
        return Frequencies(*rows)


@lru_cache(maxsize=8)
def frequencies(
    d_model: int, base: float, spacing: str, scale: float = 1.0, shift: float = 0.0, given: tuple[float, ...] = ()
) -> Frequencies:
    """The frequencies of all d_model / 2 pairs, pair 0 first; of an odd d_model one more, the hand without a cosine.

    geometric: omega_i = scale base^(-i/(d/2 - shift)): "Attention Is All You Need", section 3.5, where shift is 0; with
    it diffusers, embeddings.py, get_timestep_embedding, downscale_freq_shift.
    inclusive: omega_i = scale base^(-i/(n - 1)), n pairs: tensor2tensor, common_attention.py, get_timing_signal_1d.
    linear: omega_i = scale (1 - i (1 - 1/base) / (n - 1)); single: omega_i = scale.
    given: omega_i = scale 2 pi / given_i, given_i the wavelength of pair i in positions, exactly as its float64 says.
    """
    if spacing == GIVEN:
        ratios = map(float.as_integer_ratio, given)
        found = _frequencies([_TURN * denominator // numerator for numerator, denominator in ratios], scale)
        wavelengths = np.array(given) / scale
        wavelengths.flags.writeable = False
        return found._replace(wavelengths=wavelengths)
    count = (d_model + 1) // 2
    if spacing == "linear":
        multiples = _linear(count, base)
    elif spacing == "single":
        multiples = [POWERS_ONE] * count
    else:
        steps, less = (d_model / 2, shift) if spacing == "geometric" else (max(count - 1.0, 1.0), 0.0)
        multiples = powers(count, steps, less, base)
    return _frequencies(multiples, scale)


def _frequencies(multiples: list[int], scale: float) -> Frequencies:
    """The rows of numbers for frequencies in units of 2^-192, times the scale."""
    numerator, denominator = scale.as_integer_ratio()
    multiples = [multiple * numerator // denominator for multiple in multiples]
    angular = np.ldexp(np.array([*map(float, multiples)]), -_BITS)
    # Turns as words of 64 bits, the lowest first; the second one, read with a sign, is what rounding to the third
    # leaves, and the last holds whole turns.
    turns = b"".join([((multiple * _INVERSE_TURN) >> _BITS).to_bytes(32, "little") for multiple in multiples])
    _, lower, upper, wholes = np.frombuffer(turns, dtype="<u8").astype(np.uint64).reshape(-1, 4).T
    rests = np.ldexp(lower.view(np.int64).astype(np.float64), -64)
    units = upper + (lower >> np.uint64(63))
    whole_turns = (wholes + ((upper | units) >> np.uint64(63))).astype(np.int64)
    rows = (angular, math.tau / angular, units, rests, whole_turns)
    for row in rows:
        row.flags.writeable = False
    return Frequencies(*rows)


def powers(count: int, steps: float, shift: float, base: float) -> list[int]:
    """base^(-i / (steps - shift)) in units of 2^-192."""
    with localcontext() as context:
        context.prec = _DIGITS
        ratio = int((-Decimal(base).ln() / (Decimal(steps) - Decimal(shift))).exp() * POWERS_ONE)
    power = POWERS_ONE
    powers = []
    for _ in range(count):
        powers.append(power)
        power = (power * ratio) >> _BITS
    return powers


def _linear(count: int, base: float) -> list[int]:
    """1 - i (1 - 1/base) / (count - 1) in units of 2^-192."""
    numerator, denominator = base.as_integer_ratio()
    span = POWERS_ONE - POWERS_ONE * denominator // numerator
    return [POWERS_ONE - pair * span // max(count - 1, 1) for pair in range(count)]


@record
class Split:
    """Some positions without their signs, as whole positions and what is left.

    wholes: the nearest whole positions; remainders: in [-1/2, 1/2], or None where every position is whole;
    is_negative: which positions lie before 0, or None where none does. lost: what rounding the remainders lost, at most
    2^-54 of a position, or None.
    """

    wholes: NDArray[np.uint64]
    remainders: _Floats | None
    is_negative: NDArray[np.bool_] | None
    lost: _Floats | None = None


def split(rows: range | _Integers | _Floats, *summands: float) -> Split:
    """A moderate number of positions, each with the summands added, split for exact phases.

    At large positions their sum would round: whole parts and fractions are added separately.
    """
    if isinstance(rows, range):
        rows = np.arange(rows.start, rows.stop, rows.step)
    given = rows.astype(np.float64)
    wholes = np.rint(given)
    total = given - wholes
    lost = np.zeros(len(given))
    for summand in filter(None, summands):
        fraction = summand - round(summand)
        before, total = total, total + fraction
        # What this sum has rounded away, exactly (Knuth).
        added = total - before
        lost += (before - (total - added)) + (fraction - added)
    return split_sum(wholes + sum(map(round, summands)), total, lost)


def split_sum(wholes: _Floats, rests: _Floats, lost: _Floats | None = None) -> Split:
    """Positions that are sums of a whole number, up to 2^53 either way, of a small rest and of a tiny one."""
    carried = np.rint(rests)
    wholes, rests = wholes + carried, rests - carried
    is_negative = (wholes < 0) | ((wholes == 0) & (rests < 0))
    rests = np.where(is_negative, -rests, rests)
    if lost is not None:
        lost = np.where(is_negative, -lost, lost) if np.any(lost) else None
    return Split(
        np.abs(wholes).astype(np.uint64),
        rests if np.any(rests) or lost is not None else None,
        is_negative if np.any(is_negative) else None,
        lost,
    )
