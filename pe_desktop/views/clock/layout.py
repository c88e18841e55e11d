"""Where the clock stands: one dial or one for each hand, the dials of bits, and the row of numbers below."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.caches import told_cache
from pe_desktop.core.cursor import Cursor, code_beside, cursor_angles, cursor_hands, hand_values, n_flipping
from pe_desktop.core.digits import Digits, digits_of
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.precision.formats import framework_hands
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import head_refusal
from pe_desktop.core.scores.rotary import RotaryFactors, rotary_of, turned_vectors, turning_state, turns_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import MARGIN_ACROSS, MARGIN_DOWN, Dial, dial_in, part_names, value_text
from pe_desktop.draw.number_text import degrees, fixed, scientific, short
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.clock.dials import Dials, beside_width, dials_beside, own_dials
from pe_desktop.views.clock.picture import cursor_turns
from pe_desktop.views.questions import hand_color, hands_theme, turn_parts, words_question

_GAP: Final = 10.0
# A face that stood alone would be larger; below this share of it, or too small for badges, captions become shorter and
# the dials scroll.
_LEAST_SHARE, _LEAST_RADIUS = 0.36, 50.0
# Of dials of bits or digits.
_MOST_COLUMNS: Final = 12
# Whether their captions are terse, and the least and the greatest height of a row.
_ROWS: Final = (False, 36.0, 36.0), (True, 27.0, 27.0), (False, 36.0, 84.0), (True, 27.0, 84.0)
# No more dials than this are shown without scrolling.
MOST_AT_ONCE: Final = 64
# On paper: the line that tells which hand is t, and that which tells how many dials have no room.
LEGEND_HEIGHT, NOTE_HEIGHT = 24.0, 16.0
# On the screen: the row of numbers.
_NUMBERS_HEIGHT: Final = 30.0


@record
class ClockLayout:
    """The dial with all hands, None where it isn't seen, and the small dials; has_vectors: of a query and a key.

    numbers: where those of the chosen hand stand, in a row or around the dial in the corners.
    """

    face: Dial | None
    dials: tuple[Dials, ...]
    numbers: Area
    has_vectors: bool = False
    has_corners: bool = False

    def dial_at(self, x: float, y: float) -> tuple[Dials, int] | None:
        """Which of the small dials is seen at a point."""
        found = ((dials, dials.dial_at(x, y)) for dials in self.dials)
        return next(((dials, number) for dials, number in found if number is not None), None)


def shows_each(state: State) -> bool:
    """Whether each pair or column has a dial of its own: by choice, and where nothing turns."""
    encoding = state.encoding
    return encoding.face_hands is None or (encoding.pairs is not None and state.views.clock.mode == "each")


def code_shown(state: State) -> Encoding | None:
    """The bits or digits beside the face: by choice beside hands, always where the table is one of bits."""
    encoding = state.encoding
    if encoding.pairs is not None and state.views.clock.shows_digits:
        pairs = encoding.rotary.pairs if isinstance(encoding, RotaryFactors) else encoding.pairs
        return digits_of(pairs, encoding.n_positions)
    return code_beside(encoding) if encoding.pairs is None or state.views.clock.shows_bits else None


def shown_hands(state: State) -> tuple[Encoding, Cursor]:
    """The encoding whose hands or columns stand on the clock, with RoPE what turns queries and keys, and its cursor."""
    turning = turning_state(state)
    return turning.encoding, turning.cursor


def questions(state: State) -> Questions:
    """The words, where each pair of a query and a key has a dial."""
    is_each = turns_vectors(state) and shows_each(turning_state(state))
    return (words_question(state),) if is_each and not head_refusal(state.encoding.d_model) else ()


def shows_vectors(state: State, answers: Answers) -> bool:
    """Whether each pair of a query and a key has a dial, and they are read."""
    return any(answers.answer(question) is not None for question in questions(state))


def layout_of(state: State, answers: Answers, box: Box) -> ClockLayout:
    """Everything in one picture; of dials that find no room the first, of scrolled ones those that are seen."""
    has_vectors = shows_vectors(state, answers)
    state = turning_state(state)
    code, is_each, seen = code_shown(state), shows_each(state), box.area
    if is_each and box.visible is not None:
        seen = box.visible._replace(x=0.0, width=box.width)
    # On paper the legend, and over it lines that tell what digits are and how many dials find no room.
    n_notes = (is_each or code is not None) + isinstance(code, Digits)
    below = LEGEND_HEIGHT + NOTE_HEIGHT * n_notes if box.is_paper else 0.0
    has_corners = code is None and not is_each and state.precision.is_exact
    has_corners = has_corners and _leaves_corners(seen.width, seen.height - below)
    if not box.is_paper and not has_corners:
        below = _NUMBERS_HEIGHT
    face, dials = _placed(state.encoding, code, seen, below, is_each=is_each, is_scrolled=box.visible is not None)
    area = Area(0.0, seen.bottom - below, seen.width, below)
    if has_corners:
        area = seen._replace(height=seen.height - below)
    return ClockLayout(face, dials, area, has_vectors, has_corners)


def needed(state: State, answers: Answers, box: Box) -> float:
    """The height of all dials of pairs or columns, with what stands below those that are seen; 0 for one dial."""
    if not shows_each(turning_state(state)) or box.visible is None:
        return 0.0
    own = layout_of(state, answers, box).dials[0]
    # Rows that just fit are no reason to scroll.
    return math.floor(own.top + own.height + box.visible.bottom - own.bottom)


def _placed(
    encoding: Encoding, code: Encoding | None, seen: Area, below: float, *, is_each: bool, is_scrolled: bool
) -> tuple[Dial | None, tuple[Dials, ...]]:
    """The dial with the hands, or one for each, and beside it those of a code, over so much room for what is below."""
    room = seen._replace(height=max(seen.height - below, 0.0))
    beside: tuple[Dials, ...] = ()
    if code is not None:
        face, dials = clock_room(room.width, room.height, code)
        room = face._replace(y=face.y + seen.y)
        beside = (replace(dials, top=dials.top + seen.y, is_beside=code is not encoding),)
    if not is_each:
        dial = dial_in(room.width, room.height)
        return replace(dial, x=room.x + dial.x, y=room.y + dial.y), beside
    own = replace(own_dials(encoding, room.width, room.height), left=room.x, top=room.y - seen.y)
    if is_scrolled:
        shown = own.dials_between(room.y, room.bottom - 1.0)
    else:
        n_rows = max(int((room.height + 0.5) // own.cell_height), 1)
        shown = own.shown[: n_rows * own.columns]
    return None, (replace(own, shown=shown, bottom=room.bottom), *beside)


@told_cache(8)
def clock_room(width: float, height: float, code: Encoding) -> tuple[Area, Dials]:
    """Where the face and the dials of a code stand best; the same size and code give the same room, whatever t.

    Dials can be read, the face keeps its share, and none is larger than half of it; then dials of all that flip within
    N are seen, with two lines beside them, all others too, and both are large.
    """
    alone = dial_in(width, height).radius
    flipping = n_flipping(code)
    least = min(max(_LEAST_SHARE * alone, _LEAST_RADIUS), alone)

    def worth(room: tuple[Area, Dials]) -> tuple[float, ...]:
        face, dials = room
        radius, n_seen = dial_in(*face[2:]).radius, len(dials.shown)
        tall = math.ceil(n_seen / dials.columns) * dials.cell_height
        fits = dials.columns * dials.cell_width <= width and tall <= height + 0.5
        is_fair = min(radius, least), radius >= dials.cell_height
        return fits, *is_fair, min(n_seen, flipping), not dials.is_terse, n_seen, radius + dials.cell_height

    ways = itertools.product(_ROWS, range(1, _MOST_COLUMNS + 1), (False, True))
    return max((_room(width, height, code, *way) for way in ways), key=worth)


def _room(
    width: float, height: float, code: Encoding, rows: tuple[bool, float, float], columns: int, is_below: bool
) -> tuple[Area, Dials]:
    """Rows of dials beside the face or below it, as many as find room, both in the middle of what is left."""
    is_terse, least, tallest = rows
    count = min(code.d_model, MOST_AT_ONCE)
    n_rows = max(min(math.ceil(count / columns), int(height // least)), 1)
    most = width / columns - beside_width(code, is_terse=is_terse) if is_below else height / n_rows
    dials = dials_beside(code, columns, max(min(most, tallest), least), is_terse=is_terse)
    wide, tall = columns * dials.cell_width, n_rows * dials.cell_height
    across, down = max(width - 2 * MARGIN_ACROSS, 0.0), max(height - 2 * MARGIN_DOWN, 0.0)
    if is_below:
        size = min(max(height - tall - _GAP, 0.0), across + 2 * MARGIN_DOWN)
        face = Area(0.0, (height - size - _GAP - tall) / 2, width, size)
        left, top = (width - wide) / 2, face.bottom + _GAP
    else:
        size = min(max(width - wide - _GAP, 0.0), down + 2 * MARGIN_ACROSS)
        face = Area((width - size - _GAP - wide) / 2, 0.0, size, height)
        left, top = face.right + _GAP, (height - tall) / 2
    return face, replace(dials, shown=dials.shown[: n_rows * columns], left=left, top=top)


# Of the row and the corners of numbers.
_NUMBER_BADGE: Final = 9.5
_NAME_GAP: Final = 4.5
# Between two numbers; with less than the second one a value would stand nearer to the next name than to its own.
_LEAST_GAP, _LOOSE_GAP, _LARGEST_GAP = 5.0, 14.0, 22.0
# Of a number in a corner beside the dial: its room, the middles of its two lines; how far hands reach beyond the ring.
_CORNER_WIDTH, _CORNER_HEIGHT, _CORNER_LINES, _CORNER_GAP = 76.0, 32.0, (8.0, 24.0), 8.0


class _Number(NamedTuple):
    """A number of the chosen hand with its name, and the widest that it gets."""

    name: str
    text: str
    widest: str

    @property
    def width(self) -> float:
        """What it takes in a row, whatever t: nothing jumps while the hands turn."""
        text = max(text_width("value", self.widest), text_width("value", self.text))
        return text_width("caption", self.name) + _NAME_GAP + text


def numbers(state: State, answers: Answers) -> list[_Number]:
    """A hand's angle, sine, cosine and turn by k; where nothing turns, the values of the chosen columns.

    With RoPE how the query and the key of the pair turn.
    """
    if turns_vectors(state):
        return _turned_numbers(state, answers)
    encoding, cursor, pairs = state.encoding, state.cursor, state.encoding.pairs
    if pairs is None:
        return [*_values(encoding, cursor), *_rounding_numbers(state)]
    angle = float(cursor_angles(pairs, cursor.position, cursor.offset)[0, cursor.pair])
    hand = cursor_hands(encoding, cursor.position, cursor.offset, [cursor.pair])[0, 0]
    length = float(pairs.lengths_at([cursor.position])[0, cursor.pair])
    sine, cosine = (hand / length).tolist() if length else (0.0, 0.0)
    share = "" if length == 1 else f" / {short(length)}"
    return [
        _Number("angle", degrees(angle), "000.0°"),
        _Number(f"sin{share}", fixed(sine, 3), "−0.000"),
        _Number(f"cos{share}", fixed(cosine, 3), "−0.000"),
        _turn_number(pairs, cursor),
        *_rounding_numbers(state),
    ]


def numbers_picture(state: State, answers: Answers, layout: ClockLayout, theme: Theme, note: str) -> marks.Picture:
    """The chosen hand's numbers after the badge of its pair, in a row or in corners, each beside its name."""
    (encoding, cursor), area = shown_hands(state), layout.numbers
    theme = hands_theme(state, theme)
    label = str(cursor.pair)
    half = badge_half_width(_NUMBER_BADGE, label)
    middle = area.y + min(area.height, _CORNER_HEIGHT) / 2
    badge = marks.Badge(half, middle, _NUMBER_BADGE, label, hand_color(encoding, cursor.pair, theme))
    texts = [*(_in_corners if layout.has_corners else _in_row)(numbers(state, answers), 2 * half, area, theme)]
    note = _turn_note(state, answers) or note
    end = texts[-1].x + (1.0 - texts[-1].across) * text_width("value", texts[-1].text)
    if note and end + _LOOSE_GAP + text_width("tick", note) <= area.right:
        texts.append(marks.right_aligned(area.right, texts[-1].y, note, "tick", theme.text3))
    return badge, *texts


