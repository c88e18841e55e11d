"""Derivations: what the texts prove, step by step, with the numbers of this moment."""

from typing import Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.derivations.scene import TITLES

_PAGE: Final = "derivations.page"
# The shift on the upper row, what positions say of each other on the lower one.
_ROWS: Final = (("log", "block", "entries", "system"), ("dot", "distance", "length", "unique", "toeplitz"))
_TOOLTIPS: Final = {
    "log": "From 10000^(2i/d) to e to a logarithm",
    "block": "How the 2 × 2 block of a pair is found: sine and cosine of a sum",
    "entries": "The matrix whose entries are PE(k)",
    "system": "All d × d equations, and why the entries beside the blocks are 0",
    "dot": "The dot product as a sum of cosines",
    "distance": "The distance from half the turns",
    "length": "Why every position has the length √(d/2)",
    "unique": "Why no two positions have one vector: a proof, its gap, two repairs",
    "toeplitz": "Why every diagonal of the dot products holds one number",
}


class DerivationsPanel(ScrolledScenePanel):
    """Pages that scroll, each a derivation."""

    key = "derivations"
    title = "Derivations"
    accessible_name = "Derivation, step by step"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        shift, between = ({page: TITLES[page] for page in row} for row in _ROWS)
        self._choice = Segments(shift, "Derivation", self, below=between)
        self._choice.set_tooltips(_TOOLTIPS)
        self._choice.chosen.connect(self._on_chosen)
        box = QVBoxLayout()
        box.setContentsMargins(0, 2, 4, 8)
        box.addWidget(self._choice)
        self.column.insertLayout(0, box)
        self.setMinimumSize(420, 220)

    def show_choices(self) -> None:
        super().show_choices()
        page = self.model.state.views.derivations.page
        self._choice.show_choice(page)
        self.show_page(page)

    def _on_chosen(self, page: str) -> None:
        self.model.set(**{_PAGE: page})
