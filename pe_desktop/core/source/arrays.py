"""Arrays of hands and offsets: wavelengths, tips of hands, M_k, and how alike positions are."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from pe_desktop.core.encoding import Floats, Integers

# Rows of positions, and the columns of each hand.
Table: TypeAlias = Callable[[Floats | Integers], Floats]
Hands: TypeAlias = Sequence[Sequence[int]] | Integers


def wavelengths(omega: Floats) -> Floats:
    """Positions to a turn, shape (pairs,)."""
    return np.asarray(2 * np.pi / omega)


def bit_wavelengths(count: int, first: int) -> Floats:
    """After how many positions each bit begins anew, shape (count,)."""
    return np.asarray(2.0 ** (np.arange(count) + first))


def tips(positions: Floats, omega: Floats, start: float = 0.0, amplitude: float = 1.0) -> Floats:
    """Sine and cosine of every hand, shape (positions, pairs, 2)."""
    angle = (positions + start)[:, None] * omega
    return amplitude * np.stack([np.sin(angle), np.cos(angle)], axis=2)


def half_split_shift(k: float, omega: Floats) -> Floats:
    """M_k, shape (d_model, d_model), where all sines stand before all cosines."""
    c = np.diag(np.cos(k * omega))
    s = np.diag(np.sin(k * omega))
    return np.concatenate([np.concatenate([c, s], axis=1), np.concatenate([-s, c], axis=1)])


def cosine_first_shift(k: float, omega: Floats) -> Floats:
    """M_k where all cosines stand before all sines."""
    return half_split_shift(-k, omega)


def interleaved_shift(k: float, omega: Floats) -> Floats:
    """M_k where the sine and the cosine of a pair stand side by side."""
    order = np.arange(2 * len(omega)).reshape(2, len(omega)).T.reshape(-1)
    return half_split_shift(k, omega)[order][:, order]


def distances_by_offset(offsets: Floats, omega: Floats, amplitude: float = 1.0) -> Floats:
    """2 |sin(k omega / 2)| of each hand: no difference of squares, equal hands leave exactly 0. Shape (offsets,)."""
    return np.asarray(2 * amplitude * np.sqrt((np.sin(offsets[:, None] * omega / 2) ** 2).sum(axis=1)))


def dots_by_offset(offsets: Floats, omega: Floats, amplitude: float = 1.0) -> Floats:
    """p_t . p_(t + k), whatever t: the sum of cosines, shape (offsets,)."""
    return np.asarray(amplitude**2 * np.cos(offsets[:, None] * omega).sum(axis=1))


def cosines_by_offset(offsets: Floats, omega: Floats) -> Floats:
    """The cosine between p_t and p_(t + k), whatever t, shape (offsets,)."""
    return np.asarray(np.cos(offsets[:, None] * omega).sum(axis=1) / len(omega))


def toeplitz(by_offset: Floats) -> Floats:
    """All positions against all others, of which each offset has one number, shape (positions, positions)."""
    k = np.arange(len(by_offset))
    return np.asarray(by_offset[np.abs(k[:, None] - k)])


def dots_of_rows(rows: Floats) -> Floats:
    """All rows against all others, shape (positions, positions)."""
    return rows @ rows.T


def cosines_of_rows(rows: Floats) -> Floats:
    """The cosine between all rows; that with a row of zeros is nan."""
    norm = np.sqrt((rows**2).sum(axis=1))
    product = norm[:, None] * norm
    return np.where(product > 0, rows @ rows.T / np.where(product > 0, product, 1.0), np.nan)


def distances_of_rows(rows: Floats) -> Floats:
    """The distance between all rows, one row at a time."""
    return np.stack([np.sqrt(((rows - row) ** 2).sum(axis=1)) for row in rows])
