"""The difference of each row of Compare from the window's encoding: where it is largest, and what it comes from."""

from functools import lru_cache
from typing import Final

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
from pe_desktop.draw.flow import Block, Column, Words
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.compare.measured import RANK, Cells, chosen_row, in_middle, rows_of

EXPLANATION: Final = (
    "Each row is an encoding less the chosen one: a map of the difference where there is room, positions "
    "across and dimensions down, full colours where it is largest; the largest difference of two values, of "
    "values hand by hand, and of dot products."
)
NOTE: Final = "this row less the chosen one"
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


@lru_cache(maxsize=64)
def _difference(encoding: Encoding, reference: Encoding) -> Difference:
    return difference(encoding, reference)


def questions(state: State) -> tuple[Question, ...]:
    arguments = ((row.encoding, state.encoding) for row in rows_of(state))
    return tuple(Question("difference", _difference, pair, RANK, "Comparing", takes="nothing") for pair in arguments)


def table_question(row: Compared, state: State, size: tuple[int, int], colors: bytes) -> Question:
    """The picture of row - reference in device pixels, full colours where the difference is largest."""
    return Question("table", _table, (row.encoding, state.encoding, size, colors), RANK, takes="nothing")


def _table(encoding: Encoding, reference: Encoding, size: tuple[int, int], colors: bytes) -> QImage | None:
    largest = _difference(encoding, reference).largest
    if largest is None:
        return None
    field = DifferenceField(encoding, reference, largest or 1.0)
    n_rows, n_columns = field.shape
    table = color_table(np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3))
    return HeatMap().image(field, View(0.0, float(n_rows), 0.0, float(n_columns)), size, table)


def _differences_of(state: State, answers: Answers) -> tuple[Difference | None, ...]:
    """What is known of each row."""
    return tuple(answers.answer(question) for question in questions(state))


def reference_title(state: State) -> str:
    """The name of the encoding that all others are compared with."""
    row = chosen_row(state)
    return state.encoding.title if row is None else rows_of(state)[row].title


def shares() -> tuple[float, ...]:
    """The shares of the columns in the room of the cells."""
    return tuple(share for *_, share in _HEADS)


def heads() -> tuple[Block, ...]:
    """The names of the columns, and what they hold."""
    return tuple(
        Column((Words(title, "strong"), Words(meaning, "tick", "text3", n_lines=2))) for title, meaning, _ in _HEADS
    )


def cells(state: State, answers: Answers) -> list[Cells]:
    """The cells of each row, and what makes the difference; what is not known yet shows three dots."""
    rows, chosen, reference = [], chosen_row(state), reference_title(state)
    for place, (row, one) in enumerate(zip(rows_of(state), _differences_of(state, answers), strict=True)):
        if one is None:
            dots = in_middle(Words("…", "caption", "text3"))
            rows.append(Cells((dots,) * len(_HEADS), "", f"{row.title}: not compared yet"))
            continue
        value = relation(one, reference, is_reference=place == chosen)
        tooltip = f"{row.title} − {reference}\n{_sentence(one, value)}"
        rows.append(Cells(tuple(map(in_middle, _cells(one, value))), value, tooltip))
    return rows


def _cells(one: Difference, value: str) -> list[Block]:
    numbers = (
        ("other width" if one.largest is None else short(one.largest, 4), _where(one)),
        ("–" if one.paired is None else short(one.paired, 4), ""),
        (short(one.products, 4), ""),
    )
    texts = (Column((Words(number, "segment"), Words(note, "tick", "text3"))) for number, note in numbers)
    return [*texts, Words(value, "caption", "text2", is_paragraph=True)]


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


def _sentence(one: Difference, value: str) -> str:
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


def readout(state: State, answers: Answers) -> str:
    heads = "Encoding", "largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is"
    lines = ["\t".join(heads)]
    chosen, reference = chosen_row(state), reference_title(state)
    for place, (row, one) in enumerate(zip(rows_of(state), _differences_of(state, answers), strict=True)):
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
