"""The shift operator M_k: the linear map that takes the vector at t to the vector at t + k, whatever t."""

from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Numbers, Pairs
from pe_desktop.core.limits import MAX_DENSE_ROTATION
from pe_desktop.core.rules import grouped
from pe_desktop.core.windows import position_rows

# Table values held at once while residuals are measured, 2 MiB for each of a few arrays.
_CELLS: Final = 2**18


def rotation_angles(encoding: Encoding, offset: float) -> Floats:
    """The angles k omega_i by which M_k turns each pair, reduced to [-pi, pi], shape (n_pairs,), radians, clockwise."""
    angles = _pairs(encoding).angles(offset)
    return angles.reshape(-1)


def rotation_blocks(encoding: Encoding, offset: float) -> Floats:
    """The blocks [[cos k omega_i, sin k omega_i], [-sin k omega_i, cos k omega_i]], shape (n_pairs, 2, 2).

    They act on (sine, cosine) of a pair. Source: angle addition, as "Attention Is All You Need", section 3.5, suggests.
    """
    sines, cosines = _pairs(encoding).hands(offset)[0].T
    return np.stack([np.stack([cosines, sines], axis=1), np.stack([-sines, cosines], axis=1)], axis=1)


def rotation_matrix(encoding: Encoding, offset: float) -> Floats:
    """M_k as a dense matrix in the encoding's layout, shape (d_model, d_model): p_(t+k) = M_k p_t.

    Interleaved it is block diagonal; half-split it is [[C, S], [-S, C]] with diagonal C and S. ValueError for d > 4096.
    """
    d_model = encoding.d_model
    if d_model > MAX_DENSE_ROTATION:
        limit = grouped(MAX_DENSE_ROTATION)
        raise ValueError(f"a dense M_k needs d_model up to {limit}: {grouped(d_model)} is read block by block")
    columns = _pairs(encoding).columns
    result = np.zeros((d_model, d_model))
    result[columns[:, :, np.newaxis], columns[:, np.newaxis, :]] = rotation_blocks(encoding, offset)
    return result


def shift_residuals(encoding: Encoding, offset: float, positions: Numbers) -> Floats:
    """The largest |M_k p_t - p_(t+k)| over the dimensions, for each t, shape (len(positions),).

    Measured on table values at t and at t + k, block by block; nothing is taken from the identity that makes it zero.
    """
    rows = position_rows(positions)
    sine_columns, cosine_columns = _pairs(encoding).columns.T
    sines, cosines = _pairs(encoding).hands(offset)[0].T
    result = np.zeros(len(rows))
    height = max(_CELLS // encoding.d_model, 1)
    for first in range(0, len(rows), height):
        here = np.asarray(rows[first : first + height])
        values, shifted = encoding.values(here), encoding.values(here + offset)
        x, y = values[:, sine_columns], values[:, cosine_columns]
        largest = result[first : first + height]
        np.abs(x * cosines + y * sines - shifted[:, sine_columns]).max(axis=1, out=largest)
        np.maximum(largest, np.abs(y * cosines - x * sines - shifted[:, cosine_columns]).max(axis=1), out=largest)
    return result


def _pairs(encoding: Encoding) -> Pairs:
    if encoding.pairs is None:
        raise ValueError(f"{encoding.title} has no pairs that turn together, so it has no M_k")
    return encoding.pairs
