"""Words of lessons with their numbers in them, and how parts of a page stand beside each other."""

import re
from collections.abc import Mapping
from typing import Any

from pe_desktop.core.record import record
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Space, button, in_row
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


def way(text: str, sets: Mapping[str, Any], beside: Block | None = None) -> Block:
    """A button, and what stands at its right."""
    return in_row((FIT, GROW), button(text, sets), Column((Space(6.0), beside or Space(0.0))))
