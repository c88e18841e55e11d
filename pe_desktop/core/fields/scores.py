"""Scores of every two positions that depend on their offset alone: row t, column s."""

from pe_desktop.core.fields.field import Blocks, Means
from pe_desktop.core.fields.offsets import OffsetField, Shown, Waves
from pe_desktop.core.lags import Progression
from pe_desktop.core.record import record


@record
class OffsetScoreField(OffsetField):
    """Scores that depend on k = s - t alone; limits are the values at the ends of the colour map."""

    n_positions: int
    limits: tuple[float, float]
    scores: Waves

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_positions, self.n_positions

    def equal_means(self, rows: Blocks, columns: Blocks, shown: Shown) -> Means:
        return self.scores.means(rows, columns, shown)

    def value(self, row: int, column: int) -> float:
        return float(self.scores.at(Progression(column - row, 1, 1))[0])
