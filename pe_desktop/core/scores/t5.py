"""T5's relative positions: a bias for each of 32 buckets of offsets (Raffel and others, arXiv 1910.10683)."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.record import record
from pe_desktop.core.scores.scheme import Scheme

_N_BUCKETS: Final = 32
FARTHEST: Final = 128
_STREAM: Final = 5


@record
class T5(Scheme):
    """Biases that a model would have learned are drawn from N(0, 1) here.

    The published model leaves out 1 / sqrt(d); here it stays, to compare like with like.
    """

    seed: int = 0
    is_bidirectional: bool = True

    id = "t5"
    title = "T5"

    @property
    def note(self) -> str:
        return "seeded biases"

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        offsets = columns - rows[:, np.newaxis]
        return Scheme.scores(self, queries, keys, rows, columns) + self.bias(offsets)

    def bias(self, offsets: Floats) -> Floats:
        """What is added at offsets k = s - t of any shape."""
        return _biases(self.seed)[buckets(offsets, is_bidirectional=self.is_bidirectional)]


def buckets(offsets: Floats, *, is_bidirectional: bool) -> Integers:
    """The bucket of every offset k = s - t, the shape of `offsets`.

    Half of the buckets hold one distance each, the others distances that grow as powers, up to FARTHEST and beyond.
    Bidirectional: the first half is for keys at or before the query, the second for keys after it. Causal: all are for
    keys before it, and those after it share bucket 0.
    """
    n_buckets = _N_BUCKETS // 2 if is_bidirectional else _N_BUCKETS
    first = np.where(offsets > 0, n_buckets, 0) if is_bidirectional else 0
    distances = np.abs(offsets) if is_bidirectional else np.maximum(-offsets, 0)
    n_exact = n_buckets // 2
    ratios = np.log(np.maximum(distances, n_exact) / n_exact) / np.log(FARTHEST / n_exact)
    # Rounding must not put a boundary, for instance 16 n_exact^2 = 32, into the bucket below.
    wide = n_exact + np.floor(ratios * (n_buckets - n_exact) + 1e-9)
    own = np.where(distances < n_exact, distances, np.minimum(wide, n_buckets - 1))
    result: Integers = (first + own).astype(np.int64)
    return result


@lru_cache(maxsize=2)
def _biases(seed: int) -> Floats:
    return np.random.default_rng([seed, _STREAM]).standard_normal(_N_BUCKETS)
