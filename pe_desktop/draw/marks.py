"""The marks that pictures are made of: frozen descriptions in logical pixels, drawn on screen and on paper alike."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.record import repr_of_fields

Points: TypeAlias = NDArray[np.float64]

_Made = TypeVar("_Made")


@dataclass_transform(frozen_default=True, eq_default=False)
def _mark(made: type[_Made]) -> type[_Made]:
    """Make a dataclass that is frozen for type checkers alone: frozen ones take three times as long to make."""
    made.__repr__ = repr_of_fields  # type: ignore[method-assign]
    return dataclass(slots=True, eq=False, repr=False)(made)


@_mark
class Segments:
    """Separate straight lines, ends shape (n, 4): x1, y1, x2, y2."""

    ends: Points
    color: QColor
    width: float = 1.0
    dash: tuple[float, ...] = ()


def lines(ends: ArrayLike, color: QColor, width: float = 1.0, dash: tuple[float, ...] = ()) -> Segments:
    """One straight line or several, maybe none: x1, y1, x2, y2 of each."""
    return Segments(np.array(ends, dtype=np.float64).reshape(-1, 4), color, width, dash)


@_mark
class Polyline:
    """One connected line, points shape (n, 2)."""

    points: Points
    color: QColor
    width: float = 1.0
    dash: tuple[float, ...] = ()


@_mark
class Band:
    """The area between two lines over the same x, all shape (n,); where it is upright, over the same y."""

    x: Points
    upper: Points
    lower: Points
    fill: QColor
    is_upright: bool = False


@_mark
class Dots:
    """Discs of one size, centers shape (n, 2); hollow ones have the ground as fill, and circles none."""

    centers: Points
    radius: float
    fill: QColor | None
    outline: QColor | None = None
    outline_width: float = 0.0

    @classmethod
    def at(cls, x: float, y: float, radius: float, *looks: Any) -> "Dots":
        """One disc at a point; looks: its fill, its outline and the width of that."""
        return cls(np.array([[x, y]]), radius, *looks)


@_mark
class DotCloud:
    """Very many small discs, each with its own colour: centers shape (n, 2), colors shape (n, 3), red green blue."""

    centers: Points
    colors: NDArray[np.uint8]
    diameter: float


@_mark
class Arc:
    """Part of a circle: angles in radians, clockwise from 12 o'clock; a turn is at most 2 pi."""

    x: float
    y: float
    radius: float
    start: float
    turn: float
    color: QColor
    width: float = 1.0


@_mark
class Rectangle:
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    fill: QColor | None = None
    outline: QColor | None = None
    radius: float = 0.0
    outline_width: float = 1.0


@_mark
class Text:
    """One line of text in a role of `typefaces.ROLES`.

    (x, y) is the anchor point, at the middle of capitals: across 0 is the text's left end, 0.5 its middle, 1 its right.
    It is turned about that point by so many degrees clockwise.
    """

    x: float
    y: float
    text: str
    role: str
    color: QColor
    across: float = 0.0
    turned: float = 0.0


# One line of text whose middle is at a point, and one that ends there.
centered, right_aligned = partial(Text, across=0.5), partial(Text, across=1.0)


@_mark
class FormulaText:
    """A formula (see formula.py), anchored like Text; y is the middle of its small letters."""

    x: float
    y: float
    formula: str
    pixels: int
    color: QColor
    across: float = 0.0


@_mark
class Badge:
    """A disc, or a pill where the label is long, with the number of a pair: solid for t, hollow for t + k."""

    x: float
    y: float
    radius: float
    label: str
    color: QColor
    ground: QColor | None = None
    text: QColor | None = None


@_mark
class Raster:
    """An image in a frame; pixels keep hard edges, and are copied as they are where the image has the device's size."""

    x: float
    y: float
    width: float
    height: float
    image: QImage


Mark: TypeAlias = Segments | Polyline | Band | Dots | DotCloud | Arc | Rectangle | Text | FormulaText | Badge | Raster
# What is painted again and again, and what is gone through once.
Picture: TypeAlias = tuple[Mark, ...]
Drawing: TypeAlias = Iterable[Mark]
Marks: TypeAlias = list[Mark]
