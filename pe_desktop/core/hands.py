"""The hands of an encoding of sines and cosines, their order in a vector, and the formulas that define them."""

import math
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Flags, Floats, Integers, Rows, read_only
from pe_desktop.core.number_text import MINUS, in_formula
from pe_desktop.core.phase import GIVEN, Frequencies, Split, split

# interleaved: [sin0, cos0, sin1, ...], the paper; half-split: [sin... | cos...], tensor2tensor;
# cosine-first: [cos... | sin...], many diffusion models.
LAYOUTS: Final = ("interleaved", "half-split", "cosine-first")


@lru_cache(maxsize=8)
def all_pair_columns(layout: str, n_pairs: int) -> Integers:
    """The columns of the sine and of the cosine of every pair, shape (n_pairs, 2), read-only."""
    columns: Integers = np.arange(2 * n_pairs)
    columns = columns.reshape(-1, 2) if layout == "interleaved" else columns.reshape(2, -1).T
    return read_only(columns[:, ::-1] if layout == "cosine-first" else columns)


def column_pairs(layout: str, n_pairs: int, columns: Integers) -> tuple[Integers, Flags]:
    """For each column the pair it belongs to and whether it holds the cosine."""
    if layout == "interleaved":
        return columns // 2, columns % 2 == 1
    is_second_half = columns >= n_pairs
    pairs = np.where(is_second_half, columns - n_pairs, columns)
    return pairs, is_second_half if layout == "half-split" else ~is_second_half


_Phases: TypeAlias = NDArray[np.uint64]
_Hands: TypeAlias = NDArray[np.complex128]
# Reads some positions for exact phases.
_Reading: TypeAlias = Callable[[Rows], Split]

_UNITS_PER_TURN: Final = 2.0**64
_ANGLE_OF_UNIT: Final = math.tau / _UNITS_PER_TURN
# Digits of a remainder whose product with whole turns is exact.
_UPPER_BITS: Final = 26
_EIGHTH_TURN: Final = np.uint64(2**61)
_QUARTER_BITS: Final = np.uint64(62)
# e^(-i q pi / 2): q quarter turns clockwise.
_QUARTER_TURNS: Final = np.array([1, -1j, -1, 1j])


def signed_angles(part: Split, frequencies: Frequencies) -> Floats:
    """The angles of split positions, reduced to [-pi, pi], shape (n, n_pairs), radians."""
    phase, rests = _phases_of(part, frequencies)
    turns = (phase.view(np.int64) + rests) / _UNITS_PER_TURN
    turns -= np.rint(turns)
    turns *= math.tau
    if part.is_negative is not None:
        np.negative(turns, out=turns, where=part.is_negative[:, None])
    return turns


def _phases_of(part: Split, frequencies: Frequencies) -> tuple[_Phases, Floats]:
    """Phases modulo one turn, in whole units of 2^-64 turn, and what they leave, in units, shape (n, n_pairs) each.

    The first 26 digits of a remainder are multiplied by whole turns as whole numbers.
    """
    phase = part.wholes[:, None] * frequencies.units
    rests = part.wholes[:, None] * frequencies.rests
    if part.remainders is not None:
        upper = np.rint(np.ldexp(part.remainders, _UPPER_BITS))
        turns = upper.astype(np.int64)[:, None] * frequencies.whole_turns
        phase += turns.view(np.uint64) << np.uint64(64 - _UPPER_BITS)
        lower = part.remainders - np.ldexp(upper, -_UPPER_BITS)
        rests += lower[:, None] * (frequencies.whole_turns * _UNITS_PER_TURN)
        rests += part.remainders[:, None] * (frequencies.units.view(np.int64) + frequencies.rests)
        if part.lost is not None:
            rests += part.lost[:, None] * (frequencies.angular / _ANGLE_OF_UNIT)
        units = np.rint(rests)
        phase += units.astype(np.int64).view(np.uint64)
        rests -= units
    return phase, rests


