"""The application's heat map in the view that its panel uses, and a ready picture as the floor."""

from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from benchmarks.heatmap_work import OPENGL_TOOL, PICTURE_SIZE, HeatTool, HeatWork
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw.marks import Picture
from pe_desktop.draw.theme import themes
from pe_desktop.heat.field_view import FieldView
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatScene, Rectangle
from pe_desktop.heat.renderer import OPENGL, Renderer


class Application:
    """Halves where dimensions outnumber pixels, as the panel does it; nothing but the heat map in the view."""

    def __init__(self, work: HeatWork) -> None:
        self._encoding = SinusoidalEncoding(work.n_positions, work.d_model)
        self._view = View(0, work.d_model, 0, work.n_positions)
        theme = themes()["light"]
        self._table, self._ground = color_table(theme.diverging), theme.panel
        self.widget = FieldView(self)
        self.widget.show_theme(theme)

    @property
    def n_frames(self) -> int:
        """Paint events so far."""
        return int(self.widget.n_frames)

    def show_view(self, view: View) -> None:
        """Draw another part."""
        self._view = view
        self.widget.refresh()

    def show_base(self, number: int) -> None:
        """Frequencies that were never asked for before."""
        self._encoding = SinusoidalEncoding(self._encoding.n_positions, self._encoding.d_model, base=10_000.0 - number)
        self.widget.refresh()

    def repaint(self) -> None:
        """The same again."""
        self.widget.refresh()

    def still(self, width: float, height: float) -> Picture:
        """No axes."""
        return ()

    def moving(self, width: float, height: float) -> Picture:
        """No cursors."""
        return ()

    def frame(self, width: float, height: float) -> Rectangle:
        """The heat map fills the view."""
        return 0.0, 0.0, width, height

    def heat_scene(self, ratio: float) -> HeatScene:
        """What is seen of the table."""
        is_halved = self._view.last_row - self._view.first_row > PICTURE_SIZE[1]
        field: Field = HalvesField(self._encoding) if is_halved else EncodingField(self._encoding)
        return HeatScene(field, self._view, self._table, self._ground)

    def press(self, event: QMouseEvent) -> None:
        """Nobody touches it, here and below."""

    def move(self, event: QMouseEvent) -> None:
        """The pointer moved."""

    def release(self, event: QMouseEvent) -> None:
        """A button came up."""

    def double_click(self, event: QMouseEvent) -> None:
        """Two presses in a row."""

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel turned."""

    def leave(self) -> None:
        """The pointer is elsewhere."""


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
