"""Derivations: steps that keys choose, and the ends of hands beside them, which are dragged."""

from dataclasses import replace
from typing import ClassVar

from pe_desktop.panels.gestures import Changes, Drag, Grip, Reactions, pressed
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.derivations.pictures import End


class DerivationsPanel(DeclaredPanel):
    """Dragging the solid end of a hand moves t, the hollow one, or Shift, k; so do keys at an end that Tab came to."""

    key = "derivations"
    keys: ClassVar = {
        "Up, Down": "The step before or after",
        "Left, Right": "At the end of a hand that Tab came to: move t or k",
    }

    def reactions(self) -> Reactions:
        return replace(super().reactions(), grip_at=self._grip_at)

    def is_button_at(self, x: float, y: float) -> bool:
        return pressed(self._grip_at, x, y) is not None or super().is_button_at(x, y)

    def key_changes(self, key: str) -> Changes | None:
        marked, by = self.canvas.marked, {"Left": -1.0, "Right": 1.0}.get(key)
        if by is None or marked is None or not isinstance(marked.sets, End):
            return super().key_changes(key)
        return {marked.sets.name: round(getattr(self.model.cursor, marked.sets.name)) + by}

    def _grip_at(self, drag: Drag) -> Grip | None:
        place, cursor = self.canvas.place_at(*drag.now), self.model.cursor
        if place is None or not isinstance(place.sets, End):
            return None
        name = "offset" if drag.moves_offset else place.sets.name
        return Grip(cursor.pair, place.sets.dial, self.model.encoding, name == "offset", getattr(cursor, name))
