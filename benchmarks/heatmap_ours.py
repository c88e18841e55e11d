"""The application's heat map in the view that its panel uses, and a ready picture as the floor."""

from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from benchmarks.heatmap_work import OPENGL_TOOL, PICTURE_SIZE, HeatTool, HeatWork
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.heat.renderer import OPENGL, Renderer


class Application:
    """Halves where dimensions outnumber pixels, as the panel does it; nothing but the heat map in the view."""

    def __init__(self, work: HeatWork) -> None:
        self._encoding = SinusoidalEncoding(work.n_positions, work.d_model)
        self._view = View(0, work.d_model, 0, work.n_positions)
        theme = themes()["light"]
        self._table, self._ground = color_table(theme.diverging), theme.panel
        self.widget = HeatCanvas(self.scene)
        self.widget.show_theme(theme)

    @property
    def n_frames(self) -> int:
        """Paint events so far."""
        return self.widget.n_frames

    def show_view(self, view: View) -> None:
        """Draw another part."""
        self._view = view
        self.widget.update()

    def show_base(self, number: int) -> None:
        """Frequencies that were never asked for before."""
        self._encoding = SinusoidalEncoding(self._encoding.n_positions, self._encoding.d_model, base=10_000.0 - number)
        self.widget.update()

    def repaint(self) -> None:
        """The same again."""
        self.widget.update()

    def scene(self, box: Box) -> Scene:
        """What is seen of the table fills the canvas."""
        is_halved = self._view.last_row - self._view.first_row > PICTURE_SIZE[1]
        field: Field = HalvesField(self._encoding) if is_halved else EncodingField(self._encoding)
        area = Area(0.0, 0.0, box.width, box.height)
        return Scene(heat=HeatLayer(field, self._view, self._table, self._ground, area))


class ReadyPicture(QWidget):
    """A picture that is there already: what every frame costs at least."""

    def __init__(self) -> None:
        super().__init__()
        self.n_frames = 0
        pixels = QImage(*PICTURE_SIZE, QImage.Format.Format_RGB32)
        for number in range(PICTURE_SIZE[1]):
            for x in range(0, PICTURE_SIZE[0], 3):
                pixels.setPixel(x, number, 0xFF000000 + 7919 * (number + x))
        self._bitmap = QPixmap.fromImage(pixels)

    @property
    def widget(self) -> QWidget:
        """Itself."""
        return self

    def show_view(self, view: View) -> None:
        """Nothing else is there to be seen."""
        self.update()

    def show_base(self, number: int) -> None:
        """Nothing else is there to be seen."""
        self.update()

    def repaint(self) -> None:  # type: ignore[override]
        """The same again."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy it."""
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._bitmap)
        painter.end()
        self.n_frames += 1


def made(work: HeatWork) -> HeatTool:
    """One of the three; RuntimeError with a sentence where there is no OpenGL."""
    if work.tool == "ready picture":
        return ReadyPicture()
    tool = Application(work)
    if work.tool == OPENGL_TOOL:
        renderer = Renderer(OPENGL, parent=tool.widget)
        renderer.decide()
        if not renderer.is_opengl:
            raise RuntimeError(renderer.why)
        tool.widget.use_renderer(renderer)
    return tool
