"""The hands of an encoding of sines and cosines, their order in a vector, and the formulas that define them."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.number_text import MINUS, in_formula, signed
from pe_desktop.core.phase import Frequencies, Hands, HandTurner, Phases, Rows, Split, angles, split

# interleaved: [sin0, cos0, sin1, ...], the paper; half-split: [sin... | cos...], tensor2tensor;
# cosine-first: [cos... | sin...], many diffusion models.
LAYOUTS: Final = ("interleaved", "half-split", "cosine-first")


def _column_slices(layout: str, n_pairs: int) -> tuple[slice, slice]:
    """Where the sines and where the cosines of all pairs stand, each in the order of the pairs."""
    if layout == "interleaved":
        return slice(0, 2 * n_pairs, 2), slice(1, 2 * n_pairs, 2)
    first, second = slice(0, n_pairs, 1), slice(n_pairs, 2 * n_pairs, 1)
    return (first, second) if layout == "half-split" else (second, first)


def pair_columns(layout: str, n_pairs: int, pair: int) -> tuple[int, int]:
    """The columns of the sine and of the cosine of one pair."""
    columns = range(2 * n_pairs)
    sines, cosines = _column_slices(layout, n_pairs)
    return columns[sines][pair], columns[cosines][pair]


@lru_cache(maxsize=8)
def all_pair_columns(layout: str, n_pairs: int) -> Integers:
    """The columns of the sine and of the cosine of every pair, shape (n_pairs, 2), read-only."""
    columns = np.arange(2 * n_pairs)
    columns = np.stack([columns[part] for part in _column_slices(layout, n_pairs)], axis=1)
    columns.flags.writeable = False
    return columns


def column_pairs(layout: str, n_pairs: int, columns: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """For each column the pair it belongs to and whether it holds the cosine."""
    if layout == "interleaved":
        return columns // 2, columns % 2 == 1
    is_second_half = columns >= n_pairs
    pairs = np.where(is_second_half, columns - n_pairs, columns)
    return pairs, is_second_half if layout == "half-split" else ~is_second_half


# Reads some positions for exact phases.
_Reading: TypeAlias = Callable[[Rows], Split]

Tile = tuple[slice, slice]

# Near the square root of the rows that are usually requested at once: few sines for coarse and fine turns.
_FINE_BITS: Final = np.uint64(6)
_N_FINE: Final = 64
_FINE_MASK: Final = np.uint64(_N_FINE - 1)
# Hands in one tile, 1 MiB: smaller ones cost more calls than the cache saves.
_TILE: Final = 2**16
# A run of fewer hands isn't evaluated by a call of its own.
_SHORT_RUN: Final = 512
# Up to so many each row is composed by itself, whichever rows share a turn.
_FEW_HANDS: Final = 2**10


def _fill_hands(rows: Rows, frequencies: Frequencies, out: Hands, reading: _Reading = split) -> None:
    """Fill out, shape (len(rows), n_pairs), with the hands x + i y = sin + i cos of these positions."""
    for composer, tile in _tiles(len(rows), frequencies):
        composer.compose(reading(rows[tile[0]]), out[tile])


def sines_and_cosines(rows: Rows, frequencies: Frequencies, reading: _Reading = split) -> Floats:
    """The sine and the cosine of each hand, shape (len(rows), n_pairs, 2)."""
    hands = np.empty((len(rows), len(frequencies.angular)), dtype=np.complex128)
    _fill_hands(rows, frequencies, hands, reading)
    return hands.view(np.float64).reshape(*hands.shape, 2)


def _hand_tiles(
    rows: Rows, frequencies: Frequencies, reading: _Reading = split
) -> Iterator[tuple[slice, slice, Hands]]:
    """Hands tile by tile: which rows, which pairs, and their hands, valid until the next tile."""
    n_pairs = len(frequencies.angular)
    buffer = np.empty(min(_TILE, len(rows) * n_pairs), dtype=np.complex128)
    for composer, (stretch, pairs) in _tiles(len(rows), frequencies):
        part = reading(rows[stretch])
        shape = len(part.wholes), len(range(*pairs.indices(n_pairs)))
        hands = buffer[: shape[0] * shape[1]].reshape(shape)
        composer.compose(part, hands)
        yield stretch, pairs, hands


def signed_angles(part: Split, frequencies: Frequencies) -> Floats:
    """The angles of positions of either sign, reduced to [-pi, pi], shape (n, n_pairs), radians."""
    result = angles(part, frequencies)
    if part.is_negative is not None:
        np.negative(result, out=result, where=part.is_negative[:, np.newaxis])
    return result


def table_values(rows: Rows, frequencies: Frequencies, layout: str, reading: _Reading = split) -> Floats:
    """All columns of a table of sines and cosines in a layout, shape (len(rows), 2 n_pairs)."""
    n_pairs = len(frequencies.angular)
    result = np.empty((len(rows), 2 * n_pairs))
    if layout == "interleaved":
        _fill_hands(rows, frequencies, result.view(np.complex128), reading)
        return result
    sines, cosines = (result[:, columns] for columns in _column_slices(layout, n_pairs))
    for stretch, pairs, hands in _hand_tiles(rows, frequencies, reading):
        sines[stretch, pairs] = hands.real
        cosines[stretch, pairs] = hands.imag
    return result


def column_values(
    rows: Rows, frequencies: Frequencies, pairs: Integers, is_cosine: NDArray[np.bool_], reading: _Reading = split
) -> Floats:
    """Some columns in any order, each the sine or the cosine of its own pair, shape (len(rows), len(pairs))."""
    # Columns in the order of their pairs, so that a piece of pairs fills a piece of columns.
    order = None if np.all(pairs[1:] >= pairs[:-1]) else np.argsort(pairs, kind="stable")
    ordered, is_cosine = (pairs, is_cosine) if order is None else (pairs[order], is_cosine[order])
    firsts = np.flatnonzero(np.diff(ordered, prepend=-1))
    ends = np.append(firsts, len(pairs))
    places = 2 * np.repeat(np.arange(len(firsts)), np.diff(ends)) + is_cosine
    result = np.empty((len(rows), len(pairs)))
    for stretch, some, hands in _hand_tiles(rows, frequencies.some(ordered[firsts]), reading):
        part = slice(ends[some.start], ends[min(some.stop, len(firsts))])
        values = hands.view(np.float64).take(places[part] - 2 * some.start, axis=1)
        result[stretch, part if order is None else order[part]] = values
    return result


def _tiles(n_rows: int, frequencies: Frequencies) -> Iterator[tuple["_Composer", Tile]]:
    n_pairs = len(frequencies.angular)
    width = max(min(n_pairs, _TILE // max(min(n_rows, _N_FINE), 1)), 1)
    height = _TILE // width
    turner = HandTurner(min(_TILE, max(n_rows * n_pairs, 2 * _FEW_HANDS)))
    for first_pair in range(0, n_pairs, width):
        pairs = slice(first_pair, first_pair + width)
        composer = _Composer(turner, frequencies.some(pairs), has_many_rows=n_rows >= _N_FINE)
        for first_row in range(0, n_rows, height):
            yield composer, (slice(first_row, first_row + height), pairs)


class _Composer:
    """Composes the hands of some pairs; where many rows share them, all 64 fine turns are kept."""

    def __init__(self, turner: HandTurner, frequencies: Frequencies, has_many_rows: bool) -> None:
        self._turner = turner
        self._frequencies = frequencies
        self._has_many_rows = has_many_rows
        self._all_fine_turns: Hands | None = None

    def compose(self, part: Split, out: Hands) -> None:
        """Fill out, shape (rows, pairs), with the hands of these positions."""
        if part.remainders is not None:
            self._turner.turn(part, self._frequencies, out)
        else:
            self._compose_wholes(part.wholes, out)
        if part.is_negative is not None:
            # The hand of -p is the mirror image of the hand of p: its sine changes sign.
            np.negative(out.real, out=out.real, where=part.is_negative[:, np.newaxis])

    def _compose_wholes(self, wholes: Phases, out: Hands) -> None:
        if out.size <= _FEW_HANDS:
            # The same products in fewer calls, which take the time.
            both = self._hands(np.concatenate((wholes & ~_FINE_MASK, wholes & _FINE_MASK)))
            np.multiply(both[: len(wholes)], -1j * both[len(wholes) :], out=out)
            return
        blocks, offsets = wholes >> _FINE_BITS, (wholes & _FINE_MASK).view(np.int64)
        is_new = np.ones(len(wholes), dtype=np.bool_)
        np.not_equal(blocks[1:], blocks[:-1], out=is_new[1:])
        coarse = self._hands(blocks[is_new] << _FINE_BITS)
        coarse_rows = np.cumsum(is_new) - 1
        fine, fine_rows = self._fine_turns(offsets)
        # Rows of one coarse hand whose fine turns follow one another are multiplied at once.
        is_new[1:] |= fine_rows[1:] != fine_rows[:-1] + 1
        starts = np.flatnonzero(is_new).tolist()
        if len(starts) * _SHORT_RUN > out.size:
            np.multiply(coarse[coarse_rows], fine[fine_rows], out=out)
            return
        for first, last in zip(starts, [*starts[1:], len(wholes)], strict=True):
            fine_row = fine_rows[first]
            np.multiply(coarse[coarse_rows[first]], fine[fine_row : fine_row + last - first], out=out[first:last])

    def _fine_turns(self, offsets: Integers) -> tuple[Hands, Integers]:
        """The factors e^(-i b omega), as rows, and for each offset b its row."""
        if not self._has_many_rows:
            return self._turns(offsets), np.arange(len(offsets))
        if self._all_fine_turns is None:
            self._all_fine_turns = self._turns(np.arange(_N_FINE))
        return self._all_fine_turns, offsets

    def _turns(self, offsets: Integers) -> Hands:
        # With z = sin + i cos the factor cos - i sin is -i z, exactly.
        return -1j * self._hands(offsets.astype(np.uint64))

    def _hands(self, wholes: Phases) -> Hands:
        hands = np.empty((len(wholes), len(self._frequencies.angular)), dtype=np.complex128)
        self._turner.turn(Split(wholes, None, None), self._frequencies, hands)
        return hands


def pair_places(layout: str, n_pairs: int) -> tuple[str, str]:
    """Where sine and cosine of pair i stand, for instance 2i and 2i + 1."""
    return _column(layout, n_pairs, 0), _column(layout, n_pairs, 1)


def _column(layout: str, n_pairs: int, place: int) -> str:
    first = pair_columns(layout, n_pairs, 0)[place]
    factor = "2i" if layout == "interleaved" else "i"
    return f"{factor} + {in_formula(first)}" if first else factor


def frequency_formula(
    count: int, base: float, spacing: str, scale: float = 1.0, d_model: int | None = None, shift: float = 0.0
) -> str:
    """The angular frequency of pair i; d_model is twice the count of pairs unless it is given."""
    share = f"i/({in_formula(count)} {signed(-shift)})" if shift else f"2i/{in_formula(d_model or 2 * count)}"
    return _spaced_formula("i", share, count, base, spacing, scale)


def wave_formula(count: int, base: float, spacing: str) -> str:
    """The angular frequency of column c where each column has its own."""
    return _spaced_formula("c", f"c/{in_formula(count)}", count, base, spacing, 1.0)


def _spaced_formula(letter: str, share: str, count: int, base: float, spacing: str, scale: float) -> str:
    if count == 1:
        return f"ω_0 = {in_formula(scale)}"
    if spacing == "single":
        return f"ω_{letter} = {in_formula(scale)}"
    last = in_formula(count - 1)
    step = f"{letter}(1 {MINUS} 1/{in_formula(base)})/{last}"
    plain = {
        "geometric": f"{in_formula(base)}^{{{MINUS}{share}}}",
        "inclusive": f"{in_formula(base)}^{{{MINUS}{letter}/{last}}}",
        "linear": f"1 {MINUS} {step}" if scale == 1 else f"(1 {MINUS} {step})",
    }[spacing]
    return f"ω_{letter} = {plain}" if scale == 1 else f"ω_{letter} = {in_formula(scale)} · {plain}"
