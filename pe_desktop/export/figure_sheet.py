"""How large a figure is: on paper, on a slide, in dots. Lengths are in logical pixels, of which ticks are 11 high."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.files import ExportError
from pe_desktop.resources import LazyMapping, resource_json
from pe_desktop.views.table import FigureRow

# The room of a title of one line, and of each further one, by its role.
_TITLE_HEIGHTS: Final = {"title": 26.0, "message": 36.0}
_TITLE_STEPS: Final = {"title": 17.0, "message": 23.0}


@record
class _Purpose:
    """What a figure is made for.

    width is in logical pixels; pixels_per_inch says how many of them make an inch on the page, dots_per_inch how many
    dots of a .png do; height is in logical pixels, None where each figure has its own, of which height_share is taken.
    """

    words: str
    width: float
    height: float | None
    pixels_per_inch: int
    dots_per_inch: int
    margin: float
    title_role: str
    height_share: float = 1.0

    @property
    def is_paper(self) -> bool:
        return self.height is None


# On paper 11 logical pixels are 11/99 inch, the 8 points of ticks; on a slide of 1920 dots they are 24 dots.
PURPOSES: Final[Mapping[str, _Purpose]] = LazyMapping(
    lambda: {name: _Purpose(**row) for name, row in resource_json("figures.json")["purposes"].items()}
)
# The smallest letters of a scene are so many logical pixels high, and 72 points are an inch.
_TICK: Final = 11
POINTS: Final = 72
# Inches and points that can be asked for; narrower than so many logical pixels no scene says what it shows.
_UNITS: Final = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / POINTS}
_WIDTHS, _TEXTS, _LEAST_WIDTH = (1.0, 20.0), (4.0, 24.0), 240.0
# What programs that open pictures commonly take: 16-bit lengths, and a gigabyte of pixels in memory.
_LONGEST_SIDE: Final = 32_767
_MOST_PIXELS: Final = 268_000_000
# Below, text can't be read; a strip longer than this has no room for what stands around a plot.
_SHORTEST_SIDE: Final = 160
_LONGEST_SHAPE: Final = 4
FIGURE_THEMES: Final = ("light", "dark")
PANEL_LETTERS: Final = "abcdefgh"
# How an .svg holds its letters: as shapes, or as text that names its typefaces.
LETTERS: Final = ("outlines", "text")


@record
class Finish:
    """How a figure is drawn: purpose, theme and letters by name, size in dots where one was asked for.

    The name of a theme tells what was changed in it, too: "dark, white-centred". width: in inches, None for the
    purpose's; text: points of the smallest letters, None for the purpose's or, where a scene needs the width, smaller
    ones; title: "" for none, None for the sentence that says what is seen.
    """

    purpose: str = "paper"
    theme: str = "light"
    size: tuple[int, int] | None = None
    is_transparent: bool = False
    shows_cursor: bool = True
    letters: str = "outlines"
    width: float | None = None
    text: float | None = None
    title: str | None = None


@record
class Sheet:
    """The ground that a figure is drawn on: width and height in logical pixels, pixel_ratio dots each.

    is_in_dots says whether its size is a count of dots, rather than inches on paper. n_pages: how many of
    them the figure takes.
    """

    width: float
    height: float
    pixel_ratio: float
    pixels_per_inch: int = 96
    margin: float = 12.0
    title_role: str = "title"
    n_title_lines: int = 1
    is_in_dots: bool = True
    n_pages: int = 1

    @property
    def title_step(self) -> float:
        """From one line of the title to the next."""
        return _TITLE_STEPS[self.title_role]

    @property
    def title_height(self) -> float:
        """The room of the title, with what stands free below it; none without a title."""
        if not self.n_title_lines:
            return 0.0
        return _TITLE_HEIGHTS[self.title_role] + (self.n_title_lines - 1) * self.title_step

    @property
    def dots(self) -> tuple[int, int]:
        """Width and height of a .png."""
        return round(self.width * self.pixel_ratio), round(self.height * self.pixel_ratio)

    @property
    def points(self) -> float:
        """How high its smallest letters are on the page."""
        return _TICK * POINTS / self.pixels_per_inch

    @property
    def letters(self) -> str:
        """The same as text, down to a tenth: no letters are smaller than it is said."""
        return f"{int(10 * self.points + 1e-9) / 10:g}"

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height on the page."""
        return self.width / self.pixels_per_inch, self.height / self.pixels_per_inch


