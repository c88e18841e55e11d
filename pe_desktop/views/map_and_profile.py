"""A map over positions t and s with its cursor, and a curve over the offset k: Similarity, Look back and Rotary."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor, Preview, Span
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.similarity import row_similarity
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, scientific, short, whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, Tick, label_on_ground, legend, legend_width, readout_card
from pe_desktop.draw.scene import Area, Box, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer

# Two numbers: a cell as row and column, or a range.
Point: TypeAlias = tuple[float, float]
# The curve that all rows share, and row t.
EVERY_ROW_WIDTH, ROW_WIDTH = 4.0, 1.6
# Table values compared with row t in a frame and on paper, and positions however wide they are.
_ROW_CELLS, _PAPER_CELLS, _FEWEST_OF_ROW = 2**17, 2**22, 6
# Values from here on are powers of ten; less is 0.0000 with four decimals.
_LARGEST_PLAIN, _LEAST_SHOWN = 1e6, 5e-5
# The greatest value stands so high in the profile; its levels are so many, and so many pixels apart at least.
_HIGHEST, _LEVELS, _LEVEL_ROOM = 0.96, 6.0, 12.0


@record(eq=False)
class OffsetCurve:
    """Values at offsets, shape (n,) each: those that every row has, or those of row t; nan for none."""

    offsets: Floats
    values: Floats


@record(kw_only=True)
class MapLayout:
    """A map over positions x positions and a profile over offsets, 0 high where it isn't there.

    rows, columns: those that are visible, cell p reaching from p - 1/2 to p + 1/2; offsets: the profile's visible k;
    reach: the least and the greatest of its values.
    """

    keeps_hash: ClassVar[bool] = True
    map: Area
    profile: Area
    rows: Span
    columns: Span
    offsets: Span
    n_positions: int
    reach: Point

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

    @cached_property
    def value_axis(self) -> Axis:
        """The values of the profile: from 0, or the least one below it, to a little above the greatest."""
        low = min(self.reach[0], 0.0)
        high = max(self.reach[1], 0.0)
        return Axis(self.profile, low, low + ((high - low) or 1.0) / _HIGHEST, "left")

    @cached_property
    def levels(self) -> tuple[Tick, ...]:
        """The numbers beside the profile."""
        return self.value_axis.level_ticks(max(self.profile.height / _LEVELS, _LEVEL_ROOM))

    @property
    def cells_per_pixel(self) -> tuple[float, float]:
        """How many rows and columns a pixel of the map covers."""
        return self.rows.width / self.map.height, self.columns.width / self.map.width

    def heat(self, field: Field, colors: NDArray[np.uint8], theme: Theme) -> HeatLayer:
        """What fills the map, a field whose cell p reaches from p to p + 1, in colours of shape (n, 3)."""
        rows, columns = self.rows, self.columns
        view = View(rows.first + 0.5, rows.last + 0.5, columns.first + 0.5, columns.last + 0.5)
        return HeatLayer(field, view, color_table(colors), theme.panel, self.map)

    def cell_at(self, x: float, y: float) -> Point:
        """Row and column under a point: the nearest positions of the table."""
        last = self.n_positions - 1
        row = round(self.row_axis.value(y))
        column = round(self.column_axis.value(x))
        return float(min(max(row, 0), last)), float(min(max(column, 0), last))

    def cell_sets(self, x: float, y: float) -> Mapping[str, Any]:
        """What a press in the map sets: t and k of a cell."""
        row, column = self.cell_at(x, y)
        return {"position": row, "offset": column - row}

    def sees_cell(self, t: float, s: float) -> bool:
        """Whether a cell is one of the table and visible."""
        return self.row_axis.shows(t) and self.column_axis.shows(s) and 0 <= s <= self.n_positions - 1

    def diagonal(self, offset: float) -> tuple[float, float, float, float] | None:
        """Where the diagonal of an offset enters and leaves the map: x and y of both; None where it isn't seen."""
        first = max(self.rows.first, self.columns.first - offset)
        last = min(self.rows.last, self.columns.last - offset)
        if last <= first:
            return None
        across = self.column_axis.place
        down = self.row_axis.place
        return across(first + offset), down(first), across(last + offset), down(last)

    def ticks(self) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
        """The positions beside rows and below columns, the same ones where they show the same in the same room."""
        ticks = self._ticks(self.column_axis)
        is_square = self.map.width == self.map.height
        return ticks if is_square and self.rows == self.columns else self._ticks(self.row_axis), ticks

    def _ticks(self, axis: Axis) -> tuple[Tick, ...]:
        """Whole positions, or all as powers of ten, which as numbers of ticks can be told apart."""
        room = 46.0 if self.n_positions < 10_000 else 66.0
        ticks = axis.position_ticks(self.n_positions, room, text_room=self.map.x - 8.0)
        is_plain = len({tick.text for tick in ticks}) == len(ticks)
        return ticks if is_plain else tuple(Tick(tick.value, whole(tick.value)) for tick in ticks)

    def frame(self, theme: Theme) -> marks.Rectangle:
        """The edge of the map."""
        x, y, width, height = self.map
        return marks.Rectangle(x - 0.5, y - 0.5, width + 1.0, height + 1.0, outline=theme.line)

    def places(
        self, cursor: Cursor, line: tuple[str, str], diagonal: tuple[str, str], *, is_knob: bool = False
    ) -> Iterator[Place]:
        """The map with diagonal and row of a cursor, the profile with its line, where they are seen.

        line, diagonal: name and value; is_knob: the line is what can be chosen.
        """
        t = cursor.position
        ends = self.diagonal(cursor.offset)
        cell = self.cell_sets
        yield Place("map", self.map, sets=cell)
        if ends is not None:
            left, top, right, bottom = ends
            yield Place(diagonal[0], Area(left, top, right - left, bottom - top), diagonal[1], sets=cell)
        if self.row_axis.shows(t):
            y = self.row_axis.place(t)
            yield Place("row t", Area(self.map.x, y - 4.0, self.map.width, 8.0), position(t), sets=cell)
        if self.has_profile:
            x, y, wide, tall = self.profile
            area = Area(x, y - 6.0, wide, tall + 6.0)
            offset = self.offset_axis.slide("offset")
            yield Place("profile", area, sets=offset)
            if self.offset_axis.shows(cursor.offset):
                x = self.offset_axis.place(cursor.offset)
                yield Place(line[0], area._replace(x=x - 5.0, width=10.0), line[1], is_knob, offset)

    @cached_property
    def of_any_values(self) -> Self:
        """The same for every reach: of all but the levels and the curve nothing depends on it."""
        return replace(self, reach=(0.0, 0.0))

    def levels_picture(self, theme: Theme, trained_length: int = 0) -> marks.Picture:
        """The levels of the profile, their numbers, the axis under them, and the offsets that training never had."""
        return (
            *self.offset_axis.unseen(trained_length, theme, are_offsets=True),
            self.value_axis.grid(self.levels, theme),
            *self.value_axis.labels(self.levels, theme),
            self.offset_axis.edge(theme.axis),
        )

    def unseen_picture(self, trained_length: int, theme: Theme) -> marks.Picture:
        """A veil over the positions beyond the trained ones, and a frame around those; nothing for a length of 0."""
        if not trained_length:
            return ()
        edge = trained_length - 0.5
        x, y, right, bottom = self.map.sides
        beside = self.column_axis.between(edge, math.inf)
        below = self.row_axis.between(edge, math.inf).overlap(self.column_axis.between(-math.inf, edge))
        left, down = beside.x, below.y
        sides = [(left, y, left, down)] if x < left < right else []
        sides += [(x, down, left, down)] if y < down < bottom else []
        veils = [marks.Rectangle(*area, theme.veil) for area in (beside, below) if min(area[2:]) > 0]
        return *veils, marks.lines(sides, theme.panel, 3.4), marks.lines(sides, theme.text, 1.4)

    def offset_labels(self, theme: Theme) -> marks.Picture:
        """The numbers under the profile."""
        return (*self.offset_axis.labels(self.offset_axis.offset_ticks(), theme, 13.0),)

    def head_picture(
        self, titles: tuple[str, ...], row: str, theme: Theme, *, is_shared: bool, differs: bool = True
    ) -> marks.Picture:
        """Over the profile the first title that leaves room for a legend of any row, and the legend of this one.

        differs: of rows that share no curve, whether others are known to be others.
        """
        longest, names = (
            _row_entries(text, theme, is_shared=is_shared, differs=differs and not is_shared)
            for text in (position(self.n_positions - 0.75), row)
        )
        y = self.profile.y - 20.0
        right = self.profile.right
        left = right - legend_width(names)
        title = fitting("title", titles, right - legend_width(longest) - 20.0)
        words = (marks.Text(0.0, y, title, "title", theme.text),) if title else ()
        return (*words, *(legend(left, y, names, theme) if left >= 0.0 else ()))

    def every_row(self, every: OffsetCurve | None, theme: Theme) -> marks.Picture:
        """The curve that all rows share, where there is one."""
        return () if every is None else (marks.Polyline(_points(self, every), theme.axis, EVERY_ROW_WIDTH),)

    def row_picture(self, every: OffsetCurve | None, own: OffsetCurve | None, t: float, theme: Theme) -> marks.Picture:
        """Row t: its own curve, or its part of that which all rows share."""
        points = np.empty((0, 2)) if own is None else _points(self, own)
        if own is None and every is not None:
            first = max(-t, self.offsets.first)
            last = min(self.n_positions - 1.0 - t, self.offsets.last)
            # Half a pixel of room: an extreme stands in the middle of its pixel.
            ends = self.offset_axis.place(first) - 0.5, self.offset_axis.place(last) + 0.5
            all_points = _points(self, every)
            points = all_points[slice(*np.searchsorted(all_points[:, 0], ends))] if first < last else points
        return (marks.Polyline(points, theme.ink, ROW_WIDTH),) if len(points) else ()

    def offset_picture(self, offset: float, value: float, theme: Theme) -> marks.Picture:
        """The dashed line at an offset that is seen, and the dot on it at its value, or at the edge, if it has one."""
        if not self.offset_axis.shows(offset):
            return ()
        line = self.offset_axis.line(offset, theme.text2, 1.3, (4.0, 3.0), beyond=6.0)
        if math.isnan(value):
            return (line,)
        axis = self.value_axis
        y = axis.place(min(max(value, axis.first), axis.last))
        return line, marks.Dots.at(self.offset_axis.place(offset), y, 5.0, theme.panel, theme.ink, 2.0)

    def points(self, offsets: Floats, values: Floats) -> marks.Points:
        """The points of a curve of the profile; where it leaves the axis it runs along the edge."""
        axis = self.value_axis
        clipped = np.clip(values, axis.first, axis.last)
        return Plot(self.offset_axis, axis).curve(offsets, clipped, QColor(), ROW_WIDTH).points


