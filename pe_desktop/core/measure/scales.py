"""How the hands of an encoding share the scales between a few positions and N: by tenfold of wavelength, by range."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.columns import hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.measure.measurement import FAILS, HOLDS, Basis, Evidence, Measurement, no_evidence, thinned
from pe_desktop.core.record import record
from pe_desktop.core.source.checks import hands_by_tenfold, served, tenfolds

# Ranges of tokens that the workshop notes name.
RANGES: Final = ((1, 10), (100, 200), (600, 700))


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
    turning = _turning(encoding)
    found = hands_by_tenfold(turning)
    span = math.log10(turning.max() / turning.min()) if len(turning) else math.inf
    rate = (len(turning) - 1) / span if 0 < span < math.inf else 0.0 if span else math.inf
    return _Decades(found["edges"], found["hands"].astype(np.int64), rate)


def _turning(encoding: Encoding) -> Floats:
    wavelengths = hand_wavelengths(encoding)
    return wavelengths[np.isfinite(wavelengths)]


def many_scales(encoding: Encoding) -> Measurement:
    """Every tenfold of wavelength that begins within N has a hand: [2 pi, 20 pi), [20 pi, 200 pi), ..."""
    turning = _turning(encoding)
    basis = Basis("wavelengths", len(turning), len(hand_wavelengths(encoding)))
    names = ("n_decades", "fewest", "per_decade", "gap_from", "gap_to")
    if not len(turning):
        is_uneven = encoding.pairs is not None and not encoding.pairs.turns_evenly
        finding = "uneven" if is_uneven else "nothing_turns"
        return Measurement("scales", FAILS, finding, None, basis, dict.fromkeys(names), no_evidence("pair"))
    n_decades = max(int(tenfolds(np.array([float(encoding.n_positions)]))[0]), 0) + 1
    counts = np.array([np.count_nonzero(tenfolds(turning) == decade) for decade in range(n_decades)])
    fewest, emptiest = int(counts.min()), int(counts.argmin())
    gap = (None, None) if fewest else tuple(math.tau * 10.0 ** (emptiest + step) for step in (0, 1))
    rate = hands_per_decade(encoding).per_decade
    numbers = n_decades, fewest, rate if math.isfinite(rate) else None, *gap
    evidence = Evidence(
        *("points", "pair", thinned(np.minimum, np.arange(len(turning), dtype=np.float64))),
        thinned(np.minimum, turning)[np.newaxis],
        levels=tuple(math.tau * 10.0**decade for decade in range(n_decades + 1)),
        is_logarithmic=True,
    )
    verdict, finding = (HOLDS, "every") if fewest else (FAILS, "gap")
    return Measurement("scales", verdict, finding, fewest, basis, dict(zip(names, numbers, strict=True)), evidence)


@record(eq=False)
class Resolution:
    """The hands that tell the positions of a range apart: they turn 1/20 to 1/2 of a turn from its first to its last.

    hands: their numbers, ascending, shape (n,); least, most: the wavelengths that do so, 2 and 20 times the width,
    positions; share: of the squared distance between both ends that lies in these hands, None where they are the same
    vector.
    """

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
    if first == last:
        raise ValueError("a range of one position has nothing to tell apart")
    first, last = sorted((first, last))
    serves, share = served(encoding.values, encoding.pairs.wavelengths, hand_columns(encoding), first, last)
    width, hands = last - first, np.flatnonzero(serves)
    return Resolution(hands, 2 * width, 20 * width, None if math.isnan(share) else share)
