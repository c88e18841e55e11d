"""A map over positions t and s with its cursor, and a curve over the offset k: Similarity, Look back and Rotary."""

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import Cursor, Preview, Span
from pe_desktop.core.encoding import Integers
from pe_desktop.core.fields.field import Field
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, scientific, whole
from pe_desktop.draw.plot import Axis, Plot, Tick, label_on_ground, readout_card
from pe_desktop.draw.scene import Area, Box, Place
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer

# The curve that all rows share, and row t.
EVERY_ROW_WIDTH, ROW_WIDTH = 4.0, 1.6
# Table values compared with row t in a frame and on paper, and positions however wide they are.
ROW_CELLS, _PAPER_CELLS, _FEWEST_OF_ROW = 2**17, 2**22, 16
# Values from here on are powers of ten; less is 0.0000 with four decimals.
_LARGEST_PLAIN, _LEAST_SHOWN = 1e6, 5e-5


@record(kw_only=True)
class MapLayout:
    """A map over positions x positions and a profile over offsets, either 0 high where it isn't there.

    rows and columns: visible positions, cell p reaching from p - 1/2 to p + 1/2; offsets: the profile's visible k.
    """

    map: Area
    profile: Area
    rows: Span
    columns: Span
    offsets: Span

    @property
    def has_map(self) -> bool:
        return self.map.height > 0

    @property
    def has_profile(self) -> bool:
        return self.profile.height > 0

    @cached_property
    def row_axis(self) -> Axis:
        return Axis(self.map, self.rows.first, self.rows.last, "left", is_downward=True)

    @cached_property
    def column_axis(self) -> Axis:
        return Axis(self.map, self.columns.first, self.columns.last)

    @cached_property
    def offset_axis(self) -> Axis:
        return Axis(self.profile, self.offsets.first, self.offsets.last)

    @property
    def cells_per_pixel(self) -> float:
        """How many rows a pixel of the map covers."""
        return self.rows.width / self.map.height

    def heat(self, field: Field, colors: NDArray[np.uint8], theme: Theme) -> HeatLayer:
        """What fills the map, a field whose cell p reaches from p to p + 1, in colours of shape (n, 3)."""
        rows, columns = self.rows, self.columns
        view = View(rows.first + 0.5, rows.last + 0.5, columns.first + 0.5, columns.last + 0.5)
        return HeatLayer(field, view, color_table(colors), theme.panel, self.map)

    def cell_at(self, x: float, y: float, n_positions: int) -> tuple[float, float]:
        """Row and column under a point: the nearest positions of the table."""
        last = n_positions - 1
        row, column = round(self.row_axis.value(y)), round(self.column_axis.value(x))
        return float(min(max(row, 0), last)), float(min(max(column, 0), last))

    def sees_row(self, t: float) -> bool:
        return self.rows.first <= t <= self.rows.last

    def sees_column(self, s: float, n_positions: int) -> bool:
        """Whether a column is one of the table and visible."""
        return self.columns.first <= s <= self.columns.last and 0 <= s <= n_positions - 1

    def sees_offset(self, offset: float) -> bool:
        return self.offsets.first <= offset <= self.offsets.last

    def diagonal(self, offset: float) -> tuple[float, float, float, float] | None:
        """Where the diagonal of an offset enters and leaves the map: x and y of both; None where it isn't seen."""
        first = max(self.rows.first, self.columns.first - offset)
        last = min(self.rows.last, self.columns.last - offset)
        if last <= first:
            return None
        across, down = self.column_axis.place, self.row_axis.place
        return across(first + offset), down(first), across(last + offset), down(last)

    def frame(self, theme: Theme) -> marks.Rectangle:
        """The edge of the map."""
        x, y, width, height = self.map
        return marks.Rectangle(x - 0.5, y - 0.5, width + 1.0, height + 1.0, outline=theme.line)

    def diagonal_places(self, offset: float, name: str, value: str) -> tuple[Place, ...]:
        """The diagonal of an offset, if it is seen."""
        ends = self.diagonal(offset)
        if ends is None:
            return ()
        left, top, right, bottom = ends
        return (Place(name, Area(left, top, right - left, bottom - top), value),)

    def row_places(self, t: float) -> tuple[Place, ...]:
        """Row t, if it is seen."""
        if not self.has_map or not self.sees_row(t):
            return ()
        y = self.row_axis.place(t)
        return (Place("row t", Area(self.map.x, y - 4.0, self.map.width, 8.0), position(t)),)

    def offset_places(
        self, offset: float, name: str, value: str, half: float = 5.0, *, is_chosen: bool = False
    ) -> tuple[Place, ...]:
        """The line of an offset in the profile, if it is seen."""
        if not self.has_profile or not self.sees_offset(offset):
            return ()
        x, area = self.offset_axis.place(offset), self.profile
        return (Place(name, Area(x - half, area.y - 6.0, 2 * half, area.height + 6.0), value, is_chosen),)


