"""ALiBi: a slope times the distance is taken from each score (Press, Smith, Lewis, arXiv 2108.12409)."""

import math

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.scores.scheme import Scheme


@record
class Alibi(Scheme):
    """- slope |t - s| is added after scaling; without a mask this knows distance, not direction."""

    slope: float = 0.5

    id = "alibi"
    title = "ALiBi"

    @property
    def note(self) -> str:
        return f"slope {in_formula(self.slope)}"

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        distances = np.abs(rows[:, np.newaxis] - columns)
        return Scheme.scores(self, queries, keys, rows, columns) - self.slope * distances


def slopes(n_heads: int) -> Floats:
    """The slope of every head, shape (n_heads,): 2^(-8 h / n) for h = 1 to n, where n is a power of two.

    Otherwise those of the next smaller power of two come first, then every second one of twice that many heads.
    ValueError for less than one head.
    """
    if n_heads < 1:
        raise ValueError(f"n_heads must be a whole number from 1: {n_heads} is not")
    power = 2 ** math.floor(math.log2(n_heads))
    own = 2.0 ** (-8.0 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-8.0 * np.arange(1, 2 * power + 1, 2) / (2 * power))
    return np.concatenate([own, between])[:n_heads]
