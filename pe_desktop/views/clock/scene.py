"""The clock: every pair of dimensions as a hand at its true angle, alone or beside the bits of t."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.bit_hands import code_beside, face_hands, face_hands_of, n_flipping
from pe_desktop.core.columns import hand_of_column, hand_values, n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name, hand_sentence, part_names, value_text
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import LegendEntry, legend, legend_width
from pe_desktop.draw.scene import NOTHING, Area, Box, Part, Place, Scene
from pe_desktop.draw.scheme_text import hands_theme, unread
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.clock.layout import NOTE_HEIGHT, ClockLayout, clock_layout, code_shown, n_hidden, shows_each
from pe_desktop.views.clock.picture import (
    BADGE_RADIUS,
    MOST_HANDS,
    Dial,
    HandState,
    cursor_turns,
    face_picture,
    half_picture,
    hand_state,
    hands_picture,
    length_shares,
    named_hands,
    nearest_tip,
    preview_hands_picture,
    whole_turns_picture,
)
from pe_desktop.views.clock.small import (
    HAND_LENGTH,
    Dials,
    bit_sentence,
    column_sentence,
    columns_sentence,
    dials_picture,
)

_LEGEND_HEIGHT: Final = 24.0
_LEGEND_DOT: Final = 4.5
_NUMBER_BADGE: Final = 9.5
_NAME_GAP: Final = 5.0
UNEVEN: Final = "Hands turn unevenly: how far they turn by k differs from t to t"
_ADDED: Final = "added to each word"
_ONE: Final = (
    "Every pair of dimensions is a hand; its angle is position times angular frequency, clockwise from 12 o'clock, "
    "so its shadow to the right is the sine and its shadow upwards the cosine. Solid is t, hollow is t + k, "
    "and the arc between them is the turn by k. Of more than 32 pairs, all are dots and the pinned ones hands."
)
_EACH: Final = (
    "Each dial is one pair of dimensions with its wavelength in positions; angles run clockwise from 12 o'clock. "
    "Solid is t, hollow is t + k, and the arc between them is the turn by k."
)
_UNEVEN_HANDS: Final = (
    "Each hand is a pair of dimensions at its angle, clockwise from 12 o'clock. Solid is t, hollow is t + k, and the "
    "arc between them is how far it turned from t to t + k, which differs from t to t."
)
_BITS_BESIDE: Final = (
    " Each dial beside them is a bit of the position in the colour of the hand that turns about as fast: it turns once "
    "in the period of the bit, which is 1 in the left half, filled while it is."
)
_BIT_CLOCK: Final = (
    "Each hand and each dial is one bit: it turns clockwise from 12 o'clock, once in the period of the bit, which is 1 "
    "in the shaded half; its dial is filled while it is. Solid is t, hollow is t + k, and the arc between them is the "
    "turn by k. Of more than 32 bits, all are dots and the pinned ones hands."
)
_GAUGES: Final = (
    "Each dial is one column of the table: a needle between the limits of the values, 0 at 12 o'clock. Solid is t, "
    "hollow is t + k."
)


class Number(NamedTuple):
    """A number of the chosen hand with its name and the widest that it gets."""

    name: str
    text: str
    widest: str


def layout_of(state: State, box: Box) -> ClockLayout:
    """Where everything stands."""
    height = box.height - (_LEGEND_HEIGHT if box.is_paper else 0.0)
    return clock_layout(state, box.width, height, is_paper=box.is_paper)


def questions(state: State) -> tuple[Question, ...]:
    return ()


def scene(state: State, answers: Answers, box: Box) -> Scene:
    return drawn(state, layout_of(state, box), box)


def drawn(state: State, layout: ClockLayout, box: Box) -> Scene:
    """The scene of a layout: the whole clock, or what one canvas of the panel shows of it."""
    box = replace(box, theme=hands_theme(state, box.theme))
    encoding, cursor, theme, face = state.encoding, state.cursor, box.theme, layout.face
    moving, still = [*_paper(encoding, cursor, layout, box)] if box.is_paper else [], NOTHING
    if face is not None:
        hands = face_hands(encoding)
        moving += preview_hands_picture(face, encoding, box.preview, cursor, theme)
        if hands is not None:
            moving += hands_picture(face, encoding, hand_state(hands, cursor), cursor, theme)
        # The rings of whole turns don't move with t.
        still = Part(_still, encoding, replace(cursor, position=0.0), face, theme)
    for dials in layout.dials:
        moving += dials_picture(dials, encoding, cursor, theme)
    return Scene(tuple(moving), still, places=Part(_places, encoding, cursor, layout))


def subtitle(state: State, answers: Answers) -> str:
    return unread(state) or (_ADDED if state.views.attention.is_open else _counted(state))


def readout(state: State, answers: Answers) -> str:
    encoding, cursor, code = state.encoding, state.cursor, code_shown(state)
    told = ", ".join(f"{name} {text}" for name, text, _ in numbers(state))
    uneven = f". {UNEVEN}" if encoding.pairs is not None and not encoding.pairs.turns_evenly else ""
    bits = "" if code is None else f", {code.title} {_bits(code, cursor)}"
    return f"{hand_name(encoding, cursor.pair)}, {told}{bits}{uneven}"


def sentence(state: State, answers: Answers) -> str:
    """How many hands, bits or columns show which position; of a dial for each pair, how soon they turn once."""
    encoding, code = state.encoding, code_shown(state)
    at = f"position {position_text(state.cursor.position)}"
    if encoding.pairs is None:
        columns = "1 column shows" if encoding.d_model == 1 else f"{whole(encoding.d_model)} columns show"
        return f"{encoding.title}: {columns} {at}"
    count = encoding.pairs.count
    if shows_each(state):
        return _turning_once(encoding.pairs)
    hands = "1 hand" if count == 1 else f"{whole(count)} hands"
    if code is not None:
        return f"{hands} and {'1 bit' if code.d_model == 1 else f'{code.d_model} bits'} show {at}"
    return f"{hands} {'shows' if count == 1 else 'show'} {at}"


def explanation(state: State) -> str:
    told = unread(state)
    return _explained(state) + (f" Grey, as {told}." if told else "")


def height(state: State, answers: Answers, width: float, theme: Theme) -> None:
    return None


def numbers(state: State) -> list[Number]:
    """A hand's angle, sine, cosine and turn by k; where nothing turns, the values of the chosen columns."""
    encoding, cursor, pairs = state.encoding, state.cursor, state.encoding.pairs
    if pairs is None:
        return _values(encoding, cursor)
    angle = float(pairs.angles([cursor.position], [cursor.pair])[0, 0])
    turn = math.degrees(float(cursor_turns(pairs, cursor)[cursor.pair]))
    return [
        Number("angle", _degrees(angle), "000.0°"),
        Number("sin", fixed(math.sin(angle), 3), "−0.000"),
        Number("cos", fixed(math.cos(angle), 3), "−0.000"),
        Number(
            "turn by k" if pairs.turns_evenly else "turn here",
            f"{fixed(turn, 1)}°" if abs(turn) < 1e6 else f"{short(turn / 360)} turns",
            "−00.0°",
        ),
    ]


