"""RoPE: queries and keys are turned by their positions, pair by pair (Su and others, arXiv 2104.09864)."""

from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.record import record
from pe_desktop.core.scores.scheme import Scheme

# interleaved: dimensions 2 j and 2 j + 1 turn together; half-split: j and j + h of h turning pairs; mixed: the angles
# of the first with the partners of the second, as where weights of one layout meet the code of the other.
PAIRINGS: Final = ("interleaved", "half-split", "mixed")
_DEFAULT_BASE: Final = 10_000.0


@record
class Rotary(Scheme):
    """R(p) = [[cos, -sin], [sin, cos]] on every pair of dimensions, at the angular frequencies of the encoding.

    That is the inverse sense of M_k, which acts on (sine, cosine). share: the part of the pairs that turns, the first
    ones; the frequencies are those of a head as wide as this part, as for GPT-NeoX's rotary_pct.
    """

    encoding: Encoding
    pairing: str = "interleaved"
    share: float = 1.0

    id = "rope"
    title = "RoPE"
    reads_hands = True

    @property
    def note(self) -> str:
        return "turns q and k"

    @property
    def is_shift_invariant(self) -> bool:
        return self.pairing != "mixed"

    @property
    def n_turning(self) -> int:
        """How many pairs turn."""
        return round(self.share * (self.encoding.d_model // 2))

    def scores(self, queries: Floats, keys: Floats, rows: Floats, columns: Floats) -> Floats:
        return Scheme.scores(self, self.rotated(queries, rows), self.rotated(keys, columns), rows, columns)

    def rotated(self, vectors: Floats, positions: Floats) -> Floats:
        """R(p) applied to the vector of every row, shape (n, d_model); vectors (n, d_model), positions (n,) or (1,)."""
        cosines, sines = self._turns(positions)
        result = np.array(np.broadcast_to(vectors, (max(len(vectors), len(cosines)), vectors.shape[1])))
        if self.pairing == "mixed":
            # Every dimension has the angle of its own interleaved pair, and the partner that half-split gives it.
            cosines, sines = np.repeat(cosines, 2, axis=1), np.repeat(sines, 2, axis=1)
        else:
            cosines, sines = np.tile(cosines, 2), np.tile(sines, 2)
        firsts, seconds = self.partners.T
        x, y, n = vectors[:, firsts], vectors[:, seconds], self.n_turning
        result[:, firsts] = x * cosines[:, :n] - y * sines[:, :n]
        result[:, seconds] = y * cosines[:, n:] + x * sines[:, n:]
        return result

    def _turns(self, positions: Floats) -> tuple[Floats, Floats]:
        """The cosines and sines of every pair, shape (len(positions), n_turning) both."""
        if self.pairs is None:
            return np.zeros((len(positions), 0)), np.zeros((len(positions), 0))
        angles = self.pairs.offset_angles(positions)
        return np.cos(angles), np.sin(angles)

    @property
    def partners(self) -> Integers:
        """The two dimensions that turn together, shape (n_turning, 2)."""
        columns = np.arange(2 * self.n_turning)
        return columns.reshape(-1, 2) if self.pairing == "interleaved" else columns.reshape(2, -1).T

    @property
    def pairs(self) -> Pairs | None:
        """The hands that turn queries and keys by their `offset_angles`; None where no pair turns."""
        return _rotary_pairs(self.encoding, self.n_turning)

    @property
    def frequencies(self) -> Floats:
        """The angular frequencies of the pairs that turn, shape (n_turning,), read-only."""
        return np.zeros(0) if self.pairs is None else self.pairs.angular_frequencies


@lru_cache(maxsize=4)
def _rotary_pairs(encoding: Encoding, n_turning: int) -> Pairs | None:
    """The pairs of an encoding of the same kind with n_turning pairs; None for 0.

    Kinds other than the sinusoidal lend theirs where they have just so many pairs that turn evenly. Else, and where a
    shift leaves no frequencies for so few, they are base^(-j / n_turning), with 10,000 for a kind without a base.
    """
    if not n_turning:
        return None
    if isinstance(encoding, SinusoidalEncoding) and encoding.shift < n_turning:
        return replace(encoding, d_model=2 * n_turning).pairs
    pairs = encoding.pairs
    if pairs is not None and pairs.turns_evenly and pairs.count == n_turning:
        return pairs
    base = float(encoding.parameters.get("base", _DEFAULT_BASE))
    return SinusoidalEncoding(d_model=2 * n_turning, base=base).pairs
