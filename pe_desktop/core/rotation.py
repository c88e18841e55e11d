"""The shift operator M_k: the linear map that takes the vector at t to the vector at t + k, whatever t."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs
from pe_desktop.core.fields.field import Blocks, Field, block_lengths, even_sample
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.number_text import grouped
from pe_desktop.core.phase import position_rows
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_DENSE_ROTATION

_Complexes: TypeAlias = NDArray[np.complex128]

# Table values held at once while residuals are measured, 2 MiB for each of a few arrays.
_CELLS: Final = 2**18


def rotation_angles(encoding: Encoding, offset: float) -> Floats:
    """The angles k omega_i by which M_k turns each pair, reduced to [-pi, pi], shape (n_pairs,), radians, clockwise."""
    return _pairs(encoding).offset_angles(offset).reshape(-1)


def rotation_blocks(encoding: Encoding, offset: float, pairs: Numbers | None = None) -> Floats:
    """The blocks [[cos k omega_i, sin k omega_i], [-sin k omega_i, cos k omega_i]], shape (n_pairs, 2, 2).

    Those of some pairs, or of all. They act on (sine, cosine) of a pair. Source: angle addition, as "Attention Is All
    You Need", section 3.5, suggests.
    """
    sines, cosines = _pairs(encoding).offset_hands(offset, pairs)[0].T
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
    sines, cosines = _pairs(encoding).offset_hands(offset)[0].T
    result = np.zeros(len(rows))
    height = max(_CELLS // encoding.d_model, 1)
    for first in range(0, len(rows), height):
        here = np.asarray(rows[first : first + height])
        values, shifted = encoding.values(here), encoding.values_after(here, offset)
        x, y = values[:, sine_columns], values[:, cosine_columns]
        largest = result[first : first + height]
        np.abs(x * cosines + y * sines - shifted[:, sine_columns]).max(axis=1, out=largest)
        np.maximum(largest, np.abs(y * cosines - x * sines - shifted[:, cosine_columns]).max(axis=1), out=largest)
    return result


def residuals_by_position(
    encoding: Encoding, offset: float, max_samples: int, is_cancelled: IsCancelled = never
) -> tuple[Integers, Floats] | None:
    """Positions t, ascending, and shift_residuals at each, both of shape (n,).

    All N positions where they are at most max_samples, else an even sample of so many, the first and the last among
    them. t + k may lie beyond the table. None when is_cancelled, asked every few milliseconds, says so.
    """
    positions = np.asarray(even_sample(encoding.n_positions, max_samples))
    residuals = np.empty(len(positions))
    height = max(_CELLS // encoding.d_model, 1)
    for first in range(0, len(positions), height):
        if is_cancelled():
            return None
        some = slice(first, first + height)
        residuals[some] = shift_residuals(encoding, offset, positions[some])
    return positions, residuals


def composition_residual(encoding: Encoding, first: float, second: float) -> float:
    """The largest |M_j M_k - M_(j+k)| of all entries, from products of blocks; j + k is rounded to float64."""
    composed = rotation_blocks(encoding, first) @ rotation_blocks(encoding, second)
    return _largest(composed - rotation_blocks(encoding, first + second))


def orthogonality_residual(encoding: Encoding, offset: float) -> float:
    """The largest |M_k M_k^T - I| of all entries, from products of blocks."""
    blocks = rotation_blocks(encoding, offset)
    return _largest(blocks @ blocks.swapaxes(1, 2) - np.eye(2))


def power_residual(encoding: Encoding, offset: float, exponent: int) -> float:
    """The largest |M_k^n - M_(n k)| of all entries, by repeated squaring of the blocks; n k is rounded to float64.

    A negative n takes powers of the inverse. Roundings add up to about n times 1e-16.
    """
    powers = np.linalg.matrix_power(rotation_blocks(encoding, offset), exponent)
    return _largest(powers - rotation_blocks(encoding, exponent * offset))


def determinant(encoding: Encoding, offset: float) -> float:
    """The determinant of M_k: the product of those a d - b c of its blocks, each from its four entries."""
    blocks = rotation_blocks(encoding, offset)
    return float(np.prod(blocks[:, 0, 0] * blocks[:, 1, 1] - blocks[:, 0, 1] * blocks[:, 1, 0]))


def eigenvalues(encoding: Encoding, offset: float) -> _Complexes:
    """The eigenvalues of M_k, shape (n_pairs, 2), from the entries of its blocks.

    The roots of the characteristic polynomial of [[a, b], [c, d]]; first e^(i k omega), whose imaginary part has the
    sign of b, then e^(-i k omega).
    """
    (a, b), (c, d) = np.moveaxis(rotation_blocks(encoding, offset), 0, -1)
    roots = np.sqrt((((a - d) / 2) ** 2 + b * c).astype(np.complex128))
    roots *= np.where(b < 0, -1, 1)
    middles = (a + d) / 2
    return np.stack([middles + roots, middles - roots], axis=1)


@record
class RotationField(Field):
    """The entries of M_k in the layout of the encoding, for any window, whatever d_model.

    Only two entries in a row are not zero, and only those are evaluated. ValueError for an encoding without pairs.
    """

    encoding: Encoding
    offset: float

    def __post_init__(self) -> None:
        _pairs(self.encoding)

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.d_model, self.encoding.d_model

    @property
    def limits(self) -> tuple[float, float]:
        return -1.0, 1.0

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The mean over each block: the sum of its entries over how many there are."""
        row_lengths, column_lengths = (block_lengths(blocks, self.encoding.d_model) for blocks in (rows, columns))
        places = _pairs(self.encoding).columns
        row_blocks, is_row = _block_numbers(places, rows)
        column_blocks, is_column = _block_numbers(places, columns)
        seen = np.flatnonzero(is_row.any(axis=1) & is_column.any(axis=1))
        is_seen = is_row[seen, :, np.newaxis] & is_column[seen, np.newaxis, :]
        cells = row_blocks[seen, :, np.newaxis] * columns.count + column_blocks[seen, np.newaxis, :]
        entries = rotation_blocks(self.encoding, self.offset, seen)
        sums = np.bincount(cells[is_seen], entries[is_seen], minlength=rows.count * columns.count)
        return sums.reshape(rows.count, columns.count) / (row_lengths[:, np.newaxis] * column_lengths)


