"""Maps of positions that are not linear, as whole positions and what is left: exact phases far out, as for p itself."""

from collections.abc import Callable
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.windows import Rows, Split, split_sum

# ln 2 in two parts; the first has so few digits that a whole multiple of it is exact.
_LN2_UPPER: Final = 6.93147180369123816490e-01
_LN2_LOWER: Final = 1.90821492927058770002e-10
# Splits a float64 into two halves of 26 digits (Veltkamp).
_SPLITTER: Final = 2.0**27 + 1


def mapped_split(rows: Rows, word: str) -> Split:
    """The image of positions under one of POSITION_MAPS, off by less than 3e-16 up to |p| = 2^31.

    Before 0, where root and logarithm end, all four go on as mirror images: p^2 and 1/(1 + |p|) as even functions, the
    two others as odd ones.
    """
    given = np.arange(rows.start, rows.stop, rows.step) if isinstance(rows, range) else rows
    return POSITION_MAPS[word](given)


def mapped(positions: Floats, word: str) -> Floats:
    """The same image in plain float64, for what is drawn rather than tabulated."""
    return _PLAIN_MAPS[word](positions)


def _square(positions: Integers | Floats) -> Split:
    """p^2: up to 2^62, so that whole positions stay whole numbers, and others leave the rounding of their square."""
    sizes = np.abs(positions.astype(np.float64))
    wholes = sizes.astype(np.uint64)
    if np.all(sizes == wholes):
        return Split(wholes * wholes, None, None)
    squares, rounding = _exact_square(sizes)
    uppers, lowers = np.rint(squares), np.rint(rounding)
    rests = (squares - uppers) + (rounding - lowers)
    carried = np.rint(rests)
    total = uppers.astype(np.int64) + lowers.astype(np.int64) + carried.astype(np.int64)
    return Split(total.astype(np.uint64), rests - carried, None)


def _root(positions: Integers | Floats) -> Split:
    """The square root, with the correction of one Newton step that float64 alone would round away."""
    sizes = np.abs(positions.astype(np.float64))
    roots = np.sqrt(sizes)
    squares, rounding = _exact_square(roots)
    missing = (sizes - squares) - rounding
    corrections = np.divide(missing, 2 * roots, out=np.zeros_like(roots), where=roots > 0)
    return _mirrored(roots, corrections, positions)


def _log(positions: Integers | Floats) -> Split:
    """log(1 + |p|) = e ln 2 + log m: the first is exact but for a small part, the second is small."""
    sizes = np.abs(positions.astype(np.float64))
    sums = 1 + sizes
    lost = np.where(sizes > 1, 1 - (sums - sizes), sizes - (sums - 1))
    mantissas, exponents = np.frexp(sums)
    is_low = mantissas < np.sqrt(0.5)
    mantissas = np.where(is_low, 2 * mantissas, mantissas)
    exponents = exponents - is_low
    return _mirrored(exponents * _LN2_UPPER, np.log(mantissas) + exponents * _LN2_LOWER + lost / sums, positions)


def _reciprocal(positions: Integers | Floats) -> Split:
    """1 / (1 + |p|)."""
    sizes = np.abs(positions.astype(np.float64))
    return split_sum(np.zeros_like(sizes), 1 / (1 + sizes))


POSITION_MAPS: Final[dict[str, Callable[[Integers | Floats], Split]]] = {
    "square": _square,
    "root": _root,
    "log": _log,
    "reciprocal": _reciprocal,
}


_PLAIN_MAPS: Final[dict[str, Callable[[Floats], Floats]]] = {
    "square": np.square,
    "root": lambda positions: np.copysign(np.sqrt(np.abs(positions)), positions),
    "log": lambda positions: np.copysign(np.log1p(np.abs(positions)), positions),
    "reciprocal": lambda positions: 1 / (1 + np.abs(positions)),
}


def _mirrored(large: Floats, small: Floats, positions: Integers | Floats) -> Split:
    """Sums of two numbers, neither negative, with the signs of the positions."""
    wholes = np.rint(large)
    part = split_sum(wholes, (large - wholes) + small)
    is_negative = positions < 0
    return Split(part.wholes, part.remainders, is_negative if np.any(is_negative) else None)


def _exact_square(numbers: Floats) -> tuple[Floats, Floats]:
    """The square and what rounding it lost (Dekker's product)."""
    squares = numbers * numbers
    shifted = _SPLITTER * numbers
    upper = shifted - (shifted - numbers)
    lower = numbers - upper
    return squares, ((upper * upper - squares) + 2 * upper * lower) + lower * lower
