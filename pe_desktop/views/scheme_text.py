"""Whether a head reads the hands of the clock, in a few words, and the colours of the hands."""

from dataclasses import replace

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.scores.rotary import turns_vectors
from pe_desktop.core.scores.schemes import SCHEMES, NoPositions, Rotary
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme, still_color


def unread(state: State) -> str:
    """The reason why the head reads no hands; empty where it reads them."""
    scheme = SCHEMES[state.scheme_at_work]
    if scheme is Rotary and not turns_vectors(state):
        return "not read: no pair turns"
    if scheme.reads_hands:
        return ""
    return "not read: no positions" if scheme is NoPositions else f"not read by {scheme.title}"


def hand_color(encoding: Encoding, hand: int, theme: Theme) -> QColor:
    """The colour of a pair, or of two columns that are chosen together: grey where it doesn't turn."""
    pairs = encoding.pairs
    if pairs is not None and not pairs.angular_frequencies[hand]:
        return still_color(theme)
    return theme.pair_color(hand, n_hands(encoding))


def hands_theme(state: State, theme: Theme) -> Theme:
    """The theme in which hands and waves are drawn: grey for all pairs where the head doesn't read them."""
    return _grey_theme(theme) if unread(state) else theme


def hands_box(state: State, box: Box) -> Box:
    """The box in that theme."""
    theme = hands_theme(state, box.theme)
    return box if theme is box.theme else replace(box, theme=theme)


def _grey_theme(theme: Theme) -> Theme:
    """The same theme with one grey for all pairs; it has a name of its own, as themes are equal by all but the ramp."""
    grey = still_color(theme)
    ramp = np.tile(np.array([grey.red(), grey.green(), grey.blue()], dtype=np.float64), (2, 1))
    return replace(theme, name=f"{theme.name}, grey", pair_ramp=ramp)
