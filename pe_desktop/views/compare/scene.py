"""Compare: encodings of the same sizes side by side, each with its table and the same ten measurements."""

import math
from types import ModuleType
from typing import Final

from pe_desktop.core.presets import COMPARISONS, common_sizes
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Block, Column, page_scene
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.compare import difference, measured
from pe_desktop.views.compare.rows import (
    HEADER_HEIGHT,
    CompareLayout,
    chosen_row,
    header_block,
    layout_in,
    narrowest_width,
    row_height,
    rows_block,
    rows_box,
    rows_of,
    sizes_text,
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
_TOLD: Final = {"measurements": measured, "difference": difference}


def table_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The pictures of the tables in device pixels; none where there is no room for them."""
    layout = layout_in(state, box)
    size = round(layout.table_width * box.pixel_ratio), round((layout.row_height - 18.0) * box.pixel_ratio)
    if 0 in size:
        return ()
    colors = box.theme.diverging.tobytes()
    return tuple(_told(state).table_question(row, state, size, colors) for row in rows_of(state))


def rows_scene(state: State, answers: Answers, box: Box) -> Scene:
    """The rows alone."""
    return page_scene(_rows(state, answers, box), box, is_wide=True)


def header_scene(state: State, box: Box, width: float) -> Scene:
    """The names of the columns as they stand over rows of a width."""
    return page_scene(_header(state, width), box, is_wide=True)


def rows_height(state: State, room: float) -> float:
    """The height of the rows where there is room for so much."""
    return len(rows_of(state)) * row_height(len(rows_of(state)), room)


def sentence_at(state: State, answers: Answers, box: Box, x: float, y: float) -> str:
    """What the rows say in full under a point."""
    layout = layout_in(state, box)
    number = layout.row_at(y, len(rows_of(state)))
    told: str = "" if number is None else _told(state).sentence_at(layout, state, answers, number, x, y)
    return told


def _told(state: State) -> ModuleType:
    return _TOLD[state.views.compare.shows]


def _header(state: State, width: float) -> Block:
    layout, told = CompareLayout(width), _told(state)
    return header_block(layout, told.NOTE if layout.table_width else "", told.columns(layout), told.heads(layout))


def _rows(state: State, answers: Answers, box: Box) -> Block:
    rows, layout, told = rows_of(state), layout_in(state, box), _told(state)
    tables = tuple(answers.answer(question) for question in table_questions(state, box)) or (None,) * len(rows)
    cells = told.cells(layout, state, answers)
    return rows_block(layout, rows, tables, told.columns(layout), cells, chosen_row(state))


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    """The names of the columns over the rows."""
    rows = _rows(state, answers, rows_box(box, HEADER_HEIGHT))
    return page_scene(Column((_header(state, box.width), rows)), box, is_wide=True)


def _height(state: State, _answers: Answers, width: float, _theme: Theme) -> float:
    return math.inf if width < narrowest_width() else HEADER_HEIGHT + rows_height(state, 0.0)


def _sentence(state: State, _answers: Answers) -> str:
    title = _TITLES[state.views.compare.list]
    if _told(state) is difference:
        return f"{title}, each less {difference.reference_title(state)}"
    return f"{title}, {sizes_text(common_sizes(rows_of(state)))}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {sizes_text(own)}"
    is_difference = _told(state) is difference
    told = f"each less {difference.reference_title(state)}" if is_difference else "the same ten measurements for each"
    of = "two lengths" if state.views.compare.list == "lengths" else f"{sizes_text(sizes)}{but}"
    return f"{told}, {of}", told, "differences" if is_difference else "ten measurements"


def _page(told: ModuleType) -> ScenePage:
    return ScenePage(_scene, _sentence, told.EXPLANATION, told.readout, told.questions, _height)


VIEW = PagedView(
    "compare.shows",
    {name: _page(told) for name, told in _TOLD.items()},
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
