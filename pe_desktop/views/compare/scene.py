"""Compare: encodings of the same sizes side by side, each with its table, and measured or less the chosen one."""

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, Final

from PySide6.QtGui import QImage

from pe_desktop.core.presets import COMPARISONS, common_sizes
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import GROW, Block, Column, Grid, Ground, Layers, Named, Rule, Space, Words
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.compare.columns import (
    DIFFERENCE,
    NAME_WIDTH,
    RANK,
    Cells,
    Columns,
    Line,
    Look,
    in_middle,
    lines_of,
    rows_of,
)
from pe_desktop.views.compare.measured import MEASURED, READING_HEIGHT, counts, in_foot, legend, look_of, reading
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import PagedView, ScenePage

_TITLES: Final = {
    "overview": "One of each idea",
    "conventions": "What libraries compute",
    "ablations": "What breaks the encoding",
    "naive": "What people try first",
    "lengths": "The same step in two lengths",
}
SHOWN: Final = {"measurements": MEASURED, "difference": DIFFERENCE}
HEADER_HEIGHT: Final = 92.0
GAP: Final = 16.0
# A pixel for each of 128 positions and 32 dimensions, or half as many where there is less room.
_TABLE_WIDTHS: Final = (128.0, 64.0)
_TABLE_HEIGHT: Final = 32.0
# Narrower pictures have signs or three numbers alone, beside names on two lines; they need so much.
_COMPACT_BELOW, _COMPACT, _COMPACT_NAME = 576.0, 346.0, 98.0
# How much higher the row with its numbers is; counts and legend below the rows.
_MORE, _FOOT, _INSET, _TALLEST = 20.0, 58.0, 4.0, 330.0


def narrowest_width() -> float:
    """The least width in which nothing is cut, without tables."""
    return GAP / 2 + NAME_WIDTH + max(page.least for page in SHOWN.values())


def is_compact(width: float) -> bool:
    """Whether a picture of a width is the form for a column of print, without definitions."""
    return width < _COMPACT_BELOW


def table_width(width: float) -> float:
    """How wide the table of a row is drawn in a picture of a width; 0 where there is no room."""
    room = width - narrowest_width() - GAP
    return next((wide for wide in _TABLE_WIDTHS if wide <= room), 0.0)


def cells_left(width: float) -> float:
    """Where the cells begin in a picture of a width."""
    table = table_width(width)
    return GAP / 2 + (table + GAP if table else 0.0) + (_COMPACT_NAME if is_compact(width) else NAME_WIDTH)


def _widths(page: Columns, width: float) -> tuple[float, ...]:
    """How wide the columns of cells are in a picture of a width."""
    return page.widths(width - cells_left(width) - GAP / 2)


