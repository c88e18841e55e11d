"""The rows of Compare and what stands beside their tables: ten measurements, or the difference from the chosen one."""

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
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
from pe_desktop.core.measure.measurement import HOLDS, HOLDS_UP_TO, PROPERTIES, UNDECIDED, Analysis, Measurement
from pe_desktop.core.presets import PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Fits, Grid, Named, Space, Words
from pe_desktop.draw.number_text import copied, short, significant, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, plain_formula, text_width
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES, deciding_number

# Rows and tables wait for what the other panels measure.
RANK: Final = 2
NAME_WIDTH: Final = 192.0
_FORMULA_SIZES: Final = (14, 13, 12)
# A cell holds a sign and a number of four digits, the first one a range: 1 441 of 2 048 turn; one two positions: 494
# and 511.
_CELL_WIDTH, _RANGE_WIDTH, _PAIR_WIDTH = 94.0, 132.0, 100.0
# Of the measurements half stand in the first line of a row, half in the second.
N_COLUMNS: Final = (len(PROPERTY_NAMES) + 1) // 2
_GLUE: Final = Space(0.0, grows=True)


@cache
def _least_widths() -> tuple[float, ...]:
    """The room that each column needs for its names and its numbers; it holds a measurement in each line of a row."""
    least = {
        key: max(_CELL_WIDTH, text_width("strong", name) + 10.0, text_width("tick", PROPERTIES[key].column) + 8.0)
        for key, name in PROPERTY_NAMES.items()
    }
    least |= {"periodic": _RANGE_WIDTH, "unique": _PAIR_WIDTH, "far": max(_PAIR_WIDTH, least["far"])}
    widths = list(least.values())
    return tuple(max(widths[column::N_COLUMNS]) for column in range(N_COLUMNS))


@record
class Line:
    """A row of the list from 1 on: its encoding, and what the chosen one, with which all are compared, is called."""

    number: int
    is_chosen: bool
    reference: str
    row: Compared = field(hash=False)

    @cached_property
    def sets(self) -> dict[str, str]:
        """What a press on it sets: its preset, nothing on the chosen one."""
        return {} if self.row.preset is None or self.is_chosen else {"preset": self.row.preset.id}

    @cached_property
    def definition(self) -> str:
        preset = self.row.preset
        sentence = () if preset is None else (preset.sentence,)
        return "\n".join((self.row.title, *map(plain_formula, self.row.formulas), *sentence))

    @cached_property
    def name(self) -> Block:
        """The title and the lines of the definition, each in the largest type that has room; others are left out."""
        lines = (tuple(_formula(line, size) for size in _FORMULA_SIZES) for line in self.row.formulas)
        sized = (Fits((*line, Space(0.0))) for line in lines)
        return Grid((NAME_WIDTH - 10.0,), ((Column((Words(self.row.title, "strong"), *sized)),),))


def _formula(line: str, size: int) -> Block:
    return Drawn(_formula_picture, (line, size), 19.0, formula_runs(line, size)[1])


def _formula_picture(area: Area, theme: Theme, line: str, size: int) -> marks.Picture:
    return (marks.FormulaText(area.x, area.middle[1], line, size, theme.text2),)


def rows_of(state: State) -> tuple[Compared, ...]:
    """The encodings of the list in the order in which they stand; the window's own first where it is none of them."""
    return tuple(line.row for line in lines_of(state))


def lines_of(state: State) -> tuple[Line, ...]:
    """The rows of the list; the chosen one is that of the window's preset, or the first of its table."""
    preset_id = None if state.preset is None else state.preset.id
    return _lines(state.sizes or Sizes(state.encoding), state.encoding, preset_id, state.views.compare.list)


