"""Where the clock stands: one dial or one for each hand, the dials of bits, and the row of numbers below."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

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
from pe_desktop.draw.scene import Area, Box, Part, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.clock.dials import (
    Captions,
    DialGrid,
    Dials,
    beside_grid,
    beside_width,
    column_grid,
    n_dials,
    pair_grid,
)
from pe_desktop.views.clock.picture import cursor_turns
from pe_desktop.views.questions import hand_color, hands_theme, turn_parts, words_question

_GAP: Final = 10.0
# A face that stood alone would be larger; below this share of it, or too small for badges, captions become shorter and
# the dials scroll.
_LEAST_SHARE, _LEAST_RADIUS = 0.5, 60.0
# So many heights of a row are tried between the least and the greatest one.
_ROW_HEIGHTS, _TALLEST_ROW = 6, 84.0
# No more dials than this are shown without scrolling.
MOST_AT_ONCE: Final = 64
# A scroll bar, 10 pixels wide in the window's style sheet, and the gap before it.
_BAR: Final = 14.0
# Dials of a query and a key, whose lines reach up to the ring, are read where those of hands would be too small.
_LEAST_TURNED, _TURNED_PADDING = 48.0, 5.0
# On paper: the line that tells which hand is t, and that which tells how many dials have no room.
LEGEND_HEIGHT, NOTE_HEIGHT = 24.0, 16.0


@record
class ClockLayout:
    """The dial with all hands, None where it isn't seen, and the small dials; has_vectors: of a query and a key."""

    face: Dial | None = None
    dials: tuple[Dials, ...] = ()
    has_vectors: bool = False


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


def layout_of(state: State, box: Box) -> ClockLayout:
    """Everything in one picture; of dials that would have to be scrolled, the first."""
    state, height = turning_state(state), box.height - (LEGEND_HEIGHT if box.is_paper else 0.0)
    if box.is_paper and isinstance(code_shown(state), Digits):
        # A line that tells what they are.
        height -= NOTE_HEIGHT
    layout = _layout(state, box.width, height, is_paper=box.is_paper)
    if box.is_paper and any(dials.n_hidden for dials in layout.dials):
        # One more line tells how many find no room.
        return _layout(state, box.width, height - NOTE_HEIGHT, is_paper=True)
    return layout


def own_grid(encoding: Encoding, width: float, height: float) -> DialGrid:
    """Where the small dials of pairs or columns stand, scrolled where they don't all fit."""
    if encoding.pairs is None:
        return column_grid(encoding, width, height)
    if isinstance(encoding, RotaryFactors):
        return replace(pair_grid(encoding.pairs, width, height, _LEAST_TURNED), padding=_TURNED_PADDING)
    return pair_grid(encoding.pairs, width, height)


def _layout(state: State, width: float, height: float, *, is_paper: bool) -> ClockLayout:
    encoding, code, area = state.encoding, code_shown(state), Area(0.0, 0.0, width, height)
    beside: tuple[Dials, ...] = ()
    if code is not None:
        room = clock_room(width, height, code, is_paper=is_paper)
        area = room.face
        beside = (_placed(room.grid, room.dials, code, is_beside=code is not encoding),)
    if not shows_each(state):
        dial = dial_in(area.width, area.height)
        return ClockLayout(replace(dial, x=area.x + dial.x, y=area.y + dial.y), beside)
    grid = own_grid(encoding, area.width, area.height)
    if is_paper and encoding.pairs is None and grid.height > area.height + 0.5:
        grid = _whole_grid(area.width, area.height, encoding) or grid
    return ClockLayout(None, (_placed(grid, area, encoding), *beside))


