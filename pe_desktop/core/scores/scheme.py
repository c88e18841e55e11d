"""What every scheme of positions answers."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from pe_desktop.core.encoding import Floats


class Scheme(ABC):
    """How positions enter a head: in its input, in queries and keys, or in the scores themselves.

    What a scheme doesn't say otherwise: inputs are the words, scores the scaled dot products. A subclass is a frozen
    dataclass.
    """

    __slots__ = ()

    id: ClassVar[str]
    title: ClassVar[str]
    # Whether the hands of the encoding are read.
    reads_hands: ClassVar[bool] = False

    @property
    def is_shift_invariant(self) -> bool:
        """Whether the score of a query and a key of the same words depends on their positions by the offset alone."""
        return True

    @property
    @abstractmethod
    def note(self) -> str:
        """What it does with positions, in a few words."""

    def inputs(self, words: Floats, positions: Floats) -> Floats:
        """What the head reads in place of words (n, d_model) that stand at positions (n,)."""
        return words

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        """The scores of queries (n, d) at the positions `rows` and keys (m, d) at `columns`, shape (n, m).

        After 1 / sqrt(d), before a mask.
        """
        result: Floats = queries @ keys.T / np.sqrt(queries.shape[1])
        return result

    def by_offset(self, query: Floats, key: Floats, offsets: Floats) -> Floats:
        """The score of one query (d,) and one key (d,) by the offset k = s - t, shape (len(offsets),)."""
        keys = np.broadcast_to(key, (len(offsets), len(key)))
        result: Floats = self.scores(query[np.newaxis], keys, np.zeros(1), offsets)[0]
        return result