def cell_ticks(axis: Axis, layout: MapLayout, n_positions: int) -> tuple[Tick, ...]:
    """The positions beside an axis of the map, whole ones or all as powers of ten."""
    ticks = axis.position_ticks(n_positions, 46.0 if n_positions < 10_000 else 66.0, text_room=layout.map.x - 8.0)
    # Powers of ten that can't be told apart are no numbers of ticks.
    is_plain = len({tick.text for tick in ticks}) == len(ticks)
    return ticks if is_plain else tuple(Tick(tick.value, whole(tick.value)) for tick in ticks)


def map_ticks(layout: MapLayout, n_positions: int) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
    """The numbers of rows and of columns: the same ones where they show the same."""
    ticks = cell_ticks(layout.column_axis, layout, n_positions)
    return ticks if layout.rows == layout.columns else cell_ticks(layout.row_axis, layout, n_positions), ticks


def map_picture(layout: MapLayout, cursor: Cursor, n_positions: int, box: Box) -> marks.Picture:
    """What moves over a map: row, diagonal and cell, what is under the pointer elsewhere, that colours are coarse."""
    return (
        *(() if box.coarseness is None else coarse_picture(layout, box.theme)),
        *preview_picture(layout, box.preview, box.theme),
        *cursor_picture(layout, cursor, n_positions, box.theme),
    )


def cursor_picture(layout: MapLayout, cursor: Cursor, n_positions: int, theme: Theme) -> marks.Picture:
    """The line of row t, the dashed diagonal of offset k, the dot at (t, t + k); all cut at the map's edges."""
    picture: list[marks.Mark] = []
    rows, columns = layout.row_axis, layout.column_axis
    if layout.sees_row(cursor.position):
        picture += [rows.line(cursor.position, theme.panel, 3.0), rows.line(cursor.position, theme.ink, 1.2)]
    picture += _diagonal(layout, cursor.offset, theme)
    later = cursor.position + cursor.offset
    if layout.sees_row(cursor.position) and layout.sees_column(later, n_positions):
        center = np.array([[columns.place(later), rows.place(cursor.position)]])
        picture.append(marks.Dots(center, 6.0, theme.panel, theme.ink, 2.2))
    return tuple(picture)


@lru_cache(maxsize=4)
def _diagonal(layout: MapLayout, offset: float, theme: Theme) -> marks.Picture:
    """The dashed diagonal of an offset, which stays while t moves."""
    ends = layout.diagonal(offset)
    if ends is None:
        return ()
    line = np.array([ends])
    halo = marks.Segments(line, theme.panel, 3.4, stays=True)
    return halo, marks.Segments(line, theme.ink, 1.4, (5.0, 3.0), stays=True)


def preview_picture(layout: MapLayout, preview: Preview | None, theme: Theme) -> marks.Picture:
    """A light row at what is under the pointer in any view, and a dashed column for a key."""
    if preview is None:
        return ()
    faint, axes = with_alpha(theme.text3, 0.55), {True: layout.row_axis, False: layout.column_axis}
    return tuple(
        axes[is_query].line(at, faint, 1.0, () if is_query else (4.0, 3.0))
        for at, is_query in preview.places
        if axes[is_query].first <= at <= axes[is_query].last
    )


def coarse_picture(layout: MapLayout, theme: Theme) -> marks.Picture:
    """Words in a corner of the map while its colours leave out some of what they cover."""
    return label_on_ground(layout.map.x + 6.0, layout.map.bottom - 16.0, "coarse, refining", theme, is_raised=True)


