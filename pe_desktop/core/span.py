"""The stretch of positions that the plots show."""

from dataclasses import dataclass

# One cell of the matrix fills the plot: there is nothing more to see.
NARROWEST = 1.0


@dataclass(frozen=True, slots=True)
class Span:
    """The visible range [first, last], in positions."""

    first: float
    last: float

    @property
    def width(self) -> float:
        """How many positions lie between the edges."""
        return self.last - self.first

    def within(self, n_positions: int) -> "Span":
        """The nearest span that lies inside the table and is neither too narrow nor too wide."""
        widest = full_span(n_positions)
        width = min(max(self.width, NARROWEST), widest.width)
        first = min(max(self.first, widest.first), widest.last - width)
        return Span(first, first + width)

    def zoomed(self, factor: float, anchor: float) -> "Span":
        """A span 1/factor as wide in which the anchor stays where it was."""
        return Span(anchor - (anchor - self.first) / factor, anchor + (self.last - anchor) / factor)

    def moved(self, positions: float) -> "Span":
        """The same width, shifted to later positions."""
        return Span(self.first + positions, self.last + positions)


@dataclass(frozen=True, slots=True)
class MatrixSight:
    """How the encoding matrix is seen, beside its positions.

    rows: the visible rows of the table, row r reaching from r to r + 1, None for all; is_transposed: positions run
    downwards.
    """

    rows: Span | None = None
    is_transposed: bool = False


ALL_UPRIGHT = MatrixSight()


def full_span(n_positions: int) -> Span:
    """The whole table, half a position beyond its ends: position p is a cell that reaches from p - 1/2 to p + 1/2."""
    return Span(-0.5, n_positions - 0.5)
