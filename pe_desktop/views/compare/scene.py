"""Compare: encodings of the same sizes side by side, each with its table and the same ten measurements."""

import math
from dataclasses import replace
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
    header_block,
    narrowest_width,
    row_height,
    rows_block,
    rows_of,
    sizes_text,
    table_size,
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
_SHOWN: Final = {"measurements": measured, "difference": difference}


def table_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The pictures of the tables in device pixels; none where there is no room for them."""
    wide, tall = table_size(box.width, _row_height(state, box.height))
    size = round(wide * box.pixel_ratio), round(tall * box.pixel_ratio)
    if 0 in size:
        return ()
    colors = box.theme.diverging.tobytes()
    return tuple(_shown(state).table_question(row, state, size, colors) for row in rows_of(state))


def rows_scene(state: State, answers: Answers, box: Box) -> Scene:
    """The rows alone."""
    return page_scene(_rows(state, answers, box), box, is_wide=True)


def header_scene(state: State, box: Box, width: float) -> Scene:
    """The names of the columns as they stand over rows of a width."""
    return page_scene(_header(state, width), box, is_wide=True)


def rows_height(state: State, room: float) -> float:
    """The height of the rows where there is room for so much."""
    return len(rows_of(state)) * _row_height(state, room)


def _row_height(state: State, room: float) -> float:
    return row_height(len(rows_of(state)), room)


def _shown(state: State) -> ModuleType:
    return _SHOWN[state.views.compare.shows]


def _header(state: State, width: float) -> Block:
    page = _shown(state)
    return header_block(width, page.NOTE, page.shares(), page.heads())


def _rows(state: State, answers: Answers, box: Box) -> Block:
    page, tall = _shown(state), _row_height(state, box.height)
    images = tuple(map(answers.answer, table_questions(state, box))) or (None,) * len(rows_of(state))
    rows = zip(images, page.cells(state, answers), strict=True)
    return rows_block(state, box.width, tall, page.shares(), rows)


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    """The names of the columns over the rows."""
    rows = _rows(state, answers, replace(box, height=box.height - HEADER_HEIGHT))
    return page_scene(Column((_header(state, box.width), rows)), box, is_wide=True)


def _height(state: State, _answers: Answers, width: float, _theme: Theme) -> float:
    return math.inf if width < narrowest_width() else HEADER_HEIGHT + rows_height(state, 0.0)


def _sentence(state: State, _answers: Answers) -> str:
    title = _TITLES[state.views.compare.list]
    if _shown(state) is difference:
        return f"{title}, each less {difference.reference_title(state)}"
    return f"{title}, {sizes_text(common_sizes(rows_of(state)))}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    rows = rows_of(state)
    sizes, own = common_sizes(rows), (rows[0].encoding.n_positions, rows[0].encoding.d_model)
    # A figure of a text has sizes of its own, to which no press on another row leads.
    but = "" if own == sizes else f"; in the first row {sizes_text(own)}"
    is_difference = _shown(state) is difference
    what = f"each less {difference.reference_title(state)}" if is_difference else "the same ten measurements for each"
    of = "two lengths" if state.views.compare.list == "lengths" else f"{sizes_text(sizes)}{but}"
    return f"{what}, {of}", what, "differences" if is_difference else "ten measurements"


def _page(module: ModuleType) -> ScenePage:
    return ScenePage(_scene, _sentence, module.EXPLANATION, module.readout, module.questions, _height)


VIEW = PagedView(
    "compare.shows",
    {name: _page(module) for name, module in _SHOWN.items()},
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
