"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture, as algebra, and the best 2 x 2 where there is none."""

import math
from functools import partial
from typing import Final

import numpy as np

from pe_desktop.core import rotation
from pe_desktop.core.cursor import Cursor, n_hands
from pe_desktop.core.encoding import ROUNDING, Encoding
from pe_desktop.core.rotation import BestShift, eigenvalues, rotating_pairs, rotation_blocks, rotation_refusal
from pe_desktop.core.source.panels import missed_laws
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Formula, Live, Named, Words, in_row, paragraph
from pe_desktop.draw.formula_text import matrix, vector
from pe_desktop.draw.number_text import fixed, position, scientific, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width
from pe_desktop.draw.typeset import formula_block, plain_block
from pe_desktop.languages import told
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.resources import resource_json
from pe_desktop.views.controls import WORDS, Choice, Number
from pe_desktop.views.map_and_profile import exact_text
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.questions import shift_question, turned
from pe_desktop.views.rotation import picture
from pe_desktop.views.rotation.picture import Magnified, circle_picture, lens_picture, residual_chart

_WORDS: Final = resource_json("help.json")["views"]["rotation"]
_TIMES: Final = 10
# From this width on eigenvalues stand beside the laws, which take their share of it.
_LAWS_WIDE, _SHARE = 600.0, 0.58
_PLANE, _WIDE_PLANE = 200.0, 300.0


def _algebra_page(state: State, _answers: Answers) -> Block:
    """The laws below each other, the eigenvalues beside or below them."""
    named = list[Block]()
    for name, formula, number in _laws(state):
        block = Column((Words(name, "segment"), Formula(formula, 16), Words(number, "caption", "text2")), gap=2.0)
        named.append(Named(name, block, f"{plain_block(formula)}: {number}"))
    laws = Column(tuple(named), gap=10.0)
    beside, below = (Drawn(_eigenvalues, (state.encoding, state.cursor.offset), tall) for tall in (_WIDE_PLANE, _PLANE))
    return Fits((in_row((_SHARE, GROW), laws, beside), Column((laws, below), gap=10.0)), (_LAWS_WIDE, 0.0))


def _laws(state: State) -> list[tuple[str, str, str]]:
    """What M_k obeys: a name, the law as a formula, and the number that was computed for it."""
    encoding = state.encoding
    i = state.cursor.pair
    k = state.cursor.offset
    j = state.views.rotation.second_shift
    pairs = rotating_pairs(encoding)
    assert pairs is not None
    value = eigenvalues(encoding, k).reshape(-1, 2)[i, 0]
    *missed, volume = missed_laws(partial(rotation_blocks, encoding), k, j).tolist()
    composed, inverse, power = (scientific(one, 0) if one else "0" for one in missed)
    beside = f"{'+' if volume > 0 else '−'} {scientific(abs(volume), 0)}" if volume else "exactly"
    roots = f"{fixed(value.real, 3)} ± {fixed(abs(value.imag), 3)} √−1"
    on_circle = f"length {fixed(abs(value), 12)}, angle {turned(k * float(pairs.angular_frequencies[i]))}"
    shifts = dict(zip("jksm", map(position, (j, k, j + k, _TIMES * k)), strict=True))
    named = {"composed": composed, "inverse": inverse, "power": power, "beside": beside, "roots": roots}
    rows: list[list[str]] = _WORDS["turns" if pairs.keeps_length else "fades"]
    told = ([text.format(i=i, on_circle=on_circle, **shifts, **named) for text in row] for row in rows)
    return [(name, law, number) for name, law, number in told]


