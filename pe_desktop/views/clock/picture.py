"""The dial with all hands: its picture, its places, and which hand ends at a point."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import (
    Cursor,
    Preview,
    cursor_angles,
    face_hands_of,
    half_hands,
    hand_of_column,
    n_hands,
    pair_of_face_hand,
)
from pe_desktop.core.encoding import Encoding, Turning, read_only
from pe_desktop.core.measuring.periodic import never_turned
from pe_desktop.core.record import kept
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, face_picture, nearest_tip
from pe_desktop.draw.number_text import degrees, fixed
from pe_desktop.draw.plot import label_on_ground
from pe_desktop.draw.scene import Area, Box, Part, Place
from pe_desktop.draw.theme import Theme, mixed, rgb, with_alpha

MOST_HANDS = 32
BADGE_RADIUS = 12.0
# The names of the axes: below π/2 and beside 0.
_AXIS_LINE, _AXIS_BESIDE = 17.0, 12.0
_DOT_RADIUS, _GHOST_RADIUS = 4.0, 3.4
ARC_ALPHA, _HAND_ALPHA = 0.34, 0.55
# Of the angles that training never had.
_UNSEEN_ALPHA, _UNSEEN_WIDTH = 0.32, 2.6
# From this radius on shadows have their values, half as wide, at the first of these distances from the axis.
_WITH_VALUES, _HALF, _AWAY = 90.0, 20.0, (13.0, 25.0, 37.0)
# Of dots that stand for hands; more than so many hide each other and are smaller ones.
_MANY_DOTS, _CLOUD_DIAMETER, _MANY_DOTS_DIAMETER = 4096, 3.0, 2.0


class _HandState(NamedTuple):
    """Angles of every hand at t and t + k, and its length as a share of the longest, at both, shape (2, n_pairs).

    turns: how far they turn between, radians, shape (n_pairs,).
    """

    angles: NDArray[np.float64]
    turns: NDArray[np.float64]
    shares: NDArray[np.float64]

    def radii(self, dial: Dial) -> NDArray[np.float64]:
        """Where the hands end: on their rings, or as far inside as they are shorter than the longest."""
        return np.asarray(dial.ring_radii(self.shares.shape[1]) * self.shares)

    def tips(self, dial: Dial) -> list[marks.Points]:
        """The points where they end, at t and at t + k."""
        return [*map(dial.tips, self.angles, self.radii(dial))]


def hand_state(pairs: Turning, cursor: Cursor) -> _HandState:
    """Where the hands stand for a cursor."""
    angles = cursor_angles(pairs, cursor.position, cursor.offset)
    return _HandState(angles, cursor_turns(pairs, cursor), length_shares(pairs, cursor.both))


def cursor_turns(pairs: Turning, cursor: Cursor) -> NDArray[np.float64]:
    """How far hands turn from t to t + k, radians, shape (n_pairs,)."""
    if pairs.turns_evenly:
        return cursor.offset * pairs.angular_frequencies
    return np.asarray(pairs.turns([cursor.position], cursor.offset)[0])


@kept
def length_shares(pairs: Turning, positions: tuple[float, ...] = (0.0,)) -> NDArray[np.float64]:
    """The lengths of hands at positions as shares of the longest at 0, shape (len(positions), n_pairs), read-only.

    Hands that are longer before 0 end where that one does.
    """
    return read_only(np.minimum(pairs.lengths_at(positions) / pairs.lengths.max(), 1.0))


class _Shown(NamedTuple):
    """Which hands are drawn thin, which thick with a badge; colours of hands, arcs and thin lines."""

    plain: list[int]
    named: dict[int, int]
    colors: dict[int, QColor]
    arcs: dict[int, QColor]
    lines: dict[int, QColor]


# They stay while t and k move.
@kept
def _shown_hands(encoding: Encoding, pair: int, pins: tuple[int, ...], n_hands: int, theme: Theme) -> _Shown:
    named = named_hands(encoding, Cursor(0.0, 0.0, pair, pins))
    plain = [hand for hand in range(n_hands) if hand not in named] if n_hands <= MOST_HANDS else []
    hands = [*plain, *named]
    rgb = _hand_colors(encoding, theme)[hands].tolist()
    colors = {hand: QColor(*color) for hand, color in zip(hands, rgb, strict=True)}
    arcs = {hand: mixed(color, theme.panel, ARC_ALPHA) for hand, color in colors.items()}
    lines = {hand: mixed(colors[hand], theme.panel, _HAND_ALPHA) for hand in plain}
    return _Shown(plain, named, colors, arcs, lines)


# The arc of a hand from t to t + k: its radius, where it starts and how far it turns, radians, its colour and width.
Turn: TypeAlias = tuple[float, float, float, QColor, float]


def unseen_turns(
    radii: NDArray[np.float64], pairs: Turning, length: int, hands: Sequence[int], theme: Theme
) -> dict[int, Turn]:
    """The angles that training never had of hands that never turned once over so many positions, by hand.

    On a ring of a radius of each hand, radii shape (len(hands),); nothing for a length of 0.
    """
    if not length or not pairs.turns_evenly:
        return {}
    omegas = pairs.angular_frequencies
    never = never_turned(pairs, length)
    starts = pairs.angles([0.0], hands)[0]
    seen = omegas * (length - 1)
    color = with_alpha(theme.text3, _UNSEEN_ALPHA)
    return {
        hand: (radius, start + float(seen[hand]), math.tau - float(seen[hand]), color, _UNSEEN_WIDTH)
        for hand, radius, start in zip(hands, radii.tolist(), starts.tolist(), strict=True)
        if never[hand] and omegas[hand]
    }


def _turns(dial: Dial, state: _HandState, shown: _Shown, pair: int) -> list[Turn]:
    """How far hands turn, once around at most."""
    turns, radii = np.clip(state.turns, -math.tau, math.tau), state.radii(dial)[0]
    widths = dict.fromkeys(shown.plain, 3.0) | {hand: 9.0 if of == pair else 6.0 for hand, of in shown.named.items()}
    numbers = zip(*(values[[*widths]].tolist() for values in (radii, state.angles[0], turns)), strict=True)
    return [(*turn, shown.arcs[hand], wide) for turn, (hand, wide) in zip(numbers, widths.items(), strict=True)]


def hands_picture(dial: Dial, encoding: Encoding, state: _HandState, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Arcs that move with t, ghosts, hands, badges; above MOST_HANDS dots for all, hands for the named."""
    count, pair = len(state.turns), cursor.pair
    shown = _shown_hands(encoding, pair, cursor.pinned_pairs, count, theme)
    radii = state.radii(dial)
    # A row of zeros has no hands.
    is_there = [[at != encoding.empty_row] for at in cursor.both]
    tips, ghosts = map(dial.tips, state.angles, radii * is_there)
    picture: marks.Marks = []
    if count > MOST_HANDS:
        diameter = _CLOUD_DIAMETER if count <= _MANY_DOTS else _MANY_DOTS_DIAMETER
        picture.append(marks.DotCloud(tips, _hand_colors(encoding, theme), diameter))
    picture += [marks.Arc(dial.x, dial.y, *turn) for turn in _turns(dial, state, shown, pair)]
    for hand in shown.plain:
        color, one = shown.colors[hand], slice(hand, hand + 1)
        picture += [
            dial.lines(tips[one], shown.lines[hand], 1.2),
            marks.Dots(ghosts[one], _GHOST_RADIUS, theme.panel, color, 1.5),
            marks.Dots(tips[one], _DOT_RADIUS, color),
        ]
    named, badges = _named_hands(dial, shown, tips, ghosts, pair, theme)
    for hand in half_hands(encoding):
        angle, reach = float(state.angles[0, hand]), float(radii[0, hand])
        named += _twin(dial, angle, reach, shown.colors.get(hand, theme.text3), theme)
    if _has_shadows(encoding, pair):
        named += _shadows(dial, tips[pair], shown.colors[pair], theme)
        ends = np.concatenate([ghosts[[*shown.named]], tips[[*shown.named]]])
        named += _shadow_values(dial, tips[pair], ends, theme) if dial.radius >= _WITH_VALUES else ()
    return (*picture, *named, *badges, dial.hub(theme, 4.5, 3.0))


