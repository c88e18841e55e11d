"""Learned relative positions: a vector for each clipped offset is added to keys (Shaw and others, arXiv 1803.02155)."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.scheme import Scheme

_STREAM: Final = 7


@record
class Shaw(Scheme):
    """The score is q (k + a_o) / sqrt(d) with o the offset s - t, clipped to [-clip, clip].

    The vectors a that a model would have learned are drawn from N(0, 1) here; those of the paper's values are left out.
    """

    clip: int = 16
    seed: int = 0

    id = "shaw"
    title = "Shaw"

    @property
    def note(self) -> str:
        return f"seeded, clip {self.clip}"

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        d_model = queries.shape[1]
        offsets = np.clip(np.rint(columns - rows[:, np.newaxis]), -self.clip, self.clip).astype(np.int64) + self.clip
        by_clipped = queries @ _vectors(self.clip, d_model, self.seed).T / np.sqrt(d_model)
        added: Floats = np.take_along_axis(by_clipped, offsets, axis=1)
        return added + Scheme.scores(self, queries, keys, rows, columns)


@lru_cache(maxsize=2)
def _vectors(clip: int, d_model: int, seed: int) -> Floats:
    """The vectors for the offsets -clip to clip, shape (2 clip + 1, d_model)."""
    return np.random.default_rng([seed, _STREAM, clip]).standard_normal((2 * clip + 1, d_model))
