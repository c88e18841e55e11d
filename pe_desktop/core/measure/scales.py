"""How the hands of an encoding share the scales between a few positions and N: by tenfold of wavelength, by range."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.columns import hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.measure.measurement import FAILS, HOLDS, Basis, Evidence, Measurement, no_evidence, thinned
from pe_desktop.core.record import record

# A wavelength so near to the edge of a tenfold lies on it: 2 pi / 0.1 is not 20 pi to the last bit.
_EDGE: Final = 1e-9


def hand_wavelengths(encoding: Encoding) -> Floats:
    """The wavelengths of the hands that turn evenly, positions per turn, shape (n,); infinite for one that rests.

    Those of pairs, of columns that are sines or cosines alone, or of bits that ever flip; empty for all others.
    """
    if encoding.bits is not None:
        return encoding.bits.wavelengths[: encoding.n_filled]
    waves = encoding.column_waves
    if waves is None:
        return np.empty(0)
    return waves.hands.wavelengths[np.bincount(waves.numbers, minlength=waves.hands.count) > 0]


@record(eq=False)
class _Decades:
    """How many hands an encoding has for each tenfold of wavelength.

    edges: 2 pi 10^j, positions, shape (n + 1,); counts: hands from each edge up to the next, shape (n,).
    per_decade: hands in ten times the wavelength on average, infinite where all hands are equally fast.
    """

    edges: Floats
    counts: Integers
    per_decade: float


def hands_per_decade(encoding: Encoding) -> _Decades:
    """The histogram of wavelengths by tenfolds of 2 pi; hands that don't turn are left out.

    A sinusoidal encoding of geometric spacing has d_model / (2 log10(base)) hands in each: d_model / 8 for base 10^4.
    """
    wavelengths = hand_wavelengths(encoding)
    turning = wavelengths[np.isfinite(wavelengths)]
    if not len(turning):
        return _Decades(np.full(1, math.tau), np.empty(0, dtype=np.int64), 0.0)
    numbers = _decades(turning)
    first = int(numbers.min())
    counts = np.bincount(numbers - first).astype(np.int64)
    span = math.log10(turning.max() / turning.min())
    edges: Floats = math.tau * 10.0 ** np.arange(first, first + len(counts) + 1, dtype=np.float64)
    return _Decades(edges, counts, (len(turning) - 1) / span if span > 0 else math.inf)


def _decades(wavelengths: Floats) -> Integers:
    """The j of 2 pi 10^j <= wavelength < 2 pi 10^(j + 1)."""
    return np.floor(np.log10(wavelengths / math.tau) + _EDGE).astype(np.int64)


def many_scales(encoding: Encoding) -> Measurement:
    """Every tenfold of wavelength that begins within N has a hand: [2 pi, 20 pi), [20 pi, 200 pi), ..."""
    wavelengths = hand_wavelengths(encoding)
    turning = wavelengths[np.isfinite(wavelengths)]
    basis = Basis("wavelengths", len(turning), len(wavelengths))
    names = ("n_decades", "fewest", "per_decade", "gap_from", "gap_to")
    if not len(turning):
        is_uneven = encoding.pairs is not None and not encoding.pairs.turns_evenly
        finding = "uneven" if is_uneven else "nothing_turns"
        return Measurement("scales", FAILS, finding, None, basis, dict.fromkeys(names), no_evidence("pair"))
    n_decades = max(int(_decades(np.array([float(encoding.n_positions)]))[0]), 0) + 1
    numbers_of = _decades(turning)
    counts = np.bincount(numbers_of[(numbers_of >= 0) & (numbers_of < n_decades)], minlength=n_decades)
    fewest, emptiest = int(counts.min()), int(counts.argmin())
    gap = (None, None) if fewest else tuple(math.tau * 10.0 ** (emptiest + step) for step in (0, 1))
    numbers = n_decades, fewest, _finite(hands_per_decade(encoding).per_decade), *gap
    evidence = Evidence(
        *("points", "pair", thinned(np.minimum, np.arange(len(turning), dtype=np.float64))),
        thinned(np.minimum, turning)[np.newaxis],
        levels=tuple(math.tau * 10.0**decade for decade in range(n_decades + 1)),
        is_logarithmic=True,
    )
    verdict, finding = (HOLDS, "every") if fewest else (FAILS, "gap")
    return Measurement("scales", verdict, finding, fewest, basis, dict(zip(names, numbers, strict=True)), evidence)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


# A hand that turns less than this share of a turn across a range hardly moves; beyond half a turn it comes back.
LEAST_TURN, MOST_TURN = 1 / 20, 1 / 2


@record(eq=False)
class Resolution:
    """The hands that tell the positions of a range apart: they turn 1/20 to 1/2 of a turn from its first to its last.

    hands: their numbers, ascending, shape (n,); least, most: the wavelengths that do so, 2 and 20 times the width,
    positions; share: of the squared distance between both ends that lies in these hands, None where they are the same
    vector.
    """

    first: float
    last: float
    hands: Integers
    least: float
    most: float
    share: float | None


def resolution(encoding: Encoding, first: float, last: float) -> Resolution:
    """Which pairs serve a range of positions; ValueError where no pair turns evenly, or the range has no width.

    Where the range lies doesn't matter, only how wide it is: from 100 to 200 and from 600 to 700 the same pairs serve.
    """
    if encoding.pairs is None or not encoding.pairs.turns_evenly:
        raise ValueError(f"{encoding.title} has no pairs with a wavelength")
    width = abs(last - first)
    if width == 0:
        raise ValueError("a range of one position has nothing to tell apart")
    least, most = width / MOST_TURN, width / LEAST_TURN
    wavelengths = encoding.pairs.wavelengths
    hands = np.flatnonzero((wavelengths >= least * (1 - _EDGE)) & (wavelengths <= most * (1 + _EDGE)))
    here, there = encoding.values([first, last])
    squares = ((there - here) ** 2)[hand_columns(encoding)].sum(axis=1)
    total = float(squares.sum())
    share = float(squares[hands].sum()) / total if total > 0 else None
    return Resolution(first, last, hands.astype(np.int64), least, most, share)
