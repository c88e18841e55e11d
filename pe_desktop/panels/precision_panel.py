"""Precision: the table in smaller formats beside the exact one."""

from PySide6.QtWidgets import QWidget

from pe_desktop.core.precision.formats import FORMATS
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Drag, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.precision import scene as view

_TOOLTIPS = {
    "float64": "The exact table alone",
    "float32": "24 significant bits: what frameworks compute in",
    "float16": "11 significant bits, position ids up to 65 519",
    "bfloat16": "8 significant bits: the upper half of float32",
}


_PAGES = {"errors": "Errors", "forms": "Forms", "printed": "Printed"}
_PAGE_TOOLTIPS = {
    "errors": "The largest error by position, and which rows differ",
    "forms": "Frequencies by exp and by power: is log space more stable?",
    "printed": "Numbers of the texts, bit for bit",
}


class PrecisionPanel(ScrolledScenePanel):
    """Three pages that scroll. A press on a row chooses its formats; a press or drag in a plot moves t, or the pair."""

    key = "precision"
    title = "Precision"
    accessible_name = "Errors of the table in smaller formats"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.progress = ProgressRow(model.findings, self)
        self.column.addWidget(self.progress)
        self.formats = Segments({name: name for name in FORMATS}, "Format of the table", self)
        self.formats.set_tooltips(_TOOLTIPS)
        self.formats.chosen.connect(lambda dtype: model.set(dtype=dtype, position_ids="float64"))
        self.pages = Segments(_PAGES, "Precision shows", self)
        self.pages.set_tooltips(_PAGE_TOOLTIPS)
        self.pages.chosen.connect(lambda page: model.set(**{"precision.page": page}))
        self.setMinimumSize(280, 150)

    def header_widgets(self) -> list[QWidget]:
        return [self.pages, self.formats]

    def refresh(self) -> None:
        super().refresh()
        self.progress.follow(self.questions())
        page = self.model.state.views.precision.page
        self.show_page(page)

    def show_choices(self) -> None:
        super().show_choices()
        self.formats.show_choice(self.model.state.precision.dtype)
        self.pages.show_choice(self.model.state.views.precision.page)

    def reactions(self) -> Reactions:
        return Reactions(choose=self._choose, is_button_at=self._is_button_at)

    def _choose(self, drag: Drag) -> Changes:
        found = self._changes(*drag.now)
        return found if drag.is_press or not _is_choice(found) else {}

    def _is_button_at(self, x: float, y: float) -> bool:
        return _is_choice(self._changes(x, y))

    def _changes(self, x: float, y: float) -> Changes:
        return view.changes(self.model.state, self.model.findings, self.canvas.box().width, x, y)


def _is_choice(changes: Changes) -> bool:
    """Whether a row is pressed, where a plot moves a cursor."""
    return "form" in changes
