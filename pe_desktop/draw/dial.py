"""A dial and the hands from its centre, clockwise from 12 o'clock; names of hands and columns as text."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import MISSING, hand_columns
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, scientific, short, whole
from pe_desktop.draw.theme import Theme, with_alpha

# Rings of the fastest and the slowest pair, as shares of the dial's radius.
_OUTER_RING = 0.93
_INNER_RING = 0.185
# Room around the dial for the labels 0, pi/2, pi, 3 pi/2.
MARGIN_ACROSS = 42.0
MARGIN_DOWN = 21.0
_TICKS = 12
# More rings than this merge into a grey disc.
_MOST_RINGS = 32
_GRAB_DISTANCE = 16.0
# Room for the names of hands, their dashes; the arrow of a turn: its share of the radius, the length of its head.
NAMES_ACROSS, NAMES_DOWN = 46.0, 20.0
_DASH = (5.0, 3.0)
TURN, _ARM = 0.42, 8.0


@record
class Dial:
    """Centre and radius of the dial in pixels."""

    x: float
    y: float
    radius: float

    def ring_radii(self, n_pairs: int) -> Floats:
        """The radius of every pair's ring, shape (n_pairs,), falling with i."""
        places = np.arange(n_pairs) / max(n_pairs - 1, 1)
        return self.radius * (_OUTER_RING - (_OUTER_RING - _INNER_RING) * places)

    def tip(self, angle: float, reach: float) -> tuple[float, float]:
        """The point at an angle, so many pixels from the centre."""
        return self.x + reach * math.sin(angle), self.y - reach * math.cos(angle)

    def lines(self, tips: marks.Points, color: QColor, wide: float, dash: tuple[float, ...] = ()) -> marks.Segments:
        """Lines from the centre to points, shape (n, 2)."""
        return marks.Segments(np.hstack((np.full_like(tips, (self.x, self.y)), tips)), color, wide, dash)

    def ring(self, color: QColor, width: float = 1.0) -> marks.Dots:
        """Its edge."""
        return marks.Dots.at(self.x, self.y, self.radius, None, color, width)

    def hub(self, theme: Theme, radius: float = 2.2, ring: float = 0.0) -> marks.Dots:
        """The disc that holds the hands, or a ring of a width."""
        return marks.Dots.at(self.x, self.y, radius, *((theme.panel, theme.ink, ring) if ring else (theme.ink,)))

    def half(self, start: float, fill: QColor) -> marks.Arc:
        """The half of the dial from an angle on."""
        # An arc as wide as its radius is a half disc.
        return marks.Arc(self.x, self.y, self.radius / 2, start, math.pi, fill, self.radius)

    def tips(self, angles: Floats, radii: Floats | float) -> marks.Points:
        """Where hands end, shape (n_hands, 2): clockwise from 12 o'clock."""
        return np.column_stack((self.x + radii * np.sin(angles), self.y - radii * np.cos(angles)))

    def angle_at(self, x: float, y: float) -> float:
        """The angle of a point, radians clockwise from 12 o'clock."""
        return math.atan2(x - self.x, self.y - y)


def dial_in(width: float, height: float) -> Dial:
    """The largest dial that fits with its labels."""
    return Dial(width / 2, height / 2, max(min(width / 2 - MARGIN_ACROSS, height / 2 - MARGIN_DOWN), 10.0))


def named_hands(
    dial: Dial,
    theme: Theme,
    color: tuple[int, int],
    hands: Sequence[tuple[float, float, str]],
    turn: float,
    path: Sequence[tuple[float, float]] = (),
) -> marks.Drawing:
    """Hands in the colour of a pair, all but the first dashed and hollow, and how far the first turns, once at most.

    hands: angle in radians, share of the radius, name as a formula; path: such angles and shares, joined by a line.
    """
    ink = theme.pair_color(*color)
    start = hands[0][0]
    arc = min(max(turn, -math.tau), math.tau)
    wedge = TURN * dial.radius
    yield dial.ring(theme.axis, 1.5)
    yield marks.Arc(dial.x, dial.y, wedge / 2, start, arc, with_alpha(ink, 0.14), wedge)
    yield from _turn_arrow(dial, wedge, start, arc, ink)
    first_x, first_y = dial.tip(start, hands[0][1] * dial.radius + 10.0)
    for place, (angle, share, name) in enumerate(hands):
        reach = share * dial.radius
        tip, (x, y) = np.array([dial.tip(angle, reach)]), dial.tip(angle, reach + 10.0)
        side = math.copysign(abs(math.sin(angle)) > 0.35, math.sin(angle))
        if place and abs(x - first_x) < 2 * NAMES_ACROSS and abs(y - first_y) < NAMES_DOWN:
            # Beside the name of the first hand there is no room: nearer to the centre.
            side, (x, y) = 0.0, dial.tip(angle + math.copysign(0.5, turn), reach / 2)
        yield dial.lines(tip, ink, 2.0 if place else 3.4, _DASH if place else ())
        yield marks.Dots(tip, 5.5, theme.panel if place else ink, ink, 2.2)
        yield marks.FormulaText(x, y, name, 15, theme.text, across=0.5 - 0.5 * side)
    points = np.array([dial.tip(angle, share * dial.radius) for angle, share in path]).reshape(-1, 2)
    yield marks.Polyline(points, theme.ink, 1.8)
    yield dial.hub(theme, 4.0)


