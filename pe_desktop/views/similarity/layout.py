"""Where map, colour bar, profile and read-out of the similarity stand, in a wide panel and in a narrow one."""

from dataclasses import dataclass
from typing import Any, overload

from numpy.typing import NDArray

from pe_desktop.core.cursor import Span
from pe_desktop.draw.scene import Area

WIDE = 620.0
LABELS = 46.0
AXIS = 24.0
BAR = 8.0
ONE_ROW = 480.0


@dataclass(frozen=True, slots=True)
class SimilarityLayout:
    """The parts, and the visible positions and offsets.

    rows and columns: visible positions, cell p reaching from p - 1/2 to p + 1/2; offsets: the profile's visible k.
    """

    map: Area
    bar: Area
    profile: Area
    readout: Area
    is_wide: bool
    rows: Span
    columns: Span
    offsets: Span

    def x(self, position: float) -> float:
        """The pixel of a column."""
        return self.map.x + (position - self.columns.first) / self.columns.width * self.map.width

    def y(self, position: float) -> float:
        """The pixel of a row."""
        return self.map.y + (position - self.rows.first) / self.rows.width * self.map.height

    def cell_at(self, x: float, y: float) -> tuple[float, float]:
        """Row and column under a point, in positions."""
        row = self.rows.first + (y - self.map.y) / self.map.height * self.rows.width
        column = self.columns.first + (x - self.map.x) / self.map.width * self.columns.width
        return row, column

    @overload
    def offset_x(self, offset: float) -> float: ...

    @overload
    def offset_x(self, offset: NDArray[Any]) -> NDArray[Any]: ...

    def offset_x(self, offset: float | NDArray[Any]) -> float | NDArray[Any]:
        """The pixel of an offset in the profile."""
        return self.profile.x + (offset - self.offsets.first) / self.offsets.width * self.profile.width

    def offset_at(self, x: float) -> float:
        """The offset of a pixel in the profile."""
        return self.offsets.first + (x - self.profile.x) / self.profile.width * self.offsets.width


def similarity_layout(width: float, height: float, rows: Span, columns: Span, offsets: Span) -> SimilarityLayout:
    """Map beside profile where there is room, else profile under map and numbers beside it."""
    if width >= WIDE:
        side = max(min(height - AXIS - 8.0, width * 0.42), 40.0)
        area = Area(LABELS + 4.0, 6.0, side, side)
        bar = Area(area.x + side + 14.0, 6.0, BAR, side * 0.45)
        left = bar.x + BAR + 88.0
        room = width - left - 8.0
        # The three numbers stand in a row where there is room, else under each other.
        foot = 30.0 if room >= ONE_ROW else 72.0
        profile = Area(left, 56.0, max(room, 40.0), max(height - 56.0 - 54.0 - foot, 30.0))
        readout = Area(left - 30.0, height - foot - 4.0, room + 30.0, foot)
        return SimilarityLayout(area, bar, profile, readout, True, rows, columns, offsets)
    below = max(min(height * 0.27, 110.0), 64.0)
    side_column = 104.0
    area_width = max(width - LABELS - side_column - 14.0, 40.0)
    side = max(min(height - below - 12.0, area_width), 40.0)
    area = Area(LABELS, 6.0, side, side)
    right = area.x + side + 16.0
    profile = Area(LABELS, area.y + side + 16.0, side, max(height - side - AXIS - 26.0, 20.0))
    bar = Area(right, 28.0, BAR, max(side * 0.36, 30.0))
    top = bar.y + bar.height + 20.0
    readout = Area(right, top, width - right, max(height - top, 40.0))
    return SimilarityLayout(area, bar, profile, readout, False, rows, columns, offsets)