def _in_row(told: list[_Number], left: float, area: Area, theme: Theme) -> Iterator[marks.Text]:
    """Names and values beside each other, so many as find room: half a number would be a wrong one."""
    widths = [one.width for one in told]
    while len(widths) > 1 and sum(widths) + _LEAST_GAP * len(widths) + left > area.width:
        widths.pop()
    gap = min(max((area.width - left - sum(widths)) / len(widths), _LEAST_GAP), _LARGEST_GAP)
    x, y = left + gap, area.middle[1]
    for number, width in zip(told, widths, strict=False):
        yield marks.Text(x, y, number.name, "caption", theme.text2)
        near = x + text_width("caption", number.name) + _NAME_GAP
        at, across = (x + width, 1.0) if gap >= _LOOSE_GAP else (near, 0.0)
        yield marks.Text(at, y, number.text, "value", theme.text, across=across)
        x += width + gap


def _in_corners(told: list[_Number], left: float, area: Area, theme: Theme) -> Iterator[marks.Text]:
    """Names over values in the corners of an area, the first beside what stands at the left."""
    corners = ((left + _NAME_GAP, 0.0, 0.0), (area.width, 0.0, 1.0), (area.width, 1.0, 1.0), (0.0, 1.0, 0.0))
    for number, (x, down, across) in zip(told, corners, strict=False):
        top = area.y + down * (area.height - _CORNER_HEIGHT)
        yield marks.Text(x, top + _CORNER_LINES[0], number.name, "caption", theme.text2, across=across)
        yield marks.Text(x, top + _CORNER_LINES[1], number.text, "value", theme.text, across=across)