def numbers_scene(state: State, box: Box) -> Scene:
    """The chosen hand's numbers in one row."""
    cursor, theme, shown, middle = state.cursor, hands_theme(state, box.theme), numbers(state), box.height / 2
    label = str(cursor.pair)
    half = badge_half_width(_NUMBER_BADGE, label)
    color = theme.pair_color(cursor.pair, n_hands(state.encoding))
    picture: list[marks.Mark] = [marks.Badge(half, middle, _NUMBER_BADGE, label, color)]
    # What finds no room is left out: half a number would be a wrong one.
    widths = [_number_width(number) for number in shown]
    while len(widths) > 1 and sum(widths) + 5.0 * len(widths) + 2 * half > box.width:
        widths.pop()
    gap = min(max((box.width - 2 * half - sum(widths)) / len(widths), 5.0), 22.0)
    x = 2 * half + gap
    for number, width in zip(shown, widths, strict=False):
        picture.append(marks.Text(x, middle, number.name, "caption", theme.text2))
        x += width
        picture.append(marks.Text(x, middle, number.text, "value", theme.text, across=1.0))
        x += gap
    return Scene(tuple(picture))


def hand_at(state: State, layout: ClockLayout, x: float, y: float) -> tuple[int, Dial, bool] | None:
    """What a press takes: a hand of the face, the dial that it turns on, and whether it is the hand at t + k.

    Away from all hands of the face it is that of the chosen pair. Gauges, and bits beside other hands, aren't turned.
    """
    encoding, cursor = state.encoding, state.cursor
    hands, found = face_hands(encoding), _dial_at(encoding, layout, x, y)
    if hands is None or (found is not None and _is_beside(encoding, found[0])):
        return None
    if found is not None:
        dials, number = found
        dial = dials.grid.dial(number)
        angles = hands.angles([cursor.position, cursor.position + cursor.offset], [number])[:, 0]
        reach = dial.radius * HAND_LENGTH * float(length_shares(hands)[number])
        return number, dial, nearest_tip(dial.tips(angles, np.full(2, reach)), x, y) == 1
    if layout.face is None:
        return None
    hand, is_later = _grip(encoding, cursor, hand_state(hands, cursor), layout.face, (x, y))
    return hand, layout.face, is_later


