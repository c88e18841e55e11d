"""Small dials as widgets: one for each pair or column of the table, or one for each bit beside the face."""

import math

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.bit_hands import face_hands_of, n_flipping
from pe_desktop.core.columns import hand_columns, hand_of_column
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.hand_text import hand_sentence
from pe_desktop.draw.marks import Picture
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.hand_grip import HandGrip
from pe_desktop.views.clock.picture import length_shares, nearest_tip
from pe_desktop.views.clock.small import (
    HAND_LENGTH,
    DialGrid,
    bit_sentence,
    column_dials_picture,
    column_grid,
    column_sentence,
    dial_grid,
    narrowest_cell,
    small_dials_picture,
)


class SmallDialsCanvas(PictureCanvas):
    """One dial for each pair, or for each column where there are none; only those that are seen are drawn.

    A press chooses the pair; dragging moves t so that its hand follows; its ghost, or Shift, moves k.
    """

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._room = 100.0
        self._grip = HandGrip(model)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def grid(self) -> DialGrid:
        """As wide as the canvas."""
        return self._grid(float(self.width()))

    @property
    def n_dials(self) -> int:
        """As many as pairs, or as columns."""
        encoding = self._model.encoding
        return encoding.pairs.count if encoding.pairs is not None else encoding.d_model

    def hands(self) -> Turning | None:
        """Those of the pairs; gauges aren't turned."""
        return self._model.encoding.pairs

    def fit(self, width: int, height: int) -> None:
        """Take as many rows as the pairs need in a view of this size."""
        self._room = float(height)
        self.setFixedHeight(max(math.ceil(self._grid(float(width)).height), height))

    def dials_picture(self, shown: range) -> Picture:
        """Hands of pairs, or what columns have."""
        encoding, cursor = self._model.encoding, self._model.cursor
        if encoding.pairs is None:
            return column_dials_picture(self.grid, encoding, shown, cursor, self.theme)
        return small_dials_picture(self.grid, encoding.pairs, shown, cursor, self.theme)

    def sentence(self, dial: int) -> str:
        """What the dial shows."""
        pairs, cursor = self._model.encoding.pairs, self._model.cursor
        if pairs is None:
            return column_sentence(self._model.encoding, dial, cursor)
        return hand_sentence(pairs, dial, float(pairs.angles([cursor.position], [dial])[0, 0]))

    def choose(self, dial: int) -> None:
        """The two columns of which this is one."""
        self._model.move_cursor(pair=int(hand_of_column(self._model.encoding)[dial]))

    def pair_rectangle(self, pair: int) -> QRect:
        """Where the dial of a pair stands on the canvas, or the first of the columns that stand for one."""
        encoding = self._model.encoding
        return self.cell_rectangle(pair if encoding.pairs is not None else int(hand_columns(encoding)[pair, 0]))

    def cell_rectangle(self, dial: int) -> QRect:
        """The whole pixels of the canvas within the cell of a dial."""
        grid = self.grid
        left, top = grid.cell(dial)
        x, y = math.ceil(left), math.ceil(top)
        return QRect(x, y, math.floor(left + grid.cell_width) - x, math.floor(top + grid.cell_height) - y)

    def moving_picture(self, width: float, height: float) -> Picture:
        seen = self.visibleRegion().boundingRect()
        return self.dials_picture(self.grid.pairs_between(seen.top(), seen.bottom(), self.n_dials))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        dial, hands = self._dial_at(event), self.hands()
        if dial is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if hands is None:
            self.choose(dial)
            return
        cursor, place = self._model.cursor, self.grid.dial(dial)
        x, y = event.position().x(), event.position().y()
        angles = hands.angles([cursor.position, cursor.position + cursor.offset], [dial])[:, 0]
        reach = place.radius * HAND_LENGTH * float(length_shares(hands)[dial])
        is_ghost = nearest_tip(place.tips(angles, np.full(2, reach)), x, y) == 1
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._grip.take(dial, place.angle_at(x, y), moves_offset=is_ghost or is_shifted)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip.held is not None:
            place = self.grid.dial(self._grip.held)
            self._grip.turn_to(place.angle_at(event.position().x(), event.position().y()))
            return
        dial = self._dial_at(event)
        self.setToolTip("" if dial is None else self.sentence(dial))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip.let_go()

    def _grid(self, width: float) -> DialGrid:
        encoding = self._model.encoding
        if encoding.pairs is None:
            return column_grid(max(width, 1.0), self._room, encoding)
        return dial_grid(max(width, 1.0), self._room, encoding.pairs.count, narrowest_cell(encoding.pairs))

    def _dial_at(self, event: QMouseEvent) -> int | None:
        position = event.position()
        return self.grid.pair_at(position.x(), position.y(), self.n_dials)


class BitDialsCanvas(SmallDialsCanvas):
    """The bits beside the face: those of the table, or the binary code of t beside hands that turn smoothly."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self.code: Encoding = BitsEncoding()
        self._placed = DialGrid(1, 1, 1.0, 1.0)

    @property
    def grid(self) -> DialGrid:
        """Where the dials stand."""
        return self._placed

    @property
    def n_dials(self) -> int:
        """As many as bits."""
        return self.code.d_model

    @property
    def bits(self) -> str:
        """The bits at t, the slowest that flips within N first, as a number is written."""
        values = self.code.values([self._model.cursor.position], range(n_flipping(self.code)))[0, ::-1]
        return "".join("1" if value else "0" for value in values.tolist())

    def show_code(self, code: Encoding) -> None:
        """Other bits."""
        self.code = code
        self.update()

    def place(self, grid: DialGrid) -> None:
        """Take the room of all dials."""
        self._placed = grid
        self.setFixedSize(math.ceil(grid.columns * grid.cell_width), math.ceil(grid.height))

    def hands(self) -> Turning | None:
        """The bits of the table can be turned and chosen; those beside other hands are looked at."""
        return self.code.bits if self._is_table else None

    def dials_picture(self, shown: range) -> Picture:
        """A half filled dial for each bit."""
        beside = None if self._is_table else self._model.encoding.pairs
        return column_dials_picture(self._placed, self.code, shown, self._model.cursor, self.theme, beside)

    def sentence(self, dial: int) -> str:
        """The bit, as a column of the table or as one of the position."""
        told = column_sentence if self._is_table else bit_sentence
        return told(self.code, dial, self._model.cursor)

    def choose(self, dial: int) -> None:
        """Bits beside other hands can't be chosen."""

    def pair_rectangle(self, pair: int) -> QRect:
        """Where the bits of the chosen columns stand on the canvas; nowhere for bits beside other hands."""
        if not self._is_table:
            return QRect()
        first, *others = face_hands_of(self.code, pair)
        return self.cell_rectangle(first).united(self.cell_rectangle(others[-1] if others else first))

    @property
    def _is_table(self) -> bool:
        return self._model.encoding is self.code
