"""Encodings as plain classes, straight from their formulas: what measurements are tried on and compared with."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Numbers
from pe_desktop.core.kinds.kind import Kind
from pe_desktop.core.measure.collisions import Disagreement, disagreement_of_rows
from pe_desktop.core.rules import Rules

Formula = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Plain(Kind):
    """An encoding that knows its formula and nothing else: rows of positions in, vectors out."""

    name: str
    width: int
    formula: Formula
    n_positions: int = 512

    kind: ClassVar[str] = "plain"
    RULES: ClassVar[Rules] = {}
    formulas: ClassVar[tuple[str, ...]] = ()

    @property
    def title(self) -> str:
        return self.name

    @property
    def d_model(self) -> int:
        return self.width

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        rows = np.atleast_1d(np.asarray(positions, dtype=np.float64))
        table = self.formula(rows)
        return table if dimensions is None else table[:, np.asarray(dimensions)]

    @property
    def value_limit(self) -> float:
        return float(np.abs(self.table).max())

    @property
    def table(self) -> Floats:
        return self.values(range(self.n_positions))


def long(scheme: Plain, n_positions: int) -> Plain:
    """The same with another number of positions."""
    return replace(scheme, n_positions=n_positions)


def turning(title: str, frequencies: Floats, position_map: Formula = np.positive) -> Plain:
    """Sine and cosine side by side, of mapped positions."""

    def formula(rows: Floats) -> Floats:
        angles = np.outer(position_map(rows), frequencies)
        return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(rows), -1)

    return Plain(title, 2 * len(frequencies), formula)


def sines(title: str, frequencies: Floats) -> Plain:
    """Sines alone."""
    return Plain(title, len(frequencies), lambda rows: np.sin(np.outer(rows, frequencies)))


def geometric(count: int, base: float = 10000.0, steps: int | None = None) -> Floats:
    """base^(-i / steps), by default base^(-2i/d)."""
    powers: Floats = base ** (-np.arange(count) / (steps or count))
    return powers


def doubled(rows: Floats) -> Floats:
    """The exponent 2i with i = 0, 2, 4, ..., and 2 (i + 1) for cosines."""
    table = np.empty((len(rows), 64))
    for i in range(0, 64, 2):
        table[:, i] = np.sin(rows / 10000 ** (2 * i / 64))
        table[:, i + 1] = np.cos(rows / 10000 ** (2 * (i + 1) / 64))
    return table


def binary(rows: Floats) -> Floats:
    """Nine bits, the lowest first."""
    return ((rows.astype(np.int64)[:, np.newaxis] >> np.arange(9)) & 1).astype(np.float64)


def padded(rows: Floats) -> Floats:
    """The paper's table after a row of zeros, as libraries that keep a row for padding have it."""
    table = turning("", geometric(32)).formula(rows + 1)
    table[rows == 0] = 0
    return table


RANDOM = np.random.default_rng(0).normal(size=(512, 64))
PAPER = turning("paper", geometric(32))
LOGARITHM = turning("log", geometric(32), np.log1p)
COUNTER = Plain("counter", 1, lambda rows: rows[:, np.newaxis].copy())
SINES = sines("sine only", geometric(64))

SCHEMES: dict[str, Plain] = {
    "paper": PAPER,
    "t2t": turning("t2t", geometric(32, steps=31)),
    "base 8192": turning("base 8192", geometric(32, 8192.0)),
    "base 100": turning("base 100", geometric(32, 100.0)),
    "base 1e6": turning("base 1e6", geometric(32, 1e6)),
    "sine only": SINES,
    "sine only, half": sines("sine only, half", geometric(32)),
    "linear": turning("linear", np.linspace(1, 1e-4, 32)),
    "one frequency": turning("one frequency", np.ones(32)),
    "square": turning("square", geometric(32), np.square),
    "log": LOGARITHM,
    "root": turning("root", geometric(32), np.sqrt),
    "inverse": turning("inverse", geometric(32), lambda rows: 1 / (1 + rows)),
    "counter": COUNTER,
    "share": Plain("t / N", 1, lambda rows: rows[:, np.newaxis] / 512),
    "binary": Plain("binary", 9, binary),
    "random": Plain("random", 64, lambda rows: RANDOM[rows.astype(np.int64)]),
    "doubled": Plain("doubled exponent", 64, doubled),
    "padded": Plain("padded", 64, padded),
}


def told_apart(encoding: Encoding, position: float, other: float) -> Disagreement:
    """Which hands tell two positions apart."""
    here, there = encoding.values([position, other])
    return disagreement_of_rows(encoding, there - here)