def pair_at(state: State, layout: ClockLayout, x: float, y: float) -> int | None:
    """The two columns that a press on the dial of one of them chooses."""
    found = _dial_at(state.encoding, layout, x, y)
    if found is None or _is_beside(state.encoding, found[0]):
        return None
    return found[1] if state.encoding.pairs is not None else int(hand_of_column(state.encoding)[found[1]])


def is_hand_at(state: State, layout: ClockLayout, x: float, y: float) -> bool:
    """Whether a hand of the face ends at a point."""
    return _face_hand_at(state, layout, x, y) is not None


def tooltip(state: State, layout: ClockLayout, x: float, y: float) -> str:
    """The hand, dial or bit at a point, in one line."""
    encoding, cursor = state.encoding, state.cursor
    found = _dial_at(encoding, layout, x, y)
    if found is not None and _is_beside(encoding, found[0]):
        return bit_sentence(found[0].code or encoding, found[1], cursor)
    number = found[1] if found is not None else _face_hand_at(state, layout, x, y)
    if number is None:
        return ""
    if encoding.pairs is None:
        return column_sentence(encoding, number, cursor)
    return hand_sentence(encoding.pairs, number, float(encoding.pairs.angles([cursor.position], [number])[0, 0]))


def code_title(state: State) -> str:
    """What the dials beside the face are, for a screen reader."""
    code = code_beside(state.encoding)
    return "" if code is None else f"{code.title}, {code.d_model} dials"


def _counted(state: State) -> str:
    """How many hands there are, and what they show."""
    pairs = state.encoding.pairs
    if pairs is None:
        return columns_sentence(state.encoding)
    count, is_even = pairs.count, pairs.turns_evenly
    if shows_each(state):
        return "wavelength in positions" if is_even else "wavelength in mapped positions"
    if count == 1:
        return "1 hand, one pair" if is_even else "1 hand, turning unevenly"
    if count > MOST_HANDS:
        return f"{whole(count)} dots, hands for pins"
    if not is_even:
        return f"{count} hands, turning unevenly"
    return f"{count} hands, bits of t" if state.views.clock.shows_bits else f"{count} hands, one per pair"


def _explained(state: State) -> str:
    encoding = state.encoding
    if encoding.pairs is None:
        return _GAUGES if encoding.bits is None else _BIT_CLOCK
    usual = _EACH if shows_each(state) else _ONE
    beside = _BITS_BESIDE if state.views.clock.shows_bits else ""
    return (usual if encoding.pairs.turns_evenly else _UNEVEN_HANDS) + beside


def _still(encoding: Encoding, cursor: Cursor, dial: Dial, theme: Theme) -> marks.Picture:
    hands = face_hands(encoding)
    ones = half_picture(dial, encoding.bits.first_one, theme) if encoding.bits is not None else ()
    rings = whole_turns_picture(dial, encoding, cursor, theme)
    return (*ones, *face_picture(dial, hands.count if hands else 0, theme), *rings)


def _paper(encoding: Encoding, cursor: Cursor, layout: ClockLayout, box: Box) -> Iterator[marks.Mark]:
    """Which dots are t and which are t + k, and how many dials find no room."""
    theme = box.theme
    now, later = position_text(cursor.position), position_text(cursor.position + cursor.offset)
    entries = (
        LegendEntry(f"t = {now}", theme.text, radius=_LEGEND_DOT),
        LegendEntry(f"t + k = {later}", theme.text, radius=_LEGEND_DOT, ground=theme.panel),
    )
    left = (box.width - legend_width(entries, "caption", gap=22.0)) / 2
    yield from legend(left, box.height - _LEGEND_HEIGHT / 2, entries, theme, "caption", gap=22.0)
    nouns = {True: "bits", False: "pairs" if encoding.pairs is not None else "columns"}
    hidden = [(n_hidden(dials, encoding), dials.code is not None) for dials in layout.dials]
    words = " and ".join(f"{whole(count)} more {nouns[is_code]}" for count, is_code in hidden if count)
    if words:
        y = box.height - _LEGEND_HEIGHT - NOTE_HEIGHT / 2
        yield marks.Text(box.width, y, f"{words} have no room", "tick", theme.text2, across=1.0)


def _places(encoding: Encoding, cursor: Cursor, layout: ClockLayout) -> tuple[Place, ...]:
    """The hands that are drawn as hands, the chosen ones at t + k as well, and each small dial that is seen."""
    hands = [] if layout.face is None else [*_hand_places(encoding, cursor, layout.face)]
    return (*hands, *(place for dials in layout.dials for place in _dial_places(encoding, cursor, dials)))


