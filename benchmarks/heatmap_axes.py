"""The application's encoding matrix as it is on the screen; apart, because it loads more than the heat map alone."""

from dataclasses import replace

from benchmarks.heatmap_work import AXES_CORNER, AXES_PLOT, CURSOR_OFFSET, HeatTool, HeatWork
from benchmarks.measure import MeasurementError
from benchmarks.work import NothingKnown
from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.heatmap import View
from pe_desktop.views.matrix import scene as matrix


class ApplicationWithAxes:
    """The picture of the panel as it is on the screen, with ramp, badges, numbers, cursors and the strip of p_t."""

    def __init__(self, work: HeatWork) -> None:
        encoding = SinusoidalEncoding(work.n_positions, work.d_model)
        self._state = State(encoding, Cursor(position=0.0, offset=CURSOR_OFFSET))
        self.widget = HeatCanvas(self.scene)
        self.widget.show_theme(themes()["light"])

    @property
    def n_frames(self) -> int:
        """Paint events so far."""
        return self.widget.n_frames

    def show_view(self, view: View) -> None:
        """Draw another part; MeasurementError where the plot is not as large as what it is compared with."""
        views = self._state.views
        rows = replace(views.matrix, rows=Span(view.first_row, view.last_row))
        span = Span(view.first_column - 0.5, view.last_column - 0.5)
        self._state = replace(self._state, span=span, views=replace(views, matrix=rows))
        area = matrix.layout_of(self._state, self.widget.box()).area
        if area != Area(*AXES_CORNER, *AXES_PLOT):
            raise MeasurementError(f"The plot at {area} should be {AXES_PLOT} pixels large at {AXES_CORNER}")
        self.widget.update()

    def show_cursor(self, position: int) -> None:
        """Draw everything at another t."""
        self._state = replace(self._state, cursor=Cursor(position=float(position), offset=CURSOR_OFFSET))
        self.widget.update()

    def scene(self, box: Box) -> Scene:
        """The panel's."""
        return matrix.VIEW.scene(self._state, NothingKnown(), box)


def made(work: HeatWork) -> HeatTool:
    """It."""
    return ApplicationWithAxes(work)
