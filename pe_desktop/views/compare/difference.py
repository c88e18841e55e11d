"""The difference of Compare: how far each encoding is from the chosen one, and what carries the one into the other."""

from typing import Final

from pe_desktop.core.measuring import differences
from pe_desktop.core.measuring.differences import Difference
from pe_desktop.core.state import State
from pe_desktop.draw.flow import GROW, Block, Column, Fits, Grid, Space, Words, paragraph, small
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.compare.rows import COMPACT_BELOW, RANK, Line, copied_rows, in_middle, known_of, lines_of

_RELATIONS: Final = {
    differences.SAME: "The table of {reference}.",
    differences.CARRIED: "{reference} with {changes}{off}.",
    differences.REORDERED: "The same columns in another order: {changes}. All dot products are the same.",
    differences.TURNED: "Other vectors with the same dot products.",
    differences.DIFFERENT: "Other parameters: {changes}.",
}
# The name of a column, and what it tells of, each with that where it has little room.
_HEADS: Final = {
    ("Encoding",): ("",),
    ("Values",): ("largest difference", "largest"),
    ("Hand by hand", "By hand"): ("sines with sines", "of sines"),
    ("Dot products", "Dots"): ("largest",),
    ("What it is",): ("measured at the same positions", ""),
}
# How wide they are; in a column of print the numbers stand alone.
_WIDE, _NARROW = (4.0, 0.26, 0.13, 0.12, 0.12, GROW), (4.0, 0.28, GROW, GROW, GROW)
_ROW: Final = 48.0
EXPLANATION: Final = (
    "Each row is an encoding minus the chosen one: the largest difference of values, of values hand by hand, and of "
    "dot products; then what makes the difference."
)
_COPIED: Final = ("largest difference", "t", "dimension", "hand by hand", "dot products", "base", "what it is")


def page(state: State, answers: Answers) -> Block:
    """How far each row is from the chosen one, and what makes the difference."""
    known = known_of(state, answers, questions(state))
    heads = [Column((Words(name, "strong", shorter=tuple(few)), small(*of))) for (name, *few), of in _HEADS.items()]
    cells = [_cells(line, one) for line, one in known]
    rows = [(Space(_ROW), line.name, *row) for (line, _), row in zip(known, cells, strict=True)]
    few = [(Space(_ROW), line.title, *row[:3]) for (line, _), row in zip(known, cells, strict=True)]
    places = None, *(line.place(_relation(line, one), line.sets, _tooltip(line, one)) for line, one in known)
    wide = Grid(_WIDE, ((Space(0.0), *heads), *rows), places, between=1.0)
    narrow = Grid(_NARROW, ((Space(0.0), *heads[:4]), *few), places, between=1.0)
    return Fits((wide, narrow), (COMPACT_BELOW, 0.0))


def _cells(line: Line, one: Difference | None) -> tuple[Block, ...]:
    """The cells of a row; what is not known yet shows three dots."""
    if one is None:
        return (in_middle(Words("…", "caption", "text3")),) * (len(_HEADS) - 1)
    t = f"t = {whole(one.position)}"
    where = small(f"{t}, dimension {whole(one.dimension)}" if one.largest else "", t, "")
    cells: list[Block] = []
    for amount, lacking in ((one.largest, "other size"), (one.paired, "–"), (one.products, "")):
        forms = (lacking,) if amount is None else (short(amount, 4), short(amount, 2))
        cells.append(Column((Words(forms[0], "segment", shorter=forms[1:]), small("") if cells else where)))
    return tuple(map(in_middle, (*cells, paragraph(_relation(line, one)))))


def _tooltip(line: Line, one: Difference | None) -> str:
    if one is None:
        return f"{line.row.title}: not compared yet"
    compared = f"{whole(one.n_positions)} of {whole(one.n_all)} positions, dot products at {whole(one.n_products)}"
    found = (*zip(_COPIED, _copied_row(line, one), strict=True), ("compared", compared))
    return "\n".join((f"{line.row.title} − {line.reference}", *(f"{name}: {text}" for name, text in found if text)))


def _relation(line: Line, one: Difference | None) -> str:
    """What makes the difference, where one sentence says it."""
    if one is None:
        return ""
    if line.is_chosen:
        return "The chosen encoding, with which the others are compared."
    off = f", but for rounding: {short(one.off, 2)}" if one.off else ""
    changes = [f"{name} {short(value, 9) if isinstance(value, float) else value}" for name, value in one.changes]
    return _RELATIONS[one.relation].format(reference=line.reference, changes=", ".join(changes), off=off)


def _copied_row(line: Line, one: Difference | None) -> list[str]:
    """Its numbers, under the titles _COPIED."""
    if one is None:
        return []
    place_of = (None, None) if one.largest is None else (one.position, one.dimension)
    base = dict(one.changes).get("base")
    return [*map(copied, (one.largest, *place_of, one.paired, one.products, base)), _relation(line, one)]


def questions(state: State) -> Questions:
    asked = ((line.row.encoding, state.encoding) for line in lines_of(state))
    return tuple(Question("difference", differences.difference, of, RANK, "Comparing", takes="nothing") for of in asked)


def text(state: State, answers: Answers) -> str:
    return copied_rows(known_of(state, answers, questions(state)), _COPIED, _copied_row)
