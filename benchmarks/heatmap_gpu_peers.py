"""vispy, pygfx and fastplotlib, each with a table that is there already and with its quickest settings."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from PySide6.QtWidgets import QWidget

from benchmarks.heatmap_work import PICTURE_SIZE, HeatTool, HeatWork
from pe_desktop.heat.heatmap import View


class Vispy:
    """An Image under a PanZoomCamera."""

    def __init__(self, work: HeatWork) -> None:
        import_module("vispy.app").use_app("pyside6")
        scene = import_module("vispy.scene")
        self._tables = work.tables
        self.n_frames = 0
        self._canvas = scene.SceneCanvas(size=PICTURE_SIZE, bgcolor="white")
        self.widget: QWidget = self._canvas.native
        view = self._canvas.central_widget.add_view()
        self._image = scene.Image(self._tables[0], cmap="RdBu", clim=(-1, 1), parent=view.scene)
        view.camera = scene.PanZoomCamera(rect=(0, 0, work.n_positions, work.d_model))
        view.camera.flip = (False, True, False)
        self._camera = view.camera
        self._canvas.events.draw.connect(self._on_draw)

    def show_view(self, view: View) -> None:
        """Another rectangle of the camera."""
        left, top = view.first_column, view.first_row
        self._camera.rect = (left, top, view.last_column - left, view.last_row - top)
        # An equal rectangle alone would draw nothing.
        self._canvas.update()

    def show_base(self, number: int) -> None:
        """The other table."""
        self._image.set_data(self._tables[number % 2])
        self._canvas.update()

    def repaint(self) -> None:
        """The same again."""
        self._canvas.update()

    def _on_draw(self, event: Any) -> None:
        self.n_frames += 1


class Pygfx:
    """An Image before an orthographic camera, without supersampling and smoothing."""

    def __init__(self, work: HeatWork) -> None:
        pygfx = import_module("pygfx")
        self._tables = work.tables
        self.n_frames = 0
        self.widget: Any = _canvas()
        self._renderer = pygfx.renderers.WgpuRenderer(self.widget, pixel_ratio=1, ppaa="none")
        self._texture = pygfx.Texture(self._tables[0].copy(), dim=2)
        material = pygfx.ImageBasicMaterial(clim=(-1, 1), map=pygfx.cm.viridis, interpolation="nearest")
        self._scene = pygfx.Scene()
        self._scene.add(pygfx.Image(pygfx.Geometry(grid=self._texture), material))
        self._camera = pygfx.OrthographicCamera(maintain_aspect=False)
        self._see(View(0, work.d_model, 0, work.n_positions))
        self.widget.request_draw(self._draw)

    def show_view(self, view: View) -> None:
        """Another rectangle of the camera."""
        self._see(view)
        self.repaint()

    def show_base(self, number: int) -> None:
        """The other table."""
        self._texture.set_data(self._tables[number % 2])
        self.repaint()

    def repaint(self) -> None:
        """The same again."""
        self.widget.force_draw()

    def _see(self, view: View) -> None:
        self._camera.show_rect(view.first_column, view.last_column, view.first_row, view.last_row)

    def _draw(self) -> None:
        self.n_frames += 1
        self._renderer.render(self._scene, self._camera)


class Fastplotlib:
    """An image graphic in a figure without axes."""

    def __init__(self, work: HeatWork) -> None:
        fastplotlib = import_module("fastplotlib")
        self._tables = work.tables
        self.n_frames = 0
        self.widget: Any = _canvas()
        self._figure = fastplotlib.Figure(size=PICTURE_SIZE, canvas=self.widget)
        subplot = self._figure[0, 0]
        subplot.axes.visible = False
        subplot.camera.maintain_aspect = False
        self._graphic = subplot.add_image(self._tables[0], cmap="RdBu", vmin=-1, vmax=1)
        self._camera = subplot.camera
        self._figure.add_animations(self._count)
        self._figure.show(autoscale=False, maintain_aspect=False)
        self.show_view(View(0, work.d_model, 0, work.n_positions))

    def show_view(self, view: View) -> None:
        """Another rectangle of the camera."""
        self._camera.show_rect(view.first_column, view.last_column, view.first_row, view.last_row)
        self.repaint()

    def show_base(self, number: int) -> None:
        """The other table."""
        self._graphic.data = self._tables[number % 2]
        self.repaint()

    def repaint(self) -> None:
        """The same again."""
        self.widget.force_draw()

    def _count(self, *_values: object) -> None:
        self.n_frames += 1


def _canvas() -> Any:
    widget = import_module("rendercanvas.qt").QRenderWidget(update_mode="manual")
    widget.resize(*PICTURE_SIZE)
    return widget


def made(work: HeatWork) -> HeatTool:
    """One of them."""
    tools: dict[str, Callable[[HeatWork], HeatTool]] = {"vispy": Vispy, "pygfx": Pygfx, "fastplotlib": Fastplotlib}
    return tools[work.tool](work)
