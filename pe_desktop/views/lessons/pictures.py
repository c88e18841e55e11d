"""Pictures of questions: hands, their turn, a wave and rows of a table, in a state that the plots don't show."""

from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.caches import told_cache
from pe_desktop.core.encoding import Encoding, Floats
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


@told_cache()
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
    return _dial(area, theme, [(pairs.angles([at])[0], inks, dash) for at, dash in ((position, ()), *turned)])


def placed(area: Area, theme: Theme, *hands: tuple[float, str]) -> marks.Picture:
    """A dial with hands in degrees, each in a colour of the theme."""
    return _dial(area, theme, [(np.radians([angle]), [getattr(theme, ink)], ()) for angle, ink in hands])


def _dial(area: Area, theme: Theme, hands: list[tuple[Floats, list[QColor], tuple[float, ...]]]) -> marks.Picture:
    """A dial with hands, each as long as its ring; dashed ones end hollow."""
    n_rings = max((len(inks) for _, inks, _ in hands), default=1)
    dial = replace(dial_in(area.width, area.height), x=area.middle[0], y=area.middle[1])
    picture: marks.Marks = [*face_picture(dial, n_rings, theme)]
    for angles, inks, dash in hands:
        for tip, ink in zip(dial.tips(angles, dial.ring_radii(n_rings)), inks, strict=True):
            picture.append(dial.lines(tip[None], ink, 2.0, dash))
            picture.append(marks.Dots(tip[None], 6.0, theme.panel if dash else ink, ink, 2.0))
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
