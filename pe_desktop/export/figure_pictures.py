"""The pictures of the figures: the marks of the screen in a figure's frame, with the legends that a file needs."""

from dataclasses import replace

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Pairs, Turning
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.export.figure_sheet import Frame
from pe_desktop.views.clock.layout import clock_room, whole_grid
from pe_desktop.views.clock.picture import (
    Dial,
    dial_in,
    face_picture,
    half_picture,
    hand_state,
    hands_picture,
    whole_turns_picture,
)
from pe_desktop.views.clock.small import DialGrid, column_dials_picture, column_grid, dial_grid, small_dials_picture

LEGEND_HEIGHT = 24.0
NOTE_HEIGHT = 16.0
DOT = 4.5
GAP = 6.0
COLUMN_GAP = 22.0


def columns_figure(encoding: Encoding, cursor: Cursor, frame: Frame) -> marks.Picture:
    """One dial for each column, as many as find room; under them, which dots are t and which are t + k."""
    room = frame.height - LEGEND_HEIGHT
    grid: DialGrid = column_grid(frame.width, room, encoding)
    if grid.height > room + 0.5:
        grid = whole_grid(frame.width, room, encoding) or column_grid(frame.width, room - NOTE_HEIGHT, encoding)
    shown = _with_room(grid, room, encoding.d_model)
    return (
        *column_dials_picture(grid, encoding, shown, cursor, frame.theme),
        *_clock_legend(cursor, frame),
        *_not_shown(encoding.d_model - len(shown), "columns", frame, room - NOTE_HEIGHT / 2),
    )


def clock_figure(encoding: Encoding, hands: Turning, cursor: Cursor, frame: Frame) -> marks.Picture:
    """One dial with all hands; under it, which dots are t and which are t + k."""
    dial = dial_in(frame.width, frame.height - LEGEND_HEIGHT)
    return (*_face(dial, encoding, hands, cursor, frame.theme), *_clock_legend(cursor, frame))


def binary_clock_figure(
    encoding: Encoding, hands: Turning, code: Encoding, cursor: Cursor, frame: Frame
) -> marks.Picture:
    """One dial with all hands, beside it the bits as fast and slow dials, as many as find room."""
    height = frame.height - LEGEND_HEIGHT
    room = clock_room(frame.width, height, code)
    if room.is_scrolled:
        room = clock_room(frame.width, height - NOTE_HEIGHT, code)
    left, top, width, tall = room.face
    dial = dial_in(width, tall)
    grid = replace(room.grid, left=room.dials[0], top=room.dials[1])
    shown = _with_room(grid, room.dials[3], code.d_model)
    beside = None if code is encoding else hands
    return (
        *_face(replace(dial, x=dial.x + left, y=dial.y + top), encoding, hands, cursor, frame.theme),
        *column_dials_picture(grid, code, shown, cursor, frame.theme, beside),
        *_clock_legend(cursor, frame),
        *_not_shown(code.d_model - len(shown), "bits", frame, height - NOTE_HEIGHT / 2),
    )


def dials_figure(pairs: Pairs, cursor: Cursor, frame: Frame) -> marks.Picture:
    """One dial for each pair, as many as find room; under them, which dots are t and which are t + k."""
    room = frame.height - LEGEND_HEIGHT
    grid = dial_grid(frame.width, room, pairs.count)
    if grid.height > room + 0.5:
        # Where not all fit, one more line says so.
        grid = dial_grid(frame.width, room - NOTE_HEIGHT, pairs.count)
    shown = _with_room(grid, room, pairs.count)
    return (
        *small_dials_picture(grid, pairs, shown, cursor, frame.theme),
        *_clock_legend(cursor, frame),
        *_not_shown(pairs.count - len(shown), "pairs", frame, room - NOTE_HEIGHT / 2),
    )


def _with_room(grid: DialGrid, height: float, n_dials: int) -> range:
    """The dials whose rows find room, one row at least."""
    n_rows = max(int((height + 0.5) // grid.cell_height), 1)
    return range(min(n_rows * grid.columns, n_dials))


def _face(dial: Dial, encoding: Encoding, hands: Turning, cursor: Cursor, theme: Theme) -> marks.Picture:
    ones = half_picture(dial, encoding.bits.first_one, theme) if encoding.bits is not None else ()
    return (
        *ones,
        *face_picture(dial, hands.count, theme),
        *whole_turns_picture(dial, encoding, cursor, theme),
        *hands_picture(dial, encoding, hand_state(hands, cursor), cursor, theme),
    )


def _clock_legend(cursor: Cursor, frame: Frame) -> tuple[marks.Mark, ...]:
    theme, y = frame.theme, frame.height - LEGEND_HEIGHT / 2
    now = f"t = {number_text.position(cursor.position)}"
    later = f"t + k = {number_text.position(cursor.position + cursor.offset)}"
    first = 2 * DOT + GAP + text_width("caption", now) + COLUMN_GAP
    x = (frame.width - first - 2 * DOT - GAP - text_width("caption", later)) / 2
    return (
        marks.Dots(np.array([[x + DOT, y]]), DOT, theme.text),
        marks.Text(x + 2 * DOT + GAP, y, now, "caption", theme.text),
        marks.Dots(np.array([[x + first + DOT, y]]), DOT - 0.75, theme.panel, theme.text, 1.5),
        marks.Text(x + first + 2 * DOT + GAP, y, later, "caption", theme.text),
    )


def _not_shown(n_hidden: int, noun: str, frame: Frame, y: float) -> tuple[marks.Mark, ...]:
    if not n_hidden:
        return ()
    sentence = f"{number_text.whole(n_hidden)} more {noun} have no room"
    return (marks.Text(frame.width, y, sentence, "tick", frame.theme.text2, across=1.0),)
