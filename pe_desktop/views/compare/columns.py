"""The rows of Compare: encodings of one list, each with its table and its name before the cells of a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Final, TypeAlias

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.number_text import NO_BREAK
from pe_desktop.core.presets import COMPARISONS, PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import kept, record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import (
    GROW,
    Block,
    Column,
    Drawn,
    Fits,
    Formula,
    Grid,
    Ground,
    Layers,
    Live,
    Named,
    Space,
    Words,
)
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import plain_formula
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question, Questions

# Rows and tables wait for what the other panels measure.
RANK: Final = 2
_HEADER, GAP, _TABLE = 92.0, 16.0, 32.0
# Where less of the page is seen, the names of the columns stand on a line over the rows that are scrolled.
_LOW, _LOW_HEADER = 320.0, 26.0
# The names, and with the least room for the cells of a page, without tables.
_NAMES, NARROWEST = 224.0, 752.0
# Narrower pictures are in the form for a column of print, which needs so much: signs or three numbers beside titles.
COMPACT_BELOW, COMPACT, _COMPACT_NAMES = 576.0, 346.0, 98.0
# A pixel for each of 128 positions, or half as many where there is less room.
_TABLE_WIDTHS: Final = (128.0, 64.0)
# Between two cells.
INSET: Final = 4.0
_FORMULA_SIZES: Final = (14, 13, 12)
GLUE: Final = Space(0.0, grows=True)


@record
class Line:
    """A row of the list: its encoding, and what the window's own, with which all are compared, is called.

    number: from 1 on, 0 for the window's own where it is none of the list.
    """

    number: int
    is_chosen: bool
    reference: str
    row: Compared = field(hash=False)

    @cached_property
    def sets(self) -> dict[str, Any]:
        """What using its encoding sets: its preset, nothing of the chosen one."""
        return {} if self.row.preset is None or self.is_chosen else {"preset": self.row.preset.id}

    @cached_property
    def definition(self) -> str:
        preset = self.row.preset
        sentence = () if preset is None else (preset.sentence,)
        return "\n".join((self.row.title, *map(plain_formula, self.row.formulas), *sentence))

    def place(self, value: str, sets: dict[str, Any], tooltip: str) -> Named:
        """The place of its row: a line above, under the chosen one a ground."""
        ground = Drawn(_ground, (self.is_chosen,), 0.0, grows=True)
        return Named(f"row {self.number}: {self.row.title}", ground, value, sets, tooltip, self.is_chosen)

    @cached_property
    def name(self) -> Block:
        """The title and the first line of the definition, in the largest type that has room; else it is left out."""
        sized = [Formula(line, size, "text2") for line in self.row.formulas[:1] for size in _FORMULA_SIZES]
        return in_middle(Column((Words(self.row.title, "strong"), Fits((*sized, Space(0.0))))))

    @cached_property
    def title(self) -> Block:
        """The title alone, in lines, none of which ends within a formula."""
        return in_middle(flow.paragraph(self.row.title.replace(" + ", f"{NO_BREAK}+{NO_BREAK}"), "flag", "text"))


# A row as a page shows it: its height, its place, its cells.
Shown: TypeAlias = tuple[float, Named, tuple[Block, ...]]
# Each row, and what is known of it, if anything is asked.
Known: TypeAlias = Sequence[tuple[Line, Any]]


def lines_of(state: State) -> tuple[Line, ...]:
    """The rows of the list, the window's own first where it is none of them; else that of its preset is chosen."""
    preset_id = None if state.preset is None else state.preset.id
    return _lines(state.sizes or Sizes(state.encoding), state.encoding, preset_id, state.views.compare.list)