def _turn_arrow(dial: Dial, radius: float, start: float, turn: float, color: QColor) -> Iterator[marks.Mark]:
    """The arc of a turn, with a head where it is long enough for one."""
    yield marks.Arc(dial.x, dial.y, radius, start, turn, color, 2.0)
    arm = min(_ARM, radius * 0.4)
    if abs(turn) * radius < arm:
        return
    end = start + turn
    # Back along the arc, a little to both sides of it.
    back = end - math.copysign(arm / radius, turn)
    ends = [dial.tip(back, far) for far in (radius - arm * 0.5, radius + arm * 0.5)]
    yield marks.Polyline(np.array([ends[0], dial.tip(end, radius), ends[1]]), color, 2.0)


def nearest_tip(tips: marks.Points, x: float, y: float) -> int | None:
    """The pair whose hand ends within reach of a point, the nearest one; None where there is none."""
    distances = np.hypot(tips[:, 0] - x, tips[:, 1] - y)
    pair = int(np.argmin(distances))
    return pair if distances[pair] <= _GRAB_DISTANCE else None


def face_picture(dial: Dial, n_pairs: int, theme: Theme) -> marks.Picture:
    """Everything of the clock that stands still."""
    radii = dial.ring_radii(n_pairs)
    away = dial.radius + 8.0
    shown = radii if n_pairs <= _MOST_RINGS else radii[[0, -1]]
    return (
        *(marks.Dots.at(dial.x, dial.y, radius, None, theme.grid, 1.0) for radius in shown.tolist()),
        dial.ring(theme.axis),
        marks.Segments(_ticks(dial, every=1, inner=0.975), theme.axis),
        marks.Segments(_ticks(dial, every=3, inner=0.965), theme.text3, width=2.0),
        marks.centered(dial.x, dial.y - dial.radius - 12.0, "0", "caption", theme.text2),
        marks.FormulaText(dial.x + away, dial.y, "π/2", 15, theme.text2, across=0.0),
        marks.FormulaText(dial.x, dial.y + dial.radius + 13.0, "π", 15, theme.text2, across=0.5),
        marks.FormulaText(dial.x - away, dial.y, "3π/2", 15, theme.text2, across=1.0),
    )


def _ticks(dial: Dial, every: int, inner: float) -> marks.Points:
    angles = np.arange(0, _TICKS, every, dtype=np.float64) * (2 * np.pi / _TICKS)
    # No further out than the labels leave room, however large the dial is.
    outer = 1.0 if every == 1 else 1.0 + min(0.012, 3.0 / dial.radius)
    return np.column_stack([dial.tips(angles, share * dial.radius) for share in (inner, outer)])


# Values up to the first are written with decimals, from the second on as powers of ten.
_MOST_DECIMAL = 10.0
LONG = 1e5


def hand_name(encoding: Encoding, hand: int) -> str:
    """The name in a sentence: "pair 4", "columns 8, 9", "column 32"."""
    if encoding.pairs is not None:
        return f"pair {whole(hand)}"
    first, second = column_numbers(encoding, hand)
    return f"columns {first}, {second}" if second else f"column {first}"


def column_numbers(encoding: Encoding, hand: int) -> tuple[str, str]:
    """The two columns of a hand; the second is "" where there is none."""
    first, second = hand_columns(encoding)[hand].tolist()
    return whole(first), "" if second == MISSING else whole(second)


@lru_cache(maxsize=64)
def part_names(encoding: Encoding, hand: int) -> tuple[str, str]:
    """The names of its two values: sin and cos, or the dimensions; the second is "" where there is none."""
    if encoding.pairs is not None:
        return "sin", "cos"
    first, second = column_numbers(encoding, hand)
    return f"dim {first}", f"dim {second}" if second else ""


def value_text(value: float, limit: float, decimals: int) -> str:
    """A value of a table with so many decimals where values are about 1, with fewer where they are large.

    Where the decimals would hold one digit at most, as a power of ten.
    """
    if value and decimals and limit < 10.0 ** (1 - decimals):
        return scientific(value)
    # Hands that fade are longer before position 0 than any in the table.
    if max(limit, abs(value)) <= _MOST_DECIMAL:
        return fixed(value, decimals)
    return short(value) if abs(value) < LONG else scientific(value)


def limit_texts(limit: float) -> tuple[str, str]:
    """The two ends of an axis that reaches to a limit on both sides of 0."""
    text = short(limit) if limit < LONG else scientific(limit)
    return f"−{text}", f"+{text}"
