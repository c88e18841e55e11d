"""The scrubber and the pair strip of the transport as widgets."""

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QMoveEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.core.columns import n_hands
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.pointer import Hand
from pe_desktop.views.transport.picture import (
    KNOB_RADIUS,
    Track,
    knobs_picture,
    later_knob_x,
    preview_knob_picture,
    track_picture,
)

MARGIN = 28.0
TRACK_HEIGHT = 29.0
NARROWEST_TRACK = 120.0
STRIP_HEIGHT = 12.0


class Scrubber(PictureCanvas):
    """Drag the solid knob for t, the hollow one (or Shift) for k; a press beside them moves t there."""

    placed = Signal()

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._edges: tuple[float, float] | None = None
        self._drags_offset = False
        self._hand = Hand(model)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumWidth(220)
        self.setAccessibleName("Position")

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.placed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.placed.emit()

    def align(self, edges: tuple[float, float] | None) -> None:
        """Put the ends of the track at these pixels, so that it stands under the waves; None for its own ends."""
        if edges != self._edges:
            self._edges = edges
            self.redraw()

    def track(self) -> Track:
        """Where the track lies."""
        left, right = MARGIN, float(self.width()) - MARGIN
        if self._edges is not None:
            aligned = max(self._edges[0], KNOB_RADIUS), min(self._edges[1], float(self.width()) - KNOB_RADIUS)
            if aligned == self._edges and aligned[1] - aligned[0] >= NARROWEST_TRACK:
                left, right = aligned
        return Track(left, max(right, left + 1.0), TRACK_HEIGHT, self._model.span)

    def still_picture(self, width: float, height: float) -> marks.Picture:
        return track_picture(self.track(), self._model.encoding.n_positions, self.theme)

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        track = self.track()
        return (
            *preview_knob_picture(track, self._model.preview, self.theme),
            *knobs_picture(track, self._model.cursor, self.theme),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._hand.press()
            # The knob is under the pointer now: no faint one stays where the drag began.
            self._model.set_preview(None)
            self._drags_offset = self._takes_offset(event)
            self._commit(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._commit(event.position().x())
        else:
            position = float(round(self.track().position(event.position().x())))
            self._model.set_preview(position)
            self.setToolTip(f"position {number_text.whole(position)}")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._hand.release()

    def leaveEvent(self, event: QEvent) -> None:
        self._model.set_preview(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._hand.step(event)
        event.accept()

    def _takes_offset(self, event: QMouseEvent) -> bool:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return True
        track, cursor, x = self.track(), self._model.cursor, event.position().x()
        to_now = abs(track.x(cursor.position) - x)
        to_later = abs(later_knob_x(track, cursor) - x)
        return to_later <= KNOB_RADIUS + 2.0 and to_later < to_now

    def _commit(self, x: float) -> None:
        position = float(round(self.track().position(x)))
        if self._drags_offset:
            self._model.move_cursor(offset=position - self._model.cursor.position)
        else:
            self._model.move_cursor(position=position)


class PairStrip(PictureCanvas):
    """All pairs from fast to slow in their colours; press or drag chooses one."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setFixedSize(184, 30)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Frequency pair")

    def still_picture(self, width: float, height: float) -> marks.Picture:
        n_boxes = min(self._n_pairs(), int(width))
        colors = self.theme.pair_colors(n_boxes)
        edges = np.linspace(0.0, width, n_boxes + 1)
        gap = 1.0 if n_boxes <= 48 else 0.0
        top = (height - STRIP_HEIGHT) / 2
        return tuple(
            marks.Rectangle(left, top, right - left - gap, STRIP_HEIGHT, QColor(*color))
            for left, right, color in zip(edges.tolist(), edges[1:].tolist(), colors.tolist(), strict=False)
        )

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        n_pairs, pair = self._n_pairs(), self._model.cursor.pair
        middle = (pair + 0.5) / n_pairs * width
        color = self.theme.pair_color(pair, n_pairs)
        wide = min(max(width / n_pairs, 12.0), 24.0)
        left = min(max(middle - wide / 2, 1.5), width - wide - 1.5)
        return (marks.Rectangle(left, 3.0, wide, height - 6.0, color, self.theme.ink, radius=5.0, outline_width=2.0),)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._choose(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(event.position().x())

    def _choose(self, x: float) -> None:
        self._model.move_cursor(pair=int(x / max(self.width(), 1) * self._n_pairs()))

    def _n_pairs(self) -> int:
        return n_hands(self._model.encoding)
