"""pyqtgraph's ImageItem and matplotlib's imshow, each with a table that is there already."""

from importlib import import_module
from typing import Any

import pyqtgraph as pg

from benchmarks.heatmap_work import PICTURE_SIZE, HeatTool, HeatWork, Table
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heatmap import View


class ImageItem:
    """An ImageItem that fills a view without axes; with OpenGL in a GL viewport."""

    def __init__(self, tables: list[Table], *, averages: bool, uses_opengl: bool) -> None:
        self._tables = tables
        self.n_frames = 0
        view = self

        class Counted(pg.GraphicsView):  # type: ignore[misc]
            def paintEvent(self, event: Any) -> None:
                view.n_frames += 1
                super().paintEvent(event)

        self.widget: Any = Counted(useOpenGL=uses_opengl, background="w")
        self._box = pg.ViewBox(border=None, enableMouse=False, invertY=True)
        self._box.setDefaultPadding(0)
        self.widget.setCentralItem(self._box)
        self._item = pg.ImageItem(axisOrder="row-major", autoDownsample=averages)
        self._item.setLookupTable(themes()["light"].diverging)
        self._item.setImage(self._tables[0], levels=(-1, 1), autoLevels=False)
        self._box.addItem(self._item)

    def show_view(self, view: View) -> None:
        """Another range."""
        self._box.setRange(
            xRange=(view.first_column, view.last_column), yRange=(view.first_row, view.last_row), padding=0
        )

    def show_base(self, number: int) -> None:
        """The other table."""
        self._item.setImage(self._tables[number % 2], levels=(-1, 1), autoLevels=False)

    def repaint(self) -> None:
        """The same again."""
        self.widget.viewport().update()


class Imshow:
    """imshow in a figure without axes."""

    def __init__(self, work: HeatWork) -> None:
        self._tables = work.tables
        self.n_frames = 0
        view = self

        canvas: Any = import_module("matplotlib.backends.backend_qtagg").FigureCanvasQTAgg

        class Counted(canvas):  # type: ignore[misc]
            def paintEvent(self, event: Any) -> None:
                view.n_frames += 1
                super().paintEvent(event)

        width, height = PICTURE_SIZE
        self._figure = import_module("matplotlib.figure").Figure(figsize=(width / 100, height / 100), dpi=100)
        self.widget: Any = Counted(self._figure)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        edges = (0, work.n_positions, work.d_model, 0)
        self._image = self._axes.imshow(self._tables[0], cmap="RdBu", vmin=-1, vmax=1, aspect="auto", extent=edges)

    def show_view(self, view: View) -> None:
        """Other limits."""
        self._axes.set_xlim(view.first_column, view.last_column)
        self._axes.set_ylim(view.last_row, view.first_row)
        self._draw()

    def show_base(self, number: int) -> None:
        """The other table."""
        self._image.set_data(self._tables[number % 2])
        self._draw()

    def repaint(self) -> None:
        """The same again."""
        self.widget.update()

    def _draw(self) -> None:
        self.widget.draw()


def made(work: HeatWork) -> HeatTool:
    """One of them."""
    if work.tool == "matplotlib":
        return Imshow(work)
    return ImageItem(work.tables, averages="autoDownsample" in work.tool, uses_opengl="OpenGL" in work.tool)
