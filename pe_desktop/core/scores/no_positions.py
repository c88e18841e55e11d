"""No positions at all ("NoPE")."""

from pe_desktop.core.record import record
from pe_desktop.core.scores.scheme import Scheme


@record
class NoPositions(Scheme):
    """Scores know words alone: without a mask a head is equivariant to a permutation of them."""

    id = "none"
    title = "None"

    @property
    def note(self) -> str:
        return "no positions"
