"""Encodings side by side, a row each."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.measure.measurement import HOLDS, HOLDS_UP_TO, PROPERTIES, Measurement
from pe_desktop.core.presets import Compared
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import deciding_number
from pe_desktop.draw.number_text import significant, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, text_width, wrapped
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.views.matrix.layout import row_order
from pe_desktop.views.properties.verdicts import VERDICT_INKS, verdict_mark
from pe_desktop.views.properties.words import PROPERTY_NAMES


def table_image(encoding: Encoding, size: tuple[int, int], colors: NDArray[np.integer[Any]]) -> QImage:
    """All positions from left to right, all dimensions from top to bottom, size in device pixels.

    Dimensions at the end that are zero throughout are left out: a counter has one number, however wide its table.
    A pixel over many cells shows their mean; where it would mix sines with cosines, all sines stand over all cosines.
    colors: those of a diverging map, shape (n, 3). It may be called from any thread.
    """
    n_rows = float(encoding.n_filled)
    is_halved = row_order(encoding, n_rows, size[1]).is_halved
    view = View(0.0, n_rows, 0.0, float(encoding.n_positions))
    field = HalvesField(encoding) if is_halved else EncodingField(encoding)
    return HeatMap().image(field, view, size, color_table(colors))


# Rows share the height that there is, between these: two lines of cells in each.
_ROW_HEIGHTS = (84.0, 100.0)
HEADER_HEIGHT = 76.0
GAP = 16.0
_NAME_WIDTH = 192.0
_FORMULA_SIZES = (14, 13, 12)
# A table narrower than this can't be read; wider, it has nothing more to show.
_TABLE_WIDTHS = (48.0, 256.0)
_SIGN_WIDTH = 20.0
# A cell holds a sign and a number of four digits, the first one a range: 1 441 of 2 048 turn.
_CELL_WIDTH = 94.0
_RANGE_WIDTH = 132.0
# Two positions: 494 and 511.
_PAIR_WIDTH = 100.0
_DIGITS = 4
# Of the measurements half stand in the first line of a row, half in the second.
_N_COLUMNS = (len(PROPERTY_NAMES) + 1) // 2


@cache
def _least_widths() -> tuple[float, ...]:
    """The room that each column needs for its names and its numbers; it holds a measurement in each line of a row."""
    least = {
        key: max(_CELL_WIDTH, text_width("strong", name) + 10.0, text_width("tick", PROPERTIES[key].column) + 8.0)
        for key, name in PROPERTY_NAMES.items()
    }
    least |= {"periodic": _RANGE_WIDTH, "unique": _PAIR_WIDTH, "far": max(_PAIR_WIDTH, least["far"])}
    widths = list(least.values())
    return tuple(max(widths[column::_N_COLUMNS]) for column in range(_N_COLUMNS))


def narrowest_width() -> float:
    """The least width in which nothing is cut, without tables."""
    return _NAME_WIDTH + GAP + sum(_least_widths())


@record
class CompareLayout:
    """Where tables, names and cells stand in a picture of this width, with rows of this height from top on."""

    width: float
    row_height: float = _ROW_HEIGHTS[0]
    top: float = 0.0

    @property
    def table_width(self) -> float:
        """How wide the table of a row is drawn; 0 where there is no room."""
        room = self.width - _NAME_WIDTH - 2 * GAP - sum(_least_widths())
        least, most = _TABLE_WIDTHS
        return 0.0 if room < least else min(room, most)

    @property
    def name_left(self) -> float:
        """Where names begin."""
        return GAP / 2 + (self.table_width + GAP if self.table_width else 0.0)

    @property
    def cells_left(self) -> float:
        """Where the cells begin."""
        return self.name_left + _NAME_WIDTH

    @property
    def cells(self) -> Mapping[str, tuple[float, float, int]]:
        """Left edge, width and line of the cells in a row, by the keys of the measurements."""
        left = self.cells_left
        least = _least_widths()
        more = max(self.width - left - GAP / 2 - sum(least), 0.0) / len(least)
        cells: dict[str, tuple[float, float, int]] = {}
        keys = tuple(PROPERTY_NAMES)
        for column, width in enumerate(least):
            cells |= {key: (left, width + more, line) for line, key in enumerate(keys[column::_N_COLUMNS])}
            left += width + more
        return cells

    def key_at(self, x: float, y: float) -> str | None:
        """The measurement of the cell at a point of the rows, None beside the cells."""
        line = int((y - self.top) % self.row_height >= self.row_height / 2)
        found = (key for key, (left, width, own) in self.cells.items() if left <= x < left + width and own == line)
        return next(found, None)

    def table(self, place: int) -> tuple[float, float, float, float]:
        """The frame of the table of a row."""
        return (GAP / 2, self.top + place * self.row_height + 9.0, self.table_width, self.row_height - 18.0)

    def row_at(self, y: float, n_rows: int) -> int | None:
        """The row at a height, None below the last."""
        place = int((y - self.top) // self.row_height)
        return place if 0 <= place < n_rows else None


def row_height(n_rows: int, room: float) -> float:
    """How high so many rows are where there is room for a picture of this height."""
    least, most = _ROW_HEIGHTS
    return min(max(room / max(n_rows, 1), least), most)


def progress_area(width: float) -> Area:
    """Where the header has room for a progress row: under the name of the first column and its note."""
    top = 38.0
    return Area(GAP / 2, top, CompareLayout(width).cells_left - GAP, HEADER_HEIGHT - 1.0 - top)


def header_frame(layout: CompareLayout, note: str, theme: Theme) -> list[marks.Mark]:
    """The name of the first column with a note under it, and the line under all names."""
    foot = HEADER_HEIGHT - 0.5
    return [
        marks.Text(GAP / 2, 14.0, "Encoding", "strong", theme.text),
        marks.Segments(np.array([[0.0, foot, layout.width, foot]]), theme.line),
        *([marks.Text(GAP / 2, 30.0, note, "tick", theme.text3)] if note else []),
    ]


def header_picture(width: float, theme: Theme) -> marks.Picture:
    """The names of the columns, and what their numbers are."""
    layout = CompareLayout(width)
    picture = header_frame(layout, "positions across, dimensions down" if layout.table_width else "", theme)
    for key, (x, _, line) in layout.cells.items():
        y = 13.0 + 33.0 * line
        picture.append(marks.Text(x, y, PROPERTY_NAMES[key], "strong", theme.text))
        picture.append(marks.Text(x, y + 15.0, PROPERTIES[key].column, "tick", theme.text3))
    return tuple(picture)


def compare_picture(
    layout: CompareLayout,
    rows: Sequence[Compared],
    measured: Sequence[Mapping[str, Measurement]],
    tables: Sequence[QImage | None],
    theme: Theme,
    *,
    chosen: int | None = None,
) -> marks.Picture:
    """All rows; what is not measured yet shows three dots. measured and tables belong to rows one by one."""
    picture = list(rows_picture(layout, rows, tables, theme, chosen))
    for place, known in enumerate(measured):
        top = layout.top + place * layout.row_height
        for key, (x, room, line) in layout.cells.items():
            picture += _cell((x, room), top + layout.row_height * (0.27 + 0.46 * line), known.get(key), theme)
    return tuple(picture)


def rows_picture(
    layout: CompareLayout, rows: Sequence[Compared], tables: Sequence[QImage | None], theme: Theme, chosen: int | None
) -> marks.Picture:
    """Table, name and definition of each row, the chosen one on a darker ground."""
    width = layout.width
    picture: list[marks.Mark] = []
    for place, (row, table) in enumerate(zip(rows, tables, strict=True)):
        top = layout.top + place * layout.row_height
        middle = top + layout.row_height / 2
        if place == chosen:
            picture.append(marks.Rectangle(0.0, top + 1.0, width, layout.row_height - 2.0, theme.sunken, radius=8.0))
        elif place and place - 1 != chosen:
            picture.append(marks.Segments(np.array([[GAP / 2, top, width - GAP / 2, top]]), theme.line))
        if table is not None and layout.table_width:
            picture.append(marks.Raster(*layout.table(place), table))
        picture += _name(layout.name_left, middle, row, theme)
    return tuple(picture)


def _cell_note(measurement: Measurement, room: float) -> str:
    """The few words under a number: up to where it holds, which positions are nearest, how many hands turn.

    Positions that have no room are told by the offset between them.
    """
    numbers = measurement.numbers
    if measurement.verdict == HOLDS_UP_TO and measurement.up_to is not None:
        return f"up to {whole(measurement.up_to)}"
    if measurement.key == "far" and numbers.get("offset") is not None:
        return f"steps ≤ {significant(numbers['farthest_neighbours'] or 0.0, 3)}"
    if measurement.key == "unique" and numbers.get("offset") is not None:
        ends = f"{_ends(numbers['position'])} and {_ends(numbers['other'])}"
        ends = ends if text_width("tick", ends) <= room else f"k = {_ends(numbers['offset'])}"
        return "neighbours" if numbers["offset"] == 1 else ends
    if measurement.key == "periodic":
        turn = f"{_ends(numbers['n_turning'])} of {_ends(numbers['n_pairs'])} turn"
        return (
            turn if measurement.verdict == HOLDS else "no pairs turn" if not numbers["n_pairs"] else "off after a turn"
        )
    texts = {name: _ends(number) for name, number in numbers.items()}
    return PROPERTIES[measurement.key].notes.get(measurement.finding, "").format(**texts)


def _ends(number: float | int | None) -> str:
    return "–" if number is None else whole(number)


def _name(x: float, middle: float, row: Compared, theme: Theme) -> list[marks.Mark]:
    """The title and as many lines of the definition as have room."""
    room = _NAME_WIDTH - 10.0
    sized = [(line, size) for line in row.formulas if (size := _fitting_pixels(line, room))]
    first = middle - 9.5 * len(sized)
    picture: list[marks.Mark] = [
        marks.Text(x, first, wrapped("strong", row.title, room, 1)[0], "strong", theme.text),
    ]
    for place, (line, size) in enumerate(sized, start=1):
        picture.append(marks.FormulaText(x, first + 19.0 * place, line, size, theme.text2))
    return picture


def _fitting_pixels(line: str, room: float) -> int:
    """The largest size of type in which a formula has room, 0 where it would be too small to read."""
    return next((size for size in _FORMULA_SIZES if formula_runs(line, size)[1] <= room), 0)


def _cell(cell: tuple[float, float], middle: float, measurement: Measurement | None, theme: Theme) -> list[marks.Mark]:
    x, width = cell
    if measurement is None:
        return [marks.Text(x + _SIGN_WIDTH, middle - 8.0, "…", "caption", theme.text3)]
    color, note = getattr(theme, VERDICT_INKS[measurement.verdict]), _cell_note(measurement, width - _SIGN_WIDTH - 2.0)
    line = middle - 8.0
    ink = theme.text if measurement.verdict == HOLDS else color
    number = deciding_number(measurement, _DIGITS)
    if _SIGN_WIDTH + text_width("segment", number) > width - 2.0:
        number = deciding_number(measurement, _DIGITS - 1)
    picture = [
        verdict_mark(x + 7.0, line, measurement.verdict, color),
        marks.Text(x + _SIGN_WIDTH, line, number, "segment", ink),
    ]
    if note:
        words = wrapped("tick", note, width - _SIGN_WIDTH - 2.0, 1)[0]
        picture.append(marks.Text(x + _SIGN_WIDTH, line + 17.0, words, "tick", theme.text3))
    return picture
