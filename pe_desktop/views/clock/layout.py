"""Where the clock stands: one dial with all hands or a dial for each, and the dials of bits beside or below either."""

import math
from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, cast

import numpy as np

from pe_desktop.core.columns import code_beside, face_hands, n_flipping
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.record import record
from pe_desktop.core.scores.head import MAX_HEAD
from pe_desktop.core.scores.rotary import RotaryFactors, turning_state, turns_vectors
from pe_desktop.core.state import State
from pe_desktop.draw.dial import MARGIN_ACROSS, MARGIN_DOWN, Dial, dial_in
from pe_desktop.draw.scene import Area
from pe_desktop.views.clock.small import (
    TALLEST_ROW,
    BesideGrid,
    Captions,
    DialGrid,
    Dials,
    beside_width,
    caption_width,
    column_grid,
    dial_grid,
    n_dials,
    narrowest_cell,
)

_GAP: Final = 10.0
# A face that stood alone would be larger; below this share of it, or too small for badges, captions become shorter and
# the dials scroll.
_LEAST_SHARE: Final = 0.5
_LEAST_RADIUS: Final = 60.0
# So many heights of a row are tried between the least and the greatest one.
_ROW_HEIGHTS: Final = 6
# No more dials than this are shown without scrolling.
_MOST_AT_ONCE: Final = 64
# A scroll bar, 10 pixels wide in the window's style sheet, and the gap before it.
_BAR: Final = 14.0
# Dials of a query and a key, whose lines reach up to the ring, are read where those of hands would be too small.
_LEAST_TURNED, _TURNED_PADDING = 48.0, 5.0
# On paper: the line that tells how many dials have no room.
NOTE_HEIGHT: Final = 16.0


@record
class ClockLayout:
    """The dial with all hands, None where it isn't seen, and the small dials."""

    face: Dial | None = None
    dials: tuple[Dials, ...] = ()


def shows_each(state: State) -> bool:
    """Whether each pair or column has a dial of its own: by choice, and where nothing turns."""
    encoding = state.encoding
    return face_hands(encoding) is None or (encoding.pairs is not None and state.views.clock.mode == "each")


def code_shown(state: State) -> Encoding | None:
    """The bits beside the face: by choice beside hands, always where the table is one of bits."""
    encoding = state.encoding
    return code_beside(encoding) if encoding.pairs is None or state.views.clock.shows_bits else None


def clock_layout(state: State, width: float, height: float, *, is_paper: bool) -> ClockLayout:
    """Everything in one picture; of dials that would have to be scrolled, the first."""
    layout = _layout(state, width, height, is_paper=is_paper)
    if is_paper and any(n_hidden(dials, state.encoding) for dials in layout.dials):
        # One more line tells how many find no room.
        return _layout(state, width, height - NOTE_HEIGHT, is_paper=True)
    return layout


def n_hidden(dials: Dials, encoding: Encoding) -> int:
    """How many small dials are not drawn."""
    return n_dials(dials.code or encoding) - len(dials.shown)


def own_grid(encoding: Encoding, width: float, height: float) -> DialGrid:
    """Where the small dials of pairs or columns stand, scrolled where they don't all fit."""
    if encoding.pairs is None:
        return column_grid(width, height, encoding)
    count, narrowest = encoding.pairs.count, narrowest_cell(encoding.pairs)
    if isinstance(encoding, RotaryFactors):
        return replace(dial_grid(width, height, count, narrowest, least=_LEAST_TURNED), padding=_TURNED_PADDING)
    return dial_grid(width, height, count, narrowest)


def whole_height(state: State, width: float) -> float | None:
    """The least height at which every small dial finds room; None where they stand beside others or are very many."""
    encoding = state.encoding
    if not shows_each(state) or code_shown(state) is not None or n_dials(encoding) > _MOST_AT_ONCE:
        return None
    grid = own_grid(encoding, width, 1.0)
    return grid.rows * (grid.cell_width + grid.caption)


def _layout(state: State, width: float, height: float, *, is_paper: bool) -> ClockLayout:
    encoding, code, area = state.encoding, code_shown(state), Area(0.0, 0.0, width, height)
    beside: tuple[Dials, ...] = ()
    if code is not None:
        room = clock_room(width, height, code, is_paper=is_paper)
        area, beside = room.face, (_placed(room.grid, room.dials, code.d_model, code),)
    if not shows_each(state):
        dial = dial_in(area.width, area.height)
        return ClockLayout(replace(dial, x=area.x + dial.x, y=area.y + dial.y), beside)
    grid = own_grid(encoding, area.width, area.height)
    if is_paper and encoding.pairs is None and grid.height > area.height + 0.5:
        grid = whole_grid(area.width, area.height, encoding) or grid
    return ClockLayout(None, (_placed(grid, area, n_dials(encoding)), *beside))


