"""The similarity of positions of any encoding as a field: a window from the values of its two ranges."""

from collections.abc import Generator, Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias, cast

import numpy as np

from pe_desktop.core.blocks import equal_blocks
from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.fields import Blocks, Line, Terms, Tile
from pe_desktop.core.rules import checked_word
from pe_desktop.core.sampled_means import value_cost
from pe_desktop.core.samples import even_places, even_sample, samples_per_block
from pe_desktop.core.similarity import SIMILARITY_KINDS, similarity_pair

# Work that may be interrupted, and what it comes to.
_Steps: TypeAlias = Generator[None, None, Floats]

# Table values held at once: 32 MiB for the mean vectors of both ranges, 2 MiB for the samples behind some of them.
_RANGE_CELLS: Final = 2**22
_SAMPLE_CELLS: Final = 2**18
# Table values among which the longest vector is looked for, before anything can be drawn: some 50 ms.
_LENGTH_CELLS: Final = 2**20
# What a value costs at least where a hand costs 1: it is added up, if nothing else.
_LEAST_COST: Final = 4


@dataclass(frozen=True, slots=True)
class TwoRangeSimilarityField:
    """Dot products, cosines or distances of an encoding of which nothing is assumed, rows and columns being positions.

    The dot product is linear in both vectors: its mean over a block of n x m positions is the dot product of two mean
    vectors, n + m rows of the table instead of n m products. So is the cosine's, of vectors of length 1; it counts as 0
    where a vector is zero and it is undefined. For distances |a - b|^2 = |a|^2 + |b|^2 - 2 a . b gives the root mean
    square. Blocks of more positions than `samples_per_block` are averaged over an even sample of so many. With
    most_terms a mean vector is made of so many values at most: of fewer samples, and in the end of evenly selected
    neighbouring dimensions that stand for all.
    """

    encoding: Encoding
    kind: str
    most_terms: int | None = None

    def __post_init__(self) -> None:
        checked_word("similarity", self.kind, SIMILARITY_KINDS)
        if self.most_terms is not None and self.most_terms < 1:
            raise ValueError(f"a mean vector must hold a value at least: {self.most_terms} is not one")

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
        (means,) = (found for found in self._steps(rows, columns) if found is not None)
        return means

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The same as one tile on a line, cut off at the limits; None after every 2^18 values or so on the way."""
        for means in self._steps(rows, columns):
            if means is None:
                yield None
            else:
                scaled = (np.clip(means, *self.limits) * line.factor + line.summand).astype(np.float32)
                yield slice(0, rows.count), slice(0, columns.count), scaled

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """The values of a mean vector, which all blocks of its row or its column share."""
        n_samples = min(max(rows.size, columns.size), self._most_samples)
        n_times = 1 if self.kind == "dot" else 2
        share = n_times * (rows.count + columns.count) / (rows.count * columns.count)
        return Terms(n_samples * len(self._dimensions), "values", max(value_cost(self.encoding), _LEAST_COST) * share)

    def thinned(self, n_terms: int) -> "TwoRangeSimilarityField":
        """The same with mean vectors of at most so many values."""
        return TwoRangeSimilarityField(self.encoding, self.kind, n_terms)

    def value(self, row: int, column: int) -> float:
        """The similarity of two positions, from their table values."""
        return similarity_pair(self.encoding, self.kind, row, column)

    @property
    def _most_samples(self) -> int:
        most = samples_per_block(self.encoding.d_model)
        return most if self.most_terms is None else min(max(self.most_terms // self.encoding.d_model, 1), most)

    @property
    def _dimensions(self) -> Integers:
        """The dimensions of the vectors: all, or neighbours, which may be the sine and the cosine of one hand."""
        d_model, most = self.encoding.d_model, self.most_terms
        if most is None or most >= d_model:
            return np.arange(d_model)
        if most < 2:
            return even_places(d_model, 1)
        firsts = 2 * even_places(d_model // 2, most // 2)
        return np.sort(np.concatenate([firsts, firsts + 1]))

    def _steps(self, rows: Blocks, columns: Blocks) -> Iterator[Floats | None]:
        """The average over each block in the end; None after every piece of work before."""
        dimensions = self._dimensions
        width = max(_RANGE_CELLS // (rows.count + columns.count), 1)
        parts = [dimensions[first : first + width] for first in range(0, len(dimensions), width)]
        samples = [self._samples(blocks) for blocks in (rows, columns)]
        squares: list[list[Floats]] = [[], []]
        if self.kind != "dot":
            for runs, found in zip(samples, squares, strict=True):
                for positions in runs:
                    found.append((yield from self._squares(positions, parts)))
        dots = np.zeros((rows.count, columns.count))
        for part in parts:
            left = yield from self._mean_vectors(samples[0], squares[0], part)
            right = yield from self._mean_vectors(samples[1], squares[1], part)
            dots += left @ right.T
        if self.kind == "cosine":
            yield dots
            return
        # Selected dimensions stand for all.
        dots *= self.encoding.d_model / len(dimensions)
        if self.kind == "dot":
            yield dots
            return
        means = [np.concatenate([run.mean(axis=1) for run in found]) for found in squares]
        means = [mean * (self.encoding.d_model / len(dimensions)) for mean in means]
        yield np.sqrt(np.maximum(means[0][:, np.newaxis] + means[1] - 2 * dots, 0))

    def _mean_vectors(self, runs: list[Integers], squares: list[Floats], dimensions: Integers) -> _Steps:
        """Some dimensions of the mean vector of every block, shape (count, len(dimensions))."""
        found = []
        for number, positions in enumerate(runs):
            for some in _pieces(positions, len(dimensions)):
                values = self.encoding.values(positions[some].reshape(-1), dimensions)
                values = values.reshape(*positions[some].shape, -1)
                if self.kind == "cosine":
                    lengths = np.sqrt(squares[number][some])[:, :, np.newaxis]
                    values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
                found.append(values.mean(axis=1))
                yield None
        return np.concatenate(found)

    def _squares(self, positions: Integers, parts: list[Integers]) -> _Steps:
        """|p_t|^2, in the shape of the positions."""
        squares = np.zeros(positions.shape)
        for dimensions in parts:
            for some in _pieces(positions, len(dimensions)):
                values = self.encoding.values(positions[some].reshape(-1), dimensions)
                squares[some] += np.einsum("nd,nd->n", values, values).reshape(-1, positions.shape[1])
                yield None
        return squares

    def _samples(self, blocks: Blocks) -> list[Integers]:
        """The positions of whole blocks and of one cut short, a row for each block: all of them, or an even sample."""
        runs = equal_blocks(blocks, self.shape[0])
        return [run.starts[:, np.newaxis] + even_places(run.size, self._most_samples) for run in runs]


def _pieces(positions: Integers, n_dimensions: int) -> Iterator[slice]:
    """Some rows of positions at a time, so that few values are held at once."""
    height = max(_SAMPLE_CELLS // (positions.shape[1] * n_dimensions), 1)
    for first in range(0, len(positions), height):
        yield slice(first, first + height)


@lru_cache(maxsize=8)
def _longest(encoding: Encoding) -> float:
    """The length of the longest vector of a table, or of a sample with its first and last; 1 where all are zero."""
    rows = even_sample(encoding.n_positions, max(_LENGTH_CELLS // encoding.d_model, 2))
    height = max(_SAMPLE_CELLS // encoding.d_model, 1)
    stretches = (rows[first : first + height] for first in range(0, len(rows), height))
    return max(float(np.linalg.norm(encoding.values(some), axis=1).max()) for some in stretches) or 1.0