def _leaves_corners(width: float, height: float) -> bool:
    """Whether the corners around the largest dial have room for numbers."""
    away = math.hypot(width / 2 - _CORNER_WIDTH, height / 2 - _CORNER_HEIGHT)
    return width > 2 * _CORNER_WIDTH and away >= dial_in(width, height).radius + _CORNER_GAP


def _rounding_numbers(state: State) -> list[_Number]:
    """How far the values of the chosen hand's columns at t are off in the chosen formats; nothing if exact."""
    precision = state.precision
    if precision.is_exact:
        return []
    at, hands = [state.cursor.position], [state.cursor.pair]
    exact = hand_values(state.encoding, at, hands)
    errors = np.abs(framework_hands(state.encoding, precision, at, hands) - exact)[~np.isnan(exact)]
    # An id that is infinite has no values.
    largest = math.inf if np.isnan(errors).any() else float(errors.max(initial=0.0))
    return [_Number(f"{precision.title} off by", scientific(largest) if largest else "0", "0.0×10⁻⁰⁰")]


def _turned_numbers(state: State, answers: Answers) -> list[_Number]:
    encoding, cursor = shown_hands(state)
    assert encoding.pairs is not None
    if shows_vectors(state, answers):
        query, key = angle_texts(state, cursor.pair)
        widest = " → ".join(["000.0°"] * (1 + query.count("→")))
        return [_Number("q", query, widest), _Number("k", key, widest)]
    now, later = encoding.pairs.angles(cursor.both, [cursor.pair])[:, 0].tolist()
    turns = [_Number(f"{name} turned", degrees(angle), "000.0°") for name, angle in (("query", now), ("key", later))]
    return [*turns, _turn_number(encoding.pairs, cursor)]


