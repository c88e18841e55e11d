"""The range of a heat map's colours: the whole scale, all or most of the visible values, or typed ones."""

from typing import Final

from pe_desktop.core.cursor import Span
from pe_desktop.core.record import record
from pe_desktop.core.rules import NumberRule, Rule, checked_word, shown

# The names of ranges that aren't typed.
COLOR_RANGES: Final = ("whole", "seen", "most")
_LARGEST: Final = 1e20
# Pictures are computed in single precision: a narrower range would show its rounding.
_NARROWEST, _NARROWEST_SHARE = 1e-9, 1e-4


@record
class ColorRangeRule(Rule):
    """One of COLOR_RANGES, or the values at the two ends: first..last, or a number for as far to both sides of 0."""

    def checked(self, value: object) -> Span | str:
        if not isinstance(value, Span):
            return checked_word(self.name, value, COLOR_RANGES)
        least = max(_NARROWEST_SHARE * max(abs(value.first), abs(value.last)), _NARROWEST)
        if not value.width >= least:
            ends = f"{value.first:g}..{value.last:g}"
            raise ValueError(f"{self.name} must end at least {least:.1g} after it begins: {ends} does not")
        return value

    def read(self, text: str) -> Span | str:
        typed = text.strip().lower()
        if typed in COLOR_RANGES:
            return typed
        first, dots, last = typed.partition("..")
        try:
            ends = [float(self._number.read(end)) for end in ((first, last) if dots else (first,))]
        except ValueError:
            raise ValueError(
                f"{self.name} must be whole, seen, most, two numbers as 4..12, or one for both sides of 0: "
                f"{shown(text).strip() or 'nothing'} is not"
            ) from None
        return self.checked(Span(*ends) if dots else Span(-abs(ends[0]), abs(ends[0])))

    def plain(self, value: Span | str) -> str | list[float]:
        return value if isinstance(value, str) else [value.first, value.last]

    @property
    def _number(self) -> NumberRule:
        return NumberRule(self.name, -_LARGEST, _LARGEST)
