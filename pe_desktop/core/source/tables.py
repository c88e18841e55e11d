"""Tables of encodings from positions t and angular frequencies omega: rows of positions, shape (positions, d_model)."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from pe_desktop.core.encoding import Floats, Integers

Layout: TypeAlias = Callable[[Floats, Floats], Floats]
Image: TypeAlias = Callable[[Floats], Floats]


def geometric_frequencies(count: int, base: float, steps: float) -> Floats:
    """base^(-i / steps) radians a position for each pair i, shape (count,)."""
    return base ** (-np.arange(count) / steps)


def linear_frequencies(count: int, base: float) -> Floats:
    """From 1 to 1 / base in equal steps, shape (count,)."""
    i = np.arange(count)
    last = max(count - 1, 1)
    # No two numbers are subtracted that are nearly equal.
    return (last - i) / last + i / last / base


def given_frequencies(wavelength: Floats) -> Floats:
    """2 pi / wavelength radians a position for each pair, shape (pairs,)."""
    return 2 * np.pi / wavelength


def interleaved(sines: Floats, cosines: Floats) -> Floats:
    """Sine and cosine of a pair side by side."""
    return np.stack([sines, cosines], axis=2).reshape(len(sines), -1)


def half_split(sines: Floats, cosines: Floats) -> Floats:
    """All sines before all cosines."""
    return np.concatenate([sines, cosines], axis=1)


def cosine_first(sines: Floats, cosines: Floats) -> Floats:
    """All cosines before all sines."""
    return np.concatenate([cosines, sines], axis=1)


def sinusoidal(
    t: Floats, omega: Floats, layout: Layout, start: float = 0.0, scale: float = 1.0, amplitude: float = 1.0
) -> Floats:
    """Sine and cosine of (start + t) omega, shape (positions, 2 pairs)."""
    angle = (t + start)[:, None] * omega * scale
    return amplitude * layout(np.sin(angle), np.cos(angle))


def root(t: Floats) -> Floats:
    """The square root of t, before 0 its mirror image."""
    return np.sign(t) * np.sqrt(np.abs(t))


def log(t: Floats) -> Floats:
    """The logarithm of 1 + t, before 0 its mirror image."""
    return np.sign(t) * np.log1p(np.abs(t))


def reciprocal(t: Floats) -> Floats:
    """1 / (1 + |t|)."""
    return 1 / (1 + np.abs(t))


def padded(t: Floats, omega: Floats, layout: Layout, padding_idx: int, scale: float = 1.0) -> Floats:
    """Zeros in the padding row."""
    return np.where(t[:, None] == padding_idx, 0.0, sinusoidal(t, omega, layout, scale=scale))


def faded(t: Floats, count: int, fade: float) -> Floats:
    """((2i + 0.4 d) / 1.4 d)^(t / fade), d = 2 count: xPos's factor of each pair, shape (positions, pairs).

    So far before 0 that its square would be too large for float64 it stays at e^300.
    """
    share = (np.arange(count) + 0.4 * count) / (1.4 * count)
    return np.asarray(np.exp(np.clip(np.asarray(t).reshape(-1, 1) / fade * np.log(share), -750.0, 300.0)))


def odd_width(t: Floats, omega: Floats, layout: Layout, column: int, scale: float = 1.0) -> Floats:
    """Without the cosine of the last hand, which stands in this column."""
    table = sinusoidal(t, omega, layout, scale=scale)
    return np.concatenate([table[:, :column], table[:, column + 1 :]], axis=1)


def one_wave(t: Floats, omega: Floats, wave: Image) -> Floats:
    """Sines alone, or cosines alone, each column at a frequency of its own."""
    return wave(t[:, None] * omega)


def doubled_exponent(t: Floats, omega: Floats) -> Floats:
    """Sines in even columns, cosines in odd ones, each at its own frequency."""
    c = np.arange(len(omega))
    angle = t[:, None] * omega
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))


def counter(t: Floats, d_model: int, divisor: int = 1) -> Floats:
    """Positions over a divisor in the first column, zeros in all others."""
    return np.concatenate([t[:, None] / divisor, np.zeros((len(t), d_model - 1))], axis=1)


def binary(number: Integers) -> Integers:
    """The number itself."""
    return number


def gray(number: Integers) -> Integers:
    """The Gray code, in which neighbours differ in one bit."""
    return number ^ (number >> 1)


def digits(t: Floats, unit: Floats, radix: Floats) -> Floats:
    """How often each unit has passed, counted up to its radix: whole for whole ones, shape (positions, digits)."""
    return np.asarray(np.floor(t[:, None] / unit) % radix)


def bits(t: Floats, d_model: int, code: Callable[[Integers], Integers]) -> Floats:
    """The bits of each whole position in a code, the fastest first."""
    number = code(np.asarray(np.floor(t), dtype=int))
    bit = np.clip(np.arange(d_model), 0, 62)
    return np.asarray(((number[:, None] >> bit) & 1) * 1.0)
