"""The wavelengths of all pairs as a widget of the Encoding dock."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.measure.periodic import reach
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.views.encoding.picture import Spectrum, chosen_picture, spectrum_picture


class SpectrumCanvas(PictureCanvas):
    """Wavelength against pair; a press chooses the pair."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setFixedHeight(118)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Wavelength of each pair")
        self.setToolTip("Positions per turn of each pair; press to choose a pair")

    def still_picture(self, width: float, height: float) -> marks.Picture:
        spectrum = self._spectrum()
        return spectrum_picture(spectrum, self.theme) if spectrum is not None else ()

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        spectrum, pairs = self._spectrum(), self._model.encoding.pairs
        if spectrum is None or pairs is None:
            return ()
        return chosen_picture(spectrum, self._model.cursor.pair, pairs, self.theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spectrum = self._spectrum()
        if spectrum is not None:
            self._model.move_cursor(pair=spectrum.pair_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.mousePressEvent(event)

    def _spectrum(self) -> Spectrum | None:
        encoding, pairs = self._model.encoding, self._model.encoding.pairs
        if pairs is None:
            return None
        size, is_mapped = (float(self.width()), float(self.height())), not pairs.turns_evenly
        return Spectrum(*size, pairs.wavelengths, reach(encoding, pairs), is_mapped)
