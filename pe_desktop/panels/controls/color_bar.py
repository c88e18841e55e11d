"""A short bar of a colour map with the numbers at its ends."""

from PySide6.QtWidgets import QWidget

from pe_desktop.draw import marks
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.theme import map_image
from pe_desktop.draw.typefaces import text_width

BAR_WIDTH = 88.0
BAR_HEIGHT = 8.0
GAP = 8.0


class ColorBar(PictureCanvas):
    """Low end left, high end right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ends = ("−1", "+1")
        self._is_diverging = True
        self._fit()

    def show_ends(self, low: str, high: str, *, is_diverging: bool = True) -> None:
        """Other numbers, perhaps another map."""
        if (low, high, is_diverging) != (*self._ends, self._is_diverging):
            self._ends, self._is_diverging = (low, high), is_diverging
            self._fit()
            self.redraw()

    def still_picture(self, width: float, height: float) -> marks.Picture:
        low, high = self._ends
        left = text_width("tick", low) + GAP
        middle = height / 2
        frame = (left, middle - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT)
        return (
            marks.Text(0.0, middle, low, "tick", self.theme.text2),
            marks.Raster(*frame, map_image(self.theme, is_diverging=self._is_diverging)),
            marks.Text(left + BAR_WIDTH + GAP, middle, high, "tick", self.theme.text2),
        )

    def _fit(self) -> None:
        low, high = self._ends
        self.setFixedSize(round(text_width("tick", low) + text_width("tick", high) + 2 * GAP + BAR_WIDTH) + 2, 24)