def _has_shadows(encoding: Encoding, pair: int) -> bool:
    """Whether the hand of a pair is a sine and a cosine, which it casts on the axes."""
    return encoding.turning_pairs is not None and pair not in half_hands(encoding)


def _shadows(dial: Dial, tip: marks.Points, color: QColor, theme: Theme) -> marks.Marks:
    """What a hand that ends at a point casts on the two axes: its sine to the right, its cosine up."""
    right, down = tip.tolist()
    shadows = np.array([[dial.x, dial.y, right, dial.y], [dial.x, dial.y, dial.x, down]])
    threads = np.array([[right, down, right, dial.y], [right, down, dial.x, down]])
    return [marks.Segments(threads, color, 1.2, (2.0, 3.0)), marks.Segments(shadows, theme.ink, 3.0)]


def _shadow_values(dial: Dial, tip: marks.Points, badges: marks.Points, theme: Theme) -> Iterator[marks.Mark]:
    """The sine and the cosine at the feet of their shadows, across the axis from the hand, where no badge is."""
    right, down = (tip - (dial.x, dial.y)).tolist()
    length, most = math.hypot(right, down), dial.radius - _HALF
    # A hand that ends near an axis has its badge on both sides of it.
    beside, below = (max(BADGE_RADIUS - abs(part), 0.0) for part in (right, down))
    feet = (
        (right, [(min(max(right, -most), most), -math.copysign(away + below, down)) for away in _AWAY]),
        (-down, [(-math.copysign(away + beside + _HALF, right), down) for away in _AWAY]),
    )
    for part, places in feet if length else ():
        points = [(dial.x + x, dial.y + y) for x, y in places]
        free = [at for at in points if (abs(badges - at) > (_HALF + BADGE_RADIUS, 20.0)).any(axis=1).all()]
        yield from label_on_ground(*free[0], fixed(part / length, 3), theme, 0.5) if free else ()


