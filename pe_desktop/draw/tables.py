"""Tables of short texts: titles, a thin line, rows of one height."""

from collections.abc import Sequence

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme

ROW = 21.0
HEAD = 20.0


@record
class TableLayout:
    """Where a table stands: its upper left corner, its width, how many rows it has."""

    x: float
    y: float
    width: float
    n_rows: int

    @property
    def height(self) -> float:
        """Titles and rows."""
        return HEAD + ROW * self.n_rows

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def row_area(self, row: int) -> Area:
        return Area(self.x, self.y + HEAD + ROW * row, self.width, ROW)

    def row_at(self, x: float, y: float) -> int | None:
        """The row under a point."""
        row = int((y - self.y - HEAD) // ROW)
        return row if self.x <= x <= self.x + self.width and 0 <= row < self.n_rows else None


def _ground_picture(layout: TableLayout, chosen: int | None, theme: Theme) -> list[marks.Mark]:
    """The line under the titles, and the darker ground of the chosen row."""
    line = layout.y + HEAD - 2.0
    picture: list[marks.Mark] = [
        marks.Segments(np.array([[layout.x, line, layout.x + layout.width, line]]), theme.line)
    ]
    if chosen is not None:
        picture.append(marks.Rectangle(*layout.row_area(chosen), theme.sunken, radius=4.0))
    return picture


def table_picture(
    layout: TableLayout, titles: Sequence[str], rows: Sequence[Sequence[str]], chosen: int | None, theme: Theme
) -> marks.Picture:
    """Columns of one width, their texts at the right of each."""
    n_columns = len(titles)
    rights = [layout.x + layout.width * (column + 1) / n_columns - 8.0 for column in range(n_columns)]
    picture = _ground_picture(layout, chosen, theme)
    for right, title in zip(rights, titles, strict=True):
        picture.append(marks.Text(right, layout.y + 8.0, title, "tick", theme.text3, across=1.0))
    for place, row in enumerate(rows):
        middle = layout.row_area(place).middle[1]
        for column, (right, text) in enumerate(zip(rights, row, strict=True)):
            role, color = ("flag", theme.text) if column == 0 else ("tick", theme.text2)
            picture.append(marks.Text(right, middle, text, role, color, across=1.0))
    return tuple(picture)
