"""How large a figure is: on paper, on a slide, in dots. Lengths are in logical pixels, of which ticks are 11 high."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pe_desktop.core.record import record

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
PURPOSES: Final[Mapping[str, _Purpose]] = {
    "paper": _Purpose("Paper, 6.75 inches wide", 668.25, None, 99, 600, 4.0, "title"),
    "column": _Purpose("Paper, 3.25 inches wide", 321.75, None, 99, 600, 4.0, "title", height_share=0.75),
    "slide": _Purpose("Slide, 1\u2009920 × 1\u2009080 pixels", 880.0, 495.0, 66, 144, 32.0, "message"),
}
FIGURE_THEMES: Final = ("light", "dark")
PANEL_LETTERS: Final = "abcdefgh"
# How an .svg holds its letters: as shapes, or as text that names its typefaces.
LETTERS: Final = ("outlines", "text")


@record
class Finish:
    """How a figure is drawn: purpose, theme and letters by name, size in dots where one was asked for.

    The name of a theme tells what was changed in it, too: "dark, white-centred".
    """

    purpose: str = "paper"
    theme: str = "light"
    size: tuple[int, int] | None = None
    is_transparent: bool = False
    shows_cursor: bool = True
    letters: str = "outlines"


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
        """The room of the title, with what stands free below it."""
        return _TITLE_HEIGHTS[self.title_role] + (self.n_title_lines - 1) * self.title_step

    @property
    def dots(self) -> tuple[int, int]:
        """Width and height of a .png."""
        return round(self.width * self.pixel_ratio), round(self.height * self.pixel_ratio)

    @property
    def dots_per_inch(self) -> float:
        """How many dots of a .png make an inch."""
        return self.pixels_per_inch * self.pixel_ratio

    @property
    def inches(self) -> tuple[float, float]:
        """Width and height on the page."""
        return self.width / self.pixels_per_inch, self.height / self.pixels_per_inch


def picture_sheet(width: int, height: int, pixel_ratio: float) -> Sheet:
    """The sheet for a picture as large as a panel; its title comes on top of that, and a taller page grows."""
    bare = Sheet(float(width), float(height), pixel_ratio, is_in_dots=False)
    return replace(bare, height=bare.height + bare.title_height + bare.margin)


def choice(words: tuple[str, ...]) -> str:
    """Words as a sentence lists them: .png, .svg or .pdf."""
    return f"{', '.join(words[:-1])} or {words[-1]}"