def colour_lines(layout: MapLayout, averages: str, box: Box) -> tuple[str, ...]:
    """What the colour of a pixel stands for where that is not the value of one cell, a line each."""
    cells = layout.cells_per_pixel / box.pixel_ratio
    covered = (f"the colour is the {averages} over about {whole(cells)}² cells",) if cells > 1 else ()
    return covered if box.coarseness is None else (*covered, "its colour is coarse, refining")


def pointer_card(box: Box, lines: tuple[str, ...], room: Area | None = None) -> marks.Picture:
    """The lines about what is under the pointer, beside it; nothing where there are none."""
    if box.pointer is None or not lines:
        return ()
    return readout_card(*box.pointer, box.area if room is None else room, lines, box.theme)


@lru_cache(maxsize=8)
def profile_plot(layout: MapLayout, reach: tuple[float, float], highest: float) -> Plot:
    """The axes of the profile; the greatest value stands so high in it."""
    low, high = reach
    return Plot(layout.offset_axis, Axis(layout.profile, low, low + (high - low) / highest, "left"))


def profile_frame(plot: Plot, levels: Sequence[Tick], offsets: Sequence[Tick], theme: Theme) -> marks.Picture:
    """Thin lines and numbers at levels, the axis below with its numbers."""
    return (
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.x.edge(theme.axis),
        *plot.x.labels(offsets, theme, 13.0),
    )


def mirrored_offsets(shown: Span, n_values: int, peak: int = 0) -> Integers:
    """The whole offsets that are seen of a curve known at so many distances to both sides of its peak."""
    low, high = max(math.ceil(shown.first), peak + 1 - n_values), min(math.floor(shown.last), peak + n_values - 1)
    return np.arange(low, high + 1)


def row_part(layout: MapLayout, points: marks.Points, t: float, n_positions: int) -> slice:
    """Which points of the curve that all rows share belong to row t."""
    first, last = max(-t, layout.offsets.first), min(n_positions - 1.0 - t, layout.offsets.last)
    if last <= first:
        return slice(0, 0)
    # Half a pixel of room: an extreme stands in the middle of its pixel.
    ends = layout.offset_axis.place(first) - 0.5, layout.offset_axis.place(last) + 0.5
    return slice(*np.searchsorted(points[:, 0], ends).tolist())


def most_positions(d_model: int, *, is_paper: bool = False) -> int:
    """How many positions row t is compared with at most."""
    return max((_PAPER_CELLS if is_paper else ROW_CELLS) // d_model, _FEWEST_OF_ROW)


def row_positions(offsets: Span, t: float, n_positions: int, most: int) -> range:
    """The positions at visible offsets from t: all of them, or every n-th where they are more than `most`."""
    first = max(math.ceil(t + offsets.first), 0)
    last = min(math.floor(t + offsets.last), n_positions - 1)
    step = max(-(-(last - first + 1) // most), 1)
    # Whole multiples of the step: they stay the same while t moves a little.
    return range(-(-first // step) * step, last + 1, step)


def row_line(points: marks.Points, theme: Theme) -> marks.Picture:
    """The curve of row t."""
    return (marks.Polyline(points, theme.ink, ROW_WIDTH),) if len(points) else ()


def offset_picture(plot: Plot, offset: float, value: float, theme: Theme) -> marks.Picture:
    """The dashed line at an offset that is seen, and the dot on it at its value, if it has one."""
    if not plot.x.first <= offset <= plot.x.last:
        return ()
    line = plot.x.line(offset, theme.text2, 1.3, (4.0, 3.0), beyond=6.0)
    return (line,) if math.isnan(value) else (line, offset_dot(plot, offset, value, theme))


def offset_dot(plot: Plot, offset: float, value: float, theme: Theme) -> marks.Dots:
    """A dot at an offset, at the edge where its value lies beyond."""
    y = plot.y.place(min(max(value, plot.y.first), plot.y.last))
    return marks.Dots(np.array([[plot.x.place(offset), y]]), 5.0, theme.panel, theme.ink, 2.0)


def value_text(value: float) -> str:
    """A value with four decimals, one that is huge or would be lost in them as a power of ten."""
    if math.isnan(value):
        return "undefined"
    is_plain = value == 0 or _LEAST_SHOWN <= abs(value) < _LARGEST_PLAIN
    return fixed(value, 4) if is_plain else scientific(value, 3)


def exact_text(value: float) -> str:
    """A value with all its digits."""
    return "undefined" if math.isnan(value) else repr(value).replace("-", MINUS)
