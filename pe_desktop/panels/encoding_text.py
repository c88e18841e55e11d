"""What the Encoding dock says about an encoding in sentences and checks."""

from dataclasses import dataclass

from pe_desktop.core.analysis import Analysis
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measurement import FAILS, HOLDS, PROPERTY_NAMES, Measurement
from pe_desktop.plotting import number_text
from pe_desktop.plotting.properties_picture import measured_number

# Counts of five digits don't fit beside the heading: their share stands there.
MANY_PAIRS = 10_000


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One measured property: its name, its verdict ("" while it is being measured), its number, what was found."""

    name: str
    verdict: str
    number: str
    explanation: str


def turning_sentence(encoding: Encoding) -> str:
    """How many pairs complete a turn within the table."""
    if encoding.pairs is None:
        return ""
    n_turning = int((encoding.pairs.wavelengths <= encoding.n_positions).sum())
    n_pairs = encoding.pairs.count
    if n_pairs >= MANY_PAIRS:
        return f"{number_text.whole(100 * n_turning / n_pairs)} % turn within N"
    return f"{number_text.whole(n_turning)} of {number_text.whole(n_pairs)} turn within N"


def check_rows(analysis: Analysis | None, *, is_measuring: bool) -> tuple[list[CheckRow], str]:
    """The checks of the dock in the order in which people read them, and how many hold."""
    known = {} if analysis is None else {one.key: one for one in analysis.measurements}
    rows = []
    for key, name in PROPERTY_NAMES.items():
        measurement = known.get(key)
        if measurement is None:
            rows.append(CheckRow(name, "", "…" if is_measuring else "not measured", "Being measured"))
        else:
            rows.append(CheckRow(name, measurement.verdict, _short_number(measurement), _explanation(measurement)))
    if len(known) < len(PROPERTY_NAMES):
        share = 0.0 if analysis is None else analysis.share
        return rows, f"measuring, {share:.0%}".replace("%", " %") if is_measuring else "stopped"
    n_holding = sum(one.verdict != FAILS for one in known.values())
    return rows, f"{n_holding} of {len(rows)} hold"


def _explanation(measurement: Measurement) -> str:
    return f"{measurement.verdict_text}. {measurement.sentence} Measured: {measurement.basis}."


def _short_number(measurement: Measurement) -> str:
    if measurement.key == "periodic" and measurement.verdict == HOLDS:
        shortest, longest = (measurement.numbers[f"{end}_wavelength"] for end in ("shortest", "longest"))
        assert shortest is not None
        assert longest is not None
        return f"{number_text.short(shortest)} – {number_text.short(longest)}"
    return measured_number(measurement.number)
