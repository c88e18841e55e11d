"""How the clock shares its room between the face and the dials of bits: side by side, or one over the other."""

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, cast

import numpy as np

from pe_desktop.core.bit_hands import n_flipping
from pe_desktop.core.encoding import Encoding
from pe_desktop.views.clock.picture import MARGIN_ACROSS, MARGIN_DOWN, dial_in
from pe_desktop.views.clock.small import TALLEST_ROW, BesideGrid, Captions, beside_width, caption_width

# Left, top, width, height.
Room: TypeAlias = tuple[float, float, float, float]

GAP = 10.0
# A face that stood alone would be larger; below this share of it, or too small for badges, captions become shorter and
# the dials scroll.
LEAST_SHARE = 0.5
LEAST_RADIUS = 60.0
# So many heights of a row are tried between the least and the greatest one.
ROW_HEIGHTS = 6
# No more dials than this are shown without scrolling.
MOST_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class ClockRoom:
    """Where face and dials stand; the dials are scrolled where the grid is taller than their room."""

    face: Room
    dials: Room
    grid: BesideGrid

    @property
    def is_scrolled(self) -> bool:
        """Whether not all dials are seen at once."""
        return self.grid.height > self.dials[3] + 0.5

    @property
    def face_radius(self) -> float:
        """The radius of the dial with the hands."""
        return dial_in(self.face[2], self.face[3]).radius

    @property
    def score(self) -> float:
        """Large hands and large dials."""
        return self.face_radius + self.grid.cell_height


def clock_room(width: float, height: float, code: Encoding, bar: float | None = None) -> ClockRoom:
    """The best arrangement: all dials with full captions, or those that flip within N, then with shorter captions.

    bar is the width of a scroll bar, which stands where there are more dials than can be seen; None on paper, where
    nothing is scrolled and all dials with short captions come before some with full ones. The same size and code give
    the same rooms, whatever t.
    """
    return _clock_room(width, height, cast("Hashable", code), bar)


def whole_grid(width: float, height: float, encoding: Encoding) -> BesideGrid | None:
    """The largest dials of all columns that find room with captions beside them; None where they don't."""
    for captions in Captions if encoding.bits is not None else (Captions.FULL,):
        beside = beside_width(caption_width(encoding, captions))
        grids = []
        for columns in range(1, int(width // (captions.least_row + beside)) + 1):
            rows = math.ceil(encoding.d_model / columns)
            row = min(height / rows, width / columns - beside, TALLEST_ROW)
            if row >= captions.least_row:
                grids.append(BesideGrid(columns, rows, width / columns, row, 0.0, beside=beside, captions=captions))
        if grids:
            return max(grids, key=_row)
    return None


def _row(grid: BesideGrid) -> float:
    return grid.cell_height


@lru_cache(maxsize=8)
def _clock_room(width: float, height: float, code: Encoding, bar: float | None) -> ClockRoom:
    count, flipping = min(code.d_model, MOST_AT_ONCE), n_flipping(code)
    captions_of_all = [Captions.FULL] if bar is not None else [*Captions]
    wanted = [*((count, captions) for captions in captions_of_all), *((flipping, captions) for captions in Captions)]
    alone = dial_in(width, height).radius
    least = min(max(LEAST_SHARE * alone, LEAST_RADIUS), alone)
    for seen, captions in wanted:
        rooms = _arrangements(width, height, code, seen, captions, bar or 0.0)
        # No bit is larger than half the face.
        fair = (room for room in rooms if room.face_radius >= max(least, room.grid.cell_height))
        best = max(fair, key=_score, default=None)
        if best is not None:
            return best
    return _scrolled(width, height, code, bar or 0.0, least)


def _score(room: ClockRoom) -> float:
    return room.score


def _arrangements(
    width: float, height: float, code: Encoding, seen: int, captions: Captions, bar: float
) -> Iterator[ClockRoom]:
    """Every number of columns beside the face and below it, with rows from the least height to the greatest."""
    beside = beside_width(caption_width(code, captions))
    for columns in range(1, int(width // (captions.least_row + beside)) + 1):
        rows, used_bar = math.ceil(seen / columns), bar if seen < code.d_model else 0.0
        tallest = min(height / rows, TALLEST_ROW)
        for row in _row_heights(captions.least_row, tallest):
            dials = columns * (row + beside) + used_bar
            if dials + GAP < width:
                yield _side_by_side(width, height, _grid(code, columns, row, beside, captions), dials, rows * row)
        widest = min((width - used_bar) / columns - beside, TALLEST_ROW)
        for row in _row_heights(captions.least_row, widest):
            if rows * row + GAP < height:
                grid = _grid(code, columns, row, beside, captions)
                yield _stacked(width, height, grid, columns * (row + beside) + used_bar, rows * row)


def _row_heights(least: float, most: float) -> list[float]:
    return [] if most < least else np.linspace(least, most, ROW_HEIGHTS).tolist()


def _scrolled(width: float, height: float, code: Encoding, bar: float, least: float) -> ClockRoom:
    """As many columns of short captions as leave the face its share, at least one, and as many rows as are seen."""
    captions = Captions.TERSE
    beside = beside_width(caption_width(code, captions))
    rows = max(int(height // captions.least_row), 1)
    row = min(height / rows, TALLEST_ROW)
    rooms = []
    for columns in range(1, max(int(width // (row + beside)), 1) + 1):
        grid = _grid(code, columns, row, beside, captions)
        dials = columns * (row + beside) + bar
        rooms.append(_side_by_side(width, height, grid, dials, rows * row))
    return next((room for room in reversed(rooms) if room.face_radius >= least), rooms[0])


def _grid(code: Encoding, columns: int, row: float, beside: float, captions: Captions) -> BesideGrid:
    rows = math.ceil(code.d_model / columns)
    return BesideGrid(columns, rows, row + beside, row, 0.0, beside=beside, captions=captions)


def _side_by_side(width: float, height: float, grid: BesideGrid, dials: float, tall: float) -> ClockRoom:
    room = max(width - dials - GAP, 0.0)
    # Where the height limits the face, both stand in the middle.
    face = min(room, max(height - 2 * MARGIN_DOWN, 0.0) + 2 * MARGIN_ACROSS)
    left = (width - face - GAP - dials) / 2
    place = (left + face + GAP, (height - tall) / 2, dials, tall)
    return ClockRoom((left, 0.0, face, height), place, grid)


def _stacked(width: float, height: float, grid: BesideGrid, dials: float, tall: float) -> ClockRoom:
    room = height - tall - GAP
    face = min(room, max(width - 2 * MARGIN_ACROSS, 0.0) + 2 * MARGIN_DOWN)
    top = (height - face - GAP - tall) / 2
    return ClockRoom((0.0, top, width, face), ((width - dials) / 2, top + face + GAP, dials, tall), grid)
