"""Exact means of turning hands over blocks of positions, by two small tables and one matrix product a row.

The centres of adjacent blocks are equally spaced, so block j = a B + b has the angle alpha_a + beta_b, and
cos(alpha + beta) = cos(alpha) cos(beta) - sin(alpha) sin(beta) is the product of a table over a and a table over b:
about 2 sqrt(n) sines and cosines for n blocks. Several hands in a row lengthen the inner side of the product.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.attenuation import attenuation
from pe_desktop.core.encoding import Floats, Integers, Pairs
from pe_desktop.core.fields import Blocks, Line, Singles

Turns: TypeAlias = NDArray[np.complex64]
Weights: TypeAlias = NDArray[np.complex128]

# What a hand's turn e^(i angle) is multiplied by, so that the real part is its sine or its cosine.
SINE: Final = -1j
COSINE: Final = 1 + 0j

# Table entries and means worked on at once, 1 MiB and 512 KiB: they stay in the cache, and a table of any width needs
# no more memory.
_MOST_TURNS: Final = 2**17
_MOST_MEANS: Final = 2**17


@dataclass(frozen=True, slots=True, eq=False)
class HandSums:
    """For each row which hands it adds up, and how: row r is the sum of Re(weight e^(i p omega)) over its terms.

    pairs and weights have the shape (n_rows, n_terms); a term of weight 0 adds nothing.
    """

    pairs: Integers
    weights: Weights

    def some(self, rows: slice) -> "HandSums":
        """The same for some of the rows."""
        return HandSums(self.pairs[rows], self.weights[rows])


def turning_mean_tiles(pairs: Pairs, sums: HandSums, positions: Blocks, line: Line) -> Iterator[tuple[slice, Singles]]:
    """Some rows at a time: which ones, and the mean of each over every block of positions, error below 2e-6 a weight.

    A tile, shape (n_rows, positions.count), is valid until the next one, and stands on the line. The mean of n adjacent
    positions is the value at their centre times sin(n omega / 2) / (n sin(omega / 2)): the closed sum of a geometric
    series. Angles come from the pairs, exact at any position; tables are float32.
    """
    n_rows, n_terms = sums.pairs.shape
    n_fine = 1 << math.ceil(math.log2(positions.count) / 2)
    n_coarse = -(-positions.count // n_fine)
    first, step = _first_and_step(pairs, sums, positions)
    first *= line.factor
    height = min(max(_MOST_TURNS // (n_terms * (n_coarse + n_fine)), 1), n_rows)
    tile_height = min(max(_MOST_MEANS // (n_coarse * n_fine), 1), height)
    means = np.empty((tile_height, n_coarse, n_fine), dtype=np.float32)
    coarse = np.empty((n_coarse, height * n_terms), dtype=np.complex64)
    fine = np.empty((n_fine, height * n_terms), dtype=np.complex64)
    for row in range(0, n_rows, height):
        n_filled = min(height, n_rows - row)
        terms = slice(row * n_terms, (row + n_filled) * n_terms)
        width = n_filled * n_terms
        # The real part of z times w is the product of the rows (re z, im z) and (re w, -im w).
        step_on = _fill_powers(fine[:, :width], np.ones(width), step[terms].conj())
        _fill_powers(coarse[:, :width], first[terms], step_on.conj())
        left = _parts(coarse[:, :width], n_terms).transpose(1, 0, 2)
        right = _parts(fine[:, :width], n_terms).transpose(1, 2, 0)
        for some in range(0, n_filled, tile_height):
            tile = means[: min(tile_height, n_filled - some)]
            part = slice(some, some + len(tile))
            np.matmul(left[part], right[part], out=tile)
            if line.summand:
                tile += np.float32(line.summand)
            yield slice(row + some, row + part.stop), tile.reshape(len(tile), -1)[:, : positions.count]


def _first_and_step(pairs: Pairs, sums: HandSums, positions: Blocks) -> tuple[Turns, Weights]:
    """For every term its weighted turn to the first centre, and the turn from one centre to the next."""
    which = sums.pairs.ravel()
    step, shrink = _block_turns(pairs, positions.size)  # type: ignore[arg-type] # pairs are frozen values
    angles = pairs.angles(positions.first + (positions.size - 1) / 2, which)[0].astype(np.float32)
    first = np.empty(len(which), dtype=np.complex64)
    np.cos(angles, out=first.real)
    np.sin(angles, out=first.imag)
    first *= sums.weights.ravel() * (pairs.lengths * shrink)[which]
    return first, step[which]


@lru_cache(maxsize=4)
def _block_turns(pairs: Pairs, size: int) -> tuple[Weights, Floats]:
    """For all pairs the turn over size positions, and the factor by which that shrinks a mean, both shape (n_pairs,).

    Panning asks for the same ones again, and so do sines and cosines. The turn is float64, because it is squared often.
    """
    angles = pairs.offset_angles(size / 2)[0]
    half_turn = np.cos(angles) + 1j * np.sin(angles)
    return half_turn * half_turn, attenuation(pairs, size)


def _fill_powers(rows: Turns, first: Turns | Floats, step: Weights) -> Weights:
    """Fill the rows with first times step^0, step^1, ...; returns the step to the next power of two.

    Each doubling turns all rows so far by one step that was squared in float64: no error adds up along the rows.
    """
    rows[0] = first
    n_done = 1
    while n_done < len(rows):
        n_more = min(n_done, len(rows) - n_done)
        np.multiply(rows[:n_more], step.astype(np.complex64), out=rows[n_done : n_done + n_more])
        step = step * step
        n_done += n_more
    return step


def _parts(turns: Turns, n_terms: int) -> Singles:
    """Real and imaginary parts side by side, shape (n_positions, n_rows, 2 n_terms)."""
    return turns.view(np.float32).reshape(len(turns), -1, 2 * n_terms)
