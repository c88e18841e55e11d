"""One measured property, and what is known of an encoding so far."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.rules import grouped

HOLDS: Final = "Holds"
FAILS: Final = "Fails"
HOLDS_UP_TO: Final = "Holds up to"

# The seven, in the order in which people read them.
PROPERTY_NAMES: Final[Mapping[str, str]] = {
    "periodic": "Periodic pairs",
    "unique": "Unique",
    "far": "Far stays far",
    "shift_invariant": "Shift-invariant",
    "linear_shift": "Linear shift",
    "bounded": "Bounded",
    "norm": "Constant length",
}

# The line between rounding and failure, relative to what is measured: float64 loses 1e-14 at most here.
ROUNDING: Final = 1e-12

_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

# Points of a line of evidence at most: a small picture has no more columns.
EVIDENCE_POINTS: Final = 256


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """One property of one encoding, measured.

    number: the number that decides, None where there is nothing to measure; meaning: what it counts or says.
    verdict: Holds, Fails, or Holds up to `up_to` positions. sentence: what was found, with its number.
    basis: what was measured, all or which sample. numbers: everything measured, by stable names.
    """

    key: str
    verdict: str
    number: float | None
    meaning: str
    sentence: str
    basis: str
    numbers: Mapping[str, float | int | None]
    evidence: Evidence
    up_to: int | None = None

    @property
    def name(self) -> str:
        """The name of the property on the screen."""
        return PROPERTY_NAMES[self.key]

    @property
    def verdict_text(self) -> str:
        """The verdict as people read it: Holds, Fails or Holds up to 396."""
        return self.verdict if self.up_to is None else f"{self.verdict} {grouped(self.up_to)}"


def no_evidence(x_name: str) -> Evidence:
    """The evidence where there is nothing to draw."""
    return Evidence("lines", x_name, np.empty(0), np.empty((1, 0)))


def bucket_starts(count: int) -> Floats:
    """Where equal stretches of a line of so many points begin, so that there are at most EVIDENCE_POINTS of them."""
    return np.arange(0, count, max(-(-count // EVIDENCE_POINTS), 1), dtype=np.float64)


def thinned(extreme: np.ufunc, values: Floats) -> Floats:
    """The smallest (np.minimum) or largest (np.maximum) value of each stretch, shape (at most EVIDENCE_POINTS,)."""
    if not len(values):
        return values
    result: Floats = extreme.reduceat(values, bucket_starts(len(values)).astype(np.int64))
    return result


def number_text(number: float, digits: int = 4) -> str:
    """A number in a sentence: so many digits, whole ones in groups of three, tiny and huge ones as 5.3×10⁻¹⁵."""
    if float(number).is_integer() and abs(number) < 1e15:
        return grouped(number)
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """Measurements of one encoding; share: how much of the work is done, 0 to 1."""

    encoding: Encoding
    measurements: tuple[Measurement, ...]
    share: float

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to measure."""
        return len(self.measurements) == len(PROPERTY_NAMES)

    def measurement(self, key: str) -> Measurement | None:
        """What was measured under a key of PROPERTY_NAMES; None while it is not known."""
        return next((one for one in self.measurements if one.key == key), None)


def analyse(
    encoding: Encoding, is_cancelled: IsCancelled = never, report: Callable[[Analysis], None] | None = None
) -> Analysis | None:
    """Measure an encoding; report gets what is known so far; None when is_cancelled, asked all the time, says so."""

    def tell(measurements: tuple[Measurement, ...], share: float) -> None:
        if report is not None:
            report(Analysis(encoding, measurements, share))

    from pe_desktop.core.measure.measurements import measure  # noqa: PLC0415 - a worker loads it, the first frame doesn't wait

    measurements = measure(encoding, is_cancelled, tell)
    return None if measurements is None else Analysis(encoding, measurements, 1.0)
