"""Products of mean vectors, made piece by piece: the mean of a product over a block is that of two mean vectors."""

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Self, TypeAlias

import numpy as np

from pe_desktop.core.cursor import MISSING, hand_columns, hand_values, n_hands
from pe_desktop.core.encoding import Encoding, Floats, Integers, slices
from pe_desktop.core.fields.field import CELLS_PER_BLOCK, Blocks, Field, Limits, Line, Terms, Tile, even_places
from pe_desktop.core.fields.table import column_tiles, value_cost
from pe_desktop.core.record import record

# Work that may be interrupted, None after every piece, and what it comes to.
Steps: TypeAlias = Generator[None, None, Floats]
# Makes some hands, or dimensions, of vectors.
_Vectors: TypeAlias = Callable[[Integers], Steps]

# Table values behind some mean vectors that are held at once, half a MiB: then a few ms have passed, and products of as
# many numbers at a time take as long.
SAMPLE_CELLS: Final = 2**16
_PRODUCTS: Final = 2**26
# Values of the mean vectors of both ranges held at once: what is done to all of them takes as long, too.
_RANGE_CELLS: Final = 2**20
# Products of fewer values are a poor estimate of products of all.
FEWEST_VALUES: Final = 128
# The cost of multiplying a dimension of two mean vectors where a hand costs 1.
PRODUCT_COST: Final = 0.02


def product_steps(shape: tuple[int, int], parts: Sequence[Integers], left: _Vectors, right: _Vectors) -> Steps:
    """The products of each of shape[0] vectors with each of shape[1], whose values are given part by part."""
    products = np.zeros(shape)
    for part in parts:
        rows = yield from left(part)
        columns = yield from right(part)
        for piece in slices(shape[0], _PRODUCTS // columns.size):
            products[piece] += rows[piece] @ columns.T
            yield None
    return products


def result_of(steps: Steps) -> Floats:
    """What work comes to that nothing interrupts."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Floats = end.value
            return found


class SteppedField(Field):
    """A record with most_terms whose means are made piece by piece and are one tile."""

    @abstractmethod
    def mean_steps(self, rows: Blocks, columns: Blocks) -> Steps:
        """The average over each block, shape (rows.count, columns.count)."""

    def thinned(self, n_terms: int | None) -> Self:
        return replace(self, most_terms=n_terms)  # type: ignore[type-var] # a record

    def tiles(self, rows: Blocks, columns: Blocks, line: Line) -> Iterator[Tile | None]:
        """The same as one tile on a line; None after every piece of work on the way."""
        means = yield from self.mean_steps(rows, columns)
        yield slice(0, rows.count), slice(0, columns.count), line.of(means)


@record
class PositionVectors:
    """PE(p), the query at t or the key at s: some hands of it, by `hand_columns`.

    Vectors have the shape (n, 2 n_hands), both values of a hand side by side; that of a missing column is 0.
    """

    encoding: Encoding

    def mean_steps(self, blocks: Blocks, hands: Integers, most_samples: int) -> Steps:
        """The mean over every block of positions, where it isn't closed of an even sample."""
        columns = hand_columns(self.encoding)[hands].reshape(-1)
        found = np.zeros((blocks.count, len(columns)))
        there = np.flatnonzero(columns != MISSING)
        for rows, places, means in column_tiles(self.encoding, columns[there], blocks, most_samples):
            found[places, there[rows]] = means.T
            yield None
        return found

    def at(self, positions: Integers, hands: Integers) -> Floats:
        """The vectors at some positions."""
        return np.nan_to_num(hand_values(self.encoding, positions, hands)).reshape(len(positions), -1)

    def steps_at(self, positions: Integers, hands: Integers) -> Steps:
        """The same, some at a time."""
        found = np.empty((len(positions), 2 * len(hands)))
        for piece in slices(len(positions), SAMPLE_CELLS // found.shape[1]):
            found[piece] = self.at(positions[piece], hands)
            yield None
        return found


@record
class ProductScoreField(SteppedField):
    """q_t . k_s of a query and a key that one encoding places, whatever it does.

    limits are the values at the ends of the colours. The mean over a block is the product of two mean vectors: n + m of
    them instead of n m products. With most_terms a vector is made of so many values at most: of fewer samples, and in
    the end of evenly selected hands that stand for all.
    """

    limits: Limits
    query: PositionVectors
    key: PositionVectors
    most_terms: int | None = None

    @property
    def encoding(self) -> Encoding:
        """What places both."""
        return self.key.encoding

    @property
    def shape(self) -> tuple[int, int]:
        return self.encoding.n_positions, self.encoding.n_positions

    @property
    def averages(self) -> str:
        return "mean" if self.encoding.column_waves else "mean of samples"

    def terms(self, rows: Blocks, columns: Blocks) -> Terms:
        """The values of a mean vector, which all blocks of its row or its column share."""
        share = (rows.count + columns.count) / (rows.count * columns.count)
        n_values = 2 * len(self.hands)
        if self.encoding.column_waves:
            return Terms(n_values, "hands", share + PRODUCT_COST)
        n_samples = min(max(rows.size, columns.size), self._most_samples)
        cost = value_cost(self.encoding) * share + PRODUCT_COST / n_samples
        return Terms(n_samples * n_values, "values", cost, FEWEST_VALUES)

    def value(self, row: int, column: int) -> float:
        return float(result_of(self.cell_steps(np.array([row]), np.array([column])))[0, 0])

    def cell_steps(self, rows: Integers, columns: Integers) -> Steps:
        """The scores of single cells, shape (len(rows), len(columns))."""
        left = partial(self.query.steps_at, rows)
        right = partial(self.key.steps_at, columns)
        return self._steps((len(rows), len(columns)), left, right)

    def mean_steps(self, rows: Blocks, columns: Blocks) -> Steps:
        left = partial(self.query.mean_steps, rows, most_samples=self._most_samples)
        right = partial(self.key.mean_steps, columns, most_samples=self._most_samples)
        return self._steps((rows.count, columns.count), left, right)

    def _steps(self, shape: tuple[int, int], left: _Vectors, right: _Vectors) -> Steps:
        parts = [self.hands[part] for part in slices(len(self.hands), _RANGE_CELLS // (2 * sum(shape)))]
        products = yield from product_steps(shape, parts, left, right)
        # Selected hands stand for all.
        products *= n_hands(self.encoding) / len(self.hands)
        return products

    @property
    def hands(self) -> Integers:
        """The hands whose values are multiplied: all, or an even selection."""
        count = n_hands(self.encoding)
        return even_places(count, count if self.most_terms is None else max(self.most_terms // 2, 1))

    @property
    def _most_samples(self) -> int:
        most = CELLS_PER_BLOCK if self.most_terms is None else self.most_terms // (2 * n_hands(self.encoding))
        return min(max(most, 1), CELLS_PER_BLOCK)
