"""What panels with a heat map share: the canvas that shows it, and the chip that says which back end draws."""

from typing import ClassVar

from PySide6.QtWidgets import QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.renderer import Renderer
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.renderer_chip import RendererChip
from pe_desktop.panels.scene_panel import ScenePanel


class HeatPanel(ScenePanel):
    """A panel whose scene has a heat map; without a renderer the CPU draws it."""

    # Whether the title row has room for the chip's words.
    has_wide_title: ClassVar[bool] = True
    canvas: HeatCanvas
    canvas_class = HeatCanvas

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.chip = RendererChip(self, self.has_wide_title)

    def header_widgets(self) -> list[QWidget]:
        return [self.chip]

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self.chip.show_theme(theme)

    @property
    def is_made(self) -> bool:
        return self.canvas.is_exact

    def use_renderer(self, renderer: Renderer) -> None:
        """Draw with whatever it chooses; it is asked after the window's first frame."""
        self.chip.use_renderer(renderer)
        self.canvas.use_renderer(renderer)
