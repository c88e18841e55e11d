"""Where the rows, labels and numbers of the waves stand, and which position a pixel shows."""

from dataclasses import dataclass
from functools import cached_property

from pe_desktop.core.span import Span

LABELS_WIDTH = 120.0
NUMBERS_WIDTH = 128.0
TOP = 30.0
BOTTOM = 34.0
AMPLITUDE = 0.40
# Low rows leave more room between -1 of one and +1 of the next, for the labels.
LOW_ROW = 80.0
LOW_AMPLITUDE = 0.36
SHORTEST_ROW = 26.0
WIDEST_ROW = 168.0


@dataclass(frozen=True)
class WavesLayout:
    """The plot of one row for each shown pair, inside a picture of width x height pixels."""

    width: float
    height: float
    n_rows: int
    span: Span

    @cached_property
    def left(self) -> float:
        """The pixel of span.first."""
        return LABELS_WIDTH

    @cached_property
    def right(self) -> float:
        """The pixel of span.last."""
        return max(self.width - NUMBERS_WIDTH, LABELS_WIDTH + 10.0)

    @cached_property
    def bottom(self) -> float:
        """The lower edge of the last row."""
        return TOP + self.n_rows * self.row_height

    @cached_property
    def row_height(self) -> float:
        """The height of a row; few rows don't spread over a tall panel for nothing."""
        return (self.height - TOP - BOTTOM) / max(self.n_rows, 1)

    @cached_property
    def amplitude(self) -> float:
        """How many pixels the value 1 is high."""
        share = AMPLITUDE if self.row_height >= LOW_ROW else LOW_AMPLITUDE
        return min(self.row_height * share, self.row_height / 2 - 2.0)

    def row_middle(self, row: int) -> float:
        """The pixel of the value 0 in a row."""
        return TOP + (row + 0.5) * self.row_height

    def x(self, position: float) -> float:
        """The pixel of a position."""
        return self.left + (position - self.span.first) / self.span.width * (self.right - self.left)

    def position(self, x: float) -> float:
        """The position of a pixel."""
        return self.span.first + (x - self.left) / (self.right - self.left) * self.span.width


def most_rows(height: float) -> int:
    """How many rows a picture can hold."""
    return max(int((height - TOP - BOTTOM) // SHORTEST_ROW), 1)
