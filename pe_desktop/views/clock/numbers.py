"""The row of numbers under the clock: those of the chosen hand, or how its query and key turn."""

import math
from typing import Final, NamedTuple

from PySide6.QtGui import QColor

from pe_desktop.core.columns import hand_values
from pe_desktop.core.cursor import Cursor, cursor_angles, cursor_hands
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.precision.formats import framework_hands
from pe_desktop.core.scores.rotary import rotary_of, turned_vectors, turns_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.hand_text import part_names, value_text
from pe_desktop.draw.number_text import degrees, fixed, scientific, short
from pe_desktop.draw.scene import Box, Part, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.views.clock.layout import shown_hands, shows_vectors
from pe_desktop.views.clock.picture import cursor_turns
from pe_desktop.views.scheme_text import hand_color, hands_theme

_NUMBER_BADGE: Final = 9.5
_NAME_GAP: Final = 4.5
# Between two numbers; with less than the second one a value would stand nearer to the next name than to its own.
_LEAST_GAP, _LOOSE_GAP, _LARGEST_GAP = 5.0, 14.0, 22.0
# Of a number in a corner beside the dial: its room, the middles of its two lines; how far hands reach beyond the ring.
_CORNER_WIDTH, _CORNER_HEIGHT, _CORNER_LINES, _CORNER_GAP = 76.0, 32.0, (8.0, 24.0), 8.0


class Number(NamedTuple):
    """A number of the chosen hand with its name, the widest that it gets, and all its digits for the clipboard."""

    name: str
    text: str
    widest: str
    digits: str = ""


def numbers(state: State) -> list[Number]:
    """A hand's angle, sine, cosine and turn by k; where nothing turns, the values of the chosen columns.

    With RoPE how the query and the key of the pair turn.
    """
    if turns_vectors(state):
        return _turned_numbers(state)
    encoding, cursor, pairs = state.encoding, state.cursor, state.encoding.pairs
    if pairs is None:
        return [*_values(encoding, cursor), *_rounding_numbers(state)]
    angle = float(cursor_angles(pairs, cursor.position, cursor.offset)[0, cursor.pair])
    hand = cursor_hands(encoding, cursor.position, cursor.offset, [cursor.pair])[0, 0]
    tip = (hand / pairs.lengths[cursor.pair]).tolist()
    return [
        Number("angle", degrees(angle), "000.0°", f"{math.degrees(angle) % 360!r}°"),
        *(
            Number(name, fixed(value, 3), "−0.000", repr(value))
            for name, value in zip(("sin", "cos"), tip, strict=True)
        ),
        _turn_number(pairs, cursor),
        *_rounding_numbers(state),
    ]


def rounded_values(state: State) -> tuple[tuple[str, float, float], ...]:
    """The values of the chosen hand's columns at t: name, exact and in the formats that are chosen; none if exact."""
    encoding, cursor, precision = state.encoding, state.cursor, state.precision
    if precision.is_exact or turns_vectors(state):
        return ()
    at, hands = [cursor.position], [cursor.pair]
    exact = hand_values(encoding, at, hands)[0, 0].tolist()
    rounded = framework_hands(encoding, precision, at, hands)[0, 0].tolist()
    names = part_names(encoding, cursor.pair)
    return tuple(row for row in zip(names, exact, rounded, strict=True) if row[0])


def numbers_scene(state: State, box: Box) -> Scene:
    """The chosen hand's numbers in one row after the badge of its pair; names stay while t moves."""
    rows, theme, middle = numbers(state), hands_theme(state, box.theme), box.height / 2
    badge = _badge(state, middle, theme)
    # What finds no room is left out: half a number would be a wrong one.
    widths = [_number_width(number) for number in rows]
    while len(widths) > 1 and sum(widths) + _LEAST_GAP * len(widths) + 2 * badge.x > box.width:
        widths.pop()
    gap = min(max((box.width - 2 * badge.x - sum(widths)) / len(widths), _LEAST_GAP), _LARGEST_GAP)
    names, values, x = list[tuple[float, str]](), list[marks.Mark](), 2 * badge.x + gap
    for number, width in zip(rows, widths, strict=False):
        names.append((x, number.name))
        is_loose = gap >= _LOOSE_GAP
        end = x + width if is_loose else x + text_width("caption", number.name) + _NAME_GAP
        values.append(marks.Text(end, middle, number.text, "value", theme.text, across=float(is_loose)))
        x += width + gap
    note = _turn_note(state)
    if note and x + text_width("tick", note) <= box.width:
        values.append(marks.Text(box.width, middle, note, "tick", theme.text3, across=1.0))
    looks = badge.label, badge.color, tuple(names)
    return Scene(tuple(values), Part(_names_picture, *looks, middle, theme))


def _names_picture(
    label: str, color: QColor, names: tuple[tuple[float, str], ...], middle: float, theme: Theme
) -> marks.Picture:
    badge = marks.Badge(badge_half_width(_NUMBER_BADGE, label), middle, _NUMBER_BADGE, label, color)
    return (badge, *(marks.Text(x, middle, name, "caption", theme.text2) for x, name in names))


