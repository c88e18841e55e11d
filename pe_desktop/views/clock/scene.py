"""The clock: every pair of dimensions as a hand at its true angle, alone or beside the bits of t."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import Cursor, face_hands_of, half_hands, n_flipping, n_hands, pair_of_face_hand
from pe_desktop.core.digits import Digits
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.scores.attention import head_refusal
from pe_desktop.core.scores.rotary import RotaryFactors, turned_vectors, turning_state, turns_vectors
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, hand_name, nearest_tip, value_text
from pe_desktop.draw.flow import paragraph
from pe_desktop.draw.lettering import Lettering
from pe_desktop.draw.number_text import copied, counted, degrees, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import LegendEntry, legend, legend_width
from pe_desktop.draw.scene import NOTHING, Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers
from pe_desktop.views.clock import dials as small
from pe_desktop.views.clock import layout as room
from pe_desktop.views.clock import picture as face
from pe_desktop.views.clock.dials import HAND_LENGTH, Dials
from pe_desktop.views.clock.layout import ClockLayout, code_shown, numbers, shown_hands, shows_each, shows_vectors
from pe_desktop.views.clock.picture import MOST_HANDS, cursor_turns, face_hand_at, length_shares, named_hands
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.questions import WAITS, hand_rows, hands_box, never_turned_words, unread

_LEGEND_DOT: Final = 4.5
_UNEVEN: Final = "Hands turn unevenly: how far they turn over k depends on t"
# How to read its figures, by what is seen.
_CAPTIONS: Final = CAPTIONS["clock"]


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    if box.lettering is not None:
        return _printed_hands(state, box, box.lettering)
    box, layout = hands_box(state, box), room.layout_of(state, answers, box)
    picture: marks.Marks = [*_paper(*shown_hands(state), layout, box)] if box.is_paper else []
    still = NOTHING
    for dials in layout.dials:
        picture += _dials_picture(state, layout, dials, box)
        if math.isfinite(dials.bottom) and not box.is_paper:
            # Scrolled dials go on under what stands below them.
            covered = layout.numbers._replace(y=dials.bottom, height=layout.numbers.bottom - dials.bottom)
            picture.append(marks.Rectangle(*covered, box.theme.panel))
    if layout.face is not None:
        moving, still = face.face_pictures(layout.face, *shown_hands(state), state.trained_length, box)
        picture += moving
    if layout.has_corners or not box.is_paper:
        note = _hidden([dials for dials in layout.dials if dials.beside])
        picture += room.numbers_picture(state, answers, layout, box.theme, note)
    return Scene(tuple(picture), still, places=Part(_places, state, layout))


def _hidden(shown: Sequence[Dials]) -> str:
    """How many dials find no room."""
    return " and ".join(f"{whole(dials.n_hidden)} more {_noun(dials.table)}s" for dials in shown if dials.n_hidden)


def _readout(state: State, answers: Answers) -> str:
    """A row for each hand with a badge: its values, where it turns the frequency and angles in degrees; all digits."""
    encoding, cursor = shown_hands(state)
    hands = sorted({*named_hands(encoding, cursor).values()})
    pairs = encoding.pairs
    rows = hand_rows(state, hands)
    if shows_vectors(state, answers):
        rows = [["pair", "q", "k"], *([str(pair), *room.angle_texts(state, pair)] for pair in hands)]
    elif pairs is not None:
        angles = np.degrees(pairs.angles([cursor.position], hands)[0]) % 360
        turns = np.degrees(cursor_turns(pairs, cursor)[hands])
        rows[0] += ["ω", "angle in °", f"turn {'by k' if pairs.turns_evenly else 'here'} in °"]
        found = np.column_stack([pairs.angular_frequencies[hands], angles, turns]).tolist()
        for row, told in zip(rows[1:], found, strict=True):
            row.extend(map(copied, told))
    return "\n".join([*map("\t".join, rows), *_notes(state)])


def spoken(state: State, answers: Answers) -> str:
    """The numbers of the chosen hand as they are shown, for a screen reader."""
    encoding, cursor = shown_hands(state)
    texts = [f"{number.name} {number.text}" for number in numbers(state, answers)]
    return ". ".join([", ".join((hand_name(encoding, cursor.pair), *texts)), *_notes(state)]).replace("-", MINUS)


def _notes(state: State) -> list[str]:
    """What is told beside the numbers of hands: the bits of t, and why their turn depends on t."""
    pairs, code = shown_hands(state)[0].pairs, code_shown(state)
    bits = [] if code is None else [f"{code.title} {_bits(code, state.cursor)}"]
    notes = bits if pairs is None or pairs.turns_evenly else [*bits, _UNEVEN]
    return [*notes, *_never_turned(state)[:1]]


def _never_turned(state: State) -> tuple[str, ...]:
    """How many hands never turned once over the trained length, in ever fewer words; nothing without one."""
    pairs = shown_hands(state)[0].turning_pairs
    if not state.trained_length or pairs is None or not pairs.turns_evenly:
        return ()
    words = never_turned_words(pairs, state.trained_length)
    count, _, _ = words.partition(" hands")
    return words, f"{count} not once round in training", f"{count} not once round", f"{count.split()[0]} not once round"


def _sentence(state: State, answers: Answers) -> str:
    """How many hands, bits or columns show which position."""
    encoding, code, cursor = state.encoding, code_shown(state), state.cursor
    if turns_vectors(state):
        title = SCHEMES[state.scheme_at_work].title
        return "{} turns q at {} and k at {}, pair by pair".format(title, *map(position_text, cursor.both))
    at = f"position {position_text(cursor.position)}"
    if encoding.pairs is None:
        return f"{encoding.title}: {counted(encoding.d_model, 'column')} show{'s' * (encoding.d_model == 1)} {at}"
    count = encoding.pairs.count
    if code is not None:
        return f"{counted(count, 'hand')} and {counted(code.d_model, _noun(code))} show {at}"
    return f"{counted(count, 'hand')} show{'s' * (count == 1)} {at}"


def _explanation(state: State) -> str:
    turning, grey = turning_state(state), unread(state)
    encoding, code = turning.encoding, code_shown(turning)
    pairs, shown = encoding.turning_pairs, "each" if shows_each(turning) else "one"
    if turns_vectors(state):
        shown = f"turned {shown}"
    elif pairs is None:
        shown = "twins" if small.has_twins(encoding) else "gauges" if encoding.bits is None else "bits"
    elif not pairs.turns_evenly:
        shown = "uneven"
    said = [_CAPTIONS[shown]]
    if half_hands(encoding):
        said.append(_CAPTIONS["half"])
    if isinstance(code, Digits):
        said.append(f"{_CAPTIONS['digits beside']} {small.digits_texts(code)[0]}.")
    elif code is not None and encoding.pairs is not None:
        said.append(_CAPTIONS["bits beside"])
    said += [f"Grey arcs: {count}." for count in _never_turned(state)[:1]]
    return " ".join([*said, f"Grey means {grey}."] if grey else said)


def _height(state: State, answers: Answers, width: float, theme: Theme) -> float | None:
    """The least at which every small dial finds room; None where they stand beside others or are very many."""
    state, encoding = turning_state(state), shown_hands(state)[0]
    if not shows_each(state) or code_shown(state) is not None or small.n_dials(encoding) > room.MOST_AT_ONCE:
        return None
    own = small.own_dials(encoding, width, 1.0)
    return own.rows * (own.cell_width + own.caption) + room.LEGEND_HEIGHT + room.NOTE_HEIGHT


def hand_at(state: State, layout: ClockLayout, x: float, y: float) -> tuple[int, Dial, bool] | None:
    """What a press takes: a hand of the face, the dial that it turns on, and whether it is the hand at t + k.

    Away from all hands of the face it is that of the chosen pair. Gauges, bits beside other hands, pairs that RoPE
    leaves still, and dials of a query and a key, aren't turned.
    """
    encoding, cursor = shown_hands(state)
    hands, found = encoding.face_hands, layout.dial_at(x, y)
    if hands is None:
        return None
    if found is None:
        own = layout.face
        taken = face_hand_at(*shown_hands(state), own, x, y, is_taken=True)
        hand, is_later = taken or (face_hands_of(encoding, cursor.pair)[0], False)
        return None if own is None or not hands.angular_frequencies[hand] else (hand, own, is_later)
    dials, number = found
    if dials.is_beside or turns_vectors(state):
        return None
    dial = dials.dial(number)
    angles = hands.angles(cursor.both, [number])[:, 0]
    reach = dial.radius * HAND_LENGTH * length_shares(hands, cursor.both)[:, number]
    return number, dial, nearest_tip(dial.tips(angles, reach), x, y) == 1


class Knob(NamedTuple):
    """The end of a turned query or key of a pair, the dial it stands on, and the length that the radius stands for.

    encoding: the one that it was taken hold of with.
    """

    name: str
    pair: int
    dial: Dial
    reach: float
    encoding: Encoding


def knob_at(state: State, layout: ClockLayout, x: float, y: float) -> Knob | None:
    """The end of a query or key that a press on the dial of its pair takes, the query's first; None but with RoPE."""
    found = layout.dial_at(x, y)
    if found is None or found[0].is_beside or not layout.has_vectors:
        return None
    (dials, pair), vectors = found, turned_vectors(state)
    dial = dials.dial(pair)
    end = nearest_tip(small.turned_ends(vectors, dial.radius)[2:, pair] + (dial.x, dial.y), x, y)
    return None if end is None else Knob(("query", "key")[end], pair, dial, vectors.reach, state.encoding)