def _twin(dial: Dial, angle: float, reach: float, color: QColor, theme: Theme) -> marks.Marks:
    """The other hand with the sine of one whose cosine no column has, and the line through both ends."""
    tips = np.array([dial.tip(angle, reach), dial.tip(math.pi - angle, reach)])
    through = marks.lines(tips, theme.text2, 1.0, (3.0, 3.0))
    return [dial.lines(tips[1:], color, 1.2), marks.Dots(tips[1:], _DOT_RADIUS, color), through]


def _named_hands(
    dial: Dial, shown: _Shown, tips: marks.Points, ghosts: marks.Points, chosen: int, theme: Theme
) -> tuple[marks.Marks, marks.Marks]:
    """Lines; then the badges at t + k and those at t: in each of them the hands of the chosen pair last."""
    lines, hollow, solid = marks.Marks(), marks.Marks(), marks.Marks()
    for hand, pair in sorted(shown.named.items(), key=lambda named: named[1] == chosen):
        color, tip, ghost = shown.colors[hand], tips[hand], ghosts[hand]
        lines.append(dial.lines(tip[None], color, 4.0 if pair == chosen else 2.6))
        if pair == chosen:
            lines.append(dial.lines(ghost[None], color, 1.6, (5.0, 4.0)))
        # Under its own badge a number would only be seen in pieces.
        (x, y), (later_x, later_y) = tip.tolist(), ghost.tolist()
        label = "" if math.dist(tip, ghost) < BADGE_RADIUS * 1.6 else str(hand)
        hollow.append(marks.Badge(later_x, later_y, BADGE_RADIUS, label, color, theme.panel, theme.text))
        solid.append(marks.Badge(x, y, BADGE_RADIUS, str(hand), color))
    return lines, [*hollow, *solid]


