"""What the table says of t and t + k: computed once for all pages that show it, and for wide tables at rest only."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.measure.collisions import Disagreement, disagreement_of_rows
from pe_desktop.core.measure.distance_law import Band, DifferenceTurn, bands_of_shares, turn_of_differences
from pe_desktop.model.encoding_model import EncodingModel

# Table values that may be compared within a frame; of wider tables the last comparison stays until the cursor rests.
MOST_VALUES_PER_FRAME: Final = 2**13
N_ROWS: Final = 2
# As long as nothing has moved for so long, the cursor rests.
REST_MILLISECONDS: Final = 250


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """How the rows t and t + k of the table differ, and how that difference differs from the one of rows 0 and k."""

    encoding: Encoding
    cursor: Cursor
    apart: Disagreement
    bands: tuple[Band, ...]
    turn: DifferenceTurn

    def is_of(self, encoding: Encoding, cursor: Cursor) -> bool:
        """Whether it tells of these two positions."""
        there, here = (self.cursor.position, self.cursor.offset), (cursor.position, cursor.offset)
        return here == there and encoding == self.encoding


class TwoPositions(QObject):
    """Compares t with t + k for whoever paints it; rows 0 and k are evaluated again only when k changes."""

    changed = Signal()

    def __init__(self, model: EncodingModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._kept: Comparison | None = None
        self._from_start: tuple[Encoding, float, Floats] | None = None
        self._wanted: Cursor | None = None
        self._rest = QTimer(self, interval=REST_MILLISECONDS, singleShot=True)
        self._rest.timeout.connect(self._on_rest)

    @property
    def is_settled(self) -> bool:
        return not self._rest.isActive()

    def comparison(self) -> Comparison:
        """Of the cursor; of a wide table the last one, while the cursor moves, and `changed` tells when it's due."""
        encoding, cursor = self._model.encoding, self._model.cursor
        kept = self._kept
        if kept is not None and kept.is_of(encoding, cursor):
            self._rest.stop()
            return kept
        if kept is None or kept.encoding != encoding or N_ROWS * encoding.d_model <= MOST_VALUES_PER_FRAME:
            return self.settled()
        if not self._rest.isActive() or cursor != self._wanted:
            self._wanted = cursor
            self._rest.start()
        return kept

    def settled(self) -> Comparison:
        """Of the cursor as it is now, however wide the table is."""
        self._rest.stop()
        encoding, cursor = self._model.encoding, self._model.cursor
        if self._kept is None or not self._kept.is_of(encoding, cursor):
            here, from_start = self._differences(encoding, cursor)
            apart = disagreement_of_rows(encoding, here)
            turn = turn_of_differences(here, from_start)
            self._kept = Comparison(encoding, cursor, apart, bands_of_shares(apart.shares), turn)
        return self._kept

    def _differences(self, encoding: Encoding, cursor: Cursor) -> tuple[Floats, Floats]:
        """p_(t+k) - p_t and p_k - p_0."""
        t, k = cursor.position, cursor.offset
        if self._from_start is not None and self._from_start[:2] == (encoding, k):
            rows = encoding.values([t, t + k])
            return rows[1] - rows[0], self._from_start[2]
        rows = encoding.values([t, t + k, 0.0, k])
        from_start = np.subtract(rows[3], rows[2])
        self._from_start = (encoding, k, from_start)
        return rows[1] - rows[0], from_start

    def _on_rest(self) -> None:
        self.settled()
        self.changed.emit()
