"""Compare: several encodings in the same sizes, measured alike, a row each."""

import math
from dataclasses import replace
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.flow import page_scene
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels.declared import DeclaredPanel
from pe_desktop.panels.gestures import Changes, Reactions
from pe_desktop.views.compare import scene as view
from pe_desktop.views.compare.columns import lines_of
from pe_desktop.views.compare.scene import GAP, HEADER_HEIGHT, cells_left, narrowest_width

# Where the header has room for the row of progress: below the note under the name of its first column.
_UNDER_NOTE: Final = 38.0


class ComparePanel(DeclaredPanel):
    """The ten measurements of each encoding of a list, in the sizes of the window's encoding. A press chooses one."""

    key = "compare"
    keys: ClassVar = {"Up, Down": "The encoding before or after"}
    is_workspace: ClassVar[bool] = True

    def __init__(self, model: EncodingModel, playback: Playback) -> None:
        super().__init__(model, playback)
        self._header = Canvas(self._header_scene, self)
        self._header.setAccessibleName("Columns of the comparison")
        self._header.setFixedHeight(int(HEADER_HEIGHT))
        self.column.insertWidget(0, self._header)
        # It stands in the header, where it takes no room from the rows.
        self.column.removeWidget(self.progress)
        self.progress.raise_()
        self.setMinimumSize(int(narrowest_width()), 220)

    def show_theme(self, theme: Theme) -> None:
        self.refresh()

    def compose(self, box: Box) -> Scene:
        return page_scene(view.rows(self.model.state, self.model.findings, box), box, is_wide=True)

    def reactions(self) -> Reactions:
        return replace(super().reactions(), has_stops=False)

    def refresh(self) -> None:
        super().refresh()
        self._header.update()

    def follow_progress(self) -> None:
        analyses = self.view.questions(self.model.state)
        n_known = sum(map(self.model.findings.is_known, analyses))
        room = cells_left(float(self.canvas.width())) - GAP
        area = Area(GAP / 2, _UNDER_NOTE, room, HEADER_HEIGHT - 1.0 - _UNDER_NOTE)
        self.progress.follow(analyses, f"Measuring, {n_known} of {len(analyses)} encodings", area)

    def questions(self) -> tuple[Question, ...]:
        tables = view.table_questions(self.model.state, self.canvas.box())
        return (*tables, *super().questions())

    def fit(self) -> None:
        room = self.page_area.viewport().height()
        self.canvas.setFixedHeight(math.ceil(view.rows_height(self.model.state, float(room))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.refresh()
        return super().eventFilter(watched, event)

    def _header_scene(self, box: Box) -> Scene:
        return page_scene(view.header(self.model.state, float(self.canvas.width())), box, is_wide=True)

    def key_changes(self, key: str) -> Changes | None:
        """Up and Down choose the encoding of the row above or below."""
        if key not in ("Up", "Down"):
            return None
        lines = lines_of(self.model.state)
        chosen = next((place for place, line in enumerate(lines) if line.is_chosen), -1)
        return lines[min(max(chosen + (1 if key == "Down" else -1), 0), len(lines) - 1)].sets