def tooltip(state: State, layout: ClockLayout, x: float, y: float) -> str:
    """The hand, dial or bit at a point, in one line."""
    encoding, cursor = shown_hands(state)
    found, hand = layout.dial_at(x, y), face_hand_at(*shown_hands(state), layout.face, x, y)
    number = found[1] if found is not None else None if hand is None else hand[0]
    if number is None:
        is_uneven = encoding.pairs is not None and not encoding.pairs.turns_evenly
        return _UNEVEN if is_uneven and layout.numbers.holds(x, y) else ""
    if found is not None and found[0].is_beside:
        return small.column_sentence(found[0].table, number, cursor, is_beside=True)
    if turns_vectors(state):
        return small.turned_sentence(state, number)
    pairs = encoding.turning_pairs
    if pairs is None:
        return small.column_sentence(encoding, number, cursor)
    omega, wavelength = (short(float(of[number])) for of in (pairs.angular_frequencies, pairs.wavelengths))
    unit = "position" if pairs.turns_evenly else "mapped position"
    angle = degrees(float(pairs.angles([cursor.position], [number])[0, 0]))
    return f"pair {number}: {omega} radians per {unit}, wavelength {wavelength}, angle {angle}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    """What the head makes of the hands, or how many there are and what they show, in ever fewer words."""
    never = () if unread(state) else _never_turned(state)
    if never:
        return never
    if turns_vectors(state):
        is_mixed = state.attention.pairing == "mixed"
        return ("q and k turned, pairs mixed up", "pairs mixed up") if is_mixed else ("q and k turned",)
    if words := unread(state):
        return words, "no score uses these", "not used"
    return SCHEMES[state.scheme_at_work].hands if state.views.attention.is_open else _counted(state)


def _counted(state: State) -> tuple[str, ...]:
    """How many hands there are, and what they show."""
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return small.columns_sentences(state.encoding)
    count, hands, is_even = pairs.count, counted(pairs.count, "hand"), pairs.turns_evenly
    if half_hands(state.encoding):
        return f"{hands}, one without its cosine", hands
    if shows_each(state):
        return "wavelength in positions" if is_even else "wavelength in mapped positions", "wavelengths"
    if count > MOST_HANDS:
        return f"{whole(count)} dots, hands for pins", f"{whole(count)} dots"
    if not is_even:
        return f"{hands}, turning unevenly", f"{hands}, uneven", hands
    what = "bits of t" if count > 1 and state.views.clock.shows_bits else "one pair" if count == 1 else "one per pair"
    return f"{hands}, {what}", hands


def _paper(encoding: Encoding, cursor: Cursor, layout: ClockLayout, box: Box) -> Iterator[marks.Mark]:
    """Which dots are t and which are t + k, and how many dials find no room."""
    theme = box.theme
    now, later = map(position_text, cursor.both)
    query, key = ("q at ", "k at ") if isinstance(encoding, RotaryFactors) else ("", "")
    entries = (
        LegendEntry(f"{query}t = {now}", theme.text, radius=_LEGEND_DOT),
        LegendEntry(f"{key}t + k = {later}", theme.text, radius=_LEGEND_DOT, ground=theme.panel),
    )
    left = (box.width - legend_width(entries, "caption", gap=22.0)) / 2
    yield from legend(left, box.height - room.LEGEND_HEIGHT / 2, entries, theme, "caption", gap=22.0)
    y = box.height - room.LEGEND_HEIGHT - room.NOTE_HEIGHT / 2
    for table in [dials.table for dials in layout.dials if isinstance(dials.table, Digits)]:
        told = fitting("tick", small.digits_texts(table), box.width)
        yield marks.centered(box.width / 2, y, told, "tick", theme.text2)
        y -= room.NOTE_HEIGHT
    if words := _hidden(layout.dials):
        yield marks.right_aligned(box.width, y, f"{words} have no room", "tick", theme.text2)


def _dials_picture(state: State, layout: ClockLayout, dials: Dials, box: Box) -> marks.Picture:
    (_, cursor), theme, pairs = shown_hands(state), box.theme, dials.table.pairs
    if not dials.is_beside and turns_vectors(state):
        if layout.has_vectors:
            return small.turned_dials_picture(dials, state, theme)
        why = head_refusal(state.encoding.d_model) or WAITS
        return tuple(paragraph(why).draw(Area(dials.left, dials.top + 11.5, box.width, 0.0), theme))
    picture = small.dials_picture(dials, cursor, theme, state.trained_length)
    if pairs is None or box.preview is None:
        return picture
    return (*small.preview_dials_picture(dials, pairs, box.preview, cursor, theme), *picture)


def _places(state: State, layout: ClockLayout) -> tuple[Place, ...]:
    """The hands that are drawn as hands, the chosen ones at t + k as well, and each small dial that is seen."""
    encoding, cursor = shown_hands(state)
    dials = (place for dials in layout.dials for place in _dial_places(state, layout, dials))
    return *face.hand_places(encoding, cursor, layout.face), *dials


def _dial_places(state: State, layout: ClockLayout, dials: Dials) -> Iterator[Place]:
    (encoding, cursor), shown, table = shown_hands(state), dials.shown, dials.table
    if not dials.is_beside and layout.has_vectors:
        texts = ["q {}, k {}".format(*room.angle_texts(state, pair)) for pair in shown]
    elif table.pairs is not None:
        texts = [degrees(angle) for angle in table.pairs.angles([cursor.position], shown)[0].tolist()]
    else:
        digits = 0 if table.bits is not None else 4
        values = table.values([cursor.position], shown)[0].tolist()
        texts = [value_text(value, table.value_limit, digits) for value in values]
    chosen = () if dials.is_beside else face_hands_of(encoding, cursor.pair)
    name = noun if (noun := _noun(table)) in ("bit", "digit") else "dial"
    for number, text in zip(shown, texts, strict=True):
        left, top = dials.cell(number)
        area = Area(left, top, dials.cell_width, min(dials.cell_height, dials.bottom - top))
        is_pair = not dials.is_beside or isinstance(table, Digits)
        sets = {"pair": pair_of_face_hand(encoding, number)} if is_pair else None
        yield Place(f"{name} {number}", area, text, number in chosen, sets)


def _noun(table: Encoding) -> str:
    """What one of its small dials is."""
    if isinstance(table, Digits):
        return "digit"
    return "bit" if table.bits is not None else "pair" if table.pairs is not None else "column"


def _bits(code: Encoding, cursor: Cursor) -> str:
    """The bits at t, the slowest that flips within N first, as a number is written."""
    values = code.values([cursor.position], range(n_flipping(code)))[0, ::-1]
    if isinstance(code, Digits):
        return (":" if code.is_whole else " ").join(short(value, 3) for value in values.tolist())
    return "".join("1" if value else "0" for value in values.tolist())


# Of a printed figure: title, position under it, pair under each dial, words under all, room between dials.
_TITLE, _POSITION, _TOP, _PAIR_BELOW, _WORDS_ABOVE, _BOTTOM, _GAP = 12.0, 34.0, 52.0, 18.0, 8.0, 56.0, 24.0


def _printed_hands(state: State, box: Box, lettering: Lettering) -> Scene:
    """The hands of the pinned pairs at t, clockwise from 12 o'clock."""
    theme, pairs = box.theme, state.encoding.pairs
    assert pairs is not None
    shown, middle = state.cursor.visible_pins(state.encoding), box.width / 2
    radius = max(min((box.height - _TOP - _BOTTOM) / 2, (box.width / len(shown) - _GAP) / 2), 8.0)
    picture: marks.Marks = [
        marks.centered(middle, _TITLE, lettering.title, "title", theme.text),
        marks.centered(middle, _POSITION, f"t = {position_text(state.cursor.position)}", "label", theme.text),
        marks.centered(middle, box.height - _WORDS_ABOVE, lettering.x, "label", theme.text),
    ]
    turned = pairs.angles([state.cursor.position], shown)[0].tolist()
    for place, (pair, angle) in enumerate(zip(shown, turned, strict=True)):
        dial = Dial(box.width * (place + 0.5) / len(shown), _TOP + radius, radius)
        color = theme.pair_color(pair, n_hands(state.encoding))
        angles, reach = np.array([angle]), HAND_LENGTH * radius
        picture += [
            dial.ring(theme.axis, 1.4),
            *small.needles(dial, angles, angles, (reach, reach), color, theme),
            marks.centered(dial.x, dial.y + radius + _PAIR_BELOW, f"i = {pair}", "label", theme.text),
        ]
    return Scene(tuple(picture))


_PAGE = ScenePage(_scene, _sentence, _explanation, _readout, room.questions, _height)
VIEW = PagedView("", {"": _PAGE}, _forms, needed=room.needed)
