"""What a heat map shows, and what draws it: the seam between a view and its back ends."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from PySide6.QtGui import QColor, QPainter

from pe_desktop.core.fields import Field
from pe_desktop.plotting.heatmap import Coarseness, Colors, View

# Left, top, width, height in logical pixels of the view.
Rectangle: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class HeatScene:
    """A field, the part of it that is seen, the colours of its levels, and the colour of what lies outside it."""

    field: Field
    view: View
    colors: Colors
    ground: QColor


class HeatPainter(Protocol):
    """Draws scenes. It keeps what it has drawn until something changes, and repaints its view when it knows more."""

    @property
    def coarseness(self) -> Coarseness | None:
        """What is left out of what is shown, while that is coarse; None when it's exact."""

    def paint(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
        """Fill the frame, ratio device pixels to a logical one: at once, if need be with a coarse picture."""

    def paint_exact(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
        """The same without haste, for a picture that is taken away."""

    def rest(self) -> None:
        """The view is hidden: nothing goes on until it paints again."""
