"""The rows of Compare: which encodings, which of them is the window's, and what stands where in them."""

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import PROPERTIES
from pe_desktop.core.presets import PRESETS, Compared, Sizes, comparison, first_sizes
from pe_desktop.core.record import record
from pe_desktop.core.state import State, preset_of
from pe_desktop.draw import marks
from pe_desktop.draw.flow import Block, Column, Drawn, Grid, Ground, Layers, Named, Rule, Space, Words
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.views.properties.words import PROPERTY_NAMES

# Rows and tables wait for what the other panels measure.
RANK: Final = 2
# Rows share the height that there is, between these: two lines of cells in each.
_ROW_HEIGHTS: Final = (84.0, 100.0)
HEADER_HEIGHT: Final = 76.0
GAP: Final = 16.0
_NAME_WIDTH: Final = 192.0
_FORMULA_SIZES: Final = (14, 13, 12)
# A table narrower than this can't be read; wider, it has nothing more to show.
_TABLE_WIDTHS: Final = (48.0, 256.0)
# A cell holds a sign and a number of four digits, the first one a range: 1 441 of 2 048 turn; one two positions: 494
# and 511.
_CELL_WIDTH, _RANGE_WIDTH, _PAIR_WIDTH = 94.0, 132.0, 100.0
# Of the measurements half stand in the first line of a row, half in the second.
N_COLUMNS: Final = (len(PROPERTY_NAMES) + 1) // 2


@cache
def least_widths() -> tuple[float, ...]:
    """The room that each column needs for its names and its numbers; it holds a measurement in each line of a row."""
    least = {
        key: max(_CELL_WIDTH, text_width("strong", name) + 10.0, text_width("tick", PROPERTIES[key].column) + 8.0)
        for key, name in PROPERTY_NAMES.items()
    }
    least |= {"periodic": _RANGE_WIDTH, "unique": _PAIR_WIDTH, "far": max(_PAIR_WIDTH, least["far"])}
    widths = list(least.values())
    return tuple(max(widths[column::N_COLUMNS]) for column in range(N_COLUMNS))


def narrowest_width() -> float:
    """The least width in which nothing is cut, without tables."""
    return _NAME_WIDTH + GAP + sum(least_widths())


@record
class CompareLayout:
    """Where tables, names and cells stand in a picture of this width, with rows of this height."""

    width: float
    row_height: float = _ROW_HEIGHTS[0]

    @property
    def table_width(self) -> float:
        """How wide the table of a row is drawn; 0 where there is no room."""
        room = self.width - _NAME_WIDTH - 2 * GAP - sum(least_widths())
        least, most = _TABLE_WIDTHS
        return 0.0 if room < least else min(room, most)

    @property
    def cells_left(self) -> float:
        """Where the cells begin."""
        return GAP / 2 + (self.table_width + GAP if self.table_width else 0.0) + _NAME_WIDTH

    @property
    def room(self) -> float:
        """The width of all cells."""
        return self.width - self.cells_left - GAP / 2

    @property
    def progress_area(self) -> Area:
        """Where the header has room for a progress row: under the name of the first column and its note."""
        top = 38.0
        return Area(GAP / 2, top, self.cells_left - GAP, HEADER_HEIGHT - 1.0 - top)

    def row_at(self, y: float, n_rows: int) -> int | None:
        """The row at a height, None below the last."""
        place = int(y // self.row_height)
        return place if 0 <= place < n_rows else None


def row_height(n_rows: int, room: float) -> float:
    """How high so many rows are where there is room for a picture of this height."""
    least, most = _ROW_HEIGHTS
    return min(max(room / max(n_rows, 1), least), most)


def layout_in(state: State, box: Box) -> CompareLayout:
    return CompareLayout(box.width, row_height(len(rows_of(state)), box.height))


def rows_of(state: State) -> tuple[Compared, ...]:
    """The encodings of the list in the order in which they stand; the window's own first where it is none of them."""
    before, preset = state.sizes or first_sizes(state.encoding), preset_of(state)
    kept = tuple(sorted(before.kept.items()))
    preset_id = None if preset is None else preset.id
    return _rows(before.encoding, kept, before.preset_id, state.encoding, preset_id, state.views.compare.list)


@lru_cache(maxsize=4)
def _rows(
    before: Encoding,
    kept: tuple[tuple[str, int | float], ...],
    last_id: str | None,
    encoding: Encoding,
    preset_id: str | None,
    name: str,
) -> tuple[Compared, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    return comparison(Sizes(before, MappingProxyType(dict(kept)), last_id), encoding, preset, name)


def chosen_row(state: State) -> int | None:
    """The row of the window's encoding: the one of its preset, or the first of its table."""
    rows, preset = rows_of(state), preset_of(state)
    same = [place for place, row in enumerate(rows) if row.encoding == state.encoding]
    return next((place for place in same if rows[place].preset == preset), same[0] if same else None)


def sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))


