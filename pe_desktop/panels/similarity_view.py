"""The similarity map and its profile as a view: what it shows of the model, and what pointer and wheel do to it."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent

from pe_desktop.core.cursor import Span, full_span
from pe_desktop.core.encoding import Floats
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.shift import ShiftReport
from pe_desktop.core.similarity import similarity_pair
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, map_image
from pe_desktop.heat.field_view import FieldView
from pe_desktop.heat.heatmap import Colors, HeatMap, View, color_table
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.pointer import Hand, wheel_notches
from pe_desktop.panels.similarity_row import cursor_similarities, profile_heights, profile_lines, row_of
from pe_desktop.views.matrix.picture import readout_picture
from pe_desktop.views.similarity.layout import SimilarityLayout, similarity_layout
from pe_desktop.views.similarity.picture import (
    TITLES,
    coarse_map_picture,
    similarity_cursor_picture,
    similarity_frame_picture,
    similarity_readout_picture,
)
from pe_desktop.views.similarity.profile import (
    Curve,
    profile_cursor_picture,
    profile_curve,
    profile_frame_picture,
    row_picture,
)

ZOOM_PER_NOTCH = 1.25
# Wider profiles are reached by zooming out: their lags are computed when they are asked for.
WIDEST_FIRST_PROFILE = 16_384
NARROWEST_PROFILE = 4.0


class SimilarityView(QObject):
    """Draws map and profile into a FieldView. A press in the map chooses t and t + k, one in the profile chooses k."""

    lags_wanted = Signal(int)

    at = preview = None

    def __init__(self, model: EncodingModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._kind = "dot"
        self._theme: Theme | None = None
        self._colors: dict[str, Colors] = {}
        self._pointer: tuple[float, float] | None = None
        self._held: tuple[float, float] | None = None
        self._drags_profile = False
        self._hand = Hand(model)
        self._lags: Floats | None = None
        self._heights = (0.0, 1.0)
        self._kept_curve: tuple[SimilarityLayout, Floats | None, Curve | None] | None = None
        self.report: ShiftReport | None = None
        self.progress = ""
        self.fit()
        self.widget = FieldView(self)
        self.widget.setAccessibleName("Similarity of every two positions")

    @property
    def kind(self) -> str:
        return self._kind

    @property
    def heat_map(self) -> HeatMap:
        """What makes the pixels where there is no graphics card."""
        return self.widget.raster.heat_map

    @property
    def n_lags_wanted(self) -> int:
        """How many lags the visible part of the profile needs."""
        reach = max(abs(self._offsets.first), abs(self._offsets.last))
        return min(int(reach) + 2, self._model.encoding.n_positions)

    def set_kind(self, kind: str) -> None:
        """Show another measure; its lags are asked for anew."""
        if kind != self._kind:
            self._kind = kind
            self.show_lags(None)

    def fit(self) -> None:
        """All positions, and the profile as wide as is quickly had."""
        n_positions = self._model.encoding.n_positions
        self._rows = self._columns = full_span(n_positions)
        reach = float(min(max(n_positions - 1, 1), WIDEST_FIRST_PROFILE))
        self._offsets = Span(-reach, reach)

    def show_theme(self, theme: Theme) -> None:
        self._theme = theme
        diverging, sequential = color_table(theme.diverging), color_table(theme.sequential)
        self._colors = {"dot": diverging, "cosine": diverging, "distance": sequential}
        self.widget.show_theme(theme)

    def show_lags(self, lags: Floats | None, limits: tuple[float, float] | None = None) -> None:
        """Draw the profile as far as it is known now; limits: how far it reaches where rows differ and have no lags."""
        self._lags = lags
        self._heights = profile_heights(self._model.encoding, self._kind, lags, limits)
        self.widget.redraw()

    def layout_now(self) -> SimilarityLayout:
        """Where everything stands."""
        return self._layout(float(self.widget.width()), float(self.widget.height()))

    def field(self) -> Field:
        """What the heat map draws."""
        return similarity_field(self._model.encoding, self._kind)

    def values(self) -> tuple[float, float]:
        return cursor_similarities(self._model.encoding, self._kind, self._model.cursor)

    def still(self, width: float, height: float) -> marks.Picture:
        """Axes, colour bar, the profile of every row."""
        assert self._theme is not None
        layout, limits = self._layout(width, height), self.field().limits
        bar = map_image(self._theme, is_diverging=self._kind != "distance", is_upright=True)
        n_positions, heights = self._model.encoding.n_positions, self._heights
        is_shared = self._model.encoding.is_shift_invariant
        return (
            *similarity_frame_picture(layout, self._kind, limits, bar, n_positions, self._theme),
            *profile_frame_picture(layout, self._kind, heights, self._lags, self._theme, is_shared=is_shared),
        )

    def moving(self, width: float, height: float) -> marks.Picture:
        """Diagonal, row, dot, row t of the profile, numbers."""
        assert self._theme is not None
        layout, encoding, cursor = self._layout(width, height), self._model.encoding, self._model.cursor
        n_positions, heights = encoding.n_positions, self._heights
        spread = None if self.report is None else self.report.spreads[self._kind].spread
        values = self.values()
        if encoding.is_shift_invariant:
            seen = layout, heights, self._lags, self._curve(layout)
            profile = profile_cursor_picture(*seen, cursor, n_positions, self._theme)
        else:
            row = row_of(layout, encoding, self._kind, cursor)
            profile = row_picture(layout, heights, row, values[0], cursor, self._theme)
        return (
            *coarse_map_picture(layout, self._theme, is_coarse=self.widget.coarseness is not None),
            *similarity_cursor_picture(layout, cursor, n_positions, self._theme),
            *profile,
            *similarity_readout_picture(layout, self._kind, cursor, values, spread, self._theme),
            *self._progress(layout),
            *self._readout(layout),
        )

    def heat_layer(self, width: float, height: float) -> HeatLayer | None:
        """The visible part of the map."""
        if self._theme is None:
            return None
        view = View(self._rows.first + 0.5, self._rows.last + 0.5, self._columns.first + 0.5, self._columns.last + 0.5)
        area = self._layout(width, height).map
        return HeatLayer(self.field(), view, self._colors[self._kind], self._theme.panel, area)

    def readout_lines(self, x: float, y: float) -> tuple[str, ...]:
        """What is under a point of the map, or of the profile."""
        layout = self.layout_now()
        if _holds(layout.map, x, y):
            row, column = self._cell(layout, x, y)
            value = repr(similarity_pair(self._model.encoding, self._kind, row, column))
            lines = [value.replace("-", MINUS)]
            lines.append(f"{TITLES[self._kind].lower()} of {number_text.whole(row)} and {number_text.whole(column)}")
            lines.append(f"offset {number_text.whole(column - row)}")
            pixel = layout.rows.width / layout.map.height / self.widget.devicePixelRatioF()
            if pixel > 1:
                lines.append(f"the colour is the {self.field().averages} over about {number_text.whole(pixel)}² cells")
            if self.widget.coarseness is not None:
                lines.append("its colour is coarse, refining")
            return tuple(lines)
        if _holds(layout.profile, x, y):
            offset = round(layout.offset_at(x))
            return profile_lines(self._model.encoding, self._kind, self._model.cursor, offset)
        return ()

    def _layout(self, width: float, height: float) -> SimilarityLayout:
        return similarity_layout(width, height, self._rows, self._columns, self._offsets)

    def _cell(self, layout: SimilarityLayout, x: float, y: float) -> tuple[float, float]:
        last = float(self._model.encoding.n_positions - 1)
        row, column = layout.cell_at(x, y)
        return min(max(float(round(row)), 0.0), last), min(max(float(round(column)), 0.0), last)

    def _curve(self, layout: SimilarityLayout) -> Curve | None:  # it stays while the cursor moves
        if self._kept_curve is None or self._kept_curve[0] != layout or self._kept_curve[1] is not self._lags:
            self._kept_curve = (layout, self._lags, profile_curve(layout, self._heights, self._lags))
        return self._kept_curve[2]

    def _progress(self, layout: SimilarityLayout) -> marks.Picture:
        if not self.progress or self._theme is None:
            return ()
        x, y = layout.profile.middle
        return (marks.Text(x, y, self.progress, "caption", self._theme.text2, across=0.5),)

    def _readout(self, layout: SimilarityLayout) -> marks.Picture:
        if self._pointer is None or self._theme is None:
            return ()
        lines = self.readout_lines(*self._pointer)
        return readout_picture(*self._pointer, float(self.widget.width()), lines, self._theme) if lines else ()

    def press(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer, or take hold."""
        x, y = event.position().x(), event.position().y()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._held = (x, y)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._hand.press()
            self._drags_profile = _holds(self.layout_now().profile, x, y)
            self._commit(x, y)

    def move(self, event: QMouseEvent) -> None:
        """Drag what is held; without a button, read out."""
        x, y = event.position().x(), event.position().y()
        if self._held is not None:
            self._pan(x, y)
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._commit(x, y)
        self._pointer = (x, y)
        self.widget.refresh()

    def release(self, event: QMouseEvent) -> None:
        """Let go."""
        self._hand.release()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._held = None

    def double_click(self, event: QMouseEvent) -> None:
        """Show everything."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._hand.give_back()
            self.fit()
            self._view_changed()

    def leave(self) -> None:
        """No pointer, no read-out."""
        self._pointer = None
        self.widget.refresh()

    def wheel(self, event: QWheelEvent) -> bool:
        """Zoom about the pointer."""
        layout, place = self.layout_now(), event.position()
        factor = ZOOM_PER_NOTCH ** wheel_notches(event)
        if _holds(layout.map, place.x(), place.y()):
            row, column = layout.cell_at(place.x(), place.y())
            n_positions = self._model.encoding.n_positions
            self._rows = self._rows.zoomed(factor, row).within(n_positions)
            self._columns = self._columns.zoomed(factor, column).within(n_positions)
        elif place.y() > layout.profile.y - 10.0:
            self._offsets = self._within(self._offsets.zoomed(factor, layout.offset_at(place.x())))
        self._view_changed()
        return True

    def _pan(self, x: float, y: float) -> None:
        if self._held is None:
            return
        layout, n_positions = self.layout_now(), self._model.encoding.n_positions
        if _holds(layout.map, *self._held):
            before, now = layout.cell_at(*self._held), layout.cell_at(x, y)
            self._rows = self._rows.moved(before[0] - now[0]).within(n_positions)
            self._columns = self._columns.moved(before[1] - now[1]).within(n_positions)
        else:
            step = layout.offset_at(self._held[0]) - layout.offset_at(x)
            self._offsets = self._within(self._offsets.moved(step))
        self._held = (x, y)
        self._view_changed()

    def _within(self, offsets: Span) -> Span:
        reach = float(max(self._model.encoding.n_positions - 1, 1))
        width = min(max(offsets.width, NARROWEST_PROFILE), 2 * reach)
        first = min(max(offsets.first, -reach), reach - width)
        return Span(first, first + width)

    def _view_changed(self) -> None:
        self.widget.redraw()
        if self._lags is not None and len(self._lags) < self.n_lags_wanted:
            self.lags_wanted.emit(self.n_lags_wanted)

    def _commit(self, x: float, y: float) -> None:
        layout = self.layout_now()
        if self._drags_profile:
            self._model.move_cursor(offset=float(round(layout.offset_at(x))))
        elif _holds(layout.map, x, y):
            row, column = self._cell(layout, x, y)
            self._model.move_cursor(position=row, offset=column - row)


def _holds(area: Area, x: float, y: float) -> bool:
    return area.x <= x < area.x + area.width and area.y <= y < area.y + area.height
