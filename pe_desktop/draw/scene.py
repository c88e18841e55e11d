"""A scene: the picture of a state in a box, and named places in it."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field, replace
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from pe_desktop.core.cursor import Preview
from pe_desktop.core.record import record
from pe_desktop.draw.lettering import Lettering
from pe_desktop.draw.marks import Picture
from pe_desktop.draw.theme import Theme, printed_theme


class Area(NamedTuple):
    """A rectangle in logical pixels: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, x: float, y: float, reach: float) -> "Area":
        """The square that reaches so far to all sides of a point."""
        return cls(x - reach, y - reach, 2 * reach, 2 * reach)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def sides(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.right, self.bottom

    def grown(self, across: float, down: float) -> "Area":
        """It with so many pixels more at the left and right, and above and below."""
        return Area(self.x - across, self.y - down, self.width + 2 * across, self.height + 2 * down)

    def overlap(self, other: "Area") -> "Area":
        """What lies in both, at an edge of one and without width or height where nothing does."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Area(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside; the right and the lower edge belong to the next area."""
        return self.x <= x < self.right and self.y <= y < self.bottom


# Pixels; a column of paper, 3.25 inches wide, is narrower, as few panels are.
_NARROW: Final = 420.0


@record
class Box:
    """What a scene is drawn into: logical pixels, device pixels for each, colours, screen or paper.

    On paper a scene has the legends that a file needs and leaves out what needs a pointer; it computes
    exactly what a screen may first show coarsely. With a lettering it is the figure of a text, one plot with its words.
    Without shows_cursor a figure leaves out what stands at t and t + k in a plot over all positions. page: which one of
    a figure that goes on from page to page, None for all of it in one picture.

    visible is the part of the box that is on the screen, None where that is all of it: a tall scene draws only this.
    coarseness is what the heat map leaves out at the moment, None for an exact one. pointer is where the mouse is, in
    logical pixels, None elsewhere and on paper; preview is what a mouse in any view is over. These four belong to
    moving marks: boxes are equal whatever they are, so that a still part does not change with them. is_bare: nothing
    scrolls, a page leaves out what has no room.
    """

    width: float
    height: float
    pixel_ratio: float
    theme: Theme
    is_paper: bool = False
    visible: Area | None = field(default=None, compare=False)
    coarseness: Any = field(default=None, compare=False)
    pointer: tuple[float, float] | None = field(default=None, compare=False)
    preview: Preview | None = field(default=None, compare=False)
    is_bare: bool = False
    lettering: Lettering | None = None
    shows_cursor: bool = True
    page: int | None = None

    @property
    def is_column(self) -> bool:
        """Whether it is a narrow figure, in which a plot needs the room of the numbers beside it."""
        return self.is_paper and self.width < _NARROW

    @property
    def area(self) -> Area:
        """The whole of it."""
        return Area(0.0, 0.0, self.width, self.height)

    def with_map_colors(self, colors: str) -> "Box":
        """The box with one of COLOR_MAPS."""
        return self if colors == "theme" else replace(self, theme=printed_theme(self.theme))


class Part:
    """A part of a scene that is made when it is needed: equal functions of equal arguments make equal parts.

    A canvas keeps the bitmap of a still part until the part differs, and that of what stands under it until that does.
    """

    __slots__ = ("_arguments", "_make", "under")

    def __init__(self, make: Callable[..., Any], *arguments: Hashable, under: "Part | None" = None) -> None:
        self._make, self._arguments, self.under = make, arguments, under

    def __call__(self) -> Any:
        return self.over() if self.under is None else (*self.under(), *self.over())

    def over(self) -> Any:
        """The part over the one under it."""
        return self._make(*self._arguments)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Part) or self._make is not other._make or self.under != other.under:
            return False
        has_as_many = len(self._arguments) == len(other._arguments)
        return has_as_many and all(map(_is_same, self._arguments, other._arguments))

    def __hash__(self) -> int:
        return hash((self._make, self._arguments, self.under))


def _is_same(one: Any, other: Any) -> bool:
    """Whether two arguments are equal; arrays, of which answers are made, are equal to themselves alone."""
    return one is other or (not isinstance(one, np.ndarray) and bool(one == other))


@record
class Place:
    """A named rectangle of a scene: for the pointer, for screen readers, for lessons.

    name is unique in its scene, for instance "hand 4", "cursor t", "cell 37, 12"; value is its number as text.
    sets: what a press on it sets, names of the state and their values, or a function that gives them for a point in
    pixels: then a drag goes on setting them, unless it stays. tooltip: the words under the pointer. ghosts: what
    shows a preview in its area, beside `plot.ghosts`.
    """

    name: str
    area: Area
    value: str = ""
    is_chosen: bool = False
    sets: Mapping[str, Any] | Callable[[float, float], Mapping[str, Any]] | None = field(default=None, compare=False)
    tooltip: str = ""
    stays: bool = False
    ghosts: Callable[[Area, Preview, Theme], Picture] | None = field(default=None, compare=False)

    @property
    def is_dragged(self) -> bool:
        """Whether a drag in it goes on setting what a press sets."""
        return callable(self.sets) and not self.stays

    @property
    def is_button(self) -> bool:
        """Whether a press anywhere in it sets the same."""
        return bool(self.sets) and not callable(self.sets)

    def changes(self, x: float, y: float) -> Mapping[str, Any]:
        """What a press at a point sets."""
        return self.sets(x, y) if callable(self.sets) else self.sets or {}


def together(*parts: Part) -> tuple[Any, ...]:
    """What several parts make, one after the other."""
    return tuple(chain.from_iterable([part() for part in parts]))


# The empty still part, or the empty places, of a scene.
NOTHING = Part(tuple)


@record(eq=False)
class Scene:
    """The picture of a view: marks under a heat map, the heat map, marks over it, and named places.

    still makes a Picture, places a tuple of Place. heat is a HeatLayer of the room `heat`, None for a view without one.
    """

    moving: Picture = ()
    still: Part = NOTHING
    heat: Any = None
    places: Part = NOTHING
