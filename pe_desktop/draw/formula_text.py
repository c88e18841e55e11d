"""Numbers, vectors and matrices as parts of a formula."""

from collections.abc import Iterable
from typing import Final

from pe_desktop.core.number_text import MINUS
from pe_desktop.draw.number_text import fixed, plain, position, scientific, short

# Numbers from here on are told with fewer decimals.
LARGE: Final = 1e4


def number(value: float, decimals: int = 4) -> str:
    """A number in a formula: four decimals, or as a power of ten where these would tell too little."""
    size = abs(value)
    if size >= LARGE:
        return fixed(value, 0) if size < 1e7 else scientific(value, 3)
    if 0 < size < 10.0 ** (1 - decimals):
        return short(value, 3)
    return fixed(value, decimals)


def exact(value: float) -> str:
    """A number in a formula with the six digits that matter, and no zeros after them."""
    text = short(value, 6)
    return text.rstrip("0").rstrip(".") if "." in text and "×" not in text else text


def matrix(*rows: Iterable[float], decimals: int = 4) -> str:
    """A matrix of numbers in a formula, row by row."""
    lines = r" \\ ".join(" & ".join(number(value, decimals) for value in row) for row in rows)
    return rf"\matrix{{{lines}}}"


def vector(values: Iterable[float], decimals: int = 4) -> str:
    return matrix(*([value] for value in values), decimals=decimals)


def factor(value: float) -> str:
    """A number as a factor or a term: in parentheses where it has a minus."""
    return _enclosed(number(value))


def place(value: float) -> str:
    """A position or an offset as a factor."""
    return _enclosed(position(value))


def _enclosed(text: str) -> str:
    return f"({text})" if text.startswith(MINUS) else text


def signed(value: float) -> str:
    return f"{'+' if value > 0 else MINUS} {plain(abs(value))}"


def times(value: float) -> str:
    """A factor before something, none for 1."""
    return "" if value == 1 else f"{short(value, 4)} "