def _placed(grid: DialGrid, area: Area, count: int, code: Encoding | None = None) -> Dials:
    """The dials whose rows find room in an area, one row at least."""
    n_rows = max(int((area.height + 0.5) // grid.cell_height), 1)
    return Dials(replace(grid, left=area.x, top=area.y), range(min(n_rows * grid.columns, count)), code)


@record
class ClockRoom:
    """Where face and dials stand; the dials are scrolled where the grid is taller than their room."""

    face: Area
    dials: Area
    grid: BesideGrid

    @property
    def face_radius(self) -> float:
        """The radius of the dial with the hands."""
        return dial_in(self.face.width, self.face.height).radius

    @property
    def score(self) -> float:
        """Large hands and large dials."""
        return self.face_radius + self.grid.cell_height


def clock_room(width: float, height: float, code: Encoding, *, is_paper: bool = False) -> ClockRoom:
    """The best arrangement: all dials with full captions, or those that flip within N, then with shorter captions.

    A scroll bar stands where there are more dials than can be seen. On paper nothing is scrolled, and all dials with
    short captions come before some with full ones. The same size and code give the same rooms, whatever t.
    """
    return _clock_room(width, height, cast("Hashable", code), is_paper)


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
def _clock_room(width: float, height: float, code: Encoding, is_paper: bool) -> ClockRoom:
    bar = 0.0 if is_paper else _BAR
    count, flipping = min(code.d_model, _MOST_AT_ONCE), n_flipping(code)
    captions_of_all = [*Captions] if is_paper else [Captions.FULL]
    wanted = [*((count, captions) for captions in captions_of_all), *((flipping, captions) for captions in Captions)]
    alone = dial_in(width, height).radius
    least = min(max(_LEAST_SHARE * alone, _LEAST_RADIUS), alone)
    for seen, captions in wanted:
        rooms = _arrangements(width, height, code, seen, captions, bar)
        # No bit is larger than half the face.
        fair = (room for room in rooms if room.face_radius >= max(least, room.grid.cell_height))
        best = max(fair, key=_score, default=None)
        if best is not None:
            return best
    return _scrolled(width, height, code, bar, least)


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
            if dials + _GAP < width:
                yield _side_by_side(width, height, _grid(code, columns, row, beside, captions), dials, rows * row)
        widest = min((width - used_bar) / columns - beside, TALLEST_ROW)
        for row in _row_heights(captions.least_row, widest):
            if rows * row + _GAP < height:
                grid = _grid(code, columns, row, beside, captions)
                yield _stacked(width, height, grid, columns * (row + beside) + used_bar, rows * row)


def _row_heights(least: float, most: float) -> list[float]:
    return [] if most < least else np.linspace(least, most, _ROW_HEIGHTS).tolist()


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
    room = max(width - dials - _GAP, 0.0)
    # Where the height limits the face, both stand in the middle.
    face = min(room, max(height - 2 * MARGIN_DOWN, 0.0) + 2 * MARGIN_ACROSS)
    left = (width - face - _GAP - dials) / 2
    place = Area(left + face + _GAP, (height - tall) / 2, dials, tall)
    return ClockRoom(Area(left, 0.0, face, height), place, grid)


def _stacked(width: float, height: float, grid: BesideGrid, dials: float, tall: float) -> ClockRoom:
    room = height - tall - _GAP
    face = min(room, max(width - 2 * MARGIN_ACROSS, 0.0) + 2 * MARGIN_DOWN)
    top = (height - face - _GAP - tall) / 2
    return ClockRoom(Area(0.0, top, width, face), Area((width - dials) / 2, top + face + _GAP, dials, tall), grid)


def shown_hands(state: State) -> tuple[Encoding, Cursor]:
    """The encoding whose hands or columns stand on the clock, with RoPE what turns queries and keys, and its cursor."""
    shown = turning_state(state)
    return shown.encoding, shown.cursor


def shows_vectors(state: State) -> bool:
    """Whether each pair of a query and a key has a dial."""
    return turns_vectors(state) and shows_each(turning_state(state)) and state.encoding.d_model <= MAX_HEAD
