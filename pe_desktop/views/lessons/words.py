"""Words of lessons with their numbers in them, and the room beside them."""

import re
from collections.abc import Mapping

from pe_desktop.core.record import record
from pe_desktop.draw.flow import GROW, Block, Space, in_row
from pe_desktop.languages import keep, told
from pe_desktop.views.facts.words import filled


@record
class Said:
    """Says a text with the numbers of its step, or three dots while they are measured."""

    numbers: Mapping[str, float] | None

    def __call__(self, text: str) -> str:
        if self.numbers is None:
            return keep(re.sub(r"\{[a-z][a-z0-9-]*:\w+\}", "…", told(text)))
        return filled(text, self.numbers)


def padded(block: Block, room: float = 16.0) -> Block:
    """A block with room at both sides."""
    return in_row((room, GROW, room), Space(0.0), block, Space(0.0), gap=0.0)
