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
from pe_desktop.core.scores.attention import MAX_HEAD
from pe_desktop.core.scores.rotary import RotaryFactors, turning_state, turns_vectors
from pe_desktop.core.state import State
from pe_desktop.draw.dial import MARGIN_ACROSS, MARGIN_DOWN, Dial, dial_in
from pe_desktop.draw.scene import Area
from pe_desktop.views.clock.dials import (
    Captions,
    DialGrid,
    Dials,
    beside_grid,
    beside_width,
    column_grid,
    n_dials,
    pair_grid,
)

_GAP: Final = 10.0
# A face that stood alone would be larger; below this share of it, or too small for badges, captions become shorter and
# the dials scroll.
_LEAST_SHARE, _LEAST_RADIUS = 0.5, 60.0
# So many heights of a row are tried between the least and the greatest one.
_ROW_HEIGHTS, _TALLEST_ROW = 6, 84.0
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


def shown_hands(state: State) -> tuple[Encoding, Cursor]:
    """The encoding whose hands or columns stand on the clock, with RoPE what turns queries and keys, and its cursor."""
    turning = turning_state(state)
    return turning.encoding, turning.cursor


def shows_vectors(state: State) -> bool:
    """Whether each pair of a query and a key has a dial."""
    return turns_vectors(state) and shows_each(turning_state(state)) and state.encoding.d_model <= MAX_HEAD


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
        return column_grid(encoding, width, height)
    if isinstance(encoding, RotaryFactors):
        return replace(pair_grid(encoding.pairs, width, height, _LEAST_TURNED), padding=_TURNED_PADDING)
    return pair_grid(encoding.pairs, width, height)


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
        grid = _whole_grid(area.width, area.height, encoding) or grid
    return ClockLayout(None, (_placed(grid, area, n_dials(encoding)), *beside))


def _placed(grid: DialGrid, area: Area, count: int, code: Encoding | None = None) -> Dials:
    """The dials whose rows find room in an area, one row at least."""
    n_rows = max(int((area.height + 0.5) // grid.cell_height), 1)
    return Dials(replace(grid, left=area.x, top=area.y), range(min(n_rows * grid.columns, count)), code)


def _whole_grid(width: float, height: float, encoding: Encoding) -> DialGrid | None:
    """The largest dials of all columns that find room with captions beside them; None where they don't."""
    for captions in Captions if encoding.bits is not None else (Captions.FULL,):
        beside, grids = beside_width(encoding, captions), []
        for columns in range(1, int(width // (captions.least_row + beside)) + 1):
            row = min(height / math.ceil(encoding.d_model / columns), width / columns - beside, _TALLEST_ROW)
            if row >= captions.least_row:
                grid = beside_grid(encoding, columns, row, beside, captions)
                grids.append(replace(grid, cell_width=width / columns))
        if grids:
            return max(grids, key=lambda grid: grid.cell_height)
    return None


@record
class _Room:
    """Where face and dials stand; the dials are scrolled where the grid is taller than their room."""

    face: Area
    dials: Area
    grid: DialGrid

    @property
    def radius(self) -> float:
        """That of the dial with the hands."""
        return dial_in(self.face.width, self.face.height).radius


def clock_room(width: float, height: float, code: Encoding, *, is_paper: bool = False) -> _Room:
    """The best arrangement: all dials with full captions, or those that flip within N, then with shorter captions.

    A scroll bar stands where there are more dials than can be seen. On paper nothing is scrolled, and all dials with
    short captions come before some with full ones. The same size and code give the same rooms, whatever t.
    """
    return _clock_room(width, height, cast("Hashable", code), is_paper)


@lru_cache(maxsize=8)
def _clock_room(width: float, height: float, code: Encoding, is_paper: bool) -> _Room:
    bar = 0.0 if is_paper else _BAR
    count, flipping = min(code.d_model, _MOST_AT_ONCE), n_flipping(code)
    captions_of_all = [*Captions] if is_paper else [Captions.FULL]
    wanted = [*((count, captions) for captions in captions_of_all), *((flipping, captions) for captions in Captions)]
    alone = dial_in(width, height).radius
    least = min(max(_LEAST_SHARE * alone, _LEAST_RADIUS), alone)
    for visible, captions in wanted:
        rooms = _rooms(width, height, code, visible, captions, bar)
        # No bit is larger than half the face.
        fair = (room for room in rooms if room.radius >= max(least, room.grid.cell_height))
        # Large hands and large dials.
        best = max(fair, key=lambda room: room.radius + room.grid.cell_height, default=None)
        if best is not None:
            return best
    return _scrolled(width, height, code, bar, least)


def _rooms(
    width: float, height: float, code: Encoding, visible: int, captions: Captions, bar: float
) -> Iterator[_Room]:
    """Every number of columns beside the face and below it, with rows from the least height to the greatest."""
    least, beside = captions.least_row, beside_width(code, captions)
    for columns in range(1, int(width // (least + beside)) + 1):
        rows, used_bar = math.ceil(visible / columns), bar if visible < code.d_model else 0.0
        for is_below, most in ((False, height / rows), (True, (width - used_bar) / columns - beside)):
            tallest = min(most, _TALLEST_ROW)
            for row in np.linspace(least, tallest, _ROW_HEIGHTS).tolist() if tallest >= least else ():
                wide, tall = columns * (row + beside) + used_bar, rows * row
                if (height - tall if is_below else width - wide) > _GAP:
                    grid = beside_grid(code, columns, row, beside, captions)
                    yield (_stacked if is_below else _side_by_side)(width, height, grid, wide, tall)


def _scrolled(width: float, height: float, code: Encoding, bar: float, least: float) -> _Room:
    """As many columns of short captions as leave the face its share, at least one, and as many rows as are seen."""
    captions = Captions.TERSE
    beside, rows = beside_width(code, captions), max(int(height // captions.least_row), 1)
    row = min(height / rows, _TALLEST_ROW)
    rooms = []
    for columns in range(1, max(int(width // (row + beside)), 1) + 1):
        grid = beside_grid(code, columns, row, beside, captions)
        rooms.append(_side_by_side(width, height, grid, columns * (row + beside) + bar, rows * row))
    return next((room for room in reversed(rooms) if room.radius >= least), rooms[0])


def _side_by_side(width: float, height: float, grid: DialGrid, wide: float, tall: float) -> _Room:
    # Where the height limits the face, both stand in the middle.
    face = min(max(width - wide - _GAP, 0.0), max(height - 2 * MARGIN_DOWN, 0.0) + 2 * MARGIN_ACROSS)
    left = (width - face - _GAP - wide) / 2
    return _Room(Area(left, 0.0, face, height), Area(left + face + _GAP, (height - tall) / 2, wide, tall), grid)


def _stacked(width: float, height: float, grid: DialGrid, wide: float, tall: float) -> _Room:
    face = min(height - tall - _GAP, max(width - 2 * MARGIN_ACROSS, 0.0) + 2 * MARGIN_DOWN)
    top = (height - face - _GAP - tall) / 2
    return _Room(Area(0.0, top, width, face), Area((width - wide) / 2, top + face + _GAP, wide, tall), grid)
