"""The first picture of a whole similarity map on the screen: the application's, and a product in an ImageItem."""

import time
from typing import Any

import numpy as np
import pyqtgraph as pg

from benchmarks.answers import resident_megabytes, round_trip
from benchmarks.measure import application, ink_share, settle
from benchmarks.similarity_work import SimilarityWork
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer

PICTURE_SIZE = (1000, 800)
MOST_EVENT_ROUNDS = 50


class Application:
    """Nothing but the heat map in the view of its panel; before it is asked for its map it shows a tiny one."""

    def __init__(self, work: SimilarityWork) -> None:
        self._field = similarity_field(SimilarityWork("map", work.tool, 8, 8, 1).encoding, "dot")
        self._encoding = work.encoding
        theme = themes()["light"]
        self._table, self._ground = color_table(theme.diverging), theme.panel
        self.widget = HeatCanvas(self.scene)
        self.widget.show_theme(theme)

    @property
    def n_frames(self) -> int:
        """Paint events so far."""
        return self.widget.n_frames

    def show_map(self) -> None:
        """Draw the whole map of the encoding."""
        self._field = similarity_field(self._encoding, "dot")
        self.widget.update()

    def scene(self, _box: Box) -> Scene:
        """The whole map fills the canvas."""
        n_rows, n_columns = self._field.shape
        area = Area(0.0, 0.0, float(PICTURE_SIZE[0]), float(PICTURE_SIZE[1]))
        return Scene(heat=HeatLayer(self._field, View(0, n_rows, 0, n_columns), self._table, self._ground, area))


class ProductInImageItem:
    """The dot products of all positions, float32, as an ImageItem without axes; a pixel shows one of its cells."""

    def __init__(self, work: SimilarityWork) -> None:
        self._table = work.table().astype(np.float32)
        self._highest = work.d_model / 2
        self.n_frames = 0
        peer = self

        class Counted(pg.GraphicsView):  # type: ignore[misc]
            def paintEvent(self, event: Any) -> None:
                peer.n_frames += 1
                super().paintEvent(event)

        self.widget: Any = Counted(background="w")
        self._box = pg.ViewBox(border=None, enableMouse=False, invertY=True)
        self._box.setDefaultPadding(0)
        self.widget.setCentralItem(self._box)
        self._item = pg.ImageItem(axisOrder="row-major")
        self._item.setLookupTable(themes()["light"].diverging)
        self._show(np.eye(8, dtype=np.float32) * self._highest)
        self._box.addItem(self._item)

    def show_map(self) -> None:
        """Multiply, and draw all of it."""
        self._show(self._table @ self._table.T)

    def _show(self, products: Any) -> None:
        self._item.setImage(products, levels=(-self._highest, self._highest), autoLevels=False)
        self._box.setRange(xRange=(0, products.shape[1]), yRange=(0, products.shape[0]), padding=0)


def measured(work: SimilarityWork) -> dict[str, float]:
    """Milliseconds from asking for the map to its pixels on the screen, once; memory above the tiny map's."""
    application()
    tool = Application(work) if work.tool == "application" else ProductInImageItem(work)
    tool.widget.resize(*PICTURE_SIZE)
    tool.widget.show()
    settle()
    before, start = tool.n_frames, time.perf_counter()
    resident = resident_megabytes().get("resident", 0.0)
    tool.show_map()
    for _ in range(MOST_EVENT_ROUNDS):
        application().processEvents()
        if tool.n_frames > before:
            break
    round_trip()
    numbers = {"milliseconds": (time.perf_counter() - start) * 1e3}
    ink_share(tool.widget, 2, 2)
    highest = resident_megabytes().get("highest")
    return numbers if highest is None else numbers | {"extra": highest - resident}
