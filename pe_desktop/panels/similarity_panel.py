"""Similarity: dot product, cosine or distance of every two positions, and how it depends on their offset alone."""

from collections.abc import Sequence

from pe_desktop.draw.scene import Area
from pe_desktop.model.findings import Question
from pe_desktop.panels.heat_base import MapPanel
from pe_desktop.views.controls import WORDS, Choice
from pe_desktop.views.similarity import scene as view


class SimilarityPanel(MapPanel):
    """A map over positions x positions, and the profile against offset."""

    key = "similarity"
    layout_of = staticmethod(view.layout_of)
    controls = (Choice(**WORDS["similarity"]["measure"]),)

    def waiting(self) -> tuple[Area, Sequence[Question]]:
        return self.layout_now().profile, view.progress_questions(self.model.state)
