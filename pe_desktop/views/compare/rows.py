"""The rows of Compare: which encodings, which of them is the window's, and how a row is made of its cells."""

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cache, lru_cache
from typing import Final

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import PROPERTIES
from pe_desktop.core.presets import PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import record
from pe_desktop.core.state import State, preset_of
from pe_desktop.draw import marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Grid, Ground, Layers, Named, Rule, Space, Words
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, plain_formula, text_width
from pe_desktop.views.properties.words import PROPERTY_NAMES

# Rows and tables wait for what the other panels measure.
RANK: Final = 2
# Rows share the height that there is, between these: two lines of cells in each.
_ROW_HEIGHTS: Final = (84.0, 100.0)
HEADER_HEIGHT: Final = 76.0
GAP: Final = 16.0
# How far a cell ends before the next one, and a table before the edges of its row.
_INSET, _MARGIN = 4.0, 9.0
_NAME_WIDTH: Final = 192.0
_FORMULA_SIZES: Final = (14, 13, 12)
# A table narrower than this can't be read; wider, it has nothing more to show.
_TABLE_WIDTHS: Final = (48.0, 256.0)
# A cell holds a sign and a number of four digits, the first one a range: 1 441 of 2 048 turn; one two positions: 494
# and 511.
_CELL_WIDTH, _RANGE_WIDTH, _PAIR_WIDTH = 94.0, 132.0, 100.0
# Of the measurements half stand in the first line of a row, half in the second.
N_COLUMNS: Final = (len(PROPERTY_NAMES) + 1) // 2
_GLUE: Final = Space(0.0, grows=True)


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


def table_size(width: float, row_height: float) -> tuple[float, float]:
    """How large the table of a row is drawn in a picture of a width; 0 wide where there is no room."""
    (least, most), room = _TABLE_WIDTHS, width - narrowest_width() - GAP
    return 0.0 if room < least else min(room, most), row_height - 2 * _MARGIN


def cells_left(width: float) -> float:
    """Where the cells begin in a picture of a width."""
    table, _ = table_size(width, 0.0)
    return GAP / 2 + (table + GAP if table else 0.0) + _NAME_WIDTH


def row_height(n_rows: int, room: float) -> float:
    """How high so many rows are where there is room for a picture of this height."""
    least, most = _ROW_HEIGHTS
    return min(max(room / max(n_rows, 1), least), most)


def rows_of(state: State) -> tuple[Compared, ...]:
    """The encodings of the list in the order in which they stand; the window's own first where it is none of them."""
    preset = preset_of(state)
    preset_id = None if preset is None else preset.id
    return _rows(state.sizes or Sizes(state.encoding), state.encoding, preset_id, state.views.compare.list)


@lru_cache(maxsize=4)
def _rows(before: Sizes, encoding: Encoding, preset_id: str | None, name: str) -> tuple[Compared, ...]:
    return comparison(before, encoding, None if preset_id is None else PRESETS[preset_id], name)


def chosen_row(state: State) -> int | None:
    """The row of the window's encoding: the one of its preset, or the first of its table."""
    rows, preset = rows_of(state), preset_of(state)
    same = [place for place, row in enumerate(rows) if row.encoding == state.encoding]
    return next((place for place in same if rows[place].preset == preset), same[0] if same else None)


def sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))


def presets_of(state: State) -> list[str | None]:
    """The preset that a press on each row chooses."""
    chosen, rows = chosen_row(state), rows_of(state)
    return [None if row.preset is None or place == chosen else row.preset.id for place, row in enumerate(rows)]


def changes_of(preset: str | None) -> dict[str, str]:
    """What a press on a row sets."""
    return {} if preset is None else {"preset": preset}


@record
class Cells:
    """What a row says of its encoding: its cells, their value as text, the words over all of them."""

    blocks: tuple[Block, ...]
    value: str
    tooltip: str = ""


@record
class _Table(Block):
    """The picture of a table, as high as its row."""

    image: QImage = field(hash=False)
    grows = True

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return (marks.Raster(area.x, area.y + _MARGIN, area.width, area.height - 2 * _MARGIN, self.image),)


def header_block(width: float, note: str, shares: Sequence[float], heads: Sequence[Block]) -> Block:
    """The name of the first column, with a note under it where tables are drawn, and the names of the others."""
    note = note if table_size(width, 0.0)[0] else ""
    name = Column((Words("Encoding", "strong"), Words(note, "tick", "text3")))
    # They stand over both, tables and names.
    head = Grid(
        (GAP / 2, cells_left(width) - GAP / 2, GROW),
        ((Space(HEADER_HEIGHT - 6.0), name, _side_by_side(width, shares, heads)),),
        gap=0.0,
    )
    return Column((Space(5.0), head, Rule(1.0)))


def rows_block(
    state: State,
    width: float,
    tall: float,
    shares: Sequence[float],
    rows: Iterable[tuple[QImage | None, Cells]],
) -> Block:
    """Table, name, definition and cells of each row, with its value as a place; the chosen one on a darker ground."""
    (table, _), chosen, blocks = table_size(width, tall), chosen_row(state), list[Block]()
    changes = map(changes_of, presets_of(state))
    for place, (row, sets, (image, cells)) in enumerate(zip(rows_of(state), changes, rows, strict=True)):
        number, is_chosen = place + 1, place == chosen
        picture = ((table, Space(0.0) if image is None else _Table(image)), (GAP, Space(0.0))) if table else ()
        named = Named(f"cells {number}", _side_by_side(width, shares, cells.blocks), "", sets, cells.tooltip)
        columns = ((GAP / 2, Space(tall)), *picture, (_NAME_WIDTH, in_middle(_name(row))), (GROW, named))
        widths, parts = zip(*columns, strict=True)
        inner: Block = Grid(widths, (parts,), gap=0.0)
        if is_chosen:
            inner = Layers((Ground(), inner))
        elif place and place - 1 != chosen:
            inner = Column((Rule(0.0), inner))
        name = f"row {number}: {row.title}"
        blocks.append(Named(name, inner, cells.value, sets, _definition(row), is_chosen))
    return Column(tuple(blocks))


def _definition(row: Compared) -> str:
    sentence = () if row.preset is None else (row.preset.sentence,)
    return "\n".join((row.title, *map(plain_formula, row.formulas), *sentence))


def _side_by_side(width: float, shares: Sequence[float], blocks: Sequence[Block]) -> Block:
    room = width - cells_left(width) - GAP / 2
    insets = (Grid((share * room - _INSET,), ((block,),)) for share, block in zip(shares, blocks, strict=True))
    return Grid(tuple(share * room for share in shares), (tuple(insets),), gap=0.0)


def in_middle(*blocks: Block) -> Block:
    """Blocks with equal gaps in the height of a row."""
    return Column((_GLUE, *(one for block in blocks for one in (block, _GLUE))))


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