def picture_sheet(width: int, height: int, pixel_ratio: float) -> Sheet:
    """The sheet for a picture as large as a panel; its title comes on top of that, and a taller page grows."""
    bare = Sheet(float(width), float(height), pixel_ratio, is_in_dots=False)
    return replace(bare, height=bare.height + bare.title_height + bare.margin)


def sheet_of(figure: FigureRow, finish: Finish) -> Sheet:
    """The sheet of a figure. ExportError with one sentence for a size that can't be drawn.

    A size in dots changes shape and count of dots; the sheet stays as wide, in inches and in logical pixels.
    """
    made = _measured(PURPOSES[finish.purpose], figure, finish)
    size = finish.size
    if size is None:
        height = figure.paper_height * made.height_share * made.pixels_per_inch if made.height is None else made.height
        ratio = made.dots_per_inch / made.pixels_per_inch
    else:
        _check_size(*size)
        ratio = size[0] / made.width
        height = size[1] / ratio
    is_in_dots = size is not None or not made.is_paper
    return Sheet(made.width, height, ratio, made.pixels_per_inch, made.margin, made.title_role, is_in_dots=is_in_dots)


def _measured(made: _Purpose, figure: FigureRow, finish: Finish) -> _Purpose:
    """The purpose in the width and with the letters that were asked for."""
    inches = made.width / made.pixels_per_inch
    if figure.lettering is not None and made.is_paper:
        if finish.width or finish.text:
            raise ExportError(f"{figure.title}, has the width and the letters of the text.")
        inches, made = figure.lettering.size[0], replace(made, height_share=1.0)
    if finish.width is not None:
        if not made.is_paper:
            raise ExportError("A slide has its own width: another one is for paper.")
        # From a column to a page a figure grows in height, too.
        column = PURPOSES["column"]
        paper = PURPOSES["paper"]
        grown = (finish.width * paper.pixels_per_inch - column.width) / (paper.width - column.width)
        made = replace(made, height_share=column.height_share + (1 - column.height_share) * min(max(grown, 0.0), 1.0))
        inches = _within("width", finish.width, _WIDTHS, "inches")
    # Whole pixels an inch, so that letters are no smaller than they were asked for.
    text = None if finish.text is None else _within("letters", finish.text, _TEXTS, "points")
    per_inch = made.pixels_per_inch if text is None else int(_TICK * POINTS / text + 1e-9)
    if inches * per_inch < _LEAST_WIDTH:
        unit = "inch" if inches == 1.0 else "inches"
        raise ExportError(f"{figure.title} has no room in {inches:.3g} {unit} with letters of {text or 8:g} points.")
    height = None if made.height is None else made.height * per_inch / made.pixels_per_inch
    return replace(made, width=inches * per_inch, height=height, pixels_per_inch=per_inch)


def _within(what: str, value: float, limits: tuple[float, float], unit: str) -> float:
    least, most = limits
    if not least <= value <= most:
        raise ExportError(f"A figure's {what} must be from {least:g} to {most:g} {unit}: {value:.4g} is not.")
    return value


def _check_size(width: int, height: int) -> None:
    if min(width, height) < _SHORTEST_SIDE or max(width, height) > _LONGEST_SIDE:
        limits = f"{_SHORTEST_SIDE} to {grouped(_LONGEST_SIDE)}"
        raise ExportError(f"A figure has sides from {limits} pixels: {width} x {height} has not.")
    if width * height > _MOST_PIXELS:
        raise ExportError(
            f"A figure has at most {_MOST_PIXELS // 10**6} million pixels: "
            f"{width} x {height} has {width * height // 10**6} million."
        )
    if max(width, height) > _LONGEST_SHAPE * min(width, height):
        raise ExportError(
            f"One side of a figure is at most {_LONGEST_SHAPE} times as long as the other: {width} x {height} is more."
        )


def inches_of(length: str) -> float:
    """The inches of a length such as 5.5in, 14cm or 7pt. Raises ExportError."""
    number = length.strip()[:-2]
    unit = length.strip()[-2:]
    try:
        return float(number) * _UNITS[unit]
    except (KeyError, ValueError):
        raise ExportError(f"A length is a number with {choice(tuple(_UNITS))}, as 5.5in: {length!r} is not.") from None


def choice(words: Sequence[str]) -> str:
    """Words as a sentence lists them: .png, .svg or .pdf."""
    return f"{', '.join(words[:-1])} or {words[-1]}"
