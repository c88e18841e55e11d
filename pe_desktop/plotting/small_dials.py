"""One small dial for every pair, with its number and its wavelength."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Pairs
from pe_desktop.plotting import marks
from pe_desktop.plotting.clock_picture import ARC_ALPHA, TURN, cursor_turns, length_shares
from pe_desktop.plotting.dial import Dial
from pe_desktop.plotting.number_text import short
from pe_desktop.plotting.theme import Theme, with_alpha
from pe_desktop.plotting.typefaces import text_width

NARROWEST_CELL = 84.0
WIDEST_CELL = 240.0
CAPTION_HEIGHT = 24.0
PADDING = 10.0
CAPTION_GAP = 6.0
# A row that is scrolled is no lower than this share of a square cell and its caption.
LEAST_ROW_SHARE = 0.8
# As a share of the dial's radius.
HAND_LENGTH = 0.86


@dataclass(frozen=True, slots=True)
class DialGrid:
    """Where the small dials stand."""

    columns: int
    rows: int
    cell_width: float
    cell_height: float
    caption: float = CAPTION_HEIGHT
    left: float = 0.0
    top: float = 0.0

    @property
    def height(self) -> float:
        """The height of all rows."""
        return self.rows * self.cell_height

    def cell(self, pair: int) -> tuple[float, float]:
        """The left upper corner of a pair's cell."""
        row, column = divmod(pair, self.columns)
        return self.left + column * self.cell_width, self.top + row * self.cell_height

    def dial(self, pair: int) -> Dial:
        """Where the dial of a pair stands in its cell."""
        left, top = self.cell(pair)
        radius = min(self.cell_width, self.cell_height - self.caption) / 2 - PADDING
        return Dial(left + self.cell_width / 2, top + PADDING + radius, radius)

    def pair_at(self, x: float, y: float, n_pairs: int) -> int | None:
        """The pair whose cell holds a point."""
        across, down = x - self.left, y - self.top
        if not 0 <= across < self.columns * self.cell_width or down < 0:
            return None
        pair = int(down // self.cell_height) * self.columns + int(across // self.cell_width)
        return pair if pair < n_pairs else None

    def pairs_between(self, top: float, bottom: float, n_pairs: int) -> range:
        """The pairs whose cells are seen between two heights."""
        first = max(int((top - self.top) // self.cell_height), 0) * self.columns
        last = (int((bottom - self.top) // self.cell_height) + 1) * self.columns
        return range(min(first, n_pairs), min(last, n_pairs))


def narrowest_cell(pairs: Pairs) -> float:
    """How wide a cell must be for its dial and for the longest caption."""
    longest = text_width("strong", str(pairs.count - 1)) + text_width("label", short(float(pairs.wavelengths.max())))
    return max(NARROWEST_CELL, longest + CAPTION_GAP + 14.0)


def dial_grid(
    width: float, height: float, n_pairs: int, narrowest: float = NARROWEST_CELL, caption: float = CAPTION_HEIGHT
) -> DialGrid:
    """The columns that make the dials largest; where they don't all fit, the narrowest cells, to be scrolled."""
    most = max(int(width // narrowest), 1)

    def dial_size(columns: int) -> float:
        return min(width / columns, height / math.ceil(n_pairs / columns) - caption)

    best = max(range(1, most + 1), key=dial_size)
    if dial_size(best) >= narrowest:
        rows = math.ceil(n_pairs / best)
        cell_height = min(height / rows, min(width / best, WIDEST_CELL) + caption)
        return DialGrid(best, rows, width / best, cell_height, caption)
    cell = width / most
    row = _whole_row(cell + caption, height)
    return DialGrid(most, math.ceil(n_pairs / most), cell, row, caption)


def _whole_row(row: float, height: float) -> float:
    """About the height of a row, so that the last one that is seen is seen whole."""
    n_rows = math.ceil(height / row)
    if height / n_rows < LEAST_ROW_SHARE * row and n_rows > 1:
        n_rows -= 1
    return height / n_rows if n_rows > 1 else row


def small_dials_picture(grid: DialGrid, pairs: Pairs, shown: range, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The dials of the pairs in `shown`, which is the part of the grid that is seen."""
    if not len(shown):
        return ()
    now, later = pairs.angles([cursor.position, cursor.position + cursor.offset], shown)
    turns = np.clip(cursor_turns(pairs, cursor), -TURN, TURN)
    shares = length_shares(pairs)
    picture: list[marks.Mark] = []
    for place, pair in enumerate(shown):
        color = theme.pair_color(pair, pairs.count)
        picture += cell_ground(grid, pair, theme) if pair == cursor.pair else ()
        angles = (float(now[place]), float(later[place]), float(turns[pair]))
        picture += _small_dial(grid, pair, angles, float(shares[pair]), color, theme)
        picture += _caption(grid, pair, float(pairs.wavelengths[pair]), theme)
    return tuple(picture)


def cell_ground(grid: DialGrid, pair: int, theme: Theme) -> tuple[marks.Mark, ...]:
    """The darker ground of the chosen one."""
    left, top = grid.cell(pair)
    return (marks.Box(left + 2, top + 1, grid.cell_width - 4, grid.cell_height - 3, fill=theme.sunken, radius=6.0),)


def _small_dial(
    grid: DialGrid, pair: int, angles: tuple[float, float, float], share: float, color: QColor, theme: Theme
) -> list[marks.Mark]:
    dial = grid.dial(pair)
    x, y, radius = dial.x, dial.y, dial.radius
    now, later, turn = angles
    hand = radius * HAND_LENGTH * share
    tip = np.array([[x + hand * math.sin(now), y - hand * math.cos(now)]])
    ghost = np.array([[x + hand * math.sin(later), y - hand * math.cos(later)]])
    return [
        marks.Rings(x, y, np.array([radius]), theme.axis),
        marks.Arc(x, y, hand, now, turn, with_alpha(color, ARC_ALPHA), 5.0),
        marks.Segments(np.column_stack(([[x, y]], tip)), color, 2.4),
        marks.Dots(ghost, 4.0, theme.panel, color, 1.8),
        marks.Dots(tip, 5.0, color),
        marks.Dots(np.array([[x, y]]), 2.2, theme.ink),
    ]


def _caption(grid: DialGrid, pair: int, wavelength: float, theme: Theme) -> tuple[marks.Mark, ...]:
    dial = grid.dial(pair)
    number, length = str(pair), short(wavelength)
    gap = CAPTION_GAP
    width = text_width("strong", number) + gap + text_width("label", length)
    x, below = dial.x, dial.y + dial.radius + 15.0
    return (
        marks.Text(x - width / 2, below, number, "strong", theme.text),
        marks.Text(x + width / 2, below, length, "label", theme.text3, across=1.0),
    )