def _block_numbers(places: Integers, blocks: Blocks) -> tuple[Integers, NDArray[np.bool_]]:
    """The block of each column, and whether it has one."""
    numbers = (places - blocks.first) // blocks.size
    return numbers, (numbers >= 0) & (numbers < blocks.count)


def rotating_pairs(encoding: Encoding) -> Pairs | None:
    """The pairs that M_k turns; None where there is no M_k, without pairs or where they don't turn evenly."""
    pairs = encoding.pairs
    return pairs if pairs is not None and pairs.turns_evenly else None


def has_rotation(encoding: Encoding) -> bool:
    """Whether there is an M_k."""
    return rotating_pairs(encoding) is not None


def rotation_refusal(encoding: Encoding) -> str | None:
    """The reason why there is no M_k, as a sentence; None where there is one."""
    if encoding.empty_row is not None:
        return f"No rotation moves every position: row {encoding.empty_row} of {encoding.title} is zero."
    if encoding.pairs is None:
        return f"No rotation moves every position: the columns of {encoding.title} don't turn in pairs."
    if not encoding.pairs.turns_evenly:
        return f"No matrix moves every position: {encoding.title} turns unevenly."
    return None


def _largest(differences: Floats) -> float:
    return float(np.abs(differences).max())


def _pairs(encoding: Encoding) -> Pairs:
    if encoding.pairs is None:
        raise ValueError(f"{encoding.title} has no pairs that turn together, so it has no M_k")
    if not encoding.pairs.turns_evenly:
        raise ValueError(f"{encoding.title} has hands that don't turn evenly, so it has no M_k")
    return encoding.pairs
