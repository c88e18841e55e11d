"""The matrix as a view: what it shows of the model, and what pointer and wheel do to it."""

import math

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent

from pe_desktop.core.cursor import Cursor, MatrixSight, Span, full_span
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.table import EncodingField, HalvesField, TransposedField
from pe_desktop.core.number_text import MINUS
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.heat.field_view import FieldView
from pe_desktop.heat.heatmap import Colors, HeatMap, View, color_table
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.matrix_readout import mean_line
from pe_desktop.panels.pointer import Hand, wheel_notches
from pe_desktop.views.matrix.layout import MatrixLayout, RowOrder, row_order
from pe_desktop.views.matrix.picture import (
    coarse_picture,
    matrix_cursor_picture,
    matrix_frame_picture,
    number_picture,
    preview_cell_picture,
    readout_picture,
)
from pe_desktop.views.matrix.strip import strip_frame_picture, strip_picture, sum_limit, sum_picture

ZOOM_PER_NOTCH = 1.25


class MatrixView(QObject):
    """Draws the matrix into a FieldView and turns mouse events into commands of the model."""

    view_changed = Signal()

    at = preview = None

    def __init__(self, model: EncodingModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._d_model = float(model.encoding.d_model)
        self._rows = Span(0.0, self._d_model)
        self._is_transposed = False
        self._badges = (model.cursor.pair, model.cursor.pinned_pairs)
        self._pointer: tuple[float, float] | None = None
        self._held: tuple[float, float] | None = None
        self._drags_offset = False
        self._adds_embedding = False
        self._hand = Hand(model)
        self._theme: Theme | None = None
        self._colors: Colors | None = None
        self.widget = FieldView(self)
        self.widget.setAccessibleName("Encoding matrix")

    @property
    def heat_map(self) -> HeatMap:
        """What makes the pixels where there is no graphics card."""
        return self.widget.raster.heat_map

    @property
    def rows(self) -> Span:
        """The visible rows."""
        return self._rows

    @property
    def sight(self) -> MatrixSight:
        """The same for a figure, and whether positions run downwards."""
        return MatrixSight(None if self._rows.width == self._d_model else self._rows, self._is_transposed)

    def layout_now(self) -> MatrixLayout:
        """Where everything stands."""
        width, height = float(self.widget.width()), float(self.widget.height())
        return self._layout(width, height)

    def order_now(self) -> RowOrder:
        """Which dimension a row shows now."""
        layout = self.layout_now()
        pixels = layout.n_row_pixels * self.widget.devicePixelRatioF()
        return row_order(self._model.encoding, self._rows.width, pixels)

    def show_theme(self, theme: Theme) -> None:
        self._theme, self._colors = theme, color_table(theme.diverging)
        self.widget.show_theme(theme)

    def show_encoding(self) -> None:
        d_model = float(self._model.encoding.d_model)
        if d_model != self._d_model:
            showed_everything = self._rows.width == self._d_model
            self._d_model = d_model
            self._rows = Span(0.0, d_model) if showed_everything else self._within(self._rows)
        self.widget.redraw()

    def show_cursor(self, cursor: Cursor) -> None:
        badges = (cursor.pair, cursor.pinned_pairs)
        if badges != self._badges:
            self._badges = badges
            self.widget.redraw()
        else:
            self.widget.refresh()

    def set_rows(self, rows: Span) -> None:
        """Show other rows; a stretch that leaves the table is moved back into it."""
        rows = self._within(rows)
        if rows != self._rows:
            self._rows = rows
            self.widget.redraw()
            self.view_changed.emit()

    def toggle_transposed(self) -> None:
        """Swap the axes."""
        self._is_transposed = not self._is_transposed
        self.widget.redraw()
        self.view_changed.emit()

    def set_adds_embedding(self, adds: bool) -> None:
        """Show x + p_t in the strip, or p_t again."""
        self._adds_embedding = adds
        self.widget.redraw()

    def fit(self) -> None:
        """Show the whole table."""
        encoding = self._model.encoding
        self._model.set_span(full_span(encoding.n_positions))
        self.set_rows(Span(0.0, float(encoding.d_model)))

    def still(self, width: float, height: float) -> marks.Picture:
        """Axes, ramp, strip's frame."""
        assert self._theme is not None
        layout, order = self._layout(width, height), self.order_now()
        ratio = self.widget.devicePixelRatioF()
        limit = sum_limit(order.encoding) if self._adds_embedding else order.encoding.value_limit
        frame = matrix_frame_picture(layout, order, self._model.cursor, self._theme, ratio)
        return (*frame, *strip_frame_picture(layout, limit, self._theme))

    def moving(self, width: float, height: float) -> marks.Picture:
        """Cursors, strip, read-out."""
        assert self._theme is not None
        layout, order, cursor = self._layout(width, height), self.order_now(), self._model.cursor
        coarse = coarse_picture(layout, self.widget.coarseness, self._theme)
        if self._adds_embedding:
            strip = sum_picture(layout, order, cursor, self._theme, has_room=not coarse)
        else:
            strip = strip_picture(layout, order, cursor, self._theme)
        return (
            *number_picture(layout, order, self._theme),
            *preview_cell_picture(layout, order, self._model.preview, self._theme),
            *matrix_cursor_picture(layout, order, cursor, self._theme),
            *strip,
            *coarse,
            *self._readout(layout, order),
        )

    def heat_layer(self, width: float, height: float) -> HeatLayer | None:
        """The visible part of the table, or of the table on its side."""
        if self._theme is None or self._colors is None:
            return None
        span, rows, field = self._model.span, self._rows, self.field()
        first, last = span.first + 0.5, span.last + 0.5
        view = View(rows.first, rows.last, first, last)
        if self._is_transposed:
            field, view = TransposedField(field), View(first, last, rows.first, rows.last)
        layout = self._layout(width, height)
        area = Area(layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top)
        return HeatLayer(field, view, self._colors, self._theme.panel, area)

    def field(self) -> Field:
        """What the heat map draws: the table, or its halves where rows outnumber pixels."""
        encoding = self._model.encoding
        return HalvesField(encoding) if self.order_now().is_halved else EncodingField(encoding)

    def readout_lines(self, x: float, y: float) -> tuple[str, ...]:
        """What is under a point: the exact value of its cell and, where the pixel covers many, their mean."""
        layout, order = self.layout_now(), self.order_now()
        if not layout.holds(x, y):
            return ()
        position, row = self._cell(layout, order, x, y)
        dimension = order.dimension(row)
        pair, part = order.pair_and_part(row)
        value = float(self._model.encoding.values([position], [dimension])[0, 0])
        lines = [repr(value).replace("-", MINUS)]
        lines.append(f"position {number_text.whole(position)}, dim {number_text.whole(dimension)}")
        name = hand_name(self._model.encoding, pair)
        lines.append(f"{name}, {part}" if self._model.encoding.pairs is not None else name)
        n_positions, n_rows = self._cells_per_pixel(layout)
        if n_positions > 1 or n_rows > 1:
            lines.append(mean_line(self.field(), order, (row, n_rows), (position, n_positions)))
        if self.widget.coarseness is not None:
            lines.append("its colour is coarse, refining")
        return tuple(lines)

    def _within(self, rows: Span) -> Span:
        width = min(max(rows.width, 1.0), self._d_model)
        first = min(max(rows.first, 0.0), self._d_model - width)
        return Span(first, first + width)

    def _layout(self, width: float, height: float) -> MatrixLayout:
        return MatrixLayout(width, height, self._model.span, self._rows, self._is_transposed)

    def _cell(self, layout: MatrixLayout, order: RowOrder, x: float, y: float) -> tuple[int, int]:
        position, row = layout.cell_at(x, y)
        last = self._model.encoding.n_positions - 1
        return min(max(round(position), 0), last), min(max(math.floor(row), 0), order.n_rows - 1)

    def _cells_per_pixel(self, layout: MatrixLayout) -> tuple[int, int]:
        ratio = self.widget.devicePixelRatioF()
        positions, rows = 1 / (layout.position_pixels * ratio), 1 / (layout.row_pixels * ratio)
        return max(math.ceil(positions - 1e-9), 1), max(math.ceil(rows - 1e-9), 1)

    def _readout(self, layout: MatrixLayout, order: RowOrder) -> marks.Picture:
        if self._pointer is None or self._theme is None:
            return ()
        lines = self.readout_lines(*self._pointer)
        return readout_picture(*self._pointer, layout.width, lines, self._theme) if lines else ()

    def press(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer, or take hold."""
        x, y = event.position().x(), event.position().y()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._held = (x, y)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._hand.press()
            self._drags_offset = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._commit(x, y)

    def move(self, event: QMouseEvent) -> None:
        """Drag what is held; without a button, read out."""
        x, y = event.position().x(), event.position().y()
        if self._held is not None:
            self._pan(x, y)
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._commit(x, y)
        self._pointer = (x, y)
        layout, order = self.layout_now(), self.order_now()
        inside = layout.holds(x, y)
        self._model.set_preview(float(self._cell(layout, order, x, y)[0]) if inside else None)
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

    def leave(self) -> None:
        """No pointer, no read-out."""
        self._pointer = None
        self._model.set_preview(None)
        self.widget.refresh()

    def wheel(self, event: QWheelEvent) -> bool:
        """Zoom about the pointer."""
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._hand.step(event)
            return True
        layout, place = self.layout_now(), event.position()
        position, row = layout.cell_at(place.x(), place.y())
        beside = place.y() >= layout.bottom if layout.is_transposed else place.x() < layout.left
        under = place.x() < layout.left if layout.is_transposed else place.y() >= layout.bottom
        factor = ZOOM_PER_NOTCH ** wheel_notches(event)
        if not beside:
            self._model.set_span(self._model.span.zoomed(factor, position))
        if not under:
            self.set_rows(self._rows.zoomed(factor, row))
        return True

    def _pan(self, x: float, y: float) -> None:
        if self._held is None:
            return
        layout = self.layout_now()
        before, now = layout.cell_at(*self._held), layout.cell_at(x, y)
        self._held = (x, y)
        self._model.set_span(self._model.span.moved(before[0] - now[0]))
        self.set_rows(self._rows.moved(before[1] - now[1]))

    def _commit(self, x: float, y: float) -> None:
        layout, order = self.layout_now(), self.order_now()
        position, row = self._cell(layout, order, x, y)
        if self._drags_offset:
            self._model.move_cursor(offset=position - self._model.cursor.position)
        else:
            self._model.move_cursor(position=float(position), pair=order.pair_and_part(row)[0])
