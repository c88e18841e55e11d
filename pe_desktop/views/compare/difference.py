"""The difference of Compare: each encoding minus the chosen one, and what carries the one into the other."""

from functools import lru_cache
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring import differences
from pe_desktop.core.measuring.differences import Difference, DifferenceField
from pe_desktop.core.state import State
from pe_desktop.draw.flow import GROW, Block, Column, Space, Words, paragraph, small
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.compare import columns
from pe_desktop.views.compare.columns import GLUE, RANK, Line, Shown, in_middle, known_of, lines_of

_RELATIONS: Final = {
    differences.SAME: "The table of {reference}.",
    differences.CARRIED: "{reference} with {changes}{off}.",
    differences.REORDERED: "The same columns in another order: {changes}. All dot products are the same.",
    differences.TURNED: "Other vectors with the same dot products.",
    differences.DIFFERENT: "Other parameters: {changes}.",
}
_WIDTHS: Final = (0.14, 0.12, 0.12, GROW)
# The name of a column, with that where it has little room, and what it tells of.
_HEADS: Final = {
    ("Values",): "largest difference",
    ("Hand by hand", "By hand"): "sines with sines",
    ("Dot products", "Dots"): "largest",
    ("What it is",): "measured at the same positions",
}
_NOTE: Final = "this row minus the chosen one"
COPIED: Final = ("largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is")
EXPLANATION: Final = (
    "Each row is an encoding minus the chosen one: where there is room a map, positions across and dimensions down, "
    "full colours where it is largest; the largest difference of values, of values hand by hand, and of dot products."
)
_ROW: Final = 56.0
_difference: Final = lru_cache(maxsize=64)(differences.difference)


def questions(state: State) -> Questions:
    asked = ((line.row.encoding, state.encoding) for line in lines_of(state))
    return tuple(Question("difference", _difference, of, RANK, "Comparing", takes="nothing") for of in asked)


def tables(state: State, box: Box) -> Questions:
    return columns.table_questions(state, box, _less, state.encoding)


def _less(encoding: Encoding, _n_pixels: int, reference: Encoding) -> DifferenceField | None:
    """Row - reference, full colours where the difference is largest; None where their widths differ."""
    largest = _difference(encoding, reference).largest
    return None if largest is None else DifferenceField(encoding, reference, largest or 1.0)


def page_in(state: State, answers: Answers, box: Box) -> Block:
    """How far each row is from the chosen one, and what makes the difference."""
    below = [Space(4.0)] * len(_HEADS) if columns.is_low(box) else [small(of, "") for of in _HEADS.values()]
    names = [Words(name, "strong", shorter=tuple(few)) for name, *few in _HEADS]
    heads = [Column((GLUE, *both)) for both in zip(names, below, strict=True)]
    rows = {line: _shown(line, one) for line, one in known_of(state, answers, questions(state))}
    # In a column of print the numbers stand alone.
    widths = (GROW,) * 3 if columns.is_compact(box.width) else _WIDTHS
    pictures = known_of(state, answers, tables(state, box))
    return columns.rows_block((columns.note(_NOTE, box), *heads), rows, pictures, widths, box)


def _shown(line: Line, one: Difference | None) -> Shown:
    """The cells of a row, and what makes the difference; what is not known yet shows three dots."""
    if one is None:
        dots = (in_middle(Words("…", "caption", "text3")),) * len(_WIDTHS)
        return _ROW, line.place("", line.sets, f"{line.row.title}: not compared yet"), dots
    t, value = f"t = {whole(one.position)}", _relation(line, one)
    where = small(f"{t}, dimension {whole(one.dimension)}" if one.largest else "", t, "")
    cells: list[Block] = []
    for amount, lacking in ((one.largest, "other width"), (one.paired, "–"), (one.products, "")):
        number = Words(lacking if amount is None else short(amount, 4), "segment")
        cells.append(Column((number, small("") if cells else where)))
    cells.append(paragraph(value))
    compared = f"{whole(one.n_positions)} of {whole(one.n_all)} positions, dot products at {whole(one.n_products)}"
    found = (*zip(COPIED, copied_row(line, one), strict=True), ("compared", compared))
    tooltip = "\n".join((f"{line.row.title} − {line.reference}", *(f"{name}: {text}" for name, text in found if text)))
    return _ROW, line.place(value, line.sets, tooltip), tuple(map(in_middle, cells))


def _relation(line: Line, one: Difference) -> str:
    """What makes the difference, where one sentence says it."""
    if line.is_chosen:
        return "The chosen encoding, with which the others are compared."
    off = f", but for rounding: {short(one.off, 2)}" if one.off else ""
    changes = [f"{name} {short(value, 9) if isinstance(value, float) else value}" for name, value in one.changes]
    return _RELATIONS[one.relation].format(reference=line.reference, changes=", ".join(changes), off=off)


def copied_row(line: Line, one: Difference | None) -> list[str]:
    """Its numbers, under the titles COPIED."""
    if one is None:
        return []
    place_of = (None, None) if one.largest is None else (one.position, one.dimension)
    base = dict(one.changes).get("base")
    return [*map(copied, (one.largest, *place_of, one.paired, one.products, base)), _relation(line, one)]
