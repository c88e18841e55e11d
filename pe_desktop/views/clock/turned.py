"""Small dials of a query and a key under RoPE: each pair before and after its turn, in its true length."""

import math
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.scores.rotary import RotaryPairs, TurnedVectors, rotary_of, turned_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, nearest_tip
from pe_desktop.draw.number_text import short
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.views.clock.dials import Dials, caption_picture, cell_ground

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
    vectors, hands = turned_vectors(state), RotaryPairs(rotary_of(state))
    offsets, picture = _offsets(vectors, dials.grid.dial(0).radius), marks.Marks()
    for pair in dials.shown:
        turns, is_chosen = pair < hands.rotary.n_turning, pair == state.cursor.pair
        color = theme.pair_color(pair, hands.count) if turns else theme.still_color
        dial = dials.grid.dial(pair)
        ring = theme.text2 if is_chosen else theme.axis
        tips = offsets[:, pair] + (dial.x, dial.y)
        query, key = tips[2:3], tips[3:]
        picture += cell_ground(dials.grid, pair, theme) if is_chosen else ()
        picture.append(dial.ring(ring))
        if turns:
            picture.append(dial.lines(tips[:2], with_alpha(color, _FAINT_ALPHA), 1.6))
        picture += [
            dial.lines(key, color, 1.6, (4.0, 3.0)),
            dial.lines(query, color, 2.4),
            marks.Dots(key, 3.6, theme.panel, color, 1.6),
            marks.Dots(query, 4.2, color),
            dial.hub(theme),
            *caption_picture(dial, pair, float(hands.wavelengths[pair]), theme),
        ]
    return tuple(picture)


def knob_at(dial: Dial, pair: int, state: State, x: float, y: float) -> Knob | None:
    """The end of a query or key under a point; that of the key lies under that of the query."""
    vectors = turned_vectors(state)
    found = nearest_tip(_offsets(vectors, dial.radius)[2:, pair] + (dial.x, dial.y), x, y)
    return None if found is None else Knob(_ROLES[found], pair, dial, vectors.reach, state.encoding)


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
        "As a matrix R(k) turns in the inverse sense of M(k), which is written in the order (sin, cos)."
    )


def _offsets(vectors: TurnedVectors, radius: float) -> marks.Points:
    """How far right of and below the centre q and k end, before and after they are turned, shape (4, n_pairs, 2)."""
    parts = np.stack((vectors.query, vectors.key, vectors.turned_query, vectors.turned_key))
    return parts[:, :, ::-1] * (radius / vectors.reach) * (1.0, -1.0)