@lru_cache(maxsize=4)
def _lines(before: Sizes, encoding: Encoding, preset_id: str | None, name: str) -> tuple[Line, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    rows = comparison(before, encoding, preset, name)
    same = [place for place, row in enumerate(rows) if row.encoding == encoding]
    chosen = next((place for place in same if rows[place].preset == preset), same[0] if same else None)
    reference = encoding.title if chosen is None else rows[chosen].title
    return tuple(Line(place + 1, place == chosen, reference, row) for place, row in enumerate(rows))


@record
class Cells:
    """What a row says of its encoding: its cells, their value as text, the words over all of them."""

    blocks: tuple[Block, ...]
    value: str
    tooltip: str = ""


@record(eq=False)
class Columns:
    """What stands beside the tables: the caption of the figure, the note over the tables, a question, its columns.

    heads: names of the columns and what they hold; question: of a row's encoding and the chosen one; cells, copied: of
    a row and its answer, None while it isn't known; titles: of what is copied beside the name; table: the image of an
    encoding, of two the chosen one is the second, then size in device pixels, three bytes a colour; shares: of the
    room, none for that which measurements need.
    """

    explanation: str
    note: str
    heads: tuple[Block, ...]
    question: Callable[[Encoding, Encoding], Question]
    cells: Callable[[Line, Any], Cells]
    titles: tuple[str, ...]
    copied: Callable[[Line, Any], list[str]]
    table: Callable[..., QImage | None]
    shares: Callable[[], tuple[float, ...]] = _least_widths
    is_of_two: bool = False

    def questions(self, state: State) -> tuple[Question, ...]:
        return tuple(self.question(row.encoding, state.encoding) for row in rows_of(state))

    def answered(self, state: State, answers: Answers) -> Iterator[tuple[Line, Any]]:
        """Each row, and what is known of it."""
        return zip(lines_of(state), map(answers.answer, self.questions(state)), strict=True)

    def readout(self, state: State, answers: Answers) -> str:
        lines = [(line.row.title, *self.copied(line, answer)) for line, answer in self.answered(state, answers)]
        return "\n".join("\t".join(texts) for texts in (("Encoding", *self.titles), *lines))


def in_middle(*blocks: Block) -> Block:
    """Blocks with equal gaps in the height of a row."""
    return Column((_GLUE, *(one for block in blocks for one in (block, _GLUE))))


_SIGN_WIDTH: Final = 14.0
_DIGITS: Final = 4
_KEYS: Final = tuple(tuple(PROPERTY_NAMES)[column::N_COLUMNS] for column in range(N_COLUMNS))


def _question(encoding: Encoding, _chosen: Encoding) -> Question:
    return replace(analysis_of(encoding), rank=RANK)


def _table_image(encoding: Encoding, size: tuple[int, int], colors: bytes) -> QImage:
    """All positions from left to right, all dimensions from top to bottom; it may be called from any thread.

    Dimensions at the end that are zero throughout are left out: a counter has one number, however wide its table.
    A pixel over many cells shows their mean; where it would mix sines with cosines, all sines stand over all cosines.
    """
    n_rows = float(encoding.n_filled)
    view = View(0.0, n_rows, 0.0, float(encoding.n_positions))
    field = HalvesField(encoding) if is_halved(encoding, n_rows, size[1]) else EncodingField(encoding)
    return HeatMap().image(field, view, size, color_table(colors))


def head(title: str, meaning: str) -> Block:
    """The name of a column, and what it holds."""
    return Column((Words(title, "strong"), Words(meaning, "tick", "text3", is_paragraph=True)))


# Formatted once: there are some 200 cells in a frame.
@lru_cache(maxsize=64)
def _cells(line: Line, analysis: Analysis | None) -> Cells:
    """The cells of a row, and its verdicts; what is not measured yet shows three dots."""
    measured = {} if analysis is None else {one.key: one for one in analysis.measurements}
    columns = [in_middle(*(_cell(line, key, measured.get(key)) for key in keys)) for keys in _KEYS]
    verdicts = ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in measured.values())
    return Cells(tuple(columns), verdicts)


def _cell(line: Line, key: str, one: Measurement | None) -> Block:
    """Sign, number and a few words under it; under the pointer all that is known."""
    name = f"{PROPERTY_NAMES[key]} in row {line.number}"
    if one is None:
        dots = Column((Words("…", "caption", "text3"), Words("", "tick")))
        inner = Grid((_SIGN_WIDTH, GROW), ((Space(0.0), dots),), gap=6.0)
        return Named(name, inner, sets=line.sets, tooltip=f"{PROPERTY_NAMES[key]}: not measured yet")
    ink = "text" if one.verdict == HOLDS else VERDICT_INKS[one.verdict]
    text, shorter = (deciding_number(one, digits) for digits in (_DIGITS, _DIGITS - 1))
    note, *notes = _notes(one)
    texts = Words(text, "segment", ink, shorter=(shorter,)), Words(note, "tick", "text3", shorter=tuple(notes))
    inner = Grid((_SIGN_WIDTH, GROW), ((verdict_sign(one.verdict, 17.0), Column(texts)),), gap=6.0)
    lines = (f"{words.name(one)}: {words.verdict_text(one)}", words.sentence(one), words.measured_on(one))
    return Named(name, inner, sets=line.sets, tooltip="\n".join(filter(None, lines)))


