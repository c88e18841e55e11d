"""A random vector for every position: distinct, and nothing else, for comparison."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from pe_desktop.core.declared import Declared
from pe_desktop.core.encoding import Floats, Integers, Numbers
from pe_desktop.core.philox import philox
from pe_desktop.core.rules import N_POSITIONS, SEED, WIDTH, Rules
from pe_desktop.core.windows import position_rows, table_columns

# Values of one counter: four words give four numbers, two and two from a radius and an angle.
_PER_COUNTER: Final = 4
# Counters at once: each array on the way holds 128 KiB.
_TILE: Final = 2**14
_UNIT: Final = 2.0**-32


@dataclass(frozen=True, slots=True)
class RandomEncoding(Declared):
    """PE(p, c) drawn from N(0, 1), independent, the same for the same seed in whatever window it is asked for.

    The words of Philox 4x32-10, keyed by the seed and counted by position and column, made normal by Box and Muller's
    formula. Between whole positions the one before counts. Raises ValueError with a sentence for a person.
    """

    n_positions: int = 128
    d_model: int = 32
    seed: int = 0

    KIND: ClassVar[str] = "random"
    RULES: ClassVar[Rules] = {"n_positions": N_POSITIONS, "d_model": WIDTH, "seed": SEED}

    @property
    def title(self) -> str:
        """The name on the screen."""
        return "Random vectors"

    @property
    def formulas(self) -> tuple[str, ...]:
        """Its definition with its own seed."""
        return ("PE(t, c) drawn from N(0, 1)", f"seed {self.seed}")

    @property
    def pairs(self) -> None:
        """None: nothing turns."""
        return

    @property
    def is_shift_invariant(self) -> bool:
        """False: the dot product of two random vectors is one more random number."""
        return False

    @property
    def value_limit(self) -> float:
        """Four: one value in sixteen thousand lies beyond."""
        return 4.0

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        """PE for any window, shape (len(positions), len(dimensions)), the same bits on every machine but for sines."""
        columns = table_columns(dimensions, self.d_model)
        rows = np.floor(np.asarray(position_rows(positions), dtype=np.float64)).astype(np.int64)
        blocks, which = np.unique(columns // _PER_COUNTER, return_inverse=True)
        places = which * _PER_COUNTER + columns % _PER_COUNTER
        is_whole = np.array_equal(places, np.arange(_PER_COUNTER * len(blocks)))
        result = np.empty((len(rows), len(columns)))
        for stretch in _stretches(len(rows), len(blocks)):
            numbers = _normals(rows[stretch], blocks, self.seed)
            result[stretch] = numbers if is_whole else numbers[:, places]
        return result


def _stretches(n_rows: int, n_blocks: int) -> Iterator[slice]:
    height = max(_TILE // max(n_blocks, 1), 1)
    return (slice(first, first + height) for first in range(0, n_rows, height))


def _normals(rows: Integers, blocks: Integers, seed: int) -> Floats:
    """Normal numbers for these positions and blocks of four columns, shape (len(rows), 4 len(blocks))."""
    # Positions before 0 count from the far end of 64 bits.
    wide = rows.view(np.uint64)[:, np.newaxis]
    low, high = wide & np.uint64(2**32 - 1), wide >> np.uint64(32)
    words = philox((blocks.view(np.uint64)[np.newaxis], low, high, np.zeros_like(low)), (seed, 0))
    result = np.empty((len(rows), len(blocks), _PER_COUNTER))
    for pair in (0, 1):
        # Half a unit keeps the logarithm away from 0.
        uniform, angle = ((word.astype(np.float64) + 0.5) * _UNIT for word in words[2 * pair : 2 * pair + 2])
        radius = np.sqrt(-2 * np.log(uniform))
        angle *= 2 * np.pi
        np.multiply(radius, np.cos(angle), out=result[:, :, 2 * pair])
        np.multiply(radius, np.sin(angle), out=result[:, :, 2 * pair + 1])
    return result.reshape(len(rows), -1)
