"""The rows of Compare and what stands beside their tables: ten measurements, or the difference from the chosen one."""

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any, Final

from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.differences import (
    CARRIED,
    DIFFERENT,
    REORDERED,
    SAME,
    TURNED,
    Difference,
    DifferenceField,
    difference,
)
from pe_desktop.core.number_text import NO_BREAK
from pe_desktop.core.presets import COMPARISONS, PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import Block, Column, Drawn, Fits, Grid, Space, Words
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, plain_formula
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question

# Rows and tables wait for what the other panels measure.
RANK: Final = 2
NAME_WIDTH: Final = 224.0
_FORMULA_SIZES: Final = (14, 13, 12)
_GLUE: Final = Space(0.0, grows=True)


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
        """The title and the first line of the definition, in the largest type that has room; else it is left out."""
        sized = [_formula(line, size) for line in self.row.formulas[:1] for size in _FORMULA_SIZES]
        return Grid((NAME_WIDTH - 10.0,), ((Column((Words(self.row.title, "strong"), Fits((*sized, Space(0.0))))),),))

    @property
    def short_name(self) -> Block:
        """The title alone, in lines, none of which ends within a formula."""
        return Words(self.row.title.replace(" + ", f"{NO_BREAK}+{NO_BREAK}"), "flag", is_paragraph=True)


def _formula(line: str, size: int) -> Block:
    return Drawn(_formula_picture, (line, size), 17.0, formula_runs(line, size)[1])


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
    first = 1 - (len(rows) > len(COMPARISONS[name]))
    return tuple(Line(place + first, place == chosen, reference, row) for place, row in enumerate(rows))


@record
class Look:
    """How the measurements are seen: columns in their order, the row with its numbers, all with theirs on paper.

    read, check: the cell that is read below.
    """

    keys: tuple[str, ...] = ()
    row: int = 0
    read: int = 0
    check: str = ""
    has_all_numbers: bool = False


@record
class Cells:
    """What a row says of its encoding: its cells, their value as text, the words over all of them."""

    blocks: tuple[Block, ...]
    value: str
    tooltip: str = ""


@record(eq=False)
class Columns:
    """What stands beside the tables: the caption of the figure, the note over the tables, a question, its columns.

    heads: names of the columns; question: of a row's encoding and the chosen one; cells, copied: of a row and its
    answer, None while it isn't known; titles: of what is copied beside the name; table: the image of an encoding, of
    two the chosen one is the second, then size in device pixels, three bytes a colour; widths: of the columns in a
    room, least: of which they need so much; heights: the least and the most of a row.
    """

    explanation: str
    note: str
    heads: Callable[[Look], tuple[Block, ...]]
    question: Callable[[Encoding, Encoding], Question]
    cells: Callable[[Line, Any, Look], Cells]
    titles: tuple[str, ...]
    copied: Callable[[Line, Any], list[str]]
    table: Callable[..., QImage | None]
    widths: Callable[[float], tuple[float, ...]]
    least: float
    heights: tuple[float, float]
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


_RELATIONS: Final = {
    SAME: "The table of {reference}.",
    CARRIED: "{reference} with {changes}{off}.",
    REORDERED: "The same columns in another order, so all dot products are the same.",
    TURNED: "Other vectors with the same dot products.",
    DIFFERENT: "Other parameters: {changes}.",
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


def _difference_cells(line: Line, one: Difference | None, _look: Look) -> Cells:
    """The cells of a row, and what makes the difference; what is not known yet shows three dots."""
    if one is None:
        dots = in_middle(Words("…", "caption", "text3"))
        return Cells((dots,) * len(_SHARES), "", f"{line.row.title}: not compared yet")
    value = _relation(line, one)
    tooltip = f"{line.row.title} − {line.reference}\n{_all_known(one, value)}"
    return Cells(tuple(map(in_middle, _cells_of(one, value))), value, tooltip)


def _cells_of(one: Difference, value: str) -> list[Block]:
    numbers = (
        ("other width" if one.largest is None else short(one.largest, 4), _where(one)),
        ("–" if one.paired is None else short(one.paired, 4), ""),
        (short(one.products, 4), ""),
    )
    notes = (Words(note, "tick", "text3", shorter=(note.partition(",")[0],)) for _, note in numbers)
    texts = (Column((Words(number, "segment"), note)) for (number, _), note in zip(numbers, notes, strict=True))
    return [*texts, Words(value, "caption", "text2", is_paragraph=True)]


def _relation(line: Line, one: Difference) -> str:
    """What makes the difference, where one sentence says it."""
    if line.is_chosen:
        return "The chosen encoding, with which the others are compared."
    off = f", but for rounding: {short(one.off, 2)}" if one.off else ""
    changes = [f"{name} {short(value, 9) if isinstance(value, float) else value}" for name, value in one.changes]
    return _RELATIONS[one.relation].format(reference=line.reference, changes=", ".join(changes), off=off)


def _all_known(one: Difference, value: str) -> str:
    """All that is known of a row, with all digits and what was compared."""
    at = f" at {_where(one)}" if one.largest else ""
    lines = (
        "" if one.largest is None else f"Largest difference: {one.largest!r}{at}",
        "" if one.paired is None else f"Hand by hand: {one.paired!r}",
        f"Dot products: {one.products!r}",
        *(f"{name}: {value!r}" for name, value in one.changes),
        value,
        f"Compared: {whole(one.n_positions)} of {whole(one.n_all)} positions, dot products at {whole(one.n_products)}.",
    )
    return "\n".join(filter(None, lines))


def _difference_copied(line: Line, one: Difference | None) -> list[str]:
    if one is None:
        return []
    place_of = (None, None) if one.largest is None else (one.position, one.dimension)
    return [
        *map(copied, (one.largest, *place_of, one.paired, one.products, dict(one.changes).get("base"))),
        _relation(line, one),
    ]


def _where(one: Difference) -> str:
    return "" if not one.largest else f"t = {whole(one.position)}, dimension {whole(one.dimension)}"


# With less room the numbers stand alone.
_SHARES, _LEAST = (0.21, 0.19, 0.17, 0.43), 520.0
_HEADS: Final = (
    ("Largest difference", "of two values, and where", "Largest", "of two values"),
    ("Hand by hand", "the same, sines with sines", "By hand", "sines by sines"),
    ("Dot products", "their largest difference", "Dots", "largest"),
    ("What it is", "measured at the same positions", "What it is", "at the same positions"),
)
DIFFERENCE: Final = Columns(
    "Each row is an encoding minus the chosen one: a map of the difference where there is room, positions across and "
    "dimensions down, full colours where it is largest; the largest difference of two values, of values hand by hand, "
    "and of dot products.",
    "this row minus the chosen one",
    lambda _look: tuple(
        Column((_GLUE, Words(title, "strong", shorter=(name,)), Words(meaning, "tick", "text3", shorter=(few, ""))))
        for title, meaning, name, few in _HEADS
    ),
    _difference_question,
    _difference_cells,
    ("largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is"),
    _difference_copied,
    _difference_table,
    lambda room: tuple(share * room for share in _SHARES) if room >= _LEAST else (room / 3,) * 3,
    _LEAST,
    (52.0, 64.0),
    is_of_two=True,
)
