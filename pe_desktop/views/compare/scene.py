"""Compare: encodings of the same sizes side by side, each with its table, and measured or less the chosen one."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Final

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.differences import (
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
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Grid, Ground, Layers, Named, Rule, Space, Words, page_scene
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
    cells_left,
    chosen_row,
    head,
    in_middle,
    narrowest_width,
    presses_of,
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
    REORDERED: "The same columns in another order, so all dot products are the same.",
    TURNED: "Other vectors with the same dot products.",
}


_difference: Final = lru_cache(maxsize=64)(difference)


def _difference_questions(state: State) -> tuple[Question, ...]:
    arguments = ((row.encoding, state.encoding) for row in rows_of(state))
    return tuple(Question("difference", _difference, pair, RANK, "Comparing", takes="nothing") for pair in arguments)


def _difference_table(encoding: Encoding, reference: Encoding, size: tuple[int, int], colors: bytes) -> QImage | None:
    """Row - reference, full colours where the difference is largest; None where their widths differ."""
    largest = _difference(encoding, reference).largest
    if largest is None:
        return None
    less = DifferenceField(encoding, reference, largest or 1.0)
    n_rows, n_columns = less.shape
    return HeatMap().image(less, View(0.0, float(n_rows), 0.0, float(n_columns)), size, color_table(colors))


def _differences(state: State, answers: Answers) -> Iterator[tuple[Compared, Difference | None, str]]:
    """Each row, its difference as far as it is known, and what makes it."""
    chosen, reference = chosen_row(state), _reference_title(state)
    for place, (row, question) in enumerate(zip(rows_of(state), _difference_questions(state), strict=True)):
        one: Difference | None = answers.answer(question)
        yield row, one, "" if one is None else _relation(one, reference, is_reference=place == chosen)


def _reference_title(state: State) -> str:
    """The name of the encoding that all others are compared with."""
    row = chosen_row(state)
    return state.encoding.title if row is None else rows_of(state)[row].title


def _cells(state: State, answers: Answers) -> list[Cells]:
    """The cells of each row, and what makes the difference; what is not known yet shows three dots."""
    rows, reference = [], _reference_title(state)
    for row, one, value in _differences(state, answers):
        if one is None:
            dots = in_middle(Words("…", "caption", "text3"))
            rows.append(Cells((dots,) * len(_DIFFERENCE.heads), "", f"{row.title}: not compared yet"))
            continue
        tooltip = f"{row.title} − {reference}\n{_all_known(one, value)}"
        rows.append(Cells(tuple(map(in_middle, _cells_of(one, value))), value, tooltip))
    return rows


def _cells_of(one: Difference, value: str) -> list[Block]:
    numbers = (
        ("other width" if one.largest is None else short(one.largest, 4), _where(one)),
        ("–" if one.paired is None else short(one.paired, 4), ""),
        (short(one.products, 4), ""),
    )
    texts = (Column((Words(number, "segment"), Words(note, "tick", "text3"))) for number, note in numbers)
    return [*texts, Words(value, "caption", "text2", is_paragraph=True)]


def _relation(one: Difference, reference: str, *, is_reference: bool) -> str:
    """What makes the difference, where one sentence says it."""
    if is_reference:
        return "The chosen encoding, with which the others are compared."
    if one.relation == SAME:
        return f"The table of {reference}."
    if one.relation == OTHER_BASE and one.base is not None and one.off is not None:
        off = "" if one.off == 0 else f", but for rounding: {short(one.off, 2)}"
        return f"{reference} with the base {short(one.base, 9)}, hand by hand{off}."
    return _RELATIONS.get(one.relation, "Another encoding: its dot products differ, too.")


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


def _readout(state: State, answers: Answers) -> str:
    heads = "Encoding", "largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is"
    lines = ["\t".join(heads)]
    for row, one, value in _differences(state, answers):
        if one is None:
            lines.append(row.title)
            continue
        place_of = (None, None) if one.largest is None else (one.position, one.dimension)
        numbers = [one.largest, *place_of, one.paired, one.products, one.base]
        lines.append("\t".join((row.title, *map(copied, numbers), value)))
    return "\n".join(lines)


def _where(one: Difference) -> str:
    return "" if not one.largest else f"t = {whole(one.position)}, dimension {whole(one.dimension)}"


_DIFFERENCE: Final = Columns(
    "Each row is an encoding less the chosen one: a map of the difference where there is room, positions across and "
    "dimensions down, full colours where it is largest; the largest difference of two values, of values hand by hand, "
    "and of dot products.",
    "this row less the chosen one",
    _difference_questions,
    (
        head("Largest difference", "of two values, and where"),
        head("Hand by hand", "the same, sines with sines"),
        head("Dot products", "their largest difference"),
        head("What it is", "measured at the same positions"),
    ),
    _cells,
    _readout,
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


def rows_scene(state: State, answers: Answers, box: Box) -> Scene:
    """The rows alone."""
    return page_scene(_rows(state, answers, box), box, is_wide=True)


def header_scene(state: State, box: Box, width: float) -> Scene:
    """The names of the columns as they stand over rows of a width."""
    return page_scene(_header(state, width), box, is_wide=True)


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


def _header(state: State, width: float) -> Block:
    """The name of the first column, with a note under it where tables are drawn, and the names of the others."""
    page, left = _shown(state), cells_left(width)
    note = Words(page.note if table_width(width) else "", "tick", "text3")
    # They stand over both, tables and names.
    name, names = Column((Words("Encoding", "strong"), note)), _side_by_side(page, width, page.heads)
    columns = (GAP / 2, left - GAP / 2, GROW)
    head = Grid(columns, ((Space(HEADER_HEIGHT - 6.0), name, names),), gap=0.0)
    return Column((Space(5.0), head, Rule(1.0)))


def _rows(state: State, answers: Answers, box: Box) -> Block:
    """Table, name, definition and cells of each row, with its value as a place; the chosen one on a darker ground."""
    page, table, chosen, blocks = _shown(state), table_width(box.width), chosen_row(state), list[Block]()
    rows, tall = rows_of(state), Space(_row_height(state, box.height))
    images = tuple(map(answers.answer, table_questions(state, box))) or (None,) * len(rows)
    parts = zip(rows, images, page.cells(state, answers), presses_of(state), strict=True)
    for number, (row, image, cells, sets) in enumerate(parts, 1):
        picture = ((table, Space(0.0) if image is None else _Table(image)), (GAP, Space(0.0))) if table else ()
        named = Named(f"cells {number}", _side_by_side(page, box.width, cells.blocks), "", sets, cells.tooltip)
        columns = ((GAP / 2, tall), *picture, (NAME_WIDTH, in_middle(_name(row))), (GROW, named))
        widths, in_row = zip(*columns, strict=True)
        inner: Block = Grid(widths, (in_row,), gap=0.0)
        is_chosen = number - 1 == chosen
        if is_chosen:
            inner = Layers((Ground(), inner))
        elif number > 1 and number - 2 != chosen:
            inner = Column((Rule(0.0), inner))
        name = f"row {number}: {row.title}"
        blocks.append(Named(name, inner, cells.value, sets, _definition(row), is_chosen))
    return Column(tuple(blocks))


def _definition(row: Compared) -> str:
    sentence = () if row.preset is None else (row.preset.sentence,)
    return "\n".join((row.title, *map(plain_formula, row.formulas), *sentence))


def _side_by_side(page: Columns, width: float, blocks: Sequence[Block]) -> Block:
    widths = page.widths(width - cells_left(width) - GAP / 2)
    insets = (Grid((wide - _INSET,), ((block,),)) for wide, block in zip(widths, blocks, strict=True))
    return Grid(tuple(widths), (tuple(insets),), gap=0.0)


def _name(row: Compared) -> Block:
    """The title and as many lines of the definition as have room."""
    room = NAME_WIDTH - 10.0
    sized = [(line, size) for line in row.formulas if (size := _fitting_pixels(line, room))]
    formulas = (Drawn(_formula, one, 19.0) for one in sized)
    return Grid((room,), ((Column((Words(row.title, "strong"), *formulas)),),))


def _formula(area: Area, theme: Theme, line: str, size: int) -> marks.Picture:
    return (marks.FormulaText(area.x, area.middle[1], line, size, theme.text2),)


def _fitting_pixels(line: str, room: float) -> int:
    """The largest size of type in which a formula has room, 0 where it would be too small to read."""
    return next((size for size in _FORMULA_SIZES if formula_runs(line, size)[1] <= room), 0)


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    """The names of the columns over the rows."""
    rows = _rows(state, answers, replace(box, height=box.height - HEADER_HEIGHT))
    return page_scene(Column((_header(state, box.width), rows)), box, is_wide=True)


def _height(state: State, _answers: Answers, width: float, _theme: Theme) -> float:
    return math.inf if width < narrowest_width() else HEADER_HEIGHT + rows_height(state, 0.0)


def _sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))


def _sentence(state: State, _answers: Answers) -> str:
    title = _TITLES[state.views.compare.list]
    if _shown(state) is _DIFFERENCE:
        return f"{title}, each less {_reference_title(state)}"
    return f"{title}, {_sizes_text(common_sizes(rows_of(state)))}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {_sizes_text(own)}"
    is_difference = _shown(state) is _DIFFERENCE
    what = f"each less {_reference_title(state)}" if is_difference else "the same ten measurements for each"
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