def _notes(measurement: Measurement) -> tuple[str, ...]:
    """The few words under a number: up to where it holds, which positions are nearest, how many hands turn.

    Positions that have no room are told by the offset between them.
    """
    numbers = measurement.numbers
    if measurement.verdict in (HOLDS_UP_TO, UNDECIDED):
        return ("can't tell" if measurement.up_to is None else f"up to {whole(measurement.up_to)}",)
    if measurement.key == "far" and numbers.get("offset") is not None:
        return (f"steps ≤ {significant(numbers['farthest_neighbours'] or 0.0, 3)}",)
    if measurement.key == "unique" and numbers.get("offset") is not None:
        ends = f"{_ends(numbers['position'])} and {_ends(numbers['other'])}", f"k = {_ends(numbers['offset'])}"
        return ("neighbours",) if numbers["offset"] == 1 else ends
    if measurement.key == "periodic":
        if measurement.verdict == HOLDS:
            return (f"{_ends(numbers['n_turning'])} of {_ends(numbers['n_pairs'])} turn",)
        return ("off after a turn" if numbers["n_pairs"] else "no pairs turn",)
    texts = {name: _ends(number) for name, number in numbers.items()}
    return (PROPERTIES[measurement.key].notes.get(measurement.finding, "").format(**texts),)


def _ends(number: float | int | None) -> str:
    return "–" if number is None else whole(number)


def _copied(_line: Line, analysis: Analysis | None) -> list[str]:
    found = [None if analysis is None else analysis.measurement(key) for key in PROPERTY_NAMES]
    pairs = (
        ("" if one is None else words.verdict_text(one), copied(None if one is None else one.number)) for one in found
    )
    return [text for pair in pairs for text in pair]


MEASURED: Final = Columns(
    "Each row is an encoding: its table where there is room, positions across and dimensions down, what is its own in "
    "the definition, and the same ten measurements on values of the table; red fails.",
    "positions across, dimensions down",
    tuple(Column(tuple(head(PROPERTY_NAMES[key], PROPERTIES[key].column) for key in keys)) for keys in _KEYS),
    _question,
    _cells,
    tuple(title for name in PROPERTY_NAMES.values() for title in (name, f"{name}, number")),
    _copied,
    _table_image,
)


_RELATIONS: Final = {
    SAME: "The table of {reference}.",
    OTHER_BASE: "{reference} with the base {base}, hand by hand{off}.",
    REORDERED: "The same columns in another order, so all dot products are the same.",
    TURNED: "Other vectors with the same dot products.",
    DIFFERENT: "Another encoding: its dot products differ, too.",
}
_difference: Final = lru_cache(maxsize=64)(difference)


def _difference_question(encoding: Encoding, chosen: Encoding) -> Question:
    return Question("difference", _difference, (encoding, chosen), RANK, "Comparing", takes="nothing")


def _difference_table(encoding: Encoding, reference: Encoding, size: tuple[int, int], colors: bytes) -> QImage | None:
    """Row - reference, full colours where the difference is largest; None where their widths differ."""
    largest = _difference(encoding, reference).largest
    if largest is None:
        return None
    less = DifferenceField(encoding, reference, largest or 1.0)
    n_rows, n_columns = less.shape
    return HeatMap().image(less, View(0.0, float(n_rows), 0.0, float(n_columns)), size, color_table(colors))


def _difference_cells(line: Line, one: Difference | None) -> Cells:
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


def _difference_copied(line: Line, one: Difference | None) -> list[str]:
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
    _difference_question,
    _difference_cells,
    ("largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is"),
    _difference_copied,
    _difference_table,
    lambda: (0.21, 0.21, 0.19, 0.39),
    is_of_two=True,
)
SHOWN: Final = {"measurements": MEASURED, "difference": _DIFFERENCE}