def _turned(part: Split, frequencies: Frequencies) -> _Hands:
    """The hands sin + i cos of split positions without their signs, shape (n, n_pairs).

    The phase is folded to an eighth of a turn around the nearest quarter, where float64 angles are finest; then the
    hand is turned on by whole quarters, which is exact.
    """
    phase, angle = _phases_of(part, frequencies)
    quarters = (phase + _EIGHTH_TURN) >> _QUARTER_BITS
    phase -= quarters << _QUARTER_BITS
    angle += phase.view(np.int64)
    angle *= _ANGLE_OF_UNIT
    hands = np.empty(angle.shape, dtype=np.complex128)
    np.sin(angle, out=hands.real)
    np.cos(angle, out=hands.imag)
    hands *= _QUARTER_TURNS[quarters.view(np.int64)]
    return hands


# Near the square root of the rows that are usually requested at once: few sines for coarse and fine turns.
_FINE_BITS: Final = np.uint64(6)
_N_FINE: Final = 64
_FINE_MASK: Final = np.uint64(_N_FINE - 1)
# _Hands in one tile, 1 MiB: smaller ones cost more calls than the cache saves.
_TILE: Final = 2**16
# A run of fewer hands isn't evaluated by a call of its own.
_SHORT_RUN: Final = 512


def sines_and_cosines(rows: Rows, frequencies: Frequencies, reading: _Reading = split) -> Floats:
    """The sine and the cosine of each hand, shape (len(rows), n_pairs, 2)."""
    return _filled(np.empty((len(rows), len(frequencies.angular), 2)), rows, frequencies, reading)


def table_values(rows: Rows, frequencies: Frequencies, layout: str, reading: _Reading) -> Floats:
    """All columns of a table of sines and cosines in a layout, shape (len(rows), 2 n_pairs)."""
    n_pairs = len(frequencies.angular)
    result = np.empty((len(rows), 2 * n_pairs))
    halves = result.reshape(-1, 2, n_pairs).swapaxes(1, 2)
    hands = {"interleaved": result.reshape(-1, n_pairs, 2), "half-split": halves, "cosine-first": halves[:, :, ::-1]}
    _filled(hands[layout], rows, frequencies, reading)
    return result


def _filled(out: Floats, rows: Rows, frequencies: Frequencies, reading: _Reading) -> Floats:
    for composer, tile in _tiles(len(rows), frequencies):
        hands = composer.composed(reading(rows[tile[0]]))
        out[tile] = hands.view(np.float64).reshape(*hands.shape, 2)
    return out


def column_values(
    rows: Rows, frequencies: Frequencies, pairs: Integers, is_cosine: Flags, reading: _Reading = split
) -> Floats:
    """Some columns in any order, each the sine or the cosine of its own pair, shape (len(rows), len(pairs))."""
    own, places = np.unique(pairs, return_inverse=True)
    values = sines_and_cosines(rows, frequencies.selected(own), reading).reshape(len(rows), 2 * len(own))
    return values.take(2 * places + is_cosine, axis=1)


