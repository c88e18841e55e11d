"""A heat canvas for views that aren't scenes yet."""

from collections.abc import Hashable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.marks import Picture
from pe_desktop.draw.scene import Box, Part, Scene
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.raster import HeatLayer


class FieldContent(Hashable, Protocol):
    """What a view shows, and what pointer and wheel do to it."""

    def still(self, width: float, height: float) -> Picture:
        """The marks that stay while the cursor moves."""

    def moving(self, width: float, height: float) -> Picture:
        """The marks that move with it."""

    def heat_layer(self, width: float, height: float) -> HeatLayer | None:
        """The heat map."""

    @property
    def at(self) -> tuple[float, float] | None: ...

    @property
    def preview(self) -> float | None: ...

    def press(self, event: QMouseEvent) -> None: ...

    def move(self, event: QMouseEvent) -> None: ...

    def release(self, event: QMouseEvent) -> None: ...

    def double_click(self, event: QMouseEvent) -> None: ...

    def wheel(self, event: QWheelEvent) -> bool: ...

    def leave(self) -> None: ...


class FieldView(HeatCanvas):
    """Still marks, the heat map, moving marks of a content."""

    def __init__(self, content: FieldContent, parent: QWidget | None = None) -> None:
        super().__init__(self._content_scene, parent)
        self._content = content
        self._n_redraws = 0
        self.pointer = content
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def redraw(self) -> None:
        """Everything is out of date."""
        self._n_redraws += 1
        self.update()

    def refresh(self) -> None:
        """The moving marks are out of date."""
        self.update()

    def _content_scene(self, box: Box) -> Scene:
        layer = self._content.heat_layer(box.width, box.height)
        still = Part(_still_picture, self._content, box.width, box.height, self._n_redraws)
        return Scene(self._content.moving(box.width, box.height), still, layer)


def _still_picture(content: FieldContent, width: float, height: float, _n_redraws: int) -> Picture:
    return content.still(width, height)
