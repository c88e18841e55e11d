"""M_k with the lens on a block, the turn of a block, and residuals as a chart."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.cursor import Cursor, Preview, hand_of_column
from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Pairs
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.record import kept, record
from pe_desktop.core.rotation import BestShift, RotationField, ShiftReport, rotating_pairs, rotation_blocks
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_numbers, cells_plot
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.color_bar import lying_bar
from pe_desktop.draw.dial import TURN, Dial, named_hands
from pe_desktop.draw.flow import Block
from pe_desktop.draw.number_text import degrees, fixed, position, short, whole
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, badge_text_color, color_image, with_alpha
from pe_desktop.draw.typefaces import text_width
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.views.map_and_profile import exact_text
from pe_desktop.views.questions import turned

# The colours of the pairs beside the matrix; the least height of both; the share of the width that the matrix takes.
_RAMP, _LEAST_HEIGHT, _SHARE = 16.0, 110.0, 0.46
# The lens: its share of the matrix, its least side where the height allows it, how far it stands from the matrix.
_LENS_SHARE, _LENS, _APART = 0.8, 88.0, 56.0
_SYMBOLS = ("cos kω_{i}", "sin kω_{i}", "−sin kω_{i}", "cos kω_{i}")
# Cells of a lens from these heights on have room for symbols and for large numbers.
_WITH_SYMBOLS, _LARGE_HALF = 60.0, 84.0
_MOST_PLAIN = 100.0
# Entries of so many blocks are told under the pointer: cells of more pairs are too small to point at.
_MOST_TOLD = 32


@record
class Magnified(Block):
    """M_k and the lens on the block of a pair: places of the matrix, where a press chooses a pair, and of entries."""

    encoding: Encoding
    offset: float
    pair: int
    grows: bool = True

    def height(self, width: float) -> float:
        return _LEAST_HEIGHT

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        pairs = rotating_pairs(self.encoding)
        assert pairs is not None
        (matrix, lens), color = _areas(area), theme.pair_color(self.pair, pairs.count)
        frames = _frames(matrix, self.encoding, pairs, self.pair)
        side = min(self.encoding.d_model, int(matrix.width))
        heat = _image(self.encoding, self.offset, side, theme.diverging.tobytes())
        symbols = [symbol.replace("{i}", f"{{{self.pair}}}") for symbol in _SYMBOLS]
        if not pairs.keeps_length:
            symbols = [re.sub("cos|sin", r"ζ^k \g<0>", symbol) for symbol in symbols]
        return (
            *_ramps(matrix, self.encoding, pairs.count, theme),
            marks.Rectangle(*matrix.grown(0.5, 0.5), outline=theme.line),
            marks.Raster(*matrix, heat),
            *(marks.Rectangle(*frame.grown(2.0, 2.0), outline=color, outline_width=2.4) for frame in frames),
            *_lens_lines(frames[0], lens, color),
            *_entries(matrix, self.encoding, self.offset, theme),
            *lens_picture(lens, theme, rotation_blocks(self.encoding, self.offset)[self.pair], color, symbols),
        )

    def places(self, area: Area) -> Iterable[Place]:
        pairs, (matrix, lens) = rotating_pairs(self.encoding), _areas(area)
        assert pairs is not None
        name = f"M({position(self.offset)})"
        blocks = rotation_blocks(self.encoding, self.offset)
        chooses = partial(_pair_in, self.encoding, matrix)
        ghosts = partial(_ghost_frames, self.encoding)
        yield Place(f"matrix {name}", matrix, sets=chooses, tooltip=f"{name} is 0 beside its blocks", ghosts=ghosts)
        cell, half = matrix.width / self.encoding.d_model, lens.width / 2
        for pair in range(min(pairs.count, _MOST_TOLD)):
            for row, column, text in _told(pairs, pair, blocks[pair]):
                where, entry = Area(matrix.x + column * cell, matrix.y + row * cell, cell, cell), f"{row}, {column}"
                yield Place(f"cell {entry}", where, text, False, chooses, f"entry {entry} of {name}: {text}")
        turn = degrees(float(pairs.offset_angles([self.offset], [self.pair])[0, 0]))
        yield Place(f"block {self.pair}", lens, turn, is_chosen=True)
        for place, (row, column, text) in enumerate(_told(pairs, self.pair, blocks[self.pair])):
            where = Area(lens.x + place % 2 * half, lens.y + place // 2 * half, half, half)
            entry = f"entry {row}, {column}"
            yield Place(entry, where, text, tooltip=f"{entry} of {name}: {text}")


def _told(pairs: Pairs, pair: int, block: Floats) -> Iterable[tuple[int, int, str]]:
    """The entries of a block: row and column in M_k, and all digits."""
    dimensions = pairs.dimensions(pair)
    for (row, column), value in np.ndenumerate(block):
        yield dimensions[row], dimensions[column], exact_text(float(value))


def _ghost_frames(encoding: Encoding, matrix: Area, preview: Preview, theme: Theme) -> marks.Picture:
    """Light frames around the block of the pair that is named under the pointer."""
    pairs = rotating_pairs(encoding)
    if pairs is None or preview.pair is None or preview.pair >= pairs.count:
        return ()
    frames = _frames(matrix, encoding, pairs, preview.pair)
    return tuple(marks.Rectangle(*frame.grown(1.0, 1.0), outline=theme.ghost) for frame in frames)


def _areas(area: Area) -> tuple[Area, Area]:
    """Matrix and lens; beside a small matrix the lens may be the larger one, for its numbers need room."""
    least = min(_LENS, area.height - 6.0)
    beside = area.width - _RAMP - _APART - least
    side = max(min(area.height - _RAMP - 4.0, area.width * _SHARE, beside), 1.0)
    matrix = Area(area.x + _RAMP, area.y + _RAMP, side, side)
    room = area.right - matrix.right - _APART
    wide = max(min(side * _LENS_SHARE, room), least) if room > least / 2 else max(room, 1.0)
    top = max(matrix.y + (side - wide) / 2, area.y + 3.0)
    left = matrix.right + _APART - 6.0 + min(max(room - wide, 0.0) * 0.7, side)
    return matrix, Area(left, top, wide, wide)


@kept
def _image(encoding: Encoding, offset: float, side: int, colors: bytes) -> QImage:
    """M_k in side x side pixels; colors are three bytes each, from -1 to +1."""
    every = View(0.0, float(encoding.d_model), 0.0, float(encoding.d_model))
    return HeatMap().image(RotationField(encoding, offset), every, (side, side), color_table(colors))


def _pair_in(encoding: Encoding, matrix: Area, x: float, _y: float) -> dict[str, int]:
    """The pair of a column of the matrix."""
    column = int((x - matrix.x) / matrix.width * encoding.d_model)
    return {"pair": int(hand_of_column(encoding)[min(max(column, 0), encoding.d_model - 1)])}


def _entries(area: Area, encoding: Encoding, offset: float, theme: Theme) -> marks.Picture:
    """Every entry in its cell where there is room."""
    count = encoding.d_model
    every, cells = Blocks(0, 1, count), range(count)
    values = partial(RotationField(encoding, offset).means, every, every)
    return cell_numbers(cells_plot(area, (count, count)), cells, cells, values, (-1.0, 1.0), theme.diverging)


def _ramps(area: Area, encoding: Encoding, n_pairs: int, theme: Theme) -> marks.Picture:
    """The colour of the pair of each column, over the matrix and beside it."""
    n_pixels = max(int(area.width), 1)
    owners = hand_of_column(encoding)
    colors = theme.pair_colors(n_pairs)[owners[(np.arange(n_pixels) * len(owners)) // n_pixels]]
    return (
        marks.Raster(area.x, area.y - _RAMP + 4.0, area.width, 6.0, color_image(colors[None])),
        marks.Raster(area.x - _RAMP + 4.0, area.y, 6.0, area.height, color_image(colors[:, None])),
    )


def _frames(area: Area, encoding: Encoding, pairs: Pairs, pair: int) -> list[Area]:
    """Squares around the block of a pair: one, or one around each entry where its columns stand apart."""
    cell, (sine, cosine) = area.width / encoding.d_model, pairs.dimensions(pair)
    side = max(cell, 5.0)
    centers = [(row + 0.5, column + 0.5) for row in (sine, cosine) for column in (sine, cosine)]
    if abs(sine - cosine) == 1:
        side = max(2 * cell, 6.0)
        centers = [(max(sine, cosine), max(sine, cosine))]
    return [Area.around(area.x + x * cell, area.y + y * cell, side / 2) for y, x in centers]


def _lens_lines(block: Area, lens: Area, color: QColor) -> marks.Picture:
    x = np.array([block.right + 2.0, lens.x])
    upper = np.array([block.y - 2.0, lens.y])
    lower = np.array([block.bottom + 2.0, lens.bottom])
    edges = (np.column_stack((x, edge)) for edge in (upper, lower))
    lines = (marks.Polyline(edge, with_alpha(color, 0.7), 1.2) for edge in edges)
    return marks.Band(x, upper, lower, with_alpha(color, 0.07)), *lines


def lens_picture(area: Area, theme: Theme, block: Floats, color: QColor, symbols: Sequence[str] = ()) -> marks.Picture:
    """Four entries, shape (2, 2), as cells in their colours with their numbers, over what each is where it has room."""
    wide = area.width / 2
    tall = area.height / 2
    digits = 3 if wide >= text_width("value", fixed(-0.888, 3)) + 6.0 else 2
    shown = symbols if tall >= _WITH_SYMBOLS else ()
    # Numbers grow with the lens.
    role, pixels, apart = ("message", 18, 1.3) if shown and tall >= _LARGE_HALF else ("value", 14, 1.0)
    picture: marks.Marks = []
    for place, value in enumerate(block.ravel().tolist()):
        cell = Area(area.x + place % 2 * wide, area.y + place // 2 * tall, wide, tall)
        (x, y), fill = cell.middle, theme.diverging_color(value)
        ink = badge_text_color(fill)
        above = 9.0 * apart if shown else 0.0
        # Those of a least-squares fit are unbounded: far out they are told in fewer digits.
        text = fixed(value, digits) if abs(value) < _MOST_PLAIN else short(value)
        picture += [marks.Rectangle(*cell, fill), marks.centered(x, y - above, text, role, ink)]
        if shown:
            picture.append(marks.FormulaText(x, y + 13.0 * apart, shown[place], pixels, ink, across=0.5))
    return (*picture, marks.Rectangle(*area, None, color, radius=4.0, outline_width=3.0))


def bar_picture(area: Area, theme: Theme) -> marks.Picture:
    """The colour bar of a figure."""
    return lying_bar(area.right, area.middle[1], area.width - 60.0, ("−1", "+1"), theme.diverging, theme, 6.0)


# Room around the circle; from this radius on it has the angle of the turn.
_AROUND, _LEAST_WITH_ANGLE = 44.0, 44.0


def circle_picture(area: Area, theme: Theme, pairs: Pairs, cursor: Cursor) -> marks.Picture:
    """The hands of a pair at t and t + k, and the turn between them."""
    dial = Dial(*area.middle, max(min(area.width / 2 - _AROUND, area.height / 2 - _AROUND / 2), 10.0))
    places = cursor.both
    angles = pairs.angles(places, [cursor.pair])[:, 0].tolist()
    lengths = pairs.lengths_at(places)[:, cursor.pair]
    # Far out a fading hand is 0.
    shares = (lengths / (lengths.max() or 1.0)).tolist()
    names = [f"p_{{{position(place)}}}" for place in places]
    hands = [*zip(angles, shares, names, strict=True)]
    turn = cursor.offset * float(pairs.angular_frequencies[cursor.pair])
    x = dial.x
    y = dial.y
    reach = dial.radius + 14.0
    cross = [[x - reach, y, x + reach, y], [x, y - reach, x, y + reach]]
    picture: marks.Marks = [
        marks.lines(cross, theme.grid, 1.2),
        *named_hands(dial, theme, (cursor.pair, pairs.count), hands, turn),
    ]
    if dial.radius >= _LEAST_WITH_ANGLE:
        middle = angles[0] + min(max(turn, -math.tau), math.tau) / 2
        picture.append(marks.centered(*dial.tip(middle, dial.radius * TURN + 22.0), turned(turn), "flag", theme.text))
    return tuple(picture)


def hands_told(pairs: Pairs, cursor: Cursor) -> str:
    """The angles of these hands and the turn between them, in one line."""
    now, later = (degrees(angle) for angle in pairs.angles(cursor.both, [cursor.pair])[:, 0].tolist())
    t, u = map(position, cursor.both)
    turn = turned(cursor.offset * float(pairs.angular_frequencies[cursor.pair]))
    return f"pair {cursor.pair}: {now} at t = {t}, {later} at t + k = {u}, turned by {turn}"


# What is exactly zero stands on the foot of the axis of M_k; the height of the plot at least.
_LOWEST, _LEAST_PLOT = 1e-17, 56.0


def residual_chart(name: str, report: ShiftReport | BestShift | None, t: float) -> Chart:
    """|matrix p_t - p_(t+k)| at every measured t, by its logarithm for M_k, with the largest one and that nearest t."""
    if report is None:
        scale = Scale("position t", 0.0, 1.0, ticks="none"), Scale("", _LOWEST, 1.0, is_logarithmic=True)
        return Chart(f"{name} misses PE(t + k) by …", *scale, (), tall=_LEAST_PLOT, name="residuals")
    residuals = report.residuals
    positions = report.positions.astype(np.float64)
    largest = float(residuals.max())
    levels = Scale("", 0.0, largest if largest > ROUNDING else 1.0)
    if isinstance(report, ShiftReport):
        highest = 10.0 ** math.ceil(math.log10(max(largest, ROUNDING)))
        levels = Scale("", _LOWEST, highest, is_logarithmic=True)
    here = float(residuals[np.argmin(np.abs(positions - t))])
    last = float(report.encoding.n_positions - 1)
    most, *less = _largest(report, name)
    return Chart(
        most,
        Scale("position t", 0.0, max(last, 1.0), ticks="positions", sets="position"),
        levels,
        (Curve("", positions, np.clip(residuals, levels.first, levels.last)),),
        min(max(t, 0.0), last),
        f"t = {position(t)}: {short(here, 2)}",
        tall=_LEAST_PLOT,
        name="residuals",
        shorter=tuple(less),
        dots=(min(max(here, levels.first), levels.last),),
        grows=isinstance(report, BestShift),
    )


def _largest(report: ShiftReport | BestShift, name: str) -> tuple[str, ...]:
    """The largest residual, with what that means where there is room."""
    largest = float(report.residuals.max())
    text = f"misses by at most {short(largest, 2 if largest < 1e-3 else 3)}"
    n_measured = len(report.positions)
    means = ", rounding only" if 0 < largest <= ROUNDING else ""
    if n_measured < len(report.encoding.shift_range(report.offset)):
        means = f" at {whole(n_measured)} sampled t"
    return f"{name} {text}{means}", f"{name} {text}", text
