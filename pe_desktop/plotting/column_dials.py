"""Small dials for the columns of a table: half filled for bits, gauges for numbers."""

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.bit_hands import BitHands
from pe_desktop.core.bits import BitDials
from pe_desktop.core.columns import hand_columns, hand_of_column, n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.plotting import marks
from pe_desktop.plotting.beside_grid import BesideGrid, Captions
from pe_desktop.plotting.dial import Dial
from pe_desktop.plotting.formula import formula_runs
from pe_desktop.plotting.hand_text import limit_texts, value_text
from pe_desktop.plotting.number_text import short, whole
from pe_desktop.plotting.small_dials import HAND_LENGTH, NARROWEST_CELL, DialGrid, cell_ground, dial_grid
from pe_desktop.plotting.theme import Theme, mixed
from pe_desktop.plotting.typefaces import text_width

CAPTION = 40.0
# The lines of a caption: how far apart, and in which roles.
LINE = 16.0
FORMULA_PIXELS = 15
NEVER = "never flips"
ROLES = ("strong", "tick")
# A gauge is open at its foot: its needle swings so far to either side of 12 o'clock.
SWING = 0.75 * math.pi
FILL_ALPHA = 0.4
# Dots of smaller dials are smaller in proportion.
FULL_SIZE_RADIUS = 24.0


@dataclass(frozen=True, slots=True)
class _Face:
    """What one dial shows: its column, the value and the angles at t and t + k."""

    column: int
    value: float
    angle: float
    later_angle: float


def column_grid(width: float, height: float, encoding: Encoding) -> DialGrid:
    """Where the dials stand."""
    last = encoding.d_model - 1
    slowest = min(last, (encoding.n_positions - 1).bit_length() - 1)
    captions = [_flips(encoding, column) for column in (last, max(slowest, 0))]
    widest = max([text_width("strong", f"bit {whole(last)} = 1"), *(text_width("tick", words) for words in captions)])
    return dial_grid(width, height, encoding.d_model, max(NARROWEST_CELL, widest + 10.0), CAPTION)


def columns_sentence(encoding: Encoding) -> str:
    """What the dials are, in a few words."""
    if isinstance(encoding, BitDials):
        return "one turn in the period of a bit, 1 in the shaded half"
    low, high = limit_texts(encoding.value_limit)
    return f"one needle for each dimension, {low} to {high}"


def column_sentence(encoding: Encoding, column: int, cursor: Cursor) -> str:
    """A column, its value at t and t + k, and how often it flips, as one line."""
    limit = encoding.value_limit
    places = [cursor.position, cursor.position + cursor.offset]
    now, later = (value_text(value, limit, 4) for value in encoding.values(places, [column])[:, 0].tolist())
    flips = _flips(encoding, column)
    unit = "" if flips in ("", NEVER) else " positions"
    return f"dimension {whole(column)}: {now} at t, {later} at t + k" + (f", {flips}{unit}" if flips else "")


def bit_sentence(code: Encoding, bit: int, cursor: Cursor) -> str:
    """A bit of the position, its value at t and t + k, and how often it flips, as one line."""
    places = [cursor.position, cursor.position + cursor.offset]
    now, later = (whole(value) for value in code.values(places, [bit])[:, 0].tolist())
    flips = _flips(code, bit)
    unit = " positions" if flips != NEVER else ""
    return f"bit {whole(bit)} of the position: {now} at t, {later} at t + k, {flips}{unit}"


def column_dials_picture(
    grid: DialGrid,
    encoding: Encoding,
    shown: range,
    cursor: Cursor,
    theme: Theme,
    beside: Turning | None = None,
) -> marks.Picture:
    """The dials of the columns in `shown`, which is the part of the grid that is seen.

    `beside` are the hands of another encoding that the dials stand beside: no column is the chosen one then.
    """
    if not len(shown):
        return ()
    places = np.array([cursor.position, cursor.position + cursor.offset])
    values = encoding.values(places, shown)
    is_bits = isinstance(encoding, BitDials)
    angles = BitHands(encoding).angles(places, shown) if isinstance(encoding, BitDials) else _swings(encoding, values)
    chosen = hand_columns(encoding)[cursor.pair].tolist() if beside is None else []
    colors = _colors(encoding, shown, theme) if beside is None else _speed_colors(encoding, shown, beside, theme)
    picture: list[marks.Mark] = []
    for place, (column, color) in enumerate(zip(shown, colors, strict=True)):
        now, later = angles[:, place].tolist()
        face = _Face(column, float(values[0, place]), now, later)
        picture += cell_ground(grid, column, theme) if column in chosen else ()
        if isinstance(encoding, BitDials):
            picture += _half(grid.dial(column), encoding.first_one, face.value == 1, color, theme)
        picture += _scale(grid.dial(column), theme, is_gauge=not is_bits)
        picture += _hand(grid.dial(column), face, color, theme)
        picture += _captions(grid, encoding, face, theme)
    return tuple(picture)


def caption_width(encoding: Encoding, captions: Captions) -> float:
    """How wide the widest caption beside a dial gets, whatever t."""
    last = encoding.d_model - 1
    slowest = max(min(last, (encoding.n_positions - 1).bit_length() - 1), 0)
    value = 1.0 if isinstance(encoding, BitDials) else -encoding.value_limit
    if isinstance(encoding, BitDials) and captions is Captions.TERSE:
        return formula_runs(_bit_formula(last, value), FORMULA_PIXELS)[1]
    texts = [_caption_texts(encoding, column, value, captions) for column in (last, slowest)]
    return max(text_width(role, words) for pair in texts for role, words in zip(ROLES, pair, strict=False))


