"""Names of hands and columns, and their values as text."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import cast

from pe_desktop.core.columns import MISSING, hand_columns, hand_places
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.measure.measurement import PROPERTIES, Measurement
from pe_desktop.draw import number_text
from pe_desktop.draw.number_text import degrees, fixed, scientific, short, whole

# Values up to the first are written with decimals, from the second on as powers of ten.
_MOST_DECIMAL = 10.0
LONG = 1e5


def hand_name(encoding: Encoding, hand: int) -> str:
    """The name in a sentence: "pair 4", "columns 8, 9", "column 32"."""
    if encoding.pairs is not None:
        return f"pair {whole(hand)}"
    first, second = column_numbers(encoding, hand)
    return f"columns {first}, {second}" if second else f"column {first}"


def column_numbers(encoding: Encoding, hand: int) -> tuple[str, str]:
    """The two columns of a hand; the second is "" where there is none."""
    first, second = hand_columns(encoding)[hand].tolist()
    return whole(first), "" if second == MISSING else whole(second)


def hand_sentence(pairs: Pairs, pair: int, angle: float) -> str:
    """Pair, angular frequency, wavelength and angle of a hand as one line."""
    omega = short(float(pairs.angular_frequencies[pair]))
    wavelength = short(float(pairs.wavelengths[pair]))
    unit = "position" if pairs.turns_evenly else "mapped position"
    return f"pair {pair}: {omega} radians per {unit}, wavelength {wavelength}, angle {degrees(angle)}"


def part_names(encoding: Encoding, hand: int) -> tuple[str, str]:
    """The names of its two values: sin and cos, or the dimensions; the second is "" where there is none."""
    return _part_names(cast("Hashable", encoding), hand)


@lru_cache(maxsize=64)
def _part_names(encoding: Encoding, hand: int) -> tuple[str, str]:
    if encoding.pairs is not None:
        return "sin", "cos"
    first, second = column_numbers(encoding, hand)
    return f"dim {first}", f"dim {second}" if second else ""


def legend_names(encoding: Encoding) -> tuple[str, str]:
    """The names of the solid and the dotted line in all rows of waves."""
    if encoding.pairs is None:
        first, second = hand_places(encoding)
        return f"dim {first}", f"dim {second}"
    columns = encoding.pairs.columns
    is_interleaved = (columns[-1] == (2 * len(columns) - 2, 2 * len(columns) - 1)).all()
    return ("sin, dim 2i", "cos, dim 2i + 1") if is_interleaved else ("sin", "cos")


def value_text(value: float, limit: float, decimals: int) -> str:
    """A value of a table with so many decimals where values are about 1, with fewer where they are large.

    Where the decimals would hold one digit at most, as a power of ten.
    """
    if value and decimals and limit < 10.0 ** (1 - decimals):
        return scientific(value)
    if limit <= _MOST_DECIMAL:
        return fixed(value, decimals)
    return short(value) if abs(value) < LONG else scientific(value)


def limit_texts(limit: float) -> tuple[str, str]:
    """The two ends of an axis that reaches to a limit on both sides of 0."""
    text = short(limit) if limit < LONG else scientific(limit)
    return f"−{text}", f"+{text}"


# Lengths that differ by less are equal in three digits.
_NEAR = 0.01
# A smaller number is written as a power of ten with two digits.
_SMALL = 1e-3


def deciding_number(measurement: Measurement, digits: int = 3) -> str:
    """The number, or the range, that decides a check, with so many digits: 1.17, 6.28 – 35 333, 1.2×10⁻¹⁶."""
    row, number, numbers = PROPERTIES[measurement.key], measurement.number, measurement.numbers
    if number is None:
        return "–"
    if measurement.verdict in row.ends:
        low, high = row.ends[measurement.verdict]
        least, most = (float(numbers[name] or 0.0) for name in (low, high))
        # Of lengths that differ in late digits alone the difference is written.
        is_near = row.is_length and most - least < _NEAR * most
        return f"± {number_text.short(number / 2, 2)}" if is_near else _range(numbers, low, high)
    if row.has_decimals and number < 10:
        return number_text.fixed(number, 3)
    if row.is_length and number >= _SMALL:
        return number_text.significant(number, digits)
    return number_text.short(number, digits if number >= _SMALL else 2)


def _range(numbers: Mapping[str, float | int | None], low: str, high: str) -> str:
    ends = [numbers[name] for name in (low, high)]
    texts = ["–" if end is None else number_text.short(end) for end in ends]
    # One hand has one wavelength.
    is_one = None not in ends and len({f"{end:.2e}" for end in ends}) == 1
    return max(texts, key=len) if is_one else " – ".join(texts)
