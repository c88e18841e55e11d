"""Properties: what the encoding has and lacks, measured; where positions come too near; what distance knows."""

import math

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.scene import Place
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Drag, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel

_PAGES = {"verdicts": "Checks", "collisions": "Collisions", "distance": "Distance", "scales": "Scales"}
_TOOLTIPS = {
    "verdicts": "Ten properties, measured on values of the table",
    "collisions": "Where positions come too near, and which hands tell them apart",
    "distance": "How the distance grows with the offset, and what it comes from",
    "scales": "Which pairs serve a range of positions, and how many each tenfold of wavelength has",
}


class PropertiesPanel(ScrolledScenePanel):
    """Four pages that scroll. A press on a row takes t and k there; in the plots of distance a drag moves k."""

    key = "properties"
    title = "Properties"
    least_size = (324, 146)
    accessible_name = "Measured properties"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.canvas.tooltip = self._tooltip
        self.progress = ProgressRow(model.findings, self)
        self._choice = Segments(_PAGES, "Properties shows", self)
        self._choice.set_tooltips(_TOOLTIPS)
        self._choice.chosen.connect(self._on_chosen)
        self.column.addWidget(self.progress)
        self._marked = ""
        # The page has its height only after it has been laid out.
        self._bringing = QTimer(self, interval=0, singleShot=True)
        self._bringing.timeout.connect(self._bring_into_view)
        self.setMinimumSize(250, 100)

    def header_widgets(self) -> list[QWidget]:
        return [self._choice]

    def refresh(self) -> None:
        super().refresh()
        page = self.model.state.views.properties.page
        self._choice.show_choice(page)
        self.progress.follow([question for question in self.questions() if question.title][:1])
        self.show_page(page)
        if self._marked != self.model.state.views.properties.check:
            self._marked = self.model.state.views.properties.check
            self._bringing.start()

    def show_check(self) -> None:
        """Scroll the marked row into view as soon as the page stands."""
        self._bringing.start()

    def _bring_into_view(self) -> None:
        place = next((place for place in self.canvas.places() if place.is_chosen), None)
        if place is not None:
            x, y = place.area.middle
            self.page_area.ensureVisible(round(x), round(y), 0, math.ceil(place.area.height / 2))

    def reactions(self) -> Reactions:
        return Reactions(choose=self._choose, is_button_at=self._is_button_at)

    def _choose(self, drag: Drag) -> Changes:
        from pe_desktop.views.properties import scene as view  # noqa: PLC0415 - it begins behind a tab

        x, y = drag.now
        place = self.canvas.place_at(x, y)
        if place is None or not (drag.is_press or view.is_plot(place)):
            return {}
        return view.changes(self.model.state, self.model.findings, self.canvas.box(), place, x)

    def _is_button_at(self, x: float, y: float) -> bool:
        from pe_desktop.views.properties import scene as view  # noqa: PLC0415 - as above

        place = self.canvas.place_at(x, y)
        if place is None or view.is_plot(place):
            return False
        return bool(view.changes(self.model.state, self.model.findings, self.canvas.box(), place, x))

    def _tooltip(self, place: Place | None, x: float, y: float) -> str:
        from pe_desktop.views.properties import scene as view  # noqa: PLC0415 - as above

        return view.tooltip(self.model.state, self.model.findings, place)

    def _on_chosen(self, page: str) -> None:
        self.model.set(**{"properties.page": page})
