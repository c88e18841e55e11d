"""Numbers as text: digits in groups of three, for sentences and for formulas."""

import math
import re
from decimal import Decimal
from typing import Final

MINUS: Final = "\u2212"
THIN_SPACE: Final = "\u2009"
NO_BREAK: Final = "\u00a0"
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def grouped(number: float, space: str = " ") -> str:
    """A number in a sentence: 10 000; one that is not whole with all its digits."""
    return f"{int(number):,}".replace(",", space) if number == math.floor(number) else f"{Decimal(repr(number)):f}"


def rounded_up(value: float, share: float = 1.0) -> float:
    """The least of 1, 2 and 5 times a power of ten that is no less than a positive value, or than a share of it."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= value * share)


# A blank between the digits of one number, or before what belongs to it; between two short words in brackets; around a
# sign of equality.
_WITHIN_NUMBER: Final = re.compile(
    r"(?<=\d) (?=\d{3}(?!\d)|[%×°])|(?:(?<=\(\w,)|(?<=\(\w\w,)|(?<=\(\w{3},)) (?=\w+\))"
    r"|(?<=\S) (?=[=≠≤≥≈] )|(?<= [=≠≤≥≈]) (?=\S)"
)


def held_together(text: str) -> str:
    """The same text with no-break spaces within numbers, also before a sign of percent, in PE(46, 9), and in t = 25."""
    return _WITHIN_NUMBER.sub(NO_BREAK, text)


def in_formula(value: float) -> str:
    """A number in a formula: thin spaces, twelve digits at most, a tiny one with its power of ten."""
    if value == int(value):
        return grouped(value, THIN_SPACE)
    digits, _, exponent = f"{value:.12g}".replace("-", MINUS, value < 0).partition("e")
    if not exponent:
        return digits
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return power if digits == "1" else f"{digits}×{power}"


def signed(value: float) -> str:
    """A number that is added in a formula: its sign, a space and its size."""
    return f"{MINUS if value < 0 else '+'} {in_formula(abs(value))}"