@lru_cache(maxsize=8)
def _points(layout: MapLayout, curve: OffsetCurve) -> marks.Points:
    is_there = ~np.isnan(curve.values)
    whole = (curve.offsets, curve.values)
    return layout.points(*(whole if is_there.all() else (part[is_there] for part in whole)))


def map_picture(layout: MapLayout, cursor: Cursor | None, box: Box, *, is_quick: bool = False) -> marks.Picture:
    """What moves over a map: row, diagonal and cell, what is named under the pointer, that colours are coarse."""
    return (
        *coarse_picture(layout.map, box, is_quick=is_quick),
        *(() if box.preview is None else _preview_picture(layout, box.preview, box.theme)),
        *(() if cursor is None else _cursor_picture(layout, cursor, box.theme)),
    )


def coarse_picture(area: Area, box: Box, *, is_quick: bool = False) -> marks.Picture:
    """Words over a map while its colours leave out some of what they cover."""
    if not is_quick and box.coarseness is None:
        return ()
    return label_on_ground(area.x + 6.0, area.bottom - 16.0, "coarse, refining", box.theme, is_raised=True)


def _cursor_picture(layout: MapLayout, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The line of row t, the dashed diagonal of offset k, the dot at (t, t + k); all cut at the map's edges."""
    picture = marks.Marks()
    rows = layout.row_axis
    t = cursor.position
    if rows.shows(t):
        picture += [rows.line(t, theme.panel, 3.0), rows.line(t, theme.ink, 1.2)]
    diagonal = layout.diagonal(cursor.offset)
    if diagonal is not None:
        picture += [marks.lines(diagonal, theme.panel, 3.4), marks.lines(diagonal, theme.ink, 1.4, (5.0, 3.0))]
    if layout.sees_cell(t, t + cursor.offset):
        x = layout.column_axis.place(t + cursor.offset)
        y = rows.place(t)
        picture.append(marks.Dots.at(x, y, 6.0, theme.panel, theme.ink, 2.2))
    return tuple(picture)


def _preview_picture(layout: MapLayout, preview: Preview, theme: Theme) -> marks.Picture:
    """A light row at t and a dashed column at t + k; for k alone a dashed diagonal."""
    (t, k, _), ends = preview, None if preview.offset is None else layout.diagonal(preview.offset)
    if t is None:
        return () if ends is None else (marks.lines(ends, theme.ghost, 1.4, (4.0, 3.0)),)
    column = () if k is None else ((t + k, False),)
    return *layout.column_axis.ghosts(column, theme), *layout.row_axis.ghosts(((t, True),), theme)


def cell_lines(layout: MapLayout, cell: Point, value: str, what: str, averages: str, box: Box) -> tuple[str, ...]:
    """What is told of a cell under the pointer: its value, what it is, its offset, and what a pixel of it covers."""
    offset = f"offset {whole(cell[1] - cell[0])}"
    return value, what, offset, *pixel_lines(layout.cells_per_pixel, averages, box)


def pixel_lines(covered: Point, averages: str, box: Box) -> tuple[str, ...]:
    """What a pixel that covers so many rows and columns shows, and that its colour is coarse."""
    cells = [n / box.pixel_ratio for n in covered]
    about = " × ".join(whole(max(n, 1.0)) for n in cells)
    means = (f"the colour is the {averages} over about {about} cells",) if max(cells) > 1 else ()
    return *means, *(() if box.coarseness is None else ("its colour is coarse, refining",))


def pointer_card(box: Box, lines: tuple[str, ...], room: Area | None = None) -> marks.Picture:
    """The lines about what is under the pointer, beside it; nothing where there are none."""
    if box.pointer is None or not lines:
        return ()
    return readout_card(*box.pointer, box.area if room is None else room, lines, box.theme)


def mirrored(values: Floats, shown: Span, peak: int = 0) -> OffsetCurve | None:
    """Values by their distance from a peak, to both of its sides, at the whole offsets that are seen."""
    first = max(math.ceil(shown.first), peak + 1 - len(values))
    last = min(math.floor(shown.last), peak + len(values) - 1)
    offsets = np.arange(first, last + 1)
    return OffsetCurve(offsets.astype(np.float64), values.take(np.abs(offsets - peak))) if len(offsets) else None


def _row_entries(t: str, theme: Theme, *, is_shared: bool, differs: bool) -> tuple[LegendEntry, ...]:
    """Which line is every row and which is row t; differs: other rows are known to be others."""
    row = LegendEntry(f"row t = {t}{'; rows differ' if differs else ''}", theme.ink, ROW_WIDTH)
    return (*((LegendEntry("every row", theme.axis, EVERY_ROW_WIDTH),) if is_shared else ()), row)


def row_curve(
    encoding: Encoding, measure: str, offsets: Span, t: float, vector: Floats, *, is_paper: bool = False
) -> OffsetCurve:
    """A vector that stands at t compared with the table at visible offsets: all of them, or an even sample of many."""
    most = max((_PAPER_CELLS if is_paper else _ROW_CELLS) // encoding.d_model, _FEWEST_OF_ROW)
    first = max(math.ceil(t + offsets.first), 0)
    last = min(math.floor(t + offsets.last), encoding.n_positions - 1)
    step = max(-(-(last - first + 1) // most), 1)
    # Whole multiples of the step: they stay the same while t moves a little.
    positions = range(-(-first // step) * step, last + 1, step)
    return OffsetCurve(np.array(positions) - t, row_similarity(encoding, measure, vector, positions))


def value_text(value: float) -> str:
    """A value with four decimals, one that is huge or would be lost in them as a power of ten."""
    if math.isnan(value):
        return "undefined"
    is_plain = value == 0 or _LEAST_SHOWN <= abs(value) < _LARGEST_PLAIN
    return fixed(value, 4) if is_plain else scientific(value, 3)


def exact_text(value: float) -> str:
    """A value with all its digits."""
    return "undefined" if math.isnan(value) else repr(value).replace("-", MINUS)


def half_text(half: float) -> str:
    """Half of a spread."""
    return f"± {short(half, 2)}"
