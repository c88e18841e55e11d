"""The waves: sine and cosine of every pinned pair against the position, with the cursors at t and t + k."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns, hand_values
from pe_desktop.core.cursor import Cursor, Span, cursor_hands, visible_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.tables import framework_hands
from pe_desktop.core.scores.rotary import RotaryFactors, turning_state, turns_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name, legend_names, part_names, value_text
from pe_desktop.draw.number_text import copied, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import LegendEntry, legend, legend_width
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, text_width
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.printed import printed_curves
from pe_desktop.views.scheme_text import hand_color, hands_box, unread
from pe_desktop.views.waves.layout import TOP, TableWave, WavesLayout, find_waves, most_rows, takes_long
from pe_desktop.views.waves.picture import (
    NAME_LEFT,
    NOW_RIGHT,
    cursor_picture,
    n_pixels_of,
    numbers_header,
    preview_picture,
    waves_picture,
)

# From one line of the legend to the next, with its numbers under it and without.
_TALL, _LOW = 36.0, 16.0
_LINE_WIDTH, _DOTTED_WIDTH, _DOTS = 2.0, 1.6, (1.6, 3.2)
_SAMPLE_ROOM: Final = 32.0


def _curve_entries(encoding: Encoding, shown: Sequence[int], theme: Theme) -> tuple[LegendEntry, ...]:
    """The curves by their dimensions, and the line of each: Dim 0 (i = 0)."""
    entries = []
    for hand in shown:
        color = hand_color(encoding, hand, theme)
        for place, column in enumerate(hand_columns(encoding)[hand].tolist()):
            if column != MISSING:
                width, dash = (_LINE_WIDTH, ()) if place == 0 else (_DOTTED_WIDTH, _DOTS)
                entries.append(LegendEntry(_curve_name(encoding, hand, place), color, width, dash))
    return tuple(entries)


def printed_scene(encoding: Encoding, shown: Sequence[int], box: Box) -> Scene:
    """The columns of some hands at whole positions, joined by straight lines, as a text prints them."""
    columns = hand_columns(encoding)[list(shown)].ravel()
    positions = np.arange(encoding.n_positions, dtype=np.float64)
    values = encoding.values(positions, columns[columns != MISSING])
    return printed_curves(box, positions, values, _curve_entries(encoding, shown, box.theme))


def legend_picture(layout: WavesLayout, encoding: Encoding, shown: Sequence[int], theme: Theme) -> marks.Picture:
    """The entries under each other beside the plot, as many as there is room for, then how many more there are."""
    entries = _curve_entries(encoding, shown, theme)
    seen = _n_seen(layout, len(entries))
    picture: list[marks.Mark] = []
    for place, entry in enumerate(entries[:seen]):
        text = entry.text if _fits(layout, entry.text) else entry.text.partition(" (")[0]
        picture += legend(
            layout.right + NAME_LEFT, _entry_y(layout, place, len(entries)), [entry._replace(text=text)], theme
        )
    if seen < len(entries):
        y = _entry_y(layout, seen, len(entries))
        words = f"{whole(len(entries) - seen)} more"
        picture.append(marks.Text(layout.right + NAME_LEFT, y, words, "tick", theme.text2))
    return tuple(picture)


def legend_numbers(
    layout: WavesLayout, encoding: Encoding, shown: Sequence[int], cursor: Cursor, theme: Theme
) -> marks.Picture:
    """The values at t and at t + k under the entries, where there is room for all of them."""
    texts = _value_texts(encoding, shown, cursor)
    if not _has_numbers(layout, len(texts)):
        return ()
    picture: list[marks.Mark] = []
    for place, (now, later) in enumerate(texts):
        y = _entry_y(layout, place, len(texts)) + 15.0
        picture.append(marks.Text(layout.right + NOW_RIGHT, y, now, "flag", theme.text, across=1.0))
        picture.append(marks.Text(layout.right + 118.0, y, later, "tick", theme.text2, across=1.0))
    return tuple(picture)


def _has_legend_numbers(layout: WavesLayout, encoding: Encoding, shown: Sequence[int]) -> bool:
    """Whether values stand under the entries."""
    return _has_numbers(layout, _n_curves(encoding, tuple(shown)))


def entry_areas(layout: WavesLayout, encoding: Encoding, shown: Sequence[int]) -> list[Area]:
    """Where the entries of each hand stand that are seen, one after the other."""
    n_curves, areas, place = _n_curves(encoding, tuple(shown)), [], 0
    step = _step(layout, n_curves)
    for hand in shown:
        count = _n_curves(encoding, (hand,))
        if place + count > _n_seen(layout, n_curves):
            break
        top = _entry_y(layout, place, n_curves) - _LOW / 2
        areas.append(Area(layout.right + NAME_LEFT, top, layout.width - layout.right - NAME_LEFT, step * count))
        place += count
    return areas


def _curve_name(encoding: Encoding, hand: int, place: int) -> str:
    if isinstance(encoding, RotaryFactors):
        return f"{('sin', 'cos')[place]} (i = {hand})"
    column = f"Dim {whole(int(hand_columns(encoding)[hand, place]))}"
    return column if encoding.pairs is None else f"{column} (i = {hand})"


def _value_texts(encoding: Encoding, shown: Sequence[int], cursor: Cursor) -> list[tuple[str, str]]:
    hands, limit = cursor_hands(encoding, cursor.position, cursor.offset, shown), encoding.value_limit
    columns = hand_columns(encoding)[list(shown)].tolist()
    return [
        (value_text(float(hands[0, row, place]), limit, 2), value_text(float(hands[1, row, place]), limit, 2))
        for row, both in enumerate(columns)
        for place, column in enumerate(both)
        if column != MISSING
    ]


@lru_cache(maxsize=16)
def _n_curves(encoding: Encoding, shown: tuple[int, ...]) -> int:
    return int((hand_columns(encoding)[list(shown)] != MISSING).sum())


def _has_numbers(layout: WavesLayout, n_curves: int) -> bool:
    return n_curves * _TALL <= layout.bottom - TOP


def _step(layout: WavesLayout, n_curves: int) -> float:
    return _TALL if _has_numbers(layout, n_curves) else _LOW


def _n_seen(layout: WavesLayout, n_curves: int) -> int:
    room = int((layout.bottom - TOP) // _step(layout, n_curves))
    return n_curves if n_curves <= room else max(room - 1, 0)


def _entry_y(layout: WavesLayout, place: int, n_curves: int) -> float:
    return TOP + 8.0 + place * _step(layout, n_curves)


def _fits(layout: WavesLayout, text: str) -> bool:
    return text_width("tick", text) <= layout.width - layout.right - NAME_LEFT - _SAMPLE_ROOM


# More pairs than this are not named one by one in a title.
_MOST_NAMED = 3
_FACTORS = "sin and cos that multiply q and k"
_NOTE_HEIGHT = 16.0
# Below the numbers of the axis on paper, so that the legend stands in a line of its own.
_LEGEND_ROOM = 8.0


def layout_of(state: State, box: Box) -> WavesLayout:
    """Where everything stands."""
    return _layout(box, len(shown_pairs(state, box)), state.shown_span, is_overlay=_is_overlay(state))


# It stays while t moves, and its axes with it.
_kept_layout = lru_cache(maxsize=4)(WavesLayout)


def _layout(box: Box, n_rows: int, span: Span, *, is_overlay: bool) -> WavesLayout:
    has_numbers = is_overlay or (box.shows_cursor and not box.is_column)
    return _kept_layout(box.width, _plot_height(box), n_rows, span, is_overlay, has_numbers)


def _is_overlay(state: State) -> bool:
    return state.views.waves.mode == "overlay"


def _plot_height(box: Box) -> float:
    """The height of rows and axis."""
    return box.height - _LEGEND_ROOM if box.is_paper else box.height


def shown_pairs(state: State, box: Box) -> tuple[int, ...]:
    """The pinned pairs that find a row, or all of them over one axis."""
    state = turning_state(state)
    pins = visible_pins(state.cursor, state.encoding)
    return pins if _is_overlay(state) else pins[: most_rows(_plot_height(box))]


def questions(state: State) -> tuple[Question, ...]:
    return ()


def curve_questions(state: State, box: Box) -> tuple[Question, ...]:
    """The curves, where they are computed from so many values that a frame shows quick ones first."""
    turning = turning_state(state)
    encoding = turning.encoding
    if encoding.pairs is not None and encoding.pairs.turns_evenly:
        return ()
    box, state = hands_box(state, box), turning
    shown, layout = shown_pairs(state, box), layout_of(state, box)
    wanted = (encoding, shown, layout.span.first, layout.span.last, n_pixels_of(layout, box.pixel_ratio))
    return (Question("waves", find_waves, wanted, title="Waves"),) if takes_long(*wanted) else ()


def scene(state: State, answers: Answers, box: Box) -> Scene:
    if box.lettering is not None:
        return printed_scene(state.encoding, visible_pins(state.cursor, state.encoding), box)
    known = next((answers.answer(question) for question in curve_questions(state, box)), None)
    box, state = hands_box(state, box), turning_state(state)
    encoding, cursor, shown = state.encoding, state.cursor, shown_pairs(state, box)
    n_hidden = len(visible_pins(cursor, encoding)) - len(shown)
    layout = layout_of(state, box)
    preview = preview_picture(layout, box.preview, box.theme)
    numbers = legend_numbers(layout, encoding, shown, cursor, box.theme) if layout.is_overlay else ()
    at_cursor = (*cursor_picture(layout, encoding, shown, cursor, box.theme), *numbers) if box.shows_cursor else ()
    return Scene(
        moving=(*preview, *at_cursor),
        still=Part(_still, encoding, layout, shown, n_hidden, known, box),
        places=Part(_places, encoding, cursor, layout, shown, box),
    )


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    n_rows, span = len(visible_pins(state.cursor, state.encoding)), state.span
    told = _FACTORS if turns_vectors(state) else unread(state)
    if span is not None:
        seen = f"{whole(math.ceil(span.first))} to {whole(math.floor(span.last))}"
        forms = f"positions {seen}, {told or 'double click shows all'}", f"positions {seen}", seen
    elif told:
        forms = told, "q and k turned" if turns_vectors(state) else "not read", ""
    elif state.encoding.pairs is not None:
        hands = "one hand" if n_rows == 1 else f"{n_rows} hands"
        forms = f"{hands} of the clock against position", f"{hands} of the clock", hands
    else:
        words = "two columns" if n_rows == 1 else f"{n_rows} pairs of columns"
        forms = f"{words} against position", words, "columns"
    return fitting("caption", forms, room)


def readout(state: State, answers: Answers) -> str:
    state = turning_state(state)
    encoding, cursor = state.encoding, state.cursor
    shown = visible_pins(cursor, encoding)
    positions, precision = [cursor.position, cursor.position + cursor.offset], state.precision
    values, has_pairs = hand_values(encoding, positions, shown).swapaxes(0, 1), encoding.pairs is not None
    parts = ("sin", "cos") if has_pairs else ("first", "second")
    titles = [f"{part} {at}" for at in ("t", "t+k") for part in parts]
    # What RoPE multiplies by is no table that would be cast.
    if not precision.is_exact and not isinstance(encoding, RotaryFactors):
        rounded = framework_hands(encoding, precision, positions, shown).swapaxes(0, 1)
        values = np.concatenate((values, rounded), axis=1)
        titles += [f"{title}, {precision.title}" for title in titles]
    lines = ["\t".join(["pair" if has_pairs else "columns", *titles])]
    for hand, row in zip(shown, values, strict=True):
        columns = [whole(column) for column in hand_columns(encoding)[hand].tolist() if column != MISSING]
        name = str(hand) if has_pairs else ", ".join(columns)
        lines.append("\t".join([name, *map(copied, row.ravel().tolist())]))
    return "\n".join(lines)


def sentence(state: State, answers: Answers) -> str:
    """After how many positions the pinned pairs repeat, or which columns are seen."""
    state = turning_state(state)
    encoding, pins = state.encoding, visible_pins(state.cursor, state.encoding)
    if isinstance(encoding, RotaryFactors):
        return f"RoPE multiplies q and k by sin and cos of {_pinned(encoding, pins)}"
    if encoding.pairs is None or not encoding.pairs.turns_evenly:
        return f"{encoding.title}: {_pinned(encoding, pins)} against position"
    turns = [short(float(encoding.pairs.wavelengths[pair])) for pair in pins]
    if len(pins) == 1:
        return f"Pair {pins[0]} repeats after {turns[0]} positions"
    if len(pins) <= _MOST_NAMED:
        return f"Pairs {_listed([*map(str, pins)])} repeat after {_listed(turns)} positions"
    return f"{len(pins)} pairs repeat after {turns[0]} to {turns[-1]} positions"


def explanation(state: State) -> str:
    told = unread(state)
    factors = " RoPE multiplies q at t and k at t + k by them, pair by pair." if turns_vectors(state) else ""
    return _explained(turning_state(state)) + factors + (f" Grey means {told}." if told else "")


def _explained(state: State) -> str:
    pairs = state.encoding.pairs
    if _is_overlay(state):
        return (
            "The columns of every pinned pair against the position, over one axis: the first of a pair solid, the "
            "second dotted. The solid line is t, the dashed line t + k."
        )
    if pairs is not None and pairs.turns_evenly:
        return (
            "Each row is one pinned pair against the position: sine solid, cosine dotted; a pair that turns "
            "fast has dots at whole positions. The solid line is t, the dashed line t + k."
        )
    return (
        "Each row is two columns against the position: the first solid, the second dotted, dots at whole "
        "positions. Where a hand turns by more than half a turn from one position to the next, dots alone are drawn; "
        "where a pixel covers several positions, it shows their least and greatest value. The solid line is t, "
        "the dashed line t + k."
    )


def legend_entries(encoding: Encoding, theme: Theme) -> tuple[LegendEntry, LegendEntry]:
    """Which line is the sine and which the cosine, or which of two columns."""
    solid, dotted = ("sin", "cos") if isinstance(encoding, RotaryFactors) else legend_names(encoding)
    return LegendEntry(solid, theme.text2), LegendEntry(dotted, theme.text2, 1.4, (1.6, 3.2))


def height(state: State, answers: Answers, width: float, theme: Theme) -> None:
    return None


def values_at(state: State, box: Box, position: float) -> str:
    """The values of the shown pairs at a position, a line each."""
    state = turning_state(state)
    encoding, shown = state.encoding, shown_pairs(state, box)[:8]
    limit, lines = encoding.value_limit, [f"position {whole(position)}"]
    for hand, values in zip(shown, hand_values(encoding, [position], shown)[0].tolist(), strict=True):
        names = part_names(encoding, hand)
        words = [f"{name} {value_text(value, limit, 4)}" for name, value in zip(names, values, strict=True) if name]
        lines.append((f"pair {hand}: " if encoding.pairs is not None else "") + ", ".join(words))
    return "\n".join(lines)


def _still(
    encoding: Encoding,
    layout: WavesLayout,
    shown: tuple[int, ...],
    n_hidden: int,
    known: tuple[TableWave, ...] | None,
    box: Box,
) -> marks.Picture:
    theme = box.theme
    curves = waves_picture(layout, encoding, shown, theme, box.pixel_ratio, known)
    rest = _paper(layout, encoding, n_hidden, box) if box.is_paper else _more(layout, n_hidden, theme)
    names = legend_picture(layout, encoding, shown, theme) if layout.is_overlay else ()
    has_numbers = _has_legend_numbers(layout, encoding, shown) if layout.is_overlay else layout.has_numbers
    has_numbers = has_numbers and box.shows_cursor
    return (*curves, *(numbers_header(layout, theme) if has_numbers else ()), *names, *rest)


def _more(layout: WavesLayout, n_hidden: int, theme: Theme) -> marks.Picture:
    if not n_hidden:
        return ()
    words = f"{n_hidden} more pinned: enlarge this panel to see them"
    return (marks.Text(layout.width - 8.0, layout.height - 8.0, words, "tick", theme.text2, across=1.0),)


def _paper(layout: WavesLayout, encoding: Encoding, n_hidden: int, box: Box) -> marks.Picture:
    """The axis, which line is the sine, and how many pinned pairs find no row."""
    axis = np.array([[layout.left, layout.bottom, layout.right, layout.bottom]])
    # Flags stand above the rows.
    y, theme = box.height - _NOTE_HEIGHT / 2, box.theme
    entries = legend_entries(encoding, theme)
    picture = (marks.Segments(axis, theme.text), *legend(0.0, y, entries, theme))
    if not n_hidden:
        return picture
    noun = "pinned pairs" if encoding.pairs is not None else "pinned columns"
    few = f"{whole(n_hidden)} more"
    words, room = f"{few} {noun} have no room", layout.width - legend_width(entries) - 8.0
    shown = words if text_width("tick", words) <= room else few
    return (*picture, marks.Text(layout.width, y, shown, "tick", theme.text2, across=1.0))


def _places(
    encoding: Encoding, cursor: Cursor, layout: WavesLayout, shown: tuple[int, ...], box: Box
) -> tuple[Place, ...]:
    """A row for each shown pair, over one axis its entries of the legend, and the cursors."""
    later, span = cursor.position + cursor.offset, layout.span
    values = hand_values(encoding, [cursor.position], shown)[0].tolist()
    areas = entry_areas(layout, encoding, shown) if layout.is_overlay else _row_areas(layout, box.width)
    rows = [
        Place(
            hand_name(encoding, hand),
            area,
            ", ".join(value_text(value, encoding.value_limit, 4) for value in row if not math.isnan(value)),
            is_chosen=hand == cursor.pair,
        )
        for hand, area, row in zip(shown, areas, values, strict=False)
    ]
    cursors = [
        Place(name, Area(layout.x(position) - 5.0, 0.0, 10.0, layout.bottom), position_text(position))
        for name, position in (("cursor t + k", later), ("cursor t", cursor.position))
        if span.first <= position <= span.last
    ]
    return (*rows, *cursors)


def _row_areas(layout: WavesLayout, width: float) -> list[Area]:
    tall = layout.row_height
    return [Area(0.0, layout.row_middle(row) - tall / 2, width, tall) for row in range(layout.n_rows)]


def _pinned(encoding: Encoding, pins: tuple[int, ...]) -> str:
    if len(pins) > _MOST_NAMED:
        return f"{len(pins)} pairs" if encoding.pairs is not None else f"{len(pins)} × 2 columns"
    return "; ".join(hand_name(encoding, pin) for pin in pins)


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