def _badge(state: State, middle: float, theme: Theme) -> marks.Badge:
    """The chosen pair, at the left edge."""
    encoding, cursor = shown_hands(state)
    label = str(cursor.pair)
    half = badge_half_width(_NUMBER_BADGE, label)
    return marks.Badge(half, middle, _NUMBER_BADGE, label, hand_color(encoding, cursor.pair, theme))


def has_corners(dial: Dial, width: float, height: float) -> bool:
    """Whether the corners around a dial have room for numbers."""
    away = math.hypot(width / 2 - _CORNER_WIDTH, height / 2 - _CORNER_HEIGHT)
    return width > 2 * _CORNER_WIDTH and away >= dial.radius + _CORNER_GAP


def corner_numbers(state: State, box: Box) -> marks.Picture:
    """The chosen hand's numbers in the corners around the dial: the first with the badge of its pair."""
    theme, (upper, lower) = hands_theme(state, box.theme), _CORNER_LINES
    badge = _badge(state, _CORNER_HEIGHT / 2, theme)
    picture: list[marks.Mark] = [badge]
    # Left and right, above and below.
    corners = ((2 * badge.x + _NAME_GAP, 0.0, 0.0), (box.width, 0.0, 1.0), (box.width, 1.0, 1.0), (0.0, 1.0, 0.0))
    for number, (x, down, across) in zip(numbers(state), corners, strict=False):
        top = down * (box.height - _CORNER_HEIGHT)
        picture.append(marks.Text(x, top + upper, number.name, "caption", theme.text2, across=across))
        picture.append(marks.Text(x, top + lower, number.text, "value", theme.text, across=across))
    return tuple(picture)


def _rounding_numbers(state: State) -> list[Number]:
    """How far off the chosen formats are."""
    errors = [abs(rounded - exact) for _, exact, rounded in rounded_values(state)]
    if not errors:
        return []
    # An id that is infinite has no values.
    largest = math.inf if any(map(math.isnan, errors)) else max(errors)
    return [Number(f"{state.precision.title} off by", scientific(largest) if largest else "0", "0.0×10⁻⁰⁰")]


def _turned_numbers(state: State) -> list[Number]:
    encoding, cursor = shown_hands(state)
    assert encoding.pairs is not None
    if shows_vectors(state):
        query, key = angle_texts(state, cursor.pair)
        widest = " → ".join(["000.0°"] * (1 + query.count("→")))
        return [Number("q", query, widest), Number("k", key, widest)]
    now, later = encoding.pairs.angles([cursor.position, cursor.position + cursor.offset], [cursor.pair])[:, 0].tolist()
    turns = [Number(f"{name} turned", degrees(angle), "000.0°") for name, angle in (("query", now), ("key", later))]
    return [*turns, _turn_number(encoding.pairs, cursor)]


def _turn_number(pairs: Pairs, cursor: Cursor) -> Number:
    turn = math.degrees(float(cursor_turns(pairs, cursor)[cursor.pair]))
    name = "turn by k" if pairs.turns_evenly else "turn here"
    text = f"{fixed(turn, 1)}°" if abs(turn) < 1e6 else f"{short(turn / 360)} turns"
    return Number(name, text, "−00.0°", f"{turn!r}°")


def _turn_note(state: State) -> str:
    """What the row of numbers doesn't say about a turn."""
    if not turns_vectors(state):
        return ""
    encoding, cursor = shown_hands(state)
    if encoding.pairs is not None and not encoding.pairs.angular_frequencies[cursor.pair]:
        return "not turned"
    return "faint: before" if shows_vectors(state) else ""


def _values(encoding: Encoding, cursor: Cursor) -> list[Number]:
    """The values of the chosen columns at t, and at t + k."""
    limit = encoding.value_limit
    values = hand_values(encoding, [cursor.position, cursor.position + cursor.offset], [cursor.pair])[:, 0]
    widest = value_text(-limit, limit, 3)
    names = [name for name in part_names(encoding, cursor.pair) if name]
    now, later = (row[: len(names)] for row in values.tolist())
    texts, digits = (", ".join(map(write, later)) for write in (lambda value: value_text(value, limit, 3), repr))
    return [
        *(
            Number(name, value_text(value, limit, 3), widest, repr(value))
            for name, value in zip(names, now, strict=True)
        ),
        Number("at t + k", texts, ", ".join([widest] * len(names)), digits),
    ]


def _number_width(number: Number) -> float:
    """A name and the widest that its number gets, so that nothing jumps while the hands turn."""
    wide = max(text_width("value", number.widest), text_width("value", number.text))
    return text_width("caption", number.name) + _NAME_GAP + wide


def angle_texts(state: State, pair: int) -> tuple[str, str]:
    """The angle of the query and of the key of a pair, clockwise from 12 o'clock, before and after the turn."""
    vectors = turned_vectors(state)
    query, key = _degrees(vectors.turned_query[pair]), _degrees(vectors.turned_key[pair])
    if pair >= rotary_of(state).n_turning:
        return query, key
    return f"{_degrees(vectors.query[pair])} → {query}", f"{_degrees(vectors.key[pair])} → {key}"


def _degrees(components: marks.Points) -> str:
    up, right = components.tolist()
    return degrees(math.atan2(right, up))
