"""What the programs that compare positions are asked to do, and what they are held against."""

import json
import math
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding

Floats = NDArray[np.float64]

# Lags at which a row of them is held against sums of exact cosines.
N_CHECKED = 40


@dataclass(frozen=True)
class SimilarityWork:
    """A tool and a size. task: distances (all of N x N), lags (all of N), or map (the first picture of N x N)."""

    task: str
    tool: str
    n_positions: int
    d_model: int
    n_steps: int

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))

    @classmethod
    def from_word(cls, word: str) -> "SimilarityWork":
        """From an argument of a program."""
        return cls(**json.loads(word))

    @cached_property
    def encoding(self) -> SinusoidalEncoding:
        """Seed 000's table, as an encoding."""
        return SinusoidalEncoding(self.n_positions, self.d_model)

    def table(self) -> Floats:
        """The table itself, which peers are given; making it isn't timed."""
        return self.encoding.values(range(self.n_positions))


def checked_lags(n_positions: int) -> list[int]:
    """Some lags, small ones and large ones."""
    return sorted({round(place) for place in np.geomspace(1, n_positions - 1, N_CHECKED)} | {0})


def exact_dots(encoding: SinusoidalEncoding, lags: list[int]) -> Floats:
    """Correctly rounded sums of cosines, one lag at a time."""
    return np.array([math.fsum(np.cos(encoding.pairs.angles(lag)[0])) for lag in lags])


def exact_distances(encoding: SinusoidalEncoding, lags: list[int]) -> Floats:
    """2 sqrt(sum of sin^2), one lag at a time."""
    return np.array([2 * math.sqrt(math.fsum(np.sin(encoding.pairs.angles(lag)[0] / 2) ** 2)) for lag in lags])
