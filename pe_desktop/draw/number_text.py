"""Numbers as people read them: true minus, thin spaces in thousands, as many digits as matter."""

import math
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from pe_desktop.core.number_text import MINUS, SUPERSCRIPTS, THIN_SPACE

# From here on a number of whole positions no longer fits its field digit by digit.
LONG = 1e8
# Decimals that a person would type, and how far the sum of two such numbers may be from one.
_MOST_TYPED, _SAME = 4, 1e-12
# The largest relative error of a number in single precision.
_ROUNDED = 1e-6


def fixed(value: float, decimals: int) -> str:
    """A number with a fixed count of decimals; one that rounds to zero has no minus."""
    text = f"{value:,.{decimals}f}".replace(",", THIN_SPACE)
    if not text.startswith("-"):
        return text
    return text[1:] if float(f"{value:.{decimals}f}") == 0 else f"{MINUS}{text[1:]}"


@lru_cache(maxsize=512)  # axes ask for the same ones again
def whole(value: float) -> str:
    """A whole number: 10 000."""
    text = f"{value:,.0f}".replace(",", THIN_SPACE)
    return text if not text.startswith("-") else fixed(value, 0)


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 hand, 16 hands."""
    return f"{whole(number)} {noun}{'' if number == 1 else 's'}"


def short(value: float, digits: int = 3) -> str:
    """A positive or negative number with about three digits that matter: 6.28, 62.8, 1 117, 3.5×10⁹."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else _without_digits(value)
    exponent = _exponent(value, digits)
    if exponent >= 7 or exponent < -3:
        return scientific(value, digits - 1)
    decimals = max(digits - 1 - exponent, 0)
    text = fixed(value, decimals)
    # Zeros after the point are dropped where they are the number, kept where they are rounding: 1, but 1.00 for 1.002.
    is_exact = float(f"{value:.{decimals}f}") == value
    return text.rstrip("0").rstrip(".") if "." in text and is_exact else text


def all_digits(value: float) -> tuple[str, ...]:
    """A line with all digits of a number that is written with four decimals; none where these are all."""
    is_told = math.isnan(value) or round(value, 4) == value
    return () if is_told else (repr(value).replace("-", MINUS),)


def copied(value: float | None, missing: str = "") -> str:
    """A number with all its digits for the clipboard, or a given text where there is none."""
    return missing if value is None or math.isnan(value) else repr(value)


def copied_place(place: float) -> str:
    """A position or an offset for the clipboard, with all its digits: 37, 12.3456789."""
    return repr(place).removesuffix(".0")


def alike(values: Sequence[float]) -> tuple[str, ...]:
    """Numbers with one count of decimals, as many as show all of them where few do, else three digits of the largest.

    Zero is 0; where the largest is written as a power of ten, all are.
    """
    largest = max(map(abs, values))
    if "×" in short(largest) or not math.isfinite(largest) or largest == 0:
        return tuple(map(short, values))
    most = max(2 - _exponent(largest, 3), 0)
    lost = (max([abs(round(value, decimals) - value) for value in values]) for decimals in range(most))
    decimals = next((place for place, rest in enumerate(lost) if rest <= _ROUNDED * largest), most)
    texts = ["0" if value == 0 else fixed(value, decimals) for value in values]
    return tuple(texts)


def significant(value: float, digits: int) -> str:
    """A number with so many digits, zeros too: 16.00, 0.1328."""
    return fixed(value, max(digits - 1 - (_exponent(value, digits) if value else 0), 0))


def _exponent(value: float, digits: int) -> int:
    """The power of ten of the first of so many digits."""
    return math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))


def degrees(angle: float, decimals: int = 1) -> str:
    """An angle in radians as degrees from 0° to below 360°."""
    return f"{fixed(round(math.degrees(angle) % 360, decimals) % 360, decimals)}°"


def scientific(value: float, decimals: int = 1, *, keeps_zeros: bool = False) -> str:
    """A number as a power of ten: 2.2×10⁻¹⁶; 2×10⁻¹⁶, or 2.0×10⁻¹⁶ where it keeps zeros, as in a column."""
    if not math.isfinite(value):
        return _without_digits(value)
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    if "." in mantissa and not keeps_zeros:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa.replace('-', MINUS)}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"


def plain(value: float) -> str:
    """A parameter as a person would type it: 10 000, 1.5, 0.1, 1e9."""
    return exact(float(f"{value:.12g}"))


def exact(value: float) -> str:
    """A number for a field: as `plain`, but with all the digits that tell it from any other float64."""
    if value == int(value) and abs(value) < LONG:
        return whole(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    if abs(value) < LONG and abs(value) >= 1e-4:
        return repr(value).replace("-", MINUS)
    first, *others = map(str, digits)
    point = f".{''.join(others)}" if others else ""
    return f"{MINUS if sign else ''}{first}{point}e{int(exponent) + len(others)}"


# Several panels write t and t + k in each frame.
@lru_cache(maxsize=64)
def position(value: float) -> str:
    """A position or an offset: as it would be typed, but one of more than four decimals with two that matter."""
    for decimals in range(_MOST_TYPED + 1):
        if abs(float(f"{value:.{decimals}f}") - value) <= _SAME * max(abs(value), 1.0):
            return fixed(value, decimals)
    # Places between positions, where a hand is dragged or time runs.
    return fixed(value, 2) if abs(value) >= 0.1 else short(value, 2)


def power_of_ten(exponent: int) -> str:
    """10⁻¹², but 1 and 10 as they are."""
    return "1" if exponent == 0 else "10" if exponent == 1 else f"10{str(exponent).translate(SUPERSCRIPTS)}"


def _without_digits(value: float) -> str:
    return "undefined" if math.isnan(value) else "∞" if value > 0 else f"{MINUS}∞"
