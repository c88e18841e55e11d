"""Compare: encodings of the same sizes side by side, each with its table and the same ten measurements."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis, Measurement
from pe_desktop.core.presets import PRESETS, Compared, Wanted, common_sizes, comparison, wanted
from pe_desktop.core.state import State, preset_of
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import plain_formula
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.compare.picture import (
    HEADER_HEIGHT,
    CompareLayout,
    compare_picture,
    header_picture,
    narrowest_width,
    row_height,
    table_image,
)
from pe_desktop.views.properties import words

# Rows and tables wait for what the other panels measure.
_RANK = 2


def rows_of(state: State) -> tuple[Compared, ...]:
    """The encodings of the list in the order in which they stand; the window's own first where it is none of them."""
    before, preset = state.wanted or wanted(state.encoding), preset_of(state)
    kept = tuple(sorted(before.kept.items()))
    preset_id = None if preset is None else preset.id
    return _rows(before.encoding, kept, before.preset_id, state.encoding, preset_id, state.views.compare.list)


@lru_cache(maxsize=4)
def _rows(
    before: Encoding,
    kept: tuple[tuple[str, int | float], ...],
    wanted_id: str | None,
    encoding: Encoding,
    preset_id: str | None,
    name: str,
) -> tuple[Compared, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    return comparison(Wanted(before, MappingProxyType(dict(kept)), wanted_id), encoding, preset, name)


def chosen_row(state: State) -> int | None:
    """The row of the window's encoding: the one of its preset, or the first of its table."""
    rows, preset = rows_of(state), preset_of(state)
    same = [place for place, row in enumerate(rows) if row.encoding == state.encoding]
    return next((place for place in same if rows[place].preset == preset), same[0] if same else None)


def questions(state: State) -> tuple[Question, ...]:
    return tuple(replace(analysis_of(row.encoding), rank=_RANK) for row in rows_of(state))


def table_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The pictures of the tables in device pixels; none where there is no room for them."""
    layout = _layout(state, box)
    size = round(layout.table_width * box.pixel_ratio), round((layout.row_height - 18.0) * box.pixel_ratio)
    if 0 in size:
        return ()
    colors = box.theme.diverging.tobytes()
    return tuple(Question("table", _table, (row.encoding, size, colors), _RANK) for row in rows_of(state))


def _table(encoding: Encoding, size: tuple[int, int], colors: bytes, task: Task) -> QImage:
    return table_image(encoding, size, np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    """The names of the columns over the rows."""
    below = rows_scene(state, answers, box, top=HEADER_HEIGHT)
    return Scene((*header_picture(box.width, box.theme), *below.still()), places=below.places)


def rows_scene(state: State, answers: Answers, box: Box, top: float = 0.0) -> Scene:
    """The rows alone, the first one below `top`."""
    rows, layout = rows_of(state), replace(_layout(state, box, top), top=top)
    measured = tuple(_measured(row, answers) for row in rows)
    tables = tuple(answers.answer(question) for question in table_questions(state, _rows_box(box, top)))
    still = Part(_picture, layout, rows, measured, tables or (None,) * len(rows), chosen_row(state), box.theme)
    return Scene(still=still, places=Part(_places, layout, rows, measured, chosen_row(state)))


def header_scene(box: Box, width: float) -> Scene:
    """The names of the columns as they stand over rows of a width."""
    return Scene(still=Part(header_picture, width, box.theme))


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    if width < narrowest_width():
        return math.inf
    return HEADER_HEIGHT + len(rows_of(state)) * row_height(len(rows_of(state)), 0.0)


def rows_height(state: State, room: float) -> float:
    """The height of the rows where there is room for so much."""
    return len(rows_of(state)) * row_height(len(rows_of(state)), room)


def subtitle(state: State, answers: Answers) -> str:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {_sizes(own)}"
    return f"the same ten measurements for each, {_sizes(sizes)}{but}"


def readout(state: State, answers: Answers) -> str:
    heads = [head for name in words.PROPERTY_NAMES.values() for head in (name, f"{name}, number")]
    lines = ["\t".join(("Encoding", *heads))]
    for row in rows_of(state):
        known, cells = dict(_measured(row, answers)), [row.title]
        for key in words.PROPERTY_NAMES:
            one = known.get(key)
            number = None if one is None else one.number
            cells += ["" if one is None else words.verdict_text(one), "" if number is None else repr(number)]
        lines.append("\t".join(cells))
    return "\n".join(lines)


def sentence(state: State, answers: Answers) -> str:
    titles = {"overview": "One of each idea", "conventions": "What libraries compute"}
    titles |= {"ablations": "What breaks the encoding", "naive": "What people try first"}
    return f"{titles[state.views.compare.list]}, {_sizes(common_sizes(rows_of(state)))}"


def explanation(state: State) -> str:
    return (
        "Each row is an encoding: its table where there is room, positions across and dimensions down, what is its "
        "own in the definition, and the same ten measurements on values of the table; red fails."
    )


def sentence_at(state: State, answers: Answers, box: Box, x: float, y: float) -> str:
    """What the cell of the rows under a point says in full; beside the cells, what the row is."""
    rows, layout = rows_of(state), _layout(state, box)
    number = layout.row_at(y, len(rows))
    if number is None:
        return ""
    row = rows[number]
    key = layout.key_at(x, y)
    if key is not None:
        one = dict(_measured(row, answers)).get(key)
        name = words.PROPERTY_NAMES[key]
        if one is None:
            return f"{name}: not measured yet"
        return f"{name}: {words.verdict_text(one)}\n{words.sentence(one)}\nMeasured: {words.basis(one)}."
    lines = [row.title, *(plain_formula(line) for line in row.formulas)]
    return "\n".join([*lines, *([] if row.preset is None else [row.preset.sentence])])


def _layout(state: State, box: Box, top: float = 0.0) -> CompareLayout:
    return CompareLayout(box.width, row_height(len(rows_of(state)), box.height - top))


def _rows_box(box: Box, top: float) -> Box:
    return replace(box, height=box.height - top)


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
    return tuple(
        Place(
            f"row {number + 1}: {row.title}",
            Area(0.0, layout.top + number * layout.row_height, layout.width, layout.row_height),
            ", ".join(f"{words.PROPERTY_NAMES[key]}: {words.verdict_text(one)}" for key, one in known),
            is_chosen=number == chosen,
        )
        for number, (row, known) in enumerate(zip(rows, measured, strict=True))
    )


def _sizes(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))