@record
class _Table(Block):
    """The picture of a table."""

    image: QImage = field(hash=False)
    tall: float

    def height(self, width: float) -> float:
        return self.tall

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return (marks.Raster(*area, self.image),)


def header_block(layout: CompareLayout, note: str, widths: Sequence[float], heads: Sequence[Block]) -> Block:
    """The name of the first column with a note under it, the names of the others, and a line under all."""
    first = Column((Words("Encoding", "strong"), Words(note, "tick", "text3")))
    left, room = GAP / 2, layout.cells_left - GAP / 2
    head = Grid((left, room, *widths), ((Space(HEADER_HEIGHT - 6.0), first, *heads),), gap=0.0)
    return Column((Space(5.0), head, Rule(1.0)))


def rows_block(
    layout: CompareLayout,
    rows: Sequence[Compared],
    tables: Sequence[QImage | None],
    widths: Sequence[float],
    cells: Sequence[tuple[Sequence[Block], str]],
    chosen: int | None,
) -> Block:
    """Table, name, definition and cells of each row, with its value as a place; the chosen one on a darker ground."""
    left = (GAP / 2, *((layout.table_width, GAP) if layout.table_width else ()), _NAME_WIDTH)
    blocks = []
    for place, (row, table, (shown, value)) in enumerate(zip(rows, tables, cells, strict=True)):
        tall = Space(layout.row_height)
        picture = Space(0.0) if table is None else Column((Space(9.0), _Table(table, layout.row_height - 18.0)))
        before = (tall, picture, Space(0.0)) if layout.table_width else (tall,)
        name = in_middle(_name(row), _NAME_WIDTH, layout)
        inner: Block = Grid((*left, *widths), ((*before, name, *shown),), gap=0.0)
        if place == chosen:
            inner = Layers((Ground(), inner))
        elif place and place - 1 != chosen:
            inner = Column((Rule(0.0), inner))
        sets = {"preset": row.preset.id} if row.preset is not None and place != chosen else None
        blocks.append(Named(f"row {place + 1}: {row.title}", inner, value, sets, is_chosen=place == chosen))
    return Column(tuple(blocks))


def in_middle(block: Block, width: float, layout: CompareLayout) -> Block:
    """A block of a width in the middle of the height of a row."""
    return Column((Space((layout.row_height - block.height(width)) / 2), block))


def _name(row: Compared) -> Block:
    """The title and as many lines of the definition as have room."""
    room = _NAME_WIDTH - 10.0
    sized = [(line, size) for line in row.formulas if (size := _fitting_pixels(line, room))]
    formulas = (Drawn(_formula, one, 19.0) for one in sized)
    return Grid((room,), ((Column((Words(row.title, "strong"), *formulas)),),))


def _formula(area: Area, theme: Theme, line: str, size: int) -> marks.Picture:
    return (marks.FormulaText(area.x, area.middle[1], line, size, theme.text2),)


def _fitting_pixels(line: str, room: float) -> int:
    """The largest size of type in which a formula has room, 0 where it would be too small to read."""
    return next((size for size in _FORMULA_SIZES if formula_runs(line, size)[1] <= room), 0)


def rows_box(box: Box, top: float) -> Box:
    return replace(box, height=box.height - top)
