"""A grid of small dials whose captions stand beside them: many of them in a narrow room."""

from dataclasses import dataclass
from enum import Enum

from pe_desktop.plotting.dial import Dial
from pe_desktop.plotting.small_dials import DialGrid

# Around a dial, and before and after its caption.
MARGIN = 3.0
CAPTION_GAP = 5.0
# Room for the focus ring left of the first column.
INSET = 2.0
TALLEST_ROW = 84.0


class Captions(Enum):
    """How much a caption says: the bit and how often it flips, the bit, or no more than its number."""

    FULL = 36.0
    SHORT = 28.0
    TERSE = 27.0

    @property
    def least_row(self) -> float:
        """The least height of a row, in pixels."""
        return self.value


@dataclass(frozen=True, slots=True)
class BesideGrid(DialGrid):
    """Where dials stand whose captions are so wide, gaps included; a dial is as high as its row."""

    beside: float = 0.0
    captions: Captions = Captions.FULL

    def dial(self, pair: int) -> Dial:
        """Where the dial stands in its cell: left of its caption, both in the middle."""
        left, top = self.cell(pair)
        radius = min(self.cell_width - self.beside, self.cell_height) / 2 - MARGIN
        return Dial(left + INSET + (self.cell_width - self.beside) / 2, top + self.cell_height / 2, radius)

    def caption_left(self, pair: int) -> float:
        """Where the caption of a dial begins."""
        dial = self.dial(pair)
        return dial.x + dial.radius + MARGIN + CAPTION_GAP


def beside_width(text: float) -> float:
    """What a caption takes beside its dial, gaps included."""
    return text + 2 * CAPTION_GAP + INSET
