"""Compare: several encodings in the same sizes, measured alike, a row each."""

from dataclasses import replace

from PySide6.QtCore import Qt

from pe_desktop.draw.flow import Ground, Layers, Live
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.compare.measured import NARROWEST, pointed


class ComparePanel(DeclaredPanel):
    """The ten measurements of each encoding of a list, in the sizes of the window's encoding. A press reads one."""

    key = "compare"
    has_readout = True

    def make(self) -> None:
        super().make()
        # Where there is less room the columns are scrolled.
        self.canvas.setMinimumWidth(int(NARROWEST))
        self.page_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def is_stop(self, place: Place) -> bool:
        # Keys of their own lead to rows and cells.
        return place.name.startswith(("sort by ", "Use ", "Go to "))

    def compose(self, box: Box) -> Scene:
        """With the number of the cell under the pointer."""
        scene, at = super().compose(box), box.pointer
        under = [place for place in scene.places() if place.area.holds(*at)] if at else []
        cell = pointed(self.model.state, self.model.findings, under[-1].name) if under else None
        if cell is None:
            return scene
        return replace(scene, moving=(*scene.moving, *Live(Layers((Ground(), cell))).moving(under[-1].area, box.theme)))

    def is_choice(self, place: Place) -> bool:
        # Enter uses the row that arrows read: none is marked, which Enter would press.
        return False

    def follow_progress(self) -> None:
        analyses = self.view.questions(self.model.state)
        n_known = sum(map(self.model.findings.is_known, analyses))
        self.progress.follow(analyses, f"Measuring, {n_known} of {len(analyses)} encodings")
