"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture and as algebra."""

from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.columns import hand_of_column
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import (
    RotationField,
    has_rotation,
    rotating_pairs,
    rotation_blocks,
    rotation_refusal,
)
from pe_desktop.core.shift import ShiftReport
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import degrees, position
from pe_desktop.draw.plot import readout_card
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.controls import Choice, Declared, Number
from pe_desktop.views.paged import Page, PagedView, ScenePage
from pe_desktop.views.questions import shift_question
from pe_desktop.views.rotation import algebra, best_shift
from pe_desktop.views.rotation.algebra import algebra_laws
from pe_desktop.views.rotation.picture import (
    RotationLayout,
    bar_picture,
    residual_heading,
    residual_picture,
    rotation_layout,
    rotation_picture,
)


def questions(state: State) -> tuple[Question, ...]:
    """The residuals of M_k at every t."""
    return (shift_question(state.encoding, state.cursor.offset),)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if not has_rotation(state.encoding):
        return "best 2 × 2 of a hand", "best 2 × 2"
    return "one matrix for every position", "one matrix for all t", "one matrix"


def _readout(state: State, _answers: Answers) -> str:
    laws = algebra_laws(state.encoding, state.cursor, state.views.rotation.second_shift)
    return "\n".join("\t".join(law) for law in laws)


def _sentence(state: State, _answers: Answers) -> str:
    return f"One matrix moves every position by {position(state.cursor.offset)}"


_EXPLANATION: Final = (
    "The matrix M_k with PE(t + k) = M_k PE(t): one block of four entries for each pair, the same for every t. "
    "The lens shows the chosen block, the circle its turn; residuals are measured on values of the table."
)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, cursor, theme = state.encoding, state.cursor, box.theme
    layout = rotation_layout(box.width, box.height)
    side = max(round(layout.matrix.width * box.pixel_ratio), 1)
    heat = _image(encoding, cursor.offset, side, theme.diverging.tobytes())
    picture: list[marks.Mark] = [*rotation_picture(layout, encoding, cursor, heat, theme)]
    if layout.residual is not None:
        report: ShiftReport | None = answers.answer(questions(state)[0])
        name = f"M_{{{position(cursor.offset)}}}"
        if report is None:
            picture += residual_heading(layout.residual, theme, name, cursor.offset)
        else:
            picture += residual_picture(layout.residual, theme, name, report, cursor.position)
    if box.is_paper:
        picture += bar_picture(layout, theme)
    picture += _readout_card(state, layout, box)
    return Scene(tuple(picture), places=Part(_places, encoding, cursor.offset, cursor.pair, layout))


def lines_at(state: State, layout: RotationLayout, x: float, y: float) -> tuple[str, ...]:
    """The entry of M_k under a point of the matrix or of the lens with all its digits, and where it stands."""
    pairs, cursor = rotating_pairs(state.encoding), state.cursor
    assert pairs is not None
    if layout.matrix.holds(x, y):
        cell = layout.matrix.width / state.encoding.d_model
        row, column = int((y - layout.matrix.y) / cell), int((x - layout.matrix.x) / cell)
    elif layout.lens.holds(x, y):
        block, half = pairs.dimensions(cursor.pair), layout.lens.width / 2
        row, column = block[int((y - layout.lens.y) / half)], block[int((x - layout.lens.x) / half)]
    else:
        return ()
    owners = hand_of_column(state.encoding)
    pair = int(owners[row])
    where = f"block of pair {pair}" if pair == owners[column] else "between blocks, always 0"
    value = RotationField(state.encoding, cursor.offset).value(row, column)
    return repr(value).replace("-", MINUS), f"row {row}, column {column} of M_{position(cursor.offset)}", where


def _readout_card(state: State, layout: RotationLayout, box: Box) -> marks.Picture:
    lines = () if box.pointer is None else lines_at(state, layout, *box.pointer)
    return readout_card(*box.pointer, box.area, lines, box.theme) if box.pointer is not None and lines else ()


@lru_cache(maxsize=4)
def _image(encoding: Encoding, offset: float, side: int, colors: bytes) -> QImage:
    """M_k in side x side pixels; colors are three bytes each, from -1 to +1."""
    whole = float(encoding.d_model)
    field = RotationField(encoding, offset)
    table = color_table(np.frombuffer(colors, dtype=np.uint8).reshape(-1, 3))
    return HeatMap().image(field, View(0.0, whole, 0.0, whole), (side, side), table)


def _places(encoding: Encoding, offset: float, pair: int, layout: RotationLayout) -> tuple[Place, ...]:
    """Matrix, block, its four entries with all their digits, and the residuals."""
    pairs = rotating_pairs(encoding)
    assert pairs is not None
    turn = degrees(float(pairs.offset_angles([offset], [pair])[0, 0]))
    block = Place(f"block {pair}", layout.lens, turn, is_chosen=True)
    residuals = () if layout.residual is None else (Place("residuals", layout.residual),)
    half, dimensions = layout.lens.width / 2, pairs.dimensions(pair)
    entries = [
        Place(
            f"entry {dimensions[row]}, {dimensions[column]}",
            Area(layout.lens.x + column * half, layout.lens.y + row * half, half, half),
            repr(value).replace("-", MINUS),
        )
        for row, values in enumerate(rotation_blocks(encoding, offset)[pair].tolist())
        for column, value in enumerate(values)
    ]
    return (Place(f"matrix M_{position(offset)}", layout.matrix), block, *entries, *residuals)


def _refusal(state: State) -> str:
    return rotation_refusal(state.encoding) or ""


def _page(state: State) -> str:
    """Where there is no M_k the best 2 x 2, until there is one."""
    return state.views.rotation.page if has_rotation(state.encoding) else "best"


VIEW = PagedView(
    _page,
    {
        "matrix": ScenePage(scene, _sentence, _EXPLANATION, _readout, questions),
        "algebra": Page(algebra.page, algebra.sentence, algebra.EXPLANATION, text=_readout),
        "best": Page(
            best_shift.page,
            best_shift.sentence,
            best_shift.explanation,
            best_shift.questions,
            best_shift.readout,
            is_wide=True,
        ),
    },
    _forms,
    Declared(
        page="rotation.page",
        accessible_name="Rotation matrix",
        reads_pointer=True,
        controls=(
            Choice(
                name="rotation.page",
                label="Rotation shows",
                words={"matrix": "Matrix", "algebra": "Algebra"},
                tooltips={"algebra": "What M_k obeys, with residuals"},
                refusals={"algebra": _refusal},
                shown=lambda state: "algebra" if _page(state) == "algebra" else "matrix",
            ),
            Number(
                name="rotation.second_shift", label="Second shift j", is_shown=lambda state: _page(state) == "algebra"
            ),
        ),
    ),
)
