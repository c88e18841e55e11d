"""The encoding matrix: every value of the table as a colour, from ten million positions to one cell."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from pe_desktop.core.cursor import ALL_UPRIGHT, Cursor, MatrixSight, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import number_text
from pe_desktop.draw.hand_text import limit_texts
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.panels.controls.color_bar import ColorBar
from pe_desktop.panels.heat_base import LateHeatPanel
from pe_desktop.views.matrix.strip import sum_sentences

if TYPE_CHECKING:
    from pe_desktop.panels.matrix_view import MatrixView


class MatrixPanel(LateHeatPanel):
    """The table as a heat map, with the cursors, the chosen pair and the strip of p_t."""

    key = "matrix"
    title = "Encoding matrix"
    area = Qt.DockWidgetArea.RightDockWidgetArea

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._theme: Theme | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._bar = ColorBar(self)
        self._transpose = IconButton("transpose", "Transpose: positions downwards (V)", self)
        self._transpose.clicked.connect(self.toggle_transposed)
        self.adds_embedding = QToolButton(self)
        self.adds_embedding.setText("x + PE")
        self.adds_embedding.setCheckable(True)
        self.adds_embedding.setToolTip(
            "Add the encoding to the embedding x of a token (a seeded random vector, variance 1).\n"
            "The strip shows x + PE at t, the words how much of it is position; the map stays PE."
        )
        self.adds_embedding.toggled.connect(self._on_adds_embedding)
        self.view: MatrixView | None = None
        self.setMinimumSize(420, 140)

    def header_widgets(self) -> list[QWidget]:
        return [*super().header_widgets(), self._bar, self.adds_embedding, self._transpose]

    def toggle_transposed(self) -> None:
        """Positions downwards, or across again."""
        if self.view is not None:
            self.view.toggle_transposed()

    @property
    def sight(self) -> MatrixSight:
        """The rows that are seen, and whether on their side."""
        return self.view.sight if self.view is not None else ALL_UPRIGHT

    def picture_image(self) -> QImage | None:
        return self.view.widget.picture_image() if self.view is not None else None

    def readout(self) -> str:
        cursor, encoding = self.model.cursor, self.model.encoding
        now, later = encoding.values([cursor.position, cursor.position + cursor.offset]).tolist()
        lines = list(sum_sentences(encoding, cursor)[:1]) if self.adds_embedding.isChecked() else []
        lines += [f"dim\tt = {cursor.position:g}\tt + k = {cursor.position + cursor.offset:g}"]
        lines += [f"{dim}\t{value!r}\t{other!r}" for dim, (value, other) in enumerate(zip(now, later, strict=True))]
        return "\n".join(lines)

    @property
    def is_made(self) -> bool:
        return self.view is not None and super().is_made

    def catch_up(self) -> None:
        if self.view is None:
            self.call_when_painted(self._make_view)
        else:
            super().catch_up()

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._theme = theme
        self._bar.show_theme(theme)
        if self.view is not None:
            self.view.show_theme(theme)

    def show_encoding(self, encoding: Encoding) -> None:
        if self.view is not None:
            self.view.show_encoding()
            self._bar.show_ends(*limit_texts(encoding.value_limit))
            self._describe()

    def show_span(self, span: Span) -> None:
        if self.view is not None:
            self.view.widget.redraw()
            self._describe()

    def show_cursor(self, cursor: Cursor) -> None:
        if self.view is not None:
            self.view.show_cursor(cursor)

    def show_preview(self, position: float | None) -> None:
        if self.view is not None:
            self.view.widget.refresh()

    def _on_adds_embedding(self, adds: bool) -> None:
        if self.view is not None:
            self.view.set_adds_embedding(adds)

    def _make_view(self) -> None:
        if self.view is not None:
            return
        from pe_desktop.panels.matrix_view import MatrixView  # noqa: PLC0415 - pyqtgraph takes as long as all the rest

        self.view = MatrixView(self.model, self)
        self._column.addWidget(self.view.widget)
        if self.renderer is not None:
            self.view.widget.use_renderer(self.renderer)
        self.view.view_changed.connect(self._describe)
        self.view.set_adds_embedding(self.adds_embedding.isChecked())
        if self._theme is not None:
            self.view.show_theme(self._theme)
        self.catch_up()

    def _describe(self) -> None:
        encoding = self.model.encoding
        size = f"{_counted(encoding.n_positions, 'position')} × {_counted(encoding.d_model, 'dimension')}"
        if self.view is not None and self.view.order_now().is_halved:
            size += ", sines over cosines"
        self.set_subtitle(size)


def _counted(number: int, noun: str) -> str:
    return f"{number_text.whole(number)} {noun}{'' if number == 1 else 's'}"
