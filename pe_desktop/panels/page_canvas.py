"""A page of blocks on a canvas of its own, as high as it needs."""

import math
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.flow import Block, Drawn, Live, page_height, page_scene, page_text
from pe_desktop.draw.marks import Picture, Raster
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.gestures import Changes, Drag, Gestures, ReactingCanvas


class PageCanvas(ReactingCanvas):
    """Draws what `page` gives, anew with each `update`; one that fits gets the height that this needs."""

    fits: ClassVar[bool] = True
    has_buttons = True

    def __init__(self, name: str, page: Callable[[], Block], parent: QWidget | None = None) -> None:
        super().__init__(self._drawn, parent)
        self.page = page
        self.setAccessibleName(name)
        self.describe = lambda: page_text(self.page())
        self.tooltip = lambda place, _x, _y: "" if place is None else place.tooltip

    def take_presses(self, model: EncodingModel, take: Callable[[Changes], Changes] = dict) -> None:
        """Let a press, and Tab and Enter, set what a place says; `take` gives what is left of that to be set."""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._take = take
        Gestures(model, self)

    def changes_of(self, drag: Drag) -> Changes:
        changes = super().changes_of(drag)
        return self._take(changes) if changes else {}

    def _drawn(self, box: Box) -> Scene:
        return page_scene(self.page(), box, is_wide=True)

    def fit(self) -> None:
        """Show the page as it is now, as high as it needs."""
        if self.fits:
            self.setFixedHeight(math.ceil(self.zoom * page_height(self.page(), self.width() / self.zoom, is_wide=True)))
        self.update()

    def set_zoom(self, zoom: float, *, is_bare: bool = False) -> None:
        super().set_zoom(zoom, is_bare=is_bare)
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self.fit()


def act_of(changes: Changes) -> Changes:
    """Do what a place is for that sets nothing but an act."""
    changes["act"]()
    return {}


def image_block(image: QImage) -> Block:
    """An image in its own size, smaller where that has no room."""
    wide, tall = max(image.width(), 1), image.height()
    return Live(Drawn(_image, (image,), lambda width: min(width / wide, 1.0) * tall))


def _image(area: Area, _theme: Theme, image: QImage) -> Picture:
    return (Raster(area.x, area.y, min(area.width, image.width()), area.height, image),)
