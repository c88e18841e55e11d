"""Encodings as plain tables that know nothing else: what measurements are tried on and compared with."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from pe_desktop import core
from pe_desktop.core.encoding import Encoding, Floats, Numbers, Pairs
from pe_desktop.core.kinds.ablations import OneWaveEncoding
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.tables import table

Formula = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Plain(Encoding):
    """An encoding that knows its formula and nothing else: rows of positions in, vectors out."""

    name: str
    width: int
    formula: Formula
    n_positions: int = 512
    pairs: Pairs | None = None

    kind: ClassVar[str] = "plain"
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


def encoding_of(kind: str = "sinusoidal", **parameters: Any) -> Encoding:
    """An encoding by the name of its kind, as JSON files hold it."""
    encoding: Encoding = core.KINDS[kind](**parameters)
    return encoding


def plain(name: str, encoding: Encoding) -> Plain:
    """The table of an encoding without what its kind knows about it."""
    return Plain(name, encoding.d_model, encoding.values)


def turning(title: str, frequencies: Floats) -> Plain:
    """Sine and cosine side by side."""

    def formula(rows: Floats) -> Floats:
        angles = np.outer(rows, frequencies)
        return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(rows), -1)

    return Plain(title, 2 * len(frequencies), formula)


# The rows of the field guide's table 1.8 as kinds.
KINDS = {name: encoding_of(**row) for name, row in table("core/encodings")["table 1.8"].items()}
RANDOM = np.random.default_rng(0).normal(size=(512, 64))
SCHEMES: dict[str, Plain] = {
    **{name: plain(name, encoding) for name, encoding in KINDS.items()},
    "random": Plain("random", 64, lambda rows: RANDOM[rows.astype(np.int64)]),
    "padded": plain("padded", PaddedEncoding(512, 64)),
    "seven sines": plain("seven sines", OneWaveEncoding(512, 7)),
}
# Field guide 1.7: numbers of positions and dimensions, the smallest distance and its offset.
NEAREST = table("core/nearest")
PAPER, SINES, LOGARITHM, COUNTER = (SCHEMES[name] for name in ("paper", "sine only", "log", "counter"))


def measured(encoding: Encoding) -> dict[str, Any]:
    """All measurements of an encoding by key."""
    found = analyse(encoding).measurements
    assert [one.key for one in found] == list(PROPERTY_NAMES)
    return {one.key: one for one in found}
