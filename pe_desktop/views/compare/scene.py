"""Compare: encodings of the same sizes side by side, each with its table and the same ten measurements."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis, Measurement
from pe_desktop.core.presets import Compared, common_sizes
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import copied
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, plain_formula
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.compare import difference
from pe_desktop.views.compare.picture import (
    HEADER_HEIGHT,
    CompareLayout,
    compare_picture,
    header_picture,
    narrowest_width,
    row_height,
    table_image,
)
from pe_desktop.views.compare.rows import RANK, chosen_row, layout_in, rows_box, rows_of, sizes_text
from pe_desktop.views.properties import words


def questions(state: State) -> tuple[Question, ...]:
    if _tells_differences(state):
        return difference.questions(state)
    return tuple(replace(analysis_of(row.encoding), rank=RANK) for row in rows_of(state))


def table_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The pictures of the tables in device pixels; none where there is no room for them."""
    layout = layout_in(state, box)
    size = round(layout.table_width * box.pixel_ratio), round((layout.row_height - 18.0) * box.pixel_ratio)
    if 0 in size:
        return ()
    colors = box.theme.diverging.tobytes()
    if _tells_differences(state):
        return tuple(difference.table_question(row, state, size, colors) for row in rows_of(state))
    return tuple(Question("table", _table, (row.encoding, size, colors), RANK) for row in rows_of(state))