def _eigenvalues(area: Area, theme: Theme, encoding: Encoding, offset: float) -> marks.Picture:
    """All eigenvalues of M_k in the complex plane, in their pairs' colours, and the unit circle."""
    pairs = rotating_pairs(encoding)
    values = eigenvalues(encoding, offset)
    assert pairs is not None
    radius = max(min(area.width, area.height) / 2 - 24.0, 10.0)
    x, y = area.middle
    points = np.column_stack((x + radius * values.real.T.ravel(), y - radius * values.imag.T.ravel()))
    colors = np.tile(theme.pair_colors(pairs.count), (2, 1))
    cross = [[x - radius - 10, y, x + radius + 10, y], [x, y - radius - 10, x, y + radius + 10]]
    return (
        marks.lines(cross, theme.grid, 1.2),
        marks.Dots.at(x, y, radius, None, theme.axis, 1.4),
        marks.Text(x + radius + 14.0, y, "1", "tick", theme.text3),
        marks.FormulaText(x + 8.0, y - radius - 12.0, "√−1", 13, theme.text3),
        marks.DotCloud(points, colors, 6.0 if pairs.count <= 64 else 3.0),
    )


_BADGE: Final = 9.5
# Numbers are wider than tall.
_LENS, _LENS_TALL = 154.0, 110.0


def _best_questions(state: State) -> Questions:
    """How far the best 2 x 2 of the chosen hand misses."""
    cursor = state.cursor
    return (Question("best shift", rotation.best_shift, (state.encoding, cursor.offset, cursor.pair), takes="nothing"),)


def _best_page(state: State, answers: Answers) -> Block:
    """The sentence, the matrix with its equation, the residuals."""
    encoding = state.encoding
    shift: BestShift | None = answers.answer(_best_questions(state)[0])
    said = paragraph(_best_text(state, answers), "caption", "text")
    if shift is None or math.isnan(shift.share):
        return said
    later = f"p_{{t+{position(shift.offset)}}}".replace("+−", "−")
    words = Column(
        (
            flow.Space(16.0),
            _badged(encoding, shift.hand, Words(hand_name(encoding, shift.hand), "strong")),
            Formula(f"A p_t ≈ {later}", 16),
            Words("A by least squares", "caption", "text2"),
        ),
        gap=4.0,
    )
    entries = ", ".join(exact_text(entry) for entry in shift.matrix.ravel().tolist())
    lens = Named("A", Drawn(_lens, (shift,), _LENS_TALL), tooltip=f"A: {entries}")
    residuals = residual_chart("A", shift, state.cursor.position)
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
    return f"{rotation_refusal(state.encoding)} {_WORDS['best']}"


def _badged(encoding: Encoding, hand: int, block: Block) -> Block:
    """A block after the badge of a hand."""
    badge = Drawn(_badge, (hand, n_hands(encoding)), 22.0, wide=2 * badge_half_width(_BADGE, str(hand)))
    return in_row((FIT, GROW), badge, block, gap=8.0)


def _badge(area: Area, theme: Theme, hand: int, count: int) -> marks.Picture:
    return (marks.Badge(*area.middle, _BADGE, str(hand), theme.pair_color(hand, count)),)


def _lens(area: Area, theme: Theme, shift: BestShift) -> marks.Picture:
    return lens_picture(area, theme, shift.matrix, theme.pair_color(shift.hand, n_hands(shift.encoding)))


def _questions(state: State) -> Questions:
    """The residuals of M_k at every t."""
    return (shift_question(state.encoding, state.cursor.offset),)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if rotating_pairs(state.encoding) is None:
        return "best 2 × 2 of a hand", "best 2 × 2"
    return "one matrix for every position", "one matrix for all t", "one matrix"


def _laws_text(state: State, _answers: Answers) -> str:
    return "\n".join("\t".join((name, plain_block(formula), number)) for name, formula, number in _laws(state))


# From this width on the circle stands beside the matrix, and the equation beside the residuals; a bar on paper.
_CIRCLE_WIDE, _MATRIX_SHARE, _EQUATION_SHARE, _EQUATION_TALL, _BAR = 560.0, 0.64, 0.48, 76.0, 150.0


