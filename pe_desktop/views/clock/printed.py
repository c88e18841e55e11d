"""Hands as a text prints them: a dial for each pinned pair, and nothing else."""

import math

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import position
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.views.clock.small import HAND_LENGTH

# Title, the position under it, the pair under each dial, the words under all.
_TITLE, _POSITION, _TOP, _PAIR_BELOW, _WORDS_ABOVE, _BOTTOM = 12.0, 34.0, 52.0, 18.0, 8.0, 56.0
_GAP = 24.0


def printed_hands(state: State, box: Box) -> Scene:
    """The hands of the pinned pairs at t, clockwise from 12 o'clock."""
    lettering, theme, pairs = box.lettering, box.theme, state.encoding.pairs
    assert lettering is not None
    assert pairs is not None
    shown, middle = visible_pins(state.cursor, state.encoding), box.width / 2
    radius = max(min((box.height - _TOP - _BOTTOM) / 2, (box.width / len(shown) - _GAP) / 2), 8.0)
    picture: list[marks.Mark] = [
        marks.Text(middle, _TITLE, lettering.title, "title", theme.text, across=0.5),
        marks.Text(middle, _POSITION, f"t = {position(state.cursor.position)}", "label", theme.text, across=0.5),
        marks.Text(middle, box.height - _WORDS_ABOVE, lettering.x, "label", theme.text, across=0.5),
    ]
    angles = pairs.angles([state.cursor.position], shown)[0].tolist()
    for place, (pair, angle) in enumerate(zip(shown, angles, strict=True)):
        x, y = box.width * (place + 0.5) / len(shown), _TOP + radius
        color, reach = theme.pair_color(pair, n_hands(state.encoding)), HAND_LENGTH * radius
        tip = x + reach * math.sin(angle), y - reach * math.cos(angle)
        picture += [
            marks.Rings(x, y, np.array([radius]), theme.axis, 1.4),
            marks.Segments(np.array([[x, y, *tip]]), color, 3.0),
            marks.Dots(np.array([tip]), 5.0, color),
            marks.Dots(np.array([(x, y)]), 3.0, theme.ink),
            marks.Text(x, y + radius + _PAIR_BELOW, f"i = {pair}", "label", theme.text, across=0.5),
        ]
    return Scene(tuple(picture))
