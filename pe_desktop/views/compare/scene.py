"""Compare: encodings of the same sizes side by side, each with its table, and measured or less the chosen one."""

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Final

from PySide6.QtGui import QImage

from pe_desktop.core.presets import COMPARISONS, common_sizes
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import GROW, Block, Column, Grid, Ground, Layers, Named, Rule, Space, Words, page_scene
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.compare.columns import MEASURED, NAME_WIDTH, RANK, SHOWN, Columns, in_middle, lines_of, rows_of
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import PagedView, ScenePage

_TITLES: Final = {
    "overview": "One of each idea",
    "conventions": "What libraries compute",
    "ablations": "What breaks the encoding",
    "naive": "What people try first",
    "lengths": "The same step in two lengths",
}
HEADER_HEIGHT: Final = 76.0
GAP: Final = 16.0
# A table narrower than this can't be read; wider, it has nothing more to show.
_TABLE_WIDTHS: Final = (48.0, 256.0)
# Rows share the height that there is, between these: two lines of cells in each.
_ROW_HEIGHTS: Final = (84.0, 100.0)
# How far a cell ends before the next one, and a table before the edges of its row.
_INSET, _MARGIN = 4.0, 9.0


def narrowest_width() -> float:
    """The least width in which nothing is cut, without tables."""
    return NAME_WIDTH + GAP + sum(MEASURED.shares())


def table_width(width: float) -> float:
    """How wide the table of a row is drawn in a picture of a width; 0 where there is no room."""
    (least, most), room = _TABLE_WIDTHS, width - narrowest_width() - GAP
    return 0.0 if room < least else min(room, most)


def cells_left(width: float) -> float:
    """Where the cells begin in a picture of a width."""
    table = table_width(width)
    return GAP / 2 + (table + GAP if table else 0.0) + NAME_WIDTH


def table_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The pictures of the tables in device pixels; none where there is no room for them."""
    tall = _row_height(state, box.height) - 2 * _MARGIN
    size = round(table_width(box.width) * box.pixel_ratio), round(tall * box.pixel_ratio)
    if 0 in size:
        return ()
    page, drawn = _shown(state), (size, box.theme.diverging.tobytes())
    chosen = (state.encoding,) if page.is_of_two else ()
    return tuple(
        Question("table", page.table, (row.encoding, *chosen, *drawn), RANK, takes="nothing") for row in rows_of(state)
    )


def rows_height(state: State, room: float) -> float:
    """The height of the rows where there is room for so much."""
    return len(rows_of(state)) * _row_height(state, room)


def _row_height(state: State, room: float) -> float:
    least, most = _ROW_HEIGHTS
    return min(max(room / max(len(rows_of(state)), 1), least), most)


def _shown(state: State) -> Columns:
    return SHOWN[state.views.compare.shows]


@record
class _Table(Block):
    """The picture of a table, as high as its row."""

    image: QImage = field(hash=False)
    grows = True

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return (marks.Raster(area.x, area.y + _MARGIN, area.width, area.height - 2 * _MARGIN, self.image),)


def header(state: State, width: float) -> Block:
    """The name of the first column, with a note under it where tables are drawn, and the names of the others."""
    page, left = _shown(state), cells_left(width)
    note = Words(page.note if table_width(width) else "", "tick", "text3")
    # They stand over both, tables and names.
    name, names = Column((Words("Encoding", "strong"), note)), _side_by_side(page, width, page.heads)
    columns = (GAP / 2, left - GAP / 2, GROW)
    head = Grid(columns, ((Space(HEADER_HEIGHT - 6.0), name, names),), gap=0.0)
    return Column((Space(5.0), head, Rule(1.0)))


def rows(state: State, answers: Answers, box: Box) -> Block:
    """Table, name, definition and cells of each row, with its value as a place; the chosen one on a darker ground."""
    page, table, blocks = _shown(state), table_width(box.width), list[Named]()
    tall, images = Space(_row_height(state, box.height)), map(answers.answer, table_questions(state, box))
    for line, answer in page.answered(state, answers):
        cells, image = page.cells(line, answer), next(images, None)
        picture = ((table, Space(0.0) if image is None else _Table(image)), (GAP, Space(0.0))) if table else ()
        named = Named(
            f"cells {line.number}", _side_by_side(page, box.width, cells.blocks), "", line.sets, cells.tooltip
        )
        columns = ((GAP / 2, tall), *picture, (NAME_WIDTH, in_middle(line.name)), (GROW, named))
        widths, in_row = zip(*columns, strict=True)
        inner: Block = Grid(widths, (in_row,), gap=0.0)
        if line.is_chosen:
            inner = Layers((Ground(), inner))
        elif blocks and not blocks[-1].is_chosen:
            inner = Column((Rule(0.0), inner))
        name = f"row {line.number}: {line.row.title}"
        blocks.append(Named(name, inner, cells.value, line.sets, line.definition, line.is_chosen))
    return Column(tuple(blocks))


def _side_by_side(page: Columns, width: float, blocks: Sequence[Block]) -> Block:
    shares, room = page.shares(), width - cells_left(width) - GAP / 2
    widths = [share * room / sum(shares) for share in shares]
    insets = (Grid((wide - _INSET,), ((block,),)) for wide, block in zip(widths, blocks, strict=True))
    return Grid(tuple(widths), (tuple(insets),), gap=0.0)


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    """The names of the columns over the rows."""
    below = rows(state, answers, replace(box, height=box.height - HEADER_HEIGHT))
    return page_scene(Column((header(state, box.width), below)), box, is_wide=True)


def _height(state: State, _answers: Answers, width: float, _theme: Theme) -> float:
    return math.inf if width < narrowest_width() else HEADER_HEIGHT + rows_height(state, 0.0)


def _sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))


def _sentence(state: State, _answers: Answers) -> str:
    title = _TITLES[state.views.compare.list]
    if _shown(state).is_of_two:
        return f"{title}, each less {lines_of(state)[0].reference}"
    return f"{title}, {_sizes_text(common_sizes(rows_of(state)))}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {_sizes_text(own)}"
    is_difference = _shown(state).is_of_two
    what = f"each less {lines_of(state)[0].reference}" if is_difference else "the same ten measurements for each"
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
        controls=(
            Choice(
                name="compare.shows",
                label="Compare tells",
                words={"measurements": "Measured", "difference": "Difference"},
                tooltips={
                    "measurements": "Ten measurements of each encoding",
                    "difference": "Each encoding less the chosen one: values, dot products, what makes the difference",
                },
            ),
            Choice(
                name="compare.list",
                label="Compare shows",
                words={name: name.capitalize() for name in COMPARISONS},
                tooltips=_TITLES | {"lengths": "The same step at two numbers of positions: t/N and sinusoids"},
            ),
        ),
    ),
)
