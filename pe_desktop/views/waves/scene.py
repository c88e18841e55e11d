"""The waves: sine and cosine of every pinned pair against the position, with the cursors at t and t + k."""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import MISSING, Cursor, hand_columns, hand_values
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.record import kept
from pe_desktop.core.rotation import steady_pairs
from pe_desktop.core.scores.rotary import RotaryFactors, turning_state, turns_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.dial import hand_name, value_text
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import LegendEntry, legend
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.printed import printed_curves
from pe_desktop.views.questions import hand_color, hand_rows, hands_box, unread
from pe_desktop.views.waves import layout as waves
from pe_desktop.views.waves.layout import BOTTOM, LEAST_ROW, SHORTEST_ROW, TOP, WaveCurve, WavesLayout, table_curves
from pe_desktop.views.waves.picture import NAME_LEFT, cursor_picture, names_picture, titles_picture, waves_picture

# From one line of the legend of one axis to the next; from its first to the edge of the plot; the room of a sample.
_LINE, _LEGEND_INSET, _SAMPLE_ROOM = 16.0, 8.0, 32.0
# How many rows are scrolled: more are told of, for the bitmap of all of them would be too tall.
_MOST_ROWS: Final = 64
# Of the first and the second column of a hand.
_STYLES: Final = ((2.0, ()), (1.6, (1.6, 3.2)))


class _Entry(NamedTuple):
    """A column of a hand, its first or its second, and its names: Dim 0 (i = 0), or Dim 0."""

    hand: int
    part: int
    names: tuple[str, ...]

    def line(self, encoding: Encoding, theme: Theme, room: float = math.inf) -> LegendEntry:
        """Its line and the longest name that finds room."""
        name = fitting("tick", self.names, room - _SAMPLE_ROOM)
        return LegendEntry(name, hand_color(encoding, self.hand, theme), *_STYLES[self.part])


def _entries(encoding: Encoding, hands: tuple[int, ...]) -> Iterator[_Entry]:
    for hand in hands:
        for part, column in enumerate(hand_columns(encoding)[hand].tolist()):
            name = ("sin", "cos")[part] if isinstance(encoding, RotaryFactors) else f"Dim {whole(column)}"
            if column != MISSING:
                yield _Entry(hand, part, (f"{name} (i = {hand})", name) if encoding.pairs is not None else (name,))


