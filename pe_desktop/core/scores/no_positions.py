"""No positions at all ("NoPE")."""

from dataclasses import dataclass

from pe_desktop.core.scores.scheme import Scheme


@dataclass(frozen=True, slots=True)
class NoPositions(Scheme):
    """Scores know words alone: without a mask a head is equivariant to a permutation of them."""

    id = "none"
    title = "None"

    @property
    def note(self) -> str:
        return "no positions"