def _colors(encoding: Encoding, shown: range, theme: Theme) -> list[QColor]:
    owners, count = hand_of_column(encoding), n_hands(encoding)
    return [theme.pair_color(int(owners[column]), count) for column in shown]


def _speed_colors(encoding: Encoding, shown: range, hands: Turning, theme: Theme) -> list[QColor]:
    """Hue is frequency: each dial has the colour of the hand that turns about as fast; else they run fast to slow."""
    ramp = theme.pair_colors(hands.count)
    lengths = np.log2(hands.wavelengths)
    if hands.turns_evenly and (np.diff(lengths) > 0).all() and isinstance(encoding, BitDials):
        near = np.interp(np.log2(encoding.periods), lengths, np.arange(hands.count))
    else:
        near = np.linspace(0, hands.count - 1, encoding.d_model)
    return [QColor(*ramp[round(near[column])].tolist()) for column in shown]


def _swings(encoding: Encoding, values: marks.Points) -> marks.Points:
    return np.asarray(SWING * np.clip(values / encoding.value_limit, -1.0, 1.0))


def _half(dial: Dial, first_one: float, is_one: bool, color: QColor, theme: Theme) -> list[marks.Mark]:
    """The half of the dial in which the bit is 1: filled while it is, an outline else."""
    start = math.tau * first_one
    ends = [start, start + math.pi]
    edge = np.array([[dial.x + dial.radius * math.sin(a), dial.y - dial.radius * math.cos(a)] for a in ends])
    fill = mixed(color, theme.panel, FILL_ALPHA) if is_one else theme.grid
    # An arc as wide as its radius is a half disc.
    return [
        marks.Arc(dial.x, dial.y, dial.radius / 2, start, math.pi, fill, dial.radius),
        marks.Segments(edge.reshape(1, 4), theme.axis),
    ]


def _scale(dial: Dial, theme: Theme, *, is_gauge: bool) -> list[marks.Mark]:
    if not is_gauge:
        return [marks.Rings(dial.x, dial.y, np.array([dial.radius]), theme.axis)]
    ticks = []
    for angle in (-SWING, 0.0, SWING):
        across, up = math.sin(angle), -math.cos(angle)
        inner, outer = 0.9 * dial.radius, dial.radius
        ticks.append([dial.x + inner * across, dial.y + inner * up, dial.x + outer * across, dial.y + outer * up])
    return [
        marks.Arc(dial.x, dial.y, dial.radius, -SWING, 2 * SWING, theme.axis, 1.0),
        marks.Segments(np.array(ticks), theme.axis),
    ]


def _hand(dial: Dial, face: _Face, color: QColor, theme: Theme) -> list[marks.Mark]:
    x, y, length = dial.x, dial.y, dial.radius * HAND_LENGTH
    size = min(dial.radius / FULL_SIZE_RADIUS, 1.0)
    tip, ghost = (
        np.array([[x + length * math.sin(angle), y - length * math.cos(angle)]])
        for angle in (face.angle, face.later_angle)
    )
    return [
        marks.Segments(np.column_stack(([[x, y]], tip)), color, max(2.4 * size, 1.6)),
        marks.Dots(ghost, 4.0 * size, theme.panel, color, max(1.8 * size, 1.2)),
        marks.Dots(tip, 5.0 * size, color),
        marks.Dots(np.array([[x, y]]), 2.2 * size, theme.ink),
    ]


def _captions(grid: DialGrid, encoding: Encoding, face: _Face, theme: Theme) -> list[marks.Mark]:
    dial = grid.dial(face.column)
    if isinstance(grid, BesideGrid):
        texts = _caption_texts(encoding, face.column, face.value, grid.captions)
        if not texts:
            formula = _bit_formula(face.column, face.value)
            return [marks.FormulaText(grid.caption_left(face.column), dial.y, formula, FORMULA_PIXELS, theme.text)]
        x, y, across = grid.caption_left(face.column), dial.y - LINE / 2 * (len(texts) - 1), 0.0
    else:
        texts = _caption_texts(encoding, face.column, face.value, Captions.FULL)
        x, y, across = dial.x, dial.y + dial.radius + 14.0, 0.5
    colors = (theme.text, theme.text2)
    return [
        marks.Text(x, y + LINE * line, words, ROLES[line], colors[line], across=across)
        for line, words in enumerate(texts)
    ]


def _caption_texts(encoding: Encoding, column: int, value: float, captions: Captions) -> tuple[str, ...]:
    """What a dial is and what it says now, a line each."""
    if not isinstance(encoding, BitDials):
        return f"dim {whole(column)}", value_text(value, encoding.value_limit, 3)
    bit = f"{whole(column)} = {whole(value)}"
    return {
        Captions.FULL: (f"bit {bit}", _flips(encoding, column)),
        Captions.SHORT: (f"bit {bit}",),
        Captions.TERSE: (),
    }[captions]


def _bit_formula(column: int, value: float) -> str:
    return f"b_{{{whole(column)}}} = {whole(value)}"


def _flips(encoding: Encoding, column: int) -> str:
    if not isinstance(encoding, BitDials):
        return ""
    period = float(encoding.periods[column])
    flips = period * encoding.first_one <= encoding.n_positions - 1
    return f"flips every {short(period / 2)}" if flips else NEVER