def _matrix_page(state: State, answers: Answers) -> Block:
    """M_k and its lens, the turn of the block, the circle and the equation where there is room, the residuals."""
    encoding = state.encoding
    cursor = state.cursor
    pairs = rotating_pairs(state.encoding)
    assert pairs is not None
    name = f"M_{{{position(cursor.offset)}}}"
    size = f"{whole(encoding.d_model)} × {whole(encoding.d_model)}"
    report: rotation.ShiftReport | None = answers.answer(_questions(state)[0])
    magnified = Magnified(encoding, cursor.offset, cursor.pair)
    said = Words(f"{size}, the same for every t", "caption", "text2", shorter=(size,))
    bar = flow.OnPaper((), paper=Drawn(picture.bar_picture, (), 20.0))
    heading = in_row((FIT, GROW, _BAR), Formula(name, 16), said, bar, gap=8.0)
    turn = cursor.offset * float(pairs.angular_frequencies[cursor.pair])
    omega = f"kω_{{{cursor.pair}}} = {position(cursor.offset)} × {short(pairs.angular_frequencies[cursor.pair])}"
    turns = _badged(encoding, cursor.pair, Formula(f"{omega} = {short(turn)} rad = {turned(turn)}", 16))
    residuals = residual_chart(f"M({position(cursor.offset)})", report, cursor.position)
    hands = Live(Drawn(circle_picture, (pairs, cursor), 110.0, grows=True))
    circle = Named("turn of the block", hands, tooltip=picture.hands_told(pairs, cursor))
    equation = Drawn(_equation, (encoding, cursor), _EQUATION_TALL)
    upper = in_row((_MATRIX_SHARE, GROW), magnified, circle)
    beside = in_row((_EQUATION_SHARE, GROW), Live(equation), residuals)
    wide = Column((upper, heading, turns, beside), gap=6.0)
    return Fits((wide, Column((magnified, heading, turns, residuals), gap=6.0)), (_CIRCLE_WIDE, 0.0))


def _equation(area: Area, theme: Theme, encoding: Encoding, cursor: Cursor) -> marks.Picture:
    """The block takes the two values of its pair from t to t + k: in letters, and with numbers."""
    pairs = rotating_pairs(encoding)
    assert pairs is not None
    block = rotation_blocks(encoding, cursor.offset)[cursor.pair]
    now, later = pairs.hands(cursor.both, [cursor.pair])[:, 0].tolist()
    t, u = map(position, cursor.both)
    letters = f"p_{{{u}}} = {told('block')} {cursor.pair} · p_{{{t}}}"
    numbers = f"{vector(later, 3)} = {matrix(*block.tolist(), decimals=3)} {vector(now, 3)}"
    below = formula_block(area.x, area.y + 30.0, numbers, 18, area.width, theme.text)
    return marks.FormulaText(area.x, area.y + 16.0, letters, 16, theme.text2), *below


def _page(state: State) -> str:
    """Where there is no M_k the best 2 x 2, until there is one."""
    return state.views.rotation.page if rotating_pairs(state.encoding) is not None else "best"


VIEW = PagedView(
    _page,
    {
        "matrix": Page(_matrix_page, _WORDS["one matrix"], _WORDS["matrix"], _questions, _laws_text, is_wide=True),
        "algebra": Page(_algebra_page, _WORDS["what it obeys"], _WORDS["algebra"], text=_laws_text),
        "best": Page(_best_page, _best_sentence, _best_explanation, _best_questions, _best_text, is_wide=True),
    },
    _forms,
    controls=(
        Choice(
            **WORDS["rotation"]["page"],
            refusals={"algebra": lambda state: rotation_refusal(state.encoding) or ""},
            shown=lambda state: "algebra" if _page(state) == "algebra" else "matrix",
        ),
        Number(name="rotation.second_shift", label="Second shift j", is_shown=lambda state: _page(state) == "algebra"),
    ),
)
