"""The waves: sine and cosine of every pinned pair against the position, with the cursors at t and t + k."""

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.core.columns import hand_values
from pe_desktop.core.cursor import Cursor, Span, full_span, visible_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.hand_text import hand_name, legend_names, part_names, value_text
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.pointer import Hand, wheel_notches
from pe_desktop.views.waves.layout import WavesLayout, most_rows
from pe_desktop.views.waves.picture import cursor_picture, more_picture, numbers_header, preview_picture, waves_picture

ZOOM_PER_NOTCH = 1.25


class WavesCanvas(PictureCanvas):
    """The rows of waves. Drag moves t, Shift-drag k, middle-drag pans, the wheel zooms, a double click fits."""

    plot_moved = Signal()

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._pan_from: tuple[float, Span] | None = None
        self._drags_offset = False
        self._hand = Hand(model)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Waves of the pinned pairs")

    def shown_pairs(self) -> list[int]:
        """The pinned pairs that find a row."""
        pins = visible_pins(self._model.cursor, self._model.encoding)
        return list(pins[: most_rows(float(self.height()))])

    def layout_now(self) -> WavesLayout:
        """Where everything stands at the widget's size."""
        return WavesLayout(float(self.width()), float(self.height()), len(self.shown_pairs()), self._model.span)

    def still_picture(self, width: float, height: float) -> marks.Picture:
        encoding, layout, shown = self._model.encoding, self.layout_now(), self.shown_pairs()
        n_hidden = len(visible_pins(self._model.cursor, encoding)) - len(shown)
        curves = waves_picture(layout, encoding, shown, self.theme, self.devicePixelRatioF())
        return (*curves, *numbers_header(layout, self.theme), *more_picture(layout, n_hidden, self.theme))

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        layout, cursor = self.layout_now(), self._model.cursor
        preview = preview_picture(layout, self._model.preview, self.theme)
        return (*preview, *cursor_picture(layout, self._model.encoding, self.shown_pairs(), cursor, self.theme))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = (event.position().x(), self._model.span)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._hand.press()
            self._show_preview(None)
            self._drags_offset = self._takes_offset(event)
            self._choose_row(event.position())
            self._commit(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._pan_from is not None:
            start, span = self._pan_from
            layout = self.layout_now()
            pixels = layout.right - layout.left
            self._model.set_span(span.moved((start - x) / pixels * span.width))
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._commit(x)
        else:
            self._show_preview(self._whole_position(x) if self._is_in_plot(event.position()) else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._hand.release()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._hand.give_back()
            self._model.set_span(full_span(self._model.encoding.n_positions))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._hand.step(event)
        else:
            anchor = self.layout_now().position(event.position().x())
            self._model.set_span(self._model.span.zoomed(ZOOM_PER_NOTCH ** wheel_notches(event), anchor))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._show_preview(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.plot_moved.emit()

    def _takes_offset(self, event: QMouseEvent) -> bool:
        # The hollow cursor can be dragged by itself where it doesn't lie on the solid one.
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return True
        layout, cursor = self.layout_now(), self._model.cursor
        x = event.position().x()
        to_later = abs(layout.x(cursor.position + cursor.offset) - x)
        return to_later <= 5.0 and to_later < abs(layout.x(cursor.position) - x)

    def _choose_row(self, place: QPointF) -> None:
        layout, shown = self.layout_now(), self.shown_pairs()
        row = int((place.y() - layout.row_middle(0)) / layout.row_height + 0.5)
        if place.x() < layout.left and 0 <= row < len(shown):
            self._model.move_cursor(pair=shown[row])

    def _commit(self, x: float) -> None:
        if x < self.layout_now().left - 20.0:
            return
        position = self._whole_position(x)
        if self._drags_offset:
            self._model.move_cursor(offset=position - self._model.cursor.position)
        else:
            self._model.move_cursor(position=position)

    def _whole_position(self, x: float) -> float:
        layout = self.layout_now()
        return float(round(layout.position(min(max(x, layout.left), layout.right))))

    def _is_in_plot(self, place: QPointF) -> bool:
        layout = self.layout_now()
        return layout.left - 2 <= place.x() <= layout.right + 2

    def _show_preview(self, position: float | None) -> None:
        if position != self._model.preview:
            self._model.set_preview(position)
            self.setToolTip(self._sentence(position) if position is not None else "")

    def _sentence(self, position: float) -> str:
        encoding, shown = self._model.encoding, self.shown_pairs()[:8]
        limit = encoding.value_limit
        lines = [f"position {number_text.whole(position)}"]
        for hand, values in zip(shown, hand_values(encoding, [position], shown)[0].tolist(), strict=True):
            words = [
                f"{name} {value_text(value, limit, 4)}"
                for name, value in zip(part_names(encoding, hand), values, strict=True)
                if name
            ]
            head = f"pair {hand}: " if encoding.pairs is not None else ""
            lines.append(head + ", ".join(words))
        return "\n".join(lines)


class LegendCanvas(PictureCanvas):
    """Which line is the sine and which the cosine, or which of two columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = ("", "")

    def show_names(self, names: tuple[str, str]) -> None:
        """Other lines."""
        if names != self._names:
            self._names = names
            self.setFixedSize(math.ceil(sum(text_width("tick", name) for name in names)) + 92, 28)
            self.redraw()

    def still_picture(self, width: float, height: float) -> marks.Picture:
        theme, y = self.theme, height / 2
        solid, dotted = self._names
        first = 32.0 + text_width("tick", solid)
        ends = np.array([[0.0, y, 24.0, y]])
        return (
            marks.Segments(ends, theme.text2, 2.0),
            marks.Text(32.0, y, solid, "tick", theme.text2),
            marks.Segments(ends + np.array([first + 16.0, 0, first + 16.0, 0]), theme.text2, 1.4, (1.6, 3.2)),
            marks.Text(first + 48.0, y, dotted, "tick", theme.text2),
        )


class WavesPanel(Panel):
    """A row of waves for each pinned pair."""

    key = "waves"
    title = "Waves"
    area = Qt.DockWidgetArea.RightDockWidgetArea

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.canvas = WavesCanvas(model)
        self._legend = LegendCanvas(self)
        self._shown: list[int] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.canvas)
        self.setMinimumSize(420, 140)

    def header_widgets(self) -> list[QWidget]:
        return [self._legend]

    def picture_image(self) -> QImage:
        return self.canvas.picture_image()

    def readout(self) -> str:
        encoding, cursor = self.model.encoding, self.model.cursor
        places = [cursor.position, cursor.position + cursor.offset]
        head = "pair\tsin t\tcos t\tsin t+k\tcos t+k"
        lines = [head if encoding.pairs is not None else "columns\tfirst t\tsecond t\tfirst t+k\tsecond t+k"]
        for hand, values in zip(self._shown, hand_values(encoding, places, self._shown).swapaxes(0, 1), strict=True):
            name = str(hand) if encoding.pairs is not None else hand_name(encoding, hand).partition(" ")[2]
            digits = ["" if math.isnan(value) else repr(value) for value in values.ravel().tolist()]
            lines.append("\t".join([name, *digits]))
        return "\n".join(lines)

    def show_theme(self, theme: Theme) -> None:
        self.canvas.show_theme(theme)
        self._legend.show_theme(theme)

    def show_encoding(self, encoding: Encoding) -> None:
        self._legend.show_names(legend_names(encoding))
        self._show_rows()
        self.canvas.redraw()

    def show_span(self, span: Span) -> None:
        self.canvas.redraw()
        self._describe()

    def show_cursor(self, cursor: Cursor) -> None:
        if list(visible_pins(cursor, self.model.encoding)) != self._shown:
            self._show_rows()
            self.canvas.redraw()
        self.canvas.update()

    def show_preview(self, position: float | None) -> None:
        self.canvas.update()

    def _show_rows(self) -> None:
        self._shown = list(visible_pins(self.model.cursor, self.model.encoding))
        self._describe()

    def _describe(self) -> None:
        n_rows, span = len(self._shown), self.model.span
        if self.model.encoding.pairs is not None:
            words = "one hand of the clock" if n_rows == 1 else f"{n_rows} hands of the clock"
        else:
            words = "two columns" if n_rows == 1 else f"{n_rows} × 2 columns"
        if span == full_span(self.model.encoding.n_positions):
            self.set_subtitle(f"{words} against position")
        else:
            first, last = number_text.whole(math.ceil(span.first)), number_text.whole(math.floor(span.last))
            self.set_subtitle(f"positions {first} to {last}, double click shows all")
