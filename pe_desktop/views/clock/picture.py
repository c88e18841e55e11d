"""The dial with all hands."""

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.columns import face_hands, face_hands_of, hand_of_column, n_hands
from pe_desktop.core.cursor import Cursor, Preview, cursor_angles, visible_pins
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.theme import Theme, mixed, still_color, with_alpha

MOST_HANDS = 32


def half_picture(dial: Dial, first_one: float, theme: Theme) -> marks.Picture:
    """The half of the dial in which bits are 1, from this share of a turn on: it lies under the rings."""
    # An arc as wide as its radius is a half disc.
    return (marks.Arc(dial.x, dial.y, dial.radius / 2, math.tau * first_one, math.pi, theme.sunken, dial.radius),)


TURN = 2 * math.pi
BADGE_RADIUS = 12.0
_DOT_RADIUS = 4.0
# So short an arc, 3 pixels wide, lies under the dot at its beginning.
_COVERED_ARC = 2.0
_GHOST_RADIUS = 3.4
ARC_ALPHA = 0.34
_HAND_ALPHA = 0.55
_CLOUD_DIAMETER = 3.0
# So many dots hide each other: smaller ones.
_MANY_DOTS = 4096
_MANY_DOTS_DIAMETER = 2.0


@record(eq=False)
class HandState:
    """Angles of every hand at t and t + k and the turn between them, radians, shape (n_pairs,).

    shares: the length of every hand as a share of the longest, shape (n_pairs,).
    """

    angles: NDArray[np.float64]
    later_angles: NDArray[np.float64]
    turns: NDArray[np.float64]
    shares: NDArray[np.float64]
    turns_evenly: bool = True

    def radii(self, dial: Dial) -> NDArray[np.float64]:
        """Where the hands end: on their rings, or as far inside as they are shorter than the longest."""
        return dial.ring_radii(len(self.shares)) * self.shares


@record
class _Shown:
    """Which hands are drawn thin, and which thick with the badge of their pair; chosen is the chosen pair."""

    plain: list[int]
    named: dict[int, int]
    chosen: int


def hand_state(pairs: Turning, cursor: Cursor) -> HandState:
    """Where the hands stand for a cursor."""
    now, later = cursor_angles(pairs, cursor.position, cursor.offset)
    return HandState(now, later, cursor_turns(pairs, cursor), length_shares(pairs), pairs.turns_evenly)


def cursor_turns(pairs: Turning, cursor: Cursor) -> NDArray[np.float64]:
    """How far hands turn from t to t + k, radians, shape (n_pairs,)."""
    if pairs.turns_evenly:
        return np.asarray(cursor.offset * pairs.angular_frequencies)
    return np.asarray(pairs.turns([cursor.position], cursor.offset)[0])


def length_shares(pairs: Turning) -> NDArray[np.float64]:
    """The length of every hand as a share of the longest, shape (n_pairs,), read-only."""
    return _length_shares(cast("Hashable", pairs))


@lru_cache(maxsize=4)
def _length_shares(pairs: Turning) -> NDArray[np.float64]:
    lengths = pairs.lengths
    shares = np.asarray(lengths / lengths.max())
    shares.flags.writeable = False
    return shares


class WholeTurn(NamedTuple):
    """The ring of a hand that the offset takes all the way round: its radius, turn in radians, colour and width."""

    radius: float
    turn: float
    rgba: int
    width: float


@lru_cache(maxsize=4)
def whole_turns(dial: Dial, encoding: Encoding, cursor: Cursor, theme: Theme) -> tuple[WholeTurn, ...]:
    """The rings of hands that turn evenly: they stay while t moves, and equal ones of other encodings look alike."""
    hands = face_hands(encoding)
    if hands is None or not hands.turns_evenly:
        return ()
    still = np.zeros(hands.count)
    state = HandState(still, still, cursor_turns(hands, cursor), length_shares(hands))
    shown = _shown_hands(encoding, cursor, hands.count, MOST_HANDS)
    inks = _inks_of(_hand_colors(encoding, theme), shown, theme)
    arcs = _all_arcs(dial, state.radii(dial), state, shown, inks, are_whole=True)
    return tuple(WholeTurn(arc.radius, arc.turn, arc.color.rgba(), arc.width) for arc in arcs)


