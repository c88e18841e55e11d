"""Compare: several encodings in the same sizes, measured alike, a row each."""

import math
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.presets import COMPARISONS
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Drag, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.compare import scene as view
from pe_desktop.views.compare.picture import HEADER_HEIGHT, narrowest_width, progress_area
from pe_desktop.views.compare.rows import chosen_row, rows_of

_TOOLTIPS = {
    "overview": "One of each idea",
    "conventions": "What libraries compute",
    "ablations": "What breaks the encoding",
    "naive": "What people try first",
    "lengths": "The same step at two numbers of positions: t/N and sinusoids",
}
_SHOWN = {"measurements": "Measured", "difference": "Difference"}
_SHOWN_TOOLTIPS = {
    "measurements": "Ten measurements of each encoding",
    "difference": "Each encoding less the chosen one: values, dot products, what makes the difference",
}
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class ComparePanel(ScrolledScenePanel):
    """The ten measurements of each encoding of a list, in the sizes of the window's encoding. A press chooses one."""

    key = "compare"
    keys: ClassVar = {"Up, Down": "The encoding before or after"}
    title = "Compare"
    is_workspace: ClassVar[bool] = True
    accessible_name = "Comparison of encodings"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._header = Canvas(self._header_scene, self)
        self._header.setAccessibleName("Columns of the comparison")
        self._header.setFixedHeight(int(HEADER_HEIGHT))
        self.column.insertWidget(0, self._header)
        self.progress = ProgressRow(model.findings, self)
        self._lists = Segments({name: name.capitalize() for name in COMPARISONS}, "Compare shows", self)
        self._lists.set_tooltips(_TOOLTIPS)
        self._lists.chosen.connect(self._on_list_chosen)
        self._shown = Segments(_SHOWN, "Compare tells", self)
        self._shown.set_tooltips(_SHOWN_TOOLTIPS)
        self._shown.chosen.connect(self._on_shown_chosen)
        self.canvas.tooltip = self._sentence_at
        self.canvas.installEventFilter(self)
        self.setMinimumSize(int(narrowest_width()), 220)

    def header_widgets(self) -> list[QWidget]:
        return [self._shown, self._lists]

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._header.show_theme(theme)
        self.refresh()

    def compose(self, box: Box) -> Scene:
        return view.rows_scene(self.model.state, self.model.findings, box)

    def reactions(self) -> Reactions:
        return Reactions(choose=self._choose, is_button_at=self._leads_on, has_stops=False)

    def refresh(self) -> None:
        state = self.model.state
        super().refresh()
        self._lists.show_choice(state.views.compare.list)
        self._shown.show_choice(state.views.compare.shows)
        analyses = view.questions(state)
        n_known = sum(map(self.model.findings.is_known, analyses))
        self.progress.stand_in(progress_area(float(self.canvas.width())))
        self.progress.follow(analyses, f"Measuring, {n_known} of {len(analyses)} encodings")
        self._header.update()

    def questions(self) -> tuple[Question, ...]:
        tables = view.table_questions(self.model.state, self.canvas.box()) if self.canvas.has_theme else ()
        return (*tables, *super().questions())

    def fit(self) -> None:
        room = self.page_area.viewport().height()
        self.canvas.setFixedHeight(math.ceil(view.rows_height(self.model.state, float(room))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.canvas and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None and not event.modifiers():
                self._step(step)
                return True
        elif event.type() == QEvent.Type.Resize and self.canvas.has_theme:
            self.refresh()
        return super().eventFilter(watched, event)

    def _header_scene(self, box: Box) -> Scene:
        return view.header_scene(self.model.state, box, float(self.canvas.width()))

    def _choose(self, drag: Drag) -> Changes:
        row = self._row_at(*drag.now) if drag.is_press else None
        return {} if row is None else self._changes(row)

    def _step(self, step: int) -> None:
        """Choose the encoding of the row above or below."""
        row, n_rows = chosen_row(self.model.state), len(rows_of(self.model.state))
        changes = self._changes(min(max((-1 if row is None else row) + step, 0), n_rows - 1))
        if changes:
            self.model.set(**changes)

    def _changes(self, row: int) -> dict[str, str]:
        preset = rows_of(self.model.state)[row].preset
        return {} if preset is None or row == chosen_row(self.model.state) else {"preset": preset.id}

    def _row_at(self, x: float, y: float) -> int | None:
        place = self.canvas.place_at(x, y)
        return None if place is None else self.canvas.places().index(place)

    def _leads_on(self, x: float, y: float) -> bool:
        row = self._row_at(x, y)
        return row is not None and bool(self._changes(row))

    def _sentence_at(self, place: Place | None, x: float, y: float) -> str:
        return view.sentence_at(self.model.state, self.model.findings, self.canvas.box(), x, y)

    def _on_list_chosen(self, name: str) -> None:
        self.model.set(**{"compare.list": name})
        self.page_area.verticalScrollBar().setValue(0)

    def _on_shown_chosen(self, name: str) -> None:
        self.model.set(**{"compare.shows": name})