def _placed(grid: DialGrid, area: Area, table: Encoding, *, is_beside: bool = False) -> Dials:
    """The dials whose rows find room in an area, one row at least."""
    n_rows = max(int((area.height + 0.5) // grid.cell_height), 1)
    shown = range(min(n_rows * grid.columns, n_dials(table)))
    return Dials(replace(grid, left=area.x, top=area.y), shown, table, is_beside)


def _whole_grid(width: float, height: float, encoding: Encoding) -> DialGrid | None:
    """The largest dials of all columns that find room with captions beside them; None where they don't."""
    for captions in Captions if encoding.bits is not None else (Captions.FULL,):
        beside, rows = beside_width(encoding, captions), dict[int, float]()
        for columns in range(1, int(width // (captions.value + beside)) + 1):
            tall = height / math.ceil(encoding.d_model / columns)
            rows[columns] = min(tall, width / columns - beside, _TALLEST_ROW)
        best = max(rows, key=rows.__getitem__, default=0)
        if best and rows[best] >= captions.value:
            return replace(beside_grid(encoding, best, rows[best], captions), cell_width=width / best)
    return None


@record
class _Room:
    """Where face and dials stand; the dials are scrolled where the grid is taller than their room."""

    face: Area
    dials: Area
    grid: DialGrid

    @property
    def radius(self) -> float:
        """That of the dial with the hands."""
        return dial_in(self.face.width, self.face.height).radius


@lru_cache(maxsize=8)
def clock_room(width: float, height: float, code: Encoding, *, is_paper: bool = False) -> _Room:
    """The best arrangement: all dials with full captions, or those that flip within N, then with shorter captions.

    A scroll bar stands where there are more dials than can be seen. On paper nothing is scrolled, and all dials with
    short captions come before some with full ones. The same size and code give the same rooms, whatever t.
    """
    bar = 0.0 if is_paper else _BAR
    count, flipping = min(code.d_model, MOST_AT_ONCE), n_flipping(code)
    captions_of_all = [*Captions] if is_paper else [Captions.FULL]
    wanted = [*((count, captions) for captions in captions_of_all), *((flipping, captions) for captions in Captions)]
    alone = dial_in(width, height).radius
    least = min(max(_LEAST_SHARE * alone, _LEAST_RADIUS), alone)
    for visible, captions in wanted:
        rooms = _rooms(width, height, code, visible, captions, bar)
        # No bit is larger than half the face.
        fair = (room for room in rooms if room.radius >= max(least, room.grid.cell_height))
        # Large hands and large dials.
        best = max(fair, key=lambda room: room.radius + room.grid.cell_height, default=None)
        if best is not None:
            return best
    # As many columns of short captions as leave the face its share, at least one, and as many rows as are seen.
    n_rows = max(int(height // Captions.TERSE.value), 1)
    row = min(height / n_rows, _TALLEST_ROW)
    most = max(int(width // (row + beside_width(code, Captions.TERSE))), 1)
    grids = (beside_grid(code, columns, row, Captions.TERSE) for columns in range(most, 0, -1))
    scrolled = [_room(width, height, grid, n_rows, bar) for grid in grids]
    return next((room for room in scrolled if room.radius >= least), scrolled[-1])


def _rooms(
    width: float, height: float, code: Encoding, visible: int, captions: Captions, bar: float
) -> Iterator[_Room]:
    """Every number of columns beside the face and below it, with rows from the least height to the greatest."""
    least, beside = captions.value, beside_width(code, captions)
    used_bar = bar if visible < code.d_model else 0.0
    for columns in range(1, int(width // (least + beside)) + 1):
        n_rows = math.ceil(visible / columns)
        for is_below, most in ((False, height / n_rows), (True, (width - used_bar) / columns - beside)):
            tallest = min(most, _TALLEST_ROW)
            for row in np.linspace(least, tallest, _ROW_HEIGHTS).tolist() if tallest >= least else ():
                room = _room(width, height, beside_grid(code, columns, row, captions), n_rows, used_bar, is_below)
                if min(room.face.width, room.face.height) > 0:
                    yield room


def _room(width: float, height: float, grid: DialGrid, n_rows: int, bar: float, is_below: bool = False) -> _Room:
    """The face and so many rows of a grid, side by side or below each other, both in the middle of what is left."""
    wide, tall = grid.columns * grid.cell_width + bar, n_rows * grid.cell_height
    across, down = max(width - 2 * MARGIN_ACROSS, 0.0), max(height - 2 * MARGIN_DOWN, 0.0)
    if is_below:
        face = min(max(height - tall - _GAP, 0.0), across + 2 * MARGIN_DOWN)
        top = (height - face - _GAP - tall) / 2
        return _Room(Area(0.0, top, width, face), Area((width - wide) / 2, top + face + _GAP, wide, tall), grid)
    face = min(max(width - wide - _GAP, 0.0), down + 2 * MARGIN_ACROSS)
    left = (width - face - _GAP - wide) / 2
    return _Room(Area(left, 0.0, face, height), Area(left + face + _GAP, (height - tall) / 2, wide, tall), grid)


_NUMBER_BADGE: Final = 9.5
_NAME_GAP: Final = 4.5
# Between two numbers; with less than the second one a value would stand nearer to the next name than to its own.
_LEAST_GAP, _LOOSE_GAP, _LARGEST_GAP = 5.0, 14.0, 22.0
# Of a number in a corner beside the dial: its room, the middles of its two lines; how far hands reach beyond the ring.
_CORNER_WIDTH, _CORNER_HEIGHT, _CORNER_LINES, _CORNER_GAP = 76.0, 32.0, (8.0, 24.0), 8.0


class _Number(NamedTuple):
    """A number of the chosen hand with its name, the widest that it gets, and a shorter name, if there is one."""

    name: str
    text: str
    widest: str
    short: str = ""


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
        _Number("angle", degrees(angle), "000.0°", "θ"),
        _Number(f"sin{share}", fixed(sine, 3), "−0.000", f"sin{share.replace(' ', '')}"),
        _Number(f"cos{share}", fixed(cosine, 3), "−0.000", f"cos{share.replace(' ', '')}"),
        _turn_number(pairs, cursor),
        *_rounding_numbers(state),
    ]


def numbers_scene(state: State, answers: Answers, box: Box) -> Scene:
    """The chosen hand's numbers in one row after the badge of its pair; names stay while t moves."""
    all_rows = numbers(state, answers)
    theme = hands_theme(state, box.theme)
    middle = box.height / 2
    badge = _badge(state, middle, theme)
    # What finds no room is left out: half a number would be a wrong one.
    # The widest that each number gets, so that nothing jumps while the hands turn.
    wide = partial(text_width, "value")
    least = 2 * badge.x
    short = [one._replace(name=one.short or one.name) for one in all_rows]
    # The last number is shortened first.
    for rows in (all_rows, [*all_rows[:-1], *short[-1:]], short):
        widths = [text_width("caption", one.name) + _NAME_GAP + max(wide(one.widest), wide(one.text)) for one in rows]
        if sum(widths) + _LEAST_GAP * len(widths) + least <= box.width:
            break
    while len(widths) > 1 and sum(widths) + _LEAST_GAP * len(widths) + least > box.width:
        widths.pop()
    gap = min(max((box.width - 2 * badge.x - sum(widths)) / len(widths), _LEAST_GAP), _LARGEST_GAP)
    names, values, x = list[tuple[float, str]](), marks.Marks(), 2 * badge.x + gap
    for number, width in zip(rows, widths, strict=False):
        names.append((x, number.name))
        is_loose = gap >= _LOOSE_GAP
        end = x + width if is_loose else x + text_width("caption", number.name) + _NAME_GAP
        values.append(marks.Text(end, middle, number.text, "value", theme.text, across=float(is_loose)))
        x += width + gap
    note = _turn_note(state, answers)
    if note and x + text_width("tick", note) <= box.width:
        values.append(marks.right_aligned(box.width, middle, note, "tick", theme.text3))
    return Scene(tuple(values), Part(_names_picture, badge.label, badge.color, tuple(names), middle, theme))


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


def corner_numbers(state: State, answers: Answers, box: Box) -> marks.Picture:
    """The chosen hand's numbers in the corners around the dial: the first with the badge of its pair."""
    theme, (upper, lower) = hands_theme(state, box.theme), _CORNER_LINES
    badge = _badge(state, _CORNER_HEIGHT / 2, theme)
    picture: marks.Marks = [badge]
    # Left and right, above and below.
    corners = ((2 * badge.x + _NAME_GAP, 0.0, 0.0), (box.width, 0.0, 1.0), (box.width, 1.0, 1.0), (0.0, 1.0, 0.0))
    for number, (x, down, across) in zip(numbers(state, answers), corners, strict=False):
        top = down * (box.height - _CORNER_HEIGHT)
        picture.append(marks.Text(x, top + upper, number.name, "caption", theme.text2, across=across))
        picture.append(marks.Text(x, top + lower, number.text, "value", theme.text, across=across))
    return tuple(picture)


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
    return _Number(f"{of}: {turns}" if turns else name, text, "−00.0°", "" if turns else name.removeprefix("turn "))


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