def whole_turns_picture(dial: Dial, turns: Sequence[WholeTurn]) -> marks.Picture:
    """These rings."""
    return tuple(
        marks.Arc(dial.x, dial.y, radius, 0.0, turn, QColor.fromRgba(rgba), width)
        for radius, turn, rgba, width in turns
    )


def hands_picture(
    dial: Dial, encoding: Encoding, state: HandState, cursor: Cursor, theme: Theme, most_hands: int = MOST_HANDS
) -> marks.Picture:
    """Arcs that move with t, ghosts, hands, badges; above `most_hands` pairs dots for all, hands for the named."""
    n_pairs = len(state.angles)
    colors = _hand_colors(encoding, theme)
    shown = _shown_hands(encoding, cursor, n_pairs, most_hands)
    radii = state.radii(dial)
    tips, ghosts = dial.tips(state.angles, radii), dial.tips(state.later_angles, radii)
    picture: list[marks.Mark] = []
    if n_pairs > most_hands:
        diameter = _CLOUD_DIAMETER if n_pairs <= _MANY_DOTS else _MANY_DOTS_DIAMETER
        picture.append(marks.DotCloud(tips, colors, diameter))
    inks = _inks_of(colors, shown, theme)
    picture += _all_arcs(dial, radii, state, shown, inks, are_whole=False)
    if not state.turns_evenly:
        # Where hands turn unevenly no arc stays, not even one that goes all the way round.
        picture += _all_arcs(dial, radii, state, shown, inks, are_whole=True)
    lines = np.empty((n_pairs if shown.plain else 0, 4))
    lines[:, :2], lines[:, 2:] = (dial.x, dial.y), tips[: len(lines)]
    for hand in shown.plain:
        one = slice(hand, hand + 1)
        picture += _plain_hand(lines[one], tips[one], ghosts[one], inks[hand], theme)
    chosen_last = [item for item in shown.named.items() if item[1] != cursor.pair]
    chosen_last += [item for item in shown.named.items() if item[1] == cursor.pair]
    named = [(pair, tips[hand].tolist(), ghosts[hand].tolist(), inks[hand].color) for hand, pair in chosen_last]
    for pair, tip, ghost, color in named:
        picture += _named_line(dial, tip, ghost, pair == cursor.pair, color)
    for pair, tip, ghost, color in named:
        # Under its own badge a number would only be seen in pieces.
        label = "" if math.dist(tip, ghost) < BADGE_RADIUS * 1.6 else str(pair)
        picture.append(marks.Badge(ghost[0], ghost[1], BADGE_RADIUS, label, color, theme.panel, theme.text))
    for pair, tip, _, color in named:
        picture.append(marks.Badge(tip[0], tip[1], BADGE_RADIUS, str(pair), color))
    picture.append(marks.Dots(np.array([[dial.x, dial.y]]), 4.5, theme.panel, theme.ink, 3.0))
    return tuple(picture)


