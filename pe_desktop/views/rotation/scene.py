"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture, as algebra, and the best 2 x 2 where there is none."""

import math
from functools import partial
from typing import Final

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.cursor import hand_of_column, n_hands
from pe_desktop.core.encoding import ROUNDING, Encoding
from pe_desktop.core.record import kept
from pe_desktop.core.rotation import (
    BestShift,
    RotationField,
    ShiftReport,
    best_shift,
    eigenvalues,
    rotating_pairs,
    rotation_blocks,
    rotation_refusal,
)
from pe_desktop.core.source.panels import missed_laws
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Formula, Named, Space, Words, in_row, paragraph
from pe_desktop.draw.number_text import degrees, fixed, position, scientific, short
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width
from pe_desktop.draw.typeset import plain_block
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.controls import Choice, Declared, Number
from pe_desktop.views.map_and_profile import exact_text, pointer_card
from pe_desktop.views.paged import Page, PagedView, ScenePage
from pe_desktop.views.questions import shift_question, turned
from pe_desktop.views.rotation.picture import (
    RotationLayout,
    bar_picture,
    lens_picture,
    residual_heading,
    residual_picture,
    rotation_layout,
    rotation_picture,
)

_ALGEBRA: Final = "Each law of M_k with the number computed for it on values of the table, and its eigenvalues."
_TIMES: Final = 10
# From this width on eigenvalues stand beside the laws, which take their share of it.
_LAWS_WIDE, _SHARE = 600.0, 0.58
_PLANE, _WIDE_PLANE = 200.0, 300.0


def _algebra_page(state: State, _answers: Answers) -> Block:
    """The laws below each other, the eigenvalues beside or below them."""
    encoding, cursor = state.encoding, state.cursor
    named = list[Block]()
    for name, formula, number in _laws(state):
        block = Column((Words(name, "segment"), Formula(formula, 16), Words(number, "caption", "text2")), gap=2.0)
        named.append(Named(name, block, f"{plain_block(formula)}: {number}"))
    laws = Column(tuple(named), gap=10.0)
    beside, below = (Drawn(_eigenvalues, (encoding, cursor.offset), tall) for tall in (_WIDE_PLANE, _PLANE))
    return Fits((in_row((_SHARE, GROW), laws, beside), Column((laws, below), gap=10.0)), (_LAWS_WIDE, 0.0))


def _algebra_sentence(state: State, _answers: Answers) -> str:
    return f"What the matrix that moves every position by {position(state.cursor.offset)} obeys"


def _laws(state: State) -> list[tuple[str, str, str]]:
    """What M_k obeys: a name, the law as a formula, and the number that was computed for it."""
    encoding = state.encoding
    i = state.cursor.pair
    k = state.cursor.offset
    j = state.views.rotation.second_shift
    pairs, m_k = rotating_pairs(encoding), f"M_{{{position(k)}}}"
    assert pairs is not None
    value = eigenvalues(encoding, k).reshape(-1, 2)[i, 0]
    turn = k * float(pairs.angular_frequencies[i])
    two_shifts = f"M_{{{position(j)}}} {m_k} = M_{{{position(j + k)}}}"
    many_shifts = f"({m_k})^{{{_TIMES}}} = M_{{{position(_TIMES * k)}}}"
    composed, inverse, power, volume = missed_laws(partial(rotation_blocks, encoding), k, j).tolist()
    beside = f"{'+' if volume > 0 else '−'} {scientific(abs(volume), 0)}" if volume else "exactly"
    is_turn = pairs.keeps_length
    back = "The way back is the transpose" if is_turn else "The transpose is not the way back"
    differences = (
        ("Two shifts are one", two_shifts, composed),
        (back, f"{m_k} {m_k}^T {'=' if is_turn else '≠'} I", inverse),
        (f"{_TIMES} times the same shift", many_shifts, power),
    )
    volumes = "No length or volume changes" if is_turn else "Lengths and volumes change"
    factor, where = ("", "on") if is_turn else (f"ζ_{{{i}}}^k ", "off")
    roots = f"{fixed(value.real, 3)} ± {fixed(abs(value.imag), 3)} √−1"
    return [
        *((name, law, f"differs by {scientific(missed, 0) if missed else 0}") for name, law, missed in differences),
        (volumes, f"det {m_k} {'=' if is_turn else '≠'} 1", f"1 {beside}"),
        (
            f"Eigenvalues of block {i} lie {where} the unit circle",
            f"{factor}exp(±k ω_{{{i}}} √−1) = {roots}",
            f"length {fixed(abs(value), 12)}, angle {turned(turn)}",
        ),
    ]


