"""Compare: encodings of the same sizes side by side, each with its table, and measured or less the chosen one."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Final

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.differences import (
    DIFFERENT,
    OTHER_BASE,
    REORDERED,
    SAME,
    TURNED,
    Difference,
    DifferenceField,
    difference,
)
from pe_desktop.core.presets import COMPARISONS, Compared, common_sizes
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import (
    GROW,
    Block,
    Column,
    Drawn,
    Fits,
    Grid,
    Ground,
    Layers,
    Named,
    Rule,
    Space,
    Words,
    page_scene,
)
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, plain_formula
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.compare.measured import (
    GAP,
    HEADER_HEIGHT,
    MEASURED,
    NAME_WIDTH,
    RANK,
    Cells,
    Columns,
    Line,
    cells_left,
    head,
    in_middle,
    lines_of,
    narrowest_width,
    rows_of,
    table_width,
)
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import PagedView, ScenePage

_TITLES: Final = {
    "overview": "One of each idea",
    "conventions": "What libraries compute",
    "ablations": "What breaks the encoding",
    "naive": "What people try first",
    "lengths": "The same step in two lengths",
}
# Rows share the height that there is, between these: two lines of cells in each.
_ROW_HEIGHTS: Final = (84.0, 100.0)
# How far a cell ends before the next one, and a table before the edges of its row.
_INSET, _MARGIN = 4.0, 9.0
_FORMULA_SIZES: Final = (14, 13, 12)
_RELATIONS: Final = {
    SAME: "The table of {reference}.",
    OTHER_BASE: "{reference} with the base {base}, hand by hand{off}.",
    REORDERED: "The same columns in another order, so all dot products are the same.",
    TURNED: "Other vectors with the same dot products.",
    DIFFERENT: "Another encoding: its dot products differ, too.",
}
_difference: Final = lru_cache(maxsize=64)(difference)


def _question(encoding: Encoding, chosen: Encoding) -> Question:
    return Question("difference", _difference, (encoding, chosen), RANK, "Comparing", takes="nothing")


def _difference_table(encoding: Encoding, reference: Encoding, size: tuple[int, int], colors: bytes) -> QImage | None:
    """Row - reference, full colours where the difference is largest; None where their widths differ."""
    largest = _difference(encoding, reference).largest
    if largest is None:
        return None
    less = DifferenceField(encoding, reference, largest or 1.0)
    n_rows, n_columns = less.shape
    return HeatMap().image(less, View(0.0, float(n_rows), 0.0, float(n_columns)), size, color_table(colors))


def _cells(line: Line, one: Difference | None) -> Cells:
    """The cells of a row, and what makes the difference; what is not known yet shows three dots."""
    if one is None:
        dots = in_middle(Words("…", "caption", "text3"))
        return Cells((dots,) * len(_DIFFERENCE.heads), "", f"{line.row.title}: not compared yet")
    value = _relation(line, one)
    tooltip = f"{line.row.title} − {line.reference}\n{_all_known(one, value)}"
    return Cells(tuple(map(in_middle, _cells_of(one, value))), value, tooltip)


def _cells_of(one: Difference, value: str) -> list[Block]:
    numbers = (
        ("other width" if one.largest is None else short(one.largest, 4), _where(one)),
        ("–" if one.paired is None else short(one.paired, 4), ""),
        (short(one.products, 4), ""),
    )
    texts = (Column((Words(number, "segment"), Words(note, "tick", "text3"))) for number, note in numbers)
    return [*texts, Words(value, "caption", "text2", is_paragraph=True)]


def _relation(line: Line, one: Difference) -> str:
    """What makes the difference, where one sentence says it."""
    if line.is_chosen:
        return "The chosen encoding, with which the others are compared."
    base, off = short(one.base or 0.0, 9), f", but for rounding: {short(one.off, 2)}" if one.off else ""
    return _RELATIONS[one.relation].format(reference=line.reference, base=base, off=off)


def _all_known(one: Difference, value: str) -> str:
    """All that is known of a row, with all digits and what was compared."""
    at = f" at {_where(one)}" if one.largest else ""
    lines = (
        "" if one.largest is None else f"Largest difference: {one.largest!r}{at}",
        "" if one.paired is None else f"Hand by hand: {one.paired!r}",
        f"Dot products: {one.products!r}",
        "" if one.base is None else f"Base: {one.base!r}",
        value,
        f"Compared: {whole(one.n_positions)} of {whole(one.n_all)} positions, dot products at {whole(one.n_products)}.",
    )
    return "\n".join(filter(None, lines))


def _copied(line: Line, one: Difference | None) -> list[str]:
    if one is None:
        return []
    place_of = (None, None) if one.largest is None else (one.position, one.dimension)
    return [*map(copied, (one.largest, *place_of, one.paired, one.products, one.base)), _relation(line, one)]


def _where(one: Difference) -> str:
    return "" if not one.largest else f"t = {whole(one.position)}, dimension {whole(one.dimension)}"


_DIFFERENCE: Final = Columns(
    "Each row is an encoding less the chosen one: a map of the difference where there is room, positions across and "
    "dimensions down, full colours where it is largest; the largest difference of two values, of values hand by hand, "
    "and of dot products.",
    "this row less the chosen one",
    (
        head("Largest difference", "of two values, and where"),
        head("Hand by hand", "the same, sines with sines"),
        head("Dot products", "their largest difference"),
        head("What it is", "measured at the same positions"),
    ),
    _question,
    _cells,
    ("largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is"),
    _copied,
    _difference_table,
    (0.21, 0.21, 0.19, 0.39),
    is_of_two=True,
)
_SHOWN: Final[Mapping[str, Columns]] = {"measurements": MEASURED, "difference": _DIFFERENCE}


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
    return _SHOWN[state.views.compare.shows]


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
        row, cells, image = line.row, page.cells(line, answer), next(images, None)
        picture = ((table, Space(0.0) if image is None else _Table(image)), (GAP, Space(0.0))) if table else ()
        named = Named(
            f"cells {line.number}", _side_by_side(page, box.width, cells.blocks), "", line.sets, cells.tooltip
        )
        columns = ((GAP / 2, tall), *picture, (NAME_WIDTH, in_middle(_name(row))), (GROW, named))
        widths, in_row = zip(*columns, strict=True)
        inner: Block = Grid(widths, (in_row,), gap=0.0)
        if line.is_chosen:
            inner = Layers((Ground(), inner))
        elif blocks and not blocks[-1].is_chosen:
            inner = Column((Rule(0.0), inner))
        name = f"row {line.number}: {row.title}"
        blocks.append(Named(name, inner, cells.value, line.sets, _definition(row), line.is_chosen))
    return Column(tuple(blocks))


def _definition(row: Compared) -> str:
    sentence = () if row.preset is None else (row.preset.sentence,)
    return "\n".join((row.title, *map(plain_formula, row.formulas), *sentence))


def _side_by_side(page: Columns, width: float, blocks: Sequence[Block]) -> Block:
    widths = page.widths(width - cells_left(width) - GAP / 2)
    insets = (Grid((wide - _INSET,), ((block,),)) for wide, block in zip(widths, blocks, strict=True))
    return Grid(tuple(widths), (tuple(insets),), gap=0.0)


def _name(row: Compared) -> Block:
    """The title and the lines of the definition, each in the largest type that has room, none too small to read."""
    lines = (
        [Drawn(_formula, (line, size), 19.0, formula_runs(line, size)[1]) for size in _FORMULA_SIZES]
        for line in row.formulas
    )
    sized = (Fits((*line, Space(0.0))) for line in lines)
    return Grid((NAME_WIDTH - 10.0,), ((Column((Words(row.title, "strong"), *sized)),),))


def _formula(area: Area, theme: Theme, line: str, size: int) -> marks.Picture:
    return (marks.FormulaText(area.x, area.middle[1], line, size, theme.text2),)


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
    if _shown(state) is _DIFFERENCE:
        return f"{title}, each less {lines_of(state)[0].reference}"
    return f"{title}, {_sizes_text(common_sizes(rows_of(state)))}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {_sizes_text(own)}"
    is_difference = _shown(state) is _DIFFERENCE
    what = f"each less {lines_of(state)[0].reference}" if is_difference else "the same ten measurements for each"
    of = "two lengths" if state.views.compare.list == "lengths" else f"{_sizes_text(sizes)}{but}"
    return f"{what}, {of}", what, "differences" if is_difference else "ten measurements"


VIEW = PagedView(
    "compare.shows",
    {
        name: ScenePage(_scene, _sentence, columns.explanation, columns.readout, columns.questions, _height)
        for name, columns in _SHOWN.items()
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