def _table(encoding: Encoding, size: tuple[int, int], colors: bytes, task: Task) -> QImage:
    return table_image(encoding, size, np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    """The names of the columns over the rows."""
    below = rows_scene(state, answers, box, top=HEADER_HEIGHT)
    head = difference.header_picture if _tells_differences(state) else header_picture
    return Scene((*head(box.width, box.theme), *below.still()), places=below.places)


def rows_scene(state: State, answers: Answers, box: Box, top: float = 0.0) -> Scene:
    """The rows alone, the first one below `top`."""
    rows, layout = rows_of(state), replace(layout_in(state, box, top), top=top)
    tables = tuple(answers.answer(question) for question in table_questions(state, rows_box(box, top)))
    tables = tables or (None,) * len(rows)
    if _tells_differences(state):
        found, reference = difference.known(state, answers), difference.reference_title(state)
        drawn = Part(difference.picture, layout, rows, found, tables, chosen_row(state), reference, box.theme)
        return Scene(still=drawn, places=Part(_difference_places, layout, rows, found, chosen_row(state), reference))
    measured = tuple(_measured(row, answers) for row in rows)
    still = Part(_picture, layout, rows, measured, tables, chosen_row(state), box.theme)
    return Scene(still=still, places=Part(_places, layout, rows, measured, chosen_row(state)))


def header_scene(state: State, box: Box, width: float) -> Scene:
    """The names of the columns as they stand over rows of a width."""
    head = difference.header_picture if _tells_differences(state) else header_picture
    return Scene(still=Part(head, width, box.theme))


def _tells_differences(state: State) -> bool:
    return state.views.compare.shows == "difference"


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    if width < narrowest_width():
        return math.inf
    return HEADER_HEIGHT + len(rows_of(state)) * row_height(len(rows_of(state)), 0.0)


def rows_height(state: State, room: float) -> float:
    """The height of the rows where there is room for so much."""
    return len(rows_of(state)) * row_height(len(rows_of(state)), room)


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {sizes_text(own)}"
    is_difference = _tells_differences(state)
    told = f"each less {difference.reference_title(state)}" if is_difference else "the same ten measurements for each"
    of = "two lengths" if state.views.compare.list == "lengths" else f"{sizes_text(sizes)}{but}"
    return fitting("caption", (f"{told}, {of}", told, "differences" if is_difference else "ten measurements"), room)


def readout(state: State, answers: Answers) -> str:
    if _tells_differences(state):
        return difference.readout(state, answers)
    heads = [head for name in words.PROPERTY_NAMES.values() for head in (name, f"{name}, number")]
    lines = ["\t".join(("Encoding", *heads))]
    for row in rows_of(state):
        known, cells = dict(_measured(row, answers)), [row.title]
        for key in words.PROPERTY_NAMES:
            one = known.get(key)
            number = None if one is None else one.number
            cells += ["" if one is None else words.verdict_text(one), copied(number)]
        lines.append("\t".join(cells))
    return "\n".join(lines)


def sentence(state: State, answers: Answers) -> str:
    titles = {"overview": "One of each idea", "conventions": "What libraries compute"}
    titles |= {"ablations": "What breaks the encoding", "naive": "What people try first"}
    titles |= {"lengths": "The same step in two lengths"}
    if _tells_differences(state):
        return f"{titles[state.views.compare.list]}, each less {difference.reference_title(state)}"
    return f"{titles[state.views.compare.list]}, {sizes_text(common_sizes(rows_of(state)))}"


def explanation(state: State) -> str:
    if _tells_differences(state):
        return (
            "Each row is an encoding less the chosen one: a map of the difference where there is room, positions "
            "across and dimensions down, full colours where it is largest; the largest difference of two values, of "
            "values hand by hand, and of dot products."
        )
    return (
        "Each row is an encoding: its table where there is room, positions across and dimensions down, what is its "
        "own in the definition, and the same ten measurements on values of the table; red fails."
    )


def sentence_at(state: State, answers: Answers, box: Box, x: float, y: float) -> str:
    """What the cell of the rows under a point says in full; beside the cells, what the row is."""
    rows, layout = rows_of(state), layout_in(state, box)
    number = layout.row_at(y, len(rows))
    if number is None:
        return ""
    row = rows[number]
    if _tells_differences(state) and x >= layout.cells_left:
        return difference.sentence_at(state, answers, number)
    key = layout.key_at(x, y)
    if key is not None:
        one = dict(_measured(row, answers)).get(key)
        name = words.PROPERTY_NAMES[key]
        if one is None:
            return f"{name}: not measured yet"
        told = (f"{name}: {words.verdict_text(one)}", words.sentence(one), words.measured_on(one))
        return "\n".join(filter(None, told))
    lines = [row.title, *(plain_formula(line) for line in row.formulas)]
    return "\n".join([*lines, *([] if row.preset is None else [row.preset.sentence])])


def _measured(row: Compared, answers: Answers) -> tuple[tuple[str, Measurement], ...]:
    analysis: Analysis | None = answers.answer(analysis_of(row.encoding))
    return () if analysis is None else tuple((one.key, one) for one in analysis.measurements)


def _picture(
    layout: CompareLayout,
    rows: tuple[Compared, ...],
    measured: tuple[tuple[tuple[str, Measurement], ...], ...],
    tables: tuple[QImage | None, ...],
    chosen: int | None,
    theme: Theme,
) -> marks.Picture:
    known: list[Mapping[str, Any]] = [dict(one) for one in measured]
    return compare_picture(layout, rows, known, tables, theme, chosen=chosen)


def _places(
    layout: CompareLayout,
    rows: tuple[Compared, ...],
    measured: tuple[tuple[tuple[str, Measurement], ...], ...],
    chosen: int | None,
) -> tuple[Place, ...]:
    told = [
        ", ".join(f"{words.PROPERTY_NAMES[key]}: {words.verdict_text(one)}" for key, one in known) for known in measured
    ]
    return _row_places(layout, rows, told, chosen)


def _difference_places(
    layout: CompareLayout,
    rows: tuple[Compared, ...],
    found: difference.Differences,
    chosen: int | None,
    reference: str,
) -> tuple[Place, ...]:
    told = [
        "" if one is None else difference.relation(one, reference, is_reference=number == chosen)
        for number, one in enumerate(found)
    ]
    return _row_places(layout, rows, told, chosen)


def _row_places(
    layout: CompareLayout, rows: tuple[Compared, ...], told: list[str], chosen: int | None
) -> tuple[Place, ...]:
    return tuple(
        Place(
            f"row {number + 1}: {row.title}",
            Area(0.0, layout.top + number * layout.row_height, layout.width, layout.row_height),
            text,
            is_chosen=number == chosen,
        )
        for number, (row, text) in enumerate(zip(rows, told, strict=True))
    )
