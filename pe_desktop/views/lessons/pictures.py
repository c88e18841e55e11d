"""Pictures of questions: hands, their turn, a wave and rows of a table, in a state that the plots don't show."""

import math
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import dial_in, face_picture
from pe_desktop.draw.flow import Block, Drawn, Row, Table
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.lessons.talks import Question

_DIAL, _WAVE = 190.0, 120.0
_N_ROWS: Final = 5
_DASH: Final = (5.0, 3.0)


@cache
def picture_of(question: Question) -> Block:
    """What is drawn above the answers of a question."""
    state = state_of(question.pictured)
    if question.picture == "wave":
        return _wave(state)
    if question.picture == "rows":
        return _rows(state)
    offset = state.cursor.offset if question.picture == "turn" else 0.0
    return Drawn(_hands, (state.encoding, state.cursor.position, offset), _DIAL)


def _hands(area: Area, theme: Theme, encoding: Encoding, position: float, offset: float) -> marks.Picture:
    """The hands at t, and hollow ones at t + k."""
    pairs = encoding.pairs
    assert pairs is not None
    inks = [theme.pair_color(number, pairs.count) for number in range(pairs.count)]
    turned = [(position + offset, _DASH)] if offset else []
    hands = [
        (angle, ink, dash)
        for at, dash in ((position, ()), *turned)
        for angle, ink in zip(pairs.angles([at])[0], inks, strict=True)
    ]
    return _dial(area, theme, pairs.count, hands)


def placed(area: Area, theme: Theme, *hands: tuple[float, str]) -> marks.Picture:
    """A dial with hands in degrees, each in a colour of the theme."""
    return _dial(area, theme, 1, [(math.radians(angle), getattr(theme, ink), ()) for angle, ink in hands])


def _dial(
    area: Area, theme: Theme, n_rings: int, hands: list[tuple[float, QColor, tuple[float, ...]]]
) -> marks.Picture:
    """A dial with hands, each as long as its ring; a dashed one ends hollow."""
    dial = replace(dial_in(area.width, area.height), x=area.middle[0], y=area.middle[1])
    picture: marks.Marks = [*face_picture(dial, n_rings, theme)]
    for (angle, color, dash), reach in zip(hands, cycle(dial.ring_radii(n_rings)), strict=False):
        tip = np.array([dial.tip(angle, reach)])
        picture += [dial.lines(tip, color, 2.0, dash), marks.Dots(tip, 6.0, theme.panel if dash else color, color, 2.0)]
    return (*picture, dial.hub(theme))


def _wave(state: State) -> Block:
    encoding, pair = state.encoding, state.cursor.pair
    assert encoding.pairs is not None
    x = np.linspace(0.0, encoding.n_positions - 1.0, 600)
    sines = encoding.pairs.hands(x, [pair])[:, 0, 0]
    scale = Scale("position", 0.0, float(x[-1]), ticks="positions")
    return Chart("", scale, Scale("", -1.1, 1.1), (Curve("", x, sines, is_chosen=True),), tall=_WAVE, has_names=False)


def _rows(state: State) -> Block:
    """Rows of the table from t on; in the one that is k rows further a sign is wrong."""
    first = round(state.cursor.position)
    values = state.encoding.values(range(first, first + _N_ROWS))
    values[round(state.cursor.offset), 0] *= -1.0
    rows = tuple(
        Row((whole(first + place), *(fixed(one, 2) for one in row))) for place, row in enumerate(values.tolist())
    )
    return Table(("row", *(f"dim {number}" for number in range(values.shape[1]))), rows)
