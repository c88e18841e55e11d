"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture and as algebra."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, cast

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.columns import hand_of_column
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import (
    RotationField,
    eigenvalues,
    has_rotation,
    rotating_pairs,
    rotation_blocks,
    rotation_refusal,
)
from pe_desktop.core.shift import BestShift, ShiftReport, best_shift
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import degrees, position
from pe_desktop.draw.plot import readout_card
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene, page_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, formula_runs, plain_formula, wrapped
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.rotation.best_shift import best_shift_picture, best_shift_sentence
from pe_desktop.views.rotation.laws import algebra_lines
from pe_desktop.views.rotation.layout import RotationLayout, rotation_layout
from pe_desktop.views.rotation.picture import bar_picture, eigenvalue_picture, residual_picture, rotation_picture
from pe_desktop.views.shift import shift_question

# Pixels of a page of text: the eigenvalues' plane, then a line of each role.
_EIGENVALUES_HEIGHT: Final = 200.0
_HEADING, _NOTE, _FORMULA, _GAP = 18.0, 16.0, 25.0, 10.0
_FORMULA_PIXELS: Final = 16
# From this width on eigenvalues stand beside the laws, which take their share of it.
_WIDE, _TEXT_SHARE = 600.0, 0.6


def page_of(state: State) -> str:
    """The page that is seen: where there is no M_k the matrix page, until there is one."""
    return state.views.rotation.page if has_rotation(state.encoding) else "matrix"


def report_of(state: State) -> Question:
    """The residuals of M_k at every t, or how far the best 2 x 2 of the chosen hand misses."""
    encoding, cursor = state.encoding, state.cursor
    if has_rotation(encoding):
        return shift_question(encoding, cursor.offset)
    return Question("best shift", _best_shift, (cast("Any", encoding), cursor.offset, cursor.pair))


def questions(state: State) -> tuple[Question, ...]:
    return (report_of(state),) if page_of(state) == "matrix" else ()


def scene(state: State, answers: Answers, box: Box) -> Scene:
    if page_of(state) == "matrix":
        return _matrix_scene(state, answers, box)
    page = tuple(_blocks(state)), page_width(box.width), box.theme
    return Scene(moving=_text_page(*page)[0], places=Part(_line_places, *page))


def height(state: State, answers: Answers, width: float, theme: Theme) -> float | None:
    """The height that the page needs at a width, None for one that takes whatever room there is."""
    return None if page_of(state) == "matrix" else _text_page(_blocks(state), page_width(width), theme)[1]


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    if not has_rotation(state.encoding):
        return fitting("caption", ("best 2 × 2 of a hand", "best 2 × 2"), room)
    return fitting("caption", ("one matrix for every position", "one matrix for all t", "one matrix"), room)


def readout(state: State, answers: Answers) -> str:
    if not has_rotation(state.encoding):
        return best_shift_sentence(state.encoding, state.cursor, answers.answer(report_of(state)))
    lines = algebra_lines(state.encoding, state.cursor, state.views.rotation.second_shift)
    return "\n".join("\t".join(line) for line in lines)


def sentence(state: State, answers: Answers) -> str:
    offset = position(state.cursor.offset)
    if not has_rotation(state.encoding):
        return f"The best 2 × 2 of {hand_name(state.encoding, state.cursor.pair)} for a shift by {offset}"
    return {
        "matrix": f"One matrix moves every position by {offset}",
        "algebra": f"What the matrix that moves every position by {offset} obeys",
    }[page_of(state)]


def explanation(state: State) -> str:
    if not has_rotation(state.encoding):
        return (
            f"{rotation_refusal(state.encoding)} The matrix A is the best 2 × 2 for the two chosen columns: it takes "
            "their values at t nearest to those at t + k, for all t together; below it is how far it misses at each t."
        )
    return {
        "matrix": (
            "The matrix M_k with PE(t + k) = M_k PE(t): one block of four entries for each pair, the same for every t. "
            "The lens shows the chosen block, the circle its turn; residuals are measured on values of the table."
        ),
        "algebra": "Each law of M_k with the number computed for it on values of the table, and its eigenvalues.",
    }[page_of(state)]


