"""What panels with a heat map share: the canvas that shows it, and the choices of its colours."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QResizeEvent

from pe_desktop.draw.scene import Area
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.model.findings import Question
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Zoomed
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.controls import WORDS, Choice, Range
from pe_desktop.views.map_and_profile import MapLayout

# How far the curve takes the wheel beyond its plot, over its numbers.
_OVER, _UNDER = 10.0, 30.0


class HeatPanel(ScenePanel):
    """A panel whose scene has a heat map; without a renderer the CPU draws it."""

    canvas: HeatCanvas
    canvas_class = HeatCanvas

    def make(self) -> None:
        super().make()
        self.canvas.raster.must_wait = lambda: self.model.turns.is_busy
        self.model.settled.connect(self.canvas.raster.hurry)
        # What the colours of a map reach and which they are.
        self.card_controls = (
            Range(name=f"{self.key}.range", **WORDS["heat"]["range"]),
            Choice(name=f"{self.key}.colors", **WORDS["heat"]["colors"]),
        )

    @property
    def is_made(self) -> bool:
        return self.canvas.is_exact


class MapPanel(HeatPanel):
    """A map over positions x positions and a curve over offsets: the wheel zooms, a middle-drag pans.

    A press or drag in the curve chooses k, in the map t and t + k. What is visible of them is `rows`, `columns` and
    `offsets` of the view of its key.
    """

    has_readout = True

    def make(self) -> None:
        super().make()
        self.progress = ProgressRow(self.model.findings, self.canvas)

    # The layout of the view in a state, with what is known, in a box.
    layout_of: Callable[..., MapLayout]
    # The part in whose middle progress stands, and what it waits for.
    waiting: Callable[..., tuple[Area, Sequence[Question]]]

    def layout_now(self) -> MapLayout:
        """Where everything stands on the canvas."""
        return self.layout_of(self.model.state, self.model.findings, self.canvas.box())

    def show_choices(self) -> None:
        super().show_choices()
        self._show_progress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_progress()

    def _show_progress(self) -> None:
        area, questions = self.waiting()
        self.progress.follow(questions, area=Area(*(side * self.canvas.zoom for side in area)))

    def plots(self) -> tuple[Zoomed, ...]:
        """The map about the cell of t and t + k, the profile about k, where they are seen."""
        layout, cursor = self.layout_now(), self.model.cursor
        across, down, below = layout.column_axis, layout.row_axis, layout.offset_axis
        point = across.place_within(cursor.position + cursor.offset), down.place_within(cursor.position)
        axes = {f"{self.key}.rows": down, f"{self.key}.columns": across}
        y, tall = layout.profile.y - _OVER, layout.profile.height + _OVER + _UNDER
        reach = Area(0.0, y, self.canvas.box().width, tall)
        profile = Zoomed(
            reach, {f"{self.key}.offsets": below}, (below.place_within(cursor.offset), layout.profile.middle[1])
        )
        return (Zoomed(layout.map, axes, point), *([profile] if layout.has_profile else []))
