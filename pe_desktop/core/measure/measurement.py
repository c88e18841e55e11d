"""One measured property, and what is known of an encoding so far."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.measure.properties import PROPERTIES
from pe_desktop.core.record import record

# The line between rounding and failure, relative to what is measured: float64 loses 1e-14 at most here.
ROUNDING: Final = 1e-12

# Points of a line of evidence at most: a small picture has no more columns.
EVIDENCE_POINTS: Final = 256


@record(eq=False)
class Evidence:
    """What a small picture of a measurement draws, in the units of the encoding.

    kind: "lines", each row of y against x; "band", what lies between the two rows of y; or "points".
    x: shape (m,), m at most EVIDENCE_POINTS; x_name: position, offset or pair; y: shape (n_lines, m).
    levels: heights at which a thin line runs across; marks: places on x; is_logarithmic: y, all above 0, is drawn by
    its logarithm.
    """

    kind: str
    x_name: str
    x: Floats
    y: Floats
    levels: tuple[float, ...] = ()
    marks: tuple[float, ...] = ()
    is_logarithmic: bool = False

    def __post_init__(self) -> None:
        self.x.flags.writeable = False
        self.y.flags.writeable = False


@record
class Basis:
    """What was measured: so many of all, by kind: "hands", "wavelengths", "offsets", or one of the four of positions.

    "positions" and "position_pairs" are all, or four runs of them, and "steps" those from t to t + 1, with some more;
    "spread": positions that are spread evenly. n_pairs: how many pairs of positions.
    """

    kind: str
    n_measured: int
    n_all: int
    n_pairs: int = 0


@record(eq=False)
class Measurement:
    """One property of one encoding, measured.

    key: one of PROPERTIES. number: the number that decides, None where there is nothing to measure.
    verdict: HOLDS, FAILS, or HOLDS_UP_TO so many positions: up_to. finding: the id of what was found, for a sentence.
    numbers: everything measured, by stable names; facts: what the sentence needs besides.
    """

    key: str
    verdict: str
    finding: str
    number: float | None
    basis: Basis
    numbers: Mapping[str, float | int | None]
    evidence: Evidence
    up_to: int | None = None
    facts: Mapping[str, float] = field(default_factory=dict)


def no_evidence(x_name: str) -> Evidence:
    """The evidence where there is nothing to draw."""
    return Evidence("lines", x_name, np.empty(0), np.empty((1, 0)))


def _bucket_starts(count: int) -> Floats:
    """Where equal stretches of a line of so many points begin, so that there are at most EVIDENCE_POINTS of them."""
    return np.arange(0, count, max(-(-count // EVIDENCE_POINTS), 1), dtype=np.float64)


def thinned(extreme: np.ufunc, values: Floats) -> Floats:
    """The smallest (np.minimum) or largest (np.maximum) value of each stretch, shape (at most EVIDENCE_POINTS,)."""
    if not len(values):
        return values
    result: Floats = extreme.reduceat(values, _bucket_starts(len(values)).astype(np.int64))
    return result


@record(eq=False)
class Analysis:
    """Measurements of one encoding; share: how much of the work is done, 0 to 1."""

    encoding: Encoding
    measurements: tuple[Measurement, ...]
    share: float

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to measure."""
        return len(self.measurements) == len(PROPERTIES)

    def measurement(self, key: str) -> Measurement | None:
        """What was measured under a key of PROPERTIES; None while it is not known."""
        return next((one for one in self.measurements if one.key == key), None)
