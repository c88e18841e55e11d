"""Look back: a head whose query at t finds the key n positions before it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pe_desktop.core.rules import NumberRule
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Area
from pe_desktop.model.findings import Question
from pe_desktop.panels.gestures import Changes, Drag
from pe_desktop.panels.heat_base import MapPanel
from pe_desktop.views.controls import WORDS, Choice, Number
from pe_desktop.views.look_back import scene as view

_WORDS = WORDS["look-back"]


def _offset(state: State, text: str) -> float:
    """The k of a typed n."""
    return -NumberRule("Look back", 0, state.encoding.n_positions - 1, is_whole=True).read(text)


def _with_peak(state: State) -> dict[str, Any]:
    """What is set with n: all offsets where those that are visible leave it out."""
    visible = view.shown_offsets(state)
    return {} if visible.first <= -state.looks_back <= visible.last else {"look-back.offsets": None}


class LookBackPanel(MapPanel):
    """A map of scores or weights over query x key; a drag in the profile is k, how far the head looks back."""

    key = "look-back"
    layout_of = staticmethod(view.layout_of)
    controls = (
        Number(**_WORDS["offset"], shown=lambda state: state.looks_back, read=_offset, then=_with_peak),
        Choice(**_WORDS["shows"]),
    )

    def waiting(self) -> tuple[Area, Sequence[Question]]:
        questions = view.questions(self.model.state)
        return self.layout_now().map, [question for question in questions if question.title and not question.is_quick]

    def changes_of(self, drag: Drag) -> Changes:
        changes = super().changes_of(drag)
        state = self.model.state
        visible = self.layout_now().offsets
        if [*changes] != ["offset"]:
            return changes
        # The knob stays under the pointer: an axis that would grow or shrink with k is kept.
        changed = state.with_cursor(replace(state.cursor, offset=min(changes["offset"], 0.0)))
        kept = {} if view.shown_offsets(changed) == visible else {"look-back.offsets": visible}
        return {"offset": changed.cursor.offset, **kept}
