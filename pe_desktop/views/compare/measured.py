"""The ten measurements of each row of Compare: the table of the encoding, a cell for each measurement."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.measure.measurement import HOLDS, HOLDS_UP_TO, PROPERTIES, Analysis, Measurement
from pe_desktop.core.presets import Compared
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Block, Column, Grid, Space, Words
from pe_desktop.draw.hand_text import deciding_number
from pe_desktop.draw.number_text import copied, significant, whole
from pe_desktop.draw.typefaces import plain_formula, text_width
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.compare.rows import N_COLUMNS, RANK, CompareLayout, least_widths, rows_of
from pe_desktop.views.matrix.layout import is_halved
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import VERDICT_INKS, verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES

EXPLANATION: Final = (
    "Each row is an encoding: its table where there is room, positions across and dimensions down, what is its "
    "own in the definition, and the same ten measurements on values of the table; red fails."
)
NOTE: Final = "positions across, dimensions down"
_SIGN_WIDTH: Final = 14.0
_DIGITS: Final = 4
# The middles of both lines of a row, as shares of its height; the height of a cell.
_FIRST, _APART, _CELL_HEIGHT = 0.27, 0.46, 33.0
_KEYS: Final = tuple(tuple(PROPERTY_NAMES)[column::N_COLUMNS] for column in range(N_COLUMNS))


def questions(state: State) -> tuple[Question, ...]:
    return tuple(replace(analysis_of(row.encoding), rank=RANK) for row in rows_of(state))


def table_question(row: Compared, _state: State, size: tuple[int, int], colors: bytes) -> Question:
    """The picture of a table in device pixels."""
    return Question("table", _table, (row.encoding, size, colors), RANK)


def _table(encoding: Encoding, size: tuple[int, int], colors: bytes, task: Task) -> QImage:
    return table_image(encoding, size, np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3))


def table_image(encoding: Encoding, size: tuple[int, int], colors: NDArray[np.integer[Any]]) -> QImage:
    """All positions from left to right, all dimensions from top to bottom, size in device pixels.

    Dimensions at the end that are zero throughout are left out: a counter has one number, however wide its table.
    A pixel over many cells shows their mean; where it would mix sines with cosines, all sines stand over all cosines.
    colors: those of a diverging map, shape (n, 3). It may be called from any thread.
    """
    n_rows = float(encoding.n_filled)
    view = View(0.0, n_rows, 0.0, float(encoding.n_positions))
    field = HalvesField(encoding) if is_halved(encoding, n_rows, size[1]) else EncodingField(encoding)
    return HeatMap().image(field, view, size, color_table(colors))


def columns(layout: CompareLayout) -> tuple[float, ...]:
    """The widths of the columns: what is left over is shared."""
    least = least_widths()
    more = max(layout.room - sum(least), 0.0) / len(least)
    return tuple(width + more for width in least)


def heads(_layout: CompareLayout) -> tuple[Block, ...]:
    """The names of the measurements, and what their numbers are."""
    return tuple(Column(tuple(_head(key) for key in keys)) for keys in _KEYS)


def _head(key: str) -> Block:
    return Column((Words(PROPERTY_NAMES[key], "strong"), Words(PROPERTIES[key].column, "tick", "text3")))


def cells(layout: CompareLayout, state: State, answers: Answers) -> list[tuple[tuple[Block, ...], str]]:
    """The cells of each row, and its verdicts; what is not measured yet shows three dots."""
    shown, widths = [], columns(layout)
    for row in rows_of(state):
        known = measured(row, answers)
        row_cells = tuple(_cells(layout, keys, known, width) for keys, width in zip(_KEYS, widths, strict=True))
        shown.append((row_cells, ", ".join(f"{words.name(one)}: {words.verdict_text(one)}" for one in known.values())))
    return shown


def measured(row: Compared, answers: Answers) -> Mapping[str, Measurement]:
    """What has been measured of a row so far."""
    analysis: Analysis | None = answers.answer(analysis_of(row.encoding))
    return {} if analysis is None else {one.key: one for one in analysis.measurements}


def _cells(layout: CompareLayout, keys: tuple[str, ...], known: Mapping[str, Measurement], width: float) -> Block:
    """The cells of a column, one in each line of the row."""
    apart = Space(_APART * layout.row_height - _CELL_HEIGHT)
    blocks = [block for key in keys for block in (apart, _cell(known.get(key), width))]
    return Column((Space(_FIRST * layout.row_height - _CELL_HEIGHT / 2), *blocks[1:]))


def _cell(one: Measurement | None, width: float) -> Block:
    """Sign, number and a few words under it."""
    room = width - _SIGN_WIDTH - 8.0
    if one is None:
        text: Block = Column((Words("…", "caption", "text3"), Words("", "tick")))
        return Grid((_SIGN_WIDTH, room), ((Space(0.0), text),), gap=6.0)
    ink = "text" if one.verdict == HOLDS else VERDICT_INKS[one.verdict]
    number, *shorter = (deciding_number(one, digits) for digits in (_DIGITS, _DIGITS - 1))
    text = Column((Words(number, "segment", ink, shorter=tuple(shorter)), Words(_note(one, room), "tick", "text3")))
    return Grid((_SIGN_WIDTH, room), ((verdict_sign(one.verdict, 17.0), text),), gap=6.0)


def _note(measurement: Measurement, room: float) -> str:
    """The few words under a number: up to where it holds, which positions are nearest, how many hands turn.

    Positions that have no room are told by the offset between them.
    """
    numbers = measurement.numbers
    if measurement.verdict == HOLDS_UP_TO and measurement.up_to is not None:
        return f"up to {whole(measurement.up_to)}"
    if measurement.key == "far" and numbers.get("offset") is not None:
        return f"steps ≤ {significant(numbers['farthest_neighbours'] or 0.0, 3)}"
    if measurement.key == "unique" and numbers.get("offset") is not None:
        ends = f"{_ends(numbers['position'])} and {_ends(numbers['other'])}"
        ends = ends if text_width("tick", ends) <= room else f"k = {_ends(numbers['offset'])}"
        return "neighbours" if numbers["offset"] == 1 else ends
    if measurement.key == "periodic":
        turn = f"{_ends(numbers['n_turning'])} of {_ends(numbers['n_pairs'])} turn"
        return (
            turn if measurement.verdict == HOLDS else "no pairs turn" if not numbers["n_pairs"] else "off after a turn"
        )
    texts = {name: _ends(number) for name, number in numbers.items()}
    return PROPERTIES[measurement.key].notes.get(measurement.finding, "").format(**texts)


def _ends(number: float | int | None) -> str:
    return "–" if number is None else whole(number)


def key_at(layout: CompareLayout, x: float, y: float) -> str | None:
    """The measurement of the cell at a point of the rows, None beside the cells."""
    line, left = int(y % layout.row_height >= layout.row_height / 2), layout.cells_left
    for keys, width in zip(_KEYS, columns(layout), strict=True):
        if left <= x < left + width:
            return keys[line] if line < len(keys) else None
        left += width
    return None


def sentence_at(layout: CompareLayout, state: State, answers: Answers, number: int, x: float, y: float) -> str:
    """What the cell at a point says in full; beside the cells, what the row is."""
    row, key = rows_of(state)[number], key_at(layout, x, y)
    if key is None:
        lines = [row.title, *(plain_formula(line) for line in row.formulas)]
        return "\n".join([*lines, *([] if row.preset is None else [row.preset.sentence])])
    one = measured(row, answers).get(key)
    if one is None:
        return f"{PROPERTY_NAMES[key]}: not measured yet"
    told = (f"{words.name(one)}: {words.verdict_text(one)}", words.sentence(one), words.measured_on(one))
    return "\n".join(filter(None, told))


def readout(state: State, answers: Answers) -> str:
    heads = [head for name in PROPERTY_NAMES.values() for head in (name, f"{name}, number")]
    lines = ["\t".join(("Encoding", *heads))]
    for row in rows_of(state):
        known, texts = measured(row, answers), [row.title]
        for key in PROPERTY_NAMES:
            one = known.get(key)
            texts += ["" if one is None else words.verdict_text(one), copied(None if one is None else one.number)]
        lines.append("\t".join(texts))
    return "\n".join(lines)
