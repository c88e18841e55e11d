"""pyqtgraph's ImageItem and matplotlib's imshow, each with a table that is there already."""

from importlib import import_module
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt

from benchmarks.heatmap_work import AXES_CORNER, AXES_PLOT, CURSOR_OFFSET, PICTURE_SIZE, HeatTool, HeatWork, Table
from benchmarks.measure import MeasurementError
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heatmap import View

# Of the lines at t and at t + k.
CURSOR_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine)


class ImageItem:
    """An ImageItem that fills a view without axes; with OpenGL in a GL viewport."""

    def __init__(self, tables: list[Table], *, averages: bool = False, uses_opengl: bool = False) -> None:
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
        self.widget.setCentralItem(self._frame())
        self._item = pg.ImageItem(axisOrder="row-major", autoDownsample=averages)
        self._item.setLookupTable(themes()["light"].diverging)
        self._item.setImage(self._tables[0], levels=(-1, 1), autoLevels=False)
        self._box.addItem(self._item)

    def _frame(self) -> Any:
        return self._box

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


class ImageItemWithAxes(ImageItem):
    """One in a PlotItem with axes left and below, and two InfiniteLines; the plot is as large as the application's."""

    def __init__(self, work: HeatWork) -> None:
        super().__init__(work.tables)
        self._cursors = [pg.InfiniteLine(angle=90, pen=pg.mkPen("k", width=1, style=style)) for style in CURSOR_STYLES]
        for line in self._cursors:
            self._box.addItem(line)

    def _frame(self) -> Any:
        plot = pg.PlotItem(viewBox=self._box, enableMenu=False)
        plot.hideButtons()
        (width, height), (left, top), size = AXES_PLOT, AXES_CORNER, PICTURE_SIZE
        plot.layout.setContentsMargins(0, top, size[0] - width - left, 0)
        plot.getAxis("left").setWidth(left)
        plot.getAxis("bottom").setHeight(size[1] - height - top)
        return plot

    def show_view(self, view: View) -> None:
        """Another range, on a plot of the size that is compared."""
        super().show_view(view)
        size = self._box.width(), self._box.height()
        if size != AXES_PLOT:
            raise MeasurementError(f"The plot of {size} should be {AXES_PLOT} pixels large")

    def show_cursor(self, position: int) -> None:
        """Move both lines."""
        for line, offset in zip(self._cursors, (0, CURSOR_OFFSET), strict=True):
            line.setValue(position + offset + 0.5)


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
    if work.has_axes:
        return ImageItemWithAxes(work)
    return ImageItem(work.tables, averages="autoDownsample" in work.tool, uses_opengl="OpenGL" in work.tool)
