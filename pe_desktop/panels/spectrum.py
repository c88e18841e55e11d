"""The wavelengths of all pairs as a widget of the Encoding dock."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.gestures import Changes, Drag, Gestures, Reactions
from pe_desktop.views.encoding.scene import scene, spectrum_in


class SpectrumCanvas(Canvas):
    """Wavelength against pair; a press chooses the pair."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(self._scene_in, parent)
        self._model = model
        self.setFixedHeight(118)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Wavelength of each pair")
        self.setToolTip("Positions per turn of each pair; press to choose a pair")
        self._gestures = Gestures(self, model, Reactions(choose=self._choose))

    def _scene_in(self, box: Box) -> Scene:
        return scene(self._model.state, box)

    def _choose(self, drag: Drag) -> Changes:
        spectrum = spectrum_in(self._model.encoding, self.box())
        return {} if spectrum is None else {"pair": spectrum.pair_at(drag.now[0])}