def table_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The pictures of the tables in device pixels; none where there is no room for them."""
    size = round(table_width(box.width) * box.pixel_ratio), round(_TABLE_HEIGHT * box.pixel_ratio)
    if 0 in size:
        return ()
    page, drawn = _shown(state), (size, box.theme.diverging.tobytes())
    chosen = (state.encoding,) if page.is_of_two else ()
    return tuple(
        Question("table", page.table, (row.encoding, *chosen, *drawn), RANK, takes="nothing") for row in rows_of(state)
    )


def _row_height(state: State, height: float) -> float:
    """Rows share the height that there is, within their limits."""
    (least, most), n_rows = _shown(state).heights, max(len(rows_of(state)), 1)
    return min(max((height - HEADER_HEIGHT - _FOOT - _MORE) / n_rows, least), most)


def _needed(state: State, row: float) -> float:
    return HEADER_HEIGHT + len(rows_of(state)) * row + (0.0 if _shown(state).is_of_two else _FOOT + _MORE)


def _shown(state: State) -> Columns:
    return SHOWN[state.views.compare.shows]


@record
class _Table(Block):
    """The picture of a table in the middle of its row."""

    image: QImage = field(hash=False)
    grows = True

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return (marks.Raster(area.x, area.middle[1] - _TABLE_HEIGHT / 2, area.width, _TABLE_HEIGHT, self.image),)


def look_and_rows(state: State, answers: Answers, *, is_paper: bool = False) -> tuple[Look, Sequence[tuple[Line, Any]]]:
    """How the page is seen: which cell is read, and the rows in their order with the answer of each, None without."""
    page = _shown(state)
    rows = list(page.answered(state, answers))
    return (Look(), rows) if page.is_of_two else look_of(state, rows, is_paper=is_paper)


def _page(state: State, answers: Answers, box: Box) -> Block:
    """The names of the columns over the rows, how many hold below, and the reading where it has room."""
    page, tall = _shown(state), _row_height(state, box.height)
    look, rows = look_and_rows(state, answers, is_paper=box.is_paper)
    if is_compact(box.width):
        look = replace(look, row=-1, check="", has_all_numbers=False)
    elif box.pointer is not None and not page.is_of_two:
        look = _under(*box.pointer, look, rows, box, tall)
    numbers = [line.number for line in lines_of(state)]
    tables = dict(zip(numbers, map(answers.answer, table_questions(state, box)), strict=False))
    blocks: list[Block] = [_header(page, look, box.width)]
    for line, answer in rows:
        blocks += [] if len(blocks) == 1 else [Rule(1.0)]
        more = _MORE - 1.0 if line.number == look.row and not page.is_of_two else -1.0
        cells, size = page.cells(line, answer, look), (box.width, tall + more)
        blocks.append(_row(page, line, look, cells, tables.get(line.number), size))
    if page.is_of_two:
        return Column(tuple(blocks))
    counted = _beside(page, box.width, counts(rows, look))
    name = Words("encodings that hold", "tick", "text3", shorter=("hold",))
    columns = (GAP / 2, cells_left(box.width) - GAP / 2, GROW)
    signs = Grid((GAP / 2, GROW), ((Space(0.0), legend(rows)),), gap=0.0)
    blocks += [Rule(3.0), Grid(columns, ((Space(0.0), name, counted),), gap=0.0), Space(6.0), signs]
    room = box.height - _needed(state, tall)
    if not box.is_paper and room >= READING_HEIGHT:
        read = reading(rows, look, state.encoding, min(room, _TALLEST))
        blocks += [Rule(17.0), Grid((1.0, GROW, 1.0), ((Space(0.0), read, Space(0.0)),), gap=GAP / 2)]
    return Column(tuple(blocks))


def next_row(state: State, answers: Answers, step: int) -> dict[str, Any]:
    """What choosing the next row, or the one before, sets."""
    page, (look, rows) = _shown(state), look_and_rows(state, answers)
    lines = [line for line, _ in rows]
    chosen = [line.is_chosen if page.is_of_two else line.number == look.row for line in lines].index(True)
    return _sets(page, lines[min(max(chosen + step, 0), len(lines) - 1)], look)


def _sets(page: Columns, line: Line, look: Look) -> dict[str, Any]:
    """What a press on a row sets: the first reads its measurements below, the next uses its encoding."""
    is_used = page.is_of_two or (line.number == look.row and not line.is_chosen)
    return dict(line.sets) if is_used else {"compare.row": line.number}


def _under(x: float, y: float, look: Look, rows: Sequence[tuple[Line, Any]], box: Box, tall: float) -> Look:
    """The look with the cell under the pointer read; the heights of rows are those of the chosen one."""
    top, pitch = HEADER_HEIGHT, _widths(MEASURED, box.width)[0]
    column = int((x - cells_left(box.width)) // pitch)
    for line, _ in rows:
        below = top + tall + (_MORE if line.number == look.row else 0.0)
        if top <= y < below and 0 <= column < len(look.keys):
            return replace(look, read=line.number, check=look.keys[column])
        top = below
    return look


def _header(page: Columns, look: Look, width: float) -> Block:
    """A note over the tables and names, and the names of the columns."""
    short = page.note.partition(";")[0]
    note = in_foot(Words(page.note if table_width(width) else "Encoding", "tick", "text3", shorter=(short, "")))
    names = _beside(page, width, page.heads(look))
    grid = Grid((GAP / 2, cells_left(width) - GAP / 2, GROW), ((Space(HEADER_HEIGHT - 1.0), note, names),), gap=0.0)
    return Column((grid, Rule(1.0)))


def _row(page: Columns, line: Line, look: Look, cells: Cells, image: QImage | None, size: tuple[float, float]) -> Block:
    """Table, name, definition and cells, with their value as a place; the window's own on a darker ground."""
    (width, tall), sets = size, _sets(page, line, look)
    table = table_width(width)
    picture = ((table, Space(0.0) if image is None else _Table(image)), (GAP, Space(0.0))) if table else ()
    named = Named(f"cells {line.number}", _beside(page, width, cells.blocks), "", sets, cells.tooltip)
    wide, name = NAME_WIDTH, line.name
    if is_compact(width):
        wide, name = _COMPACT_NAME, Grid((_COMPACT_NAME - GAP / 2,), ((line.short_name,),))
    columns = ((GAP / 2, Space(tall)), *picture, (wide, in_middle(name)), (GROW, named))
    widths, in_row = zip(*columns, strict=True)
    inner: Block = Grid(widths, (in_row,), gap=0.0)
    inner = Layers((Ground(), inner)) if line.is_chosen else inner
    again = "" if page.is_of_two or line.is_chosen else "\nPress twice to use this encoding"
    name_of_place = f"row {line.number}: {line.row.title}"
    return Named(name_of_place, inner, cells.value, sets, line.definition + again, line.is_chosen)


