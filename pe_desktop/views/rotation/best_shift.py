"""What stands where there is no M_k: why, the best 2 x 2 of the chosen hand, and how far it misses at every t."""

import math

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import rotation_refusal
from pe_desktop.core.shift import BestShift
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import badge_half_width, wrapped

LINE = 18.0
BADGE_RADIUS = 9.5
LOWEST_LENS, HIGHEST_LENS = 72.0, 200.0
# Width over height: numbers are wider than tall.
_LENS_SHAPE = 1.4
AXIS_LEFT, AXIS_BELOW = 56.0, 34.0
# Lower than this a plot tells nothing.
_LOWEST_PLOT = 40.0
# Of the sentence under the formula, in the narrowest panel.
_MOST_LINES = 20
# A smaller share of |p_(t+k)| is rounding.
ROUNDING = 1e-12


def best_shift_sentence(encoding: Encoding, cursor: Cursor, shift: BestShift | None) -> str:
    """Why there is no M_k, and what the best 2 x 2 of the chosen hand misses, once it is known."""
    name = hand_name(encoding, cursor.pair)
    if shift is None:
        found = f"Measuring the best 2 × 2 for {name}…"
    elif math.isnan(shift.share):
        found = "No t and t + k lie in the table."
    elif shift.share == 0 and not shift.matrix.any():
        found = f"All values of {name} are 0 at t + k: choose another pair to see more."
    elif shift.share <= ROUNDING:
        found = f"The best 2 × 2 for {name} misses nothing but rounding."
    else:
        found = f"The best 2 × 2 for {name} misses {_percent(shift.share)}."
    return f"{rotation_refusal(encoding)} {found}"


def best_shift_picture(
    width: float, height: float, encoding: Encoding, cursor: Cursor, shift: BestShift | None, theme: Theme
) -> marks.Picture:
    """The sentence, the matrix with its equation, the residuals."""
    lines = wrapped("caption", best_shift_sentence(encoding, cursor, shift), width - 8.0, _MOST_LINES)
    picture: list[marks.Mark] = [
        marks.Text(0.0, 10.0 + LINE * number, line, "caption", theme.text) for number, line in enumerate(lines)
    ]
    if shift is None or math.isnan(shift.share):
        return tuple(picture)
    top = LINE * len(lines) + 14.0
    side = min(max((height - top) * 0.36, LOWEST_LENS), HIGHEST_LENS, width * 0.3)
    lens = Area(2.0, top, side * _LENS_SHAPE, side)
    picture += _matrix(lens, encoding, shift, theme)
    picture += _words(lens, encoding, shift, theme)
    foot = top + side + 34.0
    plot = Area(AXIS_LEFT, foot, max(width - AXIS_LEFT - 10.0, 40.0), height - foot - AXIS_BELOW)
    if plot.height >= _LOWEST_PLOT:
        picture += _residuals(plot, shift, encoding, cursor, theme)
    return tuple(picture)


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{fixed(percent, 1)} %" if percent >= 0.1 or percent == 0 else f"{short(percent)} %"


def _matrix(lens: Area, encoding: Encoding, shift: BestShift, theme: Theme) -> list[marks.Mark]:
    across, down = lens.width / 2, lens.height / 2
    picture: list[marks.Mark] = []
    for row, values in enumerate(shift.matrix.tolist()):
        for column, value in enumerate(values):
            fill = theme.diverging_color(value)
            x, y = lens.x + column * across, lens.y + row * down
            # Numbers are unbounded: far out they are told in fewer digits.
            text = fixed(value, 3) if abs(value) < 100.0 else short(value)
            picture.append(marks.Rectangle(x, y, across, down, fill))
            picture.append(marks.Text(x + across / 2, y + down / 2, text, "value", badge_text_color(fill), 0.5))
    color = theme.pair_color(shift.hand, n_hands(encoding))
    picture.append(marks.Rectangle(lens.x, lens.y, lens.width, lens.height, None, color, radius=4.0, outline_width=3.0))
    return picture


def _words(lens: Area, encoding: Encoding, shift: BestShift, theme: Theme) -> list[marks.Mark]:
    left = lens.x + lens.width + 18.0
    middle = lens.middle[1]
    label = str(shift.hand)
    half = badge_half_width(BADGE_RADIUS, label)
    color = theme.pair_color(shift.hand, n_hands(encoding))
    k = position(shift.offset)
    later = f"p_{{t+{k}}}".replace("+−", "−")
    return [
        marks.Badge(left + half, middle - 24.0, BADGE_RADIUS, label, color),
        marks.Text(left + 2 * half + 8.0, middle - 24.0, hand_name(encoding, shift.hand), "strong", theme.text),
        marks.FormulaText(left, middle + 2.0, f"A p_t ≈ {later}", 16, theme.text),
        marks.Text(left, middle + 26.0, "A by least squares", "caption", theme.text2),
    ]


def _residuals(area: Area, shift: BestShift, encoding: Encoding, cursor: Cursor, theme: Theme) -> list[marks.Mark]:
    highest = float(shift.residuals.max())
    positions = Axis(area, 0.0, float(max(encoding.n_positions - 1, 1)))
    plot = Plot(positions, Axis(area, 0.0, highest if highest > ROUNDING else 1.0, "left"))
    k = position(shift.offset)
    heading = f"|A p_t − p_{{t+{k}}}|".replace("+−", "−")
    sample = f" at {whole(len(shift.positions))} sampled t" if shift.is_sample else ""
    largest = f"largest {short(highest)}{sample}"
    ink = theme.text3
    colors = np.tile(np.array([ink.red(), ink.green(), ink.blue()], dtype=np.uint8), (len(shift.positions), 1))
    dots = plot.points(shift.positions.astype(np.float64), shift.residuals)
    nearest = int(np.argmin(np.abs(shift.positions - cursor.position)))
    return [
        marks.FormulaText(area.x, area.y - 16.0, heading, 15, theme.text),
        marks.Text(area.x + area.width, area.y - 16.0, largest, "caption", theme.text2, across=1.0),
        *plot.frame(positions.position_ticks(encoding.n_positions), "position t", theme),
        marks.DotCloud(dots, colors, 3.0),
        positions.line(cursor.position, theme.ink, 1.6),
        marks.Dots(dots[nearest : nearest + 1], 4.2, theme.ink, theme.panel, 1.5),
    ]