def _hand_places(encoding: Encoding, cursor: Cursor, dial: Dial) -> Iterator[Place]:
    hands = face_hands(encoding)
    if hands is None:
        return
    state, chosen = hand_state(hands, cursor), face_hands_of(encoding, cursor.pair)
    radii, named = state.radii(dial), named_hands(encoding, cursor)
    shown = [hand for hand in range(hands.count) if hand not in named] if hands.count <= MOST_HANDS else []
    # Later places lie over earlier ones: hands at t over those at t + k, the chosen ones over all.
    for angles, words, some in (
        (state.later_angles, " at t + k", chosen),
        (state.angles, "", [*sorted({*shown, *named} - {*chosen}), *chosen]),
    ):
        tips = dial.tips(angles, radii)
        for hand in some:
            x, y = tips[hand].tolist()
            area = Area(x - BADGE_RADIUS, y - BADGE_RADIUS, 2 * BADGE_RADIUS, 2 * BADGE_RADIUS)
            yield Place(f"hand {hand}{words}", area, _degrees(float(angles[hand])), is_chosen=hand in chosen)


def _dial_places(encoding: Encoding, cursor: Cursor, dials: Dials) -> Iterator[Place]:
    grid, shown, pairs = dials.grid, dials.shown, encoding.pairs
    if not len(shown):
        return
    if dials.code is None and pairs is not None:
        texts = [_degrees(angle) for angle in pairs.angles([cursor.position], shown)[0].tolist()]
    else:
        table = dials.code or encoding
        digits = 0 if table.bits is not None else 4
        values = table.values([cursor.position], shown)[0].tolist()
        texts = [value_text(value, table.value_limit, digits) for value in values]
    chosen = () if _is_beside(encoding, dials) else face_hands_of(encoding, cursor.pair)
    name = "dial" if dials.code is None else "bit"
    for number, text in zip(shown, texts, strict=True):
        area = Area(*grid.cell(number), grid.cell_width, grid.cell_height)
        yield Place(f"{name} {number}", area, text, is_chosen=number in chosen)


def _dial_at(encoding: Encoding, layout: ClockLayout, x: float, y: float) -> tuple[Dials, int] | None:
    for dials in layout.dials:
        number = dials.dial_at(x, y, encoding)
        if number is not None:
            return dials, number
    return None


def _is_beside(encoding: Encoding, dials: Dials) -> bool:
    """Whether these are bits of the position beside the hands of another table."""
    return dials.code is not None and encoding.pairs is not None


def _face_hand_at(state: State, layout: ClockLayout, x: float, y: float) -> int | None:
    hands, face = face_hands(state.encoding), layout.face
    if hands is None or face is None:
        return None
    now = hand_state(hands, state.cursor)
    return nearest_tip(face.tips(now.angles, now.radii(face)), x, y)


def _grip(
    encoding: Encoding, cursor: Cursor, state: HandState, dial: Dial, point: tuple[float, float]
) -> tuple[int, bool]:
    n_hands = len(state.angles)
    grippable = np.arange(n_hands) if n_hands <= MOST_HANDS else np.array([*named_hands(encoding, cursor)])
    radii = state.radii(dial)
    for angles, is_later in ((state.angles, False), (state.later_angles, True)):
        tip = nearest_tip(dial.tips(angles, radii)[grippable], *point)
        if tip is not None:
            return int(grippable[tip]), is_later
    return face_hands_of(encoding, cursor.pair)[0], False


def _values(encoding: Encoding, cursor: Cursor) -> list[Number]:
    """The values of the chosen columns at t, and at t + k."""
    limit = encoding.value_limit
    values = hand_values(encoding, [cursor.position, cursor.position + cursor.offset], [cursor.pair])[:, 0]
    widest = value_text(-limit, limit, 3)
    names = [name for name in part_names(encoding, cursor.pair) if name]
    now, later = ([value_text(value, limit, 3) for value in row[: len(names)]] for row in values.tolist())
    return [
        *(Number(name, text, widest) for name, text in zip(names, now, strict=True)),
        Number("at t + k", ", ".join(later), ", ".join([widest] * len(names))),
    ]


def _number_width(number: Number) -> float:
    """A name and the widest that its number gets, so that nothing jumps while the hands turn."""
    wide = max(text_width("value", number.widest), text_width("value", number.text))
    return text_width("caption", number.name) + _NAME_GAP + wide


def _turning_once(pairs: Pairs) -> str:
    unit = "positions" if pairs.turns_evenly else "mapped positions"
    first, last = (short(float(length)) for length in pairs.wavelengths[[0, -1]])
    if pairs.count == 1:
        return f"The only pair turns once in {first} {unit}"
    return f"{whole(pairs.count)} pairs turn once in {first} to {last} {unit}"


def _bits(code: Encoding, cursor: Cursor) -> str:
    """The bits at t, the slowest that flips within N first, as a number is written."""
    values = code.values([cursor.position], range(n_flipping(code)))[0, ::-1]
    return "".join("1" if value else "0" for value in values.tolist())


def _degrees(angle: float) -> str:
    return f"{fixed(math.degrees(angle) % 360, 1)}°"
