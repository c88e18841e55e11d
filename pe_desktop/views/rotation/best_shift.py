"""The page where there is no M_k: why, the best 2 x 2 of the chosen hand, and how far it misses at every t."""

import math
from typing import Final

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import rotation_refusal
from pe_desktop.core.shift import BestShift, best_shift
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Formula, Grid, Space, Words
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import fixed, position, short
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.rotation.picture import ROUNDING, lens_picture, residual_picture

_BADGE: Final = 9.5
# Numbers are wider than tall.
_LENS, _LENS_TALL = 154.0, 110.0
_LEAST_RESIDUALS, _LEFT = 120.0, 48.0


def questions(state: State) -> tuple[Question, ...]:
    """How far the best 2 x 2 of the chosen hand misses."""
    cursor = state.cursor
    return (Question("best shift", best_shift, (state.encoding, cursor.offset, cursor.pair), is_whole=True),)


def page(state: State, answers: Answers) -> Block:
    """The sentence, the matrix with its equation, the residuals."""
    encoding, cursor = state.encoding, state.cursor
    shift: BestShift | None = answers.answer(questions(state)[0])
    said = Words(best_shift_sentence(encoding, cursor, shift), "caption", is_paragraph=True)
    if shift is None or math.isnan(shift.share):
        return said
    badge = Drawn(_badge, (shift.hand, n_hands(encoding)), 22.0, wide=2 * badge_half_width(_BADGE, str(shift.hand)))
    later = f"p_{{t+{position(shift.offset)}}}".replace("+−", "−")
    words = Column(
        (
            Space(16.0),
            Grid((FIT, GROW), ((badge, Words(hand_name(encoding, shift.hand), "strong")),), gap=8.0),
            Formula(f"A p_t ≈ {later}", 16),
            Words("A by least squares", "caption", "text2"),
        ),
        gap=4.0,
    )
    lens = Drawn(_lens, (shift,), _LENS_TALL)
    residuals = Drawn(_residuals, (shift, cursor.position), _LEAST_RESIDUALS, grows=True)
    return Column((said, Grid((_LENS, GROW), ((lens, words),), gap=18.0), residuals), gap=12.0)


def best_shift_sentence(encoding: Encoding, cursor: Cursor, shift: BestShift | None) -> str:
    """Why there is no M_k, and what the best 2 x 2 of the chosen hand misses, once it is known."""
    name = hand_name(encoding, cursor.pair)
    if shift is None:
        found = f"Measuring the best 2 × 2 for {name}…"
    elif math.isnan(shift.share):
        found = "No t and t + k lie in the table."
    elif shift.share == 0 and not shift.matrix.any():
        found = f"All values of {name} are 0 at t + k: choose another pair to see more."
    elif shift.share <= ROUNDING:
        found = f"The best 2 × 2 for {name} misses nothing but rounding."
    else:
        found = f"The best 2 × 2 for {name} misses {_percent(shift.share)}."
    return f"{rotation_refusal(encoding)} {found}"


def readout(state: State, answers: Answers) -> str:
    return best_shift_sentence(state.encoding, state.cursor, answers.answer(questions(state)[0]))


def sentence(state: State, _answers: Answers) -> str:
    name = hand_name(state.encoding, state.cursor.pair)
    return f"The best 2 × 2 of {name} for a shift by {position(state.cursor.offset)}"


def explanation(state: State) -> str:
    return (
        f"{rotation_refusal(state.encoding)} The matrix A is the best 2 × 2 for the two chosen columns: it takes "
        "their values at t nearest to those at t + k, for all t together; below it is how far it misses at each t."
    )


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{fixed(percent, 1)} %" if percent >= 0.1 or percent == 0 else f"{short(percent)} %"


def _badge(area: Area, theme: Theme, hand: int, count: int) -> marks.Picture:
    return (marks.Badge(*area.middle, _BADGE, str(hand), theme.pair_color(hand, count)),)


def _lens(area: Area, theme: Theme, shift: BestShift) -> marks.Picture:
    return lens_picture(area, theme, shift.matrix, theme.pair_color(shift.hand, n_hands(shift.encoding)))


def _residuals(area: Area, theme: Theme, shift: BestShift, t: float) -> marks.Picture:
    inner = Area(area.x + _LEFT, area.y, area.width - _LEFT - 10.0, area.height)
    return residual_picture(inner, theme, "A", shift, t)
