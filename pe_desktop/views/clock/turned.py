"""Small dials of a query and a key under RoPE: each pair before and after its turn, in its true length."""

import math
from typing import Any, Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.scores.rotary import (
    RotaryPairs,
    TurnedVectors,
    rotary_of,
    turned_vectors,
    with_turned,
)
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, nearest_tip
from pe_desktop.draw.number_text import short
from pe_desktop.draw.theme import Theme, still_color, with_alpha
from pe_desktop.views.clock.small import Dials, caption_picture, cell_ground

_FAINT_ALPHA: Final = 0.35
_ROLES: Final = ("query", "key")


class Knob(NamedTuple):
    """The end of a turned query or key of a pair, the dial it stands on, and the length that the radius stands for.

    encoding: the one that it was taken hold of with.
    """

    name: str
    pair: int
    dial: Dial
    reach: float
    encoding: Encoding


def turned_dials_picture(dials: Dials, state: State, theme: Theme) -> marks.Picture:
    """The pairs in `dials.shown`: q solid, k dashed, faint before the turn; up is x_2i, to the right x_2i+1.

    ValueError with a sentence where there are no vectors.
    """
    vectors, hands, cursor = turned_vectors(state), RotaryPairs(rotary_of(state)), state.cursor
    picture: list[marks.Mark] = []
    for pair in dials.shown:
        turns = pair < hands.rotary.n_turning
        color = theme.pair_color(pair, hands.count) if turns else still_color(theme)
        is_chosen = pair == cursor.pair
        picture += cell_ground(dials.grid, pair, theme) if is_chosen else ()
        dial = dials.grid.dial(pair)
        picture.append(marks.Rings(dial.x, dial.y, np.array([dial.radius]), theme.text2 if is_chosen else theme.axis))
        picture += _lines(dial, vectors, pair, color, turns=turns)
        picture += _knobs(dial, vectors, pair, color, theme)
        picture += caption_picture(dials.grid, pair, float(hands.wavelengths[pair]), theme)
    return tuple(picture)


def knob_at(dials: Dials, state: State, x: float, y: float) -> Knob | None:
    """The end of a query or key under a point; that of the key lies under that of the query."""
    pair = dials.grid.pair_at(x, y, RotaryPairs(rotary_of(state)).count)
    if pair is None:
        return None
    vectors, dial = turned_vectors(state), dials.grid.dial(pair)
    both = vectors.turned_query[pair], vectors.turned_key[pair]
    tips = np.vstack([_tip(dial, components, vectors.reach) for components in both])
    found = nearest_tip(tips, x, y)
    return None if found is None else Knob(_ROLES[found], pair, dial, vectors.reach, state.encoding)


def knob_changes(state: State, knob: Knob, x: float, y: float, *, keeps_length: bool) -> dict[str, Any]:
    """What of the state changes when a knob is dragged to a point: the vector before it is turned."""
    if state.encoding != knob.encoding:
        # A key may have brought another one while the button is down.
        return {}
    scale = knob.reach / knob.dial.radius
    turned = (knob.dial.y - y) * scale, (x - knob.dial.x) * scale
    vector = with_turned(state, knob.name, knob.pair, turned, keeps_length=keeps_length)
    return {f"rotary.{knob.name}": tuple(vector.tolist())}


def pair_sentence(state: State, pair: int) -> str:
    """How a pair turns, and which dimensions its dial shows."""
    hands = RotaryPairs(rotary_of(state))
    up, right = hands.dimensions(pair)
    axes = f"up is dimension {up}, right is dimension {right}"
    if pair >= hands.rotary.n_turning:
        return f"pair {pair}: not turned; {axes}"
    turn = short(math.degrees(float(hands.angular_frequencies[pair])))
    return (
        f"pair {pair}: turned clockwise by {turn}° a position; {axes}.\n"
        "As a matrix R(k) turns in the inverse sense of M_k, which is written in the order (sin, cos)."
    )


def _lines(dial: Dial, vectors: TurnedVectors, pair: int, color: QColor, *, turns: bool) -> list[marks.Mark]:
    """Both vectors from the centre, and, where they turn, faint lines to where they were."""
    faint = [vectors.query[pair], vectors.key[pair]] if turns else []
    lines: list[marks.Mark] = [
        dial.lines(_tip(dial, line, vectors.reach), with_alpha(color, _FAINT_ALPHA), 1.6) for line in faint
    ]
    query, key = (_tip(dial, line[pair], vectors.reach) for line in (vectors.turned_query, vectors.turned_key))
    return [*lines, dial.lines(key, color, 1.6, (4.0, 3.0)), dial.lines(query, color, 2.4)]


def _knobs(dial: Dial, vectors: TurnedVectors, pair: int, color: QColor, theme: Theme) -> list[marks.Mark]:
    query, key = (_tip(dial, line[pair], vectors.reach) for line in (vectors.turned_query, vectors.turned_key))
    return [
        marks.Dots(key, 3.6, theme.panel, color, 1.6),
        marks.Dots(query, 4.2, color),
        dial.hub(theme),
    ]


def _tip(dial: Dial, components: marks.Points, reach: float) -> marks.Points:
    """Where two components end, shape (1, 2): the first upwards, the second to the right."""
    up, right = (components * (dial.radius / reach)).tolist()
    return np.array([[dial.x + right, dial.y - up]])
