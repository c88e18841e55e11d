"""What the Encoding dock says about an encoding in sentences and checks."""

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis, Measurement
from pe_desktop.core.measure.periodic import turning_within
from pe_desktop.core.measure.properties import PROPERTIES
from pe_desktop.core.record import record
from pe_desktop.draw import number_text
from pe_desktop.draw.hand_text import deciding_number
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES

# Counts of five digits don't fit beside the heading: their share stands there.
_MANY_PAIRS = 10_000


@record
class CheckRow:
    """One measured property: its name, its verdict ("" while it is being measured), its number, what was found."""

    name: str
    verdict: str
    verdict_text: str
    number: str
    explanation: str


def turning_sentence(encoding: Encoding) -> str:
    """How many pairs complete a turn within the table."""
    if encoding.pairs is None:
        return ""
    n_turning, n_pairs = turning_within(encoding, encoding.pairs), encoding.pairs.count
    if n_pairs >= _MANY_PAIRS:
        return f"{number_text.whole(100 * n_turning / n_pairs)} % turn within N"
    return f"{number_text.whole(n_turning)} of {number_text.whole(n_pairs)} turn within N"


def wavelength_tooltip(encoding: Encoding) -> str:
    """What the picture of the wavelengths shows."""
    is_mapped = encoding.pairs is not None and not encoding.pairs.turns_evenly
    unit = "Mapped positions f(t)" if is_mapped else "Positions"
    line = "; the line is how far f goes over N" if is_mapped else ""
    return f"{unit} per turn of each pair{line}; press to choose a pair"


def check_rows(analysis: Analysis | None, *, is_measuring: bool) -> tuple[list[CheckRow], str]:
    """The checks of the dock in the order in which people read them, and how many hold."""
    known = {} if analysis is None else {one.key: one for one in analysis.measurements}
    rows = []
    for key, name in PROPERTY_NAMES.items():
        measurement = known.get(key)
        if measurement is None:
            state, number = ("being measured", "…") if is_measuring else ("not measured", "not measured")
            rows.append(CheckRow(name, "", state, number, state.capitalize()))
        else:
            number, text = _short_number(measurement), words.verdict_text(measurement)
            rows.append(CheckRow(name, measurement.verdict, text, number, _explanation(measurement)))
    if len(known) < len(PROPERTY_NAMES):
        share = 0.0 if analysis is None else analysis.share
        return rows, f"measuring, {100 * share:.0f} %" if is_measuring else "stopped"
    return rows, words.count_texts(known.values(), len(rows))[0]


def _explanation(measurement: Measurement) -> str:
    told = (f"{words.verdict_text(measurement)}.", words.sentence(measurement), words.measured_on(measurement))
    return " ".join(filter(None, told))


def _short_number(measurement: Measurement) -> str:
    """The number that decides with the word that says what it is: max 1.000, nearest 1.17, ± 1.2×10⁻¹⁶."""
    row = PROPERTIES[measurement.key]
    has_prefix = measurement.number is not None and measurement.verdict not in row.ends
    return (row.prefix if has_prefix else "") + deciding_number(measurement)
