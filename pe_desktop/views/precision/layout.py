"""Texts, plots and tables of a page, one below another; columns of a table that find no room are left out."""

from functools import lru_cache
from typing import Final

from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Area
from pe_desktop.draw.tables import TableLayout, ground_picture
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped

# From one line of a text to the next, from one part of a page to the next, from the top to the first line.
LINE, GAP, TOP = 17.0, 22.0, 10.0
_LEFT, _TITLE, _AXIS = 56.0, 34.0, 40.0
_LOWEST, _TALLEST = 120.0, 230.0
# From this width on the curves of a plot have their names beside them on the screen.
_WITH_NAMES, _NAMES_ROOM = 520.0, 158.0
_MOST_LINES: Final = 12
_COLUMN_GAP: Final = 16.0


@record
class Table:
    """A table with its names at the left and its numbers at the right of their columns.

    titles: of the columns, the most important first; rows: the texts of each; y: the middle of the titles.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    y: float
    width: float

    @property
    def place(self) -> TableLayout:
        return TableLayout(0.0, self.y - 8.0, self.width, len(self.rows))

    def picture(self, chosen: int | None, theme: Theme) -> marks.Picture:
        """Titles and rows; the chosen one stands on a darker ground."""
        picture = ground_picture(self.place, chosen, theme)
        for column, right in self._columns():
            x, across = (6.0, 0.0) if column == 0 else (right, 1.0)
            picture.append(marks.Text(x, self.y, self.titles[column], "tick", theme.text3, across=across))
            for number, row in enumerate(self.rows):
                role, ink = ("segment", theme.text) if column == 0 else ("tick", theme.text2)
                y = self.place.row_area(number).middle[1]
                picture.append(marks.Text(x, y, row[column], role, ink, across=across))
        return tuple(picture)

    def _columns(self) -> tuple[tuple[int, float], ...]:
        """The columns that have room, from the left, each with its right end in pixels."""
        widths = _widths(self.titles, self.rows)
        shown: list[int] = []
        for column, wide in enumerate(widths):
            if column == 0 or sum(widths[some] + _COLUMN_GAP for some in shown) + wide <= self.width - 12.0:
                shown.append(column)
        free = self.width - 12.0 - sum(widths[column] for column in shown)
        gap, right, placed = free / max(len(shown) - 1, 1), 6.0, []
        for column in shown:
            right += widths[column]
            placed.append((column, right))
            right += gap
        return tuple(placed)


@lru_cache(maxsize=8)
def _widths(titles: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> tuple[float, ...]:
    return tuple(
        max(text_width("tick", title), *(text_width("segment" if number == 0 else "tick", row[number]) for row in rows))
        for number, title in enumerate(titles)
    )


@lru_cache(maxsize=16)
def text_height(text: str, width: float, role: str = "caption") -> float:
    """How high a text is at a width of the page."""
    return LINE * len(wrapped(role, text, max(width - 8.0, 40.0), _MOST_LINES))


def text_picture(text: str, width: float, y: float, theme: Theme, role: str = "caption") -> marks.Picture:
    """A text, the middle of whose first line is at a height."""
    ink = theme.text if role == "strong" else theme.text2
    return paragraph(0.0, y, text, ink, max(width - 8.0, 40.0), _MOST_LINES, role, LINE)


@record
class PlotPage:
    """A heading, none on paper, over a plot over a table with these titles."""

    width: float
    heading: str
    titles: tuple[str, ...]
    is_paper: bool

    @property
    def has_names(self) -> bool:
        """Whether curves have their names beside them: on paper no card at the pointer tells which is which."""
        return self.is_paper or self.width >= _WITH_NAMES

    @property
    def heading_bottom(self) -> float:
        return TOP + text_height(self.heading, self.width, "strong")

    @property
    def plot(self) -> Area:
        """Right of its numbers, left of the names of its curves."""
        right = _NAMES_ROOM if self.has_names else 18.0
        height = min(max(0.28 * self.width, _LOWEST), _TALLEST)
        return Area(_LEFT, self.heading_bottom - 6.0 + _TITLE, max(self.width - _LEFT - right, 40.0), height)

    def table(self, rows: tuple[tuple[str, ...], ...]) -> Table:
        """Under the plot and the numbers of its axis."""
        return Table(self.titles, rows, self.plot.bottom + _AXIS + GAP, self.width)

    def heading_picture(self, theme: Theme) -> marks.Picture:
        return text_picture(self.heading, self.width, TOP, theme, "strong")
