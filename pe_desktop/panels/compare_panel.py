"""Compare: several encodings in the same sizes, measured alike, a row each."""

from dataclasses import replace
from typing import ClassVar

from PySide6.QtCore import Qt

from pe_desktop.draw.scene import Place
from pe_desktop.panels.gestures import Reactions
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.compare.measured import NARROWEST


class ComparePanel(DeclaredPanel):
    """The ten measurements of each encoding of a list, in the sizes of the window's encoding. A press reads one."""

    key = "compare"
    keys: ClassVar = {
        "Up, Down": "The encoding before or after",
        "Left, Right": "The measurement before or after",
        "Enter": "Use the encoding that is read",
    }
    is_workspace: ClassVar[bool] = True

    def make(self) -> None:
        super().make()
        # Where there is less room the columns are scrolled.
        self.canvas.setMinimumWidth(int(NARROWEST))
        self.page_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def reactions(self) -> Reactions:
        # Keys of their own lead to rows and cells.
        return replace(super().reactions(), is_stop=lambda place: place.name.startswith(("sort by ", "Use ", "Go to ")))

    def is_choice(self, place: Place) -> bool:
        # Enter uses the row that arrows read: none is marked, which Enter would press.
        return False

    def follow_progress(self) -> None:
        analyses = self.view.questions(self.model.state)
        n_known = sum(map(self.model.findings.is_known, analyses))
        self.progress.follow(analyses, f"Measuring, {n_known} of {len(analyses)} encodings")
