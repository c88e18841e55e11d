"""Look back: a head whose query at t finds the key n positions before it."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from pe_desktop.core.state import with_name
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.number_text import plain
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.popups import Card
from pe_desktop.panels.gestures import Changes
from pe_desktop.panels.heat_base import MapPanel
from pe_desktop.views.look_back import scene as view
from pe_desktop.views.look_back.picture import LookBackLayout
from pe_desktop.views.map_and_profile import MapLayout

# Of the list that the menu opens.
_LIST_WIDTH = 500
_PLACES = "look-back.places"


class LookBackPanel(MapPanel):
    """A map of scores or weights over query x key; a drag in the profile is how far the head looks back, with k."""

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
        self.others = Card(self)
        self.list_canvas = Canvas(self._others_scene, self.others)
        self.list_canvas.setAccessibleName("Can other positions do it?")
        self.list_canvas.setFixedSize(_LIST_WIDTH, math.ceil(view.list_height(model.state, _LIST_WIDTH)))
        QVBoxLayout(self.others).addWidget(self.list_canvas)
        model.refused.connect(self._on_refused)
        self.setMinimumSize(280, 150)

    def layout_now(self) -> LookBackLayout:
        return view.layout_of(self.model.state, self.model.findings, self.canvas.box())

    def waiting(self) -> tuple[Area, Sequence[Question]]:
        return self.layout_now().map, view.progress_questions(self.model.state)

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

    def _others_scene(self, box: Box) -> Scene:
        return view.others_scene(self.model.state, self.model.findings, box)

    def _on_places(self, text: str) -> None:
        if self.model.set_parameter(_PLACES, text):
            peak, visible = float(-self.model.state.looks_back), view.shown_offsets(self.model.state)
            is_out = not visible.first <= peak <= visible.last
            self.model.set(offset=peak, **(self.shown(offsets=None) if is_out else {}))
            self.places.show_taken()

    def _on_refused(self, refusal: Refusal) -> None:
        if refusal.parameter == _PLACES:
            self.places.show_refused()
            self.places.setToolTip(refusal.sentence)

    def choose_offset(self, layout: MapLayout, offset: float) -> Changes:
        state, last, visible = self.model.state, layout.n_positions - 1, layout.offsets
        places = min(max(round(-offset), 0), last, max(math.floor(-visible.first), 0))
        # The knob stays under the pointer: an axis that would grow or shrink with n is kept.
        is_other = view.shown_offsets(with_name(state, _PLACES, places)) != visible
        return {_PLACES: places, "offset": float(-places), **(self.shown(offsets=visible) if is_other else {})}