def _eigenvalues(area: Area, theme: Theme, encoding: Encoding, offset: float) -> marks.Picture:
    """All eigenvalues of M_k in the complex plane, in their pairs' colours, and the unit circle."""
    pairs, values = rotating_pairs(encoding), eigenvalues(encoding, offset)
    assert pairs is not None
    radius = max(min(area.width, area.height) / 2 - 24.0, 10.0)
    x, y = area.middle
    points = np.column_stack((x + radius * values.real.T.ravel(), y - radius * values.imag.T.ravel()))
    colors = np.tile(theme.pair_colors(pairs.count), (2, 1))
    cross = [[x - radius - 10, y, x + radius + 10, y], [x, y - radius - 10, x, y + radius + 10]]
    return (
        marks.lines(cross, theme.grid, 1.2),
        marks.Rings(x, y, np.array([radius]), theme.axis, 1.4),
        marks.Text(x + radius + 14.0, y, "1", "tick", theme.text3),
        marks.FormulaText(x + 8.0, y - radius - 12.0, "√−1", 13, theme.text3),
        marks.DotCloud(points, colors, 6.0 if pairs.count <= 64 else 3.0),
    )


_BADGE: Final = 9.5
# Numbers are wider than tall.
_LENS, _LENS_TALL = 154.0, 110.0
_LEAST_RESIDUALS, _LEFT = 120.0, 48.0


def _best_questions(state: State) -> Questions:
    """How far the best 2 x 2 of the chosen hand misses."""
    cursor = state.cursor
    return (Question("best shift", best_shift, (state.encoding, cursor.offset, cursor.pair), takes="nothing"),)


def _best_page(state: State, answers: Answers) -> Block:
    """The sentence, the matrix with its equation, the residuals."""
    encoding = state.encoding
    shift: BestShift | None = answers.answer(_best_questions(state)[0])
    said = paragraph(_best_text(state, answers), "caption", "text")
    if shift is None or math.isnan(shift.share):
        return said
    badge = Drawn(_badge, (shift.hand, n_hands(encoding)), 22.0, wide=2 * badge_half_width(_BADGE, str(shift.hand)))
    later = f"p_{{t+{position(shift.offset)}}}".replace("+−", "−")
    words = Column(
        (
            Space(16.0),
            in_row((FIT, GROW), badge, Words(hand_name(encoding, shift.hand), "strong"), gap=8.0),
            Formula(f"A p_t ≈ {later}", 16),
            Words("A by least squares", "caption", "text2"),
        ),
        gap=4.0,
    )
    lens = Drawn(_lens, (shift,), _LENS_TALL)
    residuals = Drawn(_residuals, (shift, state.cursor.position), _LEAST_RESIDUALS, grows=True)
    return Column((said, in_row((_LENS, GROW), lens, words, gap=18.0), residuals), gap=12.0)


def _best_text(state: State, answers: Answers) -> str:
    """Why there is no M_k, and what the best 2 x 2 of the chosen hand misses, once it is known."""
    shift = answers.answer(_best_questions(state)[0])
    name = hand_name(state.encoding, state.cursor.pair)
    if shift is None:
        found = f"Measuring the best 2 × 2 for {name}…"
    elif math.isnan(shift.share):
        found = "No t and t + k lie in the table."
    elif shift.share == 0 and not shift.matrix.any():
        found = f"All values of {name} are 0 at t + k: choose another pair to see more."
    elif shift.share <= ROUNDING:
        found = f"The best 2 × 2 for {name} misses by {short(shift.share, 2)}, rounding only."
    else:
        found = f"The best 2 × 2 for {name} misses by {short(100 * shift.share)} % of what it should give."
    return f"{rotation_refusal(state.encoding)} {found}"


def _best_sentence(state: State, _answers: Answers) -> str:
    name = hand_name(state.encoding, state.cursor.pair)
    return f"The best 2 × 2 of {name} for a shift by {position(state.cursor.offset)}"


def _best_explanation(state: State) -> str:
    return (
        f"{rotation_refusal(state.encoding)} The matrix A is the best 2 × 2 for the two chosen columns: it takes "
        "their values at t nearest to those at t + k, for all t together; below it is how far it misses at each t."
    )


def _badge(area: Area, theme: Theme, hand: int, count: int) -> marks.Picture:
    return (marks.Badge(*area.middle, _BADGE, str(hand), theme.pair_color(hand, count)),)


def _lens(area: Area, theme: Theme, shift: BestShift) -> marks.Picture:
    return lens_picture(area, theme, shift.matrix, theme.pair_color(shift.hand, n_hands(shift.encoding)))


def _residuals(area: Area, theme: Theme, shift: BestShift, t: float) -> marks.Picture:
    inner = Area(area.x + _LEFT, area.y, area.width - _LEFT - 10.0, area.height)
    return residual_picture(inner, theme, "A", shift, t)


