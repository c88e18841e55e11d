"""The legend of waves over one axis: a line for each column of a pinned pair, with its values at t and t + k."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.cursor import Cursor, cursor_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.scores.rotary import RotaryFactors
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_color, value_text
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import LegendEntry, legend
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.printed import printed_curves
from pe_desktop.views.waves.layout import TOP, WavesLayout
from pe_desktop.views.waves.picture import NAME_LEFT, NOW_RIGHT

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


def has_numbers(layout: WavesLayout, encoding: Encoding, shown: Sequence[int]) -> bool:
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
