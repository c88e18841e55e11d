"""The similarity of positions of any encoding as a field: a window from the values of its two ranges."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

import numpy as np

from pe_desktop.core.blocks import equal_blocks
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.fields import Blocks
from pe_desktop.core.rules import checked_word
from pe_desktop.core.samples import even_places, even_sample, samples_per_block
from pe_desktop.core.similarity import SIMILARITY_KINDS, similarity_pair

# Table values held at once: 32 MiB for the mean vectors of both ranges, 2 MiB for the samples behind some of them.
_RANGE_CELLS: Final = 2**22
_SAMPLE_CELLS: Final = 2**18
# Table values among which the longest vector is looked for, before anything can be drawn: some 50 ms.
_LENGTH_CELLS: Final = 2**20


@dataclass(frozen=True, slots=True)
class TwoRangeSimilarityField:
    """Dot products, cosines or distances of an encoding of which nothing is assumed, rows and columns being positions.

    The dot product is linear in both vectors: its mean over a block of n x m positions is the dot product of two mean
    vectors, n + m rows of the table instead of n m products. So is the cosine's, of vectors of length 1; it counts as 0
    where a vector is zero and it is undefined. For distances |a - b|^2 = |a|^2 + |b|^2 - 2 a . b gives the root mean
    square. Blocks of more positions than `samples_per_block` are averaged over an even sample of so many.
    """

    encoding: Encoding
    kind: str

    def __post_init__(self) -> None:
        checked_word("similarity", self.kind, SIMILARITY_KINDS)

    @property
    def shape(self) -> tuple[int, int]:
        """N x N."""
        return self.encoding.n_positions, self.encoding.n_positions

    @property
    def limits(self) -> tuple[float, float]:
        """What no value exceeds, by Cauchy and Schwarz: from the longest vector of the table, or of an even sample."""
        if self.kind == "cosine":
            return -1.0, 1.0
        longest = _longest(cast("Hashable", self.encoding))
        return (0.0, 2 * longest) if self.kind == "distance" else (-(longest**2), longest**2)

    @property
    def averages(self) -> str:
        """What a pixel that covers many cells shows."""
        return "root mean square" if self.kind == "distance" else "mean"

    def means(self, rows: Blocks, columns: Blocks) -> Floats:
        """The average over each block, shape (rows.count, columns.count); ValueError for a block without a cell."""
        dots = np.zeros((rows.count, columns.count))
        width = max(_RANGE_CELLS // (rows.count + columns.count), 1)
        for first in range(0, self.encoding.d_model, width):
            dimensions = range(first, min(first + width, self.encoding.d_model))
            dots += self._mean_vectors(rows, dimensions) @ self._mean_vectors(columns, dimensions).T
        if self.kind != "distance":
            return dots
        squares = self._mean_squares(rows)[:, np.newaxis] + self._mean_squares(columns) - 2 * dots
        return np.sqrt(np.maximum(squares, 0))

    def value(self, row: int, column: int) -> float:
        """The similarity of two positions, from their table values."""
        return similarity_pair(self.encoding, self.kind, row, column)

    def _mean_vectors(self, blocks: Blocks, dimensions: range) -> Floats:
        """Some dimensions of the mean vector of every block, shape (count, len(dimensions))."""
        parts = []
        for positions in self._samples(blocks):
            values = self.encoding.values(positions.reshape(-1), dimensions).reshape(*positions.shape, -1)
            if self.kind == "cosine":
                lengths = np.sqrt(self._squares(positions))[:, :, np.newaxis]
                values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
            parts.append(values.mean(axis=1))
        return np.concatenate(parts)

    def _mean_squares(self, blocks: Blocks) -> Floats:
        """The mean of |p_t|^2 over every block, shape (count,)."""
        return np.concatenate([self._squares(positions).mean(axis=1) for positions in self._samples(blocks)])

    def _squares(self, positions: Integers) -> Floats:
        """|p_t|^2, in the shape of the positions."""
        values = self.encoding.values(positions.reshape(-1))
        squares: Floats = np.einsum("nd,nd->n", values, values)
        return squares.reshape(positions.shape)

    def _samples(self, blocks: Blocks) -> Iterator[Integers]:
        """Positions of some blocks at a time, a row for each block: all of them, or an even sample of a long block."""
        for equal in equal_blocks(blocks, self.shape[0]):
            places = even_places(equal.size, samples_per_block(self.encoding.d_model))
            height = max(_SAMPLE_CELLS // (len(places) * self.encoding.d_model), 1)
            for first in range(0, equal.count, height):
                yield equal.starts[first : first + height, np.newaxis] + places


@lru_cache(maxsize=8)
def _longest(encoding: Encoding) -> float:
    """The length of the longest vector of a table, or of a sample with its first and last; 1 where all are zero."""
    rows = even_sample(encoding.n_positions, max(_LENGTH_CELLS // encoding.d_model, 2))
    height = max(_SAMPLE_CELLS // encoding.d_model, 1)
    stretches = (rows[first : first + height] for first in range(0, len(rows), height))
    return max(float(np.linalg.norm(encoding.values(some), axis=1).max()) for some in stretches) or 1.0
