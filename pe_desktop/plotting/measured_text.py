"""The number of a measurement as people read it in a line of a list or a cell of a table."""

from collections.abc import Mapping

from pe_desktop.core.measurement import HOLDS, Measurement
from pe_desktop.plotting import number_text

# Below, a number stands as a power of ten with two digits.
SMALL = 1e-3


def deciding_number(measurement: Measurement, digits: int = 3) -> str:
    """The number that decides, or the range that does, with so many digits: 1.17, 6.28 – 35 333, 1.2×10⁻¹⁶."""
    key, number, holds = measurement.key, measurement.number, measurement.verdict == HOLDS
    if number is None:
        return "–"
    if key == "periodic" and holds:
        return _range(measurement.numbers, "shortest_wavelength", "longest_wavelength")
    if key == "norm" and not holds:
        return _range(measurement.numbers, "shortest", "longest")
    if key in ("bounded", "norm") and number < 10:
        return number_text.fixed(number, 3)
    return number_text.short(number, digits if number >= SMALL else 2)


def _range(numbers: Mapping[str, float | int | None], low: str, high: str) -> str:
    ends = [numbers[name] for name in (low, high)]
    texts = ["–" if end is None else number_text.short(end) for end in ends]
    # One hand has one wavelength, and lengths that differ in late digits look alike: 4 and 4.00 are told as 4.00.
    is_one = None not in ends and len({f"{end:.2e}" for end in ends}) == 1
    return max(texts, key=len) if is_one else " – ".join(texts)