def _tiles(n_rows: int, frequencies: Frequencies) -> Iterator[tuple["_Composer", tuple[slice, slice]]]:
    n_pairs = len(frequencies.angular)
    width = max(min(n_pairs, _TILE // max(min(n_rows, _N_FINE), 1)), 1)
    height = _TILE // width
    for first_pair in range(0, n_pairs, width):
        pairs = slice(first_pair, first_pair + width)
        composer = _Composer(frequencies.selected(pairs), has_many_rows=n_rows >= _N_FINE)
        for first_row in range(0, n_rows, height):
            yield composer, (slice(first_row, first_row + height), pairs)


class _Composer:
    """Composes the hands of some pairs: a whole position of a coarse turn and one of 64 fine ones."""

    def __init__(self, frequencies: Frequencies, *, has_many_rows: bool) -> None:
        self._frequencies = frequencies
        self._has_many_rows = has_many_rows

    def composed(self, part: Split) -> _Hands:
        """The hands of these positions, shape (rows, pairs)."""
        if part.remainders is None and self._has_many_rows:
            hands = self._composed_many(part.wholes)
        elif part.remainders is None and np.any(part.wholes & ~_FINE_MASK):
            # The same products in fewer calls, which take the time.
            coarse, fine = np.split(self._hands(np.append(part.wholes & ~_FINE_MASK, part.wholes & _FINE_MASK)), 2)
            hands = coarse * (-1j * fine)
        else:
            # Whole positions below 64 have no coarse turn.
            hands = _turned(part, self._frequencies)
        if part.is_negative is not None:
            # The hand of -p is the mirror image of the hand of p: its sine changes sign.
            np.negative(hands.real, out=hands.real, where=part.is_negative[:, None])
        return hands

    def _composed_many(self, wholes: _Phases) -> _Hands:
        blocks = wholes >> _FINE_BITS
        fine_rows = (wholes & _FINE_MASK).view(np.int64)
        is_new = np.ones(len(wholes), dtype=np.bool_)
        np.not_equal(blocks[1:], blocks[:-1], out=is_new[1:])
        coarse = self._hands(blocks[is_new] << _FINE_BITS)
        coarse_rows = np.cumsum(is_new) - 1
        # Rows of one coarse hand whose fine turns follow one another are multiplied at once.
        is_new[1:] |= fine_rows[1:] != fine_rows[:-1] + 1
        starts = np.flatnonzero(is_new).tolist()
        out: _Hands = coarse[coarse_rows]
        if len(starts) * _SHORT_RUN > out.size:
            out *= self._fine_turns[fine_rows]
            return out
        for first, last in zip(starts, [*starts[1:], len(wholes)], strict=True):
            out[first:last] *= self._fine_turns[fine_rows[first] : fine_rows[first] + last - first]
        return out

    @cached_property
    def _fine_turns(self) -> _Hands:
        """The factors e^(-i b omega), b = 0 to 63, as rows."""
        # With z = sin + i cos the factor cos - i sin is -i z, exactly.
        return -1j * self._hands(np.arange(_N_FINE, dtype=np.uint64))

    def _hands(self, wholes: _Phases) -> _Hands:
        return _turned(Split(wholes, None, None), self._frequencies)


def places_of(columns: Integers) -> tuple[str, str]:
    """Where the two columns of hand i stand, of those of all hands, shape (n, 2): for instance 2i and 2i + 1."""
    factor = "2i" if len(columns) == 1 or columns[1, 0] - columns[0, 0] == 2 else "i"
    first, second = (f"{factor} + {in_formula(column)}" if column else factor for column in columns[0].tolist())
    return first, second


def pair_formulas(layout: str, n_pairs: int, angle: str, factor: str = "") -> tuple[str, str]:
    """The sine and the cosine of pair i, of an angle and times a factor."""
    sine, cosine = places_of(all_pair_columns(layout, n_pairs))
    return f"PE(t, {sine}) = {factor}sin({angle})", f"PE(t, {cosine}) = {factor}cos({angle})"


def frequency_formula(
    count: int, base: float, spacing: str, scale: float = 1.0, share: str = "", letter: str = "i"
) -> str:
    """The angular frequency of pair i, or of column c; share: the exponent where it isn't 2i over twice the count."""
    if count == 1 or spacing in ("single", GIVEN):
        return f"ω_{0 if count == 1 else letter} = {in_formula(scale)}"
    share = share or f"2i/{in_formula(2 * count)}"
    last = in_formula(count - 1)
    step = f"{letter}(1 {MINUS} 1/{in_formula(base)})/{last}"
    plain = {
        "geometric": f"{in_formula(base)}^{{{MINUS}{share}}}",
        "inclusive": f"{in_formula(base)}^{{{MINUS}{letter}/{last}}}",
        "linear": f"1 {MINUS} {step}" if scale == 1 else f"(1 {MINUS} {step})",
    }[spacing]
    return f"ω_{letter} = {plain}" if scale == 1 else f"ω_{letter} = {in_formula(scale)} · {plain}"


# Longer lists of wavelengths are told by their first and their last one.
_MOST_LETTERS: Final = 30


def given_formulas(wavelengths: tuple[float, ...], scale: float) -> tuple[str, str]:
    """The angular frequency of pair i from the wavelengths that are given, and their numbers."""
    written = [in_formula(length) for length in wavelengths]
    if len(", ".join(written)) > _MOST_LETTERS and len(written) > 2:
        written = [written[0], "…", written[-1]]
    factor = "" if scale == 1 else f"{in_formula(scale)} · "
    return f"ω_i = {factor}2π/λ_i", f"λ_i = {', '.join(written)}"