def _turn_number(pairs: Pairs, cursor: Cursor) -> _Number:
    turn = math.degrees(float(cursor_turns(pairs, cursor)[cursor.pair]))
    of, name = ("k", "turn by k") if pairs.turns_evenly else ("here", "turn here")
    turns, text = turn_parts(turn)
    return _Number(f"{of}: {turns}" if turns else name, text, "−00.0°")


def _turn_note(state: State, answers: Answers) -> str:
    """What the row of numbers doesn't say about a turn."""
    if not turns_vectors(state):
        return ""
    encoding, cursor = shown_hands(state)
    if encoding.pairs is not None and not encoding.pairs.angular_frequencies[cursor.pair]:
        return "not turned"
    return "faint: before" if shows_vectors(state, answers) else ""


def _values(encoding: Encoding, cursor: Cursor) -> list[_Number]:
    """The values of the chosen columns at t, and at t + k."""
    limit = encoding.value_limit
    names = [name for name in part_names(encoding, cursor.pair) if name]
    rows = hand_values(encoding, cursor.both, [cursor.pair])[:, 0, : len(names)].tolist()
    here, there = ([value_text(value, limit, 3) for value in row] for row in rows)
    widest = [value_text(-limit, limit, 3)] * len(names)
    return [*map(_Number, names, here, widest), _Number("at t + k", *map(", ".join, (there, widest)))]


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
