"""Similarity: dot product, cosine or distance of every two positions, and how it depends on their offset alone."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Drag, Reactions
from pe_desktop.panels.heat_base import MapPanel
from pe_desktop.views.similarity import scene as view
from pe_desktop.views.similarity.layout import SimilarityLayout

# How far the colour bar takes a press: over its numbers, too.
_BAR_REACH: Final = 44.0


class SimilarityPanel(MapPanel):
    """A map over positions x positions, and the profile against offset.

    A press in the map chooses t and t + k, one in the profile k. The wheel zooms, a middle-drag pans.
    """

    key = "similarity"
    title = "Similarity"
    choices_title = "Colours…"
    accessible_name = "Similarity of every two positions"
    has_wide_title = False

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._measures = Segments({"dot": "Dot", "cosine": "Cos", "distance": "Dist"}, "Similarity", self)
        self._measures.set_tooltips({measure: words.capitalize() for measure, words in view.SUBTITLES.items()})
        self._measures.chosen.connect(lambda measure: model.set(**{"similarity.measure": measure}))
        self.progress = ProgressRow(model.findings, self)
        self.setMinimumSize(250, 100)

    def layout_now(self) -> SimilarityLayout:
        """Where everything stands on the canvas."""
        return view.layout_of(self.model.state, self.model.findings, self.canvas.box())

    def header_widgets(self) -> list[QWidget]:
        return [*super().header_widgets(), self._measures]

    def show_choices(self) -> None:
        super().show_choices()
        self._measures.show_choice(self.model.state.views.similarity.measure)
        self.progress.follow(view.progress_questions(self.model.state))
        self._place_progress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_progress()

    def reactions(self) -> Reactions:
        return replace(super().reactions(), is_button_at=self._is_bar_at)

    def _place_progress(self) -> None:
        if self.canvas.has_theme:
            self.progress.stand_in(self.layout_now().profile)

    def choose(self, drag: Drag) -> Changes:
        if self._is_bar_at(*drag.start):
            if drag.is_press:
                self.open_choices(self.canvas.mapToGlobal(QPointF(*drag.now).toPoint()))
            return {}
        layout, (x, y) = self.layout_now(), drag.now
        if layout.profile.holds(*drag.start):
            return {"offset": float(round(layout.offset_axis.value(x)))}
        if not layout.map.holds(x, y):
            return {}
        row, column = layout.cell_at(x, y, self.model.encoding.n_positions)
        return {"position": row, "offset": column - row}

    def _is_bar_at(self, x: float, y: float) -> bool:
        """Whether a point lies on the colour bar or its numbers: a press opens its range."""
        bar = self.layout_now().bar
        return bar._replace(x=bar.x - 4.0, width=_BAR_REACH).holds(x, y)

    def has_offsets_at(self, y: float) -> bool:
        return y > self.layout_now().profile.y - 10.0
