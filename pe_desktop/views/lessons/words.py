"""Words of lessons with their numbers in them."""

from collections.abc import Mapping

from pe_desktop.core.record import record
from pe_desktop.views.facts.words import filled


@record
class Said:
    """Says a text with the numbers of its step; as wide a text while they are measured."""

    numbers: Mapping[str, float] | None

    def __call__(self, text: str) -> str:
        return filled(text, self.numbers)