def _beside(page: Columns, width: float, blocks: Sequence[Block]) -> Block:
    widths = _widths(page, width)
    # What has no room in a compact row is left out.
    insets = (Grid((wide - _INSET,), ((block,),)) for wide, block in zip(widths, blocks, strict=False))
    return Grid(widths, (tuple(insets),), gap=0.0)


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    page = _page(state, answers, box)
    # Rows share no height that is left over: where they stand follows from theirs.
    return flow.page_scene(page, box, area=Area(0.0, 0.0, box.width, flow.page_height(page, box.width, is_wide=True)))


def _height(state: State, _answers: Answers, width: float, _theme: Theme) -> float:
    has_room = width >= (_COMPACT if is_compact(width) else narrowest_width())
    return math.inf if not has_room else _needed(state, _shown(state).heights[0])


def _sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))


def _sentence(state: State, _answers: Answers) -> str:
    title = _TITLES[state.views.compare.list]
    if _shown(state).is_of_two:
        return f"{title}, each minus {lines_of(state)[0].reference}"
    return f"{title}, {_sizes_text(common_sizes(rows_of(state)))}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {_sizes_text(own)}"
    is_difference = _shown(state).is_of_two
    what = f"each minus {lines_of(state)[0].reference}" if is_difference else "the same ten measurements for each"
    of = "two lengths" if state.views.compare.list == "lengths" else f"{_sizes_text(sizes)}{but}"
    return f"{what}, {of}", what, "differences" if is_difference else "ten measurements"


VIEW = PagedView(
    "compare.shows",
    {
        name: ScenePage(_scene, _sentence, columns.explanation, columns.readout, columns.questions, _height)
        for name, columns in SHOWN.items()
    },
    _forms,
    Declared(
        page="compare.list",
        accessible_name="Comparison of encodings",
        reads_pointer=True,
        controls=(
            Choice(
                name="compare.shows",
                label="Compare tells",
                words={"measurements": "Measured", "difference": "Difference"},
                tooltips={
                    "measurements": "Ten measurements of each encoding",
                    "difference": "Each encoding minus the chosen one: values, dot products, what makes the difference",
                },
            ),
            Choice(
                name="compare.list",
                label="Compare shows",
                also={"compare.row": 0},
                words={name: name.capitalize() for name in COMPARISONS},
                tooltips=_TITLES | {"lengths": "The same step at two numbers of positions: t/N and sinusoids"},
            ),
        ),
    ),
)
