"""The encoding matrix: every value of the table as a colour, from ten million positions to one cell."""

import math
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.core.fields.field import ColorScale
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.panels.controls.buttons import IconButton, TextButton, acting
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.gestures import Changes, Drag, Reactions, Zoomed, pressed
from pe_desktop.panels.heat_base import HeatPanel
from pe_desktop.views.controls import Flag
from pe_desktop.views.matrix import scene as view
from pe_desktop.views.matrix.layout import MatrixLayout, RowOrder

_BAR_WIDTH = 84.0
# Where the focus is drawn.
_BAR_EDGE = 2
# Of the colours beside long numbers, in a panel narrower than this.
_LEAST_BAR_WIDTH, _WIDE = 20.0, 640
_USUAL_TEXTS = ("−1", "+1")


class MatrixPanel(HeatPanel):
    """The table as a heat map. Drag moves t and the pair, Shift-drag k, middle-drag pans, the wheel zooms."""

    key = "matrix"
    tab_title = "Matrix"
    smallest = (420, 60)
    choices_title = "Colours…"
    describes_cursor = False
    controls = (
        Flag(
            name="matrix.shows_terms",
            text="Terms",
            tooltip="What each hand adds to the dot product of t and t + k: cos(kω), and its running sum.\n"
            "It ends at the number that Similarity tells.",
            also={"matrix.adds_embedding": False},
        ),
        Flag(
            name="matrix.adds_embedding",
            text="x + PE",
            tooltip="Add the encoding to the embedding x of a token (drawn at random, the same each time).\n"
            "The strip shows x + PE at t, the words how far PE turns x and how much is position; the map stays PE.",
            also={"matrix.shows_terms": False},
        ),
    )

    def make(self) -> None:
        super().make()
        reach = "What the colours reach: the whole scale, what is seen, or values of your own"
        self._bar = acting(TextButton(self), self._open_range, reach)
        self._bar.setAccessibleName("Colours of the matrix")
        self._colors = Canvas(self._bar_scene)
        self._colors.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        filled(QHBoxLayout(self._bar), self._colors, margins=(_BAR_EDGE,) * 4)
        self._bar_texts = ("", "")
        transpose = IconButton("transpose", "Transpose: positions downwards", self, key="V")
        self._transpose = acting(transpose, partial(self.asked.emit, "transpose_matrix"))

    def layout_now(self) -> MatrixLayout:
        """Where everything stands on the canvas."""
        return view.layout_of(self.model.state, self.canvas.box())

    def header_widgets(self) -> list[QWidget]:
        return [self._bar, *self.control_set.row(is_in_title=True), self._transpose]

    def show_choices(self) -> None:
        super().show_choices()
        self._fit_bar()

    def _fit_bar(self) -> None:
        """Make room for the numbers at its ends; in a narrow panel the colours give it, so that no column is pushed."""
        scale = self._scale()
        self._bar_texts = _limit_texts(scale)
        words = lying_bar_width(0.0, self._bar_texts)
        usual = lying_bar_width(0.0, _USUAL_TEXTS)
        colors = _BAR_WIDTH if self.width() >= _WIDE else max(_BAR_WIDTH + usual - words, _LEAST_BAR_WIDTH)
        self._bar.setFixedSize(math.ceil(words + colors) + 2 * _BAR_EDGE, 24)
        self._bar.setAccessibleDescription(" to ".join(self._bar_texts))
        self._colors.show_what(self._bar_texts, scale.limits, self.model.state.views.matrix.colors)

    def subtitle_in(self, room: float = math.inf) -> str:
        text = super().subtitle_in()
        if self._order().is_halved:
            text = f"sines over cosines, {text}"
        return text if text_width("caption", text) <= room else super().subtitle_in(room)

    def reactions(self) -> Reactions:
        return Reactions(
            choose=self._choose,
            plots=self._plots,
            named_at=self._named_at,
            wheel_steps=True,
            has_readout=True,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_subtitle(self.subtitle_in())
        self._fit_bar()

    def _choose(self, drag: Drag) -> Changes:
        position, row = view.cell_at(self.model.state, self.canvas.box(), *drag.now)
        if drag.moves_offset:
            return {"offset": position - self.model.cursor.position}
        return {"position": float(position), "pair": int(self._order().owners[row])}

    def _plots(self) -> tuple[Zoomed, ...]:
        """Both axes about the cell of t and the pair; over the numbers of one of them that one alone."""
        layout, order, (width, height) = self.layout_now(), self._order(), self.canvas.size().toTuple()
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

    def _named_at(self, x: float, y: float) -> Changes:
        return pressed(self._choose, x, y) if self.layout_now().area.holds(x, y) else {}

    def _bar_scene(self, box: Box) -> Scene:
        theme = box.with_map_colors(self.model.state.views.matrix.colors).theme
        colors = map_colors(theme, self._scale().limits, is_diverging=True)
        wide = box.width - lying_bar_width(0.0, self._bar_texts)
        return Scene(lying_bar(box.width, box.height / 2, wide, self._bar_texts, colors, theme))

    def _open_range(self) -> None:
        self.open_choices(self._bar.mapToGlobal(self._bar.rect().bottomRight()))

    def _scale(self) -> ColorScale:
        return view.colors_reach(self.model.state, self.model.findings, self.canvas.box())


def _limit_texts(scale: ColorScale) -> tuple[str, str]:
    """The numbers at the two ends of the colours, and whether they are those of what is seen."""
    ends = Axis(Area(0.0, 0.0, 1.0, 1.0), *scale.limits).end_ticks(scale.is_cut)
    return f"seen {ends[0].text}" if scale.is_seen else ends[0].text, ends[-1].text
