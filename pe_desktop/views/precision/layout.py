"""Where sentence, plot, tables and words of Precision stand, and tables whose columns find room."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.draw import marks
from pe_desktop.draw.plot import HEAD, ROW, paragraph
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.precision.words import PRINTED, PRINTED_NOTE

LINE: Final = 17.0
_LEFT, _TITLE, _AXIS, _GAP = 52.0, 30.0, 46.0, 22.0
_LOWEST, _TALLEST = 120.0, 220.0
# From this width on the curves of the plot have their names beside them.
_WITH_NAMES: Final = 520.0
_NAMES_ROOM: Final = 150.0
_MOST_LINES: Final = 12
_COLUMN_GAP: Final = 16.0
# Numbers at t: how many, how wide they stand, and from which width on two stand beside each other.
_N_HERE: Final = 4
_WIDEST, _TWO_COLUMNS = 400.0, 560.0


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its names at the left and its numbers at the right of their columns.

    titles: of the columns, the most important first; rows: the texts of each; y: the middle of the titles.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    y: float
    width: float

    def row_area(self, number: int) -> Area:
        return Area(0.0, self.y - 8.0 + HEAD + ROW * number, self.width, ROW)

    def columns(self) -> tuple[tuple[int, float], ...]:
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

    def picture(self, chosen: int | None, theme: Theme) -> marks.Picture:
        """Titles and rows; the chosen one stands on a darker ground."""
        line = self.y - 8.0 + HEAD - 2.0
        picture: list[marks.Mark] = [marks.Segments(np.array([[0.0, line, self.width, line]]), theme.line)]
        if chosen is not None:
            picture.append(marks.Rectangle(*self.row_area(chosen), fill=theme.sunken, radius=6.0))
        for column, right in self.columns():
            x, across = (6.0, 0.0) if column == 0 else (right, 1.0)
            picture.append(marks.Text(x, self.y, self.titles[column], "tick", theme.text3, across=across))
            for number, row in enumerate(self.rows):
                role, ink = ("segment", theme.text) if column == 0 else ("tick", theme.text2)
                y = self.row_area(number).middle[1]
                picture.append(marks.Text(x, y, row[column], role, ink, across=across))
        return tuple(picture)


@lru_cache(maxsize=8)
def _widths(titles: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> tuple[float, ...]:
    return tuple(
        max(text_width("tick", title), *(text_width("segment" if number == 0 else "tick", row[number]) for row in rows))
        for number, title in enumerate(titles)
    )


def text_lines(text: str, width: float, role: str = "caption") -> list[str]:
    """The lines of a text at a width of the scene."""
    return wrapped(role, text, max(width - 8.0, 40.0), _MOST_LINES)


def text_picture(text: str, width: float, y: float, theme: Theme, role: str = "caption") -> marks.Picture:
    """A text from a height on."""
    ink = theme.text if role == "strong" else theme.text2
    return paragraph(0.0, y, text, ink, max(width - 8.0, 40.0), _MOST_LINES, role, LINE)


@dataclass(frozen=True, slots=True)
class PrecisionLayout:
    """Sentence, plot, numbers at t, formats, words on log space, printed numbers and a note, one below another.

    n_formats: the rows of the table of formats, n_printed those of the table of printed numbers; words: on log space.
    """

    width: float
    sentence: str
    n_formats: int
    words: str
    n_printed: int

    @property
    def plot(self) -> Area:
        """Right of its numbers, left of the names of its curves, which a narrow one lacks."""
        top = 6.0 + LINE * len(text_lines(self.sentence, self.width, "strong")) + _TITLE
        right = _NAMES_ROOM if self.has_names else 18.0
        height = min(max(0.28 * self.width, _LOWEST), _TALLEST)
        return Area(_LEFT, top, max(self.width - _LEFT - right, 40.0), height)

    @property
    def has_names(self) -> bool:
        return self.width >= _WITH_NAMES

    @property
    def here(self) -> float:
        """The middle of the heading of what is computed at t and t + k."""
        return self.plot.bottom + _AXIS + _GAP

    def here_area(self, number: int) -> Area:
        """Where a number at t stands: beside another one where there is room."""
        n_columns = 2 if self.width >= _TWO_COLUMNS else 1
        wide = min((self.width - 2 * _COLUMN_GAP * (n_columns - 1)) / n_columns, _WIDEST)
        row, column = divmod(number, n_columns)
        return Area(column * (wide + 2 * _COLUMN_GAP), self.here + ROW * (row + 0.5), wide, ROW)

    @property
    def formats(self) -> float:
        """The middle of the titles of the table of formats."""
        return self.here_area(_N_HERE - 1).bottom + _GAP

    @property
    def log_space(self) -> float:
        """The middle of the heading of the words on log space."""
        return self.formats + HEAD + ROW * self.n_formats + _GAP

    @property
    def printed(self) -> float:
        """The middle of the heading of the printed numbers."""
        return self.log_space + LINE * (1 + len(text_lines(self.words, self.width))) + _GAP + 3.0

    @property
    def printed_table(self) -> float:
        """The middle of the titles of the table of printed numbers."""
        return self.printed + LINE * len(text_lines(PRINTED, self.width, "strong")) + 4.0

    @property
    def note(self) -> float:
        """The middle of the first line of the note on printed numbers."""
        return self.printed_table + HEAD + ROW * self.n_printed + 8.0

    @property
    def height(self) -> float:
        return self.note + LINE * len(text_lines(PRINTED_NOTE, self.width))
