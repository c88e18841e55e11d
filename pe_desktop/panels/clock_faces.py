"""The faces of the clock and the room they share: one dial, small dials, and the dials of bits beside either."""

import math

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStyle, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.clock_canvas import DialCanvas
from pe_desktop.panels.small_dials_canvas import BitDialsCanvas, SmallDialsCanvas
from pe_desktop.views.clock.layout import Room, clock_room


class PagedArea(QScrollArea):
    """Page keys scroll; all other keys are the window's. The focus is for the dials that it holds."""

    def __init__(self, dials: SmallDialsCanvas, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(dials)
        self._dials = dials

    def bring_into_view(self, cells: QRect) -> None:
        """Scroll no further than it takes to see some cells, and so that the upper edge cuts no row."""
        bar, row = self.verticalScrollBar(), self._dials.grid.cell_height
        first = round(bar.value() / row)
        if not cells.isNull():
            lowest = math.ceil((cells.bottom() + 1 - self.viewport().height()) / row)
            first = min(max(first, lowest), round(cells.top() / row))
        bar.setValue(round(first * row))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()


class ClockFaces(QWidget):
    """One dial or one for each pair, alone or beside the dials of bits; each shows the model as it is."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.dial = DialCanvas(model, self)
        self.dials = SmallDialsCanvas(model)
        self.bits = BitDialsCanvas(model)
        self.dials_area = PagedArea(self.dials, self)
        self.dials_area.setWidgetResizable(True)
        self.bits_area = PagedArea(self.bits, self)
        self._shows_each = False
        self._follows_pair = False
        self.show_faces(each=False, code=None)

    @property
    def canvases(self) -> tuple[PictureCanvas, ...]:
        """All that is drawn."""
        return self.dial, self.dials, self.bits

    @property
    def shows_each(self) -> bool:
        """Whether one small dial for each pair or column is seen instead of the one dial."""
        return self._shows_each

    @property
    def shows_bits(self) -> bool:
        """Whether the dials of bits are seen."""
        return not self.bits_area.isHidden()

    @property
    def face(self) -> PictureCanvas:
        """The dial or the dials: what the keyboard belongs to."""
        return self.dials if self._shows_each else self.dial

    def show_faces(self, *, each: bool, code: Encoding | None) -> None:
        """One dial or one for each; beside it the bits of a code, if one is given."""
        had_focus = self.face.hasFocus()
        self._shows_each = each
        self.dial.setVisible(not each)
        self.dials_area.setVisible(each)
        if had_focus:
            # Qt would give it to whatever comes next in the window.
            self.face.setFocus(Qt.FocusReason.OtherFocusReason)
        self.bits_area.setVisible(code is not None)
        if code is not None and code is not self.bits.code:
            self.bits.show_code(code)
            # New bits are seen from the fastest one on, until a pair is chosen among them.
            self._follows_pair = False
            self.bits_area.verticalScrollBar().setValue(0)
        self.arrange()

    def arrange(self) -> None:
        """Share the room."""
        face = self.rect()
        if self.shows_bits:
            bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self.bits_area)
            room = clock_room(float(self.width()), float(self.height()), self.bits.code, float(bar))
            face = _rectangle(room.face)
            self.bits.place(room.grid)
            self.bits_area.setGeometry(_rectangle(room.dials))
        (self.dials_area if self._shows_each else self.dial).setGeometry(face)
        if self._shows_each:
            view = self.dials_area.viewport()
            self.dials.fit(view.width(), view.height())

    def follow_pair(self) -> None:
        """Another pair was chosen: scroll to its dials."""
        self._follows_pair = True
        self.keep_pair_in_view()

    def keep_pair_in_view(self) -> None:
        """Rows stay whole and the dials of the chosen pair in view, in whatever room there is."""
        pair = self._model.cursor.pair
        if self._shows_each:
            self.dials_area.bring_into_view(self.dials.pair_rectangle(pair))
        if self.shows_bits:
            self.bits_area.bring_into_view(self.bits.pair_rectangle(pair) if self._follows_pair else QRect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
        self.keep_pair_in_view()


def _rectangle(room: Room) -> QRect:
    left, top, width, height = room
    return QRect(round(left), round(top), math.ceil(width), math.ceil(height))
