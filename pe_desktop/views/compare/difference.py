"""The difference of each row of Compare from the window's encoding: where it is largest, and what it comes from."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
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
from pe_desktop.core.presets import Compared
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.compare.picture import GAP, CompareLayout, header_frame, rows_picture
from pe_desktop.views.compare.rows import RANK, chosen_row, rows_of

Differences: TypeAlias = tuple[Difference | None, ...]

# What stands in the columns, and the share of the room that each has.
_HEADS: Final = (
    ("Largest difference", "of two values, and where", 0.21),
    ("Hand by hand", "the same, sines with sines", 0.21),
    ("Dot products", "their largest difference", 0.19),
    ("What it is", "measured at the same positions", 0.39),
)
_RELATIONS: Final = {
    REORDERED: "The same columns in another order, so all dot products are the same.",
    TURNED: "Other vectors with the same dot products.",
}
_MOST_LINES: Final = 4


@lru_cache(maxsize=64)
def _difference(encoding: Encoding, reference: Encoding) -> Difference:
    return difference(encoding, reference)


def _compared(encoding: Encoding, reference: Encoding, task: Task) -> Difference:
    return _difference(encoding, reference)


def questions(state: State) -> tuple[Question, ...]:
    return tuple(
        Question("difference", _compared, (row.encoding, state.encoding), RANK, "Comparing") for row in rows_of(state)
    )


def table_question(row: Compared, state: State, size: tuple[int, int], colors: bytes) -> Question:
    """The picture of row - reference in device pixels, full colours where the difference is largest."""
    return Question("table", _table, (row.encoding, state.encoding, size, colors), RANK)


def _table(encoding: Encoding, reference: Encoding, size: tuple[int, int], colors: bytes, task: Task) -> QImage | None:
    largest = _difference(encoding, reference).largest
    if largest is None:
        return None
    field = DifferenceField(encoding, reference, largest or 1.0)
    n_rows, n_columns = field.shape
    table = color_table(np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3))
    return HeatMap().image(field, View(0.0, float(n_rows), 0.0, float(n_columns)), size, table)


def known(state: State, answers: Answers) -> Differences:
    """What is known of each row."""
    return tuple(answers.answer(question) for question in questions(state))


def reference_title(state: State) -> str:
    """The name of the encoding that all others are compared with."""
    row = chosen_row(state)
    return state.encoding.title if row is None else rows_of(state)[row].title


def header_picture(width: float, theme: Theme) -> marks.Picture:
    """The names of the columns, and what they hold."""
    layout = CompareLayout(width)
    note = "this row less the chosen one"
    picture = header_frame(layout, note if text_width("tick", note) <= layout.table_width else "", theme)
    for (title, meaning, _), (x, room) in zip(_HEADS, _columns(layout), strict=True):
        picture.append(marks.Text(x, 14.0, title, "strong", theme.text))
        for place, line in enumerate(wrapped("tick", meaning, room - 6.0, 2)):
            picture.append(marks.Text(x, 30.0 + 14.0 * place, line, "tick", theme.text3))
    return tuple(picture)


def picture(
    layout: CompareLayout,
    rows: Sequence[Compared],
    found: Differences,
    tables: Sequence[QImage | None],
    chosen: int | None,
    reference: str,
    theme: Theme,
) -> marks.Picture:
    """All rows; what is not known yet shows three dots."""
    marked = list(rows_picture(layout, rows, tables, theme, chosen))
    for place, one in enumerate(found):
        middle = layout.top + (place + 0.5) * layout.row_height
        columns = _columns(layout)
        if one is None:
            marked += [marks.Text(x, middle, "…", "caption", theme.text3) for x, _ in columns]
            continue
        numbers = [
            ("other width" if one.largest is None else short(one.largest, 4), _where(one)),
            ("–" if one.paired is None else short(one.paired, 4), ""),
            (short(one.products, 4), ""),
        ]
        for (x, _), (number, note) in zip(columns[:-1], numbers, strict=True):
            marked.append(marks.Text(x, middle - 8.0, number, "segment", theme.text))
            marked.append(marks.Text(x, middle + 9.0, note, "tick", theme.text3))
        x, room = columns[-1]
        lines = wrapped("caption", relation(one, reference, is_reference=place == chosen), room - GAP, _MOST_LINES)
        first = middle - 8.0 * (len(lines) - 1)
        marked += [marks.Text(x, first + 16.0 * line, text, "caption", theme.text2) for line, text in enumerate(lines)]
    return tuple(marked)


def relation(one: Difference, reference: str, *, is_reference: bool = False) -> str:
    """What makes the difference, where one sentence says it."""
    if is_reference:
        return "The chosen encoding, with which the others are compared."
    if one.relation == SAME:
        return f"The table of {reference}."
    if one.relation == OTHER_BASE and one.base is not None and one.off is not None:
        off = "" if one.off == 0 else f", but for rounding: {short(one.off, 2)}"
        return f"{reference} with the base {short(one.base, 9)}, hand by hand{off}."
    return _RELATIONS.get(one.relation, "Another encoding: its dot products differ, too.")


def sentence_at(state: State, answers: Answers, place: int) -> str:
    """All that is known of a row, with all digits and what was compared."""
    row, one, reference = rows_of(state)[place], known(state, answers)[place], reference_title(state)
    if one is None:
        return f"{row.title}: not compared yet"
    at = "" if one.largest is None else f"Largest difference: {one.largest!r}{_at(one)}\n"
    paired = "" if one.paired is None else f"Hand by hand: {one.paired!r}\n"
    base = "" if one.base is None else f"Base: {one.base!r}\n"
    sample = f"{whole(one.n_positions)} of {whole(one.n_all)} positions, dot products at {whole(one.n_products)}"
    return (
        f"{row.title} − {reference}\n{at}{paired}Dot products: {one.products!r}\n{base}"
        f"{relation(one, reference, is_reference=place == chosen_row(state))}\nCompared: {sample}."
    )


def readout(state: State, answers: Answers) -> str:
    heads = "Encoding", "largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is"
    lines = ["\t".join(heads)]
    chosen, reference = chosen_row(state), reference_title(state)
    for place, (row, one) in enumerate(zip(rows_of(state), known(state, answers), strict=True)):
        if one is None:
            lines.append(row.title)
            continue
        place_of = (None, None) if one.largest is None else (one.position, one.dimension)
        numbers = [one.largest, *place_of, one.paired, one.products, one.base]
        lines.append(
            "\t".join([row.title, *map(copied, numbers), relation(one, reference, is_reference=place == chosen)])
        )
    return "\n".join(lines)


def _where(one: Difference) -> str:
    return "" if not one.largest else f"t = {whole(one.position)}, dimension {whole(one.dimension)}"


def _at(one: Difference) -> str:
    return f" at {_where(one)}" if one.largest else ""


def _columns(layout: CompareLayout) -> list[tuple[float, float]]:
    """Left edge and width of each column."""
    left = layout.cells_left
    room = layout.width - left - GAP / 2
    columns = []
    for _, _, share in _HEADS:
        columns.append((left, share * room))
        left += share * room
    return columns