def _questions(state: State) -> Questions:
    """The residuals of M_k at every t."""
    return (shift_question(state.encoding, state.cursor.offset),)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if rotating_pairs(state.encoding) is None:
        return "best 2 × 2 of a hand", "best 2 × 2"
    return "one matrix for every position", "one matrix for all t", "one matrix"


def _laws_text(state: State, _answers: Answers) -> str:
    return "\n".join("\t".join((name, plain_block(formula), number)) for name, formula, number in _laws(state))


def _matrix_sentence(state: State, _answers: Answers) -> str:
    return f"One matrix moves every position by {position(state.cursor.offset)}"


_MATRIX: Final = (
    "The matrix M_k with PE(t + k) = M_k PE(t): one block of four entries for each pair, the same for every t. "
    "The lens shows the chosen block, the circle its turn; residuals are measured on values of the table."
)


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, cursor, theme = state.encoding, state.cursor, box.theme
    layout = rotation_layout(box.width, box.height)
    side = max(round(layout.matrix.width * box.pixel_ratio), 1)
    heat = _image(encoding, cursor.offset, side, theme.diverging.tobytes())
    picture: marks.Marks = [*rotation_picture(layout, encoding, cursor, heat, theme)]
    if layout.residual is not None:
        report: ShiftReport | None = answers.answer(_questions(state)[0])
        name = f"M_{{{position(cursor.offset)}}}"
        if report is None:
            picture += residual_heading(layout.residual, theme, name, cursor.offset)
        else:
            picture += residual_picture(layout.residual, theme, name, report, cursor.position)
    if box.is_paper:
        picture += bar_picture(layout, theme)
    picture += pointer_card(box, () if box.pointer is None else _lines_at(state, layout, *box.pointer))
    return Scene(tuple(picture), places=Part(_places, encoding, cursor.offset, cursor.pair, layout))


def _lines_at(state: State, layout: RotationLayout, x: float, y: float) -> tuple[str, ...]:
    """The entry of M_k under a point of the matrix or of the lens with all its digits, and where it stands."""
    pairs, cursor = rotating_pairs(state.encoding), state.cursor
    assert pairs is not None
    matrix, lens = layout.matrix, layout.lens
    if matrix.holds(x, y):
        cell = matrix.width / state.encoding.d_model
        row, column = int((y - matrix.y) / cell), int((x - matrix.x) / cell)
    elif lens.holds(x, y):
        block, half = pairs.dimensions(cursor.pair), lens.width / 2
        row, column = block[int((y - lens.y) / half)], block[int((x - lens.x) / half)]
    else:
        return ()
    owners = hand_of_column(state.encoding)
    pair = int(owners[row])
    where = f"block of pair {pair}" if pair == owners[column] else "between blocks, always 0"
    value = RotationField(state.encoding, cursor.offset).value(row, column)
    return exact_text(value), f"row {row}, column {column} of M({position(cursor.offset)})", where


@kept
def _image(encoding: Encoding, offset: float, side: int, colors: bytes) -> QImage:
    """M_k in side x side pixels; colors are three bytes each, from -1 to +1."""
    whole = float(encoding.d_model)
    field = RotationField(encoding, offset)
    return HeatMap().image(field, View(0.0, whole, 0.0, whole), (side, side), color_table(colors))


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
            exact_text(value),
        )
        for row, values in enumerate(rotation_blocks(encoding, offset)[pair].tolist())
        for column, value in enumerate(values)
    ]
    sets = partial(_pair_in, encoding, layout.matrix)
    return (Place(f"matrix M({position(offset)})", layout.matrix, sets=sets), block, *entries, *residuals)


def _pair_in(encoding: Encoding, matrix: Area, x: float, _y: float) -> dict[str, int]:
    """The pair of a column of the matrix."""
    column = int((x - matrix.x) / matrix.width * encoding.d_model)
    return {"pair": int(hand_of_column(encoding)[min(max(column, 0), encoding.d_model - 1)])}


def _page(state: State) -> str:
    """Where there is no M_k the best 2 x 2, until there is one."""
    return state.views.rotation.page if rotating_pairs(state.encoding) is not None else "best"


VIEW = PagedView(
    _page,
    {
        "matrix": ScenePage(_scene, _matrix_sentence, _MATRIX, _laws_text, _questions),
        "algebra": Page(_algebra_page, _algebra_sentence, _ALGEBRA, text=_laws_text),
        "best": Page(_best_page, _best_sentence, _best_explanation, _best_questions, _best_text, is_wide=True),
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
                tooltips={"algebra": "What these matrices obey: two shifts are one, the way back, volumes"},
                refusals={"algebra": lambda state: rotation_refusal(state.encoding) or ""},
                shown=lambda state: "algebra" if _page(state) == "algebra" else "matrix",
            ),
            Number(
                name="rotation.second_shift", label="Second shift j", is_shown=lambda state: _page(state) == "algebra"
            ),
        ),
    ),
)