def preview_hands_picture(
    dial: Dial, encoding: Encoding, preview: Preview | None, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """Faint hands of the named pairs at what is under the pointer; dashed ones with hollow tips for a key."""
    hands = face_hands(encoding) if preview is not None else None
    if preview is None or hands is None:
        return ()
    named = np.array(sorted(named_hands(encoding, cursor)))
    radii = (dial.ring_radii(hands.count) * length_shares(hands))[named]
    faint, picture = with_alpha(theme.text3, 0.55), list[marks.Mark]()
    for position, is_query in preview.places:
        angles = hands.angles([position], named)[0]
        tips = dial.tips(angles, radii)
        picture.append(dial.lines(tips, faint, 1.5, () if is_query else (4.0, 3.0)))
        picture.append(marks.Dots(tips, _DOT_RADIUS, *((faint,) if is_query else (theme.panel, faint, 1.5))))
    return tuple(picture)


def named_hands(encoding: Encoding, cursor: Cursor) -> dict[int, int]:
    """The hands of the pinned pairs and of the chosen one, each with its pair."""
    pairs = dict.fromkeys((*visible_pins(cursor, encoding), cursor.pair))
    if encoding.pairs is not None:
        return {pair: pair for pair in pairs}
    return {hand: pair for pair in pairs for hand in face_hands_of(encoding, pair)}


def _hand_colors(encoding: Encoding, theme: Theme) -> NDArray[np.uint8]:
    """Red, green, blue of every hand of the face, shape (count, 3): that of the pair it is chosen with."""
    if encoding.pairs is not None:
        colors, turns = theme.pair_colors(encoding.pairs.count), encoding.pairs.angular_frequencies != 0
        if turns.all():
            return colors
        still = still_color(theme)
        return np.where(turns[:, np.newaxis], colors, np.array([still.red(), still.green(), still.blue()], np.uint8))
    return np.asarray(theme.pair_colors(n_hands(encoding))[hand_of_column(encoding)])


class _Ink(NamedTuple):
    """The colour of a hand, and what its arc and a hand without a badge look like."""

    color: QColor
    arc: QColor
    line: QColor


def _inks_of(colors: NDArray[np.uint8], shown: _Shown, theme: Theme) -> dict[int, _Ink]:
    hands, ground = [*shown.plain, *shown.named], theme.panel.rgba()
    return {hand: _ink(*color, ground) for hand, color in zip(hands, colors[hands].tolist(), strict=True)}


@lru_cache(maxsize=1024)
def _ink(red: int, green: int, blue: int, ground: int) -> _Ink:
    color, behind = QColor(red, green, blue), QColor.fromRgba(ground)
    return _Ink(color, mixed(color, behind, ARC_ALPHA), mixed(color, behind, _HAND_ALPHA))


def _shown_hands(encoding: Encoding, cursor: Cursor, n_pairs: int, most_hands: int) -> _Shown:
    named = named_hands(encoding, cursor)
    plain = [hand for hand in range(n_pairs) if hand not in named] if n_pairs <= most_hands else []
    return _Shown(plain, named, cursor.pair)


def _all_arcs(
    dial: Dial,
    radii: NDArray[np.float64],
    state: HandState,
    shown: _Shown,
    inks: dict[int, _Ink],
    *,
    are_whole: bool,
) -> list[marks.Arc]:
    turns = np.minimum(np.maximum(state.turns, -TURN), TURN)
    lengths = np.abs(radii * turns)[shown.plain].tolist()
    widths = {hand: 3.0 for hand, length in zip(shown.plain, lengths, strict=True) if length > _COVERED_ARC}
    widths |= {hand: 9.0 if pair == shown.chosen else 6.0 for hand, pair in shown.named.items()}
    hands = [hand for hand in widths if (abs(state.turns[hand]) >= TURN) == are_whole]
    numbers = radii, state.angles, turns
    return [
        marks.Arc(dial.x, dial.y, radius, angle, turn, inks[hand].arc, widths[hand])
        for hand, radius, angle, turn in zip(hands, *(values[hands].tolist() for values in numbers), strict=True)
    ]


def _plain_hand(
    line: marks.Points, tip: marks.Points, ghost: marks.Points, ink: _Ink, theme: Theme
) -> tuple[marks.Mark, ...]:
    """A line, shape (1, 4), and both ends, shape (1, 2) each."""
    return (
        marks.Segments(line, ink.line, 1.2),
        marks.Dots(ghost, _GHOST_RADIUS, theme.panel, ink.color, 1.5),
        marks.Dots(tip, _DOT_RADIUS, ink.color),
    )


def _named_line(dial: Dial, tip: list[float], ghost: list[float], is_chosen: bool, color: QColor) -> list[marks.Mark]:
    lines: list[marks.Mark] = [dial.lines(np.array([tip]), color, 4.0 if is_chosen else 2.6)]
    return [*lines, dial.lines(np.array([ghost]), color, 1.6, (5.0, 4.0))] if is_chosen else lines
