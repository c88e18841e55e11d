"""How near the positions of an encoding come to one another, offset by offset."""

from dataclasses import dataclass
from typing import Final

from pe_desktop.core.encoding import Floats

# Positions more than this apart are far.
FAR: Final = 16
# Not neighbours, yet less than this share of the smallest distance of neighbours apart: they are confused.
CONFUSED_BELOW: Final = 0.5
# Distances that differ by less than this share are the same up to rounding.
SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class ClosePair:
    """Two positions and how far apart their vectors are."""

    position: int
    other: int
    distance: float

    @property
    def offset(self) -> int:
        """How many positions lie between them, the last one counted."""
        return self.other - self.position


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """What is known of the distances of an encoding.

    closest: the two positions whose vectors are nearest, the first of equals; closest_far: the same where they are
    more than FAR apart; None where there are no such positions. nearest_neighbours, farthest_neighbours: the smallest
    and largest distance of positions t and t + 1.
    confusion: the smallest offset above 1 at which some distance is below half of nearest_neighbours.
    far_confusion: the smallest offset above FAR at which some distance is no more than farthest_neighbours. Or None.
    offsets, lowest: smallest distances by offset for a picture, shape (at most 256,); basis: what was measured.
    """

    closest: ClosePair | None
    closest_far: ClosePair | None
    nearest_neighbours: float
    farthest_neighbours: float
    confusion: int | None
    far_confusion: int | None
    offsets: Floats
    lowest: Floats
    basis: str