@kept
def _legend(layout: WavesLayout) -> tuple[list[tuple[_Entry, Area]], int]:
    """The entries that find room under each other beside the plot, where they stand, and how many more there are."""
    area = layout.area
    entries = [*_entries(layout.encoding, layout.hands)]
    n_lines = min(max(int(area.height // _LINE), 1), len(entries))
    n_more = 0 if n_lines == len(entries) else len(entries) - n_lines + 1
    x = area.right + NAME_LEFT
    y = area.y + _LEGEND_INSET - _LINE / 2
    areas = [Area(x, y + row * _LINE, layout.width - x, _LINE) for row in range(n_lines)]
    return list(zip(entries[: len(entries) - n_more], areas, strict=False)), n_more


def _legend_picture(layout: WavesLayout, theme: Theme) -> marks.Picture:
    (placed, n_more), picture = _legend(layout), marks.Marks()
    for entry, area in placed:
        picture += legend(area.x, area.middle[1], [entry.line(layout.encoding, theme, area.width)], theme)
    if n_more:
        x = layout.area.right + NAME_LEFT
        y = layout.area.y + _LEGEND_INSET + _LINE * len(placed)
        picture.append(marks.Text(x, y, f"{whole(n_more)} more", "tick", theme.text2))
    return tuple(picture)


def _hand_areas(layout: WavesLayout) -> dict[int, Area]:
    """The row of each hand, over one axis its entries of the legend that are seen."""
    plot = layout.area
    tall = layout.row_height
    areas = dict[int, Area]()
    if not layout.is_overlay:
        return {hand: Area(0.0, plot.y + row * tall, layout.width, tall) for row, hand in enumerate(layout.hands)}
    for entry, area in _legend(layout)[0]:
        first = areas.get(entry.hand, area)
        areas[entry.hand] = first._replace(height=area.bottom - first.y)
    return areas


# More pairs than this are not named one by one in a title.
_MOST_NAMED = 3
_FACTORS = "sin and cos that multiply q and k"


def _needed(state: State, _answers: Answers, box: Box) -> float:
    """The height in which each pinned pair has a row, in pixels; 0 over one axis.

    Rows are lower where all of them are seen then without scrolling.
    """
    n_rows = min(_n_rows(state), _MOST_ROWS)
    seen = math.inf if box.visible is None else box.visible.height
    shortest = min(max((seen - TOP - BOTTOM) / n_rows, LEAST_ROW), SHORTEST_ROW) if n_rows else 0.0
    return TOP + n_rows * (shortest if shortest > LEAST_ROW else SHORTEST_ROW) + BOTTOM if n_rows else 0.0


def _height(state: State, _answers: Answers, _width: float, _theme: Theme) -> float | None:
    """The height in which a figure has a row for each pinned pair, with both values where they are few."""
    n_rows = _n_rows(state)
    tall = 1.5 * SHORTEST_ROW if n_rows <= _MOST_NAMED else SHORTEST_ROW
    return TOP + n_rows * tall + BOTTOM if n_rows else None


def _n_rows(state: State) -> int:
    state = turning_state(state)
    return 0 if state.views.waves.mode == "overlay" else len(state.cursor.visible_pins(state.encoding))


def layout_of(state: State, box: Box) -> WavesLayout:
    """Where everything stands."""
    state, is_overlay = turning_state(state), state.views.waves.mode == "overlay"
    pins = state.cursor.visible_pins(state.encoding)
    # The pinned pairs that find a row, or all of them over one axis.
    hands = pins if is_overlay else pins[: max(int((box.height - TOP - BOTTOM) // LEAST_ROW), 1)]
    has_numbers = is_overlay or (box.shows_cursor and not box.is_column)
    return _kept_layout(box.width, box.height, state.encoding, hands, state.shown_span, is_overlay, has_numbers)


# It stays while t moves, and its axes with it.
_kept_layout = kept(WavesLayout)


def _questions(state: State, box: Box) -> Questions:
    """The curves, where they are computed from so many values that a frame shows quick ones first."""
    layout = layout_of(state, box)
    if steady_pairs(layout.encoding) is not None:
        return ()
    ends = layout.span.first, layout.span.last
    wanted = (layout.encoding, layout.hands, *ends, layout.n_pixels(box.pixel_ratio))
    return (Question("waves", table_curves, wanted, title="Waves"),) if waves.takes_long(*wanted) else ()


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    if box.lettering is not None:
        # Some columns at whole positions, joined by straight lines, as a text prints them.
        hands = state.cursor.visible_pins(state.encoding)
        columns = hand_columns(state.encoding)[list(hands)].ravel()
        positions = np.arange(float(state.encoding.n_positions))
        values = state.encoding.values(positions, columns[columns != MISSING])
        lines = [entry.line(state.encoding, box.theme) for entry in _entries(state.encoding, hands)]
        return printed_curves(box, positions, values, lines)
    found = next(map(answers.answer, _questions(state, box)), None)
    layout, cursor, box = layout_of(state, box), turning_state(state).cursor, hands_box(state, box)
    n_hidden = len(cursor.visible_pins(layout.encoding)) - len(layout.hands)
    named = () if box.preview is None else box.preview.places(cursor.position)
    moving = layout.positions.ghosts(named, box.theme)
    if box.shows_cursor:
        moving += cursor_picture(layout, cursor, box.theme)
    still = Part(_still, layout, n_hidden, found, box, state.trained_length)
    return Scene(moving, still, places=Part(_places, layout, cursor))


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    pins = state.cursor.visible_pins(state.encoding)
    span = state.span
    n_rows = len(pins)
    note = _FACTORS if turns_vectors(state) else unread(state)
    if span is not None:
        ends = f"{whole(math.ceil(span.first))} to {whole(math.floor(span.last))}"
        return f"positions {ends}, {note or 'F or double click shows all'}", f"positions {ends}", ends
    if note:
        return note, "q and k turned" if turns_vectors(state) else "no score uses these", ""
    if state.encoding.pairs is not None:
        hands = "one hand" if n_rows == 1 else f"{n_rows} hands"
        pair = turning_state(state).cursor.pair
        if pair not in pins:
            return f"{hands} of the clock, pair {pair} is not pinned", f"pair {pair} is not pinned", hands
        return f"{hands} of the clock against position", f"{hands} of the clock", hands
    words = "two columns" if n_rows == 1 else f"{n_rows} pairs of columns"
    return f"{words} against position", words, "columns"


def _readout(state: State, answers: Answers) -> str:
    turning = turning_state(state)
    rows = hand_rows(state, turning.cursor.visible_pins(turning.encoding))
    return "\n".join(map("\t".join, rows))


def _sentence(state: State, answers: Answers) -> str:
    """After how many positions the pinned pairs repeat, or which columns are seen."""
    state = turning_state(state)
    encoding = state.encoding
    pins = state.cursor.visible_pins(state.encoding)
    pairs = steady_pairs(state.encoding)
    if isinstance(encoding, RotaryFactors):
        return f"{encoding.rotary.title} multiplies q and k by sin and cos of {_pinned(encoding, pins)}"
    if pairs is None:
        return f"{encoding.title}: {_pinned(encoding, pins)} against position"
    turns = [short(float(pairs.wavelengths[pair])) for pair in pins]
    if len(pins) == 1:
        return f"Pair {pins[0]} repeats after {turns[0]} positions"
    if len(pins) <= _MOST_NAMED:
        return f"Pairs {_listed([*map(str, pins)])} repeat after {_listed(turns)} positions"
    return f"{len(pins)} pairs repeat after {turns[0]} to {turns[-1]} positions"


def _explanation(state: State) -> str:
    note = unread(state)
    is_even = steady_pairs(turning_state(state).encoding) is not None
    factors = " RoPE multiplies q at t and k at t + k by them, pair by pair." if turns_vectors(state) else ""
    shown = "overlay" if state.views.waves.mode == "overlay" else "pairs" if is_even else "columns"
    return f"{CAPTIONS['waves'][shown]}{factors}{f' Grey means {note}.' if note else ''}"


def _still(
    layout: WavesLayout, n_hidden: int, found: tuple[WaveCurve, ...] | None, box: Box, trained_length: int
) -> marks.Picture:
    theme = box.theme
    picture = waves_picture(layout, theme, box.pixel_ratio, found) + layout.positions.unseen(trained_length, theme)
    if layout.is_overlay:
        picture += _legend_picture(layout, theme)
    elif box.shows_cursor and layout.has_numbers:
        picture += titles_picture(layout, theme) + names_picture(layout, theme)
    if box.is_paper:
        # Flags stand above the rows.
        picture += (layout.positions.edge(theme.text),)
    if n_hidden:
        x = layout.width - 8.0
        y = layout.height - 8.0
        words = f"{whole(n_hidden)} more pinned"
        picture += (marks.right_aligned(x, y, words, "tick", theme.text2),)
    return picture


def _places(layout: WavesLayout, cursor: Cursor) -> tuple[Place, ...]:
    """What stands for each shown pair, and the cursors."""
    encoding = layout.encoding
    areas = _hand_areas(layout)
    places = list[Place]()
    values = dict(zip(layout.hands, hand_values(encoding, [cursor.position], layout.hands)[0].tolist(), strict=True))
    for hand, area in areas.items():
        text = ", ".join(value_text(value, encoding.value_limit, 4) for value in values[hand] if not math.isnan(value))
        places.append(Place(hand_name(encoding, hand), area, text, hand == cursor.pair, {"pair": hand}))
    for name, position in zip(("cursor t + k", "cursor t"), cursor.both[::-1], strict=True):
        if layout.positions.shows(position):
            area = Area(layout.positions.place(position) - 5.0, 0.0, 10.0, layout.area.bottom)
            places.append(Place(name, area, number_text.position(position)))
    return tuple(places)


def _pinned(encoding: Encoding, pins: tuple[int, ...]) -> str:
    if len(pins) > _MOST_NAMED:
        return f"{len(pins)} pairs" if encoding.pairs is not None else f"{len(pins)} × 2 columns"
    return "; ".join(hand_name(encoding, pin) for pin in pins)


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


_PAGE = ScenePage(_scene, _sentence, _explanation, _readout, height=_height)
VIEW = PagedView("", {"": _PAGE}, _forms, needed=_needed, box_questions=_questions, shades_unseen=True)