def preview_hands_picture(
    dial: Dial, encoding: Encoding, preview: Preview, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """Faint hands of pairs with a badge, and of the named one, at positions that are named; dashed at t + k."""
    hands = encoding.face_hands
    assert hands is not None
    places, pair = preview.places(cursor.position), preview.pair
    own = () if pair is None or pair >= n_hands(encoding) else face_hands_of(encoding, pair)
    named = np.array(sorted({*(named_hands(encoding, cursor) if places else ()), *own}), dtype=np.intp)
    picture = marks.Marks()
    for position, is_now in places or ((cursor.position, True),):
        angles = hands.angles([position], named)[0]
        tips = dial.tips(angles, (dial.ring_radii(hands.count) * length_shares(hands, (position,))[0])[named])
        picture.append(dial.lines(tips, theme.ghost, 1.5, () if is_now else (4.0, 3.0)))
        picture.append(marks.Dots(tips, _DOT_RADIUS, *((theme.ghost,) if is_now else (theme.panel, theme.ghost, 1.5))))
    return tuple(picture)


def named_hands(encoding: Encoding, cursor: Cursor) -> dict[int, int]:
    """The hands of the pinned pairs and of the chosen one, each with its pair."""
    pairs = dict.fromkeys((*cursor.visible_pins(encoding), cursor.pair))
    return {hand: pair for pair in pairs for hand in face_hands_of(encoding, pair)}


def _hand_colors(encoding: Encoding, theme: Theme) -> NDArray[np.uint8]:
    """Red, green, blue of every hand of the face, shape (count, 3): that of the pair it is chosen with."""
    pairs = encoding.turning_pairs
    if pairs is not None:
        colors, turns = theme.pair_colors(pairs.count), pairs.angular_frequencies != 0
        if turns.all():
            return colors
        return np.where(turns[:, None], colors, rgb(theme.still_color))
    return theme.pair_colors(n_hands(encoding))[hand_of_column(encoding)]


def face_pictures(
    face: Dial, encoding: Encoding, cursor: Cursor, trained_length: int, box: Box
) -> tuple[marks.Picture, Part]:
    """The dial with all hands: what moves with t, and what doesn't."""
    theme, hands = box.theme, encoding.face_hands
    assert hands is not None
    moving = hands_picture(face, encoding, hand_state(hands, cursor), cursor, theme)
    if box.preview is not None:
        moving = (*preview_hands_picture(face, encoding, box.preview, cursor, theme), *moving)
    first_one = None if encoding.bits is None else encoding.bits.first_one
    shown = range(hands.count) if hands.count <= MOST_HANDS else [*named_hands(encoding, cursor)]
    length = 0 if encoding.turning_pairs is None else trained_length
    unseen = unseen_turns(face.ring_radii(hands.count)[shown], hands, length, shown, theme)
    has_axes = _has_shadows(encoding, cursor.pair)
    return moving, Part(_still, first_one, hands.count, tuple(unseen.values()), face, has_axes, theme)


def _still(
    ones_from: float | None, count: int, turns: tuple[Turn, ...], dial: Dial, has_axes: bool, theme: Theme
) -> marks.Picture:
    """The face under the arcs that stay, with the names of the axes on which a hand casts its sine and cosine."""
    # The half in which bits are 1 lies under the rings.
    ones = () if ones_from is None else (dial.half(math.tau * ones_from, theme.sunken),)
    arcs = (marks.Arc(dial.x, dial.y, *turn) for turn in turns)
    away = dial.radius + 8.0
    axes = (
        marks.Text(dial.x + away, dial.y + _AXIS_LINE, "sin", "tick", theme.text2),
        marks.Text(dial.x + _AXIS_BESIDE, dial.y - away - 4.0, "cos", "tick", theme.text2),
    )
    return (*ones, *face_picture(dial, count, theme), *arcs, *(axes if has_axes else ()))


def hand_places(encoding: Encoding, cursor: Cursor, dial: Dial | None) -> Iterator[Place]:
    """The hands that are drawn as hands, the chosen ones at t + k as well."""
    hands = encoding.face_hands
    if hands is None or dial is None:
        return
    state = hand_state(hands, cursor)
    chosen = face_hands_of(encoding, cursor.pair)
    others = {*(range(hands.count) if hands.count <= MOST_HANDS else named_hands(encoding, cursor))} - {*chosen}
    # Later places lie over earlier ones: hands at t over those at t + k, the chosen ones over all.
    ends = (1, " at t + k", chosen), (0, "", (*sorted(others), *chosen))
    tips = state.tips(dial)
    for place, words, named in ends:
        angles = state.angles[place]
        for hand in named:
            x, y = tips[place][hand].tolist()
            area = Area.around(x, y, BADGE_RADIUS)
            sets = {"pair": pair_of_face_hand(encoding, hand)}
            yield Place(f"hand {hand}{words}", area, degrees(float(angles[hand])), hand in chosen, sets)


def face_hand_at(
    encoding: Encoding, cursor: Cursor, dial: Dial | None, x: float, y: float, *, is_taken: bool = False
) -> tuple[int, bool] | None:
    """The hand of the face that ends at a point, and whether it is that at t + k: of many, those with badges are taken.

    A hand at t lies over one at t + k.
    """
    hands = encoding.face_hands
    if hands is None or dial is None:
        return None
    numbers = np.arange(hands.count)
    if is_taken and hands.count > MOST_HANDS:
        numbers = np.array([*named_hands(encoding, cursor)])
    for place, tips in enumerate(hand_state(hands, cursor).tips(dial)):
        tip = nearest_tip(tips[numbers], x, y)
        if tip is not None:
            return int(numbers[tip]), place == 1
    return None
