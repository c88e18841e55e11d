"""Numbers as text: digits in groups of three, for sentences and for formulas."""

import math
from typing import Final

MINUS: Final = "\u2212"
THIN_SPACE: Final = "\u2009"
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def grouped(number: float, space: str = " ") -> str:
    """A number in a sentence: 10 000; one that is not whole with all its digits."""
    return f"{int(number):,}".replace(",", space) if number == math.floor(number) else repr(number)


def in_formula(value: float) -> str:
    """A number in a formula: thin spaces, twelve digits at most."""
    return grouped(value, THIN_SPACE) if value == int(value) else f"{value:.12g}"


def signed(value: float) -> str:
    """A number that is added in a formula: its sign, a space and its size."""
    return f"{MINUS if value < 0 else '+'} {in_formula(abs(value))}"
