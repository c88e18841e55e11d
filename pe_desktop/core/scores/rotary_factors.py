"""The sines and cosines that RoPE multiplies queries and keys by, as a table with a hand for every pair."""

from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_desktop.core.cursor import fitted_cursor
from pe_desktop.core.encoding import Floats, Integers, Numbers
from pe_desktop.core.kinds.kind import Kind
from pe_desktop.core.phase import index_rows, position_rows, table_columns
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary_vectors import rotary_of
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.state import State


@record
class RotaryPairs:
    """The pairs of dimensions of a query or key: R(p) turns each by p omega_j, those that don't turn by 0.

    A hand that doesn't turn stands at 12 o'clock; its wavelength is infinite.
    """

    rotary: Rotary

    @property
    def count(self) -> int:
        return self.rotary.encoding.d_model // 2

    @property
    def angular_frequencies(self) -> Floats:
        return _frequencies(self.rotary)

    @property
    def wavelengths(self) -> Floats:
        return _wavelengths(self.rotary)

    @property
    def lengths(self) -> Floats:
        return np.ones(self.count)

    @property
    def turns_evenly(self) -> bool:
        return True

    @property
    def columns(self) -> Integers:
        """The dimensions that turn together, shape (count, 2); of pairs that don't turn, neighbours."""
        partners = self.rotary.partners
        return np.concatenate([partners, np.arange(partners.size, 2 * self.count).reshape(-1, 2)])

    def dimensions(self, pair: int) -> tuple[int, int]:
        first, second = self.columns[index_rows(pair, self.count, "pair").item()].tolist()
        return first, second

    def angles(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        return self.offset_angles(positions, pairs)

    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        rows = position_rows(offsets)
        shown = np.arange(self.count) if pairs is None else index_rows(pairs, self.count, "pairs")
        angles, turning, hands = np.zeros((len(rows), len(shown))), shown < self.rotary.n_turning, self.rotary.pairs
        if hands is not None:
            angles[:, turning] = hands.offset_angles(rows, shown[turning])
        return angles

    def turns(self, positions: Numbers, offset: float, pairs: Numbers | None = None) -> Floats:
        shown = np.arange(self.count) if pairs is None else index_rows(pairs, self.count, "pairs")
        return np.broadcast_to(offset * self.angular_frequencies[shown], (len(position_rows(positions)), len(shown)))

    def hands(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        angles = self.offset_angles(positions, pairs)
        return np.stack((np.sin(angles), np.cos(angles)), axis=-1)

    def offset_hands(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        return self.hands(offsets, pairs)


@record
class RotaryFactors(Kind):
    """The table of sin(p omega_j) and cos(p omega_j) of the pairs of a query or key, two dimensions at least."""

    rotary: Rotary

    kind: ClassVar[str] = "rotary"
    title: ClassVar[str] = "RoPE"

    @property
    def n_positions(self) -> int:
        return self.rotary.encoding.n_positions

    @property
    def d_model(self) -> int:
        return self.rotary.encoding.d_model // 2 * 2

    @property
    def formulas(self) -> tuple[str, ...]:
        return ("x_a ← x_a cos(t ω_i) − x_b sin(t ω_i)", "x_b ← x_b cos(t ω_i) + x_a sin(t ω_i)")

    @property
    def pairs(self) -> RotaryPairs:
        return RotaryPairs(self.rotary)

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        hands = self.pairs.hands(positions)
        values = np.empty((len(hands), self.d_model))
        values[:, self.pairs.columns] = hands
        return values[:, table_columns(dimensions, self.d_model)]


def turns_vectors(state: State) -> bool:
    """Whether the head turns queries and keys: RoPE, of which some pair turns."""
    return state.scheme_at_work == Rotary.id and rotary_of(state).n_turning > 0


def turning_state(state: State) -> State:
    """The state with what turns in place of what is added where a head turns queries and keys, else the same."""
    if isinstance(state.encoding, RotaryFactors) or not turns_vectors(state):
        return state
    factors = RotaryFactors(rotary_of(state))
    return replace(state, encoding=factors, cursor=fitted_cursor(state.cursor, factors))


@lru_cache(maxsize=4)
def _frequencies(rotary: Rotary) -> Floats:
    frequencies = np.zeros(rotary.encoding.d_model // 2)
    frequencies[: rotary.n_turning] = rotary.frequencies
    frequencies.flags.writeable = False
    return frequencies


@lru_cache(maxsize=4)
def _wavelengths(rotary: Rotary) -> Floats:
    frequencies = _frequencies(rotary)
    wavelengths = np.full(len(frequencies), np.inf)
    np.divide(2 * np.pi, frequencies, out=wavelengths, where=frequencies > 0)
    wavelengths.flags.writeable = False
    return wavelengths
