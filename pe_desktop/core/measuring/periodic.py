"""Wavelengths: near returns of a hand, and how hands share the scales between a few positions and N."""

import math
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import hand_columns
from pe_desktop.core.encoding import Encoding, Flags, Floats, Integers, Pairs, Turning
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION, MAX_POSITIONS
from pe_desktop.core.source import panels
from pe_desktop.core.source.checks import served

# Ranges of tokens that the workshop notes name.
RANGES: Final = ((1, 10), (100, 200), (600, 700))
# Near returns that are listed, the first ones.
N_RETURNS: Final = 9
# Hands that are compared with themselves one wavelength on, and positions of each: a few milliseconds.
_MOST_HANDS: Final = 16
MOST_STARTS: Final = 8


def reach(encoding: Encoding, pairs: Pairs) -> float:
    """How far N positions take the hands, in the unit of wavelengths: N, or |f(N) - f(0)| where they stand at f(p)."""
    if pairs.turns_evenly:
        return float(encoding.n_positions)
    return abs(float(pairs.turns([0.0], float(encoding.n_positions), [0])[0, 0])) / float(pairs.angular_frequencies[0])


def turning_within(encoding: Encoding, pairs: Pairs) -> int:
    """How many hands turn once or more within N."""
    return int(np.count_nonzero(pairs.wavelengths <= reach(encoding, pairs)))


def never_turned(pairs: Turning, length: int) -> Flags:
    """Which hands turn by less than a whole turn over so many positions, omega_i L < 2 pi, shape (count,)."""
    return np.asarray(pairs.angular_frequencies * length < 2 * np.pi)


def compared_hands(pairs: Pairs) -> Integers:
    """An even sample of the hands whose wavelength doesn't reach beyond 2^31."""
    within_reach = np.flatnonzero(pairs.wavelengths < MAX_ABSOLUTE_POSITION - MOST_STARTS)
    return within_reach[even_sample(len(within_reach), _MOST_HANDS)]


class _NearReturn(NamedTuple):
    """A hand after so many positions: nearly so many whole turns.

    residual_angle: what is missing or too much, in [-pi, pi], radians, clockwise; chord: how far its tip is from where
    it began, in lengths of the hand.
    """

    positions: int
    turns: int
    residual_angle: float
    chord: float


def near_returns(encoding: Encoding, pair: int, most: int = MAX_POSITIONS) -> tuple[_NearReturn, ...]:
    """The offsets after which a hand is closer to its beginning than after any smaller one, ascending, up to `most`.

    They are the convergents of the continued fraction of the wavelength 2 pi / omega, in exact arithmetic for the
    float64 omega with 70 digits of pi; the float64 can matter only where the residual angle is below 1.2e-16 k omega.
    The angles themselves are as exact as those of the encoding. ValueError for a pair that does not exist and for an
    encoding without angular frequencies.
    """
    pairs = encoding.pairs
    if pairs is None:
        raise ValueError(f"{encoding.title} has no pairs that turn")
    pairs.dimensions(pair)
    found = panels.near_returns(pairs.angular_frequencies, pair, most, most)
    if not len(found):
        return ()
    offsets, turns = found[:, :2].astype(np.int64).T.tolist()
    angles = pairs.offset_angles(offsets, [pair])[:, 0]
    return tuple(map(_NearReturn, offsets, turns, angles.tolist(), (2 * np.abs(np.sin(angles / 2))).tolist()))


def even_step(falling: Floats) -> float | None:
    """The step of evenly spaced numbers that fall, to a share of 1e-9; None for any other, and for a single one."""
    steps = -np.diff(falling)
    is_even = len(steps) > 0 and steps[0] > 0 and np.ptp(steps) <= 1e-9 * steps[0]
    return float(steps.mean()) if is_even else None


def hand_wavelengths(encoding: Encoding) -> Floats:
    """The wavelengths of the hands that turn evenly, positions per turn, shape (n,); infinite for one that rests.

    Those of pairs, of columns that are sines or cosines alone, or of bits that ever flip; empty for all others.
    """
    if encoding.bits is not None:
        return encoding.bits.wavelengths[: encoding.n_filled]
    pairs = encoding.pairs
    waves = encoding.column_waves
    if pairs is not None and pairs.turns_evenly:
        return pairs.wavelengths
    if waves is None:
        return np.empty(0)
    return waves.hands.wavelengths[np.bincount(waves.numbers, minlength=waves.hands.count) > 0]


def hands_per_decade(turning: Floats) -> float:
    """Hands in ten times the wavelength on average, infinite where all hands are equally fast, 0 without any.

    A sinusoidal encoding of geometric spacing has d_model / (2 log10(base)): d_model / 8 for base 10^4.
    """
    span = math.log10(turning.max() / turning.min()) if len(turning) else math.inf
    return (len(turning) - 1) / span if 0 < span < math.inf else 0.0 if span else math.inf


def turning_wavelengths(encoding: Encoding) -> Floats:
    """Those that are finite."""
    wavelengths = hand_wavelengths(encoding)
    return wavelengths[np.isfinite(wavelengths)]


def resolution(encoding: Encoding, first: float, last: float) -> tuple[Integers, float]:
    """The hands that tell the positions from first to a later last apart, ascending, shape (n,), and their share.

    They turn evenly, by 1/20 to 1/2 of a turn from the first to the last, wherever the range lies: their wavelengths
    are 2 to 20 times its width. The share is that of the squared distance between both ends, nan where these are the
    same vector.
    """
    assert encoding.pairs is not None
    serves, share = served(encoding.values, encoding.pairs.wavelengths, hand_columns(encoding), first, last)
    return np.flatnonzero(serves), share
