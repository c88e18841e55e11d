"""The two canvases of Compare: the head with the columns' names, and the rows, of which a press chooses one."""

import math
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis, Measurement
from pe_desktop.core.presets import Compared, Preset
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.typefaces import plain_formula
from pe_desktop.views.compare.picture import (
    HEADER_HEIGHT,
    CompareLayout,
    compare_picture,
    header_picture,
    row_height,
)
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES

STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class CompareHeader(PictureCanvas):
    """The names of the columns; its picture is as wide as that of the rows, which a scroll bar may narrow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns_width = 0
        self.setFixedHeight(int(HEADER_HEIGHT))

    def show_width(self, width: int) -> None:
        """Place the columns in another width."""
        if width != self._columns_width:
            self._columns_width = width
            self.redraw()

    def still_picture(self, width: float, height: float) -> marks.Picture:
        return header_picture(float(self._columns_width or width), self.theme)


class CompareRows(PictureCanvas):
    """A row for each encoding. Up and Down choose the one above or below, a press the one under the pointer."""

    # The id of a preset.
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Compared, ...] = ()
        self._place: int | None = None
        self._analyses: Mapping[Encoding, Analysis] = {}
        self._tables: dict[Encoding, QImage] = {}
        self._room = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def place(self) -> int | None:
        """The row of the window's encoding."""
        return self._place

    @property
    def table_size(self) -> tuple[int, int]:
        """The device pixels of a table, (0, 0) where there is no room for one."""
        ratio = self.devicePixelRatioF()
        _, _, width, height = self.layout_now().table(0)
        return (round(width * ratio), round(height * ratio)) if width else (0, 0)

    def measured(self, row: Compared) -> Mapping[str, Measurement]:
        """What is known of a row, by the keys of the measurements."""
        analysis = self._analyses.get(row.encoding)
        return {} if analysis is None else {one.key: one for one in analysis.measurements}

    def show_rows(self, rows: tuple[Compared, ...], encoding: Encoding, preset: Preset | None) -> None:
        """Show other rows, and which of them the window shows: the one of its preset, or the first of its table."""
        same = [place for place, row in enumerate(rows) if row.encoding == encoding]
        named = [place for place in same if rows[place].preset == preset]
        self.rows, self._place = rows, next(iter(named + same), None)
        self.fit(self._room)
        self._describe()
        self.redraw()

    def layout_now(self) -> CompareLayout:
        """Where everything stands."""
        return CompareLayout(float(self.width()), row_height(len(self.rows), float(self._room)))

    def fit(self, room: int) -> None:
        """Take as much of a room of this height as the rows want."""
        self._room = room
        self.setFixedHeight(math.ceil(len(self.rows) * row_height(len(self.rows), float(room))))

    def show_analyses(self, analyses: Mapping[Encoding, Analysis]) -> None:
        """Show what has been measured."""
        self._analyses = analyses
        self._describe()
        self.redraw()

    def show_tables(self, tables: Mapping[Encoding, QImage]) -> None:
        """Show the tables of these encodings."""
        self._tables = dict(tables)
        self.redraw()

    def still_picture(self, width: float, height: float) -> marks.Picture:
        measured = [self.measured(row) for row in self.rows]
        tables = [self._tables.get(row.encoding) for row in self.rows]
        return compare_picture(self.layout_now(), self.rows, measured, tables, self.theme, chosen=self._place)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.sentence_at(event.pos()), self)
            return True
        return super().event(event)

    def sentence_at(self, place: QPoint) -> str:
        """What the cell under a point says in full; beside the cells, what the row is."""
        number = self.layout_now().row_at(float(place.y()), len(self.rows))
        if number is None:
            return ""
        row = self.rows[number]
        for key, (left, width) in self.layout_now().cells.items():
            if left <= place.x() < left + width:
                one = self.measured(row).get(key)
                name = PROPERTY_NAMES[key]
                if one is None:
                    return f"{name}: not measured yet"
                return f"{name}: {words.verdict_text(one)}\n{words.sentence(one)}\nMeasured: {words.basis(one)}."
        lines = [row.title, *(plain_formula(line) for line in row.formulas)]
        return "\n".join([*lines, *([] if row.preset is None else [row.preset.sentence])])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.layout_now().row_at(event.position().y(), len(self.rows))
        if number is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self.layout_now().row_at(event.position().y(), len(self.rows))
        leads = number is not None and number != self._place and self.rows[number].preset is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() or not self.rows:
            super().keyPressEvent(event)
            return
        self._choose(min(max((-1 if self._place is None else self._place) + step, 0), len(self.rows) - 1))

    def _choose(self, number: int) -> None:
        preset = self.rows[number].preset
        if number != self._place and preset is not None:
            self.chosen.emit(preset.id)

    def _describe(self) -> None:
        self.setAccessibleName(f"Comparison of {len(self.rows)} encodings")
        if self._place is not None:
            row = self.rows[self._place]
            found = [f"{words.name(one)}: {words.verdict_text(one)}" for one in self.measured(row).values()]
            self.setAccessibleDescription(", ".join([row.title, *found]))


def stacked(upper: PictureCanvas, lower: PictureCanvas) -> QImage:
    """The pictures of two canvases of one width, one under the other."""
    above, below = upper.picture_image(), lower.picture_image()
    ratio = above.devicePixelRatio()
    image = QImage(above.width(), above.height() + below.height(), above.format())
    image.setDevicePixelRatio(ratio)
    image.fill(lower.theme.panel)
    painter = QPainter(image)
    painter.drawImage(QPointF(0.0, 0.0), above)
    painter.drawImage(QPointF(0.0, above.height() / ratio), below)
    painter.end()
    return image
