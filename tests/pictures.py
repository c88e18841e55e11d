"""How the marks of a picture and the pixels of a painted image are read."""

import itertools
import math
from collections.abc import Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QFontMetricsF, QImage

from pe_desktop.draw.marks import Dots, FormulaText, Mark, Text
from pe_desktop.draw.typefaces import formula_runs, text_font, text_width

Kind = TypeVar("Kind")


def of_kind(picture: Iterable[Mark], kind: type[Kind]) -> list[Kind]:
    """The marks of one kind, in the order in which they are drawn."""
    return [mark for mark in picture if isinstance(mark, kind)]


def rings_of(picture: Iterable[Mark]) -> list[Dots]:
    """The circles, which have no ground."""
    return [mark for mark in of_kind(picture, Dots) if mark.fill is None]


def text_frames(picture: Iterable[Mark]) -> list[tuple[float, float, float, float, str]]:
    """Left, top, right and bottom edge of the letters of every level text and formula, and what it says."""
    frames = []
    for mark in picture:
        if isinstance(mark, Text) and not mark.turned:
            width, height = text_width(mark.role, mark.text), QFontMetricsF(text_font(mark.role)).capHeight()
            left, top = mark.x - mark.across * width, mark.y - height / 2
            frames.append((left, top, left + width, top + height, mark.text))
        elif isinstance(mark, FormulaText):
            width, height = formula_runs(mark.formula, mark.pixels)[1], 0.7 * mark.pixels
            left, top = mark.x - mark.across * width, mark.y - height / 2
            frames.append((left, top, left + width, top + height, mark.formula))
    return frames


def covered_texts(picture: Iterable[Mark]) -> list[tuple[str, str]]:
    """The pairs of texts that touch each other."""
    return [
        (one[4], other[4])
        for one, other in itertools.combinations(text_frames(picture), 2)
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]


def touching_texts(picture: Iterable[Mark]) -> list[tuple[str, str]]:
    """The pairs of texts less than 4 pixels apart, 3 from line to line; parts of one line or formula may touch."""
    frames = [frame for frame in text_frames(picture) if frame[4].strip()]
    # What ends where the next begins was written in parts, to have two colours.
    formulas = {mark.formula for mark in picture if isinstance(mark, FormulaText)}
    found = []
    for one, other in itertools.combinations(frames, 2):
        across = max(one[0], other[0]) - min(one[2], other[2])
        down = max(one[1], other[1]) - min(one[3], other[3])
        is_one_line = down < 0.0 and abs(across) < 0.5
        is_one_formula = across >= 0.0 and {one[4], other[4]} <= formulas
        is_near = max(across, 0.0) / 4.0 + max(down, 0.0) / 3.0 < 1.0
        if is_near and not (is_one_line or is_one_formula):
            found.append((one[4], other[4]))
    return found


def pixels(image: QImage) -> NDArray[np.int64]:
    """0xAARRGGBB of every pixel, shape (height, width)."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    colors = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), image.width())
    return colors.astype(np.int64)


class Sheet:
    """A painted image whose pixels are asked by logical place."""

    def __init__(self, image: QImage) -> None:
        self.image = image

    def at(self, x: float, y: float) -> str:
        """The colour at a place, as #rrggbb."""
        ratio = self.image.devicePixelRatio()
        return self.image.pixelColor(math.floor(x * ratio), math.floor(y * ratio)).name()

    def ink(self, ground: str = "#ffffff") -> NDArray[np.bool_]:
        """Which pixels are not the ground, shape (height, width), in pixels of the image."""
        return np.asarray(pixels(self.image) & 0xFFFFFF != QColor(ground).rgb() & 0xFFFFFF)

    def extent(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom edge of everything that was painted, in logical pixels."""
        rows, columns = np.nonzero(self.ink())
        ratio = self.image.devicePixelRatio()
        left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
        return left / ratio, top / ratio, right / ratio, bottom / ratio