@kept
def _lines(before: Sizes, encoding: Encoding, preset_id: str | None, name: str) -> tuple[Line, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    rows = comparison(before, encoding, preset, name)
    # The window's own is always among them, some conventions are equal.
    chosen = max((row for row in rows if row.encoding == encoding), key=lambda row: row.preset == preset)
    numbered = enumerate(rows, 1 - (len(rows) > len(COMPARISONS[name])))
    return tuple(Line(number, row is chosen, chosen.title, row) for number, row in numbered)


def known_of(state: State, answers: Answers, asked: Sequence[Question]) -> Known:
    return list(zip(lines_of(state), map(answers.answer, asked), strict=False))


def table_questions(state: State, box: Box, shown: Callable[..., Field | None], *others: Encoding) -> Questions:
    """The picture of what is shown of each encoding in so many pixels, given the others; none without room."""
    size = round(_table_width(box.width) * box.pixel_ratio), round(_TABLE * box.pixel_ratio)
    drawn = (size, box.theme.diverging.tobytes(), shown, *others)
    lines = lines_of(state) if size[0] else ()
    return tuple(Question("table", _picture, (line.row.encoding, *drawn), RANK, takes="nothing") for line in lines)


def _picture(encoding: Encoding, size: tuple[int, int], colors: bytes, shown: Any, *others: Encoding) -> QImage | None:
    """All positions from left to right, all dimensions from top to bottom; it may be called from any thread."""
    field = shown(encoding, size[1], *others)
    if field is None:
        return None
    n_rows, n_columns = field.shape
    return HeatMap().image(field, View(0.0, float(n_rows), 0.0, float(n_columns)), size, color_table(colors))


def _table_width(width: float) -> float:
    """How wide the table of a row is drawn in a picture of a width; 0 where there is no room."""
    return next((wide for wide in _TABLE_WIDTHS if wide <= width - NARROWEST - GAP), 0.0)


def is_compact(width: float) -> bool:
    """Whether a picture of a width is in the form for a column of print, without definitions and what is read."""
    return width < COMPACT_BELOW


def cells_left(width: float) -> float:
    """Where the cells begin in a picture of a width."""
    table = _table_width(width)
    return GAP / 2 + (_COMPACT_NAMES if is_compact(width) else _NAMES) + (table + GAP if table else 0.0)


def in_middle(*blocks: Block) -> Block:
    """Blocks with equal gaps in the height of a row."""
    return Column((GLUE, *(one for block in blocks for one in (block, GLUE))))


def _table(area: Area, theme: Theme, image: QImage | None) -> marks.Picture:
    """The picture of a table; nothing until it is known."""
    return () if image is None else (marks.Raster(*area, image),)


def is_low(box: Box) -> bool:
    """Whether so little of the page is seen that the names of its columns stay, on one line."""
    return box.visible is not None and box.visible.height < _LOW


def note(text: str, box: Box) -> Block:
    """A note over tables and names, which says what the tables show."""
    return Column((GLUE, flow.small(text if _table_width(box.width) else "Encoding", ""), Space(4.0)))


def rows_block(
    heads: Sequence[Block], rows: Mapping[Line, Shown], tables: Known, widths: Sequence[float], box: Box
) -> Block:
    """What stands over the names and over each column, over the rows, each with the picture of its table.

    Cells for which there are no widths are left out.
    """
    table, pictures = _table_width(box.width), dict(tables)
    places, count = columns_of(box.width, widths), len(widths) + 2
    top = box.visible.y if box.visible is not None and is_low(box) else None
    head = Space((_HEADER if top is None else _LOW_HEADER) - 1.0), *heads
    lines: list[tuple[Block, ...]] = [head if top is None else (head[0], *[Space(0.0)] * len(heads))]
    for line, (tall, _place, cells) in rows.items():
        name = line.title if is_compact(box.width) else line.name
        if table:
            picture = Live(Drawn(_table, (pictures.get(line),), _TABLE))
            name = flow.in_row((table, GROW), in_middle(picture), name, gap=GAP)
        lines.append((Space(tall - 1.0), name, *cells))
    named = (None, *(place for _tall, place, _cells in rows.values()))
    grid = Grid(places, tuple(line[:count] for line in lines), named, INSET, 1.0)
    if top is None:
        return grid
    pinned = Layers((Drawn(_cover, (), _LOW_HEADER), Grid(places, (head[:count],), gap=INSET)))
    below = max(grid.height(box.width) - top - _LOW_HEADER, 0.0)
    return Layers((grid, Live(Column((Space(top), pinned, Space(below))))))


def columns_of(width: float, widths: Sequence[float]) -> tuple[float, ...]:
    """What stands beside each other in a row of a picture of a width, from cells of some widths on."""
    return GAP / 2 - INSET, cells_left(width) - GAP / 2 - INSET, *widths


def _cover(area: Area, theme: Theme) -> marks.Picture:
    """What hides the rows that are scrolled below."""
    return (marks.Rectangle(*area, theme.panel),)


def _ground(area: Area, theme: Theme, is_chosen: bool) -> marks.Picture:
    line = marks.lines((area.x, area.y - 0.5, area.right, area.y - 0.5), theme.line)
    return (line, *(Ground().draw(area, theme) if is_chosen else ()))
