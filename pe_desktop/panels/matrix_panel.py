"""The encoding matrix: every value of the table as a colour, from ten million positions to one cell."""

import math
from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.gestures import Changes, Drag, Zoomed, pressed
from pe_desktop.panels.heat_base import HeatPanel
from pe_desktop.views.controls import WORDS, Flag
from pe_desktop.views.matrix import scene as view
from pe_desktop.views.matrix.layout import MatrixLayout, RowOrder


class MatrixPanel(HeatPanel):
    """The table as a heat map. Drag moves t and the pair, Shift-drag k, middle-drag pans, the wheel zooms."""

    key = "matrix"
    controls = Flag(**WORDS["matrix"]["terms"]), Flag(**WORDS["matrix"]["sum"])
    has_buttons = False
    wheel_steps = has_readout = True

    def make(self) -> None:
        super().make()
        transpose = IconButton("transpose", "Transpose: positions downwards", self, key="V")
        self._transpose = acting(transpose, partial(self.asked.emit, "transpose_matrix"))

    def layout_now(self) -> MatrixLayout:
        """Where everything stands on the canvas."""
        return view.layout_of(self.model.state, self.canvas.box())

    def header_widgets(self) -> list[QWidget]:
        return [*self.control_set.row(is_in_title=True), self._transpose]

    def subtitle_in(self, room: float = math.inf) -> str:
        text = super().subtitle_in()
        if self._order().is_halved:
            text = f"sines over cosines, {text}"
        return text if text_width("caption", text) <= room else super().subtitle_in(room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_subtitle(self.subtitle_in())

    def changes_of(self, drag: Drag) -> Changes:
        position, row = view.cell_at(self.model.state, self.canvas.box(), *drag.now)
        if drag.moves_offset:
            return {"offset": position - self.model.cursor.position}
        return {"position": float(position), "pair": int(self._order().owners[row])}

    def plots(self) -> tuple[Zoomed, ...]:
        """Both axes about the cell of t and the pair; over the numbers of one of them that one alone."""
        layout, order, (_x, _y, width, height) = self.layout_now(), self._order(), self.canvas.box().area
        positions, rows = layout.position_axis, layout.row_axis
        row = rows.place_within(order.rows_of(self.model.cursor.pair)[0] + 1.0)
        key_point = layout.point(positions.place_within(self.model.cursor.position), row)
        x, bottom = layout.area.x, layout.area.bottom
        numbers = Area(x, bottom, width - x, height - bottom), Area(0.0, 0.0, x, bottom)
        over_positions, over_rows = reversed(numbers) if layout.is_transposed else numbers
        return (
            Zoomed(Area(x, 0.0, width - x, bottom), {"span": positions, "matrix.rows": rows}, key_point),
            Zoomed(over_positions, {"span": positions}, key_point),
            Zoomed(over_rows, {"matrix.rows": rows}, key_point),
        )

    def _order(self) -> RowOrder:
        return view.arranged(self.model.state, self.canvas.box())[1]

    def named_at(self, x: float, y: float) -> Changes:
        return pressed(self.changes_of, x, y) if self.layout_now().area.holds(x, y) else {}
