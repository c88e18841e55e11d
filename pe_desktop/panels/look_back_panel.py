"""Look back: a head whose query at t finds the key n positions before it."""

import math

from PySide6.QtCore import QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from pe_desktop.core.state import with_name
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.number_text import plain
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.popups import Card
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Drag
from pe_desktop.panels.heat_base import MapPanel
from pe_desktop.views.look_back import scene as view
from pe_desktop.views.look_back.layout import LookBackLayout

# Of the list that the menu opens.
_LIST_WIDTH = 500
_PLACES = "look-back.places"


class LookBackPanel(MapPanel):
    """A map of scores or weights over query x key, and the profile against offset.

    A press in the map chooses t and t + k, a drag in the profile how far the head looks back, and k with it. The wheel
    zooms, a middle-drag pans.
    """

    key = "look-back"
    title = "Look back"
    accessible_name = "Scores of a head that looks back"
    has_wide_title = False
    choices_title = "Other positions…"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.places = NumberField("Look back")
        self.places.setFixedWidth(56)
        self.places.submitted.connect(self._on_places)
        self._label = QLabel("Look back", self)
        self._label.setBuddy(self.places)
        self._choice = Segments({"scores": "Scores", "weights": "Weights"}, "Look back", self)
        self._choice.set_tooltips({"scores": "(M p_t) · p_s", "weights": "softmax of each row of scores over √d"})
        self._choice.chosen.connect(lambda shows: model.set(**{"look-back.shows": shows}))
        self.progress = ProgressRow(model.findings, self)
        self.others = Card(self)
        self.list_canvas = Canvas(self._others_scene, self.others)
        self.list_canvas.setAccessibleName("Can other positions do it?")
        self.list_canvas.setFixedSize(_LIST_WIDTH, math.ceil(view.list_height(model.state, _LIST_WIDTH)))
        QVBoxLayout(self.others).addWidget(self.list_canvas)
        model.refused.connect(self._on_refused)
        self.setMinimumSize(280, 150)

    def layout_now(self) -> LookBackLayout:
        """Where everything stands on the canvas."""
        return view.layout_of(self.model.state, self.canvas.box())

    def open_choices(self, corner: QPoint) -> None:
        self.others.open_at(corner)

    def header_widgets(self) -> list[QWidget]:
        return [self._label, self.places, *super().header_widgets(), self._choice]

    def refresh(self) -> None:
        super().refresh()
        self.list_canvas.update()

    def show_choices(self) -> None:
        super().show_choices()
        state = self.model.state
        self.places.show_value(plain(state.looks_back))
        self._choice.show_choice(state.views.look_back.shows)
        self.progress.follow(view.progress_questions(state))
        self._place_progress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_progress()

    def _others_scene(self, box: Box) -> Scene:
        return view.others_scene(self.model.state, self.model.findings, box)

    def _place_progress(self) -> None:
        if self.canvas.has_theme:
            self.progress.stand_in(self.layout_now().map)

    def _on_places(self, text: str) -> None:
        if self.model.set_parameter(_PLACES, text):
            peak, seen = float(-self.model.state.looks_back), view.shown_offsets(self.model.state)
            is_out = not seen.first <= peak <= seen.last
            self.model.set(offset=peak, **(self._seen(offsets=None) if is_out else {}))
            self.places.show_taken()

    def _on_refused(self, refusal: Refusal) -> None:
        if refusal.parameter == _PLACES:
            self.places.show_refused()
            self.places.setToolTip(refusal.sentence)

    def choose(self, drag: Drag) -> Changes:
        layout, last = self.layout_now(), self.model.encoding.n_positions - 1
        if layout.profile.holds(*drag.start):
            state, seen = self.model.state, layout.offsets
            places = min(max(round(-layout.offset_axis.value(drag.now[0])), 0), last, max(math.floor(-seen.first), 0))
            # The knob stays under the pointer: an axis that would grow or shrink with n is kept.
            is_other = view.shown_offsets(with_name(state, _PLACES, places)) != seen
            return {_PLACES: places, "offset": float(-places), **(self._seen(offsets=seen) if is_other else {})}
        if not layout.map.holds(*drag.now):
            return {}
        row, column = layout.cell_at(*drag.now, last + 1)
        return {"position": row, "offset": column - row}

    def has_offsets_at(self, y: float) -> bool:
        layout = self.layout_now()
        return layout.has_profile and layout.profile_top < y < layout.profile.bottom + 24.0