def _best_shift(encoding: Encoding, offset: float, pair: int, task: Task) -> BestShift:
    return best_shift(encoding, offset, pair)


def _matrix_scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, cursor, theme = state.encoding, state.cursor, box.theme
    if not has_rotation(encoding):
        best: BestShift | None = answers.answer(report_of(state))
        return Scene(best_shift_picture(box.width, box.height, encoding, cursor, best, theme))
    layout = rotation_layout(box.width, box.height)
    heat = _image(
        encoding, cursor.offset, max(round(layout.matrix.width * box.pixel_ratio), 1), theme.diverging.tobytes()
    )
    picture: list[marks.Mark] = [*rotation_picture(layout, encoding, cursor, heat, theme)]
    if layout.residual is not None:
        report: ShiftReport | None = answers.answer(report_of(state))
        picture += residual_picture(layout.residual, report, encoding.n_positions, cursor, theme)
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


# A line of a page of text: its role (heading, note, formula, eigenvalues) and what it says.
_Block = tuple[str, Any]


def _blocks(state: State) -> list[_Block]:
    encoding, cursor = state.encoding, state.cursor
    laws = algebra_lines(encoding, cursor, state.views.rotation.second_shift)
    blocks = [
        block
        for name, formula, number in laws
        for block in (("heading", name), ("formula", formula), ("note", number), ("gap", ""))
    ]
    return [*blocks, ("eigenvalues", (encoding, cursor.offset))]


def _text_page(blocks: Sequence[_Block], width: float, theme: Theme) -> tuple[marks.Picture, float]:
    """The lines below each other, none wider than width, and how high they are together."""
    picture: list[marks.Mark] = []
    y = 4.0
    *lines, (last, content) = blocks
    if last == "eigenvalues" and width >= _WIDE:
        # Beside the laws.
        pairs, left = rotating_pairs(content[0]), width * _TEXT_SHARE
        assert pairs is not None
        area = Area(left, 0.0, width - left, _EIGENVALUES_HEIGHT * 1.5)
        picture += eigenvalue_picture(area, pairs, eigenvalues(*content), theme)
        blocks, width = lines, left - 20.0
    for role, text in blocks:
        mark, tall = _block(role, text, y, width, theme)
        picture += mark
        y += tall
    return tuple(picture), y


def _block(role: str, text: Any, y: float, width: float, theme: Theme) -> tuple[marks.Picture, float]:
    if role == "formula":
        wide = formula_runs(text, _FORMULA_PIXELS)[1]
        pixels = _FORMULA_PIXELS if wide <= width else max(int(_FORMULA_PIXELS * width / wide), 8)
        return (marks.FormulaText(0.0, y + _FORMULA / 2, text, pixels, theme.text),), _FORMULA
    if role == "eigenvalues":
        pairs = rotating_pairs(text[0])
        assert pairs is not None
        area = Area(0.0, y, width, _EIGENVALUES_HEIGHT)
        return eigenvalue_picture(area, pairs, eigenvalues(*text), theme), area.height
    if role == "gap":
        return (), _GAP
    lines = wrapped("caption", text, width, 6) if role == "note" else [text]
    style, color, step = ("caption", theme.text2, _NOTE) if role == "note" else ("segment", theme.text, _HEADING)
    drawn = tuple(marks.Text(0.0, y + step * (n + 0.5), line, style, color) for n, line in enumerate(lines))
    return drawn, step * len(lines)


def _line_places(blocks: Sequence[_Block], width: float, theme: Theme) -> tuple[Place, ...]:
    """Every line of a page of text, formulas in plain letters."""
    places, y = [], 4.0
    for number, (role, text) in enumerate(blocks):
        _, tall = _block(role, text, y, width, theme)
        if role in ("heading", "note", "formula"):
            words = plain_formula(text) if role == "formula" else text
            places.append(Place(f"line {number + 1}: {words}", Area(0.0, y, width, tall)))
        y += tall
    return tuple(places)
