"""What is known of an encoding so far: its measurements, in the order in which they become known."""

from collections.abc import Callable
from dataclasses import dataclass

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.measurement import PROPERTY_NAMES, Measurement


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

    from pe_desktop.core.measurements import measure  # noqa: PLC0415 - a worker loads it, the first frame doesn't wait

    measurements = measure(encoding, is_cancelled, tell)
    return None if measurements is None else Analysis(encoding, measurements, 1.0)
