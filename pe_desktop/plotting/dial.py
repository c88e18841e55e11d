"""The face of the clock: where its rings lie, what never moves, which hand is under the pointer."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.plotting import marks
from pe_desktop.plotting.theme import Theme

# Rings of the fastest and the slowest pair, as shares of the dial's radius.
OUTER_RING = 0.93
INNER_RING = 0.185
# Room around the dial for the labels 0, pi/2, pi, 3 pi/2.
MARGIN_ACROSS = 42.0
MARGIN_DOWN = 28.0
TICKS = 12
# More rings than this merge into a grey disc.
MOST_RINGS = 32
GRAB_DISTANCE = 16.0
MOST_HANDS = 32


@dataclass(frozen=True, slots=True)
class Dial:
    """Centre and radius of the dial in pixels."""

    x: float
    y: float
    radius: float

    def ring_radii(self, n_pairs: int) -> NDArray[np.float64]:
        """The radius of every pair's ring, shape (n_pairs,), falling with i."""
        places = np.arange(n_pairs) / max(n_pairs - 1, 1)
        return self.radius * (OUTER_RING - (OUTER_RING - INNER_RING) * places)

    def tips(self, angles: NDArray[np.float64], radii: NDArray[np.float64] | None = None) -> marks.Points:
        """Where the hands of all pairs end, shape (n_pairs, 2): clockwise from 12 o'clock."""
        if radii is None:
            radii = self.ring_radii(len(angles))
        return np.column_stack((self.x + radii * np.sin(angles), self.y - radii * np.cos(angles)))

    def angle_at(self, x: float, y: float) -> float:
        """The angle of a point, radians clockwise from 12 o'clock."""
        return math.atan2(x - self.x, self.y - y)


def dial_in(width: float, height: float) -> Dial:
    """The largest dial that fits with its labels."""
    radius = max(min(width / 2 - MARGIN_ACROSS, height / 2 - MARGIN_DOWN), 10.0)
    return Dial(width / 2, height / 2, radius)


def nearest_tip(tips: marks.Points, x: float, y: float) -> int | None:
    """The pair whose hand ends within reach of a point, the nearest one; None where there is none."""
    distances = np.hypot(tips[:, 0] - x, tips[:, 1] - y)
    pair = int(np.argmin(distances))
    return pair if distances[pair] <= GRAB_DISTANCE else None


def face_picture(dial: Dial, n_pairs: int, theme: Theme) -> marks.Picture:
    """Everything of the clock that stands still."""
    radii = dial.ring_radii(n_pairs)
    shown = radii if n_pairs <= MOST_RINGS else radii[[0, -1]]
    return (
        marks.Rings(dial.x, dial.y, shown, theme.grid),
        marks.Rings(dial.x, dial.y, np.array([dial.radius]), theme.axis),
        marks.Segments(_ticks(dial, every=1, inner=0.975), theme.axis),
        marks.Segments(_ticks(dial, every=3, inner=0.965), theme.text3, width=2.0),
        *_labels(dial, theme),
    )


def half_picture(dial: Dial, first_one: float, theme: Theme) -> marks.Picture:
    """The half of the dial in which bits are 1, from this share of a turn on: it lies under the rings."""
    # An arc as wide as its radius is a half disc.
    return (marks.Arc(dial.x, dial.y, dial.radius / 2, math.tau * first_one, math.pi, theme.sunken, dial.radius),)


def _ticks(dial: Dial, every: int, inner: float) -> marks.Points:
    angles = np.arange(0, TICKS, every) * (2 * np.pi / TICKS)
    x, y = np.sin(angles), -np.cos(angles)
    outer = 1.0 if every == 1 else 1.012
    ends = (dial.x + inner * dial.radius * x, dial.y + inner * dial.radius * y)
    starts = (dial.x + outer * dial.radius * x, dial.y + outer * dial.radius * y)
    return np.column_stack((*ends, *starts))


def _labels(dial: Dial, theme: Theme) -> tuple[marks.Mark, ...]:
    away = dial.radius + 8.0
    color = theme.text2
    return (
        marks.Text(dial.x, dial.y - away - 6.0, "0", "caption", color, across=0.5),
        marks.FormulaText(dial.x + away, dial.y, "π/2", 15, color, across=0.0),
        marks.FormulaText(dial.x, dial.y + away + 8.0, "π", 15, color, across=0.5),
        marks.FormulaText(dial.x - away, dial.y, "3π/2", 15, color, across=1.0),
    )
